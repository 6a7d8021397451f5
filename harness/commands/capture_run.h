/* Starting an application with the interposer in front of its MPI library. */
#ifndef NUCE_CAPTURE_RUN_H
#define NUCE_CAPTURE_RUN_H

#include "commands/capture_library.h"

/* The file of the interposer for kind, beside the running nuce or a build of its for that library;
 * a new string. NULL with NUCE_BAD_INPUT: there is none. */
char *nuce_capturing_library(const struct nuce_mpi_kind *kind, struct nuce_error *error);

/* Runs the words, NULL-ended, with library in front of the MPI library of every rank, which writes
 * to folder (a whole path), and waits for their end. stdin, stdout and stderr are the caller's;
 * signals that nuce gets go to it. yields: its ranks wait by testing and yielding. *status: what a
 * shell would say of its end. NUCE_FAILED: it cannot be started. */
nuce_status nuce_capturing_run(char *const *words, const struct nuce_target *target,
                               const char *library, const char *folder, int yields, int *status,
                               struct nuce_error *error);

#endif
