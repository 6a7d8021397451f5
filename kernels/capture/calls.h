/* Reads calls of MPI as text, one call a line, into a capture. It is the only form in which nuce
 * reads traces of other tools. docs/capture-formats.md describes it. The folder convert holds
 * converters for other tools' output. */
#ifndef NUCE_CALLS_H
#define NUCE_CALLS_H

#include "capture/capture.h"

struct nuce_calls_text {
    const char *name, *text; /* name: used in messages; text: zero-ended or not */
    size_t length;
    int epochs;         /* one pattern for all between two collective calls */
    int ranks;          /* the number of ranks as the user gives it; 0: as in the text */
    const char *folder; /* empty, for raw files (NUCE_RAW_ENDING); the caller removes them */
};

/* Makes *out, freed with nuce_capture_fini; the caller sets its origin. NUCE_BAD_INPUT names
 * file, line and column, and *out is unchanged. */
nuce_status nuce_calls_read(const struct nuce_calls_text *input, struct nuce_capture *out,
                            struct nuce_error *error);

#endif
