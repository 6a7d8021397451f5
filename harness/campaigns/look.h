/* How to look at what the database holds. */
#ifndef NUCE_LOOK_H
#define NUCE_LOOK_H

#include "support/error.h"

/* The commands that show the runs of campaign (NULL: of several) in the database file, with commas
 * between them: the table, and figure, that is nearest to its sweep and has rows, else the points;
 * and the report. A new string, or NULL with *error. */
char *nuce_look(const char *database, const char *campaign, struct nuce_error *error);

/* Says them on stderr. */
void nuce_look_print(const char *database, const char *campaign);

#endif
