/* Which MPI library the program of a command line has: that of the interposer to load. */
#ifndef NUCE_CAPTURE_LIBRARY_H
#define NUCE_CAPTURE_LIBRARY_H

#include "campaigns/mpi_kinds.h"

/* Strings are borrowed from the words, kinds from their table. */
struct nuce_target {
    const struct nuce_mpi_kind *kind;
    const char
        *program; /* the word that was looked at; NULL: none was found to have MPI (borrowed) */
    int launcher; /* which word is the launcher of kind, and takes its options; -1: none is */
};

/* Looks at the words of a command line, NULL-ended: the launcher, and the first program behind it
 * that is linked with an MPI library; where there is neither, at the text of a script, or of a
 * shell's -c. NUCE_BAD_INPUT: a static program, or one of another library than the launcher's, or
 * nothing that says which library it is, nor a known mpiexec in PATH. */
nuce_status nuce_target_find(char *const *words, struct nuce_target *out, struct nuce_error *error);

/* Of a command line whose launcher started nothing: NUCE_BAD_INPUT, with the words behind it that
 * may name the program, where none of them can be executed. */
nuce_status nuce_target_check(char *const *words, struct nuce_error *error);

#endif
