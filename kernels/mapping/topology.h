/* Processor topologies: switches, the links between them, and the nodes on them. Drawn at random as
 * the mapping paper does (Moh, Yu, Youn, Lee and Han, section 5), or read from a file. */
#ifndef NUCE_TOPOLOGY_H
#define NUCE_TOPOLOGY_H

#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"

/* The table of distances has an entry of 2 bytes for each pair of switches: 2 GB at most. */
#define NUCE_TOPOLOGY_MAX_SWITCHES (1 << 15)
#define NUCE_TOPOLOGY_MAX_NODES (1 << 20)
#define NUCE_TOPOLOGY_MAX_PORTS 4096

/* No parallel links. Drawn ones, and those of most files, are connected: one island, of which every
 * switch can be reached from every other. Routings and placements are of one island alone. Arrays
 * and names are owned; routings and placements borrow it. */
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
    const char *note;   /* what of the file is not used, static; NULL: nothing */
};

/* Frees what *topology holds and empties it; accepts an empty (all zero) one. */
void nuce_topology_fini(struct nuce_topology *topology);

/* Builds *out from links (pairs of switches, each pair once, no switch with itself: else a bug) and
 * the switches of the nodes. Names are left out. */
void nuce_topology_init(int switches, const int (*link)[2], int links, const int *home, int nodes,
                        struct nuce_topology *out);

/* The island with the most nodes, of several the first; *nodes (may be NULL): how many. */
void nuce_topology_largest(const struct nuce_topology *topology, int *island, int *nodes);

/* Leaves the switches and nodes of one island, which keep their order and get new numbers; those of
 * node[0 .. count - 1], which are all there, become the new ones. */
void nuce_topology_keep(struct nuce_topology *topology, int island, int *node, int count);

/* Whether a link joins switches a and b. */
int nuce_topology_has_link(const struct nuce_topology *topology, int a, int b);

/* NUCE_BAD_INPUT, naming the switch, if one has more links and nodes than ports. */
nuce_status nuce_topology_check_ports(const struct nuce_topology *topology, int ports,
                                      struct nuce_error *error);

/* What connectivity, the ratio of connected ports, is taken of. */
enum nuce_connectivity {
    NUCE_CONNECTIVITY_FREE, /* the ports that the nodes leave: 129 links for 75 switches of 8 ports,
                               256 nodes and 0.75. This reproduces the paper's figures */
    NUCE_CONNECTIVITY_ALL,  /* all ports, those of the nodes counted as connected: 97 links */
};

/* What a network is drawn by: the parameters of Moh et al., section 5. */
struct nuce_topology_recipe {
    int switches, ports, nodes;
    double connectivity; /* 0 .. 1 */
    enum nuce_connectivity reading;
};

/* How many links between switches recipe stands for, rounded down; below 0 or above what fits for
 * recipes that nuce_topology_check_recipe refuses. */
int64_t nuce_topology_links(const struct nuce_topology_recipe *recipe);

/* NUCE_BAD_INPUT names the option (--switches, --ports, --connectivity, --nodes) that no network
 * drawn by recipe can have. */
nuce_status nuce_topology_check_recipe(const struct nuce_topology_recipe *recipe,
                                       struct nuce_error *error);

/* Draws a network: nodes on random switches, one port of each switch kept free for a link; a random
 * recursive tree of the switches; then random further links. Nodes are numbered switch by switch,
 * as hosts in racks are. NUCE_BAD_INPUT names the option (--switches, --ports, --connectivity,
 * --nodes) that such a network cannot have. */
nuce_status nuce_topology_draw(const struct nuce_topology_recipe *recipe, struct nuce_rng *rng,
                               struct nuce_topology *out, struct nuce_error *error);

/* Reads a topology file: Slurm's topology.conf (SwitchName=... Switches=... Nodes=..., which may be
 * several islands, or BlockName=... Nodes=...), which `scontrol show topology` prints too, or lines
 * `switch A B` (a link between two switches), `switch A` (which just names it) and `node NAME
 * SWITCH`; what follows a # is skipped. A platform file of `irregular` has such lines in a comment.
 * Switches and nodes are numbered as the file first names them. A NETWORK FILE (`ranks P` and so
 * on, network.h) is taken apart into switches: nodes whose startups or bandwidths to each other are
 * clearly better than to others share one, by average linkage and its wide gaps (the head of
 * topology_measured.c says how). Its nodes are the hosts, in the order of their first ranks, and
 * ranks whose hosts are not known ("rank 3"). Errors name file, line and column. */
nuce_status nuce_topology_read(const char *path, struct nuce_topology *out,
                               struct nuce_error *error);

/* The same from length bytes at text; name stands for the path in messages. */
nuce_status nuce_topology_parse(const char *name, const char *text, size_t length,
                                struct nuce_topology *out, struct nuce_error *error);

/* Groups of ranks by the switch that the node of each hangs on: rank i's on node[i] is group_of[i],
 * numbered from 0 in the order of their first ranks; node itself will do. NUCE_BAD_INPUT: all nodes
 * hang on one switch. */
nuce_status nuce_topology_groups(const struct nuce_topology *topology, const int *node, int ranks,
                                 int *group_of, struct nuce_error *error);

/* What begins the comment of a platform file in which its topology stands, a line of its own; the
 * line that ends it is "-->". */
#define NUCE_TOPOLOGY_COMMENT "<!-- topology"

/* node[i]: the node called host[i], with its domain or without. topology has been read from a file.
 * NUCE_BAD_INPUT names the first host that is not there. */
nuce_status nuce_topology_find_hosts(const struct nuce_topology *topology, const char *const *host,
                                     int count, int *node, struct nuce_error *error);

#endif
