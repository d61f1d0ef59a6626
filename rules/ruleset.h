// Rulesets: the rules of one game as data. Parsed from the INI files in data/rulesets, changed key by
// key with set(), printed back by to_ini().
#pragma once

#include "rules/board.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mill {

enum class Color : std::uint8_t { white = 0, black = 1 };
constexpr Color other(Color c) { return c == Color::white ? Color::black : Color::white; }

enum class Movement : std::uint8_t { after_placing, anytime };
enum class Flying : std::uint8_t { off, three_on_board, three_in_total };
enum class MillReturn : std::uint8_t { free, no_reverse, no_reform };
enum class QuietReset : std::uint8_t { placement_and_capture, capture };
enum class TooFew : std::uint8_t { in_total, hand_empty, after_placing };
enum class FullBoard : std::uint8_t { loss, draw };

/// The keys of DESIGN section 2. Plain data, freely copied.
struct Ruleset {
    std::string name;   ///< preset name, part of the table folder's name
    std::string title;  ///< for people
    std::string source; ///< where the rules come from, for people
    Board board = Board::plain;
    int pieces = 9; ///< per player, 3 to 12
    Color first = Color::white;
    Movement movement = Movement::after_placing;
    Flying flying = Flying::three_on_board;
    MillReturn mill_return = MillReturn::free;
    int quiet_limit = 0; ///< plies, 0 to 250; 0 = none
    QuietReset quiet_reset = QuietReset::placement_and_capture;
    bool placement_counts = true;
    int endgame_limit = 0; ///< plies, 0 to 250; 0 = none
    TooFew too_few = TooFew::in_total;
    FullBoard full_board = FullBoard::loss;
    int repetition = 3; ///< occurrences that make a draw; 0 = none

    /// Sets one key from text. Throws Error(bad_ruleset) naming key, value and what is allowed.
    void set(std::string_view key, std::string_view value);
    /// The same for "key=value", as given to --set.
    void set(std::string_view assignment);

    /// All keys as an INI text that parse() reads back to an equal ruleset.
    std::string to_ini() const;
    /// The keys that values depend on, one "key=value" a line in a fixed order: all but title, source,
    /// name, first, repetition and pieces.
    std::string canonical_text() const;
    /// XXH3-64 of canonical_text(): the identity of a table set.
    std::uint64_t fingerprint() const;
    /// Name of the table folder: preset name, '-', first eight hex digits of the fingerprint.
    std::string folder_name() const;

    const Geometry& geo() const { return geometry(board); }

    // What follows from the keys for one side or subspace. `own` are stones on the board.
    bool may_move(int own_reserve, int opp_reserve) const {
        return movement == Movement::anytime || (own_reserve == 0 && opp_reserve == 0);
    }
    bool flies(int own, int own_reserve) const {
        if (flying == Flying::three_on_board) return own == 3 && own_reserve == 0;
        if (flying == Flying::three_in_total) return own + own_reserve == 3;
        return false;
    }
    /// Whether a side with these stones and reserves has lost for want of stones.
    bool has_too_few(int own, int own_reserve, int opp_reserve) const {
        if (own + own_reserve >= 3) return false;
        if (too_few == TooFew::in_total) return true;
        if (too_few == TooFew::hand_empty) return own_reserve == 0;
        return own_reserve == 0 && opp_reserve == 0;
    }
    /// Whether endgame_limit applies (both reserves empty, either side with exactly three stones).
    bool in_endgame(int a, int b, int reserve_a, int reserve_b) const {
        return endgame_limit > 0 && reserve_a == 0 && reserve_b == 0 && (a == 3 || b == 3);
    }
    /// Draw limit L of the subspace, in plies; 0 = none.
    int limit(int a, int b, int reserve_a, int reserve_b) const {
        return in_endgame(a, b, reserve_a, reserve_b) ? endgame_limit : quiet_limit;
    }

    friend bool operator==(const Ruleset&, const Ruleset&) = default;
};

/// Parses an INI text; `origin` names it in messages. Keys that are absent keep their defaults, except
/// that `name`, `board` and `pieces` must be there. Throws Error(bad_ruleset).
Ruleset parse_ruleset(std::string_view ini, std::string_view origin);

/// Names of the presets, in the order of the design's table. Presets are compiled in from
/// data/rulesets, so that an installed program finds them without a source tree.
std::vector<std::string> preset_names();

/// A preset by name, or the INI file at that path when `name` contains '/' or ends in ".ini".
/// Throws Error(bad_ruleset) listing the presets if there is none, Error(io) if a file cannot be read.
Ruleset load_ruleset(const std::string& name);

} // namespace mill
