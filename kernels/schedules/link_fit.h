/* Startup and bandwidth of a link from the times of messages of several sizes. */
#ifndef NUCE_LINK_FIT_H
#define NUCE_LINK_FIT_H

#include <stdint.h>

/* What messages of one size took, each answered by an empty one. */
struct nuce_trip {
    int64_t bytes;
    double seconds; /* the median */
    double error_s; /* its standard error; > 0 */
};

/* Of count > 0 round trips, which are sorted for it. The error is that of a median of normal
 * values, by their median absolute deviation, but no less than 2 % of the median: no network keeps
 * to T + bytes / B any closer at all sizes. */
struct nuce_trip nuce_trip_summarise(int64_t bytes, double *seconds, int count);

struct nuce_link {
    double startup_s;
    double startup_error_s; /* standard error; NaN: none can be given */
    double bandwidth;       /* bytes per second */
    double bandwidth_error; /* the same */
};

/* What the trips of count >= 2 sizes, ascending, > 0, say of the link that the messages take:
 *   seconds = T + bytes / B + T' ,
 * T' the startup of the answer's link. T and T' cannot be told apart without a common clock: both
 * are taken to be half of what an empty round trip takes. The line is fitted by weighted least
 * squares: where sizes scatter by no more than those 2 %, their relative errors count alike; where
 * no line fits so well the largest count for more.
 * The startup lies between 0, its error then NaN, and half of the smallest message's round trip:
 * where the best line has another one, it is the best that has the nearer of these. Where more
 * bytes take no longer, or by less than the standard error of the slope, there is no bandwidth to
 * be seen in it: then it is what the largest
 * message came to with all its startup, which the link has at least, and the startup half of the
 * smallest message's round trip; the errors of both are NaN. */
struct nuce_link nuce_link_fit(const struct nuce_trip *trips, int count);

#endif
