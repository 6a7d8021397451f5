/* The patterns of a capture as JSON, one per line, for other tools. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "capture/capture.h"

/* Rounded to whole ns; NaN becomes null, because JSON has no number for it. */
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

nuce_status nuce_capture_print_json(const struct nuce_capture *capture, FILE *file,
                                    struct nuce_error *error)
{
    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        const struct nuce_capture_communicator *communicator =
            &capture->communicator[pattern->communicator];
        const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
        json_t *ranks = json_array(), *messages = json_array(), *arrivals = json_array();
        json_t *kept = json_array(), *object;
        int failed;

        /* Arrivals are null if they were not measured or not kept: 0 would mean that all ranks
         * came at once. */
        for (int k = 0; k < communicator->size; k++) {
            json_array_append_new(ranks, json_integer(communicator->members[k]));
            json_array_append_new(
                arrivals, number_or_null(pattern->skew.count > 0 && pattern->arrival_ns != NULL
                                             ? pattern->arrival_ns[k]
                                             : NAN));
        }
        for (int64_t k = 0; k < topology->messages; k++)
            json_array_append_new(messages, json_pack("[i, i, I]", topology->source[k],
                                                      topology->destination[k],
                                                      (json_int_t)pattern->bytes[k]));
        /* The lateness of each member in each kept call. */
        for (int call = 0; call < pattern->kept; call++) {
            const unsigned char *late = pattern->kept_class + (int64_t)call * communicator->size;
            json_t *members = json_array();

            for (int k = 0; k < communicator->size; k++)
                json_array_append_new(members, number_or_null(nuce_capture_times_middle(late[k])));
            json_array_append_new(kept, members);
        }
        object = json_pack(
            "{s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "pattern",
            pattern->id, "kind", nuce_raw_kind_name(pattern->kind), "quality",
            nuce_capture_quality_name(pattern->quality), "origin",
            capture->origin[0] == '\0' ? "captured" : capture->origin, "communicator",
            pattern->communicator, "ranks", ranks, "calls", (json_int_t)pattern->calls,
            "duration_ns", times_json(&pattern->duration), "skew_ns", times_json(&pattern->skew),
            "share",
            capture->all_ranks_ns > 0 ? json_real(pattern->rank_ns / capture->all_ranks_ns)
                                      : json_null(),
            "arrival_ns", arrivals, "calls_arrival_ns", kept, "moved_bytes",
            (json_int_t)pattern->moved, "messages", messages);
        failed = object == NULL || json_dumpf(object, file, JSON_COMPACT) != 0 ||
                 fputc('\n', file) == EOF;

        json_decref(object);
        if (failed)
            return nuce_error_set(error, NUCE_FAILED, "the patterns cannot be printed as JSON");
    }
    return fflush(file) == 0 ? NUCE_OK
                             : nuce_error_set(error, NUCE_FAILED, "the patterns cannot be printed");
}
