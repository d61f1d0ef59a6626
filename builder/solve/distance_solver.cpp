// All metrics by budget layers: V(., r + 1) from V(., r), looking only at what changed. Dense rows of
// values; every change of a value crosses once. The log of changes after the first is the DTE profile.

#include "builder/machine/memory.h"
#include "builder/machine/parallel.h"
#include "builder/rows/cross.h"
#include "builder/rows/flying.h"
#include "builder/rows/kernels.h"
#include "builder/rows/row_captures.h"
#include "builder/solve/solver_parts.h"
#include "builder/solve/transfers.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

namespace mill::builder {

namespace {

/// A value as one number, larger = better for its owner: losses by distance up, draw, wins by distance
/// down. "No turn" is the smallest number, which is also "lost in 0": the maximum over no turns.
using Key = std::uint16_t;
constexpr Key kDraw = 0x4000, kNone = 0;
/// Among the values of rows: a draw at least, by a turn that no budget changes.
constexpr Key kHeld = kDraw + 1;

constexpr Key key_of(Value v) {
    if (v.outcome == Outcome::draw) return kDraw;
    return static_cast<Key>(v.outcome == Outcome::win ? 0x8000 - v.dte : v.dte);
}
constexpr Value value_of(Key k) {
    if (k == kDraw) return {};
    return k > kDraw ? Value{Outcome::win, static_cast<std::uint16_t>(0x8000 - k)} : Value{Outcome::loss, k};
}
/// Value of a turn from the key of the position it leads to.
constexpr Key turned(Key child) {
    if (child == kDraw) return kDraw;
    return static_cast<Key>(child < kDraw ? 0x8000 - child - 1 : 0x8000 - child + 1);
}
static_assert(turned(key_of({Outcome::loss, 0})) == key_of({Outcome::win, 1}));
static_assert(turned(key_of({Outcome::win, 7})) == key_of({Outcome::loss, 8}));
constexpr Key kWinNow = key_of({Outcome::win, 1}), kLossNow = key_of({Outcome::loss, 1});

/// A solved table with its values at the full budget as keys.
struct Child {
    std::shared_ptr<const MemoryTable> table;
    std::shared_ptr<const HugeArray<Key>> keys;
    explicit operator bool() const { return table != nullptr; }
};

struct Side {
    Side(const Ruleset& rules, Subspace s, int threads)
        : turns(rules, s), index(s), waiters(orbit_table(s.opp)), shape(row_shape(kPoints - s.opp, s.own)),
          cross(s.own, s.opp), messages(threads, cross.shift, cross.partitions),
          value(std::size_t{waiters.count()} * shape.size, Fill::none), constant(value.size()),
          mover_value(index.size(), Fill::none), stride((index.row_size() + 63) / 64),
          changed(std::size_t{index.rows()} * stride), news(index.rows(), 0), dtz(index.size()),
          steps(static_cast<std::size_t>(cross.partitions)) {}

    TurnClasses turns;
    SubspaceIndex index;
    const OrbitTable& waiters;
    const RowShape& shape;
    CrossRows cross;
    Messages<std::uint64_t> messages;
    HugeArray<Key> value, constant;   ///< waiter rows: now, and the best of the turns that no budget changes
    HugeArray<Key> mover_value;       ///< mover rows
    std::uint32_t stride;             ///< words of a row of `changed`
    HugeArray<std::uint64_t> changed; ///< mover rows: entries changed in the last layer
    std::vector<std::uint8_t> news;
    HugeArray<std::uint16_t> dtz;
    std::vector<std::uint16_t> last; ///< only where placements spend budget: last layer that changed an entry
    std::vector<std::vector<ProfileStep>> steps; ///< per partition

    /// Values at all budgets follow from the children's at once, as no movement waits for them.
    bool merges = false;
    Child move_capture, place, place_capture;
    bool layered() const { return turns.places && turns.place_effect != PlacementEffect::constant && place; }
};

struct Scratch {
    RowFrame frame;
    std::vector<CaptureRow> captures;
    std::vector<Key> arrival, child;
    std::vector<std::uint64_t> marked;
    std::vector<std::uint32_t> marked_list, subsets, payloads;
    std::vector<Key> best, second;
    std::vector<std::uint32_t> best_set;
    std::vector<std::pair<int, Key>> events;
    std::vector<int> budgets;
    std::vector<TransferMove> transfers;
};

/// Sets of one shape by rank, shared by all rows.
const std::vector<std::uint32_t>& sets_by_rank(int k, int n) {
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::unique_ptr<std::vector<std::uint32_t>>> built;
    const std::lock_guard lock(mutex);
    auto& slot = built[{k, n}];
    if (!slot) {
        slot = std::make_unique<std::vector<std::uint32_t>>();
        const std::uint32_t size = kBinomial[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
        slot->reserve(size);
        for (std::uint32_t r = 0; r < size; ++r) slot->push_back(unrank(n, r));
    }
    return *slot;
}

/// Spare memory worth keeping when a solve needs room elsewhere: small solves go on reusing theirs.
constexpr std::size_t kSpare = std::size_t{256} << 20;

/// Rank of a set of n stones in its row, with the tables at hand.
class Ranks {
public:
    explicit Ranks(int n) : high_(rank_table(n).high_offset.data()), low_(RankTable::low_rank().data()) {}
    std::uint32_t operator()(std::uint32_t set) const { return high_[set >> 12] + low_[set & 4095]; }

private:
    const std::uint32_t* high_;
    const std::uint16_t* low_;
};

class DistanceSolver {
public:
    DistanceSolver(const Ruleset& rules, const std::vector<Subspace>& group, const TableSource& source,
                   const SolveOptions& options)
        : rules_(rules), options_(options), kernels_(best_kernels()),
          transfers_(rules, group[0], source, true) {
        for (const Subspace g : group) {
            auto side = std::make_unique<Side>(rules, g, options.threads);
            load(*side, source);
            side->merges = side->layered() && group.size() == 1 && !side->turns.moves;
            if (side->merges) side->last.assign(side->index.size(), 0);
            sides_.push_back(std::move(side));
        }
        scratch_.resize(static_cast<std::size_t>(options.threads));
    }

    std::vector<MemoryTable> run() {
        int deepest_child = 0;
        for (auto& side : sides_) {
            fill(side->value, kDraw);
            fill(side->mover_value, kDraw);
            if (side->layered()) deepest_child = std::max(deepest_child, last_event(*side->place.table));
        }
        for (auto& side : sides_) {
            visit(*side, [&](std::uint32_t row, int thread) { start(*side, row, scratch(thread), thread); });
            apply(*side, 0);
        }
        const int limit = sides_[0]->turns.limit;
        for (int layer = 1;; ++layer) {
            if (layer >= 0xFFFF) throw Error(ErrorCode::internal, "more budget layers than a DTZ can hold");
            for (std::size_t i = 0; i < sides_.size(); ++i) {
                Side& side = *sides_[i];
                Side& mirror = *sides_[sides_.size() - 1 - i];
                const bool every =
                    layer == 1 || (side.layered() && !side.merges && layer <= deepest_child + 1);
                if (!every && !side.turns.moves) continue;
                visit(side, [&](std::uint32_t row, int thread) {
                    if (!every && !mirror.news[row]) return;
                    visit_row(side, mirror, row, layer, scratch(thread), thread);
                });
            }
            if (layer == 1) release_children();
            bool changed = false;
            for (auto& side : sides_) changed |= apply(*side, layer);
            if (layer == 1)
                release_spare_memory(kSpare); // no later layer has as many messages; profiles need room
            if (options_.progress) options_.progress(layer, decided_);
            if (layer == limit) break;
            if (!changed && layer > deepest_child) break;
        }
        std::vector<MemoryTable> out;
        for (auto& side : sides_) out.push_back(finish(*side));
        return out;
    }

private:
    Scratch& scratch(int thread) { return scratch_[static_cast<std::size_t>(thread)]; }

    template <class Fn> void visit(Side& side, Fn&& fn) {
        parallel_rows(side.waiters.count(), options_.threads, options_.stop, fn);
    }

    void fill(HugeArray<Key>& a, Key v) {
        const std::uint32_t chunks = static_cast<std::uint32_t>(a.size() / 65536 + 1);
        parallel_rows(chunks, options_.threads, nullptr, [&](std::uint32_t c, int) {
            const std::size_t begin = std::size_t{c} * 65536, end = std::min(a.size(), begin + 65536);
            std::fill(a.data() + begin, a.data() + end, v);
        });
    }

    void load(Side& side, const TableSource& source) {
        auto get = [&](const TurnClass& c) {
            if (c.kind != TurnClass::Kind::table) return Child{};
            Child& child = children_[c.child];
            if (!child) {
                child.table = source(c.child);
                const MemoryTable& t = *child.table;
                auto keys = std::make_shared<HugeArray<Key>>(t.index.size(), Fill::none);
                const std::uint32_t chunks = static_cast<std::uint32_t>(keys->size() / 65536 + 1);
                parallel_rows(chunks, options_.threads, nullptr, [&](std::uint32_t n, int) {
                    const std::size_t begin = std::size_t{n} * 65536,
                                      end = std::min(keys->size(), begin + 65536);
                    for (std::size_t i = begin; i < end; ++i) (*keys)[i] = key_of({t.outcome(i), t.dte[i]});
                });
                child.keys = std::move(keys);
            }
            return child;
        };
        side.move_capture = get(side.turns.move_capture);
        side.place = get(side.turns.place);
        side.place_capture = get(side.turns.place_capture);
    }

    /// Constant turns are known: only placements that spend budget look at their children again.
    void release_children() {
        for (auto& side : sides_) {
            side->move_capture = side->place_capture = {};
            side->place.keys.reset();
            if (!side->layered()) side->place = {};
        }
        children_.clear();
    }

    static int last_event(const MemoryTable& t) {
        int last = t.dtz.empty() ? 0 : *std::max_element(t.dtz.begin(), t.dtz.end());
        for (const ProfileStep& s : t.steps) last = std::max<int>(last, s.budget);
        return last;
    }

    // --- layer 0 ---------------------------------------------------------------------------------------

    void start(Side& side, std::uint32_t row, Scratch& s, int thread) {
        if (side.turns.places || side.turns.flies) return; // never without a turn
        make_frame(rules_.geo(), side.waiters.representative(row), s.frame);
        const auto& sets = sets_by_rank(side.shape.k, side.shape.n);
        Key* const value = side.value.data() + std::size_t{row} * side.shape.size;
        Key* const constant = side.constant.data() + std::size_t{row} * side.shape.size;
        s.subsets.clear();
        for (std::uint32_t r = 0; r < side.shape.size; ++r) {
            std::uint32_t reach = 0;
            for (std::uint32_t rest = sets[r]; rest; rest &= rest - 1)
                reach |= s.frame.neighbours[std::countr_zero(rest)];
            if (reach & ~sets[r]) continue;
            if (side.turns.full_board_draw) {
                constant[r] = kDraw;
                continue;
            }
            value[r] = kNone;
            s.subsets.push_back(sets[r]);
        }
        s.payloads.assign(s.subsets.size(), kNone);
        send(side, s, thread);
    }

    void send(Side& side, Scratch& s, int thread) {
        kernels_.emit_values(s.frame, s.subsets.data(), s.payloads.data(), s.subsets.size(),
                             side.cross.target, side.messages.sink(thread));
    }

    // --- turns that no budget changes ------------------------------------------------------------------

    /// s.arrival[rank] := best capture of every set of n stones with a mill (kNone elsewhere).
    void capture_keys(const Side& side, std::uint32_t row, int n, const TurnClass& turn, const Child& child,
                      Scratch& s) {
        const int k = side.shape.k;
        const auto& sets = sets_by_rank(k, n);
        s.arrival.assign(sets.size(), kNone);
        if (turn.kind == TurnClass::Kind::none) return;
        if (turn.kind == TurnClass::Kind::table)
            make_capture_rows(rules_.geo(), side.waiters.representative(row), *child.table, s.captures);
        for (std::uint32_t r = 0; r < sets.size(); ++r) {
            if (!milled_local(s.frame, sets[r])) continue;
            Key best = kNone;
            if (turn.kind == TurnClass::Kind::wins) best = kWinNow;
            if (turn.kind == TurnClass::Kind::loses) best = kLossNow;
            if (turn.kind == TurnClass::Kind::table)
                for (const CaptureRow& c : s.captures)
                    best = std::max(best, turned((*child.keys)[capture_index(c, sets[r])]));
            s.arrival[r] = best;
        }
    }

    /// Stones of a local set that stand in mills.
    static std::uint32_t milled_local(const RowFrame& f, std::uint32_t set) {
        std::uint32_t in = 0;
        for (int l = 0; l < f.line_count; ++l) in |= (set & f.lines[l]) == f.lines[l] ? f.lines[l] : 0;
        return in;
    }

    void constant_turns(Side& side, std::uint32_t row, Scratch& s) {
        const TurnClasses& t = side.turns;
        Key* const constant = side.constant.data() + std::size_t{row} * side.shape.size;
        if (t.moves && t.move_capture.kind != TurnClass::Kind::none) {
            const auto& sets = sets_by_rank(side.shape.k, side.shape.n);
            capture_keys(side, row, side.shape.n, t.move_capture, side.move_capture, s);
            const Ranks rank(side.shape.n);
            for (std::uint32_t r = 0; r < sets.size(); ++r) {
                if (s.arrival[r] == kNone) continue;
                for (std::uint32_t rest = milled_local(s.frame, sets[r]); rest; rest &= rest - 1) {
                    const int j = std::countr_zero(rest);
                    const std::uint32_t without = sets[r] & ~(std::uint32_t{1} << j);
                    const std::uint32_t all = (std::uint32_t{1} << s.frame.k) - 1;
                    for (std::uint32_t from = (t.flies ? all : s.frame.neighbours[j]) & ~sets[r]; from;
                         from &= from - 1) {
                        const int i = std::countr_zero(from);
                        if (t.transfers && leaves_mill(s.frame, without, i)) continue;
                        Key& c = constant[rank(without | std::uint32_t{1} << i)];
                        c = std::max(c, s.arrival[r]);
                    }
                }
            }
            if (t.transfers) correct_transfers(side, row, s);
        }
        if (t.places) constant_placements(side, row, constant, s);
    }

    static bool leaves_mill(const RowFrame& f, std::uint32_t others, int from) {
        for (int i = 0; i < f.partner_count[from]; ++i)
            if ((others & f.partners[from][i]) == f.partners[from][i]) return true;
        return false;
    }

    void correct_transfers(Side& side, std::uint32_t row, Scratch& s) {
        Key* const constant = side.constant.data() + std::size_t{row} * side.shape.size;
        if (s.transfers.empty()) s.transfers.resize(1024);
        std::size_t n =
            kernels_.list_transfers(s.frame, side.shape, nullptr, s.transfers.data(), s.transfers.size());
        if (n > s.transfers.size()) {
            s.transfers.resize(n);
            n = kernels_.list_transfers(s.frame, side.shape, nullptr, s.transfers.data(), s.transfers.size());
        }
        const Ranks rank(side.shape.n);
        const Stones points = s.frame.free_set, opp = side.waiters.representative(row);
        for (std::size_t i = 0; i < n; ++i) {
            const TransferMove& m = s.transfers[i];
            const std::uint32_t from = m.arrival ^ (1U << m.from) ^ (1U << m.to);
            Key& c = constant[rank(from)];
            if (s.arrival[rank(m.arrival)] <= c) continue; // without the restriction no better either
            c = std::max(c, key_of(transfers_.best(side.turns.subspace, deposit(from, points), opp,
                                                   std::countr_zero(deposit(1U << m.from, points)),
                                                   std::countr_zero(deposit(1U << m.to, points)), 0)));
        }
    }

    void constant_placements(Side& side, std::uint32_t row, Key* constant, Scratch& s) {
        const TurnClasses& t = side.turns;
        const int n = side.shape.n + 1;
        const auto& sets = sets_by_rank(side.shape.k, n);
        capture_keys(side, row, n, t.place_capture, side.place_capture, s);
        const Ranks rank(side.shape.n);
        const bool table =
            t.place.kind == TurnClass::Kind::table && t.place_effect == PlacementEffect::constant;
        const Key* const child =
            table ? side.place.keys->data() + std::uint64_t{row} * side.place.table->index.row_size()
                  : nullptr;
        const Key fixed = t.place.kind == TurnClass::Kind::wins    ? kWinNow
                          : t.place.kind == TurnClass::Kind::loses ? kLossNow
                                                                   : kNone;
        for (std::uint32_t r = 0; r < sets.size(); ++r) {
            const Key quiet = child ? turned(child[r]) : fixed;
            const Key capture = s.arrival[r];
            const std::uint32_t mills = capture != kNone ? milled_local(s.frame, sets[r]) : 0;
            for (std::uint32_t rest = sets[r]; rest; rest &= rest - 1) {
                const std::uint32_t one = rest & (~rest + 1);
                Key& c = constant[rank(sets[r] & ~one)];
                c = std::max(c, mills & one ? capture : quiet);
            }
        }
    }

    // --- the layers --------------------------------------------------------------------------------------

    void visit_row(Side& side, Side& mirror, std::uint32_t row, int layer, Scratch& s, int thread) {
        make_frame(rules_.geo(), side.waiters.representative(row), s.frame);
        if (layer == 1) constant_turns(side, row, s);
        s.subsets.clear();
        s.payloads.clear();
        if (side.turns.flies) visit_flying(side, mirror, row, layer, s);
        else if (side.layered() && !side.merges) visit_every_entry(side, mirror, row, layer, s);
        else if (!side.turns.moves) only_placing(side, row, s);
        else visit_changes(side, mirror, row, layer, s);
        send(side, s, thread);
        if (side.turns.moves && mirror.news[row]) {
            mirror.news[row] = 0;
            std::fill_n(mirror.changed.data() + std::size_t{row} * mirror.stride, mirror.stride,
                        std::uint64_t{0});
        }
    }

    void record(Key& value, Key now, std::uint32_t set, Scratch& s) {
        if (value == now) return;
        value = now;
        s.subsets.push_back(set);
        s.payloads.push_back(now);
    }

    /// No movement: the value at every budget follows from the children's at once.
    void only_placing(Side& side, std::uint32_t row, Scratch& s) {
        const std::size_t at = std::size_t{row} * side.shape.size;
        const auto& sets = sets_by_rank(side.shape.k, side.shape.n);
        for (std::uint32_t r = 0; r < side.shape.size; ++r) {
            const Key constant = side.constant[at + r];
            if (!side.merges) {
                record(side.value[at + r], constant, sets[r], s);
                continue;
            }
            merge_placements(side, row, sets[r], constant, s);
        }
    }

    /// Key of a child position at budget r (0 or more; only "no turn" is decided at 0).
    static Key child_key(const MemoryTable& t, std::uint64_t i, int r) {
        const Outcome o = t.outcome(i);
        if (o == Outcome::draw || t.dtz[i] > r) return kDraw;
        return key_of(r == 0 ? Value{o, 0} : t.at(i, r));
    }

    /// Calls fn(index) for the children of quiet placements out of a set.
    template <class Fn>
    void each_placement(const Side& side, std::uint32_t row, std::uint32_t set, const Scratch& s, Fn&& fn) {
        const bool mills = side.turns.place_capture.kind != TurnClass::Kind::none;
        const Ranks rank(side.shape.n + 1);
        const std::uint64_t base = std::uint64_t{row} * side.place.table->index.row_size();
        for (std::uint32_t rest = ~set & ((std::uint32_t{1} << side.shape.k) - 1); rest; rest &= rest - 1) {
            const int j = std::countr_zero(rest);
            if (mills && leaves_mill(s.frame, set, j)) continue;
            fn(base + rank(set | std::uint32_t{1} << j));
        }
    }

    void merge_placements(Side& side, std::uint32_t row, std::uint32_t set, Key constant, Scratch& s) {
        const MemoryTable& child = *side.place.table;
        const int cost = side.turns.place_effect == PlacementEffect::advance ? 1 : 0;
        const int limit = side.turns.limit;
        s.budgets.assign(1, 1);
        each_placement(side, row, set, s, [&](std::uint64_t i) {
            if (child.outcome(i) == Outcome::draw) return;
            s.budgets.push_back(std::max(1, child.dtz[i] + cost));
            auto it = std::lower_bound(child.steps.begin(), child.steps.end(),
                                       ProfileStep{static_cast<std::uint32_t>(i), 0, 0});
            for (; it != child.steps.end() && it->entry == i; ++it) s.budgets.push_back(it->budget + cost);
        });
        std::sort(s.budgets.begin(), s.budgets.end());
        s.budgets.erase(std::unique(s.budgets.begin(), s.budgets.end()), s.budgets.end());
        Key before = kDraw;
        for (const int r : s.budgets) {
            if (limit && r > limit) break;
            Key best = constant;
            each_placement(side, row, set, s, [&](std::uint64_t i) {
                best = std::max(best, turned(child_key(child, i, r - cost)));
            });
            if (best == before) continue;
            before = best;
            s.subsets.push_back(set);
            s.payloads.push_back(best | static_cast<std::uint32_t>(r) << 16);
        }
    }

    /// Movements, and placements that spend budget: every entry anew. (No preset has this.)
    void visit_every_entry(Side& side, Side& mirror, std::uint32_t row, int layer, Scratch& s) {
        const std::size_t at = std::size_t{row} * side.shape.size;
        const auto& sets = sets_by_rank(side.shape.k, side.shape.n);
        const Ranks rank(side.shape.n);
        for (std::uint32_t r = 0; r < side.shape.size; ++r) {
            Key best = std::max(side.constant[at + r], placements_now(side, row, sets[r], layer, s));
            each_move(side.turns.captures, s.frame, sets[r], rank, [&](std::uint32_t to) {
                best = std::max(best, turned(mirror.mover_value[at + to]));
                return true;
            });
            record(side.value[at + r], best, sets[r], s);
        }
    }

    Key placements_now(const Side& side, std::uint32_t row, std::uint32_t set, int layer, Scratch& s) {
        Key best = kNone;
        const int budget = side.turns.place_effect == PlacementEffect::advance ? layer - 1 : layer;
        each_placement(side, row, set, s, [&](std::uint64_t i) {
            best = std::max(best, turned(child_key(*side.place.table, i, budget)));
        });
        return best;
    }

    /// Calls fn(rank of the set reached) for quiet movements out of a set, until it returns false.
    template <class Fn>
    static void each_move(bool mills, const RowFrame& f, std::uint32_t set, const Ranks& rank, Fn&& fn) {
        for (std::uint32_t stones = set; stones; stones &= stones - 1) {
            const std::uint32_t one = stones & (~stones + 1);
            const std::uint32_t without = set & ~one;
            for (std::uint32_t to = f.neighbours[std::countr_zero(stones)] & ~set; to; to &= to - 1) {
                const int j = std::countr_zero(to);
                if (mills && leaves_mill(f, without, j)) continue;
                if (!fn(rank(without | std::uint32_t{1} << j))) return;
            }
        }
    }

    void visit_changes(Side& side, Side& mirror, std::uint32_t row, int layer, Scratch& s) {
        const std::uint32_t size = side.shape.size;
        const std::size_t at = std::size_t{row} * size;
        const auto& sets = sets_by_rank(side.shape.k, side.shape.n);
        const Ranks rank(side.shape.n);
        Key* const value = side.value.data() + at;
        const Key* const child = mirror.mover_value.data() + at;
        const bool mills = side.turns.captures;
        // 1: looked at again. 2: changed. Both are short lists in all but the first layers.
        s.marked.assign(size / 32 + 1, 0);
        s.marked_list.clear();
        auto mark = [&](std::uint32_t r, std::uint64_t what) {
            std::uint64_t& word = s.marked[r >> 5];
            const std::uint64_t old = word >> (2 * (r & 31)) & 3;
            if (old == 0) s.marked_list.push_back(r);
            word |= what << (2 * (r & 31));
        };
        if (layer == 1)
            for (std::uint32_t r = 0; r < size; ++r) {
                const Key c = side.constant[at + r];
                if (c > kDraw) {
                    value[r] = c;
                    mark(r, 2);
                } else if (c == kDraw) value[r] = kHeld;
                else if (value[r] == kDraw) mark(r, 1);
            }
        if (mirror.news[row]) {
            const std::uint64_t* changed = mirror.changed.data() + std::size_t{row} * mirror.stride;
            for (std::uint32_t w = 0; w < mirror.stride; ++w)
                for (std::uint64_t rest = changed[w]; rest; rest &= rest - 1) {
                    const std::uint32_t r = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
                    const Key gain = turned(child[r]);
                    const std::uint32_t set = sets[r];
                    const std::uint32_t quiet = mills ? set & ~milled_local(s.frame, set) : set;
                    const auto each_source = [&](auto&& fn) {
                        for (std::uint32_t stones = quiet; stones; stones &= stones - 1) {
                            const std::uint32_t one = stones & (~stones + 1);
                            const std::uint32_t without = set ^ one;
                            for (std::uint32_t from = s.frame.neighbours[std::countr_zero(stones)] & ~set;
                                 from; from &= from - 1)
                                fn(rank(without | (from & (~from + 1))));
                        }
                    };
                    if (gain > kDraw)
                        each_source([&](std::uint32_t p) {
                            if (gain <= value[p]) return;
                            value[p] = gain;
                            mark(p, 2);
                        });
                    else
                        each_source([&](std::uint32_t p) {
                            if (value[p] <= kDraw) mark(p, 1);
                        });
                }
        }
        for (const std::uint32_t r : s.marked_list) {
            const bool changed = s.marked[r >> 5] >> (2 * (r & 31)) & 2;
            if (!changed && value[r] > kDraw) continue;
            if (!changed) {
                // Losses only shrink, so a turn that is still worth the old value ends the search; so does a
                // draw for those that are not decided (a winning turn would have been news).
                Key best = side.constant[at + r];
                const Key before = value[r];
                if (best < before)
                    each_move(mills, s.frame, sets[r], rank, [&](std::uint32_t to) {
                        best = std::max(best, turned(child[to]));
                        return best < before;
                    });
                if (best >= before) continue;
                record(value[r], best, sets[r], s);
                continue;
            }
            s.subsets.push_back(sets[r]);
            s.payloads.push_back(value[r]);
        }
    }

    /// Flying: best and second best over the sets that share all stones but one.
    void visit_flying(Side& side, Side& mirror, std::uint32_t row, int layer, Scratch& s) {
        const FlyingShape& shape = flying_shape(side.shape.k, side.shape.n);
        const auto n = static_cast<std::uint32_t>(shape.n);
        const std::size_t at = std::size_t{row} * side.shape.size;
        const Key* const child = mirror.mover_value.data() + at;
        s.best.assign(shape.kept_count, kNone);
        s.second.assign(shape.kept_count, kNone);
        s.best_set.assign(shape.kept_count, ~std::uint32_t{0});
        for (std::uint32_t r = 0; r < side.shape.size; ++r) {
            if (n == 3 && side.turns.captures && milled_local(s.frame, shape.sets[r])) continue;
            const Key k = turned(child[r]);
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint16_t kept = shape.kept[r * n + i];
                if (k > s.best[kept]) {
                    s.second[kept] = s.best[kept];
                    s.best[kept] = k;
                    s.best_set[kept] = r;
                } else s.second[kept] = std::max(s.second[kept], k);
            }
        }
        const bool layered = side.layered();
        for (std::uint32_t r = 0; r < side.shape.size; ++r) {
            Key best = side.constant[at + r];
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint16_t kept = shape.kept[r * n + i];
                best = std::max(best, s.best_set[kept] == r ? s.second[kept] : s.best[kept]);
            }
            if (layered) best = std::max(best, placements_now(side, row, shape.sets[r], layer, s));
            record(side.value[at + r], best, shape.sets[r], s);
        }
    }

    // --- crossing ------------------------------------------------------------------------------------------

    bool apply(Side& side, int layer) {
        if (side.messages.empty()) return false;
        std::atomic<std::uint64_t> fresh{0};
        const int k = side.cross.target.k;
        const std::uint32_t mask = (std::uint32_t{1} << k) - 1;
        const std::uint32_t row_size = side.index.row_size();
        const Ranks rank_of(side.turns.subspace.opp);
        const bool profile = side.turns.limit > 0;
        parallel_rows(static_cast<std::uint32_t>(side.cross.partitions), options_.threads, nullptr,
                      [&](std::uint32_t p, int) {
                          auto& steps = side.steps[p];
                          std::uint64_t n = 0;
                          side.messages.each(static_cast<int>(p), [&](const std::uint64_t* begin,
                                                                      const std::uint64_t* end) {
                              for (const std::uint64_t* m = begin; m != end; ++m) {
                                  const auto key = static_cast<std::uint32_t>(*m);
                                  const std::uint32_t row = key >> k, rank = rank_of(key & mask);
                                  const std::uint64_t i = std::uint64_t{row} * row_size + rank;
                                  const auto now = static_cast<Key>(*m >> 32);
                                  int at = static_cast<int>(*m >> 48); // only from merged placements
                                  if (at == 0) at = layer;
                                  else if (at <= side.last[i])
                                      continue; // an equivalent entry said so already
                                  Key& value = side.mover_value[i];
                                  if (value == now) continue;
                                  if (value == kDraw) {
                                      side.dtz[i] = static_cast<std::uint16_t>(at);
                                      ++n;
                                  } else if (profile) {
                                      // Gigabytes in all: doubling would waste too many.
                                      if (steps.size() == steps.capacity())
                                          steps.reserve(steps.size() + steps.size() / 4 + 256);
                                      steps.push_back({static_cast<std::uint32_t>(i),
                                                       static_cast<std::uint16_t>(at), value_of(value).dte});
                                  }
                                  value = now;
                                  if (!side.last.empty()) side.last[i] = static_cast<std::uint16_t>(at);
                                  side.changed[std::size_t{row} * side.stride + (rank >> 6)] |=
                                      std::uint64_t{1} << (rank & 63);
                                  side.news[row] = 1;
                              }
                          });
                          fresh += n;
                      });
        side.messages.clear();
        decided_ += fresh;
        return true;
    }

    MemoryTable finish(Side& side) {
        MemoryTable t(side.turns.subspace);
        side.value = {};
        side.constant = {};
        release_spare_memory(kSpare); // for the profiles, which are there twice for a moment
        t.wdl = HugeArray<std::uint8_t>(t.index.size() / 4 + 9);
        t.dte = std::move(side.mover_value); // keys become distances in place
        const std::uint32_t chunks = static_cast<std::uint32_t>(t.index.size() / 65536 + 1);
        parallel_rows(chunks, options_.threads, nullptr, [&](std::uint32_t c, int) {
            const std::uint64_t begin = std::uint64_t{c} * 65536,
                                end = std::min(t.index.size(), begin + 65536);
            for (std::uint64_t i = begin; i < end; ++i) {
                const Value v = value_of(t.dte[i]);
                t.dte[i] = v.dte;
                t.wdl[i >> 2] = static_cast<std::uint8_t>(t.wdl[i >> 2] | static_cast<unsigned>(v.outcome)
                                                                              << (2 * (i & 3)));
            }
        });
        t.dtz = std::move(side.dtz);
        // Partitions are ranges of rows in order.
        std::size_t all = 0;
        for (const auto& part : side.steps) all += part.size();
        t.steps.resize(all);
        std::vector<std::size_t> begins;
        for (std::size_t at = 0; const auto& part : side.steps) {
            begins.push_back(at);
            at += part.size();
        }
        parallel_rows(static_cast<std::uint32_t>(side.steps.size()), options_.threads, nullptr,
                      [&](std::uint32_t p, int) {
                          auto& part = side.steps[p];
                          std::sort(part.begin(), part.end());
                          std::copy(part.begin(), part.end(),
                                    t.steps.begin() + static_cast<std::ptrdiff_t>(begins[p]));
                          part = std::vector<ProfileStep>(); // `= {}` would keep its memory
                      });
        if (rules_.mill_return != MillReturn::free) t.mark_steps();
        return t;
    }

    const Ruleset& rules_;
    const SolveOptions& options_;
    const Kernels& kernels_;
    TransferEvaluator transfers_;
    std::map<Subspace, Child> children_;
    std::vector<std::unique_ptr<Side>> sides_;
    std::vector<Scratch> scratch_;
    std::uint64_t decided_ = 0;
};

} // namespace

std::vector<MemoryTable> solve_distances(const Ruleset& rules, const std::vector<Subspace>& group,
                                         const TableSource& source, const SolveOptions& options) {
    return DistanceSolver(rules, group, source, options).run();
}

} // namespace mill::builder
