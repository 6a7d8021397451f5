/* Closed forms of cyclic(block), all by the division global = (turn * ranks + rank) * block +
 * place. */
#include "instances/cyclic.h"

int64_t nuce_cyclic_owned_below(const struct nuce_cyclic *cyclic, int rank, int64_t end)
{
    int64_t blocks = end / cyclic->block; /* whole ones */
    int64_t turns = blocks / cyclic->ranks, next = blocks % cyclic->ranks;

    if (rank < next)
        return (turns + 1) * cyclic->block;
    return turns * cyclic->block + (rank == next ? end % cyclic->block : 0);
}

int64_t nuce_cyclic_owned(const struct nuce_cyclic *cyclic, int rank)
{
    return nuce_cyclic_owned_below(cyclic, rank, cyclic->elements);
}

int nuce_cyclic_owner(const struct nuce_cyclic *cyclic, int64_t global)
{
    return (int)(global / cyclic->block % cyclic->ranks);
}

int64_t nuce_cyclic_local(const struct nuce_cyclic *cyclic, int64_t global)
{
    return global / cyclic->block / cyclic->ranks * cyclic->block + global % cyclic->block;
}

int64_t nuce_cyclic_global(const struct nuce_cyclic *cyclic, int rank, int64_t local)
{
    int64_t block = local / cyclic->block * cyclic->ranks + rank;

    return block * cyclic->block + local % cyclic->block;
}

/* Compared by division, as block * ranks may exceed an int64_t. */
int64_t nuce_cyclic_turn(const struct nuce_cyclic *cyclic)
{
    return cyclic->block > cyclic->elements / cyclic->ranks ? cyclic->elements
                                                            : cyclic->block * cyclic->ranks;
}
