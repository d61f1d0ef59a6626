#include "tests/brute/group.h"

#include "tests/brute/restricted_search.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>

namespace mill::brute {
namespace {

constexpr Score kNone = lost_in(0) - 1; ///< no turn of this kind: worse than any

Counts counts_of(const Position& p) {
    const auto us = static_cast<std::size_t>(p.us()), them = static_cast<std::size_t>(p.them());
    return {count(p.stones[us]), count(p.stones[them]), p.reserve[us], p.reserve[them]};
}

std::uint32_t board_of(const Layout& layout, const Position& p) {
    return layout.index(p.stones[static_cast<std::size_t>(p.us())],
                        p.stones[static_cast<std::size_t>(p.them())]);
}

/// A solved subspace that turns lead to without a reset: the child's score depends on the budget.
struct Source {
    const Table* table;
    bool advance; ///< the turn spends a ply of the budget
};
constexpr int kSourceShift = 30; ///< number of the source above the child's board number

struct LoggedChange {
    std::uint32_t entry;
    Change change;
};

/// Numbers of entries of a row, by far the longest lists: two bytes each where that is enough.
class EntryList {
public:
    void set_row_size(std::uint32_t size) { wide_ = size > 0x10000; }
    std::size_t size() const { return wide_ ? long_.size() : short_.size(); }
    void push_back(std::uint32_t entry) {
        if (wide_) long_.push_back(entry);
        else short_.push_back(static_cast<std::uint16_t>(entry));
    }
    void shorten(std::size_t size) {
        if (wide_) long_.resize(size);
        else short_.resize(size);
    }
    void trim() {
        long_.shrink_to_fit();
        short_.shrink_to_fit();
    }
    /// Smallest score among the entries begin to end of the list (not empty).
    std::int16_t least(const std::int16_t* scores, std::size_t begin, std::size_t end) const {
        return wide_ ? least_of(long_, scores, begin, end) : least_of(short_, scores, begin, end);
    }

private:
    template <class List>
    static std::int16_t least_of(const List& list, const std::int16_t* scores, std::size_t begin,
                                 std::size_t end) {
        std::int16_t least = scores[list[begin]];
        for (std::size_t i = begin + 1; i < end; ++i) least = std::min(least, scores[list[i]]);
        return least;
    }
    bool wide_ = false;
    std::vector<std::uint16_t> short_;
    std::vector<std::uint32_t> long_;
};

/// The turns out of one row's boards, in flat lists; a board's part ends at its entry of the `_end` list. The
/// opponent's stones are the same all along the row, and a quiet movement leaves them alone: it is named by the
/// entry that the mover's stones would have in this very row.
struct Row {
    EntryList quiet;
    std::vector<std::uint32_t> quiet_end;
    std::vector<std::uint32_t> later, later_end;                ///< source and board of a solved subspace
    std::vector<std::pair<std::uint32_t, Position>> restricted; ///< entry, and where a quiet transfer leads
    std::vector<LoggedChange> log;
    std::size_t published = 0; ///< how much of the log the mirror has seen
};

struct Member {
    explicit Member(Counts c) : table(std::make_unique<Table>(c)), across(c.opp, c.own) {}

    std::unique_ptr<Table> table;
    std::vector<Row> rows;
    std::vector<Source> sources;
    Layout across;                      ///< the same boards by the set of the side to move
    std::vector<std::int16_t> constant; ///< best of the turns that no budget changes
    std::vector<std::int16_t> score;    ///< at the budget reached
    std::vector<std::int16_t> shown;    ///< by `across`, at one ply less: what quiet movements lead to
    std::vector<std::uint8_t> fresh;    ///< rows of `across` that changed with the last budget
};

/// Keeps the first exception of a parallel loop.
class Failure {
public:
    template <class Fn> void guard(Fn&& fn) {
        if (failed_) return;
        try {
            fn();
        } catch (...) {
#pragma omp critical(brute_failure)
            if (!failed_.exchange(true)) first_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> failed_{false};
    std::exception_ptr first_;
};

class GroupSolver {
public:
    GroupSolver(const Ruleset& rules, const std::vector<Counts>& group, const Tables& solved)
        : rules_(rules), solved_(solved) {
        for (const Counts c : group) members_.emplace_back(c);
    }

    std::vector<std::unique_ptr<Table>> run() {
        for (Member& m : members_) {
            find_sources(m);
            generate(m);
        }
        iterate();
        std::vector<std::unique_ptr<Table>> out;
        for (Member& m : members_) out.push_back(finish(m));
        return out;
    }

private:
    const Table* find(Counts c) const {
        const auto it = solved_.find(c);
        return it == solved_.end() ? nullptr : it->second.get();
    }

    Member* member(Counts c) {
        for (Member& m : members_)
            if (m.table->counts == c) return &m;
        return nullptr;
    }

    const Table& need(Counts c) const {
        const Table* t = find(c);
        if (!t) throw std::logic_error("brute force: a turn leads to a subspace that is not solved yet");
        return *t;
    }

    // --- turns ---------------------------------------------------------------------------------------------

    /// A quiet placement leads to one subspace, a movement to the mirror (which may be solved already).
    void find_sources(Member& m) {
        const Counts c = m.table->counts;
        for (const bool advance : {false, true})
            for (const Counts child :
                 {Counts{c.opp, c.own + 1, c.opp_reserve, c.own_reserve - 1}, c.mirrored()})
                if (const Table* t = find(child)) m.sources.push_back({t, advance});
    }

    std::uint32_t source_number(const Member& m, const Table* t, bool advance) const {
        for (std::size_t i = 0; i < m.sources.size(); ++i)
            if (m.sources[i].table == t && m.sources[i].advance == advance)
                return static_cast<std::uint32_t>(i);
        throw std::logic_error("brute force: a turn without a reset to an unexpected subspace");
    }

    void generate(Member& m) {
        const Layout& layout = m.table->layout;
        m.rows.resize(layout.rows());
        m.constant.assign(layout.boards(), kNone);
        m.score.assign(layout.boards(), kDraw);
        m.shown.assign(layout.boards(), kDraw);
        m.fresh.assign(m.across.rows(), 1);
        Failure failure;
#pragma omp parallel
        {
            TurnList turns;
#pragma omp for schedule(dynamic, 8)
            for (std::uint32_t row = 0; row < layout.rows(); ++row)
                failure.guard([&] { generate_row(m, row, turns); });
        }
        failure.rethrow();
        for (const Row& row : m.rows) {
            if (!row.later.empty()) depends_on_solved_ = true;
            if (!row.restricted.empty()) depends_on_solved_ = true;
        }
        Position p;
        p.stones = {FreePoints(layout.opp_set(0)).unpack(layout.packed(0)), layout.opp_set(0)};
        p.reserve = {static_cast<std::uint8_t>(m.table->counts.own_reserve),
                     static_cast<std::uint8_t>(m.table->counts.opp_reserve)};
        m.table->limit = draw_limit(rules_, p);
    }

    void generate_row(Member& m, std::uint32_t number, TurnList& turns) {
        const Layout& layout = m.table->layout;
        Row& row = m.rows[number];
        Position p;
        p.reserve = {static_cast<std::uint8_t>(m.table->counts.own_reserve),
                     static_cast<std::uint8_t>(m.table->counts.opp_reserve)};
        row.quiet.set_row_size(layout.row_size());
        const FreePoints free(layout.opp_set(number));
        for (std::uint32_t entry = 0; entry < layout.row_size(); ++entry) {
            p.stones = {free.unpack(layout.packed(entry)), layout.opp_set(number)};
            const std::size_t board = std::size_t{number} * layout.row_size() + entry;
            m.constant[board] = static_cast<std::int16_t>(generate_board(m, row, entry, p, free, turns));
            if (turns.empty()) { // over: decided at every budget, also at none
                m.score[board] = m.constant[board];
                if (m.constant[board] != kDraw)
                    row.log.push_back({entry, {0, static_cast<std::int16_t>(m.constant[board])}});
            }
            row.quiet_end.push_back(static_cast<std::uint32_t>(row.quiet.size()));
            row.later_end.push_back(static_cast<std::uint32_t>(row.later.size()));
        }
        row.quiet.trim();
        row.later.shrink_to_fit();
    }

    /// Lists the turns whose scores depend on the budget; returns the best score of all others.
    Score generate_board(Member& m, Row& row, std::uint32_t entry, const Position& p, const FreePoints& free,
                         TurnList& turns) {
        generate_turns(rules_, p, turns);
        if (turns.empty()) return score_of(judge(rules_, p).outcome, 0);
        const std::size_t quiet = row.quiet.size(), later = row.later.size(),
                          restricted = row.restricted.size();
        // Captures often win at once; then the rest need not be played.
        std::partition(turns.begin(), turns.end(), [](Turn t) { return t.capture >= 0; });
        Score best = kNone;
        for (const Turn t : turns) {
            const Position child = apply_turn(rules_, p, t);
            const Ending ending = judge(rules_, child);
            if (ending.reason != Reason::none) best = std::max(best, after_turn(score_of(ending.outcome, 0)));
            else if (const CounterEffect effect = counter_effect(rules_, p, t);
                     effect == CounterEffect::reset)
                best = std::max(best, after_turn(score_after_reset(child)));
            else list_turn(m, row, entry, child, free, effect == CounterEffect::advance);
            if (best == won_in(1)) { // nothing betters that
                row.quiet.shorten(quiet);
                row.later.resize(later);
                row.restricted.resize(restricted);
                break;
            }
        }
        return best;
    }

    static bool is_restricted(const Position& p) {
        return p.restriction[0].active() || p.restriction[1].active();
    }

    Score stored(const Position& p, int budget) const {
        const Table& t = need(counts_of(p));
        const std::uint32_t board = board_of(t.layout, p);
        return budget == 0 ? t.full(board) : t.at_exactly(board, budget);
    }

    Score score_after_reset(const Position& child) const {
        if (!is_restricted(child)) return stored(child, 0);
        return restricted_score(rules_, child, 0,
                                [this](const Position& p, int budget) { return stored(p, budget); });
    }

    void list_turn(Member& m, Row& row, std::uint32_t entry, const Position& child, const FreePoints& free,
                   bool advance) {
        const Counts c = counts_of(child);
        if (is_restricted(child)) {
            if (!advance) throw std::logic_error("brute force: a transfer that keeps the counter");
            row.restricted.emplace_back(entry, child);
        } else if (member(c)) {
            if (!advance) throw std::logic_error("brute force: a movement that keeps the counter");
            const Stones moved = child.stones[static_cast<std::size_t>(child.them())];
            row.quiet.push_back(free.rank(moved));
        } else {
            const Table& t = need(c);
            row.later.push_back(source_number(m, &t, advance) << kSourceShift | board_of(t.layout, child));
        }
    }

    // --- budgets -------------------------------------------------------------------------------------------

    void iterate() {
        const int limit = members_[0].table->limit;
        int settled =
            0; // from here on no solved subspace brings news; a quiet transfer looks a few plies ahead
        if (depends_on_solved_)
            for (const auto& [c, table] : solved_) settled = std::max(settled, table->last_change + 4);
        for (int budget = 1; limit == 0 || budget <= limit; ++budget) {
            bool changed = false;
            for (Member& m : members_) changed |= step(m, budget);
            for (Member& m : members_) publish(m);
            if (!changed && budget > settled) break;
        }
    }

    /// Lets the mirror see the changes. Different rows may write the same cache line, never the same score.
    static void publish(Member& m) {
        const std::uint32_t rows = m.table->layout.rows(), across = m.across.row_size();
        std::fill(m.fresh.begin(), m.fresh.end(), std::uint8_t{0});
#pragma omp parallel for schedule(dynamic, 8)
        for (std::uint32_t number = 0; number < rows; ++number) {
            Row& row = m.rows[number];
            if (row.published == row.log.size()) continue;
            const Stones opp = m.table->layout.opp_set(number);
            const FreePoints free(opp);
            for (; row.published < row.log.size(); ++row.published) {
                const LoggedChange& c = row.log[row.published];
                const std::uint32_t board = m.across.index(opp, free.unpack(m.table->layout.packed(c.entry)));
                m.shown[board] = c.change.score;
                std::atomic_ref(m.fresh[board / across]).store(1, std::memory_order_relaxed);
            }
        }
    }

    /// Scores at this budget from those at one less.
    bool step(Member& m, int budget) {
        Member* const mirror = member(m.table->counts.mirrored());
        const std::int16_t* const children = mirror ? mirror->shown.data() : nullptr;
        const std::uint32_t rows = m.table->layout.rows();
        std::atomic<bool> changed{false};
        Failure failure;
#pragma omp parallel for schedule(dynamic, 8)
        for (std::uint32_t row = 0; row < rows; ++row)
            failure.guard([&] {
                // Turns of a row's boards lead to the mirror's row of the same number. Where that stands still, so do
                // they.
                const Row& r = m.rows[row];
                if (r.later.empty() && r.restricted.empty() && budget > 1 && !(mirror && mirror->fresh[row]))
                    return;
                if (step_row(m, row, budget, children)) changed = true;
            });
        failure.rethrow();
        if (changed) m.table->last_change = budget;
        return changed;
    }

    bool step_row(Member& m, std::uint32_t number, int budget, const std::int16_t* children) {
        Row& row = m.rows[number];
        const std::uint32_t size = m.table->layout.row_size();
        const std::size_t base = std::size_t{number} * size;
        std::size_t quiet = 0, later = 0, restricted = 0;
        bool changed = false;
        for (std::uint32_t entry = 0; entry < size; ++entry) {
            Score best = m.constant[base + entry];
            if (const std::size_t end = row.quiet_end[entry]; quiet < end) {
                // The best turn leads to the child that is worst for the opponent.
                best = std::max(best, after_turn(row.quiet.least(children + base, quiet, end)));
                quiet = end;
            }
            for (; later < row.later_end[entry]; ++later) {
                const Source& s = m.sources[row.later[later] >> kSourceShift];
                const std::uint32_t board = row.later[later] & ((std::uint32_t{1} << kSourceShift) - 1);
                best =
                    std::max(best, after_turn(s.table->at_exactly(board, s.advance ? budget - 1 : budget)));
            }
            for (; restricted < row.restricted.size() && row.restricted[restricted].first == entry;
                 ++restricted)
                best = std::max(best, quiet_transfer(row.restricted[restricted].second, budget - 1));
            changed |= note(m, row, base, entry, budget, best);
        }
        return changed;
    }

    Score quiet_transfer(const Position& child, int budget) const {
        if (budget == 0) return kDraw;
        return after_turn(restricted_score(rules_, child, budget,
                                           [this](const Position& p, int left) { return stored(p, left); }));
    }

    static bool note(Member& m, Row& row, std::size_t base, std::uint32_t entry, int budget, Score best) {
        const Score old = m.score[base + entry];
        if (best == old) return false;
        m.score[base + entry] = static_cast<std::int16_t>(best);
        // A larger budget decides more, and brings the end nearer; the tables rest on that.
        if (old != kDraw && (outcome_of(old) != outcome_of(best) || plies_of(best) > plies_of(old)))
            throw std::logic_error("brute force: a larger budget took a decision back or delayed it");
        row.log.push_back({entry, {static_cast<std::uint16_t>(budget), static_cast<std::int16_t>(best)}});
        return true;
    }

    static std::unique_ptr<Table> finish(Member& m) {
        Table& t = *m.table;
        const std::uint32_t size = t.layout.row_size();
        t.first.assign(std::size_t{t.layout.boards()} + 1, 0);
        for (std::uint32_t r = 0; r < t.layout.rows(); ++r)
            for (const LoggedChange& c : m.rows[r].log) ++t.first[std::size_t{r} * size + c.entry + 1];
        for (std::size_t i = 1; i < t.first.size(); ++i) t.first[i] += t.first[i - 1];
        t.changes.resize(t.first.back());
        std::vector<std::uint32_t> next(size);
        for (std::uint32_t r = 0; r < t.layout.rows(); ++r) {
            const auto begin = t.first.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * size);
            std::copy(begin, begin + size, next.begin());
            for (const LoggedChange& c : m.rows[r].log)
                t.changes[next[c.entry]++] = c.change; // by budget already
        }
        return std::move(m.table);
    }

    const Ruleset& rules_;
    const Tables& solved_;
    std::vector<Member> members_;
    bool depends_on_solved_ = false;
};

} // namespace

std::vector<std::unique_ptr<Table>> solve_group(const Ruleset& rules, const std::vector<Counts>& group,
                                                const Tables& solved) {
    return GroupSolver(rules, group, solved).run();
}

} // namespace mill::brute
