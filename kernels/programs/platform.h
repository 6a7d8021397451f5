/* Platforms: machines on which SimGrid's SMPI runs the kernels, as platform files (XML, DTD
 * version 4.1, SimGrid 3.32). Host i is called node-i and is for rank i.
 *
 * A lone message of any size takes the time in the machine's source, startup + bytes /
 * bandwidth. The minimum is the time of 16 bytes, because SMPI adds these to every message.
 * Messages that meet on a link share it, evenly if their latencies are equal, else in inverse
 * proportion to them: this is SimGrid's rule. Computing takes no time. Routes and times are the
 * same in every run. */
#ifndef NUCE_PLATFORM_H
#define NUCE_PLATFORM_H

#include <stdio.h>

#include "base/error.h"
#include "mapping/routing.h"
#include "schedules/network.h"

/* The input of a platform. */
struct nuce_platform_input {
    int ranks;                          /* hosts; 0: the platform's own number */
    const char *network_name;           /* the user's name of the network; NULL: none given */
    const struct nuce_network *network; /* borrowed; NULL: none given */
    const struct nuce_routing *routing; /* of the topology, borrowed; NULL: none given */
    const char *drawn;                  /* options after the name that give the same topology,
                                         * each a dash and a letter; NULL: read from a file */
};

/* A platform: one file, one row in platforms.def. */
struct nuce_platform_ops {
    const char *name; /* also names committed files: never reuse one */
    const char *summary, *source;
    int ranks;          /* default number of hosts; 0: that of a network or topology */
    int is_routed;      /* the machine has a topology, whose nodes are the hosts */
    const char *speed;  /* of a host, in SimGrid's flop/s; no computation is charged */
    double poll_s;      /* seconds of an MPI_Test or MPI_Iprobe */
    int most;           /* largest number of hosts, if not 0 */
    const char *called; /* name in the message "NAME has at most"; set if there is a most */
    /* Returns NUCE_BAD_INPUT if no such machine has that many hosts; NULL: any number is valid. */
    nuce_status (*check)(int ranks, struct nuce_error *error);
    /* Prints the zone with its hosts and links. input->ranks is set, checked and equal to the
     * network's. */
    void (*print)(const struct nuce_platform_ops *ops, const struct nuce_platform_input *input,
                  FILE *stream);
};

/* All platforms, ended by NULL. */
extern const struct nuce_platform_ops *const nuce_platforms[];

/* The platform called name; NUCE_BAD_INPUT lists the valid names. */
nuce_status nuce_platform_find(const char *name, const struct nuce_platform_ops **out,
                               struct nuce_error *error);

/* Writes the platform file to stream; the caller checks the stream's errors. The first comment
 * of the file is the nuce-model command that writes the same. NUCE_BAD_INPUT, with nothing
 * written: the platform cannot have this number of ranks, or a network or topology is missing,
 * superfluous, or of other ranks. */
nuce_status nuce_platform_print(const struct nuce_platform_ops *ops,
                                const struct nuce_platform_input *input, FILE *stream,
                                struct nuce_error *error);

/* The pieces of a platform file. Bandwidths are in bytes per second, times in seconds, both with
 * the fewest digits that reproduce them. The caller checks the stream's errors. */

/* Prints value with the smallest number of digits that reproduces it, then unit. */
void nuce_platform_print_number(double value, const char *unit, FILE *stream);

/* The latency of a route on which a lone message of B bytes takes startup + B / bandwidth, where
 * bandwidth is that of its slowest link. SMPI 3.32 sends 16 bytes more (tag, destination,
 * communicator); their time is subtracted. At least 0. */
double nuce_platform_latency(double startup, double bandwidth);

/* Prints the rest of a link after its id: one capacity for both directions. */
void nuce_platform_print_shared(double bandwidth, double latency, FILE *stream);

/* A link, called prefix and number, with separate capacities for its directions, _UP and _DOWN. */
void nuce_platform_print_duplex(const char *prefix, int number, double bandwidth, double latency,
                                FILE *stream);

/* <cluster>, SimGrid's own topology: hosts node-0 .. node-(ranks - 1), every link with the same
 * bandwidth and latency both ways. topology: its attributes, "" for one crossbar. */
void nuce_platform_print_cluster(const struct nuce_platform_ops *ops, int ranks, double bandwidth,
                                 double latency, const char *topology, FILE *stream);

#endif
