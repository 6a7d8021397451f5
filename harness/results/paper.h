/* The papers' own numbers. */
#ifndef NUCE_PAPER_H
#define NUCE_PAPER_H

#include "base/error.h"
#include "db/store.h"

/* Loads the TSV at path into the temporary table `paper`, which is made if there is none and else
 * must have its columns: lines that begin with # are comments, the first other line names the
 * columns; numbers become numbers, empty fields NULL. NUCE_BAD_INPUT names file and line; rows
 * before it are in the table then. */
nuce_status nuce_paper_load(struct nuce_store *store, const char *path, struct nuce_error *error);

#endif
