/* Bundles: campaigns as one archive that can be checked and read elsewhere.
 *
 * A bundle is a gzip'd tar of one folder, the same bytes for the same campaigns:
 *
 *   nuce-bundle/SHA256SUMS                 of every other file, as `sha256sum -c` reads it
 *   nuce-bundle/campaigns/NAME/campaign.json, sweep.yaml, plan.jsonl
 *                              platform.xml, platform.hosts, platform.json    if it was simulated
 *                              records/FILE.jsonl
 *                              jobs/JOB.prologue                  of jobs whose prologue failed
 *                              inputs/HASH/NAME                   files that points name
 *
 * These are the files that `nuce collect` reads, and those that define the campaign. Logs and the
 * scripts of jobs are left out, because they belong to the machine where the campaign ran. A bundle
 * is *intact* if its files match SHA256SUMS, and *valid* if collect accepts all of it. */
#ifndef NUCE_BUNDLE_H
#define NUCE_BUNDLE_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define NUCE_BUNDLE_FOLDER "nuce-bundle"
#define NUCE_BUNDLE_SUMS "SHA256SUMS"

/* Receives each problem of a bundle as it is found. */
struct nuce_bundle_report {
    /* problem begins with the file's path in the bundle, if it is about a file. */
    void (*tell)(void *context, const char *kind, const char *problem);
    void *context;
    int64_t altered; /* problems of kind NUCE_BUNDLE_ALTERED: not the bundled content */
    int64_t invalid; /* problems of kind NUCE_BUNDLE_INVALID: nuce does not write such content */
};

#define NUCE_BUNDLE_ALTERED "altered"
#define NUCE_BUNDLE_INVALID "invalid"

/* Limits for an unpacked bundle: bytes of all files together, and number of files. An archive of a
 * few bytes can claim any size. */
struct nuce_bundle_limits {
    int64_t bytes, files;
};

#define NUCE_BUNDLE_MOST_FILES 100000

/* A temporary folder, which is removed even after an interrupt. Released with
 * nuce_bundle_scratch_remove. lock -1: the file system has no locks. path is owned. before: the
 * signal mask to restore. */
struct nuce_bundle_scratch {
    char *path;
    int lock; /* on the folder: its owner is alive */
    sigset_t before;
};

/* A bundle that was unpacked and checked. The counts are 0 if it is altered. */
struct nuce_bundle {
    struct nuce_bundle_scratch scratch; /* its folder: PATH/nuce-bundle */
    json_t *files;                      /* as in SHA256SUMS (results/bundle_parts.h) */
    int64_t campaigns;
    int64_t points; /* of all plans */
    int64_t record_files, runs;
};

/* Unpacks the archive at path into a scratch folder below parent (NULL: the folder for temporary
 * files) and checks it. A bundle without reported problems is intact and valid. Validity is checked
 * only if it is intact. Signals that end a program wait until nuce_bundle_close. NUCE_BAD_INPUT:
 * there is no archive, or it has entries that no bundle has. NUCE_INTERRUPTED: a signal came, and
 * nothing is left behind. */
nuce_status nuce_bundle_open(const char *path, const char *parent,
                             const struct nuce_bundle_limits *limits, struct nuce_bundle *out,
                             struct nuce_bundle_report *report, struct nuce_error *error);
/* Removes the unpacked files and takes the signals that waited. Accepts an all zero struct. */
void nuce_bundle_close(struct nuce_bundle *bundle);

/* Moves the campaigns of an open bundle into the parent of its scratch folder: each whole or not at
 * all, and never over another one. Calls each with every name; was_there is nonzero if the
 * identical campaign existed. NUCE_BAD_INPUT: a different campaign of that name exists. */
nuce_status nuce_bundle_take(struct nuce_bundle *bundle, const char *folder,
                             void (*each)(void *context, const char *campaign, int was_there),
                             void *context, struct nuce_error *error);

/* The request for a bundle: count campaigns, names below folder or paths, in the new file output.
 * All borrowed. */
struct nuce_bundle_request {
    const char *folder;
    char *const *names;
    int count;
    const char *output;
};

/* Writes the bundle and reads it back into *out as nuce_bundle_open does. Invalid content is
 * reported, and bundled unchanged. NUCE_BAD_INPUT: no such campaign, or output exists already.
 * NUCE_FAILED also if a campaign is still being written. On failure there is no file, and nothing
 * in *out to close. Freed with nuce_bundle_close. */
nuce_status nuce_bundle_create(const struct nuce_bundle_request *request, struct nuce_bundle *out,
                               struct nuce_bundle_report *report, struct nuce_error *error);

struct nuce_bundle_recomputed {
    int64_t runs;       /* runs with a recomputed quantity */
    int64_t quantities; /* quantities compared */
    int64_t skipped;    /* good runs of which nothing can be recomputed here */
};

/* Recomputes the plan of each campaign of the bundle, which is intact and valid, with `nuce-model
 * points`: instance, pattern, schedule, bounds, prediction. It uses no MPI and only the bundle's
 * content. Each quantity must equal the one that a good run recorded under the same name. Strings
 * and integers must be equal, reals in NUCE_JSONL_PRECISION - 3 figures. Each difference is
 * reported as invalid. Results of clocks or counters cannot be recomputed and are not compared. why
 * is called with the reason for skipped runs, once for each campaign. */
nuce_status nuce_bundle_recompute(const struct nuce_bundle *bundle,
                                  struct nuce_bundle_report *report,
                                  void (*why)(void *context, const char *reason), void *context,
                                  struct nuce_bundle_recomputed *out, struct nuce_error *error);

/* Prints a line to context, which is a FILE: for struct nuce_bundle_report. */
void nuce_bundle_print_problem(void *context, const char *kind, const char *problem);

/* Without a newline: "1 campaign, 12 points, 12 runs in 2 record files" */
void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file);

#endif
