/* Inside collect: the folders and files of campaigns. */
#ifndef NUCE_COLLECT_FILES_H
#define NUCE_COLLECT_FILES_H

#include <stddef.h>

#include "base/error.h"

/* Names of a folder's entries, without the folder; all zero: none. */
struct nuce_file_names {
    char **names; /* ascending */
    size_t count;
};

/* The entries of the open folder that end in ending ("": all) and do not begin with a dot: files
 * and folders alike. path names the folder in messages. The descriptor stays open. Released with
 * nuce_file_names_fini. NUCE_FAILED: the folder cannot be read. */
nuce_status nuce_collect_names_read(int folder, const char *path, const char *ending,
                                    struct nuce_file_names *out, struct nuce_error *error);
/* Accepts one that is all zero, and leaves it so. */
void nuce_file_names_fini(struct nuce_file_names *names);

#endif
