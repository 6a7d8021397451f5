/* Test set 1 of Ranka, Wang and Kumar (7.2): random patterns that are regular in rows and columns.
 *
 * The sample is that of the configuration model: every column is written down degree times, and
 * the list is shuffled and cut into rows. A column that occurs twice in a row is exchanged with a
 * random entry of another row, if that repeats nothing in either (Bollobas, "Random Graphs", 2.4;
 * the exchange as in McKay and Wormald, "Uniform generation of random regular graphs of moderate
 * degree", J. Algorithms 11, 1990, without their rejections: not exactly uniform, but no entry is
 * preferred). Above half degree the complement is drawn instead, so a free exchange always exists:
 * of the degree * ranks entries at least degree * (ranks - 2 degree + 2) are suitable. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

/* The number of occurrences of value among count values. There is no early end, so that the loop is
 * vectorised; that makes dense patterns quick. */
static int uniform_occurrences(const int *values, int count, int value)
{
    int found = 0;

    for (int k = 0; k < count; k++)
        found += values[k] == value;
    return found;
}

/* Draws ranks rows of degree different columns, each column in degree rows; 2 degree <= ranks.
 * Returns an array for the caller to free. */
static int *draw_sparse(int ranks, int degree, struct nuce_rng *rng)
{
    int64_t count = (int64_t)ranks * degree;
    int *entries = nuce_allocate(count, sizeof *entries);
    int *seen = nuce_allocate(ranks, sizeof *seen);

    for (int64_t k = 0; k < count; k++)
        entries[k] = (int)(k % ranks);
    nuce_rng_shuffle(rng, entries, count);
    /* seen[column] is 1 + the last row that contains it. An exchange repeats nothing in any row, so
     * the rows before stay valid. */
    for (int i = 0; i < ranks; i++) {
        int *row = entries + (int64_t)i * degree;

        for (int k = 0; k < degree; k++) {
            /* Exchanged with a random entry of another row such that neither row then repeats a
             * column. */
            while (seen[row[k]] == i + 1) {
                int64_t other = (int64_t)nuce_rng_below(rng, (uint64_t)count);
                int column = row[k];

                if (uniform_occurrences(row, degree, entries[other]) == 0 &&
                    uniform_occurrences(entries + other / degree * degree, degree, column) == 0) {
                    row[k] = entries[other];
                    entries[other] = column;
                    break;
                }
            }
            seen[row[k]] = i + 1;
        }
    }
    free(seen);
    return entries;
}

/* The columns that are missing from each row of sparse, with degree entries: ranks - degree of
 * them, ascending. */
static int *uniform_complement(const int *sparse, int ranks, int degree)
{
    int *entries = nuce_allocate((int64_t)ranks * (ranks - degree), sizeof *entries);
    int *seen = nuce_allocate(ranks, sizeof *seen);
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int64_t k = (int64_t)i * degree; k < (int64_t)(i + 1) * degree; k++)
            seen[sparse[k]] = i + 1;
        for (int j = 0; j < ranks; j++) {
            if (seen[j] != i + 1)
                entries[count++] = j;
        }
    }
    free(seen);
    return entries;
}

static nuce_status uniform_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->degree > input->ranks)
        return nuce_error_refuse(error, "degree", "'%d': expected at most the number of ranks, %d",
                                 input->degree, input->ranks);
    return NUCE_OK;
}

static void uniform_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                             struct nuce_generator_row *out)
{
    int ranks = input->ranks, degree = input->degree;
    int *entries;

    /* The smaller of the set and its complement is drawn, so that the exchanges end. */
    entries = draw_sparse(ranks, degree <= ranks / 2 ? degree : ranks - degree, rng);
    if (degree > ranks / 2) {
        int *sparse = entries;

        entries = uniform_complement(sparse, ranks, ranks - degree);
        free(sparse);
    }
    for (int64_t k = 0; k < (int64_t)ranks * degree; k++) {
        int source = (int)(k / degree);

        if (entries[k] != source)
            nuce_generator_row_add(out, source, entries[k], nuce_generator_units(rng));
    }
    free(entries);
}

const struct nuce_generator_ops nuce_generator_pattern_uniform = {
    .name = "uniform",
    .summary = "degree entries in each row and column, the diagonal included and then dropped; "
               "sizes 1 to 32 items",
    .source = "Ranka, Wang and Kumar, 7.2, test set 1",
    .options = nuce_generator_degree,
    .is_random = 1,
    .check = uniform_check,
    .generate = uniform_generate,
};
