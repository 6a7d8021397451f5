/* What is in a folder. */
#ifndef NUCE_FOLDER_H
#define NUCE_FOLDER_H

#include <dirent.h>

#include "base/error.h"

/* In the order of strcmp, since a folder gives its entries in any: what comes of one must not
 * depend on it. Without "." and "..". */
struct nuce_folder {
    char *path;
    struct dirent **entries; /* names: entries[i]->d_name */
    int count;
    int is_there; /* 0: there is no such folder */
};

/* Reads the folder whose path the format, as of printf, makes; one that is not there has no
 * entries. NUCE_BAD_INPUT if it cannot be read. Whatever is returned, *out can be gone through, and
 * is freed with nuce_folder_fini. */
nuce_status nuce_folder_read(struct nuce_folder *out, struct nuce_error *error, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));
void nuce_folder_fini(struct nuce_folder *folder);

#endif
