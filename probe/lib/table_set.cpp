#include "mill/probe/table_set.h"

#include "mill/error.h"
#include "mill/probe/turn_classes.h"
#include "mill/text.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace mill {

namespace fs = std::filesystem;

struct TableSet::Table {
    Table(std::unique_ptr<ByteSource> source, std::uint32_t n)
        : reader(std::move(source)), index(reader.meta().subspace), number(n) {}
    TableReader reader;
    SubspaceIndex index;
    std::uint32_t number; ///< in the cache's keys
};

namespace {

std::size_t key_of(Subspace s, Metric m) {
    return ((((std::size_t{s.own} * 13 + s.opp) * 13 + s.own_reserve) * 13 + s.opp_reserve) * 3) +
           static_cast<std::size_t>(m) - 1;
}

} // namespace

/// Stored values behind one question; notes whether distances were missing on the way.
class Stored {
public:
    Stored(const TableSet& set, bool soft, bool distances = true)
        : set_(set), soft_(soft), distances_(distances) {}

    Value value(Subspace s, Stones own, Stones opp, int budget) const {
        const Outcome o = outcome(s, own, opp);
        if (o == Outcome::draw) return {};
        const bool limited = budget > 0;
        const int limit = TurnClasses(set_.rules_, s).limit;
        if (limited && budget != limit && dtz_at(s, own, opp) > budget) return {};
        return {o, distances_ ? dte(s, own, opp, budget) : std::uint16_t{0}};
    }
    Depth depth(Subspace s, Stones own, Stones opp) const {
        const Outcome o = outcome(s, own, opp);
        return {o, o == Outcome::draw ? 0 : dtz_at(s, own, opp)};
    }
    bool lacks_dte() const { return lacks_dte_; }

    Outcome outcome(Subspace s, Stones own, Stones opp) const {
        const TableSet::Table& t = need(s, Metric::wdl);
        const auto [block, entry] = place(t, own, opp);
        return set_.cache_.with_block(t.reader, t.number, block, soft_,
                                      [e = entry](const std::vector<std::uint8_t>& raw) {
                                          return static_cast<Outcome>(raw[e >> 2] >> (2 * (e & 3)) & 3);
                                      });
    }

private:
    const TableSet::Table& need(Subspace s, Metric m) const {
        const TableSet::Table* t = set_.find(s, m);
        if (!t) throw Error(ErrorCode::missing_table, "no table " + table_file_name(s, m));
        return *t;
    }
    static std::pair<std::uint32_t, std::uint32_t> place(const TableSet::Table& t, Stones own, Stones opp) {
        const std::uint64_t i = t.index.index(own, opp);
        const std::uint32_t n = t.reader.meta().block_entries;
        return {static_cast<std::uint32_t>(i / n), static_cast<std::uint32_t>(i % n)};
    }
    static std::uint16_t code(const TableMeta& meta, const std::vector<std::uint8_t>& raw, std::uint32_t e) {
        return static_cast<std::uint16_t>(meta.code_bits == 8 ? raw[e] : raw[2 * e] | raw[2 * e + 1] << 8);
    }
    int dtz_at(Subspace s, Stones own, Stones opp) const {
        const TableSet::Table& t = need(s, Metric::dtz);
        const auto [block, entry] = place(t, own, opp);
        return set_.cache_.with_block(
            t.reader, t.number, block, soft_,
            [&, e = entry](const std::vector<std::uint8_t>& raw) { return code(t.reader.meta(), raw, e); });
    }
    std::uint16_t dte(Subspace s, Stones own, Stones opp, int budget) const {
        const TableSet::Table* t = set_.find(s, Metric::dte);
        if (!t) {
            lacks_dte_ = true;
            return 0;
        }
        const auto [block, entry] = place(*t, own, opp);
        return set_.cache_.with_block(
            t->reader, t->number, block, soft_,
            [&, b = block, e = entry](const std::vector<std::uint8_t>& raw) {
                const TableMeta& meta = t->reader.meta();
                std::size_t low = 0, high = budget > 0 ? step_count(meta, b, raw.size()) : 0;
                while (low < high) { // the first change of this entry above the budget
                    const std::size_t middle = (low + high) / 2;
                    const ProfileStep step = step_at(meta, b, raw.data(), middle);
                    if (std::pair(step.entry, static_cast<int>(step.budget)) > std::pair(e, budget))
                        high = middle;
                    else low = middle + 1;
                }
                if (budget > 0 && low < step_count(meta, b, raw.size())) {
                    const ProfileStep step = step_at(meta, b, raw.data(), low);
                    if (step.entry == e) return step.dte;
                }
                return code(meta, raw, e);
            });
    }

    const TableSet& set_;
    bool soft_, distances_;
    mutable bool lacks_dte_ = false;
};

TableSet::TableSet(const Ruleset& rules, Options options)
    : rules_(rules), options_(options), fingerprint_(rules.fingerprint()), cache_(options.cache_bytes),
      by_key_(std::size_t{13} * 13 * 13 * 13 * 3, nullptr) {}

TableSet::~TableSet() = default;

const TableSet::Table* TableSet::find(Subspace s, Metric m) const {
    if (s.own > 12 || s.opp > 12 || s.own_reserve > 12 || s.opp_reserve > 12) return nullptr;
    return by_key_[key_of(s, m)];
}

void TableSet::add(std::unique_ptr<Table> table) {
    const TableMeta& meta = table->reader.meta();
    if (meta.fingerprint != fingerprint_) expect_identity(meta, fingerprint_, meta.subspace, meta.metric);
    const auto limit = static_cast<std::uint32_t>(TurnClasses(rules_, meta.subspace).limit);
    if (meta.limit != limit)
        throw Error(ErrorCode::corrupt_table, "table has draw limit " + std::to_string(meta.limit) +
                                                  ", expected " + std::to_string(limit));
    const Table*& slot = by_key_[key_of(meta.subspace, meta.metric)];
    if (!slot) slot = table.get(); // the first directory that has it serves
    tables_.push_back(std::move(table));
}

void TableSet::add_source(std::unique_ptr<ByteSource> source) {
    add(std::make_unique<Table>(std::move(source), static_cast<std::uint32_t>(tables_.size())));
}

std::vector<FileReport> TableSet::add_directory(const std::string& path) {
    std::vector<fs::path> files;
    std::error_code error;
    auto scan = [&](const fs::path& folder, bool deeper, auto&& self) -> void {
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            const fs::path& entry = it->path();
            std::error_code ignored;
            if (deeper && it->is_directory(ignored)) self(entry, false, self);
            const std::string ending = entry.extension().string();
            if (ending == ".wdl" || ending == ".dtz" || ending == ".dte") files.push_back(entry);
        }
    };
    scan(path, true, scan);
    if (error) throw Error(ErrorCode::io, "cannot read directory " + path + ": " + error.message());
    std::sort(files.begin(), files.end());
    std::vector<FileReport> reports;
    for (const fs::path& file : files) {
        FileReport report{file.string(), ErrorCode::ok, {}};
        try {
            auto table = std::make_unique<Table>(open_file(file.string(), options_.access),
                                                 static_cast<std::uint32_t>(tables_.size()));
            const TableMeta& meta = table->reader.meta();
            if (file.filename() != table_file_name(meta.subspace, meta.metric))
                throw Error(ErrorCode::corrupt_table,
                            "table holds " + table_file_name(meta.subspace, meta.metric) + " (renamed?)");
            add(std::move(table));
        } catch (const Error& e) {
            report.code = e.code();
            report.reason = e.what();
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

std::vector<std::pair<Subspace, Metric>> TableSet::tables() const {
    std::vector<std::pair<Subspace, Metric>> out;
    for (const auto& t : tables_) out.emplace_back(t->reader.meta().subspace, t->reader.meta().metric);
    std::sort(out.begin(), out.end());
    return out;
}

namespace {
int budget_of(const Ruleset& rules, const Position& p) {
    const int limit = draw_limit(rules, p);
    return limit == 0 ? 0 : limit - p.counter;
}
} // namespace

Answer TableSet::probe(const Position& p, bool soft) const {
    Answer a;
    a.limit = draw_limit(rules_, p);
    a.budget = budget_of(rules_, p);
    const Ending end = judge(rules_, p);
    if (end.reason != Reason::none) {
        a.outcome = end.outcome;
        a.ends = end.reason;
        if (end.outcome != Outcome::draw) a.dtz = a.dte = 0;
        return a;
    }
    const Stored stored(*this, soft);
    const Value v = evaluate(rules_, p, a.budget, stored);
    a.outcome = v.outcome;
    if (v.outcome == Outcome::draw) return a;
    if (!stored.lacks_dte()) a.dte = v.dte;
    try {
        a.dtz = evaluate_depth(rules_, p, stored).dtz;
    } catch (const Error& e) {
        if (e.code() != ErrorCode::missing_table) throw;
    }
    return a;
}

Outcome TableSet::probe_outcome(const Position& p, bool soft) const {
    const Stored stored(*this, soft, false);
    return evaluate(rules_, p, budget_of(rules_, p), stored).outcome;
}

std::vector<ProfilePoint> TableSet::profile(const Position& p) const {
    const Ending end = judge(rules_, p);
    const Stored stored(*this, false);
    const int limit = draw_limit(rules_, p);
    const Value full = evaluate(rules_, p, limit, stored);
    if (full.outcome == Outcome::draw) return {};
    if (stored.lacks_dte()) throw Error(ErrorCode::missing_table, "the profile needs dte tables");
    if (end.reason != Reason::none || limit == 0) return {{0, full.dte}};
    std::vector<ProfilePoint> points;
    const int dtz = evaluate_depth(rules_, p, stored).dtz;
    for (int r = std::max(1, dtz); r <= limit; ++r) {
        const int dte = evaluate(rules_, p, r, stored).dte;
        if (points.empty() || points.back().dte != dte) points.push_back({r, dte});
        if (dte == full.dte) break; // the distance only shrinks, and this is its smallest
    }
    return points;
}

std::vector<RankedTurn> TableSet::rank(const Position& p) const {
    std::vector<RankedTurn> out;
    if (judge(rules_, p).reason != Reason::none) return out;
    TurnList turns;
    generate_turns(rules_, p, turns);
    const int budget = budget_of(rules_, p);
    bool all_dte = true;
    for (const Turn t : turns) {
        RankedTurn r;
        r.turn = t;
        r.text = to_text(t);
        const Stored stored(*this, false);
        const Value v = evaluate_turn(rules_, p, t, budget, stored);
        r.outcome = v.outcome;
        r.zeroing = counter_effect(rules_, p, t) == CounterEffect::reset;
        const Position child = apply_turn(rules_, p, t);
        r.ends = judge(rules_, child).reason;
        if (r.ends == Reason::none && budget == 1 && counter_effect(rules_, p, t) == CounterEffect::advance)
            r.ends = rules_.in_endgame(count(p.stones[0]), count(p.stones[1]), p.reserve[0], p.reserve[1])
                         ? Reason::endgame_limit
                         : Reason::quiet_limit;
        if (v.outcome != Outcome::draw) {
            if (!stored.lacks_dte()) r.dte = v.dte;
            else all_dte = false;
            try {
                r.dtz = evaluate_turn_depth(rules_, p, t, stored).dtz;
            } catch (const Error& e) {
                if (e.code() != ErrorCode::missing_table) throw;
            }
        }
        out.push_back(std::move(r));
    }
    const auto class_of = [](const RankedTurn& r) {
        return r.outcome == Outcome::win ? 0 : r.outcome == Outcome::draw ? 1 : 2;
    };
    const auto distance = [&](const RankedTurn& r) {
        const int d = (all_dte ? r.dte : r.dtz).value_or(0);
        return r.outcome == Outcome::loss ? -d : d;
    };
    std::sort(out.begin(), out.end(), [&](const RankedTurn& a, const RankedTurn& b) {
        return std::tuple(class_of(a), distance(a), a.text) < std::tuple(class_of(b), distance(b), b.text);
    });
    return out;
}

std::vector<RankedTurn> TableSet::line(const Position& p) const {
    std::vector<RankedTurn> out;
    Position at = p;
    if (probe_outcome(p) == Outcome::draw) return out;
    while (judge(rules_, at).reason == Reason::none) {
        const auto ranked = rank(at);
        if (!ranked.front().dte) throw Error(ErrorCode::missing_table, "best play needs dte tables");
        // Every turn of best play brings the end one ply nearer, so this ends.
        if (!out.empty() && *ranked.front().dte >= *out.back().dte)
            throw Error(ErrorCode::corrupt_table, "the tables contradict each other at " + to_text(at));
        out.push_back(ranked.front());
        at = apply_turn(rules_, at, ranked.front().turn);
    }
    return out;
}

namespace {
template <class Fn> void each_needed(const Ruleset& rules, const Position& p, Fn&& fn) {
    TurnList turns;
    generate_turns(rules, p, turns);
    for (const Turn t : turns) {
        const Position child = apply_turn(rules, p, t);
        if (judge(rules, child).reason != Reason::none) continue;
        if (detail::restricted(child)) each_needed(rules, child, fn);
        else fn(child);
    }
}
} // namespace

std::vector<Subspace> TableSet::missing(const Position& p) const {
    std::set<Subspace> out;
    if (judge(rules_, p).reason == Reason::none)
        each_needed(rules_, p, [&](const Position& child) {
            const Subspace s = subspace_of(child);
            if (!has(s, Metric::wdl)) out.insert(s);
        });
    return {out.begin(), out.end()};
}

void TableSet::prefetch(const Position& p) const {
    auto hint = [&](const Position& q) {
        for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
            if (const Table* t = find(subspace_of(q), m)) {
                const auto us = static_cast<std::size_t>(q.us()), them = static_cast<std::size_t>(q.them());
                t->reader.prefetch(static_cast<std::uint32_t>(t->index.index(q.stones[us], q.stones[them]) /
                                                              t->reader.meta().block_entries));
            }
    };
    if (judge(rules_, p).reason != Reason::none) return;
    if (detail::restricted(p)) each_needed(rules_, p, hint);
    else hint(p);
}

void TableSet::verify(const std::function<bool(std::uint64_t, std::uint64_t)>& progress) const {
    std::uint64_t all = 0, done = 0;
    for (const auto& t : tables_) all += t->reader.meta().block_count();
    std::vector<std::uint8_t> raw;
    for (const auto& t : tables_)
        for (std::uint32_t b = 0; b < t->reader.meta().block_count(); ++b) {
            t->reader.read_block(b, raw);
            if (progress && !progress(++done, all)) throw Error(ErrorCode::aborted, "stopped by the caller");
        }
}

} // namespace mill
