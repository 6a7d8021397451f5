/* The size of a file with many patterns that differ a lot. The messages are those of LAMMPS
 * with a liquid on 27 ranks, with numbers from a capture: every 20 steps particles move to where
 * they are now (some, of 88 bytes), and borders are made anew (48 bytes a particle); in each step
 * positions go to the neighbours, and forces the way back (24 bytes a particle), in six directions
 * one after the other. The number of particles in a border differs by some percent from rank to
 * rank and from time to time; it is drawn each time. Lateness and durations are of no machine, but
 * differ from rank to rank and from call to call, as those do. */
#include "../test.h"
#include <sys/stat.h>

#define RANKS 27
#include "ranks.h"

#define SIDE 3
#define DIRECTIONS 6
#define CHANGES 42 /* of who is where: 1 008 patterns */
#define STEPS 20   /* between two of them */
#define PATTERNS (4 * DIRECTIONS * CHANGES)
#define MOST 32768

/* From 0 to end - 1. */
static int64_t draw(uint64_t *state, int64_t end)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*state >> 33) % end;
}

static int neighbor(int rank, int direction)
{
    int stride = direction / 2 == 0 ? 1 : direction / 2 == 1 ? SIDE : SIDE * SIDE;
    int at = rank / stride % SIDE, to = (at + (direction % 2 ? SIDE - 1 : 1)) % SIDE;

    return rank + (to - at) * stride;
}

/* Each rank posts a receive and a send, when it has worked, and waits until both have ended. */
static void exchange(struct ranks *ranks, int direction, const int64_t *bytes, int64_t *clock,
                     uint64_t *state)
{
    int64_t begin_ns[RANKS];

    for (int i = 0; i < RANKS; i++) {
        begin_ns[i] = ranks->now = clock[i] + 5000 + draw(state, 20000);
        receives(ranks, i, neighbor(i, direction ^ 1), 0);
        sends(ranks, i, neighbor(i, direction), 0, bytes[i]);
    }
    for (int i = 0; i < RANKS; i++) {
        int64_t sent_ns = begin_ns[neighbor(i, direction ^ 1)];
        uint64_t last = ranks->request - 2 * (uint64_t)(RANKS - 1 - i);

        ranks->now = (sent_ns > begin_ns[i] ? sent_ns : begin_ns[i]) + 4000 + draw(state, 3000);
        ends(ranks, i, last - 1, 0, 0);
        ends(ranks, i, last, 0, 0);
        clock[i] = ranks->now;
    }
}

/* So many bytes for each particle in the border that is sent in that direction. */
static void forward(struct ranks *ranks, int direction, const int64_t *particles, int64_t each,
                    int64_t *clock, uint64_t *state)
{
    int64_t bytes[RANKS];

    for (int i = 0; i < RANKS; i++)
        bytes[i] = each * particles[i];
    exchange(ranks, direction, bytes, clock, state);
}

/* Bytes that came from there go back. */
static void reverse(struct ranks *ranks, int direction, const int64_t *particles, int64_t *clock,
                    uint64_t *state)
{
    int64_t bytes[RANKS];

    for (int i = 0; i < RANKS; i++)
        bytes[i] = 24 * particles[neighbor(i, direction ^ 1)];
    exchange(ranks, direction ^ 1, bytes, clock, state);
}

static void play(struct ranks *ranks)
{
    static const int64_t mean[DIRECTIONS] = {74, 74, 148, 148, 297, 297};
    static const int64_t most_off[DIRECTIONS] = {10, 10, 13, 13, 20, 20};
    int64_t clock[RANKS] = {0}, particles[DIRECTIONS][RANKS];
    uint64_t state = 7;

    for (int change = 0; change < CHANGES; change++) {
        for (int k = 0; k < DIRECTIONS; k++) {
            for (int i = 0; i < RANKS; i++)
                particles[k][i] = draw(&state, 5);
            forward(ranks, k, particles[k], 88, clock, &state);
        }
        for (int k = 0; k < DIRECTIONS; k++) {
            for (int i = 0; i < RANKS; i++)
                particles[k][i] = mean[k] - most_off[k] + draw(&state, 2 * most_off[k] + 1);
            forward(ranks, k, particles[k], 48, clock, &state);
        }
        for (int step = 0; step < STEPS; step++) {
            for (int k = 0; k < DIRECTIONS; k++)
                forward(ranks, k, particles[k], 24, clock, &state);
            for (int k = DIRECTIONS - 1; k >= 0; k--)
                reverse(ranks, k, particles[k], clock, &state);
        }
    }
}

static void test_size(void **state)
{
    char path[] = "/tmp/nuce-size-XXXXXX";
    struct nuce_capture capture, again;
    struct ranks ranks;
    struct stat file;

    assert_int_equal(close(mkstemp(path)), 0);
    ranks_begin(&ranks);
    play(&ranks);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, PATTERNS);
    assert_int_equal(capture.sequence[0].count, CHANGES * DIRECTIONS * (2 + 2 * STEPS));
    for (int i = 0; i < capture.patterns; i++) {
        assert_int_equal(capture.pattern[i].quality, NUCE_CAPTURE_EXACT);
        assert_int_equal(capture.topology[capture.pattern[i].topology].messages, RANKS);
    }
    assert_ok(nuce_capture_write(&capture, path, ANY_ERROR));
    assert_int_equal(stat(path, &file), 0);
    assert_in_range(file.st_size, 1, MOST);
    /* And every message is in it. */
    assert_ok(nuce_capture_read(path, &again, ANY_ERROR));
    assert_int_equal(again.patterns, capture.patterns);
    for (int i = 0; i < capture.patterns; i++) {
        assert_string_equal(again.pattern[i].id, capture.pattern[i].id);
        assert_memory_equal(again.pattern[i].bytes, capture.pattern[i].bytes,
                            RANKS * sizeof *capture.pattern[i].bytes);
    }
    nuce_capture_fini(&again);
    nuce_capture_fini(&capture);
    assert_int_equal(unlink(path), 0);
}

RUN(test_size)
