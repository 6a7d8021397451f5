/* Inside collect: the folders and files of campaigns. */
#ifndef NUCE_COLLECT_FILES_H
#define NUCE_COLLECT_FILES_H

#include <stddef.h>

#include "support/error.h"

struct nuce_file_names {
    char **names; /* ascending */
    size_t count;
};

/* The entries of the open folder that end in ending and do not begin with a dot. The descriptor
 * stays open. Released with nuce_file_names_fini. */
nuce_status nuce_collect_names_read(int folder, const char *path, const char *ending,
                                    struct nuce_file_names *out, struct nuce_error *error);
void nuce_file_names_fini(struct nuce_file_names *names);

#endif
