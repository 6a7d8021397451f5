/* All about one campaign at one moment: its points, its jobs, and what Slurm says. */
#ifndef NUCE_OVERVIEW_H
#define NUCE_OVERVIEW_H

#include "campaigns/point_states.h"
#include "campaigns/profile.h"

/* Members point at each other (standing.parts at queue.jobs): it may be moved as a whole, but no
 * member of it freed alone. */
struct nuce_overview {
    struct nuce_campaign campaign;
    struct nuce_profile profile;         /* of its newest submission; all zero if it runs locally */
    struct nuce_submissions submissions; /* by number; none if it runs locally */
    /* all jobs that squeue showed, of other users as well; empty if unknown */
    struct nuce_queue queue;
    int queue_known;                  /* 0: also where there is nothing to ask about */
    char trouble[NUCE_MESSAGE_BYTES]; /* why Slurm could not be asked, or "" */
    struct nuce_standing standing;
};

/* Opens the campaign as nuce_campaign_open does, to read, and asks Slurm once unless it runs
 * locally. A Slurm that does not answer is no failure: then queue_known is 0 and trouble says why.
 * Freed with nuce_overview_fini. */
nuce_status nuce_overview_make(const char *folder, const char *name, struct nuce_overview *out,
                               struct nuce_error *error);
void nuce_overview_fini(struct nuce_overview *overview);

#endif
