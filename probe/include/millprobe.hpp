// millprobe in C++17: a header-only wrapper of millprobe.h. Handles close themselves, errors are exceptions.
//
//     millprobe::Tables tables("lg9");
//     tables.add_directory("tables");
//     const auto p = tables.parse("3/3/2W/B1W3/1W1/2B/B2 w 0,0");
//     const millprobe::Result r = tables.probe(p);
//     for (const auto& t : tables.rank_turns(p)) show(millprobe::text(t.turn));
//
// A Tables may be used by many threads at once, except while it is moved or destroyed.
#pragma once

#include "millprobe.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace millprobe {

using Position = mp_position;
using Turn = mp_turn;
using RankedTurn = mp_ranked_turn;
using CacheStats = mp_cache_stats;

/// A call that failed. status() is one of mp_status.
class Error : public std::runtime_error {
public:
    Error(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
    int status() const noexcept { return status_; }

private:
    int status_;
};

namespace detail {

/// Calls fn(mp_error*); throws if it returns a negative status.
template <class Fn> int check(Fn&& fn) {
    mp_error error = mp_init<mp_error>();
    const int status = fn(&error);
    if (status < 0) throw Error(status, error.text[0] ? error.text : mp_strerror(status));
    return status;
}

/// Runs a callback whose exceptions must not pass through C; they are thrown again afterwards.
template <class Fn> bool guarded(std::exception_ptr& failure, Fn&& fn) noexcept {
    try {
        fn();
        return true;
    } catch (...) {
        failure = std::current_exception();
        return false;
    }
}

} // namespace detail

/// Value of a position. Distances are empty for draws and without their table.
struct Result {
    int outcome = MP_DRAW; ///< MP_WIN, MP_DRAW or MP_LOSS
    std::optional<int> dtz, dte;
    int ends = MP_OPEN; ///< why the game is over, if it is
};

struct File {
    std::string path, subspace, metric;
    std::uint64_t bytes = 0;
    int status = MP_OK;
    std::string reason; ///< why it was refused
};

inline std::string text(const Position& p) {
    char buffer[MP_TEXT_SIZE];
    detail::check([&](mp_error* e) { return mp_position_text(&p, buffer, sizeof buffer, e); });
    return buffer;
}
inline std::string text(const Turn& t) {
    char buffer[MP_TEXT_SIZE];
    detail::check([&](mp_error* e) { return mp_turn_text(&t, buffer, sizeof buffer, e); });
    return buffer;
}
inline std::string subspace(const Position& p) {
    char buffer[MP_TEXT_SIZE];
    detail::check([&](mp_error* e) { return mp_subspace_text(&p, buffer, sizeof buffer, e); });
    return buffer;
}
inline Turn parse_turn(const std::string& turn) {
    Turn t{};
    detail::check([&](mp_error* e) { return mp_parse_turn(turn.c_str(), &t, e); });
    return t;
}

/// The tables of one ruleset.
class Tables {
public:
    /// See mp_open().
    explicit Tables(const std::string& ruleset, std::uint64_t cache_bytes = 0, std::uint32_t flags = 0) {
        mp_options options = mp_init<mp_options>();
        options.cache_bytes = cache_bytes;
        options.flags = flags;
        mp_tables* handle = nullptr;
        detail::check([&](mp_error* e) { return mp_open(ruleset.c_str(), &options, &handle, e); });
        handle_.reset(handle);
    }

    mp_tables* get() const noexcept { return handle_.get(); }
    std::string ruleset() const { return mp_ruleset_name(get()); }
    std::uint64_t fingerprint() const { return mp_fingerprint(get()); }

    /// What was found and what was refused.
    std::vector<File> add_directory(const std::string& path) {
        Files files;
        mp_directory_report report = mp_init<mp_directory_report>();
        report.callback = &Files::take;
        report.user = &files;
        detail::check([&](mp_error* e) { return mp_add_directory(get(), path.c_str(), &report, e); });
        return files.result();
    }
    /// `bytes` must outlive this object.
    void add_memory(const void* bytes, std::size_t size, const std::string& name = "memory") {
        detail::check([&](mp_error* e) { return mp_add_memory(get(), bytes, size, name.c_str(), e); });
    }
    std::vector<File> files() const {
        Files files;
        detail::check([&](mp_error* e) { return mp_list_files(get(), &Files::take, &files, e); });
        return files.result();
    }

    Position start() const {
        Position p{};
        detail::check([&](mp_error* e) { return mp_start(get(), &p, e); });
        return p;
    }
    Position parse(const std::string& position) const {
        Position p{};
        detail::check([&](mp_error* e) { return mp_parse_position(get(), position.c_str(), &p, e); });
        return p;
    }
    Position play(const Position& p, const Turn& t) const {
        Position after{};
        detail::check([&](mp_error* e) { return mp_play(get(), &p, &t, &after, e); });
        return after;
    }

    Result probe(const Position& p, std::uint32_t fields = MP_ALL) const {
        mp_result r = mp_init<mp_result>();
        detail::check([&](mp_error* e) { return mp_probe(get(), &p, fields, &r, e); });
        return from_c(r);
    }
    /// Nothing if the answer is not in the cache.
    std::optional<Result> probe_soft(const Position& p, std::uint32_t fields = MP_OUTCOME) const {
        mp_result r = mp_init<mp_result>();
        if (mp_probe_soft(get(), &p, fields, &r, nullptr) == MP_OK) return from_c(r);
        mp_error error = mp_init<mp_error>();
        const int status = mp_probe_soft(get(), &p, fields, &r, &error); // once more, for the message
        if (status == MP_OK) return from_c(r);
        if (status == MP_NOT_CACHED) return std::nullopt;
        throw Error(status, error.text);
    }
    /// One result per position; throws for the first position that has none.
    std::vector<Result> probe_many(const std::vector<Position>& positions,
                                   std::uint32_t fields = MP_ALL) const {
        std::vector<mp_result> results(positions.size(), mp_init<mp_result>());
        detail::check([&](mp_error* e) {
            return mp_probe_many(get(), positions.data(), positions.size(), fields, results.data(), e);
        });
        std::vector<Result> out;
        out.reserve(results.size());
        for (const mp_result& r : results) out.push_back(from_c(r));
        return out;
    }
    void prefetch(const Position& p, std::uint32_t fields = MP_ALL) const {
        detail::check([&](mp_error* e) { return mp_prefetch(get(), &p, fields, e); });
    }

    /// Best first; empty where the game is over.
    std::vector<RankedTurn> rank_turns(const Position& p, std::uint32_t fields = MP_ALL) const {
        std::vector<RankedTurn> turns(MP_MAX_TURNS);
        std::size_t count = turns.size();
        detail::check([&](mp_error* e) { return mp_rank_turns(get(), &p, fields, turns.data(), &count, e); });
        turns.resize(count);
        return turns;
    }
    std::vector<Turn> best_line(const Position& p) const {
        std::vector<Turn> turns(1024);
        std::size_t count = turns.size();
        detail::check([&](mp_error* e) { return mp_best_line(get(), &p, turns.data(), &count, e); });
        if (count > turns.size()) {
            turns.resize(count);
            detail::check([&](mp_error* e) { return mp_best_line(get(), &p, turns.data(), &count, e); });
        }
        turns.resize(count);
        return turns;
    }
    /// (budget, DTE) where it changes.
    std::vector<std::pair<int, int>> profile(const Position& p) const {
        mp_profile_step steps[256];
        std::size_t count = 256;
        detail::check([&](mp_error* e) { return mp_profile(get(), &p, steps, &count, e); });
        std::vector<std::pair<int, int>> out;
        for (std::size_t i = 0; i < count; ++i) out.emplace_back(steps[i].budget, steps[i].dte);
        return out;
    }
    std::vector<std::string> missing(const Position& p) const {
        struct Names {
            std::vector<std::string> list;
            std::exception_ptr failure;
            static void take(const char* subspace, void* user) {
                auto* names = static_cast<Names*>(user);
                detail::guarded(names->failure, [&] { names->list.emplace_back(subspace); });
            }
        } names;
        detail::check([&](mp_error* e) { return mp_missing(get(), &p, &Names::take, &names, e); });
        if (names.failure) std::rethrow_exception(names.failure);
        return names.list;
    }

    void set_cache_size(std::uint64_t bytes) {
        detail::check([&](mp_error* e) { return mp_set_cache_size(get(), bytes, e); });
    }
    CacheStats cache_stats() const {
        CacheStats stats = mp_init<mp_cache_stats>();
        detail::check([&](mp_error* e) { return mp_get_cache_stats(get(), &stats, e); });
        return stats;
    }
    /// Checks every block; `progress` returns false to stop, which throws MP_ABORTED.
    void verify(const std::function<bool(const mp_progress&)>& progress = {}) const {
        struct State {
            const std::function<bool(const mp_progress&)>* progress;
            std::exception_ptr failure;
            static int step(const mp_progress* at, void* user) {
                auto* state = static_cast<State*>(user);
                bool on = true;
                if (*state->progress &&
                    !detail::guarded(state->failure, [&] { on = (*state->progress)(*at); }))
                    return 1;
                return on ? 0 : 1;
            }
        } state{&progress, nullptr};
        try {
            detail::check([&](mp_error* e) { return mp_verify(get(), &State::step, &state, e); });
        } catch (const Error&) {
            if (state.failure) std::rethrow_exception(state.failure);
            throw;
        }
    }

private:
    struct Close {
        void operator()(mp_tables* t) const { mp_close(t); }
    };
    struct Files {
        std::vector<File> list;
        std::exception_ptr failure;
        static void take(const mp_file* f, void* user) {
            auto* files = static_cast<Files*>(user);
            detail::guarded(files->failure, [&] {
                files->list.push_back({f->path, f->subspace, f->metric, f->bytes, f->status, f->reason});
            });
        }
        std::vector<File> result() {
            if (failure) std::rethrow_exception(failure);
            return std::move(list);
        }
    };
    static Result from_c(const mp_result& r) {
        Result out;
        out.outcome = r.outcome;
        out.ends = r.ends;
        if (r.fields & MP_DTZ) out.dtz = r.dtz;
        if (r.fields & MP_DTE) out.dte = r.dte;
        return out;
    }

    std::unique_ptr<mp_tables, Close> handle_;
};

} // namespace millprobe
