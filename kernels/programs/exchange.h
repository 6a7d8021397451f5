/* The workload `exchange`, executed (kernels/points/exchange.c describes it). */
#ifndef NUCE_EXCHANGE_H
#define NUCE_EXCHANGE_H

#include "run/workload_run.h"

extern const struct nuce_workload_run nuce_exchange_run;

#endif
