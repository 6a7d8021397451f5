/* The part of `explain` that finds points by the first digits of their ids. */
#ifndef NUCE_EXPLAIN_FIND_H
#define NUCE_EXPLAIN_FIND_H

#include <stdint.h>
#include <time.h>

#include "support/error.h"
#include "support/hash.h"
#include "support/option.h"

/* A point of a campaign. */
struct nuce_explain_match {
    char id[NUCE_HASH_BYTES];
    char campaign[NUCE_NAME_BYTES];
    int in_folder;        /* it is below the folder; else the database alone has it */
    struct timespec made; /* then: its plan */
};

struct nuce_found_list {
    struct nuce_explain_match *found; /* by id; of one id the youngest campaign first */
    int64_t count, capacity;
    int64_t ids; /* different ones */
};

/* All points whose ids begin with digits (lower case hexadecimal) of the campaigns below folder,
 * and of those that only the database file has; without any the point of the run whose hash begins
 * so. A folder or database that is not there has none. Freed with nuce_explain_found_fini, also on
 * failure. */
nuce_status nuce_explain_find(const char *folder, const char *database, const char *digits,
                              struct nuce_found_list *out, struct nuce_error *error);
void nuce_explain_found_fini(struct nuce_found_list *list);

/* Prints what the database has of the point with that id: its parameters and runs. For a point
 * whose campaign is gone. */
nuce_status nuce_explain_database(const char *database, const char *id, struct nuce_error *error);

#endif
