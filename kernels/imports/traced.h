/* Captures of traces: what each rank did is told to a recorder, as the interposer of nuce capture
 * tells it, and what the recorders leave is merged. Rounds, joins and qualities are as there. */
#ifndef NUCE_TRACED_H
#define NUCE_TRACED_H

#include "imports/importer.h"
#include "recorder/recorder.h"

/* A recorder of one rank, which writes to input->folder; host: 64 bytes, zero-ended. NULL with
 * *error. */
struct nuce_recorder *nuce_traced_recorder(const struct nuce_import_input *input, int rank,
                                           int ranks, const char *host, struct nuce_error *error);

/* The capture of all ranks, when each has its recorder destroyed. are_clocks_one 0: who came how
 * late is not known. */
nuce_status nuce_traced_merge(const struct nuce_import_input *input, int are_clocks_one,
                              struct nuce_capture *out, struct nuce_error *error);

#endif
