#include "builder/check/verify.h"

#include "builder/check/checker.h"
#include "builder/check/derive.h"
#include "builder/machine/parallel.h"
#include "probe/index/bits.h"
#include "probe/index/turn_classes.h"
#include "probe/tables/half_set.h"
#include "probe/tables/small_file.h"
#include "rules/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <random>

namespace mill::builder {

namespace fs = std::filesystem;

namespace {

/// Goes through the numbers of an index; the next number of a row costs less than any other.
class Walk {
public:
    explicit Walk(const SubspaceIndex& index) : index_(index) {}
    /// Row set and other set of a number.
    std::pair<Stones, Stones> operator()(std::uint64_t number) {
        if (number == at_ + 1 && number % index_.row_size() != 0 && packed_ != 0) {
            // The next set of that size in ascending order.
            const Stones low = packed_ & (~packed_ + 1), ripple = packed_ + low;
            packed_ = ripple | ((packed_ ^ ripple) >> (2 + std::countr_zero(low)));
        } else {
            const auto [row, other] = index_.position(number);
            row_ = row;
            packed_ = extract_portable(other, kAllPoints & ~row);
        }
        at_ = number;
        return {row_, deposit_portable(packed_, kAllPoints & ~row_)};
    }

private:
    const SubspaceIndex& index_;
    std::uint64_t at_ = ~std::uint64_t{0} - 1; ///< number whose sets these are
    Stones row_ = 0, packed_ = 0;
};

/// The tables that values are derived from: stored, or left out by a half set and made again.
class Children {
public:
    Children(const TableStore& store, const Metrics& metrics, TableCache& tables,
             const VerifyOptions& options)
        : store_(store), half_(store.rules()), metrics_(metrics), tables_(tables), options_(options) {}

    /// Throws Error(missing_table).
    std::shared_ptr<const MemoryTable> get(Subspace s) const {
        if (!left_out(s)) return tables_.get(s);
        if (auto table = tables_.find(s)) return table;
        if (lacks_depths(s))
            throw Error(ErrorCode::missing_table, "no table " + table_file_name(s, Metric::dtz) +
                                                      ", nor depths from which its values follow");
        std::vector<Subspace> needed = dependencies(store_.rules(), s);
        for (const Subspace g : solve_group(store_.rules(), s)) needed.push_back(g);
        const TableValues values(needed, [this](Subspace c) { return get(c); });
        auto table = std::make_shared<const MemoryTable>(
            derive_table(store_.rules(), s, metrics_, values, options_.threads, options_.stop));
        tables_.put(table);
        return table;
    }

    /// A table that there is no way to have and that the turns of s lead to, or an empty text. Makes again what is
    /// to be had so: on all threads, as it would not be when first asked for.
    std::string missing(Subspace s) const {
        const TurnClasses turns(store_.rules(), s);
        std::vector<Subspace> next = turns.children();
        if (turns.moves) next.push_back(s.mirrored());
        for (const Subspace c : next) {
            if (store_.has(c, Metric::wdl)) continue;
            if (!half_.leaves_out(c)) return table_file_name(c, Metric::wdl);
            if (lacks_depths(c)) return table_file_name(c, Metric::dtz);
            if (std::string deeper = missing(c); !deeper.empty()) return deeper;
            made_.push_back(get(c));
        }
        return {};
    }

private:
    /// Its values depend on some below the full budget, and nobody knows those.
    bool lacks_depths(Subspace s) const {
        return !metrics_.dtz && TurnClasses(store_.rules(), s).reads_depths();
    }
    bool left_out(Subspace s) const { return half_.leaves_out(s) && !store_.has(s, Metric::wdl); }

    const TableStore& store_;
    HalfSet half_;
    const Metrics& metrics_;
    TableCache& tables_;
    const VerifyOptions& options_;
    mutable std::vector<std::shared_ptr<const MemoryTable>> made_; ///< kept as long as they are needed
};

/// The search for the first faulty entry of a table.
class Search {
public:
    Search(const Ruleset& rules, const Metrics& metrics, const MemoryTable& table, const TableValues& values,
           const VerifyOptions& options)
        : rules_(rules), metrics_(metrics), table_(table), values_(values), options_(options),
          all_(table.index.size()) {}

    /// All positions, in the order of the waiting side's sets: what the turns of one set's positions lead to lies
    /// in few rows of other tables, which stay in the processor's cache. Positions with equal images are found
    /// once that way, so the entries of symmetric rows follow, each for itself.
    void everything() {
        const SubspaceIndex other(table_.subspace.mirrored());
        run(
            other.size(),
            [&](Walk& walk, std::uint64_t n) {
                const auto [opp, own] = walk(n);
                return Place{own, opp, table_.index.index(own, opp)};
            },
            other);
        const OrbitTable& orbits = table_.index.orbits();
        std::vector<std::uint32_t> symmetric;
        for (std::uint32_t row = 0; row < orbits.count(); ++row)
            if (orbits.stabiliser(row) != 1) symmetric.push_back(row);
        const std::uint64_t size = table_.index.row_size();
        run(
            symmetric.size() * size,
            [&](Walk& walk, std::uint64_t n) {
                return entry_of(walk, symmetric[n / size] * size + n % size);
            },
            table_.index);
        checked_ = all_;
    }

    void sample() {
        std::mt19937_64 random(options_.seed);
        std::vector<std::uint64_t> entries;
        for (std::uint64_t n = 0; n < options_.sample; ++n) entries.push_back(random() % all_);
        std::sort(entries.begin(), entries.end());
        all_ = checked_ = entries.size();
        run(
            entries.size(), [&](Walk& walk, std::uint64_t n) { return entry_of(walk, entries[n]); },
            table_.index);
    }

    std::uint64_t positions() const { return checked_; }
    const std::string& fault() const { return fault_; }

private:
    struct Place {
        Stones own, opp;
        std::uint64_t entry;
    };

    static Place entry_of(Walk& walk, std::uint64_t entry) {
        const auto [own, opp] = walk(entry);
        return {own, opp, entry};
    }

    /// Checks place(walk, n) for all n < count.
    template <class PlaceOf>
    void run(std::uint64_t count, const PlaceOf& place_of, const SubspaceIndex& walked) {
        constexpr std::uint64_t kChunk = 2048;
        parallel_rows(static_cast<std::uint32_t>((count + kChunk - 1) / kChunk), options_.threads,
                      options_.stop, [&](std::uint32_t chunk, int thread) {
                          const std::uint64_t from = chunk * kChunk, to = std::min(count, from + kChunk);
                          Walk walk(walked);
                          Checker checker(rules_, metrics_.dtz, metrics_.dte, table_, values_);
                          for (std::uint64_t begin = from; begin < to; begin += Checker::kSlots) {
                              const std::uint64_t n = std::min<std::uint64_t>(Checker::kSlots, to - begin);
                              for (std::uint64_t k = 0; k < n; ++k) {
                                  const Place p = place_of(walk, begin + k);
                                  checker.prepare(k, p.own, p.opp, p.entry);
                              }
                              for (std::uint64_t k = 0; k < n; ++k) note(checker.entry(k), checker.check(k));
                          }
                          done_ += to - from;
                          if (thread == 0 && options_.progress)
                              options_.progress(table_.subspace, std::min(done_.load(), all_), all_);
                      });
    }

    /// Keeps the first fault: results do not depend on threads.
    void note(std::uint64_t entry, const std::string& fault) {
        if (fault.empty()) return;
        const std::lock_guard lock(mutex_);
        if (entry >= first_) return;
        first_ = entry;
        fault_ = fault;
    }

    const Ruleset& rules_;
    const Metrics& metrics_;
    const MemoryTable& table_;
    const TableValues& values_;
    const VerifyOptions& options_;
    std::uint64_t all_, checked_ = 0;
    std::atomic<std::uint64_t> done_{0};
    std::mutex mutex_;
    std::uint64_t first_ = ~std::uint64_t{0};
    std::string fault_;
};

} // namespace

VerifyResult verify_subspace(const TableStore& store, Subspace s, const Metrics& metrics, TableCache& tables,
                             const VerifyOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    VerifyResult result;
    result.subspace = s;
    std::vector<Subspace> needed = dependencies(store.rules(), s);
    for (const Subspace g : solve_group(store.rules(), s)) needed.push_back(g);
    const Children children(store, metrics, tables, options);
    const TableValues values(needed, [&](Subspace c) { return children.get(c); });
    const auto table = tables.get(s);
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
        if (!metrics.has(m)) continue;
        const TableMeta meta = store.open(s, m).meta();
        if (m == Metric::dte && metrics.dtz && meta.step_count != table->steps.size()) {
            result.fault = table_file_name(s, m) + ": the header does not count the profile steps right";
            return result;
        }
        if (meta.stats != statistics(*table, m, options.threads, options.stop)) {
            result.fault =
                table_file_name(s, m) + ": the statistics in the header are not those of the values";
            return result;
        }
    }
    if (!metrics.dtz && TurnClasses(store.rules(), s).reads_depths()) {
        result.missing = table_file_name(s, Metric::dtz);
        return result;
    }
    result.missing = children.missing(s);
    if (!result.missing.empty()) return result;
    Search search(store.rules(), metrics, *table, values, options);
    if (!options.full && options.sample < table->index.size()) search.sample();
    else search.everything();
    result.positions = search.positions();
    result.fault = search.fault();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
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
        throw Error(error == std::errc::no_such_file_or_directory ? ErrorCode::missing_table : ErrorCode::io,
                    "no tables in " + store.folder() + ": " + error.message());
    std::sort(out.begin(), out.end(), [](Subspace a, Subspace b) {
        return std::tuple(a.total(), a.reserves(), a) < std::tuple(b.total(), b.reserves(), b);
    });
    return out;
}

std::string check_manifest(const TableStore& store) {
    const std::string path = (fs::path(store.folder()) / "manifest.json").string();
    std::string text;
    try {
        text = read_small_file(path, kLongestManifest);
    } catch (const Error& e) {
        if (e.code() == ErrorCode::missing_table) return path + ": missing (a build writes it when it ends)";
        return path + ": " + e.what();
    }
    const auto listed = nlohmann::json::parse(text, nullptr, false);
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
