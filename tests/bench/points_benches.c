/* The benches of planning, submitting and asking: 10 000 points beside a tenth of them, with
 * programs that stand in for those of Slurm; for the status of 10 000 points with records of 8 KB
 * each. And of launches and jobs, beside the kernel alone on their points. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/text.h"
#include "bench.h"
#include "campaigns/campaign.h"

enum { MOST_WORDS = 16 };

/* Two sweeps, one with ten times the points of the other, and programs that stand in for those of
 * Slurm. */
struct points_case {
    struct nuce_scratch scratch; /* other: the folder of the stand-ins, and of their state */
    char *larger, *smaller;      /* paths of the sweeps, whose campaigns have these names */
    char *profile;
    char *path, *state; /* VARIABLE=VALUE for the environment of what is run */
};

static nuce_status write_file(const char *path, const char *text, struct nuce_error *error)
{
    FILE *file = text != NULL ? fopen(path, "w") : NULL;

    if (text == NULL)
        return error->status;
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    return NUCE_OK;
}

static nuce_status write_sweep(const char *path, const char *name, const char *schedules,
                               int64_t instances, const char *unit, const char *measure,
                               struct nuce_error *error)
{
    char *text = nuce_text_format(
        "name: %s\nworkload: exchange\nranks: 2\nsweep: {schedule: %s, pattern: uniform, "
        "density: 2, instances: %lld, unit: %s}\nmeasure: %s\nslurm: {time: 01:00:00}\n",
        name, schedules, (long long)instances, unit, measure);
    nuce_status status = write_file(path, text, error);

    free(text);
    return status;
}

static nuce_status write_profile(const char *path, struct nuce_error *error)
{
    char *text = nuce_text_format("launcher: '%s'\n", NUCE_MPIEXEC);
    nuce_status status = write_file(path, text, error);

    free(text);
    return status;
}

/* The stand-in looks at the name that it is called by. */
static nuce_status link_programs(const struct nuce_scratch *scratch, struct nuce_error *error)
{
    static const char *const names[] = {"sbatch", "squeue", "scancel", "scontrol"};
    char *program = nuce_data_program_path("../libexec/nuce/nuce-bench-slurm", error);

    if (program == NULL)
        return error->status;
    error->status = NUCE_OK;
    if (mkdir(scratch->other, 0777) != 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", scratch->other, strerror(errno));
    for (size_t i = 0; error->status == NUCE_OK && i < sizeof names / sizeof *names; i++) {
        char *path = nuce_text_format("%s/%s", scratch->other, names[i]);

        if (symlink(program, path) != 0)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        free(path);
    }
    free(program);
    return error->status;
}

/* measure and unit are what their keys are. Also after failure released with points_case_fini. */
static nuce_status points_case_init(const char *schedules, int64_t instances, const char *unit,
                                    const char *measure, struct points_case *out,
                                    struct nuce_error *error)
{
    const char *path = getenv("PATH");

    *out = (struct points_case){.larger = NULL};
    if (nuce_scratch_init(&out->scratch, error) != NUCE_OK)
        return error->status;
    out->larger = nuce_text_format("%s/larger.yaml", out->scratch.folder);
    out->smaller = nuce_text_format("%s/smaller.yaml", out->scratch.folder);
    out->profile = nuce_text_format("%s/profile.yaml", out->scratch.folder);
    out->path = nuce_text_format("PATH=%s:%s", out->scratch.other, path != NULL ? path : "");
    out->state = nuce_text_format("FAKE_SLURM=%s", out->scratch.other);
    if (write_sweep(out->larger, "larger", schedules, instances, unit, measure, error) != NUCE_OK ||
        write_sweep(out->smaller, "smaller", schedules, instances / 10, unit, measure, error) !=
            NUCE_OK ||
        write_profile(out->profile, error) != NUCE_OK)
        return error->status;
    return link_programs(&out->scratch, error);
}

static void points_case_fini(struct points_case *points)
{
    nuce_scratch_fini(&points->scratch);
    free(points->larger);
    free(points->smaller);
    free(points->profile);
    free(points->path);
    free(points->state);
    *points = (struct points_case){.larger = NULL};
}

static void points_case_destroy(void *self)
{
    if (self != NULL)
        points_case_fini(self);
    free(self);
}

static nuce_status points_case_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct points_case *self = nuce_allocate(1, sizeof *self);

    if (points_case_init("[ac, lp]", 5000, "16B",
                         "{launches: 1, warmup: 1, min: 10, max: 100, limit: 2s}", self,
                         error) != NUCE_OK) {
        points_case_destroy(self);
        return error->status;
    }
    out->self = self;
    out->reference_units = 0.1;
    return NUCE_OK;
}

/* Runs program, which is beside nuce-bench, with Slurm's programs replaced; the last of rest is
 * NULL. */
static nuce_status points_case_run(const struct points_case *points, const char *program,
                                   const char *const *rest, struct nuce_error *error)
{
    const char *argv[MOST_WORDS + 1] = {"env", points->path, points->state};
    char *path = nuce_data_program_path(program, error);
    nuce_status status;
    int count = 3;

    if (path == NULL)
        return error->status;
    argv[count++] = path;
    while (*rest != NULL) {
        NUCE_ASSERT(count < MOST_WORDS);
        argv[count++] = *rest++;
    }
    argv[count] = NULL;
    status = nuce_bench_run(argv, error);
    free(path);
    return status;
}

/* Submits both sweeps: scratch.campaigns/larger.1 and smaller.1. */
static nuce_status points_case_submit(const struct points_case *points, struct nuce_error *error)
{
    const char *const sweeps[] = {points->larger, points->smaller};

    for (int i = 0; i < 2; i++) {
        const char *rest[] = {"submit",    "--campaigns",   points->scratch.campaigns,
                              "--profile", points->profile, sweeps[i],
                              NULL};

        if (points_case_run(points, "nuce", rest, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* name of the struct, its create, what is run on either sweep, members of struct nuce_bench */
#define ROW(id, create_it, run, ...)                                                               \
    static nuce_status id##_larger(void *self, struct nuce_error *error)                           \
    {                                                                                              \
        return run(self, 1, error);                                                                \
    }                                                                                              \
    static nuce_status id##_smaller(void *self, struct nuce_error *error)                          \
    {                                                                                              \
        return run(self, 0, error);                                                                \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.budget_s = 2,                                      \
                                               .is_command = 1,                                    \
                                               .create = create_it,                                \
                                               .run_ours = id##_larger,                            \
                                               .run_reference = id##_smaller,                      \
                                               .destroy = points_case_destroy,                     \
                                               __VA_ARGS__};

static nuce_status plan(const struct points_case *points, int is_larger, struct nuce_error *error)
{
    const char *rest[] = {"plan", is_larger ? points->larger : points->smaller, NULL};

    return points_case_run(points, "nuce", rest, error);
}

ROW(plan_10k, points_case_create, plan, .name = "plan-10k", .summary = "nuce plan of 10 000 points",
    .reference = "of 1 000 points, times ten: linear growth has ratio 1")

static nuce_status dry_run(const struct points_case *points, int is_larger,
                           struct nuce_error *error)
{
    const char *rest[] = {"submit",
                          "--dry-run",
                          "--campaigns",
                          points->scratch.campaigns,
                          "--profile",
                          points->profile,
                          is_larger ? points->larger : points->smaller,
                          NULL};

    return points_case_run(points, "nuce", rest, error);
}

ROW(submit_10k, points_case_create, dry_run, .name = "submit-10k",
    .summary = "nuce submit --dry-run of 10 000 points",
    .reference = "of 1 000 points, times ten: linear growth has ratio 1")

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

static nuce_status write_records(const struct points_case *points, const char *name,
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

static nuce_status status_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    if (points_case_create(out, error) != NUCE_OK)
        return error->status;
    if (points_case_submit(out->self, error) == NUCE_OK &&
        write_records(out->self, "larger.1", error) == NUCE_OK &&
        write_records(out->self, "smaller.1", error) == NUCE_OK)
        return NUCE_OK;
    points_case_destroy(out->self);
    out->self = NULL;
    return error->status;
}

static nuce_status ask(const struct points_case *points, int is_larger, struct nuce_error *error)
{
    const char *rest[] = {"status", "--campaigns", points->scratch.campaigns,
                          is_larger ? "larger.1" : "smaller.1", NULL};

    return points_case_run(points, "nuce", rest, error);
}

ROW(status_10k, status_create, ask, .name = "status-10k",
    .summary = "nuce status of 10 000 points in Slurm jobs, all with records of 80 samples",
    .reference = "of 1 000 such points, times ten: linear growth has ratio 1")

/* Points that are measured: what their samples took does not count. */
struct measured_case {
    struct points_case points;
    double sampling_s; /* of the last run */
    int64_t measured;  /* points, in it */
    int campaigns;     /* so far */
};

static void measured_destroy(void *self)
{
    struct measured_case *what = self;

    points_case_fini(&what->points);
    free(what);
}

static nuce_status measured_create(const char *schedules, int64_t instances, const char *unit,
                                   const char *measure, struct nuce_bench_case *out,
                                   struct nuce_error *error)
{
    struct measured_case *self = nuce_allocate(1, sizeof *self);

    if (points_case_init(schedules, instances, unit, measure, &self->points, error) != NUCE_OK) {
        measured_destroy(self);
        return error->status;
    }
    out->self = self;
    out->excluded_s = &self->sampling_s;
    return NUCE_OK;
}

static nuce_status add_record(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct measured_case *self = context;
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

/* Runs argv and sums the samples of the record file that it writes, of so many points. */
static nuce_status run_measured(struct measured_case *self, const char *const *argv,
                                const char *records, int64_t points, struct nuce_error *error)
{
    struct nuce_jsonl_counts counts;

    self->sampling_s = 0;
    self->measured = 0;
    if (nuce_bench_run(argv, error) != NUCE_OK ||
        nuce_jsonl_read(records, add_record, self, &counts, error) != NUCE_OK)
        return error->status;
    if (self->measured != points)
        return nuce_error_set(error, NUCE_FAILED, "%s: %lld points were measured, expected %lld",
                              records, (long long)self->measured, (long long)points);
    return NUCE_OK;
}

/* The kernel alone, on the points of a file of a campaign. */
static nuce_status run_kernel(struct measured_case *self, const char *campaign, const char *file,
                              int64_t count, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = &self->points.scratch;
    char *program = nuce_data_program_path("nuce-exchange", error);
    char *points = nuce_text_format("%s/%s/%s", scratch->campaigns, campaign, file);
    const char *argv[] = {NUCE_MPIEXEC, "-n",     "2",         program,
                          "--points",   points,   "--records", scratch->figures,
                          "--campaign", campaign, NULL};
    nuce_status status = program == NULL ? error->status : NUCE_OK;

    unlink(scratch->figures);
    if (status == NUCE_OK)
        status = run_measured(self, argv, scratch->figures, count, error);
    free(points);
    free(program);
    return status;
}

/* What the harness and the kernel's loop over points cost: the wall time of one launch of points
 * that are over at once. The rest is planning, mpiexec, set-up, verification and record of every
 * point, and collecting. */
static nuce_status launch_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return measured_create("ac", 500, "16B", "{launches: 1, warmup: 1, min: 2, max: 2}", out,
                           error);
}

static nuce_status launch_ours(void *self, struct nuce_error *error)
{
    struct measured_case *what = self;
    const struct nuce_scratch *scratch = &what->points.scratch;
    char *program = nuce_data_program_path("nuce", error);
    char *records =
        nuce_text_format("%s/larger.%d/records/0001.jsonl", scratch->campaigns, ++what->campaigns);
    const char *argv[] = {program,
                          "run",
                          "--campaigns",
                          scratch->campaigns,
                          "--database",
                          scratch->database,
                          what->points.larger,
                          NULL};
    nuce_status status =
        program == NULL ? error->status : run_measured(what, argv, records, 500, error);

    free(records);
    free(program);
    return status;
}

/* On the points of the first campaign. */
static nuce_status launch_reference(void *self, struct nuce_error *error)
{
    return run_kernel(self, "larger.1", "launches/0001.jsonl", 500, error);
}

const struct nuce_bench nuce_bench_launch_500 = {
    .name = "launch-500",
    .summary = "nuce run of 500 points in one launch, 2 ranks, without the time of the samples",
    .reference = "the kernel alone on these points, counted alike",
    .budget_s = 1,
    .is_command = 1,
    .create = launch_create,
    .run_ours = launch_ours,
    .run_reference = launch_reference,
    .destroy = measured_destroy,
};

/* What a job costs beside its measuring: the wall time of nuce-job as a batch step. The rest is
 * starting, set-up, warm-up, the barriers between samples, verification and record of every point.
 */
static nuce_status job_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    if (measured_create("[ac, lp]", 100, "128KiB",
                        "{launches: 1, warmup: 1, min: 100000, max: 100000, limit: 1s}", out,
                        error) != NUCE_OK)
        return error->status;
    out->reference_units = 0.1;
    if (points_case_submit(&((struct measured_case *)out->self)->points, error) == NUCE_OK)
        return NUCE_OK;
    measured_destroy(out->self);
    return error->status;
}

/* As the job script does it. */
static nuce_status job_ours(void *self, struct nuce_error *error)
{
    struct measured_case *what = self;
    const char *campaigns = what->points.scratch.campaigns;
    char *program = nuce_data_program_path("nuce-job", error);
    char *folder = nuce_text_format("--chdir=%s/larger.1", campaigns);
    char *records = nuce_text_format("%s/larger.1/records/0001-0-slurm-1-0-0.jsonl", campaigns);
    const char *argv[] = {"env",
                          folder,
                          "--unset=SLURM_RESTART_COUNT",
                          "--unset=SLURM_ARRAY_TASK_ID",
                          "SLURM_JOB_ID=1",
                          program,
                          "1",
                          NULL};
    nuce_status status =
        program == NULL ? error->status : run_measured(what, argv, records, 200, error);

    free(records);
    free(folder);
    free(program);
    return status;
}

static nuce_status job_reference(void *self, struct nuce_error *error)
{
    return run_kernel(self, "smaller.1", "jobs/0001-0.jsonl", 20, error);
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
    .create = job_create,
    .run_ours = job_ours,
    .run_reference = job_reference,
    .destroy = measured_destroy,
};
