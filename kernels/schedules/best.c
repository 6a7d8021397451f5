/* best: the schedule, of several, with the earliest predicted end.
 *
 * Problem: the best schedule depends on the sizes of the messages and on the network: small
 * messages want few phases, large ones balance.
 * Steps: build the schedule of each of a set of algorithms and execute it on the network in the
 * papers' cost model, in the execution that fits its discipline. The smallest makespan wins, the
 * first of several. The winner is built again as the result, with its own discipline; all are noted
 * as candidates. An algorithm of the preset that does not take the pattern is skipped; one that the
 * user named is an error.
 * Cost: to build, that of all the algorithms, of their executions, and of the winner again. To run,
 * the winner's.
 * Limits: the choice is as good as the network file. Without known ports, streams are compared as
 * if their depth were 1, and post-all schedules by the upper end of their bracket (execution.h).
 * Source: papers/ALGORITHMS.md, redistribution ("offer best"). */
#include <stdlib.h>
#include <string.h>

#include "schedules/execution.h"

extern const struct nuce_schedule_ops nuce_schedule_best;

static const char preset_choices[] = "direct,colouring,largest-first,greedy,load-list,preemptive";

/* An error about the first length bytes at name, one of the choices. */
static nuce_status best_report(const char *name, size_t length, const char *problem,
                               struct nuce_error *error)
{
    return nuce_error_refuse(error, "choices",
                             "'%.*s' %s: expected names of schedules that make a schedule "
                             "before it runs, other than best, separated by commas, such as %s",
                             (int)(length < NUCE_NAME_BYTES ? length : NUCE_NAME_BYTES), name,
                             problem, preset_choices);
}

/* Finds the algorithm whose name is the first of a comma list, in *out; *rest is the text after it,
 * NULL at the end. Dynamic ones are refused: no model gives their time. */
static nuce_status next_choice(const char *list, const struct nuce_schedule_ops **out,
                               const char **rest, struct nuce_error *error)
{
    size_t length = strcspn(list, ",");
    char name[NUCE_NAME_BYTES] = "";
    const struct nuce_schedule_ops *ops = NULL;

    if (length < sizeof name) {
        memcpy(name, list, length);
        ops = nuce_schedule_find(name);
    }
    if (ops == NULL)
        return best_report(list, length, "is not a schedule", error);
    if (ops == &nuce_schedule_best)
        return best_report(list, length, "cannot choose itself", error);
    if (ops->discipline == NUCE_DYNAMIC)
        return best_report(list, length, "finds its order while it runs", error);
    *out = ops;
    *rest = list[length] == ',' ? list + length + 1 : NULL;
    return NUCE_OK;
}

/* The execution by which schedules are compared: the one that fits. But fluid would let a deeper
 * queue gain from ports that are not known, and the schedule would win for that alone. Without all
 * ports, or if fluid takes too long, such a schedule counts as depth 1. */
static enum nuce_execution execution_of(const struct nuce_schedule *schedule,
                                        const struct nuce_network *network)
{
    if (schedule->discipline == NUCE_STREAMS &&
        ((!nuce_network_has_ports(network) && !nuce_network_has_tiers(network)) ||
         !nuce_execution_is_modelled(schedule, network)))
        return NUCE_PORTS;
    return nuce_execution_to_compare(schedule, network);
}

nuce_status nuce_schedule_check_choices(const char *choices, struct nuce_error *error)
{
    const struct nuce_schedule_ops *ops;

    for (const char *rest = choices; rest != NULL;) {
        if (next_choice(rest, &ops, &rest, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Only algorithms that took the pattern become candidates, so `chosen` counts candidates and not
 * choices. An equal makespan does not replace the winner. */
static nuce_status best_build(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const char *choices =
        input->tuning->choices[0] != '\0' ? input->tuning->choices : preset_choices;
    const struct nuce_schedule_ops *ops, *winner = NULL;
    struct nuce_schedule_builder noted;
    double least = 0;
    nuce_status status;
    int chosen = 0;

    if (nuce_schedule_check_choices(choices, error) != NUCE_OK)
        return error->status;
    for (const char *rest = choices; rest != NULL;) {
        struct nuce_schedule schedule;
        double makespan;

        if (next_choice(rest, &ops, &rest, error) != NUCE_OK)
            return error->status;
        status = nuce_schedule_create(ops, input, &schedule, error);
        if (status == NUCE_BAD_INPUT && choices == preset_choices)
            continue;
        if (status != NUCE_OK)
            return nuce_error_prefix(error, "best");
        makespan = nuce_execution_makespan(&schedule, input->network,
                                           execution_of(&schedule, input->network));
        nuce_schedule_add_candidate(builder, ops->name, &schedule, makespan);
        if (winner == NULL || makespan < least) {
            winner = ops;
            least = makespan;
            chosen = (int)builder->candidates - 1;
            builder->discipline = schedule.discipline;
        }
        nuce_schedule_fini(&schedule);
    }
    /* The winner may note its own candidates (rs-nh-fixed), which are not the choice made here. The
     * candidates noted so far are kept. */
    noted = *builder;
    builder->candidate = NULL;
    builder->candidates = builder->candidate_capacity = 0;
    status = nuce_schedule_build(winner, input, builder, error);
    free(builder->candidate);
    builder->candidate = noted.candidate;
    builder->candidates = noted.candidates;
    builder->candidate_capacity = noted.candidate_capacity;
    builder->chosen = chosen;
    return status;
}

const struct nuce_schedule_ops nuce_schedule_best = {
    .name = "best",
    .label = "predicted fastest",
    .summary = "the schedule that is predicted to end first, of several",
    .source = "the cost models of the papers, over the schedules that there are",
    .discipline = NUCE_STREAMS, /* before it has chosen */
    .uses = NUCE_USES_STARTUP | NUCE_USES_LAMBDA | NUCE_USES_IN_FLIGHT | NUCE_USES_CHOICES,
    .build = best_build,
};
