/* The common options of all workloads with a schedule: the schedule and its tuning, and the network
 * for its planning. That is none, a preset, a file, a drawn or a measured one. An emulated network
 * is drawn, and then made real: each message gets longer by as much as its link should be slower
 * than the machine's, on which it is sent. */
#include "points/scheduling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"
#include "mapping/topology.h"
#include "schedules/schedule.h"
#include "schedules/words.h"

/* Most bytes of a pattern whose messages are scaled: the range in which a double is exact. */
#define MOST_BYTES 9007199254740992.0

int nuce_scheduling_emulates(const struct nuce_scheduling *scheduling)
{
    return strcmp(scheduling->network, NUCE_NETWORK_EMULATED) == 0;
}

int nuce_scheduling_draws(const struct nuce_scheduling *scheduling)
{
    return strcmp(scheduling->network, NUCE_NETWORK_RANDOM) == 0 ||
           nuce_scheduling_emulates(scheduling);
}

/* The options of the tuning that the schedule uses, as bits. */
static unsigned scheduling_uses(const struct nuce_scheduling *s)
{
    const struct nuce_schedule_ops *schedule = nuce_schedule_find(s->schedule);

    return schedule == NULL ? 0 : schedule->uses;
}

int nuce_scheduling_wants_groups(const struct nuce_scheduling *scheduling)
{
    return (scheduling_uses(scheduling) & NUCE_USES_GROUPS) && scheduling->tuning.group_ranks == 0;
}

int nuce_scheduling_applies(const struct nuce_option *option,
                            const struct nuce_scheduling *scheduling)
{
    if (option->flags & NUCE_OPTION_TUNING)
        return (scheduling_uses(scheduling) & option->uses) != 0;
    if (strcmp(option->name, "link-bandwidth") == 0)
        return nuce_scheduling_emulates(scheduling);
    return nuce_scheduling_draws(scheduling);
}

nuce_status nuce_scheduling_complete(struct nuce_scheduling *scheduling, int has_arrays,
                                     struct nuce_error *error)
{
    struct nuce_scheduling *s = scheduling;
    const struct nuce_schedule_ops *schedule = nuce_schedule_find(s->schedule);
    int is_given = s->bandwidth.high > 0;

    if (s->schedule[0] == '\0')
        return nuce_error_refuse(error, "schedule",
                                 "not given: expected one of 'nuce list schedules'");
    /* A bandwidth alone means a network that is drawn from it. */
    if (is_given && s->network[0] == '\0')
        nuce_text_copy(s->network, sizeof s->network, NUCE_NETWORK_RANDOM);
    if (is_given && !nuce_scheduling_draws(s))
        return nuce_error_refuse(error, "network",
                                 "'%s': expected random or emulated with a bandwidth", s->network);
    if (!is_given && nuce_scheduling_draws(s))
        return nuce_error_refuse(error, "bandwidth", "not given: the network '%s' is drawn from it",
                                 s->network);
    if (!is_given && (s->startup.high > 0 || s->symmetric))
        return nuce_error_refuse(error, s->symmetric ? "symmetric" : "startup",
                                 "expected bandwidth with it");
    /* A schedule that moves arrays needs a workload with arrays, and unscaled messages. */
    if (schedule != NULL && schedule->needs == NUCE_NEEDS_ARRAYS) {
        if (!has_arrays)
            return nuce_error_set(
                error, NUCE_BAD_INPUT,
                "%s: moves block-cyclic arrays: expected the workload redistribute", s->schedule);
        if (nuce_scheduling_emulates(s))
            return nuce_error_refuse(error, "network",
                                     "'emulated': changes the messages, and %s moves the arrays "
                                     "as they are: expected another network or schedule",
                                     s->schedule);
    }
    if (nuce_tuning_check(&s->tuning, scheduling_uses(s), error) != NUCE_OK)
        return error->status;
    /* Not set or set to what the schedule takes anyway: the same point. */
    if (s->tuning.in_flight == 0 && schedule != NULL)
        s->tuning.in_flight = schedule->in_flight;
    return NUCE_OK;
}

nuce_status nuce_scheduling_check_samples(const struct nuce_scheduling *scheduling, int is_random,
                                          struct nuce_error *error)
{
    if (scheduling->samples <= 1 || is_random)
        return NUCE_OK;
    return nuce_error_refuse(error, "samples", "'%lld': nothing here is random: expected 1",
                             (long long)scheduling->samples);
}

nuce_status nuce_scheduling_ranks(const struct nuce_scheduling *scheduling,
                                  struct nuce_facts *facts, int *out, struct nuce_error *error)
{
    const struct nuce_fact *fact;

    if (scheduling->network[0] == '\0' || nuce_network_is_word(scheduling->network))
        return NUCE_OK;
    fact = nuce_facts_network(facts, scheduling->network, error);
    if (fact == NULL)
        return error->status;
    if (fact->size > 0)
        *out = nuce_int(fact->size);
    return NUCE_OK;
}

nuce_status nuce_scheduling_inspect(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_facts *facts, struct nuce_error *error)
{
    const char *topology = scheduling->tuning.group_topology;
    const struct nuce_fact *fact;

    if (nuce_tuning_check_ranks(&scheduling->tuning, scheduling_uses(scheduling), ranks, error) !=
        NUCE_OK)
        return error->status;
    if (topology[0] != '\0' && nuce_scheduling_wants_groups(scheduling) &&
        nuce_facts_topology(facts, topology, error) == NULL)
        return nuce_error_about(error, "group-topology");
    if (scheduling->network[0] == '\0' || nuce_network_is_word(scheduling->network))
        return NUCE_OK;
    fact = nuce_facts_network(facts, scheduling->network, error);
    if (fact == NULL)
        return nuce_error_about(error, "network");
    if (fact->size != 0 && fact->size != ranks)
        return nuce_error_refuse(error, "ranks", "'%d': %s is for %d ranks, expected as many",
                                 ranks, scheduling->network, nuce_int(fact->size));
    return NUCE_OK;
}

nuce_status nuce_scheduling_groups(const struct nuce_scheduling *scheduling, int ranks,
                                   int **group_of, struct nuce_error *error)
{
    const char *path = scheduling->tuning.group_topology;
    struct nuce_topology topology = {0};
    int *group = NULL;

    *group_of = NULL;
    if (path[0] == '\0' || !nuce_scheduling_wants_groups(scheduling))
        return NUCE_OK;
    if (nuce_topology_read(path, &topology, error) != NUCE_OK)
        return nuce_error_about(error, "group-topology");
    if (topology.nodes < ranks)
        nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%d nodes for %d ranks: expected at least as many, one per rank, in their order",
            topology.nodes, ranks);
    else
        group = nuce_allocate(ranks, sizeof *group);
    for (int i = 0; group != NULL && i < ranks; i++)
        group[i] = i; /* its node */
    if (group != NULL && nuce_topology_groups(&topology, group, ranks, group, error) == NUCE_OK)
        *group_of = group;
    else
        free(group);
    nuce_topology_fini(&topology);
    if (*group_of != NULL)
        return NUCE_OK;
    nuce_error_prefix(error, "%s", path);
    return nuce_error_about(error, "group-topology");
}

struct nuce_tuning nuce_scheduling_tuning(const struct nuce_scheduling *scheduling, double unit)
{
    struct nuce_tuning tuning = scheduling->tuning;

    tuning.unit = unit;
    tuning.startup_units =
        tuning.phi > 0 ? tuning.tau / tuning.phi / unit : nuce_tuning_preset.startup_units;
    return tuning;
}

struct nuce_rng nuce_scheduling_rng(const struct nuce_scheduling *scheduling)
{
    return nuce_rng_create((uint64_t)scheduling->seed, UINT64_MAX);
}

/* Another stream than that of the pattern of the same instance. */
struct nuce_rng nuce_scheduling_network_rng(const struct nuce_scheduling *scheduling)
{
    return nuce_rng_create(nuce_rng_mix((uint64_t)scheduling->seed),
                           (uint64_t)scheduling->instance);
}

/* *name, new: "NAME@SHA-256" of the file at path, or the name of a preset. */
static nuce_status name_network(const char *network, char **name, struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create();
    const char *identity = NULL;

    *name = NULL;
    if (nuce_facts_network_identity(facts, network, &identity, error) == NUCE_OK)
        *name = nuce_text_format("%s", identity);
    nuce_facts_destroy(facts);
    return *name == NULL ? error->status : NUCE_OK;
}

nuce_status nuce_scheduling_network(const struct nuce_scheduling *scheduling, int ranks,
                                    const struct nuce_measured_at *at, struct nuce_network *out,
                                    char **name, struct nuce_error *error)
{
    const struct nuce_scheduling *s = scheduling;
    struct nuce_network_ranges ranges = {
        .startup = s->startup, .bandwidth = s->bandwidth, .symmetric = s->symmetric};
    struct nuce_rng rng = nuce_scheduling_network_rng(s);

    *out = (struct nuce_network){0};
    *name = NULL;
    if (s->network[0] == '\0')
        return NUCE_OK;
    /* The newest network of those hosts (schedules/network.h), by the name of its file. */
    if (strcmp(s->network, NUCE_NETWORK_MEASURED) == 0) {
        char *path = NULL;

        if (at == NULL)
            return nuce_error_refuse(error, "network",
                                     "'measured': known only on the hosts where the ranks run: "
                                     "expected the NETWORK FILE that nuce-calibrate links wrote");
        if (nuce_network_measured(at->folder, at->hosts, ranks, out, &path, error) != NUCE_OK)
            return error->status;
        if (name_network(path, name, error) != NUCE_OK)
            nuce_network_fini(out);
        free(path);
        return *name == NULL ? error->status : NUCE_OK;
    }
    if (name_network(s->network, name, error) != NUCE_OK)
        return error->status;
    error->status = nuce_scheduling_draws(s) ? nuce_network_draw(ranks, &ranges, &rng, out, error)
                                             : nuce_network_named(s->network, ranks, out, error);
    if (error->status != NUCE_OK) {
        free(*name);
        *name = NULL;
    }
    return error->status;
}

/* Bytes of message k, from rank i, after scaling, at least 1: the number that takes as long on the
 * real link as the message on the emulated one. A rank's message to itself keeps its size. */
static double scheduling_scaled(const struct nuce_pattern *pattern,
                                const struct nuce_network *network, double bandwidth, int i,
                                int64_t k)
{
    int j = pattern->destination[k];

    if (i == j)
        return (double)pattern->bytes[k];
    return fmax(
        1, round((double)pattern->bytes[k] * bandwidth / nuce_network_bandwidth(network, i, j)));
}

/* Two passes: the sum is checked before any change, so that a refusal leaves pattern and network
 * unchanged. */
nuce_status nuce_scheduling_emulate(const struct nuce_scheduling *scheduling,
                                    struct nuce_pattern *pattern, struct nuce_network *network,
                                    struct nuce_error *error)
{
    double bandwidth = scheduling->link_bandwidth, total = 0;
    int64_t pairs = (int64_t)network->ranks * network->ranks;
    /* The real links: the startups of network, one bandwidth. */
    struct nuce_network links = {
        .ranks = network->ranks, .startup = network->startup, .bandwidth = bandwidth};

    if (!nuce_scheduling_emulates(scheduling))
        return NUCE_OK;
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            total += scheduling_scaled(pattern, network, bandwidth, i, k);
    }
    if (!(total < MOST_BYTES))
        return nuce_error_refuse(error, "link-bandwidth",
                                 "'%g': the messages of the emulated network become "
                                 "%g bytes: expected less than %g",
                                 bandwidth, total, MOST_BYTES);
    if (network->pair_startup != NULL) {
        if (nuce_network_allocate_pairs(&links, error) != NUCE_OK) {
            nuce_network_fini(&links);
            return error->status;
        }
        memcpy(links.pair_startup, network->pair_startup, (size_t)pairs * sizeof(double));
        for (int64_t pair = 0; pair < pairs; pair++)
            links.pair_bandwidth[pair] = bandwidth;
    }
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            pattern->bytes[k] = (int64_t)scheduling_scaled(pattern, network, bandwidth, i, k);
    }
    nuce_network_fini(network);
    *network = links;
    return NUCE_OK;
}
