/* The tree of winners beside a look at all times. */
#include <math.h>

#include "cases.h"
#include "schedules/winner_tree.h"

#define MOST_RANKS 70

static int first_by_scan(const double *times, int ranks)
{
    int best = 0;

    for (int i = 1; i < ranks; i++) {
        if (times[i] < times[best])
            best = i;
    }
    return best;
}

/* Few different times, so that many are equal. */
static double draw_time(struct nuce_rng *rng)
{
    uint64_t drawn = nuce_rng_below(rng, 12);

    return drawn == 0 ? INFINITY : (double)drawn / 3;
}

static void test_scan(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_rng rng = nuce_rng_create(3, (uint64_t)ranks);
        struct nuce_winner_tree tree;
        double times[MOST_RANKS], time;

        nuce_winner_tree_init(ranks, &tree);
        for (int i = 0; i < ranks; i++)
            times[i] = INFINITY;
        for (int change = 0; change < 500; change++) {
            int rank = (int)nuce_rng_below(&rng, (uint64_t)ranks);

            times[rank] = draw_time(&rng);
            nuce_winner_tree_set(&tree, rank, times[rank]);
            assert_int_equal(nuce_winner_tree_first(&tree, &time), first_by_scan(times, ranks));
            assert_true(time == times[first_by_scan(times, ranks)]);
        }
        nuce_winner_tree_fini(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
