/* A race is looked at after each launch. A fixed number of standard errors would then give far more
 * false verdicts than 5 %, so the intervals are those of a confidence sequence. */
#include "campaigns/ending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"

static const json_t *measure_of(const struct nuce_campaign_point *point)
{
    return json_object_get(point->line, "measure");
}

int nuce_ending_is_by_result(const struct nuce_campaign_point *point)
{
    const char *until = json_string_value(json_object_get(measure_of(point), "until"));

    return until != NULL && strcmp(until, NUCE_UNTIL_KNOWN) == 0;
}

/* A run of point->costs is an array of these. */
enum run_member {
    RUN_TIME,      /* in what is compared */
    RUN_DUPLICATE, /* that of the duplicate, or null */
    RUN_WALL,      /* seconds of the command */
    RUN_STARTED,
    RUN_ENVIRONMENT,
};

void nuce_ending_note(struct nuce_campaign_point *point, const char *job, const json_t *record,
                      const char *environment)
{
    const json_t *own = json_object_get(json_object_get(record, "samples"), "step");
    const json_t *other = json_object_get(json_object_get(record, "duplicate"), "step");

    if (!nuce_ending_is_by_result(point) || json_array_size(own) == 0 ||
        json_object_get(point->costs, job) != NULL)
        return;
    if (point->costs == NULL)
        point->costs = json_object();
    json_object_set_new(point->costs, job,
                        json_pack("[O, O?, O?, O?, s]", json_array_get(own, 0),
                                  json_array_get(other, 0), json_object_get(record, "wall_s"),
                                  json_object_get(record, "started"), environment));
}

/* The environment of the newest of these runs whose launch base has as well; base NULL: of all. */
static const char *newest_environment(const json_t *runs, const json_t *base)
{
    const char *job, *newest = "", *environment = NULL;
    json_t *run;

    json_object_foreach((json_t *)runs, job, run)
    {
        const char *started = json_string_value(json_array_get(run, RUN_STARTED));

        if ((base != NULL && json_object_get(base, job) == NULL) || started == NULL ||
            strcmp(started, newest) < 0)
            continue;
        newest = started;
        environment = json_string_value(json_array_get(run, RUN_ENVIRONMENT));
    }
    return environment;
}

const char *nuce_ending_environment(const struct nuce_campaign_point *point)
{
    return newest_environment(point->costs, NULL);
}

static int is_of(const json_t *run, const char *environment)
{
    return environment != NULL &&
           strcmp(json_string_value(json_array_get(run, RUN_ENVIRONMENT)), environment) == 0;
}

/* True if the point has a launch in that environment that base has as well. */
static int has_met(const struct nuce_campaign_point *point, const json_t *base,
                   const char *environment)
{
    const char *job;
    json_t *run;

    json_object_foreach(point->costs, job, run)
    {
        if (is_of(run, environment) && json_object_get(base, job) != NULL)
            return 1;
    }
    return 0;
}

/* The logarithms of own[which] / base[0] of the launches with both in that environment; a new
 * array of *count. */
static double *logarithms_of(json_t *own, enum run_member which, const json_t *base,
                             const char *environment, int64_t *count)
{
    double *logarithms = nuce_allocate((int64_t)json_object_size(own), sizeof *logarithms);
    const char *job;
    json_t *run;

    *count = 0;
    json_object_foreach(own, job, run)
    {
        double time = json_number_value(json_array_get(run, which));
        double reference = json_number_value(json_array_get(json_object_get(base, job), RUN_TIME));

        if (is_of(run, environment) && time > 0 && reference > 0)
            logarithms[(*count)++] = log(time / reference);
    }
    return logarithms;
}

/* Contenders that went wrong are out of the race, in this session or an earlier one. */
static int is_out(const struct nuce_campaign_point *point)
{
    return point->attempted || (point->status != NULL && strcmp(point->status, "ok") != 0 &&
                                strcmp(point->status, "interrupted") != 0);
}

/* The first point of the race of points first .. end - 1 that is not out and has run; NULL: none.
 */
static const struct nuce_campaign_point *reference_of(const struct nuce_campaign_point *points,
                                                      int64_t first, int64_t end)
{
    for (; first < end; first++) {
        const struct nuce_campaign_point *point = &points[first];

        if (!is_out(point) && json_object_size(point->costs) > 0)
            return point;
    }
    return NULL;
}

static int64_t race_end(const struct nuce_campaign_point *points, int64_t count, int64_t first)
{
    int64_t end = first + 1;

    while (end < count && points[end].race == points[first].race)
        end++;
    return end;
}

struct nuce_anytime nuce_ending_ratios(const struct nuce_campaign_point *reference,
                                       const struct nuce_campaign_point *contender)
{
    int64_t count;
    double *logarithms =
        logarithms_of(contender->costs, RUN_TIME, reference->costs,
                      newest_environment(contender->costs, reference->costs), &count);
    struct nuce_anytime ratios = nuce_anytime_of(logarithms, count);

    free(logarithms);
    return ratios;
}

/* The rivals of contender among points first .. end - 1: the reference, and those with a launch in
 * common with it, which may have failed since. As many has the sentence after the race. */
static int64_t rivals_of(const struct nuce_campaign_point *points, int64_t first, int64_t end,
                         const struct nuce_campaign_point *reference,
                         const struct nuce_campaign_point *contender)
{
    const char *environment = newest_environment(contender->costs, reference->costs);
    int64_t rivals = 1;

    for (; first < end; first++) {
        const struct nuce_campaign_point *point = &points[first];

        if (point != reference && point != contender)
            rivals += has_met(point, reference->costs, environment);
    }
    return rivals;
}

enum nuce_known nuce_ending_known(const struct nuce_campaign_point *reference,
                                  const struct nuce_campaign_point *contender, int64_t rivals)
{
    const json_t *measure = measure_of(contender);
    const char *environment = newest_environment(contender->costs, reference->costs);
    struct nuce_anytime ratios = nuce_ending_ratios(reference, contender);
    struct nuce_launches_mean noise = {.mean = NAN};
    int64_t count;
    double *logarithms =
        logarithms_of(reference->costs, RUN_DUPLICATE, reference->costs, environment, &count);

    if (count > 0)
        noise = nuce_anytime_noise(logarithms, count);
    free(logarithms);
    return nuce_anytime_known(&ratios, rivals, fabs(noise.mean) + noise.reach,
                              json_number_value(json_object_get(measure, "margin")),
                              json_number_value(json_object_get(measure, "at-least")));
}

/* Seconds that the runs of the point took in that environment. */
static double used_s(const struct nuce_campaign_point *point, const char *environment)
{
    const char *job;
    double sum_s = 0;
    json_t *run;

    json_object_foreach(point->costs, job, run)
    {
        sum_s += is_of(run, environment) ? json_number_value(json_array_get(run, RUN_WALL)) : 0;
    }
    return sum_s;
}

/* How the race of points first .. end - 1 ended; see campaign_point.h. The budget counts the
 * reference twice, for its duplicate. */
static const char *end_of(const struct nuce_campaign_point *points, int64_t first, int64_t end,
                          const struct nuce_campaign_point *reference)
{
    const char *environment = nuce_ending_environment(reference);
    double sum_s = used_s(reference, environment);
    int is_known = 1, is_missing = 0;

    for (int64_t k = first; k < end; k++) {
        const struct nuce_campaign_point *point = &points[k];

        sum_s += used_s(point, environment);
        if (is_out(point))
            continue;
        is_missing |= nuce_campaign_is_missing(point);
        if (point != reference)
            is_known &= nuce_ending_known(reference, point,
                                          rivals_of(points, first, end, reference, point)) !=
                        NUCE_KNOWN_NOTHING;
    }
    if (is_known)
        return "known";
    if (sum_s >= json_number_value(json_object_get(measure_of(reference), "budget")))
        return "budget";
    return is_missing ? "open" : "most-launches";
}

void nuce_ending_apply(struct nuce_campaign_point *points, int64_t count)
{
    for (int64_t i = 0, end; i < count; i = end) {
        const struct nuce_campaign_point *reference;
        const char *ended;

        end = race_end(points, count, i);
        reference = reference_of(points, i, end);
        if (!nuce_ending_is_by_result(&points[i]) || reference == NULL)
            continue;
        ended = end_of(points, i, end, reference);
        for (int64_t k = i; k < end; k++) {
            struct nuce_campaign_point *point = &points[k];

            point->ended = ended;
            /* 'nuce resume' races again those that went wrong. */
            if (strcmp(ended, "open") == 0 || is_out(point) || json_object_size(point->costs) == 0)
                continue;
            point->wanted = nuce_campaign_good(point);
            point->status = "ok";
        }
    }
}

/* "NAME" or "NAME at ROW", printable; a new string. */
static char *ending_name(const struct nuce_campaign_point *point)
{
    const json_t *params = json_object_get(point->line, "params");
    const char *at = json_string_value(json_object_get(params, "at"));
    const char *name = json_string_value(json_object_get(params, "name"));
    const char *key;
    json_t *value;
    char *said;

    if (name == NULL)
        name = json_string_value(json_object_get(params, "command"));
    said = nuce_text_format("%s%s%s", name != NULL ? name : point->id, at != NULL ? " at " : "",
                            at != NULL ? at : "");
    json_object_foreach(json_object_get(point->line, "launch"), key, value)
    {
        if (json_is_string(value))
            nuce_text_append(&said, ", %s=%s", key, json_string_value(value));
    }
    nuce_printable_make_line(said);
    return said;
}

int nuce_ending_say(const struct nuce_campaign_point *points, int64_t count, FILE *out)
{
    const struct nuce_campaign_point *reference = NULL;
    int status = 0;

    for (int64_t i = 0, first = 0, end = 0; i < count; i++) {
        const struct nuce_campaign_point *point = &points[i];
        const json_t *measure = measure_of(point);
        double margin = json_number_value(json_object_get(measure, "margin"));
        double least = json_number_value(json_object_get(measure, "at-least"));
        struct nuce_anytime ratios;
        enum nuce_known known;
        char *name, *base;

        if (i == end) {
            first = i;
            end = race_end(points, count, i);
            reference = reference_of(points, i, end);
        }
        if (!nuce_ending_is_by_result(point) || is_out(point) || reference == NULL ||
            point == reference)
            continue;
        known =
            nuce_ending_known(reference, point, rivals_of(points, first, end, reference, point));
        ratios = nuce_ending_ratios(reference, point);
        name = ending_name(point);
        base = ending_name(reference);
        fprintf(out, "%s: ", name);
        if (known == NUCE_KNOWN_REACHES || known == NUCE_KNOWN_FAILS)
            fprintf(out, "%s %g %% of the speed of %s",
                    known == NUCE_KNOWN_REACHES ? "reaches" : "FAILS to reach", 100 * least, base);
        else if (known == NUCE_KNOWN_SAME)
            fprintf(out, "the same as %s, within %g %%", base, 100 * margin);
        else
            fprintf(out, "%s %s",
                    known == NUCE_KNOWN_FASTER   ? "faster than"
                    : known == NUCE_KNOWN_SLOWER ? "slower than"
                                                 : "inconclusive beside",
                    base);
        if ((known == NUCE_KNOWN_FASTER || known == NUCE_KNOWN_SLOWER) &&
            nuce_anytime_is_within(&ratios, margin))
            fprintf(out, ", with its interval within the margin of %g %%", 100 * margin);
        fprintf(out, ", after %lld launch%s%s\n", (long long)ratios.count,
                ratios.count == 1 ? "" : "es",
                known != NUCE_KNOWN_NOTHING || point->ended == NULL ? ""
                : strcmp(point->ended, "budget") == 0               ? "; the budget is used up"
                : strcmp(point->ended, "most-launches") == 0        ? "; these are all"
                                                                    : "");
        free(base);
        free(name);
        if (known == NUCE_KNOWN_FAILS)
            status = 1;
        else if (known == NUCE_KNOWN_NOTHING && status == 0)
            status = 3;
    }
    return status;
}

int nuce_ending_is_left_out(const struct nuce_campaign_point *point)
{
    return nuce_ending_is_by_result(point) && is_out(point) && nuce_campaign_is_missing(point);
}

char *nuce_ending_left_out(const struct nuce_campaign_point *points, int64_t count)
{
    const struct nuce_campaign_point *first = NULL;
    char *said = NULL, *name;
    long long others = 0;

    for (int64_t i = 0; i < count; i++) {
        if (!nuce_ending_is_left_out(&points[i]))
            continue;
        others += first != NULL;
        first = first != NULL ? first : &points[i];
    }
    if (first == NULL)
        return NULL;
    name = ending_name(first);
    nuce_text_append(&said, "%s %s in launch %lld and was left out", name,
                     first->status != NULL && strcmp(first->status, "timeout") == 0 ? "hung"
                                                                                    : "failed",
                     (long long)nuce_campaign_good(first) + 1);
    if (others > 0)
        nuce_text_append(&said, ", and %lld more", others);
    free(name);
    return said;
}
