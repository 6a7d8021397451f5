/* nuce capture and what other subcommands say of captures. */
#ifndef NUCE_CAPTURING_H
#define NUCE_CAPTURING_H

#include "base/grid.h"
#include "campaigns/builds.h"
#include "capture/capture.h"
#include "results/html_report.h"
#include "results/plot.h"

/* Which MPI library the program of a command line has: that of the interposer to load. */

/* Strings are borrowed from the words, kinds from their table. */
struct nuce_target {
    const struct nuce_mpi_kind *kind;
    const char
        *program; /* the word that was looked at; NULL: none was found to have MPI (borrowed) */
    int launcher; /* which word is the launcher of kind, and takes its options; -1: none is */
};

/* Looks at the words of a command line, NULL-ended: the launcher, and the first program behind it
 * that is linked with an MPI library; where there is neither, at the text of a script, or of a
 * shell's -c. NUCE_BAD_INPUT: a static program, or one of another library than the launcher's, or
 * nothing that says which library it is, nor a known mpiexec in PATH. */
nuce_status nuce_target_find(char *const *words, struct nuce_target *out, struct nuce_error *error);

/* Of a command line whose launcher started nothing: NUCE_BAD_INPUT, with the words behind it that
 * may name the program, where none of them can be executed. */
nuce_status nuce_target_check(char *const *words, struct nuce_error *error);

/* A whole capture: scratch folder, run, merge, file. */

/* Runs the words, NULL-ended, and writes what their ranks did to output; *status is the exit status
 * of what ran. The raw files are in OUTPUT.parts until they are merged, and stay there if that goes
 * wrong: what an application of hours has done can be merged later. *has_run: whether the
 * application was started, and *status is its own: the user's, whatever is returned. yields: its
 * ranks wait by testing and yielding. What was captured goes to *out, freed with nuce_capture_fini.
 * NUCE_BAD_INPUT: nothing was captured, and why. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capture_merging merging, int yields, int *has_run,
                                int *status, struct nuce_capture *out, struct nuce_error *error);

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

/* Captures of what others measured: nuce capture import. */

/* Reads the files, NULL-ended, at least one, by the format called `from` (NULL: that which the
 * first file has), and writes the capture to output, over one that is there. ranks: how many there
 * are, 0: as many as the files say; unit: bytes of a number of a CSV file without a unit. What was
 * read goes to *out, freed with nuce_capture_fini. NUCE_BAD_INPUT: a file is not of that format; on
 * failure output is as it was. */
nuce_status nuce_capturing_bring(char *const *files, const char *from, int ranks, int64_t unit,
                                 const char *output, struct nuce_capture *out,
                                 struct nuce_error *error);

/* What is said of a capture. */

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

/* When each rank was in each call of a capture that was taken with --trace. */

/* A row for each rank in each call, in order of time: start and duration in nanoseconds from the
 * first one's start, rank of the world, communicator and call by number, pattern, kind. A duration
 * that was not seen is empty. Freed with nuce_grid_fini. NUCE_BAD_INPUT: the capture, which was
 * read from path, has no stamps. */
nuce_status nuce_capturing_timeline(const struct nuce_capture *capture, const char *path,
                                    struct nuce_grid *out, struct nuce_error *error);

/* A capture as a picture: which patterns took the time and had the bytes, who sends to whom in one
 * of them, the sizes of messages, durations and skews. */

/* What nuce_plot_draw takes, of the capture at path; call: the pattern whose matrix is drawn, as
 * nuce_capture_find takes it; NULL: that which took most time. The plot's name is that of the file
 * without its ending, or "capture" where that could not be a file's. Released with nuce_plot_fini
 * and nuce_plot_data_fini, also after failure. NUCE_BAD_INPUT: no pattern has messages, or not that
 * one. */
nuce_status nuce_capturing_picture(const struct nuce_capture *capture, const char *path,
                                   const char *call, struct nuce_plot *plot,
                                   struct nuce_plot_data *data, struct nuce_error *error);

/* Captures on the page of nuce report. */

/* Adds to the report each capture that points of its database are of: the copy that a campaign in
 * the folder `campaigns` keeps. One that is not there, or is another, is named on stderr and left
 * out. */
nuce_status nuce_capturing_report(struct nuce_report *report, const char *campaigns,
                                  struct nuce_error *error);

#endif
