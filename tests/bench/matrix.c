/* RS_N written straight from Ranka, Wang and Kumar, Appendix A: the reference for its cost. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedule_case.h"

struct matrix {
    size_t n;
    int64_t *com; /* n x n bytes */
    int *ccom;    /* n x n: row i holds the destinations that are left, first left[i] */
    int *left;
    int *busy;    /* n: the phase in which the receiver was last taken */
    int *partner; /* n: whom each sends to in this phase, or -1 */
};

static void matrix_fini(struct matrix *matrix)
{
    free(matrix->com);
    free(matrix->ccom);
    free(matrix->left);
    free(matrix->busy);
    free(matrix->partner);
}

static void matrix_init(struct matrix *matrix, const struct nuce_pattern *pattern)
{
    int64_t n = pattern->ranks;

    *matrix = (struct matrix){.n = (size_t)n};
    matrix->com = nuce_allocate(n * n, sizeof *matrix->com);
    matrix->ccom = nuce_allocate(n * n, sizeof *matrix->ccom);
    matrix->left = nuce_allocate(n, sizeof *matrix->left);
    matrix->busy = nuce_allocate(n, sizeof *matrix->busy);
    matrix->partner = nuce_allocate(n, sizeof *matrix->partner);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            matrix->com[i * n + pattern->destination[k]] = pattern->bytes[k];
    }
}

/* COM to CCOM, each row shuffled. */
static void compress(struct matrix *matrix, struct nuce_rng *rng)
{
    size_t n = matrix->n;

    for (size_t i = 0; i < n; i++) {
        int *row = matrix->ccom + i * n;

        for (size_t j = 0; j < n; j++) {
            if (matrix->com[i * n + j] > 0)
                row[matrix->left[i]++] = (int)j;
        }
        for (int k = matrix->left[i] - 1; k > 0; k--) {
            int other = (int)nuce_rng_below(rng, (uint64_t)k + 1);
            int swapped = row[k];

            row[k] = row[other];
            row[other] = swapped;
        }
    }
}

/* One phase: every row, from a random one on, takes its first entry with a free receiver. Returns
 * how many messages it placed. */
static int64_t place_phase(struct matrix *matrix, int phase, struct nuce_rng *rng)
{
    size_t n = matrix->n, first = (size_t)nuce_rng_below(rng, n);
    int64_t placed = 0;

    for (size_t step = 0; step < n; step++) {
        size_t i = (first + step) % n;
        int *row = matrix->ccom + i * n;
        int k = 0;

        while (k < matrix->left[i] && matrix->busy[row[k]] == phase)
            k++;
        matrix->partner[i] = -1;
        if (k == matrix->left[i])
            continue;
        matrix->partner[i] = row[k];
        matrix->busy[row[k]] = phase;
        row[k] = row[--matrix->left[i]];
        placed++;
    }
    return placed;
}

nuce_status nuce_schedule_case_matrix(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;
    struct nuce_rng rng = nuce_rng_create(2, 0);
    int64_t placed = 0;
    struct matrix matrix;

    (void)error;
    matrix_init(&matrix, &what->pattern);

    compress(&matrix, &rng);
    for (int phase = 1; placed < what->pattern.messages; phase++)
        placed += place_phase(&matrix, phase, &rng);
    matrix_fini(&matrix);
    return NUCE_OK;
}
