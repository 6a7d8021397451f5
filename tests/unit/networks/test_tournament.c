#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schedules/tournament.h"

#define RANKS_MOST 33

/* Counts in met[i][j] how often i meets j, whom it must meet in the same round. */
static void play(int ranks, int met[RANKS_MOST][RANKS_MOST])
{
    for (int round = 0; round < nuce_tournament_rounds(ranks); round++) {
        int idle = 0;

        for (int i = 0; i < ranks; i++) {
            int j = nuce_tournament_partner(round, i, ranks);

            if (j == NUCE_TOURNAMENT_NOBODY) {
                idle++;
                continue;
            }
            assert_in_range(j, 0, ranks - 1);
            assert_int_not_equal(i, j);
            assert_int_equal(nuce_tournament_partner(round, j, ranks), i);
            met[i][j]++;
        }
        assert_int_equal(idle, ranks % 2);
    }
}

static void test_every_pair_meets_once(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++) {
        int met[RANKS_MOST][RANKS_MOST];

        memset(met, 0, sizeof met);
        play(ranks, met);
        for (int i = 0; i < ranks; i++) {
            for (int j = 0; j < ranks; j++)
                assert_int_equal(met[i][j], i != j);
        }
    }
}

static void test_rounds(void **state)
{
    (void)state;
    assert_int_equal(nuce_tournament_rounds(2), 1);
    assert_int_equal(nuce_tournament_rounds(3), 3);
    assert_int_equal(nuce_tournament_rounds(8), 7);
    /* One rank sits out its only round. */
    assert_int_equal(nuce_tournament_partner(0, 0, 1), NUCE_TOURNAMENT_NOBODY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_meets_once),
        cmocka_unit_test(test_rounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
