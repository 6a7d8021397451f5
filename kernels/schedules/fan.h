/* Fans: one rank and several partners at once, all sending to it or all receiving from it. The
 * bandwidths of the pairs give a fan's time on independent paths; its measured time shows the
 * rank's port.
 *
 * A fan is timed at its centre, from an idle start until all messages have been answered (out) or,
 * requested by empty messages, have arrived (in). As with a pair's round trip, no two clocks are
 * compared. */
#ifndef NUCE_FAN_H
#define NUCE_FAN_H

#include <stdint.h>

#include "schedules/network.h"

struct nuce_fan {
    int centre;
    int degree; /* partners at once, 1 .. ranks - 1 */
    int is_out; /* the centre sends */
};

/* More than doubling from 1 gives for the most ranks of a network. */
#define NUCE_FAN_DEGREES_MOST 16

/* 1, 2, 4, ... and all others; returns their number. ranks >= 2. */
int nuce_fan_degrees(int ranks, int degrees[NUCE_FAN_DEGREES_MOST]);

/* Partner number index, 0 .. degree - 1. They are spread evenly over the other ranks, so that a few
 * partners are not all on the centre's own node. */
int nuce_fan_partner(const struct nuce_fan *fan, int index, int ranks);

/* Largest total size of a fan's messages, in multiples of the largest message. */
#define NUCE_FAN_TOTAL 16

/* Bytes of the message of each partner, none above largest. They are in proportion to the pairs'
 * bandwidths, so that on independent paths all end together and a shared port shows. They are long
 * enough for the wire to be the limit, and short enough for slow ones: see calibration.c. */
void nuce_fan_sizes(const struct nuce_network *network, const struct nuce_fan *fan, int64_t largest,
                    int64_t *bytes);

/* The results of a fan's time with messages of those sizes. */
struct nuce_fan_result {
    int degree;
    double gain; /* speed-up over one message after another; 1 if one partner alone fills the
                    port */
    double free; /* the gain on independent paths: degree, or somewhat less if messages were cut */
    double rate; /* bytes per second through the centre's port, without its least startup; INFINITY:
                    it took no longer than that */
};

struct nuce_fan_result nuce_fan_judge(const struct nuce_network *network,
                                      const struct nuce_fan *fan, const int64_t *bytes,
                                      double seconds);

/* The most that a port carries, in bytes per second, from its rank's fans in one direction by
 * ascending degree, the last with all others. It is the best rate of them, at least `pair`, the
 * best bandwidth of its pairs. INFINITY, not known: the last fan gains at least 90 % of its gain on
 * independent paths, or has only one partner. */
double nuce_fan_port(const struct nuce_fan_result *results, int count, double pair);

#endif
