/* nuce-bench: our own cost, each number beside a reference measured in the same run. */
#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "support/data.h"
#include "support/help.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define MOST_NAMES 64

struct arguments {
    const char *format;
    double limit_s; /* of each bench */
    int list;
    const struct nuce_bench *chosen[MOST_NAMES];
    int count;
};

static void choose(struct arguments *arguments, const char *name, struct argp_state *state)
{
    const char *names[MOST_NAMES];
    const char *nearest;
    size_t count = 0;

    for (; nuce_benches[count] != NULL; count++) {
        names[count] = nuce_benches[count]->name;
        if (strcmp(names[count], name) != 0)
            continue;
        if (arguments->count == MOST_NAMES)
            argp_error(state, "more than %d names", MOST_NAMES);
        arguments->chosen[arguments->count++] = nuce_benches[count];
        return;
    }
    nearest = nuce_text_nearest(name, names, count);
    if (nearest != NULL)
        argp_error(state, "unknown bench '%s' (did you mean '%s'?)", name, nearest);
    else
        argp_error(state, "unknown bench '%s'; --list names them", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct nuce_error error;

    switch (key) {
    case 'f':
        if (strcmp(argument, "text") != 0 && strcmp(argument, "json") != 0 &&
            strcmp(argument, "csv") != 0)
            argp_error(state, "--format '%s': expected text, json or csv", argument);
        arguments->format = argument;
        return 0;
    case 'l':
        arguments->list = 1;
        return 0;
    case 't':
        if (nuce_parse_duration(argument, &arguments->limit_s, &error) != NUCE_OK)
            argp_error(state, "--limit %s", error.message);
        return 0;
    case ARGP_KEY_ARG:
        choose(arguments, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void choose_all(struct arguments *arguments)
{
    for (int i = 0; nuce_benches[i] != NULL; i++) {
        if (nuce_benches[i]->needs_scalapack && NUCE_SCALAPACK[0] == '\0') {
            (void)fprintf(stderr, "%s: left out: built without ScaLAPACK\n", nuce_benches[i]->name);
            continue;
        }
        if (nuce_benches[i]->needs_scotch && NUCE_SCOTCH[0] == '\0') {
            (void)fprintf(stderr, "%s: left out: built without SCOTCH\n", nuce_benches[i]->name);
            continue;
        }
        NUCE_ASSERT(arguments->count < MOST_NAMES);
        arguments->chosen[arguments->count++] = nuce_benches[i];
    }
}

static void list(void)
{
    for (int i = 0; nuce_benches[i] != NULL; i++)
        (void)printf("%-14s %s; beside %s\n", nuce_benches[i]->name, nuce_benches[i]->summary,
                     nuce_benches[i]->reference);
}

/* Samples of a bench that is a program of its own. */
static nuce_status launch(const struct nuce_bench *bench, struct nuce_bench_samples *samples,
                          struct nuce_error *error)
{
    char *path = nuce_program_path(bench->program, error);
    char ranks[16];
    const char *argv[] = {NUCE_MPIEXEC,        "-n", ranks, path, bench->arguments[0],
                          bench->arguments[1], NULL};
    nuce_status status;

    if (path == NULL)
        return error->status;
    (void)snprintf(ranks, sizeof ranks, "%d", bench->ranks);
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
        status = nuce_bench_evaluate(bench, &samples, out, error);
        nuce_bench_samples_fini(&samples);
    }
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", bench->name);
}

static nuce_status run_chosen(const struct arguments *arguments, struct nuce_error *error)
{
    struct nuce_bench_result results[MOST_NAMES];

    for (int i = 0; i < arguments->count; i++) {
        (void)fprintf(stderr, "%s ...\n", arguments->chosen[i]->name);
        if (run(arguments->chosen[i], arguments->limit_s, &results[i], error) != NUCE_OK)
            return error->status;
    }
    return nuce_bench_print(results, arguments->count, arguments->format, error);
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"format", 'f', "FORMAT", 0, "text (default), json (a line each) or csv", 0},
        {"limit", 't', "TIME", 0, "how long to repeat each bench (default 3s)", 0},
        {"list", 'l', NULL, 0, "say what there is to measure, and measure nothing", 0},
        {NULL, 0, NULL, 0, NULL, 0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[NAME...]",
        .doc = "Measures what nuce itself costs, every number beside a reference in the same run: "
               "medians with their 95 % intervals, of each and of the ratio. Without a NAME, all. "
               "A missed budget is said, and is no failure.",
    };
    struct arguments arguments = {.format = "text", .limit_s = 3};
    struct nuce_error error;

    (void)setlocale(LC_CTYPE, "");
    argp_err_exit_status = nuce_exit_status(NUCE_BAD_INPUT);
    argp_program_version = "nuce-bench " NUCE_VERSION;
    nuce_help_expand(argc, argv);
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return nuce_exit_status(NUCE_FAILED);
    if (arguments.list) {
        list();
        return 0;
    }
    if (arguments.count == 0)
        choose_all(&arguments);
    if (run_chosen(&arguments, &error) != NUCE_OK) {
        (void)fprintf(stderr, "nuce-bench: %s\n", error.message);
        return nuce_exit_status(error.status);
    }
    return fflush(stdout) == 0 ? 0 : nuce_exit_status(NUCE_FAILED);
}
