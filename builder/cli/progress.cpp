#include "builder/cli/progress.h"

#include "builder/cli/options.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace mill::builder::cli {

namespace {

using builder::BuildObserver;
using builder::PlannedGroup;
using builder::SolveRecord;

/// Counts for all kinds: entries done and to do, and the time left at the rate so far.
class Counting : public BuildObserver {
public:
    void planned(const std::vector<PlannedGroup>& plan, std::size_t finished,
                 std::uint64_t finished_positions) override {
        for (const PlannedGroup& g : plan) all_ += g.positions;
        groups_ = plan.size();
        done_groups_ = finished;
        done_ = finished_positions;
        begin_ = Clock::now();
    }
    void finished(const PlannedGroup& g, const SolveRecord&) override { count(g, true); }
    void skipped(const PlannedGroup& g) override { count(g, false); }

protected:
    using Clock = std::chrono::steady_clock;
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    double rate() const { return elapsed() > 0 ? static_cast<double>(built_) / elapsed() : 0; }
    double left() const { return rate() > 0 ? static_cast<double>(all_ - done_) / rate() : -1; }

    std::uint64_t all_ = 0, done_ = 0, built_ = 0;
    std::size_t groups_ = 0, done_groups_ = 0;
    Clock::time_point begin_ = Clock::now();

private:
    void count(const PlannedGroup& g, bool built) {
        done_ += g.positions;
        if (built) built_ += g.positions;
        ++done_groups_;
    }
};

class Plain : public Counting {
public:
    void planned(const std::vector<PlannedGroup>& plan, std::size_t finished,
                 std::uint64_t positions) override {
        Counting::planned(plan, finished, positions);
        std::fprintf(stderr, "%zu groups, %s positions; %zu groups are there already\n", groups_,
                     readable_count(static_cast<double>(all_)).c_str(), finished);
    }
    void finished(const PlannedGroup& g, const SolveRecord& r) override {
        Counting::finished(g, r);
        std::fprintf(
            stderr,
            "[%zu/%zu] %s: %s positions in %s (solving %s, %s positions/s per thread); %.1f %%, left %s\n",
            done_groups_, groups_, builder::group_name(g.members).c_str(),
            readable_count(static_cast<double>(g.positions)).c_str(), readable_time(r.total_seconds).c_str(),
            readable_time(r.seconds).c_str(),
            readable_count(static_cast<double>(g.positions) / r.seconds / r.threads).c_str(),
            100.0 * static_cast<double>(done_) / static_cast<double>(all_),
            left() < 0 ? "?" : readable_time(left()).c_str());
    }
    void waiting(const std::string& group) override {
        if (waited_ != group) std::fprintf(stderr, "waiting for another process: %s\n", group.c_str());
        waited_ = group;
    }

private:
    std::string waited_;
};

class Bar : public Counting {
public:
    ~Bar() override {
        if (drawn_) std::fprintf(stderr, "\r\033[K");
    }
    void started(const PlannedGroup& g) override { draw(builder::group_name(g.members), 0, 0); }
    void layer(const PlannedGroup& g, int layer, std::uint64_t) override {
        draw(builder::group_name(g.members) + " ply " + std::to_string(layer), 0, 0.2);
    }
    void writing(const PlannedGroup& g) override { draw(builder::group_name(g.members) + " writing", 0, 0); }
    void finished(const PlannedGroup& g, const SolveRecord& r) override {
        Counting::finished(g, r);
        draw(builder::group_name(g.members), 0, 0);
    }
    void waiting(const std::string& group) override { draw(group + " (another process)", 0, 0.5); }

private:
    void draw(const std::string& what, std::uint64_t, double at_least_every) {
        const double now = elapsed();
        if (drawn_ && now - last_ < at_least_every) return;
        last_ = now;
        drawn_ = true;
        const double part = all_ ? static_cast<double>(done_) / static_cast<double>(all_) : 1;
        constexpr int kWidth = 30;
        std::string bar(static_cast<std::size_t>(part * kWidth), '#');
        bar.resize(kWidth, '.');
        std::fprintf(stderr, "\r\033[K[%s] %5.1f %%  %zu/%zu groups  %s/s  left %s  %s", bar.c_str(),
                     100 * part, done_groups_, groups_, readable_count(rate()).c_str(),
                     left() < 0 ? "?" : readable_time(left()).c_str(), what.c_str());
        std::fflush(stderr);
    }
    bool drawn_ = false;
    double last_ = 0;
};

class JsonLines : public Counting {
public:
    void planned(const std::vector<PlannedGroup>& plan, std::size_t finished,
                 std::uint64_t positions) override {
        Counting::planned(plan, finished, positions);
        say({{"event", "planned"},
             {"groups", groups_},
             {"positions", all_},
             {"finished_groups", finished},
             {"finished_positions", positions}});
    }
    void started(const PlannedGroup& g) override {
        say({{"event", "started"},
             {"group", builder::group_name(g.members)},
             {"positions", g.positions},
             {"memory", g.memory()}});
    }
    void layer(const PlannedGroup& g, int layer, std::uint64_t decided) override {
        say({{"event", "layer"},
             {"group", builder::group_name(g.members)},
             {"layer", layer},
             {"decided", decided}});
    }
    void writing(const PlannedGroup& g) override {
        say({{"event", "writing"}, {"group", builder::group_name(g.members)}});
    }
    void finished(const PlannedGroup& g, const SolveRecord& r) override {
        Counting::finished(g, r);
        Json line = {{"event", "finished"},
                     {"group", r.subspace},
                     {"positions", r.positions},
                     {"solve_seconds", r.seconds},
                     {"total_seconds", r.total_seconds},
                     {"threads", r.threads},
                     {"peak_memory", r.peak_memory},
                     {"done_positions", done_},
                     {"all_positions", all_}};
        line["seconds_left"] = left() < 0 ? Json(nullptr) : Json(left());
        say(line);
    }
    void skipped(const PlannedGroup& g) override {
        Counting::skipped(g);
        say({{"event", "skipped"}, {"group", builder::group_name(g.members)}});
    }
    void waiting(const std::string& group) override {
        if (waited_ != group) say({{"event", "waiting"}, {"group", group}});
        waited_ = group;
    }

private:
    static void say(const Json& line) { std::cout << line.dump() << std::endl; }
    std::string waited_;
};

} // namespace

std::unique_ptr<BuildObserver> make_progress(const std::string& mode) {
    if (mode == "json") return std::make_unique<JsonLines>();
    if (mode == "bar" || (mode == "auto" && isatty(STDERR_FILENO))) return std::make_unique<Bar>();
    if (mode == "plain" || mode == "auto") return std::make_unique<Plain>();
    if (mode == "none") return std::make_unique<BuildObserver>();
    throw UsageError("--progress " + mode + ": expected auto, bar, plain, json or none");
}

} // namespace mill::builder::cli
