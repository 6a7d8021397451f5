/* capture-calls: the cost of nuce capture's recorder for each call of an application: posting and
 * completing the messages of a halo of 26 neighbours, the clock read where a round begins or ends,
 * as the hooks do. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "bench.h"
#include "capture/recorder.h"

#define NEIGHBOURS 26
#define ROUNDS 1000
/* Each message is posted and completed. */
#define CALLS (2 * 2 * NEIGHBOURS * ROUNDS)

struct capture_calls {
    struct nuce_recorder *recorder;
    char path[64];
    double sum; /* so that the reference is not optimised away */
};

static int64_t capture_now(void)
{
    return (int64_t)(nuce_clock() * 1e9);
}

static void capture_calls_ours(void *self)
{
    struct capture_calls *bench = self;

    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2 * NEIGHBOURS; k++) {
            struct nuce_recorder_message message = {.direction = k < NEIGHBOURS ? NUCE_RAW_RECEIVE
                                                                                : NUCE_RAW_SEND,
                                                    .peer = k % NEIGHBOURS,
                                                    .tag = 3,
                                                    .bytes = 64 * k};

            nuce_recorder_post(bench->recorder, 4096 * (uint64_t)k, &message, NUCE_RECORDER_NOW);
        }
        for (int k = 0; k < 2 * NEIGHBOURS; k++)
            nuce_recorder_finish(bench->recorder, 4096 * (uint64_t)k, 0, 0, NUCE_RECORDER_NOW);
    }
}

static void capture_calls_clock(void *self)
{
    struct capture_calls *bench = self;

    for (int i = 0; i < CALLS; i++)
        bench->sum += (double)capture_now();
}

static void capture_calls_destroy(void *self)
{
    struct capture_calls *bench = self;

    nuce_recorder_destroy(bench->recorder, NUCE_RAW_FINALIZED, capture_now());
    unlink(bench->path);
    free(bench);
}

static void capture_calls_create(const void *of, struct nuce_bench_case *out)
{
    struct capture_calls *bench = nuce_allocate(1, sizeof *bench);
    struct nuce_raw_header header = {.ranks = NEIGHBOURS};
    int members[NEIGHBOURS];

    (void)of;
    for (int i = 0; i < NEIGHBOURS; i++)
        members[i] = i;
    snprintf(bench->path, sizeof bench->path, "/tmp/nuce-bench-%d.raw", (int)getpid());
    bench->recorder = nuce_recorder_create(bench->path, &header, capture_now);
    if (bench->recorder == NULL || nuce_recorder_add(bench->recorder, members, NEIGHBOURS, 0) < 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: cannot be written", bench->path));
    *out = (struct nuce_bench_case){.self = bench, .ours_units = CALLS, .reference_units = CALLS};
}

const struct nuce_bench nuce_bench_captures[] = {
    {.name = "capture-calls",
     .summary = "a call noted by nuce capture, halo of 26 neighbours",
     .reference = "reading the clock",
     .budget_s = 300e-9,
     .create = capture_calls_create,
     .run_ours = capture_calls_ours,
     .run_reference = capture_calls_clock,
     .destroy = capture_calls_destroy},
    {.name = NULL},
};
