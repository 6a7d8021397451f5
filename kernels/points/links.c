/* The workload `links`: startup and bandwidth of every ordered pair of ranks, the capacity of the
 * ports, and the growth of a rank's throughput with its partners. A point is the whole measurement.
 *
 * "Block-Cyclic Redistribution over Heterogeneous Networks" supposes T_ij and B_ij to be known
 * (section 2). Bounds by ports and the depth of streams need the rest. */
#include <math.h>

#include "points/results.h"
#include "points/workload.h"
#include "schedules/schedule_results.h"

#define AT(member) offsetof(struct nuce_links_params, member)

/* A record holds every pair, and so does a network file: 10^6 of them. */
#define RANKS_MOST 1024

/* Counts of MPI are int, and buffers hold several of the largest messages. */
#define LARGEST_MOST (INT64_C(1) << 30)

/* More repetitions are taken for a typing error. */
#define REPETITIONS_MOST 1000

static const struct nuce_option options[] = {
    NUCE_OPTION(BYTES, "smallest", AT(smallest), "1KiB", "BYTES", "bytes of the shortest messages",
                .minimum = 1),
    NUCE_OPTION(
        BYTES, "largest", AT(largest), "1MiB", "BYTES",
        "bytes of the longest messages, long enough to be limited by bandwidth and not by startup",
        .minimum = 2),
    NUCE_OPTION(COUNT, "sizes", AT(sizes), "4", "N",
                "number of message sizes from smallest to largest, with a constant ratio",
                .minimum = 2),
    NUCE_OPTION(
        COUNT, "repetitions", AT(repetitions), "8", "N",
        "measurements of every pair and size, regardless of time-limit; of every fan half as many",
        .minimum = 1),
    NUCE_OPTION(
        COUNT, "centres", AT(centres), "16", "N",
        "maximum number of ranks, evenly spread, whose ports and contention are measured one "
        "after another",
        .minimum = 1),
    {.name = NULL},
};

/* The k-th size is smallest (largest / smallest)^(k / (sizes - 1)). */
void nuce_links_sizes(const struct nuce_links_params *params, int64_t bytes[NUCE_LINKS_SIZES_MOST])
{
    double step =
        log((double)params->largest / (double)params->smallest) / (double)(params->sizes - 1);

    for (int64_t k = 0; k < params->sizes; k++)
        bytes[k] = llround((double)params->smallest * exp((double)k * step));
}

static nuce_status links_complete(void *params, int ranks, struct nuce_error *error)
{
    const struct nuce_links_params *p = params;
    int64_t bytes[NUCE_LINKS_SIZES_MOST];

    if (ranks < 2)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': expected at least 2 ranks to measure a link", ranks);
    if (ranks > RANKS_MOST)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': every pair is measured and kept: expected at most %d",
                                 ranks, RANKS_MOST);
    if (p->repetitions > REPETITIONS_MOST)
        return nuce_error_refuse(error, "repetitions", "'%lld': expected at most %d",
                                 (long long)p->repetitions, REPETITIONS_MOST);
    if (p->centres > RANKS_MOST)
        return nuce_error_refuse(error, "centres", "'%lld': expected at most %d",
                                 (long long)p->centres, RANKS_MOST);
    if (p->largest > LARGEST_MOST)
        return nuce_error_refuse(error, "largest", "'%lld': expected at most 1GiB",
                                 (long long)p->largest);
    if (p->smallest >= p->largest)
        return nuce_error_refuse(error, "smallest", "'%lld': expected less than largest, %lld",
                                 (long long)p->smallest, (long long)p->largest);
    if (p->sizes > NUCE_LINKS_SIZES_MOST)
        return nuce_error_refuse(error, "sizes", "'%lld': expected at most %d", (long long)p->sizes,
                                 NUCE_LINKS_SIZES_MOST);
    /* Sizes must grow, or a line would be fitted through one point. */
    nuce_links_sizes(p, bytes);
    for (int64_t k = 1; k < p->sizes; k++) {
        if (bytes[k] <= bytes[k - 1])
            return nuce_error_refuse(
                error, "sizes",
                "'%lld': from %lld to %lld bytes there are fewer whole sizes with a constant ratio",
                (long long)p->sizes, (long long)p->smallest, (long long)p->largest);
    }
    return NUCE_OK;
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"network_file", NUCE_TEXT, "", "network file that the run wrote", "network file", 0},
    {"pairs", NUCE_INTEGER, "", "ordered pairs of ranks", "pairs", NUCE_RESULT_DERIVED},
    {"startup_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "startup latency, median over pairs", "startup", NUCE_RESULT_DERIVED},
    {"bandwidth_least", NUCE_REAL, NUCE_UNIT_RATE,
     "lowest bandwidth of a pair", "bandwidth: least", NUCE_RESULT_DERIVED},
    {"bandwidth_median", NUCE_REAL, NUCE_UNIT_RATE, "bandwidth, median over pairs", "median", NUCE_RESULT_DERIVED},
    {"bandwidth_most", NUCE_REAL, NUCE_UNIT_RATE, "highest bandwidth of a pair", "most", NUCE_RESULT_DERIVED},
    {"bandwidth_error", NUCE_REAL, NUCE_UNIT_RATIO,
     "standard error / bandwidth, median over pairs", "error", NUCE_RESULT_DERIVED},
    {"unfitted", NUCE_INTEGER, "",
     "pairs without a standard error", "unfitted", NUCE_RESULT_DERIVED},
    {"ports_out", NUCE_INTEGER, "",
     "ranks whose outgoing port is a limit", "ports limited: out", NUCE_RESULT_DERIVED},
    {"ports_in", NUCE_INTEGER, "", "ranks whose incoming port is a limit", "in", NUCE_RESULT_DERIVED},
    {"in_flight_auto", NUCE_INTEGER, "",
     "value of 'in-flight: auto' on this network", "in-flight auto", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_pattern_results, nuce_results_part, own_results, nuce_results_run, NULL,
};

const struct nuce_workload_ops nuce_workload_links = {
    .name = "links",
    .summary = "startup and bandwidth of every pair of ranks: a network file",
    .source = "Bhat, Prasanna, Raghavendra: Block-Cyclic Redistribution over Heterogeneous "
              "Networks, 2",
    .program = "nuce-calibrate",
    .subcommand = "links",
    .examples = NUCE_EXAMPLES({"mpiexec -n 8 nuce-calibrate links",
                               "measure every pair of ranks and write a network file"},
                              {"mpiexec -n 8 nuce-calibrate links --sizes 8 --largest 4MiB",
                               "measure more and longer messages"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_links_params),
    .complete = links_complete,
};
