/* NUCE_FAULT has one of these values.
 * - "corrupt" flips a bit of one received byte on rank 1 in every exchange.
 * - "hang" stops rank 1 for good in its first exchange; "hang N" in number N, counted as for
 *   flip.
 * - "crash" kills rank 1.
 * - "setup" makes its set-up fail; "memory" makes it request more memory than can exist.
 * - "late P" lengthens each step of the second contender of a race by P % by the clock: an
 *   effect of a known size.
 * - "flip N" flips a bit on rank 1 only in its exchange number N, counted from 1 in
 *   NUCE_FAULT_COUNT.
 * - "transit" flips a bit of the data that rank 1 received for other ranks.
 * - "counts" treats every count as larger than an int.
 *
 * NUCE_FAULT_EXECUTOR limits corrupt, hang and crash to the exchanges of that executor. */
#include "run/fault.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/record.h"
#include "run/array_peers.h"

/* The faulty rank: not 0, so that messages must come from another rank. */
#define FAULTY_RANK 1

/* True if NUCE_FAULT is exactly that. */
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

/* True if NUCE_FAULT names that fault for this exchange, by its number. Counts exchanges in the
 * environment, the only state that outlasts the program's own. */
static int asked_for_now(const char *fault)
{
    const char *wanted = getenv("NUCE_FAULT"), *before = getenv("NUCE_FAULT_COUNT");
    int number = before == NULL ? 1 : atoi(before) + 1, at;
    char text[16], name[16];

    if (wanted == NULL || sscanf(wanted, "%15s %d", name, &at) != 2 || strcmp(name, fault) != 0)
        return 0;
    snprintf(text, sizeof text, "%d", number);
    setenv("NUCE_FAULT_COUNT", text, 1);
    return number == at;
}

void nuce_fault_after_exchange(struct nuce_payload *payload, const struct nuce_arrays *arrays)
{
    if (payload->rank != FAULTY_RANK)
        return;
    /* The lowest bit of the last received byte. */
    if (asked_for("corrupt") || asked_for_now("flip")) {
        if (arrays != NULL && arrays->to_bytes > 0)
            arrays->to[arrays->to_bytes - 1] ^= 0x01;
        else if (arrays == NULL && payload->receive.count > 0)
            payload->receive.data[nuce_payload_bytes(&payload->receive) - 1] ^= 0x01;
    }
    if (asked_for("hang") || asked_for_now("hang")) {
        for (;;)
            sleep(1);
    }
    if (asked_for("crash"))
        raise(SIGKILL);
}

void nuce_fault_in_transit(int rank, unsigned char *data, int64_t bytes)
{
    if (rank == FAULTY_RANK && bytes > 0 && asked_for("transit"))
        data[bytes - 1] ^= 0x01;
}

/* The contender that "late" slows down: the second. */
#define LATE_ENTRANT 1

/* The work of the lookup is equal for all contenders: a lookup for the second alone made it 4 %
 * slower, at 16 B and 32 ranks. The clock is changed, and no rank waits: if ranks share
 * processors, waiting changes the times of other ranks. A yielding wait of 20 % became 13 % with 4
 * and 8 ranks on two processors; a spinning rank would delay others. */
double nuce_fault_ended(double begin, double *parts, int entrant)
{
    const char *wanted = getenv("NUCE_FAULT");
    double percent = 0, times = 1;

    if (wanted != NULL && sscanf(wanted, "late %lf", &percent) == 1 && entrant == LATE_ENTRANT)
        times += percent / 100;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] *= times;
    return begin + times * (nuce_clock() - begin);
}

nuce_status nuce_fault_in_setup(int rank, nuce_status status, struct nuce_error *error)
{
    if (status == NUCE_OK && rank == FAULTY_RANK && asked_for("setup"))
        return nuce_error_set(error, NUCE_FAILED, "the set-up fails on purpose");
    if (rank == FAULTY_RANK && asked_for("memory"))
        free(nuce_allocate(PTRDIFF_MAX, 1));
    return status;
}

int64_t nuce_fault_most(int64_t most)
{
    return asked_for("counts") ? 0 : most;
}
