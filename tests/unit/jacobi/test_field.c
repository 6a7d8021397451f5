/* The values that checks compare with: exact and salted ones, the wave, and the serial run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "instances/field.h"

/* Within tolerance of what is wanted. */
static void expect_near(double found, double wanted, double tolerance)
{
    assert_true(fabs(found - wanted) <= tolerance);
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
    struct nuce_field field = make(5, "float", 9, 7, 1);
    int same = 0;

    (void)state;
    for (int64_t i = 0; i < field.rows; i++) {
        for (int64_t j = 0; j < field.columns; j++) {
            double value = nuce_field_value(&field, NUCE_FIELD_MIXED, 3, i, j);
            double other = nuce_field_value(&field, NUCE_FIELD_MIXED, 4, i, j);

            assert_true(value >= 0 && value < 1);
            expect_near(value * (1 << 24), floor(value * (1 << 24)), 0);
            same += fabs(value - other) <= 0;
        }
    }
    assert_true(same < 3);
    nuce_field_fini(&field);
}

static void test_beyond(void **state)
{
    struct nuce_field ring = make(5, "double", 4, 6, 1), sheet = make(5, "double", 4, 6, 0);

    (void)state;
    expect_near(nuce_field_value(&ring, NUCE_FIELD_MIXED, 1, -1, 13),
                nuce_field_value(&ring, NUCE_FIELD_MIXED, 1, 3, 1), 0);
    assert_true(nuce_field_has(&ring, -5, 100));
    assert_true(nuce_field_has(&sheet, 3, 5));
    assert_false(nuce_field_has(&sheet, 4, 0));
    assert_false(nuce_field_has(&sheet, 0, -1));
    expect_near(nuce_field_value(&sheet, NUCE_FIELD_MIXED, 1, -2, 0), 0, 0);
    expect_near(nuce_field_value(&sheet, NUCE_FIELD_MIXED, 1, 0, 7), 0, 0);
    nuce_field_fini(&ring);
    nuce_field_fini(&sheet);
}

static double wave(const struct nuce_field *field, int64_t row, int64_t column)
{
    return nuce_field_value(field, NUCE_FIELD_WAVE, 0, row, column);
}

/* The stencil's mean of the wave is the factor times the wave, at the border too. */
static void expect_eigenfunction(const struct nuce_field *field)
{
    double factor = nuce_field_factor(field);

    assert_true(fabs(factor) <= 1);
    for (int64_t i = 0; i < field->rows; i++) {
        for (int64_t j = 0; j < field->columns; j++) {
            double direct = wave(field, i - 1, j) + wave(field, i + 1, j) + wave(field, i, j - 1) +
                            wave(field, i, j + 1);
            double diagonal = wave(field, i - 1, j - 1) + wave(field, i - 1, j + 1) +
                              wave(field, i + 1, j - 1) + wave(field, i + 1, j + 1);
            double mean = field->jacobi->points == 5 ? direct / 4 : (4 * direct + diagonal) / 20;

            expect_near(mean, factor * wave(field, i, j), 1e-14);
        }
    }
}

static void test_wave(void **state)
{
    (void)state;
    for (int64_t points = 5; points <= 9; points += 4) {
        for (int is_periodic = 0; is_periodic < 2; is_periodic++) {
            struct nuce_field field = make(points, "double", 5, 8, is_periodic);

            expect_eigenfunction(&field);
            nuce_field_fini(&field);
        }
    }
}

/* A plane of the whole array, swept: the serial run agrees, and finds a cell that was changed. */
static void check_serial(const char *element, int64_t sweeps)
{
    struct nuce_field field = make(9, element, 6, 5, 0);
    struct nuce_region whole = {0, 0, 6, 5};
    struct nuce_plane plane;
    struct nuce_error error;

    assert_int_equal(nuce_plane_init(field.jacobi, 6, 5, 1, &plane, &error), NUCE_OK);
    for (int64_t i = -1; i <= 6; i++) {
        for (int64_t j = -1; j <= 5; j++)
            nuce_plane_set_cell(&plane, i, j, nuce_field_value(&field, NUCE_FIELD_MIXED, 2, i, j));
    }
    for (int64_t k = 0; k < sweeps; k++) {
        nuce_plane_sweep(&plane, nuce_plane_own(&plane));
        nuce_plane_turn(&plane);
    }
    assert_int_equal(nuce_field_check(&field, 2, &plane, whole, sweeps, &error), NUCE_OK);
    assert_int_equal(nuce_field_check(&field, 3, &plane, whole, sweeps, &error), NUCE_CORRUPT);
    nuce_plane_set_cell(&plane, 4, 3, 2);
    assert_int_equal(nuce_field_check(&field, 2, &plane, whole, sweeps, &error), NUCE_CORRUPT);
    assert_non_null(strstr(error.message, "row 4, column 3"));
    nuce_plane_fini(&plane);
    nuce_field_fini(&field);
}

static void test_serial(void **state)
{
    (void)state;
    for (int64_t sweeps = 0; sweeps < 4; sweeps++) {
        check_serial("double", sweeps);
        check_serial("float", sweeps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_wave),
        cmocka_unit_test(test_serial),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
