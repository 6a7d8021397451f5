/* Inference on ratios that stays valid however often it is looked at: a race may then end as soon
 * as its result is known. */
#ifndef NUCE_ANYTIME_H
#define NUCE_ANYTIME_H

#include <stdint.h>

#include "base/race_ratio.h"

/* Few launches may miss what one in ten has, such as a daemon that wakes up: then the same and a
 * reached share would be claimed too early. So they take this number of launches. A difference that
 * is shown does not depend on it. */
#define NUCE_ANYTIME_LEAST_FOR_SAME 20

/* The distance from 0, in standard errors, beyond which the mean of that many logarithms of ratios,
 * one per launch, shows a difference at the level alpha (0.05: 5 %). INFINITY with too few
 * launches.
 *
 * The probability that the mean of equal contenders is ever beyond it, at any of the launches, is
 * at most alpha. So the mean +- this many standard errors is a confidence sequence: its intervals
 * contain the true mean at all launches together with probability 1 - alpha.
 *
 * It is the test by the mixture e-process of the t statistic, whose Gaussian effect sizes have the
 * variances 0.04, 1, 25 and 625 (Perez-Ortiz, Lardy, de Heide, Gruenwald: "E-statistics, group
 * invariance and anytime-valid testing", Annals of Statistics 52(4), 2024; Wang, Ramdas:
 * "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
 * Sequential Analysis 44(1), 2025). It assumes independent, normal logarithms. Between equal
 * contenders heavier tails give fewer false alarms: nuce-bench race-stopped. Where one of the two
 * has rare slow launches the interval may miss the mean that these make. */
double nuce_anytime_critical(int64_t launches, double alpha);

/* The number of values that lie below such an interval of the median of that many logarithms, and
 * of those above it; -1 with too few launches. It needs no distribution: one outlier more only
 * moves an end to the next value.
 *
 * It is the sign test by the mixture e-process of a binomial, whose probabilities have the density
 * Beta(2, 2) (Howard, Ramdas: "Sequential estimation of quantiles with applications to A/B testing
 * and best-arm identification", Bernoulli 28(3), 2022). */
int64_t nuce_anytime_cut(int64_t launches, double alpha);

/* The findings of a contender's launches, one logarithm of its ratio each. The intervals hold at
 * all launches together with 95 %: that of the mean with 96 %, that of the median with 99 %. */
struct nuce_anytime {
    int64_t count;
    /* The mean and half its interval; INFINITY with too few. Launches that agree to the last digit
     * have no spread to judge by, as of a program that prints rounded numbers: then at least 7 are
     * needed (the sign test). */
    double mean, mean_reach;
    /* The centre and reach of the narrower interval: the median's if launches that something else
     * slowed down make that of the mean wide. The mean's if the two differ by more than its
     * standard error: then the slow launches are mostly of one contender. */
    double middle, reach;
};

struct nuce_anytime nuce_anytime_of(const double *logarithms, int64_t count);

/* True if the interval of the mean lies within the margin, a fraction. */
int nuce_anytime_is_within(const struct nuce_anytime *ratios, double margin);

/* The middle of that many logarithms, in the place of the mean that nuce_race_over_launches finds,
 * for a race that may have been ended by its result. reach is NAN with too few launches, and error
 * the one of which Student's interval is as wide at 95 %. */
struct nuce_launches_mean nuce_anytime_over_launches(const double *logarithms, int64_t count);

/* The noise, by which a difference is judged in addition: the ratios of the reference's duplicate.
 * Its interval is Student's, at this number of launches, or the one that holds at all of them:
 * that which reaches less far from 0. It only hinders verdicts, so looking often does no harm. */
struct nuce_launches_mean nuce_anytime_noise(const double *logarithms, int64_t count);

/* The verdict on a contender against its reference. */
enum nuce_known {
    NUCE_KNOWN_NOTHING,
    NUCE_KNOWN_FASTER,
    NUCE_KNOWN_SLOWER,
    NUCE_KNOWN_SAME,    /* its interval lies within the margin */
    NUCE_KNOWN_REACHES, /* the demanded share of the reference's speed */
    NUCE_KNOWN_FAILS,   /* it does not reach that */
};

/* ratios are of the contender's time over the reference's. Faster and slower are shown by the test
 * that finds the fastest (nuce_race_is_slower), with that many rivals: the sentence after the race
 * then agrees. noise is how far from 0 the noise's interval reaches, NAN with too few launches;
 * faster and slower are beyond it as well. margin: a difference that does not matter, a fraction;
 * least: the demanded share of the reference's speed, and then nothing else is asked; 0: none. The
 * chance of a wrong answer about a contender, at any number of launches, is at most 5 %; 2.5 %
 * where a share is demanded. The same, and a share that is reached, need 20 launches at least and
 * go by the mean: a median does not tell of one slow launch in ten. */
enum nuce_known nuce_anytime_known(const struct nuce_anytime *ratios, int64_t rivals, double noise,
                                   double margin, double least);

#endif
