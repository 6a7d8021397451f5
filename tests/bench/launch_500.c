/* What the harness and the kernel's loop over points cost: the wall time of one launch of 500
 * points that are over at once, less the time that their samples took. The rest is planning,
 * mpiexec, set-up, verification and record of every point, and collecting. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/text.h"
#include "bench.h"
#include "scratch.h"

enum { POINTS = 500 };

struct launch_case {
    struct nuce_scratch scratch;
    double sampling_s; /* of the last run */
    int64_t points;    /* that it measured */
    int campaigns;     /* so far */
};

static void destroy(void *self)
{
    struct launch_case *what = self;

    if (what != NULL)
        nuce_scratch_fini(&what->scratch);
    free(what);
}

static nuce_status write_sweep(const char *path, struct nuce_error *error)
{
    FILE *file = fopen(path, "w");

    if (file != NULL)
        fprintf(file,
                "name: launch\nworkload: exchange\nranks: 2\n"
                "sweep: {schedule: ac, pattern: uniform, density: 2, instances: %d, "
                "unit: 16B}\nmeasure: {launches: 1, warmup: 1, min: 2, max: 2}\n",
                POINTS);
    if (file == NULL || fclose(file) != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    return NUCE_OK;
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct launch_case *self = nuce_allocate(1, sizeof *self);
    nuce_status status = nuce_scratch_init(&self->scratch, error);

    if (status == NUCE_OK)
        status = write_sweep(self->scratch.other, error);
    if (status != NUCE_OK) {
        destroy(self);
        return status;
    }
    out->self = self;
    out->excluded_s = &self->sampling_s;
    return NUCE_OK;
}

static nuce_status add_record(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct launch_case *self = context;
    const json_t *sample;
    size_t index;

    (void)line;
    (void)text;
    (void)length;
    (void)error;
    if (strcmp(json_string_value(json_object_get(value, "record")), "run") != 0)
        return NUCE_OK;
    self->points++;
    json_array_foreach(json_object_get(json_object_get(value, "samples"),
                                       nuce_record_sample_parts[NUCE_PART_STEP]),
                       index, sample)
    {
        self->sampling_s += json_number_value(sample);
    }
    return NUCE_OK;
}

/* Sums the samples of a record file (path is freed here; NULL: *error stands). */
static nuce_status add_records(struct launch_case *self, char *path, struct nuce_error *error)
{
    struct nuce_jsonl_counts counts;
    nuce_status status;

    self->sampling_s = 0;
    self->points = 0;
    status = path == NULL ? error->status : nuce_jsonl_read(path, add_record, self, &counts, error);
    if (status == NUCE_OK && self->points != POINTS)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %lld points were measured, expected %d",
                                path, (long long)self->points, POINTS);
    free(path);
    return status;
}

static nuce_status run_ours(void *self, struct nuce_error *error)
{
    struct launch_case *what = self;
    const struct nuce_scratch *scratch = &what->scratch;
    const char *rest[] = {"run",        "--campaigns",     scratch->campaigns,
                          "--database", scratch->database, scratch->other,
                          NULL};

    if (nuce_scratch_run("nuce", rest, error) != NUCE_OK)
        return error->status;
    what->campaigns++;
    return add_records(
        what,
        nuce_text_format("%s/launch.%d/records/0001.jsonl", scratch->campaigns, what->campaigns),
        error);
}

/* The kernel alone, on the points of the first campaign. */
static nuce_status run_reference(void *self, struct nuce_error *error)
{
    struct launch_case *what = self;
    const struct nuce_scratch *scratch = &what->scratch;
    char *program = nuce_data_program_path("nuce-exchange", error);
    char *points = nuce_text_format("%s/launch.1/launches/0001.jsonl", scratch->campaigns);
    const char *argv[] = {NUCE_MPIEXEC, "-n",       "2",         program,
                          "--points",   points,     "--records", scratch->figures,
                          "--campaign", "launch.1", NULL};
    nuce_status status = program == NULL ? error->status : NUCE_OK;

    unlink(scratch->figures);
    if (status == NUCE_OK)
        status = nuce_bench_run(argv, error);
    if (status == NUCE_OK)
        status = add_records(what, nuce_text_format("%s", scratch->figures), error);
    free(points);
    free(program);
    return status;
}

const struct nuce_bench nuce_bench_launch_500 = {
    .name = "launch-500",
    .summary = "nuce run of 500 points in one launch, 2 ranks, without the time of the samples",
    .reference = "the kernel alone on these points, counted alike",
    .budget_s = 1,
    .is_command = 1,
    .create = create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = destroy,
};
