/* A plot drawn by gnuplot: the rows as a data file, what is known of them as a head of variables,
 * plots/style.gp and the plot's own script. gnuplot is run by argv in a new folder with fixed file
 * names, so that no string of ours or of the data is ever a command, a pipe or a path to it:
 * gnuplot would run what stands in backticks or behind '<' in a file's name. Texts are written in
 * single quotes, in which nothing is read as anything else, and without enhanced markup.
 *
 * Order: rows are laid out in blocks of one panel and one series, data and head are written,
 * gnuplot is run, and its picture is checked to be whole and moved to its place. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/text.h"
#include "base/text_file.h"
#include "results/picture_whole.h"
#include "results/plot.h"

const char *const nuce_plot_formats[] = {"png", "svg", "pdf", NULL};

/* A block is a run of rows of one panel and one series: one data set of the file. */
struct gnuplot_block {
    int64_t first, end; /* rows */
    int panel, series;  /* numbered from 1 */
};

/* Which rows belong together in a picture, and how panels and series are called. */
struct gnuplot_layout {
    const struct nuce_grid *grid;
    int panel_column, series_column, style_column; /* -1: none */
    struct gnuplot_block *blocks;
    int64_t count, capacity;
    const char **panels, **series; /* borrowed texts */
    int64_t panel_count, panel_capacity, series_count, series_capacity;
};

/* "" for an empty cell, and for column -1. */
static const char *text_at(const struct nuce_grid *grid, int64_t row, int column)
{
    const char *text = column < 0 ? NULL : nuce_grid_cell(grid, row, column)->text;

    return text == NULL ? "" : text;
}

/* The number, from 1, of text among the names; added if new. 0 when out of memory. A linear search:
 * a picture with more than some dozens of names could not be read. */
static int gnuplot_number_of(const char ***names, int64_t *count, int64_t *capacity,
                             const char *text)
{
    void *data = *names;

    for (int64_t i = 0; i < *count; i++) {
        if (strcmp((*names)[i], text) == 0)
            return nuce_int(i + 1);
    }
    nuce_allocate_more(&data, capacity, *count + 1, sizeof **names);
    *names = data;
    (*names)[(*count)++] = text;
    return nuce_int(*count);
}

/* Begins a block at row: what gnuplot calls an index, rows of one panel and series. */
static nuce_status gnuplot_add_block(struct gnuplot_layout *layout, int64_t row,
                                     struct nuce_error *error)
{
    struct gnuplot_block block = {.first = row, .end = row + 1};
    void *data = layout->blocks;

    block.panel = gnuplot_number_of(&layout->panels, &layout->panel_count, &layout->panel_capacity,
                                    text_at(layout->grid, row, layout->panel_column));
    block.series =
        gnuplot_number_of(&layout->series, &layout->series_count, &layout->series_capacity,
                          text_at(layout->grid, row, layout->series_column));
    if (block.panel == 0 || block.series == 0)
        return error->status;
    nuce_allocate_more(&data, &layout->capacity, layout->count + 1, sizeof block);
    layout->blocks = data;
    layout->blocks[layout->count++] = block;
    return NUCE_OK;
}

/* The column that a directive names; -1 where the head does not have the directive. */
static nuce_status find_column(const struct nuce_plot *plot, const struct nuce_grid *grid,
                               const char *name, int *out, struct nuce_error *error)
{
    *out = name == NULL ? -1 : nuce_grid_column(grid, name);
    if (name != NULL && *out < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s' is not a column", plot->path, name);
    return NUCE_OK;
}

/* Neighbouring rows of one panel and series are one block, so the query has to sort by both. Rows
 * of one panel and series that are not neighbours become two blocks, which are drawn as two
 * lines. */
static nuce_status make_layout(const struct nuce_plot *plot, struct gnuplot_layout *layout,
                               struct nuce_error *error)
{
    if (find_column(plot, layout->grid, plot->panel, &layout->panel_column, error) != NUCE_OK ||
        find_column(plot, layout->grid, plot->series, &layout->series_column, error) != NUCE_OK ||
        find_column(plot, layout->grid, plot->style, &layout->style_column, error) != NUCE_OK)
        return error->status;
    for (int64_t row = 0; row < layout->grid->rows; row++) {
        if (row > 0 &&
            strcmp(text_at(layout->grid, row, layout->panel_column),
                   text_at(layout->grid, row - 1, layout->panel_column)) == 0 &&
            strcmp(text_at(layout->grid, row, layout->series_column),
                   text_at(layout->grid, row - 1, layout->series_column)) == 0)
            layout->blocks[layout->count - 1].end++;
        else if (gnuplot_add_block(layout, row, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Names are borrowed from the grid. */
static void free_layout(struct gnuplot_layout *layout)
{
    free(layout->blocks);
    free(layout->panels);
    free(layout->series);
}

/* In single quotes gnuplot reads everything as it stands. A quote inside would have to be doubled,
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

/* A data file of gnuplot: tabs between the fields, two empty lines between the blocks. What
 * controls anything becomes a blank: the file's form is tabs and newlines. A double quote becomes a
 * blank as well: gnuplot would read all to the next one as one field. */
static void write_data(FILE *file, const struct gnuplot_layout *layout)
{
    for (int64_t block = 0; block < layout->count; block++) {
        fputs(block > 0 ? "\n\n" : "", file);
        for (int64_t row = layout->blocks[block].first; row < layout->blocks[block].end; row++) {
            for (int i = 0; i < layout->grid->columns; i++) {
                const struct nuce_cell *cell = nuce_grid_cell(layout->grid, row, i);
                const char *at = cell->type == NUCE_CELL_NULL ? "NaN" : cell->text;

                fputs(i > 0 ? "\t" : "", file);
                for (; *at != '\0'; at++)
                    fputc((unsigned char)*at < 32 || *at == '"' ? ' ' : *at, file);
            }
            fputc('\n', file);
        }
    }
}

/* How many values each column has in each block, so that scripts can leave out what is empty. */
static void write_counts(FILE *file, const struct gnuplot_layout *layout, int column,
                         const char *name)
{
    fprintf(file, "array has_%s[%lld] = [", name, (long long)layout->count);
    for (int64_t block = 0; block < layout->count; block++) {
        int64_t count = 0;

        for (int64_t row = layout->blocks[block].first; row < layout->blocks[block].end; row++)
            count += nuce_grid_cell(layout->grid, row, column)->type != NUCE_CELL_NULL;
        fprintf(file, "%s%lld", block > 0 ? ", " : "", (long long)count);
    }
    fputs("]\n", file);
}

/* The style of each series: what its first row says, else its number. By what the rows say one
 * contender looks alike in all pictures, whichever others are in them. The search for its first
 * block ends: a series got its number from a block. */
static void write_styles(FILE *file, const struct gnuplot_layout *layout)
{
    fprintf(file, "array nuce_style[%lld]\n", (long long)layout->series_count);
    for (int64_t series = 1; series <= layout->series_count; series++) {
        int64_t block = 0;
        long long style = 0;

        while (layout->blocks[block].series != series)
            block++;
        style = strtoll(text_at(layout->grid, layout->blocks[block].first, layout->style_column),
                        NULL, 10);
        fprintf(file, "nuce_style[%lld] = %lld\n", (long long)series,
                style > 0 ? style : (long long)series);
    }
}

/* Panels, series and which block is of which, counted from 1 as gnuplot does. */
static void write_blocks(FILE *file, const struct gnuplot_layout *layout)
{
    fprintf(file, "nuce_blocks = %lld\nnuce_panels = %lld\nnuce_series = %lld\n",
            (long long)layout->count, (long long)layout->panel_count,
            (long long)layout->series_count);
    write_strings(file, "nuce_panel_name", layout->panels, layout->panel_count);
    write_strings(file, "nuce_series_name", layout->series, layout->series_count);
    fprintf(file, "array nuce_panel_of[%lld]\narray nuce_series_of[%lld]\n",
            (long long)layout->count, (long long)layout->count);
    for (int64_t i = 0; i < layout->count; i++)
        fprintf(file, "nuce_panel_of[%lld] = %d; nuce_series_of[%lld] = %d\n", (long long)i + 1,
                layout->blocks[i].panel, (long long)i + 1, layout->blocks[i].series);
    write_styles(file, layout);
}

nuce_status nuce_plot_size(const struct nuce_plot *plot, int *width, int *height,
                           struct nuce_error *error)
{
    *width = 960;
    *height = 600;
    if (plot->size != NULL && (sscanf(plot->size, "%dx%d", width, height) != 2 || *width < 100 ||
                               *height < 100 || *width > 10000 || *height > 10000))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: size '%s': expected such as 960x600",
                              plot->path, plot->size);
    return NUCE_OK;
}

/* Where the picture goes, and how large it is. Sizes are 96ths of an inch, so that the three
 * formats look alike. A PNG has twice the points, for screens that have them. */
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

/* The variables that scripts read, as plots/README.md has them. A column whose name could not be
 * gnuplot's has no variables. */
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
        fprintf(file, "c_%s = %d\n", name, i + 1);
        write_counts(file, layout, i, name);
    }
}

/* A new file: in a folder that only we know nothing can stand there already. */
static FILE *gnuplot_open_at(int folder, const char *name, struct nuce_error *error)
{
    int descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");

    if (file == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", name, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
    }
    return file;
}

/* Closes the file; NUCE_FAILED where what was written did not get there. */
static nuce_status close_written(FILE *file, const char *name, struct nuce_error *error)
{
    int failed = ferror(file);

    if (fclose(file) != 0 || failed)
        return nuce_error_set(error, NUCE_FAILED, "%s: cannot write: %s", name, strerror(errno));
    return NUCE_OK;
}

/* data.tsv and head.gp in the temporary folder. Both files are complete before gnuplot is
 * started. */
static nuce_status gnuplot_write_files(int folder, const struct nuce_plot *plot,
                                       const struct nuce_plot_data *data, const char *format,
                                       struct nuce_error *error)
{
    struct gnuplot_layout layout = {.grid = &data->grid};
    nuce_status status = make_layout(plot, &layout, error);
    FILE *file = status == NUCE_OK ? gnuplot_open_at(folder, "data.tsv", error) : NULL;

    if (file != NULL) {
        write_data(file, &layout);
        status = close_written(file, "data.tsv", error);
        file = status == NUCE_OK ? gnuplot_open_at(folder, "head.gp", error) : NULL;
    }
    if (file != NULL) {
        gnuplot_write_head(file, plot, data, &layout);
        status = write_terminal(file, plot, format, error);
        if (close_written(file, "head.gp", error) != NUCE_OK)
            status = NUCE_FAILED;
    } else if (status == NUCE_OK) {
        status = error->status;
    }
    free_layout(&layout);
    return status;
}

/* The child: gnuplot in the folder, its messages in a file, without the user's settings. Only what
 * is allowed between fork and exec. 127: there is no gnuplot, 126: all else. */
static _Noreturn void exec_gnuplot(int folder, const char *style, const char *script)
{
    int messages = openat(folder, "messages", O_RDWR | O_CREAT | O_EXCL, 0666);
    int nothing = open("/dev/null", O_RDONLY);

    if (messages >= 0 && nothing >= 0 && fchdir(folder) == 0 && dup2(nothing, 0) == 0 &&
        dup2(messages, 1) == 1 && dup2(messages, 2) == 2)
        execlp("env", NUCE_PLOT_GNUPLOT, "head.gp", style, script, (char *)NULL);
    _exit(errno == ENOENT ? 127 : 126);
}

/* Moves the lines that are not warnings to the front; gnuplot warns of every empty data set. */
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

/* What a script exits with whose rows make no figure; it has said why. */
#define NOTHING_TO_DRAW 3

/* The line that it said, a new string; NULL if it said none. */
static nuce_status gnuplot_read_reason(int folder, char **reason, struct nuce_error *error)
{
    int messages = openat(folder, "messages", O_RDONLY | O_CLOEXEC);
    nuce_status status = messages < 0
                             ? nuce_error_set(error, NUCE_FAILED, "messages: %s", strerror(errno))
                             : nuce_text_read_descriptor(messages, "messages", reason, NULL, error);

    if (status == NUCE_OK) {
        drop_warnings(*reason);
        (*reason)[strcspn(*reason, "\n")] = '\0';
        if (**reason == '\0') {
            free(*reason);
            *reason = NULL;
        }
    }
    if (messages >= 0)
        close(messages);
    return status;
}

/* Why there is no picture, in gnuplot's words where it said anything. Always an error. */
static nuce_status gnuplot_explain(int folder, int result, const struct nuce_plot *plot,
                                   struct nuce_error *error)
{
    char *text = NULL;
    int messages = openat(folder, "messages", O_RDONLY | O_CLOEXEC);

    if (WIFEXITED(result) && WEXITSTATUS(result) == 127)
        nuce_error_set(error, NUCE_FAILED,
                       "gnuplot is not installed: figures need it (nuce doctor)");
    else if (messages < 0 ||
             nuce_text_read_descriptor(messages, "messages", &text, NULL, error) != NUCE_OK)
        nuce_error_set(error, NUCE_FAILED, "%s: gnuplot failed", plot->script);
    if (text != NULL) {
        drop_warnings(text);
        nuce_error_set(error, NUCE_FAILED, "%s: gnuplot failed:\n%s", plot->script, text);
    }
    free(text);
    if (messages >= 0)
        close(messages);
    return NUCE_FAILED;
}

/* Waits for it to end; nothing but the temporary folder is written. *reason stays NULL unless the
 * script says that its rows make no figure. */
static nuce_status run_gnuplot(int folder, const struct nuce_plot *plot, char **reason,
                               struct nuce_error *error)
{
    char *style = nuce_data_path("plots/style.gp", error);
    int result = 0;
    pid_t child;

    if (style == NULL)
        return error->status;
    child = fork();
    if (child == 0)
        exec_gnuplot(folder, style, plot->script);
    free(style);
    if (child < 0)
        return nuce_error_set(error, NUCE_FAILED, "cannot start gnuplot: %s", strerror(errno));
    while (waitpid(child, &result, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(result) && WEXITSTATUS(result) == NOTHING_TO_DRAW &&
        gnuplot_read_reason(folder, reason, error) != NUCE_OK)
        return error->status;
    return result == 0 || *reason != NULL ? NUCE_OK : gnuplot_explain(folder, result, plot, error);
}

/* Moves figure.FORMAT out of the temporary folder, so that no half picture is ever seen and none
 * takes the place of a whole one. */
static nuce_status move_figure(int temporary, int folder, const struct nuce_plot *plot,
                               const char *format, struct nuce_error *error)
{
    char from[32], to[128];

    snprintf(from, sizeof from, "figure.%s", format);
    snprintf(to, sizeof to, "%s.%s", plot->name, format);
    if (nuce_picture_check_whole(temporary, from, format, error) != NUCE_OK)
        return nuce_error_prefix(error, "%s", to);
    if (renameat(temporary, from, folder, to) != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", to, strerror(errno));
    return NUCE_OK;
}

/* Draws in the temporary folder at path and empties it again, whatever came of it. These are all
 * files that gnuplot or we write there; with any other in it the folder stays. */
static nuce_status draw_in(const char *path, int folder, const struct nuce_plot *plot,
                           const struct nuce_plot_data *data, const char *format, char **reason,
                           struct nuce_error *error)
{
    static const char *const files[] = {"data.tsv",   "head.gp",    "messages",
                                        "figure.png", "figure.svg", "figure.pdf"};
    int temporary = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    nuce_status status;

    if (temporary < 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    status = gnuplot_write_files(temporary, plot, data, format, error);
    if (status == NUCE_OK)
        status = run_gnuplot(temporary, plot, reason, error);
    if (status == NUCE_OK && *reason == NULL)
        status = move_figure(temporary, folder, plot, format, error);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlinkat(temporary, files[i], 0);
    close(temporary);
    return status;
}

/* The temporary folder is in that of the figures: renaming does not go from one file system to
 * another. */
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
