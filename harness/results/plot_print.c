/* A table on standard output: title, the table or one for each heading, the sentences, and where it
 * comes from. Programs get the table alone. Names in texts come from records, and those of a bundle
 * from anywhere: what stands outside of tables is made harmless to a terminal first
 * (make_harmless). */
#include <stdio.h>
#include <string.h>

#include "base/grid_fit.h"
#include "base/printable.h"
#include "base/text.h"
#include "results/plot.h"

/* Queries of plots/says put yes, partly or no into their columns holds and printed; any other text,
 * "" among them, means that nothing was judged. */
static const struct {
    const char *judged, *holds, *printed;
} judged_words[] = {
    {"yes", "holds", "as printed"},
    {"partly", "holds in part", "in part as printed"},
    {"no", "does not hold", "not as printed"},
};

enum { JUDGED_WORDS = sizeof judged_words / sizeof *judged_words };

const char *nuce_plot_claim_holds(const char *judged)
{
    for (int i = 0; i < JUDGED_WORDS; i++) {
        if (strcmp(judged, judged_words[i].judged) == 0)
            return judged_words[i].holds;
    }
    return NULL;
}

const char *nuce_plot_claim_printed(const char *judged)
{
    for (int i = 0; i < JUDGED_WORDS; i++) {
        if (strcmp(judged, judged_words[i].judged) == 0)
            return judged_words[i].printed;
    }
    return NULL;
}

/* A line longer than this is broken between words: terminals that are narrower break it anyway. */
#define SENTENCE_COLUMNS 100

/* Prints text in lines, those after the first set in a little. */
static void print_folded(const char *text, FILE *file)
{
    nuce_printable_fold(text, SENTENCE_COLUMNS, 0, 2, file);
    fputc('\n', file);
}

/* People get title and footer; in LaTeX they are comments. */
static void print_line(enum nuce_grid_format format, const char *text, int is_title)
{
    if (*text == '\0')
        return;
    if (format == NUCE_GRID_LATEX) {
        printf("%% %s\n", text);
    } else if (format == NUCE_GRID_MARKDOWN) {
        printf(is_title ? "%s\n\n" : "\n%s\n", text);
    } else if (format == NUCE_GRID_TEXT) {
        if (!is_title)
            putchar('\n');
        print_folded(text, stdout);
        if (is_title)
            putchar('\n');
    }
}

/* What stands outside of tables, which see to themselves: names in it are from records, and those
 * of a bundle from anywhere. */
static void make_harmless(struct nuce_plot_data *data, int heading)
{
    char *const texts[] = {data->where, data->what, data->doubts, data->left_out};
    const int sentences[] = {nuce_grid_column(&data->says, "sentence"),
                             nuce_grid_column(&data->says, "claim")};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] != NULL)
            nuce_printable_make(texts[i]);
    }
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        for (int64_t row = 0; sentences[i] >= 0 && row < data->says.rows; row++) {
            if (nuce_grid_cell(&data->says, row, sentences[i])->text != NULL)
                nuce_printable_make(nuce_grid_cell(&data->says, row, sentences[i])->text);
        }
    }
    for (int64_t row = 0; heading >= 0 && row < data->grid.rows; row++) {
        if (nuce_grid_cell(&data->grid, row, heading)->text != NULL)
            nuce_printable_make(nuce_grid_cell(&data->grid, row, heading)->text);
    }
}

/* The column that stands above tables of their own; -1: none does. It is the first word of the
 * directive. */
static int heading_of(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                      enum nuce_grid_format format)
{
    char name[128];
    const char *words = plot->heading;

    return words == NULL || format != NUCE_GRID_TEXT || !nuce_text_word(&words, name, sizeof name)
               ? -1
               : nuce_grid_column(&data->grid, name);
}

/* "CLAIM (holds): SENTENCE": without the claim nobody knows what the sentence is about. */
static void print_claimed(const struct nuce_grid *says, int64_t row, FILE *file)
{
    const char *claim = nuce_grid_text(says, row, "claim");
    const char *holds = nuce_plot_claim_holds(nuce_grid_text(says, row, "holds"));
    const char *printed = nuce_plot_claim_printed(nuce_grid_text(says, row, "printed"));
    const char *judged = holds != NULL ? holds : printed;
    const char *sentence = nuce_grid_text(says, row, "sentence");
    char text[NUCE_MESSAGE_BYTES];

    if (*claim == '\0') {
        print_folded(sentence, file);
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s: %s", claim, judged != NULL ? " (" : "",
             judged != NULL ? judged : "", judged != NULL ? ")" : "", sentence);
    print_folded(text, file);
}

static void print_sentences(const struct nuce_plot_data *data, int64_t most, FILE *file)
{
    for (int64_t row = 0; row < data->says.rows && row < most; row++)
        print_claimed(&data->says, row, file);
}

void nuce_plot_say_found(struct nuce_plot_data *data, int64_t most, FILE *file)
{
    make_harmless(data, -1);
    print_sentences(data, most, file);
}

/* The rows, from first on, that have its value in column, without that. *out is for the caller to
 * free, also after a failure. */
static void plot_print_slice(const struct nuce_grid *grid, int column, int64_t first,
                             struct nuce_grid *out)
{
    nuce_grid_init(grid->columns, (const char *const *)grid->names, out);

    for (int64_t row = first; row < grid->rows; row++) {
        struct nuce_cell *cells;

        if (!nuce_grid_is_same(grid, column, row, first))
            continue;
        nuce_grid_add_row(out, &cells);
        for (int i = 0; i < grid->columns; i++) {
            const struct nuce_cell *cell = nuce_grid_cell(grid, row, i);

            if (i != column)
                nuce_cell_copy(&cells[i], cell->type, cell->text);
        }
    }
}

/* Whether no row in front of it stands under the same heading. */
static int is_first_of_heading(const struct nuce_grid *grid, int column, int64_t row)
{
    for (int64_t other = 0; other < row; other++) {
        if (nuce_grid_is_same(grid, column, row, other))
            return 0;
    }
    return 1;
}

/* Rows of one heading need not be neighbours; headings come in the order of their first rows. */
nuce_status nuce_plot_each_section(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                                   nuce_status (*each)(void *context, const char *heading,
                                                       const struct nuce_grid *table,
                                                       struct nuce_error *error),
                                   void *context, struct nuce_error *error)
{
    int column = heading_of(plot, data, NUCE_GRID_TEXT);
    nuce_status status = NUCE_OK;

    for (int64_t row = 0; status == NUCE_OK && row < data->grid.rows; row++) {
        struct nuce_plot_data part = {.is_wide = data->is_wide};
        struct nuce_grid table = {0};
        const char *heading = column < 0 ? "" : nuce_grid_cell(&data->grid, row, column)->text;

        if (column < 0 ? row > 0 : !is_first_of_heading(&data->grid, column, row))
            continue;
        if (column >= 0)
            plot_print_slice(&data->grid, column, row, &part.grid);
        status = nuce_plot_table(plot, column < 0 ? data : &part, NUCE_GRID_TEXT, &table, error);
        if (status == NUCE_OK)
            status = each(context, heading == NULL ? "" : heading, &table, error);
        nuce_grid_fini(&table);
        nuce_grid_fini(&part.grid);
    }
    return status;
}

/* How sections are printed. */
struct printing {
    int is_wide, count;
};

/* For nuce_plot_each_section: an empty line between tables, and above each its heading. */
static nuce_status print_section(void *context, const char *heading, const struct nuce_grid *table,
                                 struct nuce_error *error)
{
    struct printing *printing = context;

    if (printing->count++ > 0)
        putchar('\n');
    print_folded(heading, stdout);
    return nuce_grid_print_fitted(table, NUCE_GRID_TEXT, printing->is_wide, stdout, error);
}

/* Prints one table, or where the plot has a heading, and the format is text, one for each of its
 * values. */
static nuce_status print_table(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                               enum nuce_grid_format format, struct nuce_error *error)
{
    struct printing printing = {.is_wide = data->is_wide};
    struct nuce_grid table = {0};
    nuce_status status;

    if (heading_of(plot, data, format) >= 0)
        return nuce_plot_each_section(plot, data, print_section, &printing, error);
    status = nuce_plot_table(plot, data, format, &table, error);
    if (status == NUCE_OK)
        status = nuce_grid_print_fitted(&table, format, data->is_wide, stdout, error);
    nuce_grid_fini(&table);
    return status;
}

nuce_status nuce_plot_print_found(const struct nuce_plot *plot, struct nuce_plot_data *data,
                                  enum nuce_grid_format format, struct nuce_error *error)
{
    make_harmless(data, heading_of(plot, data, format));
    print_line(format, plot->title, 1);
    if (print_table(plot, data, format, error) != NUCE_OK)
        return error->status;
    if (format == NUCE_GRID_TEXT && data->says.rows > 0) {
        putchar('\n');
        print_sentences(data, data->says.rows, stdout);
    }
    print_line(format, data->where, 0);
    print_line(format, data->what, 0);
    print_line(format, data->doubts, 0);
    print_line(format, data->left_out, 0);
    return NUCE_OK;
}

nuce_status nuce_plot_print(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                            struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    nuce_status status = nuce_plot_query(plot, store, choice, &data, error);

    if (status == NUCE_OK)
        status = nuce_plot_print_found(plot, &data, format, error);
    nuce_plot_data_fini(&data);
    return status;
}

nuce_status nuce_plot_say(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, int64_t most, int64_t *count,
                          struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    nuce_status status = nuce_plot_find(plot, store, choice, &data, error);

    *count = 0;
    if (status == NUCE_OK) {
        nuce_plot_say_found(&data, most, stdout);
        *count = data.says.rows;
    }
    nuce_plot_data_fini(&data);
    return status;
}
