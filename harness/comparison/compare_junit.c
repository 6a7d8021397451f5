/* What `nuce compare` found as JUnit's XML, which CI servers show: a test case a point, and one for
 * the geometric mean of all. What is worse has failed, what cannot be told was skipped. The format
 * is the one that Jenkins and GitLab read: testsuites, testsuite, testcase with failure or
 * skipped. */
#include "comparison/compare_print.h"
#include "results/html.h"

#define DESCRIPTION_BYTES 1024

/* Text that names of files have a part in; what HTML takes for markup is XML's, too. */
static void junit_attribute(FILE *file, const char *name, const char *value)
{
    (void)fprintf(file, " %s=\"", name);
    nuce_html_text(file, value);
    (void)fputc('"', file);
}

/* What may be the doing of others on the machine has not failed. */
static int is_worse_case(const struct nuce_contrast *contrast, const struct nuce_comparison *result)
{
    return result->verdict == NUCE_VERDICT_WORSE && !nuce_contrast_is_disturbed(contrast);
}

/* Whether it is neither worse nor shown not to be. */
static int is_untold(const struct nuce_contrast *contrast, const struct nuce_comparison *result)
{
    return nuce_contrast_is_disturbed(contrast) ||
           (result->verdict != NUCE_VERDICT_WORSE &&
            !nuce_comparison_is_bounded(result, &contrast->rule));
}

/* One point, or the mean. group is what servers file it under: the workload. */
static void junit_case(const struct nuce_contrast *contrast, const char *group, const char *name,
                       const struct nuce_comparison *result, FILE *file)
{
    char ratio[NUCE_RATIO_BYTES], message[DESCRIPTION_BYTES];
    int is_disturbed = nuce_contrast_is_disturbed(contrast);
    int is_worse = is_worse_case(contrast, result);

    (void)snprintf(
        message, sizeof message, "%s takes %s times as long as %s: %s%s%s",
        contrast->sides[1]->label, nuce_compare_ratio(result, ratio), contrast->sides[0]->label,
        nuce_compare_verdict(result->verdict),
        is_disturbed ? ", but others used the machine beside one of them alone" : "",
        nuce_contrast_may_drift(contrast)
            ? "; not from several campaigns a side, run in turns: a machine that drifts looks so"
            : "");
    (void)fputs("    <testcase", file);
    junit_attribute(file, "classname", group);
    junit_attribute(file, "name", name);
    (void)fputc('>', file);
    if (is_worse || is_untold(contrast, result)) {
        (void)fputs(is_worse ? "<failure type=\"worse\"" : "<skipped", file);
        junit_attribute(file, "message", message);
        (void)fputs("/>", file);
    } else {
        (void)fputs("<system-out>", file);
        nuce_html_text(file, message);
        (void)fputs("</system-out>", file);
    }
    (void)fputs("</testcase>\n", file);
}

void nuce_compare_junit(const struct nuce_contrast *contrast, FILE *file)
{
    int64_t worse = is_worse_case(contrast, &contrast->mean);
    int64_t untold = is_untold(contrast, &contrast->mean);
    char name[DESCRIPTION_BYTES];

    for (int64_t i = 0; i < contrast->rule.points; i++) {
        worse += is_worse_case(contrast, &contrast->points[i].result);
        untold += is_untold(contrast, &contrast->points[i].result);
    }
    (void)snprintf(name, sizeof name, "nuce compare %.400s %.400s", contrast->sides[0]->name,
                   contrast->sides[1]->name);
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", file);
    junit_attribute(file, "name", name);
    (void)fprintf(file, " tests=\"%lld\" failures=\"%lld\" skipped=\"%lld\">\n",
                  (long long)contrast->rule.points + 1, (long long)worse, (long long)untold);
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];

        junit_case(contrast, point->workload, nuce_compare_describe(point, name, sizeof name),
                   &point->result, file);
    }
    junit_case(contrast, "all points", "geometric mean", &contrast->mean, file);
    (void)fputs("  </testsuite>\n</testsuites>\n", file);
}
