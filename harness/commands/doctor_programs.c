/* The checks of nuce doctor on other programs: MPI, gnuplot, Slurm and peers; and how it runs
 * them. */
#include "commands/doctor.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data.h"
#include "campaigns/builds.h"
#include "campaigns/process.h"
#include "campaigns/start.h"

/* Runs other programs under a time limit. */

/* Seconds. A launcher that takes longer to start two ranks hangs. */
#define START_SECONDS 30

/* Time for processes that outlive the program to end. */
#define LEFT_MS 1000

void nuce_doctor_find(struct nuce_doctor_finding *finding, const char *state, const char *format,
                      ...)
{
    va_list arguments;

    finding->state = state;
    va_start(arguments, format);
    vsnprintf(finding->what, sizeof finding->what, format, arguments);
    va_end(arguments);
    finding->what[strcspn(finding->what, "\r\n")] = '\0';
}

/* Runs argv (NULL-ended). Returns its exit status, -1 if it cannot be started or dies by a signal,
 * NUCE_DOCTOR_HANGS. The output goes to text of size bytes, and is cut if it is longer. The shell
 * sends both streams to one, so that the output is in its order. The program and all its
 * descendants are gone when this returns. */
static int doctor_capture(const char *const *argv, char *text, size_t size)
{
    json_t *words = nuce_process_argv(NULL, "/bin/sh", "-c", "exec \"$@\" 2>&1", "sh", NULL);
    struct nuce_process_reply reply = {0};
    struct nuce_signals signals;
    struct nuce_error error;
    int status = -1;

    text[0] = '\0';
    for (int i = 0; argv[i] != NULL; i++)
        json_array_append_new(words, nuce_process_word("%s", argv[i]));
    nuce_process_prepare(&signals);
    if (nuce_process_exists(argv[0]) && nuce_process_follow(NULL, words, START_SECONDS, LEFT_MS,
                                                            &signals, &reply, &error) == NUCE_OK) {
        snprintf(text, size, "%s", reply.out);
        if (reply.event == NUCE_EVENT_TIME)
            status = NUCE_DOCTOR_HANGS;
        else if (reply.event == NUCE_EVENT_ENDED && WIFEXITED(reply.status))
            status = WEXITSTATUS(reply.status);
    }
    nuce_process_restore(&signals);
    if (reply.event == NUCE_EVENT_SIGNAL)
        raise(SIGINT);
    nuce_process_reply_fini(&reply);
    json_decref(words);
    return status;
}

int nuce_doctor_read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    int good = file != NULL && fgets(text, (int)size, file) != NULL;

    if (file != NULL)
        fclose(file);
    if (good)
        text[strcspn(text, "\n")] = '\0';
    return good;
}

/* MPI: the launcher, and a check that its processes form one world of the library nuce was built
 * with. A machine may have several MPIs whose launchers have the same name. Under another library's
 * launcher, a program runs as many worlds of one rank each: times then look fine and mean nothing.
 * So the check runs the smallest exchange and reads its output. */

/* Hydra prints its version and device; for another launcher its text is shown unchanged. The
 * library decides whether it starts as root. */
static void look_mpiexec(struct nuce_doctor_finding *finding)
{
    const char *argv[] = {finding->local->mpiexec, "--version", NULL};
    char text[8192], version[64] = "", device[64] = "";
    const struct nuce_mpi_kind *kind;
    struct nuce_error error;
    const char *at;

    if (doctor_capture(argv, text, sizeof text) != 0) {
        nuce_doctor_find(finding, "missing", "%s: does not start", finding->local->mpiexec);
        return;
    }
    at = strstr(text, "Version:");
    if (at != NULL) {
        at += strlen("Version:");
        at += strspn(at, " \t");
        snprintf(version, sizeof version, "%.*s", (int)strcspn(at, "\r\n"), at);
    }
    at = strstr(text, "--with-device=");
    if (at != NULL)
        snprintf(device, sizeof device, ", device %.*s", (int)strcspn(at + 14, "' \n"), at + 14);
    kind = nuce_mpi_kind_telling(text);
    if (kind != NULL && nuce_mpi_kind_check_root(kind, &error) != NUCE_OK) {
        nuce_doctor_find(finding, "wrong", "%s: %s", finding->local->mpiexec, error.message);
        finding->advice = "start nuce as a user, or set these variables";
    } else if (*version != '\0')
        nuce_doctor_find(finding, "ok", "%s: MPICH's Hydra %s%s", finding->local->mpiexec, version,
                         device);
    else
        nuce_doctor_find(finding, "ok", "%s: %s%.120s", finding->local->mpiexec,
                         kind == NULL ? "none of the libraries that are tested: " : "", text);
}

/* Builds of the programs for several libraries, named by `mpi:` in a sweep. An incomplete one would
 * fail in the middle of a campaign. A list too long for its line is cut. */
static void look_builds(struct nuce_doctor_finding *finding)
{
    struct nuce_build *builds;
    struct nuce_error error;
    char names[200] = "";
    size_t length = 0;
    int64_t count;

    if (nuce_builds_list(NULL, &builds, &count, &error) != NUCE_OK) {
        nuce_doctor_find(finding, "wrong", "%s", nuce_error_flatten(&error));
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const struct nuce_mpi_kind *kind = nuce_mpi_kind_named(builds[i].name);

        if (!builds[i].is_own && nuce_builds_check_whole(&builds[i], &error) != NUCE_OK) {
            nuce_doctor_find(finding, "wrong", "%s", nuce_error_flatten(&error));
            break;
        }
        if (length < sizeof names)
            length += (size_t)snprintf(&names[length], sizeof names - length, "%s%s (%s)",
                                       i > 0 ? ", " : "", builds[i].name,
                                       kind != NULL ? kind->title : "a library of no known name");
    }
    nuce_builds_free(builds, count);
    if (strcmp(finding->state, "ok") == 0)
        nuce_doctor_find(finding, "ok", "%s", names);
}

/* The last line of text, which is cut at its end. */
static const char *last_line(char *text)
{
    char *last;

    while (*text != '\0' && text[strlen(text) - 1] == '\n')
        text[strlen(text) - 1] = '\0';
    last = strrchr(text, '\n');
    return last != NULL ? last + 1 : text;
}

/* One sample of 16 bytes without warm-up: it must only start and end, not measure. */
int nuce_doctor_exchange(const struct nuce_local *local, const char *ranks, const char *event,
                         char *text, size_t size)
{
    struct nuce_error error;
    char *program = nuce_data_program_path("nuce-exchange", &error);
    const char *papi = event != NULL ? "--papi" : NULL;
    const char *argv[] = {local->mpiexec,
                          "-n",
                          ranks,
                          program,
                          "--pattern=uniform",
                          "--degree=1",
                          "--schedule=ac",
                          "--item-bytes=16B",
                          "--warmup=0",
                          "--min-samples=1",
                          "--max-samples=1",
                          papi,
                          event,
                          NULL};
    int status = -1;

    if (program != NULL && access(program, X_OK) == 0)
        status = doctor_capture(argv, text, size);
    else
        snprintf(text, size, "%s is not there", program != NULL ? program : "nuce-exchange");
    free(program);
    return status;
}

/* Launcher and library must fit together. */
static void look_ranks(struct nuce_doctor_finding *finding)
{
    char text[8192];
    int status = nuce_doctor_exchange(finding->local, "2", NULL, text, sizeof text);

    if (status == 0) {
        /* The program first prints "2 ranks, N processors usable, LIBRARY, PROCESSOR": a launcher
         * of another MPI starts two programs of "1 rank". */
        const char *library = strstr(text, " usable, ");
        int length = library != NULL ? (int)strcspn(library + 9, ",\n") : 0;
        int joined = strstr(text, "2 ranks, ") != NULL;

        if (library == NULL || (!joined && strstr(text, "1 rank, ") == NULL))
            nuce_doctor_find(finding, "wrong",
                             "nuce-exchange reports nothing about its ranks: %.150s",
                             last_line(text));
        else if (!joined)
            nuce_doctor_find(
                finding, "wrong",
                "2 ranks are not one world: launcher and library (%.*s) are of different MPIs",
                length, library + 9);
        else
            nuce_doctor_find(finding, "ok", "%.*s: nuce-exchange runs on 2 ranks", length,
                             library + 9);
    } else if (status == NUCE_DOCTOR_HANGS) {
        nuce_doctor_find(finding, "wrong",
                         "'%s -n 2 nuce-exchange' started no rank in 30 s, and was ended",
                         finding->local->mpiexec);
        if (finding->local->in_step)
            finding->advice = nuce_start_advice(1);
    } else
        nuce_doctor_find(finding, "wrong", "nuce-exchange on 2 ranks ended with status %d: %.150s",
                         status, last_line(text));
}

const struct nuce_doctor_check nuce_doctor_mpi[] = {
    {"launcher", 1, "install MPICH (Debian: apt install mpich), or name another by --mpiexec",
     look_mpiexec},
    {"ranks", 1, "install nuce whole, and see that launcher and library are of one MPI (--mpiexec)",
     look_ranks},
    {"mpi-builds", 0, "", look_builds},
    {0},
};

/* Drawing: gnuplot and its terminals. `nuce figure` writes SVG, PNG and PDF by the terminals svg,
 * pngcairo and pdfcairo; a gnuplot for servers may lack some of them. */

/* A gnuplot that lacks a terminal draws, but not every format of 'nuce figure'. */
static void look_gnuplot(struct nuce_doctor_finding *finding)
{
    static const char *const terminals[] = {" svg ", " pngcairo ", " pdfcairo "};
    const char *version[] = {"gnuplot", "--version", NULL};
    const char *list[] = {"env", "-u",           "PAGER", "GNUTERM=dumb", "gnuplot", "-d",
                          "-e",  "set terminal", NULL};
    char text[16384], name[128];

    if (doctor_capture(version, text, sizeof text) != 0) {
        nuce_doctor_find(finding, "missing", "gnuplot does not start");
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "\n"), text);
    doctor_capture(list, text, sizeof text);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        if (strstr(text, terminals[i]) == NULL) {
            nuce_doctor_find(finding, "wrong", "%s without the terminal%s", name, terminals[i]);
            return;
        }
    }
    nuce_doctor_find(finding, "ok", "%s with svg, pngcairo and pdfcairo", name);
}

/* Slurm: its programs, its controller, and how its srun starts ranks. Nothing is submitted. A
 * profile may give another path for these programs (`via`), which this does not check: nuce submit
 * --dry-run does. */

#define ABSENT "not needed on one machine; on a cluster load Slurm's module"

/* Missing is not a fault: a machine without Slurm runs campaigns by mpiexec. One that is there and
 * cannot say its version has no configuration. 0: it is not usable, which has been said. */
static int has_slurm(struct nuce_doctor_finding *finding, const char *program, char *text,
                     size_t size)
{
    const char *argv[] = {program, "--version", NULL};

    if (doctor_capture(argv, text, size) == 0)
        return 1;
    if (nuce_process_exists(program)) {
        nuce_doctor_find(finding, "wrong", "%s --version fails: %.200s", program, last_line(text));
        finding->advice = "Slurm is here and finds no configuration: see SLURM_CONF, or load its "
                          "module";
    } else {
        nuce_doctor_find(finding, "missing", "%s not found", program);
        finding->advice = ABSENT;
    }
    return 0;
}

static void look_slurm(struct nuce_doctor_finding *finding)
{
    char text[1024];

    if (has_slurm(finding, "sbatch", text, sizeof text))
        nuce_doctor_find(finding, "ok", "%s", text);
}

/* Without an answer from the controller, Slurm's programs cannot submit. */
static void look_controller(struct nuce_doctor_finding *finding)
{
    const char *ping[] = {"scontrol", "ping", NULL};
    char text[1024];

    if (!has_slurm(finding, "scontrol", text, sizeof text))
        return;
    if (doctor_capture(ping, text, sizeof text) == 0) {
        nuce_doctor_find(finding, "ok", "%s", text);
    } else {
        nuce_doctor_find(finding, "wrong", "%s", text);
    }
}

/* srun starts MPICH through pmi2 (or cray_shasta), Open MPI and newer MPICH through pmix. */
static void look_plugins(struct nuce_doctor_finding *finding)
{
    static const char *const good[] = {"pmi2", "pmix", "cray_shasta"};
    const char *list[] = {"srun", "--mpi=list", NULL};
    char text[2048], found[128] = "";

    if (doctor_capture(list, text, sizeof text) != 0) {
        nuce_doctor_find(finding, "missing", "srun not found, so its MPI plugins cannot be listed");
        finding->advice = ABSENT;
        return;
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (strstr(text, good[i]) != NULL)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     found[0] == '\0' ? "" : ", ", good[i]);
    }
    if (found[0] == '\0')
        nuce_doctor_find(finding, "wrong", "srun knows neither pmi2 nor pmix");
    else
        nuce_doctor_find(finding, "ok", "%s", found);
}

/* Peers for comparison, and for simulation: each is optional, and chosen when nuce is built. The
 * build's paths come from CMake as NUCE_SCALAPACK, NUCE_SCOTCH and NUCE_SMPIRUN; "" if it found
 * none. If such a file has disappeared since, that is wrong, not missing. */

/* A peer that must exist when nuce is built. */
static void look_built(struct nuce_doctor_finding *finding)
{
    static const struct {
        const char *name, *path; /* path: found by the build; "": not found */
        int mode;                /* the access that the file must allow now */
        const char *without;     /* the feature that is missing without it */
    } built[] = {
        {"scalapack", NUCE_SCALAPACK, R_OK, "no pdgemr2d"},
        {"scotch", NUCE_SCOTCH, R_OK, "nuce-model mapping has no scotch"},
        {"simgrid", NUCE_SMPIRUN, X_OK, "no --platform"},
    };

    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        if (strcmp(built[i].name, finding->name) != 0)
            continue;
        if (built[i].path[0] == '\0')
            nuce_doctor_find(finding, "missing", "built without: %s", built[i].without);
        else if (access(built[i].path, built[i].mode) != 0)
            nuce_doctor_find(finding, "wrong", "%s: %s", built[i].path, strerror(errno));
        else
            nuce_doctor_find(finding, "ok", "%s", built[i].path);
    }
}

/* Not linked. If it is installed, its lstopo draws the topology that nuce's records describe in
 * words. */
static void look_hwloc(struct nuce_doctor_finding *finding)
{
    static const char *const programs[] = {"lstopo-no-graphics", "lstopo", "hwloc-ls"};
    char text[256];

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *argv[] = {programs[i], "--version", NULL};

        if (doctor_capture(argv, text, sizeof text) == 0) {
            nuce_doctor_find(finding, "ok", "%s", text);
            return;
        }
    }
    nuce_doctor_find(finding, "missing", "lstopo not found");
}

const struct nuce_doctor_check nuce_doctor_others[] = {
    {"gnuplot", 1, "apt install gnuplot-nox (tables work without it)", look_gnuplot},
    {"slurm", 0, ABSENT, look_slurm},
    {"slurm-controller", 0, "ask who runs the cluster: slurmctld does not answer", look_controller},
    {"slurm-mpi", 0, "use the profile mpiexec, which starts ranks without them", look_plugins},
    {"scalapack", 0,
     "install ScaLAPACK for this MPI (MPICH on Debian: apt install "
     "libscalapack-mpich-dev) and build nuce again",
     look_built},
    {"scotch", 0, "install SCOTCH (Debian: apt install libscotch-dev) and build nuce again",
     look_built},
    {"simgrid", 0,
     "install SimGrid with SMPI (Debian: apt install libsimgrid-dev) and build nuce again",
     look_built},
    {"hwloc", 0, "to see a node's topology: apt install hwloc-nox", look_hwloc},
    {0},
};
