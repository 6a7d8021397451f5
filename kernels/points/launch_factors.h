/* What a sweep may vary beside a workload's own options: how the processes of a launch are started.
 *
 *   nodes, ntasks-per-node     of its job
 *   mpi                        the build of the programs that runs
 *   NAME                       an environment variable, a text, or null: not set
 *
 * Points keep them as an object, "launch" in a line of a plan; in the canonical form they stand
 * among the params. Contenders of one heat are of one launch: they have them in common. */
#ifndef NUCE_LAUNCH_FACTORS_H
#define NUCE_LAUNCH_FACTORS_H

#include "base/option.h"

/* Where values are parsed to before they are kept as JSON. */
struct nuce_launch_factors {
    int64_t nodes, tasks_per_node;
    char mpi[NUCE_PATH_BYTES];
    char variable[NUCE_PATH_BYTES];
};

/* The rows with a name of their own, each NUCE_OPTION_LAUNCH. */
extern const struct nuce_option nuce_launch_options[];

/* The row of any variable, but for its name. */
extern const struct nuce_option nuce_launch_variable;

/* How a sweep says that a variable is not set. */
#define NUCE_LAUNCH_UNSET "~"

/* NUCE_BAD_INPUT unless name can be that of a variable that a sweep sets: not Slurm's own, and with
 * a capital or an underscore first, as no option begins. */
nuce_status nuce_launch_check_variable(const char *name, struct nuce_error *error);

/* NUCE_BAD_INPUT unless factors is an object of what stands above. */
nuce_status nuce_launch_check(const json_t *factors, struct nuce_error *error);

/* A count among factors, which may be NULL; 0: not said. name: of a row that is a count. */
int64_t nuce_launch_count(const json_t *factors, const char *name);

/* Whether both are the same; NULL is none. */
int nuce_launch_is_same(const json_t *factors, const json_t *other);

#endif
