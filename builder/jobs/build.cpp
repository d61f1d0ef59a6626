#include "builder/jobs/build.h"

#include "builder/machine/memory.h"
#include "builder/machine/parallel.h"
#include "builder/solve/solver.h"
#include "builder/tables/file_lock.h"
#include "rules/error.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <set>
#include <thread>

namespace mill::builder {

namespace fs = std::filesystem;

namespace {

std::string gib(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f GiB", static_cast<double>(bytes) / (1 << 30));
    return text;
}

class Build {
public:
    Build(const TableStore& store, const BuildOptions& options, BuildObserver& observer)
        : store_(store), options_(options), observer_(observer),
          cache_(store, {true, needs_dtz(store.rules()), options.metrics.dte}, options.memory,
                 options.threads, options.stop) {}

    void run(const std::vector<PlannedGroup>& plan) {
        store_.make_folder();
        const fs::path locks = fs::path(store_.folder()) / "locks";
        std::error_code error;
        fs::create_directories(locks, error);
        if (error)
            throw Error(ErrorCode::io, "cannot make folder " + locks.string() + ": " + error.message());

        start_threads(options_.threads);
        std::vector<const PlannedGroup*> todo;
        std::size_t there = 0;
        std::uint64_t there_positions = 0;
        for (const PlannedGroup& g : plan)
            if (complete(g)) {
                ++there;
                there_positions += g.positions;
            } else todo.push_back(&g);
        observer_.planned(plan, there, there_positions);
        while (!todo.empty()) {
            std::vector<const PlannedGroup*> later;
            bool progress = false;
            for (const PlannedGroup* g : todo) {
                check_stop();
                if (!children_complete(*g)) {
                    later.push_back(g);
                    continue;
                }
                const FileLock lock((locks / to_text(g->members[0])).string());
                if (!lock.held()) {
                    later.push_back(g);
                    continue;
                }
                progress = true;
                if (complete(*g)) observer_.skipped(*g);
                else build_group(*g, lock);
            }
            if (!progress && !later.empty()) {
                observer_.waiting(group_name(later.front()->members));
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
            }
            todo = std::move(later);
        }
        sweep_leftovers(locks);
        check_all_there(plan);
        write_manifest(locks);
    }

private:
    void check_stop() const {
        if (options_.stop && options_.stop->load()) throw Error(ErrorCode::aborted, "stopped on request");
    }

    bool complete(const PlannedGroup& g) {
        for (const Subspace s : g.members)
            if (!complete_.count(s)) {
                if (!store_.has_all(s, options_.metrics)) return false;
                complete_.insert(s);
            }
        return true;
    }

    bool children_complete(const PlannedGroup& g) {
        for (const Subspace s : g.dependencies)
            if (!complete_.count(s)) {
                if (!store_.has_all(s, options_.metrics)) return false;
                complete_.insert(s);
            }
        return true;
    }

    /// Temporary files that a killed process left; the group's lock is held.
    void sweep(const std::vector<Subspace>& members) const {
        for (const auto& entry : fs::directory_iterator(store_.folder())) {
            const std::string name = entry.path().filename().string();
            for (const Subspace s : members)
                if (name.starts_with(to_text(s) + ".") && name.find(".tmp-") != std::string::npos)
                    fs::remove(entry.path());
        }
    }

    /// The same for groups that nobody builds now: a metric that was being added and is no longer asked for.
    void sweep_leftovers(const fs::path& locks) const {
        std::set<Subspace> left;
        for (const auto& entry : fs::directory_iterator(store_.folder())) {
            const std::string name = entry.path().filename().string();
            if (name.find(".tmp-") == std::string::npos) continue;
            try {
                left.insert(parse_subspace(name.substr(0, name.find('.'))));
            } catch (const Error&) {
                // No table: the manifest's, or somebody else's file.
            }
        }
        for (const Subspace s : left) {
            const std::vector<Subspace> group = solve_group(store_.rules(), s);
            const FileLock lock((locks / to_text(group[0])).string());
            if (lock.held()) sweep(group);
        }
    }

    /// A table that somebody took away since must not look like success.
    void check_all_there(const std::vector<PlannedGroup>& plan) const {
        for (const PlannedGroup& g : plan)
            for (const Subspace s : g.members)
                if (!store_.has_all(s, options_.metrics))
                    throw Error(ErrorCode::io, "the tables of " + to_text(s) + " have vanished from " +
                                                   store_.folder() + " since they were built");
    }

    void build_group(const PlannedGroup& g, const FileLock& lock) {
        using Clock = std::chrono::steady_clock;
        const std::string name = group_name(g.members);
        if (g.memory() > options_.memory)
            throw Error(ErrorCode::out_of_memory, "group " + name + " needs " + gib(g.memory()) +
                                                      " of memory, and " + gib(options_.memory) +
                                                      " may be used: give --memory more, or fewer metrics");
        sweep(g.members);
        observer_.started(g);
        cache_.set_budget(room_for_tables(g));
        SolveOptions solve_options;
        solve_options.threads = options_.threads;
        solve_options.dte = options_.metrics.dte;
        solve_options.stop = options_.stop;
        solve_options.progress = [&](int layer, std::uint64_t decided) {
            observer_.layer(g, layer, decided);
        };
        reset_peak_memory();
        const auto begin = Clock::now();
        const std::clock_t cpu_begin = std::clock();
        double loading = 0;
        const TableSource source = [&](Subspace s) {
            const auto start = Clock::now();
            auto table = cache_.get(s);
            loading += std::chrono::duration<double>(Clock::now() - start).count();
            return table;
        };
        std::vector<MemoryTable> solved = solve(store_.rules(), g.members[0], source, solve_options);
        const auto solved_at = Clock::now();
        observer_.writing(g);
        for (const MemoryTable& t : solved) {
            check_stop();
            // Saving would make the folder again, without the tables that were in it.
            if (!lock.in_place())
                throw Error(ErrorCode::io, "folder " + store_.folder() + " has vanished during the build");
            store_.save(t, options_.metrics, options_.zstd_level, options_.threads, options_.stop);
        }
        SolveRecord r;
        r.subspace = name;
        r.positions = g.positions;
        r.seconds = std::chrono::duration<double>(solved_at - begin).count() - loading;
        r.total_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        r.cpu_seconds = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
        r.peak_memory = peak_memory();
        r.threads = options_.threads;
        r.dte = options_.metrics.dte;
        store_.record(r);
        for (MemoryTable& t : solved) {
            complete_.insert(t.subspace);
            if (!needs_dtz(store_.rules())) {
                t.dtz = {};
                t.steps = std::vector<ProfileStep>(); // `= {}` would keep its memory
            }
            cache_.put(std::make_shared<const MemoryTable>(std::move(t)));
        }
        observer_.finished(g, r);
    }

    /// What a group leaves for tables that are kept, counting memory of this process that nobody else counts:
    /// libraries, stacks, small objects, what the heap did not return.
    std::uint64_t room_for_tables(const PlannedGroup& g) const {
        const std::uint64_t counted = cache_.bytes() + spare_memory(), resident = resident_memory(),
                            taken = g.solve_bytes + (resident > counted ? resident - counted : 0);
        return options_.memory > taken ? options_.memory - taken : 0;
    }

    void write_manifest(const fs::path& locks) const {
        for (;;) {
            check_stop();
            const FileLock lock((locks / "manifest").string());
            if (lock.held()) {
                for (const auto& entry : fs::directory_iterator(store_.folder()))
                    if (entry.path().filename().string().starts_with("manifest.json.tmp-"))
                        fs::remove(entry.path());
                store_.write_manifest();
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

    const TableStore& store_;
    const BuildOptions& options_;
    BuildObserver& observer_;
    TableCache cache_;
    std::set<Subspace> complete_;
};

} // namespace

void build(const TableStore& store, const std::vector<PlannedGroup>& plan, const BuildOptions& options,
           BuildObserver& observer) {
    Build(store, options, observer).run(plan);
}

} // namespace mill::builder
