/* The common part of measuring programs. Steps: read the command line, start the watchdog and
 * MPI, find the points on rank 0, send them to all ranks, run them, and print rows or write
 * records. A program's main names its workloads and calls nuce_program_main. The exit status is
 * that of the worst point, the same on all ranks. */
#include "run/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text.h"
#include "build.h"
#include "run/arguments.h"
#include "run/check.h"
#include "run/print.h"
#include "run/race.h"
#include "run/simulation.h"

/* One run of the program, on one rank. */
struct program {
    const struct nuce_workload_run *run;
    struct nuce_arguments arguments;
    struct nuce_watchdog watchdog;
    struct nuce_world world;
    struct nuce_clock_sync clocks; /* of world */
    struct nuce_facts *facts;      /* rank 0 */
};

/* Prints one line on standard error: the machine and software of the following results. Rank 0. */
static void say_machine(const struct nuce_world *world, const struct nuce_environment *environment)
{
    json_int_t processors =
        json_integer_value(json_object_get(environment->described, "processors"));
    const char *library = json_string_value(
        json_object_get(json_object_get(environment->described, "mpi"), "library"));
    char name[256];

    fprintf(stderr, "%d rank%s, %lld processor%s usable, %s, %s%s\n", world->size,
            nuce_text_plural(world->size), (long long)processors, nuce_text_plural(processors),
            nuce_text_library(library != NULL ? library : "unknown", name, sizeof name),
            json_string_value(json_object_get(environment->described, "processor")),
            world->machine.oversubscribed
                ? "\nOVERSUBSCRIBED: more ranks than processors, on which they take turns. "
                  "Compare by ratio."
                : "");
}

/* Runs the points, which all ranks know, and prints the results. Rank 0 opens the record file.
 * With several clocks, the time to synchronise them is a fact of the launch. Rows are printed
 * even if some point failed; the program's status is then that of the failure. Collective over
 * the world. */
static nuce_status run_lines(struct program *program, const json_t *lines, struct nuce_error *error)
{
    const char *records = program->arguments.records;
    const struct nuce_clock_sync *clocks = &program->clocks;
    int is_first = program->world.rank == 0;
    struct nuce_environment environment;
    struct nuce_turn turn = {NULL, NULL};
    struct nuce_point_loop loop = {.world = &program->world,
                                   .clocks = &program->clocks,
                                   .watchdog = &program->watchdog,
                                   .run = program->run,
                                   .environment = &environment,
                                   .facts = program->facts,
                                   .campaign = program->arguments.campaign,
                                   .writer = {.descriptor = -1},
                                   .format = program->arguments.format,
                                   .turn = &turn};
    struct nuce_error problem;
    nuce_status status = NUCE_OK;

    if (nuce_environment_init(&program->world, &program->arguments.launch, &environment, error) !=
        NUCE_OK)
        return error->status;
    loop.rows = json_array();
    program->world.networks = program->arguments.networks;
    program->world.hosts = json_object_get(environment.facts, "hosts");
    if (is_first && records != NULL) {
        status = nuce_jsonl_create(records, &loop.writer, error);
        if (status == NUCE_OK)
            status = nuce_turn_open(records, &turn, error);
    }
    status = nuce_world_agree(&program->world, status, error);
    if (status == NUCE_OK && is_first) {
        if (clocks->count > 1)
            json_object_set_new(
                environment.facts, "clocks",
                json_pack("{s:i, s:f}", "count", clocks->count, "synchronised_s", clocks->took_s));
        say_machine(&program->world, &environment);
    }
    if (status == NUCE_OK) {
        loop.session = nuce_point_loop_open(&loop, &program->world);
        status = nuce_point_loop_begin(&loop, error);
        if (status == NUCE_OK)
            status = nuce_race_run_all(&loop, lines, error);
        nuce_point_loop_close(&loop, loop.session);
    }
    if (is_first && records == NULL) {
        nuce_status printed;

        /* Comparisons of contenders are added first; sentences come last. */
        if (program->run->compare != NULL)
            program->run->compare(loop.rows);
        printed =
            nuce_print_rows(loop.rows, program->arguments.workload, loop.format, stdout, &problem);
        if (printed == NUCE_OK && loop.format == NUCE_GRID_TEXT && program->run->say != NULL)
            program->run->say(loop.rows, stdout);
        if (printed != NUCE_OK && status == NUCE_OK) {
            *error = problem;
            status = printed;
        }
    }
    nuce_jsonl_close(&loop.writer);
    nuce_turn_close(&turn);
    json_decref(loop.rows);
    nuce_environment_fini(&environment);
    return nuce_world_agree(&program->world, status, error);
}

/* The number in the variable; 0: it is not set, or not a number. */
static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    long number = text == NULL ? 0 : strtol(text, &end, 10);

    return number > 0 && *end == '\0' ? number : 0;
}

/* The variable of a launcher that started several ranks; NULL: none, or one rank. A variable may
 * be inherited from an outer launcher, where one rank is right. So all set variables must exceed
 * one. Those of mpiexec come before Slurm's, because mpiexec -n 1 may run in a shell of a Slurm
 * step. A batch script has SLURM_NTASKS and is task 0 without being a step, where the variable
 * has no meaning. */
static const char *variable_of_launcher(void)
{
    static const char *const variables[] = {
        "OMPI_COMM_WORLD_SIZE", /* Open MPI: mpirun(1) */
        "PMI_SIZE",             /* MPICH's Hydra and its derivatives; srun --mpi=pmi2 */
        "MPI_LOCALNRANKS",      /* Hydra: on this node */
        "MV2_COMM_WORLD_SIZE",  /* MVAPICH2: mpirun_rsh */
        "FLUX_JOB_SIZE",        /* flux-run(1) */
        "JSM_NAMESPACE_SIZE",   /* IBM's jsrun */
    };
    const char *found = NULL;
    int is_step;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        long number = number_in(variables[i]);

        if (number == 1)
            return NULL;
        if (number > 1 && found == NULL)
            found = variables[i];
    }
    if (found != NULL)
        return found;
    if (number_in("SLURM_STEP_NUM_TASKS") > 0)
        return number_in("SLURM_STEP_NUM_TASKS") > 1 ? "SLURM_STEP_NUM_TASKS" : NULL;
    is_step = number_in("SLURM_PROCID") > 0 || getenv("SLURM_STEP_ID") != NULL;
    return number_in("SLURM_NTASKS") > 1 && is_step ? "SLURM_NTASKS" : NULL;
}

/* Warns if this process is a world of one rank but its launcher started several. A launcher of
 * another MPI library starts separate worlds of one rank: each measures itself, and its times
 * look plausible. Launchers announce their number of ranks in variables of their own. name: the
 * start of the message. Local. */
static void warn_alone(const struct nuce_world *world, const char *name)
{
    const char *variable =
        world->size > 1 || nuce_simulation_is_on() ? NULL : variable_of_launcher();
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    if (variable == NULL)
        return;
    NUCE_MPI(MPI_Get_library_version(text, &length));
    text[strcspn(text, "\n")] = '\0';
    for (char *at = strchr(text, '\t'); at != NULL; at = strchr(at, '\t'))
        *at = ' ';
    fprintf(stderr,
            "%s: warning: %ld processes were started (%s), but each is a world of one rank: the "
            "launcher seems to be of another MPI library. This program uses %s: start it by that "
            "library's mpiexec, or srun with the --mpi that it knows ('nuce doctor')\n",
            name, number_in(variable), variable, nuce_text_library(text, library, sizeof library));
}

/* Everything between MPI_Init and MPI_Finalize: rank 0 finds the points, and all ranks run them.
 * Each rank parses the text of rank 0: points always travel as plan lines, in files and between
 * ranks. Collective. */
static nuce_status program_serve(struct program *program, struct nuce_error *error)
{
    int is_first = program->world.rank == 0;
    json_t *lines = NULL;
    nuce_status status = NUCE_OK;

    if (is_first) {
        program->facts = nuce_facts_create();
        lines =
            nuce_arguments_points(&program->arguments, program->world.size, program->facts, error);
        if (lines == NULL)
            status = error->status;
        else if (program->arguments.points == NULL) /* else the harness printed it already */
            nuce_facts_print_notes(program->facts, program_invocation_short_name);
    }
    status = nuce_world_agree(&program->world, status, error);
    if (status == NUCE_OK) {
        char *text = is_first ? json_dumps(lines, JSON_COMPACT) : NULL;
        int64_t bytes = is_first ? (int64_t)strlen(text) + 1 : 0;

        nuce_world_broadcast(&program->world, &bytes, (int64_t)sizeof bytes);
        if (!is_first)
            text = nuce_allocate(bytes, 1);
        nuce_world_broadcast(&program->world, text, bytes);
        if (!is_first)
            lines = json_loads(text, 0, NULL);
        free(text);
        status = run_lines(program, lines, error);
    }
    json_decref(lines);
    nuce_facts_destroy(program->facts);
    return status;
}

/* Seconds that the ranks may take to start and connect, and to leave MPI_Finalize; then the
 * watchdog ends them. */
#define START_OR_END_S 300

/* The start of messages: under SMPI program_invocation_short_name is the simulator's. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Room for "PROGRAM WORKLOAD". */
#define TITLE_BYTES 128

/* Chooses among several workloads by the first argument. title, "PROGRAM WORKLOAD", replaces it
 * as the name of the program, so that messages and --help have it. --help and --version print
 * and exit. */
static nuce_status choose_run(int argc, char **argv, const struct nuce_workload_run *const *runs,
                              char title[TITLE_BYTES], const struct nuce_workload_run **out,
                              struct nuce_error *error)
{
    const char *name = program_invocation_short_name;
    const char *first = argc > 1 ? argv[1] : "";
    char list[256] = "";

    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "-?") == 0) {
        printf("Usage: %s WORKLOAD [OPTION...]\n\nMeasures this machine.\n\nWorkloads:\n", name);
        for (int i = 0; runs[i] != NULL; i++)
            printf("  %-14s %s\n", runs[i]->name, nuce_workload_find(runs[i]->name)->summary);
        printf("\n'%s WORKLOAD --help' shows its options.\n\n", name);
        nuce_command_line_print_examples(nuce_workload_find(runs[0]->name)->examples, stdout);
        exit(nuce_error_exit_status(NUCE_OK));
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        printf("%s %s\n", name, NUCE_VERSION);
        exit(nuce_error_exit_status(NUCE_OK));
    }
    for (int i = 0; runs[i] != NULL; i++) {
        if (strcmp(first, runs[i]->name) != 0)
            continue;
        snprintf(title, TITLE_BYTES, "%s %s", name, first);
        argv[1] = title;
        *out = runs[i];
        return NUCE_OK;
    }
    for (int i = 0; runs[i] != NULL; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 runs[i]->name);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': unknown workload: expected one of %s first (see --help)", first,
                          list);
}

/* The command line is read before MPI_Init, so that --help and --version, which exit, need no
 * launcher. Only rank 0 reports its errors, after MPI_Init. The watchdog is also started before
 * MPI_Init: a rank that hangs in it is ended after START_OR_END_S. If its launcher is killed, a
 * rank (MPICH sets PMI_RANK for it) would wait forever and use a processor, so it ends with the
 * launcher. */
int nuce_program_main(int argc, char **argv, const struct nuce_workload_run *const *runs)
{
    struct program program = {0};
    struct nuce_error error = {0};
    char title[TITLE_BYTES];
    nuce_status status = NUCE_OK;
    int provided, chosen_by = runs[1] == NULL ? 0 : 1; /* arguments that name the workload */
    pid_t launcher;

    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error with a message */
    /* A line is one write, because the lines of all ranks go through one launcher. If stderr is
     * unbuffered, glibc 2.37 and later write it in pieces of 128 bytes. */
    setvbuf(stderr, NULL, _IOLBF, 0);
    program.run = runs[0];
    if (chosen_by > 0)
        status = choose_run(argc, argv, runs, title, &program.run, &error);
    if (status == NUCE_OK)
        status = nuce_arguments_parse(nuce_workload_find(program.run->name), argc - chosen_by,
                                      argv + chosen_by, &program.arguments, &error);
    if (nuce_watchdog_start(&program.watchdog, &error) != NUCE_OK) {
        nuce_error_print(&error, argv[0]);
        return nuce_error_exit_status(NUCE_FAILED);
    }
    launcher = getppid();
    if (getenv("PMI_RANK") != NULL) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != launcher)
            _exit(nuce_error_exit_status(NUCE_FAILED));
    }
    nuce_watchdog_arm(&program.watchdog, START_OR_END_S, NULL, NULL);
    NUCE_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    nuce_world_init(&program.world);
    warn_alone(&program.world, last_name(argv[0]));
    program.world.program = nuce_simulation_is_on() ? argv[0] : "/proc/self/exe";
    nuce_watchdog_look_at(&program.watchdog, program.world.watch, program.world.board.ranks,
                          program.world.board.count);
    nuce_clock_sync_init(&program.world, &program.clocks);
    nuce_watchdog_disarm(&program.watchdog);
    status = nuce_world_agree(&program.world, status, &error);
    if (status == NUCE_OK)
        status = program_serve(&program, &error);
    if (status != NUCE_OK && program.world.rank == 0)
        nuce_error_print(&error, last_name(argv[0]));
    if (program.arguments.workload != NULL)
        nuce_arguments_fini(&program.arguments);
    nuce_clock_sync_fini(&program.clocks);
    nuce_watchdog_end(&program.watchdog, program.world.rank, START_OR_END_S);
    nuce_world_fini(&program.world);
    NUCE_MPI(MPI_Finalize());
    nuce_watchdog_stop(&program.watchdog);
    return nuce_error_exit_status(status);
}
