/* Real or simulated machine: the differences for ranks. Programs link simulation_none.c; those
 * that are built with SimGrid's SMPI link simulation_smpi.c. */
#ifndef NUCE_WORLD_SIMULATION_H
#define NUCE_WORLD_SIMULATION_H

#include <stddef.h>

/* Returns 1 if times are a simulator's. A polling rank would stop its clock, so it must wait
 * inside MPI. Computation takes no time there. */
int nuce_simulation_is_on(void);

/* Writes the host name of the calling rank to name, which has size bytes. On a real machine a
 * name that is too long is cut, and then not zero-ended. */
void nuce_simulation_host(char *name, size_t size);

/* Writes the platform's file to path of size bytes. Returns 0 if nothing is simulated, or it is
 * unknown. */
int nuce_simulation_platform(char *path, size_t size);

#endif
