/* Which files of a campaign a bundle holds. */
#ifndef NUCE_CONTENTS_H
#define NUCE_CONTENTS_H

#include "bundle/folder.h"
#include "support/error.h"

/* Whether path, below the bundle's folder, is that of a file that a bundle can hold. */
int nuce_contents_is_path(const char *path);

/* The campaign of campaigns/NAME/...: its name into out (NUCE_CONTENTS_NAME_BYTES); 0: path is none
 * of a campaign's. */
#define NUCE_CONTENTS_NAME_BYTES 65
int nuce_contents_campaign(const char *path, char *out);

/* The files of the campaign in the folder at path that a bundle holds, by path below it. Freed with
 * nuce_folder_list_fini. NUCE_BAD_INPUT: one of them is missing, is a link or has a name that a
 * bundle cannot hold. */
nuce_status nuce_contents_read(const char *path, struct nuce_folder_list *out,
                               struct nuce_error *error);

#endif
