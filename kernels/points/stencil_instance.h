/* From the parameters of a point of the workload `stencil` to the array cut in parts and the halos
 * between them. All functions take (complete) parameters. */
#ifndef NUCE_STENCIL_INSTANCE_H
#define NUCE_STENCIL_INSTANCE_H

#include <jansson.h>

#include "base/error.h"
#include "base/option.h"
#include "instances/decomposition.h"
#include "instances/halo.h"
#include "points/workload.h"
#include "schedules/pattern.h"

/* Reads a comma list of count numbers above 0, each finite, into numbers (NULL: only checks).
 * NUCE_BAD_INPUT names option, entry and value, or reports a wrong number of entries. */
nuce_status nuce_stencil_list_read(const char *option, const char *list, int count, double *numbers,
                                   struct nuce_error *error);

/* Rewrites list, in room bytes (at most NUCE_WEIGHTS_BYTES), with each number in its shortest form,
 * so that the same numbers in any spelling are the same point. */
nuce_status nuce_stencil_list_normalise(const char *option, char *list, size_t room,
                                        struct nuce_error *error);

/* Lists of numbers among the parameters of the workload `stencil`: weights, speeds. */
/* Values of `weights` other than a list. */
#define NUCE_WEIGHTS_EQUAL "equal"
#define NUCE_WEIGHTS_MEASURED "measured"

/* Significant digits of measured weights, and room for one with a comma. Arrays are cut by the
 * recorded digits, so that a cut can be repeated; rates scatter by more than that. */
#define NUCE_WEIGHTS_DIGITS 4
#define NUCE_WEIGHTS_EACH_BYTES 16

/* True if weights are drawn and not all 1. */
int nuce_stencil_draws(const struct nuce_stencil_params *params);

/* True if params stand for the mean over many draws: for a model alone, not for one array. */
int nuce_stencil_is_mean(const struct nuce_stencil_params *params);

/* Makes all checks that need no decomposition: lists against ranks, the array, the algorithm.
 * NUCE_BAD_INPUT names the option. */
nuce_status nuce_stencil_check(const struct nuce_stencil_params *params, int ranks,
                               struct nuce_error *error);

/* The weights of ranks ranks; if they are drawn, those of draw number instance. measured: the
 * measured speeds; NULL: they are not known here, and the weights `measured` are NUCE_BAD_INPUT. */
nuce_status nuce_stencil_weights(const struct nuce_stencil_params *params, int ranks,
                                 int64_t instance, const double *measured, double *weights,
                                 struct nuce_error *error);

/* Fills speeds, one per rank, with the speeds to emulate; all 1 without emulation. */
nuce_status nuce_stencil_speeds(const struct nuce_stencil_params *params, int ranks, double *speeds,
                                struct nuce_error *error);

/* The array as input of decompositions, with these weights, borrowed. */
struct nuce_array nuce_stencil_array(const struct nuce_stencil_params *params, int ranks,
                                     const double *weights);

/* The decomposition that params name. It exists, because params are checked. */
const struct nuce_decomposition_ops *
nuce_stencil_decomposition(const struct nuce_stencil_params *params);

/* Bytes of a cell. */
int64_t nuce_stencil_cell_bytes(const struct nuce_stencil_params *params);

/* An array cut for its ranks: real parts, whole cells, and the halo between them. Owned. */
struct nuce_stencil_instance {
    double *weights;                  /* of the ranks */
    struct nuce_decomposition parts;  /* from the algorithm, unrounded */
    struct nuce_decomposition tiling; /* rounded to whole cells */
    struct nuce_halo halo;
};

/* Cuts the array of params. measured as in nuce_stencil_weights. NUCE_BAD_INPUT if a part gets no
 * cell or is narrower than the halo is deep. Freed with nuce_stencil_instance_fini, which accepts
 * an all-zero one. */
nuce_status nuce_stencil_instance_init(const struct nuce_stencil_params *params, int ranks,
                                       const double *measured, struct nuce_stencil_instance *out,
                                       struct nuce_error *error);
/* The same for given weights, more than 0, regardless of those in params. */
nuce_status nuce_stencil_instance_cut(const struct nuce_stencil_params *params, int ranks,
                                      const double *weights, struct nuce_stencil_instance *out,
                                      struct nuce_error *error);
void nuce_stencil_instance_fini(struct nuce_stencil_instance *instance);

/* The messages of an exchange of halo, or of a move (nuce_halo_move), in bytes. Freed with
 * nuce_pattern_fini. */
nuce_status nuce_stencil_halo_pattern(const struct nuce_stencil_params *params,
                                      const struct nuce_halo *halo, struct nuce_pattern *out,
                                      struct nuce_error *error);

/* The parts for records: owner, row, column, rows and columns of each. New. */
json_t *nuce_stencil_rectangles(const struct nuce_decomposition *decomposition);

#endif
