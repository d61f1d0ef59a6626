#include "probe/cli/tables.h"

#include "probe/cli/report.h"
#include "probe/tables/small_file.h"
#include "rules/text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <optional>

namespace mill::cli {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

/// Bytes of "64M", "2G", "1000000".
std::uint64_t parse_bytes(const std::string& text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
    if (error != std::errc{} || shift < 0 || n > (std::uint64_t{1} << 44) >> shift)
        throw UsageError("--cache: '" + text + "' is no size; expected such as 64M or 2G");
    return n << shift;
}

/// The ruleset of a manifest, if there is a readable one.
std::optional<Ruleset> manifest_ruleset(const fs::path& folder) {
    std::string text;
    try {
        text = read_small_file((folder / "manifest.json").string(), kLongestManifest);
    } catch (const Error&) {
        return std::nullopt;
    }
    // What lies deeper, such as the list of tables, is not kept: it may be nested without end.
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth < 2; };
    const auto manifest = Json::parse(text, shallow, false);
    if (!manifest.is_object() || !manifest.contains("ruleset") || !manifest["ruleset"].is_string())
        return std::nullopt;
    return parse_ruleset(manifest["ruleset"].get<std::string>(), (folder / "manifest.json").string());
}

/// The ruleset of a folder of tables. Tables that contradict the manifest are judged by what they carry.
std::optional<Ruleset> folder_ruleset(const fs::path& folder) {
    const std::uint64_t fingerprint = folder_fingerprint(folder.string());
    if (auto rules = manifest_ruleset(folder); rules && (!fingerprint || rules->fingerprint() == fingerprint))
        return rules;
    if (!fingerprint) return std::nullopt;
    // Several presets can share one fingerprint; the folder's name tells which of them is meant.
    std::optional<Ruleset> match;
    for (const std::string& name : preset_names()) {
        Ruleset rules = load_ruleset(name);
        if (rules.fingerprint() != fingerprint) continue;
        if (!match || folder.filename() == rules.folder_name()) match = std::move(rules);
    }
    if (!match)
        throw UsageError("the tables in " + folder.string() +
                         " belong to no preset; name the ruleset with --rules");
    return match;
}

Ruleset find_ruleset(const std::vector<std::string>& directories) {
    std::vector<fs::path> folders;
    for (const std::string& directory : directories) {
        std::error_code error;
        if (!fs::is_directory(directory, error))
            throw Error(ErrorCode::io,
                        "cannot read directory " + directory +
                            (error ? ": " + error.message() : std::string(": it is no directory")));
        folders.emplace_back(directory);
        for (const auto& entry : fs::directory_iterator(directory))
            if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    std::optional<Ruleset> found;
    std::string names;
    for (const fs::path& folder : folders) {
        std::optional<Ruleset> rules = folder_ruleset(folder);
        if (!rules) continue;
        if (names.find(rules->name) == std::string::npos) names += " " + rules->name;
        if (found && found->fingerprint() != rules->fingerprint())
            throw UsageError("there are tables of several rulesets (" + names.substr(1) +
                             "): choose one with --rules");
        found = std::move(rules);
    }
    if (!found) throw Error(ErrorCode::missing_table, "there are no tables in " + directories.front());
    return *found;
}

} // namespace

void add_table_options(CommandLine& line) {
    line.options().add_options()("tables,t",
                                 po::value<std::vector<std::string>>()->value_name("DIR")->composing(),
                                 "directory of the tables (default: tables); may be repeated")(
        "cache", po::value<std::string>()->value_name("SIZE")->default_value("256M"),
        "memory for decompressed blocks")("no-map", "read files instead of mapping them");
}

std::unique_ptr<TableSet> open_tables(const CommandLine& line) {
    std::vector<std::string> directories{"tables"};
    if (line.has("tables")) directories = line.get<std::vector<std::string>>("tables");
    Ruleset rules;
    if (line.has("rules")) {
        rules = line.ruleset();
    } else {
        rules = find_ruleset(directories);
        if (line.has("set"))
            for (const std::string& assignment : line.get<std::vector<std::string>>("set"))
                rules.set(assignment);
    }
    TableSetOptions options;
    options.cache_bytes = parse_bytes(line.get<std::string>("cache"));
    options.access = line.has("no-map") ? FileAccess::read : FileAccess::map;
    auto set = std::make_unique<TableSet>(rules, options);
    for (const std::string& directory : directories)
        for (const TableFile& file : set->add_directory(directory).refused)
            std::cerr << "millprobe: refused " << file.path << ": " << file.reason << "\n";
    return set;
}

Json number_json(int n) { return n < 0 ? Json(nullptr) : Json(n); }

Json answer_json(const TableSet& set, const Position& p, const Answer& a) {
    return {{"position", to_text(p)},
            {"ruleset", set.rules().name},
            {"outcome", std::string(to_text(a.outcome))},
            {"dte", number_json(a.dte)},
            {"dtz", number_json(a.dtz)},
            {"counter", p.counter},
            {"ends", reason_json(a.ends)}};
}

std::string verdict(const Position& p, const Answer& a) {
    if (a.ends != Reason::none)
        return "The game is over. " + verdict(result_of(p, {a.ends, a.outcome}), a.ends) + ".";
    if (a.outcome == Outcome::draw) return "Draw.";
    const bool white = (a.outcome == Outcome::win) == (p.side == Color::white);
    std::string text = white ? "White wins" : "Black wins";
    if (a.dte >= 0) text += " in " + std::to_string(a.dte) + (a.dte == 1 ? " ply" : " plies");
    if (a.dtz >= 0) {
        text += a.dte >= 0 ? " (" : ", ";
        text += "zeroing depth " + std::to_string(a.dtz);
        if (a.dte >= 0) text += ")";
    }
    return text + ".";
}

std::string picture(const TableSet& set, const Position& p, const Answer& a) {
    return picture(set.rules(), p) + "subspace " + to_text(subspace_of(p)) + ", ruleset " + set.rules().name +
           "\n\n" + verdict(p, a) + "\n";
}

} // namespace mill::cli
