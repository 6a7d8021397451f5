/* Collects records for `collect`, `run` and `resume`. */
#ifndef NUCE_COLLECT_RECORDS_H
#define NUCE_COLLECT_RECORDS_H

#include "base/error.h"

enum nuce_collect_records_use {
    NUCE_COLLECT_RECORDS_ALONE,    /* a damaged line is a failure, because a run is missing */
    NUCE_COLLECT_RECORDS_AFTER_RUN /* it is reported, and its runs have been repeated */
};

/* NUCE_BAD_INPUT, with the option's name, if nothing could be collected into the database file: for
 * callers that do something else first. */
nuce_status nuce_collect_records_check(const char *database, struct nuce_error *error);

/* Reads the records of campaign (NULL: of all) below the folder campaigns into the database file,
 * and reports the result on stderr. Returns the exit status: 1 also if a line could not be
 * collected, subject to use; 2 if the database has another campaign of the name of one. */
int nuce_collect_records(const char *database, const char *campaigns, const char *campaign,
                         enum nuce_collect_records_use use);

#endif
