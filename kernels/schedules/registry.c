/* The table of schedules, made from schedules.def, and the one way to make a schedule. It fills in
 * presets, so that algorithms see no NULL.
 *
 * A schedule is one file and one row of schedules.def. nuce_schedule_create turns the pieces that
 * an algorithm put into a builder into the queues for engines and models. */
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "schedules/schedule.h"

#define NUCE_REGISTRY schedule
#define NUCE_REGISTRY_ROWS "schedules/schedules.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

const char *nuce_schedule_name(size_t index)
{
    return nuce_schedules[index] == NULL ? NULL : nuce_schedules[index]->name;
}

const char *nuce_needs_name(enum nuce_needs needs)
{
    static const char *const names[] = {
        [NUCE_NEEDS_PATTERN] = "pattern",
        [NUCE_NEEDS_GROUPS] = "groups",
        [NUCE_NEEDS_REDISTRIBUTION] = "redistribution",
        [NUCE_NEEDS_ARRAYS] = "arrays",
    };

    return names[needs];
}

/* The default network is the papers' cm5: algorithms that weigh messages then weigh them by size
 * and one startup. in_flight -1 ("auto") is the depth of the network's contention
 * curve. */
void nuce_schedule_given(const struct nuce_schedule_input *input, struct nuce_schedule_given *out)
{
    struct nuce_error error; /* unused: the preset exists */

    out->input = *input;
    out->tuning = input->tuning == NULL ? nuce_tuning_preset : *input->tuning;
    nuce_network_preset("cm5", input->pattern->ranks, &out->preset, &error);
    if (input->network == NULL)
        out->input.network = &out->preset;
    if (out->tuning.in_flight < 0)
        out->tuning.in_flight = nuce_network_depth(out->input.network);
    out->input.tuning = &out->tuning;
}

nuce_status nuce_schedule_build(const struct nuce_schedule_ops *ops,
                                const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct nuce_tuning tuning = *input->tuning;
    struct nuce_schedule_input its = *input;

    /* Each of the schedules that one is made of, or chooses from, takes its own. */
    if (tuning.in_flight == 0)
        tuning.in_flight = ops->in_flight;
    its.tuning = &tuning;
    if (ops->build != NULL)
        return ops->build(&its, builder, error);
    ops->fill(&its, builder);
    return NUCE_OK;
}

nuce_status nuce_schedule_create(const struct nuce_schedule_ops *ops,
                                 const struct nuce_schedule_input *input, struct nuce_schedule *out,
                                 struct nuce_error *error)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule_given given;

    nuce_schedule_given(input, &given);
    nuce_schedule_builder_init(&builder, input->pattern->ranks, ops->discipline);
    if (nuce_schedule_build(ops, &given.input, &builder, error) != NUCE_OK) {
        nuce_schedule_builder_fini(&builder);
        return error->status;
    }
    nuce_schedule_build_end(&builder, out);
    out->executor = ops->executor;
    return NUCE_OK;
}

/* A part of another schedule must know its messages in advance. It must not itself have parts or a
 * choice, so that parts do not nest. */
nuce_status nuce_schedule_check_part(const char *option, const char *name, struct nuce_error *error)
{
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);

    if (ops == NULL)
        return nuce_error_refuse(error, option,
                                 "'%.80s' is not a schedule: expected one of 'nuce "
                                 "list schedules'",
                                 name);
    if (ops->discipline == NUCE_DYNAMIC || ops->needs > NUCE_NEEDS_GROUPS ||
        (ops->uses & (NUCE_USES_PARTS | NUCE_USES_CHOICES)))
        return nuce_error_refuse(
            error, option,
            "'%s': expected a schedule that has an order before it runs, takes "
            "any pattern, and is not made of others",
            name);
    return NUCE_OK;
}

/* From what the ops say: a call has no discipline of its own and no options. */
enum nuce_effort nuce_schedule_effort(const struct nuce_schedule_ops *ops)
{
    if ((ops->uses & NUCE_USES_NODES) != 0 || ops->needs == NUCE_NEEDS_GROUPS)
        return NUCE_EFFORT_NODES;
    switch (ops->discipline) {
    case NUCE_POST_ALL:
        return NUCE_EFFORT_POST;
    case NUCE_BLOCKING:
        return NUCE_EFFORT_HOLD;
    case NUCE_DYNAMIC:
        return ops->uses == 0 ? NUCE_EFFORT_CALL : NUCE_EFFORT_HOLD;
    case NUCE_FORWARD:
        return NUCE_EFFORT_FORWARD;
    default:
        return NUCE_EFFORT_ORDER;
    }
}

nuce_status nuce_tuning_check(const struct nuce_tuning *tuning, unsigned uses,
                              struct nuce_error *error)
{
    const struct nuce_tuning *t = tuning;

    if (t->lambda < 0 || t->lambda > 1)
        return nuce_error_refuse(error, "lambda", "'%g': expected more than 0 and at most 1",
                                 t->lambda);
    if ((t->tau > 0) != (t->phi > 0))
        return nuce_error_refuse(error, t->tau > 0 ? "phi" : "tau",
                                 "'0' or not given: tau and phi go together, both more than 0");
    if (t->choices[0] != '\0' && nuce_schedule_check_choices(t->choices, error) != NUCE_OK)
        return error->status;
    if ((uses & NUCE_USES_PARTS) &&
        (nuce_schedule_check_part("within", t->within, error) != NUCE_OK ||
         nuce_schedule_check_part("between", t->between, error) != NUCE_OK))
        return error->status;
    if (t->in_flight > INT_MAX)
        return nuce_error_refuse(error, "in-flight", "'%lld': expected at most %d",
                                 (long long)t->in_flight, INT_MAX);
    return NUCE_OK;
}

nuce_status nuce_tuning_check_ranks(const struct nuce_tuning *tuning, unsigned uses, int ranks,
                                    struct nuce_error *error)
{
    const struct nuce_tuning *t = tuning;
    int64_t node = t->node_ranks > 0 && t->node_ranks < ranks ? t->node_ranks : ranks;
    const struct {
        unsigned uses;
        const char *name, *what;
        int64_t value, least, most;
    } counts[] = {
        {NUCE_USES_NODES, "node-ranks", "number of ranks", t->node_ranks, 1, ranks},
        {NUCE_USES_GROUP_RANKS, "group-ranks", "number of ranks", t->group_ranks, 1, ranks},
        {NUCE_USES_RADIX, "radix", "number of ranks", t->radix, 2, ranks},
        {NUCE_USES_LEADERS, "leaders", "ranks of the largest node", t->leaders, 1, node},
    };

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        if ((uses & counts[k].uses) && counts[k].value > counts[k].most)
            return nuce_error_refuse(error, counts[k].name, "'%lld': expected %lld to the %s, %lld",
                                     (long long)counts[k].value, (long long)counts[k].least,
                                     counts[k].what, (long long)counts[k].most);
    }
    return NUCE_OK;
}

/* The time of making a schedule.
 *
 * It is processor time of the calling thread: the cost of the schedule on each rank of a program,
 * without the load of other processes. */

/* Most schedules take microseconds: they are timed again while that is cheap, and the median is
 * kept. */
#define REPEATS 5
#define REPEAT_S 0.02

/* The last schedule is kept. All are equal, because the input has the random numbers by value. */
nuce_status nuce_schedule_create_timed(const struct nuce_schedule_ops *ops,
                                       const struct nuce_schedule_input *input,
                                       struct nuce_schedule *out, double *seconds,
                                       struct nuce_error *error)
{
    struct nuce_schedule schedule = {0};
    double times[REPEATS], total = 0;
    int count = 0;

    while (count < REPEATS && total < REPEAT_S) {
        double begin = nuce_processor_clock();

        nuce_schedule_fini(&schedule);
        if (nuce_schedule_create(ops, input, &schedule, error) != NUCE_OK)
            return error->status;
        times[count] = nuce_processor_clock() - begin;
        total += times[count++];
    }
    nuce_statistics_sort(times, count);
    *seconds = nuce_statistics_median(times, count);
    *out = schedule;
    return NUCE_OK;
}
