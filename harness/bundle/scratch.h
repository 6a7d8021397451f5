/* Folders that are there only while something is made in them, also when it is interrupted. */
#ifndef NUCE_SCRATCH_H
#define NUCE_SCRATCH_H

#include <signal.h>

#include "support/error.h"

struct nuce_scratch {
    char *path;
    int lock; /* on the folder: who made it lives */
    sigset_t before;
};

/* Makes the folder PARENT/PREFIXxxxxxx and blocks INT, TERM and HUP, for the caller to look for
 * (sigpending) while it works. Folders of that prefix whose makers were killed are removed. */
nuce_status nuce_scratch_make(const char *parent, const char *prefix, struct nuce_scratch *out,
                              struct nuce_error *error);

/* Removes the folder with all that is in it, and takes the signals that came and unblocks them. */
void nuce_scratch_remove(struct nuce_scratch *scratch);

#endif
