// millprobe rules
#include "probe/cli/common.h"

#include "rules/text.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace mill::cli {
namespace {

/// All keys of the ruleset, typed, read back from its INI text so that none can be forgotten.
Json to_json(const Ruleset& rules) {
    Json object;
    std::string rest = rules.to_ini();
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const auto equals = rest.find(" = ");
        const std::string key = rest.substr(0, equals), value = rest.substr(equals + 3, end - equals - 3);
        object[key] = value;
        rest.erase(0, end + 1);
    }
    object["pieces"] = rules.pieces;
    object["quiet_limit"] = rules.quiet_limit;
    object["endgame_limit"] = rules.endgame_limit;
    object["repetition"] = rules.repetition;
    object["placement_counts"] = rules.placement_counts;
    object["fingerprint"] = hex(rules.fingerprint());
    return object;
}

constexpr const char* kHelp =
    "Without --rules, lists the presets. With it, prints the ruleset as an INI file that --rules reads back.\n"
    "A ruleset's fingerprint names the tables that it may use; title, source, first, repetition and pieces\n"
    "are no part of it.\n\n"
    "examples:\n"
    "  millprobe rules\n"
    "  millprobe rules --rules lg12\n"
    "  millprobe rules --rules lg9 --set pieces=4 --set quiet_limit=20 > small.ini\n"
    "  millprobe legal --rules ./small.ini\n";

} // namespace

Work read_rules(const Arguments& arguments) {
    CommandLine line("rules [--rules NAME] [--set KEY=VALUE...] [--json]", kHelp);
    if (!line.parse(arguments, 0)) return done();
    if (line.has("rules")) {
        const Ruleset rules = line.ruleset();
        if (line.json()) print_json(to_json(rules));
        else std::cout << rules.to_ini() << "# fingerprint " << hex(rules.fingerprint()) << "\n";
        return done();
    }
    if (line.has("set")) throw UsageError("--set needs --rules, the ruleset to change");
    for (std::string name : preset_names()) {
        const Ruleset rules = load_ruleset(name);
        if (line.json()) {
            print_json(to_json(rules));
            continue;
        }
        name.resize(std::max<std::size_t>(name.size(), 19), ' ');
        std::cout << name << rules.title << "\n";
    }
    return done();
}

} // namespace mill::cli
