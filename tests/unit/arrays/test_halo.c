#include "reference.h"

#include "instances/halo.h"

#define MOST_SIDE 40

/* Cells of an array, by who owns them, as slowly as can be. */
struct owners {
    int64_t rows, columns;
    int of[MOST_SIDE][MOST_SIDE];
};

static void find_owners(const struct nuce_decomposition *tiling, struct owners *out)
{
    out->rows = (int64_t)tiling->rows;
    out->columns = (int64_t)tiling->columns;
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);

        for (int64_t row = part.row; row < part.row + part.rows; row++) {
            for (int64_t column = part.column; column < part.column + part.columns; column++)
                out->of[row][column] = i;
        }
    }
}

static int64_t wrapped(int64_t at, int64_t side)
{
    return (at + 2 * side) % side;
}

/* Whether the cell at row, column is among the ghost cells of part. */
static int is_ghost(struct nuce_region part, const struct owners *owners,
                    const struct nuce_halo_shape *shape, int64_t row, int64_t column)
{
    int above = row < part.row || row >= part.row + part.rows;
    int beside = column < part.column || column >= part.column + part.columns;
    int outside = row < 0 || row >= owners->rows || column < 0 || column >= owners->columns;

    if (outside && !shape->is_wrapped)
        return 0;
    return above && beside ? shape->corners : above || beside;
}

/* How many pieces give the cell to part; each must come from its owner, from where it is. */
static int times_given(const struct nuce_halo *halo, const struct owners *owners, int part,
                       int64_t row, int64_t column)
{
    int times = 0;

    for (int64_t k = 0; k < halo->count; k++) {
        const struct nuce_halo_piece *piece = &halo->pieces[k];
        int64_t down = row - piece->to.row, along = column - piece->to.column;

        if (piece->destination != part || down < 0 || down >= piece->to.rows || along < 0 ||
            along >= piece->to.columns)
            continue;
        times++;
        assert_int_equal(piece->from.row + down, wrapped(row, owners->rows));
        assert_int_equal(piece->from.column + along, wrapped(column, owners->columns));
        assert_int_equal(owners->of[piece->from.row + down][piece->from.column + along],
                         piece->source);
    }
    return times;
}

/* Every ghost cell comes once, and nothing else does. */
static void check_halo(const struct nuce_decomposition *tiling, const struct nuce_halo *halo,
                       const struct nuce_halo_shape *shape)
{
    struct owners owners;
    int64_t cells = 0, given = 0;

    find_owners(tiling, &owners);
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);
        int64_t bottom = part.row + part.rows + shape->depth;
        int64_t right = part.column + part.columns + shape->depth;

        if (nuce_region_cells(part) == 0)
            continue;
        for (int64_t row = part.row - shape->depth; row < bottom; row++) {
            for (int64_t column = part.column - shape->depth; column < right; column++) {
                int wanted = is_ghost(part, &owners, shape, row, column);

                cells += wanted;
                assert_int_equal(times_given(halo, &owners, i, row, column), wanted);
            }
        }
    }
    for (int64_t k = 0; k < halo->count; k++)
        given += nuce_region_cells(halo->pieces[k].to);
    assert_int_equal(given, cells);
}

/* Pieces in the order that both ends of a message know. */
static void check_order(const struct nuce_halo *halo)
{
    for (int i = 0; i < halo->parts; i++) {
        for (int64_t k = halo->first[i]; k < halo->first[i + 1]; k++) {
            const struct nuce_halo_piece *piece = &halo->pieces[k];

            assert_int_equal(piece->source, i);
            assert_true(
                k == halo->first[i] || piece[-1].destination < piece->destination ||
                (piece[-1].destination == piece->destination &&
                 (piece[-1].to.row < piece->to.row ||
                  (piece[-1].to.row == piece->to.row && piece[-1].to.column < piece->to.column))));
        }
    }
    assert_int_equal(halo->first[halo->parts], halo->count);
}

/* Returns whether there was one. */
static int try_halo(const struct nuce_decomposition *tiling, const struct nuce_halo_shape *shape)
{
    struct nuce_halo halo;
    struct nuce_error error = {0};

    if (nuce_halo_init(tiling, shape, &halo, &error) != NUCE_OK) {
        assert_int_equal(error.status, NUCE_BAD_INPUT);
        assert_non_null(strstr(error.message, "deeper than that"));
        return 0;
    }
    check_halo(tiling, &halo, shape);
    check_order(&halo);
    nuce_halo_fini(&halo);
    return 1;
}

static void test_random(void **state)
{
    static const char *const names[] = {"rb", "xy2", "tile", "strips", "grid", "slabs"};
    int tried = 0;

    (void)state;
    for (uint64_t k = 0; k < 400; k++) {
        struct nuce_rng rng = nuce_rng_create(7, k);
        double weights[TEST_MOST_PARTS];
        struct nuce_array array = {.weights = weights};
        struct nuce_halo_shape shape = {.depth = 1 + (int64_t)nuce_rng_below(&rng, 3),
                                        .corners = (int)nuce_rng_below(&rng, 2),
                                        .is_wrapped = (int)nuce_rng_below(&rng, 2)};
        struct nuce_decomposition made;
        struct nuce_error error;

        array.rows = 5 + (double)nuce_rng_below(&rng, MOST_SIDE - 5);
        array.columns = 5 + (double)nuce_rng_below(&rng, MOST_SIDE - 5);
        array.parts = 1 + (int)nuce_rng_below(&rng, 12);
        nuce_decomposition_draw_weights(&rng, 5, array.parts, weights);
        test_decompose(names[k % 6], &array, &made);
        assert_int_equal(nuce_decomposition_round(&made, 1, &error), NUCE_OK);
        tried += try_halo(&made, &shape);
        nuce_decomposition_fini(&made);
    }
    assert_true(tried > 200);
}

/* Two halves, side by side, of 4 x 6, wrapped around: each has the other on both sides and itself
 * above and below. */
static void test_by_hand(void **state)
{
    struct nuce_rectangle halves[] = {
        {0, 0, 0, 4, 3},
        {1, 0, 3, 4, 3},
    };
    struct nuce_decomposition tiling = {
        .rows = 4, .columns = 6, .parts = 2, .rectangles = halves, .is_settled = 1};
    struct nuce_halo_shape shape = {.depth = 2, .is_wrapped = 1};
    struct nuce_halo halo;
    struct nuce_error error;
    const struct nuce_halo_piece *piece;

    (void)state;
    assert_int_equal(nuce_halo_init(&tiling, &shape, &halo, &error), NUCE_OK);
    assert_int_equal(halo.count, 8);
    check_halo(&tiling, &halo, &shape);
    piece = &halo.pieces[2];
    assert_true(piece->source == 0 && piece->destination == 1);
    assert_true(piece->from.column == 1 && piece->to.column == 1 && piece->to.columns == 2);
    assert_true(piece[1].from.column == 0 && piece[1].to.column == 6 && piece[1].to.rows == 4);
    nuce_halo_fini(&halo);
    shape.depth = 4;
    assert_int_equal(nuce_halo_init(&tiling, &shape, &halo, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "part 0 of 2: has 4 x 3 cells: a halo 4 deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
