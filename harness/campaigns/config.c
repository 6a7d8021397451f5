/* A configuration from its name to its plan: found, read, parsed, expanded. Collects as many
 * mistakes as possible as problems before it gives up; *error then says only that nothing was
 * done. */
#include "campaigns/config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"

const struct nuce_shipped nuce_config_shipped = {"configs", "sweep", "sweeps", ".yaml"};

void nuce_config_fini(struct nuce_config *config)
{
    nuce_plan_fini(&config->plan);
    nuce_sweep_fini(&config->sweep);
    free(config->path);
    free(config->text);
    *config = (struct nuce_config){0};
}

/* Points are made only of a sweep without mistakes: mistakes of form come first, then those of
 * combinations. The check for more ranks than this machine can start comes before, so that its
 * problem names the line of `ranks`. If files give the ranks, the check comes after. It does not
 * apply to a sweep on a simulated platform. */
nuce_status nuce_config_parse(int64_t most_ranks, const struct nuce_sweep_judge *judge,
                              struct nuce_config *out, struct nuce_problems *problems,
                              struct nuce_error *error)
{
    struct nuce_sweep *sweep = &out->sweep;
    struct nuce_plan *plan = &out->plan;
    struct nuce_facts *facts;

    nuce_problems_init(problems, out->path);
    nuce_sweep_parse(out->text, out->length, judge, sweep, problems);
    if (nuce_problems_none(problems)) {
        int64_t most = most_ranks > 0 && sweep->platform == NULL ? most_ranks : INT64_MAX;

        for (int64_t i = 0; i < sweep->ranks_count; i++) {
            if (sweep->ranks[i].ranks > most)
                nuce_problems_add(problems, sweep->ranks[i].line, sweep->ranks[i].column,
                                  "ranks: '%d': this launcher starts at most %lld (--max-ranks)",
                                  sweep->ranks[i].ranks, (long long)most);
        }
        facts = nuce_facts_create();
        nuce_sweep_expand(sweep, facts, plan, problems);
        nuce_facts_destroy(facts);
        for (int64_t i = 0; sweep->ranks_count == 0 && i < plan->count; i++) {
            if (plan->points[i].ranks <= most)
                continue;
            nuce_problems_add(
                problems, sweep->products[0].line, sweep->products[0].column,
                "ranks: '%d', from a file of this sweep: this launcher starts at most "
                "%lld (--max-ranks)",
                plan->points[i].ranks, (long long)most);
            break;
        }
    }
    return nuce_problems_none(problems)
               ? NUCE_OK
               : nuce_error_set(error, NUCE_BAD_INPUT, "%s: nothing was run or written", out->path);
}

nuce_status nuce_config_load(const char *name, int64_t most_ranks,
                             const struct nuce_sweep_judge *judge, struct nuce_config *out,
                             struct nuce_problems *problems, struct nuce_error *error)
{
    *out = (struct nuce_config){0};
    nuce_problems_init(problems, NULL);
    if (nuce_shipped_locate(&nuce_config_shipped, name, &out->path, error) != NUCE_OK ||
        nuce_shipped_read(out->path, &out->text, &out->length, error) != NUCE_OK)
        return error->status;
    return nuce_config_parse(most_ranks, judge, out, problems, error);
}

nuce_status nuce_config_check_modelled(const struct nuce_config *config, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = config->sweep.workload;

    if (config->is_modelled && workload->pattern == NULL && workload->model == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--modelled: %s: the workload %s has no schedule, and so no model",
                              config->path, workload->name);
    if (!config->is_modelled && workload->program == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: the workload %s is computed, no program runs it: expected "
                              "--modelled",
                              config->path, workload->name);
    return NUCE_OK;
}

void nuce_machine_files_fini(struct nuce_machine_files *files)
{
    free(files->platform);
    free(files->hosts);
    free(files->facts);
}

#define STEP_S 1e-3
/* A turn of a race: an untimed step, then the timed one (run/rounds.c). */
#define STEPS_A_TURN 2

void nuce_sampling_time_add(struct nuce_sampling_time *time, const json_t *line, double launches,
                            double earlier_s)
{
    const json_t *measure = json_object_get(line, "measure");
    double limit_s = json_number_value(json_object_get(measure, "time-limit"));
    double rounds = json_number_value(json_object_get(measure, "max-samples"));

    time->about_s +=
        launches * (isnan(earlier_s) ? fmin(limit_s, rounds * STEPS_A_TURN * STEP_S) : earlier_s);
    time->most_s += isnan(earlier_s) ? launches * limit_s : 0;
    time->points++;
    time->known += !isnan(earlier_s);
}

char *nuce_sampling_time_say(const struct nuce_sampling_time *time, const char *as_in)
{
    char about[NUCE_UNITS_BYTES], most[NUCE_UNITS_BYTES];

    nuce_units_format_seconds(time->about_s, about);
    nuce_units_format_seconds(time->most_s, most);
    if (time->known == 0)
        return nuce_text_format("about %s of sampling where a step takes 1ms, at most %s", about,
                                most);
    if (time->known == time->points)
        return nuce_text_format("about %s with set-up, as in %s", about, as_in);
    return nuce_text_format("about %s: %lld of %lld points as in %s, the others where a step takes "
                            "1ms, these at most %s",
                            about, (long long)time->known, (long long)time->points, as_in, most);
}

int nuce_config_is_raced(const struct nuce_config *config)
{
    return config->sweep.platform == NULL;
}

char *nuce_sampling_time_estimate(const struct nuce_config *config)
{
    double launches = nuce_config_is_raced(config) ? (double)config->sweep.measure.launches : 1;
    struct nuce_sampling_time time = {0};
    char most[NUCE_UNITS_BYTES];

    for (int64_t i = 0; i < config->plan.count; i++) {
        if (!config->plan.points[i].is_computed)
            nuce_sampling_time_add(&time, config->plan.points[i].line, launches, NAN);
    }
    if (config->sweep.platform == NULL)
        return nuce_sampling_time_say(&time, NULL);
    return nuce_text_format("unknown in wall time, at most %s of sampling on the simulated machine",
                            nuce_units_format_seconds(time.most_s, most));
}
