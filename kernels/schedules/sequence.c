/* Step by step: a schedule is computed for the pattern, or the one in force is kept. What a kept
 * one has room for goes by it; what is beyond goes behind it, all at once, or, where it is
 * repaired, by a schedule of that alone, which becomes a part of the one in force. All of it is
 * what every rank computes from the same patterns. */
#include "schedules/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedules/bounds.h"
#include "schedules/stale.h"
#include "support/allocate.h"
#include "support/clock.h"

/* clang-format off */
const struct nuce_result nuce_sequence_results[] = {
    {"schedules", NUCE_INTEGER, "", "schedules that were computed for a sequence of patterns", NULL, 0},
    {"rest_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES,
     "what kept schedules had no room for, in all patterns of a sequence", "beyond schedule", 0},
    {.name = NULL},
};
/* clang-format on */

nuce_status nuce_sequence_init(const struct nuce_sequence_terms *terms, struct nuce_sequence *out,
                               struct nuce_error *error)
{
    struct nuce_sequence sequence = {.terms = *terms};

    NUCE_ASSERT(terms->steps >= 1 && terms->steps <= NUCE_SEQUENCE_MOST && terms->reuse >= 1);
    sequence.step = nuce_allocate(terms->steps, sizeof *sequence.step, error);
    if (sequence.step == NULL)
        return error->status;
    *out = sequence;
    return NUCE_OK;
}

void nuce_sequence_fini(struct nuce_sequence *sequence)
{
    for (int64_t t = 0; sequence->step != NULL && t < sequence->terms.steps; t++) {
        nuce_pattern_fini(&sequence->step[t].pattern);
        nuce_schedule_fini(&sequence->step[t].planned);
        nuce_schedule_fini(&sequence->step[t].rest);
    }
    free(sequence->step);
    nuce_schedule_fini(&sequence->plan);
    nuce_pattern_fini(&sequence->room);
    nuce_pattern_fini(&sequence->beyond);
    memset(sequence, 0, sizeof *sequence);
}

static int is_computed(const struct nuce_sequence *sequence, int64_t step)
{
    return step % sequence->terms.reuse == 0;
}

nuce_status nuce_sequence_want(struct nuce_sequence *sequence, int64_t step,
                               const struct nuce_pattern **wanted, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = &sequence->step[step].pattern;

    nuce_pattern_fini(&sequence->beyond);
    *wanted = pattern;
    if (is_computed(sequence, step))
        return NUCE_OK;
    if (nuce_stale_beyond(&sequence->room, pattern, &sequence->beyond, error) != NUCE_OK)
        return error->status;
    *wanted = sequence->terms.repairs && sequence->beyond.messages > 0 ? &sequence->beyond : NULL;
    return NUCE_OK;
}

/* A new schedule is in force. */
static nuce_status sequence_renew(struct nuce_sequence *sequence,
                                  const struct nuce_pattern *pattern,
                                  struct nuce_schedule *schedule, struct nuce_error *error)
{
    nuce_schedule_fini(&sequence->plan);
    nuce_pattern_fini(&sequence->room);
    sequence->plan = *schedule;
    memset(schedule, 0, sizeof *schedule);
    sequence->schedules++;
    return nuce_stale_widen(pattern, pattern, &sequence->room, error);
}

/* The schedule in force gets further, which is of what is beyond its room, behind its last phase.
 */
static nuce_status sequence_repair(struct nuce_sequence *sequence,
                                   const struct nuce_pattern *pattern,
                                   struct nuce_schedule *further, struct nuce_error *error)
{
    struct nuce_schedule plan;
    struct nuce_pattern room;

    nuce_stale_move(further, &sequence->room);
    if (nuce_stale_widen(&sequence->room, pattern, &room, error) != NUCE_OK)
        return error->status;
    nuce_pattern_fini(&sequence->room);
    sequence->room = room;
    if (nuce_stale_append(&sequence->plan, further, &plan, error) != NUCE_OK)
        return error->status;
    nuce_schedule_fini(&sequence->plan);
    sequence->plan = plan;
    return NUCE_OK;
}

/* What goes by the schedule in force, and what goes behind it. */
static nuce_status sequence_divide(struct nuce_sequence *sequence, struct nuce_sequence_step *at,
                                   struct nuce_error *error)
{
    nuce_pattern_fini(&sequence->beyond);
    nuce_schedule_fini(&at->planned);
    nuce_schedule_fini(&at->rest);
    if (nuce_stale_beyond(&sequence->room, &at->pattern, &sequence->beyond, error) != NUCE_OK ||
        nuce_stale_limit(&sequence->plan, &at->pattern, &at->planned, error) != NUCE_OK)
        return error->status;
    return sequence->beyond.messages == 0
               ? NUCE_OK
               : nuce_stale_fallback(&sequence->beyond, &at->rest, error);
}

static int64_t sequence_sum(int64_t a, int64_t b)
{
    return a + b;
}

/* Both parts are one pattern if their messages add up to those of it. */
static nuce_status sequence_check_parts(const struct nuce_pattern *within,
                                        const struct nuce_pattern *beyond,
                                        const struct nuce_pattern *pattern,
                                        struct nuce_error *error)
{
    struct nuce_pattern sum;
    nuce_status status = nuce_pattern_combine(within, beyond, sequence_sum, &sum, error);

    if (status != NUCE_OK)
        return status;
    if (sum.messages != pattern->messages ||
        memcmp(sum.destination, pattern->destination,
               (size_t)sum.messages * sizeof *sum.destination) != 0 ||
        memcmp(sum.bytes, pattern->bytes, (size_t)sum.messages * sizeof *sum.bytes) != 0)
        status = nuce_error_set(error, NUCE_CORRUPT,
                                "what a kept schedule has room for and what is beyond it are not "
                                "the pattern");
    nuce_pattern_fini(&sum);
    return status;
}

/* Before the rest is moved to its place behind what is planned. */
static nuce_status sequence_check(const struct nuce_sequence *sequence,
                                  const struct nuce_sequence_step *at, struct nuce_error *error)
{
    const struct nuce_pattern *beyond = &sequence->beyond;
    struct nuce_pattern within;
    nuce_status status = nuce_stale_within(&sequence->room, &at->pattern, &within, error);

    if (status != NUCE_OK)
        return status;
    status = nuce_schedule_validate(&at->planned, &within, error);
    if (status == NUCE_OK && beyond->messages > 0)
        status = nuce_schedule_validate(&at->rest, beyond, error);
    if (status == NUCE_OK && beyond->messages > 0)
        status = sequence_check_parts(&within, beyond, &at->pattern, error);
    nuce_pattern_fini(&within);
    return status;
}

static int64_t all_bytes(const struct nuce_pattern *pattern)
{
    int64_t sum = 0;

    for (int64_t k = 0; k < pattern->messages; k++)
        sum += pattern->bytes[k];
    return sum;
}

/* By the schedule that is in force for the step. */
static nuce_status sequence_settle(struct nuce_sequence *sequence, struct nuce_sequence_step *at,
                                   struct nuce_error *error)
{
    if (sequence_divide(sequence, at, error) != NUCE_OK ||
        sequence_check(sequence, at, error) != NUCE_OK)
        return error->status;
    nuce_stale_move(&at->rest, &sequence->room);
    sequence->rest_bytes += all_bytes(&sequence->beyond);
    return NUCE_OK;
}

nuce_status nuce_sequence_take(struct nuce_sequence *sequence, int64_t step,
                               struct nuce_schedule *schedule, double seconds,
                               struct nuce_error *error)
{
    struct nuce_sequence_step *at = &sequence->step[step];
    double begin = nuce_processor_clock();
    nuce_status status = NUCE_OK;

    sequence->seconds += seconds;
    if (schedule != NULL && is_computed(sequence, step)) {
        status = sequence_renew(sequence, &at->pattern, schedule, error);
    } else if (schedule != NULL) {
        status = sequence_repair(sequence, &at->pattern, schedule, error);
        sequence->seconds += nuce_processor_clock() - begin;
    }
    if (schedule != NULL)
        nuce_schedule_fini(schedule);
    return status == NUCE_OK ? sequence_settle(sequence, at, error) : status;
}

/* Adds what the model says of a schedule; *seconds becomes NaN where it says nothing. */
static nuce_status add_makespan(const struct nuce_schedule *schedule,
                                const struct nuce_network *network,
                                const enum nuce_execution *execution, double *seconds,
                                struct nuce_error *error)
{
    enum nuce_execution fits;
    double makespan;

    if (schedule->pieces == 0)
        return NUCE_OK;
    fits = execution != NULL ? *execution : nuce_execution_of(schedule, network);
    if (!nuce_execution_is_modelled(schedule, network) ||
        !nuce_execution_predicts(schedule, fits)) {
        *seconds = NAN;
        return NUCE_OK;
    }
    if (nuce_execution_makespan(schedule, network, fits, &makespan, error) != NUCE_OK)
        return error->status;
    *seconds += makespan;
    return NUCE_OK;
}

static nuce_status sequence_predict(const struct nuce_sequence *sequence,
                                    const struct nuce_network *network,
                                    const enum nuce_execution *execution, double *seconds,
                                    struct nuce_error *error)
{
    *seconds = 0;
    for (int64_t t = 0; t < sequence->terms.steps; t++) {
        const struct nuce_sequence_step *at = &sequence->step[t];

        if (add_makespan(&at->planned, network, execution, seconds, error) != NUCE_OK ||
            add_makespan(&at->rest, network, execution, seconds, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Of all messages of all steps, those of a pair as one. */
static nuce_status sequence_bound(const struct nuce_sequence *sequence,
                                  const struct nuce_network *network, struct nuce_bounds *out,
                                  struct nuce_error *error)
{
    struct nuce_pattern all = {0};
    nuce_status status = nuce_pattern_init(sequence->step[0].pattern.ranks, NULL, 0, &all, error);

    for (int64_t t = 0; status == NUCE_OK && t < sequence->terms.steps; t++) {
        struct nuce_pattern sum;

        status = nuce_pattern_combine(&all, &sequence->step[t].pattern, sequence_sum, &sum, error);
        if (status == NUCE_OK) {
            nuce_pattern_fini(&all);
            all = sum;
        }
    }
    if (status == NUCE_OK)
        status = nuce_bounds_compute(&all, network, out, error);
    nuce_pattern_fini(&all);
    return status;
}

nuce_status nuce_sequence_describe(const struct nuce_sequence *sequence,
                                   const struct nuce_network *network,
                                   const enum nuce_execution *execution, double *predicted,
                                   struct nuce_found *found, struct nuce_error *error)
{
    struct nuce_bounds bounds;

    *predicted = NAN;
    nuce_found_integer(found, "schedules", sequence->schedules);
    nuce_found_integer(found, "rest_bytes", sequence->rest_bytes);
    /* What was found of the first pattern alone. */
    nuce_found_drop(found, "predicted_s");
    if (network == NULL)
        return NUCE_OK;
    if (sequence_bound(sequence, network, &bounds, error) != NUCE_OK ||
        sequence_predict(sequence, network, execution, predicted, error) != NUCE_OK)
        return error->status;
    nuce_found_real(found, "bound_s", nuce_bounds_of(&bounds, sequence->plan.discipline));
    nuce_found_real(found, "single_port_bound_s", bounds.single_port);
    nuce_found_real(found, "predicted_s", *predicted);
    return NUCE_OK;
}
