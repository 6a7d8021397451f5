/* The files that points name (meshes, networks, topologies, COM files), kept with their campaign.
 *
 *   PATH/inputs/HASH/NAME   a copy, by the beginning of its SHA-256; in the plan "inputs/HASH/NAME"
 *
 * A point's identity holds a file's name and SHA-256, so a copy with the same name gives the same
 * point. */
#ifndef NUCE_INPUTS_H
#define NUCE_INPUTS_H

#include <jansson.h>

#include "base/error.h"

#define NUCE_INPUTS_FOLDER "inputs"

/* The line of a plan as the campaign at path keeps it. Copies the files of its params there, unless
 * kept has them, and names the copies in the line. A large file, or one whose name a bundle could
 * not hold, stays in place. kept is an object: the user's path -> the copy's name in plans. A new
 * reference; NULL with *error. */
json_t *nuce_inputs_keep(const char *path, const json_t *line, json_t *kept,
                         struct nuce_error *error);

/* Keeps a copy of the file taken, "NAME@SHA-256" as in records, from folder in the campaign at
 * path, unless the copy exists. It is for a network found at a launch, which no point names.
 * NUCE_BAD_INPUT: folder lacks the file, or its content has changed. */
nuce_status nuce_inputs_keep_taken(const char *path, const char *folder, const char *taken,
                                   struct nuce_error *error);

/* "inputs/HASH/NAME", the place of the copy of "NAME@SHA-256". A new string; NULL: taken has
 * another form. */
char *nuce_inputs_name_of_taken(const char *taken);

/* The line for a program started in any folder: copies by their absolute path. A new reference;
 * NULL when out of memory. */
json_t *nuce_inputs_resolve(const char *path, json_t *line);

/* Removes the copies of kept and their folders again, for a campaign that could not be made. */
void nuce_inputs_remove(const char *path, const json_t *kept);

/* True if name, a path in a campaign's folder, has the form of a copy's. */
int nuce_inputs_is_name(const char *name);

#endif
