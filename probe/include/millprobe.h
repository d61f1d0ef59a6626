/* millprobe: perfect play for the mill games (Nine Men's Morris, Lasker Morris, Morabaraba) from tables.
 *
 * Plain C99. A handle (mp_tables) holds the tables of one ruleset; any number of threads may use one handle at
 * the same time, also while another adds directories or changes the size of the cache. The library keeps no
 * global state, prints nothing and never ends the process.
 *
 * Errors. Functions that can fail return MP_OK (0) or a negative mp_status. Their last parameter may point to an
 * mp_error, which then receives a message that names what was found and what was expected; NULL is fine.
 *
 * A directory may be a half set, without tables whose values follow in one ply from others: these are derived.
 *
 * Structs that may grow begin with struct_size: set it to sizeof the struct (MP_INIT does), and a program
 * compiled with an older header keeps working with a newer library.
 *
 *     mp_tables* tables;
 *     mp_error error = MP_INIT(mp_error);
 *     if (mp_open("lg9", NULL, &tables, &error) != MP_OK) ...
 *     if (mp_add_directory(tables, "tables", NULL, &error) != MP_OK) ...
 *     mp_position p;
 *     mp_parse_position(tables, "3/3/2W/B1W3/1W1/2B/B2 w 0,0", &p, &error);
 *     mp_result r = MP_INIT(mp_result);
 *     if (mp_probe(tables, &p, MP_ALL, &r, &error) == MP_OK) ... r.outcome, r.dte ...
 *     mp_close(tables);
 */
#ifndef MILLPROBE_H
#define MILLPROBE_H

/* C headers by their C names. NOLINTBEGIN(modernize-deprecated-headers) */
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

#if defined(__GNUC__)
#define MP_API __attribute__((visibility("default")))
#else
#define MP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MP_VERSION_MAJOR 0
#define MP_VERSION_MINOR 1
#define MP_VERSION_PATCH 0

/* A struct with struct_size set and everything else zero: mp_result r = MP_INIT(mp_result); */
#ifdef __cplusplus
extern "C++" {
template <class T> inline T mp_init() {
    T t = T();
    t.struct_size = sizeof(T);
    return t;
}
}
#define MP_INIT(type) mp_init<type>()
#else
#define MP_INIT(type)                                                                                        \
    { .struct_size = sizeof(type) }
#endif

/* Why a call failed. The numbers never change. */
typedef enum mp_status {
    MP_OK = 0,
    MP_BAD_RULESET = -1,        /* unknown preset or key, or a value that is not allowed */
    MP_BAD_POSITION = -2,       /* position text that does not parse */
    MP_ILLEGAL_POSITION = -3,   /* no such position can exist under the ruleset */
    MP_BAD_TURN = -4,           /* turn text that does not parse */
    MP_ILLEGAL_TURN = -5,       /* a turn that is not legal in the position */
    MP_MISSING_TABLE = -6,      /* no table for a subspace that the answer needs; the message names it */
    MP_WRONG_FINGERPRINT = -7,  /* a table that belongs to another ruleset */
    MP_CORRUPT_TABLE = -8,      /* checksum, size or structure of a table is wrong, or its name */
    MP_UNSUPPORTED_FORMAT = -9, /* a format version that this library does not read */
    MP_IO = -10,                /* the operating system or a callback refused a read */
    MP_OUT_OF_MEMORY = -11,
    MP_BAD_ARGUMENT = -12, /* a null pointer, an unset struct_size, a number out of its range */
    MP_NOT_CACHED = -13,   /* a soft probe would have had to read */
    MP_ABORTED = -14,      /* a callback asked to stop */
    MP_LOCKED = -15,       /* never returned by this library */
    MP_INTERNAL = -16      /* a broken invariant: please report */
} mp_status;

/* A short constant text for a status; never NULL. */
MP_API const char* mp_strerror(int status);
/* Version of the library that runs, such as "0.1.0". */
MP_API const char* mp_version(void);

typedef struct mp_error {
    size_t struct_size;
    int status;
    char text[500]; /* always terminated; cut if longer */
} mp_error;

/* ---- handles ---- */

typedef struct mp_tables mp_tables;

enum { MP_NO_MAP = 1 }; /* read files instead of mapping them: immune to files cut short while in use */

typedef struct mp_options {
    size_t struct_size;
    uint64_t cache_bytes; /* for decompressed blocks; 0 = 64 MiB */
    uint32_t flags;       /* MP_NO_MAP */
} mp_options;

/* Opens a handle without tables. `ruleset` is the name of a preset ("lg9") or the path of an INI file, optionally
 * followed by changed keys ("lg9;pieces=4;quiet_limit=20"), or the whole text of an INI file (several lines).
 * `options` may be NULL. */
MP_API int mp_open(const char* ruleset, const mp_options* options, mp_tables** tables, mp_error* error);
/* Closes a handle that no thread uses any more. NULL is fine. */
MP_API void mp_close(mp_tables* tables);

/* The ruleset's name; valid as long as the handle. */
MP_API const char* mp_ruleset_name(const mp_tables* tables);
MP_API uint64_t mp_fingerprint(const mp_tables* tables);

/* ---- finding tables ---- */

/* One table file: found, or refused with its reason. Strings are valid during the call only. */
typedef struct mp_file {
    size_t struct_size;
    const char* path;
    const char* subspace; /* such as "5-4+0-0" */
    const char* metric;   /* "wdl", "dtz" or "dte" */
    uint64_t bytes;
    int status;         /* MP_OK if taken */
    const char* reason; /* "" if taken */
} mp_file;
typedef void (*mp_file_callback)(const mp_file* file, void* user);

typedef struct mp_directory_report {
    size_t struct_size;
    uint64_t found, refused;
    mp_file_callback callback; /* called for each file, may be NULL */
    void* user;
} mp_directory_report;

/* Takes the tables of a directory: those in it, and those in its folders that belong to the ruleset by
 * fingerprint. May be repeated, also for the same directory, to take what is new. Refused files are no error of
 * this call, but of every probe that needs them. `report` may be NULL. */
MP_API int mp_add_directory(mp_tables* tables, const char* path, mp_directory_report* report,
                            mp_error* error);
/* Takes one table from memory, which must stay as it is as long as the handle lives. */
MP_API int mp_add_memory(mp_tables* tables, const void* bytes, size_t size, const char* name,
                         mp_error* error);
/* Fills `to` with `size` bytes from `offset`; returns 0, or anything else on failure. Called from any thread. */
typedef int (*mp_read_callback)(void* user, uint64_t offset, void* to, size_t size);
/* Takes one table through a callback. */
MP_API int mp_add_reader(mp_tables* tables, uint64_t size, mp_read_callback read, void* user,
                         const char* name, mp_error* error);
/* All files taken and refused so far. */
MP_API int mp_list_files(const mp_tables* tables, mp_file_callback callback, void* user, mp_error* error);

/* ---- positions ---- */

enum { MP_WHITE = 0, MP_BLACK = 1 };

/* Points are numbered in reading order: a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1
 * are 0 to 23. A set of stones has bit p for point p. */
typedef struct mp_position {
    uint32_t stones[2];       /* White's, Black's */
    uint8_t reserve[2];       /* stones not placed yet */
    uint8_t side;             /* to move */
    uint8_t counter;          /* quiet plies so far; ignored where there is no limit */
    int8_t restriction[2][2]; /* mill return: from and to of each side's last transfer, -1 and -1 for none */
} mp_position;

typedef struct mp_turn {
    int8_t from; /* -1: a placement */
    int8_t to;
    int8_t capture; /* -1: none */
} mp_turn;

#define MP_TEXT_SIZE 64 /* enough for every position, turn and subspace with its terminator */

/* The initial position of the ruleset. */
MP_API int mp_start(const mp_tables* tables, mp_position* position, mp_error* error);
/* "board side reserves restrictions counter", or Sanmill's FEN. */
MP_API int mp_parse_position(const mp_tables* tables, const char* text, mp_position* position,
                             mp_error* error);
MP_API int mp_position_text(const mp_position* position, char* text, size_t size, mp_error* error);
/* "d6", "a4-b4", "d6xg7", "a4-b4xg7" */
MP_API int mp_parse_turn(const char* text, mp_turn* turn, mp_error* error);
MP_API int mp_turn_text(const mp_turn* turn, char* text, size_t size, mp_error* error);
/* The position after a legal turn; else MP_ILLEGAL_TURN. `after` may be `position`. A counter at its limit stays
 * there: that game is drawn, and not to be probed. */
MP_API int mp_play(const mp_tables* tables, const mp_position* position, const mp_turn* turn,
                   mp_position* after, mp_error* error);
/* "5-4+0-0": own-opposing+own reserve-opposing reserve, from the side to move. */
MP_API int mp_subspace_text(const mp_position* position, char* text, size_t size, mp_error* error);

/* ---- values ---- */

enum { MP_DRAW = 0, MP_WIN = 1, MP_LOSS = 2 };

/* Why a game is over. */
enum {
    MP_OPEN = 0,
    MP_TOO_FEW_STONES = 1,
    MP_BLOCKED = 2,
    MP_FULL_BOARD = 3,
    MP_QUIET_LIMIT = 4,
    MP_ENDGAME_LIMIT = 5
};
/* "too few stones", ...; "" for MP_OPEN; never NULL. */
MP_API const char* mp_reason_text(int reason);

/* What is asked for, and what a result holds. */
enum { MP_OUTCOME = 1, MP_DTZ = 2, MP_DTE = 4, MP_ALL = 7 };

/* Value of a position for the side to move, at its counter. */
typedef struct mp_result {
    size_t struct_size;
    uint32_t
        fields; /* which are known: MP_OUTCOME always; MP_DTZ and MP_DTE not for draws or without a table */
    int32_t outcome;
    int32_t dtz;    /* smallest budget of quiet plies at which it is decided; -1 if unknown */
    int32_t dte;    /* plies to the end of the game; -1 if unknown */
    int32_t ends;   /* not MP_OPEN if the game is over; distances are 0 then */
    int32_t status; /* of this position in mp_probe_many */
} mp_result;

/* Value of one position. */
MP_API int mp_probe(const mp_tables* tables, const mp_position* position, uint32_t fields, mp_result* result,
                    mp_error* error);
/* The same without reading: MP_NOT_CACHED if something is not in the cache. Cheap enough for every node of a
 * search; pass NULL for `error`. */
MP_API int mp_probe_soft(const mp_tables* tables, const mp_position* position, uint32_t fields,
                         mp_result* result, mp_error* error);
/* Many positions in one call, read in the order of the blocks they lie in. results[i] belongs to positions[i];
 * struct_size of results[0] is taken as the stride. Returns MP_OK if all were answered, else the status of the
 * first (lowest i) that was not; each has its own in `status`. */
MP_API int mp_probe_many(const mp_tables* tables, const mp_position* positions, size_t count, uint32_t fields,
                         mp_result* results, mp_error* error);
/* Asks the operating system for what a probe would read, and returns at once. */
MP_API int mp_prefetch(const mp_tables* tables, const mp_position* position, uint32_t fields,
                       mp_error* error);

typedef struct mp_ranked_turn {
    mp_turn turn;
    uint8_t zeroing; /* it resets the draw counter */
    int32_t outcome; /* for the side that plays it */
    int32_t dtz;     /* -1 if unknown or a draw */
    int32_t dte;     /* the turn included; -1 if unknown or a draw */
    int32_t ends;    /* why it ends the game, or MP_OPEN */
} mp_ranked_turn;

/* All legal turns, best first: wins by DTE up, draws, losses by DTE down; turns of equal rank by their text. If the
 * DTE of any decided turn is unknown or not asked for, DTZ stands for it in all. *count is the room in `turns` before and the
 * number of turns after the call; if the room is too small, MP_BAD_ARGUMENT is returned and nothing is written.
 * MP_MAX_TURNS is always enough. No turns and MP_OK: the game is over. */
#define MP_MAX_TURNS 2048
MP_API int mp_rank_turns(const mp_tables* tables, const mp_position* position, uint32_t fields,
                         mp_ranked_turn* turns, size_t* count, mp_error* error);
/* Best play to the end of the game by DTE, ties by text; empty for draws. *count as above, but if the room is
 * smaller than the line, its beginning is written. */
MP_API int mp_best_line(const mp_tables* tables, const mp_position* position, mp_turn* turns, size_t* count,
                        mp_error* error);

/* DTE by budget: from `budget` remaining quiet plies on, up to the next step. Empty for draws at the full budget and
 * without a limit. *count as in mp_rank_turns; 251 are always enough. */
typedef struct mp_profile_step {
    int32_t budget, dte;
} mp_profile_step;
MP_API int mp_profile(const mp_tables* tables, const mp_position* position, mp_profile_step* steps,
                      size_t* count, mp_error* error);

/* Calls back for every subspace that ranking all turns needs and whose tables are missing. Returns their number, or
 * a negative status. `callback` may be NULL. */
typedef void (*mp_subspace_callback)(const char* subspace, void* user);
MP_API int mp_missing(const mp_tables* tables, const mp_position* position, mp_subspace_callback callback,
                      void* user, mp_error* error);

/* ---- cache and checks ---- */

typedef struct mp_cache_stats {
    size_t struct_size;
    uint64_t hits, misses, evictions;
    uint64_t blocks, bytes; /* held now */
    uint64_t limit;
    /* What tables that were probed hold beside their blocks, which the limit does not count: block indexes, and models
     * of small tables, some hundred kilobytes each. */
    uint64_t table_bytes;
} mp_cache_stats;

/* Takes effect at once, also while others probe. 0 keeps nothing. */
MP_API int mp_set_cache_size(mp_tables* tables, uint64_t bytes, mp_error* error);
MP_API int mp_get_cache_stats(const mp_tables* tables, mp_cache_stats* stats, mp_error* error);

typedef struct mp_progress {
    size_t struct_size;
    const char* path; /* of the table being checked */
    uint64_t tables, tables_done;
    uint64_t blocks, blocks_done; /* of all tables */
} mp_progress;
/* Returns 0 to go on; anything else ends the check with MP_ABORTED. */
typedef int (*mp_progress_callback)(const mp_progress* progress, void* user);

/* Reads every block of every open table and checks checksums and content. Ends at the first fault, which the message
 * names. Files that were refused are a fault as well. `callback` may be NULL. */
MP_API int mp_verify(const mp_tables* tables, mp_progress_callback callback, void* user, mp_error* error);

#ifdef __cplusplus
}
#endif
#endif
