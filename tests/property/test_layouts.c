/* Invariants of every redistribution, whatever its size, blocks, grids and elements. */
#include "../unit/layouts/reference.h"
#include "../unit/test.h"

#define INSTANCES 4000

static void test_random_redistributions(void **state)
{
    struct nuce_rng rng = nuce_rng_create(17, 0);

    for (int n = 0; n < INSTANCES; n++) {
        struct nuce_redistribution r = test_draw_redistribution(&rng);

        assert_ok(nuce_redistribution_check(&r, ANY_ERROR));
        test_check_pattern(&r);
        test_check_index_sets(&r, NUCE_SENDS);
        test_check_index_sets(&r, NUCE_RECEIVES);
        test_check_moves(&r);
    }
}

RUN(test_random_redistributions)
