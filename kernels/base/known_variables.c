/* The list of variables that records keep. A variable that it lacks is only missing from the
 * record.
 *
 * It lists kept variables, not excluded ones, so that no unforeseen variable gets into a record. A
 * look-up goes through all patterns, once for each variable of a job's environment. */
#include "base/known_variables.h"

#include <string.h>

/* A * at the end matches all names that begin so. It is for families of settings, never for the
 * prefix of a whole program. */
static const char *const known[] = {
    /* UCX: ucx_info -c */
    "UCX_TLS",
    "UCX_MODULES",
    "UCX_MODULE_DIR",
    "UCX_PROTOS",
    "UCX_NET_DEVICES",
    "UCX_SHM_DEVICES",
    "UCX_SELF_DEVICES",
    "UCX_ALLOC_PRIO",
    "UCX_RNDV_*",
    "UCX_ZCOPY_*",
    "UCX_BCOPY_*",
    "UCX_EAGER_*",
    "UCX_PROTO_*",
    "UCX_IB_*",
    "UCX_RC_*",
    "UCX_UD_*",
    "UCX_DC_*",
    "UCX_TCP_*",
    "UCX_MM_*",
    "UCX_POSIX_*",
    "UCX_SYSV_*",
    "UCX_CMA_*",
    "UCX_KNEM_*",
    "UCX_XPMEM_*",
    "UCX_SCOPY_*",
    "UCX_SELF_*",
    "UCX_CUDA_*",
    "UCX_ROCM_*",
    "UCX_MEMTYPE_*",
    "UCX_MAX_*",
    "UCX_MIN_*",
    "UCX_TM_*",
    "UCX_ADDRESS_*",
    "UCX_UNIFIED_MODE",
    "UCX_WARN_*",
    "UCX_LOG_LEVEL",
    "UCX_HANDLE_ERRORS",
    "UCX_USE_*",
    "UCX_ESTIMATED_*",
    "UCX_KEEPALIVE_*",
    "UCX_MULTI_*",
    "UCX_REG_*",
    "UCX_RCACHE_*",
    "UCX_SOCKADDR_*",
    "UCX_CM_*",
    /* libfabric: fi_info -e */
    "FI_PROVIDER",
    "FI_PROVIDER_PATH",
    "FI_UNIVERSE_SIZE",
    "FI_LOG_*",
    "FI_MR_*",
    "FI_HMEM*",
    "FI_CXI_*",
    "FI_VERBS_*",
    "FI_EFA_*",
    "FI_PSM2_*",
    "FI_PSM3_*",
    "FI_OPX_*",
    "FI_TCP_*",
    "FI_SOCKETS_*",
    "FI_UDP_*",
    "FI_SHM_*",
    "FI_OFI_*",
    "FI_RXM_*",
    "FI_RXD_*",
    "FI_POLL_*",
    "FI_PERF_*",
    "FI_FORK_*",
    "FI_AV_*",
    /* MPICH and its kin */
    "MPIR_CVAR_*",
    "MPICH_OFI_*",
    "MPICH_UCX_*",
    "MPICH_GPU_*",
    "MPICH_SMP_*",
    "MPICH_RANK_*",
    "MPICH_COLL_*",
    "MPICH_ALL*",
    "MPICH_BCAST_*",
    "MPICH_REDUCE_*",
    "MPICH_GATHER*",
    "MPICH_SCATTER*",
    "MPICH_IGATHER*",
    "MPICH_RMA_*",
    "MPICH_ASYNC_PROGRESS",
    "MPICH_NEMESIS_*",
    "MPICH_MAX_THREAD_SAFETY",
    "MPICH_ENV_DISPLAY",
    "MPICH_VERSION_DISPLAY",
    "MPICH_MEMORY_REPORT",
    "MPICH_NO_*",
    "MPICH_SINGLE_HOST_ENABLED",
    "MPICH_INTERFACE_HOSTNAME",
    "MPICH_USE_*",
    "MPICH_PORT_RANGE",
    "MPICH_OPTIMIZED_MEMCPY",
    "MPICH_SHARED_MEM_*",
    /* ld.so(8), mallopt(3): other code under a program, and other memory */
    "LD_PRELOAD",
    "GLIBC_TUNABLES",
    /* Open MPI: ompi_info --all. mpirun sets others, such as its own address. */
    "OMPI_MCA_btl*",
    "OMPI_MCA_coll*",
    "OMPI_MCA_mtl*",
    "OMPI_MCA_osc*",
    "OMPI_MCA_pml*",
    /* OpenMP: the specification, chapter "Environment Variables" */
    "OMP_NUM_THREADS",
    "OMP_PROC_BIND",
    "OMP_PLACES",
    "OMP_SCHEDULE",
    "OMP_DYNAMIC",
    "OMP_WAIT_POLICY",
    "OMP_STACKSIZE",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_NESTED",
    "OMP_THREAD_LIMIT",
    "OMP_CANCELLATION",
    "OMP_DISPLAY_*",
    "OMP_TARGET_OFFLOAD",
    "OMP_DEFAULT_DEVICE",
    "OMP_NUM_TEAMS",
    "OMP_TEAMS_THREAD_LIMIT",
    "OMP_ALLOCATOR",
    "OMP_TOOL",
    /* Slurm: srun(1), output environment variables */
    "SLURM_JOB_*",
    "SLURM_JOBID",
    "SLURM_ARRAY_*",
    "SLURM_STEP_*",
    "SLURM_STEPID",
    "SLURM_CLUSTER_NAME",
    "SLURM_CPU_BIND*",
    "SLURM_CPU_FREQ_REQ",
    "SLURM_CPUS_*",
    "SLURM_DISTRIBUTION",
    "SLURM_GPU*",
    "SLURM_GTIDS",
    "SLURM_HINT",
    "SLURM_LAUNCH_NODE_IPADDR",
    "SLURM_LOCALID",
    "SLURM_MEM_*",
    "SLURM_MPI_TYPE",
    "SLURM_NETWORK",
    "SLURM_NNODES",
    "SLURM_NODEID",
    "SLURM_NODELIST",
    "SLURM_NODE_ALIASES",
    "SLURM_NPROCS",
    "SLURM_NTASKS*",
    "SLURM_OVERCOMMIT",
    "SLURM_PARTITION",
    "SLURM_PRIO_PROCESS",
    "SLURM_PROCID",
    "SLURM_PROFILE",
    "SLURM_RESERVATION",
    "SLURM_RESTART_COUNT",
    "SLURM_SPREAD_JOB",
    "SLURM_SUBMIT_*",
    "SLURM_SRUN_*",
    "SLURM_TASKS_PER_NODE",
    "SLURM_TASK_PID",
    "SLURM_THREADS_PER_CORE",
    "SLURM_TOPOLOGY_*",
    "SLURM_TRES_PER_TASK",
    "SLURM_UMASK",
    "SLURM_HET_*",
    "SLURM_EXACT",
    "SLURM_EXCLUSIVE",
    "SLURM_CORE_SPEC",
    "SLURM_CONSTRAINT",
    "SLURMD_NODENAME",
    NULL,
};

/* In either case of letters: a name with one of these in it may hold a secret. */
static const char *const secret[] = {"TOKEN", "SECRET", "KEY", "PASS", "JWT", "AUTH", "CRED", NULL};

/* Secrets come first: a family such as UCX_IB_* may have a name with KEY in it. */
int nuce_known_variables_has(const char *name)
{
    for (int i = 0; secret[i] != NULL; i++) {
        if (strcasestr(name, secret[i]) != NULL)
            return 0;
    }
    for (int i = 0; known[i] != NULL; i++) {
        size_t length = strlen(known[i]);

        if (known[i][length - 1] == '*' ? strncmp(name, known[i], length - 1) == 0
                                        : strcmp(name, known[i]) == 0)
            return 1;
    }
    return 0;
}

/* The _safe form of the loop allows the current entry to be deleted. */
int nuce_known_variables_drop_others(json_t *variables)
{
    const char *name;
    json_t *value;
    void *next;
    int count = 0;

    json_object_foreach_safe(variables, next, name, value)
    {
        if (!nuce_known_variables_has(name)) {
            json_object_del(variables, name);
            count++;
        }
    }
    return count;
}
