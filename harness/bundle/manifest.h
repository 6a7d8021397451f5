/* manifest.json: what a bundle holds, for people, and to be compared with what is there. */
#ifndef NUCE_MANIFEST_H
#define NUCE_MANIFEST_H

#include <jansson.h>

#include "bundle/bundle.h"

/* The entry of a campaign. A new reference, or NULL with *error. */
json_t *nuce_manifest_entry(const char *campaign, const struct nuce_bundle_counts *counts,
                            struct nuce_error *error);

/* The manifest of these entries (stolen), as text, freed by the caller; NULL with *error. */
char *nuce_manifest_text(json_t *entries, struct nuce_error *error);

/* Compares the manifest at path with the entries (borrowed) of what is there. */
nuce_status nuce_manifest_check(const char *path, const json_t *entries,
                                struct nuce_findings *findings, struct nuce_error *error);

#endif
