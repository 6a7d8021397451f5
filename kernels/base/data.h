/* Paths of nuce's own files (configs, meshes, plots, the database's SQL), and a check that a user's
 * path is a regular file. */
#ifndef NUCE_DATA_H
#define NUCE_DATA_H

#include "base/error.h"

/* The path of name (such as "configs/quick.yaml") below share/nuce, the folder next to that of the
 * running program; "" gives that folder. A new string, freed by the caller; NULL with *error only
 * without /proc. The file need not exist. */
char *nuce_data_path(const char *name, struct nuce_error *error);

/* The path of program in the folder of the running program. A new string, freed by the caller. */
char *nuce_data_program_path(const char *program, struct nuce_error *error);

/* Fails unless there is a regular file at path, outside the kernel's file systems (/proc, /sys).
 * Does not open it: a pipe would wait for a writer, and could not be read a second time. what names
 * the expected file, such as "a mesh file". */
nuce_status nuce_data_check_file(const char *path, const char *what, struct nuce_error *error);

#endif
