/* Collecting as `collect`, `run` and `resume` do it. */
#ifndef NUCE_GATHER_H
#define NUCE_GATHER_H

/* Reads the records of campaign (NULL: of all) below the folder campaigns into the database file,
 * and says on stderr what came of it. Returns the exit status: 1 also if a line could not be
 * collected. */
int nuce_gather(const char *database, const char *campaigns, const char *campaign);

#endif
