/* The one way in which ranks wait. MPICH spins while it waits and never yields, so more ranks than
 * processors stand in each other's way for milliseconds; waiting in a loop of our own, which tests
 * and then yields, does not. Every schedule, peer and barrier waits like this. */
#ifndef NUCE_WAIT_H
#define NUCE_WAIT_H

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* What a rank is doing, for the watchdog's message. Written by the rank, read by its watchdog. */
enum nuce_activity {
    NUCE_ACTIVITY_SETUP,
    NUCE_ACTIVITY_CONTROL,  /* waiting for a collective of nuce's own */
    NUCE_ACTIVITY_BARRIER,  /* detail: round */
    NUCE_ACTIVITY_EXCHANGE, /* detail: phase */
    NUCE_ACTIVITY_COMPUTE,
};

/* What one rank is doing now. Others read it at any time, so that its members are atomic; nothing
 * is ordered by them. */
struct nuce_watch {
    int rank;
    _Atomic int activity;
    _Atomic int peer;   /* the rank waited for, -1: not one alone */
    _Atomic int detail; /* round or phase */
    _Atomic unsigned
        steps; /* activities begun: who has begun the fewest keeps the others waiting */
};

/* What is found out about the activity under way. */
static inline void nuce_watch_detail(struct nuce_watch *watch, int peer, int detail)
{
    atomic_store_explicit(&watch->peer, peer, memory_order_relaxed);
    atomic_store_explicit(&watch->detail, detail, memory_order_relaxed);
}

/* An activity begins. */
static inline void nuce_watch_set(struct nuce_watch *watch, enum nuce_activity activity, int peer,
                                  int detail)
{
    unsigned steps = atomic_load_explicit(&watch->steps, memory_order_relaxed);

    atomic_store_explicit(&watch->activity, (int)activity, memory_order_relaxed);
    nuce_watch_detail(watch, peer, detail);
    atomic_store_explicit(&watch->steps, steps + 1, memory_order_relaxed);
}

/* How a rank waits. Found out once (nuce_wait_init), then a matter of policy. */
struct nuce_wait {
    int block;          /* 1: inside MPI; a simulator's clock stands still while anybody polls */
    int yield;          /* 0: spin; 1: give the processor away after a few polls */
    int sleep;          /* with yield: for a time, whether anybody wants it or not */
    int oversubscribed; /* some machine has more ranks than they may use processors */
};

/* Polls before the first yield: a partner on another processor answers within a few. Then two for
 * each: where a rank has many requests MPICH polls the network several times while it tests them
 * (every 8), and what comes in then, of requests that were tested before, a second test sees. With
 * one the order of the requests decided: posting all at once took 7 to 10 % longer with receives in
 * front (8 ranks on 2 processors). */
#define NUCE_POLLS_BEFORE_YIELD 4
#define NUCE_POLLS_A_YIELD 2

/* After this many polls in one wait something is slow enough to find out what (see
 * nuce_engine_run); a power of two. Few: on a busy processor each may take milliseconds, and when
 * time is up the watchdog's message has to name who is waited for. */
#define NUCE_POLLS_BEFORE_DIAGNOSIS 256

/* How long a rank sleeps that waits so. The kernel makes 70 us of it, if nobody told it of shorter
 * ones (PR_SET_TIMERSLACK). */
#define NUCE_WAIT_SLEEP_NS 20000

static inline void nuce_wait_sleep(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NUCE_WAIT_SLEEP_NS}, NULL);
}

/* Between two polls; *polls counts them, from 0. */
static inline void nuce_wait_pause(const struct nuce_wait *wait, unsigned *polls)
{
    if (++*polls <= NUCE_POLLS_BEFORE_YIELD || *polls % NUCE_POLLS_A_YIELD != 0)
        return;
    if (wait->sleep)
        nuce_wait_sleep();
    else if (wait->yield)
        sched_yield();
}

/* Two numbers that only ranks under one running kernel share, of the boot's id; MPI_UNDEFINED where
 * the kernel does not say. */
void nuce_wait_machine(int out[2]);

/* Finds out whether ranks share processors, from the affinity masks of each machine's ranks; policy
 * "auto". node is the part of comm on one node; nodes that run under one kernel (containers) count
 * as one machine. Collective over comm. */
struct nuce_wait nuce_wait_init(MPI_Comm comm, MPI_Comm node);

/* The same machine under policy "auto" (yield exactly where ranks share processors), "spin",
 * "yield" or "sleep"; a simulated one blocks under all of them. Local. */
struct nuce_wait nuce_wait_under(const struct nuce_wait *machine, const char *policy);

/* The policy's name, for records: block, sleep, yield or spin. */
const char *nuce_wait_name(const struct nuce_wait *wait);

/* Finds which of count persistent requests have completed since, as MPI_Testsome does: returns how
 * many, their positions in indices (count). Where ranks block, waits for the first of them, if any
 * is active. Local. */
int nuce_wait_some(const struct nuce_wait *wait, int count, MPI_Request *requests, int *indices);

/* Whether *request is complete; where ranks block, waits until it is. Local. */
int nuce_wait_one(const struct nuce_wait *wait, MPI_Request *request);

/* Waits for all of count requests. Local. */
void nuce_wait_all(const struct nuce_wait *wait, int count, MPI_Request *requests);

/* Waits for *request, a control operation outside all measurement: it sleeps between polls when the
 * wait is long, and soon where ranks share processors, since ranks that yield in turn still take
 * most of the time from one that reads a mesh. Local. */
void nuce_wait_request(const struct nuce_wait *wait, MPI_Request *request);

#endif
