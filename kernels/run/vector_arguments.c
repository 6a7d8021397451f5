/* Counts and displacements of one rank's messages. A rank's messages lie one behind the other, so
 * the last one's end is the largest number there is. */
#include "run/vector_arguments.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/fault.h"
#include "run/large_calls.h"

/* Of `count` messages, which lie at at[0 .. count]; entry: where each of them stands among so many
 * entries, NULL: in their order. */
static void make_vector_side(int is_large, int entries, int count, const int *entry,
                             const int64_t *at, struct nuce_vector_side *side)
{
    if (is_large) {
        side->large_count = nuce_allocate(entries, sizeof *side->large_count);
        side->large_at = nuce_allocate(entries, sizeof *side->large_at);
    } else {
        side->count = nuce_allocate(entries, sizeof *side->count);
        side->at = nuce_allocate(entries, sizeof *side->at);
    }
    for (int i = 0; i < count; i++) {
        int k = entry != NULL ? entry[i] : i;

        if (is_large) {
            side->large_count[k] = at[i + 1] - at[i];
            side->large_at[k] = at[i];
        } else {
            side->count[k] = (int)(at[i + 1] - at[i]);
            side->at[k] = (int)at[i];
        }
    }
}

nuce_status nuce_vector_arguments_init(const struct nuce_engine_input *input, const char *call,
                                       int by_rank, struct nuce_vector_arguments *out,
                                       struct nuce_error *error)
{
    const struct nuce_payload *p = input->payload;
    struct nuce_vector_arguments arguments = {0};
    int64_t sent = p->send_at[p->sends], received = p->receive_at[p->receives];
    double largest = (double)(sent > received ? sent : received);

    nuce_world_maximum(input->world, &largest, 1);
    arguments.is_large = largest > (double)nuce_fault_most(INT_MAX);
    if (arguments.is_large && nuce_large.alltoallv == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s counts bytes as int, and a rank sends or receives %.0f: expected "
                              "at most %d, or an MPI library with the large counts of MPI 4",
                              call, largest, INT_MAX);
    make_vector_side(arguments.is_large, by_rank ? input->world->size : p->sends, p->sends,
                     by_rank ? p->destination : NULL, p->send_at, &arguments.send);
    make_vector_side(arguments.is_large, by_rank ? input->world->size : p->receives, p->receives,
                     by_rank ? p->source : NULL, p->receive_at, &arguments.receive);
    *out = arguments;
    return NUCE_OK;
}

static void free_vector_side(struct nuce_vector_side *side)
{
    free(side->count);
    free(side->at);
    free(side->large_count);
    free(side->large_at);
}

void nuce_vector_arguments_fini(struct nuce_vector_arguments *arguments)
{
    free_vector_side(&arguments->send);
    free_vector_side(&arguments->receive);
    memset(arguments, 0, sizeof *arguments);
}
