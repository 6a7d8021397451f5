/* Draws a plot by gnuplot: the rows as a data file, facts about them as a head of variables,
 * plots/style.gp and the plot's own script. gnuplot is run by argv in a new folder with fixed file
 * names, so that no string of ours or of the data is ever a command, a pipe or a path. gnuplot
 * would run text in backticks or after '<' in a file's name. Texts are written in single quotes, in
 * which all characters are literal, and without enhanced markup.
 *
 * * Order: rows are arranged in blocks of one panel and one series; data and head are written;
 * gnuplot is run; its picture is checked to be complete and moved to its place. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/text.h"
#include "campaigns/process.h"
#include "results/plot.h"

const char *const nuce_plot_formats[] = {"png", "svg", "pdf", NULL};

/* A block is all rows of one panel and one series: one data set of the file. */
struct gnuplot_block {
    int64_t first, end; /* places in the layout's order */
    int panel, series;  /* numbered from 1 */
};

/* Texts numbered from 1 in the order of their first appearance; borrowed. */
struct gnuplot_names {
    const char **list;
    int64_t count, capacity;
};

/* The groups of rows in a picture, and the names of panels and series. */
struct gnuplot_layout {
    const struct nuce_grid *grid;
    int columns[3]; /* of the panel, the series and the style; -1: none */
    int64_t *order; /* rows, block after block */
    struct gnuplot_block *blocks;
    int64_t count, capacity;
    struct gnuplot_names panels, series;
};
enum { PANEL, SERIES, STYLE };

/* "" for an empty cell, and for column -1. */
static const char *text_at(const struct nuce_grid *grid, int64_t row, int column)
{
    const char *text = column < 0 ? NULL : nuce_grid_cell(grid, row, column)->text;

    return text == NULL ? "" : text;
}

/* The number of text among the names; added if new. Linear search: a picture with more than some
 * dozens of names would be unreadable. */
static int gnuplot_number_of(struct gnuplot_names *names, const char *text)
{
    for (int64_t i = 0; i < names->count; i++) {
        if (strcmp(names->list[i], text) == 0)
            return nuce_int(i + 1);
    }
    nuce_allocate_more((void **)&names->list, &names->capacity, names->count + 1, sizeof text);
    names->list[names->count++] = text;
    return nuce_int(names->count);
}

/* Neighbouring rows of one panel and series are one block, an index in gnuplot's terms, so the
 * query must sort by both. Rows of one panel and series that are not neighbours become two blocks,
 * which are drawn as two lines. */
static nuce_status make_layout(const struct nuce_plot *plot, struct gnuplot_layout *layout,
                               struct nuce_error *error)
{
    const char *const names[] = {plot->panel, plot->series, plot->style};
    int64_t rows = layout->grid->rows, ordered = 0;
    struct gnuplot_block *of; /* each row's panel and series */

    for (int i = 0; i < 3; i++) {
        layout->columns[i] = names[i] == NULL ? -1 : nuce_grid_column(layout->grid, names[i]);
        if (names[i] != NULL && layout->columns[i] < 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s' is not a column", plot->path,
                                  names[i]);
    }
    of = nuce_allocate(rows, sizeof *of);
    layout->order = nuce_allocate(rows, sizeof *layout->order);
    for (int64_t row = 0; row < rows; row++) {
        of[row].panel =
            gnuplot_number_of(&layout->panels, text_at(layout->grid, row, layout->columns[PANEL]));
        of[row].series =
            gnuplot_number_of(&layout->series, text_at(layout->grid, row, layout->columns[SERIES]));
    }
    for (int64_t row = 0; row < rows; row++) {
        struct gnuplot_block block = of[row];

        if (block.panel == 0) /* has its block already */
            continue;
        block.first = ordered;
        for (int64_t other = row; other < rows; other++) {
            if (of[other].panel == block.panel && of[other].series == block.series) {
                layout->order[ordered++] = other;
                of[other].panel = 0;
            }
        }
        block.end = ordered;
        nuce_allocate_more((void **)&layout->blocks, &layout->capacity, layout->count + 1,
                           sizeof block);
        layout->blocks[layout->count++] = block;
    }
    free(of);
    return NUCE_OK;
}

/* In single quotes all characters are literal for gnuplot. A quote inside would have to be doubled,
 * which gnuplot 5.4 misreads at the beginning of a string: it becomes a typographic one. */
static void write_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("\xe2\x80\x99", file);
        else
            fputc((unsigned char)*text < 32 || *text == 127 ? ' ' : *text, file);
    }
    fputc('\'', file);
}

/* NAME = 'text' in gnuplot's language. */
static void write_string(FILE *file, const char *name, const char *text)
{
    fprintf(file, "%s = ", name);
    write_quoted(file, text);
    fputc('\n', file);
}

/* An array of gnuplot, whose indices begin at 1. count is at least 1: gnuplot has no empty
 * array. */
static void write_strings(FILE *file, const char *name, const char *const *texts, int64_t count)
{
    fprintf(file, "array %s[%lld] = [", name, (long long)count);
    for (int64_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", file);
        write_quoted(file, texts[i]);
    }
    fputs("]\n", file);
}

/* A data file of gnuplot: tabs between the fields, two empty lines between the blocks. Control
 * characters become blanks, because tabs and newlines structure the file. A double quote becomes a
 * blank as well: gnuplot would read all text to the next one as one field. It takes \033 for the
 * control character, so a backslash is written twice. */
static void write_data(FILE *file, const struct gnuplot_layout *layout)
{
    for (int64_t block = 0; block < layout->count; block++) {
        fputs(block > 0 ? "\n\n" : "", file);
        for (int64_t at = layout->blocks[block].first; at < layout->blocks[block].end; at++) {
            for (int i = 0; i < layout->grid->columns; i++) {
                const struct nuce_cell *cell = nuce_grid_cell(layout->grid, layout->order[at], i);
                const char *text = cell->type == NUCE_CELL_NULL ? "NaN" : cell->text;

                fputs(i > 0 ? "\t" : "", file);
                for (; *text != '\0'; text++) {
                    if (*text == '\\')
                        fputc('\\', file);
                    fputc((unsigned char)*text < 32 || *text == '"' ? ' ' : *text, file);
                }
            }
            fputc('\n', file);
        }
    }
}

/* Writes panels, series and the panel and series of each block, counted from 1 as gnuplot does. The
 * style of each series is the one in its first row, else its number. With a style in the rows, a
 * contender looks the same in all pictures, whatever others they show. The search for its first
 * block ends, because a series got its number from a block. */
static void write_blocks(FILE *file, const struct gnuplot_layout *layout)
{
    fprintf(file, "nuce_blocks = %lld\nnuce_panels = %lld\nnuce_series = %lld\n",
            (long long)layout->count, (long long)layout->panels.count,
            (long long)layout->series.count);
    write_strings(file, "nuce_panel_name", layout->panels.list, layout->panels.count);
    write_strings(file, "nuce_series_name", layout->series.list, layout->series.count);
    fprintf(file, "array nuce_panel_of[%lld]\narray nuce_series_of[%lld]\n",
            (long long)layout->count, (long long)layout->count);
    for (int64_t i = 0; i < layout->count; i++)
        fprintf(file, "nuce_panel_of[%lld] = %d; nuce_series_of[%lld] = %d\n", (long long)i + 1,
                layout->blocks[i].panel, (long long)i + 1, layout->blocks[i].series);
    fprintf(file, "array nuce_style[%lld]\n", (long long)layout->series.count);
    for (int64_t series = 1; series <= layout->series.count; series++) {
        const struct gnuplot_block *block = layout->blocks;
        long long style;

        while (block->series != series)
            block++;
        style = strtoll(text_at(layout->grid, layout->order[block->first], layout->columns[STYLE]),
                        NULL, 10);
        fprintf(file, "nuce_style[%lld] = %lld\n", (long long)series,
                style > 0 ? style : (long long)series);
    }
}

nuce_status nuce_plot_size(const struct nuce_plot *plot, int *width, int *height,
                           struct nuce_error *error)
{
    char rest;

    *width = 960;
    *height = 600;
    if (plot->size != NULL && (sscanf(plot->size, "%dx%d%c", width, height, &rest) != 2 ||
                               *width < 100 || *height < 100 || *width > 10000 || *height > 10000))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: size '%s': expected such as 960x600",
                              plot->path, plot->size);
    return NUCE_OK;
}

/* The output file, and its size. Sizes are in 96ths of an inch, so that the three formats look
 * alike. A PNG has twice the points, for high-resolution screens. */
static nuce_status write_terminal(FILE *file, const struct nuce_plot *plot, const char *format,
                                  struct nuce_error *error)
{
    int width, height;

    if (nuce_plot_size(plot, &width, &height, error) != NUCE_OK)
        return error->status;
    if (strcmp(format, "png") == 0)
        fprintf(file,
                "set terminal pngcairo noenhanced size %d,%d fontscale 2 linewidth 2 "
                "pointscale 2 font 'sans,9'\n",
                2 * width, 2 * height);
    else if (strcmp(format, "svg") == 0)
        fprintf(file, "set terminal svg noenhanced size %d,%d background 'white' font 'sans,12'\n",
                width, height);
    else
        fprintf(file, "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'sans,9'\n",
                width / 96.0, height / 96.0);
    fprintf(file, "set output 'figure.%s'\n", format);
    return NUCE_OK;
}

/* The variables for scripts, described in plots/README.md. A column whose name is invalid in
 * gnuplot has no variables. For the others the number of values in each block is given, so that
 * scripts can skip empty ones. */
static void gnuplot_write_head(FILE *file, const struct nuce_plot *plot,
                               const struct nuce_plot_data *data,
                               const struct gnuplot_layout *layout)
{
    fputs("nuce_data = 'data.tsv'\nset datafile separator \"\\t\"\n"
          "set datafile missing 'NaN'\n",
          file);
    write_string(file, "nuce_title", plot->title);
    write_string(file, "nuce_where", data->where);
    write_string(file, "nuce_what", data->what);
    write_string(file, "nuce_doubts", data->doubts);
    write_string(file, "nuce_left_out", data->left_out);
    write_blocks(file, layout);
    for (int i = 0; i < data->grid.columns; i++) {
        const char *name = data->grid.names[i];

        if (!nuce_text_is_name(name) || strpbrk(name, ".-") != NULL)
            continue;
        fprintf(file, "c_%s = %d\narray has_%s[%lld] = [", name, i + 1, name,
                (long long)layout->count);
        for (int64_t block = 0; block < layout->count; block++) {
            long long count = 0;

            for (int64_t at = layout->blocks[block].first; at < layout->blocks[block].end; at++)
                count += nuce_grid_cell(layout->grid, layout->order[at], i)->type != NUCE_CELL_NULL;
            fprintf(file, "%s%lld", block > 0 ? ", " : "", count);
        }
        fputs("]\n", file);
    }
}

/* Closes a written file; NUCE_FAILED if it could not be opened (NULL, errno), or if a write
 * failed. */
static nuce_status close_written(FILE *file, const char *path, struct nuce_error *error)
{
    int failed = file == NULL || ferror(file);

    if (file == NULL || fclose(file) != 0 || failed)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s%s", strrchr(path, '/') + 1,
                              file == NULL ? "" : "cannot write: ", strerror(errno));
    return NUCE_OK;
}

/* data.tsv and head.gp in the temporary folder: both are complete before gnuplot is started. */
static nuce_status gnuplot_write_files(const char *folder, const struct nuce_plot *plot,
                                       const struct nuce_plot_data *data, const char *format,
                                       struct nuce_error *error)
{
    struct gnuplot_layout layout = {.grid = &data->grid};
    char *data_path = nuce_text_format("%s/data.tsv", folder);
    char *head_path = nuce_text_format("%s/head.gp", folder);
    FILE *file;
    nuce_status status = make_layout(plot, &layout, error);

    if (status == NUCE_OK) {
        file = fopen(data_path, "wxe");
        if (file != NULL)
            write_data(file, &layout);
        status = close_written(file, data_path, error);
    }
    if (status == NUCE_OK) {
        file = fopen(head_path, "wxe");
        if (file != NULL) {
            gnuplot_write_head(file, plot, data, &layout);
            status = write_terminal(file, plot, format, error);
        }
        if (close_written(file, head_path, error) != NUCE_OK)
            status = NUCE_FAILED;
    }
    free(data_path);
    free(head_path);
    free(layout.order);
    free(layout.blocks);
    free(layout.panels.list);
    free(layout.series.list);
    return status;
}

/* Moves the lines that are not warnings to the front; gnuplot warns about every empty data set. */
static void drop_warnings(char *text)
{
    char *to = text;

    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t whole = length + (line[length] == '\n');
        const char *warning = strstr(line, "warning:");

        if (length > 0 && (warning == NULL || warning >= line + length)) {
            memmove(to, line, whole);
            to += whole;
        }
        line += whole;
    }
    *to = '\0';
}

/* Exit status of a script whose rows make no figure; it has printed the reason. */
#define NOTHING_TO_DRAW 3

/* gnuplot is stopped after a day; no figure takes that long. */
#define MOST_DRAWING_S 86400

/* Runs gnuplot in the folder, without the user's settings, and waits for it to end; it writes only
 * to the folder. The shell's text is constant, and sends both outputs to one stream, in order.
 * *reason, a new string, stays NULL unless the script reports that its rows make no figure. */
static nuce_status run_gnuplot(const char *folder, const struct nuce_plot *plot, char **reason,
                               struct nuce_error *error)
{
    static const char *const begin[] = {"sh", "-c", "exec \"$@\" 2>&1", "sh"};
    static const char *const gnuplot[] = {NUCE_PLOT_GNUPLOT, "head.gp"};
    char *style = nuce_data_path("plots/style.gp", error);
    struct nuce_process_reply reply;
    json_t *argv = json_array();
    int ended;

    if (style == NULL)
        return error->status;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        json_array_append_new(argv, json_string(begin[i]));
    json_array_append_new(argv, json_string(gnuplot[0]));
    json_array_append_new(argv, json_string("-C"));
    json_array_append_new(argv, nuce_process_word("%s", folder));
    for (size_t i = 1; i < sizeof gnuplot / sizeof *gnuplot; i++)
        json_array_append_new(argv, json_string(gnuplot[i]));
    json_array_append_new(argv, nuce_process_word("%s", style));
    json_array_append_new(argv, nuce_process_word("%s", plot->script));
    free(style);
    error->status = nuce_process_run(argv, MOST_DRAWING_S, &reply, error);
    json_decref(argv);
    if (error->status != NUCE_OK)
        return error->status;
    ended = reply.status >= 0 && WIFEXITED(reply.status) ? WEXITSTATUS(reply.status) : -1;
    drop_warnings(reply.out);
    if (ended == NOTHING_TO_DRAW && *reply.out != '\0' && *reply.out != '\n')
        *reason = nuce_text_format("%.*s", (int)strcspn(reply.out, "\n"), reply.out);
    else if (ended == 127)
        nuce_error_set(error, NUCE_FAILED,
                       "gnuplot is not installed: figures need it (nuce doctor)");
    else if (ended != 0)
        nuce_error_set(error, NUCE_FAILED, "%s: gnuplot failed:\n%s", plot->script, reply.out);
    nuce_process_reply_fini(&reply);
    return error->status;
}

/* Checks that the file called name in folder, an open descriptor, is on the disk and ends as its
 * format requires. A file cut off on a full disk ends otherwise, and gnuplot may not report it.
 * fsync comes first, because a full disk may be reported only then. A png's last chunk is empty,
 * and its checksum is always the same (ISO 15948, 11.2.5); a few bytes, such as blanks, may follow
 * the end. */
static nuce_status check_whole(int folder, const char *name, const char *format,
                               struct nuce_error *error)
{
    static const struct {
        const char *format, *end;
        size_t length;
    } ends[] = {
        {"png", "\0\0\0\0IEND\xae\x42\x60\x82", 12},
        {"svg", "</svg>", 6},
        {"pdf", "%%EOF", 5},
    };
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char tail[64];
    struct stat facts;
    ssize_t length = -1;
    int is_whole = 0;

    if (descriptor >= 0 && fsync(descriptor) == 0 && fstat(descriptor, &facts) == 0)
        length = pread(descriptor, tail, sizeof tail,
                       facts.st_size > (off_t)sizeof tail ? facts.st_size - (off_t)sizeof tail : 0);
    if (length < 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", name, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    if (length < 0)
        return error->status;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(ends[i].format, format) == 0)
            is_whole = memmem(tail, (size_t)length, ends[i].end, ends[i].length) != NULL;
    }
    return is_whole ? NUCE_OK
                    : nuce_error_set(error, NUCE_FAILED,
                                     "%s: gnuplot wrote no whole picture: is the disk full?", name);
}

/* Draws in the temporary folder at path and then empties it, also on failure. The list has all
 * files that gnuplot or we write there; with any other file the folder stays. figure.FORMAT is
 * moved out when it is complete. So no incomplete picture is ever visible, and none replaces a
 * complete one. */
static nuce_status draw_in(const char *path, int folder, const struct nuce_plot *plot,
                           const struct nuce_plot_data *data, const char *format, char **reason,
                           struct nuce_error *error)
{
    static const char *const files[] = {"data.tsv", "head.gp", "figure.png", "figure.svg",
                                        "figure.pdf"};
    int temporary = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char from[32], to[128];
    nuce_status status;

    if (temporary < 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    snprintf(from, sizeof from, "figure.%s", format);
    snprintf(to, sizeof to, "%s.%s", plot->name, format);
    status = gnuplot_write_files(path, plot, data, format, error);
    if (status == NUCE_OK)
        status = run_gnuplot(path, plot, reason, error);
    if (status == NUCE_OK && *reason == NULL) {
        status = check_whole(temporary, from, format, error);
        if (status != NUCE_OK)
            nuce_error_prefix(error, "%s", to);
        else if (renameat(temporary, from, folder, to) != 0)
            status = nuce_error_set(error, NUCE_FAILED, "%s: %s", to, strerror(errno));
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlinkat(temporary, files[i], 0);
    close(temporary);
    return status;
}

/* The temporary folder is inside that of the figures, because a file cannot be renamed from one
 * file system to another. */
nuce_status nuce_plot_try_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                               const char *folder, const char *format, char **reason,
                               struct nuce_error *error)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *path = NULL;
    nuce_status status;

    NUCE_ASSERT(plot->script != NULL);
    *reason = NULL;
    if (descriptor < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", folder, strerror(errno));
    path = nuce_text_format("%s/.nuce-XXXXXX", folder);
    if (mkdtemp(path) == NULL) {
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
    } else {
        status = draw_in(path, descriptor, plot, data, format, reason, error);
        rmdir(path);
    }
    free(path);
    close(descriptor);
    return status;
}

nuce_status nuce_plot_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           const char *folder, const char *format, struct nuce_error *error)
{
    char *reason = NULL;
    nuce_status status = nuce_plot_try_draw(plot, data, folder, format, &reason, error);

    if (status == NUCE_OK && reason != NULL)
        status = nuce_error_set(error, NUCE_FAILED, "%s: no figure: %s", plot->name, reason);
    free(reason);
    return status;
}
