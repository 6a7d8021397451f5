/* Sizes of the datatypes of a trace of sst-dumpi, one rank's, by their numbers. */
#ifndef NUCE_DUMPI_TYPES_H
#define NUCE_DUMPI_TYPES_H

#include "imports/dumpi_stream.h"

/* Empty when all is 0; sizes is freed by who has it. */
struct nuce_dumpi_types {
    int64_t *sizes; /* bytes of the datatype of that number, without gaps; -1: not known */
    int64_t count, capacity;
};

/* Bytes of an element of the datatype, as MPI_Type_size counts them; -1: not known. */
int64_t nuce_dumpi_size(const struct nuce_dumpi_types *types, int64_t datatype);

/* The size of that datatype is now `size` bytes. Numbers out of 0 .. 65535 and negative sizes are
 * passed over: what was known stays. */
nuce_status nuce_dumpi_note_size(struct nuce_dumpi_types *types, int64_t datatype, int64_t size,
                                 struct nuce_error *error);

/* Notes the sizes of MPI's own datatypes, which have fixed numbers in binary traces. */
nuce_status nuce_dumpi_note_fixed(struct nuce_dumpi_types *types, struct nuce_error *error);

/* Notes the sizes of MPI's own datatypes that the call's arguments name, unless one is known
 * already: what the trace itself says of a size counts more than what LP64 would have. */
nuce_status nuce_dumpi_note_named(struct nuce_dumpi_types *types,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error);

/* Notes what MPI_Type_size says; other calls are passed over. */
nuce_status nuce_dumpi_note_told(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error);

/* Notes the size of the datatype that the call makes, -1 counted as not known. Must be called in
 * the order of the calls: a number may stand for one datatype after another, of which a trace's own
 * list keeps the first one's size alone. */
nuce_status nuce_dumpi_note_made(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error);

#endif
