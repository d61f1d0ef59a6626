// Outcomes and DTZ by budget layers over bitset rows (DESIGN section 5). One visit of a row per layer
// with news; every decided position crosses to the other layout once.

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
#include <memory>

namespace mill::builder {

namespace {

using Words = HugeArray<std::uint64_t>;
enum RowNews : std::uint8_t { kWinNews = 1, kLossNews = 2 };

/// One subspace of the group.
struct Side {
    Side(const Ruleset& rules, Subspace s, int threads)
        : turns(rules, s), index(s), waiters(orbit_table(s.opp)), shape(row_shape(kPoints - s.opp, s.own)),
          dense(turns.flies), cross(s.own, s.opp), wins(threads, cross.shift, cross.partitions),
          losses(threads, cross.shift, cross.partitions) {
        stride = dense ? flying_shape(shape.k, shape.n).words() : shape.stored_words();
    }

    TurnClasses turns;
    SubspaceIndex index;
    const OrbitTable& waiters;
    const RowShape& shape; ///< of waiter rows
    bool dense;            ///< rows numbered by rank instead of expanded
    std::uint32_t stride;  ///< words of a waiter row
    CrossRows cross;
    Messages<std::uint32_t> wins, losses;

    // Waiter rows.
    Words open, cand;
    // Mover rows, in the shape of the mirror's waiter rows: read by the mirror.
    bool read_by_mirror = false, mirror_dense = false;
    std::uint32_t mirror_stride = 0;
    Words win, win_news, loss_news;
    std::vector<std::uint8_t> news;
    // Mover rows, final. DTZ is 0 where drawn.
    HugeArray<std::uint8_t> wdl;
    HugeArray<std::uint16_t> dtz;

    std::shared_ptr<const MemoryTable> move_capture, place, place_capture;
    bool layered() const { return turns.places && turns.place_effect != PlacementEffect::constant && place; }
};

/// Buffers of one thread.
struct Scratch {
    explicit Scratch(std::size_t words)
        : memory(words * 7), touched(words / 8), list(words / 8), lines(64), arrivals(64), found(64),
          hold_bits(64) {
        row.win = memory.data();
        row.escape = row.win + words;
        row.cap_win = row.escape + words;
        row.cap_hold = row.cap_win + words;
        row.child_loss = row.cap_hold + words;
        row.child_hold = row.child_loss + words;
        hold = row.child_hold + words;
        row.touched = touched.data();
        row.list = list.data();
    }
    Words memory;
    std::vector<std::uint8_t> touched;
    std::vector<std::uint32_t> list;
    std::uint64_t* hold;
    RowScratch row;
    RowFrame frame;
    std::vector<CaptureRow> captures;
    std::vector<TransferMove> transfers;
    std::vector<std::uint16_t> counts;
    std::vector<std::uint64_t> lines, arrivals, found, hold_bits; // dense rows: up to 2024 sets
    std::vector<std::uint32_t> subsets;
};

class OutcomeSolver {
public:
    OutcomeSolver(const Ruleset& rules, const std::vector<Subspace>& group, const TableSource& source,
                  const SolveOptions& options)
        : rules_(rules), options_(options), kernels_(best_kernels()),
          transfers_(rules, group[0], source, false) {
        std::size_t words = 0;
        for (const Subspace g : group) {
            auto side = std::make_unique<Side>(rules, g, options.threads);
            load_children(*side, source);
            words = std::max<std::size_t>(words, side->shape.words());
            sides_.push_back(std::move(side));
        }
        for (std::size_t i = 0; i < sides_.size(); ++i) allocate(*sides_[i], mirror(i));
        for (int t = 0; t < options.threads; ++t) scratch_.push_back(std::make_unique<Scratch>(words));
    }

    std::vector<MemoryTable> run() {
        for (auto& side : sides_) {
            parallel_rows(side->waiters.count(), options_.threads, options_.stop,
                          [&](std::uint32_t row, int thread) {
                              start(*side, row, *scratch_[static_cast<std::size_t>(thread)], thread);
                          });
            apply(*side, 0);
        }
        int deepest_child = 0;
        for (const auto& side : sides_)
            if (side->layered() && !side->place->dtz.empty())
                deepest_child = std::max<int>(deepest_child, deepest(*side->place));
        const int limit = sides_[0]->turns.limit;
        for (int layer = 1;; ++layer) {
            if (layer > 0xFFFF) throw Error(ErrorCode::internal, "more budget layers than a DTZ can hold");
            for (std::size_t i = 0; i < sides_.size(); ++i) visit_rows(*sides_[i], mirror(i), layer);
            bool changed = false;
            for (auto& side : sides_) changed |= apply(*side, layer);
            if (options_.progress) options_.progress(layer, decided_);
            if (layer == limit) break;
            if (!changed && layer > deepest_child) break;
        }
        std::vector<MemoryTable> out;
        for (auto& side : sides_) {
            MemoryTable& t = out.emplace_back(side->turns.subspace);
            t.wdl = std::move(side->wdl);
            t.dtz = std::move(side->dtz);
        }
        return out;
    }

private:
    Side& mirror(std::size_t i) { return *sides_[sides_.size() - 1 - i]; }

    static int deepest(const MemoryTable& t) { return *std::max_element(t.dtz.begin(), t.dtz.end()); }

    static void load_children(Side& side, const TableSource& source) {
        auto load = [&](const TurnClass& c) {
            return c.kind == TurnClass::Kind::table ? source(c.child) : nullptr;
        };
        side.move_capture = load(side.turns.move_capture);
        side.place = load(side.turns.place);
        side.place_capture = load(side.turns.place_capture);
    }

    static void allocate(Side& side, const Side& mirror) {
        side.open = Words(std::size_t{side.waiters.count()} * side.stride);
        side.cand = Words(std::size_t{side.waiters.count()} * side.stride);
        side.read_by_mirror = mirror.turns.moves && mirror.turns.subspace == side.turns.subspace.mirrored();
        if (side.read_by_mirror) {
            side.mirror_dense = mirror.dense;
            side.mirror_stride = mirror.stride;
            const std::size_t words = std::size_t{side.index.rows()} * mirror.stride;
            side.win = Words(words);
            side.win_news = Words(words);
            side.loss_news = Words(words);
        }
        side.news.assign(side.index.rows(), 0);
        side.wdl = HugeArray<std::uint8_t>(side.index.size() / 4 + 9);
        side.dtz = HugeArray<std::uint16_t>(side.index.size());
    }

    void start(Side& side, std::uint32_t row, Scratch& s, int thread) {
        make_frame(rules_.geo(), side.waiters.representative(row), s.frame);
        std::uint64_t* open = side.open.data() + std::size_t{row} * side.stride;
        std::uint64_t* cand = side.cand.data() + std::size_t{row} * side.stride;
        if (side.dense) { // a flying side can always turn: at most 15 of the 24 points are taken
            for (std::uint32_t i = 0; i < side.shape.size; ++i) set_bit(open, i);
            std::copy_n(open, side.stride, cand);
            return;
        }
        kernels_.start_row(s.frame, side.shape, open, cand, !side.turns.places, side.turns.full_board_draw,
                           side.cross.target, side.losses.sink(thread));
    }

    void visit_rows(Side& side, Side& mirror, int layer) {
        const bool all = layer == 1 || side.layered();
        const bool news = side.turns.moves && mirror.read_by_mirror;
        if (!all && !news) return;
        parallel_rows(side.waiters.count(), options_.threads, options_.stop,
                      [&](std::uint32_t row, int thread) {
                          const std::uint8_t flags = news ? mirror.news[row] : std::uint8_t{0};
                          if (!all && !flags) return;
                          if (news) mirror.news[row] = 0;
                          Scratch& s = *scratch_[static_cast<std::size_t>(thread)];
                          make_frame(rules_.geo(), side.waiters.representative(row), s.frame);
                          if (side.dense) visit_dense(side, mirror, row, layer, flags, s, thread);
                          else visit_expanded(side, mirror, row, layer, flags, s, thread);
                      });
    }

    // --- expanded rows ------------------------------------------------------------------------------

    void captures_at(const Side& side, std::uint32_t row, const RowShape& shape, const TurnClass& turn,
                     const std::shared_ptr<const MemoryTable>& child, Scratch& s) {
        if (turn.kind == TurnClass::Kind::wins) kernels_.best_captures(s.frame, shape, nullptr, 0, s.row);
        if (turn.kind != TurnClass::Kind::table) return;
        make_capture_rows(rules_.geo(), side.waiters.representative(row), *child, s.captures);
        kernels_.best_captures(s.frame, shape, s.captures.data(), static_cast<int>(s.captures.size()), s.row);
    }

    /// Sets child_loss and child_hold to all sets of the shape, or to none.
    static void fill_child(const RowShape& shape, bool all, Scratch& s) {
        for (std::uint32_t b = 0; b < shape.block_count; ++b)
            for (std::uint32_t w = 0; w < 8; ++w) {
                const std::uint32_t word = shape.blocks[b] * 8 + w;
                const std::uint64_t sets = all ? sets_of_word(word, shape.n) : 0;
                s.row.child_loss[word] = s.row.child_hold[word] = sets;
            }
    }

    void constant_turns(Side& side, std::uint32_t row, Scratch& s) {
        const TurnClasses& t = side.turns;
        if (t.moves && t.move_capture.kind != TurnClass::Kind::none) {
            captures_at(side, row, side.shape, t.move_capture, side.move_capture, s);
            kernels_.captures_to_sources(s.frame, side.shape, s.row, t.transfers);
            if (t.transfers) correct_transfers(side, row, s);
            kernels_.clear_captures(side.shape, s.row);
        }
        if (t.places) {
            const RowShape& shape = row_shape(side.shape.k, side.shape.n + 1);
            captures_at(side, row, shape, t.place_capture, side.place_capture, s);
            const bool constant = t.place_effect == PlacementEffect::constant;
            if (t.place.kind == TurnClass::Kind::table && constant)
                kernels_.expand_child(shape, side.place->wdl.data(),
                                      std::uint64_t{row} * side.place->index.row_size(), s.row);
            else fill_child(shape, t.place.kind == TurnClass::Kind::wins, s);
            kernels_.placements_to_sources(s.frame, shape, s.row,
                                           t.place_capture.kind != TurnClass::Kind::none);
            kernels_.clear_captures(shape, s.row);
        }
    }

    /// Transfers one by one: the capture's value is not better than without the restriction.
    void correct_transfers(Side& side, std::uint32_t row, Scratch& s) {
        if (s.transfers.empty()) s.transfers.resize(1024);
        std::size_t n =
            kernels_.list_transfers(s.frame, side.shape, &s.row, s.transfers.data(), s.transfers.size());
        if (n > s.transfers.size()) {
            s.transfers.resize(n);
            n = kernels_.list_transfers(s.frame, side.shape, &s.row, s.transfers.data(), s.transfers.size());
        }
        const Stones opp = side.waiters.representative(row);
        for (std::size_t i = 0; i < n; ++i) {
            const TransferMove& m = s.transfers[i];
            const std::uint32_t from = m.arrival ^ (1U << m.from) ^ (1U << m.to);
            if (get_bit(s.row.win, from)) continue; // another transfer has settled it meanwhile
            if (get_bit(s.row.escape, from) && !get_bit(s.row.cap_win, m.arrival)) continue;
            const Stones points = s.frame.free_set;
            const Value v = transfers_.best(side.turns.subspace, deposit(from, points), opp,
                                            std::countr_zero(deposit(1U << m.from, points)),
                                            std::countr_zero(deposit(1U << m.to, points)), 0);
            if (v.outcome == Outcome::win) set_bit(s.row.win, from);
            if (v.outcome != Outcome::loss) set_bit(s.row.escape, from);
        }
    }

    void visit_expanded(Side& side, Side& mirror, std::uint32_t row, int layer, std::uint8_t flags,
                        Scratch& s, int thread) {
        std::uint64_t* open = side.open.data() + std::size_t{row} * side.stride;
        std::uint64_t* cand = side.cand.data() + std::size_t{row} * side.stride;
        const CrossTarget& target = side.cross.target;
        auto& wins = side.wins.sink(thread);
        auto& losses = side.losses.sink(thread);
        const std::size_t at = std::size_t{row} * side.stride;
        if (layer == 1) {
            constant_turns(side, row, s);
            kernels_.settle_constants(s.frame, side.shape, s.row, open, cand, target, wins);
        }
        const bool layered = side.layered();
        if (layered) {
            const RowShape& shape = row_shape(side.shape.k, side.shape.n + 1);
            const MemoryTable& child = *side.place;
            const int budget = side.turns.place_effect == PlacementEffect::advance ? layer - 1 : layer;
            kernels_.expand_child_at(shape, child.wdl.data(), child.dtz.data(),
                                     std::uint64_t{row} * child.index.row_size(), budget, s.row);
            std::swap(s.row.escape, s.hold);
            kernels_.placements_to_sources(s.frame, shape, s.row,
                                           side.turns.place_capture.kind != TurnClass::Kind::none);
            std::swap(s.row.escape, s.hold);
            kernels_.settle_constants(s.frame, side.shape, s.row, open, cand, target, wins);
        }
        const bool captures = side.turns.captures && side.turns.subspace.own >= 3;
        if (flags & kLossNews)
            kernels_.wins_from_news(s.frame, side.shape, s.row, mirror.loss_news.data() + at, open, cand,
                                    captures, target, wins);
        if (layer == 1 || layered) {
            if (flags & kWinNews) std::fill_n(mirror.win_news.data() + at, side.stride, std::uint64_t{0});
            kernels_.losses_from_news(
                s.frame, side.shape, s.row, nullptr, side.turns.moves ? mirror.win.data() + at : nullptr,
                layered ? s.hold : nullptr, open, cand, side.turns.moves, captures, target, losses);
            if (layered) clear_row(s.hold, side.shape);
        } else if (flags & kWinNews)
            kernels_.losses_from_news(s.frame, side.shape, s.row, mirror.win_news.data() + at,
                                      mirror.win.data() + at, nullptr, open, cand, true, captures, target,
                                      losses);
    }

    static void clear_row(std::uint64_t* words, const RowShape& shape) {
        for (std::uint32_t b = 0; b < shape.block_count; ++b)
            std::fill_n(words + std::size_t{shape.blocks[b]} * 8, 8, 0);
    }

    // --- dense rows: a flying mover --------------------------------------------------------------------

    /// Sets win/hold bits of constant turns, or (budget >= 0) of quiet placements at that budget.
    void dense_placements(const Side& side, std::uint32_t row, int budget, const FlyingShape& shape,
                          std::vector<std::uint64_t>& win, std::vector<std::uint64_t>& hold, Scratch& s) {
        const TurnClasses& t = side.turns;
        const bool constant = budget < 0;
        const bool quiet_now = constant == (t.place_effect == PlacementEffect::constant ||
                                            t.place.kind != TurnClass::Kind::table);
        const bool mills = t.place_capture.kind != TurnClass::Kind::none && shape.n == 2;
        s.captures.clear();
        if (mills && t.place_capture.kind == TurnClass::Kind::table)
            make_capture_rows(rules_.geo(), side.waiters.representative(row), *side.place_capture,
                              s.captures);
        const RankTable& ranks = rank_table(shape.n + 1);
        const std::uint32_t all = (std::uint32_t{1} << shape.k) - 1;
        for (std::uint32_t set = 0; set < shape.sets.size(); ++set)
            for (std::uint32_t rest = all & ~shape.sets[set]; rest; rest &= rest - 1) {
                const int j = std::countr_zero(rest);
                const std::uint32_t after = shape.sets[set] | std::uint32_t{1} << j;
                bool mill = false;
                if (mills)
                    for (int l = 0; l < s.frame.partner_count[j]; ++l)
                        mill |= (shape.sets[set] & s.frame.partners[j][l]) == s.frame.partners[j][l];
                if (mill) {
                    if (!constant) continue;
                    take_capture(t.place_capture, side.place_capture.get(), after, set, win, hold, s);
                } else if (quiet_now) {
                    if (t.place.kind == TurnClass::Kind::wins) {
                        set_bit(win.data(), set);
                        set_bit(hold.data(), set);
                    }
                    if (t.place.kind != TurnClass::Kind::table) continue;
                    const std::uint64_t i =
                        std::uint64_t{row} * side.place->index.row_size() + ranks.rank(after);
                    const bool decided = constant || side.place->dtz[i] <= budget;
                    const Outcome o = decided ? side.place->outcome(i) : Outcome::draw;
                    if (o == Outcome::loss) set_bit(win.data(), set);
                    if (o != Outcome::win) set_bit(hold.data(), set);
                }
            }
    }

    static void take_capture(const TurnClass& turn, const MemoryTable* child, std::uint32_t after,
                             std::uint32_t bit_of, std::vector<std::uint64_t>& win,
                             std::vector<std::uint64_t>& hold, const Scratch& s) {
        if (turn.kind == TurnClass::Kind::wins) {
            set_bit(win.data(), bit_of);
            set_bit(hold.data(), bit_of);
        }
        if (turn.kind != TurnClass::Kind::table) return;
        for (const CaptureRow& r : s.captures) {
            const Outcome o = child->outcome(capture_index(r, after));
            if (o == Outcome::loss) set_bit(win.data(), bit_of);
            if (o != Outcome::win) set_bit(hold.data(), bit_of);
        }
    }

    void visit_dense(Side& side, Side& mirror, std::uint32_t row, int layer, std::uint8_t flags, Scratch& s,
                     int thread) {
        const FlyingShape& shape = flying_shape(side.shape.k, side.shape.n);
        const std::uint32_t words = side.stride;
        const std::size_t at = std::size_t{row} * words;
        std::uint64_t* open = side.open.data() + at;
        std::uint64_t* cand = side.cand.data() + at;
        const TurnClasses& t = side.turns;
        s.lines.assign(words, 0);
        if (t.captures) flying_lines(shape, s.frame, s.lines.data());
        s.found.assign(words, 0);
        s.hold_bits.assign(words, 0);

        if (layer == 1) {
            s.arrivals.assign(words, 0);
            std::vector<std::uint64_t> held(words, 0), win(words, 0), hold(words, 0);
            if (t.move_capture.kind == TurnClass::Kind::table)
                make_capture_rows(rules_.geo(), side.waiters.representative(row), *side.move_capture,
                                  s.captures);
            for (std::uint32_t w = 0; w < words; ++w)
                for (std::uint64_t rest = s.lines[w]; rest; rest &= rest - 1) {
                    const std::uint32_t set = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
                    take_capture(t.move_capture, side.move_capture.get(), shape.sets[set], set, s.arrivals,
                                 held, s);
                }
            flying_sources(shape, s.arrivals.data(), win.data(), s.counts);
            flying_sources(shape, held.data(), hold.data(), s.counts);
            if (t.places) dense_placements(side, row, -1, shape, win, hold, s);
            settle_dense(side, shape, win.data(), open, cand, side.wins.sink(thread), s);
            for (std::uint32_t w = 0; w < words; ++w) cand[w] &= ~hold[w];
        }
        if (side.layered()) {
            std::vector<std::uint64_t> win(words, 0);
            dense_placements(side, row, t.place_effect == PlacementEffect::advance ? layer - 1 : layer, shape,
                             win, s.hold_bits, s);
            settle_dense(side, shape, win.data(), open, cand, side.wins.sink(thread), s);
        }
        s.arrivals.assign(words, 0);
        if (flags & kLossNews) {
            std::uint64_t* news = mirror.loss_news.data() + at;
            for (std::uint32_t w = 0; w < words; ++w) {
                s.arrivals[w] = news[w] & ~s.lines[w];
                news[w] = 0;
            }
            flying_sources(shape, s.arrivals.data(), s.found.data(), s.counts);
            settle_dense(side, shape, s.found.data(), open, cand, side.wins.sink(thread), s);
        }
        if (flags & kWinNews) std::fill_n(mirror.win_news.data() + at, words, std::uint64_t{0});
        if (layer == 1 || (flags & kWinNews) || side.layered()) {
            for (std::uint32_t w = 0; w < words; ++w) s.arrivals[w] = ~mirror.win[at + w] & ~s.lines[w];
            // Bits past the last set are no entries.
            for (std::uint32_t i = side.shape.size; i < words * 64; ++i)
                s.arrivals[i >> 6] &= ~(std::uint64_t{1} << (i & 63));
            flying_sources(shape, s.arrivals.data(), s.found.data(), s.counts);
            for (std::uint32_t w = 0; w < words; ++w) s.found[w] = cand[w] & ~s.found[w] & ~s.hold_bits[w];
            settle_dense(side, shape, s.found.data(), open, cand, side.losses.sink(thread), s);
        }
    }

    /// Takes the open ones of `sets` as decided.
    void settle_dense(Side& side, const FlyingShape& shape, const std::uint64_t* sets, std::uint64_t* open,
                      std::uint64_t* cand, Sink<std::uint32_t>& sink, Scratch& s) {
        s.subsets.clear();
        for (std::uint32_t w = 0; w < side.stride; ++w) {
            const std::uint64_t fresh = sets[w] & open[w];
            open[w] &= ~fresh;
            cand[w] &= ~fresh;
            for (std::uint64_t rest = fresh; rest; rest &= rest - 1)
                s.subsets.push_back(shape.sets[w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))]);
        }
        kernels_.emit_list(s.frame, s.subsets.data(), s.subsets.size(), side.cross.target, sink);
    }

    // --- crossing ------------------------------------------------------------------------------------

    bool apply(Side& side, int layer) {
        if (side.wins.empty() && side.losses.empty()) return false;
        std::atomic<std::uint64_t> total{0};
        parallel_rows(static_cast<std::uint32_t>(side.cross.partitions), options_.threads, nullptr,
                      [&](std::uint32_t p, int) {
                          std::uint64_t n = 0;
                          side.wins.each(static_cast<int>(p),
                                         [&](const std::uint32_t* begin, const std::uint32_t* end) {
                                             n += apply_run(side, begin, end, 1, side.win.data(),
                                                            side.win_news.data(), kWinNews, layer);
                                         });
                          side.losses.each(static_cast<int>(p),
                                           [&](const std::uint32_t* begin, const std::uint32_t* end) {
                                               n += apply_run(side, begin, end, 2, nullptr,
                                                              side.loss_news.data(), kLossNews, layer);
                                           });
                          total += n;
                      });
        side.wins.clear();
        side.losses.clear();
        decided_ += total;
        return true;
    }

    static std::uint64_t apply_run(Side& side, const std::uint32_t* begin, const std::uint32_t* end,
                                   unsigned code, std::uint64_t* bits, std::uint64_t* news, std::uint8_t flag,
                                   int layer) {
        const int k = side.cross.target.k;
        const std::uint32_t mask = (std::uint32_t{1} << k) - 1;
        const std::uint32_t row_size = side.index.row_size();
        const RankTable& ranks = rank_table(side.turns.subspace.opp);
        const std::uint16_t* low_rank = RankTable::low_rank().data();
        const std::uint16_t* const slots =
            side.read_by_mirror && !side.mirror_dense ? row_shape(k, side.turns.subspace.opp).slots : nullptr;
        for (const std::uint32_t* m = begin; m != end; ++m) {
            const std::uint32_t row = *m >> k, subset = *m & mask;
            const std::uint32_t rank = ranks.high_offset[subset >> 12] + low_rank[subset & 4095];
            const std::uint64_t i = std::uint64_t{row} * row_size + rank;
            side.wdl[i >> 2] = static_cast<std::uint8_t>(side.wdl[i >> 2] | code << (2 * (i & 3)));
            side.dtz[i] = static_cast<std::uint16_t>(layer);
            if (!side.read_by_mirror) continue;
            const std::uint32_t b =
                slots ? std::uint32_t{slots[subset >> kBlockBits]} << kBlockBits | (subset & 511) : rank;
            const std::size_t word = std::size_t{row} * side.mirror_stride + (b >> 6);
            const std::uint64_t one = std::uint64_t{1} << (b & 63);
            if (bits) bits[word] |= one;
            news[word] |= one;
            side.news[row] |= flag;
        }
        return static_cast<std::uint64_t>(end - begin);
    }

    const Ruleset& rules_;
    const SolveOptions& options_;
    const Kernels& kernels_;
    TransferEvaluator transfers_;
    std::vector<std::unique_ptr<Side>> sides_;
    std::vector<std::unique_ptr<Scratch>> scratch_;
    std::uint64_t decided_ = 0;
};

} // namespace

std::vector<MemoryTable> solve_outcomes(const Ruleset& rules, const std::vector<Subspace>& group,
                                        const TableSource& source, const SolveOptions& options) {
    return OutcomeSolver(rules, group, source, options).run();
}

} // namespace mill::builder
