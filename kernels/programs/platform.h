/* Platforms: machines for SimGrid's SMPI to run the kernels on, as platform files (XML, DTD version
 * 4.1, SimGrid 3.32). Host i is called node-i and is meant for rank i.
 *
 * A lone message takes what the source of a machine states, startup + bytes / bandwidth, whatever
 * its size (no less than 16 bytes' time: SMPI adds as many to every message). Messages that meet on
 * a link share it, evenly where their latencies are alike, else in inverse proportion to these, as
 * SimGrid has it. Computing takes no time. Routes and times are the same in every run. */
#ifndef NUCE_PLATFORM_H
#define NUCE_PLATFORM_H

#include <stdio.h>

#include "base/error.h"
#include "mapping/routing.h"
#include "schedules/network.h"

/* What a platform is made from. */
struct nuce_platform_input {
    int ranks;                          /* hosts; 0: the platform's own number */
    const char *network_name;           /* how the user named the network; NULL: none given */
    const struct nuce_network *network; /* borrowed; NULL: none given */
    const struct nuce_routing *routing; /* of the topology, borrowed; NULL: none given */
    const char *drawn;                  /* the options after the name that give the same topology,
                                           each a dash and a letter; NULL: read from a file */
};

/* A platform: one file, one row in platforms.def. */
struct nuce_platform_ops {
    const char *name; /* names committed files too: never reuse one */
    const char *summary, *source;
    int ranks;          /* hosts unless asked for others; 0: those of a network or topology */
    int is_routed;      /* the machine of a topology, whose nodes are the hosts: it needs one */
    const char *speed;  /* of a host, in SimGrid's flop/s; nothing that runs is charged by it */
    double poll_s;      /* seconds that an MPI_Test or MPI_Iprobe takes */
    int most;           /* hosts, if not 0 */
    const char *called; /* where there is a most: who "has at most" so many */
    /* NUCE_BAD_INPUT when there is no such machine of as many hosts; NULL: there is. */
    nuce_status (*check)(int ranks, struct nuce_error *error);
    /* The zone with its hosts and links; input->ranks is set, checked and that of the network. */
    void (*print)(const struct nuce_platform_ops *ops, const struct nuce_platform_input *input,
                  FILE *stream);
};

/* All platforms, ended by NULL. */
extern const struct nuce_platform_ops *const nuce_platforms[];

/* The platform called name; NUCE_BAD_INPUT names those there are. */
nuce_status nuce_platform_find(const char *name, const struct nuce_platform_ops **out,
                               struct nuce_error *error);

/* Writes the platform file to stream, whose errors are the caller's to look for. Its first comment
 * is the nuce-model command that writes the same. NUCE_BAD_INPUT, and nothing written: a number of
 * ranks that the platform cannot have, a network or topology missing, not wanted, or of other
 * ranks. */
nuce_status nuce_platform_print(const struct nuce_platform_ops *ops,
                                const struct nuce_platform_input *input, FILE *stream,
                                struct nuce_error *error);

/* The pieces of a platform file. Bandwidths in bytes per second, times in seconds, both written in
 * the fewest digits that give them back. The stream's errors are the caller's to look for. */

/* The smallest number of digits that gives value back, then unit. */
void nuce_platform_print_number(double value, const char *unit, FILE *stream);

/* The latency of a route on which a lone message of B bytes is to take startup + B / bandwidth,
 * bandwidth that of its slowest link: SMPI 3.32 sends 16 bytes more than the message has (tag,
 * destination, communicator), which would come on top. At least 0. */
double nuce_platform_latency(double startup, double bandwidth);

/* The rest of a link whose id has been begun: one capacity, whichever way messages go. */
void nuce_platform_print_shared(double bandwidth, double latency, FILE *stream);

/* A link, called prefix and number, whose two directions do not share: _UP and _DOWN of it. */
void nuce_platform_print_duplex(const char *prefix, int number, double bandwidth, double latency,
                                FILE *stream);

/* <cluster>, SimGrid's own topology: hosts node-0 .. node-(ranks - 1), every link with the same
 * bandwidth and latency both ways. topology: attributes of it, "" for one crossbar. */
void nuce_platform_print_cluster(const struct nuce_platform_ops *ops, int ranks, double bandwidth,
                                 double latency, const char *topology, FILE *stream);

#endif
