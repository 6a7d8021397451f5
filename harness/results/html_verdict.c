/* The head of a report: who is the fastest, why, and in which campaigns that was measured.
 *
 * What raced stands first. A verdict below it that says nothing new is left out
 * (html_verdict_has_news), so that no sentence is there twice. Where nothing is compared the
 * section says so, and leads to what is missing. */
#include "results/html.h"
#include "results/html_report.h"

/* Whether a part has a sentence that is not said already. */
static int html_verdict_has_news(const struct nuce_report_part *part, const struct nuce_grid *said)
{
    int news = part->data.says.rows == 0;

    for (int64_t row = 0; row < part->data.says.rows; row++)
        news |= nuce_html_says(&part->data.says, row, said);
    return news;
}

/* A verdict on more than what raced last, such as a paper's; said: what stands above it. */
static void write_verdict_of(FILE *file, const struct nuce_report_part *part,
                             const struct nuce_grid *said)
{
    fputs("<h3>", file);
    nuce_html_text(file, part->plot->verdict);
    fputs("</h3>\n", file);
    if (part->data.says.rows > 0)
        nuce_html_sentences(file, part, said, 1);
    else
        fprintf(file, "<p><a href=\"#plot-%s\">The table</a></p>\n", part->plot->name);
    nuce_html_line(file, "from", part->data.what);
    nuce_html_line(file, "doubt", part->data.doubts);
}

void nuce_html_verdict(FILE *file, const struct nuce_report *report)
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

        if (part->plot->verdict == NULL || part->table.rows == 0 ||
            !html_verdict_has_news(part, said))
            continue;
        write_verdict_of(file, part, said);
        count++;
    }
    if (count == 0)
        fputs("<p>No verdict: nothing here compares algorithms. <a href=\"#missing\">What is "
              "missing</a> says which sweeps do.</p>\n",
              file);
    fputs("</section>\n", file);
}

/* What the colours mean. */
static void write_kinds(FILE *file)
{
    fputs(
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
        "it.</p></details>\n",
        file);
}

/* Each environment in a row; all that is known of it is folded away below. */
static void html_verdict_write_environments(FILE *file, const struct nuce_report *report)
{
    fputs("<section id=\"environments\">\n<h2>Environments</h2>\n", file);
    nuce_html_fact(file, report, NUCE_REPORT_ENVIRONMENTS);
    fputs("<details><summary>All that is known of each</summary>\n", file);
    nuce_html_fact(file, report, NUCE_REPORT_KEYS);
    fputs("</details>\n", file);
    write_kinds(file);
    fputs("</section>\n", file);
}

/* And how their runs ended. */
static void html_verdict_write_campaigns(FILE *file, const struct nuce_report *report)
{
    fputs("<section id=\"campaigns\">\n<h2>Campaigns</h2>\n", file);
    nuce_html_fact(file, report, NUCE_REPORT_CAMPAIGNS);
    nuce_html_sweeps(file, report);
    if (report->facts[NUCE_REPORT_FAILURES].grid.rows == 0)
        fputs("<p>Every run ended well.</p>\n", file);
    else
        nuce_html_fact(file, report, NUCE_REPORT_FAILURES);
    fputs("</section>\n", file);
}

nuce_status nuce_html_why(FILE *file, const struct nuce_report *report, struct nuce_error *error)
{
    const struct nuce_report_part *races = nuce_report_races(report);

    if (races != NULL) {
        fputs(
            "<section id=\"why\">\n<h2>Why</h2>\n"
            "<p class=\"note\">Of each contender the time, how many times as long as the "
            "reference it takes (*: none is shown to be faster), the time over what nothing can be "
            "below and the predicted one where a network is known, what its schedule cost "
            "to compute, and in how many phases it sends.</p>\n",
            file);
        if (nuce_html_numbers(file, report, races, error) != NUCE_OK)
            return error->status;
        fputs("</section>\n", file);
    }
    html_verdict_write_environments(file, report);
    html_verdict_write_campaigns(file, report);
    return NUCE_OK;
}
