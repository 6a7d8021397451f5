/* MPICH waits by calling UCX's progress over and over, and never lets go of its processor: where
 * there are more ranks than processors, as in the tests, a rank that waits uses up its time slice
 * while the one it waits for has none. Loaded before MPICH, this one yields each time that it found
 * nothing to do, and sleeps a little once that has been so POLLS times: ranks that wait for a
 * timeout, or for one that was stopped, cost nothing. NUCE_TEST_POLLS: another number. The
 * behaviour of the programs under test and of MPI stays the same.
 *
 * NUCE_TEST_HOLD="RUNS FOLDER": as soon as FOLDER/campaigns has that many recorded runs and another
 * has begun, a rank sleeps until FOLDER/go exists or a signal arrives. So a test that kills or
 * cancels a job does so in the middle of a run, however busy the machine is. */
#include <dlfcn.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POLLS 30
#define SLEEP_NS 100000
#define HOLD_NS 20000000

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

static char *join(const char *folder, const char *name)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        abort();
    return path;
}

/* True once so many runs are recorded, and one more has begun. */
static int is_time(const char *folder, long wanted)
{
    char *pattern = join(folder, "campaigns/*/records/*.jsonl"), *line = NULL;
    size_t size = 0;
    glob_t found = {0};
    long runs = 0, begun = 0;

    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");

        while (file != NULL && getline(&line, &size, file) > 0) {
            runs += strstr(line, "\"record\":\"run\"") != NULL;
            begun += strstr(line, "\"record\":\"begin\"") != NULL;
        }
        if (file != NULL)
            fclose(file);
    }
    globfree(&found);
    free(line);
    free(pattern);
    return runs >= wanted && begun > runs;
}

/* Looks at most every HOLD_NS. */
static void hold(void)
{
    static _Thread_local int over;
    static _Thread_local struct timespec next;
    const char *wanted = getenv("NUCE_TEST_HOLD");
    const struct timespec nap = {.tv_nsec = HOLD_NS};
    struct timespec now;
    char *folder, *go;
    long runs;

    if (over || wanted == NULL)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < next.tv_sec || (now.tv_sec == next.tv_sec && now.tv_nsec < next.tv_nsec))
        return;
    next = now;
    next.tv_nsec += HOLD_NS;
    runs = strtol(wanted, &folder, 10);
    if (!is_time(folder + 1, runs))
        return;
    go = join(folder + 1, "go");
    while (!over)
        over = access(go, F_OK) == 0 || nanosleep(&nap, NULL) != 0;
    free(go);
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
    hold();
    done = progress(worker);
    idle = done > 0 ? 0 : idle + 1;
    if (idle > polls)
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    else if (idle > 0)
        sched_yield();
    return done;
}
