/* Contention at a node (Ranka, Wang, Kumar, section 3.1 and Table 2): d messages to or from the
 * last rank, all posted at once by the engine under `ac`. The timed step is the whole exchange
 * on every rank, and the record has each rank's own time. Verified as every exchange is. Cost of
 * building: that of a pattern of d messages. If the nodes' kernels report retransmitted TCP
 * segments, these are counted and recorded with the times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "base/units.h"
#include "programs/calibrate.h"
#include "run/check.h"
#include "run/engine.h"
#include "run/resent.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"

struct contention {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_schedule schedule;
    struct nuce_payload payload;
    struct nuce_engine engine;
    int64_t resent; /* segments of all nodes: before the first step, then since; -1: unknown */
};

/* Number of retransmitted segments of all nodes, each counted once; -1: some node has no count.
 * Collective. The first rank of each node reports, because all ranks on it see the same
 * counters. */
static int64_t resent_by_all(struct nuce_world *world)
{
    int64_t own = nuce_resent_segments(NUCE_RESENT_COUNTERS), sums[2] = {0, own < 0};
    int place = 0;

    if (world->node != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_rank(world->node, &place));
    if (place == 0 && own > 0)
        sums[0] = own;
    nuce_world_sum(world, sums, 2);
    return sums[1] > 0 ? -1 : sums[0];
}

static void contention_destroy(void *self)
{
    struct contention *contention = self;

    nuce_engine_fini(&contention->engine);
    nuce_payload_fini(&contention->payload);
    nuce_schedule_fini(&contention->schedule);
}

/* The pattern of the last rank and its partners 0 .. d - 1. Agrees before the engine is made,
 * which is collective. Collective over the world. */
static nuce_status contention_build(void *self, void *session, const struct nuce_point *point,
                                    struct nuce_counters *counters, struct nuce_run_info *info,
                                    struct nuce_error *error)
{
    struct contention *contention = self;
    struct nuce_engine_input input = {
        .world = session, .schedule = &contention->schedule, .payload = &contention->payload};
    const struct nuce_contention_params *params = point->params;
    struct nuce_message *messages = nuce_allocate(params->partners, sizeof *messages);
    struct nuce_pattern pattern = {0};
    struct nuce_schedule_input order = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    struct nuce_pattern_summary summary;
    int centre = input.world->size - 1, is_to_one = strcmp(params->direction, "to-one") == 0;
    nuce_status status;

    contention->world = session;
    contention->counters = counters;
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    info->criterion = NUCE_PART_COMMUNICATION;
    info->per_rank = 1;
    contention->resent = resent_by_all(contention->world);
    for (int k = 0; k < params->partners; k++)
        messages[k] = (struct nuce_message){.source = is_to_one ? k : centre,
                                            .destination = is_to_one ? centre : k,
                                            .bytes = params->size};
    status = nuce_pattern_init(centre + 1, messages, params->partners, &pattern, error);
    free(messages);
    if (status == NUCE_OK) {
        nuce_pattern_summarise(&pattern, &summary);
        nuce_pattern_describe(&summary, &info->found);
        status =
            nuce_schedule_create(nuce_schedule_find("ac"), &order, &contention->schedule, error);
    }
    if (status == NUCE_OK)
        status = nuce_payload_init(&pattern, contention->world->rank, NULL, NULL,
                                   &contention->payload, error);
    nuce_pattern_fini(&pattern);
    if (nuce_world_agree(contention->world, status, error) != NUCE_OK)
        return error->status;
    return nuce_world_agree(contention->world, nuce_engine_init(&input, &contention->engine, error),
                            error);
}

static void contention_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct contention *contention = self;
    double begin = nuce_clock();

    nuce_counters_begin(contention->counters);
    nuce_engine_run(&contention->engine);
    parts[NUCE_PART_COMMUNICATION] = nuce_clock() - begin;
    nuce_counters_end(contention->counters, NUCE_PART_COMMUNICATION);
}

static nuce_status contention_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct contention *contention = self;

    nuce_payload_fill(&contention->payload, salt);
    nuce_world_barrier(contention->world);
    nuce_engine_run(&contention->engine);
    return nuce_payload_check(&contention->payload, salt, error);
}

static nuce_status contention_conclude(void *self, struct nuce_error *error)
{
    struct contention *contention = self;
    int64_t now = resent_by_all(contention->world);

    (void)error;
    contention->resent = now < 0 || contention->resent < 0 ? -1 : now - contention->resent;
    return NUCE_OK;
}

static void contention_describe(const void *self, struct nuce_metrics *found, json_t *lists)
{
    const struct contention *contention = self;

    (void)lists;
    if (contention->resent >= 0)
        nuce_metrics_integer(found, "resent_segments", contention->resent);
}

/* Prints the loss of many transfers at once in sentences: is there anything to gain by a
 * schedule?
 *
 * The gain of d partners is the throughput of d at once over that of one. If the most partners
 * carry less than some smaller number, posting all messages at once loses. A schedule that
 * limits transfers to one node can gain that loss, and no more. Ratios of gains use the worst
 * ends of their intervals. */

/* A gain above the number of partners is impossible; a quarter more allows for scatter. */
#define IMPOSSIBLE 1.25

/* If all at once carry this part of the best throughput, the loss is negligible. */
#define NEARLY_ALL 0.95

/* The rows of one direction and size that matter; NULL: no such row. */
struct contention_curve {
    const json_t *best; /* highest throughput */
    const json_t *all;  /* the most partners */
};

/* The row's number, or `otherwise`. */
static double said_number(const json_t *row, const char *key, double otherwise)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* True if the interval of a gain is known: fewer than six samples have none. */
static int has_interval(const json_t *row)
{
    return said_number(row, "partners", 0) == 1 || json_is_number(json_object_get(row, "gain_low"));
}

/* The row's gain; for one partner it is 1 by definition. */
static double gain_of(const json_t *row, const char *key)
{
    return said_number(row, key, said_number(row, "partners", 0) == 1 ? 1 : 0);
}

static int row_is_of(const json_t *row, const char *direction)
{
    const char *own = json_string_value(json_object_get(row, "direction"));

    return own != NULL && strcmp(own, direction) == 0;
}

/* Ignores rows without a gain (failed, or without a row of one partner). */
static struct contention_curve find_curve(const json_t *rows, const char *direction, double size)
{
    struct contention_curve curve = {NULL, NULL};
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        if (!row_is_of(row, direction) || gain_of(row, "gain") <= 0 ||
            said_number(row, "size", 0) != size)
            continue;
        if (curve.best == NULL || gain_of(row, "gain") > gain_of(curve.best, "gain"))
            curve.best = row;
        if (curve.all == NULL ||
            said_number(row, "partners", 0) > said_number(curve.all, "partners", 0))
            curve.all = row;
    }
    return curve;
}

/* The throughput of all at once as a part of the best of fewer, and its interval. */
struct carried {
    double part, low, high;
};

static struct carried carried_of(const struct contention_curve *curve)
{
    return (struct carried){gain_of(curve->all, "gain") / gain_of(curve->best, "gain"),
                            gain_of(curve->all, "gain_low") / gain_of(curve->best, "gain_high"),
                            gain_of(curve->all, "gain_high") / gain_of(curve->best, "gain_low")};
}

static int is_known(const struct contention_curve *curve)
{
    return curve->best != NULL && has_interval(curve->all) && has_interval(curve->best);
}

/* The largest measured size of a direction, or the smallest at which all at once significantly
 * lose; 0: none. */
static double said_size(const json_t *rows, const char *direction, int that_loses)
{
    double found = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        double size = said_number(row, "size", 0);
        struct contention_curve curve = find_curve(rows, direction, size);

        if (!row_is_of(row, direction) || curve.best == NULL)
            continue;
        if (!that_loses)
            found = size > found ? size : found;
        else if (is_known(&curve) && carried_of(&curve).high < NEARLY_ALL &&
                 (found == 0 || size < found))
            found = size;
    }
    return found;
}

/* Prints the loss, the size from which it occurs, and its likely cause: the network drops
 * packets if at least one segment a sample was sent again. Also names a schedule that limits the
 * transfers into or out of a rank. grants has a depth of at least 2: with 1, the sender pauses
 * while the receiver's answer is on its way. */
static void say_loss(const json_t *rows, const char *direction,
                     const struct contention_curve *curve, FILE *file)
{
    double size = said_size(rows, direction, 1);
    long long fewer = (long long)said_number(curve->best, "partners", 1);
    double resent = said_number(curve->all, "resent_segments", 0);
    int is_in = strcmp(direction, "to-one") == 0;
    int is_dropped = resent > 0 && resent >= said_number(curve->all, "samples", 0);
    char text[32];

    fprintf(file, "posting all loses %.0f %%", 100 * (1 - carried_of(curve).part));
    if (size < said_number(curve->all, "size", 0))
        fprintf(file, ", and some from %s on", nuce_units_format_bytes((int64_t)size, text));
    if (is_dropped)
        fprintf(file,
                ", because the network drops packets that arrive at once (%.0f segments were sent "
                "again)",
                resent);
    if (!is_dropped && said_number(curve->all, "oversubscribed", 0) > 0)
        fputs(", possibly because ranks share processors.\n", file);
    else
        fprintf(file,
                "; fewer at a time may avoid that: race %s with in-flight %lld against ac, from "
                "there on.\n",
                is_in ? "grants" : "preemptive", is_in && fewer < 2 ? 2 : fewer);
}

/* The sentence of one direction; which: "into one rank". Prints nothing without several
 * partners. */
static void say_direction(const json_t *rows, const char *direction, const char *which, FILE *file)
{
    struct contention_curve curve = find_curve(rows, direction, said_size(rows, direction, 0));
    long long all = (long long)said_number(curve.all, "partners", 0);
    struct carried carried;
    char size[32];

    if (all < 2)
        return;
    fprintf(file,
            "%s %s: ", nuce_units_format_bytes((int64_t)said_number(curve.all, "size", 0), size),
            which);
    if (gain_of(curve.best, "gain") > IMPOSSIBLE * said_number(curve.best, "partners", 1)) {
        fputs("the times do not show the network: repeat on a quieter machine.\n", file);
        return;
    }
    if (curve.best == curve.all) {
        fprintf(file, "%lld at once carry more than fewer do: posting all loses nothing.\n", all);
        return;
    }
    if (!is_known(&curve)) {
        fputs("inconclusive: too few samples (--min-samples 20).\n", file);
        return;
    }
    carried = carried_of(&curve);
    fprintf(file, "%lld at once carry %.2f (%.2f .. %.2f) of what %lld %s: ", all, carried.part,
            carried.low, carried.high, (long long)said_number(curve.best, "partners", 0),
            said_number(curve.best, "partners", 0) == 1 ? "does" : "do");
    if (carried.low >= NEARLY_ALL)
        fprintf(file, "posting all loses at most %.0f %%, and no order of sending can win more.\n",
                100 * (1 - carried.low));
    else if (carried.high < NEARLY_ALL)
        say_loss(rows, direction, &curve, file);
    else
        fputs("inconclusive: use more samples (--min-samples 100), or a quieter machine.\n", file);
}

void nuce_contention_say(const json_t *rows, FILE *file)
{
    const json_t *row;
    int is_shared = 0;
    size_t i;

    json_array_foreach(rows, i, row) is_shared |= said_number(row, "oversubscribed", 0) > 0;
    say_direction(rows, "to-one", "into one rank", file);
    say_direction(rows, "from-one", "out of one rank", file);
    if (is_shared)
        fputs("Ranks share processors: if links are faster than memory copies, the times show that "
              "sharing.\n",
              file);
}

/* The results of Table 2 for a run and its machine.
 *
 * The gain of d partners is d T(1) / T(d), where T is the median time until the last rank is
 * done. It is the throughput of the node with d partners, relative to one. Its interval combines
 * the worst ends of the two medians' 95 % intervals. `growth` classifies one direction:
 *   serial       at most SERIAL: one transfer after another, or one partner alone fills the node
 *   independent  at least INDEPENDENT d: every partner has a path of its own
 *   limited      between: several partners do more than one, until the node's port is full
 *   unclear      the interval holds a limit, or there is none (fewer than 6 samples), or it is all
 *                above IMPOSSIBLE d: no network gives more than d, so other effects were timed
 *
 * `regime` combines both directions. It is single-port if both are serial, which the papers'
 * single-port bound assumes, and independent-paths if both are independent. It is unclear if one
 * is unclear or was not measured, else NIC-limited. */

/* Limits between the growths, defined in the head. They are our choice, a quarter from one
 * transfer and from d: the paper has none. */
#define SERIAL 1.25
#define INDEPENDENT 0.75

/* Medians over samples of each rank's time; a record without per-rank times adds nothing to the
 * row. */
void nuce_contention_summarise(const json_t *record, json_t *row)
{
    enum { ONE, MOST, LEAST, MEAN, KEPT };
    static const char *const keys[KEPT] = {"one_s", "partner_max_s", "partner_min_s",
                                           "partner_mean_s"};
    const json_t *per_rank = json_object_get(record, "per_rank");
    int64_t count = (int64_t)json_array_size(per_rank);
    size_t ranks = (size_t)json_integer_value(json_object_get(record, "ranks"));
    int64_t partners = json_integer_value(json_object_get(row, "partners"));
    double *values = nuce_allocate(KEPT * count, sizeof *values); /* a row for each quantity */

    for (int64_t i = 0; i < count; i++) {
        const json_t *seconds = json_array_get(per_rank, (size_t)i);

        values[ONE * count + i] = json_number_value(json_array_get(seconds, ranks - 1));
        values[LEAST * count + i] = INFINITY;
        for (int64_t k = 0; k < partners; k++) {
            double value = json_number_value(json_array_get(seconds, (size_t)k));

            values[MOST * count + i] = fmax(values[MOST * count + i], value);
            values[LEAST * count + i] = fmin(values[LEAST * count + i], value);
            values[MEAN * count + i] += value / (double)partners;
        }
    }
    for (int k = 0; count > 0 && k < KEPT; k++) {
        nuce_statistics_sort(values + k * count, count);
        json_object_set_new(row, keys[k],
                            json_real(nuce_statistics_median(values + k * count, count)));
    }
    free(values);
}

/* True if two rows have the same value of the key. */
static int have_same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* Rows of runs that failed have no times. */
static int is_ok(const json_t *row)
{
    const char *status = json_string_value(json_object_get(row, "status"));

    return status != NULL && strcmp(status, "ok") == 0;
}

/* The row of the same size and direction with one partner, or, in the other direction, with as
 * many partners; NULL: none. */
static const json_t *find_other(const json_t *rows, const json_t *row, int is_reverse)
{
    const json_t *other;
    size_t index;

    json_array_foreach(rows, index, other)
    {
        int fits = is_reverse ? have_same(other, row, "partners")
                              : said_number(other, "partners", 0) == 1 && is_ok(other);

        if (fits && have_same(other, row, "size") &&
            have_same(other, row, "direction") == !is_reverse)
            return other;
    }
    return NULL;
}

/* A limit within the interval, or an end that is NaN, makes the growth unclear: comparisons with
 * NaN are false. */
const char *nuce_contention_growth(double low, double high, double partners)
{
    if (high <= SERIAL)
        return "serial";
    if (low >= INDEPENDENT * partners)
        return low <= IMPOSSIBLE * partners ? "independent" : "unclear";
    return low > SERIAL && high < INDEPENDENT * partners ? "limited" : "unclear";
}

const char *nuce_contention_regime(const char *one, const char *other)
{
    if (other == NULL || strcmp(one, "unclear") == 0 || strcmp(other, "unclear") == 0)
        return "unclear";
    if (strcmp(one, other) != 0)
        return "NIC-limited";
    if (strcmp(one, "serial") == 0)
        return "single-port";
    return strcmp(one, "independent") == 0 ? "independent-paths" : "NIC-limited";
}

/* "gain_low" and "gain_high", if both intervals are known, combine the worst ends of both. */
void nuce_contention_compare(json_t *rows)
{
    json_t *row;
    size_t index;

    json_array_foreach(rows, index, row)
    {
        const json_t *alone = find_other(rows, row, 0);
        double partners = (double)json_integer_value(json_object_get(row, "partners"));
        double gain, low, high;

        if (partners < 2 || alone == NULL || !is_ok(row))
            continue;
        gain = partners * said_number(alone, "communication_s", NAN) /
               said_number(row, "communication_s", NAN);
        low = partners * said_number(alone, "communication_low_s", NAN) /
              said_number(row, "communication_high_s", NAN);
        high = partners * said_number(alone, "communication_high_s", NAN) /
               said_number(row, "communication_low_s", NAN);
        if (isfinite(gain))
            json_object_set_new(row, "gain", json_real(gain));
        if (isfinite(low) && isfinite(high)) {
            json_object_set_new(row, "gain_low", json_real(low));
            json_object_set_new(row, "gain_high", json_real(high));
        }
        json_object_set_new(row, "growth",
                            json_string(nuce_contention_growth(low, high, partners)));
    }
    json_array_foreach(rows, index, row)
    {
        const json_t *reverse = find_other(rows, row, 1);
        const char *growth = json_string_value(json_object_get(row, "growth"));

        if (growth != NULL)
            json_object_set_new(
                row, "regime",
                json_string(nuce_contention_regime(
                    growth, json_string_value(json_object_get(reverse, "growth")))));
    }
}

const struct nuce_workload_run nuce_contention_run = {
    .name = "contention",
    .self_size = sizeof(struct contention),
    .build = contention_build,
    .step = contention_step,
    .verify = contention_verify,
    .destroy = contention_destroy,
    .conclude = contention_conclude,
    .describe = contention_describe,
    .summarise = nuce_contention_summarise,
    .compare = nuce_contention_compare,
    .say = nuce_contention_say,
};
