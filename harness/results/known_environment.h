/* Whether an environment that --environment names is in the database. */
#ifndef NUCE_KNOWN_ENVIRONMENT_H
#define NUCE_KNOWN_ENVIRONMENT_H

#include "base/error.h"
#include "db/store.h"

/* NUCE_OK if environment (borrowed) is NULL, for all, or the beginning of the id of one in the
 * store. Else NUCE_BAD_INPUT. NUCE_FAILED if the database cannot be read. */
nuce_status nuce_known_environment(struct nuce_store *store, const char *environment,
                                   struct nuce_error *error);

#endif
