/* Inside bundle: a campaign's folder without what tells who measured and where.
 *
 * In two passes: first what records name is found in all campaigns of the bundle
 * (nuce_anonymous_find), then each is copied with all of these names replaced
 * (nuce_anonymous_copy), so that a host that one campaign names is replaced in the others too. The
 * copies are bundled as any campaign. */
#ifndef NUCE_ANONYMOUS_H
#define NUCE_ANONYMOUS_H

#include "bundle/pseudonyms.h"
#include "launch/campaign.h"

/* Adds what the records of campaign name: hosts, users, clusters, lines of scripts; and the user
 * whose the folder is. Nothing of the campaign is changed. */
nuce_status nuce_anonymous_find(const struct nuce_campaign *campaign,
                                struct nuce_pseudonyms *pseudonyms, struct nuce_error *error);

/* Writes to FOLDER/NAME, which must not be there, what a bundle has of campaign, changed: see nuce
 * bundle --anonymous. tell is given a sentence for what is left out whole. NUCE_BAD_INPUT: what a
 * point is names somebody. On failure a part of the copy may be there. */
nuce_status nuce_anonymous_copy(const struct nuce_campaign *campaign, const char *folder,
                                struct nuce_pseudonyms *pseudonyms,
                                void (*tell)(const char *sentence), struct nuce_error *error);

/* The text of a sweep file without its comments and its slurm section, names and paths replaced: a
 * new string of *changed bytes. NULL with *error. */
char *nuce_anonymous_sweep(const char *text, size_t length, struct nuce_pseudonyms *pseudonyms,
                           size_t *changed, struct nuce_error *error);

/* A line of a record file (borrowed), changed, without its checksum: a new reference; NULL with
 * *error. */
json_t *nuce_anonymous_record(const json_t *record, struct nuce_pseudonyms *pseudonyms,
                              struct nuce_error *error);

#endif
