/* Stages from long to short.
 *
 * The matrix is filled up with idle work until every row and column has the same sum. Then each
 * stage can be a perfect matching (Birkhoff 1946, von Neumann 1953), and no row or column with the
 * largest sum ever idles. A stage is a perfect matching of entries that are at least a threshold.
 * It lasts as long as its smallest entry. The threshold is halved when there is no such matching.
 *
 * The search for the next matching begins with the last one less the entries that became too small
 * (augmenting paths, Kuhn 1955), so that most stages need few paths. Bits mark the entries that are
 * long enough, so that a path checks 64 columns at a time. */
#include "schedules/birkhoff.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* One decomposition in progress. `real` belongs to the caller and falls to 0; `all` includes idle
 * work. All other members are made by birkhoff_init and freed by birkhoff_fini, also after
 * failure. */
struct birkhoff {
    int size;
    int64_t *real; /* size x size */
    int64_t *all;  /* size x size: with idle work */
    int64_t left;  /* left in every row and column, both together */
    int64_t threshold;
    int *column;        /* rows: the matched column; -1: none */
    int *row;           /* columns: the matched row */
    int words;          /* with one bit for each column */
    uint64_t *is_long;  /* rows x words: whether the entry is at least the threshold */
    uint64_t *not_seen; /* words: columns not seen in the current search */
    struct nuce_stages *stages;
};

void nuce_stages_fini(struct nuce_stages *stages)
{
    free(stages->length);
    free(stages->part);
    *stages = (struct nuce_stages){0};
}

static int64_t birkhoff_entry(const struct birkhoff *b, int i, int j)
{
    return b->all[(int64_t)i * b->size + j];
}

/* The sum of a row (step 1) or column (step size) of work that begins at first. */
static int64_t line_sum(const int64_t *first, int size, int step)
{
    int64_t sum = 0;

    for (int k = 0; k < size; k++)
        sum += first[(int64_t)k * step];
    return sum;
}

/* Adds idle work until all sums are equal, in at most 2 size entries: the corner rule. Each step
 * completes a row or a column and moves to the next, so the loop ends. A step adds up two lines, so
 * all take O(size^2). */
static void fill_up(struct birkhoff *b)
{
    int size = b->size, i = 0, j = 0;
    int64_t row, column;

    for (int k = 0; k < size; k++) {
        row = line_sum(b->real + (int64_t)k * size, size, 1);
        column = line_sum(b->real + k, size, size);
        b->left = row > b->left ? row : b->left;
        b->left = column > b->left ? column : b->left;
    }
    row = column = 0;
    while (i < size && j < size) {
        int64_t missing_row = b->left - line_sum(b->real + (int64_t)i * size, size, 1) - row;
        int64_t missing_column = b->left - line_sum(b->real + j, size, size) - column;
        int64_t both = missing_row < missing_column ? missing_row : missing_column;

        b->all[(int64_t)i * size + j] += both;
        row += both;
        column += both;
        if (missing_row <= missing_column) {
            i++;
            row = 0;
        } else {
            j++;
            column = 0;
        }
    }
}

/* Updates the bits after a change of row i, column j, or the threshold. */
static void birkhoff_mark(struct birkhoff *b, int i, int j)
{
    uint64_t *word = &b->is_long[(int64_t)i * b->words + j / 64], bit = UINT64_C(1) << j % 64;

    *word = birkhoff_entry(b, i, j) >= b->threshold ? *word | bit : *word & ~bit;
}

static void set_threshold(struct birkhoff *b, int64_t threshold)
{
    b->threshold = threshold;
    for (int i = 0; i < b->size; i++) {
        for (int j = 0; j < b->size; j++)
            birkhoff_mark(b, i, j);
    }
}

/* Searches a path from row i to a free column by entries of at least the threshold: column by
 * column, among those that no row of the path has seen. Returns 1 if there is one, and then the
 * matching includes row i; else 0, and the matching is unchanged. Each level of the recursion
 * removes a column from not_seen, so there are at most size + 1. */
static int birkhoff_augment(struct birkhoff *b, int i)
{
    const uint64_t *is_long = &b->is_long[(int64_t)i * b->words];

    for (int word = 0; word < b->words; word++) {
        uint64_t columns;

        while ((columns = is_long[word] & b->not_seen[word]) != 0) {
            int j = 64 * word + __builtin_ctzll(columns);

            b->not_seen[word] &= ~(columns & -columns);
            if (b->row[j] >= 0 && !birkhoff_augment(b, b->row[j]))
                continue;
            b->row[j] = i;
            b->column[i] = j;
            return 1;
        }
    }
    return 0;
}

/* Returns true if all rows are matched by entries of at least the threshold. Otherwise matched rows
 * stay so, and the search at the next threshold begins with them. */
static int match_all(struct birkhoff *b)
{
    for (int i = 0; i < b->size; i++) {
        int j = b->column[i];

        if (j >= 0 && birkhoff_entry(b, i, j) < b->threshold)
            b->column[i] = b->row[j] = -1;
    }
    for (int i = 0; i < b->size; i++) {
        if (b->column[i] >= 0)
            continue;
        memset(b->not_seen, 0xff, (size_t)b->words * sizeof *b->not_seen);
        if (!birkhoff_augment(b, i))
            return 0;
    }
    return 1;
}

/* Makes room for one more stage, in which no row meets a column yet. */
static struct nuce_meeting_part *add_stage(struct nuce_stages *stages, int64_t length)
{
    struct nuce_meeting_part *part;

    nuce_allocate_more((void **)&stages->length, &stages->capacity, stages->count + 1,
                       sizeof *stages->length);
    nuce_allocate_more((void **)&stages->part, &stages->part_capacity,
                       (stages->count + 1) * stages->size, sizeof *stages->part);
    stages->length[stages->count] = length;
    part = &stages->part[stages->count++ * stages->size];
    for (int i = 0; i < stages->size; i++)
        part[i] = (struct nuce_meeting_part){-1, 0};
    return part;
}

/* Takes the stage of the matching, as long as its smallest entry: real work before idle work. */
static void take_matching(struct birkhoff *b)
{
    int64_t length = b->left;
    struct nuce_meeting_part *part;

    for (int i = 0; i < b->size; i++) {
        int64_t entry = birkhoff_entry(b, i, b->column[i]);

        length = entry < length ? entry : length;
    }
    part = add_stage(b->stages, length);
    for (int i = 0; i < b->size; i++) {
        int64_t at = (int64_t)i * b->size + b->column[i];
        int64_t work = b->real[at] < length ? b->real[at] : length;

        b->real[at] -= work;
        b->all[at] -= length;
        birkhoff_mark(b, i, b->column[i]);
        if (work > 0)
            part[i] = (struct nuce_meeting_part){b->column[i], work};
    }
    b->left -= length;
}

/* Takes the rest entry by entry: each row in turn takes its longest; each time another row is
 * first. */
static void take_rest(struct birkhoff *b)
{
    int *taken = b->row, is_left = 1; /* the matching is no longer needed */

    for (int j = 0; j < b->size; j++)
        taken[j] = -1;
    for (int stage = 0; is_left; stage++) {
        struct nuce_meeting_part *part = NULL;

        is_left = 0;
        for (int k = 0; k < b->size; k++) {
            int i = (k + stage) % b->size, j = -1;
            int64_t *row = b->real + (int64_t)i * b->size;

            /* The column with the most work left among the free ones. */
            for (int c = 0; c < b->size; c++) {
                if (row[c] > 0 && taken[c] != stage && (j < 0 || row[c] > row[j]))
                    j = c;
            }
            if (j < 0)
                continue;
            if (part == NULL)
                part = add_stage(b->stages, 0);
            is_left = 1;
            taken[j] = stage;
            part[i] = (struct nuce_meeting_part){j, row[j]};
            row[j] = 0;
            if (part[i].work > b->stages->length[b->stages->count - 1])
                b->stages->length[b->stages->count - 1] = part[i].work;
        }
    }
}

/* The loop ends: a stage removes its smallest entry, of which there are at most size^2. Without a
 * matching the threshold is halved, down to less than `least`. */
void nuce_birkhoff(int size, int64_t *work, int64_t least, int64_t most, struct nuce_stages *out)
{
    struct birkhoff b = {.size = size, .words = (size + 63) / 64, .real = work, .stages = out};

    *out = (struct nuce_stages){.size = size};
    b.all = nuce_allocate((int64_t)size * size, sizeof *b.all);
    b.column = nuce_allocate(size, sizeof *b.column);
    b.row = nuce_allocate(size, sizeof *b.row);
    b.is_long = nuce_allocate((int64_t)size * b.words, sizeof *b.is_long);
    b.not_seen = nuce_allocate(b.words, sizeof *b.not_seen);
    for (int k = 0; k < size; k++)
        b.column[k] = b.row[k] = -1;
    memcpy(b.all, work, (size_t)size * (size_t)size * sizeof *b.all);
    fill_up(&b);
    set_threshold(&b, b.left);
    while (b.left > 0 && out->count < most && b.threshold >= (least > 1 ? least : 1)) {
        if (match_all(&b))
            take_matching(&b);
        else
            set_threshold(&b, b.threshold / 2);
    }
    take_rest(&b);
    free(b.all);
    free(b.column);
    free(b.row);
    free(b.is_long);
    free(b.not_seen);
}
