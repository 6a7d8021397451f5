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
 * These are the files that `nuce collect` reads and those that say what was asked for. Logs and the
 * scripts of jobs stay behind: they are of the machine where the campaign ran. A bundle is *intact*
 * if its files are those of SHA256SUMS, and *valid* if collect takes all of it. */
#ifndef NUCE_BUNDLE_H
#define NUCE_BUNDLE_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define NUCE_BUNDLE_FOLDER "nuce-bundle"
#define NUCE_BUNDLE_SUMS "SHA256SUMS"

/* Who is told what is wrong with a bundle, thing by thing, as it is found. */
struct nuce_bundle_report {
    /* problem begins with the file's path in the bundle, where it is about a file. */
    void (*tell)(void *context, const char *kind, const char *problem);
    void *context;
    int64_t altered; /* things told of kind NUCE_BUNDLE_ALTERED: not what was bundled */
    int64_t invalid; /* and of NUCE_BUNDLE_INVALID: not what nuce writes */
};

#define NUCE_BUNDLE_ALTERED "altered"
#define NUCE_BUNDLE_INVALID "invalid"

/* What a bundle may be at most when it is unpacked, bytes of all files together and how many files:
 * an archive of a few bytes can claim anything. */
struct nuce_bundle_limits {
    int64_t bytes, files;
};

#define NUCE_BUNDLE_MOST_FILES 100000

/* A folder that is there only while something is made in it, also when it is interrupted. Released
 * with nuce_bundle_scratch_remove; lock -1: the file system has no locks. path is owned;
 * before: the signal mask that is set again then. */
struct nuce_bundle_scratch {
    char *path;
    int lock; /* on the folder: who made it lives */
    sigset_t before;
};

/* A bundle that was unpacked and checked. The counts are 0 where it is altered. */
struct nuce_bundle {
    struct nuce_bundle_scratch scratch; /* where it is: PATH/nuce-bundle */
    json_t *files;                      /* as SHA256SUMS has them (results/bundle_parts.h) */
    int64_t campaigns;
    int64_t points; /* of their plans */
    int64_t record_files, runs;
};

/* Unpacks the archive at path into a scratch folder below parent (NULL: where temporary files go)
 * and checks it: without anything told it is intact and valid. Whether it is valid is looked at
 * only where it is intact. Until nuce_bundle_close, signals that end a program wait.
 * NUCE_BAD_INPUT: there is no archive, or things are in it that no bundle has; NUCE_INTERRUPTED: a
 * signal came, and nothing is left. */
nuce_status nuce_bundle_open(const char *path, const char *parent,
                             const struct nuce_bundle_limits *limits, struct nuce_bundle *out,
                             struct nuce_bundle_report *report, struct nuce_error *error);
/* Removes what was unpacked and takes the signals that waited. Accepts one that is all zero. */
void nuce_bundle_close(struct nuce_bundle *bundle);

/* Moves the campaigns of an open bundle into the folder that its scratch folder is in: each whole
 * or not at all, none over another. each is called with the name of each; was_there: the very same
 * campaign was. NUCE_BAD_INPUT: one of the name is there and is another one. */
nuce_status nuce_bundle_take(struct nuce_bundle *bundle, const char *folder,
                             void (*each)(void *context, const char *campaign, int was_there),
                             void *context, struct nuce_error *error);

/* What is to be bundled: count campaigns, names below folder or paths, in the new file output. All
 * borrowed. */
struct nuce_bundle_request {
    const char *folder;
    char *const *names;
    int count;
    const char *output;
};

/* Writes the bundle and reads it back into *out as nuce_bundle_open does: what is not valid is
 * told, and bundled as it is. NUCE_BAD_INPUT: no such campaign, or output is there already;
 * NUCE_FAILED also if one of them is being written to. On failure there is no file, and nothing in
 * *out to close. Freed with nuce_bundle_close. */
nuce_status nuce_bundle_create(const struct nuce_bundle_request *request, struct nuce_bundle *out,
                               struct nuce_bundle_report *report, struct nuce_error *error);

struct nuce_bundle_recomputed {
    int64_t runs;       /* of which something was recomputed */
    int64_t quantities; /* that were compared */
    int64_t skipped;    /* good runs of which nothing can be recomputed here */
};

/* Works out the plan of each campaign of the bundle, which is intact and valid, anew with
 * `nuce-model points`, without MPI and from nothing but what the bundle holds: instance, pattern,
 * schedule, bounds, prediction. What a good run recorded of the same name must be the same: texts
 * and integers equal, reals in NUCE_JSONL_PRECISION - 3 figures. Each that is not is told as
 * invalid. What a clock or a counter found cannot be recomputed and is not
 * compared. why: what
 * tells of runs that are skipped, one reason a campaign. */
nuce_status nuce_bundle_recompute(const struct nuce_bundle *bundle,
                                  struct nuce_bundle_report *report,
                                  void (*why)(void *context, const char *reason), void *context,
                                  struct nuce_bundle_recomputed *out, struct nuce_error *error);

/* Prints a line to the FILE that context is: for struct nuce_bundle_report. */
void nuce_bundle_print_problem(void *context, const char *kind, const char *problem);

/* Without a newline: "1 campaign, 12 points, 12 runs in 2 record files" */
void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file);

#endif
