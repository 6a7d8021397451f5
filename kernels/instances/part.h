/* A rank's part of the array: its cells, the pieces that it sends and gets, and its sweeps. No
 * MPI. */
#ifndef NUCE_PART_H
#define NUCE_PART_H

#include <stdint.h>

#include "base/error.h"
#include "instances/field.h"
#include "instances/halo.h"
#include "instances/plane.h"

struct nuce_part {
    const struct nuce_field *field; /* borrowed */
    struct nuce_region region;      /* in the array */
    struct nuce_plane plane;
    int64_t
        depth; /* layers of ghosts, which is also the largest number of sweeps between exchanges */
    int above, below, left, right; /* layers that ghosts of the array may have there: 1, or 0 at a
                                      fixed border */
    int64_t sends, receives;       /* pieces */
    struct nuce_region *send,
        *receive; /* in the plane, in the order of the messages: by the other rank; owned */
    double extra; /* share of each sweep that is repeated: emulates a slower processor; 0: none */
};

/* Makes the part of rank in tiling, with the pieces of halo that it sends and gets. field is
 * borrowed until nuce_part_fini, which accepts an empty (all zero) part, the others for the call.
 * Local. */
nuce_status nuce_part_init(const struct nuce_field *field, const struct nuce_halo *halo,
                           const struct nuce_decomposition *tiling, int rank, int64_t depth,
                           struct nuce_part *out, struct nuce_error *error);
void nuce_part_fini(struct nuce_part *part);

/* Sets the values of the own cells and of those beyond a fixed border, and gives every other ghost
 * a value that no cell has. */
void nuce_part_fill(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt);

/* The same only for the cells around the own cells, which stay unchanged. */
void nuce_part_fill_around(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt);

/* Packs all that is sent, message after message, into a buffer of that size; and unpacks all that
 * was received from one. */
void nuce_part_pack(const struct nuce_part *part, unsigned char *to);
void nuce_part_unpack(struct nuce_part *part, const unsigned char *from);

/* The region that a sweep computes when `after` more will follow before the next exchange: the own
 * cells, and as many layers of ghosts. */
struct nuce_region nuce_part_reach(const struct nuce_part *part, int64_t after);

/* The own cells that can be computed before the ghosts are received. */
struct nuce_region nuce_part_interior(const struct nuce_part *part);

/* Sweeps over region, and repeats the part of it that the extra work requires. The second excludes
 * inner, which lies in region or is empty. */
void nuce_part_sweep(const struct nuce_part *part, struct nuce_region region);
void nuce_part_sweep_around(const struct nuce_part *part, struct nuce_region region,
                            struct nuce_region inner);

/* For an array that is cut again: move (nuce_halo_move) lists the cells from the parts of before to
 * those of after. Packs all that rank's part sends, by destination; unpacks all that its new part
 * gets, by source; and copies the cells that it keeps. Together they give all own cells of after
 * their present values. */
void nuce_part_pack_moved(const struct nuce_part *before, const struct nuce_halo *move, int rank,
                          unsigned char *to);
void nuce_part_unpack_moved(struct nuce_part *after, const struct nuce_halo *move, int rank,
                            const unsigned char *from);
void nuce_part_keep(struct nuce_part *after, const struct nuce_part *before);

/* Checks that every ghost that was sent has the value of its place under the mixed values of salt.
 * NUCE_CORRUPT names the first that has not. */
nuce_status nuce_part_check_ghosts(const struct nuce_part *part, uint64_t salt,
                                   struct nuce_error *error);

/* Checks that every own cell is the wave after that many sweeps. */
nuce_status nuce_part_check_wave(const struct nuce_part *part, int64_t sweeps,
                                 struct nuce_error *error);

#endif
