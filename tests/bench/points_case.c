#include "points_case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"

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
