/* Groups of a trace of sst-dumpi, one rank's, by their numbers: which ranks of a communicator. */
#ifndef NUCE_DUMPI_GROUPS_H
#define NUCE_DUMPI_GROUPS_H

#include "imports/dumpi_stream.h"

/* A group (MPI_Group) of the rank: some ranks of one communicator. */
struct nuce_dumpi_places {
    int64_t number; /* of the group, in this rank's file */
    int64_t comm;   /* number of the communicator whose ranks they are; -1: not known */
    int64_t *list;  /* owned; NULL: all ranks of the communicator, in their order */
    int64_t count;
};

/* All groups so far; empty when all is 0. A number may be used again after MPI_Group_free: the
 * latest counts. */
struct nuce_dumpi_groups {
    struct nuce_dumpi_places *places;
    int64_t count, capacity;
};

/* Notes the group that the call makes, if it makes one: of a communicator (MPI_Comm_group) or of
 * listed ranks (MPI_Group_incl). What any other call makes is noted as not known, so that an older
 * group of the same number does not stand for it. */
nuce_status nuce_dumpi_note_group(struct nuce_dumpi_groups *groups,
                                  const struct nuce_dumpi_stream *stream,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error);

/* A copy of what the number stands for now, whose list the caller frees; comm -1: not known. */
nuce_status nuce_dumpi_copy_group(const struct nuce_dumpi_groups *groups, int64_t number,
                                  struct nuce_dumpi_places *out, struct nuce_error *error);

void nuce_dumpi_groups_fini(struct nuce_dumpi_groups *groups);

#endif
