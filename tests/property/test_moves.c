/* Random arrays that are cut anew: every cell has one sender and one receiver, or stays where it
 * is. */
#include "../unit/arrays/reference.h"
#include "../unit/test.h"

#include "base/rng.h"
#include "instances/halo.h"

#define MOST_SIDE 60
#define MOST_PARTS 200

struct cut {
    struct nuce_decomposition before, after;
};

static void decompose(struct nuce_rng *rng, const char *name, double side, int parts,
                      struct nuce_decomposition *out)
{
    double weights[MOST_PARTS];
    struct nuce_array array = {.rows = side, .columns = side + 7, .parts = parts};

    array.weights = weights;
    nuce_decomposition_draw_weights(rng, 8, parts, weights);
    test_decompose(name, &array, out);
    assert_ok(nuce_decomposition_round(out, 1, ANY_ERROR));
}

/* Two cuts of one array; every algorithm after every other. */
static struct cut draw(uint64_t number, double most_side, int most_parts)
{
    static const char *const names[] = {"rb", "rb2", "xy2", "tile", "strips", "grid", "slabs"};
    struct nuce_rng rng = nuce_rng_create(11, number);
    double side = 8 + (double)nuce_rng_below(&rng, (uint64_t)most_side - 16);
    int parts = 1 + (int)nuce_rng_below(&rng, (uint64_t)most_parts);
    struct cut cut;

    decompose(&rng, names[number % 7], side, parts, &cut.before);
    decompose(&rng, names[number / 7 % 7], side, parts, &cut.after);
    return cut;
}

static void destroy(struct cut *cut)
{
    nuce_decomposition_fini(&cut->before);
    nuce_decomposition_fini(&cut->after);
}

static struct nuce_region part_of(const struct nuce_decomposition *tiling, int part)
{
    return nuce_region_of(&tiling->rectangles[part]);
}

static void add(int of[MOST_SIDE][MOST_SIDE], struct nuce_region region, int value)
{
    for (int64_t row = region.row; row < region.row + region.rows; row++) {
        for (int64_t column = region.column; column < region.column + region.columns; column++)
            of[row][column] += value;
    }
}

/* Owners plus 1, cell by cell: cells that are not moved keep their owner. */
static void check_cells(const struct cut *cut, const struct nuce_halo *move)
{
    static int found[MOST_SIDE][MOST_SIDE], wanted[MOST_SIDE][MOST_SIDE],
        times[MOST_SIDE][MOST_SIDE];

    memset(found, 0, sizeof found);
    memset(wanted, 0, sizeof wanted);
    memset(times, 0, sizeof times);
    for (int i = 0; i < cut->before.parts; i++) {
        add(found, part_of(&cut->before, i), i + 1);
        add(wanted, part_of(&cut->after, i), i + 1);
    }
    for (int64_t k = 0; k < move->count; k++) {
        const struct nuce_halo_piece *piece = &move->pieces[k];
        struct nuce_region from = piece->from;

        assert_memory_equal(&piece->from, &piece->to, sizeof from);
        assert_true(piece->source != piece->destination);
        add(times, from, 1);
        for (int64_t row = from.row; row < from.row + from.rows; row++) {
            for (int64_t column = from.column; column < from.column + from.columns; column++)
                assert_int_equal(found[row][column], piece->source + 1);
        }
    }
    for (int64_t k = 0; k < move->count; k++)
        add(found, move->pieces[k].from, move->pieces[k].destination - move->pieces[k].source);
    assert_memory_equal(found, wanted, sizeof found);
    for (int row = 0; row < MOST_SIDE; row++) {
        for (int column = 0; column < MOST_SIDE; column++)
            assert_true(times[row][column] <= 1);
    }
}

/* The cells that each part has, sends, gets and keeps; and the order that both ends know. */
static void check_sums(const struct cut *cut, const struct nuce_halo *move)
{
    static int64_t sent[MOST_PARTS], got[MOST_PARTS];

    memset(sent, 0, sizeof sent);
    memset(got, 0, sizeof got);
    for (int64_t k = 0; k < move->count; k++) {
        const struct nuce_halo_piece *piece = &move->pieces[k];

        sent[piece->source] += nuce_region_cells(piece->from);
        got[piece->destination] += nuce_region_cells(piece->from);
        assert_true(k >= move->first[piece->source] && k < move->first[piece->source + 1]);
        assert_true(k == move->first[piece->source] || piece[-1].destination < piece->destination);
    }
    for (int i = 0; i < move->parts; i++) {
        struct nuce_region old = part_of(&cut->before, i), new = part_of(&cut->after, i);
        struct nuce_region kept = nuce_region_meet(old, new);
        int64_t stays = nuce_region_is_empty(kept) ? 0 : nuce_region_cells(kept);

        assert_int_equal(sent[i] + stays, nuce_region_cells(old));
        assert_int_equal(got[i] + stays, nuce_region_cells(new));
    }
}

static void test_small(void **state)
{
    for (uint64_t k = 0; k < 100; k++) {
        struct cut cut = draw(k, MOST_SIDE - 7, 14);
        struct nuce_halo move;

        nuce_halo_move(&cut.before, &cut.after, &move);
        check_cells(&cut, &move);
        check_sums(&cut, &move);
        nuce_halo_fini(&move);
        destroy(&cut);
    }
}

static void test_large(void **state)
{
    for (uint64_t k = 0; k < 100; k++) {
        struct cut cut = draw(k, 5000, MOST_PARTS);
        struct nuce_halo move;

        nuce_halo_move(&cut.before, &cut.after, &move);
        check_sums(&cut, &move);
        nuce_halo_fini(&move);
        destroy(&cut);
    }
}

RUN(test_small, test_large)
