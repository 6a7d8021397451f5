/* What all ranks' traces say together: sizes of datatypes, and who the members of communicators
 * are. */
#ifndef NUCE_DUMPI_COMMS_H
#define NUCE_DUMPI_COMMS_H

#include "imports/dumpi_calls.h"
#include "imports/dumpi_groups.h"
#include "imports/dumpi_types.h"

#define NUCE_DUMPI_MOST_DIMENSIONS 8

struct nuce_dumpi_grid {
    int dimensions; /* 0: it has no grid */
    int64_t sides[NUCE_DUMPI_MOST_DIMENSIONS];
};

struct nuce_dumpi_group {
    int size;
    int *members; /* world ranks */
    struct nuce_dumpi_grid grid;
};

/* A call that makes a communicator. */
struct nuce_dumpi_creation {
    int64_t parent, made; /* numbers in the rank's file */
    int64_t color, key;   /* of a split */
    /* Of a Cartesian one; of a part of one, which sides remain. */
    struct nuce_dumpi_grid grid;
    struct nuce_dumpi_places places; /* of a group */
    int way;                         /* enum of dumpi_comms.c */
    int group;                       /* that it made, from resolving on; -1: not known, or none */
};

struct nuce_dumpi_rank {
    struct nuce_dumpi_creation *creations;
    int64_t creation_count, creation_capacity;
    struct nuce_dumpi_types types;
    struct nuce_dumpi_groups groups;
    char host[64];
    int has_times; /* a trace can do without */
};

struct nuce_dumpi_world {
    int ranks;
    struct nuce_dumpi_rank *rank;
    struct nuce_dumpi_group *groups; /* 0: the world */
    int64_t group_count, group_capacity;
};

/* Reads every file once. Freed with nuce_dumpi_world_fini, whatever comes. */
nuce_status nuce_dumpi_world_init(struct nuce_dumpi_world *world,
                                  const struct nuce_import_input *input, struct nuce_error *error);
void nuce_dumpi_world_fini(struct nuce_dumpi_world *world);

/* Whether the call makes a communicator: the next of the rank's creations. */
int nuce_dumpi_is_creation(const struct nuce_dumpi_call *call);

#endif
