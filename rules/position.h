// Positions and turns: plain values, no history.
#pragma once

#include "rules/board.h"
#include "rules/ruleset.h"

#include <array>
#include <cstdint>

namespace mill {

/// A mill-return restriction: its owner's last turn took a stone out of a complete mill at `from` and
/// completed a mill at `to`. It binds that owner's next turn only.
struct Restriction {
    std::int8_t from = -1; ///< -1: none
    std::int8_t to = -1;
    constexpr bool active() const { return from >= 0; }
    friend constexpr bool operator==(const Restriction&, const Restriction&) = default;
};

/// Index 0 is White, 1 is Black, as in Color.
struct Position {
    std::array<Stones, 2> stones{};
    std::array<std::uint8_t, 2> reserve{};
    std::array<Restriction, 2> restriction{};
    Color side = Color::white;
    std::uint8_t counter = 0; ///< quiet plies since the last reset

    constexpr int us() const { return static_cast<int>(side); }
    constexpr int them() const { return 1 - us(); }
    constexpr Stones occupied() const { return stones[0] | stones[1]; }
    friend constexpr bool operator==(const Position&, const Position&) = default;
};

/// One turn: a placement (from = -1) or movement, with the capture it earns (-1: none).
struct Turn {
    std::int8_t from = -1;
    std::int8_t to = -1;
    std::int8_t capture = -1;
    constexpr bool placement() const { return from < 0; }
    friend constexpr bool operator==(const Turn&, const Turn&) = default;
};

/// Turns of one position; a fixed array, since generation is the hot path of perft and verification.
/// The bound: 24 arrivals from at most 12 stones (or the hand), times up to 12 captures.
class TurnList {
public:
    static constexpr int kCapacity = 2048;
    void push(Turn t) { turns_[size_++] = t; }
    void clear() { size_ = 0; }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Turn* begin() const { return turns_.data(); }
    const Turn* end() const { return turns_.data() + size_; }
    Turn* begin() { return turns_.data(); }
    Turn* end() { return turns_.data() + size_; }
    const Turn& operator[](int i) const { return turns_[i]; }

private:
    std::array<Turn, kCapacity> turns_;
    int size_ = 0;
};

/// Why a game is over.
enum class Reason : std::uint8_t {
    none,
    too_few_stones,
    blocked,
    full_board,
    quiet_limit,
    endgame_limit,
    repetition
};

/// Outcome for the side to move.
enum class Outcome : std::uint8_t { draw = 0, win = 1, loss = 2 };

/// How a position without history ends, if it has ended: reason none = play goes on.
struct Ending {
    Reason reason = Reason::none;
    Outcome outcome = Outcome::draw; ///< for the side to move; meaningless while reason is none
};

/// The initial position of a ruleset.
Position initial_position(const Ruleset& rules);

/// All legal turns. Empty for a side that is blocked or where either side has too few stones. Draw
/// limits play no part. `out` is cleared first.
void generate_turns(const Ruleset& rules, const Position& p, TurnList& out);

/// How many turns generate_turns() would list, counted without listing them: the last ply of perft.
int count_turns(const Ruleset& rules, const Position& p);

/// The position after a legal turn: counter, restrictions (dead ones dropped) and side updated. A
/// counter that reaches its limit is kept at the limit (the referee judges it); without a limit it
/// stays 0. The turn must be legal; this is not checked.
Position apply_turn(const Ruleset& rules, const Position& p, Turn t);

/// Judges too few stones, no legal turn and full board: for the side to move and its opponent, in the
/// order of DESIGN section 2. Neither draw limits nor repetition.
Ending judge(const Ruleset& rules, const Position& p);

/// Draw limit that the position's counter runs against; 0 = none.
int draw_limit(const Ruleset& rules, const Position& p);

/// Whether the turn is quiet in the sense of DESIGN section 3: it neither resets the counter, nor
/// enters the endgame, nor is a placement that does not count.
enum class CounterEffect : std::uint8_t { reset, keep, advance };
CounterEffect counter_effect(const Ruleset& rules, const Position& p, Turn t);

/// Drops restrictions that bind nothing: those of the side to move that forbid no turn; those of
/// either side that are void (no_reverse: the stone on `to` is gone) or cannot exist.
Position drop_dead_restrictions(const Ruleset& rules, const Position& p);

/// Whether t is forbidden to the side to move by its own restriction.
bool forbidden(const Ruleset& rules, const Position& p, Turn t);

/// Throws Error(illegal_position) naming the field and what was expected for states that cannot exist
/// under the ruleset: overlapping stones, too many stones, reserves that cannot occur, a counter at or above its
/// limit or above 0 where every turn resets it, restrictions under `free` or from a point to itself,
/// both sides with too few stones.
void validate(const Ruleset& rules, const Position& p);

} // namespace mill
