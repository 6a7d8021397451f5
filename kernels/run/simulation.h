/* Whether the ranks run on a real machine or on a simulated one, and what differs there. Programs
 * link simulation_none.c; those that are built with SimGrid's SMPI link simulation_smpi.c. */
#ifndef NUCE_WORLD_SIMULATION_H
#define NUCE_WORLD_SIMULATION_H

#include <stddef.h>

/* 1 where times are a simulator's. A rank that polls would stop its clock: it must wait inside MPI.
 * Computation takes no time there. */
int nuce_simulation_is_on(void);

/* Writes the name of the host of the calling rank to name, which has size bytes; cut, and then not
 * zero-ended on a real machine. */
void nuce_simulation_host(char *name, size_t size);

/* The platform's file, into path of size bytes; 0: nothing is simulated, or it is not known. */
int nuce_simulation_platform(char *path, size_t size);

#endif
