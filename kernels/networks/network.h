/* Networks: what a message between two ranks costs. The papers' model: startup T_ij seconds and
 * bandwidth B_ij bytes per second for every ordered pair (Bhat, Prasanna and Raghavendra, section
 * 2; Ranka, Wang and Kumar, 3.2: tau = T, phi = 1 / B), and what a rank's port can carry in all. */
#ifndef NUCE_NETWORK_H
#define NUCE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Pairs are kept as ranks x ranks values unless all are alike: no more ranks than this then. */
#define NUCE_NETWORK_MAX_RANKS 16384

struct nuce_network {
    int ranks;
    double startup;         /* seconds; of every pair, if pair_startup is NULL */
    double bandwidth;       /* bytes per second; the same */
    double *pair_startup;   /* ranks x ranks by source, or NULL */
    double *pair_bandwidth; /* the same; both or none */
    double *out;            /* ranks: bytes per second that leave a rank at most; NULL or INFINITY:
                               no more is known than its pairs */
    double *in;             /* ranks: that arrive */
    double *speed;          /* ranks: relative speed of computing; NULL: all alike */
};

/* All pairs alike. startup >= 0 and finite, bandwidth > 0 and finite, else NUCE_BAD_INPUT. */
nuce_status nuce_network_uniform(int ranks, double startup, double bandwidth,
                                 struct nuce_network *out, struct nuce_error *error);

/* A machine of the papers by name; NUCE_BAD_INPUT names those there are.
 * cm5: tau 0.299 ms, phi 0.2389 us per byte (Ranka, Wang and Kumar, 3.2). */
nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error);

int nuce_network_is_preset(const char *name);

/* Reads a NETWORK FILE: `ranks P`, then a line `i j startup_seconds bytes_per_second` for every
 * ordered pair of different ranks, and at will `port i out_bytes_per_second in_bytes_per_second`
 * and `speed i relative`; # begins a comment. Errors name file, line and column, a missing pair and
 * one given twice too. ranks > 0: the file must be for as many. */
nuce_status nuce_network_read(const char *path, int ranks, struct nuce_network *out,
                              struct nuce_error *error);

/* The same from length bytes at text; name stands for the path in messages. */
nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error);

/* The preset called name, else the file at that path. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error);

/* Frees what *network holds and empties it; accepts an empty (all zero) one. */
void nuce_network_fini(struct nuce_network *network);

/* Of the pair source -> destination, different ranks. */
double nuce_network_startup(const struct nuce_network *network, int source, int destination);
double nuce_network_bandwidth(const struct nuce_network *network, int source, int destination);

/* Seconds of bytes in one piece: T + bytes / B; 0 from a rank to itself, which needs no wire. */
double nuce_network_seconds(const struct nuce_network *network, int source, int destination,
                            int64_t bytes);

/* Bytes per second through the port of a rank; INFINITY where only its pairs are known. */
double nuce_network_port_out(const struct nuce_network *network, int rank);
double nuce_network_port_in(const struct nuce_network *network, int rank);

/* Means over the ordered pairs, for what needs one tau and one phi: the startup in seconds, and the
 * seconds per byte. */
void nuce_network_means(const struct nuce_network *network, double *startup,
                        double *seconds_per_byte);

#endif
