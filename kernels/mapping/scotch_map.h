/* The interface between the placement scotch and the library of that name. */
#ifndef NUCE_SCOTCH_MAP_H
#define NUCE_SCOTCH_MAP_H

#include "mapping/placement.h"

/* home[rank]: SCOTCH's switch for each process; each gets about as many as it has processors.
 * NUCE_BAD_INPUT if nuce was built without the library. */
nuce_status nuce_scotch_map(const struct nuce_placement_input *input, int *home,
                            struct nuce_error *error);

/* "7.0.3"; NULL if nuce was built without the library. */
const char *nuce_scotch_map_version(void);

#endif
