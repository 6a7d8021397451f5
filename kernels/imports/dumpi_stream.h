/* A trace of sst-dumpi while it is read, in any form. */
#ifndef NUCE_DUMPI_STREAM_H
#define NUCE_DUMPI_STREAM_H

#include "imports/importer.h"
#include "support/scanner.h"

#define NUCE_DUMPI_MOST_ARGUMENTS 24
#define NUCE_DUMPI_NAME_BYTES 48

/* Numbers that stand for something in every trace. */
enum {
    NUCE_DUMPI_COMM_NULL = 1,
    NUCE_DUMPI_COMM_WORLD = 2,
    NUCE_DUMPI_COMM_SELF = 3,
    NUCE_DUMPI_FIRST_DATATYPE = 2, /* MPI_CHAR */
    NUCE_DUMPI_FIRST_OWN_DATATYPE = 28,
    NUCE_DUMPI_ANY = -1, /* source or tag */
};

/* The value is in the file: nothing is zero-ended. */
struct nuce_dumpi_argument {
    const char *name, *value, *end;
    int name_length;
    int width; /* bytes of one of its numbers, which are binary; 0: it is text */
};

struct nuce_dumpi_call {
    char name[NUCE_DUMPI_NAME_BYTES];
    const char *place; /* where it begins */
    int64_t enter_ns, return_ns;
    struct nuce_dumpi_argument arguments[NUCE_DUMPI_MOST_ARGUMENTS];
    int count;
};

struct nuce_dumpi_form; /* dumpi_forms.h */

/* One rank's file. */
struct nuce_dumpi_stream {
    struct nuce_scanner scanner; /* at: what is read next */
    const struct nuce_dumpi_form *form;
    int64_t added_ns, last_ns;   /* dumpi_calls.c: to times of the file; the latest that was seen */
    const char *line, *line_end; /* of a text: that was read last; line_end without its newline */
    const char *limit;           /* of a binary file: where what is being read ends, and the rest */
    const char *header, *calls, *sizes; /* NULL: there is none */
    int64_t version, base_ns;           /* NUCE_DUMPI_VERSION; of all times */
};

/* What a file says beside its calls. */
struct nuce_dumpi_listener {
    void *context;
    void (*host)(void *context, const char *name, size_t length);
    nuce_status (*size)(void *context, int64_t datatype, int64_t bytes, struct nuce_error *error);
};

#endif
