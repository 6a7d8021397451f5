/* Captures of traces: what each rank did is told to a recorder, as the interposer of nuce capture
 * tells it, and what the recorders leave is merged. So rounds, joins and qualities of an imported
 * trace mean what they mean for a captured run, and are worked out by the same code. */
#ifndef NUCE_TRACED_H
#define NUCE_TRACED_H

#include "imports/importer.h"
#include "recorder/recorder.h"

/* A recorder of one rank, which writes to a raw file in input->folder; host: 64 bytes, zero-ended,
 * "": not known. Ended with nuce_recorder_destroy. NULL with *error: the file cannot be written. */
struct nuce_recorder *nuce_traced_recorder(const struct nuce_import_input *input, int rank,
                                           int ranks, const char *host, struct nuce_error *error);

/* The capture of all ranks, once each has its recorder destroyed. are_clocks_one 0: times of
 * different ranks cannot be compared, so what says who came how late is left out; durations
 * stay. */
nuce_status nuce_traced_merge(const struct nuce_import_input *input, int are_clocks_one,
                              struct nuce_capture *out, struct nuce_error *error);

#endif
