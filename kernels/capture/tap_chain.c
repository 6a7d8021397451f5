/* The continuation of a wrapper. Other tools that wrap MPI, linked or loaded after this library,
 * are called in turn, as they would be without it. MPI 4.1, 15.2.7, leaves this to the linker.
 * The next definition of MPI_X is looked up; if it is the library's own, PMPI_X is called.
 *
 * A program with wrappers of its own comes before this library in every search. Its wrappers
 * call PMPI_X. This library therefore exports PMPI_X as well, and records it as a call of the
 * application if the program makes it. Calls of PMPI_X by the MPI library, tools and this
 * library pass through. */
#include <dlfcn.h>
#include <link.h>
#include <time.h>

#include "capture/tap_state.h"

/* True if both addresses are in one program or library. */
static int is_same_object(const void *one, const void *other)
{
    Dl_info first, second;

    return dladdr(one, &first) != 0 && dladdr(other, &second) != 0 &&
           first.dli_fbase == second.dli_fbase;
}

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *program)
{
    uintptr_t *range = program;

    (void)size;
    range[0] = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        range[0] = begin < range[0] ? begin : range[0];
        if (begin + info->dlpi_phdr[i].p_memsz > range[1])
            range[1] = begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

/* Several threads may search at once: they find the same. */
struct nuce_tap_link *nuce_tap_find_link(struct nuce_tap_link *link)
{
    void *real, *next, *front;
    uintptr_t program[2] = {0};

    if (__atomic_load_n(&link->next, __ATOMIC_ACQUIRE) != NULL)
        return link;
    real = dlsym(RTLD_NEXT, link->real_name);
    if (real == NULL) {
        nuce_tap_bring_into_view();
        real = dlsym(RTLD_NEXT, link->real_name);
    }
    next = dlsym(RTLD_NEXT, link->name);
    front = dlsym(RTLD_DEFAULT, link->name);
    if (next == NULL || (real != NULL && is_same_object(next, real)))
        next = real;
    link->is_front = front != NULL && !is_same_object(front, __builtin_return_address(0));
    link->is_wrapped = next != real || link->is_front;
    dl_iterate_phdr(find_program, program);
    link->program_begin = program[0];
    link->program_end = program[1];
    link->real = real != NULL ? real : next;
    __atomic_store_n(&link->next, next, __ATOMIC_RELEASE);
    return link;
}

/* A program's wrapper that ends in a tail call leaves no address of its own, so the caller may
 * seem to be any library. */
int nuce_tap_is_direct(const struct nuce_tap_link *link, const void *caller)
{
    uintptr_t at = (uintptr_t)caller;

    return (at >= link->program_begin && at < link->program_end) ||
           (link->is_front && !is_same_object(caller, link->real) &&
            !is_same_object(caller, __builtin_return_address(0)));
}

/* Nesting depth of calls in this thread. It needs no lock and no process-wide state. */
static int *depth_of_thread(void)
{
    static _Thread_local int depth __attribute__((tls_model("initial-exec")));

    return &depth;
}

int nuce_tap_is_noted(void)
{
    return nuce_tap_is_on() && *depth_of_thread() == 0;
}

void nuce_tap_go_in(int by)
{
    *depth_of_thread() += by;
}

void nuce_tap_come_out(int by)
{
    *depth_of_thread() -= by;
}

/* Measures the interposer's own cost: every WATCH_EVERY-th call is timed. It uses the monotonic
 * clock, because reading a thread's processor time takes longer than the timed code. */

/* Reading the clock four times takes about as long as noting a call, so this interval adds 1 %.
 * It is a prime, so that all calls of a round are timed in turn. */
#define WATCH_EVERY 101

/* A longer time (ns) was an interruption: another process had the processor. */
#define WATCH_LONGEST 50000

/* Readings of the clock; the fastest gives the time of one reading. */
#define WATCH_READINGS 64

/* Processor time of the process, ns. */
static int64_t processor_time(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void nuce_tap_watch_open(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();

    state->reading_ns = INT64_MAX;
    for (int i = 0; i < WATCH_READINGS; i++) {
        int64_t before = nuce_tap_now(), taken = nuce_tap_now() - before;

        state->reading_ns = taken < state->reading_ns ? taken : state->reading_ns;
    }
    state->begin_ns = processor_time();
}

void nuce_tap_watch_begin(struct nuce_tap_watch *watch)
{
    int64_t number = __atomic_fetch_add(&nuce_tap_the_state()->calls, 1, __ATOMIC_RELAXED);

    watch->is_on = number % WATCH_EVERY == WATCH_EVERY / 2; /* not the first call, which warms up */
    watch->own_ns = 0;
    if (watch->is_on)
        watch->since_ns = nuce_tap_now();
}

void nuce_tap_watch_pause(struct nuce_tap_watch *watch)
{
    if (watch->is_on)
        watch->own_ns += nuce_tap_now() - watch->since_ns - nuce_tap_the_state()->reading_ns;
}

void nuce_tap_watch_resume(struct nuce_tap_watch *watch)
{
    if (watch->is_on)
        watch->since_ns = nuce_tap_now();
}

void nuce_tap_watch_end(struct nuce_tap_watch *watch)
{
    if (!watch->is_on)
        return;
    nuce_tap_watch_pause(watch);
    if (watch->own_ns > WATCH_LONGEST)
        return;
    __atomic_fetch_add(&nuce_tap_the_state()->watched, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&nuce_tap_the_state()->watched_ns, watch->own_ns > 0 ? watch->own_ns : 0,
                       __ATOMIC_RELAXED);
}

void nuce_tap_watch_close(int64_t *counters)
{
    const struct nuce_tap_state *state = nuce_tap_the_state();

    counters[NUCE_RAW_CALLS] = __atomic_load_n(&state->calls, __ATOMIC_RELAXED);
    counters[NUCE_RAW_WATCHED] = __atomic_load_n(&state->watched, __ATOMIC_RELAXED);
    counters[NUCE_RAW_WATCHED_NS] = __atomic_load_n(&state->watched_ns, __ATOMIC_RELAXED);
    counters[NUCE_RAW_CPU_NS] = processor_time() - state->begin_ns;
}
