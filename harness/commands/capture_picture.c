/* The rows that plots/captures/capture.gp draws, one panel after the other. A row is a panel, a
 * label and five numbers. Their meaning depends on the panel and is described at the functions
 * here; NaN means none. gnuplot selects rows by their panel. The plot is drawn by nuce_plot_draw,
 * but has no SQL: rows and texts come from the capture instead. */
#include "commands/capturing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/inputs.h"
#include "capture/capture.h"
#include "results/grid_read.h"

/* Maximum number of patterns with a bar of their own. */
#define MOST_BARS 12

/* A matrix of more ranks is drawn in blocks of several ranks. */
#define MOST_CELLS 256

/* Message sizes by powers of two. Class 0 has messages without bytes, class c those of 2^(c-1) to
 * 2^c - 1; every size in a signed 64-bit integer is in one of them. */
#define SIZE_CLASSES 64

static const char *const picture_columns[] = {"panel", "label", "x", "y", "value", "low", "high"};
enum { PICTURE_COLUMNS = sizeof picture_columns / sizeof *picture_columns };

/* The data of the panels; all is borrowed. The first `bars` of rows have a bar. */
struct picture {
    const struct nuce_capture *capture;
    const struct nuce_capture_row *rows; /* patterns by time */
    int bars;
    int first; /* place of the first pattern with bytes; 0: none */
    struct nuce_grid *grid;
};

/* Adds a row; NaN means unknown. */
static void picture_row(const struct picture *picture, const char *panel, const char *label,
                        const double values[5])
{
    struct nuce_cell *cell;

    nuce_grid_add_row(picture->grid, &cell);
    nuce_cell_copy(&cell[0], NUCE_CELL_TEXT, panel);
    nuce_cell_copy(&cell[1], NUCE_CELL_TEXT, label);
    for (int i = 0; i < 5; i++)
        nuce_cell_set_real(&cell[2 + i], values[i]);
}

/* "1 KIND, QUALITY, 8 ranks": the place of a bar's pattern by time, as in 'nuce show', if it has
 * messages, and its description. */
static void bar_label(const struct picture *picture, int bar, char label[64])
{
    const struct nuce_capture_row *row = &picture->rows[bar];
    const struct nuce_capture_pattern *pattern = &picture->capture->pattern[row->pattern];
    int ranks = picture->capture->communicator[pattern->communicator].size;

    if (row->place > 0)
        snprintf(label, 64, "%d %s, %s, %d rank%s", row->place, nuce_raw_kind_name(pattern->kind),
                 nuce_capture_quality_name(pattern->quality), ranks, nuce_text_plural(ranks));
    else
        snprintf(label, 64, "%s, %d rank%s", nuce_raw_kind_name(pattern->kind), ranks,
                 nuce_text_plural(ranks));
}

/* A bar for each pattern: its place, percent of the ranks' time (NaN: an import has no times),
 * percent of all bytes in messages. */
static void add_shares(const struct picture *picture)
{
    const struct nuce_capture *capture = picture->capture;
    double bytes = 0, rest = 0;
    char more[96];

    for (int i = 0; i < capture->patterns; i++)
        bytes +=
            nuce_capturing_bytes(capture, &capture->pattern[i]) * (double)capture->pattern[i].calls;
    for (int bar = 0; bar < picture->bars; bar++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[picture->rows[bar].pattern];
        double own = nuce_capturing_bytes(capture, pattern) * (double)pattern->calls;
        double time = capture->all_ranks_ns > 0 ? pattern->rank_ns / capture->all_ranks_ns : NAN;
        char label[64];

        bar_label(picture, bar, label);
        picture_row(picture, "share", label,
                    (double[5]){bar + 1, 100 * time, bytes > 0 ? 100 * own / bytes : 0, NAN, NAN});
    }
    /* The total of the patterns without a bar: a row with a label and no numbers. */
    for (int i = picture->bars; i < capture->patterns; i++)
        rest += capture->pattern[picture->rows[i].pattern].rank_ns;
    if (capture->all_ranks_ns > 0)
        snprintf(more, sizeof more, "; %d more: %.3g %% of the time",
                 capture->patterns - picture->bars, 100 * rest / capture->all_ranks_ns);
    else
        snprintf(more, sizeof more, "; %d more", capture->patterns - picture->bars);
    if (picture->bars < capture->patterns)
        picture_row(picture, "rest", more, (double[5]){NAN, NAN, NAN, NAN, NAN});
}

/* Durations and skews of calls in microseconds: place of the bar, median, number of calls, 10 % and
 * 90 % quantile. Patterns without times have no row. */
static void add_times(const struct picture *picture, const char *panel, int is_skew)
{
    for (int bar = 0; bar < picture->bars; bar++) {
        const struct nuce_capture_pattern *pattern =
            &picture->capture->pattern[picture->rows[bar].pattern];
        const struct nuce_capture_times *times = is_skew ? &pattern->skew : &pattern->duration;
        char label[64];

        bar_label(picture, bar, label);
        if (times->count > 0)
            picture_row(picture, panel, label,
                        (double[5]){bar + 1, nuce_capture_times_quantile(times, 0.5) * 1e-3,
                                    (double)times->count,
                                    nuce_capture_times_quantile(times, 0.1) * 1e-3,
                                    nuce_capture_times_quantile(times, 0.9) * 1e-3});
    }
}

/* Messages and their bytes by size, of all calls, in percent. x is the smallest size of a class,
 * and half a byte for size 0, because the axis is logarithmic. */
static void add_sizes(const struct picture *picture)
{
    const struct nuce_capture *capture = picture->capture;
    double messages[SIZE_CLASSES] = {0}, bytes[SIZE_CLASSES] = {0}, all = 0, all_bytes = 0;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];

        for (int64_t k = 0; k < capture->topology[pattern->topology].messages; k++) {
            int64_t size = pattern->bytes[k];
            int class = size == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)size);

            messages[class] += (double)pattern->calls;
            bytes[class] += (double)size * (double)pattern->calls;
            all += (double)pattern->calls;
            all_bytes += (double)size * (double)pattern->calls;
        }
    }
    for (int class = 0; class < SIZE_CLASSES; class ++) {
        if (messages[class] > 0)
            picture_row(picture, "size", "",
                        (double[5]){ldexp(0.5, class), 100 * messages[class] / all,
                                    all_bytes > 0 ? 100 * bytes[class] / all_bytes : 0, NAN, NAN});
    }
}

/* Bytes from each rank of the communicator to each other, in blocks of `block` ranks. All blocks
 * are rows, because missing ones would be white. A side has at most MOST_CELLS blocks, so the
 * memory is bounded. A matrix without bytes has a row with a label that says so, and no numbers. */
static nuce_status add_matrix(const struct picture *picture,
                              const struct nuce_capture_pattern *pattern, struct nuce_error *error)
{
    const struct nuce_capture_row *row = picture->rows;
    struct nuce_pattern com;
    char label[96], empty[96];
    double *cells;
    int block, side;

    while (&picture->capture->pattern[row->pattern] != pattern)
        row++;
    if (nuce_capture_com(picture->capture, pattern, &com, error) != NUCE_OK)
        return error->status;
    block = (com.ranks + MOST_CELLS - 1) / MOST_CELLS;
    side = (com.ranks + block - 1) / block;
    snprintf(label, sizeof label, "pattern %d (%s): %s, %s%s", row->place, pattern->id,
             nuce_raw_kind_name(pattern->kind), nuce_capture_quality_name(pattern->quality),
             block > 1 ? ", blocks of ranks" : "");
    cells = nuce_allocate((int64_t)side * side, sizeof *cells);
    error->status = NUCE_OK;
    for (int rank = 0; rank < com.ranks; rank++) {
        for (int64_t k = com.row[rank]; k < com.row[rank + 1]; k++)
            cells[(int64_t)(rank / block) * side + com.destination[k] / block] +=
                (double)com.bytes[k];
    }
    for (int i = 0; i < side * side; i++)
        picture_row(picture, "matrix", label,
                    (double[5]){(double)(i % side) * block, (double)(i / side) * block, cells[i],
                                block, com.ranks});
    if (picture->first == 0)
        snprintf(empty, sizeof empty, "no message of the capture has bytes");
    else
        snprintf(empty, sizeof empty,
                 "its messages have 0 bytes: --call %d is the first with bytes", picture->first);
    if (!row->has_bytes)
        picture_row(picture, "empty", empty, (double[5]){NAN, NAN, NAN, NAN, NAN});
    free(cells);
    nuce_pattern_fini(&com);
    return NUCE_OK;
}

/* All panels, in the order in which they are drawn. Sizes and matrix are those of messages. Without
 * a call the matrix is that of the first pattern with bytes; others have an empty one. The
 * caller frees *grid, also after a failure. */
static nuce_status picture_rows(const struct nuce_capture *capture, const char *path,
                                const char *call, struct nuce_grid *grid, struct nuce_error *error)
{
    struct nuce_capture_row *rows = nuce_capture_rows(capture);
    const struct nuce_capture_pattern *pattern;
    char first[16];
    struct picture picture = {.capture = capture,
                              .rows = rows,
                              .bars = capture->patterns < MOST_BARS ? capture->patterns : MOST_BARS,
                              .grid = grid};

    for (int i = 0; i < capture->patterns && picture.first == 0; i++)
        picture.first = rows[i].has_bytes ? rows[i].place : 0;
    snprintf(first, sizeof first, "%d", picture.first > 0 ? picture.first : 1);
    pattern = nuce_capture_find(capture, call == NULL ? first : call, error);
    if (pattern == NULL) {
        if (call == NULL)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: has no messages to draw: 'nuce show %s' lists its calls", path,
                           path);
        free(rows);
        return error->status;
    }
    nuce_grid_init(PICTURE_COLUMNS, picture_columns, grid);
    add_shares(&picture);
    add_times(&picture, "duration", 0);
    add_times(&picture, "skew", 1);
    add_sizes(&picture);
    error->status = add_matrix(&picture, pattern, error);
    free(rows);
    return error->status;
}

/* The text below the picture, from the sentences of `nuce show`: the first line gives the place,
 * those on origin, quality and cost the description, and the others the doubts. */
static void picture_words(const struct nuce_capture *capture, const char *path,
                          struct nuce_plot_data *data)
{
    static const char *const of_what[] = {"imported", "bytes:", "ranks' time:", "noting"};
    struct nuce_text_print told;
    char *rest, *line;

    nuce_text_print_begin(&told);
    nuce_capturing_tell(capture, path, told.file);
    nuce_text_print_end(&told);
    rest = told.text;
    line = strsep(&rest, "\n");
    data->where = nuce_text_duplicate(line);
    data->what = nuce_text_duplicate("");
    data->doubts = nuce_text_duplicate("");
    data->left_out = nuce_text_duplicate("");
    while ((line = strsep(&rest, "\n")) != NULL) {
        char **text = &data->doubts, *longer;

        line += strspn(line, " ");
        if (*line == '\0')
            continue;
        for (size_t i = 0; i < sizeof of_what / sizeof *of_what; i++) {
            if (strncmp(line, of_what[i], strlen(of_what[i])) == 0)
                text = &data->what;
        }
        longer = nuce_text_format("%s%s%s", *text, **text == '\0' ? "" : "; ", line);
        free(*text);
        *text = longer;
    }
    free(told.text);
}

nuce_status nuce_capturing_picture(const struct nuce_capture *capture, const char *path,
                                   const char *call, struct nuce_plot *plot,
                                   struct nuce_plot_data *data, struct nuce_error *error)
{
    /* The captured program, or else the file, without folders. */
    const char *name = capture->program[0] != '\0' ? capture->program : path;
    const char *file = basename(path), *dot = strrchr(file, '.');

    *plot = (struct nuce_plot){
        .name = nuce_text_format("%.*s", (int)(dot == NULL ? strlen(file) : (size_t)(dot - file)),
                                 file)};
    if (!nuce_text_is_name(plot->name)) {
        free(plot->name);
        plot->name = nuce_text_duplicate("capture");
    }
    *data = (struct nuce_plot_data){.is_wide = 0};
    plot->script = nuce_data_path("plots/captures/capture.gp", error);
    plot->path = nuce_text_duplicate(path);
    plot->panel = nuce_text_format("panel");
    plot->size = nuce_text_format("1120x760");
    plot->title = nuce_text_format(capture->program[0] != '\0' ? "What %s sent" : "What %s has",
                                   basename(name));
    error->status =
        plot->script == NULL ? NUCE_FAILED : picture_rows(capture, path, call, &data->grid, error);
    if (error->status == NUCE_OK) {
        picture_words(capture, path, data);
    } else {
        nuce_plot_fini(plot);
        nuce_plot_data_fini(data);
    }
    return error->status;
}

/* From the points of a database to the captures that their campaigns keep. A point names its
 * capture by NAME@SHA-256, and the campaign has a copy of the file (campaigns/inputs.h). So the
 * report shows the capture that was raced, even if the file of that name has changed. One copy is
 * enough if several campaigns raced it. */

/* Every capture with each campaign that raced it. */
static const char captures_sql[] =
    "SELECT DISTINCT json_extract(p.params, '$.capture') AS capture, r.campaign FROM run AS r"
    " JOIN point AS p ON p.id = r.point WHERE json_extract(p.params, '$.capture') IS NOT NULL"
    " ORDER BY capture, r.campaign";

/* Rows are sorted by capture. Uses the first campaign with a copy; if none has one, the last row of
 * the capture reports it. */
nuce_status nuce_capturing_report(struct nuce_report *report, const char *campaigns,
                                  struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_grid names = {0};
    const char *shown = "";

    if (nuce_store_open_reading(report->database, &store, error) == NUCE_OK &&
        nuce_store_narrow(&store, report->campaign, error) == NUCE_OK)
        nuce_grid_query(&store, &names, error, captures_sql);
    nuce_store_close(&store);
    for (int64_t row = 0; error->status == NUCE_OK && row < names.rows; row++) {
        const char *identity = nuce_grid_text(&names, row, "capture");
        const char *campaign = nuce_grid_text(&names, row, "campaign");
        int is_last = row + 1 == names.rows ||
                      strcmp(nuce_grid_text(&names, row + 1, "capture"), identity) != 0;
        char text[256], *name, *path;

        if (strcmp(shown, identity) == 0)
            continue;
        /* In a stranger's database, campaigns and captures may have any names. */
        name = nuce_text_is_name(campaign) ? nuce_inputs_name_of_taken(identity) : NULL;
        path = nuce_text_format("%s/%s/%s", campaigns, campaign, name != NULL ? name : "");
        if (name != NULL && access(path, R_OK) == 0) {
            struct nuce_capture capture = {0};
            struct nuce_plot_data data = {0};
            struct nuce_plot plot = {0};
            struct nuce_grid table = {0};

            shown = identity;
            if (nuce_capture_read(path, &capture, error) == NUCE_OK) {
                nuce_capturing_table(&capture, &table);
                nuce_capturing_picture(&capture, path, NULL, &plot, &data, error);
                nuce_capture_fini(&capture);
            }
            if (error->status == NUCE_OK) {
                nuce_report_add_capture(report, &plot, &data, &table);
            } else {
                nuce_grid_fini(&table);
                if (error->status == NUCE_BAD_INPUT) {
                    nuce_message_error(error);
                    error->status = NUCE_OK;
                }
            }
        } else if (is_last) {
            snprintf(text, sizeof text,
                     "%.100s: no campaign in %.100s has a copy: not in the report", identity,
                     campaigns);
            nuce_message_print(text);
        }
        free(name);
        free(path);
    }
    nuce_grid_fini(&names);
    return error->status;
}
