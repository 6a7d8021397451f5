/* One side of a call, what a rank sends or what it receives: the caller's arguments, and the
 * message to each rank that they make. */
#ifndef NUCE_MPI_SIDE_H
#define NUCE_MPI_SIDE_H

#include <mpi.h>
#include <stdint.h>

#include "base/error.h"

/* The arguments of a caller; borrowed. Entry i is for peers[i]; peers NULL: for rank i. */
struct nuce_mpi_arguments {
    const void *buffer;
    int entries;
    const int *peers; /* MPI_PROC_NULL: nothing is sent */
    const int *counts;
    const int *displacements;    /* in extents if is_one_type, else in bytes */
    const MPI_Aint *byte_places; /* instead, if not NULL */
    const MPI_Datatype *types;   /* entries; 1 if is_one_type */
    int is_one_type;
};

/* One entry. type is borrowed from the side. */
struct nuce_mpi_block {
    int peer; /* MPI_PROC_NULL: none */
    int count;
    unsigned char *at;
    MPI_Datatype type;
    int is_plain; /* in memory as in a message */
    int64_t bytes;
    unsigned char *packed; /* its place in packed memory; NULL: it is sent or received at `at` */
};

/* All of it is owned, but for the buffer behind the blocks. */
struct nuce_mpi_side {
    int entries;
    const void *buffer;        /* borrowed: the places of blocks are in it */
    int *count, *displacement; /* copies, for the MPI library's own call */
    MPI_Aint *byte_place;
    MPI_Datatype *type; /* entries, 1 if is_one_type */
    int is_one_type;
    struct nuce_mpi_block *block; /* entries */
    int64_t *bytes;               /* ranks: the message to, or from, each */
    uint64_t *shape;              /* ranks: a hash of the entries that make it */
    unsigned char **place;        /* ranks: where it is; NULL: it has no bytes */
    unsigned char *packed;        /* memory of all packed messages */
};

/* Copies the arguments, and finds the message of each of `ranks` ranks. NUCE_BAD_INPUT: the error's
 * subject is MPI_ERR_ARG, MPI_ERR_COUNT or MPI_ERR_TYPE. Freed with nuce_mpi_side_fini, which
 * accepts an empty (all zero) one. Local. */
nuce_status nuce_mpi_side_init(const struct nuce_mpi_arguments *arguments, int ranks, MPI_Comm comm,
                               struct nuce_mpi_side *out, struct nuce_error *error);
void nuce_mpi_side_fini(struct nuce_mpi_side *side);

/* Finds the place of each message. One that is a single plain block is sent from there, or received
 * there. Others get memory, and so do all with is_packed. Local. */
void nuce_mpi_side_lay_out(struct nuce_mpi_side *side, int ranks, int is_packed);

/* Puts the blocks into another buffer, where all are packed. Local. */
void nuce_mpi_side_follow(struct nuce_mpi_side *side, const void *buffer);

/* Between the caller's memory and that of packed messages. comm: a communicator of the call. */
void nuce_mpi_side_pack(const struct nuce_mpi_side *side, MPI_Comm comm);
void nuce_mpi_side_unpack(const struct nuce_mpi_side *side, MPI_Comm comm);

#endif
