/* Sweeps against a plain loop over cells, bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "instances/plane.h"

/* The next value of the cell at, by hand. */
static double next_double(const double *at, int64_t stride, int points)
{
    double direct = (at[-stride] + at[stride]) + (at[-1] + at[1]);
    double diagonal = (at[-stride - 1] + at[-stride + 1]) + (at[stride - 1] + at[stride + 1]);

    return points == 5 ? 0.25 * direct : 0.05 * (4 * direct + diagonal);
}

static float next_float(const float *at, int64_t stride, int points)
{
    float direct = (at[-stride] + at[stride]) + (at[-1] + at[1]);
    float diagonal = (at[-stride - 1] + at[-stride + 1]) + (at[stride - 1] + at[stride + 1]);

    return points == 5 ? 0.25F * direct : 0.05F * (4 * direct + diagonal);
}

static void expect_cell(const struct nuce_plane *plane, const unsigned char *now,
                        const unsigned char *next, int64_t at)
{
    const struct nuce_jacobi_ops *jacobi = plane->jacobi;

    if (jacobi->element_bytes == 8) {
        double wanted =
            next_double((const double *)(const void *)now + at, plane->stride, jacobi->points);

        assert_memory_equal((const double *)(const void *)next + at, &wanted, sizeof wanted);
    } else {
        float wanted =
            next_float((const float *)(const void *)now + at, plane->stride, jacobi->points);

        assert_memory_equal((const float *)(const void *)next + at, &wanted, sizeof wanted);
    }
}

/* Every cell of region is what it should be, and no other cell is written. */
static void check_sweep(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                        struct nuce_region region)
{
    struct nuce_plane plane;
    struct nuce_error error;
    struct nuce_rng rng = nuce_rng_create(7, (uint64_t)(rows * columns));
    int64_t depth = 2;

    assert_int_equal(nuce_plane_init(jacobi, rows, columns, depth, &plane, &error), NUCE_OK);
    for (int64_t i = -depth; i < rows + depth; i++) {
        for (int64_t j = -depth; j < columns + depth; j++) {
            double wide = nuce_rng_uniform(&rng);
            float narrow = (float)wide;

            memcpy(plane.now + nuce_plane_at(&plane, i, j),
                   jacobi->element_bytes == 8 ? (void *)&wide : (void *)&narrow,
                   (size_t)jacobi->element_bytes);
        }
    }
    nuce_plane_sweep(&plane, region);
    for (int64_t i = -depth; i < rows + depth; i++) {
        for (int64_t j = -depth; j < columns + depth; j++) {
            static const unsigned char untouched[8];
            int64_t at = i * plane.stride + j;
            int is_in = i >= region.row && i < region.row + region.rows && j >= region.column &&
                        j < region.column + region.columns;

            if (is_in)
                expect_cell(&plane, plane.now, plane.next, at);
            else
                assert_memory_equal(plane.next + at * jacobi->element_bytes, untouched,
                                    (size_t)jacobi->element_bytes);
        }
    }
    nuce_plane_fini(&plane);
}

/* Each number of rows left over by six at a time, each of columns left over by a vector. */
static void test_sizes(void **state)
{
    (void)state;
    for (int k = 0; nuce_jacobis[k] != NULL; k++) {
        for (int64_t rows = 1; rows <= 13; rows++) {
            for (int64_t columns = 1; columns <= 19; columns++)
                check_sweep(nuce_jacobis[k], rows, columns,
                            (struct nuce_region){0, 0, rows, columns});
        }
    }
}

/* Ghosts as well, parts of a plane, nothing, and rows longer than a block. */
static void test_regions(void **state)
{
    (void)state;
    for (int k = 0; nuce_jacobis[k] != NULL; k++) {
        check_sweep(nuce_jacobis[k], 6, 11, (struct nuce_region){-1, -1, 8, 13});
        check_sweep(nuce_jacobis[k], 6, 11, (struct nuce_region){1, 3, 5, 2});
        check_sweep(nuce_jacobis[k], 6, 11, (struct nuce_region){2, 2, 0, 5});
        check_sweep(nuce_jacobis[k], 6, 11, (struct nuce_region){2, 2, 3, 0});
        check_sweep(nuce_jacobis[k], 5, 40000, (struct nuce_region){0, 0, 5, 40000});
    }
}

/* What is packed comes out where it is unpacked, and nothing else. */
static void test_packing(void **state)
{
    const struct nuce_jacobi_ops *jacobi = nuce_jacobi_find(5, "float");
    struct nuce_region from = {1, 2, 3, 2}, to = {-1, 0, 3, 2};
    struct nuce_plane plane;
    struct nuce_error error;
    unsigned char buffer[24];

    (void)state;
    assert_int_equal(nuce_plane_init(jacobi, 5, 6, 1, &plane, &error), NUCE_OK);
    for (int64_t i = 0; i < 5; i++) {
        for (int64_t j = 0; j < 6; j++)
            ((float *)(void *)plane.now)[i * plane.stride + j] = (float)(10 * i + j);
    }
    assert_ptr_equal(nuce_plane_pack(&plane, from, buffer), buffer + sizeof buffer);
    assert_ptr_equal(nuce_plane_unpack(&plane, to, buffer), buffer + sizeof buffer);
    for (int64_t i = 0; i < 3; i++) {
        for (int64_t j = 0; j < 2; j++)
            assert_true(((float *)(void *)plane.now)[(i - 1) * plane.stride + j] ==
                        (float)(10 * (i + 1) + j + 2));
    }
    assert_true(((float *)(void *)plane.now)[2 * plane.stride] == 20.0F);
    nuce_plane_fini(&plane);
}

static void test_find(void **state)
{
    (void)state;
    assert_string_equal(nuce_jacobi_find(9, "float")->name, "nine-float");
    assert_null(nuce_jacobi_find(7, "float"));
    assert_null(nuce_jacobi_find(5, "half"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
