/* A point of a campaign, and what its records say. */
#ifndef NUCE_CAMPAIGN_POINT_H
#define NUCE_CAMPAIGN_POINT_H

#include <jansson.h>
#include <stdint.h>

#include "base/hash.h"
#include "points/workload.h"

/* The state of a point, by records, submissions and Slurm (campaigns/overview.h). */
enum nuce_stand {
    NUCE_STAND_DONE,    /* has a run with status ok of each launch */
    NUCE_STAND_RUNNING, /* in flight in a live job */
    NUCE_STAND_QUEUED,  /* its job is pending, or runs and has not reached it */
    NUCE_STAND_FAILED,  /* has runs that went wrong, too few ok runs, and no live job that will run
                           it again */
    NUCE_STAND_MISSING, /* has no run that went wrong (some may have been stopped), too few ok runs,
                           and no live job */
    NUCE_STANDS,
};

/* A point of the plan, and its results in the records read so far. */
struct nuce_campaign_point {
    char id[NUCE_HASH_BYTES];
    int ranks;
    json_t *line; /* its line of the plan: "params" and "measure" as the program gets them; owned */
    const struct nuce_workload_ops *workload;
    int64_t race;       /* number of its race, shared by its contenders, which are neighbours in the
                           plan */
    int64_t wanted;     /* good runs, each of another launch; 0: it only races against others */
    json_t *launches;   /* the jobs with a good run of it, as keys; the value is the part "NNNN-K"
                           in whose records it is, or true without a part; owned, NULL: none */
    json_t *costs;      /* of a race that ends when it is known: job -> a good run (ending.c), also
                           of other parts; owned, NULL: none */
    const char *ended;  /* of such a race: "known", "budget" or "most-launches"; "open": it goes on;
                           NULL: not said yet */
    const char *status; /* "ok" with enough good runs; else that of another run, one of
                           nuce_record_statuses; NULL: no run */
    char *message;      /* the recorded reason of that status; owned, NULL: not known */
    int is_refused;     /* that run was refused: a repetition would be refused too */
    int64_t runs;       /* recorded runs */
    int64_t lost;  /* of these that died with their job; one that was told to stop has a time */
    double wall_s; /* mean of its good runs, set-up and verification included; 0: not known */
    int attempted; /* a run went wrong since the campaign was opened: no further attempt */
    enum nuce_stand stand; /* set by nuce_overview_join, as stands below */
    int64_t unheld;        /* good runs that it lacks and no job holds; set by nuce_overview_join */
};

/* The number of its good runs, and of those that it lacks. */
int64_t nuce_campaign_good(const struct nuce_campaign_point *point);
int64_t nuce_campaign_lacks(const struct nuce_campaign_point *point);

/* The number of its good runs in the records of part, "NNNN-K". */
int64_t nuce_campaign_good_of_part(const struct nuce_campaign_point *point, const char *part);

/* True if it lacks a run. */
int nuce_campaign_is_missing(const struct nuce_campaign_point *point);

#endif
