/* Which of Slurm's programs are here. */
#ifndef NUCE_SLURM_PROGRAMS_H
#define NUCE_SLURM_PROGRAMS_H

#include "base/error.h"

/* NUCE_BAD_INPUT that says what is missing, unless Slurm's program can be started: via, where it is
 * not NULL, or program itself, by its path or in PATH. A `via` is taken for all of Slurm's
 * programs: whether it can call this one it says itself. */
nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error);

#endif
