/* The workload `permutations`: every rank sends one message and receives one (Ranka, Wang and
 * Kumar, 3.2). The pattern is many random permutations (Figures 4 and 5), or i xor D, which stays
 * within clusters of 2 D ranks (Table 3).
 *
 * A point of random permutations is all of them: its sample k is permutation k, the same for the
 * same seed and rank count. A rank that a permutation maps to itself copies its message; a rank
 * whose partner i xor D does not exist does nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points/results.h"
#include "points/workload.h"
#include "schedules/schedule_results.h"

#define AT(member) offsetof(struct nuce_permutations_params, member)

#define XOR "xor-"
/* More samples are taken for a typing error. */
#define MOST_SAMPLES 1000000

/* random, then the distances up to half of the most ranks of a pattern. */
static const char *const names[] = {
    "random",      "xor-1",      "xor-2",      "xor-4",       "xor-8",       "xor-16",
    "xor-32",      "xor-64",     "xor-128",    "xor-256",     "xor-512",     "xor-1024",
    "xor-2048",    "xor-4096",   "xor-8192",   "xor-16384",   "xor-32768",   "xor-65536",
    "xor-131072",  "xor-262144", "xor-524288", "xor-1048576", "xor-2097152", "xor-4194304",
    "xor-8388608", NULL,
};

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "permutation", AT(permutation), NULL, "WHICH",
                "permutation: random, or xor-D (ranks i and i xor D, D a power of two); default of "
                "nuce-calibrate: random and every D below the ranks",
                .words = names),
    NUCE_OPTION(BYTES, "size", AT(size), "1KiB", "BYTES",
                "bytes of each message; default of nuce-calibrate: 1KiB,256KiB", .minimum = 1),
    NUCE_OPTION(COUNT, "count", AT(count), "5000", "N",
                "number of random permutations, one per sample, within time-limit", .minimum = 1),
    NUCE_OPTION(COUNT, "seed", AT(seed), "1", "N", "seed of the random permutations", .minimum = 0),
    {.name = NULL},
};

int nuce_permutations_distance(const struct nuce_permutations_params *params)
{
    return strncmp(params->permutation, XOR, strlen(XOR)) == 0
               ? (int)strtol(params->permutation + strlen(XOR), NULL, 10)
               : 0;
}

/* xor-D has one permutation: count and seed are not part of its identity. */
static int permutations_applies(const struct nuce_option *option, const void *params)
{
    return nuce_permutations_distance(params) == 0 ||
           (strcmp(option->name, "count") != 0 && strcmp(option->name, "seed") != 0);
}

static nuce_status permutations_complete(void *params, int ranks, struct nuce_error *error)
{
    const struct nuce_permutations_params *p = params;

    if (ranks < 2)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': expected at least 2 ranks to measure a permutation", ranks);
    if (p->permutation[0] == '\0')
        return nuce_error_refuse(error, "permutation", "not given: expected random or xor-D");
    if (nuce_permutations_distance(p) >= ranks)
        return nuce_error_refuse(error, "permutation",
                                 "'%s': expected a distance below the number of ranks, "
                                 "%d",
                                 p->permutation, ranks);
    if (p->count > MOST_SAMPLES)
        return nuce_error_refuse(error, "count", "'%lld': expected at most %d", (long long)p->count,
                                 MOST_SAMPLES);
    return NUCE_OK;
}

static void permutations_by_hand(const struct nuce_option *option, int ranks,
                                 char list[NUCE_PATH_BYTES])
{
    size_t length = 0;

    if (strcmp(option->name, "size") == 0)
        strcpy(list, "1KiB,256KiB");
    if (strcmp(option->name, "permutation") != 0)
        return;
    for (int i = 0; names[i] != NULL && (i == 0 || 1 << (i - 1) < ranks); i++)
        length += (size_t)snprintf(list + length, NUCE_PATH_BYTES - length, "%s%s",
                                   i == 0 ? "" : ",", names[i]);
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"mean_s", NUCE_REAL, NUCE_UNIT_SECONDS, "mean time over permutations", "mean", NUCE_RESULT_DERIVED},
    {"least_s", NUCE_REAL, NUCE_UNIT_SECONDS, "shortest time over permutations", "least", NUCE_RESULT_DERIVED},
    {"most_s", NUCE_REAL, NUCE_UNIT_SECONDS, "longest time over permutations", "most", NUCE_RESULT_DERIVED},
    {"within_tenth", NUCE_REAL, NUCE_UNIT_RATIO,
     "fraction of the permutations within 10 % of the mean", "within 10 % of mean", NUCE_RESULT_DERIVED},
    {"against_random", NUCE_REAL, NUCE_UNIT_RATIO,
     "mean time / mean time of random permutations", "mean / random", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_pattern_results, nuce_results_part, own_results, nuce_results_run, NULL,
};

const struct nuce_workload_ops nuce_workload_permutations = {
    .name = "permutations",
    .summary = "every rank sends and receives one message: permutations",
    .source = "Ranka, Wang, Kumar: Irregular Personalized Communication, 3.2, Figures 4 and 5, "
              "Table 3",
    .program = "nuce-calibrate",
    .subcommand = "permutations",
    .examples = NUCE_EXAMPLES(
        {"mpiexec -n 8 nuce-calibrate permutations", "measure random permutations and i xor D"},
        {"mpiexec -n 8 nuce-calibrate permutations --format csv", "the same as CSV"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_permutations_params),
    .complete = permutations_complete,
    .applies = permutations_applies,
    .by_hand = permutations_by_hand,
};
