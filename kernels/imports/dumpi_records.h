/* What each call has in a binary trace of sst-dumpi. A record has no length of its own: whoever
 * wants the next must know all of this one, so that every call is here. */
#ifndef NUCE_DUMPI_RECORDS_H
#define NUCE_DUMPI_RECORDS_H

#include <stdint.h>

/* Of the format, in one number that can be compared. */
#define NUCE_DUMPI_VERSION(major, minor, patch) (((major)*256 + (minor)) * 256 + (patch))

/* A layout is words, one an argument, in the order of the record: `count` is a number of 4 bytes,
 * `comm:2` one of 2, `indices[]` a count of 4 bytes and then so many numbers, `argv:1[][]` a count
 * and then so many such lists, `status{}` statuses, which are there where the record's mask says
 * so. A word that begins with a question mark is there where the rank is the root. Numbers are
 * big-endian. */
struct nuce_dumpi_record {
    const char *name, *layout; /* layout NULL: no trace holds one */
    int until;                 /* before this version it had the earlier layout; 0: never */
    const char *earlier;
};

/* The record of the calls with that label; NULL: there is none. */
const struct nuce_dumpi_record *nuce_dumpi_record_of(int64_t label);

/* Whether the label ends the calls. */
int nuce_dumpi_is_end(int64_t label);

/* One word of a layout: an argument of the call. */
struct nuce_dumpi_word {
    const char *name; /* in the layout, not zero-ended */
    int name_length;
    int width; /* bytes of a number */
    int depth; /* 0: one number; 1: a list; 2: a list of lists */
    int is_status, is_at_root;
};

/* Takes the next word off the layout; 0: there is none. */
int nuce_dumpi_next_word(const char **layout, struct nuce_dumpi_word *out);

#endif
