/* The machine that nuce itself runs on. */
#ifndef NUCE_MACHINE_H
#define NUCE_MACHINE_H

/* Processors that this process may use (its affinity mask), at least 1. */
int nuce_machine_processors(void);

#endif
