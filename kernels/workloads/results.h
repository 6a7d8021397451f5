/* The tables of results that several workloads share (schedules have their own). A workload lists
 * those that it may set; programs print columns in that order. */
#ifndef NUCE_RESULTS_H
#define NUCE_RESULTS_H

#include "support/result.h"

extern const struct nuce_result nuce_scheduling_results[];    /* of running under a schedule */
extern const struct nuce_result nuce_decomposition_results[]; /* of cutting an array */
extern const struct nuce_result nuce_placing_results[];       /* of placing processes on nodes */
extern const struct nuce_result nuce_part_results[];          /* of the samples: derived */
extern const struct nuce_result nuce_run_results[];           /* of any run */

#endif
