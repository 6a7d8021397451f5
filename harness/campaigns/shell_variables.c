/* One table of what Slurm and launchers of MPI set in a shell, by whom and for whom. Slurm hands
 * SLURM_* of the shell that calls sbatch on to the job, whatever --export says, and srun obeys them
 * there: a step's SLURM_CPU_BIND puts all ranks of a node on that step's processors.
 *
 * Settings of users stay, except on the way to a job, where a profile says them: OMPI_MCA_*,
 * PMIX_MCA_*, HYDRA_*, and what users set for sbatch (SBATCH_ACCOUNT). Sources: sbatch(1), srun(1)
 * and salloc(1), input and output environment variables; what Slurm 24.11, MPICH 4.2 and Open MPI
 * 4.1 were seen to set. */
#include "campaigns/shell_variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whose a variable is. */
enum shell_owner {
    OF_SLURM,      /* where Slurm is: never stays out */
    OF_ALLOCATION, /* the job's nodes and size: launchers in the job need them */
    OF_OPTION,     /* an option of the job, or of the step where the shell is in one */
    OF_RANK,       /* one process of a launch: the next launch sets its own */
    OF_STARTER,    /* how launchers start ranks here: not on the way to a job */
};

/* A variable, or with a * at the end all that begin so; the first row that fits counts. */
struct shell_variable {
    const char *name;
    enum shell_owner owner;
    const char *option; /* of sbatch, by which a batch step has it */
};

static const struct shell_variable shell_variables[] = {
    {"SLURM_CONF", OF_SLURM, NULL},
    {"SLURM_CONF_SERVER", OF_SLURM, NULL},
    {"SLURM_CLUSTERS", OF_SLURM, NULL},
    {"SLURM_JWT", OF_SLURM, NULL},        /* logs in where munge does not */
    {"SLURM_MPI_TYPE", OF_STARTER, NULL}, /* modules of MPI libraries set it for srun */

    /* Set in every job; mpiexec finds its nodes by them, records say which job it was. */
    {"SLURM_JOB_*", OF_ALLOCATION, NULL},
    {"SLURM_JOBID", OF_ALLOCATION, NULL},
    {"SLURM_CLUSTER_NAME", OF_ALLOCATION, NULL},
    {"SLURM_ARRAY_*", OF_ALLOCATION, NULL},
    {"SLURM_HET_*", OF_ALLOCATION, NULL},
    {"SLURM_RESTART_COUNT", OF_ALLOCATION, NULL},
    {"SLURM_NNODES", OF_ALLOCATION, NULL},
    {"SLURM_NODELIST", OF_ALLOCATION, NULL},
    {"SLURM_NTASKS", OF_ALLOCATION, NULL},
    {"SLURM_NPROCS", OF_ALLOCATION, NULL},
    {"SLURM_TASKS_PER_NODE", OF_ALLOCATION, NULL},
    {"SLURM_CPUS_ON_NODE", OF_ALLOCATION, NULL},
    {"SLURM_GPUS_ON_NODE", OF_ALLOCATION, NULL},
    {"SLURM_MEM_PER_*", OF_ALLOCATION, NULL},
    {"SLURM_SUBMIT_*", OF_ALLOCATION, NULL},
    {"SLURM_TOPOLOGY_*", OF_ALLOCATION, NULL},
    {"SLURM_HOSTFILE", OF_ALLOCATION, NULL},

    /* srun takes these for options of its own. */
    {"SLURM_CPUS_PER_TASK", OF_OPTION, "cpus-per-task"},
    {"SRUN_CPUS_PER_TASK", OF_OPTION, "cpus-per-task"},
    {"SLURM_TRES_PER_TASK", OF_OPTION, "cpus-per-task"},
    {"SLURM_NTASKS_PER_*", OF_OPTION, "ntasks-per-node"},
    {"SLURM_HINT", OF_OPTION, "hint"},
    {"SLURM_DISTRIBUTION", OF_OPTION, "distribution"},
    {"SLURM_DIST_*", OF_OPTION, "distribution"},
    {"SLURM_THREADS_PER_CORE", OF_OPTION, "threads-per-core"},
    {"SLURM_CORE_SPEC", OF_OPTION, "core-spec"},
    {"SLURM_CPU_FREQ_REQ", OF_OPTION, "cpu-freq"},
    {"SLURM_GPUS*", OF_OPTION, "gpus"},
    {"SLURM_GPU_*", OF_OPTION, "gpus"},
    {"SLURM_NETWORK", OF_OPTION, "network"},
    {"SLURM_OVERCOMMIT", OF_OPTION, "overcommit"},
    {"SLURM_PROFILE", OF_OPTION, "profile"},
    {"SLURM_SPREAD_JOB", OF_OPTION, "spread-job"},

    /* The binding, place and number of one process (SLURM_CPU_BIND, SLURM_STEP_ID, SLURM_PROCID,
     * SLURM_SRUN_COMM_PORT ...), and whatever else Slurm is to add. */
    {"SLURM_*", OF_RANK, NULL},
    {"SLURMD_*", OF_RANK, NULL},
    {"SRUN_*", OF_RANK, NULL},
    /* sbatch hands its own on as SLURM_*; account, partition and their like only say where to. */
    {"SBATCH_CPU_BIND*", OF_RANK, NULL},
    {"SBATCH_MEM_BIND*", OF_RANK, NULL},
    {"SBATCH_HINT", OF_STARTER, NULL},
    {"SBATCH_DISTRIBUTION", OF_STARTER, NULL},
    {"SBATCH_THREADS_PER_CORE", OF_STARTER, NULL},
    {"SBATCH_CORE_SPEC", OF_STARTER, NULL},
    {"SBATCH_CPU_FREQ_REQ", OF_STARTER, NULL},
    {"SBATCH_OVERCOMMIT", OF_STARTER, NULL},
    {"SBATCH_EXPORT", OF_STARTER, NULL},
    {"SBATCH_GET_USER_ENV", OF_STARTER, NULL},

    /* The process manager of one launch. */
    {"PMI_*", OF_RANK, NULL},
    {"PMI2_*", OF_RANK, NULL},
    {"PMIX_MCA_*", OF_STARTER, NULL},
    {"PMIX_*", OF_RANK, NULL},
    {"PALS_*", OF_RANK, NULL},
    {"HYDI_*", OF_RANK, NULL},
    {"MPI_LOCALRANKID", OF_RANK, NULL},
    {"MPI_LOCALNRANKS", OF_RANK, NULL},
    {"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", OF_RANK, NULL}, /* of Hydra: the name of this node */
    {"MPICH_INTERFACE_HOSTNAME", OF_RANK, NULL},
    {"HYDRA_*", OF_STARTER, NULL}, /* Slurm sets HYDRA_BOOTSTRAP in a job, users HYDRA_LAUNCHER */
    {"I_MPI_HYDRA_*", OF_STARTER, NULL},
    {"PRTE_MCA_*", OF_STARTER, NULL},
    {"PRTE_*", OF_RANK, NULL},
    {"OMPI_MCA_ess*", OF_RANK, NULL},
    {"OMPI_MCA_orte_ess_*", OF_RANK, NULL},
    {"OMPI_MCA_orte_app_num", OF_RANK, NULL},
    {"OMPI_MCA_orte_bound_at_launch", OF_RANK, NULL},
    {"OMPI_MCA_orte_hnp_uri", OF_RANK, NULL},
    {"OMPI_MCA_orte_jobfam_session_dir", OF_RANK, NULL},
    {"OMPI_MCA_orte_launch", OF_RANK, NULL},
    {"OMPI_MCA_orte_local_daemon_uri", OF_RANK, NULL},
    {"OMPI_MCA_orte_num_nodes", OF_RANK, NULL},
    {"OMPI_MCA_orte_precondition_transports", OF_RANK, NULL},
    {"OMPI_MCA_orte_tmpdir_base", OF_RANK, NULL},
    {"OMPI_MCA_orte_top_session_dir", OF_RANK, NULL},
    {"OMPI_MCA_initial_wdir", OF_RANK, NULL},
    {"OMPI_MCA_mpi_oversubscribe", OF_RANK, NULL},
    {"OMPI_MCA_pmix", OF_RANK, NULL},
    {"OMPI_MCA_shmem_RUNTIME_QUERY_hint", OF_RANK, NULL},
    {"OMPI_MCA_plm_*", OF_STARTER, NULL},
    {"OMPI_APP_CTX_*", OF_RANK, NULL},
    {"OMPI_ARGV", OF_RANK, NULL},
    {"OMPI_COMMAND", OF_RANK, NULL},
    {"OMPI_COMM_WORLD_*", OF_RANK, NULL},
    {"OMPI_FILE_LOCATION", OF_RANK, NULL},
    {"OMPI_FIRST_RANKS", OF_RANK, NULL},
    {"OMPI_NUM_APP_CTX", OF_RANK, NULL},
    {"OMPI_UNIVERSE_SIZE", OF_RANK, NULL},
    {NULL, OF_SLURM, NULL},
};

/* The row that fits; NULL: nothing of where the shell is. */
static const struct shell_variable *shell_variable_find(const char *name, size_t length)
{
    for (const struct shell_variable *row = shell_variables; row->name != NULL; row++) {
        size_t plain = strcspn(row->name, "*");

        if ((row->name[plain] == '*' ? length >= plain : length == plain) &&
            strncmp(row->name, name, plain) == 0)
            return row;
    }
    return NULL;
}

/* An allocation is there only in a job, and only there do options of salloc or sbatch hold; those
 * that a step was started with are the step's. A batch step has those that its script names. */
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

/* Each removal moves the variables behind it, so the place is looked at again. SLURM_STEP_ID and
 * SLURM_JOB_ID, by which the rows are judged, go last. */
int nuce_shell_leave(enum nuce_shell_way way, nuce_shell_is_asked *is_asked, void *context)
{
    static const char *const judges[] = {"SLURM_STEP_ID", "SLURM_JOB_ID"};
    int in_step = getenv("SLURM_STEP_ID") != NULL;

    for (char **entry = environ; entry != NULL && *entry != NULL;) {
        size_t length = strcspn(*entry, "=");
        const struct shell_variable *row = shell_variable_find(*entry, length);
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
