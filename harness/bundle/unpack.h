/* Reading the archive, which may be anybody's: nothing in it can make a file outside the folder it
 * is unpacked to, or one that is no plain file, or more than the limits allow. */
#ifndef NUCE_UNPACK_H
#define NUCE_UNPACK_H

#include "bundle/bundle.h"

/* Unpacks the archive at path into folder, which is empty. Files of the bundle are below
 * folder/NUCE_BUNDLE_FOLDER. What is damaged is noted in *findings; the files that could be read
 * are there. NUCE_BAD_INPUT: no archive, or one with things in it that no bundle has;
 * NUCE_INTERRUPTED: one of the signals that the caller has blocked is pending. The folder is left
 * to the caller. */
nuce_status nuce_unpack(const char *path, const char *folder,
                        const struct nuce_bundle_limits *limits, struct nuce_findings *findings,
                        struct nuce_error *error);

#endif
