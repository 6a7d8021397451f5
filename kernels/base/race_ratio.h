/* What one launch says of a contender and its reference, who had one turn each in every round. */
#ifndef NUCE_RACE_RATIO_H
#define NUCE_RACE_RATIO_H

#include <stdint.h>

struct nuce_race_ratio {
    int64_t rounds; /* in which both have a time */
    double ratio; /* the median over them of the contender's time over the reference's; NaN: none */
    /* Its 95 % interval from order statistics; NaN where there are too few rounds for one. What
     * another launch would give is not in it. */
    double low, high;
};

/* Ratios round by round: what slows a round down slows both. own and reference: seconds, count of
 * them, round by round; NaN or 0: a round without. own is overwritten. */
struct nuce_race_ratio nuce_race_ratio(double *own, const double *reference, int64_t count);

/* What several launches say together. */
struct nuce_launches_mean {
    double mean;  /* of logarithms of ratios: that of their geometric mean */
    double error; /* its standard error; NaN for one launch */
    /* Half its 95 % interval, by Student's t with count - 1 degrees of freedom; NaN for one launch.
     */
    double reach;
};

/* logarithms: count > 0 of them, one a launch. Launches are the unit: rounds of one launch share
 * its placement, buffers and neighbours, so that what varies between launches is in the interval.
 */
struct nuce_launches_mean nuce_race_over_launches(const double *logarithms, int64_t count);

/* Whether one is shown to be slower (1) or faster (-1) than another, or neither (0): mean and reach
 * are of the logarithm of its time over that one's (nuce_race_over_launches). The whole interval
 * lies to one side of 0, and the mean is further from it than control, which is how far from 0 the
 * interval of the heat's reference against itself reaches: what is alike came so far apart. */
int nuce_race_side(double mean, double reach, double control);

/* Whether a contender with so many rivals is shown to be slower than one of them: by the mean over
 * launches > 1 of the logarithm of its time over that one's, and the mean's standard error. Each
 * such test is two-sided at 5 % over the rivals (Bonferroni), so that no contender is left out of
 * the fastest whose 95 % intervals all have 1 in them. control is how far from 1 the interval of
 * the heat's reference against itself reaches, in logarithms: what is alike came so far apart, and
 * no less is a difference. */
int nuce_race_is_slower(int64_t launches, double mean, double error, int64_t rivals,
                        double control);

/* In how many launches such a test says "slower" four times in five, were the ratio and the spread
 * of launches what they came to in these; the control's interval shrinks as well. At most
 * NUCE_RACE_MOST_LAUNCHES, 0 beyond; never fewer than there are. */
#define NUCE_RACE_MOST_LAUNCHES 1000
int64_t nuce_race_launches_needed(int64_t launches, double mean, double error, int64_t rivals,
                                  double control);

#endif
