/* Comparing two sides, A and B, at many points: how many times as long B takes, how sure that is,
 * and what the data could not have shown.
 *
 * The unit is the launch: samples of one launch share its placement, its buffers and its
 * neighbours, and what is alike and independent if there is no difference are launches. So a launch
 * has one value at a point, whatever number of samples, and what varies from launch to launch is in
 * every interval. One launch tells nothing of that, and nothing is told by it. */
#ifndef NUCE_COMPARISON_H
#define NUCE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The launches of one side at a point: a logarithm and a number each, by which the same launch is
 * known at other points. Borrowed. */
struct nuce_comparison_side {
    const double *logarithms;
    const int64_t *launches;
    int64_t count;
};

/* A and B. Launches of their own, of which the logarithms are those of seconds; or, if A has none,
 * launches that had both, of which B's are the logarithms of the ratio B / A. */
struct nuce_comparison_launches {
    struct nuce_comparison_side sides[2];
};

enum nuce_comparison_verdict {
    NUCE_VERDICT_WORSE,   /* B is slower, beyond the threshold */
    NUCE_VERDICT_SLOWER,  /* B is slower, but that it is by more than the threshold is not shown */
    NUCE_VERDICT_FASTER,  /* B is faster */
    NUCE_VERDICT_SAME,    /* none of these is shown, and the interval is within the threshold */
    NUCE_VERDICT_UNKNOWN, /* nor is that: too few launches for what they vary */
    NUCE_VERDICTS,
};

struct nuce_comparison {
    /* The estimate. */
    double effect;   /* logarithm of B / A */
    double error;    /* its standard error; 0: exact; NaN: a side has one launch */
    int64_t degrees; /* of freedom, of that error; > 0 */
    double control;  /* what is alike came so far apart, a logarithm: how far from 1 the
                        control's interval reaches; no less is a difference. 0: no control */
    /* What nuce_comparison_conclude makes of it. */
    double ratio, low, high; /* B / A with its interval, NaN: none */
    double p;           /* of no difference: two-sided, by Student's t; 1 where the error is NaN */
    double p_corrected; /* by Holm, over all points */
    double detectable;  /* the smallest slow-down that would have been shown whatever the other
                           points are, as a fraction: 0.12 is 12 %; infinity: none */
    enum nuce_comparison_verdict verdict;
};

struct nuce_comparison_rule {
    int64_t points;    /* that are compared in all: the family of the correction */
    double confidence; /* of each interval, and of no false alarm in the family; 0 < it < 1 */
    double threshold;  /* a slow-down beyond it is worse; a fraction >= 0 */
};

/* The estimate of a point with launches on both sides, or with B's alone. Of launches that had both
 * it is the mean, with its standard error; of others the difference of the means, with Welch's
 * ("The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34, 1947) and Satterthwaite's degrees of freedom, rounded down. */
struct nuce_comparison nuce_comparison_estimate(const struct nuce_comparison_launches *point);

/* The same of computed times, which are the same whenever they are computed: there is nothing to
 * test. Those that differ by no more than resolution_s are the same, which is what the simulated
 * clock that they were read from can tell apart; 0 where there was none. */
struct nuce_comparison nuce_comparison_exact(double a_s, double b_s, double resolution_s);

/* The estimate of the mean effect over those of count points (> 0) whose error is known, all if
 * there is none: of the geometric mean of their ratios. What a launch has in common at all points
 * would be taken for chance as often as there are points; so its deviations at all of them are
 * added up first, and the launches are the unit here, too (the sandwich estimator of Liang and
 * Zeger, Biometrika 73, 1986, each point's deviations being widened by n / (n - 1) for its own
 * mean). The degrees of freedom are of the point with the fewest launches. */
void nuce_comparison_mean(const struct nuce_comparison_launches *launches,
                          const struct nuce_comparison *points, int64_t count,
                          struct nuce_comparison *out);

/* Makes of the estimates of rule->points points all else, correcting their p together. A point is
 * WORSE if it is shown that B / A is above 1 + threshold, SLOWER or FASTER if that it is not 1,
 * each by a two-sided p corrected by Holm, and by no less than its control. */
void nuce_comparison_conclude(struct nuce_comparison *points,
                              const struct nuce_comparison_rule *rule);

/* Whether it is shown that B is not slower by more than the threshold: the whole interval says so.
 */
bool nuce_comparison_is_bounded(const struct nuce_comparison *point,
                                const struct nuce_comparison_rule *rule);

/* Holm's correction ("A simple sequentially rejective multiple test procedure", Scandinavian
 * Journal of Statistics 6, 1979): the corrected p of count tests. The chance of any false alarm
 * among those at most alpha is at most alpha, however the tests depend on each other. */
void nuce_comparison_holm(const double *p, int64_t count, double *corrected);

#endif
