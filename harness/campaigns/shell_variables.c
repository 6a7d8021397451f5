/* One table of the variables that Slurm and MPI launchers set in a shell, with their owner and use.
 * Slurm forwards SLURM_* of the shell that calls sbatch to the job, whatever --export says, and
 * srun obeys them there. For example, a step's SLURM_CPU_BIND puts all ranks of a node on that
 * step's processors.
 *
 * Settings of users stay, except on the way to a job, where a profile gives them: OMPI_MCA_*,
 * PMIX_MCA_*, HYDRA_*, and users' settings for sbatch (SBATCH_ACCOUNT). Sources: sbatch(1), srun(1)
 * and salloc(1), input and output environment variables; the variables seen with Slurm 24.11, MPICH
 * 4.2 and Open MPI 4.1. */
#include "campaigns/shell_variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The owner of a variable. */
enum shell_owner {
    OF_SLURM,      /* location of Slurm: always kept */
    OF_ALLOCATION, /* the job's nodes and size: launchers in the job need them */
    OF_OPTION,     /* an option of the job, or of the step that the shell is in */
    OF_RANK,       /* one process of a launch: the next launch sets its own */
    OF_STARTER,    /* how launchers start ranks here: removed on the way to a job */
};

/* Variables of one owner, with blanks between; a trailing * matches any end. The first row with a
 * matching name counts. */
struct shell_variables {
    enum shell_owner owner;
    const char *option; /* of sbatch; a batch step has the variables if its script sets it */
    const char *names;
};

static const struct shell_variables shell_variables[] = {
    /* SLURM_JWT authenticates on clusters without munge. */
    {OF_SLURM, NULL, "SLURM_CONF SLURM_CONF_SERVER SLURM_CLUSTERS SLURM_JWT"},
    /* Modules of MPI libraries set SLURM_MPI_TYPE for srun. Slurm sets HYDRA_BOOTSTRAP in a job,
     * users set HYDRA_LAUNCHER. sbatch forwards its own as SLURM_*; account, partition and similar
     * ones only name the destination. SBATCH_ERROR would take the job's errors out of its log. */
    {OF_STARTER, NULL,
     "SLURM_MPI_TYPE SBATCH_HINT SBATCH_DISTRIBUTION SBATCH_THREADS_PER_CORE SBATCH_CORE_SPEC "
     "SBATCH_CPU_FREQ_REQ SBATCH_OVERCOMMIT SBATCH_EXPORT SBATCH_GET_USER_ENV SBATCH_ERROR "
     "SBATCH_INPUT PMIX_MCA_* HYDRA_* "
     "I_MPI_HYDRA_* PRTE_MCA_* OMPI_MCA_plm_*"},
    /* Set in every job: mpiexec finds its nodes by them, and records show the job. */
    {OF_ALLOCATION, NULL,
     "SLURM_JOB_* SLURM_JOBID SLURM_CLUSTER_NAME SLURM_ARRAY_* SLURM_HET_* SLURM_RESTART_COUNT "
     "SLURM_NNODES SLURM_NODELIST SLURM_NTASKS SLURM_NPROCS SLURM_TASKS_PER_NODE "
     "SLURM_CPUS_ON_NODE SLURM_GPUS_ON_NODE SLURM_MEM_PER_* SLURM_SUBMIT_* SLURM_TOPOLOGY_* "
     "SLURM_HOSTFILE"},
    /* srun reads these as its own options. */
    {OF_OPTION, "cpus-per-task", "SLURM_CPUS_PER_TASK SRUN_CPUS_PER_TASK SLURM_TRES_PER_TASK"},
    {OF_OPTION, "ntasks-per-node", "SLURM_NTASKS_PER_*"},
    {OF_OPTION, "hint", "SLURM_HINT"},
    {OF_OPTION, "distribution", "SLURM_DISTRIBUTION SLURM_DIST_*"},
    {OF_OPTION, "threads-per-core", "SLURM_THREADS_PER_CORE"},
    {OF_OPTION, "core-spec", "SLURM_CORE_SPEC"},
    {OF_OPTION, "cpu-freq", "SLURM_CPU_FREQ_REQ"},
    {OF_OPTION, "gpus", "SLURM_GPUS* SLURM_GPU_*"},
    {OF_OPTION, "network", "SLURM_NETWORK"},
    {OF_OPTION, "overcommit", "SLURM_OVERCOMMIT"},
    {OF_OPTION, "profile", "SLURM_PROFILE"},
    {OF_OPTION, "spread-job", "SLURM_SPREAD_JOB"},
    /* The binding, place and number of one process (SLURM_CPU_BIND, SLURM_STEP_ID, SLURM_PROCID,
     * SLURM_SRUN_COMM_PORT ...), and any that Slurm may add. */
    {OF_RANK, NULL, "SLURM_* SLURMD_* SRUN_* SBATCH_CPU_BIND* SBATCH_MEM_BIND*"},
    /* The process manager of one launch; Hydra's two INTERFACE_HOSTNAME variables hold the name of
     * this node. */
    {OF_RANK, NULL,
     "PMI_* PMI2_* PMIX_* PALS_* HYDI_* MPI_LOCALRANKID MPI_LOCALNRANKS PRTE_* "
     "MPIR_CVAR_CH3_INTERFACE_HOSTNAME MPICH_INTERFACE_HOSTNAME "
     "OMPI_MCA_ess* OMPI_MCA_orte_ess_* OMPI_MCA_orte_app_num OMPI_MCA_orte_bound_at_launch "
     "OMPI_MCA_orte_hnp_uri OMPI_MCA_orte_jobfam_session_dir OMPI_MCA_orte_launch "
     "OMPI_MCA_orte_local_daemon_uri OMPI_MCA_orte_num_nodes "
     "OMPI_MCA_orte_precondition_transports OMPI_MCA_orte_tmpdir_base "
     "OMPI_MCA_orte_top_session_dir OMPI_MCA_initial_wdir OMPI_MCA_mpi_oversubscribe "
     "OMPI_MCA_pmix OMPI_MCA_shmem_RUNTIME_QUERY_hint OMPI_APP_CTX_* OMPI_ARGV OMPI_COMMAND "
     "OMPI_COMM_WORLD_* OMPI_FILE_LOCATION OMPI_FIRST_RANKS OMPI_NUM_APP_CTX OMPI_UNIVERSE_SIZE"},
};

/* The row that matches the `length` characters at name; NULL: the variable does not describe the
 * shell's place. */
static const struct shell_variables *shell_variable_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof shell_variables / sizeof *shell_variables; i++) {
        const char *names = shell_variables[i].names;
        char pattern[64];

        while (nuce_text_word(&names, pattern, sizeof pattern)) {
            size_t plain = strcspn(pattern, "*");

            if ((pattern[plain] == '*' ? length >= plain : length == plain) &&
                strncmp(pattern, name, plain) == 0)
                return &shell_variables[i];
        }
    }
    return NULL;
}

/* An allocation exists only in a job, and options of salloc or sbatch hold only there. A step has
 * the options that it was started with. A batch step has those in its script. */
static int owner_stays_out(enum shell_owner owner, enum nuce_shell_way way)
{
    int in_job = way != NUCE_SHELL_SUBMITS && getenv("SLURM_JOB_ID") != NULL;

    switch (owner) {
    case OF_SLURM:
        return 0;
    case OF_ALLOCATION:
        return !in_job;
    case OF_OPTION:
        return way == NUCE_SHELL_SERVES || !in_job || getenv("SLURM_STEP_ID") != NULL;
    case OF_RANK:
        return 1;
    case OF_STARTER:
        return way == NUCE_SHELL_SUBMITS;
    }
    return 0;
}

/* Each removal moves the later variables, so the same index is checked again. SLURM_STEP_ID and
 * SLURM_JOB_ID go last, because the rows are judged by them. */
int nuce_shell_leave(enum nuce_shell_way way, nuce_shell_is_asked *is_asked, void *context)
{
    static const char *const judges[] = {"SLURM_STEP_ID", "SLURM_JOB_ID"};
    int in_step = getenv("SLURM_STEP_ID") != NULL;

    for (char **entry = environ; entry != NULL && *entry != NULL;) {
        size_t length = strcspn(*entry, "=");
        const struct shell_variables *row = shell_variable_find(*entry, length);
        char name[256];

        if (row == NULL || !owner_stays_out(row->owner, way) || length >= sizeof name) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        if (strcmp(name, judges[0]) == 0 || strcmp(name, judges[1]) == 0 ||
            (is_asked != NULL && is_asked(context, name, row->option)) || unsetenv(name) != 0)
            entry++;
    }
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++) {
        if (owner_stays_out(shell_variable_find(judges[i], strlen(judges[i]))->owner, way))
            unsetenv(judges[i]);
    }
    return in_step;
}
