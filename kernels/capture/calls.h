/* Calls of MPI as text, one a line, into a capture: the one form in which nuce reads what others
 * traced. docs/capture-formats.md describes it; converters of what other tools print are beside
 * this file (convert). */
#ifndef NUCE_CALLS_H
#define NUCE_CALLS_H

#include "capture/capture.h"

struct nuce_calls_text {
    const char *name, *text; /* name: stands in messages; text: zero-ended or not */
    size_t length;
    int ranks;          /* how many the user says there are; 0: as many as the text says */
    const char *folder; /* empty, for raw files (NUCE_RAW_ENDING), which the caller removes */
};

/* Makes *out, freed with nuce_capture_fini, whose origin the caller sets. NUCE_BAD_INPUT names
 * file, line and column; then *out is as it was. */
nuce_status nuce_calls_read(const struct nuce_calls_text *input, struct nuce_capture *out,
                            struct nuce_error *error);

#endif
