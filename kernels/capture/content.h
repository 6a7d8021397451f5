/* The content of a capture file: columns of numbers, each of one kind of number of all patterns, so
 * that what is alike stands together when it is packed (docs/capture.md, "The file"). */
#ifndef NUCE_CAPTURE_CONTENT_H
#define NUCE_CAPTURE_CONTENT_H

#include "capture/capture.h"
#include "capture/wire.h"

/* In the order of the file. Those of times are there twice: of durations, and of skews. */
enum nuce_capture_column {
    NUCE_COLUMN_HEAD, /* texts, counters, communicators, topologies */
    NUCE_COLUMN_KIND_NAME,
    NUCE_COLUMN_KIND,
    NUCE_COLUMN_QUALITY,
    NUCE_COLUMN_COMMUNICATOR,
    NUCE_COLUMN_TOPOLOGY,
    NUCE_COLUMN_MOVED,
    NUCE_COLUMN_CALLS,
    NUCE_COLUMN_UNIT,
    NUCE_COLUMN_BYTES,
    NUCE_COLUMN_DURATION,
    NUCE_COLUMN_SKEW = NUCE_COLUMN_DURATION + 6,
    NUCE_COLUMN_RANK_TIME = NUCE_COLUMN_SKEW + 6,
    NUCE_COLUMN_ARRIVAL,
    NUCE_COLUMN_KEPT,
    NUCE_COLUMN_KEPT_CLASS,
    NUCE_COLUMN_RUN,
    NUCE_COLUMN_TIMES,
    NUCE_COLUMN_PATTERN,
    NUCE_COLUMN_STAMP_START, /* of --trace; else empty */
    NUCE_COLUMN_STAMP_DURATION,
    NUCE_COLUMNS,
};

/* Of durations and skews, from NUCE_COLUMN_DURATION or NUCE_COLUMN_SKEW on. */
enum {
    NUCE_TIMES_COUNT,
    NUCE_TIMES_LEAST,
    NUCE_TIMES_MOST,
    NUCE_TIMES_MEAN,
    NUCE_TIMES_GAP,
    NUCE_TIMES_OF_CLASS,
};

/* Times of a file are rounded to so many significant digits, which is what their last ones are
 * worth: no two runs agree in more. Means of arrivals, of which there is one a rank, to fewer. */
#define NUCE_CONTENT_TIME_DIGITS 3
#define NUCE_CONTENT_ARRIVAL_DIGITS 2

/* A rounded time as a small number, greater for a greater time: 0 .. 10^digits - 1 ns are
 * themselves, then those of each power of ten, one behind the other. Below 0 is 0. And back. */
int64_t nuce_capture_rounded_code(double ns, int digits);
double nuce_capture_rounded_time(int64_t code, int digits);

/* Writes the capture to the columns, which are empty (all zero); whoever calls this frees their
 * data. No memory shows as is_bad of a column. */
void nuce_capture_put(const struct nuce_capture *capture, struct nuce_wire column[NUCE_COLUMNS]);

/* Reads what the columns hold into *out, which is empty; name: of the file, for messages.
 * NUCE_BAD_INPUT: they are damaged. *out must be freed with nuce_capture_fini in any case. */
nuce_status nuce_capture_get(const char *name, struct nuce_wire column[NUCE_COLUMNS],
                             struct nuce_capture *out, struct nuce_error *error);

#endif
