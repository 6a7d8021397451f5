/* The command that runs one point again, as a line for a shell: what the job did, less the job.
 *
 * The words come in the order env [VARIABLES], via, launcher, options of srun, PROGRAM, parameters,
 * options of the measurement. Parts that a job has and a line by hand has no use for are left out:
 * the plan, the part, the record files (NUCE_OPTION_CAMPAIGN). */
#include "campaigns/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/command.h"
#include "campaigns/launcher.h"
#include "campaigns/packing.h"
#include "campaigns/profile_parts.h"
#include "campaigns/script.h"
#include "campaigns/words.h"
#include "points/launch_factors.h"

static void rerun_append(json_t *words, const char *word)
{
    json_array_append_new(words, nuce_command_word("%s", word));
}

/* env NAME=VALUE ... for the variables that the job would set. What factors set or unset is in
 * front already, and wins as it does in the job: env takes the last of a name's values. */
static void append_variables(json_t *words, const struct nuce_profile *profile,
                             const json_t *factors)
{
    const char *name;
    json_t *value;

    if ((profile->hosts != NULL || json_object_size(profile->set) > 0) &&
        json_array_size(words) == 0)
        rerun_append(words, "env");
    if (profile->hosts != NULL)
        json_array_append_new(words, nuce_command_word("SLURM_HOSTFILE=%s", profile->hosts));
    json_object_foreach(profile->set, name, value)
    {
        if (json_object_get(factors, name) == NULL)
            json_array_append_new(words, json_sprintf("%s=%s", name, json_string_value(value)));
    }
}

/* What stands in front of the program for a campaign of Slurm's. The shape is made anew from the
 * profile and the point, as packing did, so it is that of the job. `via` stands in front of srun
 * only: an mpiexec is not one of Slurm's programs. Behind the launcher's name come the options of
 * the job (partition, account ...), which only srun takes: they have to stand in front of the
 * program, and may be overridden by the launcher's own options behind them. */
static nuce_status append_slurm(json_t *words, const struct nuce_profile *profile,
                                const struct nuce_campaign_point *point, struct nuce_error *error)
{
    struct nuce_pack pack = {.workload = point->workload, .ranks = point->ranks};
    int is_srun = nuce_profile_takes_srun(profile->launcher) == 1;
    json_t *launcher = NULL, *options;

    if (nuce_packing_shape(profile, point->ranks, json_object_get(point->line, "launch"), &pack,
                           error) != NUCE_OK)
        return error->status;
    options = is_srun ? nuce_script_given(profile, error) : json_array();
    if (options != NULL)
        launcher = nuce_script_launcher(profile, &pack, error);
    if (launcher == NULL) {
        json_decref(options);
        return error->status;
    }
    append_variables(words, profile, json_object_get(point->line, "launch"));
    if (profile->via != NULL && strcmp(profile->launcher, "srun") == 0)
        rerun_append(words, profile->via);
    json_array_append(words, json_array_get(launcher, 0));
    json_array_remove(launcher, 0);
    json_array_extend(words, options);
    json_array_extend(words, launcher);
    json_decref(launcher);
    json_decref(options);
    return NUCE_OK;
}

/* The program of the point's workload, from the profile's folder or, where folder is NULL, from
 * where nuce is; and its subcommand, if it has one. */
static nuce_status append_program(json_t *words, const char *folder,
                                  const struct nuce_campaign_point *point, struct nuce_error *error)
{
    char *path = folder != NULL ? nuce_text_format("%s/%s", folder, point->workload->program)
                                : nuce_data_program_path(point->workload->program, error);

    if (path == NULL)
        return error->status;
    rerun_append(words, path);
    if (point->workload->subcommand != NULL)
        rerun_append(words, point->workload->subcommand);
    free(path);
    return NUCE_OK;
}

/* Everything up to and with the program. profile NULL: the campaign ran here, under mpiexec. */
static nuce_status append_launch(json_t *words, const struct nuce_profile *profile,
                                 const struct nuce_campaign_point *point, struct nuce_error *error)
{
    nuce_words_add_variables(words, json_object_get(point->line, "launch"));
    if (profile != NULL)
        return append_slurm(words, profile, point, error) == NUCE_OK
                   ? append_program(words, profile->programs, point, error)
                   : error->status;
    rerun_append(words, "mpiexec");
    rerun_append(words, "-n");
    json_array_append_new(words, json_sprintf("%d", point->ranks));
    return append_program(words, NULL, point, error);
}

/* --NAME VALUE for each member: options of the table that the program was given, but for what a
 * program that is run by hand has no use for. Members that are false or "" are what the program
 * takes without them. Real numbers are written with %.12g, so that 0.1 stays 0.1. */
static void append_options(json_t *words, const struct nuce_option *table, const json_t *values)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)values, name, value)
    {
        const struct nuce_option *option = nuce_option_find(table, name);

        if (json_is_false(value) || (json_is_string(value) && *json_string_value(value) == '\0') ||
            (option != NULL && option->flags & NUCE_OPTION_CAMPAIGN))
            continue;
        json_array_append_new(words, json_sprintf("--%s", name));
        if (json_is_string(value))
            json_array_append(words, value);
        else if (json_is_integer(value))
            json_array_append_new(words,
                                  json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value)));
        else if (json_is_real(value))
            json_array_append_new(words, json_sprintf("%.12g", json_real_value(value)));
    }
}

/* Prints the words, {ranks} filled in, each quoted. */
static nuce_status rerun_print_words(FILE *stream, const json_t *words, int ranks,
                                     struct nuce_error *error)
{
    const json_t *word;
    char number[16];
    size_t i;

    snprintf(number, sizeof number, "%d", ranks);
    json_array_foreach(words, i, word)
    {
        const char *plain = json_string_value(word);
        char *quoted =
            nuce_script_quote(strcmp(plain, NUCE_LAUNCHER_RANKS) == 0 ? number : plain, error);

        if (quoted == NULL)
            return error->status;
        fprintf(stream, "%s%s", i > 0 ? " " : "", quoted);
        free(quoted);
    }
    return NUCE_OK;
}

/* The words as one line, a new string; NULL with *error. */
static char *rerun_join(const json_t *words, int ranks, struct nuce_error *error)
{
    struct nuce_text_print line;
    nuce_status status = nuce_text_print_begin(&line, error);

    if (status == NUCE_OK)
        status = rerun_print_words(line.file, words, ranks, error);
    nuce_text_print_end(&line, status, error);
    return line.text;
}

char *nuce_rerun_line(const struct nuce_profile *profile, const struct nuce_campaign_point *point,
                      struct nuce_error *error)
{
    json_t *words = json_array();
    char *text = NULL;

    if (append_launch(words, profile, point, error) == NUCE_OK) {
        append_options(words, point->workload->options, json_object_get(point->line, "params"));
        append_options(words, nuce_measure_options, json_object_get(point->line, "measure"));
        text = rerun_join(words, point->ranks, error);
    }
    json_decref(words);
    return text;
}
