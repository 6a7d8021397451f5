/* Processor topologies: switches, the links between them, and the nodes on them. They are drawn at
 * random as in the mapping paper (Moh, Yu, Youn, Lee and Han, section 5), or read from a file. */
#ifndef NUCE_TOPOLOGY_H
#define NUCE_TOPOLOGY_H

#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"

/* The table of distances has an entry of 2 bytes for each pair of switches: 2 GB at most. */
#define NUCE_TOPOLOGY_MAX_SWITCHES (1 << 15)
#define NUCE_TOPOLOGY_MAX_NODES (1 << 20)
#define NUCE_TOPOLOGY_MAX_PORTS 4096

/* No parallel links. Random ones, and those of most files, are connected: one island, in which
 * every switch can be reached from every other. Routings and placements are for one island. Arrays
 * and names are owned; routings and placements borrow the topology. */
struct nuce_topology {
    int switches;
    int links;
    int64_t *start;     /* switches + 1: the neighbours of switch s are entries start[s] ..
                           start[s + 1] - 1 of neighbor, ascending */
    int *neighbor;      /* 2 * links */
    int nodes;          /* at least 1 */
    int *home;          /* nodes: the switch of each */
    int islands;        /* at least 1 */
    int *island;        /* switches: the island of each, numbered by their lowest switches */
    char **switch_name; /* switches; NULL unless it was read from a file */
    char **node_name;   /* nodes; the same */
    const char *note;   /* unused content of the file, static; NULL: none */
};

/* Frees the content of *topology and empties it; accepts an empty (all zero) one. */
void nuce_topology_fini(struct nuce_topology *topology);

/* Builds *out from links (pairs of switches, each pair once, no switch with itself: else a bug) and
 * the switches of the nodes, without names. */
void nuce_topology_init(int switches, const int (*link)[2], int links, const int *home, int nodes,
                        struct nuce_topology *out);

/* The island with the most nodes, of several the first; *nodes (may be NULL): their number. */
void nuce_topology_largest(const struct nuce_topology *topology, int *island, int *nodes);

/* Keeps only the switches and nodes of one island, in their order, with new numbers. node[0 ..
 * count - 1], all on it, get the new numbers. */
void nuce_topology_keep(struct nuce_topology *topology, int island, int *node, int count);

/* True if a link joins switches a and b. */
int nuce_topology_has_link(const struct nuce_topology *topology, int a, int b);

/* NUCE_BAD_INPUT, naming the switch, if one has more links and nodes than ports. */
nuce_status nuce_topology_check_ports(const struct nuce_topology *topology, int ports,
                                      struct nuce_error *error);

/* The ports that connectivity, the ratio of connected ports, refers to. */
enum nuce_connectivity {
    NUCE_CONNECTIVITY_FREE, /* the ports without nodes: 129 links for 75 switches of 8 ports, 256
                               nodes and 0.75. This reproduces the paper's figures */
    NUCE_CONNECTIVITY_ALL,  /* all ports, those of the nodes counted as connected: 97 links */
};

/* The parameters of a random network: those of Moh et al., section 5. */
struct nuce_topology_recipe {
    int switches, ports, nodes;
    double connectivity; /* 0 .. 1 */
    enum nuce_connectivity reading;
};

/* NUCE_BAD_INPUT names the option (--switches, --ports, --connectivity, --nodes) for which recipe
 * has no network. */
nuce_status nuce_topology_check_recipe(const struct nuce_topology_recipe *recipe,
                                       struct nuce_error *error);

/* Draws a network: nodes on random switches, with one port of each switch kept free for a link; a
 * random recursive tree of the switches; then random further links. Nodes are numbered switch by
 * switch, as hosts in racks are. NUCE_BAD_INPUT names the option (--switches, --ports,
 * --connectivity, --nodes) for which there is no such network. */
nuce_status nuce_topology_draw(const struct nuce_topology_recipe *recipe, struct nuce_rng *rng,
                               struct nuce_topology *out, struct nuce_error *error);

/* Reads a topology file. Formats:
 *   - Slurm's topology.conf (SwitchName=... Switches=... Nodes=..., possibly several islands, or
 *     BlockName=... Nodes=...), which `scontrol show topology` prints too;
 *   - lines `switch A B` (a link between two switches), `switch A` (which just names it) and `node
 *     NAME SWITCH`; text after a # is skipped. A platform file of `irregular` has such lines in a
 *     comment. Switches and nodes are numbered in the order of their first mention;
 *   - a NETWORK FILE (`ranks P` and so on, network.h). Nodes whose startups or bandwidths to each
 *     other are clearly better than to others share a switch, found by average linkage and its wide
 *     gaps (see the head of topology_measured.c). Its nodes are the hosts, in the order of their
 *     first ranks, and ranks with unknown hosts ("rank 3").
 * Errors name file, line and column. */
nuce_status nuce_topology_read(const char *path, struct nuce_topology *out,
                               struct nuce_error *error);

/* The same from length bytes at text; name replaces the path in messages. */
nuce_status nuce_topology_parse(const char *name, const char *text, size_t length,
                                struct nuce_topology *out, struct nuce_error *error);

/* Groups of ranks by the switch of each rank's node. group_of[i] is the group of rank i, which is
 * on node[i], numbered from 0 in the order of their first ranks; it may be the same array as node.
 * NUCE_BAD_INPUT: all nodes are on one switch. */
nuce_status nuce_topology_groups(const struct nuce_topology *topology, const int *node, int ranks,
                                 int *group_of, struct nuce_error *error);

/* The beginning of the comment that holds the topology of a platform file, a line of its own. The
 * line "-->" ends it. */
#define NUCE_TOPOLOGY_COMMENT "<!-- topology"

/* node[i]: the node called host[i], with its domain or without. topology has been read from a file.
 * NUCE_BAD_INPUT names the first unknown host. */
nuce_status nuce_topology_find_hosts(const struct nuce_topology *topology, const char *const *host,
                                     int count, int *node, struct nuce_error *error);

#endif
