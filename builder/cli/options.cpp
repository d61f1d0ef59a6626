#include "builder/cli/options.h"

#include "rules/error.h"

#include <omp.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace mill::builder::cli {

namespace po = boost::program_options;

Options::Options(std::string name, std::string what, std::string examples)
    : name_(std::move(name)), what_(std::move(what)), examples_(std::move(examples)), options_("options") {
    options_.add_options()("help,h", "this text")("json", "one JSON object per line on standard output")(
        "rules,r", po::value<std::string>(),
        "ruleset: a preset ('millprobe rules' lists them) or the path of an INI file")(
        "set,s", po::value<std::vector<std::string>>()->composing(),
        "change one key of the ruleset, e.g. pieces=4; repeatable");
}

void Options::add_tables() {
    options_.add_options()("tables,t", po::value<std::string>()->default_value("tables"),
                           "directory of the tables");
}

void Options::add_selection() {
    options_.add_options()("all", "every subspace that can exist")(
        "start", "everything reachable from the initial position")(
        "stones", po::value<int>(), "all movement subspaces with up to N stones on the board")(
        "subspace", po::value<std::vector<std::string>>()->composing(),
        "own-opp+ownReserve-oppReserve, e.g. 5-4+0-0, with what it depends on; repeatable")(
        "metrics", po::value<std::string>()->default_value("wdl,dtz,dte"),
        "wdl (outcomes), dtz, dte; any set with wdl");
}

void Options::add_resources() {
    options_.add_options()("threads", po::value<int>()->default_value(0), "threads; 0 = all")(
        "memory", po::value<std::string>(), "most memory to use, e.g. 16G (default: most of what is free)");
}

bool Options::parse(const Arguments& arguments) {
    try {
        po::store(po::command_line_parser(arguments).options(options_).positional({}).run(), values_);
        po::notify(values_);
    } catch (const po::error& e) {
        throw UsageError(option_error(e, arguments) + "; 'millwright " + name_ + " --help' explains");
    }
    if (!has("help")) return true;
    std::cout << "usage: millwright " << name_ << " --rules RULESET [options]\n\n"
              << what_ << "\n"
              << options_ << "\n"
              << examples_;
    return false;
}

Ruleset Options::ruleset() const {
    if (!has("rules"))
        throw UsageError("--rules is missing: a preset such as lg9 ('millprobe rules' lists them)");
    Ruleset rules = load_ruleset(get<std::string>("rules"));
    if (has("set"))
        for (const std::string& assignment : get<std::vector<std::string>>("set")) rules.set(assignment);
    return rules;
}

std::string Options::tables() const { return get<std::string>("tables"); }

bool Options::selects() const { return has("all") || has("start") || has("stones") || has("subspace"); }

builder::Selection Options::selection() const {
    if (!selects()) throw UsageError("select what to build: --start, --stones N, --subspace S or --all");
    builder::Selection s;
    s.all = has("all");
    s.start = has("start");
    if (has("stones")) {
        s.stones = get<int>("stones");
        if (s.stones < 6 || s.stones > 24)
            throw UsageError("--stones " + std::to_string(s.stones) + ": expected 6 to 24");
    }
    if (has("subspace"))
        for (const std::string& text : get<std::vector<std::string>>("subspace"))
            s.subspaces.push_back(parse_subspace(text));
    return s;
}

int Options::threads() const {
    const int n = get<int>("threads");
    if (n < 0 || n > 1024) throw UsageError("--threads " + std::to_string(n) + ": expected 0 to 1024");
    return n ? n : omp_get_max_threads();
}

std::uint64_t Options::memory() const {
    if (has("memory")) return parse_size(get<std::string>("memory"));
    std::ifstream info("/proc/meminfo");
    std::string key, unit;
    for (std::uint64_t kib = 0; info >> key >> kib; std::getline(info, unit))
        if (key == "MemAvailable:") return kib * 1024 / 10 * 9;
    return std::uint64_t{4} << 30;
}

std::uint64_t parse_size(const std::string& text) {
    std::size_t used = 0;
    double number = -1;
    try {
        number = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    double unit = 1;
    if (used + 1 == text.size()) {
        const std::string units = "KMGTkmgt";
        const std::size_t at = units.find(text[used]);
        if (at == std::string::npos) used = 0;
        else {
            for (std::size_t i = 0; i <= at % 4; ++i) unit *= 1024;
            ++used;
        }
    }
    if (used == 0 || used != text.size() || !(number > 0) || number * unit > 1e18)
        throw UsageError("size '" + text + "': expected a number with K, M, G or T, such as 16G");
    return static_cast<std::uint64_t>(number * unit);
}

namespace {
std::string scaled(double v, double step, const char* const* units, int count) {
    int i = 0;
    while (v >= step && i + 1 < count) {
        v /= step;
        ++i;
    }
    char text[48];
    std::snprintf(text, sizeof text, i == 0 ? "%.0f%s" : "%.2f%s", v, units[i]);
    return text;
}
} // namespace

std::string readable_bytes(double bytes) {
    static const char* const units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    return scaled(bytes, 1024, units, 5);
}

std::string readable_count(double count) {
    static const char* const units[] = {"", " k", " M", " G", " T"};
    return scaled(count, 1000, units, 5);
}

std::string readable_time(double seconds) {
    char text[48];
    if (seconds < 100) std::snprintf(text, sizeof text, "%.1f s", seconds);
    else if (seconds < 3600)
        std::snprintf(text, sizeof text, "%d min %02d s", static_cast<int>(seconds) / 60,
                      static_cast<int>(seconds) % 60);
    else
        std::snprintf(text, sizeof text, "%d h %02d min", static_cast<int>(seconds) / 3600,
                      static_cast<int>(seconds) / 60 % 60);
    return text;
}

namespace {
std::atomic<bool> stop_flag{false};
volatile std::sig_atomic_t signal_number = 0;
void on_signal(int number) {
    signal_number = number;
    stop_flag.store(true, std::memory_order_relaxed);
}
} // namespace

std::atomic<bool>& stop_requested() { return stop_flag; }
int caught_signal() { return signal_number; }
void catch_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESETHAND; // a second signal ends the process at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace mill::builder::cli
