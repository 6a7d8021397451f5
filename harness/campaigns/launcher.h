/* Running the points of a campaign: several a start, and again after a start that died. How the
 * processes are started is a row of launchers.def. */
#ifndef NUCE_LAUNCHER_H
#define NUCE_LAUNCHER_H

#include "campaigns/campaign.h"
#include "campaigns/launchers.h"

/* More words than any launcher needs, those of the program included. */
#define NUCE_LAUNCHER_WORDS 256

struct nuce_mpi_kind;

/* How the starts of one campaign are made. Set up by nuce_launcher_init; the members that the
 * caller may then set are named there. */
struct nuce_launcher {
    const struct nuce_launcher_ops *ops;
    const char *command[NUCE_LAUNCHER_WORDS]; /* words in front of the program, NULL-ended;
                                                 borrowed from the caller or owned below */
    const char *programs;             /* folder of the programs; NULL: that of the running one */
    const char *facts, *hosts;        /* for --facts and --hosts; NULL: none */
    const char *label;                /* starts are called LABEL-0, LABEL-1, ...; NULL: numbered */
    const char *again;                /* command that goes on later, for messages */
    int *stopped;                     /* set to 1 when a signal asked to stop; may be NULL */
    char *owned[5];                   /* texts that ops->open made */
    int has_mpiexec;                  /* the first word is one, not srun or a simulator */
    int in_step;                      /* nuce itself runs in a step of Slurm */
    const struct nuce_mpi_kind *kind; /* of it; NULL: unknown */
};

/* Gets ready to start the points of campaign by ops; starter as ops->open takes it, borrowed for as
 * long as *out lives. The caller may then set programs, facts, hosts, label, again, stopped and
 * in_step. Freed with nuce_launcher_fini, also on failure. */
nuce_status nuce_launcher_init(struct nuce_launcher *out, const struct nuce_launcher_ops *ops,
                               const struct nuce_campaign *campaign, const char *const *starter,
                               struct nuce_error *error);
void nuce_launcher_fini(struct nuce_launcher *launcher);

/* For ops->open: words, NULL-ended, become launcher->command, and must live as long as *launcher.
 * NUCE_BAD_INPUT where they are too many. */
nuce_status nuce_launcher_take(struct nuce_launcher *launcher, const char *const *words,
                               struct nuce_error *error);

/* Starts the processes again and again until no point of campaign lacks a run, whole heats at a
 * time (start.h). A point whose run went wrong gets no other, as one that is marked attempted; the
 * others of its heat go on without it. Messages and progress go to stderr. What the programs could
 * not record themselves (the point in flight when a rank died) is recorded here. NUCE_OK when every
 * missing point has had its runs, whatever became of them; NUCE_INTERRUPTED on INT, TERM, HUP or
 * USR1, or when the launcher was killed; NUCE_BAD_INPUT when the program refused its input;
 * NUCE_FAILED when nothing can be run. No process is left behind. */
nuce_status nuce_launcher_run(const struct nuce_launcher *launcher, struct nuce_campaign *campaign,
                              struct nuce_error *error);

#endif
