#include "mill/builder/verify.h"

#include "mill/builder/parallel.h"
#include "mill/builder/transfers.h"
#include "mill/error.h"
#include "mill/probe/turn_classes.h"
#include "mill/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

namespace mill::builder {

namespace fs = std::filesystem;

namespace {

/// One turn as the check sees it: a value that no budget changes, or an entry of a table.
struct TurnValue {
    bool constant = true;
    Value value{}; ///< for the side that turns, if constant
    const MemoryTable* table = nullptr;
    std::uint64_t entry = 0;
    int cost = 0;     ///< budget that the turn spends
    Position child{}; ///< if the child is restricted and spends budget
    bool restricted = false;
};

class Checker {
public:
    Checker(const TableStore& store, Subspace s, bool dtz, bool dte, const MemoryTable& table,
            const TableValues& values)
        : rules_(store.rules()), subspace_(s), has_dtz_(dtz), has_dte_(dte), table_(table), values_(values),
          limit_(TurnClasses(rules_, s).limit) {}

    /// Empty, or what is wrong with entry i.
    std::string check(std::uint64_t i) {
        const auto [own, opp] = table_.index.position(i);
        const Position p = make_position(subspace_, own, opp);
        collect(p);
        const Depth derived = turns_.empty() ? Depth{judge(rules_, p).outcome, 0} : depth();
        const Outcome found = table_.outcome(i);
        if (has_dtz_) {
            if (found != derived.outcome)
                return fault(p, "outcome", std::string(to_text(found)),
                             std::string(to_text(derived.outcome)));
            if (found != Outcome::draw && table_.dtz[i] != derived.dtz)
                return fault(p, "dtz", std::to_string(table_.dtz[i]), std::to_string(derived.dtz));
        } else {
            const Value v = turns_.empty() ? Value{derived.outcome, 0} : at(limit_);
            if (found != v.outcome)
                return fault(p, "outcome", std::string(to_text(found)), std::string(to_text(v.outcome)));
        }
        return has_dte_ && found != Outcome::draw ? check_distances(p, i) : std::string();
    }

private:
    void collect(const Position& p) {
        TurnList list;
        generate_turns(rules_, p, list);
        turns_.clear();
        for (const Turn t : list) {
            TurnValue v;
            const Position child = apply_turn(rules_, p, t);
            const Ending end = judge(rules_, child);
            const CounterEffect effect = counter_effect(rules_, p, t);
            if (end.reason != Reason::none) v.value = after_turn({end.outcome, 0});
            else if (effect == CounterEffect::reset)
                v.value = after_turn(evaluate(rules_, child, draw_limit(rules_, child), values_));
            else {
                v.constant = false;
                v.cost = effect == CounterEffect::advance ? 1 : 0;
                v.restricted = detail::restricted(child);
                v.child = child;
                if (!v.restricted) {
                    const auto us = static_cast<std::size_t>(child.us()),
                               them = static_cast<std::size_t>(child.them());
                    v.table = &values_.table(subspace_of(child));
                    v.entry = v.table->index.index(child.stones[us], child.stones[them]);
                }
            }
            turns_.push_back(v);
        }
    }

    /// Outcome at the full budget and DTZ, by rules 1 to 4 of DESIGN section 3.
    Depth depth() const {
        int win = 1 << 20, loss = 0;
        bool draws = false;
        for (const TurnValue& t : turns_) {
            Outcome o = t.value.outcome;
            int dtz = 1;
            if (!t.constant) {
                const Depth d = t.restricted ? evaluate_depth(rules_, t.child, values_)
                                             : Depth{t.table->outcome(t.entry), t.table->dtz[t.entry]};
                o = after_turn({d.outcome, 0}).outcome;
                dtz = std::max(1, d.dtz + t.cost);
                if (limit_ && dtz > limit_) o = Outcome::draw;
            }
            if (o == Outcome::win) win = std::min(win, dtz);
            else if (o == Outcome::draw) draws = true;
            else loss = std::max(loss, dtz);
        }
        if (win < 1 << 20) return {Outcome::win, win};
        return draws ? Depth{} : Depth{Outcome::loss, loss};
    }

    /// Value at budget r (0: no limit).
    Value at(int r) const {
        Value best{Outcome::loss, 0};
        bool first = true;
        for (const TurnValue& t : turns_) {
            Value v = t.value;
            if (!t.constant) {
                const int left = r == 0 ? 0 : r - t.cost;
                if (r > 0 && left == 0) v = {}; // the draw comes first; ends at once were constant
                else
                    v = after_turn(t.restricted ? evaluate(rules_, t.child, left, values_)
                                                : t.table->at(t.entry, left));
            }
            if (first || better(v, best)) best = v;
            first = false;
        }
        return best;
    }

    std::string check_distances(const Position& p, std::uint64_t i) {
        budgets_.assign(1, limit_);
        if (limit_) {
            budgets_.push_back(1);
            auto events = [&](const MemoryTable& t, std::uint64_t entry, int cost) {
                if (has_dtz_) budgets_.push_back(t.dtz[entry] + cost);
                auto it = std::lower_bound(t.steps.begin(), t.steps.end(),
                                           ProfileStep{static_cast<std::uint32_t>(entry), 0, 0});
                for (; it != t.steps.end() && it->entry == entry; ++it)
                    for (int around = -1; around <= 0; ++around)
                        budgets_.push_back(it->budget + cost + around);
            };
            events(table_, i, 0);
            bool every = false;
            for (const TurnValue& t : turns_) {
                if (t.table) events(*t.table, t.entry, t.cost);
                every |= t.restricted;
            }
            if (every)
                for (int r = 1; r <= limit_; ++r) budgets_.push_back(r);
            std::sort(budgets_.begin(), budgets_.end());
            budgets_.erase(std::unique(budgets_.begin(), budgets_.end()), budgets_.end());
        }
        for (const int r : budgets_) {
            if (limit_ && (r < 1 || r > limit_)) continue;
            const Value derived = turns_.empty() ? Value{Outcome::loss, 0} : at(r);
            const Value found = table_.at(i, r);
            if (found != derived)
                return fault(p, "value at budget " + std::to_string(r),
                             std::string(to_text(found.outcome)) + " in " + std::to_string(found.dte),
                             std::string(to_text(derived.outcome)) + " in " + std::to_string(derived.dte));
        }
        return {};
    }

    static std::string fault(const Position& p, const std::string& what, const std::string& found,
                             const std::string& expected) {
        return to_text(p) + ": stored " + what + " is " + found + ", derived from its turns " + expected;
    }

    const Ruleset& rules_;
    Subspace subspace_;
    bool has_dtz_, has_dte_;
    const MemoryTable& table_;
    const TableValues& values_;
    int limit_;
    std::vector<TurnValue> turns_;
    std::vector<int> budgets_;
};

} // namespace

VerifyResult verify_subspace(const TableStore& store, Subspace s, const Metrics& metrics, TableCache& tables,
                             const VerifyOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    VerifyResult result;
    result.subspace = s;
    std::vector<Subspace> needed = dependencies(store.rules(), s);
    for (const Subspace g : solve_group(store.rules(), s)) needed.push_back(g);
    const TableValues values(needed, [&](Subspace c) { return tables.get(c); });
    const auto table = tables.get(s);
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
        if (!metrics.has(m)) continue;
        const TableStats found = store.open(s, m).meta().stats;
        if (found != statistics(*table, m, options.threads)) {
            result.fault =
                table_file_name(s, m) + ": the statistics in the header are not those of the values";
            return result;
        }
    }
    std::vector<std::uint64_t> sample;
    const std::uint64_t size = table->index.size();
    if (!options.full && options.sample < size) {
        std::mt19937_64 random(options.seed);
        for (std::uint64_t n = 0; n < options.sample; ++n) sample.push_back(random() % size);
        std::sort(sample.begin(), sample.end());
    }
    const std::uint64_t count = sample.empty() ? size : sample.size();
    constexpr std::uint64_t kChunk = 2048;
    std::mutex mutex;
    std::uint64_t first_fault = ~std::uint64_t{0};
    std::atomic<std::uint64_t> done{0};
    parallel_rows(static_cast<std::uint32_t>((count + kChunk - 1) / kChunk), options.threads, options.stop,
                  [&](std::uint32_t chunk, int thread) {
                      Checker checker(store, s, metrics.dtz, metrics.dte, *table, values);
                      const std::uint64_t from = chunk * kChunk, to = std::min(count, from + kChunk);
                      for (std::uint64_t n = from; n < to; ++n) {
                          const std::uint64_t i = sample.empty() ? n : sample[n];
                          const std::string fault = checker.check(i);
                          if (fault.empty()) continue;
                          const std::lock_guard lock(mutex);
                          if (i < first_fault) {
                              first_fault = i;
                              result.fault = fault;
                          }
                          break;
                      }
                      done += to - from;
                      if (thread == 0 && options.progress) options.progress(s, done, count);
                  });
    result.positions = count;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

std::vector<Subspace> stored_subspaces(const TableStore& store) {
    std::vector<Subspace> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(store.folder(), error)) {
        if (entry.path().extension() != ".wdl") continue;
        try {
            out.push_back(parse_subspace(entry.path().stem().string()));
        } catch (const Error&) {
            throw Error(ErrorCode::corrupt_table, entry.path().string() + ": no subspace has that name");
        }
    }
    if (error)
        throw Error(ErrorCode::missing_table, "no tables in " + store.folder() + ": " + error.message());
    std::sort(out.begin(), out.end(), [](Subspace a, Subspace b) {
        return std::tuple(a.total(), a.reserves(), a) < std::tuple(b.total(), b.reserves(), b);
    });
    return out;
}

std::string check_manifest(const TableStore& store) {
    const std::string path = (fs::path(store.folder()) / "manifest.json").string();
    std::ifstream in(path);
    if (!in) return path + ": missing (a build writes it when it ends)";
    const auto listed = nlohmann::json::parse(in, nullptr, false);
    // What it has to say now. Tables that were built since need not be listed yet.
    const auto there = nlohmann::json::parse(store.manifest());
    if (!listed.is_object() || !listed.contains("tables") || !listed["tables"].is_array())
        return path + ": not a manifest";
    for (const char* key : {"format", "fingerprint"})
        if (!listed.contains(key) || listed[key] != there[key])
            return path + ": " + key + " is not " + there[key].dump() + " (stale manifest?)";
    try {
        if (parse_ruleset(listed.at("ruleset").get<std::string>(), "").fingerprint() !=
            store.rules().fingerprint())
            return path + ": describes another ruleset";
    } catch (const std::exception& e) {
        return path + ": ruleset: " + e.what();
    }
    for (const auto& t : listed["tables"]) {
        if (!t.is_object() || !t.contains("file") || !t["file"].is_string()) return path + ": not a manifest";
        const std::string name = t["file"].get<std::string>();
        const auto same = [&](const nlohmann::json& other) { return other["file"] == t["file"]; };
        const auto found = std::find_if(there["tables"].begin(), there["tables"].end(), same);
        if (found == there["tables"].end()) return path + ": lists " + name + ", which is not there";
        if (*found != t) return path + ": " + name + " is not the file that was listed (stale manifest?)";
    }
    return {};
}

} // namespace mill::builder
