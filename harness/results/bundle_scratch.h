/* Inside bundle: folders that are there only while something is made in them, also when it is
 * interrupted. */
#ifndef NUCE_BUNDLE_SCRATCH_H
#define NUCE_BUNDLE_SCRATCH_H

#include <signal.h>

#include "base/error.h"

/* Released with nuce_bundle_scratch_remove; lock -1: the file system has no locks. path is owned;
 * before: the signal mask that is set again then. */
struct nuce_bundle_scratch {
    char *path;
    int lock; /* on the folder: who made it lives */
    sigset_t before;
};

/* Makes the folder PARENT/.nuce-bundle-xxxxxx (parent NULL: where temporary files go, TMPDIR) and
 * blocks INT, TERM and HUP, for the caller to look for while it works. Such folders whose makers
 * were killed are removed. */
nuce_status nuce_bundle_scratch_make(const char *parent, struct nuce_bundle_scratch *out,
                                     struct nuce_error *error);

/* Whether a signal has come since the folder was made. */
int nuce_bundle_is_interrupted(void);

/* Removes the folder with all that is in it, and takes the signals that came and unblocks them.
 * Accepts one that is all zero. */
void nuce_bundle_scratch_remove(struct nuce_bundle_scratch *scratch);

#endif
