/* A race is looked at after each launch. A fixed number of standard errors would then give far more
 * false verdicts than 5 %, so the intervals are those of a confidence sequence. */
#include "campaigns/ending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"

static int64_t good_runs(const struct nuce_campaign_point *point)
{
    return (int64_t)json_object_size(point->launches);
}

static const json_t *measure_of(const struct nuce_campaign_point *point)
{
    return json_object_get(point->line, "measure");
}

int nuce_ending_is_by_result(const struct nuce_campaign_point *point)
{
    const char *until = json_string_value(json_object_get(measure_of(point), "until"));

    return until != NULL && strcmp(until, NUCE_UNTIL_KNOWN) == 0;
}

void nuce_ending_note(struct nuce_campaign_point *point, const char *job, const json_t *record)
{
    const json_t *own = json_object_get(json_object_get(record, "samples"), "step");
    const json_t *other = json_object_get(json_object_get(record, "duplicate"), "step");

    if (!nuce_ending_is_by_result(point) || json_array_size(own) == 0)
        return;
    if (point->costs == NULL)
        point->costs = json_object();
    json_object_set_new(point->costs, job,
                        json_pack("[O, O?]", json_array_get(own, 0), json_array_get(other, 0)));
}

/* The ratios own[which] / base[0] of the launches with both. */
static struct nuce_anytime ratios_of(json_t *own, size_t which, const json_t *base)
{
    struct nuce_anytime ratios = {0};
    const char *job;
    json_t *times;

    json_object_foreach(own, job, times)
    {
        double time = json_number_value(json_array_get(times, which));
        double reference = json_number_value(json_array_get(json_object_get(base, job), 0));

        if (time > 0 && reference > 0)
            nuce_anytime_add(&ratios, log(time / reference));
    }
    return ratios;
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

        if (!is_out(point) && good_runs(point) > 0)
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

enum nuce_known nuce_ending_known(const struct nuce_campaign_point *reference,
                                  const struct nuce_campaign_point *contender)
{
    const json_t *measure = measure_of(contender);
    struct nuce_anytime ratios = ratios_of(contender->costs, 0, reference->costs);
    struct nuce_anytime noise = ratios_of(reference->costs, 1, reference->costs);

    return nuce_anytime_known(&ratios, &noise,
                              json_number_value(json_object_get(measure, "margin")),
                              json_number_value(json_object_get(measure, "at-least")));
}

/* The budget counts the reference twice, for its duplicate. */
void nuce_ending_apply(struct nuce_campaign_point *points, int64_t count)
{
    for (int64_t i = 0, end; i < count; i = end) {
        const struct nuce_campaign_point *reference;
        int is_known = 1;
        double used_s;

        end = race_end(points, count, i);
        reference = reference_of(points, i, end);
        if (!nuce_ending_is_by_result(&points[i]) || reference == NULL)
            continue;
        used_s = reference->wall_s * (double)good_runs(reference);
        for (int64_t k = i; k < end; k++) {
            const struct nuce_campaign_point *point = &points[k];

            used_s += point->wall_s * (double)good_runs(point);
            if (!is_out(point) && point != reference)
                is_known &= nuce_ending_known(reference, point) != NUCE_KNOWN_NOTHING;
        }
        if (!is_known &&
            used_s < json_number_value(json_object_get(measure_of(reference), "budget")))
            continue;
        for (int64_t k = i; k < end; k++) {
            struct nuce_campaign_point *point = &points[k];

            /* 'nuce resume' races again those that went wrong. */
            if (is_out(point) || good_runs(point) == 0)
                continue;
            point->wanted = good_runs(point);
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

    for (int64_t i = 0, end = 0; i < count; i++) {
        const struct nuce_campaign_point *point = &points[i];
        const json_t *measure = measure_of(point);
        double margin = json_number_value(json_object_get(measure, "margin"));
        double least = json_number_value(json_object_get(measure, "at-least"));
        enum nuce_known known;
        char *name, *base;
        int64_t launches;

        if (i == end) {
            end = race_end(points, count, i);
            reference = reference_of(points, i, end);
        }
        if (!nuce_ending_is_by_result(point) || is_out(point) || reference == NULL ||
            point == reference)
            continue;
        known = nuce_ending_known(reference, point);
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
        launches = ratios_of(point->costs, 0, reference->costs).count;
        fprintf(out, ", after %lld launch%s\n", (long long)launches, launches == 1 ? "" : "es");
        free(base);
        free(name);
        if (known == NUCE_KNOWN_FAILS)
            status = 1;
        else if (known == NUCE_KNOWN_NOTHING && status == 0)
            status = 3;
    }
    return status;
}
