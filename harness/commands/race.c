/* nuce race: commands against one another. The short way to a sweep of the workload `program` that
 * ends when it is known: it tries each command once, writes the sweep, and runs it as `nuce run`
 * would. So `show`, `figure`, `resume` and the others know the campaign. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "campaigns/command.h"
#include "campaigns/config.h"
#include "campaigns/ending.h"
#include "campaigns/profile_keys.h"
#include "campaigns/script.h"
#include "commands/race.h"
#include "commands/run_local.h"
#include "commands/subcommand.h"
#include "db/store.h"

struct race_arguments {
    struct nuce_local local;
    const char *sweep;   /* an operand; NULL: commands behind -- */
    const char *profile; /* NULL: on this machine */
    const char *title, *names;
    struct nuce_program_params params; /* the options of the metric */
    int64_t launches, warmup;
    double margin, at_least, budget, timeout;
    struct nuce_race_verdict *verdict; /* of two commands; NULL: not wanted */
};

extern const struct nuce_subcommand nuce_subcommand_submit;

#define AT(member) offsetof(struct race_arguments, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "name", AT(names), NULL, "NAMES",
                "names of the contenders, a comma list; default: their commands", .letter = 'n'),
#define NUCE_PROGRAM_AT(member) AT(params.member)
#include "points/program_options.inc"
    NUCE_OPTION(REAL, "margin", AT(margin), "0.05", "FRACTION",
                "difference that does not matter: within it contenders are the same",
                .flags = NUCE_OPTION_POSITIVE),
    NUCE_OPTION(REAL, "at-least", AT(at_least), NULL, "FRACTION",
                "fraction of the reference's speed that the others must reach, as in an acceptance "
                "test: 0.9",
                .flags = NUCE_OPTION_POSITIVE),
    NUCE_OPTION(
        DURATION, "budget", AT(budget), "10min", "TIME",
        "longest time of all commands together, without the trial and the warm-up; then the "
        "race ends, known or not",
        .letter = 'b', .flags = NUCE_OPTION_POSITIVE),
    NUCE_OPTION(DURATION, "timeout", AT(timeout), "5min", "TIME",
                "time limit of one command; then it is ended, and the race goes on without it",
                .letter = 't', .minimum = 0.001),
    NUCE_OPTION(COUNT, "launches", AT(launches), "1000", "N", "most launches of each contender",
                .minimum = 2),
    NUCE_OPTION(COUNT, "warmup", AT(warmup), "1", "N",
                "launches that do not count, after the one that tries the commands", .minimum = 0),
    NUCE_OPTION(TEXT, "profile", AT(profile), NULL, "FILE",
                "profile of a cluster: the SWEEP is submitted, as by 'nuce submit'", .letter = 'p'),
    NUCE_OPTION(TEXT, "title", AT(title), "race", "NAME", "name of the campaign"),
    {.name = NULL},
};

/* The commands, one text each, an array; NULL with *error. Behind each "--" stands one. */
static json_t *commands_of(const struct nuce_subcommand_call *call, int shell,
                           struct nuce_error *error)
{
    json_t *commands = json_array();
    char **word = call->behind;
    int is_more = *word != NULL;

    error->status = NUCE_OK;
    while (error->status == NUCE_OK && is_more) {
        char *command = NULL;
        int words = 0;

        for (; *word != NULL && strcmp(*word, "--") != 0; word++) {
            char *quoted = shell ? nuce_text_duplicate(*word) : nuce_script_quote(*word);

            nuce_text_append(&command, "%s%s", words++ > 0 ? " " : "", quoted);
            free(quoted);
        }
        is_more = *word != NULL;
        word += is_more;
        if (words == 0)
            nuce_error_set(error, NUCE_BAD_INPUT, "an empty command: expected words after each --");
        else if (shell && words > 1)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "--shell: '%.100s': expected each command as one word, in quotes",
                           command);
        else if (json_array_append_new(commands, json_string(command)) != 0)
            nuce_error_set(error, NUCE_BAD_INPUT, "a command that is not valid UTF-8 text");
        free(command);
    }
    if (error->status == NUCE_OK && json_array_size(commands) < 2)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "a race of %zu: expected two commands or more: nuce race -- COMMAND -- "
                       "COMMAND",
                       json_array_size(commands));
    if (error->status == NUCE_OK)
        return commands;
    json_decref(commands);
    return NULL;
}

static int is_among(const json_t *names, const char *name)
{
    const json_t *other;
    size_t i;

    json_array_foreach(names, i, other)
    {
        if (strcmp(json_string_value(other), name) == 0)
            return 1;
    }
    return 0;
}

/* Bytes of a name that leave room for a number. */
#define UNNUMBERED_BYTES (NUCE_NAME_BYTES - sizeof " (999)")

/* The name of a contender without one: its command, or the beginning of it. One that names has
 * already gets its number: whoever races a command against itself tests the machine. A new string.
 */
static char *name_of(const char *command, const json_t *names)
{
    size_t bytes = strlen(command);
    const char *rest = "";
    char *name;

    if (bytes > UNNUMBERED_BYTES) {
        rest = "...";
        bytes = UNNUMBERED_BYTES - strlen(rest);
        while (((unsigned char)command[bytes] & 0xc0) == 0x80)
            bytes--; /* never within a character of UTF-8 */
    }
    name = nuce_text_format("%.*s%s", (int)bytes, command, rest);
    for (int number = 2; is_among(names, name); number++) {
        free(name);
        name = nuce_text_format("%.*s%s (%d)", (int)bytes, command, rest, number);
    }
    return name;
}

/* The names of the contenders, each another one: as given, else of their commands. A new array;
 * NULL with *error. */
static json_t *names_of(const char *given, const json_t *commands, struct nuce_error *error)
{
    char *copy = given != NULL ? nuce_text_duplicate(given) : NULL, *rest = copy, *one;
    json_t *names = json_array();
    const json_t *command;
    size_t i;

    error->status = NUCE_OK;
    json_array_foreach(commands, i, command)
    {
        one = given == NULL ? name_of(json_string_value(command), names) : strsep(&rest, ",");
        if (one == NULL)
            break;
        if (*one == '\0' || strlen(one) >= NUCE_NAME_BYTES || is_among(names, one))
            nuce_error_refuse(error, "name",
                              "'%.200s': expected a name for each command, each another one of at "
                              "most %d bytes",
                              given, NUCE_NAME_BYTES - 1);
        json_array_append_new(names, json_string(one));
        if (given == NULL)
            free(one);
    }
    if (error->status == NUCE_OK && (i < json_array_size(commands) || rest != NULL))
        nuce_error_refuse(error, "name", "'%.200s': expected %zu names, one for each command",
                          given, json_array_size(commands));
    free(copy);
    if (error->status == NUCE_OK)
        return names;
    json_decref(names);
    return NULL;
}

/* Refuses now, by the name of the option, what the sweep would refuse after the trial. */
static nuce_status check_options(const struct race_arguments *arguments, struct nuce_error *error)
{
    char text[NUCE_ERROR_TEXT_BYTES];
    struct nuce_measure measure = {0};

    if (nuce_sweep_check_name(arguments->title, error) != NUCE_OK)
        nuce_error_about(error, "title");
    nuce_option_presets(nuce_measure_options, &measure);
    nuce_text_copy(measure.until, sizeof measure.until, NUCE_UNTIL_KNOWN);
    for (const struct nuce_option *row = options; row->name != NULL; row++) {
        const struct nuce_option *its = nuce_option_find(nuce_measure_options, row->name);
        json_t *value = its != NULL ? nuce_option_json(row, arguments) : NULL;

        if (error->status == NUCE_OK && its != NULL &&
            (row->preset != NULL || nuce_option_is_set(row, arguments)))
            error->status = nuce_option_set_json(its, &measure, value, error);
        json_decref(value);
    }
    if (error->status == NUCE_OK)
        error->status = nuce_measure_settle(&measure, error);
    if (error->status != NUCE_OK)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s",
                       nuce_error_text(error, NUCE_ERROR_OPTIONS, text));
    return error->status;
}

/* The params of a command's trial; also with a row, which series needs. */
static nuce_status set_params(const struct race_arguments *arguments, const char *command,
                              const char *name, struct nuce_program_params *out,
                              struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = &nuce_workload_program;

    *out = arguments->params;
    if (out->series > 0)
        nuce_text_copy(out->at, sizeof out->at, "any");
    if (nuce_option_set(nuce_option_find(workload->options, "command"), out, command, error) !=
            NUCE_OK ||
        nuce_option_set(nuce_option_find(workload->options, "name"), out, name, error) != NUCE_OK)
        return error->status;
    return workload->complete(out, 1, error);
}

/* A second table has rows of the same name, which could not be told apart. */
static nuce_status check_rows(const json_t *rows, struct nuce_error *error)
{
    json_t *row, *seen = json_object();
    size_t i;

    error->status = NUCE_OK;
    json_array_foreach(rows, i, row)
    {
        if (json_object_get(seen, json_string_value(row)) != NULL)
            nuce_error_refuse(error, "series",
                              "two rows of its output begin with %.100s: expected one table",
                              json_string_value(row));
        json_object_set(seen, json_string_value(row), row);
    }
    json_decref(seen);
    return error->status;
}

/* Runs the command once: it must exist, end well, and print the metric. *rows becomes the rows of
 * its table, a new array, if it is to print one. Errors say which command. */
static nuce_status try_command(const struct race_arguments *arguments, const char *name,
                               struct nuce_program_params *params, json_t **rows,
                               struct nuce_error *error)
{
    json_t *words = nuce_command_words(params, NULL, 1, error);
    struct nuce_command_end end = {0};
    struct nuce_signals signals;
    double value, cost;

    *rows = NULL;
    if (words == NULL)
        return error->status;
    nuce_process_prepare(&signals);
    nuce_command_run(params, words, arguments->timeout, &signals, &end);
    nuce_process_restore(&signals);
    json_decref(words);
    if (strcmp(end.status, "interrupted") == 0)
        nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal: nothing was measured");
    else if (strcmp(end.status, "ok") != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s", end.message);
    else if (arguments->params.series > 0)
        *rows = nuce_command_rows(end.out, arguments->params.series);
    else
        nuce_command_metric(params, &end, &value, &cost, error);
    if (*rows != NULL && json_array_size(*rows) == 0)
        nuce_error_refuse(error, "series",
                          "no line of its output begins with a number and has one "
                          "in column %lld",
                          (long long)arguments->params.series);
    else if (*rows != NULL)
        check_rows(*rows, error);
    if (error->status != NUCE_OK && error->status != NUCE_INTERRUPTED)
        nuce_error_prefix(error, "'%.200s'", name);
    nuce_command_end_fini(&end);
    return error->status;
}

/* Tries all commands, once all can be tried; *rows as in try_command: all must print the same. */
static nuce_status try_all(const struct race_arguments *arguments, const json_t *commands,
                           const json_t *names, json_t **rows, struct nuce_error *error)
{
    struct nuce_program_params *params =
        nuce_allocate((int64_t)json_array_size(commands), sizeof *params);
    const json_t *command;
    size_t i;

    *rows = NULL;
    error->status = NUCE_OK;
    json_array_foreach(commands, i, command)
    {
        if (error->status == NUCE_OK)
            error->status =
                set_params(arguments, json_string_value(command),
                           json_string_value(json_array_get(names, i)), &params[i], error);
    }
    for (i = 0; error->status == NUCE_OK && i < json_array_size(commands); i++) {
        const char *name = params[i].name;
        json_t *own = NULL;

        error->status = try_command(arguments, name, &params[i], &own, error);
        if (error->status == NUCE_OK && i > 0 && own != NULL && !json_equal(own, *rows))
            nuce_error_refuse(error, "series",
                              "'%.100s' prints other rows than '%.100s': expected the same series "
                              "of all",
                              name, json_string_value(json_array_get(names, 0)));
        if (error->status == NUCE_OK && own != NULL && *rows == NULL)
            *rows = json_incref(own);
        json_decref(own);
    }
    free(params);
    return error->status;
}

/* The sweep as JSON, which is YAML. Its keys are options here, but for texts. */
static char *sweep_text(const struct race_arguments *arguments, json_t *commands, json_t *names,
                        json_t *rows)
{
    json_t *measure = json_pack("{s:s}", "until", NUCE_UNTIL_KNOWN);
    json_t *sweep = json_pack("{s:O*}", "at", rows), *whole;
    char *text;

    for (const struct nuce_option *row = options; row->name != NULL; row++) {
        int is_measure = nuce_option_find(nuce_measure_options, row->name) != NULL;

        if (row->type != NUCE_OPTION_TEXT &&
            (row->preset != NULL || nuce_option_is_set(row, arguments)))
            json_object_set_new(is_measure ? measure : sweep, row->name,
                                nuce_option_json(row, arguments));
    }
    whole = json_pack("{s:s, s:s, s:[{s:O, s:O}], s:o, s:o}", "name", arguments->title, "workload",
                      "program", "zip", "command", commands, "name", names, "sweep", sweep,
                      "measure", measure);
    text = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    json_decref(whole);
    return text;
}

static nuce_status run_race(struct race_arguments *arguments, struct nuce_config *config,
                            int *ended, struct nuce_error *error)
{
    struct nuce_campaign campaign;

    if (nuce_local_check(&arguments->local, NULL, error) != NUCE_OK)
        return error->status;
    config->taken = nuce_store_last_number(arguments->local.database, config->sweep.name);
    if (nuce_campaign_create(arguments->local.campaigns, config, NULL, &campaign, error) != NUCE_OK)
        return error->status;
    *ended = nuce_local_main(&arguments->local, &campaign);
    if (arguments->verdict != NULL) {
        struct nuce_race_verdict *verdict = arguments->verdict;
        const struct nuce_campaign_point *point = campaign.points;

        verdict->campaign = nuce_text_duplicate(campaign.name);
        verdict->is_useless = nuce_ending_is_left_out(&point[0]);
        verdict->has_failed = nuce_ending_is_left_out(&point[1]);
        if (point[0].costs != NULL && point[1].costs != NULL) {
            verdict->known = nuce_ending_known(&point[0], &point[1], 1);
            verdict->ratios = nuce_ending_ratios(&point[0], &point[1]);
        }
    }
    nuce_campaign_fini(&campaign);
    return NUCE_OK;
}

/* The same as 'nuce submit SWEEP --profile FILE'. */
static nuce_status submit_race(const struct race_arguments *arguments, int *ended,
                               struct nuce_error *error)
{
    const struct nuce_subcommand *submit = &nuce_subcommand_submit;
    struct nuce_subcommand_call call = {.arguments = nuce_allocate(1, submit->arguments_bytes),
                                        .behind = (char *[]){NULL}};
    const struct {
        const char *name, *value;
    } given[] = {{"profile", arguments->profile}, {"campaigns", arguments->local.campaigns}};

    nuce_option_presets(submit->options, call.arguments);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        NUCE_ASSERT(nuce_option_set(nuce_option_find(submit->options, given[i].name),
                                    call.arguments, given[i].value, error) == NUCE_OK);
    memcpy((char *)call.arguments + submit->operand, &arguments->sweep, sizeof arguments->sweep);
    error->status = submit->run(&call, error);
    *ended = call.ended;
    free(call.arguments);
    return error->status;
}

static nuce_status race_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct race_arguments *arguments = call->arguments;
    json_t *commands = NULL, *names = NULL, *rows = NULL;
    struct nuce_config config = {0};
    struct nuce_problems problems = {0};

    if ((call->count > 0) == call->is_cut)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "expected commands, 'nuce race -- COMMAND -- COMMAND', or a SWEEP");
    for (const struct nuce_option *row = options; call->count > 0 && row->name != NULL; row++) {
        if (nuce_option_is_set(row, arguments) && strcmp(row->name, "profile") != 0)
            return nuce_error_refuse(error, row->name,
                                     "%s is a SWEEP: expected a key in it instead of the option",
                                     arguments->sweep);
    }
    if (call->count > 0) {
        error->status =
            nuce_config_load(arguments->sweep, 0, &nuce_slurm_judge, &config, &problems, error);
        nuce_problems_print(&problems, stderr);
        if (error->status == NUCE_OK && !config.sweep.workload->is_command)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: the workload is %s: expected program; 'nuce run' runs the others",
                           config.path, config.sweep.workload->name);
        if (error->status == NUCE_OK && arguments->profile != NULL) {
            error->status = submit_race(arguments, &call->ended, error);
            goto done;
        }
        goto run;
    }
    if (arguments->profile != NULL)
        return nuce_error_refuse(error, "profile", "expected a SWEEP, which is submitted");
    commands = commands_of(call, arguments->params.shell, error);
    names = commands != NULL ? names_of(arguments->names, commands, error) : NULL;
    if (names == NULL || check_options(arguments, error) != NUCE_OK ||
        nuce_local_check(&arguments->local, NULL, error) != NUCE_OK ||
        nuce_campaign_check_folder(arguments->local.campaigns, error) != NUCE_OK ||
        try_all(arguments, commands, names, &rows, error) != NUCE_OK)
        goto done;
    config.path = nuce_text_duplicate("the race");
    config.text = sweep_text(arguments, commands, names, rows);
    config.length = strlen(config.text);
    error->status = nuce_config_parse(0, &nuce_slurm_judge, &config, &problems, error);
    nuce_problems_print(&problems, stderr);
run:
    if (error->status == NUCE_OK)
        error->status = run_race(arguments, &config, &call->ended, error);
done:
    nuce_problems_fini(&problems);
    nuce_config_fini(&config);
    json_decref(commands);
    json_decref(names);
    json_decref(rows);
    return error->status;
}

static nuce_status take_options(const struct nuce_race_option *given,
                                struct race_arguments *arguments, struct nuce_error *error)
{
    nuce_option_presets(options, arguments);
    nuce_option_presets(nuce_local_options, arguments);
    for (; given->name != NULL; given++) {
        const struct nuce_option *option = nuce_option_find(options, given->name);

        if (option == NULL)
            option = nuce_option_find(nuce_local_options, given->name);
        if (given->value != NULL &&
            nuce_option_set(option, arguments, given->value, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

nuce_status nuce_race_check(const struct nuce_race_option *given, struct nuce_error *error)
{
    struct race_arguments arguments = {0};

    return take_options(given, &arguments, error);
}

nuce_status nuce_race_two(const struct nuce_race_option *given, char *const commands[2],
                          struct nuce_race_verdict *out, struct nuce_error *error)
{
    struct race_arguments arguments = {.params = {.shell = 1}, .verdict = out};
    char between[] = "--";
    struct nuce_subcommand_call call = {
        .arguments = &arguments,
        .is_cut = 1,
        .behind = (char *[]){commands[0], between, commands[1], NULL},
    };

    *out = (struct nuce_race_verdict){0};
    if (take_options(given, &arguments, error) != NUCE_OK)
        return error->status;
    error->status = race_command(&call, error);
    out->ended = call.ended;
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_race = {
    .name = "race",
    .summary = "race commands, by launches in turns, until the result is known",
    .about = "Runs two or more commands in turns, each turn in a new random order. The first "
             "command is the reference and runs twice: its ratio to itself is the noise. A trial "
             "runs each command once. "
             "The race ends as soon as each contender is known to be faster, slower or the same, "
             "and its intervals allow for that. The commands run in the current folder; no shell "
             "reads them.",
    .examples = NUCE_EXAMPLES(
        {"nuce race -- ./old in.dat -- ./new in.dat", "race two builds by their time"},
        {"nuce race --name one,four -- env OMP_NUM_THREADS=1 ./app -- \\\n"
         "    env OMP_NUM_THREADS=4 ./app",
         "race two settings"},
        {"nuce race --metric 'time per step: ([0-9.]+)' --unit ms -- \\\n"
         "    mpiexec.mpich -n 8 ./app.mpich -- mpiexec.openmpi -n 8 ./app.openmpi",
         "race two MPI libraries by a number that the program prints"}),
    .operands = {.usage = "[SWEEP | -- COMMAND -- COMMAND...]",
                 .least = 0,
                 .most = 1,
                 .expected = "one SWEEP of the workload program, or commands behind --"},
    .options = options,
    .after = "Exit status: 0 all is known, 1 a command failed, hung or missed --at-least, 3 "
             "something is inconclusive, 2 bad input, 75 interrupted.",
    .more = nuce_local_options,
    .arguments_bytes = sizeof(struct race_arguments),
    .operand = offsetof(struct race_arguments, sweep),
    .passes = 1,
    .run = race_command,
};
