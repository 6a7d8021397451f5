/* Slurm: its programs, its controller, and how its srun starts ranks. Nothing is submitted. A
 * profile may name another place for these programs (`via`), which is not looked at here: nuce
 * submit --dry-run does. */
#include <string.h>

#include "commands/doctor_check.h"

#define ABSENT "not needed on one machine; on a cluster load Slurm's module"

/* Missing is no fault: a machine without Slurm runs campaigns by mpiexec. */
static void look_slurm(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    const char *argv[] = {"sbatch", "--version", NULL};
    char text[256];

    (void)local;
    if (nuce_doctor_capture(argv, text, sizeof text) == 0)
        nuce_doctor_finding_set(finding, "ok", "%s", text);
    else
        nuce_doctor_finding_set(finding, "missing", "no sbatch");
}

/* Slurm's programs without a controller that answers submit nothing. */
static void look_controller(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    const char *version[] = {"scontrol", "--version", NULL}, *ping[] = {"scontrol", "ping", NULL};
    char text[1024];

    (void)local;
    if (nuce_doctor_capture(version, text, sizeof text) != 0) {
        nuce_doctor_finding_set(finding, "missing", "no scontrol");
        finding->advice = ABSENT;
    } else if (nuce_doctor_capture(ping, text, sizeof text) == 0) {
        nuce_doctor_finding_set(finding, "ok", "%s", text);
    } else {
        nuce_doctor_finding_set(finding, "wrong", "%s", text);
    }
}

/* MPICH is started by srun through pmi2 (or cray_shasta); Open MPI and newer MPICH through pmix. */
static void look_plugins(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    static const char *const good[] = {"pmi2", "pmix", "cray_shasta"};
    const char *list[] = {"srun", "--mpi=list", NULL};
    char text[2048], found[128] = "";

    (void)local;
    if (nuce_doctor_capture(list, text, sizeof text) != 0) {
        nuce_doctor_finding_set(finding, "missing", "no srun that lists them");
        finding->advice = ABSENT;
        return;
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (strstr(text, good[i]) != NULL)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     found[0] == '\0' ? "" : ", ", good[i]);
    }
    if (found[0] == '\0')
        nuce_doctor_finding_set(finding, "wrong", "srun knows neither pmi2 nor pmix");
    else
        nuce_doctor_finding_set(finding, "ok", "%s", found);
}

const struct nuce_doctor_check nuce_doctor_slurm[] = {
    {"slurm", 0, ABSENT, look_slurm},
    {"slurm-controller", 0, "ask who runs the cluster: slurmctld does not answer", look_controller},
    {"slurm-mpi", 0, "use the profile mpiexec, which starts ranks without them", look_plugins},
    {0},
};
