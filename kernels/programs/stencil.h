/* The workload `stencil`, executed (kernels/points/stencil.c describes it). */
#ifndef NUCE_STENCIL_H
#define NUCE_STENCIL_H

#include "run/workload_run.h"

extern const struct nuce_workload_run nuce_stencil_run;

#endif
