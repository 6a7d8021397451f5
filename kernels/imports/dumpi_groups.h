/* Groups of a trace of sst-dumpi, one rank's, by their numbers: which ranks of a communicator. */
#ifndef NUCE_DUMPI_GROUPS_H
#define NUCE_DUMPI_GROUPS_H

#include "imports/dumpi_stream.h"

struct nuce_dumpi_places {
    int64_t number; /* of the group */
    int64_t comm;   /* of which they are ranks; -1: not known */
    int64_t *list;  /* NULL: all, in their order */
    int64_t count;
};

/* Empty when all is 0. The latest of a number counts. */
struct nuce_dumpi_groups {
    struct nuce_dumpi_places *places;
    int64_t count, capacity;
};

/* What the call makes of a communicator or of a group; all of them but those of ranges and sets. */
nuce_status nuce_dumpi_note_group(struct nuce_dumpi_groups *groups,
                                  const struct nuce_dumpi_stream *stream,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error);

/* A copy of the group's places, whose list the caller frees; comm -1: not known. */
nuce_status nuce_dumpi_copy_group(const struct nuce_dumpi_groups *groups, int64_t number,
                                  struct nuce_dumpi_places *out, struct nuce_error *error);

void nuce_dumpi_groups_fini(struct nuce_dumpi_groups *groups);

#endif
