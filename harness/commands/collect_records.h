/* Collecting as `collect`, `run` and `resume` do it. */
#ifndef NUCE_COLLECT_RECORDS_H
#define NUCE_COLLECT_RECORDS_H

enum nuce_collect_records_use {
    NUCE_COLLECT_RECORDS_ALONE,    /* a damaged line is a failure, since a run is missing */
    NUCE_COLLECT_RECORDS_AFTER_RUN /* it is reported, and what it held has been run again */
};

/* Reads the records of campaign (NULL: of all) below the folder campaigns into the database file,
 * and says on stderr what came of it. Returns the exit status: 1 also if a line could not be
 * collected, with the exception of use. */
int nuce_collect_records(const char *database, const char *campaigns, const char *campaign,
                         enum nuce_collect_records_use use);

#endif
