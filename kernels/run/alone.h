/* Ranks that were started together and do not know each other. */
#ifndef NUCE_PROGRAM_ALONE_H
#define NUCE_PROGRAM_ALONE_H

#include "run/world.h"

/* Warns on stderr where this process is a world of one rank and its launcher started several. name:
 * what the message begins with. Local. */
void nuce_alone_warn(const struct nuce_world *world, const char *name);

#endif
