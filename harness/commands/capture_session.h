/* A whole capture: scratch folder, run, merge, file. */
#ifndef NUCE_CAPTURE_SESSION_H
#define NUCE_CAPTURE_SESSION_H

#include "capture/capture.h"

/* How a capture is taken. */
struct nuce_capturing_way {
    struct nuce_capture_merging merging;
    int yields; /* as nuce_capturing_run */
};

/* Runs the words, NULL-ended, and writes what their ranks did to output; *status is the exit status
 * of what ran. The raw files are in OUTPUT.parts until they are merged, and stay there if that goes
 * wrong: what an application of hours has done can be merged later. *has_run: whether the
 * application was started, and *status is its own: the user's, whatever is returned. What
 * was captured goes to *out, freed with nuce_capture_fini. NUCE_BAD_INPUT: nothing was captured,
 * and why. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capturing_way way, int *has_run, int *status,
                                struct nuce_capture *out, struct nuce_error *error);

/* Merges the raw files of a folder into output; they stay where they are. What was captured goes to
 * *out, freed with nuce_capture_fini. */
nuce_status nuce_capturing_merge(const char *folder, const char *output,
                                 struct nuce_capture_merging merging, struct nuce_capture *out,
                                 struct nuce_error *error);

/* Makes OUTPUT.parts; its whole path, a new string, since ranks may be elsewhere. NULL with *error:
 * it is there already, or cannot be made. */
char *nuce_capturing_make_parts(const char *output, struct nuce_error *error);

/* Removes what is ours; a folder with anything else in it stays. */
void nuce_capturing_remove_parts(const char *folder);

#endif
