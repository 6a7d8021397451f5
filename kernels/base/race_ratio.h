/* Statistics of a contender against its reference, which had one turn each in every round. */
#ifndef NUCE_RACE_RATIO_H
#define NUCE_RACE_RATIO_H

#include <stdint.h>

struct nuce_race_ratio {
    int64_t rounds; /* rounds in which both have a time */
    double ratio;   /* median over them of contender's time / reference's time; NaN: none */
    /* Its 95 % interval from order statistics; NaN with too few rounds. It does not include the
     * variation between launches. */
    double low, high;
};

/* Ratios round by round: a disturbance in a round slows both. own and reference: count times in
 * seconds, round by round; NaN or 0: no time in that round. own is overwritten. */
struct nuce_race_ratio nuce_race_ratio(double *own, const double *reference, int64_t count);

/* Statistics over several launches. */
struct nuce_launches_mean {
    double mean;  /* mean of logarithms of ratios: that of their geometric mean */
    double error; /* its standard error; NaN for one launch */
    /* Half its 95 % interval, by Student's t with count - 1 degrees of freedom; NaN for one
     * launch. */
    double reach;
};

/* logarithms: count > 0 of them, one per launch. Launches are the unit: rounds of one launch share
 * its placement, buffers and neighbours, so that the interval includes the variation between
 * launches. */
struct nuce_launches_mean nuce_race_over_launches(const double *logarithms, int64_t count);

/* Returns 1 if a contender is shown to be slower than another, -1 if faster, 0 if neither. mean and
 * reach are of the logarithm of its time over the other's (nuce_race_over_launches). The whole
 * interval must be on one side of 0, and the mean further from 0 than noise. noise is how far
 * from 0 the interval of the race's reference against itself reaches: equal contenders came this
 * far apart. */
int nuce_race_side(double mean, double reach, double noise);

/* True if a contender with that many rivals is shown to be slower than one of them. mean is over
 * launches > 1, of the logarithm of its time over the other's; error is the mean's standard error.
 * Each test is two-sided at 5 % over the number of rivals (Bonferroni). So the fastest include
 * every contender whose 95 % intervals all contain 1. noise is how far from 1 the interval of the
 * race's reference against itself reaches, in logarithms. Equal contenders came this far apart, so
 * a smaller value is not a difference. */
int nuce_race_is_slower(int64_t launches, double mean, double error, int64_t rivals, double noise);

/* The number of launches in which such a test says "slower" four times in five, if ratio and spread
 * stay as in these launches. The noise's interval shrinks as well. At most
 * NUCE_RACE_MOST_LAUNCHES, 0 beyond it; never fewer than the present number. */
#define NUCE_RACE_MOST_LAUNCHES 1000
int64_t nuce_race_launches_needed(int64_t launches, double mean, double error, int64_t rivals,
                                  double noise);

#endif
