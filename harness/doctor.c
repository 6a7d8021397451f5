/* nuce doctor: what this machine has, what is missing, and how to get it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "data.h"
#include "local.h"
#include "machine.h"
#include "process.h"
#include "subcommand.h"
#include "text.h"
#include "units.h"

/* A launcher that takes longer to start two ranks hangs. */
#define START_SECONDS 30

struct arguments {
    struct nuce_local local;
    enum nuce_grid_format format;
};

/* One thing looked at; state is "ok", "missing" or "wrong". */
struct finding {
    const char *name;
    int required;
    const char *state;
    char what[256];
    const char *advice; /* what to do unless ok: the check's, where it sets no other */
};

struct check {
    const char *name;
    int required;
    const char *advice;
    void (*look)(const struct arguments *arguments, struct finding *finding);
};

static void set(struct finding *finding, const char *state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set(struct finding *finding, const char *state, const char *format, ...)
{
    va_list arguments;

    finding->state = state;
    va_start(arguments, format);
    (void)vsnprintf(finding->what, sizeof finding->what, format, arguments);
    va_end(arguments);
    finding->what[strcspn(finding->what, "\r\n")] = '\0';
}

/* Runs argv; returns its exit status, -1 if it cannot be started or does not end. What it prints
 * (both streams) goes to text of size bytes. */
static int capture(const char *const *argv, char *text, size_t size)
{
    char path[] = "/tmp/nuce-doctor-XXXXXX";
    int descriptor = mkostemp(path, O_CLOEXEC), status = -1, ended = 0;
    struct nuce_signals signals;
    struct nuce_error error;
    ssize_t length = 0;
    pid_t pid;

    text[0] = '\0';
    if (descriptor < 0)
        return -1;
    nuce_process_prepare(&signals);
    if (nuce_process_start(argv, path, path, &signals, &pid, &error) == NUCE_OK) {
        for (int waited = 0; !ended && waited < START_SECONDS * 10; waited++)
            ended = nuce_process_wait(pid, 100, &status) == NUCE_EVENT_ENDED;
        if (!ended)
            (void)kill(-pid, SIGKILL);
        (void)nuce_process_reap(ended ? 1000 : 0);
        length = pread(descriptor, text, size - 1, 0);
        text[length > 0 ? length : 0] = '\0';
    }
    nuce_process_restore(&signals);
    (void)close(descriptor);
    (void)unlink(path);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What follows key on its line of text, without blanks before it; "" if it is not there. */
static void value_after(const char *text, const char *key, char *out, size_t size)
{
    const char *at = strstr(text, key);

    out[0] = '\0';
    if (at == NULL)
        return;
    at += strlen(key);
    at += strspn(at, " \t");
    (void)snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

static void look_mpiexec(const struct arguments *arguments, struct finding *finding)
{
    const char *argv[] = {arguments->local.mpiexec, "--version", NULL};
    char text[8192], version[64], device[64] = "";
    const char *at;

    if (capture(argv, text, sizeof text) != 0) {
        set(finding, "missing", "%s: does not start", arguments->local.mpiexec);
        return;
    }
    value_after(text, "Version:", version, sizeof version);
    at = strstr(text, "--with-device=");
    if (at != NULL)
        (void)snprintf(device, sizeof device, ", device %.*s", (int)strcspn(at + 14, "' \n"),
                       at + 14);
    if (strstr(text, "HYDRA") != NULL)
        set(finding, "ok", "%s: MPICH's Hydra %s%s", arguments->local.mpiexec, version, device);
    else
        set(finding, "ok", "%s: %.120s (MPICH is the one that is tested)", arguments->local.mpiexec,
            text);
}

/* The smallest exchange there is, by the real program: launcher and library must fit together. */
static void look_ranks(const struct arguments *arguments, struct finding *finding)
{
    struct nuce_error error;
    char *program = nuce_program_path("nuce-exchange", &error);
    const char *argv[] = {arguments->local.mpiexec,
                          "-n",
                          "2",
                          program,
                          "--pattern",
                          "uniform",
                          "--density",
                          "2",
                          "--algorithm",
                          "ac",
                          "--unit",
                          "16B",
                          "--warmup",
                          "0",
                          "--min",
                          "1",
                          "--max",
                          "1",
                          NULL};
    char text[8192], *last;
    int status;

    if (program == NULL || access(program, X_OK) != 0) {
        set(finding, "missing", "%s is not there", program != NULL ? program : "nuce-exchange");
        free(program);
        return;
    }
    status = capture(argv, text, sizeof text);
    if (status == 0) {
        set(finding, "ok", "nuce-exchange runs on 2 ranks");
    } else {
        while (*text != '\0' && text[strlen(text) - 1] == '\n')
            text[strlen(text) - 1] = '\0';
        last = strrchr(text, '\n');
        set(finding, "wrong", "nuce-exchange on 2 ranks ended with status %d: %.150s", status,
            last != NULL ? last + 1 : text);
    }
    free(program);
}

static void look_processors(const struct arguments *arguments, struct finding *finding)
{
    int usable = nuce_machine_processors();

    (void)arguments;
    set(finding, "ok", "%d usable of %ld; more ranks than that are oversubscribed", usable,
        sysconf(_SC_NPROCESSORS_ONLN));
}

static int read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    int good = file != NULL && fgets(text, (int)size, file) != NULL;

    if (file != NULL)
        (void)fclose(file);
    if (good)
        text[strcspn(text, "\n")] = '\0';
    return good;
}

static void look_governor(const struct arguments *arguments, struct finding *finding)
{
    char governor[64];

    (void)arguments;
    if (!read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
                   sizeof governor)) {
        set(finding, "missing", "the kernel does not say (a virtual machine?)");
        finding->advice = "";
    } else if (strcmp(governor, "performance") == 0) {
        set(finding, "ok", "performance");
    } else {
        set(finding, "wrong", "%s: the frequency changes while measuring", governor);
    }
}

static void look_papi(const struct arguments *arguments, struct finding *finding)
{
    static const char *const names[] = {"libpapi.so", "libpapi.so.7.2", "libpapi.so.7.1",
                                        "libpapi.so.7.0", "libpapi.so.6.0"};
    void *library = NULL;
    size_t i = 0;

    (void)arguments;
    while (library == NULL && i < sizeof names / sizeof *names)
        library = dlopen(names[i++], RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        set(finding, "missing", "no libpapi");
        return;
    }
    set(finding, "ok", "%s", names[i - 1]);
    (void)dlclose(library);
}

/* The peer pdgemr2d needs it, and needs it when nuce is built. */
static void look_scalapack(const struct arguments *arguments, struct finding *finding)
{
    (void)arguments;
    if (NUCE_SCALAPACK[0] == '\0')
        set(finding, "missing", "built without: no pdgemr2d");
    else if (access(NUCE_SCALAPACK, R_OK) != 0)
        set(finding, "wrong", "%s: %s", NUCE_SCALAPACK, strerror(errno));
    else
        set(finding, "ok", "%s", NUCE_SCALAPACK);
}

/* The peer of nuce-model mapping needs it, and needs it when nuce is built. */
static void look_scotch(const struct arguments *arguments, struct finding *finding)
{
    (void)arguments;
    if (NUCE_SCOTCH[0] == '\0')
        set(finding, "missing", "built without: nuce-model mapping has no scotch");
    else if (access(NUCE_SCOTCH, R_OK) != 0)
        set(finding, "wrong", "%s: %s", NUCE_SCOTCH, strerror(errno));
    else
        set(finding, "ok", "%s", NUCE_SCOTCH);
}

/* Simulated machines need it, and need it when nuce is built. */
static void look_simgrid(const struct arguments *arguments, struct finding *finding)
{
    (void)arguments;
    if (NUCE_SMPIRUN[0] == '\0')
        set(finding, "missing", "built without: no --platform");
    else if (access(NUCE_SMPIRUN, X_OK) != 0)
        set(finding, "wrong", "%s: %s", NUCE_SMPIRUN, strerror(errno));
    else
        set(finding, "ok", "%s", NUCE_SMPIRUN);
}

/* Whether the kernel lets us count cycles: what PAPI stands on. */
static void look_counters(const struct arguments *arguments, struct finding *finding)
{
    struct perf_event_attr event = {.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_HW_CPU_CYCLES,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    char paranoid[32] = "unknown";
    int reason;

    (void)arguments;
    if (descriptor >= 0) {
        set(finding, "ok", "processor cycles can be counted");
        (void)close((int)descriptor);
        return;
    }
    reason = errno;
    (void)read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    set(finding, "missing", "cycles cannot be counted: %s (perf_event_paranoid %s)",
        strerror(reason), paranoid);
    if (reason != EACCES && reason != EPERM) {
        set(finding, "missing", "cycles cannot be counted: %s, as in most virtual machines",
            strerror(reason));
        finding->advice = "";
    } else if (strtol(paranoid, NULL, 10) > 2) {
        finding->advice = "sysctl kernel.perf_event_paranoid=2 (as root)";
    }
}

/* Tables are STRICT since 3.37. */
static void look_sqlite(const struct arguments *arguments, struct finding *finding)
{
    (void)arguments;
    set(finding, sqlite3_libversion_number() >= 3037000 ? "ok" : "wrong", "%s",
        sqlite3_libversion());
}

static void look_gnuplot(const struct arguments *arguments, struct finding *finding)
{
    static const char *const terminals[] = {" svg ", " pngcairo ", " pdfcairo "};
    const char *version[] = {"gnuplot", "--version", NULL};
    const char *list[] = {"gnuplot", "-e", "set terminal", NULL};
    char text[16384], name[128];

    (void)arguments;
    if (capture(version, text, sizeof text) != 0) {
        set(finding, "missing", "gnuplot does not start");
        return;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "\n"), text);
    (void)capture(list, text, sizeof text);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        if (strstr(text, terminals[i]) == NULL) {
            set(finding, "wrong", "%s without the terminal%s", name, terminals[i]);
            return;
        }
    }
    set(finding, "ok", "%s with svg, pngcairo and pdfcairo", name);
}

static void look_clock(const struct arguments *arguments, struct finding *finding)
{
    struct timespec resolution, first, next;
    char buffer[NUCE_UNITS_BYTES];
    double smallest = 1;

    (void)arguments;
    (void)clock_getres(CLOCK_MONOTONIC, &resolution);
    for (int i = 0; i < 1000; i++) {
        double step;

        (void)clock_gettime(CLOCK_MONOTONIC, &first);
        (void)clock_gettime(CLOCK_MONOTONIC, &next);
        step = (double)(next.tv_sec - first.tv_sec) + 1e-9 * (double)(next.tv_nsec - first.tv_nsec);
        smallest = step > 0 && step < smallest ? step : smallest;
    }
    set(finding, smallest < 1e-6 ? "ok" : "wrong", "resolution %ld ns, reading it twice takes %s",
        resolution.tv_nsec, nuce_format_seconds(smallest, buffer));
}

/* Locks keep two nuces off one campaign, and tell whether a job still writes its records. */
static void look_locks(const struct arguments *arguments, struct finding *finding)
{
    struct stat status;
    const char *folder =
        stat(arguments->local.campaigns, &status) == 0 ? arguments->local.campaigns : ".";
    struct nuce_error error;
    char *path = nuce_text_format(&error, "%s/.nuce-doctor-XXXXXX", folder);
    int first = path != NULL ? mkostemp(path, O_CLOEXEC) : -1;
    int second = first >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    if (first < 0)
        set(finding, "wrong", "%s: cannot write: %s", folder, strerror(errno));
    else if (flock(first, LOCK_EX | LOCK_NB) != 0)
        set(finding, "wrong", "%s: no locks: %s", folder, strerror(errno));
    else if (second < 0 || flock(second, LOCK_EX | LOCK_NB) == 0)
        set(finding, "wrong", "%s: a lock keeps nobody out", folder);
    else
        set(finding, "ok", "%s", folder);
    if (second >= 0)
        (void)close(second);
    if (first >= 0) {
        (void)close(first);
        (void)unlink(path);
    }
    free(path);
}

static void look_slurm(const struct arguments *arguments, struct finding *finding)
{
    const char *argv[] = {"sbatch", "--version", NULL};
    char text[256];

    (void)arguments;
    if (capture(argv, text, sizeof text) == 0)
        set(finding, "ok", "%s", text);
    else
        set(finding, "missing", "no sbatch");
}

static const struct check checks[] = {
    {"launcher",   1, "install MPICH (Debian: apt install mpich), or name another by --mpiexec",
     look_mpiexec                                                                                                        },
    {"ranks",      1, "install nuce whole, and see that launcher and library are of one MPI (--mpiexec)",
     look_ranks                                                                                                          },
    {"processors", 0, "",                                                                                 look_processors},
    {"governor",   0, "cpupower frequency-set --governor performance (as root)",                          look_governor  },
    {"papi",       0, "install PAPI (Debian: apt install libpapi-dev) and build nuce again",              look_papi      },
    {"counters",   0, "allow perf_event_open in the container or the security policy",                    look_counters  },
    {"scalapack",  0,
     "install ScaLAPACK for this MPI (MPICH on Debian: apt install libscalapack-mpich-dev) and "
     "build nuce again",                                                                                  look_scalapack },
    {"scotch",     0, "install SCOTCH (Debian: apt install libscotch-dev) and build nuce again",
     look_scotch                                                                                                         },
    {"simgrid",    0,
     "install SimGrid with SMPI (Debian: apt install libsimgrid-dev) and build nuce again",               look_simgrid   },
    {"sqlite",     1, "install SQLite 3.37 or newer and build nuce again",                                look_sqlite    },
    {"gnuplot",    1, "apt install gnuplot-nox (tables work without it)",                                 look_gnuplot   },
    {"clock",      1, "measure elsewhere, or choose the tsc clock source",                                look_clock     },
    {"locks",      1, "keep campaigns on a file system with locks (--campaigns)",                         look_locks     },
    {"slurm",      0, "not needed on one machine; on a cluster load its module",                          look_slurm     },
};

static const struct argp_option options[] = {
    {"format",  'f', "FORMAT", 0, "text (the default), json or csv", 0},
    {0},
};

static const struct argp_child children[] = {
    {&nuce_local_argp, 0, NULL, 0},
    {0           },
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->local;
        return 0;
    case 'f':
        arguments->format = nuce_cli_format(value, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': expected no argument", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Looks at everything; returns how many required things are not ok, or -1 with *error. */
static int look_at_all(const struct arguments *arguments, struct nuce_grid *grid,
                       struct nuce_error *error)
{
    int bad = 0;

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct finding finding = {
            .name = checks[i].name, .state = "ok", .advice = checks[i].advice};
        const char *cells[4] = {checks[i].name};
        int good;

        checks[i].look(arguments, &finding);
        good = strcmp(finding.state, "ok") == 0;
        bad += checks[i].required && !good;
        cells[1] = finding.state;
        cells[2] = finding.what;
        cells[3] = good ? "" : finding.advice;
        if (nuce_cli_add(grid, cells, error) != NUCE_OK)
            return -1;
    }
    return bad;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Says what this machine has, what is missing and how to get it. Exit status 1 if something "
        "that nuce needs is missing.",
        children,
        NULL,
        NULL};
    static const char *const names[] = {"name", "state", "what", "advice"};
    struct nuce_grid grid = {0};
    struct arguments arguments = {.format = NUCE_GRID_TEXT};
    struct nuce_error error;
    int bad = -1, status;

    (void)argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (nuce_grid_init(4, names, &grid, &error) == NUCE_OK)
        bad = look_at_all(&arguments, &grid, &error);
    status = nuce_cli_print(&grid, arguments.format, bad < 0 ? error.status : NUCE_OK, &error);
    return status == 0 && bad > 0 ? 1 : status;
}

const struct nuce_subcommand nuce_subcommand_doctor = {
    .name = "doctor", .summary = "say what this machine has and what is missing", .run = run};
