/* Redistributions element by element, as references of those in closed form. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "../test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "instances/index_set.h"
#include "instances/pack.h"
#include "instances/redistribution.h"

enum {
    TEST_MOST_ELEMENTS = 300, /* of a dimension */
    TEST_MOST_RANKS = 64,
};

/* A redistribution of a vector: cyclic(from_block) on from_ranks to cyclic(to_block) on to_ranks.
 */
static inline struct nuce_redistribution test_vector(int64_t elements, int64_t element_bytes,
                                                     int64_t from_block, int from_ranks,
                                                     int64_t to_block, int to_ranks)
{
    const struct nuce_cyclic one = {.elements = 1, .block = 1, .ranks = 1};

    return (struct nuce_redistribution){
        .from = {.rows = {elements, from_block, from_ranks}, .columns = one},
        .to = {.rows = {elements, to_block, to_ranks}, .columns = one},
        .element_bytes = element_bytes,
    };
}

/* The owner and place of each element of a dimension: the blocks dealt out one after another. */
struct test_deal {
    int owner[TEST_MOST_ELEMENTS];
    int64_t local[TEST_MOST_ELEMENTS];
    int64_t owned[TEST_MOST_RANKS];
};

static inline struct test_deal test_deal(const struct nuce_cyclic *cyclic)
{
    struct test_deal deal = {0};
    int64_t left = cyclic->block;
    int rank = 0;

    for (int64_t g = 0; g < cyclic->elements; g++) {
        if (left-- == 0) {
            left = cyclic->block - 1;
            rank = (rank + 1) % cyclic->ranks;
        }
        deal.owner[g] = rank;
        deal.local[g] = deal.owned[rank]++;
    }
    return deal;
}

/* Both dimensions of a layout. */
struct test_map {
    const struct nuce_layout *layout;
    struct test_deal rows, columns;
};

static inline struct test_map test_map(const struct nuce_layout *layout)
{
    return (struct test_map){layout, test_deal(&layout->rows), test_deal(&layout->columns)};
}

static inline int test_owner(const struct test_map *map, int64_t row, int64_t column)
{
    return map->rows.owner[row] * map->layout->columns.ranks + map->columns.owner[column];
}

static inline int64_t test_place(const struct test_map *map, int64_t row, int64_t column)
{
    return map->columns.local[column] * map->rows.owned[map->rows.owner[row]] +
           map->rows.local[row];
}

static inline int64_t test_bytes(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t k = nuce_pattern_find(pattern, source, destination);

    return k < 0 ? 0 : pattern->bytes[k];
}

/* The pattern equals a count of all elements. */
static inline void test_check_pattern(const struct nuce_redistribution *r)
{
    struct test_map from = test_map(&r->from), to = test_map(&r->to);
    int ranks = nuce_redistribution_ranks(r);
    int64_t *wanted = calloc((size_t)ranks * (size_t)ranks, sizeof *wanted);
    struct nuce_pattern pattern;
    int64_t sum = 0;

    for (int64_t j = 0; j < r->from.columns.elements; j++) {
        for (int64_t i = 0; i < r->from.rows.elements; i++)
            wanted[test_owner(&from, i, j) * ranks + test_owner(&to, i, j)] += r->element_bytes;
    }
    assert_ok(nuce_redistribution_pattern(r, &pattern, ANY_ERROR));
    assert_int_equal(pattern.ranks, ranks);
    for (int p = 0; p < ranks; p++) {
        int64_t sent = 0, received = 0;

        for (int q = 0; q < ranks; q++) {
            assert_int_equal(test_bytes(&pattern, p, q), wanted[p * ranks + q]);
            sent += wanted[p * ranks + q];
            received += wanted[q * ranks + p];
        }
        assert_int_equal(nuce_redistribution_bytes_before(r, p), sent);
        assert_int_equal(nuce_redistribution_bytes_after(r, p), received);
    }
    for (int64_t k = 0; k < pattern.messages; k++) {
        assert_true(pattern.bytes[k] > 0);
        sum += pattern.bytes[k];
    }
    assert_int_equal(sum, r->from.rows.elements * r->from.columns.elements * r->element_bytes);
    nuce_pattern_fini(&pattern);
    free(wanted);
}

static inline int64_t test_expand_list(const struct nuce_line *line, int64_t lines, int64_t shift,
                                       int64_t *place)
{
    int64_t count = 0;

    for (; lines > 0; line++, lines--) {
        assert_true(line->length > 0 && line->repeats > 0);
        for (int64_t t = 0; t < line->repeats; t++) {
            for (int64_t e = 0; e < line->length; e++)
                place[count++] = shift + line->start + t * line->stride + e;
        }
    }
    return count;
}

/* The places that lines list, one by one, in order. */
static inline void test_expand(const struct nuce_lines *lines, int64_t *place)
{
    int64_t count = 0;

    for (int64_t round = 0; round < lines->repeats; round++)
        count += test_expand_list(lines->period, lines->period_lines, round * lines->stride,
                                  place + count);
    count += test_expand_list(lines->tail, lines->tail_lines, 0, place + count);
    assert_int_equal(count, lines->elements);
}

/* The k-th peer of *set lists the elements that a search by owners finds, in the same order. */
static inline void test_check_peer(const struct nuce_redistribution *r,
                                   const struct nuce_index_set *set, int k,
                                   const struct test_map *mine, const struct test_map *theirs)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);
    const struct nuce_lines *columns = nuce_index_set_columns(set, k);
    int64_t row[TEST_MOST_ELEMENTS], column[TEST_MOST_ELEMENTS], next = 0;

    test_expand(rows, row);
    test_expand(columns, column);
    for (int64_t j = 0; j < r->from.columns.elements; j++) {
        for (int64_t i = 0; i < r->from.rows.elements; i++) {
            if (test_owner(mine, i, j) != set->rank ||
                test_owner(theirs, i, j) != nuce_index_set_rank(set, k))
                continue;
            assert_true(next < rows->elements * columns->elements);
            assert_int_equal(column[next / rows->elements] * set->rows.elements +
                                 row[next % rows->elements],
                             test_place(mine, i, j));
            next++;
        }
    }
    assert_int_equal(next, rows->elements * columns->elements);
    assert_int_equal(nuce_index_set_bytes(set, k), next * r->element_bytes);
}

/* Every rank's index set in one direction lists its messages, no other peer, ranks ascending. */
static inline void test_check_index_sets(const struct nuce_redistribution *r,
                                         enum nuce_index_side direction)
{
    struct test_map from = test_map(&r->from), to = test_map(&r->to);
    int sends = direction == NUCE_SENDS;
    OWNED(pattern) pattern;

    assert_ok(nuce_redistribution_pattern(r, &pattern, ANY_ERROR));
    for (int p = 0; p < pattern.ranks; p++) {
        struct nuce_index_set set;
        int k = 0;

        nuce_index_set_create(r, p, direction, &set);
        for (int q = 0; q < pattern.ranks; q++) {
            int64_t bytes = sends ? test_bytes(&pattern, p, q) : test_bytes(&pattern, q, p);

            assert_int_equal(nuce_index_set_find(&set, q), bytes > 0 ? k : -1);
            if (bytes == 0)
                continue;
            assert_int_equal(nuce_index_set_rank(&set, k), q);
            assert_int_equal(nuce_index_set_bytes(&set, k), bytes);
            test_check_peer(r, &set, k, sends ? &from : &to, sends ? &to : &from);
            k++;
        }
        assert_int_equal(nuce_index_set_peers(&set), k);
        nuce_index_set_fini(&set);
    }
}

/* Byte b of element (row, column). */
static inline unsigned char test_payload(int64_t row, int64_t column, int64_t b)
{
    return (unsigned char)nuce_rng_mix((uint64_t)(row * 100003 + column * 1009 + b));
}

/* The local part of each rank in a layout: filled with the payload, or with its complement. */
static inline void test_parts(const struct nuce_redistribution *r, const struct nuce_layout *layout,
                              int filled, unsigned char **part)
{
    struct test_map map = test_map(layout);

    for (int p = 0; p < nuce_redistribution_ranks(r); p++) {
        size_t bytes = (size_t)(nuce_layout_elements(layout, p) * r->element_bytes);

        part[p] = malloc(bytes); /* not a byte more: sanitizers then find accesses beyond */
        memset(part[p], 0xaa, bytes);
    }
    for (int64_t j = 0; filled && j < layout->columns.elements; j++) {
        for (int64_t i = 0; i < layout->rows.elements; i++) {
            for (int64_t b = 0; b < r->element_bytes; b++)
                part[test_owner(&map, i, j)][test_place(&map, i, j) * r->element_bytes + b] =
                    test_payload(i, j, b);
        }
    }
}

/* Sends everything from the parts before to those after; elements that stay go through a buffer
 * too, unless own is given. */
static inline void test_deliver(const struct nuce_redistribution *r, int own, unsigned char **from,
                                unsigned char **to)
{
    int ranks = nuce_redistribution_ranks(r);
    struct nuce_index_set sends[TEST_MOST_RANKS], receives[TEST_MOST_RANKS];

    for (int p = 0; p < ranks; p++) {
        nuce_index_set_create(r, p, NUCE_SENDS, &sends[p]);
        nuce_index_set_create(r, p, NUCE_RECEIVES, &receives[p]);
    }
    for (int p = 0; p < ranks; p++) {
        for (int k = 0; k < nuce_index_set_peers(&sends[p]); k++) {
            int q = nuce_index_set_rank(&sends[p], k);
            int back = nuce_index_set_find(&receives[q], p);
            void *buffer = malloc((size_t)nuce_index_set_bytes(&sends[p], k));

            assert_true(back >= 0);
            assert_int_equal(nuce_index_set_bytes(&sends[p], k),
                             nuce_index_set_bytes(&receives[q], back));
            nuce_index_set_pack(&sends[p], k, from[p], buffer);
            if (p != q || !own)
                nuce_index_set_unpack(&receives[q], back, buffer, to[q]);
            free(buffer);
        }
        if (own)
            nuce_redistribution_copy_own(&sends[p], &receives[p], from[p], to[p]);
    }
    for (int p = 0; p < ranks; p++) {
        nuce_index_set_fini(&sends[p]);
        nuce_index_set_fini(&receives[p]);
    }
}

static inline void test_same_parts(const struct nuce_redistribution *r,
                                   const struct nuce_layout *layout, unsigned char **a,
                                   unsigned char **b)
{
    for (int p = 0; p < nuce_redistribution_ranks(r); p++)
        assert_memory_equal(a[p], b[p],
                            (size_t)(nuce_layout_elements(layout, p) * r->element_bytes));
}

/* There and back: the data arrives as in the target layout, and the way back restores the source.
 */
static inline void test_check_moves(const struct nuce_redistribution *r)
{
    struct nuce_redistribution reverse = nuce_redistribution_reverse(r);
    unsigned char *before[TEST_MOST_RANKS], *after[TEST_MOST_RANKS], *wanted[TEST_MOST_RANKS],
        *back[TEST_MOST_RANKS];

    test_parts(r, &r->from, 1, before);
    test_parts(r, &r->to, 0, after);
    test_parts(r, &r->to, 1, wanted);
    test_parts(r, &r->from, 0, back);
    test_deliver(r, 1, before, after);
    test_same_parts(r, &r->to, after, wanted);
    test_deliver(&reverse, 0, after, back);
    test_same_parts(r, &r->from, back, before);
    for (int p = 0; p < nuce_redistribution_ranks(r); p++) {
        free(before[p]);
        free(after[p]);
        free(wanted[p]);
        free(back[p]);
    }
}

static inline int64_t test_draw(struct nuce_rng *rng, int64_t most)
{
    return 1 + (int64_t)nuce_rng_below(rng, (uint64_t)most);
}

/* A block: now and then as large as the array, or larger. */
static inline int64_t test_draw_block(struct nuce_rng *rng, int64_t elements)
{
    static const int64_t most[] = {2, 5, 5, 16, 64};
    uint64_t kind = nuce_rng_below(rng, 6);

    return test_draw(rng, kind == 5 ? elements + 3 : most[kind]);
}

static inline void test_draw_dimension(struct nuce_rng *rng, int64_t most_elements, int most_ranks,
                                       struct nuce_cyclic *from, struct nuce_cyclic *to)
{
    from->elements = to->elements = test_draw(rng, most_elements);
    from->block = test_draw_block(rng, from->elements);
    to->block = test_draw_block(rng, from->elements);
    from->ranks = (int)test_draw(rng, most_ranks);
    to->ranks = nuce_rng_below(rng, 2) == 0 ? from->ranks : (int)test_draw(rng, most_ranks);
    if (nuce_rng_below(rng, 3) == 0)
        to->block = from->block * test_draw(rng, 9); /* the paper's, cyclic(x) to cyclic(Kx) */
}

/* A small redistribution, of a vector every other time. */
static inline struct nuce_redistribution test_draw_redistribution(struct nuce_rng *rng)
{
    struct nuce_redistribution r = test_vector(1, test_draw(rng, 17), 1, 1, 1, 1);

    if (nuce_rng_below(rng, 2) == 0) {
        test_draw_dimension(rng, TEST_MOST_ELEMENTS, 9, &r.from.rows, &r.to.rows);
    } else {
        test_draw_dimension(rng, 40, 4, &r.from.rows, &r.to.rows);
        test_draw_dimension(rng, 40, 4, &r.from.columns, &r.to.columns);
    }
    return nuce_rng_below(rng, 2) == 0 ? r : nuce_redistribution_reverse(&r);
}

#endif
