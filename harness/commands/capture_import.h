/* Captures of what others measured: nuce capture import. */
#ifndef NUCE_CAPTURE_IMPORT_H
#define NUCE_CAPTURE_IMPORT_H

#include "capture/capture.h"

/* Reads the files, NULL-ended, at least one, by the format called `from` (NULL: that which the
 * first file has), and writes the capture to output, over one that is there. ranks: how many there
 * are, 0: as many as the files say; unit: bytes of a number of a CSV file without a unit. What was
 * read goes to *out, freed with nuce_capture_fini. NUCE_BAD_INPUT: a file is not of that format; on
 * failure output is as it was. */
nuce_status nuce_capturing_bring(char *const *files, const char *from, int ranks, int64_t unit,
                                 const char *output, struct nuce_capture *out,
                                 struct nuce_error *error);

#endif
