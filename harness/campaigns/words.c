/* The command line of one launch, put together from what the launcher says, what the points' MPI
 * library needs (mpi_kinds.c), and what the points set of their environment. The order is env,
 * launcher, words of the library, the launcher's further words, program, subcommand, the rest
 * (nuce_words_make). Nothing goes through a shell. */
#include "campaigns/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/text.h"
#include "campaigns/builds.h"
#include "campaigns/campaign.h"
#include "campaigns/expand.h"
#include "campaigns/machine.h"
#include "campaigns/mpi_kinds.h"
#include "points/launch_factors.h"

/* The word of a profile that names srun's MPI plug-in, which depends on the library. */
static const char srun_mpi[] = "--mpi=";

/* What a launch is started by. */
struct starting {
    struct nuce_build build;          /* name "": nuce's own, as the launcher says */
    const struct nuce_mpi_kind *kind; /* NULL: unknown, or started by no mpiexec */
};

/* 0: out of memory, or word is NULL. */
static int words_add(json_t *words, const char *word)
{
    return word != NULL && json_array_append_new(words, json_string(word)) == 0;
}

/* Which build the factors ask for, and which library's words it needs. out->build.programs is freed
 * by the caller on success. */
static nuce_status words_open(const struct nuce_words *words, struct starting *out,
                              struct nuce_error *error)
{
    const char *mpi = json_string_value(json_object_get(words->factors, "mpi"));

    *out = (struct starting){.kind = words->kind};
    error->status = NUCE_OK;
    if (mpi != NULL && nuce_builds_find(words->programs, mpi, &out->build, error) != NUCE_OK)
        return error->status;
    if (mpi != NULL && nuce_mpi_kind_named(mpi) != NULL)
        out->kind = nuce_mpi_kind_named(mpi);
    if (words->has_mpiexec && nuce_mpi_kind_check_root(out->kind, error) != NUCE_OK)
        free(out->build.programs);
    return error->status;
}

/* Ranks of another build are started by its own mpiexec. */
static int is_of_other_build(const struct starting *starting)
{
    return starting->build.name[0] != '\0' && !starting->build.is_own;
}

/* env NAME=VALUE ... -u NAME ... in front of all; nothing where nothing is set. 0: out of memory,
 * as for all that add words here. */
static int add_variables(json_t *words, const json_t *factors)
{
    const char *name;
    json_t *value;
    int good = 1;

    json_object_foreach((json_t *)factors, name, value)
    {
        char *text;

        if (nuce_option_find(nuce_launch_options, name) != NULL)
            continue;
        if (json_array_size(words) == 0)
            good &= words_add(words, "env");
        text = json_is_null(value) ? nuce_text_format("--unset=%s", name)
                                   : nuce_text_format("%s=%s", name, json_string_value(value));
        /* Options of env come before variables. */
        good &= (json_is_null(value) ? json_array_insert_new(words, 1, json_string(text)) == 0
                                     : words_add(words, text));
        free(text);
    }
    return good;
}

/* Words behind the mpiexec: what its library needs for so many ranks here, and the variables that
 * ranks on other nodes are to get. */
static int add_for_kind(json_t *words, const struct nuce_words *of, const struct starting *starting)
{
    int is_here = (of->ops->caps & NUCE_LAUNCHER_IS_HERE) != 0, good = 1;
    const struct nuce_mpi_kind *kind = starting->kind;
    const char *name;
    json_t *value;

    if (kind == NULL || !of->has_mpiexec)
        return 1;
    for (int i = 0; is_here && of->ranks > nuce_machine_processors() && kind->crowded[i] != NULL;
         i++)
        good &= words_add(words, kind->crowded[i]);
    json_object_foreach((json_t *)of->factors, name, value)
    {
        if (kind->exports != NULL && json_is_string(value) &&
            nuce_option_find(nuce_launch_options, name) == NULL)
            good &= words_add(words, kind->exports) && words_add(words, name);
    }
    return good;
}

/* The launcher's own words; of another build its mpiexec, or its word for srun. */
static int add_launcher(json_t *words, const struct nuce_words *of, const struct starting *starting)
{
    const char *const *word = of->command;
    int is_other = is_of_other_build(starting), good = 1;
    char number[16];

    snprintf(number, sizeof number, "%d", of->ranks);
    if (*word == NULL)
        return 1;
    good = words_add(words, is_other && of->has_mpiexec ? starting->build.launcher : *word) &&
           add_for_kind(words, of, starting);
    while (*++word != NULL && good) {
        char *own = NULL;

        if (is_other && starting->kind != NULL && starting->kind->srun != NULL &&
            strncmp(*word, srun_mpi, strlen(srun_mpi)) == 0)
            own = nuce_text_format("%s%s", srun_mpi, starting->kind->srun);
        good = words_add(words, own != NULL                               ? own
                                : strcmp(*word, NUCE_LAUNCHER_RANKS) == 0 ? number
                                                                          : *word);
        free(own);
    }
    return good;
}

/* Looked for before it is started: the message of an mpiexec whose program is missing tells
 * little. */
static nuce_status add_program(json_t *words, const struct nuce_words *of,
                               const struct starting *starting, struct nuce_error *error)
{
    const char *program = of->ops->program(of->workload);
    const char *folder = is_of_other_build(starting) ? starting->build.programs : of->programs;
    char *path = folder == NULL ? nuce_data_program_path(program, error)
                                : nuce_text_format("%s/%s", folder, program);

    if (path == NULL)
        return error->status;
    error->status = NUCE_OK;
    if (access(path, X_OK) != 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s: is nuce installed whole?", path,
                       strerror(errno));
    else if (!words_add(words, path))
        nuce_error_set(error, NUCE_FAILED, "out of memory for a command");
    free(path);
    return error->status;
}

nuce_status nuce_words_make(const struct nuce_words *words, json_t **out, struct nuce_error *error)
{
    const char *subcommand = words->ops->subcommand(words->workload);
    json_t *all = json_array();
    struct starting starting;
    int good;

    if (words_open(words, &starting, error) != NUCE_OK) {
        json_decref(all);
        return error->status;
    }
    good = add_variables(all, words->factors) && add_launcher(all, words, &starting);
    /* error->status is NUCE_OK since words_open; from here on it tells what add_program found. */
    if (good && add_program(all, words, &starting, error) == NUCE_OK) {
        good = subcommand == NULL || words_add(all, subcommand);
        for (size_t i = 0; good && i < words->rest_count; i++)
            good = words->rest[i] == NULL || words_add(all, words->rest[i]);
    }
    free(starting.build.programs);
    if (!good)
        nuce_error_set(error, NUCE_FAILED, "out of memory for a command");
    if (error->status != NUCE_OK) {
        json_decref(all);
        return error->status;
    }
    *out = all;
    return NUCE_OK;
}

/* A launcher is asked what it is once, and only where the answer matters: root is refused by some.
 */
struct user_check {
    const char *mpiexec;
    int is_asked;
};

/* A line that names a build is of a library that is known by the build's name. */
static nuce_status check_user_of(struct user_check *check, const json_t *line,
                                 struct nuce_error *error)
{
    const json_t *factors = json_object_get(line, "launch");
    const char *mpi = json_string_value(json_object_get(factors, "mpi"));

    if (mpi != NULL)
        return nuce_mpi_kind_check_root(nuce_mpi_kind_named(mpi), error);
    if (check->is_asked)
        return NUCE_OK;
    check->is_asked = 1;
    return nuce_mpi_kind_check_root(nuce_mpi_kind_of_launcher(check->mpiexec), error);
}

nuce_status nuce_words_check_user(const struct nuce_plan *plan, const char *mpiexec,
                                  struct nuce_error *error)
{
    struct user_check check = {mpiexec, 0};
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < plan->count && status == NUCE_OK && geteuid() == 0; i++)
        status = check_user_of(&check, plan->points[i].line, error);
    return status;
}

nuce_status nuce_words_check_user_again(const struct nuce_campaign *campaign, const char *mpiexec,
                                        struct nuce_error *error)
{
    struct user_check check = {mpiexec, 0};
    nuce_status status = NUCE_OK;

    if (campaign->launcher != &nuce_launcher_local || geteuid() != 0)
        return NUCE_OK;
    for (int64_t i = 0; i < campaign->count && status == NUCE_OK; i++) {
        if (nuce_campaign_is_missing(&campaign->points[i]))
            status = check_user_of(&check, campaign->points[i].line, error);
    }
    return status;
}
