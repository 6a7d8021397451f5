/* Inside bundle: what its files share. */
#ifndef NUCE_BUNDLE_PARTS_H
#define NUCE_BUNDLE_PARTS_H

#include "results/bundle.h"

/* Tells the problem, made printable since it quotes the archive, and counts it by its kind. */
void nuce_bundle_tell(struct nuce_bundle_report *report, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Unpacks the archive at path into folder, which is empty, and adds what came out to files, each
 * with its checksum. Damage is told as altered; the files before it are there. The errors are those
 * of nuce_bundle_open; the folder is left to the caller. */
nuce_status nuce_bundle_unpack(const char *path, const char *folder,
                               const struct nuce_bundle_limits *limits, json_t *files,
                               struct nuce_bundle_report *report, struct nuce_error *error);

/* Lists of files with their checksums. What was bundled (SHA256SUMS), what was
 * unpacked and what is in a folder are lists of one kind, so that "is it intact?" and "is this the
 * campaign that is there already?" are one comparison. A list is a JSON object, campaign -> path in
 * the campaign's folder -> SHA-256. */

/* In the scratch folder: the database by which a bundle was checked. */
#define NUCE_BUNDLE_DATABASE "check.db"

#define NUCE_BUNDLE_NAME_BYTES 65 /* of a campaign's name */

/* Whether path, in the bundle's folder, is one that a bundle can have; campaign
 * (NUCE_BUNDLE_NAME_BYTES) takes the name of the campaign that it is of, or "". Nothing of an
 * archive becomes a file that has not passed here. */
int nuce_bundle_is_path(const char *path, char *campaign);

/* Adds the file at source as path, which is one of a campaign in a bundle. NUCE_BAD_INPUT: a link,
 * or not readable. */
nuce_status nuce_bundle_add_file(json_t *files, const char *source, const char *path,
                                 struct nuce_error *error);

/* Adds the files that a bundle has of the campaign called name in the folder at path, those that
 * are there: records may be none yet. */
nuce_status nuce_bundle_add_campaign(json_t *files, const char *path, const char *name,
                                     struct nuce_error *error);

/* Adds the lines "HASH  PATH" of the file at path, as sha256sum writes them. NUCE_BAD_INPUT names
 * the line that is none. */
nuce_status nuce_bundle_add_sums(json_t *files, const char *path, struct nuce_error *error);

/* Calls each for every file of the two lists that is not the same in both, with its path in the
 * bundle and its checksums, NULL where a list does not have it. */
void nuce_bundle_compare(json_t *was, json_t *is,
                         void (*each)(void *context, const char *path, const char *was,
                                      const char *is),
                         void *context);

/* Makes the folder PARENT/.nuce-bundle-xxxxxx (parent NULL: where temporary files go, TMPDIR) and
 * blocks INT, TERM and HUP, for the caller to look for while it works. Such folders whose makers
 * were killed are removed. */
nuce_status nuce_bundle_scratch_make(const char *parent, struct nuce_bundle_scratch *out,
                                     struct nuce_error *error);

/* Whether a signal has come since the folder was made. */
int nuce_bundle_is_interrupted(void);

/* Removes the folder with all that is in it, and takes the signals that came and unblocks them.
 * Accepts one that is all zero. */
void nuce_bundle_scratch_remove(struct nuce_bundle_scratch *scratch);

#endif
