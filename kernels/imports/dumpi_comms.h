/* What all ranks' traces say together: sizes of datatypes, and who the members of communicators
 * are. A trace of one rank has communicators as numbers of its own; who else is in one follows only
 * from what the others called at the same time. */
#ifndef NUCE_DUMPI_COMMS_H
#define NUCE_DUMPI_COMMS_H

#include "imports/dumpi_calls.h"
#include "imports/dumpi_groups.h"
#include "imports/dumpi_types.h"

/* Grids of MPI_Cart_create with more dimensions are taken for none, so that parts of them
 * (MPI_Cart_sub) are not followed. */
#define NUCE_DUMPI_MOST_DIMENSIONS 8

/* A Cartesian grid, ranks in row-major order as MPI numbers them (MPI 4.1, 8.2). Of a creation by
 * MPI_Cart_sub, `sides` are the flags remain_dims. */
struct nuce_dumpi_grid {
    int dimensions; /* 0: it has no grid */
    int64_t sides[NUCE_DUMPI_MOST_DIMENSIONS];
};

/* The members of a communicator, the same for all who have it. */
struct nuce_dumpi_group {
    int size;
    int *members; /* world ranks in the communicator's order, owned */
    struct nuce_dumpi_grid grid;
};

/* A call that makes a communicator, as one of its ranks recorded it. */
struct nuce_dumpi_creation {
    int64_t parent, made; /* numbers in the rank's file */
    int64_t color, key;   /* of a split */
    /* Of a Cartesian one; of a part of one, which sides remain. */
    struct nuce_dumpi_grid grid;
    struct nuce_dumpi_places places; /* of a group */
    int way;                         /* enum of dumpi_comms.c */
    int group;                       /* that it made, from resolving on; -1: not known, or none */
};

/* What the first pass over a rank's file found. */
struct nuce_dumpi_rank {
    struct nuce_dumpi_creation *creations; /* in the order of the calls */
    int64_t creation_count, creation_capacity;
    struct nuce_dumpi_types types;
    struct nuce_dumpi_groups groups;
    char host[64]; /* zero-ended, cut; "": the file does not say */
    int has_times; /* 0: all times of its calls are 0, as libdumpi can be told to write */
};

/* What all ranks' files say together; both lists are owned. */
struct nuce_dumpi_world {
    int ranks;
    struct nuce_dumpi_rank *rank; /* `ranks` of them */
    /* of all communicators that are followed; index 0: the world */
    struct nuce_dumpi_group *groups;
    int64_t group_count, group_capacity;
};

/* Reads every file once and works out who is in which communicator. NUCE_BAD_INPUT says file and
 * place. Freed with nuce_dumpi_world_fini, whatever comes. */
nuce_status nuce_dumpi_world_init(struct nuce_dumpi_world *world,
                                  const struct nuce_import_input *input, struct nuce_error *error);
void nuce_dumpi_world_fini(struct nuce_dumpi_world *world);

/* Whether the call makes a communicator. The n-th such call of a rank's file is the n-th of its
 * creations: the second pass counts them. */
int nuce_dumpi_is_creation(const struct nuce_dumpi_call *call);

#endif
