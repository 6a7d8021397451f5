/* A campaign: one sweep submitted once, as a folder.
 *
 *   DIR/NAME.K/campaign.json   {"campaign","name","created","workload","sweep_sha256","points",
 *                              "launches","seed","slurm","launcher","profile"}
 *              sweep.yaml      the sweep file as it was
 *              plan.jsonl      frozen: a line a point, in the order in which they run; written
 *                              last, so a folder with it is complete
 *              inputs/         copies of the files that points name (campaigns/inputs.h)
 *              records/        what ran (kernels/base/record.h): the truth
 *              launches/       LABEL.jsonl: the lines of the plan that one launch was given
 *              logs/           LABEL.out and LABEL.err of each launch
 *              jobs/           what was given to Slurm (campaigns/submission.h)
 *              lock            held (flock) by the nuce that runs or submits it
 *              imported        there if it came in a bundle: it is read, never run, and nothing
 *                              that it names (launcher, profile) is started
 *
 * Files are written whole or not at all and never changed, but for records and logs, which only
 * grow. What a point has come to is not stored anywhere: it is what the records say, whenever they
 * are read. */
#ifndef NUCE_CAMPAIGN_H
#define NUCE_CAMPAIGN_H

#include <jansson.h>
#include <stdint.h>

#include "base/option.h"
#include "campaigns/config.h"
#include "campaigns/launchers.h"

/* Where a point stands, by records, submissions and Slurm (campaigns/overview.h). */
enum nuce_stand {
    NUCE_STAND_DONE,    /* has a run with status ok of each launch */
    NUCE_STAND_RUNNING, /* in flight in a live job */
    NUCE_STAND_QUEUED,  /* its job is pending, or runs and has not come to it */
    NUCE_STAND_FAILED,  /* has runs that went wrong, too few that are ok, and no live job that
                           will run it again */
    NUCE_STAND_MISSING, /* has none that went wrong (some may have been stopped), too few that are
                           ok, and no live job */
    NUCE_STANDS,
};

/* A point of the plan, and what the records that were read say of it. */
struct nuce_campaign_point {
    char id[NUCE_HASH_BYTES];
    int ranks;
    json_t *line; /* of the plan: its "params" and "measure" as the program is given them; owned */
    const struct nuce_workload_ops *workload;
    int64_t heat;       /* its number: contenders of one heat, neighbours in the plan, share it */
    int64_t wanted;     /* good runs, each of another launch; 0: it is there for others to race */
    json_t *launches;   /* the jobs that it had a good run in, as keys; a value is the part whose
                           records say so, "NNNN-K", or true where they are of none; owned, NULL:
                           none */
    const char *status; /* "ok" with as many as are wanted; else of a run that was not good, one of
                           nuce_record_statuses; NULL: there is none */
    char *message;      /* why that run was not good, as recorded; owned, NULL: not known */
    int is_refused;     /* that run was refused: the same run again would be */
    int64_t runs;       /* that were recorded */
    double wall_s;      /* mean of its good runs, set-up and verification included; 0: not known */
    int attempted;      /* a run went wrong since the campaign was opened: it gets no other */
    enum nuce_stand stand; /* set by nuce_overview_join, as stands below */
};

/* Room for the name of a part of a job, "NNNN-K": its submission's number and its place in the
 * array. */
#define NUCE_PART_BYTES 32

/* A campaign in memory. Freed with nuce_campaign_fini. imported: 1: it came in a bundle, and is
 * only read. points are in the order of the plan. What is pointed to is owned, but for the
 * launcher. */
struct nuce_campaign {
    char *path;
    char name[NUCE_NAME_BYTES]; /* NAME.K */
    char part[NUCE_PART_BYTES]; /* "NNNN-K" when only that part of a job was opened; else "" */
    json_t *description;        /* campaign.json */
    const struct nuce_launcher_ops *launcher; /* how its ranks are started; NULL: a way that this
                                                 nuce does not know */
    int imported;
    int lock; /* descriptor, -1: not held */
    struct nuce_campaign_point *points;
    int64_t count, capacity;
    int64_t *by_id;              /* count: indices of points, ids ascending */
    int64_t stands[NUCE_STANDS]; /* points that stand so */
    int64_t torn_records;        /* record files that end in the middle of a line */
    int64_t damaged_records;     /* lines of record files whose checksum does not fit them */
};

/* Makes DIR/NAME.K for the next free K, locked. profile (borrowed) is how its jobs are submitted to
 * Slurm, as nuce_profile_to_json writes it; NULL: it runs on this machine. A crash or a full disk
 * leaves no folder that looks complete; any other failure removes what was made. Freed with
 * nuce_campaign_fini. */
nuce_status nuce_campaign_create(const char *folder, const struct nuce_config *config,
                                 json_t *profile, struct nuce_campaign *out,
                                 struct nuce_error *error);

/* The path that nuce_campaign_create would give its folder now, unless somebody else is faster; for
 * dry runs. A new string. */
char *nuce_campaign_next_path(const char *folder, const char *name);

enum nuce_campaign_use {
    NUCE_CAMPAIGN_RUN,  /* locked; one that runs here is refused while somebody still writes records
                         */
    NUCE_CAMPAIGN_READ, /* not locked: others may change it meanwhile */
};

/* Opens the campaign that the user calls name: a path (with a slash), a name below folder, that of
 * a sweep for its newest campaign there, or NULL for the newest of all. Refuses to lock one that
 * another nuce has locked (NUCE_FAILED), or that was imported (NUCE_BAD_INPUT). Reads the plan and
 * the records. Freed with nuce_campaign_fini. */
nuce_status nuce_campaign_open(const char *folder, const char *name, enum nuce_campaign_use use,
                               struct nuce_campaign *out, struct nuce_error *error);

/* Reads the records again: what has been measured since the campaign was opened. Which points were
 * attempted stays as it is. */
nuce_status nuce_campaign_refresh(struct nuce_campaign *campaign, struct nuce_error *error);

/* Opens one part of a job of the campaign at path: its points are those of jobs/PART.jsonl, each
 * with as many runs wanted as the line says, its records those whose files are called PART-...
 * Holds jobs/PART.lock; refused while another job does, or still writes records of that part. Freed
 * with nuce_campaign_fini. */
nuce_status nuce_campaign_open_part(const char *path, const char *part, struct nuce_campaign *out,
                                    struct nuce_error *error);

/* The points of plan as a campaign that is not there: path and name are what it would have. Freed
 * with nuce_campaign_fini. */
void nuce_campaign_imagine(const char *path, const struct nuce_config *config,
                           struct nuce_campaign *out);

/* Files of a campaign whose machine is simulated. */
#define NUCE_PLATFORM_FILE "platform.xml"
#define NUCE_PLATFORM_HOSTS "platform.hosts"
#define NUCE_PLATFORM_FACTS "platform.json"

/* An empty file that says so (above). */
#define NUCE_CAMPAIGN_IMPORTED "imported"

/* The kind of its runs, as their records have it; where its launcher is not known "measured". */
const char *nuce_campaign_kind(const struct nuce_campaign *campaign);

/* Whether its points are neither modelled nor simulated, but measured. */
int nuce_campaign_is_measured(const struct nuce_campaign *campaign);

/* Whether its jobs go to Slurm; not where it was imported. */
int nuce_campaign_is_slurm(const struct nuce_campaign *campaign);

/* Unlocks and frees; accepts an all zero one with lock -1. */
void nuce_campaign_fini(struct nuce_campaign *campaign);

/* The index of the point with that id, or -1. */
int64_t nuce_campaign_find(const struct nuce_campaign *campaign, const char *id);

/* The index of the point whose run record is, or -1 if it is no valid record of kind "run", or none
 * of this plan's. */
int64_t nuce_campaign_find_run(const struct nuce_campaign *campaign, const json_t *record);

/* Takes the run record of that point into account, as if it had been read from a file: a valid one
 * (nuce_campaign_find_run). */
void nuce_campaign_note(struct nuce_campaign *campaign, int64_t point, const json_t *record);

/* The params of point that make its instance: points that have them, their workload and their ranks
 * in common are contenders of one heat. A new reference. */
json_t *nuce_campaign_instance(const struct nuce_campaign_point *point);

/* How many good runs it has, and how many it lacks. */
int64_t nuce_campaign_good(const struct nuce_campaign_point *point);
int64_t nuce_campaign_lacks(const struct nuce_campaign_point *point);

/* How many of these good runs are in the records of part, "NNNN-K". */
int64_t nuce_campaign_good_of_part(const struct nuce_campaign_point *point, const char *part);

/* The runs of all points. */
struct nuce_campaign_runs {
    int64_t wanted; /* good ones, and how many of these there are */
    int64_t had;
    int64_t refused; /* of those that are lacking: they would be refused again */
    int64_t most;    /* launches of the point that is to have most of them */
};
struct nuce_campaign_runs nuce_campaign_runs(const struct nuce_campaign *campaign);

/* Whether it lacks a run. */
int nuce_campaign_is_missing(const struct nuce_campaign_point *point);

/* Whether all that speaks against it is that its runs were stopped: nothing is wrong with it. */
int nuce_campaign_is_stopped(const struct nuce_campaign_point *point);

/* Whether a nuce holds the campaign's lock: it runs or submits it now. */
int nuce_campaign_is_held(const struct nuce_campaign *campaign);

/* Its status in a word or a few: that of the point, "refused", "not run", or "too few launches". */
const char *nuce_campaign_stands(const struct nuce_campaign_point *point);

/* The line of the plan for one part of a job: point is to have wanted runs there. A new
 * reference. */
json_t *nuce_campaign_part_line(const struct nuce_campaign_point *point, int64_t wanted);

/* The number of the next launch: one more than any that left a trace. */
nuce_status nuce_campaign_next_launch(const struct nuce_campaign *campaign, int *out,
                                      struct nuce_error *error);

/* PATH/FOLDER/NAME+ENDING, such as logs/0003.err. A new string. */
char *nuce_campaign_file(const struct nuce_campaign *campaign, const char *folder, const char *name,
                         const char *ending);

/* Whether name, a directory entry of records/, is a record file. */
int nuce_campaign_is_record_file(const char *name);

/* Shared by opening and making a campaign. */

/* Takes the lock of the folder at campaign->path, or that of the campaign's part; it goes with
 * nuce_campaign_fini. NUCE_FAILED where another process has it. */
nuce_status nuce_campaign_lock(struct nuce_campaign *campaign, struct nuce_error *error);

/* Fills in wanted and heat of all points, from their lines and from the launcher: how many runs
 * each is to have, and which of them, all neighbours, race. */
void nuce_campaign_number(struct nuce_campaign *campaign);

/* Reads description, plan and records into *campaign, whose path, part and imported are set. On
 * failure it holds what was read so far, for nuce_campaign_fini. */
nuce_status nuce_campaign_load(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                               struct nuce_error *error);

#endif
