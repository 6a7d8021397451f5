/* Ends of a process without MPI_Finalize: records the exit status. _exit and quick_exit run no
 * destructor and would look like a signal, so they are wrapped. A signal handler may call them
 * while the recorder is in any state, so the recorder is not touched. The raw file lacks only
 * the ending, which is written by the file's path. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/tap_state.h"

void nuce_tap_leave_at_once(int status)
{
    const struct nuce_tap_state *state = nuce_tap_the_state();
    int32_t ending = NUCE_RAW_EXITED;
    int64_t one = 1;
    int file;

    /* A child of fork or vfork has its parent's memory but not the file. */
    if (!nuce_tap_is_on() || state->finalize_ns != 0 || state->is_aborting ||
        state->pid != getpid())
        return;
    file = open(state->path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)!pwrite(file, &ending, sizeof ending, offsetof(struct nuce_raw_header, ending));
    if (status == 0)
        (void)!pwrite(file, &one, sizeof one,
                      offsetof(struct nuce_raw_header, counters[NUCE_RAW_LEFT_WITH_0]));
    close(file);
}

NUCE_TAP_EXPORT _Noreturn void nuce_tap_exit(int status) __asm__("_exit");
_Noreturn void nuce_tap_exit(int status)
{
    nuce_tap_leave_at_once(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

NUCE_TAP_EXPORT _Noreturn void nuce_tap_other_exit(int status) __asm__("_Exit");
_Noreturn void nuce_tap_other_exit(int status)
{
    nuce_tap_exit(status);
}

static void leave_quickly(void)
{
    nuce_tap_leave_at_once(nuce_tap_the_state()->exit_status);
}

/* quick_exit passes no status to its handlers, leave_quickly among them. */
NUCE_TAP_EXPORT _Noreturn void nuce_tap_quick_exit(int status) __asm__("quick_exit");
_Noreturn void nuce_tap_quick_exit(int status)
{
    void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "quick_exit");

    nuce_tap_the_state()->exit_status = status;
    real(status);
    abort();
}

/* The destructor gets no status either, so this handler runs before it. */
static void keep_status(int status, void *state)
{
    ((struct nuce_tap_state *)state)->exit_status = status;
}

void nuce_tap_aborting(void)
{
    nuce_tap_the_state()->is_aborting = 1;
}

void nuce_tap_leave_open(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();

    state->exit_status = -1;
    on_exit(keep_status, state);
    at_quick_exit(leave_quickly);
}
