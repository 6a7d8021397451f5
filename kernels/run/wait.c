/* Test, then yield or sleep, until done. The choice for a run depends on whether ranks share
 * processors, which is found out once and recorded. Ranks that wait for control operations also
 * sleep; timed operations never do. Sharing of processors is a property of the machine under the
 * ranks, not of the node: containers of one kernel are different nodes and yet share. It is
 * determined once, at the start, by collectives that yield, because it is unknown until then. */
#include "run/wait.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "run/check.h"
#include "run/simulation.h"

/* Polls before a control operation's wait sleeps, for NUCE_WAIT_SLEEP_NS at a time. Ranks that
 * share processors sleep soon, others only in a long wait. The set-up of a contender takes 40
 * such operations, so sleeping longer, or sooner, makes launches of 4 to 32 ranks on 2
 * processors a tenth longer. */
#define POLLS_BEFORE_SLEEP 1000
#define SPIN_POLLS_BEFORE_SLEEP 100000

const char *nuce_wait_name(const struct nuce_wait *wait)
{
    if (wait->block)
        return "block";
    if (wait->sleep)
        return "sleep";
    return wait->yield ? "yield" : "spin";
}

int nuce_wait_some(const struct nuce_wait *wait, int count, MPI_Request *requests, int *indices)
{
    int completed = 0;

    if (wait->block)
        NUCE_MPI(MPI_Waitsome(count, requests, &completed, indices, MPI_STATUSES_IGNORE));
    else
        NUCE_MPI(MPI_Testsome(count, requests, &completed, indices, MPI_STATUSES_IGNORE));
    return completed == MPI_UNDEFINED ? 0 : completed;
}

int nuce_wait_one(const struct nuce_wait *wait, MPI_Request *request)
{
    int done = 1;

    if (wait->block)
        NUCE_MPI(MPI_Wait(request, MPI_STATUS_IGNORE));
    else
        NUCE_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    return done;
}

void nuce_wait_all(const struct nuce_wait *wait, int count, MPI_Request *requests)
{
    unsigned polls = 0;
    int done = 0;

    if (wait->block) {
        NUCE_MPI(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
        return;
    }
    for (;;) {
        NUCE_MPI(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
        if (done)
            return;
        nuce_wait_pause(wait, &polls);
    }
}

void nuce_wait_request(const struct nuce_wait *wait, MPI_Request *request)
{
    unsigned before_sleep = wait->yield ? POLLS_BEFORE_SLEEP : SPIN_POLLS_BEFORE_SLEEP;
    unsigned polls = 0;

    while (!nuce_wait_one(wait, request)) {
        nuce_wait_pause(wait, &polls);
        if (polls > before_sleep && !wait->sleep)
            nuce_wait_sleep();
    }
}

/* Nodes that are containers or namespaces of one machine share its processors, although they
 * cannot share memory. */
void nuce_wait_machine(int out[2])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    unsigned first, second;

    out[0] = MPI_UNDEFINED;
    out[1] = MPI_UNDEFINED;
    if (file == NULL)
        return;
    if (fscanf(file, "%8x-%*4x-%*4x-%*4x-%8x", &first, &second) == 2) {
        out[0] = (int)(first & INT_MAX);
        out[1] = (int)(second & INT_MAX);
    }
    fclose(file);
}

/* True if all ranks of comm have the same machine, and the kernel of each reports it. Collective
 * over comm. The minimum of a number is the negative maximum of its negatives, so one reduction
 * gives both. */
static int is_one_machine(MPI_Comm comm, const int machine[2])
{
    const struct nuce_wait yielding = {.yield = 1};
    int most[4] = {machine[0], -machine[0], machine[1], -machine[1]}; /* and least */
    MPI_Request request;

    NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, most, 4, MPI_INT, MPI_MAX, comm, &request));
    nuce_wait_request(&yielding, &request);
    return machine[0] != MPI_UNDEFINED && most[0] == -most[1] && most[2] == -most[3];
}

/* True if the ranks of a machine together may use fewer processors than there are ranks: the
 * union of their affinity masks counts. Collective over machine. */
static int is_oversubscribed(MPI_Comm machine)
{
    const struct nuce_wait yielding = {.yield = 1};
    cpu_set_t mine, all;
    MPI_Request request;
    int ranks;

    CPU_ZERO(&mine);
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof mine, &mine);
    NUCE_MPI(MPI_Comm_size(machine, &ranks));
    NUCE_MPI(MPI_Iallreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, machine, &request));
    nuce_wait_request(&yielding, &request);
    return ranks > CPU_COUNT(&all);
}

struct nuce_wait nuce_wait_init(MPI_Comm comm, MPI_Comm node)
{
    const struct nuce_wait yielding = {.yield = 1};
    MPI_Comm half, machine = MPI_COMM_NULL;
    int identity[2], mine, any = 0;
    MPI_Request request;

    if (nuce_simulation_is_on())
        return (struct nuce_wait){.block = 1};
    nuce_wait_machine(identity);
    if (is_one_machine(comm, identity)) { /* no split, which spins in the library */
        mine = is_oversubscribed(comm);
        return (struct nuce_wait){.yield = mine, .oversubscribed = mine};
    }
    /* The ranks on this rank's machine: those of node, and those of other nodes under the same
     * kernel. It splits by both halves of the machine's number in turn, because a color is an
     * int. */
    NUCE_MPI(MPI_Comm_split(comm, identity[0], 0, &half));
    if (half != MPI_COMM_NULL) {
        NUCE_MPI(MPI_Comm_split(half, identity[1], 0, &machine));
        NUCE_MPI(MPI_Comm_free(&half));
    }
    if (machine == MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_dup(node, &machine));
    mine = is_oversubscribed(machine);
    NUCE_MPI(MPI_Comm_free(&machine));
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
        wait.yield = strcmp(policy, "spin") != 0;
    wait.sleep = !wait.block && strcmp(policy, "sleep") == 0;
    return wait;
}
