/* The workload `contention`: one rank and several partners at once (Ranka, Wang and Kumar, 3.1 and
 * Table 2). The growth of the time with the partners shows how many simultaneous transfers per node
 * can do.
 *
 * As in the paper the one is the last rank and its partners are the first ranks. All messages are
 * posted at once. */
#include <stdio.h>
#include <string.h>

#include "points/results.h"
#include "points/workload.h"
#include "schedules/schedule_results.h"

#define AT(member) offsetof(struct nuce_contention_params, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "direction", AT(direction), "to-one", "HOW",
                "direction of the messages: to-one (to the last rank) or from-one (from the last "
                "rank); default of nuce-calibrate: both",
                .words = (const char *const[]){"to-one", "from-one", NULL}),
    NUCE_OPTION(BYTES, "size", AT(size), "4KiB", "BYTES",
                "bytes of each message; default of nuce-calibrate: 256B,4KiB,64KiB,256KiB",
                .minimum = 1),
    NUCE_OPTION(COUNT, "partners", AT(partners), NULL, "D",
                "number of ranks, from rank 0 on, that exchange with the last rank; default of "
                "nuce-calibrate: 1, 2, 4, ... and all others",
                .minimum = 1),
    {.name = NULL},
};

/* Fills in and checks the parameters: at least one partner, and the one rank. */
static nuce_status contention_complete(void *params, int ranks, struct nuce_error *error)
{
    const struct nuce_contention_params *p = params;

    if (ranks < 2)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': expected at least 2 ranks to measure contention, and 3 to "
                                 "compare numbers of partners",
                                 ranks);
    if (p->partners == 0)
        return nuce_error_refuse(error, "partners", "not given: expected 1 .. %d", ranks - 1);
    if (p->partners > ranks - 1)
        return nuce_error_refuse(error, "partners", "'%lld': expected 1 .. %d, the other ranks",
                                 (long long)p->partners, ranks - 1);
    return NUCE_OK;
}

static void contention_by_hand(const struct nuce_option *option, int ranks,
                               char list[NUCE_PATH_BYTES])
{
    size_t length = 0;

    if (strcmp(option->name, "direction") == 0)
        strcpy(list, "to-one,from-one");
    else if (strcmp(option->name, "size") == 0)
        strcpy(list, "256B,4KiB,64KiB,256KiB");
    else if (ranks > 1) { /* the numbers of partners of Table 2: 1, 2, 4, ..., P - 1 */
        for (int64_t partners = 1; partners < ranks - 1; partners *= 2)
            length += (size_t)snprintf(list + length, NUCE_PATH_BYTES - length, "%lld,",
                                       (long long)partners);
        snprintf(list + length, NUCE_PATH_BYTES - length, "%d", ranks - 1);
    }
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"one_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of the rank that all others communicate with", "one", NUCE_RESULT_DERIVED},
    {"partner_max_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of its slowest partner", "partners: max", NUCE_RESULT_DERIVED},
    {"partner_min_s", NUCE_REAL, NUCE_UNIT_SECONDS, "time of its fastest partner", "min", NUCE_RESULT_DERIVED},
    {"partner_mean_s", NUCE_REAL, NUCE_UNIT_SECONDS, "mean time of its partners", "mean", NUCE_RESULT_DERIVED},
    {"gain", NUCE_REAL, NUCE_UNIT_RATIO,
     "time of all messages one after another / time of all at once", "gain", NUCE_RESULT_DERIVED},
    {"growth", NUCE_REAL, "",
     "growth of the gain with the partners: serial, limited, independent or unclear", "growth", NUCE_RESULT_DERIVED},
    {"regime", NUCE_TEXT, "",
     "limit in both directions: single-port, NIC-limited, independent-paths or unclear", "regime", NUCE_RESULT_DERIVED},
    {"resent_segments", NUCE_INTEGER, "segments",
     "TCP segments that all nodes sent again during the measurement; NULL if the kernel does not "
     "report them",
     "resent", 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_pattern_results, nuce_results_part, own_results, nuce_results_run, NULL,
};

const struct nuce_workload_ops nuce_workload_contention = {
    .name = "contention",
    .summary = "one rank that receives from, or sends to, several at once",
    .source = "Ranka, Wang, Kumar: Irregular Personalized Communication, 3.1 and Table 2",
    .program = "nuce-calibrate",
    .subcommand = "contention",
    .examples =
        NUCE_EXAMPLES({"mpiexec -n 8 nuce-calibrate contention",
                       "the last rank with 1, 2, 4, ... others at once"},
                      {"mpiexec -n 8 nuce-calibrate contention --format csv", "the same as CSV"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_contention_params),
    .complete = contention_complete,
    .by_hand = contention_by_hand,
};
