/* nuce plan: the points that a sweep would run. Runs nothing and writes nothing. As text: the
 * number of points, the count of each value, and the maximum time. As JSON lines: the plan itself,
 * with the text that each point's id is the hash of. As CSV: one row per point.
 *
 * Order: counting the values (print_factors), what the text says line by line (plan_print_text),
 * JSON and CSV. Estimates are bounds by the limits of
 * sampling, not predictions: before a first run the time of a step is unknown. The cost of jobs
 * comes from the packing that `nuce submit` uses. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/grid_fit.h"
#include "base/jsonl.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/units.h"
#include "campaigns/campaign.h"
#include "campaigns/cli.h"
#include "campaigns/config.h"
#include "campaigns/cost.h"
#include "campaigns/earlier.h"
#include "campaigns/process.h"
#include "campaigns/queue.h"
#include "campaigns/words.h"
#include "commands/run_local.h"
#include "commands/slurm_jobs.h"
#include "commands/subcommand.h"
#include "points/point.h"

/* profile: NULL: nodes and jobs are counted without a profile, by the sweep's `slurm:` and the
 * defaults. */
struct plan_arguments {
    const char *config, *profile, *campaigns;
    int is_modelled;
    enum nuce_grid_format format;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "profile", offsetof(struct plan_arguments, profile), NULL, "FILE",
                "profile for the count of jobs and node-hours, as for 'nuce submit'",
                .letter = 'p'),
    NUCE_OPTION(FLAG, "modelled", offsetof(struct plan_arguments, is_modelled), NULL, NULL,
                "plan of 'nuce run --modelled'", .letter = 'M'),
    NUCE_CLI_CAMPAIGNS(struct plan_arguments),
    NUCE_CLI_FORMAT(struct plan_arguments),
    {.name = NULL},
};

/* Counts the values of a factor: {factor: {value: count}}, in order of appearance, as people write
 * them; option NULL: a number. */
static void count_value(json_t *factors, const char *factor, const struct nuce_option *option,
                        const json_t *value)
{
    json_t *counts = json_object_get(factors, factor);
    char buffer[NUCE_UNITS_BYTES], *text;

    if (json_is_string(value))
        text = nuce_text_duplicate(json_string_value(value));
    else if (json_is_null(value))
        text = nuce_text_duplicate("not set");
    else if (option != NULL && option->type == NUCE_OPTION_BYTES)
        text = nuce_text_duplicate(nuce_units_format_bytes(json_integer_value(value), buffer));
    else
        text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    if (counts == NULL) {
        counts = json_object();
        json_object_set_new(factors, factor, counts);
    }
    json_object_set_new(counts, text,
                        json_integer(json_integer_value(json_object_get(counts, text)) + 1));
    free(text);
}

/* Maximum number of values in a factor's line, to keep it readable; the others are counted. */
#define VALUES_SHOWN 12

/* Undoes the random order of the plan: values appear as the sweep lists them. */
static int by_combination(const void *a, const void *b)
{
    const struct nuce_planned *const *first = a, *const *second = b;

    return ((*first)->combination > (*second)->combination) -
           ((*first)->combination < (*second)->combination);
}

/* The table below the lines: a row for the rank count and for every parameter that applies to a
 * point, from its canonical form. A row is "ac (12), lp (12)": the values with their number of
 * points, in the order of the sweep. A point does not count for a parameter that does not apply to
 * it. */
static nuce_status print_factors(const struct nuce_config *config, struct nuce_error *error)
{
    static const char *const names[] = {"factor", "values (points)"};
    const struct nuce_plan *plan = &config->plan;
    const struct nuce_planned **points = nuce_allocate(plan->count, sizeof *points);
    json_t *factors = json_object(), *counts, *value;
    struct nuce_text_print line;
    struct nuce_grid grid;
    const char *factor, *text;

    for (int64_t i = 0; i < plan->count; i++)
        points[i] = &plan->points[i];
    qsort(points, (size_t)plan->count, sizeof *points, by_combination);
    for (int64_t i = 0; i < plan->count; i++) {
        count_value(factors, "ranks", NULL, json_object_get(points[i]->line, "ranks"));
        json_object_foreach(points[i]->canonical, factor, value)
        {
            count_value(factors, factor, nuce_option_find(config->sweep.workload->options, factor),
                        value);
        }
    }
    free(points);
    nuce_grid_init(2, names, &grid);
    json_object_foreach(factors, factor, counts)
    {
        size_t shown = 0, count = json_object_size(counts);

        nuce_text_print_begin(&line);
        json_object_foreach(counts, text, value)
        {
            if (shown++ < VALUES_SHOWN)
                fprintf(line.file, "%s%s (%lld)", shown > 1 ? ", " : "", text,
                        (long long)json_integer_value(value));
        }
        if (count > VALUES_SHOWN)
            fprintf(line.file, " and %zu more", count - VALUES_SHOWN);
        nuce_text_print_end(&line);
        nuce_printable_make_line(line.text); /* a sweep may come from a stranger */
        nuce_cli_add(&grid, (const char *const[]){factor, line.text});
        free(line.text);
    }
    json_decref(factors);
    error->status = nuce_grid_print_fitted(&grid, NUCE_GRID_TEXT, 0, stdout, error);
    nuce_grid_fini(&grid);
    return error->status;
}

#define KEY_COLUMNS 13

/* Prints a line formatted as by printf, after its key in the first columns. */
__attribute__((format(printf, 1, 2))) static void plan_say(const char *format, ...)
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

/* The starts in a launch of all points that are run: one for each rank count and way to start
 * ranks. *rank_counts: number of rank counts. */
static int count_ways(const struct nuce_config *config, int *rank_counts)
{
    json_t *ways = json_object();
    int count, ranks = 0;

    *rank_counts = 0;
    for (int64_t i = 0; i < config->plan.count; i++) {
        char *way;

        if (config->plan.points[i].is_computed)
            continue;
        way = nuce_earlier_way(config->plan.points[i].line);
        json_object_set_new(ways, way, json_true());
        *rank_counts += config->plan.points[i].ranks != ranks;
        ranks = config->plan.points[i].ranks;
        free(way);
    }
    count = (int)json_object_size(ways);
    json_decref(ways);
    return count;
}

/* Contenders of one race are neighbours in the plan, so races are counted as they begin. Computed
 * points do not race. */
static void print_launches(const struct nuce_config *config)
{
    const struct nuce_plan *plan = &config->plan;
    int64_t races = 0, most = 0, count = 0;
    const json_t *last = NULL;
    int rank_counts, starts = count_ways(config, &rank_counts);

    for (int64_t i = 0; i < plan->count; i++) {
        const json_t *line = plan->points[i].line;

        if (plan->points[i].is_computed)
            continue;
        count = last != NULL && nuce_point_is_of_race(line, last) ? count + 1 : 1;
        last = line;
        races += count == 1;
        most = count > most ? count : most;
    }
    if (!nuce_config_is_raced(config)) {
        plan_say("launches     %d: one for each rank count", starts);
        return;
    }
    plan_say("races        %lld, of up to %lld contender%s each", (long long)races, (long long)most,
             nuce_text_plural(most));
    plan_say("launches     %lld of each race (measure: launches), %lld start%s: one for each "
             "launch%s%s",
             (long long)config->sweep.measure.launches,
             (long long)(config->sweep.measure.launches * starts),
             nuce_text_plural(config->sweep.measure.launches * starts),
             starts > rank_counts ? ", rank count and way to start" : " and rank count",
             config->sweep.measure.job_per_launch
                 ? "; under Slurm each in a job of its own (measure: job-per-launch)"
                 : "");
}

/* The jobs of `nuce submit` and their cost. Slurm is asked for its limits, or its defaults are
 * used. The campaign exists only in memory, and no file is made. A sweep that cannot be submitted
 * gets no line; with --profile it is refused, because the user meant to submit it. Without a
 * profile, a `slurm:` and an sbatch, as on a laptop, the line is omitted, because jobs are
 * irrelevant there. */
static nuce_status print_cost(const struct plan_arguments *arguments,
                              const struct nuce_config *config, struct nuce_error *error)
{
    const char *name = arguments->profile;
    struct nuce_campaign campaign = {.lock = -1};
    struct nuce_profile profile = {.path = NULL};
    struct nuce_packing packing;
    struct nuce_limits limits;
    struct nuce_cost cost;
    struct nuce_error ignored;
    char text[NUCE_COST_BYTES];

    if (config->sweep.platform != NULL || config->sweep.workload->program == NULL ||
        config->is_modelled) {
        if (name == NULL)
            return NUCE_OK;
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--profile: '%s': a simulated or computed sweep is not submitted",
                              name);
    }
    if (nuce_slurm_profile(name, config->sweep.slurm, NULL, &profile, error) == NUCE_OK) {
        nuce_campaign_imagine(config->sweep.name, config, &campaign);
        if (nuce_limits_read(profile.via, &limits, error) == NUCE_OK &&
            nuce_packing_make_all(&campaign, &profile, limits.array_size, &packing, error) ==
                NUCE_OK) {
            error->status = nuce_cost_of(&packing, &profile, &cost, error);
            nuce_packing_fini(&packing);
        }
    }
    nuce_campaign_fini(&campaign);
    nuce_profile_fini(&profile);
    if (error->status != NUCE_OK)
        return error->status;
    nuce_cost_say(&cost, text);
    if (name != NULL || json_object_size(config->sweep.slurm) > 0 ||
        nuce_slurm_find(NULL, "sbatch", &ignored) == NUCE_OK)
        plan_say("submitted    %s", text);
    return NUCE_OK;
}

/* The time of the starts by earlier campaigns, if these know all of them. Otherwise the user is
 * told what makes it known. */
static void print_starts(const struct plan_arguments *arguments, const struct nuce_config *config,
                         const struct nuce_earlier *earlier)
{
    double launches = (double)config->sweep.measure.launches, sum_s = 0;
    int most = config->plan.points[config->plan.count - 1].ranks;
    int64_t starts =
        (int64_t)json_object_size(earlier->starts.by_key) * config->sweep.measure.launches;
    char buffer[NUCE_UNITS_BYTES], *as_in = nuce_earlier_say(&earlier->starts);
    const char *way;
    json_t *entry;

    json_object_foreach(earlier->starts.by_key, way, entry) sum_s +=
        launches * nuce_earlier_find(&earlier->starts, way);
    if (!isnan(sum_s))
        plan_say("             and %s for %lld start%s, as in %s",
                 nuce_units_format_seconds(sum_s, buffer), (long long)starts,
                 nuce_text_plural(starts), as_in);
    else if (arguments->profile != NULL)
        plan_say("             and %lld start%s, whose time is known after a first campaign",
                 (long long)starts, nuce_text_plural(starts));
    else
        plan_say("             and %lld start%s, whose time is known after a first run; 'time "
                 "mpiexec -n %d true' is near it",
                 (long long)starts, nuce_text_plural(starts), most);
    free(as_in);
}

/* Times of earlier campaigns are those of the launcher that the plan is for. */
static void print_estimate(const struct plan_arguments *arguments, const struct nuce_config *config)
{
    struct nuce_sampling_time time = {0};
    char *estimate, *as_in, buffer[NUCE_UNITS_BYTES];
    struct nuce_earlier earlier;
    json_t *lines;

    if (config->sweep.workload->is_command) {
        int is_known = strcmp(config->sweep.measure.until, NUCE_UNTIL_KNOWN) == 0;

        plan_say("estimate     %s%lld launch%s, each as long as all commands and the reference's "
                 "duplicate%s%s",
                 is_known ? "at most " : "", (long long)config->sweep.measure.launches,
                 config->sweep.measure.launches == 1 ? "" : "es",
                 is_known ? ", and at most the budget of a race, " : "",
                 is_known ? nuce_units_format_seconds(config->sweep.measure.budget, buffer) : "");
        return;
    }
    if (!nuce_config_is_raced(config)) {
        estimate = nuce_sampling_time_estimate(config);
        plan_say("estimate     %s (measure: time-limit)", estimate);
        free(estimate);
        return;
    }
    lines = json_array();
    for (int64_t i = 0; i < config->plan.count; i++) {
        if (!config->plan.points[i].is_computed)
            json_array_append(lines, config->plan.points[i].line);
    }
    nuce_earlier_read(arguments->campaigns,
                      arguments->profile != NULL ? &nuce_launcher_slurm : &nuce_launcher_local,
                      lines, &earlier);
    json_decref(lines);
    for (int64_t i = 0; i < config->plan.count; i++) {
        if (!config->plan.points[i].is_computed)
            nuce_sampling_time_add(&time, config->plan.points[i].line,
                                   (double)config->sweep.measure.launches,
                                   nuce_earlier_find(&earlier.runs, config->plan.points[i].id));
    }
    as_in = nuce_earlier_say(&earlier.runs);
    estimate = nuce_sampling_time_say(&time, as_in);
    plan_say("estimate     %s%s", estimate,
             time.known == 0            ? " (measure: time-limit), without set-up"
             : time.known < time.points ? " (measure: time-limit), and set-up"
                                        : "");
    print_starts(arguments, config, &earlier);
    nuce_earlier_fini(&earlier);
    free(estimate);
    free(as_in);
}

/* Points are sorted by rank count: the last one has the most. Those that no program can run are for
 * the model alone. `nuce submit` may run points that `nuce run` cannot run here. */
static nuce_status plan_print_text(const struct plan_arguments *arguments,
                                   const struct nuce_config *config, struct nuce_error *error)
{
    const struct nuce_plan *plan = &config->plan;
    const char *mpiexec = nuce_option_find(nuce_local_options, "mpiexec")->preset;
    int processors = nuce_process_processors();
    int most = plan->points[plan->count - 1].ranks;
    struct nuce_error refusal;
    int64_t run = 0;

    for (int64_t i = 0; i < plan->count && !config->is_modelled; i++)
        run += !plan->points[i].is_computed;
    printf("sweep        %s (%s)\nworkload     %s\npoints       %lld", config->sweep.name,
           config->path, config->sweep.workload->name, (long long)plan->count);
    if (plan->excluded > 0 || plan->repeated > 0)
        printf(" of %lld combinations: %lld excluded, %lld the same point again",
               (long long)plan->combinations, (long long)plan->excluded, (long long)plan->repeated);
    putchar('\n');
    if (run == 0) {
        plan_say("modelled     all: nothing is run, 'nuce run --modelled' computes it");
    } else {
        print_launches(config);
        print_estimate(arguments, config);
    }
    if (run > 0 && run < plan->count)
        plan_say("modelled     %lld point%s more: only 'nuce run --modelled' computes them",
                 (long long)(plan->count - run), nuce_text_plural(plan->count - run));
    if (print_cost(arguments, config, error) != NUCE_OK)
        return error->status;
    if (config->sweep.platform != NULL && !config->is_modelled)
        plan_say("simulated    on %s", config->sweep.platform);
    else if (run > 0 && arguments->profile == NULL) {
        if (most > processors)
            plan_say(
                "processors   %d usable here: up to %d ranks are oversubscribed: times say more "
                "about the scheduler than about the network",
                processors, most);
        if (nuce_words_check_user(plan, mpiexec, &refusal) != NUCE_OK)
            plan_say("refused      by 'nuce run' here: %s", nuce_error_flatten(&refusal));
    }
    putchar('\n');
    return print_factors(config, error);
}

/* Prints for each point its line of the plan, and the text that its id is the hash of. */
static nuce_status plan_print_json(const struct nuce_config *config, struct nuce_error *error)
{
    error->status = NUCE_OK;
    for (int64_t i = 0; error->status == NUCE_OK && i < config->plan.count; i++) {
        const struct nuce_planned *planned = &config->plan.points[i];
        char *text = nuce_point_canonical_text(config->sweep.workload, planned->ranks,
                                               planned->canonical, error);
        json_t *line = json_copy(planned->line);

        if (text != NULL && (json_object_set_new(line, "canonical", json_string(text)) != 0 ||
                             !nuce_jsonl_print(line, stdout)))
            nuce_error_set(error, NUCE_FAILED, "cannot write a point as JSON");
        json_decref(line);
        free(text);
    }
    return error->status;
}

/* More than the options of any workload; checked. */
#define MOST_COLUMNS 64

/* One row per point: id, ranks and a column for each option of the workload; options that do not
 * apply to a point are empty. */
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
    for (int64_t i = 0; i < config->plan.count; i++) {
        const struct nuce_planned *planned = &config->plan.points[i];
        const char *cells[MOST_COLUMNS] = {planned->id};
        char *texts[MOST_COLUMNS] = {NULL};

        for (int k = 1; k < columns; k++) {
            const json_t *value = k == 1 ? json_object_get(planned->line, "ranks")
                                         : json_object_get(planned->canonical, names[k]);

            if (value != NULL && !json_is_string(value))
                texts[k] = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
            cells[k] = texts[k] != NULL ? texts[k] : json_string_value(value);
        }
        nuce_cli_add(&grid, cells);
        for (int k = 1; k < columns; k++)
            free(texts[k]);
    }
    error->status = nuce_grid_print(&grid, NUCE_GRID_CSV, stdout, error);
    nuce_grid_fini(&grid);
    return error->status;
}

/* The sweep is checked as `nuce submit` checks it with that profile, so that all mistakes are also
 * reported here, at once. The option refuses Markdown and latex. */
static nuce_status plan_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct plan_arguments *arguments = call->arguments;
    struct nuce_config config;
    nuce_status status = nuce_slurm_config(arguments->config, arguments->profile, &config, error);

    config.is_modelled = arguments->is_modelled;
    if (status == NUCE_OK && config.is_modelled)
        status = nuce_config_check_modelled(&config, error);
    if (status == NUCE_OK)
        status = arguments->format == NUCE_GRID_JSON  ? plan_print_json(&config, error)
                 : arguments->format == NUCE_GRID_CSV ? print_csv(&config, error)
                                                      : plan_print_text(arguments, &config, error);
    nuce_config_fini(&config);
    return status;
}

const struct nuce_subcommand nuce_subcommand_plan = {
    .name = "plan",
    .summary = "show the points of a sweep, and estimate its time",
    .about = "Shows the points, races and launches of SWEEP, and estimates the time. SWEEP is a "
             "file or a "
             "name of 'nuce list sweeps'. Runs nothing, writes nothing.",
    .examples = NUCE_EXAMPLES(
        {"nuce plan quick", "show the points and the time of the shipped sweep quick"},
        {"nuce plan first-exchange --format csv", "list the factors of its points as CSV"}),
    .operands = {.usage = "SWEEP",
                 .least = 1,
                 .most = 1,
                 .expected = "one SWEEP: a file, or a name of 'nuce list sweeps'"},
    .options = options,
    .arguments_bytes = sizeof(struct plan_arguments),
    .operand = offsetof(struct plan_arguments, config),
    .run = plan_command,
};
