/* The command line of one launch: the launcher's words, the words that the points' MPI library
 * needs (builds.c), and the points' environment variables. The order is env, launcher, words of the
 * library, the launcher's further words, program, subcommand, the rest (nuce_words_make). No shell
 * is involved. */
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
#include "campaigns/process.h"
#include "points/launch_factors.h"

/* The word of a profile with srun's MPI plug-in, which depends on the library. */
static const char srun_mpi[] = "--mpi=";

/* The build and library that start a launch. */
struct starting {
    struct nuce_build build;          /* name "": nuce's own, started by the launcher */
    const struct nuce_mpi_kind *kind; /* NULL: unknown, or started by no mpiexec */
};

/* JSON takes only UTF-8 texts: null replaces any other, and nuce_words_make refuses it. */
static void words_add(json_t *words, const char *word)
{
    json_t *text = json_string(word);

    json_array_append_new(words, text != NULL ? text : json_null());
}

/* Another build starts its ranks with its own mpiexec. */
static int is_of_other_build(const struct starting *starting)
{
    return starting->build.name[0] != '\0' && !starting->build.is_own;
}

void nuce_words_add_variables(json_t *words, const json_t *factors)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)factors, name, value)
    {
        if (nuce_option_find(nuce_launch_options, name) != NULL)
            continue;
        if (json_array_size(words) == 0)
            words_add(words, "env");
        /* Options of env precede variables. */
        if (json_is_null(value))
            json_array_insert_new(words, 1, json_sprintf("--unset=%s", name));
        else
            json_array_append_new(words, json_sprintf("%s=%s", name, json_string_value(value)));
    }
}

/* Adds the launcher's own words; for another build its mpiexec, or its word for srun. After an
 * mpiexec come the words that its library needs for that many ranks here, and the variables for
 * ranks on other nodes. */
static void add_launcher(json_t *words, const struct nuce_words *of,
                         const struct starting *starting)
{
    int is_here = (of->ops->caps & NUCE_LAUNCHER_IS_HERE) != 0;
    int is_other = is_of_other_build(starting);
    const struct nuce_mpi_kind *kind = starting->kind;
    const char *const *word = of->command;
    const char *name;
    json_t *value;

    if (*word == NULL)
        return;
    words_add(words, is_other && of->has_mpiexec ? starting->build.launcher : *word);
    if (kind != NULL && of->has_mpiexec) {
        for (int i = 0;
             is_here && of->ranks > nuce_process_processors() && kind->crowded[i] != NULL; i++)
            words_add(words, kind->crowded[i]);
        json_object_foreach((json_t *)of->factors, name, value)
        {
            if (kind->exports == NULL || !json_is_string(value) ||
                nuce_option_find(nuce_launch_options, name) != NULL)
                continue;
            words_add(words, kind->exports);
            words_add(words, name);
        }
    }
    while (*++word != NULL) {
        if (is_other && kind != NULL && kind->srun != NULL &&
            strncmp(*word, srun_mpi, strlen(srun_mpi)) == 0)
            json_array_append_new(words, json_sprintf("%s%s", srun_mpi, kind->srun));
        else if (strcmp(*word, NUCE_LAUNCHER_RANKS) == 0)
            json_array_append_new(words, json_sprintf("%d", of->ranks));
        else
            words_add(words, *word);
    }
}

/* The build in factors determines the library and its words. *error reports a program that cannot
 * be started, because the message of an mpiexec without a program is unclear. */
nuce_status nuce_words_make(const struct nuce_words *words, json_t **out, struct nuce_error *error)
{
    const struct nuce_launcher_ops *ops = words->ops;
    const char *program = ops->program != NULL ? ops->program : words->workload->program, *folder;
    const char *subcommand = ops->program != NULL ? ops->subcommand : words->workload->subcommand;
    const char *mpi = json_string_value(json_object_get(words->factors, "mpi"));
    struct starting starting = {.kind = words->kind};
    json_t *all, *word;
    char *path;
    size_t i;

    if (mpi != NULL && nuce_builds_find(words->programs, mpi, &starting.build, error) != NUCE_OK)
        return error->status;
    if (mpi != NULL && nuce_mpi_kind_named(mpi) != NULL)
        starting.kind = nuce_mpi_kind_named(mpi);
    if (words->has_mpiexec && nuce_mpi_kind_check_root(starting.kind, error) != NUCE_OK) {
        free(starting.build.programs);
        return error->status;
    }
    error->status = NUCE_OK;
    all = json_array();
    nuce_words_add_variables(all, words->factors);
    add_launcher(all, words, &starting);
    folder = is_of_other_build(&starting) ? starting.build.programs : words->programs;
    path = folder == NULL ? nuce_data_program_path(program, error)
                          : nuce_text_format("%s/%s", folder, program);
    free(starting.build.programs);
    if (path != NULL) {
        if (access(path, X_OK) != 0)
            nuce_error_set(error, NUCE_FAILED, "%s: %s: is nuce installed whole?", path,
                           strerror(errno));
        words_add(all, path);
    }
    free(path);
    if (subcommand != NULL)
        words_add(all, subcommand);
    for (i = 0; i < words->rest_count; i++) {
        if (words->rest[i] != NULL)
            words_add(all, words->rest[i]);
    }
    json_array_foreach(all, i, word)
    {
        if (error->status == NUCE_OK && json_is_null(word))
            nuce_error_set(error, NUCE_FAILED, "a word of the command is not valid UTF-8");
    }
    if (error->status == NUCE_OK)
        *out = all;
    else
        json_decref(all);
    return error->status;
}

/* NUCE_BAD_INPUT if the library of a line does not start ranks for this user: some refuse root. If
 * the line names a build, its name gives the library. Else the mpiexec, if it is not NULL, is asked
 * for its version, and *mpiexec becomes NULL. */
static nuce_status check_user_of(const char **mpiexec, const json_t *line, struct nuce_error *error)
{
    const char *mpi = json_string_value(json_object_get(json_object_get(line, "launch"), "mpi"));
    const char *asked = *mpiexec;

    if (geteuid() != 0 || (mpi == NULL && asked == NULL))
        return NUCE_OK;
    if (mpi == NULL)
        *mpiexec = NULL;
    return nuce_mpi_kind_check_root(
        mpi != NULL ? nuce_mpi_kind_named(mpi) : nuce_mpi_kind_of_launcher(asked), error);
}

nuce_status nuce_words_check_user(const struct nuce_plan *plan, const char *mpiexec,
                                  struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < plan->count && status == NUCE_OK; i++)
        status = check_user_of(&mpiexec, plan->points[i].line, error);
    return status;
}

nuce_status nuce_words_check_user_again(const struct nuce_campaign *campaign, const char *mpiexec,
                                        struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t i = 0;
         campaign->launcher == &nuce_launcher_local && i < campaign->count && status == NUCE_OK;
         i++) {
        if (nuce_campaign_is_missing(&campaign->points[i]))
            status = check_user_of(&mpiexec, campaign->points[i].line, error);
    }
    return status;
}
