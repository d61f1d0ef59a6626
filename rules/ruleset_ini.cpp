// INI files of rulesets, and the presets among them.
#include "rules/error.h"
#include "rules/presets.h"
#include "rules/quote.h"
#include "rules/ruleset.h"

#include <algorithm>
#include <fstream>

namespace mill {
namespace {

std::string_view trim(std::string_view s) {
    const auto first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

[[noreturn]] void fail(std::string_view origin, int line, const std::string& what) {
    throw Error(ErrorCode::bad_ruleset, std::string(origin) + ", line " + std::to_string(line) + ": " + what);
}

} // namespace

Ruleset parse_ruleset(std::string_view ini, std::string_view origin) {
    Ruleset rules;
    std::vector<std::string> seen;
    int line_number = 0;
    while (!ini.empty()) {
        const auto end = ini.find('\n');
        const std::string_view line = trim(ini.substr(0, end));
        ini.remove_prefix(end == std::string_view::npos ? ini.size() : end + 1);
        ++line_number;
        if (line.empty() || line[0] == '#' || line[0] == ';') continue;

        const auto equals = line.find('=');
        if (equals == std::string_view::npos) fail(origin, line_number, quote(line) + " is no 'key = value'");
        const std::string key(trim(line.substr(0, equals)));
        if (std::find(seen.begin(), seen.end(), key) != seen.end())
            fail(origin, line_number, quote(key) + " is set twice");
        seen.push_back(key);
        try {
            rules.set(key, trim(line.substr(equals + 1)));
        } catch (const Error& e) {
            fail(origin, line_number, e.what());
        }
    }
    for (const char* needed : {"name", "board", "pieces"})
        if (std::find(seen.begin(), seen.end(), needed) == seen.end())
            throw Error(ErrorCode::bad_ruleset,
                        std::string(origin) + ": the key '" + needed + "' is missing");
    return rules;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.emplace_back(preset.name);
    return names;
}

Ruleset load_ruleset(const std::string& name) {
    if (name.find('/') != std::string::npos || name.ends_with(".ini")) {
        std::ifstream file(name, std::ios::binary);
        // Some wrong path, such as a table or a device, must not fill the memory.
        constexpr std::size_t kLongest = 1 << 16;
        std::string text(kLongest + 1, '\0');
        if (!file || (!file.read(text.data(), kLongest + 1) && !file.eof()))
            throw Error(ErrorCode::io, "cannot read the ruleset file " + quote(name));
        text.resize(static_cast<std::size_t>(file.gcount()));
        if (text.size() > kLongest)
            throw Error(ErrorCode::bad_ruleset, quote(name) + " is no ruleset: it has more than 65536 bytes");
        return parse_ruleset(text, name);
    }
    std::string known;
    for (const Preset& preset : presets()) {
        if (preset.name == name) return parse_ruleset(preset.ini, preset.name);
        known += (known.empty() ? "" : ", ") + std::string(preset.name);
    }
    throw Error(ErrorCode::bad_ruleset,
                "there is no ruleset " + quote(name) + "; presets are " + known + ", or name an INI file");
}

} // namespace mill
