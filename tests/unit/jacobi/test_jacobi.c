/* Parts of an array that sweep and exchange ghosts, all in one process, against the serial run and
 * the known solution; and that both notice when something is wrong. */
#include "../test.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "instances/field.h"
#include "instances/halo.h"
#include "instances/part.h"
#include "instances/plane.h"
#include "instances/rate.h"

#define ROWS 23
#define COLUMNS 31
#define PARTS 3

struct whole {
    struct nuce_field field;
    struct nuce_decomposition tiling;
    struct nuce_halo halo;
    struct nuce_part parts[PARTS];
};

static void create(struct whole *out, const struct nuce_jacobi_ops *jacobi, int is_periodic,
                   int64_t depth)
{
    static const double weights[PARTS] = {1, 3, 2};
    struct nuce_array array = {
        .rows = ROWS, .columns = COLUMNS, .parts = PARTS, .weights = weights};
    struct nuce_halo_shape shape = {.depth = depth, .corners = 1, .is_wrapped = is_periodic};
    const struct nuce_decomposition_ops *ops;

    nuce_field_init(jacobi, ROWS, COLUMNS, is_periodic, &out->field);
    assert_ok(nuce_decomposition_find("xy2", &ops, ANY_ERROR));
    assert_ok(nuce_decomposition_compute(ops, &array, &out->tiling, ANY_ERROR));
    assert_ok(nuce_decomposition_round(&out->tiling, 0, ANY_ERROR));
    assert_ok(nuce_halo_init(&out->tiling, &shape, &out->halo, ANY_ERROR));
    for (int i = 0; i < PARTS; i++)
        assert_ok(nuce_part_init(&out->field, &out->halo, &out->tiling, i, depth, &out->parts[i],
                                 ANY_ERROR));
}

static void destroy(struct whole *whole)
{
    for (int i = 0; i < PARTS; i++)
        nuce_part_fini(&whole->parts[i]);
    nuce_halo_fini(&whole->halo);
    nuce_decomposition_fini(&whole->tiling);
    nuce_field_fini(&whole->field);
}

/* Piece by piece, in the order of each source; a part gets them by source as well. */
static void exchange(struct whole *whole)
{
    unsigned char out[PARTS][65536], in[PARTS][65536];
    size_t sent[PARTS] = {0}, got[PARTS] = {0};

    for (int i = 0; i < PARTS; i++)
        nuce_part_pack(&whole->parts[i], out[i]);
    for (int64_t k = 0; k < whole->halo.count; k++) {
        const struct nuce_halo_piece *piece = &whole->halo.pieces[k];
        size_t bytes =
            (size_t)(nuce_region_cells(piece->from) * whole->field.jacobi->element_bytes);

        assert_true(got[piece->destination] + bytes <= sizeof in[0]);
        memcpy(in[piece->destination] + got[piece->destination],
               out[piece->source] + sent[piece->source], bytes);
        sent[piece->source] += bytes;
        got[piece->destination] += bytes;
    }
    for (int i = 0; i < PARTS; i++)
        nuce_part_unpack(&whole->parts[i], in[i]);
}

static void fill(struct whole *whole, enum nuce_field_kind kind)
{
    for (int i = 0; i < PARTS; i++)
        nuce_part_fill(&whole->parts[i], kind, 5);
}

/* An exchange and a sweep for each layer of ghosts; the first in two pieces, as with overlap. */
static void advance(struct whole *whole, int64_t depth)
{
    exchange(whole);
    for (int64_t k = 0; k < depth; k++) {
        for (int i = 0; i < PARTS; i++) {
            struct nuce_part *part = &whole->parts[i];
            struct nuce_region inner = k == 0 ? nuce_part_interior(part) : (struct nuce_region){0};

            nuce_part_sweep(part, inner);
            nuce_part_sweep_around(part, nuce_part_reach(part, depth - 1 - k), inner);
            nuce_plane_turn(&part->plane);
        }
    }
}

static nuce_status check(struct whole *whole, int64_t sweeps)
{
    struct nuce_error error;

    for (int i = 0; i < PARTS; i++) {
        struct nuce_part *part = &whole->parts[i];

        if (nuce_field_check(&whole->field, 5, &part->plane, part->region, sweeps, &error) != 0)
            return error.status;
    }
    return NUCE_OK;
}

static void run(const struct nuce_jacobi_ops *jacobi, int is_periodic, int64_t depth, double extra)
{
    struct whole whole;

    create(&whole, jacobi, is_periodic, depth);
    for (int i = 0; i < PARTS; i++)
        whole.parts[i].extra = i * extra;
    fill(&whole, NUCE_FIELD_MIXED);
    exchange(&whole);
    for (int i = 0; i < PARTS; i++)
        assert_ok(nuce_part_check_ghosts(&whole.parts[i], 5, ANY_ERROR));
    for (int k = 1; k <= 4; k++) {
        advance(&whole, depth);
        assert_ok(check(&whole, k * depth));
    }
    fill(&whole, NUCE_FIELD_WAVE);
    for (int k = 1; k <= 20; k++)
        advance(&whole, depth);
    for (int i = 0; i < PARTS; i++)
        assert_ok(nuce_part_check_wave(&whole.parts[i], 20 * depth, ANY_ERROR));
    destroy(&whole);
}

static void test_runs(void **state)
{
    for (int k = 0; nuce_jacobis[k] != NULL; k++) {
        for (int64_t depth = 1; depth <= 3; depth++) {
            run(nuce_jacobis[k], 0, depth, 0);
            run(nuce_jacobis[k], 1, depth, 0.7);
        }
    }
}

/* One cell, by one bit. */
static void test_wrong_cell(void **state)
{
    struct whole whole;
    struct nuce_error error;
    struct nuce_part *part = &whole.parts[1];

    create(&whole, nuce_jacobi_find(5, "double"), 0, 1);
    fill(&whole, NUCE_FIELD_MIXED);
    advance(&whole, 1);
    part->plane.now[nuce_plane_at(&part->plane, part->plane.rows - 1, 0)] ^= 1;
    assert_int_equal(check(&whole, 1), NUCE_CORRUPT);

    fill(&whole, NUCE_FIELD_MIXED);
    exchange(&whole);
    part->plane.now[nuce_plane_at(&part->plane, part->receive[0].row, part->receive[0].column)] ^=
        1;
    assert_int_equal(nuce_part_check_ghosts(part, 5, &error), NUCE_CORRUPT);

    fill(&whole, NUCE_FIELD_WAVE);
    advance(&whole, 1);
    nuce_plane_set_cell(&part->plane, 0, 0, nuce_plane_get_cell(&part->plane, 0, 0) + 1e-13);
    assert_int_equal(nuce_part_check_wave(part, 1, &error), NUCE_CORRUPT);
    assert_says(&error, "after 1 sweeps the cell at row");
    destroy(&whole);
}

/* A cell that depends on a ghost which did not come is seen. */
static void test_missing_exchange(void **state)
{
    struct whole whole;

    create(&whole, nuce_jacobi_find(9, "float"), 1, 1);
    fill(&whole, NUCE_FIELD_MIXED);
    for (int i = 0; i < PARTS; i++) {
        nuce_part_sweep(&whole.parts[i], nuce_part_reach(&whole.parts[i], 0));
        nuce_plane_turn(&whole.parts[i].plane);
    }
    assert_int_equal(check(&whole, 1), NUCE_CORRUPT);
    destroy(&whole);
}

static struct nuce_field make(int64_t points, const char *element, int64_t rows, int64_t columns,
                              int is_periodic)
{
    struct nuce_field field;

    nuce_field_init(nuce_jacobi_find(points, element), rows, columns, is_periodic, &field);
    return field;
}

/* Multiples of 2^-24 in [0, 1), another set for another salt. */
static void test_mixed(void **state)
{
    OWNED(field) field = make(5, "float", 9, 7, 1);
    int same = 0;

    for (int64_t i = 0; i < field.rows; i++) {
        for (int64_t j = 0; j < field.columns; j++) {
            double value = nuce_field_value(&field, NUCE_FIELD_MIXED, 3, i, j);
            double other = nuce_field_value(&field, NUCE_FIELD_MIXED, 4, i, j);

            assert_true(value >= 0 && value < 1);
            assert_true(fabs(value * (1 << 24) - floor(value * (1 << 24))) <= 0);
            same += fabs(value - other) <= 0;
        }
    }
    assert_true(same < 3);
}

/* A sweep over all of an array: every cell is that of a plain loop, and no other is written. */
static void check_sweep(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns)
{
    struct nuce_region whole = {0, 0, rows, columns};
    OWNED(field) field;
    OWNED(plane) plane;
    struct nuce_error error;

    nuce_field_init(jacobi, rows, columns, 0, &field);
    assert_ok(nuce_plane_init(jacobi, rows, columns, 1, &plane, &error));
    for (int64_t i = -1; i <= rows; i++) {
        for (int64_t j = -1; j <= columns; j++)
            nuce_plane_set_cell(&plane, i, j, nuce_field_value(&field, NUCE_FIELD_MIXED, 2, i, j));
    }
    nuce_plane_sweep(&plane, whole);
    nuce_plane_turn(&plane);
    if (nuce_field_check(&field, 2, &plane, whole, 1, &error) != NUCE_OK)
        fail_msg("%s, %d x %d: %s", jacobi->name, (int)rows, (int)columns, error.message);
    for (int64_t i = -1; i <= rows; i++) {
        for (int64_t j = -1; j <= columns; j += i < 0 || i == rows ? 1 : columns + 1)
            assert_true(fabs(nuce_plane_get_cell(&plane, i, j) -
                             nuce_field_value(&field, NUCE_FIELD_MIXED, 2, i, j)) <= 0);
    }
}

/* Each number of rows left over by six at a time, each of columns left over by a vector; rows
 * longer than a block. */
static void test_sizes(void **state)
{
    for (int k = 0; nuce_jacobis[k] != NULL; k++) {
        for (int64_t rows = 1; rows <= 13; rows++) {
            for (int64_t columns = 1; columns <= 19; columns++)
                check_sweep(nuce_jacobis[k], rows, columns);
        }
        check_sweep(nuce_jacobis[k], 5, 40000);
    }
}

/* Rates of samples that are long enough to see a processor taken away. */

/* However short a sweep is, and however long: a sample is of one at least. */
static void test_sample(void **state)
{
    static const int64_t sides[] = {4, 3000};
    const struct nuce_jacobi_ops *jacobi = nuce_jacobi_find(5, "double");

    for (size_t i = 0; i < COUNT(sides); i++) {
        OWNED(plane) plane;
        double begin;
        int64_t sweeps;

        assert_ok(nuce_plane_init(jacobi, sides[i], sides[i], 1, &plane, ANY_ERROR));
        begin = nuce_clock();
        sweeps = nuce_rate_sample(&plane, 0);
        assert_true(nuce_clock() - begin >= 0.1);
        assert_true(sweeps >= (i == 0 ? 2 : 1));
    }
}

static void test_measure(void **state)
{
    struct nuce_rate rate;

    assert_ok(nuce_rate_measure(nuce_jacobi_find(9, "float"), 20, 0, 0, &rate, ANY_ERROR));
    assert_int_equal(rate.samples, 5);
    assert_true(rate.median > 0 && isnan(rate.low) && isnan(rate.high));
    assert_ok(nuce_rate_measure(nuce_jacobi_find(9, "float"), 20, 0, 0.75, &rate, ANY_ERROR));
    assert_true(rate.samples >= 5);
    if (rate.samples >= 6)
        assert_true(rate.low <= rate.median && rate.median <= rate.high);
}

RUN(test_runs, test_wrong_cell, test_missing_exchange, test_mixed, test_sizes, test_sample,
    test_measure)
