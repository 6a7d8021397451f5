/* Files that are either complete or absent. */
#ifndef NUCE_SAFE_FILE_H
#define NUCE_SAFE_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Writes length bytes at data to folder/name through folder/.name.new: written, synchronised,
 * renamed, the folder synchronised. On failure nothing is left. */
nuce_status nuce_safe_write(const char *folder, const char *name, const void *data, size_t length,
                            struct nuce_error *error);

/* The same for a file by its path. */
nuce_status nuce_safe_write_path(const char *path, const void *data, size_t length,
                                 struct nuce_error *error);

/* Calls synchronise, fsync or syncfs, for a folder. A folder that cannot be synchronised (some
 * network file systems) is not a failure. */
void nuce_safe_synchronise(const char *folder, int (*synchronise)(int descriptor));

#endif
