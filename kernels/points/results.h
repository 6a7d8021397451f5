/* The tables of results that several workloads share (schedules have their own). A workload lists
 * the tables that it may set; programs print columns in that order. */
#ifndef NUCE_RESULTS_H
#define NUCE_RESULTS_H

#include "base/result.h"

extern const struct nuce_result nuce_results_scheduling[];    /* of running under a schedule */
extern const struct nuce_result nuce_results_decomposition[]; /* of cutting an array */
extern const struct nuce_result nuce_results_placing[];       /* of placing processes on nodes */
extern const struct nuce_result nuce_results_part[];          /* of the samples: derived */
extern const struct nuce_result nuce_results_run[];           /* of any run */

#endif
