/* The benches of schedules: how long an algorithm takes for a uniform pattern.
 * ROW(name of the struct, algorithm, ranks, density, members of struct nuce_bench) */
#include "schedule_case.h"

#define ROW(id, algorithm, ranks, density, ...)                                                    \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return nuce_schedule_case_prepare(algorithm, ranks, density, out, error);                  \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = nuce_schedule_case_ours,                \
                                               .destroy = nuce_schedule_case_destroy,              \
                                               __VA_ARGS__};

ROW(rs_n_32, "rs-n", 32, 8, .name = "rs-n-32", .summary = "schedule of rs-n, 32 ranks, d = 8",
    .reference = "rs-n on an n x n matrix, as the paper has it", .budget_s = 50e-6,
    .run_reference = nuce_schedule_case_matrix)
ROW(rs_n_4096, "rs-n", 4096, 16, .name = "rs-n-4096",
    .summary = "schedule of rs-n, 4096 ranks, d = 16",
    .reference = "rs-n on an n x n matrix, as the paper has it", .budget_s = 50e-3,
    .run_reference = nuce_schedule_case_matrix)
ROW(rs_n_65536, "rs-n", 65536, 16, .name = "rs-n-65536",
    .summary = "schedule of rs-n, 65536 ranks, d = 16",
    .reference = "the schedule of ac, which has nothing to decide", .budget_s = 1.5,
    .budget_bytes = 200000000, .run_reference = nuce_schedule_case_ac)
ROW(rs_nh_32, "rs-nh", 32, 16, .name = "rs-nh-32", .summary = "schedule of rs-nh, 32 ranks, d = 16",
    .reference = "that of rs-n, which neither looks at sizes nor splits", .budget_s = 500e-6,
    .run_reference = nuce_schedule_case_rs_n)
ROW(rs_nh_65536, "rs-nh", 65536, 16, .name = "rs-nh-65536",
    .summary = "schedule of rs-nh, 65536 ranks, d = 16",
    .reference = "that of rs-n, which neither looks at sizes nor splits", .budget_s = 10,
    .budget_bytes = 250000000, .run_reference = nuce_schedule_case_rs_n)
ROW(colouring_65536, "colouring", 65536, 16, .name = "colouring-65536",
    .summary = "schedule of colouring, 65536 ranks, d = 16", .reference = "the schedule of rs-n",
    .budget_s = 4, .budget_bytes = 300000000, .least_turns = 3,
    .run_reference = nuce_schedule_case_rs_n)
ROW(largest_first_65536, "largest-first", 65536, 16, .name = "largest-first-65536",
    .summary = "schedule of largest-first, 65536 ranks, d = 16",
    .reference = "the schedule of rs-n", .budget_s = 2, .budget_bytes = 300000000, .least_turns = 3,
    .run_reference = nuce_schedule_case_rs_n)
ROW(greedy_64, "greedy", 64, 63, .name = "greedy-64",
    .summary = "schedule of greedy, 64 ranks, d = 63", .reference = "the schedule of rs-n",
    .budget_s = 300e-6, .run_reference = nuce_schedule_case_rs_n)
ROW(greedy_1024, "greedy", 1024, 1023, .name = "greedy-1024",
    .summary = "schedule of greedy, 1024 ranks, d = 1023", .reference = "the schedule of rs-n",
    .budget_s = 0.5, .least_turns = 3, .run_reference = nuce_schedule_case_rs_n)
ROW(greedy_65536, "greedy", 65536, 16, .name = "greedy-65536",
    .summary = "schedule of greedy, 65536 ranks, d = 16", .reference = "the schedule of rs-n",
    .budget_s = 2, .budget_bytes = 300000000, .least_turns = 3,
    .run_reference = nuce_schedule_case_rs_n)
ROW(load_list_1024, "load-list", 1024, 1023, .name = "load-list-1024",
    .summary = "schedule of load-list, 1024 ranks, d = 1023", .reference = "the schedule of rs-n",
    .budget_s = 0.5, .least_turns = 3, .run_reference = nuce_schedule_case_rs_n)
ROW(load_list_65536, "load-list", 65536, 16, .name = "load-list-65536",
    .summary = "schedule of load-list, 65536 ranks, d = 16", .reference = "the schedule of rs-n",
    .budget_s = 5, .budget_bytes = 300000000, .least_turns = 3,
    .run_reference = nuce_schedule_case_rs_n)
ROW(preemptive_65536, "preemptive", 65536, 16, .name = "preemptive-65536",
    .summary = "schedule of preemptive, 65536 ranks, d = 16", .reference = "the schedule of rs-n",
    .budget_s = 8, .budget_bytes = 400000000, .least_turns = 3,
    .run_reference = nuce_schedule_case_rs_n)

/* How that grows: ROW's parameters, and the smaller pattern's behind its own. */
#define GROWTH(id, algorithm, ranks, density, smaller_ranks, smaller_density, ...)                 \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return nuce_schedule_case_prepare_growth(algorithm, ranks, density, smaller_ranks,         \
                                                 smaller_density, out, error);                     \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = nuce_schedule_case_ours,                \
                                               .run_reference = nuce_schedule_case_smaller,        \
                                               .destroy = nuce_schedule_case_destroy,              \
                                               __VA_ARGS__};

GROWTH(rs_n_growth, "rs-n", 65536, 16, 4096, 16, .name = "rs-n-growth",
       .summary = "schedule of rs-n, per message, 65536 ranks, d = 16",
       .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1")
GROWTH(rs_nh_growth, "rs-nh", 65536, 16, 4096, 16, .name = "rs-nh-growth",
       .summary = "schedule of rs-nh, per message, 65536 ranks, d = 16",
       .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1")
GROWTH(
    greedy_growth, "greedy", 1024, 1023, 64, 63, .name = "greedy-growth",
    .summary = "schedule of greedy, per message, 1024 ranks, d = 1023",
    .reference = "the same, per message, 64 ranks, d = 63: growth as P K has ratio 1, as P K^2 16",
    .least_turns = 3)
