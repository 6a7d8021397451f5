/* Networks: what a message between two ranks costs. The papers' model: startup T_ij seconds and
 * bandwidth B_ij bytes per second for every ordered pair (Bhat, Prasanna and Raghavendra, section
 * 2; Ranka, Wang and Kumar, 3.2: tau = T, phi = 1 / B), and what a rank's port can carry in all. */
#ifndef NUCE_NETWORK_H
#define NUCE_NETWORK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/range.h"
#include "base/record.h"
#include "base/rng.h"

/* Pairs are kept as ranks x ranks values unless all are alike: no more ranks than this then. */
#define NUCE_NETWORK_MAX_RANKS 16384

/* The name of a host: at most 255 of A-Z a-z 0-9 . _ - (the domain name system allows no more). */
#define NUCE_HOST_BYTES 256

struct nuce_host {
    char name[NUCE_HOST_BYTES]; /* "": not known */
};

/* How a rank's throughput grows when it talks to several partners at once. */
struct nuce_contention {
    int partners;    /* at once; >= 1 */
    double relative; /* all of them together, relative to one; > 0 */
};

/* What tiers limit, each in the direction out; in follows it. */
enum nuce_tier_limit { NUCE_RAIL, NUCE_INSIDE = 2, NUCE_NODE = 4, NUCE_UPLINK = 6 };
#define NUCE_TIER_LIMITS 8

/* The second tier: ranks share nodes, and what goes from node to node is limited there as well. The
 * third: nodes share groups, such as a leaf switch or a group of a dragonfly, and what goes from
 * group to group shares their uplinks. The arrays of a tier are all there or none; INFINITY: not
 * known. */
struct nuce_tiers {
    int nodes;     /* 0: not known */
    int groups;    /* 0: not known; only where nodes are */
    int *node_of;  /* ranks: 0 .. nodes - 1, of which none is without a rank */
    int *group_of; /* nodes: 0 .. groups - 1, of which none is without a node */
    union {
        struct {
            double *rail_out;   /* ranks: bytes per second from a rank to other nodes by its own
                                   way, such as a card of its own */
            double *rail_in;    /* ranks: that reach it from other nodes */
            double *inside_out; /* ranks: from a rank to others of its node */
            double *inside_in;  /* ranks: that reach it from others of its node */
            double *node_out;   /* nodes: that leave a node for others, from all of its ranks */
            double *node_in;    /* nodes: that reach it */
            double *uplink_out; /* groups: that leave a group for others, of all its ranks */
            double *uplink_in;  /* groups: that reach it */
        };
        double *limit[NUCE_TIER_LIMITS]; /* the same, by enum nuce_tier_limit */
    };
};

/* What messages cost, and what is known of the machine besides. Zeroed: nothing known. All arrays
 * are owned, those of the tiers as well. */
struct nuce_network {
    int ranks;
    int is_any;             /* the file that it was read from is for any number of ranks */
    double startup;         /* seconds; of every pair, if pair_startup is NULL */
    double bandwidth;       /* bytes per second; the same */
    double *pair_startup;   /* ranks x ranks by source, or NULL */
    double *pair_bandwidth; /* the same; both or none */
    double *out;            /* ranks: bytes per second that leave a rank at most; NULL or INFINITY:
                               no more is known than its pairs */
    double *in;             /* ranks: that arrive */
    double gap;             /* seconds from one message that a rank begins to send to the next, and
                               between two that begin to arrive: LogP's g; 0: not known. Part of the
                               startup, of which the rest may overlap */
    struct nuce_tiers tiers;
    double *speed;          /* ranks: relative speed of computing; NULL: all alike */
    struct nuce_host *host; /* ranks: where each ran when this was measured; NULL: not known */
    char measured[NUCE_TIME_BYTES]; /* when it was measured, as records write times; "": it was not,
                                       or is not known */
    struct nuce_contention *contention; /* contentions, by ascending partners from 1; or NULL */
    int contentions;
};

/* All pairs alike. startup >= 0 and finite, bandwidth > 0 and finite, else NUCE_BAD_INPUT. */
nuce_status nuce_network_uniform(int ranks, double startup, double bandwidth,
                                 struct nuce_network *out, struct nuce_error *error);

/* What a drawn network's pairs lie between. */
struct nuce_network_ranges {
    struct nuce_range startup;   /* seconds, >= 0 */
    struct nuce_range bandwidth; /* bytes per second, > 0 */
    int symmetric;               /* one value for both directions of a pair */
};

/* Draws startup and bandwidth of every ordered pair, uniformly and independently, by source, then
 * destination, the startup first: what is drawn of the bandwidths does not depend on the range of
 * startups, and the same rng gives the same network on every rank. Where both ranges are single
 * values all pairs are alike and nothing is drawn.
 * The bandwidth itself is uniform, not the time per byte: 1 / B uniform would make nearly all links
 * slow, and how far schedules differ depends on it (Bhat, Prasanna and Raghavendra, Figure 5(b) at
 * 10..200 MB/s, K = 40: direct takes 2.05 times as long as greedy with B uniform, 1.37 times with
 * 1 / B); their ranges are of bandwidths and their results those of the former. */
nuce_status nuce_network_draw(int ranks, const struct nuce_network_ranges *ranges,
                              struct nuce_rng *rng, struct nuce_network *out,
                              struct nuce_error *error);

/* Each rank has its own port, as with one card and a switch that is fast enough: draws what it
 * carries, in and out alike, and a pair has the lesser of its two ports' bandwidths; startups are
 * drawn first, as above. */
nuce_status nuce_network_draw_ports(int ranks, const struct nuce_network_ranges *ranges,
                                    struct nuce_rng *rng, struct nuce_network *out,
                                    struct nuce_error *error);

/* A machine of the papers by name; NUCE_BAD_INPUT names those there are.
 * cm5: tau 0.299 ms, phi 0.2389 us per byte (Ranka, Wang and Kumar, 3.2). */
nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error);

/* Whether nuce_network_preset knows name. */
int nuce_network_is_preset(const char *name);

/* The name of the index-th of them; NULL past the end. */
const char *nuce_network_preset_name(size_t index);

/* Reads a NETWORK FILE: `ranks P`, then a line `i j startup_seconds bytes_per_second` for every
 * ordered pair of different ranks, and at will
 *   port i OUT IN                    bytes per second that leave and reach rank i at most; inf: not
 *                                    known
 *   speed i RELATIVE                 of computing
 *   host i NAME                      where rank i ran
 *   measured TIME                    once: UTC as in records, 2026-11-21T10:00:00.123Z
 *   contention PARTNERS RELATIVE     the throughput of a rank with so many partners at once,
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
 *   between STARTUP BANDWIDTH        of pairs on two, and of all where no nodes are told
 * `all` may stand for the i of a port, speed, rail, inside or on, the N of a node or under, and the
 * G of an uplink. `ranks any`
 * makes it a file for as many ranks as are asked for (1 if 0), which speaks of all alone. # begins
 * a comment. Errors name file, line and column, a missing pair and what is given twice too. ranks >
 * 0: the file must be for as many. */
nuce_status nuce_network_read(const char *path, int ranks, struct nuce_network *out,
                              struct nuce_error *error);

/* The same from length bytes at text; name stands for the path in messages. */
nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error);

/* As nuce_network_parse for any number of ranks, but looks only at the lines `ranks`, `host` and
 * `measured`: the network has no pairs. */
nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error);

/* Whether length bytes at text are the name of a host as `host` lines have it. */
int nuce_network_is_host(const char *text, int length);

/* Writes a NETWORK FILE from which nuce_network_read gives back every value (a uniform network as
 * pairs that are alike). The file is whole or not there: another name first, then renamed. */
nuce_status nuce_network_write(const struct nuce_network *network, const char *path,
                               struct nuce_error *error);

/* The same text to stream, whose errors are the caller's to look for. */
void nuce_network_print(const struct nuce_network *network, FILE *stream);

/* The network of ranks that run on hosts (ranks names, in the order of the ranks), measured last:
 * of the files *.network in folder that say when and on which hosts they were measured and cover
 * these, the one with the latest time (of equal ones the last by name). The k-th rank of a host is
 * the k-th that was measured there, so the file may be of more ranks, in another order; what is
 * returned has ours. *path_out, freed by the caller, is the file.
 * Of the other files only the lines `ranks`, `host` and `measured` are looked at. A file of which
 * these cannot be read is passed over; the chosen one must be right in all, else the error is
 * about it. NUCE_BAD_INPUT: no file covers the hosts (says folder, hosts, how to measure, and the
 * first file that was passed over), or folder has more than 4096 of them. */
nuce_status nuce_network_measured(const char *folder, const char *const *hosts, int ranks,
                                  struct nuce_network *out, char **path_out,
                                  struct nuce_error *error);

/* The network of the ranks slot[0 .. ranks - 1] of from, different ones, which are 0, 1, .. of
 * *out; nodes and groups are numbered anew in the order of their first ranks. Freed with
 * nuce_network_fini. */
nuce_status nuce_network_pick(const struct nuce_network *from, const int *slot, int ranks,
                              struct nuce_network *out, struct nuce_error *error);

/* The preset called name, else the file at that path. Errors as of the one or the other; *out is
 * untouched then. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error);

/* Frees what *network holds and empties it; accepts an empty (all zero) one. */
void nuce_network_fini(struct nuce_network *network);

/* Of the pair source -> destination, different ranks: seconds, and bytes per second. O(1). */
double nuce_network_startup(const struct nuce_network *network, int source, int destination);
double nuce_network_bandwidth(const struct nuce_network *network, int source, int destination);

/* Seconds of bytes in one piece: T + bytes / B; 0 from a rank to itself, which needs no wire. */
double nuce_network_seconds(const struct nuce_network *network, int source, int destination,
                            int64_t bytes);

/* Bytes per second through the port of a rank; INFINITY where only its pairs are known. */
double nuce_network_port_out(const struct nuce_network *network, int rank);
double nuce_network_port_in(const struct nuce_network *network, int rank);

/* The node of a rank: its own number where no nodes are known. */
int nuce_network_node(const struct nuce_network *network, int rank);

/* The group of a rank's node: 0 where no groups are known. */
int nuce_network_group(const struct nuce_network *network, int rank);

/* The limits that all of what goes from source to destination shares with other transfers: bytes
 * per second by place, INFINITY where none is known. A place is a number in 0 ..
 * nuce_network_places - 1: of a port, a rail, an inside, a node or an uplink, out or in. */
#define NUCE_WAY_PLACES 8
struct nuce_way {
    int count; /* the first two are the ports; the others only where they limit */
    int place[NUCE_WAY_PLACES];
};
void nuce_network_way(const struct nuce_network *network, int source, int destination,
                      struct nuce_way *out);
int nuce_network_places(const struct nuce_network *network);
double nuce_network_capacity(const struct nuce_network *network, int place);

/* Whether more is known of what transfers share than their ports: rails, insides, nodes, uplinks or
 * a gap. */
int nuce_network_has_tiers(const struct nuce_network *network);

/* The zeroed tiers of network->ranks ranks on so many nodes, nothing limited; node_of is to be
 * filled. */
void nuce_network_allocate_tiers(struct nuce_network *network, int nodes);

/* Groups of nodes that are known already, none limited; group_of is to be filled. */
void nuce_network_allocate_groups(struct nuce_network *network, int groups);

/* Whether the capacity of every port is known, both ways; 0 of a network without ranks. */
int nuce_network_has_ports(const struct nuce_network *network);

/* How many transfers a rank should have in flight each way: the least number of partners whose
 * throughput comes within 5 % of the best of the contention curve; more only make transfers wait
 * for each other. 1 where there is no curve: nothing is known, and 1 is the papers' premise. */
int nuce_network_depth(const struct nuce_network *network);

/* For what makes networks: the zeroed arrays of the pairs of network->ranks. */
nuce_status nuce_network_allocate_pairs(struct nuce_network *network, struct nuce_error *error);

#endif
