/* Inside bundle: lists of files with their checksums. What was bundled (SHA256SUMS), what was
 * unpacked and what is in a folder are lists of one kind, so that "is it intact?" and "is this the
 * campaign that is there already?" are one comparison. */
#ifndef NUCE_BUNDLE_FILES_H
#define NUCE_BUNDLE_FILES_H

#include <stdint.h>

#include "support/error.h"
#include "support/hash.h"

#define NUCE_BUNDLE_NAME_BYTES 65 /* of a campaign's name */

/* Folders in a campaign's. */
#define NUCE_BUNDLE_RECORDS "records/"
#define NUCE_BUNDLE_NOTES "jobs/" /* what is noted there of a prologue that failed */

/* A file of a bundle; path is owned. */
struct nuce_bundle_file {
    char *path;                   /* in the bundle's folder */
    char sha256[NUCE_HASH_BYTES]; /* of its content */
    int64_t campaign;             /* for nuce_bundle_create: whose it is */
};

/* Freed with nuce_bundle_files_fini. */
struct nuce_bundle_files {
    struct nuce_bundle_file *list;
    int64_t count, capacity;
};

/* Whether path, in the bundle's folder, is one that a bundle can have; campaign
 * (NUCE_BUNDLE_NAME_BYTES) takes the name of the campaign that it is of, or "". Nothing of an
 * archive becomes a file that has not passed here. */
int nuce_bundle_is_path(const char *path, char *campaign);

/* The file's path in its campaign's folder, such as records/0001.jsonl; borrowed from path, which
 * is that of one in a bundle. */
const char *nuce_bundle_name_in_campaign(const char *path);

/* Adds the file at source, with its checksum, as path (copied). NUCE_BAD_INPUT: a link, or not
 * readable. */
nuce_status nuce_bundle_add_file(struct nuce_bundle_files *files, const char *source,
                                 const char *path, struct nuce_error *error);

/* Adds the files that a bundle has of the campaign called name in the folder at path, those that
 * are there: records may be none yet. In the order in which folders give them: nuce_bundle_sort. */
nuce_status nuce_bundle_add_campaign(struct nuce_bundle_files *files, const char *path,
                                     const char *name, struct nuce_error *error);

/* Adds the lines "HASH  PATH" of the file at path, as sha256sum writes them. NUCE_BAD_INPUT names
 * the line that is none. */
nuce_status nuce_bundle_add_sums(struct nuce_bundle_files *files, const char *path,
                                 struct nuce_error *error);

/* By path, ascending: as nuce_bundle_compare wants them. */
void nuce_bundle_sort(struct nuce_bundle_files *files);

/* Calls each for every path whose files differ, both lists being sorted; the list that has no such
 * path gives NULL. The first status other than NUCE_OK ends the comparison and is returned. */
nuce_status nuce_bundle_compare(
    const struct nuce_bundle_files *was, const struct nuce_bundle_files *is,
    nuce_status (*each)(void *context, const struct nuce_bundle_file *was,
                        const struct nuce_bundle_file *is, struct nuce_error *error),
    void *context, struct nuce_error *error);

/* The campaigns of a sorted list, one after the other: the name of that which the file at index *at
 * is of, and the index of the next one's first file; 0 at the end. */
int nuce_bundle_next_campaign(const struct nuce_bundle_files *files, int64_t *at, char *name);

/* Frees the list; accepts an all zero one. */
void nuce_bundle_files_fini(struct nuce_bundle_files *files);

#endif
