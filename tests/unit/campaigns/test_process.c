/* Programs called like Slurm's: their output, their end, and no process left; and the variables
 * that a shell passes to programs. */
#include <signal.h>

#include "../folder.h"
#include "campaigns/process.h"
#include "campaigns/shell_variables.h"

static nuce_status shell(const char *script, int limit_s, struct nuce_process_reply *reply,
                         struct nuce_error *error)
{
    json_t *argv = nuce_process_argv(NULL, "sh", "-c", script, NULL);
    nuce_status status = nuce_process_run(argv, limit_s, reply, error);

    json_decref(argv);
    return status;
}

/* The line that tells most is kept of a program's last words. */
static void test_reply(void **state)
{
    static const struct {
        const char *script, *out, *err, *complaint; /* NULL: it succeeded */
    } cases[] = {
        {"echo 42; echo note >&2", "42\n", "note", NULL},
        {"printf '\\n\\nb\\033[1m \\n\\n' >&2; echo c >&2; exit 3", "", "b?[1m",
         "sbatch ended with status 3: b?[1m"},
        {"printf \"sbatch: unrecognized option '--x'\\nTry 'sbatch --help'\\n\" >&2; exit 1", "",
         "sbatch: unrecognized option '--x'",
         "sbatch ended with status 1: sbatch: unrecognized option '--x'"},
        {"printf 'Welcome\\nsbatch: error: a\\nsbatch: error: b\\n' >&2; exit 1", "",
         "sbatch: error: a", "sbatch ended with status 1: sbatch: error: a"},
        {"kill -9 $$", "", "", "sbatch was killed by signal 9"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_process_reply reply;
        char *complaint;

        assert_ok(shell(cases[i].script, 10, &reply, ANY_ERROR));
        assert_string_equal(reply.out, cases[i].out);
        assert_string_equal(reply.err, cases[i].err);
        assert_int_equal(nuce_process_succeeded(&reply), cases[i].complaint == NULL);
        complaint = nuce_process_complaint("sbatch", &reply);
        if (cases[i].complaint != NULL)
            assert_string_equal(complaint, cases[i].complaint);
        free(complaint);
        nuce_process_reply_fini(&reply);
    }
}

/* More than a pipe holds, on both; and words that are no shell's. */
static void test_words(void **state)
{
    json_t *argv = nuce_process_argv(NULL, "printf", "%s\n", "$(echo no) 'a'\n*", NULL);
    struct nuce_process_reply reply;

    assert_ok(
        shell("yes out | head -c 1000000; yes err | head -c 1000000 >&2", 30, &reply, ANY_ERROR));
    assert_int_equal(strlen(reply.out), 1000000);
    assert_string_equal(reply.err, "err");
    nuce_process_reply_fini(&reply);
    assert_ok(nuce_process_run(argv, 10, &reply, ANY_ERROR));
    assert_string_equal(reply.out, "$(echo no) 'a'\n*\n");
    nuce_process_reply_fini(&reply);
    json_decref(argv);
}

/* The program and its children are gone after the limit, those that do not listen too. */
static void test_ended(void **state)
{
    struct nuce_process_reply reply;
    struct nuce_error error;
    char *complaint;
    pid_t child;

    assert_ok(shell("(trap '' TERM; exec sleep 1000) & echo $!; wait", 3, &reply, &error));
    complaint = nuce_process_complaint("sbatch", &reply);
    assert_string_equal(complaint, "sbatch took too long and was stopped");
    free(complaint);
    child = (pid_t)strtol(reply.out, NULL, 10);
    assert_true(child > 1);
    assert_int_equal(kill(child, 0), -1);
    nuce_process_reply_fini(&reply);
    assert_int_equal(shell("kill -TERM $PPID; sleep 1000", 900, &reply, &error), NUCE_INTERRUPTED);
    assert_says(&error, "signal");
}

/* Ways in which a shell was started, and the value of a variable that each passes on. */
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
     "PRTE_MCA_plm_slurm_args OMPI_MCA_plm_slurm_args SBATCH_HINT "
     "SBATCH_ERROR SBATCH_INPUT",
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

RUN(test_reply, test_words, test_ended, test_ways)
