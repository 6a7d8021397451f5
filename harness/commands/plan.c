/* nuce plan: what a sweep would run. Runs nothing and writes nothing. As text the sizes of it: how
 * many points, how often each value, and how long at most; as JSON lines the plan itself, with the
 * text that each point's id is the hash of; as CSV a row a point.
 *
 * Order: counting the values (count_value .. print_factors), what the text says line by line
 * (print_launches .. plan_print_text), JSON and CSV. Estimates are bounds by the limits of
 * sampling, not predictions: before a first run nobody knows how long a step takes. What jobs would
 * cost comes from the same packing that `nuce submit` uses. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/grid_fit.h"
#include "base/jsonl.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/units.h"
#include "campaigns/cli.h"
#include "campaigns/cost.h"
#include "campaigns/machine.h"
#include "campaigns/queue.h"
#include "campaigns/sampling_time.h"
#include "campaigns/words.h"
#include "commands/run_local.h"
#include "commands/slurm_jobs.h"
#include "commands/subcommand.h"
#include "points/point.h"

/* profile: NULL: nodes and jobs are counted as without one, by the sweep's `slurm:` and the
 * defaults. */
struct plan_arguments {
    const char *config, *profile;
    enum nuce_grid_format format;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "profile", offsetof(struct plan_arguments, profile), NULL, "FILE",
                "count jobs and node-hours as 'nuce submit' does with that profile", .letter = 'p'),
    NUCE_CLI_FORMAT(struct plan_arguments),
    {.name = NULL},
};

/* The value as people write it; option NULL: a number. A new string. */
static char *value_text(const struct nuce_option *option, const json_t *value)
{
    char buffer[NUCE_UNITS_BYTES];

    if (json_is_string(value))
        return nuce_text_duplicate(json_string_value(value));
    if (json_is_null(value))
        return nuce_text_duplicate("not set");
    if (option != NULL && option->type == NUCE_OPTION_BYTES)
        return nuce_text_duplicate(nuce_units_format_bytes(json_integer_value(value), buffer));
    return json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
}

/* Counts of the values that a factor takes: {factor: {value: count}}, in order of appearance. */
static void count_value(json_t *factors, const char *factor, const struct nuce_option *option,
                        const json_t *value)
{
    json_t *counts = json_object_get(factors, factor);
    char *text = value_text(option, value);

    if (counts == NULL) {
        counts = json_object();
        json_object_set_new(factors, factor, counts);
    }
    json_object_set_new(counts, text,
                        json_integer(json_integer_value(json_object_get(counts, text)) + 1));
    free(text);
}

/* Of one factor, so that its line can be taken in; the others are counted. */
#define VALUES_SHOWN 12

/* "ac (12), lp (12)": the values with how many points have them. A new string. */
static char *describe_values(json_t *counts)
{
    size_t count = json_object_size(counts), shown = 0;
    char *text = nuce_text_duplicate(""), *longer;
    const char *value;
    json_t *points;

    json_object_foreach(counts, value, points)
    {
        if (shown == VALUES_SHOWN)
            break;
        longer = nuce_text_format("%s%s%s (%lld)", text, shown > 0 ? ", " : "", value,
                                  (long long)json_integer_value(points));
        free(text);
        text = longer;
        shown++;
    }
    if (count <= VALUES_SHOWN)
        return text;
    longer = nuce_text_format("%s and %zu more", text, count - VALUES_SHOWN);
    free(text);
    return longer;
}

/* Undoes the order of the plan, which is random: values are to be told as the sweep lists them. */
static int by_combination(const void *a, const void *b)
{
    const struct nuce_planned *const *first = a, *const *second = b;

    return ((*first)->combination > (*second)->combination) -
           ((*first)->combination < (*second)->combination);
}

/* Counts in factors the rank count and every parameter that applies to a point, those of its
 * canonical form: of all points, in the order in which the sweep says them. */
static void count_points(const struct nuce_config *config, json_t *factors)
{
    const struct nuce_plan *plan = &config->plan;
    const struct nuce_planned **points = nuce_allocate(plan->count, sizeof *points);
    const char *name;
    json_t *value;

    for (int64_t i = 0; i < plan->count; i++)
        points[i] = &plan->points[i];
    qsort(points, (size_t)plan->count, sizeof *points, by_combination);
    for (int64_t i = 0; i < plan->count; i++) {
        count_value(factors, "ranks", NULL, json_object_get(points[i]->line, "ranks"));
        json_object_foreach(points[i]->canonical, name, value)
        {
            count_value(factors, name, nuce_option_find(config->sweep.workload->options, name),
                        value);
        }
    }
    free(points);
}

/* The table below the lines: a row for each parameter, with what all points say of it, counted. A
 * point does not count where the parameter does not apply to it. */
static nuce_status print_factors(const struct nuce_config *config, struct nuce_error *error)
{
    static const char *const names[] = {"factor", "values (points)"};
    json_t *factors = json_object(), *values;
    struct nuce_grid grid;
    const char *factor;

    nuce_grid_init(2, names, &grid);
    count_points(config, factors);
    json_object_foreach(factors, factor, values)
    {
        char *text = describe_values(values);
        const char *cells[] = {factor, text};

        nuce_printable_make_line(text); /* a sweep may be anyone's */
        nuce_cli_add(&grid, cells);
        free(text);
    }
    json_decref(factors);
    error->status = nuce_grid_print_fitted(&grid, NUCE_GRID_TEXT, 0, stdout, error);
    nuce_grid_fini(&grid);
    return error->status;
}

/* How many starts a launch of all points takes: one for each rank count and way to start them. Two
 * ways are the same where their JSON is. */
static int count_starts(const struct nuce_plan *plan)
{
    json_t *known = json_object();
    int starts;

    for (int64_t i = 0; i < plan->count; i++) {
        const json_t *line = plan->points[i].line;
        json_t *way =
            json_pack("[O, O?]", json_object_get(line, "ranks"), json_object_get(line, "launch"));
        char *text = json_dumps(way, JSON_COMPACT | JSON_SORT_KEYS);

        json_object_set_new(known, text, json_true());
        free(text);
        json_decref(way);
    }
    starts = (int)json_object_size(known);
    json_decref(known);
    return starts;
}

/* Says a line formatted as by printf, whose key takes the first columns. */
static void plan_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define KEY_COLUMNS 13

static void plan_say(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = nuce_text_format_list(format, arguments);
    va_end(arguments);
    nuce_printable_fold(text, nuce_printable_columns(stdout), 0, KEY_COLUMNS, stdout);
    free(text);
    putchar('\n');
}

/* Contenders of one heat are neighbours in the plan, so heats are counted as they begin. */
static void print_launches(const struct nuce_config *config)
{
    const struct nuce_plan *plan = &config->plan;
    int64_t heats = 0, most = 0, count = 0;
    int shapes = count_starts(plan);

    for (int64_t i = 0; i < plan->count; i++) {
        const struct nuce_planned *point = &plan->points[i];

        count = i > 0 && nuce_point_is_of_heat(point->line, point[-1].line) ? count + 1 : 1;
        heats += count == 1;
        most = count > most ? count : most;
    }
    if (nuce_sampling_is_raced(config))
        plan_say("heats        %lld, of up to %lld contender%s each", (long long)heats,
                 (long long)most, nuce_text_plural(most));
    if (nuce_sampling_is_raced(config))
        plan_say("launches     %lld of each heat (measure: launches), %lld starts: one for each "
                 "launch, rank count and way to start%s",
                 (long long)config->sweep.measure.launches,
                 (long long)(config->sweep.measure.launches * shapes),
                 config->sweep.measure.spread
                     ? "; under Slurm each in a job of its own (measure: spread)"
                     : "");
    else
        plan_say("launches     %d: one for each rank count", shapes);
}

/* How long running takes. run: how many points a program can run, the others are for the model
 * alone. */
static void print_estimate(const struct nuce_config *config, int64_t run)
{
    char text[NUCE_SAMPLING_BYTES];

    if (run == 0) {
        plan_say("modelled     all: nothing is run, 'nuce run --modelled' computes it");
        return;
    }
    nuce_sampling_time_estimate(config, text);
    plan_say("estimate     %s (measure: limit). Set-up is not in it, nor what few samples of slow "
             "steps take longer",
             text);
    if (run < config->plan.count)
        plan_say("modelled     %lld point%s more: only 'nuce run --modelled' computes them",
                 (long long)(config->plan.count - run), nuce_text_plural(config->plan.count - run));
}

/* What the jobs of `nuce submit` would be and may take. Slurm's limits are asked for, or taken as
 * its defaults; the campaign is imagined, and nothing is made. */
static nuce_status find_cost(const struct nuce_config *config, const char *name,
                             struct nuce_cost *out, struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};
    struct nuce_profile profile = {.path = NULL};
    struct nuce_packing packing;
    struct nuce_limits limits;

    if (nuce_slurm_profile(name, config->sweep.slurm, NULL, &profile, error) == NUCE_OK) {
        nuce_campaign_imagine(config->sweep.name, config, &campaign);
        if (nuce_limits_read(profile.via, &limits, error) == NUCE_OK &&
            nuce_packing_make_all(&campaign, &profile, limits.array_size, &packing, error) ==
                NUCE_OK) {
            error->status = nuce_cost_of(&packing, &profile, out, error);
            nuce_packing_fini(&packing);
        }
    }
    nuce_campaign_fini(&campaign);
    nuce_profile_fini(&profile);
    return error->status;
}

/* Whether jobs are what the user has in mind: a laptop has none. */
static int is_about_jobs(const struct plan_arguments *arguments, const struct nuce_config *config)
{
    struct nuce_error ignored;

    return arguments->profile != NULL || json_object_size(config->sweep.slurm) > 0 ||
           nuce_slurm_find(NULL, "sbatch", &ignored) == NUCE_OK;
}

/* For sweeps that can be submitted. Of another there is no line, but one with --profile is refused:
 * it was meant to be submitted. */
static nuce_status print_cost(const struct plan_arguments *arguments,
                              const struct nuce_config *config, struct nuce_error *error)
{
    const char *name = arguments->profile;
    struct nuce_cost cost;
    char text[NUCE_COST_BYTES];

    if (config->sweep.platform != NULL || config->sweep.workload->program == NULL) {
        if (name == NULL)
            return NUCE_OK;
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--profile: '%s': what is simulated or computed is not submitted",
                              name);
    }
    if (find_cost(config, name, &cost, error) != NUCE_OK)
        return error->status;
    nuce_cost_say(&cost, text);
    if (is_about_jobs(arguments, config))
        plan_say("submitted    %s", text);
    return NUCE_OK;
}

/* Points that a program can run. */
static int64_t count_run(const struct nuce_plan *plan)
{
    int64_t count = 0;

    for (int64_t i = 0; i < plan->count; i++)
        count += !plan->points[i].is_computed;
    return count;
}

/* What keeps `nuce run` from it here; `nuce submit` may be able to. */
static void print_refusal(const struct nuce_plan *plan)
{
    const char *mpiexec = nuce_option_find(nuce_local_options, "mpiexec")->preset;
    struct nuce_error error;

    if (nuce_words_check_user(plan, mpiexec, &error) != NUCE_OK)
        plan_say("refused      by 'nuce run' here: %s", nuce_error_flatten(&error));
}

/* points are sorted by rank count: the last one has the most. */
static nuce_status plan_print_text(const struct plan_arguments *arguments,
                                   const struct nuce_config *config, struct nuce_error *error)
{
    const struct nuce_plan *plan = &config->plan;
    int processors = nuce_machine_processors();
    int most = plan->points[plan->count - 1].ranks;
    int64_t run = count_run(plan);

    printf("sweep        %s (%s)\nworkload     %s\npoints       %lld", config->sweep.name,
           config->path, config->sweep.workload->name, (long long)plan->count);
    if (plan->excluded > 0 || plan->repeated > 0)
        printf(" of %lld combinations: %lld excluded, %lld the same point again",
               (long long)plan->combinations, (long long)plan->excluded, (long long)plan->repeated);
    putchar('\n');
    if (run > 0)
        print_launches(config);
    print_estimate(config, run);
    if (print_cost(arguments, config, error) != NUCE_OK)
        return error->status;
    if (config->sweep.platform != NULL)
        plan_say("simulated    on %s", config->sweep.platform);
    else if (run > 0 && most > processors && arguments->profile == NULL)
        plan_say("processors   %d usable here: up to %d ranks are oversubscribed: times say "
                 "more about the scheduler than about the network",
                 processors, most);
    if (config->sweep.platform == NULL && run > 0 && arguments->profile == NULL)
        print_refusal(plan);
    putchar('\n');
    return print_factors(config, error);
}

/* The line of the plan, and the text that the point's id is the hash of. */
static nuce_status plan_print_point(const struct nuce_workload_ops *workload,
                                    const struct nuce_planned *planned, struct nuce_error *error)
{
    char *text = nuce_point_canonical_text(workload, planned->ranks, planned->canonical, error);
    json_t *line = json_copy(planned->line);
    nuce_status status = NUCE_FAILED;

    if (text != NULL)
        status = json_object_set_new(line, "canonical", json_string(text)) == 0 &&
                         nuce_jsonl_print(line, stdout)
                     ? NUCE_OK
                     : nuce_error_set(error, NUCE_FAILED, "cannot write a point as JSON");
    json_decref(line);
    free(text);
    return status;
}

static nuce_status plan_print_json(const struct nuce_config *config, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; status == NUCE_OK && i < config->plan.count; i++)
        status = plan_print_point(config->sweep.workload, &config->plan.points[i], error);
    return status;
}

/* More than any workload has options; checked. */
#define MOST_COLUMNS 64

/* One row of the CSV: id, ranks and what applies of the options. */
static void plan_add_point(struct nuce_grid *grid, const struct nuce_planned *planned)
{
    const char *cells[MOST_COLUMNS] = {planned->id};
    char *texts[MOST_COLUMNS] = {NULL};

    for (int k = 1; k < grid->columns; k++) {
        const json_t *value = k == 1 ? json_object_get(planned->line, "ranks")
                                     : json_object_get(planned->canonical, grid->names[k]);

        if (value != NULL && !json_is_string(value))
            texts[k] = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        cells[k] = texts[k] != NULL ? texts[k] : json_string_value(value);
    }
    nuce_cli_add(grid, cells);
    for (int k = 1; k < grid->columns; k++)
        free(texts[k]);
}

/* A column for each option of the workload; options that do not apply to a point stay empty. */
static nuce_status print_csv(const struct nuce_config *config, struct nuce_error *error)
{
    const char *names[MOST_COLUMNS] = {"point", "ranks"};
    struct nuce_grid grid;
    int columns = 2;

    for (const struct nuce_option *row = config->sweep.workload->options; row->name != NULL;
         row++) {
        NUCE_ASSERT(columns < MOST_COLUMNS);
        names[columns++] = row->name;
    }
    nuce_grid_init(columns, names, &grid);
    error->status = NUCE_OK;
    for (int64_t i = 0; i < config->plan.count; i++)
        plan_add_point(&grid, &config->plan.points[i]);
    error->status = nuce_grid_print(&grid, NUCE_GRID_CSV, stdout, error);
    nuce_grid_fini(&grid);
    return error->status;
}

/* In the format that was asked for; markdown and latex are refused by the option. */
static nuce_status plan_print(const struct plan_arguments *arguments,
                              const struct nuce_config *config, struct nuce_error *error)
{
    if (arguments->format == NUCE_GRID_JSON)
        return plan_print_json(config, error);
    if (arguments->format == NUCE_GRID_CSV)
        return print_csv(config, error);
    return plan_print_text(arguments, config, error);
}

/* The sweep is checked as `nuce submit` checks it with that profile, so that what is wrong is told
 * here too, and all at once. */
static nuce_status plan_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct plan_arguments *arguments = call->arguments;
    struct nuce_config config;
    nuce_status status = nuce_slurm_config(arguments->config, arguments->profile, &config, error);
    if (status == NUCE_OK)
        status = plan_print(arguments, &config, error);
    nuce_config_fini(&config);
    return status;
}

const struct nuce_subcommand nuce_subcommand_plan = {
    .name = "plan",
    .summary = "say what a sweep would run",
    .about = "Says what CONFIG would run, and how long that may take. CONFIG is a file or a "
             "name of 'nuce list configs'. Runs nothing, writes nothing.",
    .operands = {.usage = "CONFIG",
                 .least = 1,
                 .most = 1,
                 .expected = "one CONFIG: a file, or a name of 'nuce list configs'"},
    .options = options,
    .arguments_bytes = sizeof(struct plan_arguments),
    .operand = offsetof(struct plan_arguments, config),
    .run = plan_command,
};
