/* The content of a capture file: columns of numbers. A column holds one kind of number of all
 * patterns, so that similar numbers are adjacent when packed (FORMAT.md). */
#ifndef NUCE_CAPTURE_CONTENT_H
#define NUCE_CAPTURE_CONTENT_H

#include "capture/capture.h"

/* In the order of the file. The columns of times occur twice: for durations, and for skews. */
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

/* One column that is written or read. A writer's grows, all zero at first; a reader's has is_read,
 * data and length set. */
struct nuce_wire {
    unsigned char *data; /* owned by a writer, borrowed by a reader */
    int64_t length, capacity, at;
    int is_read;
    int is_bad; /* set when a reader reaches the end or an impossible value; stays set */
};

/* Writes *number, which is not negative, or reads one of low .. high. If there is no such
 * number, *number is low and is_bad is set. */
void nuce_wire_number(struct nuce_wire *wire, int64_t *number, int64_t low, int64_t high);
/* The same for a count of elements that take at least a byte each. The count is limited to the
 * bytes left, so a damaged count cannot cause an allocation larger than the file. */
void nuce_wire_count(struct nuce_wire *wire, int64_t *count);

/* Writes the capture to the columns, which are all zero; the caller frees their data. */
void nuce_capture_put(const struct nuce_capture *capture, struct nuce_wire column[NUCE_COLUMNS]);

/* Reads the columns into *out, which is empty; name is the file's, for messages. NUCE_BAD_INPUT:
 * the columns are damaged. The caller always frees *out with nuce_capture_fini. */
nuce_status nuce_capture_get(const char *name, struct nuce_wire column[NUCE_COLUMNS],
                             struct nuce_capture *out, struct nuce_error *error);

#endif
