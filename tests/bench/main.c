/* nuce-bench: our own cost, each number beside a reference measured in the same run. */
#include <argp.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command_line.h"
#include "base/grid.h"
#include "base/text.h"
#include "bench.h"

/* In the order in which they run. */
static const struct nuce_bench *const tables[] = {
    nuce_bench_schedules, nuce_bench_dense,  nuce_bench_programs, nuce_bench_captures,
    nuce_bench_records,   nuce_bench_points, nuce_bench_mappings, nuce_bench_arrays,
};

#define MOST_NAMES 80

/* All of them; returns how many. */
static int collect(const struct nuce_bench *out[MOST_NAMES])
{
    int count = 0;

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const struct nuce_bench *bench = tables[i]; bench->name != NULL; bench++) {
            NUCE_ASSERT(count < MOST_NAMES);
            out[count++] = bench;
        }
    }
    return count;
}

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

static void choose(struct arguments *arguments, const struct nuce_bench *const *all, int count,
                   const char *name)
{
    const char *names[MOST_NAMES], *nearest;

    for (int i = 0; i < count; i++) {
        names[i] = all[i]->name;
        if (strcmp(names[i], name) == 0) {
            arguments->chosen[arguments->count++] = all[i];
            return;
        }
    }
    nearest = nuce_text_nearest(name, names, (size_t)count);
    if (nearest != NULL)
        MUST(nuce_error_set(&error, NUCE_BAD_INPUT, "unknown bench '%s' (did you mean '%s'?)", name,
                            nearest));
    MUST(nuce_error_set(&error, NUCE_BAD_INPUT, "unknown bench '%s'; --list names them", name));
}

static void choose_all(struct arguments *arguments, const struct nuce_bench *const *all, int count)
{
    for (int i = 0; i < count; i++) {
        if (all[i]->study != NULL)
            continue;
        if (all[i]->needs_scalapack && NUCE_SCALAPACK[0] == '\0')
            fprintf(stderr, "%s: left out: built without ScaLAPACK\n", all[i]->name);
        else if (all[i]->needs_scotch && NUCE_SCOTCH[0] == '\0')
            fprintf(stderr, "%s: left out: built without SCOTCH\n", all[i]->name);
        else
            arguments->chosen[arguments->count++] = all[i];
    }
}

/* Output of a study is for people: it goes to standard output as it is. */
static void run_study(const struct nuce_bench *bench)
{
    char *path = nuce_bench_program(bench->study), *folder = nuce_bench_program(".");
    const char *argv[] = {path, folder, NULL};

    setenv("MPIEXEC", NUCE_MPIEXEC, 0);
    nuce_bench_run(argv, NULL);
    free(folder);
    free(path);
}

/* Samples of a bench that is a program of its own. */
static void launch(const struct nuce_bench *bench, struct nuce_bench_samples *samples)
{
    char *path = nuce_bench_program(bench->program);
    char ranks[16];
    const char *argv[] = {NUCE_MPIEXEC,        "-n", ranks, path, bench->arguments[0],
                          bench->arguments[1], NULL};

    snprintf(ranks, sizeof ranks, "%d", bench->ranks);
    nuce_bench_run_command(argv, samples);
    free(path);
}

/* Each row is printed when it is there: all take an hour, and an interrupt or a failure must not
 * lose the rows before it. */
static void run_chosen(const struct arguments *arguments)
{
    enum nuce_grid_format format = (enum nuce_grid_format)arguments->format;
    int has_head = 0;

    for (int i = 0; i < arguments->count; i++) {
        const struct nuce_bench *bench = arguments->chosen[i];
        struct nuce_bench_samples samples;
        struct nuce_bench_result result;

        fprintf(stderr, "%s ...\n", bench->name);
        if (bench->study != NULL) {
            run_study(bench);
            continue;
        }
        if (bench->program != NULL)
            launch(bench, &samples);
        else
            nuce_bench_measure(bench, arguments->limit_s, &samples);
        nuce_bench_evaluate(bench, &samples, &result);
        nuce_bench_samples_fini(&samples);
        if (!has_head)
            nuce_bench_print_head(arguments->chosen, arguments->count, format);
        has_head = 1;
        nuce_bench_print_row(arguments->chosen, arguments->count, &result, format);
    }
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct nuce_command_line line = {
        .about =
            "Measures what nuce itself costs, every number beside a reference in the same run: "
            "medians with their 95 % intervals, of each and of the ratio. Without a NAME, all. "
            "A missed budget is said, and is no failure.",
        .examples = NUCE_EXAMPLES({"nuce-bench --list", "list what there is to measure"},
                                  {"nuce-bench rs-n-32 --limit 10s", "measure one for 10 s"}),
        .operands = {.usage = "[NAME...]", .most = MOST_NAMES, .expected = "fewer names"},
        .groups = {{.rows = options, .params = &arguments}},
    };
    const struct nuce_bench *all[MOST_NAMES];
    int count = collect(all);

    setlocale(LC_CTYPE, "");
    argp_program_version = "nuce-bench " NUCE_VERSION;
    nuce_command_line_parse(&line, argc, argv);
    if (arguments.list) {
        for (int i = 0; i < count; i++)
            printf("%-14s %s; %s%s\n", all[i]->name, all[i]->summary,
                   all[i]->study != NULL ? "" : "beside ", all[i]->reference);
        return 0;
    }
    for (int i = 0; i < line.operands.count; i++)
        choose(&arguments, all, count, line.operands.texts[i]);
    if (line.operands.count == 0)
        choose_all(&arguments, all, count);
    run_chosen(&arguments);
    return fflush(stdout) == 0 ? 0 : nuce_error_exit_status(NUCE_FAILED);
}
