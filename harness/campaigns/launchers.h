/* Ways to start the processes of a campaign: an ops struct each, found by its name in
 * campaign.json. launcher.c holds the common part, several points per start and the judgement of
 * its end; it uses these rows and no names. */
#ifndef NUCE_LAUNCHERS_H
#define NUCE_LAUNCHERS_H

#include "base/error.h"
#include "points/workload.h"

/* The word of nuce_launcher.command in place of the rank count. */
#define NUCE_LAUNCHER_RANKS "{ranks}"

struct nuce_campaign;
struct nuce_launcher;

/* Properties of a way to start ranks: bits of caps. */
enum {
    NUCE_LAUNCHER_IS_HERE = 1,  /* the ranks share the processors of this machine */
    NUCE_LAUNCHER_MEASURES = 2, /* real messages: programs get the folder of measured networks */
    NUCE_LAUNCHER_SUBMITS = 4,  /* jobs go to Slurm; nuce-job starts the ranks there */
};

/* A way to start processes. Rows are constant; struct nuce_launcher holds the data of one
 * campaign. */
struct nuce_launcher_ops {
    const char *name;    /* in campaign.json: stored, never reused */
    const char *summary; /* in the words of `nuce status`: "run on this machine" */
    const char *kind;    /* of its runs, as in records: "measured", "simulated", "modelled" */
    unsigned caps;
    /* Maximum number of points in a start with that many ranks, at least 1; NULL: all of one rank
     * count and program. */
    int (*most_points)(int ranks);
    int retries; /* consecutive starts that may die before a point has begun, as on a node that is
                    just going down or coming up */
    /* The program for the points of all workloads, and the word after it; NULL: each workload's
     * own. */
    const char *program, *subcommand;
    /* Sets the words in front of the program, its folder, and the strings that the launcher owns.
     * starter holds the caller's words to start ranks (mpiexec, or the words of a profile),
     * NULL-ended. */
    nuce_status (*open)(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                        const char *const *starter, struct nuce_error *error);
};

#define X(name) extern const struct nuce_launcher_ops nuce_launcher_##name;
#include "campaigns/launchers.def"
#undef X

/* All launchers, NULL-ended. */
extern const struct nuce_launcher_ops *const nuce_launchers[];

/* The launcher with that name in campaign.json; NULL if there is none, or name is NULL. */
const struct nuce_launcher_ops *nuce_launchers_find(const char *name);

#endif
