/* Runs an application with a library of nuce in front of it: nuce capture, nuce apply. */
#ifndef NUCE_PRELOAD_H
#define NUCE_PRELOAD_H

#include "campaigns/builds.h"

/* Finds the MPI library of the program in a command line, to load the right library. */

/* Strings are borrowed from the words, kinds from their table. */
struct nuce_target {
    const struct nuce_mpi_kind *kind;
    const char
        *program; /* the word that was chosen; NULL: no program was found with MPI (borrowed) */
    int launcher; /* index of the word that is the launcher of kind, and takes its options; -1:
                     none */
};

/* Searches the words of a command line, NULL-ended, for the launcher, and for the first program
 * after it that is linked with an MPI library. Without either it searches the text of a script, or
 * of a shell's -c. NUCE_BAD_INPUT: a static program, or one of another library than the launcher's,
 * or nothing identifies the library, not even a known mpiexec in PATH. subcommand: that of nuce,
 * for the message. */
nuce_status nuce_target_find(char *const *words, const char *subcommand, struct nuce_target *out,
                             struct nuce_error *error);

/* For a command line whose launcher started nothing: NUCE_BAD_INPUT with the words after it that
 * may name the program, if none of them can be executed. */
nuce_status nuce_target_check(char *const *words, struct nuce_error *error);

/* The library in front of programs of that kind, libexec/nuce/WHICH/libnuce_WHICH_KIND.so of the
 * first build that has it: a new string; NULL: none has. */
char *nuce_preload_library(const char *which, const struct nuce_mpi_kind *kind);

/* A variable that the ranks get. The value of LD_PRELOAD goes in front of the user's. */
struct nuce_preload_setting {
    const char *name, *value;
};

/* Runs the words, NULL-ended, with the settings, whose last name is NULL. *status is the exit
 * status of the command. folder: each rank leaves a file in it from MPI_Init on, and the user gets
 * a message if none does; NULL: there is none. */
nuce_status nuce_preload_run(char *const *words, const struct nuce_target *target,
                             const struct nuce_preload_setting *settings, const char *folder,
                             int *status, struct nuce_error *error);

#endif
