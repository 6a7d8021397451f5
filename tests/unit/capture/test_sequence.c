#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "capture/capture.h"

#define MOST 4000

/* Writes the calls of the runs out again; how many. */
static int64_t expand(const struct nuce_capture_sequence *sequence, int out[MOST])
{
    const int *pattern = sequence->pattern;
    int64_t count = 0;

    for (int64_t i = 0; i < sequence->runs; i++) {
        for (int64_t t = 0; t < sequence->run[i].times; t++) {
            for (int64_t k = 0; k < sequence->run[i].length; k++)
                out[count++] = pattern[k];
        }
        pattern += sequence->run[i].length;
    }
    return count;
}

/* How many runs there are; *kept: calls that are written out. */
static int64_t runs_of(const int *calls, int64_t count, int64_t *kept)
{
    struct nuce_capture_sequence sequence;
    int again[MOST];
    int64_t runs;

    nuce_capture_sequence_init(calls, count, &sequence);
    assert_int_equal(sequence.count, count);
    assert_int_equal(expand(&sequence, again), count);
    assert_memory_equal(calls, again, (size_t)count * sizeof *calls);
    runs = sequence.runs;
    *kept = sequence.patterns;
    nuce_capture_sequence_fini(&sequence);
    return runs;
}

static void test_loops(void **state)
{
    int calls[MOST];
    int64_t kept;

    (void)state;
    for (int i = 0; i < MOST; i++)
        calls[i] = 7;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(kept, 1);
    /* A beginning, a loop of four, an end that breaks it off. */
    for (int i = 0; i < MOST; i++)
        calls[i] = i < 10 ? 100 + i : i % 4;
    assert_true(runs_of(calls, MOST, &kept) <= 3);
    assert_true(kept <= 10 + 4 + 3);
    for (int i = 0; i < MOST; i++)
        calls[i] = i;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(runs_of(calls, 1, &kept), 1);
    /* Loops of a few calls are left as they are: a run each would be longer. */
    for (int i = 0; i < MOST; i++)
        calls[i] = i / 8;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(kept, MOST);
}

static void test_random(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    int64_t kept;

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        int calls[MOST], kinds = 1 + trial % 7, count = 1 + trial * 19 % MOST;

        for (int i = 0; i < count; i++)
            calls[i] = (int)nuce_rng_below(&rng, (uint64_t)kinds);
        runs_of(calls, count, &kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
