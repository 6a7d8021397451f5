/* MPICH waits by calling UCX's progress over and over, and never lets go of its processor: where
 * there are more ranks than processors, as in the tests, a rank that waits uses up its time slice
 * while the one it waits for has none. Loaded before MPICH, this one yields each time that it found
 * nothing to do, and sleeps a little once that has been so POLLS times: ranks that wait for a
 * timeout, or for one that was stopped, cost nothing. NUCE_TEST_POLLS: another number. The
 * behaviour of the programs under test and of MPI stays the same. */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POLLS 30
#define SLEEP_NS 100000

unsigned ucp_worker_progress(void *worker);

typedef unsigned progress_function(void *worker);

/* UCX's own. A library that was loaded by name, as Open MPI does, is not among the next. */
static progress_function *find_progress(void)
{
    void *symbol = dlsym(RTLD_NEXT, "ucp_worker_progress"), *library = NULL;
    progress_function *found;

    if (symbol == NULL)
        library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
        symbol = dlsym(library, "ucp_worker_progress");
    if (symbol == NULL)
        abort();
    memcpy(&found, &symbol, sizeof found); /* ISO C knows no cast between the two */
    return found;
}

static unsigned find_polls(void)
{
    const char *text = getenv("NUCE_TEST_POLLS");

    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : POLLS;
}

unsigned ucp_worker_progress(void *worker)
{
    static _Thread_local progress_function *progress;
    static _Thread_local unsigned polls, idle;
    unsigned done;

    if (progress == NULL) {
        progress = find_progress();
        polls = find_polls();
    }
    done = progress(worker);
    idle = done > 0 ? 0 : idle + 1;
    if (idle > polls)
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    else if (idle > 0)
        sched_yield();
    return done;
}
