/* Networks: the cost of a message between two ranks. The papers' model: startup T_ij seconds and
 * bandwidth B_ij bytes per second for every ordered pair (Bhat, Prasanna and Raghavendra, section
 * 2; Ranka, Wang and Kumar, 3.2: tau = T, phi = 1 / B), and the total capacity of a rank's port. */
#ifndef NUCE_NETWORK_H
#define NUCE_NETWORK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/range.h"
#include "base/record.h"
#include "base/rng.h"

/* The most ranks of a network whose pairs differ: these are stored as ranks x ranks values. */
#define NUCE_NETWORK_MAX_RANKS 16384

/* The name of a host: at most 255 of A-Z a-z 0-9 . _ - (the domain name system allows no more). */
#define NUCE_HOST_BYTES 256

struct nuce_host {
    char name[NUCE_HOST_BYTES]; /* "": not known */
};

/* The throughput of a rank with several partners at once. */
struct nuce_contention {
    int partners;    /* at once; >= 1 */
    double relative; /* throughput of all of them together, relative to one; > 0 */
};

/* The limits of tiers, each in the direction out; in follows it. */
enum nuce_tier_limit { NUCE_RAIL, NUCE_INSIDE = 2, NUCE_NODE = 4, NUCE_UPLINK = 6 };
#define NUCE_TIER_LIMITS 8

/* The second tier: ranks share nodes, and transfers between nodes have further limits. The third:
 * nodes share groups, such as a leaf switch or a group of a dragonfly, and transfers between groups
 * share their uplinks. The arrays of a tier all exist or none; INFINITY: not known. */
struct nuce_tiers {
    int nodes;     /* 0: not known */
    int groups;    /* 0: not known; requires nodes */
    int *node_of;  /* ranks: 0 .. nodes - 1; every node has a rank */
    int *group_of; /* nodes: 0 .. groups - 1; every group has a node */
    union {
        struct {
            double *rail_out;   /* ranks: bytes per second from a rank to other nodes by its own
                                   path, such as a NIC of its own */
            double *rail_in;    /* ranks: from other nodes to a rank */
            double *inside_out; /* ranks: from a rank to others of its node */
            double *inside_in;  /* ranks: from others of its node to a rank */
            double *node_out;   /* nodes: from all ranks of a node to other nodes */
            double *node_in;    /* nodes: from other nodes to a node */
            double *uplink_out; /* groups: from all ranks of a group to other groups */
            double *uplink_in;  /* groups: from other groups to a group */
        };
        double *limit[NUCE_TIER_LIMITS]; /* the same, by enum nuce_tier_limit */
    };
};

/* The cost of messages, and other facts about the machine. Zeroed: nothing known. All arrays are
 * owned, those of the tiers as well. */
struct nuce_network {
    int ranks;
    int is_any;             /* its file is for any number of ranks */
    double startup;         /* seconds; of every pair, if pair_startup is NULL */
    double bandwidth;       /* bytes per second; the same */
    double *pair_startup;   /* ranks x ranks by source, or NULL */
    double *pair_bandwidth; /* the same; both or none */
    double *out;            /* ranks: most bytes per second that leave a rank; NULL or INFINITY:
                               only its pairs are known */
    double *in;             /* ranks: most bytes per second that reach a rank */
    double gap;             /* seconds between two messages that a rank begins to send, and between
                               two that begin to arrive: LogP's g; 0: not known. Part of the
                               startup; the rest of the startup may overlap */
    struct nuce_tiers tiers;
    double *speed;          /* ranks: relative speed of computing; NULL: all alike */
    struct nuce_host *host; /* ranks: the host of each in the measurement; NULL: not known */
    char measured[NUCE_TIME_BYTES];     /* time of the measurement, as records write times; "": not
                                           measured, or not known */
    struct nuce_contention *contention; /* contentions, by ascending partners from 1; or NULL */
    int contentions;
};

/* All pairs alike. startup >= 0 and finite, bandwidth > 0 and finite, else NUCE_BAD_INPUT. */
nuce_status nuce_network_uniform(int ranks, double startup, double bandwidth,
                                 struct nuce_network *out, struct nuce_error *error);

/* The ranges of a random network's pairs. */
struct nuce_network_ranges {
    struct nuce_range startup;   /* seconds, >= 0 */
    struct nuce_range bandwidth; /* bytes per second, > 0 */
    int symmetric;               /* one value for both directions of a pair */
};

/* Draws startup and bandwidth of every ordered pair, uniformly and independently, by source, then
 * destination, the startup first. So the draws of bandwidths do not depend on the range of
 * startups, and the same rng gives the same network on every rank. If both ranges are single
 * values, all pairs are alike and nothing is drawn.
 *
 * The bandwidth itself is uniform, not the time per byte: a uniform 1 / B would make nearly all
 * links slow. The difference between schedules depends on it. An example is Bhat, Prasanna and
 * Raghavendra, Figure 5(b) at 10..200 MB/s, K = 40: direct takes 2.05 times as long as greedy with
 * B uniform, 1.37 times with 1 / B. Their ranges are of bandwidths, and their results match a
 * uniform B. */
nuce_status nuce_network_draw(int ranks, const struct nuce_network_ranges *ranges,
                              struct nuce_rng *rng, struct nuce_network *out,
                              struct nuce_error *error);

/* Draws a port for each rank, as with one NIC and a fast switch: its capacity, the same in and
 * out. A pair gets the lesser of its two ports' bandwidths. Startups are drawn first, as above. */
nuce_status nuce_network_draw_ports(int ranks, const struct nuce_network_ranges *ranges,
                                    struct nuce_rng *rng, struct nuce_network *out,
                                    struct nuce_error *error);

/* A machine of the papers by name; NUCE_BAD_INPUT lists the known ones. cm5: tau 0.299 ms, phi
 * 0.2389 us per byte (Ranka, Wang and Kumar, 3.2). */
nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error);

/* True if nuce_network_preset knows name. */
int nuce_network_is_preset(const char *name);

/* Reads a NETWORK FILE: `ranks P`, then a line `i j startup_seconds bytes_per_second` for every
 * ordered pair of different ranks. Optional lines:
 *   port i OUT IN                    most bytes per second that leave and reach rank i; inf: not
 *                                    known
 *   speed i RELATIVE                 of computing
 *   host i NAME                      host of rank i
 *   measured TIME                    once: UTC as in records, 2026-11-21T10:00:00.123Z
 *   contention PARTNERS RELATIVE     throughput of a rank with that many partners at once,
 *                                    relative to one; partners ascend from 1
 *   gap SECONDS                      from one message that a rank begins to the next
 *   on i NODE                        the node of rank i, from 0; if of one rank, of all
 *   block K                          K ranks on each node, one after the other: instead of on
 *   rail i OUT IN                    of rank i, to and from other nodes, as port
 *   inside i OUT IN                  of rank i, to and from others of its node, as port
 *   node N OUT IN                    of node N, to and from other nodes, as port
 *   under N GROUP                    the group of node N, from 0; if of one node, of all
 *   group K                          K nodes in each group, one after the other: instead of under
 *   uplink G OUT IN                  of group G, to and from other groups, as port
 *   within STARTUP BANDWIDTH         of pairs on one node that have no line of their own
 *   between STARTUP BANDWIDTH        of pairs on two nodes; without nodes, of all pairs
 * `all` may replace the i of a port, speed, rail, inside or on, the N of a node or under, and the G
 * of an uplink. `ranks any` makes it a file for any requested number of ranks (1 if 0); its lines
 * then use only `all`. # begins a comment. Errors name file, line and column, also for a missing
 * pair and a duplicate line. ranks > 0: the file must have that many. */
nuce_status nuce_network_read(const char *path, int ranks, struct nuce_network *out,
                              struct nuce_error *error);

/* The same from length bytes at text; name replaces the path in messages. */
nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error);

/* As nuce_network_parse for any number of ranks, but reads only the lines `ranks`, `host` and
 * `measured`: the network has no pairs. */
nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error);

/* True if length bytes at text are a valid name of a host for `host` lines. */
int nuce_network_is_host(const char *text, int length);

/* Writes a NETWORK FILE from which nuce_network_read gives back every value (a uniform network as
 * equal pairs). The file is complete or absent: it is written under another name, then renamed. */
nuce_status nuce_network_write(const struct nuce_network *network, const char *path,
                               struct nuce_error *error);

/* Writes the same text to stream. The caller checks the stream for errors. */
void nuce_network_print(const struct nuce_network *network, FILE *stream);

/* The latest measured network of ranks on the given hosts (ranks names, in the order of the ranks).
 * Candidates are the files *.network in folder that state a time and hosts and cover these hosts.
 * The latest time wins, of equal ones the last by name. The k-th rank of a host is the k-th that
 * was measured there, so the file may be of more ranks, in another order; the result has our order.
 * *path_out, freed by the caller, is the file.
 *
 * Of the other files only the lines `ranks`, `host` and `measured` are read. A file in which these
 * cannot be read is skipped. The chosen one must be correct, else the error is about it.
 * NUCE_BAD_INPUT: no file covers the hosts (the message names folder, hosts, the way to measure,
 * and the first skipped file), or folder has more than 4096 of them. */
nuce_status nuce_network_measured(const char *folder, const char *const *hosts, int ranks,
                                  struct nuce_network *out, char **path_out,
                                  struct nuce_error *error);

/* The network of the ranks slot[0 .. ranks - 1] of from, all different, which become 0, 1, .. of
 * *out. Nodes and groups are numbered again in the order of their first ranks. Freed with
 * nuce_network_fini. */
nuce_status nuce_network_pick(const struct nuce_network *from, const int *slot, int ranks,
                              struct nuce_network *out, struct nuce_error *error);

/* The preset called name, else the file at that path. Errors are those of the preset or of the
 * file; *out is then untouched. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error);

/* Frees the content of *network and empties it; accepts an empty (all zero) one. */
void nuce_network_fini(struct nuce_network *network);

/* Seconds, and bytes per second, of the pair source -> destination, different ranks. O(1). */
double nuce_network_startup(const struct nuce_network *network, int source, int destination);
double nuce_network_bandwidth(const struct nuce_network *network, int source, int destination);

/* Seconds for bytes in one piece: T + bytes / B; 0 from a rank to itself, which needs no wire. */
double nuce_network_seconds(const struct nuce_network *network, int source, int destination,
                            int64_t bytes);

/* Bytes per second through the port of a rank; INFINITY if only its pairs are known. */
double nuce_network_port_out(const struct nuce_network *network, int rank);
double nuce_network_port_in(const struct nuce_network *network, int rank);

/* The node of a rank: its own number if no nodes are known. */
int nuce_network_node(const struct nuce_network *network, int rank);

/* The group of a rank's node: 0 if no groups are known. */
int nuce_network_group(const struct nuce_network *network, int rank);

/* The limits that all transfers from source to destination share with others: bytes per second by
 * place, INFINITY if not known. A place is a number in 0 .. nuce_network_places - 1: of a port, a
 * rail, an inside, a node or an uplink, out or in. */
#define NUCE_WAY_PLACES 8
struct nuce_way {
    int count; /* the first two are the ports; the others only if they limit */
    int place[NUCE_WAY_PLACES];
};
void nuce_network_way(const struct nuce_network *network, int source, int destination,
                      struct nuce_way *out);
int nuce_network_places(const struct nuce_network *network);
double nuce_network_capacity(const struct nuce_network *network, int place);

/* True if the network has shared limits other than ports: rails, insides, nodes, uplinks or a
 * gap. */
int nuce_network_has_tiers(const struct nuce_network *network);

/* Makes the zeroed tiers of network->ranks ranks on that many nodes, without limits. The caller
 * fills node_of. */
void nuce_network_allocate_tiers(struct nuce_network *network, int nodes);

/* Makes groups of nodes that exist already, without limits. The caller fills group_of. */
void nuce_network_allocate_groups(struct nuce_network *network, int groups);

/* True if the capacity of every port is known, both ways; false for a network without ranks. */
int nuce_network_has_ports(const struct nuce_network *network);

/* The number of transfers that a rank should have in flight each way: the least number of partners
 * whose throughput comes within 5 % of the best of the contention curve. More only make transfers
 * wait for each other. 1 without a curve: nothing is known, and 1 is the papers' premise. */
int nuce_network_depth(const struct nuce_network *network);

/* For functions that make networks: the zeroed arrays of the pairs of network->ranks. */
nuce_status nuce_network_allocate_pairs(struct nuce_network *network, struct nuce_error *error);

#endif
