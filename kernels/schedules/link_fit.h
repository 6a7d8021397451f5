/* Startup and bandwidth of a link from the times of messages of several sizes. */
#ifndef NUCE_LINK_FIT_H
#define NUCE_LINK_FIT_H

#include <stdint.h>

/* The times of messages of one size, each answered by an empty one. */
struct nuce_trip {
    int64_t bytes;
    double seconds; /* the median */
    double error_s; /* its standard error; > 0 */
};

/* The median of count > 0 round trips, which it sorts. The error is that of a median of normal
 * values, from their median absolute deviation, but at least 2 % of the median, because no network
 * follows T + bytes / B any closer at all sizes. */
struct nuce_trip nuce_trip_summarise(int64_t bytes, double *seconds, int count);

struct nuce_link {
    double startup_s;
    double startup_error_s; /* standard error; NaN: cannot be given */
    double bandwidth;       /* bytes per second */
    double bandwidth_error; /* its standard error; NaN: cannot be given */
};

/* Fits the link of the trips of count >= 2 sizes, ascending, > 0:
 *   seconds = T + bytes / B + T' ,
 * T' the startup of the answer's link. Without a common clock T and T' cannot be separated: both
 * are taken as half of an empty round trip. The line is fitted by weighted least squares. If sizes
 * scatter by no more than those 2 %, their relative errors count alike; if no line fits so well,
 * the largest sizes count for more.
 *
 * The startup lies between 0, its error then NaN, and half of the smallest message's round trip. If
 * the best line has another one, the result is the best line with the nearer of these ends.
 *
 * If more bytes take no longer, or by less than the standard error of the slope, the trips show no
 * bandwidth. Then the bandwidth is that of the largest message with all its startup, a lower limit
 * for the link. The startup is half of the smallest message's round trip. The errors of both are
 * NaN. */
struct nuce_link nuce_link_fit(const struct nuce_trip *trips, int count);

#endif
