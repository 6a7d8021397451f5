/* nuce doctor: the features of this machine, missing parts, and how to get them. The checks are in
 * doctor_machine.c and doctor_programs.c, one table for each group. They have no side effects
 * except files that they remove again. This file runs them in order and prints the results. Exit
 * status 1 only for requirements of nuce; a missing optional part is reported and is not a failure.
 */
#include <string.h>

#include "base/printable.h"
#include "campaigns/cli.h"
#include "campaigns/shell_variables.h"
#include "commands/doctor.h"
#include "commands/run_local.h"
#include "commands/subcommand.h"

/* local: the options of `nuce run`, because doctor checks the parts that such a run would use. */
struct doctor_arguments {
    struct nuce_local local;
    enum nuce_grid_format format;
};

static const struct nuce_option options[] = {
    NUCE_CLI_FORMAT(struct doctor_arguments),
    {.name = NULL},
};

/* The rest of a line; continuation lines are indented to the column where it begins. */
static void doctor_print_cell(int at, const char *text)
{
    nuce_printable_fold(text, nuce_printable_columns(stdout), at, at, stdout);
    putchar('\n');
}

/* For people: the remedy is below each problem, and the last line is the conclusion. The states of
 * all checks are in one column, so the longest name is measured first. */
static void doctor_print_text(const struct nuce_grid *grid, int bad)
{
    int width = 0;

    for (int64_t i = 0; i < grid->rows; i++) {
        int length = (int)strlen(nuce_grid_text(grid, i, "name"));

        width = length > width ? length : width;
    }
    for (int64_t i = 0; i < grid->rows; i++) {
        doctor_print_cell(printf("%-*s  %-7s  ", width, nuce_grid_text(grid, i, "name"),
                                 nuce_grid_text(grid, i, "state")),
                          nuce_grid_text(grid, i, "what"));
        if (strcmp(nuce_grid_text(grid, i, "state"), "ok") != 0)
            doctor_print_cell(printf("%*s-> ", width + 2, ""), nuce_grid_text(grid, i, "advice"));
    }
    if (!bad) {
        printf("\nAll required components are present.\n");
        return;
    }
    printf("\nnot ok, and required:");
    for (int64_t i = 0; i < grid->rows; i++) {
        if (strcmp(nuce_grid_text(grid, i, "state"), "ok") != 0 &&
            strcmp(nuce_grid_text(grid, i, "required"), "yes") == 0)
            printf(" %s", nuce_grid_text(grid, i, "name"));
    }
    putchar('\n');
}

/* As text the rows are folded to the terminal. Programs get an ordinary grid; its column `required`
 * shows which checks decide the exit status. */
static nuce_status doctor_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    static const struct nuce_doctor_check *const groups[] = {nuce_doctor_mpi, nuce_doctor_machine,
                                                             nuce_doctor_others};
    static const char *const names[] = {"name", "state", "what", "advice", "required"};
    struct doctor_arguments *arguments = call->arguments;
    struct nuce_grid grid = {0};

    nuce_grid_init(5, names, &grid);
    arguments->local.in_step = nuce_shell_leave(NUCE_SHELL_STARTS, NULL, NULL);
    /* Runs all checks: a failed one does not prevent the others. */
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (const struct nuce_doctor_check *check = groups[i]; check->name != NULL; check++) {
            struct nuce_doctor_finding finding = {.local = &arguments->local,
                                                  .name = check->name,
                                                  .state = "ok",
                                                  .advice = check->advice};
            int good;

            check->look(&finding);
            good = strcmp(finding.state, "ok") == 0;
            call->ended |= check->required && !good;
            nuce_cli_add(&grid, (const char *const[]){check->name, finding.state, finding.what,
                                                      good ? "" : finding.advice,
                                                      check->required ? "yes" : "no"});
        }
    }
    if (arguments->format == NUCE_GRID_TEXT) {
        doctor_print_text(&grid, call->ended);
        nuce_grid_fini(&grid);
        return NUCE_OK;
    }
    return nuce_cli_print(&grid, arguments->format, NUCE_OK, error);
}

const struct nuce_subcommand nuce_subcommand_doctor = {
    .name = "doctor",
    .summary = "list what this machine has and what is missing",
    .about = "Lists what this machine has, what is missing or wrong, and what to do.",
    .after = "Exit status 1 if something that nuce requires is missing or wrong.",
    .examples = NUCE_EXAMPLES({"nuce doctor", "check compilers, MPI, Slurm, counters and clocks"},
                              {"nuce doctor --mpiexec mpiexec.hydra --format json",
                               "check another launcher, and print JSON"}),
    .options = options,
    .more = nuce_local_options,
    .arguments_bytes = sizeof(struct doctor_arguments),
    .run = doctor_command,
};
