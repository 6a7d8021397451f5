/* Recomputing what a bundle's runs found. */
#ifndef NUCE_BUNDLE_RECOMPUTE_H
#define NUCE_BUNDLE_RECOMPUTE_H

#include <stdint.h>

#include "results/bundle.h"

struct nuce_bundle_recomputed {
    int64_t runs;       /* of which something was recomputed */
    int64_t quantities; /* that were compared */
    int64_t skipped;    /* good runs of which nothing can be recomputed here */
};

/* Works out the plan of each campaign of the bundle, which is intact and valid, anew with
 * `nuce-model points`, without MPI and from nothing but what the bundle holds: instance, pattern,
 * schedule, bounds, prediction. What a good run recorded of the same name must be the same: texts
 * and integers equal, reals in NUCE_JSONL_PRECISION - 3 figures. Each that is not is told as
 * invalid. What a clock or a counter found cannot be recomputed and is not
 * compared. why: what
 * tells of runs that are skipped, one reason a campaign. */
nuce_status nuce_bundle_recompute(const struct nuce_bundle *bundle,
                                  struct nuce_bundle_report *report,
                                  void (*why)(void *context, const char *reason), void *context,
                                  struct nuce_bundle_recomputed *out, struct nuce_error *error);

#endif
