/* Fans: one rank and several partners at once, all sending to it or all receiving from it. What the
 * pairs of a network say of them if every path were independent, and what their times say of the
 * rank's port.
 *
 * A fan is timed at its centre, from nothing under way until all messages have been answered (out)
 * or, asked for by empty messages, have come (in): like a pair's round trip, so that no two clocks
 * are compared. */
#ifndef NUCE_FAN_H
#define NUCE_FAN_H

#include <stdint.h>

#include "schedules/network.h"

struct nuce_fan {
    int centre;
    int degree; /* partners at once, 1 .. ranks - 1 */
    int is_out; /* the centre sends */
};

/* More than doubling from 1 to a network's most ranks gives. */
#define NUCE_FAN_DEGREES_MOST 16

/* 1, 2, 4, ... and all others; returns how many. ranks >= 2. */
int nuce_fan_degrees(int ranks, int degrees[NUCE_FAN_DEGREES_MOST]);

/* Partner number index, 0 .. degree - 1: they are spread evenly over the other ranks, so that few
 * of them are not all on the centre's own node. */
int nuce_fan_partner(const struct nuce_fan *fan, int index, int ranks);

/* All messages of a fan have no more bytes than so many times the largest. */
#define NUCE_FAN_TOTAL 16

/* Bytes of the message of each partner, none above largest: in proportion to the pairs' bandwidths,
 * so that on independent paths all end together and a port that is shared shows. Long enough for
 * the wire to be the limit, short enough for slow ones: see calibration.c. */
void nuce_fan_sizes(const struct nuce_network *network, const struct nuce_fan *fan, int64_t largest,
                    int64_t *bytes);

/* What the seconds of a fan with messages of those bytes say. */
struct nuce_fan_result {
    int degree;
    double gain; /* how many times as fast as one message after another would be: 1 where one
                    partner alone fills the port */
    double free; /* the gain if all paths were independent: degree, or somewhat less where messages
                    were cut */
    double rate; /* bytes per second through the centre's port, its least startup left out;
                    INFINITY: it took no longer than that */
};

struct nuce_fan_result nuce_fan_judge(const struct nuce_network *network,
                                      const struct nuce_fan *fan, const int64_t *bytes,
                                      double seconds);

/* Bytes per second that a port carries at most, from its rank's fans in one direction by ascending
 * degree, the last with all others: the best rate of them, at least `pair`, the best bandwidth of
 * its pairs. INFINITY, not known: the last fan gains at least 90 % of what it would if the paths
 * were independent, or has but one partner. */
double nuce_fan_port(const struct nuce_fan_result *results, int count, double pair);

#endif
