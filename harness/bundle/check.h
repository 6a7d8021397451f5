/* Checking a bundle's folder, as it was unpacked. */
#ifndef NUCE_CHECK_H
#define NUCE_CHECK_H

#include "bundle/bundle.h"

/* Checks the folder: first that it is what was bundled, then that it is valid. Where *findings is
 * not empty already the archive was damaged, and files that are not there are not told one by
 * one. */
nuce_status nuce_check_folder(const char *folder, struct nuce_bundle_counts *counts,
                              struct nuce_findings *findings, struct nuce_error *error);

/* The same for what nuce_unpack left; folder need not be there where the archive was damaged. */
nuce_status nuce_check_unpacked(const char *folder, struct nuce_bundle_counts *counts,
                                struct nuce_findings *findings, struct nuce_error *error);

#endif
