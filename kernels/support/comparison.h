/* Comparing two sides, A and B, at many points: by how much B's times differ from A's, how sure
 * that is, and what the data could not have shown.
 *
 * What is alike and independent under the hypothesis of no difference is a launch, not a sample:
 * the samples of one run follow each other on one state of the machine. So the unit is the run, and
 * its value the median of its samples, wherever both sides have enough runs for the test to show
 * anything after correction (7 and 7 do for 80 points). Fewer runs leave only their samples, in
 * blocks that are longer than their autocorrelation; what changes from launch to launch is then
 * unseen, and more is asked of a difference (enum nuce_comparison_unit). */
#ifndef NUCE_COMPARISON_H
#define NUCE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "support/error.h"

/* The samples of one run, in the order in which they were taken; > 0, count > 0. Borrowed. */
struct nuce_series {
    const double *values;
    int64_t count;
};

struct nuce_comparison_side {
    const struct nuce_series *runs; /* borrowed */
    int64_t count;                  /* > 0 */
};

enum nuce_comparison_unit {
    /* Each value is the median of a run. */
    NUCE_UNIT_RUNS,
    /* Each value is the median of a block of samples. Where a side has several runs, the interval
     * reaches from the nearest two medians of runs to the farthest, and p is not below what those
     * medians alone give unless all of one side are beyond all of the other. A regression is what
     * is beyond the threshold with the whole interval. */
    NUCE_UNIT_SAMPLES,
    /* The times are computed and the same whenever they are computed, but for the resolution of a
     * simulated clock: there is nothing to test. */
    NUCE_UNIT_EXACT,
};

enum nuce_comparison_verdict {
    NUCE_VERDICT_REGRESSION, /* B is slower, beyond the threshold */
    NUCE_VERDICT_SLOWER, /* B is slower, but that it is by more than the threshold is not shown */
    NUCE_VERDICT_FASTER, /* B is faster */
    NUCE_VERDICT_NONE,   /* no difference was shown */
    NUCE_VERDICT_BLIND,  /* no difference, however large, could have been shown */
};

struct nuce_comparison {
    enum nuce_comparison_unit unit;
    int64_t a_values, b_values; /* of that unit; exact: runs */
    double a_median, b_median;  /* of all samples of the side: median of the medians of its runs */
    double ratio;               /* B / A: exp of the Hodges-Lehmann shift of the logarithms */
    double low, high;           /* its interval, at the confidence asked for; 0 .. infinity: none */
    double p;                   /* two-sided, Mann and Whitney's */
    double p_corrected;         /* by Holm, over all points */
    double detectable; /* the smallest slow-down that could have been shown at the strictest step of
                          the correction, as a fraction: 0.12 is 12 %; infinity: none */
    enum nuce_comparison_verdict verdict;
};

struct nuce_comparison_rule {
    int64_t points;    /* that are compared in all: the family of the correction */
    double confidence; /* of each interval, and of no false alarm in the family; 0 < it < 1 */
    double threshold;  /* a slow-down beyond it is a regression; a fraction >= 0 */
    /* Computed times that differ by no more seconds are the same: what the clock that they were
     * read from can tell apart; 0 where there was none. Measured times say themselves how they
     * scatter. */
    double resolution_s;
};

/* Whether so many runs a side can show anything at one of the rule's points. */
bool nuce_comparison_has_enough_runs(int64_t a_runs, int64_t b_runs,
                                     const struct nuce_comparison_rule *rule);

/* How many runs a side that takes. */
int64_t nuce_comparison_runs_needed(const struct nuce_comparison_rule *rule);

/* Compares one point; p_corrected and verdict are left to nuce_comparison_conclude. NUCE_FAILED
 * when out of memory. */
nuce_status nuce_comparison_test(const struct nuce_comparison_side *a,
                                 const struct nuce_comparison_side *b,
                                 enum nuce_comparison_unit unit,
                                 const struct nuce_comparison_rule *rule,
                                 struct nuce_comparison *out, struct nuce_error *error);

/* Takes back what was shown: the point is BLIND, because its values are known not to be what they
 * would be again. Its medians and their ratio stay. */
void nuce_comparison_distrust(struct nuce_comparison *point);

/* Corrects the p of rule->points points together and gives each its verdict. NUCE_FAILED when out
 * of memory. */
nuce_status nuce_comparison_conclude(struct nuce_comparison *points,
                                     const struct nuce_comparison_rule *rule,
                                     struct nuce_error *error);

/* Holm's correction ("A simple sequentially rejective multiple test procedure", Scandinavian
 * Journal of Statistics 6, 1979): the corrected p of count tests. The chance of any false alarm
 * among those at most alpha is at most alpha, however the tests depend on each other. NUCE_FAILED
 * when out of memory. */
nuce_status nuce_comparison_holm(const double *p, int64_t count, double *corrected,
                                 struct nuce_error *error);

/* Of how many successive samples one block is that can pass for independent of its neighbours:
 * three times the integrated autocorrelation time, 1 where that is about 1, at most so many that
 * four blocks are left. The time is estimated on the ranks of the values, which outliers do not
 * hide, by Geyer's initial monotone sequence ("Practical Markov chain Monte Carlo", Statistical
 * Science 7(4), 1992), and is at least that of a first-order series of the lag-1 correlation. 0
 * with *error when out of memory. */
int64_t nuce_comparison_block_length(const struct nuce_series *series, struct nuce_error *error);

#endif
