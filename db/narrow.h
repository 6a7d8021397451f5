/* One campaign alone, as if the database held no other. */
#ifndef NUCE_NARROW_H
#define NUCE_NARROW_H

#include "base/error.h"
#include "db/store.h"

/* Hides the other campaigns' rows from all that is read from the store (open for reading) from now
 * on: run, job, campaign and record_file have only those of campaign (borrowed), or of the newest
 * of the sweep of that name, and outcome and the views that stand on it pool only its runs. NULL:
 * hides nothing. What belongs to no campaign (point, environment) or hangs on a run (sample, event,
 * ...) is left whole: it is found by joining it. NUCE_BAD_INPUT: there is no such campaign; an
 * empty answer would look like no runs. */
nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaign,
                              struct nuce_error *error);

#endif
