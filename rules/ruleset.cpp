// One table of keys: setting, printing and hashing a ruleset all go through it.
#include "rules/ruleset.h"

#include "rules/error.h"
#include "rules/quote.h"
#include "rules/text.h"

#include <array>
#include <functional>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <xxhash.h>
#pragma GCC diagnostic pop

namespace mill {
namespace {

[[noreturn]] void refuse(std::string_view key, std::string_view value, const std::string& allowed) {
    throw Error(ErrorCode::bad_ruleset,
                std::string(key) + ": " + quote(value) + " is not allowed; expected " + allowed);
}

// Words of the enumerated keys, indexed by the enumerator.
template <std::size_t N> using Words = std::array<std::string_view, N>;
constexpr Words<2> kBoards = {"plain", "diagonal"};
constexpr Words<2> kColors = {"white", "black"};
constexpr Words<2> kMovements = {"after-placing", "anytime"};
constexpr Words<3> kFlyings = {"off", "three-on-board", "three-in-total"};
constexpr Words<3> kMillReturns = {"free", "no-reverse", "no-reform"};
constexpr Words<2> kQuietResets = {"placement+capture", "capture"};
constexpr Words<3> kTooFews = {"in-total", "hand-empty", "after-placing"};
constexpr Words<2> kFullBoards = {"loss", "draw"};

template <typename Enum, std::size_t N>
void read_word(Enum& target, std::string_view key, std::string_view value, const Words<N>& words) {
    std::string allowed;
    for (std::size_t i = 0; i < N; ++i) {
        if (words[i] == value) {
            target = static_cast<Enum>(i);
            return;
        }
        allowed += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(words[i]);
    }
    refuse(key, value, allowed);
}

template <typename Enum, std::size_t N> std::string word(Enum value, const Words<N>& words) {
    return std::string(words[static_cast<std::size_t>(value)]);
}

void read_number(int& target, std::string_view key, std::string_view value, int low, int high) {
    const auto number = parse_number(value);
    if (!number || *number < low || *number > high)
        refuse(key, value, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    target = *number;
}

void read_yes_no(bool& target, std::string_view key, std::string_view value) {
    if (value == "yes" || value == "true") target = true;
    else if (value == "no" || value == "false") target = false;
    else refuse(key, value, "yes or no");
}

// The name becomes part of a folder's name.
void read_name(std::string& target, std::string_view key, std::string_view value) {
    bool good = !value.empty() && value.size() <= 64 && value[0] != '.' && value[0] != '-';
    for (const char c : value)
        good = good && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        c == '-' || c == '_' || c == '.');
    if (!good)
        refuse(key, value, "up to 64 letters, digits, '-', '_' or '.', beginning with neither '-' nor '.'");
    target = value;
}

// Free text for people, but one line of it, without blanks at the ends: it must survive to_ini(), and the JSON
// of a manifest, which an hour of building must not find out.
void read_line(std::string& target, std::string_view key, std::string_view value) {
    bool good = is_utf8(value) && (value.empty() || (value.front() != ' ' && value.back() != ' '));
    for (const char c : value) good = good && static_cast<unsigned char>(c) >= ' ' && c != 0x7f;
    if (!good) refuse(key, value, "one line of text in UTF-8");
    target = value;
}

struct Key {
    std::string_view name;
    bool in_fingerprint; ///< whether values depend on it
    void (*read)(Ruleset&, std::string_view key, std::string_view value);
    std::string (*write)(const Ruleset&);
};

constexpr int kLongestLimit = 250; // fits the counter of a position and one byte in a table

// clang-format off
constexpr Key kKeys[] = {
    {"name", false, [](Ruleset& r, auto k, auto v) { read_name(r.name, k, v); }, [](const Ruleset& r) { return r.name; }},
    {"title", false, [](Ruleset& r, auto k, auto v) { read_line(r.title, k, v); }, [](const Ruleset& r) { return r.title; }},
    {"source", false, [](Ruleset& r, auto k, auto v) { read_line(r.source, k, v); }, [](const Ruleset& r) { return r.source; }},
    {"board", true, [](Ruleset& r, auto k, auto v) { read_word(r.board, k, v, kBoards); },
     [](const Ruleset& r) { return word(r.board, kBoards); }},
    {"pieces", false, [](Ruleset& r, auto k, auto v) { read_number(r.pieces, k, v, 3, 12); },
     [](const Ruleset& r) { return std::to_string(r.pieces); }},
    {"first", false, [](Ruleset& r, auto k, auto v) { read_word(r.first, k, v, kColors); },
     [](const Ruleset& r) { return word(r.first, kColors); }},
    {"movement", true, [](Ruleset& r, auto k, auto v) { read_word(r.movement, k, v, kMovements); },
     [](const Ruleset& r) { return word(r.movement, kMovements); }},
    {"flying", true, [](Ruleset& r, auto k, auto v) { read_word(r.flying, k, v, kFlyings); },
     [](const Ruleset& r) { return word(r.flying, kFlyings); }},
    {"mill_return", true, [](Ruleset& r, auto k, auto v) { read_word(r.mill_return, k, v, kMillReturns); },
     [](const Ruleset& r) { return word(r.mill_return, kMillReturns); }},
    {"quiet_limit", true, [](Ruleset& r, auto k, auto v) { read_number(r.quiet_limit, k, v, 0, kLongestLimit); },
     [](const Ruleset& r) { return std::to_string(r.quiet_limit); }},
    {"quiet_reset", true, [](Ruleset& r, auto k, auto v) { read_word(r.quiet_reset, k, v, kQuietResets); },
     [](const Ruleset& r) { return word(r.quiet_reset, kQuietResets); }},
    {"placement_counts", true, [](Ruleset& r, auto k, auto v) { read_yes_no(r.placement_counts, k, v); },
     [](const Ruleset& r) { return std::string(r.placement_counts ? "yes" : "no"); }},
    {"endgame_limit", true, [](Ruleset& r, auto k, auto v) { read_number(r.endgame_limit, k, v, 0, kLongestLimit); },
     [](const Ruleset& r) { return std::to_string(r.endgame_limit); }},
    {"too_few", true, [](Ruleset& r, auto k, auto v) { read_word(r.too_few, k, v, kTooFews); },
     [](const Ruleset& r) { return word(r.too_few, kTooFews); }},
    {"full_board", true, [](Ruleset& r, auto k, auto v) { read_word(r.full_board, k, v, kFullBoards); },
     [](const Ruleset& r) { return word(r.full_board, kFullBoards); }},
    // A single occurrence cannot make a draw: every game would be one at the start.
    {"repetition", false, [](Ruleset& r, auto k, auto v) {
         if (v == "1") refuse(k, v, "0 or a whole number from 2 to 250");
         read_number(r.repetition, k, v, 0, kLongestLimit); },
     [](const Ruleset& r) { return std::to_string(r.repetition); }},
};
// clang-format on

} // namespace

void Ruleset::set(std::string_view key, std::string_view value) {
    std::string known;
    for (const Key& k : kKeys) {
        if (k.name == key) {
            k.read(*this, key, value);
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(k.name);
    }
    throw Error(ErrorCode::bad_ruleset,
                quote(key) + " (set to " + quote(value) + ") is no key of a ruleset; keys are " + known);
}

void Ruleset::set(std::string_view assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos)
        throw Error(ErrorCode::bad_ruleset,
                    quote(assignment) + " sets nothing; expected key=value, such as pieces=4");
    set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

std::string Ruleset::to_ini() const {
    std::string text;
    for (const Key& k : kKeys) text += std::string(k.name) + " = " + k.write(*this) + "\n";
    return text;
}

std::string Ruleset::canonical_text() const {
    std::string text;
    for (const Key& k : kKeys)
        if (k.in_fingerprint) text += std::string(k.name) + "=" + k.write(*this) + "\n";
    return text;
}

std::uint64_t Ruleset::fingerprint() const {
    const std::string text = canonical_text();
    return XXH3_64bits(text.data(), text.size());
}

std::string Ruleset::folder_name() const { return name + "-" + hex(fingerprint()).substr(0, 8); }

} // namespace mill
