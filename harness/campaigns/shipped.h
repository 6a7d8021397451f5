/* Files that users name: their own, or those that nuce ships. */
#ifndef NUCE_SHIPPED_H
#define NUCE_SHIPPED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A kind of file that nuce ships. */
struct nuce_shipped {
    const char *folder; /* below the data folder: "configs" */
    const char *what;   /* "configuration" */
    const char *list;   /* of `nuce list`: "configs" */
    const char *ending; /* of the files: ".yaml" or ".xml" */
};

/* The names of the shipped ones, sorted: *names of *count strings, freed with
 * nuce_shipped_names_free. None if the folder is missing. */
nuce_status nuce_shipped_names(const struct nuce_shipped *shipped, char ***names, int64_t *count,
                               struct nuce_error *error);
void nuce_shipped_names_free(char **names, int64_t count);

/* The path that the shipped one called name has; whether there is one is not looked at. A new
 * string, or NULL with *error. */
char *nuce_shipped_path(const struct nuce_shipped *shipped, const char *name,
                        struct nuce_error *error);

/* What the file at path says of itself, one sentence: the first of the comment at its beginning, in
 * XML of the second comment, behind the command that wrote it. A new string, "" if there is none;
 * NULL with *error. */
char *nuce_shipped_summary(const char *path);

/* The path of what the user calls name: a file of that name wins over a shipped one. A new
 * string in *out; NUCE_BAD_INPUT, with the nearest name, if there is neither. */
nuce_status nuce_shipped_locate(const struct nuce_shipped *shipped, const char *name, char **out,
                                struct nuce_error *error);

/* The bytes of a file, at most one more than NUCE_YAML_LONGEST: that one tells nuce_yaml_parse that
 * it is too long, without reading all of what may be gigabytes. *text, NULL before, becomes a new
 * string, which ends in a NUL unless it is that long, and is freed by the caller, also on failure.
 * NUCE_BAD_INPUT: it cannot be read. */
nuce_status nuce_shipped_read(const char *path, char **text, size_t *length,
                              struct nuce_error *error);

#endif
