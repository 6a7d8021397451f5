/* From record files to the database. Any order, any number of times, any number of processes: the
 * same records give the same content. Nothing is lost silently: what cannot be collected is
 * reported, line by line. */
#ifndef NUCE_COLLECT_H
#define NUCE_COLLECT_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

/* A job whose prologue failed leaves its reason in CAMPAIGN/jobs/JOB and this ending;
 * slurm/prologue.sh writes it. */
#define NUCE_NOTE_ENDING ".prologue"

/* What a collect came to; all of them 0 before. */
struct nuce_collect_counts {
    int64_t campaigns; /* folders with a records/ in them */
    int64_t files;     /* record files seen */
    int64_t skipped;   /* of those: unchanged since they were collected */
    int64_t added;     /* runs that are new */
    int64_t known;     /* runs that were there already, those of skipped files included */
    int64_t torn;      /* files that end in the middle of a line */
    int64_t bad;       /* lines that could not be collected */
    int64_t damaged;   /* those of them that are not as they were written */
};

/* One collect. Up to context the caller sets it; from counts on it is what came of it, all of it 0
 * before. */
struct nuce_collect {
    struct nuce_store *store; /* open for writing, borrowed */
    const char *campaigns;    /* folder of campaigns, borrowed */
    /* Called for each thing that could not be collected; one line of text, without a newline,
     * borrowed for the call. */
    void (*report)(void *context, const char *message);
    void *context;
    struct nuce_collect_counts counts;
    /* The last campaign in the order of names that brought new runs, "" if none did, and how many
     * campaigns did. For the hint of what to look at next. */
    char newest[256]; /* as long as a folder's name can be */
    int64_t renewed;
};

/* Collects every CAMPAIGN/records/NAME.jsonl below the folder of campaigns, or of one campaign if
 * campaign is not NULL, and computes the derived tables anew where they change. The caller commits;
 * after a failure the caller must not, since a part of the files may have been taken.
 *
 * Bad lines and torn files are counted and reported, and are no error. A job is known by campaign
 * and name: of two files of a campaign that describe one name differently only the first that was
 * collected (by name, of those that are new) is stored, the other is one bad line. A file with a
 * measured run that has no heat is one bad line too. Links are not followed.
 *
 * NUCE_BAD_INPUT: no such campaign, or a file that holds no record at all. */
nuce_status nuce_collect(struct nuce_collect *collect, const char *campaign,
                         struct nuce_error *error);

#endif
