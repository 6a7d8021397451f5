/* Which variables of a shell go on to what is started from it: shells as Slurm and launchers leave
 * them, on the way to a job, to ranks here, and in a batch step. */
#include "../test.h"

#include <stdlib.h>

#include "campaigns/shell_variables.h"

/* How a shell came to be, and so what is left of a variable that it has. */
enum {
    SUBMITS = 1,
    STARTS = 2,  /* in an allocation */
    OUTSIDE = 4, /* the same without one */
    STEP = 8,    /* the same in a step */
    SERVES = 16,
    EVER = SUBMITS | STARTS | OUTSIDE | STEP | SERVES,
};

/* Names, and in which they stay. */
static const struct {
    const char *names;
    int stays;
} groups[] = {
    {"PATH SLURM_CONF SLURM_CLUSTERS SLURM_JWT UCX_TLS OMP_NUM_THREADS "
     "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM MPICH_ASYNC_PROGRESS OMPI_MCA_btl OMPI_MCA_pml "
     "OMPI_MCA_orte_base_help_aggregate OMPI_ALLOW_RUN_AS_ROOT SBATCH_ACCOUNT SBATCH_PARTITION",
     EVER},
    /* Settings of the starter: for ranks here, never for a job. */
    {"SLURM_MPI_TYPE HYDRA_LAUNCHER HYDRA_BOOTSTRAP HYDRA_IFACE I_MPI_HYDRA_BOOTSTRAP PMIX_MCA_ptl "
     "PRTE_MCA_plm_slurm_args OMPI_MCA_plm_slurm_args SBATCH_HINT",
     EVER & ~SUBMITS},
    /* The allocation's: where there is one. */
    {"SLURM_JOB_NODELIST SLURM_JOBID SLURM_NNODES SLURM_NODELIST SLURM_TASKS_PER_NODE SLURM_NTASKS "
     "SLURM_MEM_PER_NODE SLURM_RESTART_COUNT SLURM_ARRAY_TASK_ID SLURM_CLUSTER_NAME "
     "SLURM_TOPOLOGY_ADDR",
     STARTS | STEP | SERVES},
    /* Options: of salloc, or of sbatch where it was given them; hint is, below. */
    {"SLURM_HINT", STARTS | SERVES},
    {"SLURM_CPUS_PER_TASK SLURM_DISTRIBUTION SLURM_NTASKS_PER_NODE SLURM_THREADS_PER_CORE "
     "SLURM_OVERCOMMIT SLURM_TRES_PER_TASK",
     STARTS},
    /* One process's: nowhere. */
    {"SLURM_CPU_BIND SLURM_CPU_BIND_TYPE SLURM_CPU_BIND_LIST SLURM_CPU_BIND_VERBOSE SLURM_MEM_BIND "
     "SLURM_EXPORT_ENV SLURM_EXACT SLURM_GTIDS SLURM_LAUNCH_NODE_IPADDR SLURM_LOCALID SLURM_PROCID "
     "SLURM_SRUN_COMM_PORT SLURM_STEPID SLURM_STEP_NODELIST SLURM_UMASK SLURM_OF_NEXT_YEAR "
     "SLURMD_NODENAME SRUN_DEBUG SBATCH_CPU_BIND SBATCH_MEM_BIND PMI_RANK PMI_FD PMI2_RANK "
     "PMIX_NAMESPACE PMIX_SERVER_URI41 PALS_RANKID HYDI_CONTROL_FD MPI_LOCALNRANKS MPI_LOCALRANKID "
     "MPIR_CVAR_CH3_INTERFACE_HOSTNAME OMPI_COMM_WORLD_RANK OMPI_UNIVERSE_SIZE "
     "OMPI_MCA_ess_base_vpid OMPI_MCA_orte_hnp_uri OMPI_MCA_pmix OMPI_MCA_initial_wdir",
     0},
};

static int asks_hint(void *context, const char *name, const char *option)
{
    (void)context;
    (void)name;
    return option != NULL && strcmp(option, "hint") == 0;
}

static void check_way(enum nuce_shell_way way, int job, int step, int stays)
{
    char *lists[COUNT(groups)];

    clearenv();
    for (size_t i = 0; i < COUNT(groups); i++) {
        char *rest = lists[i] = strdup(groups[i].names), *name;

        while ((name = strsep(&rest, " ")) != NULL)
            setenv(name, "1", 1);
    }
    if (job)
        setenv("SLURM_JOB_ID", "7", 1);
    if (step)
        setenv("SLURM_STEP_ID", "0", 1);
    assert_int_equal(nuce_shell_leave(way, way == NUCE_SHELL_SERVES ? asks_hint : NULL, NULL),
                     step);
    for (size_t i = 0; i < COUNT(groups); i++) {
        const char *end = lists[i] + strlen(groups[i].names);

        for (const char *name = lists[i]; name < end; name += strlen(name) + 1) {
            if ((getenv(name) != NULL) != ((groups[i].stays & stays) != 0))
                fail_msg("%s, way %d: %s", name, stays, getenv(name) != NULL ? "stays" : "is gone");
        }
        free(lists[i]);
    }
    assert_null(getenv("SLURM_STEP_ID"));
    assert_int_equal(getenv("SLURM_JOB_ID") != NULL, job && way != NUCE_SHELL_SUBMITS);
}

static void test_ways(void **state)
{
    check_way(NUCE_SHELL_SUBMITS, 0, 0, SUBMITS);
    check_way(NUCE_SHELL_SUBMITS, 1, 1, SUBMITS);
    check_way(NUCE_SHELL_STARTS, 1, 0, STARTS);
    check_way(NUCE_SHELL_STARTS, 1, 1, STEP);
    check_way(NUCE_SHELL_STARTS, 0, 0, OUTSIDE);
    check_way(NUCE_SHELL_SERVES, 1, 0, SERVES);
    check_way(NUCE_SHELL_SERVES, 1, 1, SERVES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
