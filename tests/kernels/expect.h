/* Tests whose ranks run together: what does not hold is said by each rank, and counted. */
#ifndef NUCE_TEST_EXPECT_H
#define NUCE_TEST_EXPECT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/check.h"
#include "run/world.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int64_t failed; /* expectations of this rank */

static inline void expect(const struct nuce_world *world, int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "rank %d of %d: %s\n", world->rank, world->size, what);
    failed++;
}

static inline void ranks_begin(int *argc, char ***argv, struct nuce_world *world)
{
    NUCE_MPI(MPI_Init(argc, argv));
    nuce_world_init(world);
}

/* The exit status: whether any rank's expectation failed. */
static inline int ranks_end(struct nuce_world *world)
{
    nuce_world_sum(world, &failed, 1);
    nuce_world_fini(world);
    NUCE_MPI(MPI_Finalize());
    return failed > 0;
}

#endif
