/* What the tests of schedules that know nodes or groups share. */
#ifndef NUCE_TEST_NODES_H
#define NUCE_TEST_NODES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "schedules/pattern.h"

#define MOST_RANKS 17

/* Blocks of two, in turn, unlike sizes, one rank beside the rest, one node;
 * shape: 0 to 4. */
static inline int node_by_shape(int shape, int ranks, int i)
{
    const int nodes[] = {i / 2, i % (ranks < 3 ? ranks : 3), i < 2 ? 0 : i < 7 ? 1 : 2, i > 0, 0};

    return nodes[shape];
}

/* Messages of very unlike lengths between so many quarters of all pairs. */
static inline void make_messages(int quarters, int ranks, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    struct nuce_rng rng = nuce_rng_create(9, (uint64_t)ranks);
    struct nuce_error error = {0};
    int count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if ((int)nuce_rng_below(&rng, 4) < quarters)
            messages[count++] = (struct nuce_message){
                k / ranks, k % ranks, 1 + (int64_t)nuce_rng_below(&rng, 1U << (k % 20))};
    }
    assert_int_equal(nuce_pattern_init(ranks, messages, count, out, &error), NUCE_OK);
}

#endif
