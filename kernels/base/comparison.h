/* Compares two sides, A and B, at many points: the ratio of their times, its uncertainty, and the
 * smallest difference that the data could have shown.
 *
 * The unit is the launch. Samples of one launch share its placement, its buffers and its
 * neighbours. If there is no difference, only launches are alike and independent. So a launch has
 * one value at a point for any number of samples, and every interval includes the variation between
 * launches. One launch shows nothing of that variation, so it gives no verdict. */
#ifndef NUCE_COMPARISON_H
#define NUCE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

/* The launches of one side at a point: a logarithm and a number each. The number identifies the
 * same launch at other points. Borrowed. */
struct nuce_comparison_side {
    const double *logarithms;
    const int64_t *launches;
    int64_t count;
    bool is_stopped; /* the race could end at any launch, as soon as it was known */
};

/* The launches of A and B. Either each side has its own launches, with logarithms of seconds; or A
 * has none, and B's are the logarithms of the ratio B / A of launches that ran both. */
struct nuce_comparison_launches {
    struct nuce_comparison_side sides[2];
};

enum nuce_comparison_verdict {
    NUCE_VERDICT_WORSE,   /* B is slower, beyond the threshold */
    NUCE_VERDICT_SLOWER,  /* B is slower, but not shown to be slower by more than the threshold */
    NUCE_VERDICT_FASTER,  /* B is faster */
    NUCE_VERDICT_SAME,    /* none of these, and the interval is within the threshold */
    NUCE_VERDICT_UNKNOWN, /* none of these: too few launches for their variation */
    NUCE_VERDICTS,
};

struct nuce_comparison {
    /* The estimate. */
    double effect;   /* logarithm of B / A */
    double error;    /* its standard error; 0: exact; NaN: a side has one launch */
    int64_t degrees; /* degrees of freedom of that error; > 0 */
    bool is_early;   /* one race of both that could end at any launch, after too few to say SAME
                          (base/anytime.h) */
    double noise;    /* distance from 1 that the noise's interval reaches, a logarithm. Smaller
                          effects are no difference, as equal contenders came this far apart. 0: no
                          noise */
    /* Results of nuce_comparison_conclude. */
    double ratio, low, high; /* B / A with its interval, NaN: none */
    double p;           /* p of no difference: two-sided, by Student's t; 1 if the error is NaN */
    double p_corrected; /* corrected by Holm over all points */
    double detectable;  /* the smallest slow-down that the data would have shown for any other
                           points, as a fraction: 0.12 is 12 %; infinity: none */
    enum nuce_comparison_verdict verdict;
};

struct nuce_comparison_rule {
    int64_t points;    /* number of points compared: the family of the correction */
    double confidence; /* of each interval, and of no false alarm in the family; in (0, 1) */
    double threshold;  /* a larger slow-down is worse; a fraction >= 0 */
};

/* The estimate of a point with launches on both sides, or of B alone. For launches that ran both
 * sides it is their mean with its standard error. For separate launches it is the difference of the
 * means, with Welch's error ("The generalization of 'Student's' problem when several different
 * population variances are involved", Biometrika 34, 1947) and Satterthwaite's degrees of freedom,
 * rounded down. The error of races that could end at any launch is that of base/anytime.h. */
struct nuce_comparison nuce_comparison_estimate(const struct nuce_comparison_launches *point);

/* The estimate of computed times. They do not vary, so there is nothing to test. Times that differ
 * by at most resolution_s, the resolution of the simulated clock, are the same; 0: there was no
 * clock. */
struct nuce_comparison nuce_comparison_exact(double a_s, double b_s, double resolution_s);

/* The estimate of the mean effect over those of count points (> 0) whose error is known, or over
 * all if none is known. It is the logarithm of the geometric mean of their ratios.
 *
 * The launches are the unit here, too. An effect that a launch has at all points would otherwise
 * count as chance once per point. So each launch's deviations at all points are added up first: the
 * sandwich estimator of Liang and Zeger (Biometrika 73, 1986). Each point's deviations are widened
 * by n / (n - 1) for its own mean. The degrees of freedom are those of the point with the fewest
 * launches. Where races could end at any launch, the error grows as that of the point of which it
 * grows most. */
void nuce_comparison_mean(const struct nuce_comparison_launches *launches,
                          const struct nuce_comparison *points, int64_t count,
                          struct nuce_comparison *out);

/* Computes all other members from the estimates of rule->points points, and corrects their p
 * together. A point is WORSE if B / A is shown to be above 1 + threshold. It is SLOWER or FASTER if
 * B / A is shown to differ from 1. Each test is two-sided, corrected by Holm, and the effect must
 * reach the noise. */
void nuce_comparison_conclude(struct nuce_comparison *points,
                              const struct nuce_comparison_rule *rule);

/* True if B is shown to be at most the threshold slower: the whole interval is below it. */
bool nuce_comparison_is_bounded(const struct nuce_comparison *point,
                                const struct nuce_comparison_rule *rule);

/* Holm's correction ("A simple sequentially rejective multiple test procedure", Scandinavian
 * Journal of Statistics 6, 1979): the corrected p of count tests. Among tests with corrected p <=
 * alpha the chance of any false alarm is at most alpha, for any dependence between the tests. */
void nuce_comparison_holm(const double *p, int64_t count, double *corrected);

#endif
