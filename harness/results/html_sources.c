/* What the page's queries share and the sweeps behind them, each once, at its end.
 *
 * Each file that a query names stands here once, however many parts name it, and the links of the
 * parts lead to it (html_part.c). The views, which all queries read, come first. */
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "results/html.h"
#include "results/html_report.h"

/* A folder of files that directives name: their anchors on the page begin with id. */
struct folder {
    const char *id, *path, *ending, *title;
    size_t directive; /* where its names stand in struct nuce_plot */
};

static const struct folder folders[] = {
    {"tables", "plots/tables", ".sql", "Shared tables", offsetof(struct nuce_plot, table)},
    {"says", "plots/says", ".sql", "Sentences", offsetof(struct nuce_plot, says)},
    {"paper", "plots/paper", ".tsv", "Papers' numbers", offsetof(struct nuce_plot, paper)},
    {"sweep", "configs", ".yaml", "Sweeps that come with nuce for these tables",
     offsetof(struct nuce_plot, sweep)},
};

/* The names that the part's directive says, if it is on the page; NULL: none. */
static const char *names_of(const struct nuce_report_part *part, const struct folder *folder)
{
    const char *const *names =
        (const char *const *)(const void *)((const char *)part->plot + folder->directive);

    return part->table.rows > 0 ? *names : NULL;
}

/* Whether the blank-separated list (or NULL) has that name. */
static int is_named(const char *names, const char *wanted)
{
    char name[128];

    while (nuce_text_word(&names, name, sizeof name)) {
        if (strcmp(name, wanted) == 0)
            return 1;
    }
    return 0;
}

/* Text under a name, folded away. */
static void write_folded(FILE *file, const char *id, const char *name, const char *text)
{
    fputs("<details class=\"sql\" id=\"", file);
    nuce_html_text(file, id);
    fputs("\"><summary>", file);
    nuce_html_text(file, name);
    fputs("</summary>\n<pre><code>", file);
    nuce_html_text(file, text);
    fputs("</code></pre></details>\n", file);
}

/* A file that nuce ships; why there is none is written in its place: a plot of one's own may name a
 * sweep that is not shipped. */
static nuce_status html_sources_write_file(FILE *file, const char *id, const char *path,
                                           struct nuce_error *error)
{
    char *found = nuce_data_path(path, error), *text = NULL;

    if (found == NULL)
        return error->status;
    write_folded(file, id, path,
                 nuce_text_read(found, &text, NULL, error) == NUCE_OK ? text
                                                                      : nuce_error_flatten(error));
    free(text);
    free(found);
    return NUCE_OK;
}

/* From the folder of the campaigns, as the database does not keep sweeps: one that is not there is
 * left out. */
void nuce_html_sweeps(FILE *file, const struct nuce_report *report)
{
    const struct nuce_grid *campaigns = &report->facts[NUCE_REPORT_CAMPAIGNS].grid;
    struct nuce_error ignored;

    for (int64_t row = 0; report->campaigns != NULL && row < campaigns->rows; row++) {
        const char *name = nuce_grid_text(campaigns, row, "campaign");
        char *path = nuce_text_format("%s/%s/sweep.yaml", report->campaigns, name);
        char *text = NULL;

        if (nuce_text_is_name(name) && nuce_text_read(path, &text, NULL, &ignored) == NUCE_OK)
            write_folded(file, name, path, text);
        free(text);
        free(path);
    }
}

/* One file of the folder, with the anchor ID-NAME that links of the parts have. */
static nuce_status write_named(FILE *file, const struct folder *folder, const char *name,
                               struct nuce_error *error)
{
    char *id = nuce_text_format("%s-%s", folder->id, name);
    char *path = nuce_text_format("%s/%s%s", folder->path, name, folder->ending);
    nuce_status status = html_sources_write_file(file, id, path, error);

    free(path);
    free(id);
    return status;
}

/* Each name once, where it first occurs. */
static nuce_status write_folder(FILE *file, const struct nuce_report *report,
                                const struct folder *folder, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int is_headed = 0;

    for (int i = 0; status == NUCE_OK && i < report->plots.count; i++) {
        const char *names = names_of(&report->parts[i], folder);
        char name[128];

        while (status == NUCE_OK && nuce_text_word(&names, name, sizeof name)) {
            int seen = 0;

            for (int k = 0; k < i && !seen; k++)
                seen = is_named(names_of(&report->parts[k], folder), name);
            if (!seen && !is_headed++)
                fprintf(file, "<h3>%s</h3>\n", folder->title);
            if (!seen)
                status = write_named(file, folder, name, error);
        }
    }
    return status;
}

nuce_status nuce_html_sources(FILE *file, const struct nuce_report *report,
                              struct nuce_error *error)
{
    nuce_status status;

    fputs("<section id=\"sources\">\n<h2>Queries and sweeps</h2>\n"
          "<p>What the queries above read. "
          "<code>nuce query</code> runs any other.</p>\n",
          file);
    status = html_sources_write_file(file, "views", "db/views.sql", error);
    for (size_t i = 0; status == NUCE_OK && i < sizeof folders / sizeof *folders; i++)
        status = write_folder(file, report, &folders[i], error);
    fputs("</section>\n", file);
    return status;
}
