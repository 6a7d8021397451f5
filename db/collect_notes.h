/* Inside collect: what jobs noted that ended before a rank was started, and so wrote no record. */
#ifndef NUCE_COLLECT_NOTES_H
#define NUCE_COLLECT_NOTES_H

#include "db/collect_rows.h"

/* Takes jobs/JOB.prologue of the campaign, whose folder is open: a row of `job` each, whose facts
 * have the note's line as "failed". path names the folder in messages. A note that cannot be read
 * is passed over, since the job's log says the same. */
nuce_status nuce_collect_notes(struct nuce_rows *rows, int folder, const char *path,
                               const char *campaign, struct nuce_error *error);

#endif
