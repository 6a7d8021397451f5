/* Programs that benches run, and the folder in which they do. */
#include <errno.h>
#include <jansson.h>
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

void nuce_bench_fail(const struct nuce_error *error)
{
    nuce_error_print(error, "nuce-bench");
    exit(nuce_error_exit_status(error->status));
}

void nuce_bench_run(const char *const *argv, FILE *out)
{
    posix_spawn_file_actions_t actions;
    int ended = 0, problem;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    if (out != NULL)
        posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    /* exec takes char *const *, but changes nothing */
    problem =
        posix_spawnp(&child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %s", argv[0], strerror(problem)));
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(ended))
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: ended with signal %d", argv[0],
                            WTERMSIG(ended)));
    if (WEXITSTATUS(ended) != 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: ended with status %d", argv[0],
                            WEXITSTATUS(ended)));
}

/* The array under key as new doubles, all finite and > 0. */
static double *read_times(const char *program, const json_t *line, const char *key, int64_t *count)
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
    if (*count == 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: expected '%s': an array of times > 0",
                            program, key));
    return times;
}

void nuce_bench_run_command(const char *const *argv, struct nuce_bench_samples *out)
{
    FILE *file = tmpfile();
    json_error_t problem;
    int64_t count, references;
    json_t *line;

    if (file == NULL)
        MUST(nuce_error_set(&error, NUCE_FAILED, "no temporary file: %s", strerror(errno)));
    nuce_bench_run(argv, file);
    rewind(file);
    line = json_loadf(file, 0, &problem);
    fclose(file);
    if (line == NULL)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: printed no JSON: %s", argv[0], problem.text));
    *out = (struct nuce_bench_samples){0};
    out->ours = read_times(argv[0], line, "ours", &count);
    out->reference = read_times(argv[0], line, "reference", &references);
    if (references != count)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: printed %lld times and %lld references",
                            argv[0], (long long)count, (long long)references));
    out->count = count;
    json_decref(line);
}

char *nuce_bench_program(const char *program)
{
    struct nuce_error error;
    char *path = nuce_data_program_path(program, &error);

    if (path == NULL)
        nuce_bench_fail(&error);
    return path;
}

void nuce_scratch_init(struct nuce_scratch *out)
{
    const char *parent = getenv("TMPDIR");

    out->folder = nuce_text_format("%s/nuce-bench-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(out->folder) == NULL)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %s", out->folder, strerror(errno)));
    out->campaigns = nuce_text_format("%s/campaigns", out->folder);
    out->database = nuce_text_format("%s/nuce.db", out->folder);
    out->figures = nuce_text_format("%s/figures", out->folder);
    out->other = nuce_text_format("%s/other", out->folder);
}

void nuce_scratch_fini(struct nuce_scratch *scratch)
{
    const char *argv[] = {"rm", "-rf", "--", scratch->folder, NULL};

    nuce_bench_run(argv, NULL);
    free(scratch->folder);
    free(scratch->campaigns);
    free(scratch->database);
    free(scratch->figures);
    free(scratch->other);
}

void nuce_scratch_run(const char *program, const char *const *rest)
{
    const char *argv[MOST_ARGUMENTS + 2] = {NULL};
    FILE *nowhere = fopen("/dev/null", "w");
    char *path = nuce_bench_program(program);
    int count = 0;

    argv[count++] = path;
    while (*rest != NULL) {
        NUCE_ASSERT(nowhere != NULL && count <= MOST_ARGUMENTS);
        argv[count++] = *rest++;
    }
    nuce_bench_run(argv, nowhere);
    fclose(nowhere);
    free(path);
}
