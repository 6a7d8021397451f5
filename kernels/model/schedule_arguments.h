/* The command line of nuce-model schedule. */
#ifndef NUCE_SCHEDULE_ARGUMENTS_H
#define NUCE_SCHEDULE_ARGUMENTS_H

#include "error.h"
#include "execution.h"
#include "workload.h"

struct nuce_schedule_arguments {
    struct nuce_exchange_params params; /* complete but for the algorithm, and checked */
    char algorithms[NUCE_PATH_BYTES];   /* comma list */
    int ranks;
    int64_t samples;           /* instances params.instance .. + samples - 1 */
    double startup, bandwidth; /* seconds, bytes per second; bandwidth 0: not given */
    enum nuce_execution execution;
    int has_execution;  /* whether it was given */
    int emit;           /* the schedule itself */
    const char *format; /* text, json or csv; borrowed from argv */
};

/* Parses argv; --help prints and exits. Everything but the algorithms is checked here. */
nuce_status nuce_schedule_arguments_parse(int argc, char **argv,
                                          struct nuce_schedule_arguments *out,
                                          struct nuce_error *error);

#endif
