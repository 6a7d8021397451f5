/* The benches of planning, submitting and asking: 10 000 points beside a tenth of them, with
 * programs that stand in for those of Slurm; for the status of 10 000 points with records of 8 KB
 * each. */
#include "points_case.h"

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
#include "campaigns/campaign.h"

enum { POINTS = 10000, MOST_WORDS = 16 };

static nuce_status write_file(const char *path, const char *text, struct nuce_error *error)
{
    FILE *file = text != NULL ? fopen(path, "w") : NULL;

    if (text == NULL)
        return error->status;
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    return NUCE_OK;
}

static nuce_status write_sweep(const char *path, const char *name, int64_t points, const char *unit,
                               const char *measure, struct nuce_error *error)
{
    char *text = nuce_text_format(
        "name: %s\nworkload: exchange\nranks: 2\nsweep: {schedule: [ac, lp], pattern: uniform, "
        "density: 2, instances: %lld, unit: %s}\nmeasure: %s\nslurm: {time: 01:00:00}\n",
        name, (long long)(points / 2), unit, measure);
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

nuce_status nuce_points_case_init(int64_t points, const char *unit, const char *measure,
                                  struct nuce_points_case *out, struct nuce_error *error)
{
    const char *path = getenv("PATH");

    *out = (struct nuce_points_case){.larger = NULL};
    if (nuce_scratch_init(&out->scratch, error) != NUCE_OK)
        return error->status;
    out->larger = nuce_text_format("%s/larger.yaml", out->scratch.folder);
    out->smaller = nuce_text_format("%s/smaller.yaml", out->scratch.folder);
    out->profile = nuce_text_format("%s/profile.yaml", out->scratch.folder);
    out->path = nuce_text_format("PATH=%s:%s", out->scratch.other, path != NULL ? path : "");
    out->state = nuce_text_format("FAKE_SLURM=%s", out->scratch.other);
    if (write_sweep(out->larger, "larger", points, unit, measure, error) != NUCE_OK ||
        write_sweep(out->smaller, "smaller", points / 10, unit, measure, error) != NUCE_OK ||
        write_profile(out->profile, error) != NUCE_OK)
        return error->status;
    return link_programs(&out->scratch, error);
}

void nuce_points_case_fini(struct nuce_points_case *points)
{
    nuce_scratch_fini(&points->scratch);
    free(points->larger);
    free(points->smaller);
    free(points->profile);
    free(points->path);
    free(points->state);
    *points = (struct nuce_points_case){.larger = NULL};
}

nuce_status nuce_points_case_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_points_case *self = nuce_allocate(1, sizeof *self);

    if (nuce_points_case_init(POINTS, "16B",
                              "{launches: 1, warmup: 1, min: 10, max: 100, limit: 2s}", self,
                              error) != NUCE_OK) {
        nuce_points_case_destroy(self);
        return error->status;
    }
    out->self = self;
    out->reference_units = 0.1;
    return NUCE_OK;
}

void nuce_points_case_destroy(void *self)
{
    if (self != NULL)
        nuce_points_case_fini(self);
    free(self);
}

nuce_status nuce_points_case_run(const struct nuce_points_case *points, const char *program,
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

nuce_status nuce_points_case_submit(const struct nuce_points_case *points, struct nuce_error *error)
{
    const char *const sweeps[] = {points->larger, points->smaller};

    for (int i = 0; i < 2; i++) {
        const char *rest[] = {"submit",    "--campaigns",   points->scratch.campaigns,
                              "--profile", points->profile, sweeps[i],
                              NULL};

        if (nuce_points_case_run(points, "nuce", rest, error) != NUCE_OK)
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
                                               .destroy = nuce_points_case_destroy,                \
                                               __VA_ARGS__};

static nuce_status plan(const struct nuce_points_case *points, int is_larger,
                        struct nuce_error *error)
{
    const char *rest[] = {"plan", is_larger ? points->larger : points->smaller, NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

ROW(plan_10k, nuce_points_case_create, plan, .name = "plan-10k",
    .summary = "nuce plan of 10 000 points",
    .reference = "of 1 000 points, times ten: linear growth has ratio 1")

static nuce_status dry_run(const struct nuce_points_case *points, int is_larger,
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

    return nuce_points_case_run(points, "nuce", rest, error);
}

ROW(submit_10k, nuce_points_case_create, dry_run, .name = "submit-10k",
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

static nuce_status status_create(struct nuce_bench_case *out, struct nuce_error *error)
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

static nuce_status ask(const struct nuce_points_case *points, int is_larger,
                       struct nuce_error *error)
{
    const char *rest[] = {"status", "--campaigns", points->scratch.campaigns,
                          is_larger ? "larger.1" : "smaller.1", NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

ROW(status_10k, status_create, ask, .name = "status-10k",
    .summary = "nuce status of 10 000 points in Slurm jobs, all with records of 80 samples",
    .reference = "of 1 000 such points, times ten: linear growth has ratio 1")
