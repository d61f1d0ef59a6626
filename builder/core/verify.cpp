#include "mill/builder/verify.h"

#include "mill/builder/checker.h"
#include "mill/builder/parallel.h"
#include "mill/error.h"
#include "mill/probe/turn_classes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

namespace mill::builder {

namespace fs = std::filesystem;

VerifyResult verify_subspace(const TableStore& store, Subspace s, const Metrics& metrics, TableCache& tables,
                             const VerifyOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    VerifyResult result;
    result.subspace = s;
    std::vector<Subspace> needed = dependencies(store.rules(), s);
    for (const Subspace g : solve_group(store.rules(), s)) needed.push_back(g);
    const TableValues values(needed, [&](Subspace c) { return tables.get(c); });
    const auto table = tables.get(s);
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
        if (!metrics.has(m)) continue;
        const TableMeta meta = store.open(s, m).meta();
        if (m == Metric::dte && meta.step_count != table->steps.size()) {
            result.fault = table_file_name(s, m) + ": the header does not count the profile steps right";
            return result;
        }
        if (meta.stats != statistics(*table, m, options.threads, options.stop)) {
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
                      Checker checker(store.rules(), metrics.dtz, metrics.dte, *table, values);
                      const std::uint64_t from = chunk * kChunk, to = std::min(count, from + kChunk);
                      for (std::uint64_t begin = from; begin < to; begin += Checker::kSlots) {
                          const std::uint64_t n = std::min<std::uint64_t>(Checker::kSlots, to - begin);
                          const auto entry = [&](std::uint64_t k) {
                              return sample.empty() ? begin + k : sample[begin + k];
                          };
                          for (std::uint64_t k = 0; k < n; ++k) checker.prepare(k, entry(k));
                          std::string fault;
                          std::uint64_t k = 0;
                          while (k < n && (fault = checker.check(k)).empty()) ++k;
                          if (fault.empty()) continue;
                          const std::lock_guard lock(mutex);
                          if (entry(k) < first_fault) {
                              first_fault = entry(k);
                              result.fault = fault;
                          }
                          break;
                      }
                      done += to - from;
                      if (thread == 0 && options.progress) options.progress(s, done, count);
                  });
    result.positions = count;
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
