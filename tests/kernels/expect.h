/* Tests whose ranks run together: each rank prints its failures, and all are counted. */
#ifndef NUCE_TEST_EXPECT_H
#define NUCE_TEST_EXPECT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points/point.h"
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

static inline int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Whatever cannot go wrong in a test. */
static inline void must(nuce_status status, struct nuce_error *error)
{
    if (status == NUCE_OK)
        return;
    fprintf(stderr, "%s\n", nuce_error_flatten(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Sets "KEY=VALUE ..." of a point, and completes it. */
static inline void point_set(struct nuce_point *point, const char *settings)
{
    struct nuce_facts *facts = nuce_facts_create();
    struct nuce_error error = {0};
    char words[1024], *next = words, *word;

    snprintf(words, sizeof words, "%s", settings);
    while ((word = strsep(&next, " ")) != NULL) {
        const char *key = strsep(&word, "=");
        json_t *value = json_string(word);

        must(nuce_point_set(point, key, value, &error), &error);
        json_decref(value);
    }
    must(nuce_point_complete(point, facts, &error), &error);
    nuce_facts_destroy(facts);
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
