/* Points from comma lists: what a command line gives of a workload's options, and every combination
 * of it. What is compared changes fastest, so that points of one instance follow one another. */
#ifndef NUCE_GIVEN_LISTS_H
#define NUCE_GIVEN_LISTS_H

#include <jansson.h>

#include "base/error.h"
#include "points/point.h"

/* More points in one command line are taken for a slip. */
#define NUCE_COMBINATIONS_MOST 100000

/* Lists and how many combinations they make; lists is owned. */
struct nuce_given_lists {
    const struct nuce_workload_ops *workload;
    json_t *lists; /* option -> array of texts; what is compared is last */
    size_t count;  /* combinations, at most NUCE_COMBINATIONS_MOST */
};

/* given, borrowed: option -> text as given; names that are no options of the workload are passed
 * over. With ranks above 0 an option that is not given stands for what it does by hand
 * (nuce_workload_ops). NUCE_BAD_INPUT: more than NUCE_COMBINATIONS_MOST. Freed with
 * nuce_given_lists_fini. */
nuce_status nuce_given_lists_init(const struct nuce_workload_ops *workload, const json_t *given,
                                  int ranks, struct nuce_given_lists *out,
                                  struct nuce_error *error);
void nuce_given_lists_fini(struct nuce_given_lists *lists);

/* Sets the options of combination number, 0 .. count - 1, in a point of the workload.
 * NUCE_BAD_INPUT names option and value. */
nuce_status nuce_given_lists_set(const struct nuce_given_lists *lists, size_t number,
                                 struct nuce_point *point, struct nuce_error *error);

#endif
