/* What the files that read an archive of OTF2 by its library share. Definitions of an archive refer
 * to each other by numbers and may come in any order: they are gathered in tables first, which are
 * sorted when all are there, and looked up by number. */
#ifndef NUCE_OTF2_READER_H
#define NUCE_OTF2_READER_H

#include <otf2/otf2.h>

#include "imports/otf2_trace.h"

/* A definition: its number, and what of it is needed; the table says what a, b and c are. */
struct nuce_otf2_row {
    uint64_t ref;
    int64_t a, b, c;
};

/* The members of a group as the archive lists them: locations or world ranks, by its type.
 * Owned. */
struct nuce_otf2_members {
    uint64_t *list;
    uint32_t count;
};

/* Definitions of one sort. Owned; empty when all is 0. */
struct nuce_otf2_table {
    struct nuce_otf2_row *rows; /* sorted by ref, from the end of the definitions on */
    int64_t count, capacity;
};

/* The state of a location (a thread, in OTF2's words) while events are read in order of time. */
struct nuce_otf2_place {
    int rank;          /* whose events its are; -1: of no rank of MPI */
    int depth;         /* regions of MPI that are open: a library may call itself */
    int64_t begin_ns;  /* when the outermost of them was entered */
    int64_t call;      /* number of that call, from 1 on; 0 before the first */
    int64_t last;      /* index of the location's last event in this call; -1: none yet */
    int64_t coming_ns; /* time of an MpiCollectiveBegin whose end is awaited; -1: none */
};

/* One reading of one archive, as the callbacks of the library are given it. */
struct nuce_otf2_reader {
    const char *path;
    struct nuce_otf2_trace *trace;
    struct nuce_error *error;
    nuce_status status;  /* of the callbacks: NUCE_OK until one fails */
    const char *problem; /* what the library says of its first problem, static; NULL: none */
    struct nuce_otf2_table strings;         /* a: index of its text */
    struct nuce_otf2_table nodes;           /* a: parent; strings of b: the name, c: the class */
    struct nuce_otf2_table location_groups; /* a: node */
    struct nuce_otf2_table locations;       /* a: group; places are in their order */
    struct nuce_otf2_table regions; /* those of MPI: that a number is in it is all that is asked */
    /* a: index of members; b: type, plus 256 if members are world ranks */
    struct nuce_otf2_table groups;
    struct nuce_otf2_table comms; /* a: group; b: 1 between two groups. From make_comms on a: index
                                     in trace->comms, -1: not followed */
    char (*texts)[64];            /* strings, zero-ended, cut to what a host's name has room for */
    int64_t text_count, text_capacity;
    struct nuce_otf2_members *members;
    int64_t member_count, member_capacity;
    struct nuce_otf2_place *places; /* one a row of locations */
    uint64_t resolution, begin;     /* of the clock: ticks a second, and the first tick */
    /* Calls of MPI so far; events so far; corrections of clocks so far. */
    int64_t call, event_count, offset_count;
};

/* `a` of a communicator between two groups, in the end. */
enum { NUCE_OTF2_BETWEEN = -2 };

/* Makes room for one more element of size bytes at the end of the list *data, which has count of
 * them, and returns where it is; *data may move. NULL, and reader->status says why: no memory, or
 * something failed before. */
void *nuce_otf2_append(struct nuce_otf2_reader *reader, void *data, int64_t *capacity,
                       int64_t count, size_t size);

/* Adds a row to the table. Returns what a callback of the library returns: SUCCESS, or INTERRUPT,
 * which ends the reading, with reader->status set. */
OTF2_CallbackCode nuce_otf2_add(struct nuce_otf2_reader *reader, struct nuce_otf2_table *table,
                                struct nuce_otf2_row row);

/* Sorts a table by number, after which nuce_otf2_find works on it. */
void nuce_otf2_sort(struct nuce_otf2_table *table);

/* The row of that number in a sorted table; NULL: there is none. */
struct nuce_otf2_row *nuce_otf2_find(const struct nuce_otf2_table *table, uint64_t ref);

/* Sets NUCE_BAD_INPUT: what is wrong with the archive, behind its path. */
nuce_status nuce_otf2_refuse(struct nuce_otf2_reader *reader, const char *what);

/* Returns what went wrong while the library read: the status of a callback, else what the library
 * itself said. Never NUCE_OK. */
nuce_status nuce_otf2_fail(struct nuce_otf2_reader *reader);

/* Reads all definitions: ranks, their hosts and communicators. Must come before the events. */
nuce_status nuce_otf2_read_definitions(struct nuce_otf2_reader *reader, OTF2_Reader *archive);

/* Reads the events of all locations, which must have been selected and their files opened, in the
 * order of time. */
nuce_status nuce_otf2_read_events(struct nuce_otf2_reader *reader, OTF2_Reader *archive);

#endif
