/* The record of one run, and its flat row for printing. A record has every sample; the row has
 * medians with their intervals. The row is made from the record and not from the samples
 * themselves, so it equals the row that a reader of the record would make. record.h defines the
 * fields. */
#include "run/run_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/record.h"
#include "base/statistics.h"
#include "run/simulation.h"

/* NaN becomes null: unknown. */
static json_t *seconds_json(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *text_or_null(const char *text)
{
    return text == NULL ? json_null() : json_string(text);
}

/* The outcome as in record.h. NUCE_BAD_INPUT of a point that was checked before is a failure of
 * the run: for example, its file is gone. */
static const char *status_name(const struct nuce_outcome *outcome)
{
    return outcome->timed_out                    ? "timeout"
           : outcome->status == NUCE_OK          ? "ok"
           : outcome->status == NUCE_CORRUPT     ? "corrupt"
           : outcome->status == NUCE_INTERRUPTED ? "interrupted"
                                                 : "failed";
}

/* Bits of the timed parts of a sample. */
static unsigned timed_parts(const struct nuce_outcome *outcome)
{
    if (outcome->info == NULL)
        return 1U << NUCE_PART_STEP;
    return 1U << NUCE_PART_STEP | 1U << NUCE_PART_OWN | outcome->info->parts;
}

/* Adds one array of seconds to object for each timed part, empty without samples. */
static void set_seconds(json_t *object, unsigned parts, const struct nuce_samples *samples)
{
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
        json_t *values;

        if (!(parts & (1U << part)))
            continue;
        values = json_array();
        for (int64_t i = 0; samples != NULL && i < samples->count; i++)
            json_array_append_new(values,
                                  json_real(samples->seconds[i * NUCE_SAMPLE_PARTS + part]));
        json_object_set_new(object, nuce_record_sample_parts[part], values);
    }
}

/* The place of the contender in each round's order. */
static json_t *places_json(const struct nuce_samples *samples)
{
    json_t *places = json_array();

    for (int64_t i = 0; i < samples->count; i++)
        json_array_append_new(places, json_integer(samples->place[i]));
    return places;
}

/* "samples", "place" and "duplicate" as in record.h. */
static void set_samples(json_t *record, const struct nuce_outcome *outcome)
{
    const struct nuce_samples *samples = outcome->samples, *duplicate = outcome->duplicate;
    json_t *all = json_object();

    set_seconds(all, timed_parts(outcome), samples);
    json_object_set_new(record, "samples", all);
    if (samples == NULL || samples->count == 0)
        return;
    json_object_set_new(record, "place", places_json(samples));
    if (duplicate == NULL || duplicate->count == 0)
        return;
    all = json_object();
    set_seconds(all, timed_parts(outcome), duplicate);
    json_object_set_new(all, "place", places_json(duplicate));
    json_object_set_new(record, "duplicate", all);
}

/* The run's outcome in the fields of nuce_record_fields. */
static void set_outcome(json_t *record, const struct nuce_point *point,
                        const struct nuce_outcome *outcome)
{
    const struct nuce_sampling_facts *facts = &outcome->race->sampling;
    const struct nuce_run_info *info = outcome->info;
    int64_t least =
        point->measure
            .min_samples; /* minimum of the number of samples, unless the workload sets it */

    if (info != NULL && info->samples > 0)
        least = info->samples;
    json_object_set_new(record, "message", text_or_null(outcome->message));
    json_object_set_new(record, "wall_s", seconds_json(outcome->wall_s));
    json_object_set_new(record, "wait", json_string(nuce_wait_name(outcome->wait)));
    json_object_set_new(record, "race", json_string(outcome->race->id));
    if (point->compare != NULL) { /* as text: a field of a record is a scalar */
        char *compared = json_dumps(point->compare, JSON_COMPACT);

        json_object_set_new(record, "compared", text_or_null(compared));
        free(compared);
    }
    json_object_set_new(record, "order_seed", json_integer(outcome->race->seed));
    if (info != NULL)
        json_object_set_new(record, "criterion",
                            json_string(nuce_record_sample_parts[info->criterion]));
    json_object_set_new(record, "min_samples", json_integer(least));
    json_object_set_new(record, "oversubscribed", json_integer(outcome->wait->oversubscribed));
    if (facts->sync != NULL) { /* how turns began: the race had rounds */
        json_object_set_new(record, "sync", json_string(facts->sync));
        json_object_set_new(record, "batch", json_integer(facts->batch));
        json_object_set_new(record, "late_rounds", json_integer(facts->late_rounds));
        json_object_set_new(record, "skew_s", seconds_json(facts->skew_s));
        json_object_set_new(record, "skew_high_s", seconds_json(facts->skew_high_s));
        json_object_set_new(record, "sync_residual_s", seconds_json(facts->residual_s));
        json_object_set_new(record, "sync_error_s", seconds_json(facts->error_s));
        if (outcome->samples != NULL && outcome->samples->count > 0)
            json_object_set_new(record, "too_short", json_integer(outcome->samples->too_short));
    }
    if (outcome->samples != NULL)
        json_object_set_new(record, "stopped", text_or_null(outcome->samples->stopped));
}

json_t *nuce_run_record(const struct nuce_point *point, const struct nuce_outcome *outcome,
                        const char *job, const char *campaign, struct nuce_error *error)
{
    json_t *record = nuce_point_run_record(point, job, campaign,
                                           nuce_simulation_is_on() ? "simulated" : "measured",
                                           status_name(outcome), outcome->started, error);
    json_t *counters = NULL, *found = NULL;

    if (record == NULL)
        return NULL;
    set_outcome(record, point, outcome);
    if (outcome->status == NUCE_BAD_INPUT)
        json_object_set_new(record, "refused", json_true());
    set_samples(record, outcome);
    if (outcome->samples != NULL && outcome->samples->of_rank != NULL) {
        json_t *all = json_array(); /* an array a sample, with the seconds of each rank's step */

        for (int64_t i = 0; i < outcome->samples->count; i++) {
            json_t *row = json_array();

            for (int rank = 0; rank < outcome->ranks; rank++)
                json_array_append_new(
                    row, json_real(outcome->samples->of_rank[i * outcome->ranks + rank]));
            json_array_append_new(all, row);
        }
        json_object_set_new(record, "per_rank", all);
    }
    if (outcome->traced != NULL) {
        json_t *all = json_array();

        for (int64_t i = 0; i < outcome->traced->count; i++) {
            const struct nuce_trace_event *event = &outcome->traced->events[i];

            json_array_append_new(all,
                                  json_pack("[i, s, i, i, I, f, f]", event->rank,
                                            event->direction == NUCE_SEND ? "send" : "receive",
                                            event->peer, event->phase, (json_int_t)event->bytes,
                                            event->start_s, event->end_s));
        }
        json_object_set_new(record, "events", all);
    }
    json_object_update(record, outcome->lists);
    if (outcome->counters != NULL && (counters = nuce_counters_json(outcome->counters)) != NULL)
        json_object_set_new(record, "counters", counters);
    if (outcome->info != NULL &&
        (found = nuce_metrics_values(&outcome->info->found, error)) != NULL)
        json_object_set_new(record, "metrics", found);
    if ((outcome->info != NULL && found == NULL) ||
        nuce_record_check_run(record, error) != NUCE_OK) {
        json_decref(record);
        return NULL;
    }
    return record;
}

/* Confidence of the intervals of medians; nuce's tables use the same. */
#define CONFIDENCE 0.95

/* PART_s, PART_low_s and PART_high_s. With too few samples for the confidence, the interval is
 * omitted rather than given with less. */
static void summarise_part(json_t *row, const char *part, const json_t *samples)
{
    static const char *const suffixes[] = {"_s", "_low_s", "_high_s"};
    int64_t count = (int64_t)json_array_size(samples);
    double *values = nuce_allocate(count, sizeof *values), of[3];
    struct nuce_interval interval;
    char key[64];

    for (int64_t i = 0; i < count; i++)
        values[i] = json_number_value(json_array_get(samples, (size_t)i));
    if (count > 0) {
        nuce_statistics_sort(values, count);
        interval = nuce_statistics_median_interval(values, count, CONFIDENCE);
        of[0] = nuce_statistics_median(values, count);
        of[1] = interval.low;
        of[2] = interval.high;
        for (int i = 0; i < (interval.confidence >= CONFIDENCE ? 3 : 1); i++) {
            snprintf(key, sizeof key, "%s%s", part, suffixes[i]);
            json_object_set_new(row, key, json_real(of[i]));
        }
    }
    free(values);
}

/* The row has every result that may be recorded (null: unknown), so that rows of one workload
 * have the same keys. */
json_t *nuce_run_row(const struct nuce_result *const *results, const json_t *record)
{
    json_t *row = json_object();
    json_t *samples = json_object_get(record, "samples");
    json_t *found = json_object_get(record, "metrics");
    const char *part;
    json_t *values;

    json_object_set(row, "workload", json_object_get(record, "workload"));
    json_object_set(row, "ranks", json_object_get(record, "ranks"));
    json_object_update(row, json_object_get(record, "params"));
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        json_t *value = json_object_get(record, field->name);

        json_object_set(row, field->name, value == NULL ? json_null() : value);
    }
    for (const struct nuce_result *const *table = results; *table != NULL; table++) {
        for (const struct nuce_result *result = *table; result->name != NULL; result++) {
            json_t *value = json_object_get(found, result->name);

            if (!(result->flags & NUCE_RESULT_DERIVED))
                json_object_set(row, result->name, value == NULL ? json_null() : value);
        }
    }
    json_object_set_new(
        row, "n", json_integer((json_int_t)json_array_size(json_object_get(samples, "step"))));
    json_object_foreach(samples, part, values) summarise_part(row, part, values);
    return row;
}

const char *nuce_run_race_key(const struct nuce_workload_ops *workload)
{
    return nuce_option_find(workload->options, "ratio") == NULL ? "ratio" : "race_ratio";
}
