/* Files that users name: their own, or those that nuce ships. */
#ifndef NUCE_SHIPPED_H
#define NUCE_SHIPPED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A kind of file that nuce ships. */
struct nuce_shipped {
    const char *folder; /* below the data folder: "configs" */
    const char *what;   /* "sweep" */
    const char *list;   /* of `nuce list`: "sweeps" */
    const char *ending; /* of the files: ".yaml" or ".xml" */
};

/* The names of the shipped files, sorted: *names of *count strings, freed with
 * nuce_shipped_names_free. None if the folder is missing. */
nuce_status nuce_shipped_names(const struct nuce_shipped *shipped, char ***names, int64_t *count,
                               struct nuce_error *error);
void nuce_shipped_names_free(char **names, int64_t count);

/* The path of the shipped file called name, whether it exists or not. A new string, or NULL with
 * *error. */
char *nuce_shipped_path(const struct nuce_shipped *shipped, const char *name,
                        struct nuce_error *error);

/* The file's description of itself, one sentence: the first of the comment at its beginning; in
 * XML, of the second comment, after the command that wrote the file. A new string, "" if there is
 * none; NULL with *error. */
char *nuce_shipped_summary(const char *path);

/* The path of the file that the user calls name: an existing file wins over a shipped one. A new
 * string in *out; NUCE_BAD_INPUT, with the nearest name, if neither exists. */
nuce_status nuce_shipped_locate(const struct nuce_shipped *shipped, const char *name, char **out,
                                struct nuce_error *error);

/* Reads a file, at most NUCE_YAML_LONGEST bytes and one more: by it nuce_yaml_parse sees that the
 * file is too long, without reading gigabytes. *text, NULL before, becomes a new string, freed by
 * the caller, also on failure. It ends in a NUL unless it is that long. NUCE_BAD_INPUT: it cannot
 * be read. */
nuce_status nuce_shipped_read(const char *path, char **text, size_t *length,
                              struct nuce_error *error);

#endif
