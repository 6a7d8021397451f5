/* Shared by the files of the bundle module. */
#ifndef NUCE_BUNDLE_PARTS_H
#define NUCE_BUNDLE_PARTS_H

#include "results/bundle.h"

/* Reports the problem and counts it by its kind. Unprintable bytes are replaced, because it quotes
 * the archive. */
void nuce_bundle_tell(struct nuce_bundle_report *report, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Unpacks the archive at path into folder, which is empty, and adds each file to files with its
 * checksum. Damage is reported as altered; the files before it remain. The errors are those of
 * nuce_bundle_open; the caller owns the folder. */
nuce_status nuce_bundle_unpack(const char *path, const char *folder,
                               const struct nuce_bundle_limits *limits, json_t *files,
                               struct nuce_bundle_report *report, struct nuce_error *error);

/* nuce_bundle_create and nuce_bundle_unpack, in the library with libarchive. */
nuce_status nuce_bundle_archive_create(const struct nuce_bundle_request *request,
                                       struct nuce_bundle *out, struct nuce_bundle_report *report,
                                       struct nuce_error *error);
nuce_status nuce_bundle_archive_unpack(const char *path, const char *folder,
                                       const struct nuce_bundle_limits *limits, json_t *files,
                                       struct nuce_bundle_report *report, struct nuce_error *error);

/* Lists of files with their checksums. The bundled files (SHA256SUMS), the unpacked ones and those
 * in a folder are lists of one kind. So "is it intact?" and "is it the existing campaign?" are one
 * comparison. A list is a JSON object, campaign -> path in the campaign's folder -> SHA-256. */

/* In the scratch folder: the database of the check. */
#define NUCE_BUNDLE_DATABASE "check.db"

#define NUCE_BUNDLE_NAME_BYTES 65 /* of a campaign's name */

/* True if path, in the bundle's folder, is one that a bundle can have. campaign
 * (NUCE_BUNDLE_NAME_BYTES) becomes the name of its campaign, or "". Every file from an archive
 * passes this check. */
int nuce_bundle_is_path(const char *path, char *campaign);

/* Adds the file at source as path, which belongs to a campaign in a bundle. NUCE_BAD_INPUT: a link,
 * or not readable. */
nuce_status nuce_bundle_add_file(json_t *files, const char *source, const char *path,
                                 struct nuce_error *error);

/* Adds the files that a bundle has of the campaign called name in the folder at path. Only existing
 * files: there may be no records yet. */
nuce_status nuce_bundle_add_campaign(json_t *files, const char *path, const char *name,
                                     struct nuce_error *error);

/* Adds the lines "HASH  PATH" of the file at path, as sha256sum writes them. NUCE_BAD_INPUT names a
 * line in another format. */
nuce_status nuce_bundle_add_sums(json_t *files, const char *path, struct nuce_error *error);

/* Calls each for every file that differs between the two lists, with its path in the bundle and its
 * checksums; a checksum is NULL if the list lacks the file. */
void nuce_bundle_compare(json_t *was, json_t *is,
                         void (*each)(void *context, const char *path, const char *was,
                                      const char *is),
                         void *context);

/* Makes the folder PARENT/.nuce-bundle-xxxxxx (parent NULL: the folder for temporary files,
 * TMPDIR). Blocks INT, TERM and HUP, which the caller checks for during its work. Removes such
 * folders of killed processes. */
nuce_status nuce_bundle_scratch_make(const char *parent, struct nuce_bundle_scratch *out,
                                     struct nuce_error *error);

/* Returns nonzero if a signal has come since the folder was made. */
int nuce_bundle_is_interrupted(void);

/* Removes the folder with its content, takes the signals that came and unblocks them. Accepts an
 * all zero struct. */
void nuce_bundle_scratch_remove(struct nuce_bundle_scratch *scratch);

#endif
