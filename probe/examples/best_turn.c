/* The best turns of a position, in C99.
 *
 *     best_turn lg9 tables '3/3/2W/B1W3/1W1/2B/B2 w 0,0'
 */
#include <millprobe.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const kOutcomes[] = {"draw", "win", "loss"};

static int fail(const mp_error* error) {
    fprintf(stderr, "best_turn: %s: %s\n", mp_strerror(error->status), error->text);
    return 1;
}

int main(int argc, char** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: best_turn RULESET DIRECTORY POSITION\n");
        return 2;
    }
    mp_error error = MP_INIT(mp_error);
    mp_tables* tables = NULL;
    if (mp_open(argv[1], NULL, &tables, &error) != MP_OK) return fail(&error);

    int result = 1;
    mp_position position;
    mp_result value = MP_INIT(mp_result);
    size_t count = MP_MAX_TURNS;
    mp_ranked_turn* turns = malloc(count * sizeof *turns);
    if (!turns) {
        fprintf(stderr, "best_turn: out of memory\n");
    } else if (mp_add_directory(tables, argv[2], NULL, &error) != MP_OK ||
               mp_parse_position(tables, argv[3], &position, &error) != MP_OK ||
               mp_probe(tables, &position, MP_ALL, &value, &error) != MP_OK ||
               mp_rank_turns(tables, &position, MP_ALL, turns, &count, &error) != MP_OK) {
        fail(&error);
    } else {
        printf("%s", kOutcomes[value.outcome]);
        if (value.fields & MP_DTE) printf(" in %d", (int)value.dte);
        if (value.ends != MP_OPEN) printf(" (%s)", mp_reason_text(value.ends));
        printf("\n");
        for (size_t i = 0; i < count && i < 5; ++i) {
            char text[MP_TEXT_SIZE];
            if (mp_turn_text(&turns[i].turn, text, sizeof text, NULL) == MP_OK)
                printf("%-10s %s\n", text, kOutcomes[turns[i].outcome]);
        }
        result = 0;
    }
    free(turns);
    mp_close(tables);
    return result;
}
