/* From record files to the database, in any order, any number of times, by any number of
 * processes: the same records give the same content. Nothing is lost silently: lines that cannot
 * be collected are reported one by one. */
#ifndef NUCE_COLLECT_H
#define NUCE_COLLECT_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

/* A job whose prologue failed has its reason in CAMPAIGN/jobs/JOB with this ending;
 * slurm/prologue.sh writes it. */
#define NUCE_NOTE_ENDING ".prologue"

/* The counts of a collect; all of them 0 before. */
struct nuce_collect_counts {
    int64_t campaigns; /* folders with a records/ in them */
    int64_t refused;   /* others: of a campaign that is not the database's of that name */
    int64_t files;     /* record files seen */
    int64_t skipped;   /* of those: unchanged since they were collected */
    int64_t added;     /* runs that are new */
    int64_t known;     /* runs that were known already, including those of skipped files */
    int64_t torn;      /* files that end in the middle of a line */
    int64_t bad;       /* lines that could not be collected */
    int64_t damaged;   /* those of them that were altered */
};

/* One collect. The caller sets the members up to context. The results begin with counts, all 0
 * before. */
struct nuce_collect {
    struct nuce_store *store; /* open for writing, borrowed */
    const char *campaigns;    /* folder of campaigns, borrowed */
    /* Called for everything that could not be collected; one line of text, without a newline,
     * borrowed for the call. */
    void (*report)(void *context, const char *message);
    void *context;
    struct nuce_collect_counts counts;
    /* The last campaign in the order of names that brought new runs, "" if none did, and the
     * number of such campaigns, for the hint of the next command. */
    char newest[256]; /* as long as a folder's name can be */
    int64_t renewed;
};

/* Collects every CAMPAIGN/records/NAME.jsonl below the folder of campaigns, or of one campaign
 * if campaign is not NULL. Computes the derived tables again if they change. The caller commits.
 * After a failure it must not, because some of the files may have been taken.
 *
 * Bad lines and torn files are counted and reported, and are no error. A job is identified by
 * campaign and name. If two files of a campaign describe one name differently, only the first
 * that was collected is stored (by name, among new ones); the other is one bad line. A file with
 * a measured run without a race is one bad line too. Links are not followed.
 *
 * Runs of two campaigns are never pooled: a campaign of the name of one in the database that was
 * made at another time is reported and left out; if it is the one named, that is NUCE_BAD_INPUT.
 *
 * NUCE_BAD_INPUT also: no such campaign, or a file without any record. */
nuce_status nuce_collect(struct nuce_collect *collect, const char *campaign,
                         struct nuce_error *error);

#endif
