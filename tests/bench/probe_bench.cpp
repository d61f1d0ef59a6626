// How fast probes are: Google Benchmark over real tables.
//
//     probe_bench DIRECTORY RULESET SUBSPACE [Google Benchmark options]
//     probe_bench tables lg9 6-6+0-0 --benchmark_filter=Warm
//
// Warm: blocks are in the cache. Cold: they are not (a cache of nothing), but in the page cache of the system; the
// distribution over single probes is printed as counters in microseconds.
#include "millprobe.h"

#include "probe/tables/answers.h"
#include "rules/text.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace mill;

struct Setting {
    std::string directory, ruleset;
    Subspace subspace;
    mp_tables* tables = nullptr;
    std::vector<mp_position> positions; ///< random, counter 0
};
Setting setting;

void check(int status, const mp_error& error) {
    if (status >= 0) return;
    std::fprintf(stderr, "probe_bench: %s: %s\n", mp_strerror(status), error.text);
    std::exit(3);
}

/// `few`: positions of some neighbouring blocks, which fit any cache.
std::vector<mp_position> random_positions(std::size_t n, bool few) {
    std::mt19937_64 random(1);
    const SubspaceIndex index(setting.subspace);
    const std::uint64_t range =
        few ? std::min<std::uint64_t>(index.size(), std::uint64_t{1} << 20) : index.size();
    std::vector<mp_position> out;
    while (out.size() < n) {
        const auto [own, opp] = index.position(random() % range);
        mp_position p{};
        p.stones[0] = own;
        p.stones[1] = opp;
        p.reserve[0] = setting.subspace.own_reserve;
        p.reserve[1] = setting.subspace.opp_reserve;
        p.restriction[0][0] = p.restriction[0][1] = p.restriction[1][0] = p.restriction[1][1] = -1;
        mp_result r = MP_INIT(mp_result);
        if (mp_probe(setting.tables, &p, MP_OUTCOME, &r, nullptr) == MP_OK && r.ends == MP_OPEN)
            out.push_back(p);
    }
    return out;
}

void warm(benchmark::State& state, std::uint32_t fields) {
    static const std::vector<mp_position> positions = random_positions(4096, true);
    mp_error error = MP_INIT(mp_error);
    check(mp_set_cache_size(setting.tables, std::uint64_t{1} << 30, &error), error);
    mp_result r = MP_INIT(mp_result);
    for (const mp_position& p : positions) check(mp_probe(setting.tables, &p, fields, &r, &error), error);
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            mp_probe(setting.tables, &positions[i++ % positions.size()], fields, &r, nullptr));
    }
    state.SetItemsProcessed(state.iterations());
}
void WarmOutcome(benchmark::State& state) { warm(state, MP_OUTCOME); }
void WarmAll(benchmark::State& state) { warm(state, MP_ALL); }
BENCHMARK(WarmOutcome)->ThreadRange(1, 4);
BENCHMARK(WarmAll)->ThreadRange(1, 4);

void WarmSoft(benchmark::State& state) {
    const std::vector<mp_position> positions = random_positions(4096, true);
    mp_result r = MP_INIT(mp_result);
    std::size_t i = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(
            mp_probe_soft(setting.tables, &positions[i++ % positions.size()], MP_OUTCOME, &r, nullptr));
}
BENCHMARK(WarmSoft);

void WarmMany(benchmark::State& state) {
    const std::vector<mp_position> positions = random_positions(65536, true);
    std::vector<mp_result> results(positions.size());
    results[0].struct_size = sizeof(mp_result);
    mp_error error = MP_INIT(mp_error);
    for (auto _ : state)
        check(mp_probe_many(setting.tables, positions.data(), positions.size(), MP_OUTCOME, results.data(),
                            &error),
              error);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(WarmMany)->Unit(benchmark::kMillisecond);

/// Times each call on its own and reports percentiles.
template <class Call>
void cold(benchmark::State& state, const std::vector<mp_position>& positions, Call&& call) {
    mp_error error = MP_INIT(mp_error);
    for (const mp_position& p : positions) call(p); // page cache, file opening
    std::vector<double> times;
    std::size_t i = 0;
    for (auto _ : state) {
        check(mp_set_cache_size(setting.tables, 0, &error), error);
        check(mp_set_cache_size(setting.tables, std::uint64_t{64} << 20, &error), error);
        const auto begin = std::chrono::steady_clock::now();
        call(positions[i++ % positions.size()]);
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        state.SetIterationTime(times.back());
    }
    std::sort(times.begin(), times.end());
    state.counters["p50_us"] = 1e6 * times[times.size() / 2];
    state.counters["p99_us"] = 1e6 * times[times.size() * 99 / 100];
}
void cold_probe(benchmark::State& state, std::uint32_t fields) {
    cold(state, setting.positions, [fields](const mp_position& p) {
        mp_error error = MP_INIT(mp_error);
        mp_result r = MP_INIT(mp_result);
        check(mp_probe(setting.tables, &p, fields, &r, &error), error);
    });
}
void cold_ranking(benchmark::State& state, std::uint32_t fields) {
    cold(state, setting.positions, [fields](const mp_position& p) {
        static std::vector<mp_ranked_turn> turns(MP_MAX_TURNS);
        mp_error error = MP_INIT(mp_error);
        std::size_t count = turns.size();
        check(mp_rank_turns(setting.tables, &p, fields, turns.data(), &count, &error), error);
    });
}
void ColdOutcome(benchmark::State& state) { cold_probe(state, MP_OUTCOME); }
void ColdAll(benchmark::State& state) { cold_probe(state, MP_ALL); }
void ColdRankingOutcome(benchmark::State& state) { cold_ranking(state, MP_OUTCOME); }
void ColdRankingAll(benchmark::State& state) { cold_ranking(state, MP_ALL); }
BENCHMARK(ColdOutcome)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(ColdAll)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(ColdRankingOutcome)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(ColdRankingAll)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// Memory that is the process's own (not the system's page cache), MiB.
double own_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "RssAnon:") {
            double kib = 0;
            status >> kib;
            return kib / 1024;
        }
    return 0;
}

/// Random positions of every subspace of the directory, with a cache of 64 MiB: what memory is held.
void AllSubspaces(benchmark::State& state) {
    std::vector<Subspace> subspaces;
    mp_list_files(
        setting.tables,
        [](const mp_file* file, void* to) {
            if (file->status == MP_OK && std::string_view(file->metric) == "wdl")
                static_cast<std::vector<Subspace>*>(to)->push_back(parse_subspace(file->subspace));
        },
        &subspaces, nullptr);
    mp_error error = MP_INIT(mp_error);
    check(mp_set_cache_size(setting.tables, 0, &error), error);
    const double before = own_memory();
    check(mp_set_cache_size(setting.tables, std::uint64_t{64} << 20, &error), error);
    std::mt19937_64 random(7);
    double most = 0;
    for (auto _ : state)
        for (const Subspace s : subspaces)
            for (int n = 0; n < 20; ++n) {
                const SubspaceIndex index(s);
                const auto [own, opp] = index.position(random() % index.size());
                mp_position p{};
                p.stones[0] = own;
                p.stones[1] = opp;
                p.reserve[0] = s.own_reserve;
                p.reserve[1] = s.opp_reserve;
                p.restriction[0][0] = p.restriction[0][1] = p.restriction[1][0] = p.restriction[1][1] = -1;
                mp_result r = MP_INIT(mp_result);
                check(mp_probe(setting.tables, &p, MP_ALL, &r, &error), error);
                if (n == 0) most = std::max(most, own_memory());
            }
    state.counters["subspaces"] = static_cast<double>(subspaces.size());
    state.counters["MiB_before"] = before;
    state.counters["MiB_most"] = most;
}
BENCHMARK(AllSubspaces)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc != 4) {
        std::fprintf(stderr, "usage: probe_bench DIRECTORY RULESET SUBSPACE [--benchmark_...]\n");
        return 2;
    }
    setting.directory = argv[1];
    setting.ruleset = argv[2];
    setting.subspace = parse_subspace(argv[3]);
    mp_error error = MP_INIT(mp_error);
    check(mp_open(argv[2], nullptr, &setting.tables, &error), error);
    check(mp_add_directory(setting.tables, argv[1], nullptr, &error), error);
    setting.positions = random_positions(2000, false);
    benchmark::RunSpecifiedBenchmarks();
    mp_close(setting.tables);
    return 0;
}
