#include "wait.h"

#include <string.h>
#include <time.h>

#include "check.h"

/* Ranks that share processors sleep soon, others when the wait is a long one. */
#define POLLS_BEFORE_SLEEP 100
#define SPIN_POLLS_BEFORE_SLEEP 100000
#define SLEEP_NS 100000

void nuce_wait_request(const struct nuce_wait *wait, MPI_Request *request)
{
    unsigned before_sleep = wait->yield ? POLLS_BEFORE_SLEEP : SPIN_POLLS_BEFORE_SLEEP;
    unsigned polls = 0;
    int done = 0;

    for (;;) {
        NUCE_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (done)
            return;
        nuce_wait_pause(wait, &polls);
        if (polls > before_sleep)
            (void)nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
}

/* Whether the ranks of node, together, may use fewer processors than they are. */
static int node_is_oversubscribed(MPI_Comm node)
{
    const struct nuce_wait yielding = {.yield = 1};
    cpu_set_t mine, all;
    MPI_Request request;
    int ranks;

    CPU_ZERO(&mine);
    CPU_ZERO(&all);
    (void)sched_getaffinity(0, sizeof mine, &mine);
    NUCE_MPI(MPI_Comm_size(node, &ranks));
    NUCE_MPI(MPI_Iallreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, node, &request));
    nuce_wait_request(&yielding, &request);
    return ranks > CPU_COUNT(&all);
}

struct nuce_wait nuce_wait_init(MPI_Comm comm, MPI_Comm node)
{
    const struct nuce_wait yielding = {.yield = 1};
    int mine, any = 0;
    MPI_Request request;
    mine = node_is_oversubscribed(node);
    NUCE_MPI(MPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm, &request));
    nuce_wait_request(&yielding, &request);
    return (struct nuce_wait){.yield = any, .oversubscribed = any};
}

struct nuce_wait nuce_wait_under(const struct nuce_wait *machine, const char *policy)
{
    struct nuce_wait wait = *machine;

    if (strcmp(policy, "auto") == 0)
        wait.yield = machine->oversubscribed;
    else
        wait.yield = strcmp(policy, "yield") == 0;
    return wait;
}
