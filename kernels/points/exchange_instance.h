/* From the parameters of a point of the workload `exchange` to the input of its schedule: the same
 * code for the programs that measure and for the model. */
#ifndef NUCE_EXCHANGE_INSTANCE_H
#define NUCE_EXCHANGE_INSTANCE_H

#include "base/error.h"
#include "instances/partition.h"
#include "points/workload.h"
#include "schedules/pattern.h"

/* True if the pattern is read from a file, in bytes: com or capture. */
int nuce_exchange_is_read(const struct nuce_exchange_params *params);

/* Makes the generator's checks of degree, ranks and its other options. NUCE_BAD_INPUT names the
 * option. */
nuce_status nuce_exchange_check_pattern(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_error *error);

/* The COM of a pattern that is generated or read, in items; a read one is in bytes. Not for meshes.
 * The same params and ranks give the same on every rank. NUCE_BAD_INPUT: a file that cannot be read
 * or is for other ranks. Freed with nuce_pattern_fini. */
nuce_status nuce_exchange_pattern(const struct nuce_exchange_params *params, int ranks,
                                  struct nuce_pattern *out, struct nuce_error *error);

/* True if the sends of a single rank can be made alone. Not for meshes, nor for patterns from
 * files. */
int nuce_exchange_has_rows(const struct nuce_exchange_params *params);

/* The row of rank alone, as in nuce_exchange_pattern: a pattern of that many ranks without other
 * messages. Only if nuce_exchange_has_rows. */
nuce_status nuce_exchange_row(const struct nuce_exchange_params *params, int rank, int ranks,
                              struct nuce_pattern *out, struct nuce_error *error);

/* The mesh in so many parts, by the file of params or by their method. Freed with
 * nuce_partition_fini. */
nuce_status nuce_exchange_partition(const struct nuce_exchange_params *params,
                                    const struct nuce_mesh *mesh, int ranks,
                                    struct nuce_partition *out, struct nuce_error *error);

/* Units of COM become bytes; those of files are bytes already. NUCE_BAD_INPUT: a message becomes
 * too long. */
nuce_status nuce_exchange_scale(const struct nuce_exchange_params *params,
                                struct nuce_pattern *pattern, struct nuce_error *error);

/* The COM of any pattern in bytes, including meshes, which are read and cut here. Freed with
 * nuce_pattern_fini. params: a struct nuce_exchange_params. */
nuce_status nuce_exchange_whole_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                        struct nuce_error *error);

/* The entries of the COM that stand for several messages of an application, or for one without
 * bytes. Only captures have such entries, and only if no network is emulated, which changes the
 * messages. Freed with nuce_splits_fini. */
nuce_status nuce_exchange_splits(const void *params, struct nuce_splits *out,
                                 struct nuce_error *error);

/* Facts about an application's exchange, for params of the pattern `capture`. */
struct nuce_exchange_captured {
    int64_t calls;       /* number of calls of this exchange */
    int64_t messages;    /* messages in one call */
    int *host;           /* for each rank of the pattern: its host; NULL: not known */
    const char *quality; /* static, as call is */
    const char *call;    /* "exchange", or the name of a collective call */
    double call_s;       /* median time of a call, of its longest rank; NaN: not known */
    double elapsed_s;    /* time of the application; NaN: not known */
    char library[128];   /* its common name; "": not known */
};

/* Reads the capture. Freed with nuce_exchange_captured_fini, which accepts an empty one, also after
 * a failure. */
nuce_status nuce_exchange_captured_init(const struct nuce_exchange_params *params,
                                        struct nuce_exchange_captured *out,
                                        struct nuce_error *error);
void nuce_exchange_captured_fini(struct nuce_exchange_captured *captured);

/* Sets the results that are known without a run: calls and their times, messages, quality, library.
 */
void nuce_exchange_captured_note(const struct nuce_exchange_captured *captured,
                                 struct nuce_metrics *found);

/* The places of the patterns that params->call stands for, if there are several: all with that many
 * ranks (0: any number), or the first of them. Reads the capture. A note names the patterns that
 * are left out: those without bytes, and those of other rank counts. */
nuce_status nuce_exchange_several_calls(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_several *out, struct nuce_error *error);

/* The lateness of a rank of a captured exchange, in each call that was kept. */
struct nuce_exchange_lateness {
    int calls;
    double *own_s; /* calls: behind the first rank */
    double skew_s; /* from the first rank to the last one, mean of the calls */
};

/* Reads the lateness of one rank of the pattern's communicator; a rank beyond it is never late.
 * NUCE_BAD_INPUT: the capture has none, or one too long to repeat. Freed with
 * nuce_exchange_lateness_fini, which accepts an empty one. */
nuce_status nuce_exchange_lateness_init(const struct nuce_exchange_params *params, int rank,
                                        struct nuce_exchange_lateness *out,
                                        struct nuce_error *error);
void nuce_exchange_lateness_fini(struct nuce_exchange_lateness *lateness);

#endif
