/* nuce-bench: our own cost, each number beside a reference measured in the same run. */
#include <argp.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/data.h"
#include "base/grid.h"
#include "base/text.h"
#include "bench.h"

#define X(name) extern const struct nuce_bench nuce_bench_##name;
#define R(name) X(name)
#include "bench.def"
#undef X

const struct nuce_bench *const nuce_benches[] = {
#define X(name) &nuce_bench_##name,
#include "bench.def"
#undef X
    NULL,
};

#define MOST_NAMES 64

struct arguments {
    int format;     /* enum nuce_grid_format */
    double limit_s; /* of each bench */
    int list;
    const struct nuce_bench *chosen[MOST_NAMES];
    int count;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(WORD, "format", offsetof(struct arguments, format), "text", "FORMAT",
                "text, json (a line each) or csv", .letter = 'f', .choices = nuce_grid_format_name),
    NUCE_OPTION(DURATION, "limit", offsetof(struct arguments, limit_s), "3s", "TIME",
                "how long to repeat each bench", .letter = 't'),
    NUCE_OPTION(FLAG, "list", offsetof(struct arguments, list), NULL, NULL,
                "say what there is to measure, and measure nothing", .letter = 'l'),
    {.name = NULL},
};

static nuce_status choose(struct arguments *arguments, const char *name, struct nuce_error *error)
{
    const char *names[MOST_NAMES];
    const char *nearest;
    size_t count = 0;

    for (; nuce_benches[count] != NULL; count++) {
        names[count] = nuce_benches[count]->name;
        if (strcmp(names[count], name) != 0)
            continue;
        arguments->chosen[arguments->count++] = nuce_benches[count];
        return NUCE_OK;
    }
    nearest = nuce_text_nearest(name, names, count);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "unknown bench '%s' (did you mean '%s'?)",
                              name, nearest);
    return nuce_error_set(error, NUCE_BAD_INPUT, "unknown bench '%s'; --list names them", name);
}

static void choose_all(struct arguments *arguments)
{
    for (int i = 0; nuce_benches[i] != NULL; i++) {
        if (nuce_benches[i]->study != NULL)
            continue;
        if (nuce_benches[i]->needs_scalapack && NUCE_SCALAPACK[0] == '\0') {
            fprintf(stderr, "%s: left out: built without ScaLAPACK\n", nuce_benches[i]->name);
            continue;
        }
        if (nuce_benches[i]->needs_scotch && NUCE_SCOTCH[0] == '\0') {
            fprintf(stderr, "%s: left out: built without SCOTCH\n", nuce_benches[i]->name);
            continue;
        }
        NUCE_ASSERT(arguments->count < MOST_NAMES);
        arguments->chosen[arguments->count++] = nuce_benches[i];
    }
}

static void list(void)
{
    for (int i = 0; nuce_benches[i] != NULL; i++)
        printf("%-14s %s; %s%s\n", nuce_benches[i]->name, nuce_benches[i]->summary,
               nuce_benches[i]->study != NULL ? "" : "beside ", nuce_benches[i]->reference);
}

/* Samples of a bench that is a program of its own. */
static nuce_status launch(const struct nuce_bench *bench, struct nuce_bench_samples *samples,
                          struct nuce_error *error)
{
    char *path = nuce_data_program_path(bench->program, error);
    char ranks[16];
    const char *argv[] = {NUCE_MPIEXEC,        "-n", ranks, path, bench->arguments[0],
                          bench->arguments[1], NULL};
    nuce_status status;

    if (path == NULL)
        return error->status;
    snprintf(ranks, sizeof ranks, "%d", bench->ranks);
    status = nuce_bench_run_command(argv, samples, error);
    free(path);
    return status;
}

static nuce_status run(const struct nuce_bench *bench, double limit_s,
                       struct nuce_bench_result *out, struct nuce_error *error)
{
    struct nuce_bench_samples samples;
    nuce_status status = bench->program != NULL
                             ? launch(bench, &samples, error)
                             : nuce_bench_measure(bench, limit_s, &samples, error);

    if (status == NUCE_OK) {
        nuce_bench_evaluate(bench, &samples, out);
        nuce_bench_samples_fini(&samples);
    }
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", bench->name);
}

/* What a study prints is for people: it goes to standard output as it is. */
static nuce_status run_study(const struct nuce_bench *bench, struct nuce_error *error)
{
    char *path = nuce_data_program_path(bench->study, error);
    char *folder = nuce_data_program_path(".", error);
    const char *argv[] = {path, folder, NULL};
    nuce_status status =
        path == NULL || folder == NULL ? error->status : nuce_bench_show(argv, error);

    free(folder);
    free(path);
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", bench->name);
}

/* Each row is printed when it is there: all take an hour, and what was measured before an interrupt
 * or a failure is not lost. */
static nuce_status run_chosen(const struct arguments *arguments, struct nuce_error *error)
{
    enum nuce_grid_format format = (enum nuce_grid_format)arguments->format;
    int has_head = 0;

    for (int i = 0; i < arguments->count; i++) {
        const struct nuce_bench *bench = arguments->chosen[i];
        struct nuce_bench_result result;
        nuce_status status;

        fprintf(stderr, "%s ...\n", bench->name);
        status = bench->study != NULL ? run_study(bench, error)
                                      : run(bench, arguments->limit_s, &result, error);
        if (status == NUCE_OK && bench->study == NULL) {
            if (!has_head)
                nuce_bench_print_head(arguments->chosen, arguments->count, format);
            has_head = 1;
            status =
                nuce_bench_print_row(arguments->chosen, arguments->count, &result, format, error);
        }
        if (status != NUCE_OK)
            return status;
    }
    return NUCE_OK;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct nuce_command_line line = {
        .about =
            "Measures what nuce itself costs, every number beside a reference in the same run: "
            "medians with their 95 % intervals, of each and of the ratio. Without a NAME, all. "
            "A missed budget is said, and is no failure.",
        .operands = {.usage = "[NAME...]", .most = MOST_NAMES, .expected = "fewer names"},
        .groups = {{.rows = options, .params = &arguments}},
    };
    struct nuce_error error;
    nuce_status status = NUCE_OK;

    setlocale(LC_CTYPE, "");
    argp_program_version = "nuce-bench " NUCE_VERSION;
    nuce_command_line_parse(&line, argc, argv);
    if (arguments.list) {
        list();
        return 0;
    }
    for (int i = 0; status == NUCE_OK && i < line.operands.count; i++)
        status = choose(&arguments, line.operands.texts[i], &error);
    if (line.operands.count == 0)
        choose_all(&arguments);
    if (status == NUCE_OK)
        status = run_chosen(&arguments, &error);
    if (status != NUCE_OK) {
        nuce_error_print(&error, "nuce-bench");
        return nuce_error_exit_status(status);
    }
    return fflush(stdout) == 0 ? 0 : nuce_error_exit_status(NUCE_FAILED);
}
