/* No faults: linked with every program except those of the tests. */
#include "run/fault.h"

#include "base/clock.h"

int nuce_fault_concerns(const char *executor)
{
    (void)executor;
    return 0;
}

void nuce_fault_after_exchange(struct nuce_payload *payload, const struct nuce_arrays *arrays)
{
    (void)payload;
    (void)arrays;
}

void nuce_fault_in_transit(int rank, unsigned char *data, int64_t bytes)
{
    (void)rank;
    (void)data;
    (void)bytes;
}

double nuce_fault_ended(double begin, double *parts, int entrant)
{
    (void)entrant;
    (void)begin;
    (void)parts;
    return nuce_clock();
}

nuce_status nuce_fault_in_setup(int rank, nuce_status status, struct nuce_error *error)
{
    (void)rank;
    (void)error;
    return status;
}

int64_t nuce_fault_most(int64_t most)
{
    return most;
}
