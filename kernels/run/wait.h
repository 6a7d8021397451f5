/* The one way in which ranks wait. MPICH spins while it waits and never yields, so with more
 * ranks than processors each rank delays others for milliseconds. Our own loop tests and then
 * yields, which avoids that. Every schedule, peer and barrier waits like this. */
#ifndef NUCE_WAIT_H
#define NUCE_WAIT_H

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* The activity of a rank, for the watchdog's message. Written by the rank, read by its watchdog. */
enum nuce_activity {
    NUCE_ACTIVITY_SETUP,
    NUCE_ACTIVITY_CONTROL,  /* waiting for a collective of nuce's own */
    NUCE_ACTIVITY_BARRIER,  /* detail: round */
    NUCE_ACTIVITY_EXCHANGE, /* detail: phase */
    NUCE_ACTIVITY_COMPUTE,
};

/* The current activity of one rank. Others read it at any time, so its members are atomic; they
 * order nothing else. */
struct nuce_watch {
    int rank;
    _Atomic int activity;
    _Atomic int peer;   /* the rank waited for, -1: not one alone */
    _Atomic int detail; /* round or phase */
    _Atomic unsigned
        steps; /* number of begun activities: the rank with the fewest delays the others */
};

/* Adds details of the current activity. watch NULL, here and below: nothing watches. */
static inline void nuce_watch_detail(struct nuce_watch *watch, int peer, int detail)
{
    if (watch == NULL)
        return;
    atomic_store_explicit(&watch->peer, peer, memory_order_relaxed);
    atomic_store_explicit(&watch->detail, detail, memory_order_relaxed);
}

/* Begins an activity. */
static inline void nuce_watch_set(struct nuce_watch *watch, enum nuce_activity activity, int peer,
                                  int detail)
{
    unsigned steps;

    if (watch == NULL)
        return;
    steps = atomic_load_explicit(&watch->steps, memory_order_relaxed);
    atomic_store_explicit(&watch->activity, (int)activity, memory_order_relaxed);
    nuce_watch_detail(watch, peer, detail);
    atomic_store_explicit(&watch->steps, steps + 1, memory_order_relaxed);
}

/* How a rank waits. Determined once (nuce_wait_init), then by policy. */
struct nuce_wait {
    int block;          /* 1: inside MPI; polling would stop a simulator's clock */
    int yield;          /* 0: spin; 1: yield the processor after a few polls */
    int sleep;          /* with yield: sleep, even if no process needs the processor */
    int oversubscribed; /* some machine has more ranks than processors for them */
};

/* Polls before the first yield: a partner on another processor answers within a few. Afterwards
 * two polls for each yield. A rank with many requests makes MPICH poll the network several times
 * during a test (every 8 requests). A second test sees arrivals of requests that were tested
 * before. With one poll the order of the requests mattered: posting all at once took 7 to 10 %
 * longer with receives in front (8 ranks on 2 processors). */
#define NUCE_POLLS_BEFORE_YIELD 4
#define NUCE_POLLS_A_YIELD 2

/* After this many polls in one wait the wait is slow enough to diagnose (see nuce_engine_run); a
 * power of two. It is small: on a busy processor each poll may take milliseconds, and the
 * watchdog's message must name the awaited rank in time. */
#define NUCE_POLLS_BEFORE_DIAGNOSIS 256

/* Sleep time of a waiting rank. The kernel makes it 70 us, unless shorter ones are allowed
 * (PR_SET_TIMERSLACK). */
#define NUCE_WAIT_SLEEP_NS 20000

static inline void nuce_wait_sleep(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NUCE_WAIT_SLEEP_NS}, NULL);
}

/* Called between two polls; *polls counts them, from 0. */
static inline void nuce_wait_pause(const struct nuce_wait *wait, unsigned *polls)
{
    if (++*polls <= NUCE_POLLS_BEFORE_YIELD || *polls % NUCE_POLLS_A_YIELD != 0)
        return;
    if (wait->sleep)
        nuce_wait_sleep();
    else if (wait->yield)
        sched_yield();
}

/* Two numbers of the boot's id that only ranks under one running kernel share; MPI_UNDEFINED if
 * the kernel does not report it. */
void nuce_wait_machine(int out[2]);

/* Determines if ranks share processors, from the affinity masks of each machine's ranks; policy
 * "auto". node is the part of comm on one node; nodes that run under one kernel (containers)
 * count as one machine. Collective over comm. */
struct nuce_wait nuce_wait_init(MPI_Comm comm, MPI_Comm node);

/* The same machine under policy "auto" (yield exactly if ranks share processors), "spin",
 * "yield" or "sleep"; a simulated one blocks under all of them. Local. */
struct nuce_wait nuce_wait_under(const struct nuce_wait *machine, const char *policy);

/* The policy's name, for records: block, sleep, yield or spin. */
const char *nuce_wait_name(const struct nuce_wait *wait);

/* Finds those of count persistent requests that have completed since, as MPI_Testsome does.
 * Returns their number, with their positions in indices (count). If ranks block, waits for the
 * first of them, if any is active. Local. */
int nuce_wait_some(const struct nuce_wait *wait, int count, MPI_Request *requests, int *indices);

/* True if *request is complete; if ranks block, waits until it is. Local. */
int nuce_wait_one(const struct nuce_wait *wait, MPI_Request *request);

/* Waits for all of count requests. Local. */
void nuce_wait_all(const struct nuce_wait *wait, int count, MPI_Request *requests);

/* Waits for *request, a control operation outside all measurement. It sleeps between polls in a
 * long wait, and soon if ranks share processors. Ranks that only yield in turn would still take
 * most of the time from one that reads a mesh. Local. */
void nuce_wait_request(const struct nuce_wait *wait, MPI_Request *request);

#endif
