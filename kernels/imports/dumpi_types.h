/* Sizes of the datatypes of a trace of sst-dumpi, one rank's, by their numbers. */
#ifndef NUCE_DUMPI_TYPES_H
#define NUCE_DUMPI_TYPES_H

#include "imports/dumpi_stream.h"

/* Empty when all is 0; sizes is freed by who has it. */
struct nuce_dumpi_types {
    int64_t *sizes; /* -1: not known */
    int64_t count, capacity;
};

/* Bytes of a datatype; -1: not known. */
int64_t nuce_dumpi_size(const struct nuce_dumpi_types *types, int64_t datatype);

nuce_status nuce_dumpi_note_size(struct nuce_dumpi_types *types, int64_t datatype, int64_t size,
                                 struct nuce_error *error);

/* Those with a name, where numbers are fixed. */
nuce_status nuce_dumpi_note_fixed(struct nuce_dumpi_types *types, struct nuce_error *error);

/* Those with a name, where the call's arguments have it, unless the trace itself says more. */
nuce_status nuce_dumpi_note_named(struct nuce_dumpi_types *types,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error);

/* What MPI_Type_size says. */
nuce_status nuce_dumpi_note_told(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error);

/* What the call makes. A number may stand for one datatype after another, of which a trace keeps
 * the first one's size. */
nuce_status nuce_dumpi_note_made(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error);

#endif
