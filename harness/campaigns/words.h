/* The command line of one launch. */
#ifndef NUCE_WORDS_H
#define NUCE_WORDS_H

#include <jansson.h>

#include "campaigns/launchers.h"

struct nuce_campaign;
struct nuce_mpi_kind;
struct nuce_plan;

/* The parts of a launch's command line; all borrowed. */
struct nuce_words {
    const struct nuce_launcher_ops *ops;
    const char *const *command;       /* words in front of the program, NULL-ended */
    const char *programs;             /* folder of the programs; NULL: that of the running one */
    const struct nuce_mpi_kind *kind; /* of the command's mpiexec; NULL: unknown */
    int has_mpiexec;                  /* the first word is an mpiexec, not srun or a simulator */
    const struct nuce_workload_ops *workload;
    const json_t *factors; /* the points' launch factors; NULL: none (borrowed) */
    int ranks;
    const char *const *rest; /* words after the program and its subcommand; some may be NULL */
    size_t rest_count;
};

/* The words, in order: env with the variables that factors set or unset; the launcher with the
 * words that its MPI library needs here; the program of the build in factors; its own words. A new
 * array of strings. NUCE_BAD_INPUT if the build does not exist, or its launcher cannot be used.
 * NUCE_FAILED if the program cannot be executed: one message is better than one for each start. */
nuce_status nuce_words_make(const struct nuce_words *words, json_t **out, struct nuce_error *error);

/* Puts env NAME=VALUE ... --unset=NAME ... in front of words, for the variables that factors set or
 * unset, if there are any. Names of nuce_launch_options are no variables but nodes and tasks, which
 * the launcher gets. */
void nuce_words_add_variables(json_t *words, const json_t *factors);

/* NUCE_BAD_INPUT, with a remedy, if the MPI library of a point does not start ranks for this user:
 * mpiexec's, or that of the point's build. For callers that check before a campaign is made of the
 * plan; nuce_words_make checks one launch. */
nuce_status nuce_words_check_user(const struct nuce_plan *plan, const char *mpiexec,
                                  struct nuce_error *error);

/* The same for the missing points of an existing campaign, which another user may have begun. */
nuce_status nuce_words_check_user_again(const struct nuce_campaign *campaign, const char *mpiexec,
                                        struct nuce_error *error);

#endif
