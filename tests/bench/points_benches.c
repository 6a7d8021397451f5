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
#include "base/jsonl.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/text.h"
#include "bench.h"
#include "campaigns/campaign.h"

/* A bench: two sweeps of exchange, one with ten times the points of the other. */
struct points {
    const char *schedules;
    int instances; /* of the larger sweep */
    const char *item_bytes, *measure;
    int is_submitted;  /* both: scratch.campaigns/larger.1 and smaller.1 */
    int has_records;   /* of all of their points */
    double of_smaller; /* the part of the points that the reference has */
};

/* Points that are measured: the time of their samples does not count. */
struct points_case {
    struct nuce_scratch scratch; /* other: the folder of the stand-ins, and of their state */
    char *larger, *smaller;      /* paths of the sweeps, whose campaigns have these names */
    char *profile;
    char *path, *state; /* VARIABLE=VALUE for the environment of the program */
    double sampling_s;  /* of the last run */
    int64_t measured;   /* points, in it */
    int campaigns;      /* so far */
};

static void fail_at(const char *path)
{
    MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %s", path, strerror(errno)));
}

/* Text is freed. */
static void write_file(const char *path, char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail_at(path);
    free(text);
}

static void write_sweep(const char *path, const char *name, const struct points *of, int instances)
{
    write_file(path,
               nuce_text_format("name: %s\nworkload: exchange\nranks: 2\nsweep: {schedule: %s, "
                                "pattern: uniform, degree: 2, instances: %d, item-bytes: %s}\n"
                                "measure: %s\nslurm: {time: 01:00:00}\n",
                                name, of->schedules, instances, of->item_bytes, of->measure));
}

/* The stand-in looks at the name that it is called by. */
static void link_programs(const struct nuce_scratch *scratch)
{
    static const char *const names[] = {"sbatch", "squeue", "scancel", "scontrol"};
    char *program = nuce_bench_program("../libexec/nuce/nuce-bench-slurm");

    if (mkdir(scratch->other, 0777) != 0)
        fail_at(scratch->other);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = nuce_text_format("%s/%s", scratch->other, names[i]);

        if (symlink(program, path) != 0)
            fail_at(path);
        free(path);
    }
    free(program);
}

/* Runs nuce with Slurm's programs replaced; a word NULL is left out. */
static void run_nuce(const struct points_case *points, const char *command, const char *flag,
                     const char *campaigns, const char *last)
{
    char *path = nuce_bench_program("nuce");
    const char *argv[12] = {"env", points->path, points->state, path, command};
    FILE *nowhere = fopen("/dev/null", "w");
    int count = 5;

    NUCE_ASSERT(nowhere != NULL);
    if (flag != NULL)
        argv[count++] = flag;
    if (campaigns != NULL) {
        argv[count++] = "--campaigns";
        argv[count++] = campaigns;
    }
    if (strcmp(command, "submit") == 0) {
        argv[count++] = "--profile";
        argv[count++] = points->profile;
    }
    argv[count] = last;
    nuce_bench_run(argv, nowhere);
    fclose(nowhere);
    free(path);
}

enum { SAMPLES = 80 }; /* of five parts: 8 KB a record */

/* The members that each record has alike. */
static json_t *make_record(void)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_error error;
    json_t *record = nuce_record_create("run", "slurm-101-0-0", &error);
    json_t *samples = json_object();

    for (int part = 0; nuce_record_sample_parts[part] != NULL; part++) {
        json_t *times = json_array();

        for (int i = 0; i < SAMPLES; i++)
            json_array_append_new(times, json_real(1e-4 * nuce_rng_uniform(&rng)));
        json_object_set_new(samples, nuce_record_sample_parts[part], times);
    }
    json_object_update_new(record,
                           json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:s, s:n, s:o}", "campaign",
                                     "made", "kind", "measured", "status", "ok", "started",
                                     "2026-11-21T10:00:00.000Z", "stopped", "max-samples", "wall_s",
                                     0.05, "wait", "spin", "message", "samples", samples));
    return record;
}

struct writer {
    json_t *record;
    FILE *file;
};

static void write_line(const struct writer *writer, const json_t *record)
{
    struct nuce_error error;
    char *line = nuce_jsonl_sealed(record, &error);

    if (line == NULL || fprintf(writer->file, "%s\n", line) < 0)
        fail_at("records");
    free(line);
}

/* A line of the plan, as the kernel records its beginning and its end. */
static nuce_status write_point(void *context, int64_t line, const char *text, size_t length,
                               json_t *value, struct nuce_error *error)
{
    static const char *const keys[] = {"point", "workload", "ranks", "params"};
    const struct writer *writer = context;
    json_t *begin = nuce_record_create("begin", "slurm-101-0-0", error);

    (void)line;
    (void)text;
    (void)length;
    json_object_set(begin, "point", json_object_get(value, "point"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(writer->record, keys[i], json_object_get(value, keys[i]));
    write_line(writer, begin);
    write_line(writer, writer->record);
    json_decref(begin);
    return NUCE_OK;
}

/* The records of each part of the job, jobs/NNNN-K.jsonl; then no point is missing. */
static void write_records(const struct points_case *points, const char *name)
{
    char *folder = nuce_text_format("%s/%s", points->scratch.campaigns, name);
    char *pattern = nuce_text_format("%s/jobs/*-*.jsonl", folder);
    struct nuce_campaign campaign;
    glob_t parts = {0};

    if (glob(pattern, 0, NULL, &parts) != 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: no files", pattern));
    for (size_t i = 0; i < parts.gl_pathc; i++) {
        const char *part = strrchr(parts.gl_pathv[i], '/') + 1;
        char *path = nuce_text_format("%s/records/%.*s-slurm-101-0-0.jsonl", folder,
                                      (int)strcspn(part, "."), part);
        struct writer writer = {.record = make_record(), .file = fopen(path, "w")};
        struct nuce_jsonl_counts counts;

        if (writer.file == NULL)
            fail_at(path);
        MUST(nuce_jsonl_read(parts.gl_pathv[i], write_point, &writer, &counts, &error));
        if (fclose(writer.file) != 0)
            fail_at(path);
        json_decref(writer.record);
        free(path);
    }
    globfree(&parts);
    MUST(nuce_campaign_open(".", folder, NUCE_CAMPAIGN_READ, &campaign, &error));
    for (int64_t i = 0; i < campaign.count; i++) {
        if (nuce_campaign_is_missing(&campaign.points[i]))
            MUST(nuce_error_set(&error, NUCE_FAILED, "%s: points are not done", folder));
    }
    nuce_campaign_fini(&campaign);
    free(pattern);
    free(folder);
}

static void points_create(const void *of, struct nuce_bench_case *out)
{
    const struct points *points = of;
    struct points_case *self = nuce_allocate(1, sizeof *self);
    const char *path = getenv("PATH");

    nuce_scratch_init(&self->scratch);
    self->larger = nuce_text_format("%s/larger.yaml", self->scratch.folder);
    self->smaller = nuce_text_format("%s/smaller.yaml", self->scratch.folder);
    self->profile = nuce_text_format("%s/profile.yaml", self->scratch.folder);
    self->path = nuce_text_format("PATH=%s:%s", self->scratch.other, path != NULL ? path : "");
    self->state = nuce_text_format("FAKE_SLURM=%s", self->scratch.other);
    write_sweep(self->larger, "larger", points, points->instances);
    write_sweep(self->smaller, "smaller", points, points->instances / 10);
    write_file(self->profile, nuce_text_format("launcher: '%s'\n", NUCE_MPIEXEC));
    link_programs(&self->scratch);
    if (points->is_submitted) {
        run_nuce(self, "submit", NULL, self->scratch.campaigns, self->larger);
        run_nuce(self, "submit", NULL, self->scratch.campaigns, self->smaller);
    }
    if (points->has_records) {
        write_records(self, "larger.1");
        write_records(self, "smaller.1");
    }
    out->self = self;
    out->reference_units = points->of_smaller;
    out->excluded_s = &self->sampling_s;
}

static void points_destroy(void *self)
{
    struct points_case *points = self;

    nuce_scratch_fini(&points->scratch);
    free(points->larger);
    free(points->smaller);
    free(points->profile);
    free(points->path);
    free(points->state);
    free(points);
}

static void plan_larger(void *self)
{
    run_nuce(self, "plan", NULL, NULL, ((struct points_case *)self)->larger);
}

static void plan_smaller(void *self)
{
    run_nuce(self, "plan", NULL, NULL, ((struct points_case *)self)->smaller);
}

static void submit_larger(void *self)
{
    const struct points_case *points = self;

    run_nuce(points, "submit", "--dry-run", points->scratch.campaigns, points->larger);
}

static void submit_smaller(void *self)
{
    const struct points_case *points = self;

    run_nuce(points, "submit", "--dry-run", points->scratch.campaigns, points->smaller);
}

static void ask_larger(void *self)
{
    run_nuce(self, "status", NULL, ((struct points_case *)self)->scratch.campaigns, "larger.1");
}

static void ask_smaller(void *self)
{
    run_nuce(self, "status", NULL, ((struct points_case *)self)->scratch.campaigns, "smaller.1");
}

static nuce_status add_record(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct points_case *self = context;
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
static void run_measured(struct points_case *self, const char *const *argv, const char *records,
                         int64_t points)
{
    struct nuce_jsonl_counts counts;
    FILE *nowhere = fopen("/dev/null", "w");

    NUCE_ASSERT(nowhere != NULL);
    self->sampling_s = 0;
    self->measured = 0;
    nuce_bench_run(argv, nowhere);
    fclose(nowhere);
    MUST(nuce_jsonl_read(records, add_record, self, &counts, &error));
    if (self->measured != points)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %lld points were measured, expected %lld",
                            records, (long long)self->measured, (long long)points));
}

/* The kernel alone, on the points of a file of a campaign. */
static void run_kernel(struct points_case *self, const char *campaign, const char *file,
                       int64_t count)
{
    const struct nuce_scratch *scratch = &self->scratch;
    char *program = nuce_bench_program("nuce-exchange");
    char *points = nuce_text_format("%s/%s/%s", scratch->campaigns, campaign, file);
    const char *argv[] = {NUCE_MPIEXEC, "-n",     "2",         program,
                          "--points",   points,   "--records", scratch->figures,
                          "--campaign", campaign, NULL};

    unlink(scratch->figures);
    run_measured(self, argv, scratch->figures, count);
    free(points);
    free(program);
}

/* The cost of the harness and the kernel's loop over points: the wall time of one launch of points
 * that are over at once. The rest is planning, mpiexec, set-up, verification and record of every
 * point, and collecting. */
static void launch_ours(void *self)
{
    struct points_case *what = self;
    char *program = nuce_bench_program("nuce");
    char *records = nuce_text_format("%s/larger.%d/records/0001.jsonl", what->scratch.campaigns,
                                     ++what->campaigns);
    const char *argv[] = {program,       "run",
                          "--campaigns", what->scratch.campaigns,
                          "--database",  what->scratch.database,
                          what->larger,  NULL};

    run_measured(what, argv, records, 500);
    free(records);
    free(program);
}

/* On the points of the first campaign. */
static void launch_reference(void *self)
{
    run_kernel(self, "larger.1", "launches/0001.jsonl", 500);
}

/* The cost of a job beside its measuring: the wall time of nuce-job as a batch step, as the job
 * script runs it. The rest is starting, set-up, warm-up, the barriers between samples, verification
 * and record of every point. */
static void job_ours(void *self)
{
    struct points_case *what = self;
    const char *campaigns = what->scratch.campaigns;
    char *program = nuce_bench_program("nuce-job");
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

    run_measured(what, argv, records, 200);
    free(records);
    free(folder);
    free(program);
}

static void job_reference(void *self)
{
    run_kernel(self, "smaller.1", "jobs/0001-0.jsonl", 20);
}

static const struct points many = {
    .schedules = "[ac, lp]",
    .instances = 5000,
    .item_bytes = "16B",
    .measure = "{launches: 1, warmup: 1, min-samples: 10, max-samples: 100, time-limit: 2s}",
    .of_smaller = 0.1,
};

static const struct points done = {
    .schedules = "[ac, lp]",
    .instances = 5000,
    .item_bytes = "16B",
    .measure = "{launches: 1, warmup: 1, min-samples: 10, max-samples: 100, time-limit: 2s}",
    .is_submitted = 1,
    .has_records = 1,
    .of_smaller = 0.1,
};

static const struct points launched = {
    .schedules = "ac",
    .instances = 500,
    .item_bytes = "16B",
    .measure = "{launches: 1, warmup: 1, min-samples: 2, max-samples: 2}",
    .of_smaller = 1,
};

static const struct points sampled = {
    .schedules = "[ac, lp]",
    .instances = 100,
    .item_bytes = "128KiB",
    .measure = "{launches: 1, warmup: 1, min-samples: 100000, max-samples: 100000, time-limit: 1s}",
    .is_submitted = 1,
    .of_smaller = 0.1,
};

#define POINTS(points)                                                                             \
    .of = &(points), .create = points_create, .destroy = points_destroy, .is_command = 1

const struct nuce_bench nuce_bench_points[] = {
    {.name = "launch-500",
     .summary = "nuce run of 500 points in one launch, 2 ranks, without the time of the samples",
     .reference = "the kernel alone on these points, counted alike",
     .budget_s = 1,
     POINTS(launched),
     .run_ours = launch_ours,
     .run_reference = launch_reference},
    {.name = "plan-10k",
     .summary = "nuce plan of 10 000 points",
     .reference = "of 1 000 points, times ten: linear growth has ratio 1",
     .budget_s = 2,
     POINTS(many),
     .run_ours = plan_larger,
     .run_reference = plan_smaller},
    {.name = "submit-10k",
     .summary = "nuce submit --dry-run of 10 000 points",
     .reference = "of 1 000 points, times ten: linear growth has ratio 1",
     .budget_s = 2,
     POINTS(many),
     .run_ours = submit_larger,
     .run_reference = submit_smaller},
    {.name = "status-10k",
     .summary = "nuce status of 10 000 points in Slurm jobs, all with records of 80 samples",
     .reference = "of 1 000 such points, times ten: linear growth has ratio 1",
     .budget_s = 2,
     POINTS(done),
     .run_ours = ask_larger,
     .run_reference = ask_smaller},
    /* Samples are 95 % of the budget, which is beside 200 s of them. */
    {.name = "job-200",
     .summary = "nuce-job of 200 points sampled for 1 s each, 2 ranks, without the time of the "
                "samples",
     .reference = "the kernel alone on 20 such points, times ten, counted alike",
     .budget_s = 200 / 0.95 - 200,
     .is_single = 1,
     POINTS(sampled),
     .run_ours = job_ours,
     .run_reference = job_reference},
    {.name = NULL},
};
