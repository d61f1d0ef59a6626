// millprobe value
#include "mill/text.h"
#include "report.h"
#include "table_options.h"

#include <iostream>

namespace mill::cli {

int run_value(const Arguments& arguments) {
    CommandLine line(
        "value --tables DIR [--rules NAME] [--profile] [--json] POSITION | -",
        "The exact outcome for the side to move, DTE (plies to the end of the game) and DTZ (the smallest number of\n"
        "plies left on the draw counter with which the position is decided), at the position's counter.\n\n"
        "examples:\n"
        "  millprobe value --tables tables 'WB1/1W1/3/W1BB2/3/2W/3 w 0,0'\n"
        "  millprobe value --tables tables --rules lg12 --json --profile - < positions.txt\n\n"
        "JSON keys: position ruleset outcome dte dtz counter ends, and with --profile: profile, [[budget, dte]...]\n");
    add_table_options(line);
    line.options().add_options()("profile", "how DTE depends on the plies left on the draw counter");
    if (!line.parse(arguments)) return exit_ok;
    const auto tables = open_tables(line);
    return for_each_position(line, tables->rules(), [&](const Position& p) {
        const Answer a = tables->probe(p);
        std::vector<ProfilePoint> profile;
        if (line.has("profile")) profile = tables->profile(p);
        if (line.json()) {
            Json out = value_json(*tables, p, a);
            if (line.has("profile")) {
                out["profile"] = Json::array();
                for (const ProfilePoint& point : profile) out["profile"].push_back({point.budget, point.dte});
            }
            print_json(out);
            return;
        }
        std::cout << picture(tables->rules(), p) << "\nsubspace " << to_text(subspace_of(p)) << ": "
                  << in_words(a) << "\n";
        for (const ProfilePoint& point : profile)
            std::cout << "  with " << point.budget << " or more plies left: in " << point.dte << "\n";
        std::cout << "\n";
    });
}

} // namespace mill::cli
