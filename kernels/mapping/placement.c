/* The table of placements, made from placements.def, and the check that each is a permutation.
 *
 * A placement is one file and one row of placements.def; what is asked of it is in placement.h, and
 * no other place lists them. */
#include "mapping/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define NUCE_REGISTRY placement
#define NUCE_REGISTRY_ROWS "mapping/placements.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

/* A bug in a placement must not become a rank that two processes think they are. */
static void placement_check(const int *processor, int count, char *is_taken)
{
    for (int rank = 0; rank < count; rank++) {
        NUCE_ASSERT(processor[rank] >= 0 && processor[rank] < count && !is_taken[processor[rank]]);
        is_taken[processor[rank]] = 1;
    }
}

/* Whatever the placement, O(n) is added for the check. */
int *nuce_placement_create(const struct nuce_placement_ops *ops,
                           const struct nuce_placement_input *input, struct nuce_error *error)
{
    int count = input->processes->ranks;
    int *processor = nuce_allocate(count, sizeof *processor);
    char *is_taken = nuce_allocate(count, 1);

    NUCE_ASSERT(count == input->processors->count);
    if (ops->place(input, processor, error) != NUCE_OK) {
        free(processor);
        processor = NULL;
    } else {
        placement_check(processor, count, is_taken);
    }
    free(is_taken);
    return processor;
}
