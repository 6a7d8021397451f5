/* The content of a report: every plot's rows, table and picture, and facts about the whole
 * database. Plots are found, not listed: each NAME.sql in plots/ is one. Each is read with a
 * connection of its own, because finding rows leaves temporary tables and a store that only
 * selects. A failure in one plot is recorded for that plot, and the report continues. Only failures
 * that affect all of it, such as an unreadable database, are errors.
 *
 * Order: the paper of a plot, and the order of plots; pictures, drawn as files and made elements of
 * the page; rows and tables; facts of the whole database; captures; freeing. html_page.c writes the
 * page. */
#include "results/html_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "results/grid_read.h"
#include "results/html.h"

const char *const nuce_report_fact_names[NUCE_REPORT_FACTS] = {
    "summary", "campaigns", "environments", "environment-keys", "failures", "unknown",
};

/* Its columns of the directive `wide` explain the verdict. */
static int shows_races(const struct nuce_plot *plot)
{
    return strcmp(plot->name, "quick") == 0;
}

const struct nuce_report_part *nuce_report_races(const struct nuce_report *report)
{
    for (int i = 0; i < report->plots.count; i++) {
        if (shows_races(report->parts[i].plot) && report->parts[i].table.rows > 0)
            return &report->parts[i];
    }
    return NULL;
}

/* The first match. A key may be the beginning of another if the longer one comes first in
 * papers.tsv. */
int64_t nuce_report_paper(const struct nuce_report *report, const struct nuce_plot *plot)
{
    for (int64_t row = 0; row < report->papers.rows; row++) {
        const char *key = nuce_report_paper_text(report, row, "key");
        size_t length = strlen(key);

        if (strncmp(plot->name, key, length) == 0 && plot->name[length] == '-')
            return row;
    }
    return -1;
}

const char *nuce_report_paper_text(const struct nuce_report *report, int64_t row, const char *name)
{
    return nuce_grid_text(&report->papers, row, name);
}

/* In the order of the papers, verdicts first, then by name with numbers as numbers. */
static int html_report_is_before(const struct nuce_report *report, const struct nuce_plot *a,
                                 const struct nuce_plot *b)
{
    uint64_t paper_a = (uint64_t)nuce_report_paper(report, a);
    uint64_t paper_b = (uint64_t)nuce_report_paper(report, b);

    if (paper_a != paper_b)
        return paper_a < paper_b; /* no paper: the largest */
    if ((a->verdict == NULL) != (b->verdict == NULL))
        return a->verdict != NULL;
    return strverscmp(a->name, b->name) < 0;
}

/* Insertion sort: there are some dozens. */
static void order_parts(struct nuce_report *report)
{
    report->parts = nuce_allocate(report->plots.count, sizeof *report->parts);
    for (int i = 0; i < report->plots.count; i++) {
        const struct nuce_plot *plot = &report->plots.plots[i];
        int at = i;

        for (; at > 0 && html_report_is_before(report, plot, report->parts[at - 1].plot); at--)
            report->parts[at].plot = report->parts[at - 1].plot;
        report->parts[at].plot = plot;
    }
}

/* Draws the picture into a new folder and reads it from there. gnuplot writes only files, and the
 * folder is private; TMPDIR as for all programs. part->picture becomes a new string, an element of
 * the page; or part->undrawn becomes the reason why there is none.
 *
 * The page has title and footer as text, which can be searched and read aloud, unlike a picture. So
 * the picture is drawn without them, from a copy of the plot with empty strings, which are not
 * freed. */
static nuce_status draw_bare(struct nuce_report_part *part, struct nuce_error *error)
{
    const char *base = getenv("TMPDIR");
    char *folder = nuce_text_format("%s/nuce-report-XXXXXX", base == NULL ? "/tmp" : base);
    char *path, *svg = NULL, nothing[] = "";
    struct nuce_plot plot = *part->plot;
    struct nuce_plot_data data = part->data;
    struct nuce_text_print picture;
    int width, height;
    nuce_status status;

    plot.title = data.where = data.what = data.doubts = data.left_out = nothing;
    if (mkdtemp(folder) == NULL) {
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
        free(folder);
        return status;
    }
    path = nuce_text_format("%s/%s.svg", folder, plot.name);
    status = nuce_plot_try_draw(&plot, &data, folder, "svg", &part->undrawn, error);
    if (status == NUCE_OK && part->undrawn == NULL)
        status = nuce_text_read(path, &svg, NULL, error);
    unlink(path);
    rmdir(folder);
    if (svg != NULL && status == NUCE_OK) {
        const char *box = strstr(svg, "viewBox=\"0 0 "); /* a script may change the size */

        status = nuce_plot_size(&plot, &width, &height, error);
        if (box != NULL)
            sscanf(box, "viewBox=\"0 0 %d %d\"", &width, &height);
        if (status == NUCE_OK) {
            nuce_text_print_begin(&picture);
            nuce_html_picture(picture.file, svg, width, height, part->plot->title);
            nuce_text_print_end(&picture);
            part->picture = picture.text;
        }
    }
    free(svg);
    free(path);
    free(folder);
    return status;
}

/* Reads the rows of one plot, their table and, for a figure, the picture. A plot without rows has
 * not failed. The table is made as for Markdown: numbers rounded for people, next to those of the
 * paper. The store is closed before anything is drawn: rows and texts are copies. */
static nuce_status html_report_read_part(const char *database,
                                         const struct nuce_plot_choice *choice,
                                         struct nuce_report_part *part, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(database, &store, error);

    if (status == NUCE_OK)
        status = nuce_plot_find(part->plot, &store, choice, &part->data, error);
    nuce_store_close(&store);
    if (status != NUCE_OK || part->data.grid.rows == 0)
        return status;
    status = nuce_plot_table(part->plot, &part->data, NUCE_GRID_MARKDOWN, &part->table, error);
    if (status == NUCE_OK && part->plot->script != NULL)
        status = draw_bare(part, error);
    return status;
}

/* A failure belongs to its part, so that one plot does not prevent the page. Counts the parts
 * shown, those that failed, and the tables that omit older environments. left_out is set for each
 * part with rows. */
static void read_parts(struct nuce_report *report)
{
    for (int i = 0; i < report->plots.count; i++) {
        struct nuce_report_part *part = &report->parts[i];
        const struct nuce_plot_choice choice = {.campaign = report->campaign,
                                                .environment = report->environment,
                                                .is_wide = shows_races(part->plot)};
        struct nuce_error failure;

        if (html_report_read_part(report->database, &choice, part, &failure) != NUCE_OK) {
            part->failure =
                nuce_text_format("%s: %s", part->plot->name, nuce_error_flatten(&failure));
            report->failed++;
        }
        report->shown += part->table.rows > 0;
        report->partial += part->table.rows > 0 && part->data.left_out[0] != '\0';
    }
}

/* Runs plots/report/NAME.sql, which begins with a line "-- title: ...". fact also gets the text of
 * the query: the page shows it. */
static nuce_status read_fact(struct nuce_store *store, const char *name,
                             struct nuce_report_fact *fact, struct nuce_error *error)
{
    static const char head[] = "-- title: ";
    char *file = nuce_text_format("plots/report/%s.sql", name);
    char *path = nuce_data_path(file, error);
    nuce_status status =
        path == NULL ? error->status : nuce_text_read(path, &fact->sql, NULL, error);

    if (status == NUCE_OK && strncmp(fact->sql, head, sizeof head - 1) != 0)
        status =
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: expected a line '-- title: ...'", path);
    if (status == NUCE_OK) {
        fact->title = nuce_text_format("%.*s", (int)strcspn(fact->sql + sizeof head - 1, "\n"),
                                       fact->sql + sizeof head - 1);
        status = nuce_grid_query(store, &fact->grid, error, "%s", fact->sql);
    }
    if (status != NUCE_OK && path != NULL)
        nuce_error_prefix(error, "%s", path);
    free(path);
    free(file);
    return status;
}

/* Reads the facts about the database as a whole, or about the requested campaign alone. */
static nuce_status html_report_read_whole(struct nuce_report *report, struct nuce_error *error)
{
    char *papers = nuce_data_path("plots/papers.tsv", error);
    struct nuce_store store = {.lock = -1};

    if (papers != NULL && nuce_store_open_reading(report->database, &store, error) == NUCE_OK &&
        nuce_store_narrow(&store, report->campaign, error) == NUCE_OK &&
        nuce_store_check_environment(&store, report->environment, error) == NUCE_OK &&
        nuce_paper_load(&store, papers, error) == NUCE_OK)
        error->status =
            nuce_grid_query(&store, &report->papers, error, "SELECT * FROM paper ORDER BY rowid");
    for (int i = 0; report->papers.columns > 0 && i < NUCE_REPORT_FACTS; i++) {
        if (error->status == NUCE_OK)
            error->status = read_fact(&store, nuce_report_fact_names[i], &report->facts[i], error);
    }
    nuce_store_close(&store);
    free(papers);
    return error->status;
}

nuce_status nuce_report_read(const char *path, const char *campaign, const char *environment,
                             struct nuce_report *out, struct nuce_error *error)
{
    struct nuce_report report = {
        .database = path, .campaign = campaign, .environment = environment};

    if (html_report_read_whole(&report, error) != NUCE_OK ||
        nuce_plot_list_read(&report.plots, error) != NUCE_OK) {
        nuce_report_fini(&report);
        return error->status;
    }
    order_parts(&report);
    read_parts(&report);
    *out = report;
    return NUCE_OK;
}

/* The plot belongs to the list, or to the capture. */
static void fini_part(struct nuce_report_part *part)
{
    nuce_plot_data_fini(&part->data);
    nuce_grid_fini(&part->table);
    free(part->picture);
    free(part->undrawn);
    free(part->failure);
}

/* Takes over *plot, *data and *table and leaves them empty, also on failure. A picture that cannot
 * be drawn is the capture's failure, and no error. */
void nuce_report_add_capture(struct nuce_report *report, struct nuce_plot *plot,
                             struct nuce_plot_data *data, struct nuce_grid *table)
{
    struct nuce_report_capture added = {.plot = *plot, .part = {.data = *data, .table = *table}};
    struct nuce_error failure;

    *plot = (struct nuce_plot){0};
    *data = (struct nuce_plot_data){0};
    *table = (struct nuce_grid){0};
    added.part.plot = &added.plot;
    if (draw_bare(&added.part, &failure) != NUCE_OK)
        added.part.failure =
            nuce_text_format("%s: %s", added.plot.path, nuce_error_flatten(&failure));
    nuce_allocate_more((void **)&report->captures, &report->capture_capacity,
                       report->capture_count + 1, sizeof *report->captures);
    report->captures[report->capture_count++] = added;
    /* The array may have moved. */
    for (int64_t i = 0; i < report->capture_count; i++)
        report->captures[i].part.plot = &report->captures[i].plot;
    report->failed += added.part.failure != NULL;
}

void nuce_report_fini(struct nuce_report *report)
{
    for (int64_t i = 0; i < report->capture_count; i++) {
        fini_part(&report->captures[i].part);
        nuce_plot_fini(&report->captures[i].plot);
    }
    free(report->captures);
    for (int i = 0; report->parts != NULL && i < report->plots.count; i++)
        fini_part(&report->parts[i]);
    free(report->parts);
    for (int i = 0; i < NUCE_REPORT_FACTS; i++) {
        free(report->facts[i].title);
        free(report->facts[i].sql);
        nuce_grid_fini(&report->facts[i].grid);
    }
    nuce_plot_list_fini(&report->plots);
    nuce_grid_fini(&report->papers);
    *report = (struct nuce_report){0};
}
