/* Moves by hand: two columns that become three quarters and one, and two rows. */
#include "reference.h"

#include "instances/halo.h"

static struct nuce_decomposition tiling_of(struct nuce_rectangle *rectangles)
{
    return (struct nuce_decomposition){
        .rows = 4, .columns = 8, .parts = 2, .rectangles = rectangles, .is_settled = 1};
}

static void assert_region(struct nuce_region found, struct nuce_region wanted)
{
    assert_int_equal(found.row, wanted.row);
    assert_int_equal(found.column, wanted.column);
    assert_int_equal(found.rows, wanted.rows);
    assert_int_equal(found.columns, wanted.columns);
}

static void check(struct nuce_rectangle *before, struct nuce_rectangle *after, int64_t count,
                  const struct nuce_halo_piece *wanted)
{
    struct nuce_decomposition from = tiling_of(before), to = tiling_of(after);
    struct nuce_halo move;

    nuce_move_init(&from, &to, &move);
    assert_int_equal(move.parts, 2);
    assert_int_equal(move.count, count);
    for (int64_t k = 0; k < count; k++) {
        assert_int_equal(move.pieces[k].source, wanted[k].source);
        assert_int_equal(move.pieces[k].destination, wanted[k].destination);
        assert_region(move.pieces[k].from, wanted[k].from);
        assert_region(move.pieces[k].to, wanted[k].from);
    }
    assert_int_equal(move.first[2], count);
    nuce_halo_fini(&move);
}

static void test_by_hand(void **state)
{
    struct nuce_rectangle halves[] = {
        {0, 0, 0, 4, 4},
        {1, 0, 4, 4, 4},
    };
    struct nuce_rectangle uneven[] = {
        {0, 0, 0, 4, 6},
        {1, 0, 6, 4, 2},
    };
    struct nuce_rectangle rows[] = {
        {0, 0, 0, 2, 8},
        {1, 2, 0, 2, 8},
    };
    struct nuce_rectangle one[] = {
        {0, 0, 0, 4, 8},
        {1, 4, 8, 0, 0},
    };
    const struct nuce_halo_piece wider = {.source = 1, .destination = 0, .from = {0, 4, 4, 2}};
    const struct nuce_halo_piece turned[] = {
        {.source = 0, .destination = 1, .from = {2, 0, 2, 4}},
        {.source = 1, .destination = 0, .from = {0, 4, 2, 4}},
    };
    const struct nuce_halo_piece taken = {.source = 1, .destination = 0, .from = {0, 4, 4, 4}};
    const struct nuce_halo_piece given = {.source = 0, .destination = 1, .from = {0, 4, 4, 4}};

    (void)state;
    check(halves, halves, 0, NULL);
    check(halves, uneven, 1, &wider);
    check(halves, rows, 2, turned);
    check(halves, one, 1, &taken);
    check(one, halves, 1, &given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
