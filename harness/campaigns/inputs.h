/* The files that points name (meshes, networks, topologies, COM files), kept with their campaign.
 *
 *   PATH/inputs/HASH/NAME   a copy, by the beginning of its SHA-256; in the plan "inputs/HASH/NAME"
 *
 * A point's identity holds a file's name and SHA-256: a copy of the same name is the same point. */
#ifndef NUCE_INPUTS_H
#define NUCE_INPUTS_H

#include <jansson.h>

#include "base/error.h"

#define NUCE_INPUTS_FOLDER "inputs"

/* The line of a plan as the campaign at path keeps it: files that its params name are copied there,
 * unless kept has them, and named by their copies. A file that is large, or whose name a bundle
 * could not hold, stays where it is. kept is an object: the user's path -> the copy's name in
 * plans. A new reference; NULL with *error. */
json_t *nuce_inputs_keep(const char *path, const json_t *line, json_t *kept,
                         struct nuce_error *error);

/* Keeps a copy of the file taken, "NAME@SHA-256" as records say it, of folder in the campaign at
 * path, unless there is one: a network that was found at a launch, which no point names.
 * NUCE_BAD_INPUT: the folder has no such file, or it is another by now. */
nuce_status nuce_inputs_keep_taken(const char *path, const char *folder, const char *taken,
                                   struct nuce_error *error);

/* "inputs/HASH/NAME", where the copy of "NAME@SHA-256" is. A new string; NULL: taken is none such,
 * or out of memory. */
char *nuce_inputs_name_of_taken(const char *taken);

/* The line as a program started anywhere is given it: copies by their path. A new reference; NULL
 * when out of memory. */
json_t *nuce_inputs_resolve(const char *path, json_t *line);

/* Removes the copies of kept again, and their folders: of a campaign that could not be made. */
void nuce_inputs_remove(const char *path, const json_t *kept);

/* Whether name, a path in a campaign's folder, is one of a copy. */
int nuce_inputs_is_name(const char *name);

#endif
