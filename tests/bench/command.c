/* Programs that benches run, and the folder in which they do. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"
#include "bench.h"

#define MOST_ARGUMENTS 16

/* The array under key as new doubles, all finite and > 0; NULL with *error. */
static double *read_times(const json_t *line, const char *key, int64_t *count,
                          struct nuce_error *error)
{
    const json_t *array = json_object_get(line, key);
    const json_t *value;
    double *times;
    size_t index;

    *count = (int64_t)json_array_size(array);
    times = nuce_allocate(*count, sizeof *times);
    json_array_foreach(array, index, value)
    {
        times[index] = json_number_value(value);
        if (!json_is_number(value) || !(times[index] > 0))
            *count = 0;
    }
    if (*count > 0)
        return times;
    free(times);
    nuce_error_set(error, NUCE_FAILED, "expected '%s': an array of times > 0", key);
    return NULL;
}

static nuce_status read_samples(FILE *file, struct nuce_bench_samples *out,
                                struct nuce_error *error)
{
    struct nuce_bench_samples samples = {.count = 0};
    json_error_t problem;
    json_t *line = json_loadf(file, 0, &problem);
    int64_t count = 0;
    nuce_status status = NUCE_OK;

    if (line == NULL)
        return nuce_error_set(error, NUCE_FAILED, "printed no JSON: %s", problem.text);
    samples.ours = read_times(line, "ours", &samples.count, error);
    if (samples.ours != NULL)
        samples.reference = read_times(line, "reference", &count, error);
    if (samples.ours == NULL || samples.reference == NULL)
        status = error->status;
    else if (count != samples.count)
        status = nuce_error_set(error, NUCE_FAILED, "printed %lld times and %lld references",
                                (long long)samples.count, (long long)count);
    json_decref(line);
    if (status == NUCE_OK)
        *out = samples;
    else
        nuce_bench_samples_fini(&samples);
    return status;
}

/* Starts argv with its stdout in a pipe; *file is the other end. */
static nuce_status start(const char *const *argv, pid_t *child, FILE **file,
                         struct nuce_error *error)
{
    posix_spawn_file_actions_t actions;
    int ends[2], problem;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return nuce_error_set(error, NUCE_FAILED, "no pipe: %s", strerror(errno));
    problem = posix_spawn_file_actions_init(&actions);
    if (problem == 0) {
        problem = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (problem == 0) /* exec takes char *const *, but changes nothing */
            problem = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv,
                                   environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    *file = problem == 0 ? fdopen(ends[0], "r") : NULL;
    if (*file == NULL)
        close(ends[0]);
    if (problem != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", argv[0], strerror(problem));
    return NUCE_OK;
}

/* Waits for the child. NUCE_FAILED unless it ends with status 0. */
static nuce_status finish(pid_t child, struct nuce_error *error)
{
    int ended = 0;

    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_FAILED, "ended with %s %d",
                          WIFEXITED(ended) ? "status" : "signal",
                          WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
}

nuce_status nuce_bench_show(const char *const *argv, struct nuce_error *error)
{
    pid_t child;
    int problem =
        posix_spawnp(&child, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ);

    if (problem != 0)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", argv[0], strerror(problem));
    return finish(child, error) == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", argv[0]);
}

nuce_status nuce_bench_run(const char *const *argv, struct nuce_error *error)
{
    char ignored[4096];
    FILE *file = NULL;
    pid_t child;

    if (start(argv, &child, &file, error) != NUCE_OK)
        return error->status;
    while (file != NULL && fread(ignored, 1, sizeof ignored, file) > 0)
        continue;
    if (file != NULL)
        fclose(file);
    return finish(child, error) == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", argv[0]);
}

nuce_status nuce_bench_run_command(const char *const *argv, struct nuce_bench_samples *out,
                                   struct nuce_error *error)
{
    struct nuce_bench_samples samples = {.count = 0};
    FILE *file = NULL;
    struct nuce_error exit_error;
    nuce_status status;
    pid_t child;

    if (start(argv, &child, &file, error) != NUCE_OK)
        return error->status;
    status = file == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory")
                          : read_samples(file, &samples, error);
    if (file != NULL)
        fclose(file);
    if (finish(child, &exit_error) != NUCE_OK) {
        *error = exit_error; /* says more than what was not printed */
        status = error->status;
    }
    if (status != NUCE_OK) {
        nuce_bench_samples_fini(&samples);
        return nuce_error_prefix(error, "%s", argv[0]);
    }
    *out = samples;
    return NUCE_OK;
}

nuce_status nuce_scratch_init(struct nuce_scratch *out, struct nuce_error *error)
{
    const char *parent = getenv("TMPDIR");

    *out = (struct nuce_scratch){
        .folder = nuce_text_format("%s/nuce-bench-XXXXXX", parent == NULL ? "/tmp" : parent),
    };
    if (mkdtemp(out->folder) == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", out->folder, strerror(errno));
        free(out->folder);
        out->folder = NULL;
        return error->status;
    }
    out->campaigns = nuce_text_format("%s/campaigns", out->folder);
    out->database = nuce_text_format("%s/nuce.db", out->folder);
    out->figures = nuce_text_format("%s/figures", out->folder);
    out->other = nuce_text_format("%s/other", out->folder);
    return NUCE_OK;
}

void nuce_scratch_fini(struct nuce_scratch *scratch)
{
    const char *argv[] = {"rm", "-rf", "--", scratch->folder, NULL};
    struct nuce_error error;

    if (scratch->folder != NULL)
        nuce_bench_run(argv, &error);
    free(scratch->folder);
    free(scratch->campaigns);
    free(scratch->database);
    free(scratch->figures);
    free(scratch->other);
    *scratch = (struct nuce_scratch){0};
}

nuce_status nuce_scratch_run(const char *program, const char *const *rest, struct nuce_error *error)
{
    const char *argv[MOST_ARGUMENTS + 2];
    char *path = nuce_data_program_path(program, error);
    nuce_status status;
    int count = 0;

    if (path == NULL)
        return error->status;
    argv[count++] = path;
    while (*rest != NULL) {
        NUCE_ASSERT(count <= MOST_ARGUMENTS);
        argv[count++] = *rest++;
    }
    argv[count] = NULL;
    status = nuce_bench_run(argv, error);
    free(path);
    return status;
}
