/* Which variables of a shell go on to what is started from it: shells as Slurm and launchers leave
 * them, on the way to a job, to ranks here, and in a batch step. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static const struct {
    const char *name;
    int stays; /* in these */
} variables[] = {
    {"PATH", EVER},
    {"SLURM_CONF", EVER},
    {"SLURM_CLUSTERS", EVER},
    {"SLURM_JWT", EVER},
    {"UCX_TLS", EVER},
    {"OMP_NUM_THREADS", EVER},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", EVER},
    {"MPICH_ASYNC_PROGRESS", EVER},
    {"OMPI_MCA_btl", EVER},
    {"OMPI_MCA_pml", EVER},
    {"OMPI_MCA_orte_base_help_aggregate", EVER},
    {"OMPI_ALLOW_RUN_AS_ROOT", EVER},
    {"SBATCH_ACCOUNT", EVER},
    {"SBATCH_PARTITION", EVER},
    /* Settings of the starter: for ranks here, never for a job. */
    {"SLURM_MPI_TYPE", EVER & ~SUBMITS},
    {"HYDRA_LAUNCHER", EVER & ~SUBMITS},
    {"HYDRA_BOOTSTRAP", EVER & ~SUBMITS},
    {"HYDRA_IFACE", EVER & ~SUBMITS},
    {"I_MPI_HYDRA_BOOTSTRAP", EVER & ~SUBMITS},
    {"PMIX_MCA_ptl", EVER & ~SUBMITS},
    {"PRTE_MCA_plm_slurm_args", EVER & ~SUBMITS},
    {"OMPI_MCA_plm_slurm_args", EVER & ~SUBMITS},
    {"SBATCH_HINT", EVER & ~SUBMITS},
    /* The allocation's: where there is one. */
    {"SLURM_JOB_NODELIST", STARTS | STEP | SERVES},
    {"SLURM_JOBID", STARTS | STEP | SERVES},
    {"SLURM_NNODES", STARTS | STEP | SERVES},
    {"SLURM_NODELIST", STARTS | STEP | SERVES},
    {"SLURM_TASKS_PER_NODE", STARTS | STEP | SERVES},
    {"SLURM_NTASKS", STARTS | STEP | SERVES},
    {"SLURM_MEM_PER_NODE", STARTS | STEP | SERVES},
    {"SLURM_RESTART_COUNT", STARTS | STEP | SERVES},
    {"SLURM_ARRAY_TASK_ID", STARTS | STEP | SERVES},
    {"SLURM_CLUSTER_NAME", STARTS | STEP | SERVES},
    {"SLURM_TOPOLOGY_ADDR", STARTS | STEP | SERVES},
    /* Options: of salloc, or of sbatch where it was given them; hint is, below. */
    {"SLURM_HINT", STARTS | SERVES},
    {"SLURM_CPUS_PER_TASK", STARTS},
    {"SLURM_DISTRIBUTION", STARTS},
    {"SLURM_NTASKS_PER_NODE", STARTS},
    {"SLURM_THREADS_PER_CORE", STARTS},
    {"SLURM_OVERCOMMIT", STARTS},
    {"SLURM_TRES_PER_TASK", STARTS},
    /* One process's: nowhere. */
    {"SLURM_CPU_BIND", 0},
    {"SLURM_CPU_BIND_TYPE", 0},
    {"SLURM_CPU_BIND_LIST", 0},
    {"SLURM_CPU_BIND_VERBOSE", 0},
    {"SLURM_MEM_BIND", 0},
    {"SLURM_EXPORT_ENV", 0},
    {"SLURM_EXACT", 0},
    {"SLURM_GTIDS", 0},
    {"SLURM_LAUNCH_NODE_IPADDR", 0},
    {"SLURM_LOCALID", 0},
    {"SLURM_PROCID", 0},
    {"SLURM_SRUN_COMM_PORT", 0},
    {"SLURM_STEPID", 0},
    {"SLURM_STEP_NODELIST", 0},
    {"SLURM_UMASK", 0},
    {"SLURM_OF_NEXT_YEAR", 0},
    {"SLURMD_NODENAME", 0},
    {"SRUN_DEBUG", 0},
    {"SBATCH_CPU_BIND", 0},
    {"SBATCH_MEM_BIND", 0},
    {"PMI_RANK", 0},
    {"PMI_FD", 0},
    {"PMI2_RANK", 0},
    {"PMIX_NAMESPACE", 0},
    {"PMIX_SERVER_URI41", 0},
    {"PALS_RANKID", 0},
    {"HYDI_CONTROL_FD", 0},
    {"MPI_LOCALNRANKS", 0},
    {"MPI_LOCALRANKID", 0},
    {"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", 0},
    {"OMPI_COMM_WORLD_RANK", 0},
    {"OMPI_UNIVERSE_SIZE", 0},
    {"OMPI_MCA_ess_base_vpid", 0},
    {"OMPI_MCA_orte_hnp_uri", 0},
    {"OMPI_MCA_pmix", 0},
    {"OMPI_MCA_initial_wdir", 0},
};

#define VARIABLES (COUNT(variables))

static int asks_hint(void *context, const char *name, const char *option)
{
    (void)context;
    (void)name;
    return option != NULL && strcmp(option, "hint") == 0;
}

static void check_way(enum nuce_shell_way way, int job, int step, int stays)
{
    clearenv();
    for (size_t i = 0; i < VARIABLES; i++)
        setenv(variables[i].name, "1", 1);
    if (job)
        setenv("SLURM_JOB_ID", "7", 1);
    if (step)
        setenv("SLURM_STEP_ID", "0", 1);
    assert_int_equal(nuce_shell_leave(way, way == NUCE_SHELL_SERVES ? asks_hint : NULL, NULL),
                     step);
    for (size_t i = 0; i < VARIABLES; i++) {
        if ((getenv(variables[i].name) != NULL) != ((variables[i].stays & stays) != 0))
            fail_msg("%s, way %d: %s", variables[i].name, stays,
                     getenv(variables[i].name) != NULL ? "stays" : "is gone");
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
