// millprobe perft
#include "probe/cli/report.h"
#include "rules/perft.h"
#include "rules/text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace mill::cli {
namespace {

constexpr const char* kHelp =
    "Counts the sequences of turns of exactly N plies. A turn with its capture counts once; a position that is\n"
    "lost, blocked or full has no turns; draw limits and repetition are not applied. --divide gives the share of\n"
    "each first turn.\n\n"
    "examples:\n"
    "  millprobe perft --rules lg9 --depth 6\n"
    "  millprobe perft --rules lg10 --depth 3 --divide\n"
    "  millprobe perft --rules lg12 --depth 2 --json - < positions.txt\n\n"
    "JSON keys: position, depth, turns; with --divide also divide (turns below each first turn)\n";

using Shares = std::vector<std::pair<std::string, std::uint64_t>>;

/// The share of each first turn, sorted by the text of the turn.
Shares shares_of(const Ruleset& rules, const Position& p, int depth) {
    Shares shares;
    TurnList turns;
    generate_turns(rules, p, turns);
    for (const Turn t : turns)
        shares.emplace_back(to_text(t), perft(rules, apply_turn(rules, p, t), depth - 1));
    std::sort(shares.begin(), shares.end());
    return shares;
}

void print_depths(const Ruleset& rules, const Position& p, int depth) {
    for (int d = 1; d <= depth; ++d) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t turns = perft(rules, p, d);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        char text[80];
        std::snprintf(text, sizeof text, "depth %2d  %20llu turns  %8.2f s\n", d,
                      static_cast<unsigned long long>(turns), taken.count());
        std::cout << text << std::flush;
    }
}

} // namespace

Work read_perft(const Arguments& arguments) {
    CommandLine line("perft --rules NAME --depth N [--divide] [--set KEY=VALUE...] [--json] [POSITION | -]",
                     kHelp);
    // clang-format off
    line.options().add_options()
        ("depth", boost::program_options::value<int>()->value_name("N"), "plies to count, 1 to 100")
        ("divide", "the share of each first turn");
    // clang-format on
    if (!line.parse(arguments)) return done();
    const Ruleset rules = line.ruleset();
    if (!line.has("depth"))
        throw UsageError("--depth is missing: how many plies to count, such as --depth 5");
    const int depth = line.get<int>("depth");
    if (depth < 1 || depth > 100)
        throw UsageError("--depth " + std::to_string(depth) + ": expected 1 to 100");

    return [=] {
        return for_each_position(line, rules, [&](const Position& p) {
            const bool divide = line.has("divide");
            const Shares shares = divide ? shares_of(rules, p, depth) : Shares();
            std::uint64_t total = 0;
            for (const auto& share : shares) total += share.second;
            if (line.json()) {
                Json object = {{"position", to_text(p)},
                               {"depth", depth},
                               {"turns", divide ? total : perft(rules, p, depth)}};
                if (divide) {
                    object["divide"] = Json::object();
                    for (const auto& [turn, count] : shares) object["divide"][turn] = count;
                }
                print_json(object);
            } else if (divide) {
                for (const auto& [turn, count] : shares) std::cout << turn << ": " << count << "\n";
                std::cout << "\ndepth " << depth << ": " << total << " turns\n";
            } else {
                std::cout << to_text(p) << "\n";
                print_depths(rules, p, depth);
            }
        });
    };
}

} // namespace mill::cli
