// The C interface: checks what comes in, turns exceptions into codes, and nothing else.
#include "millprobe.h"

#include "probe/tables/answers.h"
#include "probe/tables/check_tables.h"
#include "rules/text.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

using namespace mill;

struct mp_tables {
    mp_tables(const Ruleset& rules, const TableSetOptions& options) : set(rules, options) {}
    TableSet set;
};

namespace {

static_assert(MP_INTERNAL == -static_cast<int>(ErrorCode::internal) && MP_OK == 0);
static_assert(MP_NOT_CACHED == -static_cast<int>(ErrorCode::not_cached));
static_assert(MP_WIN == static_cast<int>(Outcome::win) && MP_LOSS == static_cast<int>(Outcome::loss));
static_assert(MP_ENDGAME_LIMIT == static_cast<int>(Reason::endgame_limit));

int report(mp_error* error, ErrorCode code, const char* text) noexcept {
    const int status = -static_cast<int>(code);
    if (error && error->struct_size >= offsetof(mp_error, text) + 16) {
        error->status = status;
        const std::size_t room = std::min(error->struct_size, sizeof(mp_error)) - offsetof(mp_error, text);
        const std::size_t n = std::min(std::strlen(text), room - 1);
        std::memcpy(error->text, text, n);
        error->text[n] = '\0';
    }
    return status;
}

/// Runs fn, which returns what the call returns; nothing gets out but a status.
template <class Fn> int guarded(mp_error* error, Fn&& fn) noexcept {
    try {
        return fn();
    } catch (const Error& e) {
        return report(error, e.code(), e.what());
    } catch (const std::bad_alloc&) {
        return report(error, ErrorCode::out_of_memory, "out of memory");
    } catch (const std::exception& e) {
        return report(error, ErrorCode::internal, e.what());
    } catch (...) {
        return report(error, ErrorCode::internal, "unknown exception");
    }
}

void require(bool good, const char* what) {
    if (!good) throw Error(ErrorCode::bad_argument, what);
}

template <class T> void require_pointer(const T* p, const char* name) {
    if (!p) throw Error(ErrorCode::bad_argument, std::string(name) + " is NULL");
}

/// `size`: what it had when the library was first released, if it has grown since.
template <class T> void require_struct(const T* p, const char* name, std::size_t size = sizeof(T)) {
    require_pointer(p, name);
    if (p->struct_size < size)
        throw Error(ErrorCode::bad_argument, std::string(name) + ": struct_size is " +
                                                 std::to_string(p->struct_size) + ", expected at least " +
                                                 std::to_string(size));
}

/// All numbers in range, so that what follows may index with them; the rules judge the rest.
Position from_c(const mp_position* p) {
    require_pointer(p, "position");
    if (p->side > 1) throw Error(ErrorCode::illegal_position, "side: expected 0 (White) or 1 (Black)");
    if (p->reserve[0] > 12 || p->reserve[1] > 12)
        throw Error(ErrorCode::illegal_position, "reserves: expected each 0 to 12");
    Position out;
    out.side = static_cast<Color>(p->side);
    out.counter = p->counter;
    for (std::size_t i = 0; i < 2; ++i) {
        if (p->stones[i] & ~kAllPoints)
            throw Error(ErrorCode::illegal_position, "board: stones outside the 24 points");
        out.stones[i] = p->stones[i];
        out.reserve[i] = p->reserve[i];
        const int from = p->restriction[i][0], to = p->restriction[i][1];
        if (from == -1 && to == -1) continue;
        if (from < 0 || to < 0 || from >= kPoints || to >= kPoints)
            throw Error(ErrorCode::illegal_position,
                        "restrictions: expected two points, or -1 and -1 for none");
        out.restriction[i] = {p->restriction[i][0], p->restriction[i][1]};
    }
    return out;
}

void to_c(const Position& p, mp_position& out) {
    for (std::size_t i = 0; i < 2; ++i) {
        out.stones[i] = p.stones[i];
        out.reserve[i] = p.reserve[i];
        out.restriction[i][0] = p.restriction[i].from;
        out.restriction[i][1] = p.restriction[i].to;
    }
    out.side = static_cast<std::uint8_t>(p.us());
    out.counter = p.counter;
}

Turn from_c(const mp_turn* t) {
    require_pointer(t, "turn");
    const auto good = [](int point, bool none) { return point < kPoints && point >= (none ? -1 : 0); };
    if (!good(t->from, true) || !good(t->to, false) || !good(t->capture, true))
        throw Error(ErrorCode::bad_turn, "turn: expected points 0 to 23, and -1 for no `from` or `capture`");
    return {t->from, t->to, t->capture};
}

mp_turn to_c(Turn t) { return {t.from, t.to, t.capture}; }

Wanted wanted(std::uint32_t fields) {
    require((fields & ~std::uint32_t{MP_ALL}) == 0,
            "fields: expected a sum of MP_OUTCOME, MP_DTZ and MP_DTE");
    return {(fields & MP_DTZ) != 0, (fields & MP_DTE) != 0};
}

void to_c(const Answer& a, mp_result& r) {
    r.fields = MP_OUTCOME;
    if (a.dtz >= 0) r.fields |= MP_DTZ;
    if (a.dte >= 0) r.fields |= MP_DTE;
    r.outcome = static_cast<std::int32_t>(a.outcome);
    r.dtz = a.dtz;
    r.dte = a.dte;
    r.ends = static_cast<std::int32_t>(a.ends);
    r.status = MP_OK;
}

void failed(int status, mp_result& r) {
    r.fields = 0;
    r.outcome = MP_DRAW;
    r.dtz = r.dte = -1;
    r.ends = MP_OPEN;
    r.status = status;
}

int write_text(const std::string& from, char* to, std::size_t size) {
    require_pointer(to, "text");
    require(size > from.size(), "text: the room is too small; MP_TEXT_SIZE is enough");
    std::memcpy(to, from.c_str(), from.size() + 1);
    return MP_OK;
}

Ruleset parse_rules(std::string_view text) {
    if (text.find('\n') != std::string_view::npos) return parse_ruleset(text, "ruleset");
    const auto end = text.find(';');
    Ruleset rules = load_ruleset(std::string(text.substr(0, end)));
    while (end != std::string_view::npos && !text.empty()) {
        const auto at = text.find(';');
        text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
        const std::string_view assignment = text.substr(0, text.find(';'));
        if (!assignment.empty()) rules.set(assignment);
    }
    return rules;
}

void call(mp_file_callback callback, void* user, const TableFile& file) {
    if (!callback) return;
    const std::string subspace = to_text(file.subspace);
    mp_file out{};
    out.struct_size = sizeof out;
    out.path = file.path.c_str();
    out.subspace = subspace.c_str();
    out.metric = to_text(file.metric).data(); // literals
    out.bytes = file.bytes;
    out.status = -static_cast<int>(file.code);
    out.reason = file.reason.c_str();
    callback(&out, user);
}

} // namespace

const char* mp_strerror(int status) {
    switch (status) {
    case MP_OK: return "success";
    case MP_BAD_RULESET: return "bad ruleset";
    case MP_BAD_POSITION: return "bad position text";
    case MP_ILLEGAL_POSITION: return "illegal position";
    case MP_BAD_TURN: return "bad turn text";
    case MP_ILLEGAL_TURN: return "illegal turn";
    case MP_MISSING_TABLE: return "missing table";
    case MP_WRONG_FINGERPRINT: return "table of another ruleset";
    case MP_CORRUPT_TABLE: return "corrupt table";
    case MP_UNSUPPORTED_FORMAT: return "unsupported table format";
    case MP_IO: return "input/output error";
    case MP_OUT_OF_MEMORY: return "out of memory";
    case MP_BAD_ARGUMENT: return "bad argument";
    case MP_NOT_CACHED: return "not in the cache";
    case MP_ABORTED: return "aborted";
    case MP_LOCKED: return "locked";
    case MP_INTERNAL: return "internal error";
    default: return "unknown status";
    }
}

const char* mp_version(void) { return MILL_VERSION; }

const char* mp_reason_text(int reason) {
    if (reason < MP_OPEN || reason > MP_ENDGAME_LIMIT) return "";
    return to_text(static_cast<Reason>(reason)).data(); // literals
}

int mp_open(const char* ruleset, const mp_options* options, mp_tables** tables, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        *tables = nullptr;
        require_pointer(ruleset, "ruleset");
        TableSetOptions o;
        if (options) {
            require_struct(options, "options");
            require((options->flags & ~std::uint32_t{MP_NO_MAP}) == 0, "options: unknown flags");
            if (options->cache_bytes) o.cache_bytes = options->cache_bytes;
            if (options->flags & MP_NO_MAP) o.access = FileAccess::read;
        }
        *tables = new mp_tables(parse_rules(ruleset), o);
        return MP_OK;
    });
}

void mp_close(mp_tables* tables) { delete tables; }

const char* mp_ruleset_name(const mp_tables* tables) {
    return tables ? tables->set.rules().name.c_str() : "";
}

std::uint64_t mp_fingerprint(const mp_tables* tables) { return tables ? tables->set.fingerprint() : 0; }

int mp_add_directory(mp_tables* tables, const char* path, mp_directory_report* report_to, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(path, "path");
        if (report_to) require_struct(report_to, "report");
        const OpenReport files = tables->set.add_directory(path);
        if (!report_to) return MP_OK;
        report_to->found = files.found.size();
        report_to->refused = files.refused.size();
        for (const auto* list : {&files.found, &files.refused})
            for (const TableFile& file : *list) call(report_to->callback, report_to->user, file);
        return MP_OK;
    });
}

int mp_add_memory(mp_tables* tables, const void* bytes, size_t size, const char* name, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require(bytes || size == 0, "bytes is NULL");
        tables->set.add_source(memory_source({static_cast<const std::uint8_t*>(bytes), size}),
                               name ? name : "memory");
        return MP_OK;
    });
}

int mp_add_reader(mp_tables* tables, uint64_t size, mp_read_callback read, void* user, const char* name,
                  mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require(read != nullptr, "read is NULL");
        auto source = callback_source(size, [read, user](std::uint64_t offset, std::span<std::uint8_t> to) {
            return to.empty() || read(user, offset, to.data(), to.size()) == 0;
        });
        tables->set.add_source(std::move(source), name ? name : "reader");
        return MP_OK;
    });
}

int mp_list_files(const mp_tables* tables, mp_file_callback callback, void* user, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        const OpenReport files = tables->set.files();
        for (const auto* list : {&files.found, &files.refused})
            for (const TableFile& file : *list) call(callback, user, file);
        return MP_OK;
    });
}

int mp_start(const mp_tables* tables, mp_position* position, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(position, "position");
        to_c(initial_position(tables->set.rules()), *position);
        return MP_OK;
    });
}

int mp_parse_position(const mp_tables* tables, const char* text, mp_position* position, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(text, "text");
        require_pointer(position, "position");
        to_c(parse_position(tables->set.rules(), text), *position);
        return MP_OK;
    });
}

int mp_position_text(const mp_position* position, char* text, size_t size, mp_error* error) {
    return guarded(error, [&] { return write_text(to_text(from_c(position)), text, size); });
}

int mp_parse_turn(const char* text, mp_turn* turn, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(text, "text");
        require_pointer(turn, "turn");
        *turn = to_c(parse_turn(text));
        return MP_OK;
    });
}

int mp_turn_text(const mp_turn* turn, char* text, size_t size, mp_error* error) {
    return guarded(error, [&] { return write_text(to_text(from_c(turn)), text, size); });
}

int mp_play(const mp_tables* tables, const mp_position* position, const mp_turn* turn, mp_position* after,
            mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(after, "after");
        const Ruleset& rules = tables->set.rules();
        const Position p = checked(rules, from_c(position));
        const Turn t = from_c(turn);
        TurnList legal;
        if (judge(rules, p).reason == Reason::none) generate_turns(rules, p, legal);
        if (std::find(legal.begin(), legal.end(), t) == legal.end())
            throw Error(ErrorCode::illegal_turn, to_text(t) + " is no legal turn of " + to_text(p));
        to_c(apply_turn(rules, p, t), *after);
        return MP_OK;
    });
}

int mp_subspace_text(const mp_position* position, char* text, size_t size, mp_error* error) {
    return guarded(error, [&] { return write_text(to_text(subspace_of(from_c(position))), text, size); });
}

int mp_probe(const mp_tables* tables, const mp_position* position, uint32_t fields, mp_result* result,
             mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_struct(result, "result");
        const Position p = checked(tables->set.rules(), from_c(position));
        to_c(answer(tables->set, p, wanted(fields)), *result);
        return MP_OK;
    });
}

int mp_probe_soft(const mp_tables* tables, const mp_position* position, uint32_t fields, mp_result* result,
                  mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_struct(result, "result");
        const Position p = checked(tables->set.rules(), from_c(position));
        const Wanted w = wanted(fields);
        if (!cached(tables->set, p, w))
            return report(error, ErrorCode::not_cached, "a block that the answer needs is not in the cache");
        to_c(answer(tables->set, p, w, Stored::Read::cached_only), *result);
        return MP_OK;
    });
}

int mp_probe_many(const mp_tables* tables, const mp_position* positions, size_t count, uint32_t fields,
                  mp_result* results, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        if (count == 0) return MP_OK;
        require_pointer(positions, "positions");
        require_struct(results, "results");
        const std::size_t stride = results->struct_size;
        const Wanted w = wanted(fields);
        auto result = [&](std::size_t i) -> mp_result& {
            return *reinterpret_cast<mp_result*>(reinterpret_cast<char*>(results) + i * stride);
        };
        // A bad position is its own fault only: it stays out of the order.
        std::vector<Position> good;
        std::vector<std::size_t> numbers;
        good.reserve(count);
        numbers.reserve(count);
        std::size_t first_bad = count;
        mp_error* first_error = nullptr;
        mp_error first_text{};
        auto fail = [&](std::size_t i, auto&& work) {
            mp_error text{};
            text.struct_size = sizeof text;
            const int status = guarded(&text, work);
            if (status == MP_OK) return;
            failed(status, result(i));
            if (i > first_bad) return;
            first_bad = i;
            first_text = text;
            first_error = &first_text;
        };
        for (std::size_t i = 0; i < count; ++i)
            fail(i, [&] {
                result(i).struct_size = stride;
                good.push_back(checked(tables->set.rules(), from_c(&positions[i])));
                numbers.push_back(i);
                return MP_OK;
            });
        for (const std::size_t k : probing_order(tables->set, good))
            fail(numbers[k], [&] {
                to_c(answer(tables->set, good[k], w), result(numbers[k]));
                return MP_OK;
            });
        if (!first_error) return MP_OK;
        return report(error, static_cast<ErrorCode>(-first_error->status), first_error->text);
    });
}

int mp_prefetch(const mp_tables* tables, const mp_position* position, uint32_t fields, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        prefetch(tables->set, checked(tables->set.rules(), from_c(position)), wanted(fields));
        return MP_OK;
    });
}

int mp_rank_turns(const mp_tables* tables, const mp_position* position, uint32_t fields,
                  mp_ranked_turn* turns, size_t* count, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(count, "count");
        require(turns || *count == 0, "turns is NULL");
        const Position p = checked(tables->set.rules(), from_c(position));
        const std::vector<TurnAnswer> ranked = rank_turns(tables->set, p, wanted(fields));
        const std::size_t room = *count;
        *count = ranked.size();
        require(room >= ranked.size(), "turns: the room is too small; MP_MAX_TURNS is enough");
        for (std::size_t i = 0; turns && i < ranked.size(); ++i) {
            const TurnAnswer& t = ranked[i];
            turns[i] = {to_c(t.turn), t.zeroing, static_cast<std::int32_t>(t.outcome),
                        t.dtz,        t.dte,     static_cast<std::int32_t>(t.ends)};
        }
        return MP_OK;
    });
}

int mp_best_line(const mp_tables* tables, const mp_position* position, mp_turn* turns, size_t* count,
                 mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(count, "count");
        require(turns || *count == 0, "turns is NULL");
        const Position p = checked(tables->set.rules(), from_c(position));
        const std::size_t room = *count;
        const std::vector<Turn> line = best_line(tables->set, p);
        *count = line.size();
        for (std::size_t i = 0; i < std::min(room, line.size()); ++i) turns[i] = to_c(line[i]);
        return MP_OK;
    });
}

int mp_profile(const mp_tables* tables, const mp_position* position, mp_profile_step* steps, size_t* count,
               mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_pointer(count, "count");
        require(steps || *count == 0, "steps is NULL");
        const auto all = profile(tables->set, checked(tables->set.rules(), from_c(position)));
        const std::size_t room = *count;
        *count = all.size();
        require(room >= all.size(), "steps: the room is too small; 251 are enough");
        for (std::size_t i = 0; steps && i < all.size(); ++i) steps[i] = {all[i].first, all[i].second};
        return MP_OK;
    });
}

int mp_missing(const mp_tables* tables, const mp_position* position, mp_subspace_callback callback,
               void* user, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        const auto missing = missing_subspaces(tables->set, checked(tables->set.rules(), from_c(position)));
        if (callback)
            for (const Subspace s : missing) callback(to_text(s).c_str(), user);
        return static_cast<int>(missing.size());
    });
}

int mp_set_cache_size(mp_tables* tables, uint64_t bytes, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        tables->set.cache().set_limit(bytes);
        return MP_OK;
    });
}

int mp_get_cache_stats(const mp_tables* tables, mp_cache_stats* stats, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        require_struct(stats, "stats", offsetof(mp_cache_stats, table_bytes));
        const CacheStats s = tables->set.cache().stats();
        stats->hits = s.hits;
        stats->misses = s.misses;
        stats->evictions = s.evictions;
        stats->blocks = s.blocks;
        stats->bytes = s.bytes;
        stats->limit = s.limit;
        if (stats->struct_size >= sizeof *stats) stats->table_bytes = tables->set.table_bytes();
        return MP_OK;
    });
}

int mp_verify(const mp_tables* tables, mp_progress_callback callback, void* user, mp_error* error) {
    return guarded(error, [&]() -> int {
        require_pointer(tables, "tables");
        check_tables(tables->set, [&](const CheckProgress& at) {
            if (!callback) return true;
            mp_progress p{};
            p.struct_size = sizeof p;
            p.path = at.table->path().c_str();
            p.tables = at.tables;
            p.tables_done = at.tables_done;
            p.blocks = at.blocks;
            p.blocks_done = at.blocks_done;
            return callback(&p, user) == 0;
        });
        return MP_OK;
    });
}
