#include "probe/tables/stored.h"

#include "probe/tables/set_companions.h"

#include <algorithm>

namespace mill {

namespace {

using Bytes = BlockCache::Bytes;

/// First step of `entry` with a budget above `budget`, or the number of steps.
std::size_t first_step(const TableMeta& meta, std::uint32_t block, Bytes raw, std::uint32_t entry,
                       int budget) {
    std::size_t low = 0, high = step_count(meta, block, raw.size());
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const ProfileStep s = step_at(meta, block, raw.data(), middle);
        if (s.entry < entry || (s.entry == entry && s.budget <= budget)) low = middle + 1;
        else high = middle;
    }
    return low;
}

} // namespace

const SubspaceTables* Stored::tables(Subspace s) const {
    const SubspaceTables* t = set_->find(s);
    if (t && t->table(Metric::wdl)) return t;
    if (set_->derives(s)) return nullptr;
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) set_->throw_if_refused(s, m);
    set_->throw_missing(s, Metric::wdl);
}

template <class Expand>
auto Stored::derive(Subspace s, Stones own, Stones opp, bool distances, Expand&& expand) const {
    const Stored children(*set_, distances, read_);
    try {
        const auto found = expand(make_position(s, own, opp), children);
        known_dtz_ = known_dtz_ && children.known_dtz_;
        known_dte_ = known_dte_ && children.known_dte_;
        return found;
    } catch (const Error& e) {
        if (e.code() != ErrorCode::missing_table) throw;
        throw Error(e.code(), "no table " + table_file_name(s, Metric::wdl) +
                                  ", nor all from which its values follow: " + e.what());
    }
}

const OpenTable* Stored::optional(const SubspaceTables& s, Metric m) const {
    const OpenTable* t = s.table(m);
    if (!t) set_->throw_if_refused(s.subspace, m);
    return t;
}

template <class Look> void Stored::look(const OpenTable& t, std::uint64_t index, Look&& look_at) const {
    const std::uint32_t block = t.block_of(index);
    const auto entry = static_cast<std::uint32_t>(index - std::uint64_t{block} * t.meta().block_entries);
    const auto use = [&](Bytes raw) { look_at(raw, block, entry); };
    BlockCache& cache = set_->cache();
    if (read_ == Read::any) {
        const auto load = [&](BlockCache::Block& raw) {
            const SetCompanions companions(*set_, *set_->find(t.meta().subspace));
            t.read_block(block, raw, &companions);
        };
        cache.get(t.key(block), load, use);
    } else if (!cache.peek(t.key(block), use)) {
        throw Error(ErrorCode::not_cached, "table " + table_file_name(t.meta().subspace, t.meta().metric) +
                                               ", block " + std::to_string(block) + " is not in the cache");
    }
}

int Stored::number(const OpenTable& t, std::uint64_t index) const {
    int code = 0;
    look(t, index,
         [&](Bytes raw, std::uint32_t, std::uint32_t entry) { code = code_at(t.meta(), raw, entry); });
    return code;
}

Outcome Stored::outcome(const SubspaceTables& s, std::uint64_t index) const {
    const OpenTable& t = *s.table(Metric::wdl);
    const int code = number(t, index);
    if (code > 2)
        throw Error(ErrorCode::corrupt_table,
                    t.path() + ": entry " + std::to_string(index) + " has no outcome");
    return static_cast<Outcome>(code);
}

int Stored::dte(const OpenTable& t, std::uint64_t index, int budget) const {
    int distance = 0;
    look(t, index, [&](Bytes raw, std::uint32_t block, std::uint32_t entry) {
        distance = code_at(t.meta(), raw, entry);
        if (budget == 0) return;
        const std::size_t i = first_step(t.meta(), block, raw, entry, budget);
        if (i == step_count(t.meta(), block, raw.size())) return;
        const ProfileStep step = step_at(t.meta(), block, raw.data(), i);
        if (step.entry == entry) distance = step.dte;
    });
    return distance;
}

StoredAnswer Stored::answer(Subspace s, Stones own, Stones opp, int budget, Wanted wanted) const {
    const SubspaceTables* const found = tables(s);
    if (!found)
        return derive(s, own, opp, wanted.dte, [&](const Position& p, const Stored& children) {
            const Ruleset& rules = set_->rules();
            const int limit = draw_limit(rules, p);
            const Value v =
                evaluate_by_turns(rules, p, budget == 0 ? limit : std::min(budget, limit), children);
            StoredAnswer a{v.outcome, -1, -1};
            if (v.outcome == Outcome::draw) return a;
            if (wanted.dte && children.known_dte_) a.dte = v.dte;
            if (!wanted.dtz) return a;
            const Depth d = evaluate_depth_by_turns(rules, p, children);
            if (children.known_dtz_) a.dtz = d.dtz;
            return a;
        });
    const SubspaceTables& t = *found;
    const std::uint64_t index = t.index.index(own, opp);
    const Outcome o = outcome(t, index);
    if (o == Outcome::draw) return {};
    StoredAnswer a{o, -1, -1};
    const bool full = t.limit == 0 || budget == 0 || budget >= t.limit;
    if (!full) { // the outcome stands only if the budget reaches it
        const OpenTable* dtz = t.table(Metric::dtz);
        if (!dtz) set_->throw_missing(s, Metric::dtz);
        const int needed = number(*dtz, index);
        if (needed > budget) return {};
        if (wanted.dtz) a.dtz = needed;
    } else if (wanted.dtz) {
        if (const OpenTable* dtz = optional(t, Metric::dtz)) a.dtz = number(*dtz, index);
        else known_dtz_ = false;
    }
    if (wanted.dte) {
        if (const OpenTable* distances = optional(t, Metric::dte))
            a.dte = dte(*distances, index, full ? 0 : budget);
        else known_dte_ = false;
    }
    return a;
}

Value Stored::value(Subspace s, Stones own, Stones opp, int budget) const {
    const StoredAnswer a = answer(s, own, opp, budget, {false, distances_});
    return {a.outcome, static_cast<std::uint16_t>(a.dte < 0 ? 0 : a.dte)};
}

Depth Stored::depth(Subspace s, Stones own, Stones opp) const {
    const SubspaceTables* const found = tables(s);
    if (!found)
        return derive(s, own, opp, false, [&](const Position& p, const Stored& children) {
            return evaluate_depth_by_turns(set_->rules(), p, children);
        });
    const SubspaceTables& t = *found;
    const std::uint64_t index = t.index.index(own, opp);
    const Outcome o = outcome(t, index);
    if (o == Outcome::draw) return {};
    const OpenTable* dtz = optional(t, Metric::dtz);
    if (!dtz) {
        known_dtz_ = false;
        return {o, 0};
    }
    return {o, number(*dtz, index)};
}

std::vector<std::pair<int, int>> Stored::profile(Subspace s, Stones own, Stones opp) const {
    const SubspaceTables* const found = tables(s);
    if (!found) return {}; // not asked for: see answers.cpp
    const SubspaceTables& t = *found;
    const std::uint64_t index = t.index.index(own, opp);
    if (t.limit == 0 || outcome(t, index) == Outcome::draw) return {};
    const OpenTable* dtz = optional(t, Metric::dtz);
    const OpenTable* distances = optional(t, Metric::dte);
    known_dtz_ = known_dtz_ && dtz;
    known_dte_ = known_dte_ && distances;
    if (!dtz || !distances) return {};
    std::vector<std::pair<int, int>> steps;
    int budget = number(*dtz, index);
    look(*distances, index, [&](Bytes raw, std::uint32_t block, std::uint32_t entry) {
        const std::size_t count = step_count(distances->meta(), block, raw.size());
        for (std::size_t i = first_step(distances->meta(), block, raw, entry, budget); i < count; ++i) {
            const ProfileStep step = step_at(distances->meta(), block, raw.data(), i);
            if (step.entry != entry) break;
            steps.emplace_back(budget, step.dte);
            budget = step.budget;
        }
        steps.emplace_back(budget, code_at(distances->meta(), raw, entry));
    });
    return steps;
}

} // namespace mill
