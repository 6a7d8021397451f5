/* Rows of results that runs of several workloads have in common. A row has name, type, unit,
 * meaning, the head of its column in text (NULL: none), and flags (base/result.h). */
#include "points/results.h"

/* clang-format off */
const struct nuce_result nuce_results_scheduling[] = {
    {"network_taken", NUCE_TEXT, "",
     "network of predictions and schedules: name or NAME@SHA-256", NULL, 0},
    {"predicted_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "communication time by the cost model", "predicted", 0},
    {"single_port_lower_bound_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "lower bound on the time if a port carries one transfer at a time, as in the papers", "single-port lower bound", 0},
    {"lower_bound_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "lower bound on the time of any schedule on that network", "lower bound", 0},
    {"nonblocking", NUCE_INTEGER, "",
     "1: a library collective ran in its nonblocking form", NULL, 0},
    {"index_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of finding the data for each destination, once",
     "index (once)", NUCE_RESULT_COMPUTATION},
    {"schedule_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of computing the schedule (comp), once",
     "scheduling (once)", NUCE_RESULT_COMPUTATION},
    {.name = NULL},
};
/* clang-format on */

/* Real numbers, because a model gives the mean over its draws. */
/* clang-format off */
const struct nuce_result nuce_results_decomposition[] = {
    {"acost", NUCE_REAL, "cells", "length of the inner borders between an array's parts", NULL, 0},
    {"bcost", NUCE_REAL, "cells", "length of the borders between parts if the array wraps around", NULL, 0},
    {"internal_edges", NUCE_REAL, "pairs", "pairs of parts that share a border", NULL, 0},
    {"cost", NUCE_REAL, "cells", "acost + latency x internal_edges", NULL, 0},
    {"imbalance", NUCE_REAL, "",
     "largest ratio of a part's share of cells to its share of the weights", NULL, 0},
    {"area_error", NUCE_REAL, "cells",
     "largest deviation of a part from its exact area, by rounding to whole cells", NULL, 0},
    {"decompose_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of cutting the array", NULL, NUCE_RESULT_COMPUTATION},
    {"settled", NUCE_INTEGER, "", "0: a search for the best cut gave up", NULL,
     NUCE_RESULT_EVERY},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_placing[] = {
    {"topology_taken", NUCE_TEXT, "",
     "topology of the placement: NAME@SHA-256", NULL, 0},
    {"placement_moved", NUCE_INTEGER, "processes",
     "processes that the placement put on other nodes", "moved", 0},
    {"placement_cardinality", NUCE_REAL, "bytes x links",
     "bytes times links crossed under the placement, modelled", "bytes x links", 0},
    {"placement_latency_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "latency of a message header under the placement, modelled", "latency, modelled", 0},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_part[] = {
    {"pack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "time of copying data into send buffers", "pack", NUCE_RESULT_DERIVED},
    {"communication_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of the exchange itself", "communication", NUCE_RESULT_DERIVED | NUCE_RESULT_INTERVAL},
    {"unpack_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of copying received data out of buffers", "unpack", NUCE_RESULT_DERIVED},
    {"computation_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of the computation", "computation", NUCE_RESULT_DERIVED},
    {"rebalance_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of cutting an array again", "cutting", NUCE_RESULT_DERIVED},
    {"move_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of moving cells to their new owners", "moving", NUCE_RESULT_DERIVED},
    {"step_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of the whole step", "step", NUCE_RESULT_DERIVED | NUCE_RESULT_INTERVAL},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_run[] = {
    {"first_s", NUCE_REAL, NUCE_UNIT_SECONDS, "time of the first step, which is no sample", NULL, 0},
    {"others_cpus", NUCE_REAL, "processors",
     "mean processors that other processes kept busy during the race's rounds, on the machine "
     "with most", NULL, 0},
    {"looked", NUCE_REAL, "",
     "fraction of the exchanges whose received bytes were verified", "looked", 0},
    {"last_rank", NUCE_INTEGER, "",
     "rank that ended last most often, in the middle half of the samples by step time", NULL, 0},
    {"last_share", NUCE_REAL, "", "fraction of these samples in which last_rank ended last", NULL, 0},
    {"last_step_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "mean time of a step in these samples, of the rank that ended last in each; the other "
     "last_*_s add up to it", NULL, 0},
    {"last_late_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time from the common start to the own start of the rank that ended last", NULL, 0},
    {"last_pack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "packing time of the rank that ended last", NULL, 0},
    {"last_communication_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "exchange time of the rank that ended last", NULL, 0},
    {"last_unpack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "unpacking time of the rank that ended last", NULL, 0},
    {"last_computation_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "computation time of the rank that ended last", NULL, 0},
    {"last_rebalance_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time for cutting an array again, of the rank that ended last", NULL, 0},
    {"last_move_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time for moving cells, of the rank that ended last", NULL, 0},
    {"last_other_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "rest of the step time of the rank that ended last; below 0 if computation and exchange "
     "overlap", NULL, 0},
    {"events_lost", NUCE_INTEGER, "", "transfers of the traced step beyond trace-events", NULL, 0},
    {"clock_error_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "uncertainty of the traced ranks' clocks", NULL, 0},
    {"planned_network", NUCE_TEXT, "", "network of the planned times of transfers", NULL, 0},
    {"n", NUCE_INTEGER, "", "number of samples", "samples", NUCE_RESULT_DERIVED},
    {"stopped", NUCE_TEXT, "", "reason why sampling ended", "stopped by", NUCE_RESULT_DERIVED},
    {"status", NUCE_TEXT, "", "outcome of the run", "status", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */
