/* The entries of a folder. */
#ifndef NUCE_FOLDER_H
#define NUCE_FOLDER_H

#include <dirent.h>

#include "base/error.h"

/* Sorted by strcmp, since a folder gives its entries in any order, and results must not depend on
 * it. Without "." and "..". */
struct nuce_folder {
    char *path;
    struct dirent **entries; /* names: entries[i]->d_name */
    int count;
    int is_there; /* 0: there is no such folder */
};

/* Reads the folder whose path the format makes, as printf does. A missing folder has no entries.
 * NUCE_BAD_INPUT if it cannot be read. *out is always valid to iterate over, and is freed with
 * nuce_folder_fini. */
nuce_status nuce_folder_read(struct nuce_folder *out, struct nuce_error *error, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));
/* The same of an open folder, which stays open; path names it in messages. NUCE_FAILED if it cannot
 * be read. */
nuce_status nuce_folder_read_at(struct nuce_folder *out, int descriptor, const char *path,
                                struct nuce_error *error);
void nuce_folder_fini(struct nuce_folder *folder);

#endif
