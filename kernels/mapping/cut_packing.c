/* The revised simplex method, dense: maximise the sum of share x value, subject to a row for each
 * link. All slack at first, which is feasible; a step takes in the column that gains most of some
 * hundred looked at (partial pricing) and drives out the row that is used up first. O(rows^2) a
 * step and some rows many steps. */
#include "mapping/cut_packing.h"

#include <math.h>
#include <stdlib.h>

#include "support/allocate.h"

/* What is less is rounding. */
#define TINY 1e-9

/* Rows have up to so much more room, each another amount: else nearly all steps would be ties,
 * which gain nothing. */
#define MORE_ROOM 1e-5

/* How many cuts are looked at for one that gains. */
#define AT_A_TIME 128

struct simplex {
    const int *entry;
    struct nuce_cut *cut;
    int64_t cuts, next; /* the next to look at */
    int rows;
    double *inverse; /* rows x rows, by rows: of the matrix of the basis */
    int64_t *basis;  /* rows: the cut, or -1 - row: what that has left */
    double *amount;  /* rows: how much of each row's basis column there is */
    double *price;   /* rows: what a unit more of the room of each would gain */
    double *column;  /* rows: what the entering one takes of each */
};

static void simplex_fini(struct simplex *simplex)
{
    free(simplex->inverse);
    free(simplex->basis);
    free(simplex->amount);
    free(simplex->price);
    free(simplex->column);
}

/* All zero shares: in every row the basis holds what the row has left. */
static nuce_status simplex_init(struct simplex *simplex, const double *room,
                                struct nuce_error *error)
{
    int rows = simplex->rows;

    simplex->inverse = nuce_allocate((int64_t)rows * rows, sizeof *simplex->inverse, error);
    simplex->basis = nuce_allocate(rows, sizeof *simplex->basis, error);
    simplex->amount = nuce_allocate(rows, sizeof *simplex->amount, error);
    simplex->price = nuce_allocate(rows, sizeof *simplex->price, error);
    simplex->column = nuce_allocate(rows, sizeof *simplex->column, error);
    if (simplex->inverse == NULL || simplex->basis == NULL || simplex->amount == NULL ||
        simplex->price == NULL || simplex->column == NULL)
        return error->status;
    for (int e = 0; e < rows; e++) {
        /* The golden ratio: no two are alike. */
        double part = fmod(0.6180339887498949 * (e + 1), 1);

        simplex->inverse[(int64_t)e * rows + e] = 1;
        simplex->basis[e] = -1 - e;
        simplex->amount[e] = room[e] + MORE_ROOM * part;
    }
    return NUCE_OK;
}

/* A sparse column's entry times a dense row: entry e stands for 1 in row e, -1 - e for -1 there. */
static double cut_packing_taken(const double *of_rows, int entry)
{
    return entry >= 0 ? of_rows[entry] : -of_rows[-1 - entry];
}

/* A cut, or a row to have something left, that gains: of those after the last one looked at, so
 * many at a time, that which gains most, with its gain a unit. 0: none gains, the packing is the
 * best. */
static int choose_entering(struct simplex *simplex, int64_t *entering, double *gain)
{
    int64_t all = simplex->cuts + simplex->rows;

    *gain = TINY;
    for (int64_t tried = 0; tried < all; tried++) {
        int64_t c = simplex->next;
        double reduced;

        if (tried % AT_A_TIME == 0 && *gain > TINY)
            break;
        simplex->next = c + 1 < all ? c + 1 : 0;
        if (c < simplex->cuts) {
            const struct nuce_cut *cut = &simplex->cut[c];

            reduced = cut->value;
            for (int64_t k = cut->first; k < cut->first + cut->count; k++)
                reduced -= cut_packing_taken(simplex->price, simplex->entry[k]);
        } else {
            reduced = -simplex->price[c - simplex->cuts];
        }
        if (reduced > *gain) {
            *gain = reduced;
            *entering = c < simplex->cuts ? c : -1 - (c - simplex->cuts);
        }
    }
    return *gain > TINY;
}

/* What a unit of the entering one takes of each basis column: the inverse times its column. */
static void fill_column(struct simplex *simplex, int64_t entering)
{
    int rows = simplex->rows;

    for (int row = 0; row < rows; row++) {
        const double *inverse = simplex->inverse + (int64_t)row * rows;

        if (entering < 0) {
            simplex->column[row] = inverse[-1 - entering];
            continue;
        }
        simplex->column[row] = 0;
        for (int64_t k = 0; k < simplex->cut[entering].count; k++)
            simplex->column[row] +=
                cut_packing_taken(inverse, simplex->entry[simplex->cut[entering].first + k]);
    }
}

/* The row that is used up first; -1: none. */
static int choose_leaving(const struct simplex *simplex)
{
    double least = INFINITY;
    int leaving = -1;

    for (int row = 0; row < simplex->rows; row++) {
        double ratio = simplex->amount[row] / simplex->column[row];

        if (simplex->column[row] > TINY && ratio < least) {
            least = ratio;
            leaving = row;
        }
    }
    return leaving;
}

/* The entering one takes the place of row leaving's: inverse, amounts and prices are brought up to
 * date. Amounts stay at least 0 against rounding. */
static void cut_packing_pivot(struct simplex *simplex, int64_t entering, double gain, int leaving)
{
    int rows = simplex->rows;
    double *pivotal = simplex->inverse + (int64_t)leaving * rows;
    double by = simplex->column[leaving];

    for (int e = 0; e < rows; e++) {
        pivotal[e] /= by;
        simplex->price[e] += gain * pivotal[e];
    }
    simplex->amount[leaving] /= by;
    for (int row = 0; row < rows; row++) {
        double *inverse = simplex->inverse + (int64_t)row * rows, times = simplex->column[row];

        if (row == leaving || !(fabs(times) > 0))
            continue;
        for (int e = 0; e < rows; e++)
            inverse[e] -= times * pivotal[e];
        simplex->amount[row] = fmax(simplex->amount[row] - times * simplex->amount[leaving], 0);
    }
    simplex->basis[leaving] = entering;
}

nuce_status nuce_cut_packing(int rows, const double *room, const int *entry, struct nuce_cut *cut,
                             int64_t cuts, struct nuce_error *error)
{
    struct simplex simplex = {.entry = entry, .cut = cut, .cuts = cuts, .rows = rows};
    nuce_status status = simplex_init(&simplex, room, error);
    int64_t entering = 0;
    double gain;

    /* The method may go round in circles where the problem is degenerate, so steps are bounded.
     * Whenever it stops, what there is is feasible. */
    for (int step = 0; status == NUCE_OK && step < 50 * rows; step++) {
        int leaving = -1;

        if (choose_entering(&simplex, &entering, &gain)) {
            fill_column(&simplex, entering);
            leaving = choose_leaving(&simplex);
        }
        if (leaving < 0)
            break;
        cut_packing_pivot(&simplex, entering, gain, leaving);
    }
    for (int64_t c = 0; c < cuts; c++)
        cut[c].share = 0;
    for (int row = 0; status == NUCE_OK && row < rows; row++) {
        if (simplex.basis[row] >= 0)
            cut[simplex.basis[row]].share = simplex.amount[row];
    }
    simplex_fini(&simplex);
    return status;
}
