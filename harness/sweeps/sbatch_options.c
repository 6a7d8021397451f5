#include "sweeps/sbatch_options.h"

#include <stddef.h>
#include <string.h>

/* Why an option is refused. */
#define SET "is set by nuce"
#define SAYS "changes what sbatch prints, which nuce reads"
#define SHOWS "submits nothing; see 'man sbatch'"
#define USER "is refused: nuce only knows jobs of the user that calls it"
#define CLUSTER                                                                                    \
    "is refused: nuce asks one cluster about its jobs; choose it by the variable SLURM_CLUSTERS"

#define NONE NUCE_SBATCH_NONE
#define OPTIONAL NUCE_SBATCH_OPTIONAL
#define REQUIRED NUCE_SBATCH_REQUIRED

const struct nuce_sbatch_option nuce_sbatch_options[] = {
    {"account",             'A', REQUIRED, NULL                                                  },
    {"acctg-freq",          0,   REQUIRED, NULL                                                  },
    {"array",               'a', REQUIRED, SET " ('concurrent' limits the tasks at one time)"    },
    {"batch",               0,   REQUIRED, NULL                                                  },
    {"bb",                  0,   REQUIRED, NULL                                                  },
    {"bbf",                 0,   REQUIRED, NULL                                                  },
    {"begin",               'b', REQUIRED, NULL                                                  },
    {"chdir",               'D', REQUIRED, SET                                                   },
    {"cluster",             0,   REQUIRED, CLUSTER                                               },
    {"cluster-constraint",  0,   REQUIRED, CLUSTER                                               },
    {"clusters",            'M', REQUIRED, CLUSTER                                               },
    {"comment",             0,   REQUIRED, NULL                                                  },
    {"constraint",          'C', REQUIRED, NULL                                                  },
    {"container",           0,   REQUIRED, NULL                                                  },
    {"container-id",        0,   REQUIRED, NULL                                                  },
    {"context",             0,   REQUIRED, NULL                                                  },
    {"contiguous",          0,   NONE,     NULL                                                  },
    {"core-spec",           'S', REQUIRED, NULL                                                  },
    {"cores-per-socket",    0,   REQUIRED, NULL                                                  },
    {"cpu-freq",            0,   REQUIRED, NULL                                                  },
    {"cpus-per-gpu",        0,   REQUIRED, NULL                                                  },
    {"cpus-per-task",       'c', REQUIRED, NULL                                                  },
    {"deadline",            0,   REQUIRED, NULL                                                  },
    {"delay-boot",          0,   REQUIRED, NULL                                                  },
    {"dependency",          'd', REQUIRED, NULL                                                  },
    {"distribution",        'm', REQUIRED, SET " ('hostfile' says where each rank runs)"         },
    {"error",               'e', REQUIRED, SET                                                   },
    {"exclude",             'x', REQUIRED, NULL                                                  },
    {"exclusive",           0,   OPTIONAL, NULL                                                  },
    {"export",              0,   REQUIRED, SET " (from 'environment' of a profile)"              },
    {"export-file",         0,   REQUIRED, SET " (from 'environment' of a profile)"              },
    {"extra",               0,   REQUIRED, NULL                                                  },
    {"extra-node-info",     'B', REQUIRED, NULL                                                  },
    {"get-user-env",        0,   OPTIONAL, SET " (from 'environment' of a profile)"              },
    {"gid",                 0,   REQUIRED, USER                                                  },
    {"gpu-bind",            0,   REQUIRED, NULL                                                  },
    {"gpu-freq",            0,   REQUIRED, NULL                                                  },
    {"gpus",                'G', REQUIRED, NULL                                                  },
    {"gpus-per-node",       0,   REQUIRED, NULL                                                  },
    {"gpus-per-socket",     0,   REQUIRED, NULL                                                  },
    {"gpus-per-task",       0,   REQUIRED, NULL                                                  },
    {"gres",                0,   REQUIRED, NULL                                                  },
    {"gres-flags",          0,   REQUIRED, NULL                                                  },
    {"help",                'h', NONE,     SHOWS                                                 },
    {"hint",                0,   REQUIRED, NULL                                                  },
    {"hold",                'H', NONE,     NULL                                                  },
    {"ignore-pbs",          0,   NONE,     NULL                                                  },
    {"input",               'i', REQUIRED, SET                                                   },
    {"job-name",            'J', REQUIRED, SET                                                   },
    {"kill-on-invalid-dep", 0,   REQUIRED, NULL                                                  },
    {"licenses",            'L', REQUIRED, NULL                                                  },
    {"mail-type",           0,   REQUIRED, NULL                                                  },
    {"mail-user",           0,   REQUIRED, NULL                                                  },
    {"mcs-label",           0,   REQUIRED, NULL                                                  },
    {"mem",                 0,   REQUIRED, NULL                                                  },
    {"mem-bind",            0,   REQUIRED, NULL                                                  },
    {"mem-per-cpu",         0,   REQUIRED, NULL                                                  },
    {"mem-per-gpu",         0,   REQUIRED, NULL                                                  },
    {"mincpus",             0,   REQUIRED, NULL                                                  },
    {"network",             0,   REQUIRED, NULL                                                  },
    {"nice",                0,   OPTIONAL, NULL                                                  },
    {"no-kill",             'k', OPTIONAL, NULL                                                  },
    {"no-requeue",          0,   NONE,     SET " ('requeue: false', which is the default)"       },
    {"nodefile",            'F', REQUIRED, NULL                                                  },
    {"nodelist",            'w', REQUIRED, NULL                                                  },
    {"nodes",               'N', REQUIRED, NULL                                                  },
    {"ntasks",              'n', REQUIRED, SET " (from a sweep's 'ranks')"                       },
    {"ntasks-per-core",     0,   REQUIRED, NULL                                                  },
    {"ntasks-per-gpu",      0,   REQUIRED, NULL                                                  },
    {"ntasks-per-node",     0,   REQUIRED, NULL                                                  },
    {"ntasks-per-socket",   0,   REQUIRED, NULL                                                  },
    {"ntasks-per-tres",     0,   REQUIRED, NULL                                                  },
    {"oom-kill-step",       0,   OPTIONAL, NULL                                                  },
    {"open-mode",           0,   REQUIRED, SET                                                   },
    {"output",              'o', REQUIRED, SET                                                   },
    {"overcommit",          'O', NONE,     NULL                                                  },
    {"oversubscribe",       's', NONE,     NULL                                                  },
    {"parsable",            0,   OPTIONAL, SET                                                   },
    {"partition",           'p', REQUIRED, NULL                                                  },
    {"power",               0,   REQUIRED, NULL                                                  },
    {"prefer",              0,   REQUIRED, NULL                                                  },
    {"priority",            0,   REQUIRED, NULL                                                  },
    {"profile",             0,   REQUIRED, NULL                                                  },
    {"propagate",           0,   OPTIONAL, NULL                                                  },
    {"qos",                 'q', REQUIRED, NULL                                                  },
    {"quiet",               'Q', NONE,     SAYS                                                  },
    {"reboot",              0,   NONE,     NULL                                                  },
    {"requeue",             0,   NONE,     NULL                                                  },
    {"reservation",         0,   REQUIRED, NULL                                                  },
    {"resv-ports",          0,   OPTIONAL, NULL                                                  },
    {"script",              0,   REQUIRED, SET                                                   },
    {"segment",             0,   REQUIRED, NULL                                                  },
    {"share",               0,   NONE,     NULL                                                  },
    {"signal",              0,   REQUIRED, NULL                                                  },
    {"sockets-per-node",    0,   REQUIRED, NULL                                                  },
    {"spread-job",          0,   NONE,     NULL                                                  },
    {"stepmgr",             0,   NONE,     NULL                                                  },
    {"switches",            0,   REQUIRED, NULL                                                  },
    {"tasks",               0,   REQUIRED, SET " (from a sweep's 'ranks')"                       },
    {"tasks-per-node",      0,   REQUIRED, SET " (by 'ntasks-per-node')"                         },
    {"test-only",           0,   NONE,     "submits nothing; see 'nuce submit --dry-run'"        },
    {"thread-spec",         0,   REQUIRED, NULL                                                  },
    {"threads-per-core",    0,   REQUIRED, NULL                                                  },
    {"time",                't', REQUIRED, NULL                                                  },
    {"time-min",            0,   REQUIRED, NULL                                                  },
    {"tmp",                 0,   REQUIRED, NULL                                                  },
    {"tres-bind",           0,   REQUIRED, NULL                                                  },
    {"tres-per-task",       0,   REQUIRED, NULL                                                  },
    {"uid",                 0,   REQUIRED, USER                                                  },
    {"usage",               'u', NONE,     SHOWS                                                 },
    {"use-min-nodes",       0,   NONE,     NULL                                                  },
    {"verbose",             'v', NONE,     SAYS                                                  },
    {"version",             'V', NONE,     SHOWS                                                 },
    {"wait",                'W', NONE,     "waits for the end of the job; see 'nuce status'"     },
    {"wait-all-nodes",      0,   REQUIRED, NULL                                                  },
    {"wckey",               0,   REQUIRED, NULL                                                  },
    {"workdir",             0,   REQUIRED, SET                                                   },
    {"wrap",                0,   REQUIRED, "takes the place of the job script, which nuce writes"},
    {NULL,                  0,   NONE,     NULL                                                  },
};

const struct nuce_sbatch_option *nuce_sbatch_find(const char *name)
{
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

const struct nuce_sbatch_option *nuce_sbatch_find_letter(char letter)
{
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        if (letter != '\0' && row->letter == letter)
            return row;
    }
    return NULL;
}
