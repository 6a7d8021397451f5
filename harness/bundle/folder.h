/* Folders as a whole. Links are never followed. */
#ifndef NUCE_FOLDER_H
#define NUCE_FOLDER_H

#include <stdint.h>

#include "support/error.h"

struct nuce_folder_entry {
    char *path;  /* below the folder */
    int is_file; /* a regular one; else a link, a device or such */
};

struct nuce_folder_list {
    struct nuce_folder_entry *entries; /* by path, ascending; folders are none */
    int64_t count, capacity;
};

/* All that lies below the folder at path. NUCE_BAD_INPUT: it cannot be read. */
nuce_status nuce_folder_read(const char *path, struct nuce_folder_list *out,
                             struct nuce_error *error);
void nuce_folder_list_fini(struct nuce_folder_list *list);

/* Removes the folder with all that it holds. */
void nuce_folder_remove(const char *path);

/* Makes the folders above the file folder/path that are not there yet. */
nuce_status nuce_folder_make_above(const char *folder, const char *path, struct nuce_error *error);

#endif
