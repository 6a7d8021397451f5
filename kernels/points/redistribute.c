/* The workload `redistribute`: a block-cyclic array moves to another block-cyclic layout (Bhat,
 * Prasanna and Raghavendra: cyclic(x) to cyclic(Kx) on P ranks; here also back, to any other block,
 * onto another grid of ranks, and in two dimensions).
 *
 * A point's pattern follows from its numbers alone: no file is read for it, and it is the same on
 * every process, O(period) to count (instances/redistribution.c). nuce_redistribute_instance, which
 * all functions here use, checks the layouts; so complete makes an instance as its check. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "instances/redistribution.h"
#include "points/results.h"
#include "points/workload.h"
#include "schedules/schedule_results.h"

/* The redistribution of a point: block-cyclic layouts before and after, on two grids of ranks, the
 * larger of which has all of them. It is checked as a whole here, so that callers only see valid
 * layouts. O(1). */

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

/* Elements of a block on the other side; 0 if that is more than any array has. */
static int64_t other_block(const struct nuce_redistribute_params *p)
{
    if (p->factor == 0)
        return p->to_block;
    return p->factor > NUCE_CYCLIC_MOST_ELEMENTS / p->block ? 0 : p->factor * p->block;
}

/* The redistribution of (complete or not) params on ranks ranks, checked. NUCE_BAD_INPUT names the
 * option. */
nuce_status nuce_redistribute_instance(const struct nuce_redistribute_params *params, int ranks,
                                       struct nuce_redistribution *out, struct nuce_error *error)
{
    const struct nuce_redistribute_params *p = params;
    struct nuce_redistribution r = {.element_bytes = p->element_bytes};
    struct grid from, to;

    if (p->elements == 0)
        return nuce_error_refuse(error, "elements",
                                 "not given: expected the length of the array, such as 4M");
    if (p->block == 0)
        return nuce_error_refuse(error, "block",
                                 "not given: expected the number of elements in a block");
    if ((p->factor == 0) == (p->to_block == 0))
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "factor and to-block: expected one of them, the new length of blocks");
    if (other_block(p) == 0)
        return nuce_error_refuse(error, "factor",
                                 "'%lld': with a block of %lld expected at most %lld: no array "
                                 "has more elements",
                                 (long long)p->factor, (long long)p->block,
                                 (long long)(NUCE_CYCLIC_MOST_ELEMENTS / p->block));
    if (read_grid("grid", params->grid, ranks, &from, error) != NUCE_OK ||
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

#define AT(member) offsetof(struct nuce_redistribute_params, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(COUNT, "elements", AT(elements), NULL, "N",
                "elements of the array; if it has columns, its rows", .minimum = 1),
    NUCE_OPTION(COUNT, "block", AT(block), NULL, "X",
                "elements per block before the redistribution", .minimum = 1),
    NUCE_OPTION(COUNT, "factor", AT(factor), NULL, "K",
                "length of blocks after / before the redistribution", .flags = NUCE_OPTION_IF_SET,
                .minimum = 1),
    NUCE_OPTION(COUNT, "to-block", AT(to_block), NULL, "Y",
                "elements per block after the redistribution, instead of factor",
                .flags = NUCE_OPTION_IF_SET, .minimum = 1),
    NUCE_OPTION(FLAG, "reverse", AT(reverse), "false", NULL,
                "redistribution in the opposite direction: the layouts before and after change "
                "places",
                .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(BYTES, "element-bytes", AT(element_bytes), "8", "BYTES", "bytes per element",
                .minimum = 1),
    NUCE_OPTION(LIST, "grid", AT(grid), NULL, "ROWSxCOLUMNS",
                "grid of ranks before the redistribution, numbered along the rows; default: all "
                "by 1",
                .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(LIST, "to-grid", AT(to_grid), NULL, "ROWSxCOLUMNS",
                "grid of ranks after the redistribution; default: all by 1",
                .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(COUNT, "columns", AT(columns), "1", "N",
                "columns of the array, which is stored column by column",
                .flags = NUCE_OPTION_IF_SET, .minimum = 1),
    NUCE_OPTION(COUNT, "column-block", AT(column_block), "1", "X",
                "columns per block before the redistribution", .minimum = 1),
    NUCE_OPTION(COUNT, "to-column-block", AT(to_column_block), NULL, "Y",
                "columns per block after the redistribution; default: column-block",
                .flags = NUCE_OPTION_IF_SET, .minimum = 1),
#define NUCE_SCHEDULING_AT(member) AT(scheduling.member)
#include "points/scheduling_options.inc"
#undef NUCE_SCHEDULING_AT
    {.name = NULL},
};

static int redistribute_applies(const struct nuce_option *option, const void *params)
{
    const struct nuce_redistribute_params *p = params;

    if (strcmp(option->name, "instance") == 0)
        return nuce_scheduling_draws(&p->scheduling);
    return strcmp(option->name, "column-block") != 0 || p->columns > 1;
}

static nuce_status redistribute_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_redistribute_params *p = params;
    struct nuce_redistribution redistribution;

    if (nuce_scheduling_complete(&p->scheduling, 1, error) != NUCE_OK ||
        nuce_scheduling_check_samples(&p->scheduling, nuce_scheduling_draws(&p->scheduling),
                                      error) != NUCE_OK)
        return error->status;
    if (p->columns == 1 && (p->column_block > 1 || p->to_column_block > 1))
        return nuce_error_refuse(error, p->column_block > 1 ? "column-block" : "to-column-block",
                                 "has no effect on an array of one column: leave it out");
    return nuce_redistribute_instance(p, ranks, &redistribution, error);
}

static nuce_status redistribute_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                        struct nuce_error *error)
{
    const struct nuce_redistribute_params *p = params;

    return nuce_scheduling_inspect(&p->scheduling, ranks, facts, error);
}

static nuce_status redistribute_ranks(const void *params, struct nuce_facts *facts, int *out,
                                      struct nuce_error *error)
{
    const struct nuce_redistribute_params *p = params;

    return nuce_scheduling_ranks(&p->scheduling, facts, out, error);
}

/* The number of ranks without elements in layout. */
static int count_empty(const struct nuce_layout *layout, int ranks)
{
    int empty = 0;

    for (int rank = 0; rank < ranks; rank++)
        empty += nuce_layout_elements(layout, rank) == 0;
    return empty;
}

/* Fewer blocks than ranks are legal, and often a typing error. O(ranks). Invalid params have been
 * refused before, so there is no remark on them. */
static void redistribute_remark(const void *params, int ranks, char text[NUCE_MESSAGE_BYTES])
{
    const struct nuce_redistribute_params *p = params;
    struct nuce_redistribution r;
    struct nuce_error error;
    int before, after;

    if (nuce_redistribute_instance(p, ranks, &r, &error) != NUCE_OK)
        return;
    before = count_empty(&r.from, ranks);
    after = count_empty(&r.to, ranks);
    if (before > 0 || after > 0)
        snprintf(text, NUCE_MESSAGE_BYTES,
                 "%d of %d ranks have no elements before, %d have none after: there are "
                 "fewer blocks than ranks, or ranks outside a grid",
                 before, ranks, after);
}

static const struct nuce_scheduling *redistribute_scheduling(const void *params)
{
    return &((const struct nuce_redistribute_params *)params)->scheduling;
}

/* The item of COM is a block. */
static struct nuce_tuning redistribute_tuning(const void *params)
{
    const struct nuce_redistribute_params *p = params;
    struct nuce_tuning tuning =
        nuce_scheduling_tuning(&p->scheduling, (double)p->block * (double)p->element_bytes);

    tuning.factor = p->factor;
    return tuning;
}

static nuce_status redistribute_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                        struct nuce_error *error)
{
    struct nuce_redistribution redistribution;

    if (nuce_redistribute_instance(params, ranks, &redistribution, error) != NUCE_OK)
        return error->status;
    return nuce_redistribution_pattern(&redistribution, out, error);
}

static int redistribute_is_random(const void *params)
{
    return nuce_scheduling_draws(redistribute_scheduling(params));
}

static const struct nuce_result *const results[] = {
    nuce_schedule_results,   nuce_pattern_results, nuce_results_part,
    nuce_results_scheduling, nuce_results_run,     NULL,
};

const struct nuce_workload_ops nuce_workload_redistribute = {
    .name = "redistribute",
    .summary = "an array goes from one block-cyclic layout into another",
    .source = "Bhat, Prasanna, Raghavendra: Block-Cyclic Redistribution over Heterogeneous "
              "Networks, 2 and 5",
    .program = "nuce-redistribute",
    .model_command = "redistribute",
    .examples = NUCE_EXAMPLES({"mpiexec -n 8 nuce-redistribute --elements 4M --block 64 --factor 3 "
                               "\\\n    --schedule ac,greedy",
                               "redistribute from cyclic(64) to cyclic(192)"},
                              {"mpiexec -n 8 nuce-redistribute --elements 4M --block 64 --to-block "
                               "100 \\\n    --schedule ac,greedy",
                               "redistribute to blocks of another size"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_redistribute_params),
    .complete = redistribute_complete,
    .applies = redistribute_applies,
    .inspect = redistribute_inspect,
    .remark = redistribute_remark,
    .scheduling = redistribute_scheduling,
    .tuning = redistribute_tuning,
    .pattern = redistribute_pattern,
    .is_random = redistribute_is_random,
    .ranks = redistribute_ranks,
};
