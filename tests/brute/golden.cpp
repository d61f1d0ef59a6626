#include "tests/brute/golden.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace mill::testing {
namespace {

/// The fields of every line but empty ones and comments.
std::vector<std::vector<std::string>> read_fields(const std::string& name, std::size_t fields) {
    const std::string path = std::string(MILL_DATA_DIR) + "/golden/" + name;
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::vector<std::vector<std::string>> out;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> row;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
        if (row.size() != fields) throw std::runtime_error(path + ": unexpected line: " + line);
        out.push_back(row);
    }
    return out;
}

} // namespace

std::vector<GoldenCounts> golden_limit_counts() {
    std::vector<GoldenCounts> out;
    for (const auto& f : read_fields("limit_counts.tsv", 10))
        out.push_back({f[0], f[1], std::stoll(f[2]), std::stoll(f[3]), std::stoll(f[4]), std::stoll(f[5]),
                       std::stoll(f[6]), std::stoll(f[7]), std::stoll(f[8]), std::stoll(f[9])});
    return out;
}

std::vector<GoldenCounts> golden_solved_counts() {
    std::vector<GoldenCounts> out;
    for (const auto& f : read_fields("solved_counts.tsv", 7)) {
        GoldenCounts g;
        g.rules = f[0];
        g.subspace = f[1];
        g.positions = std::stoll(f[2]);
        g.win = std::stoll(f[3]);
        g.draw = std::stoll(f[4]);
        g.loss = std::stoll(f[5]);
        g.max_dte = std::stoll(f[6]);
        out.push_back(g);
    }
    return out;
}

std::vector<GoldenPosition> golden_positions() {
    std::vector<GoldenPosition> out;
    for (const auto& f : read_fields("positions.tsv", 4)) out.push_back({f[0], f[1], f[2], std::stoi(f[3])});
    return out;
}

Ruleset ruleset_of(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    words >> word;
    Ruleset rules = load_ruleset(word);
    while (words >> word) rules.set(word);
    return rules;
}

} // namespace mill::testing
