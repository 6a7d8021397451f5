/* Ways to start the processes of a campaign: an ops struct each, found by the name that stands in
 * campaign.json. What they share, several points a start and the judging of its end, is in
 * launcher.c, which asks these rows and knows no names. */
#ifndef NUCE_LAUNCHERS_H
#define NUCE_LAUNCHERS_H

#include "base/error.h"
#include "points/workload.h"

/* Among the words of nuce_launcher.command the one that stands for the rank count. */
#define NUCE_LAUNCHER_RANKS "{ranks}"

struct nuce_campaign;
struct nuce_launcher;

/* What a way to start ranks is like: bits of caps. */
enum {
    NUCE_LAUNCHER_IS_HERE = 1,  /* the ranks share the processors of this machine */
    NUCE_LAUNCHER_MEASURES = 2, /* real messages: programs are told where measured networks are */
    NUCE_LAUNCHER_SUBMITS = 4,  /* jobs go to Slurm; nuce-job starts the ranks there */
};

/* A way to start processes. Rows are constant; what belongs to one campaign is in struct
 * nuce_launcher. */
struct nuce_launcher_ops {
    const char *name;    /* in campaign.json: stored, never reused */
    const char *summary; /* how `nuce status` says it: "run on this machine" */
    const char *kind;    /* of its runs, as records have it: "measured", "simulated", "modelled" */
    unsigned caps;
    /* Points of a start with so many ranks, one at least; NULL: all of one rank count and program.
     */
    int (*most_points)(int ranks);
    int retries; /* starts in a row that may die before a point has begun, as they do on a node
                    that is just going down or coming up */
    /* The program that takes the points of all workloads, and the word behind it; NULL: those of
     * each workload. */
    const char *program, *subcommand;
    /* Fills the words in front of the program, its folder, and what the launcher owns; starter is
     * what the caller starts ranks with (mpiexec, or the words of a profile), NULL-ended. */
    nuce_status (*open)(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                        const char *const *starter, struct nuce_error *error);
};

#define X(name) extern const struct nuce_launcher_ops nuce_launcher_##name;
#include "campaigns/launchers.def"
#undef X

/* All of them, NULL-ended. */
extern const struct nuce_launcher_ops *const nuce_launchers[];

/* That of campaigns that say it in campaign.json; NULL if there is none of that name, or name is
 * NULL. */
const struct nuce_launcher_ops *nuce_launchers_find(const char *name);

#endif
