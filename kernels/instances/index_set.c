/* The ranks of both layouts repeat after lcm(turns) elements, so a rank's lines of one period
 * describe the whole array. The walk goes over one period and over the rest at the end, and the
 * period's lines are repeated by a count. Lines arrive per peer in ascending order. Touching runs
 * become one, and runs of equal length at equal distances one strided line, as they arrive. */
#include "instances/index_set.h"

#include <stdlib.h>

#include "base/allocate.h"

/* A line in the list of its peer, in a pool common to all lists; next is a place in the pool, or
 * NONE. */
struct index_set_node {
    struct nuce_line line;
    int64_t next;
};

enum {
    NONE = -1,
};

/* The lines of one peer as they arrive. The last run stays open, because the next one may touch
 * it. */
struct index_set_list {
    struct nuce_line open; /* length 0: none */
    int64_t first, last;   /* nodes */
    int64_t lines;
    int64_t elements;
    int folded; /* the tail of the array continues in this list */
};

/* One allocation for the lines of all peers, instead of one per peer: there may be 65 536. */
struct pool {
    struct index_set_node *node;
    int64_t count, capacity;
};

/* The lines of one dimension of one rank during their collection. */
struct index_set_builder {
    struct pool pool;
    int peers;
    struct index_set_list *period, *tail; /* peers */
    int64_t repeats, stride;              /* of the period; stride in places of the local part */
    int in_tail;                          /* the walk is in the rest of the array */
};

/* Appends a line to list, or merges it into the last if it continues that one, run by run. */
static void put_line(struct pool *pool, struct index_set_list *list, const struct nuce_line *line)
{
    if (list->last != NONE) {
        struct nuce_line *last = &pool->node[list->last].line;
        int64_t distance = line->start - last->start;
        int64_t stride = last->repeats > 1   ? last->stride
                         : line->repeats > 1 ? line->stride
                                             : distance;

        if (last->length == line->length && (line->repeats == 1 || line->stride == stride) &&
            distance == stride * last->repeats) {
            last->stride = stride;
            last->repeats += line->repeats;
            return;
        }
    }
    nuce_allocate_more((void **)&pool->node, &pool->capacity, pool->count + 1, sizeof *pool->node);
    pool->node[pool->count] = (struct index_set_node){.line = *line, .next = NONE};
    if (list->last == NONE)
        list->first = pool->count;
    else
        pool->node[list->last].next = pool->count;
    list->last = pool->count++;
    list->lines++;
}

/* Turns the open run, which can grow no more, into a line. */
static void close_run(struct pool *pool, struct index_set_list *list)
{
    const struct nuce_line line = list->open;

    list->open = (struct nuce_line){0};
    if (line.length > 0)
        put_line(pool, list, &line);
}

/* Adds a run at start, or extends the open one if it touches that. */
static void index_set_add_run(struct pool *pool, struct index_set_list *list, int64_t start,
                              int64_t length)
{
    if (list->open.length > 0 && list->open.start + list->open.length == start) {
        list->open.length += length;
        return;
    }
    close_run(pool, list);
    list->open = (struct nuce_line){.start = start, .length = length, .repeats = 1};
}

/* A line of the walk for peer, moved after all periods if it is in the rest. Only its first and its
 * last run can touch others, so these are added as runs and the part between them unchanged. */
static void visit_line(void *context, int peer, const struct nuce_line *line)
{
    struct index_set_builder *builder = context;
    struct index_set_list *list = &builder->period[peer];
    struct pool *pool = &builder->pool;
    struct nuce_line middle = *line;
    int64_t start = line->start;

    if (builder->in_tail) {
        start += builder->repeats * builder->stride;
        if (!list->folded)
            list = &builder->tail[peer];
    }
    list->elements += line->length * line->repeats;
    if (line->repeats == 1 || line->stride == line->length) {
        index_set_add_run(pool, list, start, line->length * line->repeats);
        return;
    }
    index_set_add_run(pool, list, start, line->length);
    middle.start = start + middle.stride;
    middle.repeats -= 2;
    if (middle.repeats > 0) {
        close_run(pool, list);
        put_line(pool, list, &middle);
    }
    index_set_add_run(pool, list, start + (line->repeats - 1) * line->stride, line->length);
}

/* Copies the lines of *list to *next, which advances. */
static void flatten_lines(const struct pool *pool, const struct index_set_list *list,
                          struct nuce_line **next)
{
    for (int64_t at = list->first; at != NONE; at = pool->node[at].next)
        *(*next)++ = pool->node[at].line;
}

/* The lines of grid rank `rank` along one dimension, by a walk over one period and one over the
 * rest at the end. */
static void build_dimension(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs,
                            int rank, struct nuce_index_dimension *out)
{
    int64_t period = nuce_cyclic_period(mine, theirs);
    struct index_set_builder builder = {.peers = theirs->ranks,
                                        .repeats = mine->elements / period,
                                        .stride = nuce_cyclic_owned_below(mine, rank, period)};
    struct nuce_lines *lines;
    struct nuce_line *next;

    builder.period = nuce_allocate(builder.peers, sizeof *builder.period);
    builder.tail = nuce_allocate(builder.peers, sizeof *builder.tail);
    for (int k = 0; k < builder.peers; k++)
        builder.period[k].first = builder.period[k].last = builder.tail[k].first =
            builder.tail[k].last = NONE;
    nuce_cyclic_walk(mine, theirs, rank, period, visit_line, &builder);
    /* Closes the lines of the period. Decides for each peer if the rest continues them (the period
     * is a single run, or occurs once) or is a list of its own. */
    for (int k = 0; k < builder.peers; k++) {
        struct index_set_list *list = &builder.period[k];
        struct nuce_line line;

        list->folded = 1;
        if (builder.repeats == 1 || list->elements == 0)
            continue;
        close_run(&builder.pool, list);
        list->elements *= builder.repeats;
        line = builder.pool.node[list->first].line;
        list->folded = list->lines == 1 && line.repeats == 1 && line.length == builder.stride;
        if (!list->folded)
            continue;
        /* A single run that continues in the next period without a gap is a longer run. It stays
         * open, because the rest of the array may touch it. */
        list->open = line;
        list->open.length *= builder.repeats;
        list->first = list->last = NONE;
        list->lines = 0;
    }
    builder.in_tail = 1;
    nuce_cyclic_walk(mine, theirs, rank, mine->elements % period, visit_line, &builder);
    /* All lines in one array, peers ascending, without the empty ones. */
    for (int k = 0; k < builder.peers; k++) {
        close_run(&builder.pool, &builder.period[k]);
        close_run(&builder.pool, &builder.tail[k]);
        out->peers += builder.period[k].elements > 0;
    }
    out->elements = nuce_cyclic_owned(mine, rank);
    out->peer = lines = nuce_allocate(out->peers, sizeof *out->peer);
    out->line = next = nuce_allocate(builder.pool.count, sizeof *out->line);
    for (int k = 0; k < builder.peers; k++) {
        const struct index_set_list *its = &builder.period[k], *tail = &builder.tail[k];

        if (its->elements == 0)
            continue;
        *lines++ = (struct nuce_lines){
            .peer = k,
            .elements = its->elements + tail->elements,
            .repeats = its->folded ? 1 : builder.repeats,
            .stride = its->folded ? 0 : builder.stride,
            .period = next,
            .period_lines = its->lines,
            .tail = next + its->lines,
            .tail_lines = tail->lines,
        };
        flatten_lines(&builder.pool, its, &next);
        flatten_lines(&builder.pool, tail, &next);
    }
    free(builder.period);
    free(builder.tail);
    free(builder.pool.node);
}

void nuce_index_set_fini(struct nuce_index_set *set)
{
    free(set->rows.peer);
    free(set->rows.line);
    free(set->columns.peer);
    free(set->columns.line);
    *set = (struct nuce_index_set){0};
}

/* A rank beyond the grid of its own layout has no elements: the set is empty, which is not an
 * error. */
void nuce_index_set_create(const struct nuce_redistribution *redistribution, int rank,
                           enum nuce_index_side direction, struct nuce_index_set *out)
{
    int sends = direction == NUCE_SENDS;
    const struct nuce_layout *mine = sends ? &redistribution->from : &redistribution->to;
    const struct nuce_layout *theirs = sends ? &redistribution->to : &redistribution->from;

    *out = (struct nuce_index_set){
        .rank = rank,
        .element_bytes = redistribution->element_bytes,
        .grid_columns = theirs->columns.ranks,
    };
    if (rank >= nuce_layout_ranks(mine))
        return;
    build_dimension(&mine->rows, &theirs->rows, rank / mine->columns.ranks, &out->rows);
    build_dimension(&mine->columns, &theirs->columns, rank % mine->columns.ranks, &out->columns);
}

int nuce_index_set_peers(const struct nuce_index_set *set)
{
    return set->rows.peers * set->columns.peers;
}

const struct nuce_lines *nuce_index_set_rows(const struct nuce_index_set *set, int k)
{
    return &set->rows.peer[k / set->columns.peers];
}

const struct nuce_lines *nuce_index_set_columns(const struct nuce_index_set *set, int k)
{
    return &set->columns.peer[k % set->columns.peers];
}

int nuce_index_set_rank(const struct nuce_index_set *set, int k)
{
    return nuce_index_set_rows(set, k)->peer * set->grid_columns +
           nuce_index_set_columns(set, k)->peer;
}

int64_t nuce_index_set_bytes(const struct nuce_index_set *set, int k)
{
    return nuce_index_set_rows(set, k)->elements * nuce_index_set_columns(set, k)->elements *
           set->element_bytes;
}

/* The index of peer among the ascending peers, or -1. */
static int find_peer(const struct nuce_index_dimension *dimension, int peer)
{
    int low = 0, high = dimension->peers;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (dimension->peer[middle].peer < peer)
            low = middle + 1;
        else
            high = middle;
    }
    return low < dimension->peers && dimension->peer[low].peer == peer ? low : -1;
}

int nuce_index_set_find(const struct nuce_index_set *set, int rank)
{
    int row, column;

    if (nuce_index_set_peers(set) == 0)
        return -1;
    row = find_peer(&set->rows, rank / set->grid_columns);
    column = find_peer(&set->columns, rank % set->grid_columns);
    return row < 0 || column < 0 ? -1 : row * set->columns.peers + column;
}
