/* The patterns of a capture as JSON, one a line, for other tools. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "capture/capture.h"

/* Rounded to whole ns; NaN is null, which JSON has no number for. */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_integer(llround(value)) : json_null();
}

static json_t *times_json(const struct nuce_capture_times *times)
{
    int is_any = times->count > 0;

    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)times->count,
                     "mean", number_or_null(nuce_capture_times_mean(times)), "min",
                     is_any ? json_integer(times->least) : json_null(), "p50",
                     number_or_null(nuce_capture_times_quantile(times, 0.5)), "p90",
                     number_or_null(nuce_capture_times_quantile(times, 0.9)), "p99",
                     number_or_null(nuce_capture_times_quantile(times, 0.99)), "max",
                     is_any ? json_integer(times->most) : json_null());
}

static json_t *numbers_json(const int *numbers, int count)
{
    json_t *array = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(numbers[i]));
    return array;
}

static json_t *messages_json(const struct nuce_capture *capture,
                             const struct nuce_capture_pattern *pattern)
{
    const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
    json_t *array = json_array();

    for (int64_t i = 0; i < topology->messages; i++)
        json_array_append_new(array,
                              json_pack("[i, i, I]", topology->source[i], topology->destination[i],
                                        (json_int_t)pattern->bytes[i]));
    return array;
}

/* Null where nobody measured it, or it was not kept: 0 would say that all came at once. */
static json_t *arrival_json(const struct nuce_capture *capture,
                            const struct nuce_capture_pattern *pattern)
{
    json_t *array = json_array();

    for (int i = 0; i < capture->communicator[pattern->communicator].size; i++)
        json_array_append_new(array,
                              number_or_null(pattern->skew.count > 0 && pattern->arrival_ns != NULL
                                                 ? pattern->arrival_ns[i]
                                                 : NAN));
    return array;
}

/* Of each call that is kept how late each member was. */
static json_t *kept_json(const struct nuce_capture *capture,
                         const struct nuce_capture_pattern *pattern)
{
    int size = capture->communicator[pattern->communicator].size;
    json_t *array = json_array();

    for (int k = 0; k < pattern->kept; k++) {
        json_t *call = json_array();

        for (int i = 0; i < size; i++)
            json_array_append_new(call, number_or_null(nuce_capture_times_middle(
                                            pattern->kept_class[(int64_t)k * size + i])));
        json_array_append_new(array, call);
    }
    return array;
}

nuce_status nuce_capture_print_json(const struct nuce_capture *capture, FILE *file,
                                    struct nuce_error *error)
{
    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        const struct nuce_capture_communicator *communicator =
            &capture->communicator[pattern->communicator];
        json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "pattern",
            pattern->id, "kind", nuce_raw_kind_name(pattern->kind), "quality",
            nuce_capture_quality_name(pattern->quality), "origin",
            capture->origin[0] == '\0' ? "captured" : capture->origin, "communicator",
            pattern->communicator, "ranks", numbers_json(communicator->members, communicator->size),
            "calls", (json_int_t)pattern->calls, "duration_ns", times_json(&pattern->duration),
            "skew_ns", times_json(&pattern->skew), "share",
            capture->all_ranks_ns > 0 ? json_real(pattern->rank_ns / capture->all_ranks_ns)
                                      : json_null(),
            "arrival_ns", arrival_json(capture, pattern), "calls_arrival_ns",
            kept_json(capture, pattern), "moved_bytes", (json_int_t)pattern->moved, "messages",
            messages_json(capture, pattern));
        int failed = object == NULL || json_dumpf(object, file, JSON_COMPACT) != 0 ||
                     fputc('\n', file) == EOF;

        json_decref(object);
        if (failed)
            return nuce_error_set(error, NUCE_FAILED, "the patterns cannot be printed as JSON");
    }
    return fflush(file) == 0 ? NUCE_OK
                             : nuce_error_set(error, NUCE_FAILED, "the patterns cannot be printed");
}
