/* nuce capture, and the messages of other subcommands about captures. */
#ifndef NUCE_CAPTURING_H
#define NUCE_CAPTURING_H

#include "base/grid.h"
#include "campaigns/builds.h"
#include "capture/capture.h"
#include "results/html_report.h"
#include "results/plot.h"

/* A whole capture: scratch folder, run, merge, file. */

/* Runs the words, NULL-ended, and writes the capture to output. *status is the exit status of the
 * command. The raw files are in OUTPUT.parts until they are merged. If the merge fails they stay,
 * so that an application of hours can be merged later. *has_run is set if the application was
 * started and *status is its own, whatever this function returns. yields: its ranks wait by testing
 * and yielding. *out gets the capture, freed with nuce_capture_fini. NUCE_BAD_INPUT: nothing was
 * captured, with the reason. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capture_merging merging, int yields, int *has_run,
                                int *status, struct nuce_capture *out, struct nuce_error *error);

/* Merges the raw files of a folder into output; they are not removed. *out gets the capture, freed
 * with nuce_capture_fini. */
nuce_status nuce_capturing_merge(const char *folder, const char *output,
                                 struct nuce_capture_merging merging, struct nuce_capture *out,
                                 struct nuce_error *error);

/* Makes OUTPUT.parts and returns its absolute path, a new string, because ranks may have other
 * folders. NULL with *error: it exists already, or cannot be made. */
char *nuce_capturing_make_parts(const char *output, struct nuce_error *error);

/* Removes the recorder's files; a folder with any other file stays. */
void nuce_capturing_remove_parts(const char *folder);

/* Captures from files of other tools: nuce capture import. */

/* Reads the files, NULL-ended, at least one, by the format called `from` (NULL: that of the first
 * file). Writes the capture to output, and replaces an existing file. ranks: their number, 0: as in
 * the files; unit: bytes of a number in a CSV file without a unit; epochs: one pattern for all
 * between two collective calls. *out gets the capture, freed
 * with nuce_capture_fini. NUCE_BAD_INPUT: a file is not of that format. On failure output stays
 * unchanged. */
nuce_status nuce_capturing_bring(char *const *files, const char *from, int ranks, int64_t unit,
                                 int epochs, const char *output, struct nuce_capture *out,
                                 struct nuce_error *error);

/* Descriptions of a capture. */

/* Bytes of all messages of one call of the pattern. */
double nuce_capturing_bytes(const struct nuce_capture *capture,
                            const struct nuce_capture_pattern *pattern);

/* True if path names a regular file, unlike a table or a campaign of that name. A program is none:
 * beside ./app, the word app means the campaign. ./app is a file, and so is app.capture. */
int nuce_capturing_is_file(const char *path);

/* True if word looks like a capture - with a slash, or .capture at its end - but no such file
 * exists; *error reports that. */
int nuce_capturing_is_missing(const char *word, struct nuce_error *error);

/* Writes the COM of each pattern that has messages to FOLDER/ID.com, and prints the file's name and
 * description on stdout. If call is not NULL, prints that one COM on stdout instead. Makes the
 * folder if it is missing. */
nuce_status nuce_capturing_print_com(const struct nuce_capture *capture, const char *call,
                                     const char *folder, struct nuce_error *error);

/* A row for each pattern, in descending order of time; freed with nuce_grid_fini. */
void nuce_capturing_table(const struct nuce_capture *capture, struct nuce_grid *out);

/* Prints lines of text: the program, the amount that it sent, the part of it that is exact, and the
 * missing data. path names the capture in them. */
void nuce_capturing_tell(const struct nuce_capture *capture, const char *path, FILE *file);

/* The times of each rank in each call, for a capture taken with --trace. */

/* A row for each rank in each call, in order of time: start and duration in nanoseconds from the
 * first one's start, rank of the world, numbers of communicator and call, pattern, kind. An unknown
 * duration is empty. Freed with nuce_grid_fini. NUCE_BAD_INPUT: the capture, which was read from
 * path, has no stamps. */
nuce_status nuce_capturing_timeline(const struct nuce_capture *capture, const char *path,
                                    struct nuce_grid *out, struct nuce_error *error);

/* A capture as a picture: the patterns by time and bytes, the senders and receivers in one of them,
 * the sizes of messages, durations and skews. */

/* Makes the arguments of nuce_plot_draw for the capture at path. call: the pattern whose matrix is
 * drawn, in the form for nuce_capture_find; NULL: the one that took most time. The plot's name is
 * that of the file without its ending, or "capture" if that is not a valid file name. Released with
 * nuce_plot_fini and nuce_plot_data_fini, also after failure. NUCE_BAD_INPUT: no pattern, or not
 * the chosen one, has messages. */
nuce_status nuce_capturing_picture(const struct nuce_capture *capture, const char *path,
                                   const char *call, struct nuce_plot *plot,
                                   struct nuce_plot_data *data, struct nuce_error *error);

/* Captures on the page of nuce report. */

/* Adds to the report each capture that points of its database use: the copy in a campaign in the
 * folder `campaigns`. A missing or different copy is named on stderr and skipped. */
nuce_status nuce_capturing_report(struct nuce_report *report, const char *campaigns,
                                  struct nuce_error *error);

#endif
