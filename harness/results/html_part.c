/* A plot on the page: its sentences, the picture, the table, and the query.
 *
 * This order shows the conclusions before the numbers; their origin and doubts about them follow
 * directly below. The sentences of a plot with a verdict are at the top of the page (html_page.c).
 * Anchors: plot-NAME for the part, sql-NAME for its query; names of plots are plain, so they need
 * no escaping. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "results/html.h"
#include "results/html_report.h"

/* "KIND BADGE claim: sentence". The badges show if a statement holds, or if a printed number is
 * reproduced. */
static void write_sentence(FILE *file, const struct nuce_grid *says, int64_t row)
{
    const char *kind = nuce_html_kind(nuce_grid_text(says, row, "kind"));
    const char *claim = nuce_grid_text(says, row, "claim");
    static const char *const columns[] = {"holds", "printed"};

    if (kind != NULL)
        nuce_html_print(file, "<i class=\"%s\">%s</i> ", kind, kind);
    for (int i = 0; i < 2; i++) {
        if (nuce_plot_claim(says, row, columns[i]) != NULL)
            nuce_html_print(file, "<b class=\"%s\">%s</b> ", nuce_grid_text(says, row, columns[i]),
                            nuce_plot_claim(says, row, columns[i]));
    }
    if (*claim != '\0')
        nuce_html_print(file, "<q>%s</q>: ", claim);
    nuce_html_text(file, nuce_grid_text(says, row, "sentence"));
}

/* Adds two facts to sentences about times on hosts, once for all: how busy the hosts were, and that
 * several campaigns are pooled, because a reader would assume one. The words come from the line
 * below the table on ranks and samples (plots/origin). */
static void write_circumstances(FILE *file, const struct nuce_plot_data *data)
{
    static const char busy[] = "BUSY (", pooled[] = " campaigns pooled: ";
    const char *how = strstr(data->what, busy), *names = strstr(data->what, pooled);
    char *text;

    if (data->is_busy) {
        text = how == NULL ? nuce_text_duplicate("")
                           : nuce_text_format(": %.*s", (int)(strcspn(how, ")") - strlen(busy)),
                                              how + strlen(busy));
        nuce_html_print(file, "<p class=\"doubt\">The machine was BUSY%s.</p>\n", text);
        free(text);
    }
    if (names != NULL) {
        names += strlen(pooled);
        text = nuce_text_format("%.*s", (int)strcspn(names, ";"), names);
        nuce_html_print(file,
                        "<p class=\"doubt\">Pooled from several campaigns: %s (<code>nuce report "
                        "--campaign</code> takes one).</p>\n",
                        text);
        free(text);
    }
}

int nuce_html_says(const struct nuce_grid *says, int64_t row, const struct nuce_grid *said)
{
    const char *sentence = nuce_grid_text(says, row, "sentence");

    for (int64_t k = 0; said != NULL && k < said->rows; k++) {
        if (strcmp(nuce_grid_text(said, k, "sentence"), sentence) == 0)
            return 0;
    }
    return 1;
}

void nuce_html_sentences(FILE *file, const struct nuce_report_part *part,
                         const struct nuce_grid *said, int link)
{
    const struct nuce_grid *says = &part->data.says;
    int measured = 0;

    if (says->rows == 0)
        return;
    fputs("<ul class=\"says\">\n", file);
    for (int64_t row = 0; row < says->rows; row++) {
        const char *kind;

        if (!nuce_html_says(says, row, said))
            continue;
        fputs("<li>", file);
        write_sentence(file, says, row);
        kind = nuce_grid_text(says, row, "kind");
        measured |= strcmp(kind, "measured") == 0 || strcmp(kind, "emulated") == 0;
        if (link)
            nuce_html_print(file, " <a href=\"#plot-%s\">numbers</a>", part->plot->name);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
    if (measured)
        write_circumstances(file, &part->data);
}

/* The beginning of the remark in parentheses with which the title ends, or NULL; a short one
 * belongs to the title. "Times (medians of 10 launches, one bar each)" has one, "Table 5 (CM-5)"
 * has none. */
static const char *find_note(const char *title)
{
    enum { SHORTEST = 20 };
    size_t at = strlen(title);
    int depth = 0;

    if (at == 0 || title[at - 1] != ')')
        return NULL;
    do {
        at--;
        depth += (title[at] == ')') - (title[at] == '(');
    } while (depth > 0 && at > 0);
    if (at == 0 || title[at - 1] != ' ' || strlen(title + at) < SHORTEST)
        return NULL;
    return title + at;
}

/* The title without the authors, who are named above the section; the parenthesis at its end gets a
 * line of its own. */
static void write_title(FILE *file, const struct nuce_report *report, const struct nuce_plot *plot)
{
    const char *title = plot->title, *note;
    int64_t paper = nuce_report_paper(report, plot);
    const char *authors = paper < 0 ? "" : nuce_report_paper_text(report, paper, "authors");
    size_t length = strlen(authors);
    char *head;

    if (length > 0 && strncmp(title, authors, length) == 0)
        title += length + strspn(title + length, ",: ");
    note = find_note(title);
    head = nuce_text_format("%.*s", note == NULL ? (int)strlen(title) : (int)(note - title - 1),
                            title);
    nuce_html_print(file, "<h3>%s</h3>\n", head);
    nuce_html_line(file, "note", note);
    free(head);
}

void nuce_html_figure(FILE *file, const struct nuce_report_part *part)
{
    nuce_html_line(file, "note", part->undrawn);
    if (part->picture == NULL)
        return;
    fputs("<figure><div class=\"box picture\" tabindex=\"0\">", file);
    fputs(part->picture, file);
    nuce_html_print(file,
                    "</div><figcaption><a href=\"#sql-%s\">How it was made</a></figcaption>"
                    "</figure>\n",
                    part->plot->name);
}

/* Writes links to the files that the query reads: folder-NAME for each of the names. */
static void write_links(FILE *file, const char *names, const char *folder)
{
    char name[128];

    while (nuce_text_word(&names, name, sizeof name))
        nuce_html_print(file, ", <a href=\"#%s-%s\">%s/%s</a>", folder, name, folder, name);
}

/* The origin of the numbers, doubts about them, and how to reproduce them: the sweep, the command,
 * and the query with its head. A paper's sweep that is also on the page gets a link
 * (nuce_html_sources). */
static void write_origin(FILE *file, const struct nuce_report *report,
                         const struct nuce_report_part *part)
{
    const struct nuce_plot *plot = part->plot;
    const char *sweeps = plot->sweep;
    char name[128];

    nuce_html_line(file, "from", part->data.where);
    nuce_html_line(file, "from", part->data.what);
    nuce_html_line(file, "doubt", part->data.doubts);
    nuce_html_line(file, "doubt", part->data.left_out);
    nuce_html_print(file,
                    "<details class=\"sql\" id=\"sql-%s\"><summary>Where these numbers come from"
                    "</summary>\n<p>",
                    plot->name);
    while (nuce_text_word(&sweeps, name, sizeof name))
        nuce_html_print(file,
                        "A sweep made for it: <code>nuce run %s%s%s</code> "
                        "(<a href=\"#sweep-%s\">the sweep</a>). ",
                        name, plot->options == NULL ? "" : " ",
                        plot->options == NULL ? "" : plot->options, name);
    nuce_html_print(file,
                    "On a terminal: <code>nuce table %s --database %s</code>. Reads "
                    "<a href=\"#views\">the view result</a>",
                    plot->name, report->database);
    write_links(file, plot->table, "tables");
    write_links(file, plot->paper, "paper");
    nuce_html_print(file, ".</p>\n<pre><code>%s</code></pre>", plot->sql);
    if (plot->sentences != NULL)
        nuce_html_print(file, "<p>The sentences:</p>\n<pre><code>%s</code></pre>", plot->sentences);
    fputs("</details>\n", file);
}

/* The numbers are folded below a picture, if there is one. Numbers in cells link to the query. */
void nuce_html_part(FILE *file, const struct nuce_report *report,
                    const struct nuce_report_part *part)
{
    char *target = nuce_text_format("sql-%s", part->plot->name);

    nuce_html_print(file, "<article id=\"plot-%s\">\n", part->plot->name);
    write_title(file, report, part->plot);
    if (part->plot->verdict == NULL)
        nuce_html_sentences(file, part, NULL, 0);
    else
        fputs("<p class=\"note\"><a href=\"#verdict\">The verdict</a> says what follows from "
              "it.</p>\n",
              file);
    nuce_html_line(file, "doubt", part->failure);
    nuce_html_figure(file, part);
    if (part->picture != NULL)
        nuce_html_print(file,
                        "<details class=\"numbers\"><summary>The numbers, %lld row%s</summary>\n",
                        (long long)part->table.rows, part->table.rows == 1 ? "" : "s");
    nuce_html_table(file, &part->table, part->plot->name, target);
    fputs(part->picture != NULL ? "</details>\n" : "", file);
    write_origin(file, report, part);
    fputs("</article>\n", file);
    free(target);
}

/* Maximum number of rows shown unfolded. */
#define ROWS_UNFOLDED 60

nuce_status nuce_html_numbers(FILE *file, const struct nuce_report *report,
                              const struct nuce_report_part *part, struct nuce_error *error)
{
    char *target = nuce_text_format("sql-%s", part->plot->name);
    int is_folded = part->data.grid.rows > ROWS_UNFOLDED;
    struct nuce_grid table;
    const char *heading;
    int64_t at = 0;

    nuce_html_print(file, "<article id=\"plot-%s\">\n", part->plot->name);
    if (is_folded)
        nuce_html_print(file,
                        "<details class=\"numbers\"><summary>The numbers, %lld row%s</summary>\n",
                        (long long)part->data.grid.rows, nuce_text_plural(part->data.grid.rows));
    while (nuce_plot_next_section(part->plot, &part->data, &at, &heading, &table, error)) {
        nuce_html_print(file, "<h3>%s</h3>\n", heading);
        nuce_html_table(file, &table, part->plot->name, target);
        nuce_grid_fini(&table);
    }
    fputs(is_folded ? "</details>\n" : "", file);
    write_origin(file, report, part);
    fputs("</article>\n", file);
    free(target);
    return error->status;
}

void nuce_html_capture(FILE *file, const struct nuce_report_capture *capture)
{
    const struct nuce_report_part *part = &capture->part;

    nuce_html_print(file, "<article>\n<h3>%s</h3>\n", capture->plot.title);
    nuce_html_line(file, "from", part->data.where);
    nuce_html_line(file, "from", part->data.what);
    nuce_html_line(file, "doubt", part->data.doubts);
    if (part->picture != NULL)
        fprintf(file,
                "<figure><div class=\"box picture\" tabindex=\"0\">%s</div><figcaption>"
                "On a terminal: <code>nuce figure</code> and <code>nuce show</code> of the "
                "file</figcaption></figure>\n",
                part->picture);
    nuce_html_print(file, "<details class=\"numbers\"><summary>The patterns, %lld</summary>\n",
                    (long long)part->table.rows);
    nuce_html_table(file, &part->table, NULL, NULL);
    fputs("</details>\n</article>\n", file);
}

/* A folder of files that directives name: their anchors on the page begin with id. */
struct folder {
    const char *id, *path, *ending, *title;
    size_t directive; /* offset of its names in struct nuce_plot */
};

static const struct folder folders[] = {
    {"tables", "plots/tables", ".sql", "Shared tables", offsetof(struct nuce_plot, table)},
    {"paper", "plots/paper", ".tsv", "Papers' numbers", offsetof(struct nuce_plot, paper)},
    {"sweep", "configs", ".yaml", "Sweeps that come with nuce for these tables",
     offsetof(struct nuce_plot, sweep)},
};

/* The names in the part's directive, if it is on the page; NULL: none. */
static const char *names_of(const struct nuce_report_part *part, const struct folder *folder)
{
    const char *const *names =
        (const char *const *)(const void *)((const char *)part->plot + folder->directive);

    return part->table.rows > 0 ? *names : NULL;
}

/* Text under a name, folded away. */
static void write_folded(FILE *file, const char *id, const char *name, const char *text)
{
    nuce_html_print(file,
                    "<details class=\"sql\" id=\"%s\"><summary>%s</summary>\n<pre><code>%s</code>"
                    "</pre></details>\n",
                    id, name, text);
}

/* Writes a file shipped with nuce, or, in its place, why it is missing: a user's own plot may name
 * a sweep that is not shipped. */
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

/* Reads them from the folder of the campaigns, because the database does not keep sweeps; missing
 * ones are skipped. */
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

/* Each name once, at its first occurrence, with the anchor ID-NAME for the links of the parts. */
static nuce_status write_folder(FILE *file, const struct nuce_report *report,
                                const struct folder *folder, struct nuce_error *error)
{
    int is_headed = 0;

    error->status = NUCE_OK;
    for (int i = 0; i < report->plots.count; i++) {
        const char *names = names_of(&report->parts[i], folder);
        char name[128];

        while (error->status == NUCE_OK && nuce_text_word(&names, name, sizeof name)) {
            char *id = nuce_text_format("%s-%s", folder->id, name);
            char *path = nuce_text_format("%s/%s%s", folder->path, name, folder->ending);
            int seen = 0;

            for (int k = 0; k < i && !seen; k++)
                seen = nuce_plot_lists(names_of(&report->parts[k], folder), name);
            if (!seen && !is_headed++)
                fprintf(file, "<h3>%s</h3>\n", folder->title);
            if (!seen)
                error->status = html_sources_write_file(file, id, path, error);
            free(path);
            free(id);
        }
    }
    return error->status;
}

/* Writes the files that the page's queries share and the sweeps behind them, each once, at its end;
 * the links of the parts lead there. The views, which all queries read, come first. */
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
