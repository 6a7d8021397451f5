/* What the workloads that measure the machine say of their runs. */
#ifndef NUCE_CALIBRATE_H
#define NUCE_CALIBRATE_H

#include <jansson.h>

#include "programs/runs.h"

/* Adds to a row of results the medians over the samples of what each side took, in seconds, from
 * the record's "per_rank": one_s (the last rank, which all messages come from or go to),
 * partner_max_s, partner_min_s and partner_mean_s (over the partners). Nothing without samples.
 * Local. */
void nuce_contention_summarise(const json_t *record, json_t *row);

/* Adds "gain", "gain_low", "gain_high", "growth" and "regime" to rows of several partners whose
 * launch has the row of one; contention.c says what they mean. */
void nuce_contention_compare(json_t *rows);

/* Says, of the largest size and each direction, whether the most partners at once carry as much as
 * fewer do; if not what posting all messages at once loses, from which size on, and which schedule
 * may win it: a sentence each, to file. */
void nuce_contention_say(const json_t *rows, FILE *file);

/* The names that contention.c tells of: growth of a gain between low and high with so many
 * partners (2 or more), and the regime of the growths of both directions (other: NULL if it was not
 * measured). */
const char *nuce_contention_growth(double low, double high, double partners);
const char *nuce_contention_regime(const char *one, const char *other);

/* Adds "distance" (of xor-D; null: random) and what the samples of communication are like: mean_s,
 * least_s, most_s, within_tenth (the fraction within 10 % of the mean). */
void nuce_permutations_summarise(const json_t *record, json_t *row);

/* Adds "random_mean_s" and "against_random", the ratio of the means, to rows of xor-D whose launch
 * has random permutations of the same size. */
void nuce_permutations_compare(json_t *rows);

/* Adds what record.h says of a run's links in a few numbers: "pairs", "startup_s" (median over
 * them), "bandwidth_least", "bandwidth_median", "bandwidth_most", "bandwidth_error" (median
 * standard error as a fraction), "unfitted" (pairs without one), "ports_out" and "ports_in" ("2 of
 * 8": so many of the ranks measured have a known limit), "depth_auto", "regime"; and the arrays
 * themselves, "links", "ports" and "contention". Nothing without links. */
void nuce_links_summarise(const json_t *record, json_t *row);

#endif
