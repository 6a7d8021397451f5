/* The end of what fills the database: how to look at it. */
#ifndef NUCE_LOOK_H
#define NUCE_LOOK_H

/* Says on stderr, in one line, what shows the runs of campaign (NULL: of several) in the database
 * file: the table, and figure, that is nearest to its sweep and has rows; else the points. */
void nuce_look_print(const char *database, const char *campaign);

#endif
