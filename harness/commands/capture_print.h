/* What is said of a capture. */
#ifndef NUCE_CAPTURE_PRINT_H
#define NUCE_CAPTURE_PRINT_H

#include "base/grid.h"
#include "capture/capture.h"

/* Bytes of all messages of one call of the pattern. */
double nuce_capturing_bytes(const struct nuce_capture *capture,
                            const struct nuce_capture_pattern *pattern);

/* Whether path names a regular file: what else could be meant by it, such as a table or a campaign,
 * is none. */
int nuce_capturing_is_file(const char *path);

/* Whether word was meant as a capture, by how it is written - with a slash, or .capture at its end
 * - though there is no such file; *error says so then. */
int nuce_capturing_is_missing(const char *word, struct nuce_error *error);

/* Prints the COM of each pattern that has messages to FOLDER/ID.com, and the file's name and what
 * it is to stdout; or, call not NULL, that one to stdout. A folder that is missing is made. */
nuce_status nuce_capturing_print_com(const struct nuce_capture *capture, const char *call,
                                     const char *folder, struct nuce_error *error);

/* A row for each pattern, those that took most time first; freed with nuce_grid_fini. */
void nuce_capturing_table(const struct nuce_capture *capture, struct nuce_grid *out);

/* Prints lines of text: what ran, how much it sent, how much of it is exact, and what is missing;
 * path is what the capture is called in them. */
void nuce_capturing_tell(const struct nuce_capture *capture, const char *path, FILE *file);

#endif
