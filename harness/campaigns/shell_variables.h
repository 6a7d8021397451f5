/* Variables that describe the place of the calling shell: its job and step, its rank, its
 * processors. A process started from it runs elsewhere and must not get them. */
#ifndef NUCE_SHELL_VARIABLES_H
#define NUCE_SHELL_VARIABLES_H

/* The kind of process to be started. */
enum nuce_shell_way {
    NUCE_SHELL_SUBMITS, /* a job, elsewhere and later */
    NUCE_SHELL_STARTS,  /* ranks, in the allocation that this shell is in, if any */
    NUCE_SHELL_SERVES,  /* ranks, from a job's batch step */
};

/* Returns nonzero if the variable called name was requested explicitly. option is the sbatch option
 * whose value Slurm keeps in it, NULL: none. */
typedef int nuce_shell_is_asked(void *context, const char *name, const char *option);

/* Removes from this process's environment all variables that do not belong into such a process.
 * is_asked may be NULL: none was requested. Returns nonzero if this process was in a step of Slurm
 * (srun, including an interactive shell), because srun does not share a step's processors with
 * another step. */
int nuce_shell_leave(enum nuce_shell_way way, nuce_shell_is_asked *is_asked, void *context);

#endif
