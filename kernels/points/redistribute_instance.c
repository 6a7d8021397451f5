/* The redistribution that a point of the workload means: block-cyclic layouts before and after, on
 * two grids of ranks of which the larger has all of them. Checked as a whole here, so that no
 * caller meets a layout that cannot be. O(1). */
#include "points/redistribute_instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks along the rows and along the columns of the array. */
struct grid {
    int rows, columns;
};

/* Reads "2x4", or "8" for 8x1; "" for all ranks. NUCE_BAD_INPUT names the option. */
static nuce_status read_grid(const char *option, const char *text, int ranks, struct grid *out,
                             struct nuce_error *error)
{
    char rest = '\0';
    int rows = ranks, columns = 1, read;

    if (*text != '\0') {
        read = sscanf(text, "%9dx%9d%c", &rows, &columns, &rest);
        if (read == 1 && strspn(text, "0123456789") == strlen(text))
            columns = 1;
        else if (read != 2 || strspn(text, "0123456789x") != strlen(text))
            rows = 0;
        if (rows < 1 || columns < 1 || columns > ranks || rows > ranks / columns)
            return nuce_error_refuse(error, option,
                                     "'%s': expected ROWSxCOLUMNS of at most %d ranks, such as "
                                     "%dx1",
                                     text, ranks, ranks);
    }
    *out = (struct grid){rows, columns};
    return NUCE_OK;
}

/* Elements of a block on the other side; 0 where it is more than any array has. */
static int64_t other_block(const struct nuce_redistribute_params *p)
{
    if (p->factor == 0)
        return p->to_block;
    return p->factor > NUCE_CYCLIC_MOST_ELEMENTS / p->block ? 0 : p->factor * p->block;
}

/* What has to be said, and what only once. */
static nuce_status check_given(const struct nuce_redistribute_params *p, struct nuce_error *error)
{
    if (p->elements == 0)
        return nuce_error_refuse(error, "elements",
                                 "not given: expected how long the array is, such as 4M");
    if (p->block == 0)
        return nuce_error_refuse(error, "block",
                                 "not given: expected how many elements are in a block");
    if ((p->factor == 0) == (p->to_block == 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "factor and to-block: expected one of them: how long blocks become");
    if (other_block(p) == 0)
        return nuce_error_refuse(error, "factor",
                                 "'%lld': with a block of %lld expected at most %lld: no array "
                                 "has more elements",
                                 (long long)p->factor, (long long)p->block,
                                 (long long)(NUCE_CYCLIC_MOST_ELEMENTS / p->block));
    return NUCE_OK;
}

nuce_status nuce_redistribute_instance(const struct nuce_redistribute_params *params, int ranks,
                                       struct nuce_redistribution *out, struct nuce_error *error)
{
    struct nuce_redistribution r = {.element_bytes = params->element_bytes};
    struct grid from, to;

    if (check_given(params, error) != NUCE_OK ||
        read_grid("grid", params->grid, ranks, &from, error) != NUCE_OK ||
        read_grid("to-grid", params->to_grid, ranks, &to, error) != NUCE_OK)
        return error->status;
    r.from.rows = (struct nuce_cyclic){params->elements, params->block, from.rows};
    r.from.columns = (struct nuce_cyclic){params->columns, params->column_block, from.columns};
    r.to.rows = (struct nuce_cyclic){params->elements, other_block(params), to.rows};
    r.to.columns = (struct nuce_cyclic){
        params->columns,
        params->to_column_block == 0 ? params->column_block : params->to_column_block, to.columns};
    if (params->reverse)
        r = nuce_redistribution_reverse(&r);
    if (nuce_redistribution_check(&r, error) != NUCE_OK)
        return error->status;
    if (nuce_redistribution_ranks(&r) != ranks)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': the larger of the two grids has %d: expected as many",
                                 ranks, nuce_redistribution_ranks(&r));
    *out = r;
    return NUCE_OK;
}
