/* Writing the archive: a gzip'd tar whose bytes depend on nothing but its content. */
#ifndef NUCE_PACK_H
#define NUCE_PACK_H

#include <stddef.h>

#include "support/error.h"

struct nuce_pack;

/* Creates the file at path, which must not exist. NULL with *error. Ended by nuce_pack_finish or
 * nuce_pack_abandon. */
struct nuce_pack *nuce_pack_create(const char *path, struct nuce_error *error);

/* Adds the file of that name with length bytes at data. */
nuce_status nuce_pack_add(struct nuce_pack *pack, const char *name, const void *data, size_t length,
                          struct nuce_error *error);

/* Writes the end, synchronises and closes; on failure the file is removed. Frees pack. */
nuce_status nuce_pack_finish(struct nuce_pack *pack, struct nuce_error *error);

/* Removes the file again and frees pack. */
void nuce_pack_abandon(struct nuce_pack *pack);

#endif
