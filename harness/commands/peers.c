/* Peers to measure against, and to simulate by: each optional, and chosen when nuce is built. The
 * build's paths come from CMake as NUCE_SCALAPACK, NUCE_SCOTCH and NUCE_SMPIRUN; "" where there was
 * none. That such a file is gone since is wrong, not missing. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "commands/doctor_check.h"

/* The peer pdgemr2d needs it, and needs it when nuce is built. */
static void look_scalapack(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    (void)local;
    if (NUCE_SCALAPACK[0] == '\0')
        nuce_doctor_finding_set(finding, "missing", "built without: no pdgemr2d");
    else if (access(NUCE_SCALAPACK, R_OK) != 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: %s", NUCE_SCALAPACK, strerror(errno));
    else
        nuce_doctor_finding_set(finding, "ok", "%s", NUCE_SCALAPACK);
}

/* The peer of nuce-model mapping needs it, and needs it when nuce is built. */
static void look_scotch(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    (void)local;
    if (NUCE_SCOTCH[0] == '\0')
        nuce_doctor_finding_set(finding, "missing",
                                "built without: nuce-model mapping has no scotch");
    else if (access(NUCE_SCOTCH, R_OK) != 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: %s", NUCE_SCOTCH, strerror(errno));
    else
        nuce_doctor_finding_set(finding, "ok", "%s", NUCE_SCOTCH);
}

/* Simulated machines need it, and need it when nuce is built. */
static void look_simgrid(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    (void)local;
    if (NUCE_SMPIRUN[0] == '\0')
        nuce_doctor_finding_set(finding, "missing", "built without: no --platform");
    else if (access(NUCE_SMPIRUN, X_OK) != 0)
        nuce_doctor_finding_set(finding, "wrong", "%s: %s", NUCE_SMPIRUN, strerror(errno));
    else
        nuce_doctor_finding_set(finding, "ok", "%s", NUCE_SMPIRUN);
}

/* Not linked: where it is, its lstopo draws what nuce's records say in words. */
static void look_hwloc(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    static const char *const programs[] = {"lstopo-no-graphics", "lstopo", "hwloc-ls"};
    char text[256];

    (void)local;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *argv[] = {programs[i], "--version", NULL};

        if (nuce_doctor_capture(argv, text, sizeof text) == 0) {
            nuce_doctor_finding_set(finding, "ok", "%s", text);
            return;
        }
    }
    nuce_doctor_finding_set(finding, "missing", "no lstopo");
}

const struct nuce_doctor_check nuce_doctor_peers[] = {
    {"scalapack", 0,
     "install ScaLAPACK for this MPI (MPICH on Debian: apt install libscalapack-mpich-dev) and "
     "build nuce again",
     look_scalapack},
    {"scotch", 0, "install SCOTCH (Debian: apt install libscotch-dev) and build nuce again",
     look_scotch},
    {"simgrid", 0,
     "install SimGrid with SMPI (Debian: apt install libsimgrid-dev) and build nuce again",
     look_simgrid},
    {"hwloc", 0, "to see a node's topology: apt install hwloc-nox", look_hwloc},
    {0},
};
