/* The launch factors that a sweep may vary, in addition to a workload's own options: how the
 * processes of a launch are started.
 *
 *   nodes, ntasks-per-node     of its job
 *   mpi                        the build of the programs that runs
 *   NAME                       an environment variable, a text, or null: not set
 *
 * Points store them as an object, "launch" in a line of a plan; in the canonical form they are
 * among the params. Contenders of one race share a launch, and so have the same factors. */
#ifndef NUCE_LAUNCH_FACTORS_H
#define NUCE_LAUNCH_FACTORS_H

#include "base/option.h"

/* The targets of parsed values before these are stored as JSON. */
struct nuce_launch_factors {
    int64_t nodes, tasks_per_node;
    char mpi[NUCE_PATH_BYTES];
    char variable[NUCE_PATH_BYTES];
};

/* The rows with a name of their own, each NUCE_OPTION_LAUNCH. */
extern const struct nuce_option nuce_launch_options[];

/* The row for all variables, without a name. */
extern const struct nuce_option nuce_launch_variable;

/* NUCE_BAD_INPUT unless name is valid for a variable that a sweep sets. It must not be Slurm's own,
 * and must begin with a capital or an underscore, as no option does. */
nuce_status nuce_launch_check_variable(const char *name, struct nuce_error *error);

/* NUCE_BAD_INPUT unless factors is an object of the above. */
nuce_status nuce_launch_check(const json_t *factors, struct nuce_error *error);

/* The count called name, a row that is a count, in factors, which may be NULL; 0: not given. */
int64_t nuce_launch_count(const json_t *factors, const char *name);

/* True if both are the same; NULL has no factors. */
int nuce_launch_is_same(const json_t *factors, const json_t *other);

#endif
