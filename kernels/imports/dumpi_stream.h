/* A trace of sst-dumpi while it is read, in any of its forms: what the reader of a form
 * (dumpi_forms.h) and what asks for calls (dumpi_calls.h) have in common. */
#ifndef NUCE_DUMPI_STREAM_H
#define NUCE_DUMPI_STREAM_H

#include "imports/importer.h"
#include "support/scanner.h"

/* The widest call that MPI 2 has (MPI_Sendrecv, MPI_Type_get_contents) has about a dozen arguments;
 * further ones are dropped. */
#define NUCE_DUMPI_MOST_ARGUMENTS 24
/* Longer than the name of any call of MPI 4. */
#define NUCE_DUMPI_NAME_BYTES 48

/* Numbers that stand for something in every trace (dumpi/common/constants.h). Those of datatypes
 * are of the binary form; the text has names beside them. */
enum {
    NUCE_DUMPI_COMM_NULL = 1,
    NUCE_DUMPI_COMM_WORLD = 2,
    NUCE_DUMPI_COMM_SELF = 3,
    NUCE_DUMPI_FIRST_DATATYPE = 2, /* MPI_CHAR */
    NUCE_DUMPI_FIRST_OWN_DATATYPE = 28,
    NUCE_DUMPI_ANY = -1, /* source or tag */
};

/* An argument of a call. name and value point into the file (name of a binary trace: into the
 * layout of dumpi_records.c); nothing is zero-ended, and nothing is owned. */
struct nuce_dumpi_argument {
    const char *name, *value, *end;
    int name_length;
    int width; /* bytes of one of its numbers, which are binary; 0: it is text */
};

/* A call of MPI as the trace has it. Times in ns; with the file's clock as the form gives them,
 * with one that does not jump back behind nuce_dumpi_next. */
struct nuce_dumpi_call {
    char name[NUCE_DUMPI_NAME_BYTES];
    const char *place; /* where it begins in the file, for messages */
    int64_t enter_ns, return_ns;
    struct nuce_dumpi_argument arguments[NUCE_DUMPI_MOST_ARGUMENTS];
    int count;
};

struct nuce_dumpi_form; /* dumpi_forms.h */

/* One rank's file, opened. Owns nothing: a copy of it is a mark to go back to. */
struct nuce_dumpi_stream {
    struct nuce_scanner scanner; /* at: what is read next */
    const struct nuce_dumpi_form *form;
    /* dumpi_calls.c: what is added to times of the file; the latest time seen */
    int64_t added_ns, last_ns;
    const char *line, *line_end; /* of a text: that was read last; line_end without its newline */
    const char *limit;           /* of a binary file: where what is being read ends, and the rest */
    const char *header, *calls, *sizes; /* parts of a binary file; NULL: it has none such */
    /* NUCE_DUMPI_VERSION; ns that all times of the file are counted from */
    int64_t version, base_ns;
};

/* What a file says beside its calls is told to this. `host` may come once, its name not zero-ended;
 * `size` comes once for each datatype whose size is stored, a status other than NUCE_OK ends the
 * telling. */
struct nuce_dumpi_listener {
    void *context;
    void (*host)(void *context, const char *name, size_t length);
    nuce_status (*size)(void *context, int64_t datatype, int64_t bytes, struct nuce_error *error);
};

#endif
