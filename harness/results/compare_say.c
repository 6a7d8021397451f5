/* The text around the table of a comparison: omissions, the meaning of its columns, and the summary
 * with the verdict. Every sentence states a finding in these launches; omitted points are only
 * listed, with the reason. The rules are those of results/contrast.h and base/comparison.h,
 * explained in docs/how-to/compare.md and docs/statistics.md. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/printable.h"
#include "base/statistics.h"
#include "base/text.h"
#include "results/compare_print.h"

/* Prints a line formatted as by printf, as nuce_message_print does. */
static void compare_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void compare_note(const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_message_print(text);
}

/* Prints a paragraph formatted as by printf, broken between words. Control characters, as in names
 * of files, become '?'. */
static void say_paragraph(FILE *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As wide as the table, NUCE_COMPARE_COLUMNS characters. Text longer than a message is cut. */
static void say_paragraph(FILE *file, const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_printable_make_line(text);
    nuce_printable_fold(text, NUCE_COMPARE_COLUMNS, 0, 0, file);
    fputc('\n', file);
}

/* Further lone points are only counted, because a terminal has few lines. */
#define MOST_NAMED 20

/* Prints the points that only one side has: a point that is not compared must not pass for
 * equal. */
static void say_lone(const struct nuce_contrast *contrast, int side)
{
    const char *digit = side == 0 ? "0" : "1";
    int64_t count = 0, named = 0;

    for (int64_t i = 0; i < contrast->lone.rows; i++)
        count += strcmp(nuce_grid_text(&contrast->lone, i, "side"), digit) == 0;
    if (count == 0)
        return;
    compare_note("%lld point%s only %s has:", (long long)count, nuce_text_plural(count),
                 contrast->sides[side]->label);
    for (int64_t i = 0; i < contrast->lone.rows && named < MOST_NAMED; i++) {
        if (strcmp(nuce_grid_text(&contrast->lone, i, "side"), digit) != 0)
            continue;
        compare_note("  %s", nuce_grid_text(&contrast->lone, i, "name"));
        named++;
    }
    if (count > named)
        compare_note("  and %lld more", (long long)(count - named));
}

void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice)
{
    int64_t busy = 0, jobs = 0;
    /* In a race both sides have the same launches. */
    int sides = contrast->design == NUCE_CONTRAST_RACED ? 1 : 2;

    for (int side = 0; side < 2; side++) {
        const int64_t unfinished[] = {contrast->not_ok[side], contrast->interrupted[side]};
        static const char *const why[] = {"not ok", "interrupted"};

        say_lone(contrast, side);
        for (int i = 0; i < 2; i++) {
            if (unfinished[i] > 0)
                compare_note("%lld run%s of %s left out: %s (see 'nuce show runs')",
                             (long long)unfinished[i], nuce_text_plural(unfinished[i]),
                             contrast->sides[side]->label, why[i]);
        }
    }
    if (contrast->sides[0]->class == NUCE_SIDE_CONTENDER && contrast->campaign_count > 1)
        compare_note("of %lld campaigns: %s; --campaign takes one",
                     (long long)contrast->campaign_count, contrast->campaigns);
    for (int side = 0; side < sides; side++) {
        busy += contrast->busy[side];
        jobs += contrast->jobs[side];
    }
    if (busy > 0)
        compare_note("BUSY: other processes used the machine in %lld of %lld launch%s: an idle "
                     "machine helps more than further launches",
                     (long long)busy, (long long)jobs, jobs == 1 ? "" : "es");
    if (contrast->other_kind > 0)
        compare_note("%lld run%s left out: not %s (see --kind)", (long long)contrast->other_kind,
                     nuce_text_plural(contrast->other_kind), choice->kind);
    if (contrast->unraced > 0)
        compare_note("%lld point%s left out: %s and %s never ran in one launch of a race there. A "
                     "sweep that has both races them",
                     (long long)contrast->unraced, nuce_text_plural(contrast->unraced),
                     contrast->sides[0]->label, contrast->sides[1]->label);
    if (contrast->untimed > 0 && contrast->sides[0]->class == NUCE_SIDE_FILE)
        compare_note(
            "%lld point%s left out: some value is 0, or its unit says neither time nor rate",
            (long long)contrast->untimed, nuce_text_plural(contrast->untimed));
    else if (contrast->untimed > 0)
        compare_note("%lld point%s left out: some time of %s is unknown, 0, too short to measure, "
                     "or of no message",
                     (long long)contrast->untimed, nuce_text_plural(contrast->untimed),
                     choice->part == NULL ? contrast->untimed == 1 ? "its" : "theirs"
                                          : choice->part);
}

/* The unit with a value for each point. */
static const char *compared_unit(const struct nuce_contrast *contrast)
{
    if (!contrast->by_campaign)
        return "launch";
    return contrast->sides[0]->class == NUCE_SIDE_FILE ? "file" : "campaign";
}

/* Prints how files become a race, which has launches in turns. */
static void say_race(const struct nuce_contrast *contrast, const char *why, FILE *file)
{
    say_paragraph(
        file,
        "Next: %s: 'nuce race%s -- COMMAND OF %s -- COMMAND OF %s'. Or repeat both in turns, "
        "and name all files of a side with commas between them.",
        why, contrast->sides[0]->again, contrast->sides[0]->label, contrast->sides[1]->label);
}

/* True if a point's metric is not a time; is_rate: and higher is better. */
static int has_unit(const struct nuce_contrast *contrast, int is_rate)
{
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];

        if (nuce_contrast_unit(contrast, point) != NULL &&
            (!is_rate || strcmp(nuce_contrast_text(contrast, point, "is_rate"), "1") == 0))
            return 1;
    }
    return 0;
}

void nuce_compare_say_legend(const struct nuce_contrast *contrast, const char *same, FILE *file)
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;
    const char *unit = compared_unit(contrast);
    char together[256] = "";

    fputc('\n', file);
    for (int i = 0; i < 2; i++) {
        const struct nuce_side *side = contrast->sides[i];

        if (strcmp(side->label, side->name) != 0)
            say_paragraph(file, "%s = %s %.1500s", side->label, nuce_side_classes[side->class],
                          side->name);
    }
    if (same != NULL)
        say_paragraph(file, "In all rows: %.1500s.", same);
    if (contrast->design == NUCE_CONTRAST_EXACT)
        return;
    if (contrast->in_mean > 0)
        snprintf(together, sizeof together, "; the interval contains the variation from %s to %s%s",
                 unit, unit,
                 contrast->rule.points == 1 ? ""
                                            : "; the verdicts hold for all points together (Holm), "
                                              "so they require more than an interval");
    say_paragraph(
        file, "%s and %s: geometric mean over the %s of the median. Ratio: %s over %s%s%s.", a, b,
        !contrast->by_campaign                        ? "launches"
        : contrast->sides[0]->class == NUCE_SIDE_FILE ? "files and their launches"
                                                      : "campaigns and their launches",
        b, a,
        contrast->design == NUCE_CONTRAST_RACED
            ? ", by the ratios of the rounds that they ran side by side"
            : "",
        together);
    if (has_unit(contrast, 1))
        say_paragraph(file,
                      "Higher is better: the ratio is that of the inverses, above 1 if %s is "
                      "worse.",
                      b);
}

/* The number of points with each verdict. */
struct verdict_tally {
    int64_t of[NUCE_VERDICTS];
    int64_t unbounded; /* points that may be slower by more than the threshold */
    int64_t unable;    /* points where the required slow-down could not have been shown */
};

/* One worse point makes the outcome worse. Fine has two conditions: no point, or at least not the
 * mean, may be slower by more than the threshold; and every point could have shown the required
 * slow-down. All else is unknown. */
static enum nuce_compare_outcome tally_verdicts(const struct nuce_contrast *contrast,
                                                double required, struct verdict_tally *out)
{
    *out = (struct verdict_tally){0};
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_comparison *result = &contrast->points[i].result;

        out->of[result->verdict]++;
        out->unbounded += !nuce_comparison_is_bounded(result, &contrast->rule);
        out->unable += !(result->detectable <= required);
    }
    if (nuce_contrast_is_disturbed(contrast))
        return NUCE_COMPARE_UNKNOWN;
    if (contrast->mean.verdict == NUCE_VERDICT_WORSE || out->of[NUCE_VERDICT_WORSE] > 0)
        return NUCE_COMPARE_WORSE;
    return out->unable == 0 && (out->unbounded == 0 ||
                                nuce_comparison_is_bounded(&contrast->mean, &contrast->rule))
               ? NUCE_COMPARE_FINE
               : NUCE_COMPARE_UNKNOWN;
}

enum nuce_compare_outcome nuce_compare_outcome(const struct nuce_contrast *contrast,
                                               double required)
{
    struct verdict_tally ignored;

    return tally_verdicts(contrast, required, &ignored);
}

/* A smaller reach of the noise, a logarithm, hides no difference. It would be printed as less
 * than 0.05 %. */
#define LEAST_REACH 5e-4

/* Prints the geometric mean over all points, and the noise: the ratio of a contender to itself in
 * the same launches. Smaller differences mean nothing. The noise is one number if it agrees in
 * three digits. */
static void say_mean(const struct nuce_contrast *contrast, FILE *file)
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;
    long long points = (long long)contrast->rule.points;
    const char *mean = points == 1 ? "" : "in the mean over the points ";
    double reach = contrast->noise_reach;
    char ratio[NUCE_RATIO_BYTES], over[128], low[32], high[32], least[128] = "", noise[320] = "";
    char few[64] = "";

    if (contrast->in_mean > 0 && contrast->in_mean < contrast->rule.points)
        snprintf(over, sizeof over,
                 "the %lld of %lld points with several launches or campaigns per side",
                 (long long)contrast->in_mean, points);
    else
        snprintf(over, sizeof over, "%lld point%s", points, nuce_text_plural(points));
    if (reach >= log(2))
        snprintf(least, sizeof least, "; %sa ratio below %.3gx is no difference", mean, exp(reach));
    else if (reach >= LEAST_REACH)
        snprintf(least, sizeof least, "; %sless than %.2g %% is no difference", mean,
                 100 * (exp(reach) - 1));
    snprintf(low, sizeof low, "%.3f", contrast->noise_low);
    snprintf(high, sizeof high, "%.3f", contrast->noise_high);
    if (contrast->noise_high > 0)
        snprintf(noise, sizeof noise, " Noise (the reference against its duplicate): %sx%s%s%s%s.",
                 low, strcmp(low, high) == 0 ? "" : " to ", strcmp(low, high) == 0 ? "" : high,
                 strcmp(low, high) == 0 ? "" : "x", least);
    nuce_compare_ratio(&contrast->mean, ratio);
    if (isnan(contrast->mean.error) && contrast->points[0].launches[1] > 1)
        snprintf(few, sizeof few, " So few launches have no interval.");
    else if (isnan(contrast->mean.error))
        snprintf(few, sizeof few, " One %s has no interval.", compared_unit(contrast));
    if (has_unit(contrast, 0))
        say_paragraph(file, "%s over %s is %s in the geometric mean over %s.%s%s", b, a, ratio,
                      over, few, noise);
    else if (isnan(contrast->mean.error))
        say_paragraph(file, "%s took %s the time of %s in the geometric mean over %s.%s%s", b,
                      ratio, a, over, few, noise);
    else
        say_paragraph(file, "%s takes %s the time of %s in the geometric mean over %s%s.%s", b,
                      ratio, a, over,
                      contrast->design == NUCE_CONTRAST_EXACT ? "; computed times are exact" : "",
                      noise);
}

/* Defaults when the spread is unknown; more launches are impractical. */
#define USUAL_LAUNCHES 5
#define MOST_LAUNCHES 100

/* Launches per side that should bring two numbers down to half the threshold: half the width of the
 * mean's interval, and the noise's reach. Equal sides are then shown to be the same. The standard
 * error shrinks with the square root of the launches, and Student's t with their number, so the
 * least sufficient number is searched for. A race has one spread, that of its ratios. Separate
 * sides have two, of their times, and twice the degrees of freedom. The result MOST_LAUNCHES means
 * that number or more. */
static int64_t launches_wanted(const struct nuce_contrast *contrast)
{
    double aim = log1p(contrast->rule.threshold) / 2, error = contrast->mean.error;
    int64_t degrees = contrast->design == NUCE_CONTRAST_RACED ? 1 : 2; /* per launch */
    int64_t fewest = INT64_MAX, wanted; /* fewest: of the point with the fewest, on either side */

    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const int64_t *launches = contrast->points[i].launches;

        fewest = launches[0] < fewest ? launches[0] : fewest;
        fewest = launches[1] < fewest ? launches[1] : fewest;
    }
    wanted = fewest < USUAL_LAUNCHES ? USUAL_LAUNCHES : fewest + 1;
    while (!isnan(error) && wanted < MOST_LAUNCHES &&
           fmax(nuce_statistics_student(degrees * (wanted - 1), contrast->rule.confidence) * error,
                contrast->noise_reach) *
                   sqrt((double)fewest / (double)wanted) >
               aim)
        wanted++;
    return wanted;
}

/* The point in words; the caller frees it. Ranks "": unknown. */
static char *describe_point(const struct nuce_contrast *contrast,
                            const struct nuce_contrast_point *point)
{
    const char *ranks = nuce_contrast_text(contrast, point, "ranks");
    const char *contender = nuce_contrast_text(contrast, point, "contender");
    const char *described = nuce_contrast_text(contrast, point, "described");

    return nuce_text_format("%s%s%s%s%s%s%s%s", nuce_contrast_text(contrast, point, "workload"),
                            *ranks == '\0' ? "" : ", ", ranks,
                            *ranks == '\0'            ? ""
                            : strcmp(ranks, "1") == 0 ? " rank"
                                                      : " ranks",
                            *contender == '\0' ? "" : ", ", contender,
                            *described == '\0' ? "" : ", ", described);
}

/* Names the launch that alone makes the widest interval wide. It is not left out: only its cause
 * says whether such launches are to be expected. */
static void say_odd(const struct nuce_contrast *contrast, FILE *file)
{
    const struct nuce_contrast_odd *odd = &contrast->odd;
    long long points = (long long)contrast->rule.points;
    char seconds[NUCE_RATIO_BYTES], others[NUCE_RATIO_BYTES], ratio[NUCE_RATIO_BYTES];
    char *where = describe_point(contrast, odd->point);

    say_paragraph(
        file,
        "At %lld of %lld point%s one %s alone makes the interval wide. Most at %s: %s has %s, the "
        "median of the others of %s is %s. Without it the ratio is %s. Next: find its cause%s%s%s, "
        "and repeat the run.",
        (long long)odd->points, points, nuce_text_plural(points), compared_unit(contrast), where,
        odd->name, nuce_compare_value(contrast, odd->point, odd->seconds, seconds),
        contrast->sides[odd->side]->label,
        nuce_compare_value(contrast, odd->point, odd->others, others),
        nuce_compare_ratio(&odd->without, ratio), *odd->run == '\0' ? "" : " ('nuce explain ",
        odd->run, *odd->run == '\0' ? "" : "' has its host and log)");
    free(where);
}

/* Explains how to get a verdict. The number goes into a sweep's `measure: launches`; the words
 * depend on the origin of the sides. */
static void say_remedy(const struct nuce_contrast *contrast, FILE *file)
{
    int is_raced = contrast->design == NUCE_CONTRAST_RACED;
    long long wanted = (long long)launches_wanted(contrast);
    const char *again = "in the sweeps; or run both again, in turns, and name all campaigns of a "
                        "side with commas between them";

    if (is_raced)
        again = "in the sweep, or run it again";
    else if (contrast->sides[0]->class == NUCE_SIDE_WAY)
        again = "in the sweep";
    else if (contrast->sides[0]->class == NUCE_SIDE_ENVIRONMENT)
        again = "in the sweep, or run it again in both environments";
    if (contrast->by_campaign && wanted < MOST_LAUNCHES)
        say_paragraph(file, "Next: more campaigns, about %lld per side, run in turns.", wanted);
    else if (wanted < MOST_LAUNCHES)
        say_paragraph(file,
                      "Next: more launches, about %lld%s. Put 'launches: %lld' below "
                      "'measure:' %s.",
                      wanted, is_raced ? "" : " per side", wanted, again);
    else if (contrast->noise_reach > 2 * contrast->mean.error)
        say_paragraph(
            file,
            "Next: the noise is too large, and more than %lld launches would be needed. Find the "
            "other load on the machine, or compare settings that differ by more.",
            wanted);
    else
        say_paragraph(file,
                      "Next: the %s of one side differ too much among themselves, "
                      "and more than %lld%s would be needed. Find the other load on the machine, "
                      "or compare settings that differ by more.",
                      contrast->by_campaign ? "campaigns" : "launches", wanted,
                      is_raced ? "" : " per side");
}

/* Printed instead of a verdict. list: the verdicts of the points. */
static void say_disturbed(const struct nuce_contrast *contrast, const char *list, FILE *file)
{
    int busier = contrast->busy[0] * contrast->jobs[1] < contrast->busy[1] * contrast->jobs[0];

    say_paragraph(
        file,
        "Verdict: inconclusive. Other load in %lld of %lld launches of %s, and in %lld of %lld "
        "of %s, may explain the difference (%s). Next: run %s again on an idle machine.",
        (long long)contrast->busy[busier], (long long)contrast->jobs[busier],
        contrast->sides[busier]->label, (long long)contrast->busy[!busier],
        (long long)contrast->jobs[!busier], contrast->sides[!busier]->label, list,
        contrast->sides[busier]->label);
}

/* Prints the outcome. Worse: names the mean if no single point is worse, else the worst point,
 * which is the first. Fine has two forms (nuce_compare_outcome): at no point may B be slower by
 * more than the threshold, or in the mean it may not. A smaller slow-down is not "the same".
 * Unknown: a failed --require comes first, because without that power the other reasons do not
 * matter. */
static void say_outcome(const struct nuce_contrast *contrast, enum nuce_compare_outcome outcome,
                        const struct verdict_tally *tally, double required, const char *list,
                        FILE *file)
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;
    const char *unless = nuce_contrast_may_drift(contrast) ? ", unless the machine changed" : "";
    double threshold = 100 * contrast->rule.threshold;
    long long points = (long long)contrast->rule.points;
    const char *s = nuce_text_plural(points);
    const struct nuce_contrast_point *worst = contrast->points;
    const char *verdict =
        tally->of[NUCE_VERDICT_SLOWER] > 0 || contrast->mean.verdict == NUCE_VERDICT_SLOWER
            ? "not worse"
            : "same or better";
    char ratio[NUCE_RATIO_BYTES];

    if (outcome == NUCE_COMPARE_WORSE && tally->of[NUCE_VERDICT_WORSE] == 0) {
        say_paragraph(
            file,
            "Verdict: worse%s. Over all points %s is slower than %s by more than %.4g %%, "
            "though that is shown at none of them by itself (of %lld point%s: %s).",
            unless, b, a, threshold, points, s, list);
    } else if (outcome == NUCE_COMPARE_WORSE) {
        char *where;

        while (worst->result.verdict != NUCE_VERDICT_WORSE)
            worst++;
        where = describe_point(contrast, worst);
        say_paragraph(file,
                      "Verdict: worse%s. %s is slower than %s by more than %.4g %% at %lld of %lld "
                      "point%s, most at %s: %s (%s).",
                      unless, b, a, threshold, (long long)tally->of[NUCE_VERDICT_WORSE], points, s,
                      where, nuce_compare_ratio(&worst->result, ratio), list);
        free(where);
    } else if (outcome == NUCE_COMPARE_FINE && tally->unbounded == 0) {
        say_paragraph(file,
                      "Verdict: %s. %s is not slower than %s by more than %.4g %% at "
                      "any of %lld point%s (%s).",
                      verdict, b, a, threshold, points, s, list);
    } else if (outcome == NUCE_COMPARE_FINE) {
        say_paragraph(file,
                      "Verdict: %s. Over all points %s is not slower than %s by more than %.4g %%. "
                      "No single point is shown to be slower (%s), but %lld of %lld may be.",
                      verdict, b, a, threshold, list, (long long)tally->unbounded, points);
    } else if (tally->unable > 0 && isfinite(required)) {
        say_paragraph(file,
                      "Verdict: inconclusive. At %lld of %lld point%s a slow-down of %.4g %% could "
                      "not have been shown (--require; %s).",
                      (long long)tally->unable, points, s, 100 * required, list);
    } else {
        say_paragraph(
            file,
            "Verdict: inconclusive: %s may be slower than %s by more than %.4g %%, or not "
            "(of %lld point%s: %s).",
            b, a, threshold, points, s, list);
    }
}

void nuce_compare_say_verdict(const struct nuce_contrast *contrast, double required, FILE *file)
{
    struct verdict_tally tally;
    enum nuce_compare_outcome outcome = tally_verdicts(contrast, required, &tally);
    char *list = NULL; /* "worse at 3, same at 9" */

    for (int i = 0; i < NUCE_VERDICTS; i++) {
        if (tally.of[i] > 0)
            nuce_text_append(&list, "%s%s at %lld", list != NULL ? ", " : "",
                             nuce_compare_verdict((enum nuce_comparison_verdict)i),
                             (long long)tally.of[i]);
    }
    if (*contrast->nonblocking != '\0')
        say_paragraph(file, "NONBLOCKING: %s.", contrast->nonblocking);
    say_mean(contrast, file);
    if (nuce_contrast_is_disturbed(contrast))
        say_disturbed(contrast, list, file);
    else
        say_outcome(contrast, outcome, &tally, required, list, file);
    free(list);
    if (nuce_contrast_is_disturbed(contrast))
        return;
    if (contrast->sides[0]->class == NUCE_SIDE_FILE) {
        if (outcome == NUCE_COMPARE_UNKNOWN && contrast->odd.points > 0)
            say_odd(contrast, file);
        else if (isnan(contrast->mean.error))
            say_race(contrast, "one value per side has no interval. A race measures one", file);
        else if (outcome == NUCE_COMPARE_UNKNOWN)
            say_race(contrast, "more launches. A race ends when the result is known", file);
        else if (nuce_contrast_may_drift(contrast))
            say_race(contrast,
                     "a machine that drifts looks like a difference, and files do not say if their "
                     "launches took turns. Those of a race do",
                     file);
        return;
    }
    if (nuce_contrast_may_drift(contrast))
        say_paragraph(file,
                      "A machine that drifts looks like a difference: only several campaigns of "
                      "each side, run in turns, show how much one differs from the next. To be "
                      "sure, run both again, three times each%s.",
                      contrast->sides[0]->class == NUCE_SIDE_CAMPAIGN
                          ? ", and name all campaigns of a side with commas between them"
                          : "");
    if (outcome != NUCE_COMPARE_UNKNOWN || contrast->design == NUCE_CONTRAST_EXACT)
        return;
    if (contrast->odd.points > 0)
        say_odd(contrast, file);
    if (contrast->odd.points == 0 || contrast->odd.points < tally.of[NUCE_VERDICT_UNKNOWN])
        say_remedy(contrast, file);
}
