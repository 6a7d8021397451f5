/* Whether the ranks run on a real machine or on a simulated one. Programs link simulation_none.c;
 * those that are built with SimGrid's SMPI link simulation_smpi.c, and nothing else tells them
 * apart. */
#ifndef NUCE_WORLD_SIMULATION_H
#define NUCE_WORLD_SIMULATION_H

#include <stddef.h>

/* What records call the times, static: "measured", or "simulated" where they are a simulator's. */
const char *nuce_simulation_kind(void);

/* 1 where computation takes time; 0: a simulator charges for communication only. */
int nuce_simulation_times_computation(void);

/* 1 where a rank that polls would stop the clock: it must wait inside MPI. */
int nuce_simulation_blocks(void);

/* Writes the name of the host of the calling rank to name, which has size bytes; cut, and then not
 * zero-ended on a real machine. */
void nuce_simulation_host(char *name, size_t size);

/* The platform's file, into path of size bytes; 0: nothing is simulated, or it is not known. */
int nuce_simulation_platform(char *path, size_t size);

/* The file that the program was started from, as open() takes it; started_as is argv[0]. */
const char *nuce_simulation_program(const char *started_as);

#endif
