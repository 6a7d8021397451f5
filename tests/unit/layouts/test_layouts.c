/* Block-cyclic layouts: the paper's redistribution, corners, arrays of the largest size, and cases
 * that random ones (tests/property/test_layouts.c) do not reach. */
#include "../test.h"

#include "instances/cyclic.h"
#include "instances/stream.h"
#include "reference.h"

/* R_2(3, 4) with 48 elements, the paper's Figures 1 and 2(a): each rank sends two blocks of two
 * elements to each of three ranks. */
static void test_paper(void **state)
{
    static const int receivers[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    struct nuce_redistribution r = test_vector(48, 8, 2, 4, 6, 4);
    OWNED(pattern) pattern;

    assert_ok(nuce_redistribution_check(&r, ANY_ERROR));
    assert_ok(nuce_redistribution_pattern(&r, &pattern, ANY_ERROR));
    assert_int_equal(pattern.messages, 12);
    for (int p = 0; p < 4; p++) {
        for (int k = 0; k < 3; k++)
            assert_int_equal(test_bytes(&pattern, p, receivers[p][k]), 4 * 8);
    }
}

/* Fewer elements than one block, than ranks; more ranks before or after. */
static void test_corners(void **state)
{
    static const int64_t corners[][5] = {/* elements, x, P, y, Q */
                                         {1, 1, 1, 1, 1},   {1, 5, 4, 7, 3},  {3, 4, 4, 1, 4},
                                         {10, 20, 2, 3, 5}, {64, 1, 1, 1, 8}, {64, 1, 8, 64, 1},
                                         {64, 16, 4, 1, 4}, {65, 1, 4, 17, 4}};

    for (size_t k = 0; k < COUNT(corners); k++) {
        const int64_t *c = corners[k];
        struct nuce_redistribution r = test_vector(c[0], 3, c[1], (int)c[2], c[3], (int)c[4]);

        test_check_pattern(&r);
        test_check_index_sets(&r, NUCE_SENDS);
        test_check_index_sets(&r, NUCE_RECEIVES);
        test_check_moves(&r);
    }
}

/* Row and column sums are each rank's elements before and after. */
static void check_sums(const struct nuce_redistribution *r, int64_t bytes)
{
    int ranks = nuce_redistribution_ranks(r);
    int64_t *received = calloc((size_t)ranks, sizeof *received), sum = 0;
    OWNED(pattern) pattern;

    assert_ok(nuce_redistribution_check(r, ANY_ERROR));
    assert_ok(nuce_redistribution_pattern(r, &pattern, ANY_ERROR));
    for (int p = 0; p < ranks; p++) {
        int64_t sent = 0;

        for (int64_t k = pattern.row[p]; k < pattern.row[p + 1]; k++) {
            sent += pattern.bytes[k];
            received[pattern.destination[k]] += pattern.bytes[k];
        }
        assert_int_equal(sent, nuce_redistribution_bytes_before(r, p));
        sum += sent;
    }
    for (int p = 0; p < ranks; p++)
        assert_int_equal(received[p], nuce_redistribution_bytes_after(r, p));
    assert_int_equal(sum, bytes);
    free(received);
}

static void test_large(void **state)
{
    const int64_t most = NUCE_CYCLIC_MOST_ELEMENTS, large = (INT64_C(1) << 40) + 12345;
    struct nuce_redistribution r[] = {
        test_vector(1000000000, 8, 2, 1024, 2046, 1024),
        test_vector(large, 8, 2, 64, 2 * 63, 64),
        test_vector(large, 8, 64, 100, 1000, 77),
        test_vector(most, 1, 1, 7, most / 5, 5),
        test_vector(most, 1, most, 1 << 20, most - 1, 3),
        {.from = {.rows = {1000003, 64, 16}, .columns = {1000033, 32, 8}},
         .to = {.rows = {1000003, 100, 8}, .columns = {1000033, 1000033, 16}},
         .element_bytes = 16},
    };

    for (size_t k = 0; k < COUNT(r); k++) {
        struct nuce_redistribution back = nuce_redistribution_reverse(&r[k]);
        int64_t bytes = r[k].from.rows.elements * r[k].from.columns.elements * r[k].element_bytes;

        check_sums(&r[k], bytes);
        check_sums(&back, bytes);
    }
}

/* One message of a large array by arithmetic: whole periods of lcm(2 * 4, 6 * 4) = 24 elements, of
 * which rank 0 sends 2 to rank 0; then 5 more, of which it holds the first 2. */
static void test_exact(void **state)
{
    const int64_t periods = INT64_C(1) << 36;
    struct nuce_redistribution r = test_vector(24 * periods + 5, 8, 2, 4, 6, 4);
    OWNED(pattern) pattern;

    assert_ok(nuce_redistribution_pattern(&r, &pattern, ANY_ERROR));
    assert_int_equal(test_bytes(&pattern, 0, 0), (2 * periods + 2) * 8);
    assert_int_equal(test_bytes(&pattern, 2, 0), (2 * periods + 1) * 8);
    assert_int_equal(test_bytes(&pattern, 3, 1), 2 * periods * 8);
}

static void refuse(const struct nuce_redistribution *r, const char *message)
{
    struct nuce_error error;

    assert_int_equal(nuce_redistribution_check(r, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, message);
}

static void test_bad_input(void **state)
{
    struct nuce_redistribution good = test_vector(48, 8, 2, 4, 6, 4), r = good;

    r.from.rows.block = 0;
    refuse(&r, "a block of 0 rows in the source layout: expected 1 .. 2^53 = 9007199254740992");
    r = good;
    r.to.columns.ranks = 0;
    refuse(&r, "columns on 0 ranks in the target layout: expected 1 .. 16777216 ranks");
    r = good;
    r.from.rows.elements = r.to.rows.elements = 0;
    refuse(&r, "an array of 0 rows: expected 1 .. 2^53 = 9007199254740992");
    r = good;
    r.to.rows.elements = 49;
    refuse(&r, "48 x 1 elements in the source layout, 49 x 1 in the target layout: expected the "
               "same array");
    r = good;
    r.element_bytes = 0;
    refuse(&r, "elements of 0 bytes: expected at least 1");
    r = test_vector(INT64_C(1) << 51, 8, 2, 4, 6, 4);
    refuse(&r, "an array of 2251799813685248 x 1 elements of 8 bytes: expected at most 2^53 bytes");
    r = good;
    r.to.rows.ranks = r.to.columns.ranks = 5000;
    refuse(&r, "a grid of 5000 x 5000 ranks in the target layout: expected at most 16777216 ranks");
}

/* Index sets: the places by a search, and that the lines are as few as they should be. */

static struct nuce_index_set create(const struct nuce_redistribution *r, int rank,
                                    enum nuce_index_side direction)
{
    struct nuce_index_set set;

    nuce_index_set_create(r, rank, direction, &set);
    return set;
}

/* The rows of peer k are one line, `repeats` times. */
static void check_line(const struct nuce_index_set *set, int k, struct nuce_line wanted,
                       int64_t repeats, int64_t stride)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);

    assert_int_equal(rows->period_lines, 1);
    assert_int_equal(rows->repeats, repeats);
    assert_int_equal(rows->stride, stride);
    assert_int_equal(rows->tail_lines, 0);
    assert_int_equal(rows->period->start, wanted.start);
    assert_int_equal(rows->period->length, wanted.length);
    assert_int_equal(rows->period->stride, wanted.stride);
    assert_int_equal(rows->period->repeats, wanted.repeats);
}

/* The paper's Figure 1: rank 0 holds elements 0 1, 8 9, 16 17, 24 25, 32 33, 40 41, and then 0 - 5
 * and 24 - 29. */
static void test_paper_lines(void **state)
{
    struct nuce_redistribution r = test_vector(48, 8, 2, 4, 6, 4);
    OWNED(index_set) sends = create(&r, 0, NUCE_SENDS);
    OWNED(index_set) receives = create(&r, 0, NUCE_RECEIVES);

    assert_int_equal(nuce_index_set_peers(&sends), 3);
    assert_int_equal(nuce_index_set_peers(&receives), 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(nuce_index_set_rank(&sends, k), k);
        assert_int_equal(nuce_index_set_bytes(&sends, k), 4 * 8);
        check_line(&sends, k, (struct nuce_line){2 * k, 2, 0, 1}, 2, 6);
        check_line(&receives, k, (struct nuce_line){2 * k, 2, 0, 1}, 2, 6);
    }
}

/* Blocks to single elements: one line a peer, however long the array. */
static void test_block_to_cyclic(void **state)
{
    const int64_t each = INT64_C(1) << 48;
    struct nuce_redistribution r = test_vector(4 * each, 8, each, 4, 1, 4);
    OWNED(index_set) set = create(&r, 2, NUCE_SENDS);

    for (int k = 0; k < 4; k++)
        check_line(&set, k, (struct nuce_line){k, 1, 4, each / 4}, 1, 0);
}

/* Nothing changes: one run, whatever the blocks; also where only the number of a block changes. */
static void test_one_run(void **state)
{
    struct nuce_redistribution same = test_vector(1000, 8, 3, 4, 3, 4);
    struct nuce_redistribution gather = test_vector(1003, 8, 7, 1, 100, 1);
    OWNED(index_set) set = create(&same, 1, NUCE_SENDS);

    assert_int_equal(nuce_index_set_peers(&set), 1);
    assert_int_equal(nuce_index_set_rank(&set, 0), 1);
    check_line(&set, 0, (struct nuce_line){0, 250, 0, 1}, 1, 0);
    nuce_index_set_fini(&set);
    set = create(&gather, 0, NUCE_RECEIVES);
    check_line(&set, 0, (struct nuce_line){0, 1003, 0, 1}, 1, 0);
}

/* Memory is for one period and the rest, not for the array: x = 2, y = 3 on 5 and 4 ranks repeat
 * after 60 elements, 12 of them on each rank before. */
static void test_period(void **state)
{
    struct nuce_redistribution r = test_vector(60000007, 8, 2, 5, 3, 4);
    OWNED(index_set) set = create(&r, 0, NUCE_SENDS);
    int64_t elements = 0;

    for (int k = 0; k < nuce_index_set_peers(&set); k++) {
        const struct nuce_lines *rows = nuce_index_set_rows(&set, k);

        assert_true(rows->period_lines + rows->tail_lines <= 2 * 12);
        assert_true(rows->repeats == 1 || (rows->repeats == 1000000 && rows->stride == 12));
        elements += rows->elements;
    }
    assert_int_equal(elements, set.rows.elements);
    assert_int_equal(elements, 12 * INT64_C(1000000) + 2);
}

/* Ranks beyond a grid, or behind the last block, have no peers. */
static void test_nothing(void **state)
{
    struct nuce_redistribution r = test_vector(10, 8, 4, 4, 5, 2);
    OWNED(index_set) idle = create(&r, 3, NUCE_SENDS), beyond = create(&r, 2, NUCE_RECEIVES);

    assert_int_equal(nuce_index_set_peers(&idle), 0);
    assert_int_equal(nuce_index_set_find(&idle, 0), -1);
    assert_int_equal(nuce_index_set_peers(&beyond), 0);
    assert_int_equal(nuce_index_set_find(&beyond, 0), -1);
}

/* Packing and unpacking: there and back is the identity. */

/* The order within a message: R_2(3, 4), rank 1 to rank 0 sends elements 2 3 and 26 27. */
static void test_order(void **state)
{
    const double array[] = {2, 3, 10, 11, 18, 19, 26, 27, 34, 35, 42, 43};
    const double wanted[] = {2, 3, 26, 27};
    struct nuce_redistribution r = test_vector(48, 8, 2, 4, 6, 4);
    OWNED(index_set) set;
    double buffer[4];

    nuce_index_set_create(&r, 1, NUCE_SENDS, &set);
    assert_int_equal(nuce_index_set_rank(&set, 0), 0);
    nuce_index_set_pack(&set, 0, array, buffer);
    assert_memory_equal(buffer, wanted, sizeof wanted);
}

/* Periods of several runs that do not stay in the cache all together: copied some rounds at once.
 */
static void test_chunks(void **state)
{
    struct nuce_redistribution vectors[] = {
        test_vector(300, 1001, 3, 4, 5, 4),
        test_vector(299, 501, 2, 2, 3, 2),
    };

    test_check_moves(&vectors[0]);
    test_check_moves(&vectors[1]);
}

/* Parts that are copied past the cache, with runs that begin and end within its lines. */
static void test_large_parts(void **state)
{
    struct nuce_redistribution vectors[] = {
        test_vector(300, 30011, 1, 2, 3, 2),
        test_vector(300, 30011, 2, 2, 7, 1),
    };
    struct nuce_redistribution matrix = {
        .from = {.rows = {120, 2, 1}, .columns = {100, 3, 2}},
        .to = {.rows = {120, 3, 2}, .columns = {100, 5, 1}},
        .element_bytes = 801,
    };

    test_check_moves(&vectors[0]);
    test_check_moves(&vectors[1]);
    test_check_moves(&matrix);
}

/* Copies past the cache: each run arrives at its place, and no other byte changes. */

enum {
    RUNS = 12,
    STRIDE = 700,
    ROOM = 64 + RUNS * STRIDE,
};

static void check(int64_t to_shift, int64_t from_shift, int64_t bytes, int64_t count)
{
    static const int64_t to_stride = STRIDE, from_stride = STRIDE - 37;
    unsigned char from[ROOM], to[ROOM], wanted[ROOM];

    for (int k = 0; k < ROOM; k++)
        from[k] = (unsigned char)(k * 7 + k / 256);
    memset(to, 0xaa, sizeof to);
    memset(wanted, 0xaa, sizeof wanted);
    for (int64_t i = 0; i < count; i++)
        memcpy(wanted + to_shift + i * to_stride, from + from_shift + i * from_stride,
               (size_t)bytes);
    nuce_stream_runs(to + to_shift, to_stride, from + from_shift, from_stride, bytes, count);
    assert_memory_equal(to, wanted, sizeof to);
}

static void test_alignments(void **state)
{
    for (int64_t shift = 0; shift < 64; shift++) {
        for (int64_t bytes = NUCE_STREAM_LEAST_BYTES; bytes < 600; bytes += 29) {
            check(shift, 0, bytes, RUNS);
            check(shift, 63 - shift, bytes, RUNS);
            check(0, shift, bytes, 1);
        }
    }
}

/* One dimension of a layout against blocks that are dealt out one after another. */

static void check_dealt(const struct nuce_cyclic *cyclic)
{
    struct test_deal deal = test_deal(cyclic);
    int64_t below[TEST_MOST_RANKS] = {0};

    for (int64_t g = 0; g < cyclic->elements; g++) {
        int owner = deal.owner[g];

        assert_int_equal(nuce_cyclic_global(cyclic, owner, deal.local[g]), g);
        for (int rank = 0; rank < cyclic->ranks; rank++)
            assert_int_equal(nuce_cyclic_owned_below(cyclic, rank, g), below[rank]);
        below[owner]++;
    }
    for (int rank = 0; rank < cyclic->ranks; rank++)
        assert_int_equal(nuce_cyclic_owned(cyclic, rank), deal.owned[rank]);
}

static void test_dealt(void **state)
{
    for (int64_t elements = 1; elements <= 40; elements++) {
        for (int64_t block = 1; block <= 12; block++) {
            for (int ranks = 1; ranks <= 6; ranks++)
                check_dealt(&(struct nuce_cyclic){elements, block, ranks});
        }
    }
}

/* The most elements with the smallest and the largest block: a sanitizer finds overflows. */
static void test_largest(void **state)
{
    const int64_t most = NUCE_CYCLIC_MOST_ELEMENTS;
    const struct nuce_cyclic layouts[] = {{most, 1, 1000},
                                          {most, most, 1000},
                                          {most, most - 1, 1000},
                                          {most, most / 1000 + 1, 1000},
                                          {most - 1, 12345677, 1 << 20}};

    for (size_t k = 0; k < COUNT(layouts); k++) {
        const struct nuce_cyclic *cyclic = &layouts[k];
        int64_t sum = 0;

        for (int rank = 0; rank < cyclic->ranks; rank++) {
            int64_t owned = nuce_cyclic_owned(cyclic, rank);

            sum += owned;
            if (owned > 0)
                assert_in_range(nuce_cyclic_global(cyclic, rank, owned - 1), 0,
                                cyclic->elements - 1);
        }
        assert_int_equal(sum, cyclic->elements);
    }
}

RUN(test_paper, test_corners, test_large, test_exact, test_bad_input, test_paper_lines,
    test_block_to_cyclic, test_one_run, test_period, test_nothing, test_order, test_chunks,
    test_large_parts, test_alignments, test_dealt, test_largest)
