/* Where nuce's own files are: configs, meshes, plots, the database's SQL; and whether a file of the
 * user's is one. */
#ifndef NUCE_DATA_H
#define NUCE_DATA_H

#include "base/error.h"

/* The path of name (such as "configs/quick.yaml") below share/nuce beside the folder of the running
 * program; "" gives that folder. A new string, freed by the caller; NULL with *error only when out
 * of memory or /proc is missing. The file need not exist. */
char *nuce_data_path(const char *name, struct nuce_error *error);

/* The path of program in the folder of the running program. A new string, freed by the caller. */
char *nuce_data_program_path(const char *program, struct nuce_error *error);

/* Fails unless there is a regular file at path, and not one of the kernel's (/proc, /sys), without
 * opening it: a pipe would wait for a writer, and could not be read a second time. what names what
 * is expected there, such as "a mesh file". */
nuce_status nuce_data_check_file(const char *path, const char *what, struct nuce_error *error);

#endif
