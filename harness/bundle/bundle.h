/* Bundles: campaigns as one archive that can be checked and read elsewhere.
 *
 * A bundle is a gzip'd tar of one folder, the same bytes for the same campaigns:
 *
 *   nuce-bundle/SHA256SUMS                 of every other file, as `sha256sum -c` reads it
 *   nuce-bundle/manifest.json              {"format","nuce","campaigns":[what each of them holds]}
 *   nuce-bundle/campaigns/NAME/campaign.json, sweep.yaml, plan.jsonl
 *                              platform.xml, platform.hosts, platform.json    if it was simulated
 *                              records/FILE.jsonl
 *
 * These are the files that `nuce collect` reads and those that say what was asked for. Logs and the
 * scripts of jobs stay behind: they are of the machine where the campaign ran. */
#ifndef NUCE_BUNDLE_H
#define NUCE_BUNDLE_H

#include <stdint.h>

#include "bundle/findings.h"
#include "support/error.h"

#define NUCE_BUNDLE_FOLDER "nuce-bundle"
#define NUCE_BUNDLE_SUMS "SHA256SUMS"
#define NUCE_BUNDLE_MANIFEST "manifest.json"
#define NUCE_BUNDLE_FORMAT 1

/* What a bundle holds. */
struct nuce_bundle_counts {
    int64_t campaigns;
    int64_t points; /* of their plans */
    int64_t record_files, runs, ok;
    int64_t jobs, environments; /* that are described */
};

/* Adds what is in one to total. */
void nuce_bundle_counts_add(struct nuce_bundle_counts *total, const struct nuce_bundle_counts *one);

/* Writes the campaigns (count names below folder, or paths) to the new file output. What is not
 * valid in them is noted in *findings, and bundled as it is. NUCE_BAD_INPUT: no such campaign, or
 * output is there already; NUCE_FAILED also if one of them is being written to. */
nuce_status nuce_bundle_create(const char *folder, char *const *names, int count,
                               const char *output, struct nuce_bundle_counts *counts,
                               struct nuce_findings *findings, struct nuce_error *error);

/* What a bundle may be at most when it is unpacked: an archive of a few bytes can claim anything.
 */
struct nuce_bundle_limits {
    int64_t bytes, files;
};

#define NUCE_BUNDLE_MOST_BYTES ((int64_t)4 << 30)
#define NUCE_BUNDLE_MOST_FILES 100000

/* Checks the bundle at path, an archive or the folder that it unpacks to. *findings holds all that
 * is wrong; without any it is intact and valid. Whether it is valid is only looked at where it is
 * intact. NUCE_BAD_INPUT: there is nothing that could be a bundle. */
nuce_status nuce_bundle_verify(const char *path, const struct nuce_bundle_limits *limits,
                               struct nuce_bundle_counts *counts, struct nuce_findings *findings,
                               struct nuce_error *error);

struct nuce_bundle_import {
    const char *path;   /* of the archive */
    const char *folder; /* of campaigns; made if it is not there */
    int invalid;        /* take also what is intact but not valid */
    struct nuce_bundle_limits limits;
    /* Called with the name of each campaign; was_there: the very same campaign was. */
    void (*each)(void *context, const char *campaign, int was_there);
    void *context;
};

/* Brings the campaigns of a bundle into the folder of campaigns: each whole or not at all, none
 * over another. NUCE_BAD_INPUT with *findings: it is not intact, or not valid; without: it is no
 * bundle, or a campaign of the name is there and is another one. NUCE_INTERRUPTED: a signal came,
 * and nothing is left. */
nuce_status nuce_bundle_import(const struct nuce_bundle_import *import,
                               struct nuce_findings *findings, struct nuce_error *error);

#endif
