/* A plot on the page: what it says, the picture, the table, and the query that made them.
 *
 * In this order for each, so that a reader sees what follows before the numbers; what they rest on
 * and what makes them doubtful stands right below them. A plot with a verdict has its sentences at
 * the top of the page (html_page.c). Anchors: plot-NAME for the part, sql-NAME for its query; names
 * of plots are plain, so they need no escaping. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/html.h"
#include "results/html_report.h"

/* Whether a statement holds, or a printed number is what comes out here. */
static void write_badge(FILE *file, const char *holds, const char *printed)
{
    if (nuce_plot_claim_holds(holds) != NULL)
        fprintf(file, "<b class=\"%s\">%s</b> ", holds, nuce_plot_claim_holds(holds));
    if (nuce_plot_claim_printed(printed) != NULL)
        fprintf(file, "<b class=\"%s\">%s</b> ", printed, nuce_plot_claim_printed(printed));
}

/* "KIND BADGE claim: sentence". */
static void write_sentence(FILE *file, const struct nuce_grid *says, int64_t row)
{
    const char *kind = nuce_html_kind(nuce_grid_text(says, row, "kind"));
    const char *claim = nuce_grid_text(says, row, "claim");

    if (kind != NULL)
        fprintf(file, "<i class=\"%s\">%s</i> ", kind, kind);
    write_badge(file, nuce_grid_text(says, row, "holds"), nuce_grid_text(says, row, "printed"));
    if (*claim != '\0') {
        fputs("<q>", file);
        nuce_html_text(file, claim);
        fputs("</q>: ", file);
    }
    nuce_html_text(file, nuce_grid_text(says, row, "sentence"));
}

/* Whether it is said of times on hosts, which had other work perhaps. */
static int html_part_is_measured(const struct nuce_grid *says, int64_t row)
{
    const char *kind = nuce_grid_text(says, row, "kind");

    return strcmp(kind, "measured") == 0 || strcmp(kind, "emulated") == 0;
}

/* Once for all sentences, with the words of the line below the table. what: the line on ranks and
 * samples (plots/origin), which says how busy. 6: of "BUSY (". */
static void write_busy(FILE *file, const char *what)
{
    const char *how = strstr(what, "BUSY (");
    int length = how != NULL ? (int)strcspn(how, ")") : 0;

    fputs("<p class=\"doubt\">The machine was BUSY", file);
    if (length > 0)
        fprintf(file, ": %.*s", length - 6, how + 6);
    fputs(".</p>\n", file);
}

/* Sentences of several campaigns say so: a reader takes them for those of one else. */
static void write_pooled(FILE *file, const char *what)
{
    static const char words[] = " campaigns pooled: ";
    const char *names = strstr(what, words);
    char *copy;

    if (names == NULL)
        return;
    copy = nuce_text_duplicate(names + strlen(words));
    copy[strcspn(copy, ";")] = '\0';
    fputs("<p class=\"doubt\">Pooled from several campaigns: ", file);
    nuce_html_text(file, copy);
    fputs(" (<code>nuce report --campaign</code> takes one).</p>\n", file);
    free(copy);
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
        if (!nuce_html_says(says, row, said))
            continue;
        fputs("<li>", file);
        write_sentence(file, says, row);
        measured |= html_part_is_measured(says, row);
        if (link)
            fprintf(file, " <a href=\"#plot-%s\">numbers</a>", part->plot->name);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
    if (part->data.is_busy && measured)
        write_busy(file, part->data.what);
    if (measured)
        write_pooled(file, part->data.what);
}

/* Where a remark in parentheses begins with which the title ends, or NULL; a word or two belong to
 * the title. "Times (medians of 10 launches, one bar each)" has one, "Table 5 (CM-5)" has none. */
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

/* The title without the authors, who stand above the section, and what stands in parentheses at its
 * end as a line of its own. */
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
    head = strndup(title, note == NULL ? strlen(title) : (size_t)(note - title - 1));
    fputs("<h3>", file);
    nuce_html_text(file, head == NULL ? title : head);
    fputs("</h3>\n", file);
    if (note != NULL) {
        fputs("<p class=\"note\">", file);
        nuce_html_text(file, note);
        fputs("</p>\n", file);
    }
    free(head);
}

void nuce_html_figure(FILE *file, const struct nuce_report_part *part)
{
    nuce_html_line(file, "note", part->undrawn);
    if (part->picture == NULL)
        return;
    fputs("<figure><div class=\"box picture\" tabindex=\"0\">", file);
    fputs(part->picture, file);
    fprintf(file,
            "</div><figcaption><a href=\"#sql-%s\">How it was made</a></figcaption>"
            "</figure>\n",
            part->plot->name);
}

/* Where there is a picture, the numbers are folded away below it. The numbers of its cells lead to
 * the query. When out of memory they lead nowhere. */
static void write_table(FILE *file, const struct nuce_report_part *part)
{
    char *target = NULL;

    target = nuce_text_format("sql-%s", part->plot->name);
    if (part->picture != NULL)
        fprintf(file, "<details class=\"numbers\"><summary>The numbers, %lld row%s</summary>\n",
                (long long)part->table.rows, part->table.rows == 1 ? "" : "s");
    nuce_html_table(file, &part->table, part->plot->name, target);
    fputs(part->picture != NULL ? "</details>\n" : "", file);
    free(target);
}

/* Links to what the query reads: folder-NAME for each of the names. */
static void write_links(FILE *file, const char *names, const char *folder)
{
    char name[128];

    while (nuce_text_word(&names, name, sizeof name))
        fprintf(file, ", <a href=\"#%s-%s\">%s/%s</a>", folder, name, folder, name);
}

/* How to have the same numbers oneself: the sweep, the command, and the query with its head. A
 * sweep of the papers' is linked where it stands in the page as well (html_sources.c). */
static void write_query(FILE *file, const struct nuce_report *report, const struct nuce_plot *plot)
{
    const char *sweeps = plot->sweep;
    char name[128];

    fprintf(file,
            "<details class=\"sql\" id=\"sql-%s\"><summary>Where these numbers come from"
            "</summary>\n<p>",
            plot->name);
    while (nuce_text_word(&sweeps, name, sizeof name)) {
        fputs("A sweep made for it: <code>nuce run ", file);
        nuce_html_text(file, name);
        if (plot->options != NULL)
            fprintf(file, " %s", plot->options);
        fprintf(file, "</code> (<a href=\"#sweep-%s\">the sweep</a>). ", name);
    }
    fprintf(file, "On a terminal: <code>nuce table %s --database ", plot->name);
    nuce_html_text(file, report->database);
    fputs("</code>. Reads <a href=\"#views\">the view result</a>", file);
    write_links(file, plot->table, "tables");
    write_links(file, plot->paper, "paper");
    write_links(file, plot->says, "says");
    fputs(".</p>\n<pre><code>", file);
    nuce_html_text(file, plot->sql);
    fputs("</code></pre></details>\n", file);
}

/* What the numbers are of, what speaks against them, and how to have them oneself. */
static void write_origin(FILE *file, const struct nuce_report *report,
                         const struct nuce_report_part *part)
{
    nuce_html_line(file, "from", part->data.where);
    nuce_html_line(file, "from", part->data.what);
    nuce_html_line(file, "doubt", part->data.doubts);
    nuce_html_line(file, "doubt", part->data.left_out);
    write_query(file, report, part->plot);
}

void nuce_html_part(FILE *file, const struct nuce_report *report,
                    const struct nuce_report_part *part)
{
    fprintf(file, "<article id=\"plot-%s\">\n", part->plot->name);
    write_title(file, report, part->plot);
    if (part->plot->verdict == NULL)
        nuce_html_sentences(file, part, NULL, 0);
    else
        fputs("<p class=\"note\"><a href=\"#verdict\">The verdict</a> says what follows from "
              "it.</p>\n",
              file);
    nuce_html_line(file, "doubt", part->failure);
    nuce_html_figure(file, part);
    write_table(file, part);
    write_origin(file, report, part);
    fputs("</article>\n", file);
}

/* Tables of a part on their way to the page. */
struct html_part_sections {
    FILE *file;
    const char *name, *target;
};

/* For nuce_plot_each_section: one of the tables, under its heading. */
static nuce_status write_section(void *context, const char *heading, const struct nuce_grid *table,
                                 struct nuce_error *error)
{
    const struct html_part_sections *sections = context;

    (void)error;
    fputs("<h3>", sections->file);
    nuce_html_text(sections->file, heading);
    fputs("</h3>\n", sections->file);
    nuce_html_table(sections->file, table, sections->name, sections->target);
    return NUCE_OK;
}

/* As many rows are shown unasked. */
#define ROWS_UNFOLDED 60

nuce_status nuce_html_numbers(FILE *file, const struct nuce_report *report,
                              const struct nuce_report_part *part, struct nuce_error *error)
{
    char *target = nuce_text_format("sql-%s", part->plot->name);
    struct html_part_sections sections = {.file = file, .name = part->plot->name, .target = target};
    int is_folded = part->data.grid.rows > ROWS_UNFOLDED;
    nuce_status status;

    fprintf(file, "<article id=\"plot-%s\">\n", part->plot->name);
    if (is_folded)
        fprintf(file, "<details class=\"numbers\"><summary>The numbers, %lld rows</summary>\n",
                (long long)part->data.grid.rows);
    status = nuce_plot_each_section(part->plot, &part->data, write_section, &sections, error);
    fputs(is_folded ? "</details>\n" : "", file);
    write_origin(file, report, part);
    fputs("</article>\n", file);
    free(target);
    return status;
}

/* A table of the report itself with the query behind it. */
void nuce_html_fact(FILE *file, const struct nuce_report *report, enum nuce_report_facts which)
{
    const struct nuce_report_fact *fact = &report->facts[which];
    const char *name = nuce_report_fact_names[which];
    char target[64];

    snprintf(target, sizeof target, "sql-report-%s", name);
    nuce_html_table(file, &fact->grid, fact->title, target);
    fprintf(file,
            "<details class=\"sql\" id=\"%s\"><summary>Where these numbers come from"
            "</summary>\n<pre><code>",
            target);
    nuce_html_text(file, fact->sql);
    fputs("</code></pre></details>\n", file);
}

void nuce_html_capture(FILE *file, const struct nuce_report_capture *capture)
{
    const struct nuce_report_part *part = &capture->part;

    fputs("<article>\n<h3>", file);
    nuce_html_text(file, capture->plot.title);
    fputs("</h3>\n", file);
    nuce_html_line(file, "from", part->data.where);
    nuce_html_line(file, "from", part->data.what);
    nuce_html_line(file, "doubt", part->data.doubts);
    if (part->picture != NULL)
        fprintf(file,
                "<figure><div class=\"box picture\" tabindex=\"0\">%s</div><figcaption>"
                "On a terminal: <code>nuce figure</code> and <code>nuce show</code> of the "
                "file</figcaption></figure>\n",
                part->picture);
    fprintf(file, "<details class=\"numbers\"><summary>The patterns, %lld</summary>\n",
            (long long)part->table.rows);
    nuce_html_table(file, &part->table, NULL, NULL);
    fputs("</details>\n</article>\n", file);
}
