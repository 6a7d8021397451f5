/* The calls in a trace of sst-dumpi, one rank's: of the binary file that libdumpi writes, or of the
 * text that dumpi2ascii prints of it. What is asked here is answered alike for both. */
#ifndef NUCE_DUMPI_CALLS_H
#define NUCE_DUMPI_CALLS_H

#include "imports/dumpi_stream.h"

/* Whether a file that begins so is a trace, in one form or the other. */
int nuce_dumpi_recognises(const char *text, size_t length);

/* NUCE_BAD_INPUT: a binary file whose parts are not where it says. */
nuce_status nuce_dumpi_open(struct nuce_dumpi_stream *stream, const struct nuce_import_text *file,
                            struct nuce_error *error);

/* All that the file says beside its calls; of an opened stream, before its first call is read. */
nuce_status nuce_dumpi_tell(struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_listener *listener, struct nuce_error *error);

/* Whether datatypes have their names in the arguments: `14 (MPI_DOUBLE)`. If not, those that have
 * one have fixed numbers. */
int nuce_dumpi_names_datatypes(const struct nuce_dumpi_stream *stream);

/* The next call to *out; *found: 0 behind the last one. */
nuce_status nuce_dumpi_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                            int *found, struct nuce_error *error);

/* NUCE_BAD_INPUT, with the file and where in it before the message: line and column, or the byte
 * (from 0). */
nuce_status nuce_dumpi_refuse(const struct nuce_dumpi_stream *stream, const char *where,
                              struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

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
int nuce_dumpi_status(const struct nuce_dumpi_stream *stream, const struct nuce_dumpi_call *call,
                      const char *name, int64_t index, int64_t *source, int64_t *tag);

#endif
