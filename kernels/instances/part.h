/* A rank's part of the array: its cells, what it sends of them and gets from others, and its
 * sweeps. No MPI. */
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
        depth; /* layers of ghosts, which is also how many sweeps go between exchanges at most */
    int above, below, left, right; /* layers that ghosts of the array may have there: 1,
                                      or 0 where a fixed border is */
    int64_t sends, receives;       /* pieces */
    struct nuce_region *send,
        *receive; /* in the plane, in the order of the messages: by the other rank; owned */
    double extra; /* share of each sweep that is done once more: emulates a slower processor; 0:
                     none */
};

/* The part of rank in tiling, with the pieces of halo that it sends and gets; field is borrowed
 * until nuce_part_fini, which takes an empty (all zero) part, the others for the call. Local. */
nuce_status nuce_part_init(const struct nuce_field *field, const struct nuce_halo *halo,
                           const struct nuce_decomposition *tiling, int rank, int64_t depth,
                           struct nuce_part *out, struct nuce_error *error);
void nuce_part_fini(struct nuce_part *part);

/* Gives the own cells and what lies beyond a fixed border their values, and every other ghost one
 * that no cell has. */
void nuce_part_fill(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt);

/* The same of what is around the own cells alone, which stay as they are. */
void nuce_part_fill_around(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt);

/* All that is sent, message after message, to a buffer of that size; and all that came, from
 * one. */
void nuce_part_pack(const struct nuce_part *part, unsigned char *to);
void nuce_part_unpack(struct nuce_part *part, const unsigned char *from);

/* What a sweep computes when `after` more will follow before the next exchange: the own cells, and
 * as many layers of ghosts. */
struct nuce_region nuce_part_reach(const struct nuce_part *part, int64_t after);

/* The own cells that can be computed before the ghosts have come. */
struct nuce_region nuce_part_interior(const struct nuce_part *part);

/* Sweeps over region, and over as much of it again as the extra work says; without inner, which
 * lies in region or is empty. */
void nuce_part_sweep(const struct nuce_part *part, struct nuce_region region);
void nuce_part_sweep_around(const struct nuce_part *part, struct nuce_region region,
                            struct nuce_region inner);

/* When the array is cut anew: move (nuce_halo_move) says what goes from the parts of before to
 * those of after. All that rank's part sends, by destination; all that its new part gets, by
 * source; and the copy of what it keeps. Together they give all own cells of after their present
 * values. */
void nuce_part_pack_moved(const struct nuce_part *before, const struct nuce_halo *move, int rank,
                          unsigned char *to);
void nuce_part_unpack_moved(struct nuce_part *after, const struct nuce_halo *move, int rank,
                            const unsigned char *from);
void nuce_part_keep(struct nuce_part *after, const struct nuce_part *before);

/* Whether every ghost that was sent has the value of its place under the mixed values of salt.
 * NUCE_CORRUPT names the first that has not. */
nuce_status nuce_part_check_ghosts(const struct nuce_part *part, uint64_t salt,
                                   struct nuce_error *error);

/* Whether every own cell is the wave after so many sweeps. */
nuce_status nuce_part_check_wave(const struct nuce_part *part, int64_t sweeps,
                                 struct nuce_error *error);

#endif
