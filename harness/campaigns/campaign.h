/* A campaign: one sweep submitted once, as a folder.
 *
 *   DIR/NAME.K/campaign.json   {"campaign","name","created","workload","sweep_sha256","points",
 *                              "launches","seed","slurm","launcher","profile"}
 *              sweep.yaml      the sweep file at that time
 *              plan.jsonl      frozen: a line per point, in the order in which they run; written
 *                              last, so a folder with it is complete
 *              inputs/         copies of the files that points name (campaigns/inputs.h)
 *              records/        the results (kernels/base/record.h): the only truth
 *              launches/       LABEL.jsonl: the lines of the plan for one launch
 *              logs/           LABEL.out and LABEL.err of each launch
 *              jobs/           files for Slurm (campaigns/submission.h)
 *              lock            held (flock) by the nuce that runs or submits it
 *              imported        marks a campaign from a bundle: nuce reads it and never runs it,
 *                              nor starts any program that it names (launcher, profile)
 *
 * Files are written whole or not at all, and never change; only records and logs grow. The state of
 * a point is not stored: the records give it whenever they are read. */
#ifndef NUCE_CAMPAIGN_H
#define NUCE_CAMPAIGN_H

#include <jansson.h>
#include <stdint.h>

#include "base/option.h"
#include "campaigns/campaign_point.h"
#include "campaigns/config.h"
#include "campaigns/launchers.h"

/* Bytes for the name of a part of a job, "NNNN-K": its submission's number and its place in the
 * array. */
#define NUCE_PART_BYTES 32

/* A campaign in memory. Freed with nuce_campaign_fini. imported is 1 if it came in a bundle, and is
 * only read. points are in the order of the plan. All pointers are owned, except the launcher. */
struct nuce_campaign {
    char *path;
    char name[NUCE_NAME_BYTES]; /* NAME.K, that of its folder */
    char id[NUCE_NAME_BYTES];   /* NAME.K in its records and in databases: its name when made */
    char part[NUCE_PART_BYTES]; /* "NNNN-K" when only that part of a job was opened; else "" */
    json_t *description;        /* campaign.json */
    const struct nuce_launcher_ops *launcher; /* starts its ranks; NULL: unknown to this nuce */
    int imported;
    int lock; /* descriptor, -1: not held */
    struct nuce_campaign_point *points;
    int64_t count, capacity;
    json_t *by_id;               /* id -> index of the point */
    int64_t stands[NUCE_STANDS]; /* points in each state */
    int64_t torn_records;        /* record files that end in the middle of a line */
    int64_t damaged_records;     /* lines of record files with a wrong checksum */
    double starts_s;             /* time to start ranks, a sum over launches */
    int64_t started_runs;        /* good runs of these launches */
};

/* NUCE_BAD_INPUT if no campaign could be made in the folder of campaigns. It may be missing, but
 * not the folder that it would be in. */
nuce_status nuce_campaign_check_folder(const char *folder, struct nuce_error *error);

/* Makes DIR/NAME.K for the next free K above config->taken, locked. profile (borrowed) holds the
 * settings for Slurm, as nuce_profile_to_json writes it; NULL: the campaign runs on this machine. A
 * crash or a full disk leaves no folder that looks complete; any other failure removes the new
 * files. Freed with nuce_campaign_fini. */
nuce_status nuce_campaign_create(const char *folder, const struct nuce_config *config,
                                 json_t *profile, struct nuce_campaign *out,
                                 struct nuce_error *error);

/* The path that nuce_campaign_create would choose now, for dry runs; another nuce may take it
 * first. A new string. */
char *nuce_campaign_next_path(const char *folder, const struct nuce_config *config);

/* The folder of the campaign that the user calls name: a path (with a slash), a name below folder,
 * that of a sweep for its newest campaign there, or NULL for the newest of all. A new string. */
nuce_status nuce_campaign_locate(const char *folder, const char *name, char **out,
                                 struct nuce_error *error);

enum nuce_campaign_use {
    NUCE_CAMPAIGN_RUN,  /* locked; refused if the campaign runs here and another process still
                           writes records */
    NUCE_CAMPAIGN_READ, /* not locked: other processes may change it meanwhile */
};

/* Seconds to start the ranks of a launch: from plan, its file in launches/, which is written just
 * before, to its first record "begin". NaN: not known. */
double nuce_campaign_start_s(const char *plan, const json_t *begin);

/* Opens the campaign that the user calls name. name is a path (with a slash), a campaign below
 * folder, a sweep for its newest campaign there, or NULL for the newest of all. Refuses to lock one
 * that another nuce has locked (NUCE_FAILED), or an imported one (NUCE_BAD_INPUT). Reads the plan
 * and the records. Freed with nuce_campaign_fini. */
nuce_status nuce_campaign_open(const char *folder, const char *name, enum nuce_campaign_use use,
                               struct nuce_campaign *out, struct nuce_error *error);

/* Reads the records again, for runs since the campaign was opened. The mark `attempted` of points
 * stays. */
nuce_status nuce_campaign_refresh(struct nuce_campaign *campaign, struct nuce_error *error);

/* Opens one part of a job of the campaign at path. Its points are those of jobs/PART.jsonl, each
 * with the number of runs that its line wants. Its records are the files named PART-... Holds
 * jobs/PART.lock; refused while another job holds it or still writes records of that part. A race
 * that ends when it is known goes by the records of all parts. Freed with nuce_campaign_fini. */
nuce_status nuce_campaign_open_part(const char *path, const char *part, struct nuce_campaign *out,
                                    struct nuce_error *error);

/* Makes a campaign of the points of plan without a folder; path and name are those that it would
 * have. Freed with nuce_campaign_fini. */
void nuce_campaign_imagine(const char *path, const struct nuce_config *config,
                           struct nuce_campaign *out);

/* Files of a campaign whose machine is simulated. */
#define NUCE_PLATFORM_FILE "platform.xml"
#define NUCE_PLATFORM_HOSTS "platform.hosts"
#define NUCE_PLATFORM_FACTS "platform.json"

/* An empty file that marks an import (above). */
#define NUCE_CAMPAIGN_IMPORTED "imported"

/* The kind of its runs, as in their records; "measured" if its launcher is unknown. */
const char *nuce_campaign_kind(const struct nuce_campaign *campaign);

/* True if its points are measured: neither modelled nor simulated. */
int nuce_campaign_is_measured(const struct nuce_campaign *campaign);

/* When it was made, which tells it from another one of its id; NULL: unknown. Borrowed. */
const char *nuce_campaign_created(const struct nuce_campaign *campaign);

/* True if its jobs go to Slurm; false for an imported campaign. */
int nuce_campaign_is_slurm(const struct nuce_campaign *campaign);

/* Unlocks and frees; accepts an all zero struct with lock -1. */
void nuce_campaign_fini(struct nuce_campaign *campaign);

/* The index of the point with that id, or -1. */
int64_t nuce_campaign_find(const struct nuce_campaign *campaign, const char *id);

/* The index of the point of the run record. -1 if it is not a valid record of kind "run", or its
 * point is not in this plan. */
int64_t nuce_campaign_find_run(const struct nuce_campaign *campaign, const json_t *record);

/* Adds the run record of that point, as if it came from a file. It must be valid
 * (nuce_campaign_find_run). */
void nuce_campaign_note(struct nuce_campaign *campaign, int64_t point, const json_t *record);

/* The params of point that make its instance. Points with the same instance, workload and ranks are
 * contenders of one race. A new reference. */
json_t *nuce_campaign_instance(const struct nuce_campaign_point *point);

/* The runs of all points. */
struct nuce_campaign_runs {
    int64_t wanted; /* good runs wanted, and those that exist */
    int64_t had;
    int64_t refused; /* missing runs that would be refused again */
    int64_t most;    /* largest number of launches of a point */
    int is_open;     /* wanted is the most: a race ends when it is known */
};
struct nuce_campaign_runs nuce_campaign_runs(const struct nuce_campaign *campaign);

/* True if the point is incomplete only because its runs were interrupted. */
int nuce_campaign_is_stopped(const struct nuce_campaign_point *point);

/* True if a nuce holds the campaign's lock: it runs or submits the campaign now. */
int nuce_campaign_is_held(const struct nuce_campaign *campaign);

/* Its status in a few words: that of the point, "refused", "not run", or "too few launches". */
const char *nuce_campaign_stands(const struct nuce_campaign_point *point);

/* The line of the plan for one part of a job, in which point wants that number of runs. A new
 * reference. */
json_t *nuce_campaign_part_line(const struct nuce_campaign_point *point, int64_t wanted);

/* The number of the next launch: one more than the highest number found. */
nuce_status nuce_campaign_next_launch(const struct nuce_campaign *campaign, int *out,
                                      struct nuce_error *error);

/* PATH/FOLDER/NAME+ENDING, such as logs/0003.err. A new string. */
char *nuce_campaign_file(const struct nuce_campaign *campaign, const char *folder, const char *name,
                         const char *ending);

/* True if name, a directory entry of records/, is a record file. */
int nuce_campaign_is_record_file(const char *name);

/* Shared by opening and making a campaign. */

/* Takes the lock of the folder at campaign->path, or that of the campaign's part;
 * nuce_campaign_fini releases it. NUCE_FAILED if another process holds it. */
nuce_status nuce_campaign_lock(struct nuce_campaign *campaign, struct nuce_error *error);

/* Sets wanted and race of all points, from their lines and from the launcher: the number of runs of
 * each, and which neighbours race. */
void nuce_campaign_number(struct nuce_campaign *campaign);

/* Reads description, plan and records into *campaign, whose path, part and imported are set. On
 * failure *campaign holds the part read so far, for nuce_campaign_fini. */
nuce_status nuce_campaign_load(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                               struct nuce_error *error);

#endif
