/* The commands that show the database's content. */
#ifndef NUCE_NEXT_COMMANDS_H
#define NUCE_NEXT_COMMANDS_H

#include "results/plot.h"

/* The table, or figure, of the list that is nearest to the campaign's sweep and has rows of it in
 * the database file; NULL: there is none. Borrowed from the list. */
const struct nuce_plot *nuce_next_commands_plot(const struct nuce_plot_list *list,
                                                const char *database, const char *campaign);

/* The commands that show the runs of campaign (NULL: of several) in the database file, with commas
 * between them. They are the table, and figure, nearest to its sweep with rows, else the points;
 * and the report. A new string. */
char *nuce_next_commands(const char *database, const char *campaign);

/* Prints them on stderr. */
void nuce_next_commands_print(const char *database, const char *campaign);

#endif
