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

#endif
