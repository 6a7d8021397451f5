/* The calls in what dumpi2ascii prints of a trace of sst-dumpi: a line `NAME entering at walltime
 * SECONDS, ...`, lines `TYPE PARAMETER=VALUE`, a line `NAME returning at walltime SECONDS, ...`.
 * Source: sstsimulator/sst-dumpi, dumpi/bin/dumpi2ascii-defs.h. */
#ifndef NUCE_DUMPI_CALLS_H
#define NUCE_DUMPI_CALLS_H

#include "imports/importer.h"
#include "support/scanner.h"

#define NUCE_DUMPI_MOST_ARGUMENTS 24
#define NUCE_DUMPI_NAME_BYTES 48

/* Numbers that stand for something in every trace. */
enum {
    NUCE_DUMPI_COMM_NULL = 1,
    NUCE_DUMPI_COMM_WORLD = 2,
    NUCE_DUMPI_COMM_SELF = 3,
    NUCE_DUMPI_REQUEST_NULL = 1,
    NUCE_DUMPI_ANY = -1, /* source or tag */
};

/* All in the text: nothing is zero-ended. */
struct nuce_dumpi_argument {
    const char *name, *value, *end;
    int name_length;
};

struct nuce_dumpi_call {
    char name[NUCE_DUMPI_NAME_BYTES];
    const char *place; /* of its first line */
    int64_t enter_ns, return_ns;
    struct nuce_dumpi_argument arguments[NUCE_DUMPI_MOST_ARGUMENTS];
    int count;
};

/* One rank's file. */
struct nuce_dumpi_stream {
    struct nuce_scanner scanner;
    const char *line, *line_end; /* that was read last; line_end without its newline */
};

void nuce_dumpi_open(struct nuce_dumpi_stream *stream, const struct nuce_import_text *file);

/* The next call to *out; *found: 0 at the end of the text. A line outside of calls goes to `other`
 * (not NULL) with context. */
nuce_status nuce_dumpi_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                            int *found, void (*other)(void *, const char *, const char *),
                            void *context, struct nuce_error *error);

/* NUCE_BAD_INPUT at where in the call's file. */
nuce_status nuce_dumpi_fail(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *what,
                            struct nuce_error *error);

/* The argument of that name, or NULL. */
const struct nuce_dumpi_argument *nuce_dumpi_find(const struct nuce_dumpi_call *call,
                                                  const char *name);

/* A whole number that the call must have. */
nuce_status nuce_dumpi_integer(const struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_call *call, const char *name, int64_t *out,
                               struct nuce_error *error);

/* The whole numbers of a list; a new array, NULL and *count 0 where it was not recorded. */
nuce_status nuce_dumpi_list(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *name, int64_t **out,
                            int64_t *count, struct nuce_error *error);

/* Source and tag of the index-th status; 0: it was not recorded. */
int nuce_dumpi_status(const struct nuce_dumpi_call *call, const char *name, int64_t index,
                      int64_t *source, int64_t *tag);

#endif
