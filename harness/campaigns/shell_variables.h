/* Variables that say where the calling shell is: which job and step it is in, which rank, on which
 * processors. What is started from it is elsewhere and must not get them. */
#ifndef NUCE_SHELL_VARIABLES_H
#define NUCE_SHELL_VARIABLES_H

#include <stddef.h>

/* What is about to be started. */
enum nuce_shell_way {
    NUCE_SHELL_SUBMITS, /* a job, elsewhere and later */
    NUCE_SHELL_STARTS,  /* ranks, in the allocation that this shell is in, if any */
    NUCE_SHELL_SERVES,  /* ranks, from a job's batch step */
};

/* Whether somebody asked for the variable called name all the same; option is that of sbatch whose
 * value Slurm keeps in it, NULL: it is of none. */
typedef int nuce_shell_is_asked(void *context, const char *name, const char *option);

/* Takes out of this process's environment all variables that do not belong into what is started so.
 * is_asked may be NULL: nobody did. Returns nonzero if this process was in a step of Slurm (srun,
 * also that of an interactive shell), whose processors srun does not give to another step. */
int nuce_shell_leave(enum nuce_shell_way way, nuce_shell_is_asked *is_asked, void *context);

#endif
