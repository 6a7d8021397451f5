/* What the records say of one point's runs, for 'nuce explain': when, where, how each ended, and of
 * one that failed the end of its log. Texts from records and logs are printed without control
 * characters: they come from programs, and from bundles of strangers. */
#include "explanation/explain_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/log_tail.h"
#include "support/jsonl.h"
#include "support/printable.h"
#include "support/statistics.h"
#include "support/text.h"
#include "support/units.h"
#include "workloads/results.h"

/* Lines of a log that are shown. */
#define TAIL_LINES 8

/* One record file while it is read. */
struct run_reader {
    const struct nuce_campaign *campaign;
    const char *entry, *point;
    json_t *job;    /* the file's job record, NULL until it is there */
    char begun[64]; /* when the point began and has not ended; "" */
};

/* "n0 (4 ranks), n1 (4 ranks)", neighbours of one name joined. */
static void print_hosts(const json_t *hosts)
{
    size_t count = json_array_size(hosts), first = 0;

    for (size_t i = 1; i <= count; i++) {
        const char *name = json_string_value(json_array_get(hosts, first));
        const char *next = json_string_value(json_array_get(hosts, i));

        if (name == NULL || (next != NULL && strcmp(name, next) == 0))
            continue;
        (void)fputs(first > 0 ? ", " : "", stdout);
        nuce_printable_put(name, stdout);
        (void)printf(" (rank%s %zu", i - first > 1 ? "s" : "", first);
        if (i - first > 1)
            (void)printf("-%zu", i - 1);
        (void)putchar(')');
        first = i;
    }
}

/* The log of the launch whose records are entry. Nothing where there is none: bundles leave the
 * logs behind. */
static void print_log(const struct run_reader *reader)
{
    struct nuce_error error;
    size_t length = strlen(reader->entry) - strlen(".jsonl");
    char *path = nuce_text_format(&error, "%s/logs/%.*s.err", reader->campaign->path, (int)length,
                                  reader->entry);

    if (path != NULL && access(path, R_OK) == 0) {
        (void)printf("   log       %s\n", path);
        nuce_log_tail_print(path, TAIL_LINES);
    }
    free(path);
}

/* The median of communication, for workloads that time it: what runs of one point can be compared
 * by. */
static void print_samples(const json_t *samples)
{
    const json_t *values = json_object_get(samples, "communication"), *value;
    size_t count = json_array_size(values), i;
    double *times = count > 0 ? calloc(count, sizeof *times) : NULL;
    char buffer[NUCE_UNITS_BYTES];

    if (times == NULL)
        return;
    json_array_foreach(values, i, value)
    {
        times[i] = json_number_value(value);
    }
    nuce_statistics_sort(times, (int64_t)count);
    (void)printf(", %zu sample%s, communication %s (median)", count,
                 nuce_text_plural((int64_t)count),
                 nuce_units_format_seconds(nuce_statistics_median(times, (int64_t)count), buffer));
    free(times);
}

/* What the step is made of, on the rank that ends last: last_PART_s, which add up to last_step_s.
 */
static void print_last(const json_t *found)
{
    static const char before[] = "last_", behind[] = "_s";
    const json_t *step = json_object_get(found, "last_step_s"), *value;
    char buffer[NUCE_UNITS_BYTES];

    if (step == NULL)
        return;
    (void)printf("   step      %s, of the rank that ends last (rank %lld in %.0f %%):",
                 nuce_units_format_seconds(json_number_value(step), buffer),
                 (long long)json_integer_value(json_object_get(found, "last_rank")),
                 100 * json_number_value(json_object_get(found, "last_share")));
    for (const struct nuce_result *row = nuce_results_run; row->name != NULL; row++) {
        value = json_object_get(found, row->name);
        if (value == NULL || value == step || strncmp(row->name, before, strlen(before)) != 0 ||
            strcmp(row->unit, NUCE_UNIT_SECONDS) != 0)
            continue;
        (void)printf(" %.*s %s", (int)(strlen(row->name) - strlen(before) - strlen(behind)),
                     row->name + strlen(before),
                     nuce_units_format_seconds(json_number_value(value), buffer));
    }
    (void)putchar('\n');
}

/* What the model said of communication, beside what was measured from the same origin: the common
 * start, less the packing of the rank that ends last. */
static void print_predicted(const json_t *found)
{
    const json_t *predicted = json_object_get(found, "predicted_s");
    const json_t *late = json_object_get(found, "last_late_s");
    const json_t *communication = json_object_get(found, "last_communication_s");
    char buffer[NUCE_UNITS_BYTES];

    if (predicted == NULL || late == NULL || communication == NULL)
        return;
    (void)printf("   predicted %s for communication, from the same start it took ",
                 nuce_units_format_seconds(json_number_value(predicted), buffer));
    (void)printf("%s\n", nuce_units_format_seconds(
                             json_number_value(late) + json_number_value(communication), buffer));
}

/* One run, with what a reader asks next: of what its time is made, whether the model expected it,
 * where it ran, and why it failed. */
static void explain_run_print_run(const struct run_reader *reader, const json_t *run)
{
    const char *status = json_string_value(json_object_get(run, "status"));
    const char *message = json_string_value(json_object_get(run, "message"));
    const char *started = json_string_value(json_object_get(run, "started"));
    const json_t *hosts = json_object_get(json_object_get(reader->job, "facts"), "hosts");

    (void)fputs("run          ", stdout);
    nuce_printable_put(status, stdout);
    (void)fputs(", begun at ", stdout);
    nuce_printable_put(started, stdout);
    print_samples(json_object_get(run, "samples"));
    (void)putchar('\n');
    print_last(json_object_get(run, "found"));
    print_predicted(json_object_get(run, "found"));
    (void)printf("   records   %s/records/%s\n", reader->campaign->path, reader->entry);
    if (json_array_size(hosts) > 0) {
        (void)fputs("   hosts     ", stdout);
        print_hosts(hosts);
        (void)putchar('\n');
    }
    if (message != NULL) {
        (void)fputs("   message   ", stdout);
        nuce_printable_put(message, stdout);
        (void)putchar('\n');
    }
    if (strcmp(status, "ok") != 0)
        print_log(reader);
}

/* For each line of the file. That of the job is kept, for the hosts; a `begin` of the point is kept
 * until the run that it began comes. */
static nuce_status explain_run_take(void *context, int64_t line, const char *text, size_t length,
                                    json_t *value, struct nuce_error *error)
{
    struct run_reader *reader = context;
    const char *kind = json_string_value(json_object_get(value, "record"));
    const char *point = json_string_value(json_object_get(value, "point"));
    const char *started = json_string_value(json_object_get(value, "started"));

    (void)text;
    (void)length;
    (void)error;
    if (value == NULL)
        (void)printf(
            "damaged      records/%s:%lld: its checksum does not fit it; what it held is not "
            "known\n",
            reader->entry, (long long)line);
    if (kind != NULL && strcmp(kind, "job") == 0 && reader->job == NULL)
        reader->job = json_incref(value);
    if (kind == NULL || point == NULL || strcmp(point, reader->point) != 0)
        return NUCE_OK;
    if (strcmp(kind, "begin") == 0)
        (void)nuce_text_copy(reader->begun, sizeof reader->begun, started != NULL ? started : "?");
    if (nuce_campaign_find_run(reader->campaign, value) < 0)
        return NUCE_OK;
    reader->begun[0] = '\0';
    explain_run_print_run(reader, value);
    return NUCE_OK;
}

/* Whether the run without an end in the record file called entry is recorded in one of its own
 * (launch/settle.h), where it is told. */
static int is_in_lost_file(const struct nuce_campaign *campaign, const char *entry)
{
    struct nuce_error ignored;
    char *label = nuce_text_format(&ignored, "%.*s", (int)strcspn(entry, "."), entry);
    char *path = label == NULL
                     ? NULL
                     : nuce_campaign_file(campaign, "records", label, "-lost.jsonl", &ignored);
    int is_there = path != NULL && access(path, F_OK) == 0;

    free(path);
    free(label);
    return is_there;
}

nuce_status nuce_explain_file(const struct nuce_campaign *campaign, const char *entry,
                              const char *point, struct nuce_error *error)
{
    struct run_reader reader = {.campaign = campaign, .entry = entry, .point = point};
    char *path = nuce_campaign_file(campaign, "records", entry, "", error);
    struct nuce_jsonl_counts counts;

    if (path == NULL)
        return error->status;
    error->status = nuce_jsonl_read_sealed(path, NULL, explain_run_take, &reader, &counts, error);
    if (error->status == NUCE_OK && reader.begun[0] != '\0' && !is_in_lost_file(campaign, entry)) {
        (void)fputs("run          begun at ", stdout);
        nuce_printable_put(reader.begun, stdout);
        (void)printf(", no end recorded in %s\n", path);
    }
    json_decref(reader.job);
    free(path);
    return error->status;
}
