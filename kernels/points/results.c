/* Rows of results that runs of several workloads have in common. A row has name, type, unit,
 * meaning, the head of its column in text (NULL: none), and flags (base/result.h). */
#include "points/results.h"

/* clang-format off */
const struct nuce_result nuce_results_scheduling[] = {
    {"network_taken", NUCE_TEXT, "",
     "what messages were taken to cost: name or NAME@SHA-256", NULL, 0},
    {"predicted_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "the model's prediction of communication", "predicted", 0},
    {"single_port_lower_bound_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "the papers' lower bound, one transfer at a time", "single-port lower bound", 0},
    {"lower_bound_s", NUCE_REAL, NUCE_UNIT_SECONDS, "no schedule can be faster on that network", "lower bound", 0},
    {"nonblocking", NUCE_INTEGER, "",
     "1 if a library collective ran in its nonblocking form", NULL, 0},
    {"index_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor seconds: finding what to send where, once",
     "index (once)", NUCE_RESULT_COMPUTATION},
    {"schedule_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor seconds: computing the schedule (comp), once",
     "scheduling (once)", NUCE_RESULT_COMPUTATION},
    {.name = NULL},
};
/* clang-format on */

/* Real numbers, because a model gives the mean over its draws. */
/* clang-format off */
const struct nuce_result nuce_results_decomposition[] = {
    {"acost", NUCE_REAL, "cells", "inner borders of an array's parts", NULL, 0},
    {"bcost", NUCE_REAL, "cells", "the same where the array wraps around", NULL, 0},
    {"internal_edges", NUCE_REAL, "pairs", "pairs of parts that share a border", NULL, 0},
    {"cost", NUCE_REAL, "cells", "acost and the latency of internal edges", NULL, 0},
    {"imbalance", NUCE_REAL, "", "the largest share of a part, of its weight's", NULL, 0},
    {"area_error", NUCE_REAL, "cells", "the most that a part is off by whole cells", NULL, 0},
    {"decompose_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor seconds: cutting the array", NULL, NUCE_RESULT_COMPUTATION},
    {"settled", NUCE_INTEGER, "", "0 if a search for the best cut gave up", NULL,
     NUCE_RESULT_EVERY},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_placing[] = {
    {"topology_taken", NUCE_TEXT, "",
     "switches that processes were placed on: NAME@SHA-256", NULL, 0},
    {"placement_moved", NUCE_INTEGER, "processes",
     "processes that the placement put on other nodes", "moved", 0},
    {"placement_cardinality", NUCE_REAL, "bytes x links",
     "of the placement, modelled", "bytes x links", 0},
    {"placement_latency_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "a message's header, by the placement, modelled", "latency, modelled", 0},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_part[] = {
    {"pack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "copying what is sent", "pack", NUCE_RESULT_DERIVED},
    {"communication_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "the exchange itself", "communication", NUCE_RESULT_DERIVED | NUCE_RESULT_INTERVAL},
    {"unpack_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "copying what has come", "unpack", NUCE_RESULT_DERIVED},
    {"computation_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "computing", "computation", NUCE_RESULT_DERIVED},
    {"rebalance_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "cutting an array anew", "cutting", NUCE_RESULT_DERIVED},
    {"move_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "its cells to their new owners", "moving", NUCE_RESULT_DERIVED},
    {"step_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "the whole step", "step", NUCE_RESULT_DERIVED | NUCE_RESULT_INTERVAL},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_results_run[] = {
    {"first_s", NUCE_REAL, NUCE_UNIT_SECONDS, "the first step, kept apart", NULL, 0},
    {"others_cpus", NUCE_REAL, "processors",
     "that others kept busy while the race's rounds ran, mean, of the machine with most", NULL, 0},
    {"looked", NUCE_REAL, "",
     "part of the exchanges whose received bytes were looked at", "looked", 0},
    {"last_rank", NUCE_INTEGER, "",
     "the rank that most often ended last, in the middle half of the samples by step", NULL, 0},
    {"last_share", NUCE_REAL, "", "in which part of these it did", NULL, 0},
    {"last_step_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "mean over these of the step, which the next add up to: of whichever rank ended last", NULL, 0},
    {"last_late_s", NUCE_REAL, NUCE_UNIT_SECONDS, "from the common start to its own", NULL, 0},
    {"last_pack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its copying of what is sent", NULL, 0},
    {"last_communication_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its exchange", NULL, 0},
    {"last_unpack_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its copying of what has come", NULL, 0},
    {"last_computation_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its computing", NULL, 0},
    {"last_rebalance_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its cutting an array anew", NULL, 0},
    {"last_move_s", NUCE_REAL, NUCE_UNIT_SECONDS, "its cells to their new owners", NULL, 0},
    {"last_other_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "what is left of its step; below 0 where computing and the exchange overlap", NULL, 0},
    {"events_lost", NUCE_INTEGER, "", "transfers of the traced step that had no room", NULL, 0},
    {"clock_error_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "the traced ranks' clocks are known to this", NULL, 0},
    {"planned_network", NUCE_TEXT, "", "what the planned times of transfers are for", NULL, 0},
    {"n", NUCE_INTEGER, "", "how many samples there are", "samples", NUCE_RESULT_DERIVED},
    {"stopped", NUCE_TEXT, "", "what ended the sampling", "stopped by", NUCE_RESULT_DERIVED},
    {"status", NUCE_TEXT, "", "how the run ended", "status", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */
