#include "table_options.h"

#include "mill/text.h"
#include "report.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace mill::cli {

namespace fs = std::filesystem;
namespace po = boost::program_options;

void add_table_options(CommandLine& line) {
    line.options().add_options()(
        "tables,t", po::value<std::string>()->value_name("DIR")->default_value("tables"),
        "directory of the tables")("cache", po::value<std::uint64_t>()->value_name("MIB")->default_value(64),
                                   "most memory for decoded blocks");
}

namespace {

/// The ruleset that a directory of tables was built for, if it is only one: a build notes it there.
Ruleset only_ruleset(const std::string& directory) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
        if (fs::exists(it->path() / "manifest.json")) found.push_back(it->path() / "manifest.json");
    if (found.size() != 1)
        throw UsageError("--rules is missing, and " + directory + " holds " + std::to_string(found.size()) +
                         " rulesets with a manifest, expected one");
    std::ifstream in(found[0]);
    const auto manifest = nlohmann::json::parse(in, nullptr, false);
    if (!manifest.is_object() || !manifest.contains("ruleset") || !manifest["ruleset"].is_string())
        throw Error(ErrorCode::corrupt_table, found[0].string() + ": no ruleset in it");
    return parse_ruleset(manifest["ruleset"].get<std::string>(), found[0].string());
}

} // namespace

std::unique_ptr<TableSet> open_tables(const CommandLine& line) {
    const auto directory = line.get<std::string>("tables");
    Ruleset rules;
    if (line.has("rules")) rules = line.ruleset();
    else {
        rules = only_ruleset(directory);
        if (line.has("set"))
            for (const std::string& assignment : line.get<std::vector<std::string>>("set"))
                rules.set(assignment);
    }
    TableSet::Options options;
    options.cache_bytes = line.get<std::uint64_t>("cache") << 20;
    auto tables = std::make_unique<TableSet>(rules, options);
    std::error_code error;
    if (!fs::is_directory(directory, error))
        throw Error(ErrorCode::missing_table, "no directory of tables " + directory);
    for (const FileReport& report : tables->add_directory(directory))
        if (report.code != ErrorCode::ok && report.code != ErrorCode::wrong_fingerprint)
            std::cerr << "millprobe: not used: " << report.path << ": " << report.reason << "\n";
    return tables;
}

Json value_json(const TableSet& tables, const Position& p, const Answer& a) {
    Json out = {{"position", to_text(p)},
                {"ruleset", tables.rules().name},
                {"outcome", std::string(to_text(a.outcome))}};
    out["dte"] = a.dte ? Json(*a.dte) : Json(nullptr);
    out["dtz"] = a.dtz ? Json(*a.dtz) : Json(nullptr);
    out["counter"] = p.counter;
    out["ends"] = reason_json(a.ends);
    return out;
}

std::string in_words(const Answer& a) {
    std::string text(a.outcome == Outcome::win ? "won" : a.outcome == Outcome::loss ? "lost" : "drawn");
    if (a.ends != Reason::none) return text + ": the game is over (" + std::string(to_text(a.ends)) + ")";
    if (a.dte) text += " in " + std::to_string(*a.dte) + (*a.dte == 1 ? " ply" : " plies");
    if (a.dtz) text += ", decided while the draw counter has " + std::to_string(*a.dtz) + " or more left";
    return text;
}

} // namespace mill::cli
