/* The page: verdict, reasons, campaigns, studies, papers, missing parts, origin.
 *
 * The order serves a hurried reader. Conclusions are above all tables; each sentence links to the
 * table behind it, each number to its query. A section lists what could not be measured, drawn or
 * run. The page is one file that needs no other and loads nothing: it contains style, script and
 * pictures.
 *
 * All text from the database goes through nuce_html_text. Should some escape it, the page's policy
 * (write_head) makes it harmless. The stream's owner checks for write errors, so most functions
 * here return nothing. */
#include <jansson.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "results/html.h"
#include "results/html_report.h"

/* The headings of the sections that belong to no paper. */
static const char beyond[] = "Studies";

/* Maximum number of campaigns in the title. */
#define TITLE_CAMPAIGNS 2

/* "mine.2, mine.1: which is the fastest". */
static void write_page_title(FILE *file, const struct nuce_report *report)
{
    const struct nuce_grid *campaigns = &report->facts[NUCE_REPORT_CAMPAIGNS].grid;
    const struct nuce_report_part *races = nuce_report_races(report);

    for (int64_t row = 0; row < campaigns->rows && row < TITLE_CAMPAIGNS; row++)
        nuce_html_print(file, "%s%s", row > 0 ? ", " : "",
                        nuce_grid_text(campaigns, row, "campaign"));
    if (campaigns->rows > TITLE_CAMPAIGNS)
        fprintf(file, " and %lld more", (long long)(campaigns->rows - TITLE_CAMPAIGNS));
    fputs(races != NULL && races->data.says.rows > 0 ? ": which is the fastest"
                                                     : ": what nuce found",
          file);
}

/* The invisible head of the page. The empty icon keeps browsers from requesting one from a server.
 *
 * The policy for the browser: load nothing, and run no script except the one with this hash, so
 * that unescaped text would still not run. Content Security Policy, level 2: a script is named by
 * the base64 of its SHA-256. The hash is of the script as it is written, so both must come from the
 * same text. */
static void write_head(const struct nuce_report *report, const char *style, const char *script,
                       FILE *file)
{
    char hex[NUCE_HASH_BYTES], base64[BASE64_ENCODE_RAW_LENGTH(32) + 1] = "";
    unsigned char bytes[32];

    nuce_hash(script, strlen(script), hex);
    for (size_t i = 0; i < sizeof bytes; i++)
        sscanf(hex + 2 * i, "%2hhx", &bytes[i]);
    base64_encode_raw(base64, sizeof bytes, bytes);
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
            "<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; img-src data:; script-src 'sha256-%s'\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
            "<link rel=\"icon\" href=\"data:,\"/>\n<title>",
            base64);
    write_page_title(file, report);
    fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

/* A plot without rows is listed as missing and has no section. */
static int is_shown(const struct nuce_report_part *part)
{
    return part->table.rows > 0;
}

/* True if the part belongs to the section of paper (-1: no paper); races come before all
 * sections. */
static int is_in_section(const struct nuce_report *report, int i, int64_t paper)
{
    return nuce_report_paper(report, report->parts[i].plot) == paper &&
           &report->parts[i] != nuce_report_races(report);
}

/* True if the section of paper (-1: no paper) has a plot with rows (shown 1), or one without (shown
 * 0). */
static int has_part(const struct nuce_report *report, int64_t paper, int shown)
{
    for (int i = 0; i < report->plots.count; i++) {
        if (is_in_section(report, i, paper) && is_shown(&report->parts[i]) == shown)
            return 1;
    }
    return 0;
}

/* The anchor of a paper's section; -1: the section without a paper. Keys of papers are plain words
 * (plots/papers.tsv). */
static const char *section_id(const struct nuce_report *report, int64_t paper)
{
    return paper < 0 ? "beyond" : nuce_report_paper_text(report, paper, "key");
}

/* A summary of the content in a few sentences, the omissions on request, and links to the existing
 * sections, in their order. A report that shows only the points of the newest environments states
 * that here: omitted results must not pass for results that were never measured. */
static void write_header(FILE *file, const struct nuce_report *report)
{
    const struct nuce_grid *summary = &report->facts[NUCE_REPORT_SUMMARY].grid;

    fputs("<header>\n<h1>", file);
    write_page_title(file, report);
    fputs("</h1>\n<p>", file);
    for (int64_t row = 0; row < summary->rows; row++) {
        const char *text = nuce_grid_cell(summary, row, 0)->text;

        nuce_html_print(file, "%s ", text == NULL ? "" : text);
    }
    nuce_html_print(file, "Database <code>%s</code>", report->database);
    if (report->campaign != NULL)
        nuce_html_print(file, ", campaign <code>%s</code> only", report->campaign);
    if (report->environment != NULL)
        nuce_html_print(file, ", environment <code>%s</code> where it has rows",
                        report->environment);
    fputs(".</p>\n", file);
    if (report->partial > 0)
        fprintf(file,
                "<p class=\"doubt\">%d of %d tables do not show points of older environments; each "
                "says how many and where. <code>nuce report "
                "--environment ID</code> shows those.</p>\n",
                report->partial, report->shown);
    fputs("<nav aria-label=\"Sections\"><a href=\"#verdict\">Verdict</a>", file);
    if (nuce_report_races(report) != NULL)
        fputs(" <a href=\"#why\">Why</a>", file);
    fputs(" <a href=\"#environments\">Environments</a> <a href=\"#campaigns\">Campaigns</a>", file);
    if (has_part(report, -1, 1))
        fprintf(file, " <a href=\"#beyond\">%s</a>", beyond);
    for (int64_t paper = 0; paper < report->papers.rows; paper++) {
        if (has_part(report, paper, 1))
            nuce_html_print(file, " <a href=\"#%s\">%s</a>", section_id(report, paper),
                            nuce_report_paper_text(report, paper, "short"));
    }
    if (report->capture_count > 0)
        fputs(" <a href=\"#captures\">Applications</a>", file);
    fputs(" <a href=\"#missing\">What is missing</a> <a href=\"#sources\">Queries and "
          "sweeps</a></nav>\n</header>\n",
          file);
}

/* Counts the different sentences of a paper's plots by their judgement: the paper's statement
 * holds, in part, does not; its number is as printed, in part, is not. A sentence repeated by a
 * later part counts once, as for a table and its figure. Two sentences are equal if they agree in
 * kind, claim and sentence; a missing column counts as empty. Returns nonzero if there is any. */
static int count_claims(const struct nuce_report *report, int64_t paper, int counts[6])
{
    static const char *const judgements[] = {"yes", "partly", "no"};
    json_t *said = json_object(); /* sentence -> the first part with it */
    int found = 0;

    memset(counts, 0, 6 * sizeof *counts);
    for (int i = 0; i < report->plots.count; i++) {
        const struct nuce_grid *says = &report->parts[i].data.says;

        if (nuce_report_paper(report, report->parts[i].plot) != paper)
            continue;
        for (int64_t row = 0; row < says->rows; row++) {
            char *key = nuce_text_format("%s\n%s\n%s", nuce_grid_text(says, row, "kind"),
                                         nuce_grid_text(says, row, "claim"),
                                         nuce_grid_text(says, row, "sentence"));
            json_t *first = json_object_get(said, key);
            int is_new = first == NULL || json_integer_value(first) == i;

            if (first == NULL)
                json_object_set_new(said, key, json_integer(i));
            free(key);
            for (int k = 0; is_new && k < 6; k++) {
                const char *judged = nuce_grid_text(says, row, k < 3 ? "holds" : "printed");

                counts[k] += strcmp(judged, judgements[k % 3]) == 0;
            }
        }
    }
    json_decref(said);
    for (int k = 0; k < 6; k++)
        found |= counts[k] > 0;
    return found;
}

/* Shows how many of the papers' statements are confirmed, if any was judged. Each paper has a row:
 * its statements that hold here, its printed numbers that are reproduced, and its plots without
 * data. A statement may be judged for measured, simulated and modelled numbers, each of which
 * counts. A figure that repeats its table does not. */
static void write_statements(FILE *file, const struct nuce_report *report)
{
    static const char *const names[] = {"statements of",
                                        "hold",
                                        "in part",
                                        "do not",
                                        "numbers as printed",
                                        "partly as printed",
                                        "not as printed",
                                        "tables and figures without rows"};
    struct nuce_grid grid = {0};
    int asked = 0;

    nuce_grid_init(8, names, &grid);
    for (int64_t paper = 0; paper < report->papers.rows; paper++) {
        struct nuce_cell *row = NULL;
        int missing = 0, counts[6];

        asked |= count_claims(report, paper, counts);
        nuce_grid_add_row(&grid, &row);
        nuce_cell_copy(&row[0], NUCE_CELL_TEXT, nuce_report_paper_text(report, paper, "authors"));
        for (int i = 0; i < 6; i++)
            nuce_cell_set_integer(&row[i + 1], counts[i]);
        for (int i = 0; i < report->plots.count; i++)
            missing += nuce_report_paper(report, report->parts[i].plot) == paper &&
                       !is_shown(&report->parts[i]);
        nuce_cell_set_integer(&row[7], missing);
    }
    if (asked) {
        fputs("<section id=\"statements\">\n<h2>How the papers&#39; statements fare</h2>\n", file);
        nuce_html_table(file, &grid, "Each statement counts once for each kind of number", NULL);
        fputs("</section>\n", file);
    }
    nuce_grid_fini(&grid);
}

/* A paper's section; -1: the section without a paper. A paper is folded, because readers look for
 * their own sweep first, which is above. Its heading counts the statements that hold, if any was
 * judged. Plots without rows are listed, because their absence is also a result. */
static void write_paper(FILE *file, const struct nuce_report *report, int64_t paper)
{
    const char *between = " ";
    int counts[6];

    nuce_html_print(file, "<section id=\"%s\">\n", section_id(report, paper));
    if (paper < 0)
        nuce_html_print(file, "<h2>%s</h2>\n", beyond);
    else
        nuce_html_print(file,
                        "<details class=\"folded\"><summary><h2>%s</h2>\n"
                        "<span class=\"authors\">%s",
                        nuce_report_paper_text(report, paper, "title"),
                        nuce_report_paper_text(report, paper, "authors"));
    if (paper >= 0 && count_claims(report, paper, counts))
        nuce_html_print(file, ": of its statements %d hold here, %d in part, %d do not", counts[0],
                        counts[1], counts[2]);
    if (paper >= 0)
        fputs("</span></summary>\n", file);
    for (int i = 0; i < report->plots.count; i++) {
        if (is_in_section(report, i, paper) && is_shown(&report->parts[i]))
            nuce_html_part(file, report, &report->parts[i]);
    }
    if (paper >= 0 && has_part(report, paper, 0)) {
        fputs("<p class=\"note\">Not measured here:", file);
        for (int i = 0; i < report->plots.count; i++) {
            const struct nuce_report_part *part = &report->parts[i];

            if (nuce_report_paper(report, part->plot) != paper || is_shown(part))
                continue;
            nuce_html_print(file, "%s%s", between, part->plot->name);
            between = ", ";
        }
        fputs(" (<a href=\"#missing\">what fills them</a>).</p>\n", file);
    }
    fputs(paper >= 0 ? "</details>\n</section>\n" : "</section>\n", file);
}

/* The verdict, races first: which contender is fastest. A later verdict that adds nothing is
 * skipped, so that no sentence appears twice. If nothing is compared, the section states that, and
 * links to the missing parts. */
static void write_verdict(FILE *file, const struct nuce_report *report)
{
    const struct nuce_report_part *races = nuce_report_races(report);
    const struct nuce_grid *said = races != NULL ? &races->data.says : NULL;
    int count = 0;

    fputs("<section id=\"verdict\">\n<h2>Verdict</h2>\n", file);
    if (said != NULL && said->rows > 0) {
        nuce_html_sentences(file, races, NULL, 0);
        nuce_html_line(file, "from", races->data.what);
        nuce_html_line(file, "doubt", races->data.doubts);
        count++;
    }
    if (races != NULL)
        nuce_html_figure(file, races);
    for (int i = 0; i < report->plots.count; i++) {
        const struct nuce_report_part *part = &report->parts[i];
        const struct nuce_grid *says = &part->data.says;
        int has_news = says->rows == 0;

        for (int64_t row = 0; row < says->rows; row++)
            has_news |= nuce_html_says(says, row, said);
        if (part->plot->verdict == NULL || !is_shown(part) || !has_news)
            continue;
        nuce_html_print(file, "<h3>%s</h3>\n", part->plot->verdict);
        if (says->rows > 0)
            nuce_html_sentences(file, part, said, 1);
        else
            nuce_html_print(file, "<p><a href=\"#plot-%s\">The table</a></p>\n", part->plot->name);
        nuce_html_line(file, "from", part->data.what);
        nuce_html_line(file, "doubt", part->data.doubts);
        count++;
    }
    if (count == 0)
        fputs("<p>No verdict: nothing here compares algorithms. <a href=\"#missing\">What is "
              "missing</a> says which sweeps do.</p>\n",
              file);
    fputs("</section>\n", file);
}

/* A table of the report itself, with its query. */
static void write_fact(FILE *file, const struct nuce_report *report, enum nuce_report_facts which)
{
    const struct nuce_report_fact *fact = &report->facts[which];
    char target[64];

    snprintf(target, sizeof target, "sql-report-%s", nuce_report_fact_names[which]);
    nuce_html_table(file, &fact->grid, fact->title, target);
    nuce_html_print(file,
                    "<details class=\"sql\" id=\"%s\"><summary>Where these numbers come from"
                    "</summary>\n<pre><code>%s</code></pre></details>\n",
                    target, fact->sql);
}

/* The legend of the colours. */
static const char kinds[] =
    "<details class=\"kinds\"><summary>Kinds of numbers</summary>\n<dl class=\"kinds\">"
    "<dt><i class=\"measured\">measured</i></dt><dd>timed on the hosts above: medians over all "
    "launches, ratios to the reference with 95 % intervals over launches</dd>"
    "<dt><i class=\"emulated\">emulated</i></dt><dd>measured, with messages made longer or "
    "shorter so that even links take as long as uneven ones</dd>"
    "<dt><i class=\"simulated\">simulated</i></dt><dd>the same programs run by SimGrid on a "
    "described machine</dd>"
    "<dt><i class=\"modelled\">modelled</i></dt><dd>by the papers&#39; cost models; nothing ran"
    "</dd>"
    "<dt><i class=\"paper\">paper</i></dt><dd>printed in the paper, on its machine of then</dd>"
    "</dl>\n<p>Kinds are never mixed in one number. Every number leads to the query that made "
    "it.</p></details>\n";

/* The numbers behind the verdict; then a row for each environment, with its details folded below;
 * then each campaign, and how its runs ended. */
static nuce_status write_why(FILE *file, const struct nuce_report *report, struct nuce_error *error)
{
    const struct nuce_report_part *races = nuce_report_races(report);

    if (races != NULL) {
        fputs("<section id=\"why\">\n<h2>Why</h2>\n"
              "<p class=\"note\">Each contender's ratio to the reference (*: fastest, or without "
              "a significant difference to it), its time, the ratio to the lower bound and the "
              "predicted time where a network is known, the cost of its schedule, and the number "
              "of its phases.</p>\n",
              file);
        if (nuce_html_numbers(file, report, races, error) != NUCE_OK)
            return error->status;
        fputs("</section>\n", file);
    }
    fputs("<section id=\"environments\">\n<h2>Environments</h2>\n", file);
    write_fact(file, report, NUCE_REPORT_ENVIRONMENTS);
    fputs("<details><summary>All keys of each</summary>\n", file);
    write_fact(file, report, NUCE_REPORT_KEYS);
    fputs("</details>\n", file);
    fputs(kinds, file);
    fputs("</section>\n<section id=\"campaigns\">\n<h2>Campaigns</h2>\n", file);
    write_fact(file, report, NUCE_REPORT_CAMPAIGNS);
    nuce_html_sweeps(file, report);
    if (report->facts[NUCE_REPORT_FAILURES].grid.rows == 0)
        fputs("<p>Every run ended well.</p>\n", file);
    else
        write_fact(file, report, NUCE_REPORT_FAILURES);
    fputs("</section>\n", file);
    return NUCE_OK;
}

/* All plots that could not be drawn, data that was not measured, and unknown facts, at the end of
 * the page. A row for each plot without data. */
static void write_missing(FILE *file, const struct nuce_report *report)
{
    static const char *const names[] = {"name", "what it shows", "a sweep for it"};
    struct nuce_grid grid = {0};

    nuce_grid_init(3, names, &grid);
    fputs("<section id=\"missing\">\n<h2>What is missing</h2>\n", file);
    for (int i = 0; i < report->plots.count; i++)
        nuce_html_line(file, "doubt", report->parts[i].failure);
    for (int64_t i = 0; i < report->capture_count; i++)
        nuce_html_line(file, "doubt", report->captures[i].part.failure);
    for (int i = 0; i < report->plots.count; i++) {
        const struct nuce_plot *plot = report->parts[i].plot;
        struct nuce_cell *row = NULL;
        char *run;

        if (is_shown(&report->parts[i]))
            continue;
        run = plot->sweep == NULL ? nuce_text_duplicate("") : nuce_plot_command(plot, plot->sweep);
        nuce_grid_add_row(&grid, &row);
        nuce_cell_copy(&row[0], NUCE_CELL_TEXT, plot->name);
        nuce_cell_copy(&row[1], NUCE_CELL_TEXT, plot->title);
        nuce_cell_copy(&row[2], NUCE_CELL_TEXT, run);
        free(run);
    }
    if (grid.rows == 0) {
        fputs("<p>Every table and figure has rows.</p>\n", file);
    } else {
        fprintf(file, "<details><summary>%lld tables and figures without rows</summary>\n",
                (long long)grid.rows);
        nuce_html_table(file, &grid, "Tables and figures without rows", NULL);
        fputs("</details>\n", file);
    }
    nuce_grid_fini(&grid);
    if (report->facts[NUCE_REPORT_UNKNOWN].grid.rows > 0)
        write_fact(file, report, NUCE_REPORT_UNKNOWN);
    fputs("</section>\n", file);
}

/* Writes the sections between head and script. */
static nuce_status write_sections(const struct nuce_report *report, FILE *file,
                                  struct nuce_error *error)
{
    write_header(file, report);
    fputs("<main>\n", file);
    write_verdict(file, report);
    if (write_why(file, report, error) != NUCE_OK)
        return error->status;
    if (has_part(report, -1, 1))
        write_paper(file, report, -1);
    if (report->capture_count > 0) {
        fputs("<section id=\"captures\">\n<h2>Applications</h2>\n", file);
        for (int64_t i = 0; i < report->capture_count; i++)
            nuce_html_capture(file, &report->captures[i]);
        fputs("</section>\n", file);
    }
    write_statements(file, report);
    for (int64_t paper = 0; paper < report->papers.rows; paper++) {
        if (has_part(report, paper, 1))
            write_paper(file, report, paper);
    }
    write_missing(file, report);
    return nuce_html_sources(file, report, error);
}

/* The page is one file: it contains style and script, and loads nothing. */
nuce_status nuce_report_write(const struct nuce_report *report, FILE *file,
                              struct nuce_error *error)
{
    char *style = nuce_store_shipped("plots/report/report.css", error);
    char *script = style == NULL ? NULL : nuce_store_shipped("plots/report/report.js", error);
    nuce_status status = script == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK) {
        write_head(report, style, script, file);
        status = write_sections(report, file, error);
    }
    if (status == NUCE_OK)
        fprintf(file, "</main>\n<script>%s</script>\n</body>\n</html>\n", script);
    free(script);
    free(style);
    return status;
}
