/* From the parameters of a point of the workload `exchange` to what its schedule is given: one way
 * for the programs that measure and for the model. */
#ifndef NUCE_EXCHANGE_INSTANCE_H
#define NUCE_EXCHANGE_INSTANCE_H

#include "base/error.h"
#include "points/workload.h"
#include "schedules/pattern.h"

/* Whether the pattern is read from a file, in bytes: com or capture. */
int nuce_exchange_is_read(const struct nuce_exchange_params *params);

/* Checks what a generator checks of density, ranks and the rest. NUCE_BAD_INPUT names the
 * option. */
nuce_status nuce_exchange_check_pattern(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_error *error);

/* The COM of a pattern that is generated or read, in units: bytes, where it is read. Not for
 * meshes. The same params and ranks give the same on every rank. NUCE_BAD_INPUT: a file that cannot
 * be read or is for other ranks. Freed with nuce_pattern_fini. */
nuce_status nuce_exchange_pattern(const struct nuce_exchange_params *params, int ranks,
                                  struct nuce_pattern *out, struct nuce_error *error);

/* Whether what a rank sends can be made alone: not of meshes, nor of what is read. */
int nuce_exchange_has_rows(const struct nuce_exchange_params *params);

/* The row of rank alone, as nuce_exchange_pattern has it, as a pattern of so many ranks without
 * other messages; of those that have rows. */
nuce_status nuce_exchange_row(const struct nuce_exchange_params *params, int rank, int ranks,
                              struct nuce_pattern *out, struct nuce_error *error);

/* Units of COM become bytes; those of files are bytes already. NUCE_BAD_INPUT: a message becomes
 * too long. */
nuce_status nuce_exchange_scale(const struct nuce_exchange_params *params,
                                struct nuce_pattern *pattern, struct nuce_error *error);

/* The COM of any pattern in bytes, meshes too, which are read and cut here. Freed with
 * nuce_pattern_fini. params: a struct nuce_exchange_params. */
nuce_status nuce_exchange_whole_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                        struct nuce_error *error);

/* Which entries of the COM stand for several messages of an application, or for one without bytes:
 * those of a capture may, as long as no network is emulated, which changes them. Freed with
 * nuce_splits_fini. */
nuce_status nuce_exchange_splits(const void *params, struct nuce_splits *out,
                                 struct nuce_error *error);

/* What an application did with the exchange that params, of the pattern `capture`, are of. */
struct nuce_exchange_captured {
    int64_t calls;    /* how often it made it */
    int64_t messages; /* of one call */
    int *host;        /* of each rank of the pattern: which host it was on; NULL: it is not known */
    const char *quality; /* static */
    char library[128];   /* as people call it; "": it is not known */
};

/* Reads the capture. Freed with nuce_exchange_captured_fini, which takes an empty one, also after a
 * failure. */
nuce_status nuce_exchange_captured_init(const struct nuce_exchange_params *params,
                                        struct nuce_exchange_captured *out,
                                        struct nuce_error *error);
void nuce_exchange_captured_fini(struct nuce_exchange_captured *captured);

/* Sets the results that are known without running: calls, messages, quality, library. */
void nuce_exchange_captured_note(const struct nuce_exchange_captured *captured,
                                 struct nuce_found *found);

/* The places of the patterns that params->call stands for, where that is several: all of so many
 * ranks (0: of any number), or the first of them. Reads the capture. */
nuce_status nuce_exchange_several_calls(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_several *out, struct nuce_error *error);

/* How late a rank of a captured exchange comes, in each call that was kept. */
struct nuce_exchange_lateness {
    int calls;
    double *own_s; /* calls: behind the first rank */
    double skew_s; /* from the first rank to the last one, mean of the calls */
};

/* Reads the lateness of one rank of the pattern's communicator; a rank beyond it is never late.
 * NUCE_BAD_INPUT: the capture has none, or one too long to be waited for again and again. Freed
 * with nuce_exchange_lateness_fini, which takes an empty one. */
nuce_status nuce_exchange_lateness_init(const struct nuce_exchange_params *params, int rank,
                                        struct nuce_exchange_lateness *out,
                                        struct nuce_error *error);
void nuce_exchange_lateness_fini(struct nuce_exchange_lateness *lateness);

#endif
