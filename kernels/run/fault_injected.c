/* NUCE_FAULT: "corrupt" flips a bit of one received byte on rank 1 in every exchange; "hang" stops
 * rank 1 for good in its first exchange, "hang N" in number N, counted as flip's; "crash" kills it;
 * "setup" makes its set-up fail, "memory" lets it ask for more than there can be; "late
 * P" makes each step of the second contender of a heat last P % longer by the clock: an effect of a
 * known size; "flip N" flips a bit on rank 1 in its exchange
 * number N alone, counted from 1 in NUCE_FAULT_COUNT; "transit" flips a bit of what rank 1 received
 * for other ranks; "counts" takes every count for larger than an int. NUCE_FAULT_EXECUTOR: of
 * corrupt, hang and crash, in exchanges of that one alone.
 */
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

/* The rank that misbehaves: not 0, so that messages have to come from another rank. */
#define FAULTY_RANK 1

/* Whether NUCE_FAULT says just that. */
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

/* Whether NUCE_FAULT says that of this exchange, by its number. Counts exchanges in the
 * environment, the only state that survives the program's own. */
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
    /* The lowest bit of the last byte that was received. */
    if (asked_for("corrupt") || asked_for_now("flip")) {
        if (arrays != NULL && arrays->to_bytes > 0)
            arrays->to[arrays->to_bytes - 1] ^= 0x01;
        else if (arrays == NULL && payload->receives > 0)
            payload->receive[payload->receive_at[payload->receives] - 1] ^= 0x01;
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

/* Number of the contender that "late" makes late: the second. */
#define LATE_ENTRANT 1

/* What is done to find out is the same for all: looked up for the second contender alone it made
 * that one 4 % slower, of 16 B and 32 ranks. The clock is what is changed, nobody waits: where
 * ranks share processors whoever waits changes what the others take. Of 20 % that were waited for,
 * yielding, 13 % were left on 4 and 8 ranks of two processors; a rank that spins would hold others
 * up. */
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
