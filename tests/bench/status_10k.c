/* nuce status when every point has its record and every job is still in the queue, so that record
 * files are read for the points and for the jobs: nothing takes it longer. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonl.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "points_case.h"

enum { SAMPLES = 80 }; /* of five parts: 8 KB a record */

/* What is the same in each record. NULL when out of memory. */
static json_t *make_record(struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    json_t *record = nuce_record_create("run", "slurm-101-0-0", error);
    json_t *samples = json_object();

    for (int part = 0; nuce_record_sample_parts[part] != NULL; part++) {
        json_t *times = json_array();

        for (int i = 0; i < SAMPLES; i++)
            json_array_append_new(times, json_real(1e-4 * nuce_rng_uniform(&rng)));
        json_object_set_new(samples, nuce_record_sample_parts[part], times);
    }
    if (record == NULL ||
        json_object_update_new(record,
                               json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:s, s:n}", "campaign",
                                         "made", "kind", "measured", "status", "ok", "started",
                                         "2026-11-21T10:00:00.000Z", "stopped", "max", "wall_s",
                                         0.05, "wait", "spin", "message")) != 0 ||
        json_object_set(record, "samples", samples) != 0) {
        nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
        json_decref(record);
        record = NULL;
    }
    json_decref(samples);
    return record;
}

struct writer {
    json_t *record;
    FILE *file;
};

static int write_line(const struct writer *writer, const json_t *record)
{
    struct nuce_error error;
    char *line = nuce_jsonl_sealed(record, &error);
    int done = line != NULL && fprintf(writer->file, "%s\n", line) >= 0;

    free(line);
    return done;
}

/* A line of the plan, as the kernel records its beginning and its end. */
static nuce_status write_point(void *context, int64_t line, const char *text, size_t length,
                               json_t *value, struct nuce_error *error)
{
    static const char *const keys[] = {"point", "workload", "ranks", "params"};
    const struct writer *writer = context;
    json_t *begin = nuce_record_create("begin", "slurm-101-0-0", error);
    int done =
        begin != NULL && json_object_set(begin, "point", json_object_get(value, "point")) == 0;

    (void)line;
    (void)text;
    (void)length;
    for (size_t i = 0; done && i < sizeof keys / sizeof *keys; i++)
        done = json_object_set(writer->record, keys[i], json_object_get(value, keys[i])) == 0;
    done = done && write_line(writer, begin) && write_line(writer, writer->record);
    json_decref(begin);
    return done ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "cannot write a record");
}

/* The records of one part of a job: jobs/NNNN-K.jsonl at plan. */
static nuce_status write_part(const char *campaign, const char *plan, struct nuce_error *error)
{
    const char *name = strrchr(plan, '/') + 1;
    char *path = nuce_text_format("%s/records/%.*s-slurm-101-0-0.jsonl", campaign,
                                  (int)strcspn(name, "."), name);
    struct writer writer = {.record = make_record(error)};
    struct nuce_jsonl_counts counts;

    if (writer.record == NULL) {
        free(path);
        return error->status;
    }
    writer.file = fopen(path, "w");
    error->status = NUCE_OK;
    if (writer.file != NULL)
        error->status = nuce_jsonl_read(plan, write_point, &writer, &counts, error);
    if (writer.file == NULL || fclose(writer.file) != 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    json_decref(writer.record);
    free(path);
    return error->status;
}

static nuce_status check_done(const char *path, struct nuce_error *error)
{
    struct nuce_campaign campaign;
    int64_t missing = 0;

    if (nuce_campaign_open(".", path, NUCE_CAMPAIGN_READ, &campaign, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < campaign.count; i++)
        missing += nuce_campaign_is_missing(&campaign.points[i]);
    nuce_campaign_fini(&campaign);
    if (missing > 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %lld points are not done", path,
                              (long long)missing);
    return NUCE_OK;
}

static nuce_status write_records(const struct nuce_points_case *points, const char *name,
                                 struct nuce_error *error)
{
    char *path = nuce_text_format("%s/%s", points->scratch.campaigns, name);
    char *pattern = nuce_text_format("%s/jobs/*-*.jsonl", path);
    glob_t parts = {0};
    nuce_status status = NUCE_OK;

    if (glob(pattern, 0, NULL, &parts) != 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: no files", pattern);
    for (size_t i = 0; status == NUCE_OK && i < parts.gl_pathc; i++)
        status = write_part(path, parts.gl_pathv[i], error);
    if (status == NUCE_OK)
        status = check_done(path, error);
    globfree(&parts);
    free(pattern);
    free(path);
    return status;
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    if (nuce_points_case_create(out, error) != NUCE_OK)
        return error->status;
    if (nuce_points_case_submit(out->self, error) == NUCE_OK &&
        write_records(out->self, "larger.1", error) == NUCE_OK &&
        write_records(out->self, "smaller.1", error) == NUCE_OK)
        return NUCE_OK;
    nuce_points_case_destroy(out->self);
    out->self = NULL;
    return error->status;
}

static nuce_status ask(const struct nuce_points_case *points, const char *name,
                       struct nuce_error *error)
{
    const char *rest[] = {"status", "--campaigns", points->scratch.campaigns, name, NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

static nuce_status run_ours(void *self, struct nuce_error *error)
{
    return ask(self, "larger.1", error);
}

static nuce_status run_reference(void *self, struct nuce_error *error)
{
    return ask(self, "smaller.1", error);
}

const struct nuce_bench nuce_bench_status_10k = {
    .name = "status-10k",
    .summary = "nuce status of 10 000 points in Slurm jobs, all with records of 80 samples",
    .reference = "of 1 000 such points, times ten: linear growth has ratio 1",
    .budget_s = 2,
    .is_command = 1,
    .create = create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = nuce_points_case_destroy,
};
