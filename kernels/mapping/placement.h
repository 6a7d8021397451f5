/* Placements: the processor of each process, so that processes with much to exchange are close. */
#ifndef NUCE_PLACEMENT_H
#define NUCE_PLACEMENT_H

#include "base/error.h"
#include "base/rng.h"
#include "mapping/processes.h"
#include "mapping/routing.h"

/* The processors of a program: as many as it has processes, up to per_node on a node. They are
 * numbered by node, in the order of the topology. */
struct nuce_processors {
    const struct nuce_routing *routing; /* borrowed */
    int count, per_node;
    int *node;   /* count: the node of each, ascending */
    int *home;   /* count: its switch */
    int *start;  /* switches + 1: the processors on switch s are member[start[s]] .. */
    int *member; /* count: processors by switch, ascending within one */
};

void nuce_processors_fini(struct nuce_processors *processors);

/* Chooses count processors on a random subset of the nodes, no larger than necessary; the last node
 * gets the rest. routing is borrowed as long as *out lives. NUCE_BAD_INPUT if there are fewer
 * processors than count. */
nuce_status nuce_processors_choose(const struct nuce_routing *routing, int count, int per_node,
                                   struct nuce_rng *rng, struct nuce_processors *out,
                                   struct nuce_error *error);

/* The processors of a running program, with rank i on node node[i] (any number of ranks on one):
 * rank[p], with room for count, is the rank on processor p. routing as above. */
void nuce_processors_take(const struct nuce_routing *routing, const int *node, int count, int *rank,
                          struct nuce_processors *out);

/* Links between the switches of processors a and b. */
static inline int nuce_processors_hops(const struct nuce_processors *processors, int a, int b)
{
    return nuce_routing_hops(processors->routing, processors->home[a], processors->home[b]);
}

/* The input of a placement. */
struct nuce_placement_input {
    const struct nuce_processes *processes;   /* as many as processors */
    const struct nuce_processors *processors; /* both borrowed */
    struct nuce_rng rng;                      /* for placements that draw */
};

/* A placement: one file, one row in placements.def. */
struct nuce_placement_ops {
    const char *name;  /* stored in results: never reuse one */
    const char *label; /* beside the name in tables for people; NULL: the name says it all */
    const char *summary, *source;
    int is_library; /* from a library: the same input need not give the same placement */
    /* Both NULL; or this is the placement of base, improved, without a place function of its
     * own. */
    const struct nuce_placement_ops *base;
    void (*improve)(const struct nuce_placement_input *input, int *processor);
    /* Fills processor[rank], each processor once. The same input gives the same placement, except
     * from a library. NUCE_BAD_INPUT if nuce was built without a library that it needs. */
    nuce_status (*place)(const struct nuce_placement_input *input, int *processor,
                         struct nuce_error *error);
};

/* All placements in the order of placements.def, NULL-ended. */
extern const struct nuce_placement_ops *const nuce_placements[];
/* The placement called name, borrowed from the table; NULL: there is none. */
const struct nuce_placement_ops *nuce_placement_find(const char *name);

/* The processor of each rank under ops: a new array of ranks processors, freed by the caller. It
 * has been checked that each processor occurs once. NULL with *error. */
int *nuce_placement_create(const struct nuce_placement_ops *ops,
                           const struct nuce_placement_input *input, struct nuce_error *error);

/* The weighted cardinality (Moh et al., section 3.2), the papers' measure of a mapping: the sum
 * over edges, each undirected one counted once, of weight x links between the switches of its ends.
 * processor[rank]. O(edges). */
double nuce_placement_cardinality(const struct nuce_processes *processes,
                                  const struct nuce_processors *processors, const int *processor);

/* Seconds: the defaults of Moh et al., section 5.1, assumed there after measurements of a Cray T3D
 * and an analysis of routers in a 0.8 micron gate array; an interface takes as long as a switch. */
#define NUCE_DELAY_STARTUP_S 2e-6
#define NUCE_DELAY_INTERFACE_S 300e-9
#define NUCE_DELAY_SWITCH_S 300e-9
#define NUCE_DELAY_LINK_S 20e-9

/* Seconds between two processors by the paper's delays (section 5.1), a message's header alone
 * without contention: startup + 2 interfaces + (hops + 1) switches + (hops + 2) links. */
double nuce_placement_delay(int hops);

/* Seconds: the mean over processes of the mean, by weight, over their neighbours; NaN if there are
 * no messages. Within a node it is the startup alone. distant (0 .. 1): the share of messages that
 * go to any other process with equal probability (the paper's cases: 0, 0.1 and 0.2). */
void nuce_placement_latency(const struct nuce_processes *processes,
                            const struct nuce_processors *processors, const int *processor,
                            double distant, double *out);

#endif
