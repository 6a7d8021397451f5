/* Summaries of the workloads that measure the machine. */
#ifndef NUCE_CALIBRATE_H
#define NUCE_CALIBRATE_H

#include <jansson.h>

#include "programs/runs.h"

/* Adds to a row of results the medians over the samples of each rank's time, in seconds, from
 * the record's "per_rank". one_s is for the last rank, which sends or receives all messages;
 * partner_max_s, partner_min_s and partner_mean_s are over the partners. Adds nothing without
 * samples. Local. */
void nuce_contention_summarise(const json_t *record, json_t *row);

/* Adds "gain", "gain_low", "gain_high", "growth" and "regime" to rows of several partners, if
 * their launch has the row of one partner. contention.c defines these results. */
void nuce_contention_compare(json_t *rows);

/* Prints, for the largest size and each direction, if the most partners at once carry as much as
 * fewer do. If not, prints the loss of posting all messages at once, the size from which it
 * occurs, and the schedule that may avoid it. One sentence each, to file. */
void nuce_contention_say(const json_t *rows, FILE *file);

/* The names that contention.c defines. _growth names the growth of a gain between low and high
 * with that many partners (2 or more). _regime names the regime of the growths of both
 * directions (other: NULL if it was not measured). */
const char *nuce_contention_growth(double low, double high, double partners);
const char *nuce_contention_regime(const char *one, const char *other);

/* Adds "distance" (of xor-D; null: random) and statistics of the communication's samples:
 * mean_s, least_s, most_s, within_tenth (the fraction within 10 % of the mean). */
void nuce_permutations_summarise(const json_t *record, json_t *row);

/* Adds "random_mean_s" and "against_random", the ratio of the means, to rows of xor-D, if their
 * launch has random permutations of the same size. */
void nuce_permutations_compare(json_t *rows);

/* Adds a summary of a run's links (record.h).
 * - "pairs"; "startup_s", the median over the pairs.
 * - "bandwidth_least", "bandwidth_median", "bandwidth_most"; "bandwidth_error", the median
 *   standard error as a fraction; "unfitted", the pairs without one.
 * - "ports_out" and "ports_in", "depth_auto" and "regime".
 *  "ports_out" is a text such as "2 of 8": 2 of the 8 measured ranks have a known limit. Also
 *  adds the arrays themselves, "links", "ports" and "contention". Adds nothing without links. */
void nuce_links_summarise(const json_t *record, json_t *row);

#endif
