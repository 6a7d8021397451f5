/* The checks of nuce doctor on the machine: processors, clocks, counters, file systems, and the
 * records of campaigns. */
#include "commands/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "campaigns/process.h"

/* Processors: their number, load and stability. nuce measures in any case, but they decide how
 * reliable a time is. */

/* Usable processors: those in the affinity mask, which a container or a batch system may have
 * narrowed. */
static void look_processors(struct nuce_doctor_finding *finding)
{
    int usable = nuce_process_processors();

    nuce_doctor_find(finding, "ok", "%d usable of %ld; more ranks than that are oversubscribed",
                     usable, sysconf(_SC_NPROCESSORS_ONLN));
}

/* The load of other processes affects every time measured on this machine. It is reported if more
 * than half of the processors are busy; the kernels themselves check again during the rounds
 * (metrics.others_cpus). The load is the mean of the last minute (getloadavg(3)). */
static void look_load(struct nuce_doctor_finding *finding)
{
    int usable = nuce_process_processors();
    double load = 0;

    if (getloadavg(&load, 1) != 1)
        nuce_doctor_find(finding, "missing", "the system reports no load");
    else
        nuce_doctor_find(finding, load > 0.5 * usable ? "warning" : "ok",
                         "load average %.2f on %d processor%s", load, usable,
                         nuce_text_plural(usable));
}

/* Checks processor 0 only, for all. */
static void look_governor(struct nuce_doctor_finding *finding)
{
    char governor[64];

    if (!nuce_doctor_read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
                               sizeof governor)) {
        nuce_doctor_find(finding, "missing", "the kernel does not report it (a virtual machine?)");
        finding->advice =
            "nothing to do in a virtual machine; elsewhere fix the frequency, or compare by ratio";
    } else if (strcmp(governor, "performance") == 0) {
        nuce_doctor_find(finding, "ok", "performance");
    } else {
        nuce_doctor_find(finding, "warning", "%s: the frequency changes while measuring", governor);
    }
}

/* Clocks: their resolution, cost of reading, and stability. Every time that nuce measures is a
 * difference of two readings of CLOCK_MONOTONIC (base/clock.h), so a clock that is coarse, slow or
 * goes back spoils all results. If the clocks of two nodes diverge faster than they can be
 * synchronised, times across nodes are wrong. */

/* Duration of the drift check, in seconds. */
#define DRIFT_S 0.2
/* A clock with a larger error is not driven by quartz. Quartz is off by 1e-5 to 1e-4; ntp corrects
 * by 5e-4 at most. */
#define MOST_DRIFT 2e-3

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* CLOCK_MONOTONIC is the clock of all times. If a reading takes a microsecond, it cannot time short
 * messages. */
static void look_clock(struct nuce_doctor_finding *finding)
{
    static const char source_path[] =
        "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    struct timespec resolution;
    char buffer[NUCE_UNITS_BYTES], source[64];
    double smallest = 1, last = seconds_of(CLOCK_MONOTONIC);
    int backwards = 0;

    for (int i = 0; i < 10000; i++) {
        double now = seconds_of(CLOCK_MONOTONIC), step = now - last;

        backwards |= step < 0;
        smallest = step > 0 && step < smallest ? step : smallest;
        last = now;
    }
    clock_getres(CLOCK_MONOTONIC, &resolution);
    if (!nuce_doctor_read_line(source_path, source, sizeof source))
        snprintf(source, sizeof source, "unknown");
    if (backwards)
        nuce_doctor_find(finding, "wrong", "source %s: it goes backwards", source);
    else
        nuce_doctor_find(finding, smallest < 1e-6 ? "ok" : "wrong",
                         "source %s, resolution %ld ns, reading it twice takes %s", source,
                         resolution.tv_nsec, nuce_units_format_seconds(smallest, buffer));
}

/* Offset of the clock from the hardware's. Uses the attempt with the least time between the
 * readings, because in others another process ran in between. */
static double doctor_clock_offset(void)
{
    double best = 1, ahead = 0;

    for (int i = 0; i < 200; i++) {
        double before = seconds_of(CLOCK_MONOTONIC), raw = seconds_of(CLOCK_MONOTONIC_RAW);
        double after = seconds_of(CLOCK_MONOTONIC);

        if (after - before < best) {
            best = after - before;
            ahead = before + best / 2 - raw;
        }
    }
    return ahead;
}

/* The clock used for times is corrected continuously, the raw one never. The drift between them is
 * the error of the processor's clock, and shows how the clocks of two nodes diverge. */
static void look_drift(struct nuce_doctor_finding *finding)
{
    struct timespec pause = {.tv_nsec = (long)(DRIFT_S * 1e9)};
    double begun = seconds_of(CLOCK_MONOTONIC), first = doctor_clock_offset(), drift;

    nanosleep(&pause, NULL);
    drift = (doctor_clock_offset() - first) / (seconds_of(CLOCK_MONOTONIC) - begun);
    nuce_doctor_find(finding, fabs(drift) <= MOST_DRIFT ? "ok" : "wrong",
                     "%.1f us per second between the clock and the hardware's", 1e6 * drift);
}

/* Counters: PAPI, and the kernel's permission to count. There are two checks, because it can fail
 * in two places: the build of the programs, tested by running one with --papi, and the kernel,
 * tested directly. Neither is required: without counters all times are as good. */

#define EVENT "PAPI_TOT_CYC"

/* Number of additions to be counted. */
#define WORK 1000000

/* Tests counting in the programs, by one event that nearly every processor has. */
static void look_papi(struct nuce_doctor_finding *finding)
{
    static const char refusal[] = "PAPI cannot count here: ";
    char text[8192];
    int status = nuce_doctor_exchange(finding->local, "1", EVENT, text, sizeof text);
    const char *reason = strstr(text, refusal);

    if (status != 0) {
        nuce_doctor_find(finding, "wrong", "nuce-exchange that counts %s ended with status %d",
                         EVENT, status);
        finding->advice = "where launcher and ranks are ok: leave --papi out";
    } else if (strstr(text, "built without PAPI") != NULL) {
        nuce_doctor_find(finding, "missing", "built without PAPI");
    } else if (reason != NULL) {
        nuce_doctor_find(finding, "missing", "no %s", reason + strlen(refusal));
        finding->advice = "see counters; 'papi_avail -a' lists what PAPI can count here";
    } else {
        nuce_doctor_find(finding, "ok", "nuce-exchange has counted %s", EVENT);
    }
}

/* On some machines the counter exists but does not advance, so it must have counted this work. An
 * addition takes at least a cycle, because it waits for the sum before it: less than a quarter of
 * that is not a count. */
static void judge_count(int descriptor, struct nuce_doctor_finding *finding)
{
    int64_t before = 0, after = 0;
    int good = read(descriptor, &before, sizeof before) == sizeof before;
    volatile int64_t sum = 0; /* forces the compiler to do every addition */

    for (int64_t i = 0; i < WORK; i++)
        sum += i;
    good = good && read(descriptor, &after, sizeof after) == sizeof after;
    if (!good)
        nuce_doctor_find(finding, "wrong", "cycles cannot be read: %s", strerror(errno));
    else if (after - before < WORK / 4)
        nuce_doctor_find(finding, "wrong",
                         "%d additions took %lld cycles: the counter does not advance", WORK,
                         (long long)(after - before));
    else
        nuce_doctor_find(finding, "ok", "%d additions took %lld cycles", WORK,
                         (long long)(after - before));
}

/* Checks that the kernel permits counting cycles, which PAPI needs. The kernel's own work is
 * excluded, because most settings of perf_event_paranoid (2 or less) then permit it to all users;
 * see perf_event_open(2). */
static void look_counters(struct nuce_doctor_finding *finding)
{
    struct perf_event_attr event = {.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_HW_CPU_CYCLES,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    char paranoid[32] = "unknown";
    int reason;

    if (descriptor >= 0) {
        judge_count((int)descriptor, finding);
        close((int)descriptor);
        return;
    }
    reason = errno;
    nuce_doctor_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    nuce_doctor_find(finding, "missing", "cycles cannot be counted: %s (perf_event_paranoid %s)",
                     strerror(reason), paranoid);
    if (reason != EACCES && reason != EPERM) {
        nuce_doctor_find(finding, "missing",
                         "cycles cannot be counted: %s, as in most virtual machines",
                         strerror(reason));
        finding->advice = "nothing to do in a virtual machine: times are measured without them, "
                          "only --papi counts nothing";
    } else if (strtol(paranoid, NULL, 10) > 2) {
        finding->advice = "sysctl kernel.perf_event_paranoid=2 (as root)";
    }
}

/* Storage: SQLite, and the file systems of campaigns and database. flock guards campaigns, and
 * fcntl's locks (SQLite's) guard the database. A network file system may support one kind, both, or
 * neither, so both are tested on real files in these folders. */

/* RHEL 9 has 3.34; older versions are untested. */
static void look_sqlite(struct nuce_doctor_finding *finding)
{
    nuce_doctor_find(finding, sqlite3_libversion_number() >= 3034000 ? "ok" : "wrong", "%s",
                     sqlite3_libversion());
}

static const char *doctor_folder_name(const char *folder)
{
    return strcmp(folder, ".") == 0 ? "this folder" : folder;
}

/* Locks keep two nuces from using one campaign, and show if a job still writes its records. */
static void look_locks(struct nuce_doctor_finding *finding)
{
    struct stat status;
    const char *folder =
        stat(finding->local->campaigns, &status) == 0 ? finding->local->campaigns : ".";
    char *path = nuce_text_format("%s/.nuce-doctor-XXXXXX", folder);
    int first = mkostemp(path, O_CLOEXEC);
    int second = first >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    if (first < 0)
        nuce_doctor_find(finding, "wrong", "%s: cannot write: %s", folder, strerror(errno));
    else if (flock(first, LOCK_EX | LOCK_NB) != 0)
        nuce_doctor_find(finding, "wrong", "%s: no file locking: %s", folder, strerror(errno));
    else if (second < 0 || flock(second, LOCK_EX | LOCK_NB) == 0)
        nuce_doctor_find(finding, "wrong", "%s: file locking has no effect", folder);
    else
        nuce_doctor_find(finding, "ok", "file locking works in %s", doctor_folder_name(folder));
    if (second >= 0)
        close(second);
    if (first >= 0) {
        close(first);
        unlink(path);
    }
    free(path);
}

/* Tests if a lock of SQLite's kind excludes another process: 1, 0, or -1 with errno. fcntl's locks
 * never exclude their own process, so a child tries. */
static int try_record_lock(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    int status = -1;
    pid_t child;

    if (fcntl(descriptor, F_SETLK, &lock) != 0)
        return -1;
    child = fork();
    if (child == 0)
        _exit(fcntl(descriptor, F_SETLK, &lock) == 0);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* SQLite takes fcntl locks on the database, nuce itself takes flock's. Locks of some file systems
 * are known to fail at times. The list has their statfs numbers, from statfs(2); those of Lustre,
 * GPFS and BeeGFS, which are not in it, come from src/stat.c of GNU coreutils. */
static void look_database(struct nuce_doctor_finding *finding)
{
    const char *slash = strrchr(finding->local->database, '/');
    char *folder = slash == NULL
                       ? nuce_text_format(".")
                       : nuce_text_format("%.*s/", (int)(slash - finding->local->database),
                                          finding->local->database);
    char *path = nuce_text_format("%s/.nuce-doctor-XXXXXX", folder);
    int descriptor = mkostemp(path, O_CLOEXEC);
    static const struct {
        unsigned long type;
        const char *name;
    } known[] = {
        {0x6969, "NFS"},      {0x0bd00bd0, "Lustre"}, {0xff534d42, "CIFS"},
        {0xfe534d42, "SMB"},  {0x47504653, "GPFS"},   {0x19830326, "BeeGFS"},
        {0x00c36400, "Ceph"}, {0x5346414f, "AFS"},    {0x65735546, "FUSE"},
    };
    const char *network = NULL;
    struct statfs system;
    int locks, is_told = statfs(folder, &system) == 0;

    for (size_t i = 0; is_told && i < sizeof known / sizeof *known; i++) {
        if (((unsigned long)system.f_type & 0xffffffff) == known[i].type)
            network = known[i].name;
    }

    if (descriptor < 0)
        nuce_doctor_find(finding, "wrong", "%s: cannot write: %s", folder, strerror(errno));
    else {
        locks = try_record_lock(descriptor);
        if (locks < 0)
            nuce_doctor_find(finding, "wrong", "%s: no file locking: %s", folder, strerror(errno));
        else if (!locks)
            nuce_doctor_find(finding, "wrong", "%s: file locking has no effect", folder);
        else if (network != NULL)
            nuce_doctor_find(finding, "ok",
                             "file locking works in %s, on %s: collect from one node",
                             doctor_folder_name(folder), network);
        else
            nuce_doctor_find(finding, "ok",
                             "file locking works in %s, on a file system of this machine",
                             doctor_folder_name(folder));
        close(descriptor);
        unlink(path);
    }
    free(path);
    free(folder);
}

/* Records from before the list of variables to keep (base/known_variables.h) may hold credentials.
 * nuce itself omits such variables from the database. But the files are the user's, and records are
 * never changed, so the user gets their paths. */

/* Searches all records below the campaigns' folder for unknown variables in job records. Parses
 * only lines that may be of jobs; a file has few. An unreadable line counts as having none. */
static void look_credentials(struct nuce_doctor_finding *finding)
{
    char *pattern = nuce_text_format("%s/*/records/*.jsonl", finding->local->campaigns);
    const char *first = NULL;
    size_t files = 0, capacity = 0;
    glob_t found = {0};
    char *line = NULL;

    if (glob(pattern, 0, NULL, &found) != 0) {
        nuce_doctor_find(finding, "ok", "no records yet");
    } else {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *file = fopen(found.gl_pathv[i], "r");
            int64_t count = 0;
            ssize_t length;

            while (file != NULL && (length = getline(&line, &capacity, file)) >= 0) {
                json_t *record = strstr(line, "\"described\"") == NULL
                                     ? NULL
                                     : json_loadb(line, (size_t)length, 0, NULL);

                count += record == NULL ? 0 : nuce_record_unknown_variables(record);
                json_decref(record);
            }
            if (file != NULL)
                fclose(file);
            first = count > 0 && files == 0 ? found.gl_pathv[i] : first;
            files += count > 0;
        }
        if (files == 0)
            nuce_doctor_find(finding, "ok", "no record has an unknown variable");
        else
            nuce_doctor_find(finding, "wrong", "variables that may be credentials are in %s%s",
                             first, files > 1 ? " and others" : "");
    }
    globfree(&found);
    free(line);
    free(pattern);
}

const struct nuce_doctor_check nuce_doctor_machine[] = {
    {"processors", 0, "", look_processors},
    {"load", 0, "wait until the machine is idle, or measure elsewhere", look_load},
    {"governor", 0, "cpupower frequency-set --governor performance (as root)", look_governor},
    {"clock", 1, "measure elsewhere, or choose the tsc clock source", look_clock},
    {"drift", 0, "check the time service (chrony, ntp): it corrects the clock strongly",
     look_drift},
    {"counters", 0, "allow perf_event_open in the container or the security policy", look_counters},
    {"papi", 0, "install PAPI (Debian: apt install libpapi-dev) and build nuce again", look_papi},
    {"sqlite", 1, "install SQLite 3.34 or newer and build nuce again", look_sqlite},
    {"locks", 1, "keep campaigns on a file system with locks (--campaigns)", look_locks},
    {"database", 1, "keep the database on a file system with locks (--database)", look_database},
    {"credentials", 0,
     "collect leaves them out, but bundles hold the files: "
     "grep -l -E 'TOKEN|SECRET|KEY|PASS|JWT|AUTH' campaigns/*/records/*.jsonl, and "
     "remove the secrets",
     look_credentials},
    {0},
};
