/* What `nuce run --platform` does: the kernels on a machine that a SimGrid platform file describes,
 * under smpirun. */
#ifndef NUCE_HARNESS_SIMULATION_H
#define NUCE_HARNESS_SIMULATION_H

#include "launch/campaign.h"
#include "sweeps/config.h"

/* Reads the platform at path and has SimGrid check that it has ranks hosts with routes between
 * them. NUCE_BAD_INPUT with what SimGrid says, or what to install where it is not there. Freed with
 * nuce_machine_files_fini, also on failure. */
nuce_status nuce_simulation_prepare(const char *path, int ranks, struct nuce_machine_files *out,
                                    struct nuce_error *error);

/* Points of one start of the simulator: SimGrid 3.32 goes through all messages that a rank has ever
 * had at the end of each, so that the time of a launch grows with the square of its points. */
#define NUCE_SIMULATION_MOST_POINTS 60

/* The words of smpirun for a campaign of that kind, for nuce_launcher, and the folder of the
 * programs for it. */
struct nuce_simulation {
    const char *command[16];
    char *platform, *hosts, *facts, *programs; /* paths; owned */
};

/* Freed with nuce_simulation_fini, also on failure. */
nuce_status nuce_simulation_init(const struct nuce_campaign *campaign, struct nuce_simulation *out,
                                 struct nuce_error *error);
void nuce_simulation_fini(struct nuce_simulation *simulation);

#endif
