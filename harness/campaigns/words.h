/* The command line of one launch. */
#ifndef NUCE_WORDS_H
#define NUCE_WORDS_H

#include <jansson.h>

#include "campaigns/launchers.h"

struct nuce_campaign;
struct nuce_mpi_kind;
struct nuce_plan;

/* What a launch's command line is made from; all borrowed. */
struct nuce_words {
    const struct nuce_launcher_ops *ops;
    const char *const *command;       /* words in front of the program, NULL-ended */
    const char *programs;             /* folder of the programs; NULL: that of the running one */
    const struct nuce_mpi_kind *kind; /* of the command's mpiexec; NULL: unknown */
    int has_mpiexec;                  /* the first word is one, not srun or a simulator */
    const struct nuce_workload_ops *workload;
    const json_t *factors; /* how the points' processes are started; NULL: as all (borrowed) */
    int ranks;
    const char *const *rest; /* words behind the program and its subcommand; some may be NULL */
    size_t rest_count;
};

/* The words, in order: env with the variables that factors set or unset, the launcher with what its
 * MPI library needs here, the program of the build that factors name, its own words. A new array of
 * texts. NUCE_BAD_INPUT where there is no such build, or its launcher cannot be used; NUCE_FAILED
 * where the program cannot be executed: better said once than by each start of a campaign. */
nuce_status nuce_words_make(const struct nuce_words *words, json_t **out, struct nuce_error *error);

/* Puts env NAME=VALUE ... --unset=NAME ... in front of words, for the variables that factors set or
 * unset; nothing where there is none. Names of nuce_launch_options are no variables but nodes and
 * tasks, which the launcher gets. */
void nuce_words_add_variables(json_t *words, const json_t *factors);

/* NUCE_BAD_INPUT, with what to do, where the MPI library of one of the points does not start ranks
 * for this user: mpiexec's, or that of the build that the point names. For whoever is to say so
 * before a campaign is made of the plan; nuce_words_make says it of one launch. */
nuce_status nuce_words_check_user(const struct nuce_plan *plan, const char *mpiexec,
                                  struct nuce_error *error);

/* The same of what is missing of a campaign that is there, and was begun by a user who could. */
nuce_status nuce_words_check_user_again(const struct nuce_campaign *campaign, const char *mpiexec,
                                        struct nuce_error *error);

#endif
