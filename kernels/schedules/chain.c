/* Gives each piece of a list schedule a phase. The phase after the last one of its sender and of
 * its receiver is the earliest that lockstep allows, so the number of phases is the longest chain
 * of pieces that wait for one another. */
#include "schedules/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* sent[i] and received[j] are the first phases in which rank i has not sent, and rank j not
 * received, yet. */
void nuce_chain_init(struct nuce_schedule_builder *builder, struct nuce_chain *out)
{
    struct nuce_chain chain = {.builder = builder};

    chain.sent = nuce_allocate(builder->ranks, sizeof *chain.sent);
    chain.received = nuce_allocate(builder->ranks, sizeof *chain.received);
    *out = chain;
}

void nuce_chain_fini(struct nuce_chain *chain)
{
    free(chain->sent);
    free(chain->received);
    memset(chain, 0, sizeof *chain);
}

void nuce_chain_add(struct nuce_chain *chain, int source, int destination, int64_t offset,
                    int64_t bytes)
{
    int phase = chain->sent[source];

    if (chain->received[destination] > phase)
        phase = chain->received[destination];
    chain->sent[source] = chain->received[destination] = phase + 1;
    nuce_schedule_add(chain->builder, source, destination, phase, offset, bytes);
}
