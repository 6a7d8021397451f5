/* For `nuce run --platform`: runs the kernels on a machine that a SimGrid platform file describes,
 * under smpirun. */
#ifndef NUCE_SIMULATION_H
#define NUCE_SIMULATION_H

#include "campaigns/config.h"

/* Reads the platform at path; SimGrid checks that it has at least `ranks` hosts with routes between
 * them. Messages that end within precision_s will count as ending at once. 0: a default for that
 * many ranks. A value above a fifth of the shortest latency is refused. NUCE_BAD_INPUT with
 * SimGrid's message, or with the packages to install. Freed with nuce_machine_files_fini, also on
 * failure. */
nuce_status nuce_simulation_prepare(const char *path, int ranks, double precision_s,
                                    struct nuce_machine_files *out, struct nuce_error *error);

/* NUCE_BAD_INPUT with the packages to install if SimGrid is missing. */
nuce_status nuce_simulation_check(struct nuce_error *error);

/* Seconds within which the simulator treats ends of messages as one, from the campaign's file of
 * facts. A file of an older nuce lacks it; the result is then the fixed value of that nuce. */
double nuce_simulation_precision(const char *facts);

/* The path of smpirun; "" if nuce was built without SimGrid. */
const char *nuce_simulation_starter(void);

/* The folder of the programs that run under smpirun. A new string. */
char *nuce_simulation_programs(struct nuce_error *error);

#endif
