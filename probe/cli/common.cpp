#include "probe/cli/common.h"

#include "rules/text.h"

#include <algorithm>
#include <iostream>

namespace mill::cli {

namespace po = boost::program_options;

CommandLine::CommandLine(std::string usage, std::string help)
    : usage_(std::move(usage)), help_(std::move(help)), options_("options") {
    // clang-format off
    options_.add_options()
        ("rules", po::value<std::string>()->value_name("NAME"), "ruleset: a preset or the path of an INI file")
        ("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
         "change one key of the ruleset; may be repeated")
        ("json", "one JSON object per line")
        ("help,h", "this text");
    // clang-format on
}

bool CommandLine::parse(const Arguments& arguments, std::size_t max_positions) {
    po::options_description hidden;
    hidden.add_options()("position", po::value<std::vector<std::string>>());
    po::options_description all;
    all.add(options_).add(hidden);
    po::positional_options_description positional;
    positional.add("position", -1);
    try {
        // No guessing of abbreviated options: a script must not change its meaning with a new option.
        const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
        po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(),
                  values_);
        po::notify(values_);
    } catch (const po::error& e) {
        throw UsageError(option_error(e, arguments) + "; usage: millprobe " + usage_);
    }
    if (has("help")) {
        std::cout << "usage: millprobe " << usage_ << "\n\n" << options_ << "\n" << help_;
        return false;
    }
    if (has("position")) positions_ = get<std::vector<std::string>>("position");
    if (positions_.size() > max_positions)
        throw UsageError(max_positions == 0
                             ? "'" + positions_[0] + "' is not expected here; usage: millprobe " + usage_
                             : "a position is one argument: put it in quotes, such as "
                               "'3/3/3/6/3/3/3 w 9,9 - 0'");
    return true;
}

Ruleset CommandLine::ruleset() const {
    if (!has("rules")) {
        std::string known;
        for (const std::string& name : preset_names()) known += " " + name;
        throw UsageError("--rules is missing; presets are" + known);
    }
    Ruleset rules = load_ruleset(get<std::string>("rules"));
    if (has("set"))
        for (const std::string& assignment : get<std::vector<std::string>>("set")) rules.set(assignment);
    return rules;
}

void print_json(const Json& object) {
    std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

int for_each_position(const CommandLine& line, const Ruleset& rules,
                      const std::function<void(const Position&)>& answer) {
    const auto answer_one = [&](const std::string& text) -> int {
        try {
            answer(parse_position(rules, text));
            return exit_ok;
        } catch (const Error& e) {
            if (line.json()) print_json({{"position", text}, {"error", e.what()}});
            else std::cerr << "millprobe: " << e.what() << "\n";
            return exit_code(e.code(), millprobe().io);
        }
    };
    if (line.positions().empty()) return answer_one(to_text(initial_position(rules)));
    if (line.positions()[0] != "-") return answer_one(line.positions()[0]);

    int worst = exit_ok;
    for (std::string text; std::getline(std::cin, text);) {
        worst = std::max(worst, answer_one(text));
        // A program that asks and waits gets its answer at once; a file is answered in large writes.
        if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
    }
    return worst;
}

} // namespace mill::cli
