/* The charge of jobs to an account.
 *
 * A cluster charges nodes x time from the start of a job to its end, whatever the ranks do: never
 * more than the time limit. The estimate is the one of the packing, which counts the sampling limit
 * of every point. Both are upper bounds; only the time limit is a sure one. If neither nodes nor
 * tasks per node are given, Slurm chooses the nodes, and only the time is known.
 *
 * nuce counts nodes, not processors, because jobs get whole nodes by default (`exclusive` of
 * profile_keys.h). On a cluster that charges processors, or weighs partitions (TRESBillingWeights
 * in slurm.conf(5)), the sum is right up to a factor. */
#include "campaigns/cost.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "campaigns/script.h"

/* With a hostfile the nodes of a job are the distinct hosts of its first `ranks` lines: the
 * allocation consists of exactly those (script.c). 0: Slurm chooses. */
nuce_status nuce_cost_add(struct nuce_cost *cost, const struct nuce_pack *pack, int64_t parts,
                          const struct nuce_profile *profile, struct nuce_error *error)
{
    double limit_s = (double)pack->time_s * (double)parts, estimate_s = 0;
    int nodes = pack->nodes;

    if (profile->hosts != NULL) {
        json_t *hosts = nuce_script_hosts(profile->hosts, pack->ranks, error);

        if (hosts == NULL)
            return error->status;
        nodes = (int)json_array_size(hosts);
        json_decref(hosts);
    }
    for (int64_t k = 0; k < parts; k++) {
        estimate_s += pack->parts[k].estimate_s;
        if (pack->time_s > 0)
            cost->resumes =
                fmax(cost->resumes, ceil(pack->parts[k].estimate_s / (double)pack->time_s) - 1);
    }
    cost->limit_s += limit_s;
    cost->estimate_s += estimate_s;
    if (nodes == 0) {
        cost->unsized += parts;
    } else if (parts > 0) {
        int is_first = cost->jobs == cost->unsized;

        cost->nodes_least = is_first || nodes < cost->nodes_least ? nodes : cost->nodes_least;
        cost->nodes_most = is_first || nodes > cost->nodes_most ? nodes : cost->nodes_most;
        cost->limit_node_s += nodes * limit_s;
        cost->estimate_node_s += nodes * estimate_s;
    }
    cost->is_most |= pack->workload->is_command;
    cost->jobs += parts;
    return NUCE_OK;
}

nuce_status nuce_cost_of(const struct nuce_packing *packing, const struct nuce_profile *profile,
                         struct nuce_cost *out, struct nuce_error *error)
{
    struct nuce_cost cost = {.jobs = 0};

    for (int64_t i = 0; i < packing->count; i++) {
        if (nuce_cost_add(&cost, &packing->packs[i], packing->packs[i].count, profile, error) !=
            NUCE_OK)
            return error->status;
    }
    *out = cost;
    return NUCE_OK;
}

/* Formats hours for people: 0.25, 12, 1530. Jobs that are too short for their points cost less than
 * these: each resume submits as many again. */
void nuce_cost_say(const struct nuce_cost *cost, char text[NUCE_COST_BYTES])
{
    int is_sized = cost->unsized == 0;
    double limit_h = (is_sized ? cost->limit_node_s : cost->limit_s) / 3600;
    double estimate_h = (is_sized ? cost->estimate_node_s : cost->estimate_s) / 3600;
    char limit[32], estimate[32], nodes[64] = ", nodes left to Slurm", again[64] = "";

    snprintf(limit, sizeof limit, limit_h < 100 ? "%.3g" : "%.0f", limit_h);
    snprintf(estimate, sizeof estimate, estimate_h < 100 ? "%.3g" : "%.0f", estimate_h);
    if (is_sized && cost->nodes_least == cost->nodes_most)
        snprintf(nodes, sizeof nodes, " of %d node%s", cost->nodes_most,
                 nuce_text_plural(cost->nodes_most));
    else if (is_sized)
        snprintf(nodes, sizeof nodes, " of %d to %d nodes", cost->nodes_least, cost->nodes_most);
    if (cost->resumes > 0)
        snprintf(again, sizeof again, " for all launches, with %s %.0f resume%s",
                 cost->is_most ? "at most" : "about", cost->resumes,
                 nuce_text_plural((int64_t)cost->resumes));
    snprintf(text, NUCE_COST_BYTES,
             "%lld job%s%s: at most %s %s-hours (by time limits), %s %s %s%s%s",
             (long long)cost->jobs, nuce_text_plural(cost->jobs), nodes, limit,
             is_sized ? "node" : "job", cost->is_most ? "at most" : "about", estimate,
             cost->is_most ? "by budget and timeout" : "estimated", again,
             is_sized ? "" : "; node-hours: multiply by the nodes of a job");
}
