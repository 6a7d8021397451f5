/* nuce advise: from races to what an application should do. The advice is the plot `advice`
 * (plots/tables/advised.sql decides); here are its sentences on a terminal, its tuning file, and
 * for a capture that has not raced, the sweep that races it.
 *
 * Order: the tuning file; the sweep; the command. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/printable.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/cli.h"
#include "campaigns/config.h"
#include "campaigns/profile_keys.h"
#include "commands/advise_check.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"
#include "results/plot.h"
#include "schedules/tuning_file.h"

/* named: a campaign, a sweep or a capture; NULL: all of the database. */
struct advise_arguments {
    const char *named, *database, *environment, *write;
    const char *check, *metric, *better, *expect, *budget, *timeout;
    int disturbed;
    enum nuce_grid_format format;
};

#define AT(member) offsetof(struct advise_arguments, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "write", offsetof(struct advise_arguments, write), NULL, "FILE",
                "tuning file of the advice, with its evidence; an older one is replaced. The "
                "nearest settings of the MPI library go to FILE.env",
                .letter = 'o'),
    NUCE_OPTION(FLAG, "disturbed", offsetof(struct advise_arguments, disturbed), NULL, NULL,
                "also advice from races with other load or too few processors"),
    NUCE_OPTION(TEXT, "check", AT(check), NULL, "FILE",
                "race the application behind -- with this tuning file and without, and withdraw "
                "its rules from the file unless it is faster"),
    NUCE_OPTION(TEXT, "metric", AT(metric), NULL, "METRIC", "of --check, as of nuce race",
                .letter = 'M'),
    NUCE_OPTION(TEXT, "better", AT(better), NULL, "HOW", "of --check, as of nuce race"),
    NUCE_OPTION(TEXT, "expect", AT(expect), NULL, "REGEX", "of --check, as of nuce race"),
    NUCE_OPTION(TEXT, "budget", AT(budget), NULL, "TIME", "of --check, as of nuce race",
                .letter = 'b'),
    NUCE_OPTION(TEXT, "timeout", AT(timeout), NULL, "TIME", "of --check, as of nuce race",
                .letter = 't'),
    NUCE_CLI_ENVIRONMENT(struct advise_arguments),
    NUCE_CLI_DATABASE(struct advise_arguments),
    NUCE_CLI_FORMAT(struct advise_arguments),
    {.name = NULL},
};

static int is(const struct nuce_grid *grid, int64_t row, const char *column, const char *value)
{
    return strcmp(nuce_grid_text(grid, row, column), value) == 0;
}

/* True if another row has another rule for the same call and pattern, as races of it with two
 * arrivals may. */
static int is_contradicted(const struct nuce_grid *grid, int64_t row)
{
    static const char *const same[] = {"call", "ranks", "fingerprint"};

    for (int64_t other = 0; other < grid->rows; other++) {
        int is_same = 1;

        for (int i = 0; i < 3; i++)
            is_same &= is(grid, other, same[i], nuce_grid_text(grid, row, same[i]));
        if (is_same && !is(grid, other, "rule", nuce_grid_text(grid, row, "rule")))
            return 1;
    }
    return 0;
}

/* Why a row gives no rule; NULL: it gives one. `first` is the row whose machine and MPI library the
 * file is for. A rule replaces a call of the library, so it needs a race against that; the sends of
 * an application stay its own where nothing is faster. */
static const char *why_no_rule(const struct nuce_grid *grid, int64_t row, int64_t first)
{
    int64_t earlier = 0;
    size_t call = 0;

    while (nuce_tuning_calls[call] != NULL && !is(grid, row, "call", nuce_tuning_calls[call]))
        call++;
    if (is(grid, row, "rule", ""))
        return nuce_grid_text(grid, row, "reason");
    if (is(grid, row, "fingerprint", ""))
        return "recorded without a fingerprint: race it again";
    if (nuce_tuning_calls[call] == NULL)
        return "no rule can name this call";
    if (is(grid, row, "now_is_called", "0"))
        return "raced without the call that a rule replaces";
    if (is(grid, row, "rule", "library") && is(grid, row, "now", "ac"))
        return "the sends of the application stay its own";
    if (is(grid, row, "schedule", "rma"))
        return "nuce apply has no rma";
    if (first >= 0 && (!is(grid, row, "machine", nuce_grid_text(grid, first, "machine")) ||
                       !is(grid, row, "mpi", nuce_grid_text(grid, first, "mpi"))))
        return "of another machine or MPI library";
    if (is_contradicted(grid, row))
        return "races of this pattern contradict each other";
    while (earlier < row &&
           !(is(grid, earlier, "call", nuce_grid_text(grid, row, "call")) &&
             is(grid, earlier, "ranks", nuce_grid_text(grid, row, "ranks")) &&
             is(grid, earlier, "fingerprint", nuce_grid_text(grid, row, "fingerprint"))))
        earlier++;
    return earlier < row ? "the same as above" : NULL;
}

/* The row that says of which machine and MPI library the file is; the number of rows: none does. */
static int64_t find_first(const struct nuce_grid *grid)
{
    int64_t first = 0;

    while (first < grid->rows && why_no_rule(grid, first, -1) != NULL)
        first++;
    return first;
}

/* The rule of a row that gives one. NUCE_BAD_INPUT: the database has a schedule or an option that
 * this nuce does not. */
static nuce_status make_rule(const struct nuce_grid *grid, int64_t row,
                             struct nuce_tuning_rule *out, struct nuce_error *error)
{
    const char *name = nuce_grid_text(grid, row, "schedule");
    json_t *params = json_loads(nuce_grid_text(grid, row, "params"), 0, NULL);
    struct nuce_tuning_rule rule = {
        .ranks = (int)strtol(nuce_grid_text(grid, row, "ranks"), NULL, 10),
        .fingerprint = strtoull(nuce_grid_text(grid, row, "fingerprint"), NULL, 16),
        .schedule = nuce_schedule_find(name),
        .tuning = nuce_tuning_preset,
    };

    if (rule.schedule != NULL) {
        rule.call_time_s = strtod(nuce_grid_text(grid, row, "call_s"), NULL);
        rule.ratio = strtod(nuce_grid_text(grid, row, "ratio"), NULL);
    }
    error->status = NUCE_OK;
    if (rule.schedule == NULL && strcmp(name, "library") != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "'%.60s': expected a schedule of this nuce", name);
    for (const struct nuce_option *option = nuce_tuning_options;
         error->status == NUCE_OK && rule.schedule != NULL && option->name != NULL; option++) {
        const json_t *value = json_object_get(params, option->name);

        if (value != NULL && (option->uses & rule.schedule->uses) != 0)
            error->status = nuce_option_set_json(option, &rule.tuning, value, error);
    }
    json_decref(params);
    NUCE_ASSERT(nuce_text_copy(rule.call, sizeof rule.call, nuce_grid_text(grid, row, "call")));
    if (error->status == NUCE_OK)
        *out = rule;
    return error->status;
}

/* The classes follow the patterns, each once: a pattern wins over a class, wherever it stands.
 * Calls of a class have different times, so it has none. */
static nuce_status print_classes(const struct nuce_grid *grid, int64_t first, FILE *file,
                                 struct nuce_error *error)
{
    error->status = NUCE_OK;
    for (int64_t row = 0; row < grid->rows && error->status == NUCE_OK; row++) {
        struct nuce_tuning_rule rule;
        int64_t earlier = 0;

        if (is(grid, row, "class", "") || why_no_rule(grid, row, first) != NULL)
            continue;
        while (earlier < row && !(is(grid, earlier, "class", nuce_grid_text(grid, row, "class")) &&
                                  is(grid, earlier, "rule", nuce_grid_text(grid, row, "rule")) &&
                                  is(grid, earlier, "ranks", nuce_grid_text(grid, row, "ranks"))))
            earlier++;
        if (earlier < row || make_rule(grid, row, &rule, error) != NUCE_OK)
            continue;
        rule.is_class = 1;
        rule.call_time_s = rule.ratio = 0;
        NUCE_ASSERT(sscanf(nuce_grid_text(grid, row, "class"),
                           "bytes=%" SCNd64 "..%" SCNd64 " degree=%" SCNd64 "..%" SCNd64,
                           &rule.bytes.low, &rule.bytes.high, &rule.degree.low,
                           &rule.degree.high) == 4);
        fputs("# of patterns between those above, none of which contradicts:\n", file);
        nuce_tuning_rule_print(&rule, file);
    }
    return error->status;
}

/* Texts of the database come from records, and those of bundles from strangers: their control
 * characters, which could end a comment, have been replaced. */
static nuce_status print_tuning(const struct nuce_grid *grid, FILE *file, struct nuce_error *error)
{
    int64_t first = find_first(grid);

    if (first == grid->rows)
        return nuce_error_set(
            error, NUCE_FAILED,
            "no rule to write: each exchange is inconclusive, raced without the call that a rule "
            "replaces, or is won by rma, which nuce apply does not have ('nuce advise' says "
            "which)");
    nuce_tuning_file_print_head(nuce_grid_text(grid, first, "machine"),
                                nuce_grid_text(grid, first, "mpi"), file);
    for (int64_t row = 0; row < grid->rows; row++) {
        const char *reason = why_no_rule(grid, row, first);
        struct nuce_tuning_rule rule;

        fprintf(file, "# %s\n#   campaigns %s, %s launches, now %s, noise %s\n",
                nuce_grid_text(grid, row, "exchange"), nuce_grid_text(grid, row, "campaigns"),
                nuce_grid_text(grid, row, "launches"), nuce_grid_text(grid, row, "now"),
                nuce_grid_text(grid, row, "noise_told"));
        if (!is(grid, row, "candidate", ""))
            fprintf(file, "#   %s: ratio %s, made in %s, pays after %s calls\n",
                    nuce_grid_text(grid, row, "candidate"), nuce_grid_text(grid, row, "ratio_told"),
                    nuce_grid_text(grid, row, "made_in"), nuce_grid_text(grid, row, "pays_after"));
        if (!is(grid, row, "busy", "0") || !is(grid, row, "oversubscribed", "0"))
            fprintf(file, "#   other load in %s launches%s\n", nuce_grid_text(grid, row, "busy"),
                    is(grid, row, "oversubscribed", "0") ? "" : ", more ranks than processors");
        if (!is(grid, row, "knob", ""))
            fprintf(file, "#   without nuce: %s\n#   %s\n", nuce_grid_text(grid, row, "knob"),
                    nuce_grid_text(grid, row, "knob_told"));
        if (reason == NULL && !is(grid, row, "beyond_apply", ""))
            fprintf(file, "#   for libnuce_mpi: nuce apply replaces no %s\n",
                    nuce_grid_text(grid, row, "beyond_apply"));
        if (reason != NULL)
            fprintf(file, "#   no rule: %s\n", reason);
        else if (make_rule(grid, row, &rule, error) == NUCE_OK)
            nuce_tuning_rule_print(&rule, file);
        else
            return error->status;
    }
    return print_classes(grid, first, file, error);
}

/* The settings of the MPI library that come nearest to rules, for a shell to read. A program has
 * one setting for all its exchanges, so those that need different ones leave them as comments.
 * Returns their number. */
static int64_t print_settings(const struct nuce_grid *grid, FILE *file)
{
    int64_t first = find_first(grid), count = 0;
    const char *one = "", *mark = "";

    for (int64_t row = first; row < grid->rows; row++) {
        if (is(grid, row, "knob", "") || why_no_rule(grid, row, first) != NULL)
            continue;
        if (count++ == 0)
            one = nuce_grid_text(grid, row, "knob");
        else if (!is(grid, row, "knob", one))
            mark = "# ";
    }
    fprintf(file,
            "# Settings of %s nearest to rules, instead of 'nuce apply'. They govern each "
            "MPI_Alltoallv\n# of the program%s: race the whole program.\n",
            nuce_grid_text(grid, first, "mpi"),
            strstr(one, "MPIR_") == NULL ? "" : ", and its other all-to-all calls");
    if (*mark != '\0')
        fputs("# The exchanges need different settings: none is set here.\n", file);
    for (int64_t row = first; row < grid->rows; row++) {
        char *knob, *rest = NULL;

        if (is(grid, row, "knob", "") || why_no_rule(grid, row, first) != NULL)
            continue;
        fprintf(file, "# %s: %s, %s\n#   %s\n", nuce_grid_text(grid, row, "exchange"),
                nuce_grid_text(grid, row, "candidate"), nuce_grid_text(grid, row, "ratio_told"),
                nuce_grid_text(grid, row, "knob_told"));
        knob = nuce_text_duplicate(nuce_grid_text(grid, row, "knob"));
        for (char *word = strtok_r(knob, " ", &rest); word != NULL;
             word = strtok_r(NULL, " ", &rest))
            fprintf(file, "%sexport %s\n", mark, word);
        free(knob);
    }
    return count;
}

/* Without settings the file of an older advice is replaced by one that sets nothing. */
static nuce_status write_tuning(const struct nuce_grid *grid, const char *path,
                                struct nuce_error *error)
{
    char *settings_path = nuce_text_format("%s.env", path);
    struct nuce_text_print tuning, settings;
    int64_t count = 0;
    nuce_status status;

    nuce_text_print_begin(&tuning);
    nuce_text_print_begin(&settings);
    status = print_tuning(grid, tuning.file, error);
    if (status == NUCE_OK)
        count = print_settings(grid, settings.file);
    nuce_text_print_end(&tuning);
    nuce_text_print_end(&settings);
    if (status == NUCE_OK)
        status = nuce_safe_write_path(path, tuning.text, tuning.length, error);
    if (status == NUCE_OK && (count > 0 || access(settings_path, F_OK) == 0))
        status = nuce_safe_write_path(settings_path, settings.text, settings.length, error);
    free(tuning.text);
    free(settings.text);
    free(settings_path);
    return status;
}

/* Contenders of each kind, by which a first race covers most of what can win. */
#define MOST_CALLS 8
static const char sweep_text[] =
    "name: %s\n"
    "workload: exchange\n"
    "sweep:\n"
    "  - {schedule: [alltoallv, neighbor, ac, lpt, rs-nh, grants, tuna], capture: '%s', call: "
    "top-%d}\n"
    "  - {schedule: ac, in-flight: [1, 4], capture: '%s', call: top-%d}\n"
    "reference: alltoallv\n";

/* The sweep that races the capture's patterns, on standard output: nothing in the database is of
 * them. Its cost is that of 'nuce plan'. hosts: of the capture; several are a job's. */
static nuce_status print_sweep(const char *path, int hosts, struct nuce_error *error)
{
    char *cost, *quoted = nuce_text_duplicate("");
    const char *name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    int length = (int)strcspn(name, ".");
    char *sweep = nuce_text_format("%.*s", length, name);
    struct nuce_config config = {.path = nuce_text_duplicate("the sweep of the capture")};
    struct nuce_problems problems;

    for (const char *at = path; *at != '\0'; at++)
        nuce_text_append(&quoted, *at == '\'' ? "''" : "%c", *at);
    config.text = nuce_text_format(sweep_text, nuce_text_is_name(sweep) ? sweep : "app", quoted,
                                   MOST_CALLS, quoted, MOST_CALLS);
    config.length = strlen(config.text);
    if (nuce_config_parse(0, &nuce_slurm_judge, &config, &problems, error) == NUCE_OK) {
        cost = nuce_sampling_time_estimate(&config);
        printf("# No race of %s is in the database. This sweep races it: %lld points, %s.\n"
               "# nuce advise %s >app.yaml; nuce %s; nuce advise %s\n%s",
               path, (long long)config.plan.count, cost, path,
               hosts > 1 ? "submit app.yaml; nuce status --watch; nuce collect" : "run app.yaml",
               path, config.text);
        free(cost);
    } else {
        nuce_problems_print(&problems, stderr);
    }
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    free(sweep);
    free(quoted);
    return error->status;
}

/* Restricts the plot to exchanges of the capture, whose points have its SHA-256. */
static nuce_status choose_capture(const char *path, struct nuce_plot *plot, int *hosts,
                                  struct nuce_error *error)
{
    char hex[NUCE_HASH_BYTES], *rows;
    struct nuce_capture capture = {0};

    if (nuce_cli_is_sweep(path, "advise", error) ||
        nuce_capture_read(path, &capture, error) != NUCE_OK)
        return error->status;
    *hosts = capture.hosts;
    nuce_capture_fini(&capture);
    if (nuce_hash_file(path, hex, error) != NUCE_OK)
        return error->status;
    rows = nuce_text_format("(%s) AND json_extract(params, '$.capture') LIKE '%%@%s'", plot->rows,
                            hex);
    free(plot->rows);
    plot->rows = rows;
    return NUCE_OK;
}

static nuce_status advise_print(const struct advise_arguments *arguments,
                                const struct nuce_plot *plot, struct nuce_plot_data *data,
                                struct nuce_error *error)
{
    if (arguments->write != NULL) {
        for (int64_t row = 0; row < data->grid.rows; row++) {
            for (int i = 0; i < data->grid.columns; i++) {
                if (nuce_grid_cell(&data->grid, row, i)->text != NULL)
                    nuce_printable_make_line(nuce_grid_cell(&data->grid, row, i)->text);
            }
        }
        if (write_tuning(&data->grid, arguments->write, error) != NUCE_OK)
            return error->status;
    }
    if (arguments->format != NUCE_GRID_TEXT)
        return nuce_plot_print_found(plot, data, arguments->format, error);
    nuce_plot_say_found(data, data->says.rows, stdout);
    printf("\n%s\n", data->where);
    if (*data->doubts != '\0')
        printf("%s\n", data->doubts);
    if (*data->left_out != '\0')
        printf("%s\n", data->left_out);
    return NUCE_OK;
}

/* The guard. Its race has a campaign of its own, in the usual folder. */
static nuce_status check_application(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct advise_arguments *arguments = call->arguments;
    const struct nuce_race_option given[] = {
        {"title", "check"},
        {"name", "without,with"},
        {"database", arguments->database},
        {"metric", arguments->metric},
        {"better", arguments->better},
        {"expect", arguments->expect},
        {"budget", arguments->budget},
        {"timeout", arguments->timeout},
        {NULL, NULL},
    };

    if (call->behind[0] == NULL || call->count > 0 || arguments->write != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "expected 'nuce advise --check FILE -- mpiexec -n 4 PROGRAM'");
    return nuce_advise_check(arguments->check, call->behind, given, &call->ended, error);
}

/* Without a race the exit status is 1, unless a capture is given: its sweep is then the answer. */
static nuce_status advise_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct advise_arguments *arguments = call->arguments;
    int is_capture = arguments->named != NULL && nuce_capturing_is_file(arguments->named);
    const struct nuce_plot_choice choice = {.campaign = is_capture ? NULL : arguments->named,
                                            .environment = arguments->environment};
    int only_reads = arguments->write == NULL && arguments->format == NUCE_GRID_TEXT, hosts = 0;
    struct nuce_store store = {.lock = -1};
    struct nuce_plot_data data = {0};
    struct nuce_plot plot = {0};

    if (arguments->check != NULL)
        return check_application(call, error);
    if (call->is_cut || arguments->metric != NULL || arguments->better != NULL ||
        arguments->expect != NULL || arguments->budget != NULL || arguments->timeout != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a command and options of a race: expected --check FILE beside them");
    if (arguments->named != NULL && !is_capture &&
        nuce_capturing_is_missing(arguments->named, error))
        return error->status;
    error->status = nuce_plot_read("advice", &plot, error);
    if (error->status == NUCE_OK && is_capture)
        error->status = choose_capture(arguments->named, &plot, &hosts, error);
    if (error->status == NUCE_OK && arguments->disturbed)
        plot.words = nuce_text_duplicate("disturbed");
    if (error->status == NUCE_OK && !(is_capture && access(arguments->database, F_OK) != 0) &&
        nuce_store_open_reading(arguments->database, &store, error) == NUCE_OK)
        error->status = nuce_plot_find(&plot, &store, &choice, &data, error);
    nuce_store_close(&store);
    if (error->status == NUCE_OK && data.grid.rows > 0)
        error->status = advise_print(arguments, &plot, &data, error);
    else if (error->status == NUCE_OK && is_capture && only_reads)
        error->status = print_sweep(arguments->named, hosts, error);
    else if (error->status == NUCE_OK)
        nuce_error_set(error, NUCE_FAILED,
                       "%s: no exchange of it raced: expected a sweep with several schedules, such "
                       "as 'schedule: [alltoallv, ac, rs-nh, tuna]' ('nuce advise CAPTURE' prints "
                       "one)",
                       arguments->named != NULL ? arguments->named : arguments->database);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_advise = {
    .name = "advise",
    .summary = "advise schedules for an application's exchanges",
    .about = "Names the simplest of the fastest schedules for each exchange that raced. It says "
             "'leave it' if no schedule is significantly faster than the present call, if the race "
             "was disturbed, or if making the schedule takes longer than the application's calls "
             "would save. For a capture that has not raced it prints a sweep. "
             "With --check it races the whole application with a tuning file and without.",
    .after =
        "With --check the exit status is 0 if the application is significantly faster under its "
        "rules. They are withdrawn with 1 if it is slower, as fast, or fails, and with 3 if "
        "the race is inconclusive. 1 without a race: no call was replaced, or the application "
        "failed. Then, and after 2 and 75 (interrupted), the file is as it was.",
    .examples = NUCE_EXAMPLES(
        {"nuce advise app.1", "advise for each exchange of a campaign"},
        {"nuce advise app.1 --write app.tuning", "also write the advice as a tuning file"},
        {"nuce advise --check app.tuning -- mpiexec -n 8 ./app",
         "withdraw the rules unless ./app is faster under them"}),
    .operands = {.usage = "[CAMPAIGN|CAPTURE | --check FILE -- COMMAND...]",
                 .least = 0,
                 .most = 1,
                 .expected = "one campaign, sweep or capture"},
    .options = options,
    .arguments_bytes = sizeof(struct advise_arguments),
    .operand = offsetof(struct advise_arguments, named),
    .passes = 1,
    .run = advise_command,
};
