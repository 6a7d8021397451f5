/* What `nuce run --platform` does: the kernels on a machine that a SimGrid platform file describes,
 * under smpirun. */
#ifndef NUCE_SIMULATION_H
#define NUCE_SIMULATION_H

#include "campaigns/campaign.h"
#include "campaigns/config.h"

/* Reads the platform at path and has SimGrid check that it has ranks hosts with routes between
 * them. Messages that end within precision_s will be taken to end at once; 0: as fits so many
 * ranks; one that is more than a fifth of the shortest latency is refused. NUCE_BAD_INPUT with what
 * SimGrid says, or what to install where it is not there. Freed with nuce_machine_files_fini, also
 * on failure. */
nuce_status nuce_simulation_prepare(const char *path, int ranks, double precision_s,
                                    struct nuce_machine_files *out, struct nuce_error *error);

/* Whether SimGrid is there: NUCE_BAD_INPUT with what to install where it is not. */
nuce_status nuce_simulation_check(struct nuce_error *error);

/* Seconds within which the simulator takes the ends of messages as one, as the campaign's file of
 * facts tells; where it does not, as that of an older nuce, what they always were. */
double nuce_simulation_precision(const char *facts);

/* The path of smpirun; "" where nuce was built without SimGrid. */
const char *nuce_simulation_starter(void);

/* The folder of the programs that run under it. A new string. */
char *nuce_simulation_programs(struct nuce_error *error);

#endif
