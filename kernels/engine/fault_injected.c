/* NUCE_FAULT: "corrupt" flips a bit of one received byte on rank 1 in every exchange; "hang" stops
 * rank 1 for good; "crash" kills it; "setup" makes its set-up fail; "slow" makes every step of
 * every rank last 10 % longer. NUCE_FAULT_EXECUTOR: of the first three, in exchanges of that one
 * alone. */
#include "engine/fault.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/arrays.h"
#include "support/clock.h"
#include "support/record.h"

#define FAULTY_RANK 1

static int asked_for(const char *fault)
{
    const char *wanted = getenv("NUCE_FAULT");

    return wanted != NULL && strcmp(wanted, fault) == 0;
}

int nuce_fault_concerns(const char *executor)
{
    const char *wanted = getenv("NUCE_FAULT_EXECUTOR");

    return wanted == NULL || strcmp(wanted, executor) == 0;
}

static void fault_corrupt(struct nuce_payload *payload, const struct nuce_arrays *arrays)
{
    if (arrays != NULL && arrays->to_bytes > 0)
        arrays->to[arrays->to_bytes - 1] ^= 0x01;
    else if (arrays == NULL && payload->receives > 0)
        payload->receive[payload->receive_at[payload->receives] - 1] ^= 0x01;
}

void nuce_fault_after_exchange(struct nuce_payload *payload, const struct nuce_arrays *arrays)
{
    if (payload->rank != FAULTY_RANK)
        return;
    if (asked_for("corrupt"))
        fault_corrupt(payload, arrays);
    while (asked_for("hang"))
        (void)sleep(1);
    if (asked_for("crash"))
        (void)raise(SIGKILL);
}

#define SLOWNESS 1.1

void nuce_fault_after_step(double begin, double *parts)
{
    double end = begin + SLOWNESS * (nuce_clock() - begin);

    if (!asked_for("slow"))
        return;
    while (nuce_clock() < end)
        continue;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] *= SLOWNESS;
}

nuce_status nuce_fault_in_setup(int rank, nuce_status status, struct nuce_error *error)
{
    if (status == NUCE_OK && rank == FAULTY_RANK && asked_for("setup"))
        return nuce_error_set(error, NUCE_FAILED, "the set-up fails on purpose");
    return status;
}
