/* What a job costs beside its measuring: the wall time of nuce-job as a batch step, less the time
 * of the samples. The rest is starting, set-up, warm-up, the barriers between samples,
 * verification and record of every point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/text.h"
#include "points_case.h"

enum { POINTS = 200 };

struct job_case {
    struct nuce_points_case points;
    double sampling_s; /* of the last run */
    int64_t measured;  /* points, in it */
};

static void destroy(void *self)
{
    struct job_case *what = self;

    if (what != NULL)
        nuce_points_case_fini(&what->points);
    free(what);
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct job_case *self = nuce_allocate(1, sizeof *self);
    nuce_status status = nuce_points_case_init(
        POINTS, "128KiB", "{launches: 1, warmup: 1, min: 100000, max: 100000, limit: 1s}",
        &self->points, error);

    if (status == NUCE_OK)
        status = nuce_points_case_submit(&self->points, error);
    if (status != NUCE_OK) {
        destroy(self);
        return status;
    }
    out->self = self;
    out->excluded_s = &self->sampling_s;
    out->reference_units = 0.1;
    return NUCE_OK;
}

static nuce_status add_record(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct job_case *self = context;
    const char *kind = json_string_value(json_object_get(value, "record"));
    const json_t *sample;
    size_t index;

    (void)line;
    (void)text;
    (void)length;
    (void)error;
    if (kind == NULL || strcmp(kind, "run") != 0)
        return NUCE_OK;
    self->measured++;
    json_array_foreach(json_object_get(json_object_get(value, "samples"),
                                       nuce_record_sample_parts[NUCE_PART_STEP]),
                       index, sample)
    {
        self->sampling_s += json_number_value(sample);
    }
    return NUCE_OK;
}

/* Sums the samples of a record file of so many points (path is freed here; NULL: *error stands). */
static nuce_status add_records(struct job_case *self, char *path, int64_t points,
                               struct nuce_error *error)
{
    struct nuce_jsonl_counts counts;
    nuce_status status;

    self->sampling_s = 0;
    self->measured = 0;
    status = path == NULL ? error->status : nuce_jsonl_read(path, add_record, self, &counts, error);
    if (status == NUCE_OK && self->measured != points)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %lld points were measured, expected %lld",
                                path, (long long)self->measured, (long long)points);
    free(path);
    return status;
}

/* As the job script does it. */
static nuce_status run_ours(void *self, struct nuce_error *error)
{
    struct job_case *what = self;
    const struct nuce_scratch *scratch = &what->points.scratch;
    char *program = nuce_data_program_path("nuce-job", error);
    char *folder = nuce_text_format("--chdir=%s/larger.1", scratch->campaigns);
    const char *argv[] = {"env",
                          folder,
                          "--unset=SLURM_RESTART_COUNT",
                          "--unset=SLURM_ARRAY_TASK_ID",
                          "SLURM_JOB_ID=1",
                          program,
                          "1",
                          NULL};
    nuce_status status = program == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_bench_run(argv, error);
    if (status == NUCE_OK)
        status = add_records(
            what,
            nuce_text_format("%s/larger.1/records/0001-0-slurm-1-0-0.jsonl", scratch->campaigns),
            POINTS, error);
    free(folder);
    free(program);
    return status;
}

static nuce_status run_reference(void *self, struct nuce_error *error)
{
    struct job_case *what = self;
    const struct nuce_scratch *scratch = &what->points.scratch;
    char *program = nuce_data_program_path("nuce-exchange", error);
    char *points = nuce_text_format("%s/smaller.1/jobs/0001-0.jsonl", scratch->campaigns);
    const char *argv[] = {NUCE_MPIEXEC, "-n",        "2",         program,
                          "--points",   points,      "--records", scratch->figures,
                          "--campaign", "smaller.1", NULL};
    nuce_status status = program == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_bench_run(argv, error);
    if (status == NUCE_OK)
        status = add_records(what, nuce_text_format("%s", scratch->figures), POINTS / 10, error);
    free(points);
    free(program);
    return status;
}

/* Of 200 s and the budget 95 % are samples. */
const struct nuce_bench nuce_bench_job_200 = {
    .name = "job-200",
    .summary = "nuce-job of 200 points sampled for 1 s each, 2 ranks, without the time of the "
               "samples",
    .reference = "the kernel alone on 20 such points, times ten, counted alike",
    .budget_s = 200 / 0.95 - 200,
    .is_single = 1,
    .is_command = 1,
    .create = create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = destroy,
};
