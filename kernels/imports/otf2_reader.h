/* What the files that read an archive of OTF2 by its library share. */
#ifndef NUCE_OTF2_READER_H
#define NUCE_OTF2_READER_H

#include <otf2/otf2.h>

#include "imports/otf2_trace.h"

/* A definition by its number, with what of it is needed. */
struct nuce_otf2_row {
    uint64_t ref;
    int64_t a, b, c;
};

struct nuce_otf2_members {
    uint64_t *list;
    uint32_t count;
};

struct nuce_otf2_table {
    struct nuce_otf2_row *rows; /* sorted by ref, from the end of the definitions on */
    int64_t count, capacity;
};

/* Where events of a location (a thread) go, and the call of MPI that it is in. */
struct nuce_otf2_place {
    int rank;          /* -1: none of MPI */
    int depth;         /* regions of MPI that are open */
    int64_t begin_ns;  /* of the outermost */
    int64_t call;      /* its number */
    int64_t last;      /* index of its last event; -1 */
    int64_t coming_ns; /* MpiCollectiveBegin; -1 */
};

struct nuce_otf2_reader {
    const char *path;
    struct nuce_otf2_trace *trace;
    struct nuce_error *error;
    nuce_status status;                     /* of the callbacks */
    const char *problem;                    /* what the library says of the first one; NULL */
    struct nuce_otf2_table strings;         /* a: index of its text */
    struct nuce_otf2_table nodes;           /* a: parent; strings of b: the name, c: the class */
    struct nuce_otf2_table location_groups; /* a: node */
    struct nuce_otf2_table locations;       /* a: group; places are in their order */
    struct nuce_otf2_table regions;         /* of MPI */
    struct nuce_otf2_table groups;          /* a: index of members, b: type and flags */
    struct nuce_otf2_table comms; /* a: group, b: it is between two; then a: index of comms */
    char (*texts)[64];
    int64_t text_count, text_capacity;
    struct nuce_otf2_members *members;
    int64_t member_count, member_capacity;
    struct nuce_otf2_place *places;
    uint64_t resolution, begin; /* of the clock */
    int64_t call, event_count, offset_count;
};

/* `a` of a communicator between two groups, in the end. */
enum { NUCE_OTF2_BETWEEN = -2 };

/* Adds an element to the list *data; it, or NULL, and reader->status is what went wrong. */
void *nuce_otf2_append(struct nuce_otf2_reader *reader, void *data, int64_t *capacity,
                       int64_t count, size_t size);

/* Adds a row; what a callback of the library then returns. */
OTF2_CallbackCode nuce_otf2_add(struct nuce_otf2_reader *reader, struct nuce_otf2_table *table,
                                struct nuce_otf2_row row);
void nuce_otf2_sort(struct nuce_otf2_table *table);

/* The row of that number in a sorted table; NULL. */
struct nuce_otf2_row *nuce_otf2_find(const struct nuce_otf2_table *table, uint64_t ref);

/* NUCE_BAD_INPUT: what is wrong with the archive. */
nuce_status nuce_otf2_refuse(struct nuce_otf2_reader *reader, const char *what);

/* What went wrong while the library read: in a callback, or by what it said itself. */
nuce_status nuce_otf2_fail(struct nuce_otf2_reader *reader);

/* Reads all definitions: ranks, their hosts and communicators. */
nuce_status nuce_otf2_read_definitions(struct nuce_otf2_reader *reader, OTF2_Reader *archive);

/* Reads all events; the locations' files must be open. */
nuce_status nuce_otf2_read_events(struct nuce_otf2_reader *reader, OTF2_Reader *archive);

#endif
