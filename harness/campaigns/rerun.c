/* The command that runs one point again, as a line for a shell: the steps of the job, without the
 * job.
 *
 * The order of words is env [VARIABLES], via, launcher, options of srun, PROGRAM, parameters,
 * options of the measurement. Options that only a job needs are left out: the plan, the part, the
 * record files (NUCE_OPTION_CAMPAIGN). */
#include "campaigns/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "campaigns/command.h"
#include "campaigns/packing.h"
#include "campaigns/process.h"
#include "campaigns/profile.h"
#include "campaigns/script.h"
#include "campaigns/words.h"
#include "points/point.h"

static void rerun_append(json_t *words, const char *word)
{
    json_array_append_new(words, nuce_process_word("%s", word));
}

/* The words in front of the program for a Slurm campaign: env NAME=VALUE ... for the variables that
 * the job would set, and the launcher. Variables that factors set or unset are already in front,
 * and win as in the job: env takes the last of a name's values. The shape is computed from the
 * profile and the point, as in the packing, so it equals that of the job. `via` comes in front of
 * srun only: an mpiexec is not one of Slurm's programs. The options of the job (partition, account
 * ...) follow the launcher's name; only srun takes them. They must precede the program, and the
 * launcher's own options after them may override them. */
static nuce_status append_slurm(json_t *words, const struct nuce_profile *profile,
                                const struct nuce_campaign_point *point, struct nuce_error *error)
{
    struct nuce_pack pack = {.workload = point->workload, .ranks = point->ranks};
    int is_srun = nuce_profile_takes_srun(profile->launcher) == 1;
    json_t *launcher = NULL, *options, *value;
    const char *name;

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
    if ((profile->hosts != NULL || json_object_size(profile->set) > 0) &&
        json_array_size(words) == 0)
        rerun_append(words, "env");
    if (profile->hosts != NULL)
        json_array_append_new(words, nuce_process_word("SLURM_HOSTFILE=%s", profile->hosts));
    json_object_foreach(profile->set, name, value)
    {
        if (json_object_get(json_object_get(point->line, "launch"), name) == NULL)
            json_array_append_new(words, json_sprintf("%s=%s", name, json_string_value(value)));
    }
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

/* --NAME VALUE for each option of the table that the program got, except those useless for a run by
 * hand. False and "" are the program's defaults, and are skipped. Real numbers are written with
 * %.12g, so that 0.1 stays 0.1. */
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

/* A contender's own command, in its folder. */
static nuce_status append_command(json_t *words, const struct nuce_campaign_point *planned,
                                  struct nuce_error *error)
{
    const struct nuce_program_params *params;
    struct nuce_point point;
    json_t *own;

    if (nuce_point_from_json(planned->line, NULL, &point, error) != NUCE_OK)
        return error->status;
    params = point.params;
    own = nuce_command_words(params, point.launch, point.ranks, error);
    if (own != NULL) {
        rerun_append(words, "env");
        json_array_append_new(words, json_sprintf("--chdir=%s", params->directory));
        json_array_extend(words, own);
        json_decref(own);
    }
    nuce_point_fini(&point);
    return error->status;
}

/* The launcher, the program with its subcommand, and its options. */
static nuce_status append_program(json_t *words, const struct nuce_profile *profile,
                                  const struct nuce_campaign_point *point, const char *ranks,
                                  struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    char *path;

    nuce_words_add_variables(words, json_object_get(point->line, "launch"));
    if (profile == NULL) {
        rerun_append(words, "mpiexec");
        rerun_append(words, "-n");
        rerun_append(words, ranks);
    } else if (append_slurm(words, profile, point, error) != NUCE_OK) {
        return error->status;
    }
    path = profile != NULL && profile->programs != NULL
               ? nuce_text_format("%s/%s", profile->programs, workload->program)
               : nuce_data_program_path(workload->program, error);
    if (path == NULL) {
        return error->status;
    }
    rerun_append(words, path);
    free(path);
    if (workload->subcommand != NULL)
        rerun_append(words, workload->subcommand);
    append_options(words, workload->options, json_object_get(point->line, "params"));
    append_options(words, nuce_measure_options, json_object_get(point->line, "measure"));
    return NUCE_OK;
}

/* The launcher and the program, from the profile's folder or from that of nuce, its subcommand, and
 * the options. Replaces {ranks}, and quotes each word. profile NULL: the campaign ran here, under
 * mpiexec. */
char *nuce_rerun_line(const struct nuce_profile *profile, const struct nuce_campaign_point *point,
                      struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    json_t *words = json_array(), *word;
    char ranks[16], *line = NULL;
    nuce_status status;
    size_t i;

    snprintf(ranks, sizeof ranks, "%d", point->ranks);
    if (workload->is_command)
        status = append_command(words, point, error);
    else
        status = append_program(words, profile, point, ranks, error);
    if (status != NUCE_OK) {
        json_decref(words);
        return NULL;
    }
    json_array_foreach(words, i, word)
    {
        const char *plain = json_string_value(word);
        char *quoted = nuce_script_quote(strcmp(plain, NUCE_LAUNCHER_RANKS) == 0 ? ranks : plain);

        nuce_text_append(&line, "%s%s", i > 0 ? " " : "", quoted);
        free(quoted);
    }
    json_decref(words);
    return line;
}
