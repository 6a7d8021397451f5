/* The calls in a trace of sst-dumpi, one rank's: of the binary file that libdumpi writes, or of the
 * text that dumpi2ascii prints of it. What is asked here is answered alike for both. */
#ifndef NUCE_DUMPI_CALLS_H
#define NUCE_DUMPI_CALLS_H

#include "imports/dumpi_stream.h"

/* Whether a file that begins so is a trace, in one form or the other. */
int nuce_dumpi_recognises(const char *text, size_t length);

/* Opens a file that is in memory; it must stay there as long as the stream is used. A text that is
 * not recognised is opened as dumpi2ascii's. NUCE_BAD_INPUT: a binary file whose parts are not
 * where it says. */
nuce_status nuce_dumpi_open(struct nuce_dumpi_stream *stream, const struct nuce_import_text *file,
                            struct nuce_error *error);

/* Tells all that the file says beside its calls: its host, and sizes of datatypes. Of an opened
 * stream, before its first call is read; the stream is left there. */
nuce_status nuce_dumpi_tell(struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_listener *listener, struct nuce_error *error);

/* Whether datatypes have their names in the arguments: `14 (MPI_DOUBLE)`. If not, those that have
 * one have fixed numbers. */
int nuce_dumpi_names_datatypes(const struct nuce_dumpi_stream *stream);

/* The next call to *out, its times in ns of a clock that does not jump back where 16 bits of
 * seconds overflowed; *found: 0 behind the last one. NUCE_BAD_INPUT: the file is damaged from here
 * on, and *out is as it was. */
nuce_status nuce_dumpi_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                            int *found, struct nuce_error *error);

/* NUCE_BAD_INPUT, with the file and where in it before the message: line and column of a text, the
 * byte (from 0) of a binary file. `where` points into the file. */
nuce_status nuce_dumpi_refuse(const struct nuce_dumpi_stream *stream, const char *where,
                              struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The argument of that name, valid as long as the call is; NULL: the call has none. */
const struct nuce_dumpi_argument *nuce_dumpi_find(const struct nuce_dumpi_call *call,
                                                  const char *name);

/* A whole number that the call must have. NUCE_BAD_INPUT: it has none of that name, or no
 * number. */
nuce_status nuce_dumpi_integer(const struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_call *call, const char *name, int64_t *out,
                               struct nuce_error *error);

/* The whole numbers of a list, in a new array that the caller frees; NULL and *count 0 where the
 * list is empty or was not recorded. NUCE_BAD_INPUT, with *out NULL: it is no list. */
nuce_status nuce_dumpi_list(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *name, int64_t **out,
                            int64_t *count, struct nuce_error *error);

/* Source (rank in the communicator) and tag of the index-th status in the argument of that name; 0:
 * it was not recorded, which is no error: MPI_STATUS_IGNORE. */
int nuce_dumpi_status(const struct nuce_dumpi_stream *stream, const struct nuce_dumpi_call *call,
                      const char *name, int64_t index, int64_t *source, int64_t *tag);

#endif
