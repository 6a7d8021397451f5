/* MPI: the launcher, and that what it starts is one world of the library nuce was built with. A
 * machine may have several MPIs whose launchers have one name, and a program under another's
 * launcher runs as so many worlds of one rank: times then look fine and mean nothing. So the
 * smallest exchange is run for real and what it says of itself is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "campaigns/builds.h"
#include "campaigns/mpi_kinds.h"
#include "campaigns/patience.h"
#include "commands/doctor_check.h"

/* What follows key on its line of text, without blanks before it; "" if it is not there. */
static void value_after(const char *text, const char *key, char *out, size_t size)
{
    const char *at = strstr(text, key);

    out[0] = '\0';
    if (at == NULL)
        return;
    at += strlen(key);
    at += strspn(at, " \t");
    snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

/* Hydra tells its version and device in what it prints; of another launcher the text is shown as it
 * is. Which library it is decides whether it starts as root. */
static void look_mpiexec(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    const char *argv[] = {local->mpiexec, "--version", NULL};
    char text[8192], version[64], device[64] = "";
    const struct nuce_mpi_kind *kind;
    struct nuce_error error;
    const char *at;

    if (nuce_doctor_capture(argv, text, sizeof text) != 0) {
        nuce_doctor_finding_set(finding, "missing", "%s: does not start", local->mpiexec);
        return;
    }
    value_after(text, "Version:", version, sizeof version);
    at = strstr(text, "--with-device=");
    if (at != NULL)
        snprintf(device, sizeof device, ", device %.*s", (int)strcspn(at + 14, "' \n"), at + 14);
    kind = nuce_mpi_kind_telling(text);
    if (kind != NULL && nuce_mpi_kind_check_root(kind, &error) != NUCE_OK) {
        nuce_doctor_finding_set(finding, "wrong", "%s: %s", local->mpiexec, error.message);
        finding->advice = "start nuce as a user, or set these variables";
    } else if (*version != '\0')
        nuce_doctor_finding_set(finding, "ok", "%s: MPICH's Hydra %s%s", local->mpiexec, version,
                                device);
    else
        nuce_doctor_finding_set(finding, "ok", "%s: %s%.120s", local->mpiexec,
                                kind == NULL ? "none of the libraries that are tested: " : "",
                                text);
}

/* Builds of the programs for several libraries, which `mpi:` in a sweep names. One that is not
 * whole would fail in the middle of a campaign. A list that is too long for its line is cut. */
static void look_builds(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    struct nuce_build *builds;
    struct nuce_error error;
    char names[200] = "";
    size_t length = 0;
    int64_t count;

    (void)local;
    if (nuce_builds_list(NULL, &builds, &count, &error) != NUCE_OK) {
        nuce_doctor_finding_set(finding, "wrong", "%s", nuce_error_flatten(&error));
        return;
    }
    for (int64_t i = 0; i < count && length < sizeof names; i++) {
        const struct nuce_mpi_kind *kind = nuce_mpi_kind_named(builds[i].name);

        length += (size_t)snprintf(&names[length], sizeof names - length, "%s%s (%s)",
                                   i > 0 ? ", " : "", builds[i].name,
                                   kind != NULL ? kind->title : "a library of no known name");
    }
    for (int64_t i = 0; i < count; i++) {
        if (!builds[i].is_own && nuce_builds_check_whole(&builds[i], &error) != NUCE_OK) {
            nuce_doctor_finding_set(finding, "wrong", "%s", nuce_error_flatten(&error));
            nuce_builds_free(builds, count);
            return;
        }
    }
    nuce_builds_free(builds, count);
    nuce_doctor_finding_set(finding, "ok", "%s", names);
}

/* The last line of text; its end is cut off. */
static const char *last_line(char *text)
{
    char *last;

    while (*text != '\0' && text[strlen(text) - 1] == '\n')
        text[strlen(text) - 1] = '\0';
    last = strrchr(text, '\n');
    return last != NULL ? last + 1 : text;
}

/* The program says first "2 ranks, N processors usable, LIBRARY, PROCESSOR": a launcher of another
 * MPI starts two programs of "1 rank". */
static void judge_world(char *text, struct nuce_doctor_finding *finding)
{
    const char *library = strstr(text, " usable, ");
    size_t length = library != NULL ? strcspn(library + 9, ",\n") : 0;
    int joined = strstr(text, "2 ranks, ") != NULL;

    if (library == NULL || (!joined && strstr(text, "1 rank, ") == NULL))
        nuce_doctor_finding_set(finding, "wrong", "nuce-exchange says nothing of its ranks: %.150s",
                                last_line(text));
    else if (!joined)
        nuce_doctor_finding_set(
            finding, "wrong",
            "2 ranks are not one world: launcher and library (%.*s) are of two MPIs", (int)length,
            library + 9);
    else
        nuce_doctor_finding_set(finding, "ok", "%.*s: nuce-exchange runs on 2 ranks", (int)length,
                                library + 9);
}

/* One sample of 16 bytes without warm-up: it is to start and end, not to measure. */
int nuce_doctor_exchange(const struct nuce_local *local, const char *ranks, const char *event,
                         char *text, size_t size)
{
    struct nuce_error error;
    char *program = nuce_data_program_path("nuce-exchange", &error);
    const char *argv[] = {local->mpiexec,
                          "-n",
                          ranks,
                          program,
                          "--pattern",
                          "uniform",
                          "--density",
                          "1",
                          "--schedule",
                          "ac",
                          "--unit",
                          "16B",
                          "--warmup",
                          "0",
                          "--min",
                          "1",
                          "--max",
                          "1",
                          event != NULL ? "--papi" : NULL,
                          event,
                          NULL};
    int status = -1;

    if (program != NULL && access(program, X_OK) == 0)
        status = nuce_doctor_capture(argv, text, size);
    else
        snprintf(text, size, "%s is not there", program != NULL ? program : "nuce-exchange");
    free(program);
    return status;
}

/* Launcher and library must fit together. */
static void look_ranks(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    char text[8192];
    int status = nuce_doctor_exchange(local, "2", NULL, text, sizeof text);

    if (status == 0)
        judge_world(text, finding);
    else if (status == NUCE_DOCTOR_HANGS) {
        nuce_doctor_finding_set(finding, "wrong",
                                "'%s -n 2 nuce-exchange' started no rank in 30 s, and was ended",
                                local->mpiexec);
        if (local->in_step)
            finding->advice = nuce_patience_advice(1);
    } else
        nuce_doctor_finding_set(finding, "wrong",
                                "nuce-exchange on 2 ranks ended with status %d: %.150s", status,
                                last_line(text));
}

const struct nuce_doctor_check nuce_doctor_mpi[] = {
    {"launcher", 1, "install MPICH (Debian: apt install mpich), or name another by --mpiexec",
     look_mpiexec},
    {"ranks", 1, "install nuce whole, and see that launcher and library are of one MPI (--mpiexec)",
     look_ranks},
    {"mpi-builds", 0, "", look_builds},
    {0},
};
