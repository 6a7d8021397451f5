/* Runs the points of a campaign: several in one start, and further starts after one that died. A
 * row of launchers.def defines how processes are started. */
#ifndef NUCE_LAUNCHER_H
#define NUCE_LAUNCHER_H

#include "campaigns/campaign.h"
#include "campaigns/launchers.h"

/* More words than any launcher needs, including those of the program. */
#define NUCE_LAUNCHER_WORDS 256

struct nuce_mpi_kind;

/* How the starts of one campaign are made. Set up by nuce_launcher_init, which names the members
 * that the caller may set afterwards. */
struct nuce_launcher {
    const struct nuce_launcher_ops *ops;
    const char *command[NUCE_LAUNCHER_WORDS]; /* words in front of the program, NULL-ended;
                                                 borrowed from the caller or owned below */
    const char *programs;             /* folder of the programs; NULL: that of the running one */
    const char *facts, *hosts;        /* for --facts and --hosts; NULL: none */
    const char *label;                /* starts are called LABEL-0, LABEL-1, ...; NULL: numbered */
    const char *again;                /* command that continues later, for messages */
    int *stopped;                     /* set to 1 when a signal requested a stop; may be NULL */
    char *owned[5];                   /* strings made by ops->open */
    int has_mpiexec;                  /* the first word is an mpiexec, not srun or a simulator */
    int in_step;                      /* nuce itself runs in a step of Slurm */
    const struct nuce_mpi_kind *kind; /* MPI library of the launcher; NULL: unknown */
};

/* Prepares to start the points of campaign by ops. starter is the argument of ops->open, borrowed
 * for as long as *out lives. The caller may then set programs, facts, hosts, label, again, stopped
 * and in_step. Freed with nuce_launcher_fini, also on failure. */
nuce_status nuce_launcher_init(struct nuce_launcher *out, const struct nuce_launcher_ops *ops,
                               const struct nuce_campaign *campaign, const char *const *starter,
                               struct nuce_error *error);
void nuce_launcher_fini(struct nuce_launcher *launcher);

/* For ops->open: words, NULL-ended, become launcher->command, and must live as long as *launcher.
 * NUCE_BAD_INPUT if there are too many. */
nuce_status nuce_launcher_take(struct nuce_launcher *launcher, const char *const *words,
                               struct nuce_error *error);

/* Starts the processes again and again until no point of campaign lacks a run, whole races at a
 * time (start.h). A point whose run went wrong, or that is marked attempted, gets no other run; the
 * others of its race continue. Messages and progress go to stderr. If a rank died, this function
 * records the point in flight.
 *
 * NUCE_OK when every missing point has had its runs, good or bad. NUCE_INTERRUPTED on INT, TERM,
 * HUP or USR1, or when the launcher was killed. NUCE_BAD_INPUT when the program refused its input.
 * NUCE_FAILED when nothing can run. No process is left behind. */
nuce_status nuce_launcher_run(const struct nuce_launcher *launcher, struct nuce_campaign *campaign,
                              struct nuce_error *error);

#endif
