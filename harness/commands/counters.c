/* Counters: PAPI, and that the kernel lets us count. Two checks, as there are two places where it
 * fails: the build of the programs, asked by running one with --papi, and the kernel, asked
 * directly. None is required: without counters all times are as good. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/doctor_check.h"

#define EVENT "PAPI_TOT_CYC"

/* Additions, to be counted. */
#define WORK 1000000

/* What the programs count when they are asked to: one event that nearly every processor has. */
static void look_papi(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    static const char refusal[] = "PAPI cannot count here: ";
    char text[8192];
    int status = nuce_doctor_exchange(local, "1", EVENT, text, sizeof text);
    const char *reason = strstr(text, refusal);

    if (status != 0) {
        nuce_doctor_finding_set(finding, "wrong",
                                "nuce-exchange that counts %s ended with status %d", EVENT, status);
        finding->advice = "where launcher and ranks are ok: leave --papi out";
    } else if (strstr(text, "built without PAPI") != NULL) {
        nuce_doctor_finding_set(finding, "missing", "built without PAPI");
    } else if (reason != NULL) {
        nuce_doctor_finding_set(finding, "missing", "no %s", reason + strlen(refusal));
        finding->advice = "see counters; 'papi_avail -a' lists what PAPI can count here";
    } else {
        nuce_doctor_finding_set(finding, "ok", "nuce-exchange has counted %s", EVENT);
    }
}

/* volatile, so that the compiler does every addition. */
static void doctor_counters_work(void)
{
    volatile int64_t sum = 0;

    for (int64_t i = 0; i < WORK; i++)
        sum += i;
}

/* Some machines have the counter and it stands still: it has to have counted what was done. An
 * addition takes a cycle at least, since it waits for the sum of the one before: a quarter of that
 * is no count of them. */
static void judge_count(int descriptor, struct nuce_doctor_finding *finding)
{
    int64_t before = 0, after = 0;
    int good = read(descriptor, &before, sizeof before) == sizeof before;

    doctor_counters_work();
    good = good && read(descriptor, &after, sizeof after) == sizeof after;
    if (!good)
        nuce_doctor_finding_set(finding, "wrong", "cycles cannot be read: %s", strerror(errno));
    else if (after - before < WORK / 4)
        nuce_doctor_finding_set(finding, "wrong",
                                "%d additions took %lld cycles: the counter stands still", WORK,
                                (long long)(after - before));
    else
        nuce_doctor_finding_set(finding, "ok", "%d additions took %lld cycles", WORK,
                                (long long)(after - before));
}

/* Whether the kernel lets us count cycles: what PAPI stands on. The kernel's own work is excluded,
 * which is what most settings of perf_event_paranoid (2 or less) allow to all; see
 * perf_event_open(2). */
static void look_counters(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    struct perf_event_attr event = {.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_HW_CPU_CYCLES,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    char paranoid[32] = "unknown";
    int reason;

    (void)local;
    if (descriptor >= 0) {
        judge_count((int)descriptor, finding);
        close((int)descriptor);
        return;
    }
    reason = errno;
    nuce_doctor_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    nuce_doctor_finding_set(finding, "missing",
                            "cycles cannot be counted: %s (perf_event_paranoid %s)",
                            strerror(reason), paranoid);
    if (reason != EACCES && reason != EPERM) {
        nuce_doctor_finding_set(finding, "missing",
                                "cycles cannot be counted: %s, as in most virtual machines",
                                strerror(reason));
        finding->advice = "nothing to do in a virtual machine: times are measured without them, "
                          "only --papi counts nothing";
    } else if (strtol(paranoid, NULL, 10) > 2) {
        finding->advice = "sysctl kernel.perf_event_paranoid=2 (as root)";
    }
}

const struct nuce_doctor_check nuce_doctor_counters[] = {
    {"counters", 0, "allow perf_event_open in the container or the security policy", look_counters},
    {"papi", 0, "install PAPI (Debian: apt install libpapi-dev) and build nuce again", look_papi},
    {0},
};
