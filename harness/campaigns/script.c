/* The words for sbatch and for the launcher.
 *
 * Order: words that collect and remember the first failure; the options of a job, users' first and
 * nuce's behind; the whole command; the launcher's words. The same options stand in sbatch's argv
 * and as #SBATCH lines of the script (script_text.c), so both come from nuce_script_options. Every
 * option is one word, --name=value: a value that begins with a hyphen is then no option, and no
 * word is read as the value of another. Names and meanings are those of sbatch(1) and srun(1). */
#include "campaigns/script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"
#include "campaigns/profile.h"
#include "campaigns/profile_keys.h"

/* A job that starts again goes on with its log. */
#define OPEN_MODE "--open-mode=append"

/* A list that is being made. After a failure adding does nothing: one look at the end (script_end)
 * is enough. */
struct script_words {
    json_t *array;
    nuce_status status;
    struct nuce_error *error;
};

static struct script_words script_begin(struct nuce_error *error)
{
    return (struct script_words){json_array(), NUCE_OK, error};
}

/* The array, or NULL if anything failed. */
static json_t *script_end(struct script_words *words)
{
    if (words->status == NUCE_OK)
        return words->array;
    json_decref(words->array);
    return NULL;
}

static void script_add(struct script_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds one word. NUCE_BAD_INPUT if it is not UTF-8, which JSON cannot hold. */
static void script_add(struct script_words *words, const char *format, ...)
{
    va_list arguments;
    json_t *text;

    if (words->status != NUCE_OK)
        return;
    va_start(arguments, format);
    text = json_vsprintf(format, arguments);
    va_end(arguments);
    if (text == NULL)
        words->status = nuce_error_set(words->error, NUCE_BAD_INPUT,
                                       "a word for Slurm that is not valid UTF-8");
    json_array_append_new(words->array, text);
}

/* Adds the texts of list, each as it is. */
static void script_add_all(struct script_words *words, const json_t *list)
{
    json_t *word;
    size_t i;

    json_array_foreach((json_t *)list, i, word)
    {
        script_add(words, "%s", json_string_value(word));
    }
}

/* Name, folder and log. %j is the job's own id, of a task as well, so that no two jobs write one
 * log. Slurm replaces %-signs of the whole path, also where the name is relative to --chdir, and %%
 * by one; --chdir it takes as it is. In a path with a backslash it replaces none, and takes the
 * first of two backslashes away: jobs of one submission share a log there. Seen under 24.11. */
static void script_add_job(struct script_words *words, const struct nuce_script_input *input)
{
    char doubled = strchr(input->campaign, '\\') != NULL ? '\\' : '%', *folder = NULL;

    for (const char *c = input->campaign; *c != '\0'; c++)
        nuce_text_append(&folder, *c == doubled ? "%c%c" : "%c", *c, *c);
    script_add(words, "--job-name=%s", input->name);
    script_add(words, "--chdir=%s", input->campaign);
    script_add(words, "--output=%s/logs/%04d%s.out", folder, input->number,
               doubled == '%' ? "-%j" : "");
    script_add(words, OPEN_MODE);
    free(folder);
}

/* Where the ranks are placed by hand, the allocation is those nodes. NUCE_BAD_INPUT if users also
 * say --nodelist: two lists of nodes would have to agree. */
static void script_add_placement(struct script_words *words, const struct nuce_script_input *input)
{
    json_t *hosts = nuce_script_hosts(input->profile->hosts, input->pack->ranks, words->error);
    char *list = NULL;
    json_t *host;
    size_t i;

    if (hosts == NULL) {
        words->status = words->error->status;
        return;
    }
    if (json_object_get(input->profile->options, "nodelist") != NULL)
        words->status = nuce_error_set(words->error, NUCE_BAD_INPUT,
                                       "nodelist: 'hostfile' (%s) says which nodes to use",
                                       input->profile->hosts);
    json_array_foreach(hosts, i, host)
    {
        nuce_text_append(&list, "%s%s", i > 0 ? "," : "", json_string_value(host));
    }
    script_add(words, "--nodes=%zu", json_array_size(hosts));
    script_add(words, "--nodelist=%s", list);
    script_add(words, "--ntasks=%d", input->pack->ranks);
    free(list);
    json_decref(hosts);
}

/* Time, which Slurm counts in minutes, the warning before its end, and the array. "%" in --array
 * limits the tasks that run at one time; a job that is no array is limited by nothing, since each
 * is submitted by itself. */
static void add_limits(struct script_words *words, const struct nuce_script_input *input)
{
    const struct nuce_profile *profile = input->profile;
    const struct nuce_pack *pack = input->pack;

    script_add(words, "--time=%lld", (long long)((pack->time_s + 59) / 60));
    /* B: only to the batch step, which is nuce-job. */
    script_add(words, "--signal=B:USR1@%lld",
               (long long)nuce_packing_warning_s(profile, pack->time_s));
    script_add(words, profile->requeue ? "--requeue" : "--no-requeue");
    if (pack->count > 1 && profile->concurrent > 0)
        script_add(words, "--array=0-%lld%%%lld", (long long)(pack->count - 1),
                   (long long)profile->concurrent);
    else if (pack->count > 1)
        script_add(words, "--array=0-%lld", (long long)(pack->count - 1));
}

/* What users say. A default of nuce's comes before it, so that it can be changed by
 * --exclusive=user. */
static void add_given(struct script_words *words, const struct nuce_profile *profile)
{
    const char *key;
    json_t *value;

    if (profile->exclusive)
        script_add(words, "--exclusive");
    json_object_foreach(profile->options, key, value)
    {
        char *word =
            words->status == NUCE_OK ? nuce_slurm_word(key, json_string_value(value)) : NULL;

        if (word != NULL && *word != '\0')
            script_add(words, "%s", word);
        free(word);
    }
    script_add_all(words, profile->sbatch);
    script_add_all(words, profile->words);
}

json_t *nuce_script_given(const struct nuce_profile *profile, struct nuce_error *error)
{
    struct script_words words = script_begin(error);

    add_given(&words, profile);
    return script_end(&words);
}

/* Which variables a job gets of its submitter's.
 *
 * The names go into one --export, with values taken by sbatch from its own environment, which is
 * nuce's; a value with a comma or a newline therefore does no harm. Sorted, so that the same
 * environment makes the same command. */

/* Whether `length` characters at name can stand in --export and mean a variable: not an exported
 * function of bash, not what sbatch takes for something else, not what it sets itself. */
static int is_plain(const char *name, size_t length)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_";
    static const char *const words[] = {"ALL", "NONE", "NIL"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && strncasecmp(words[i], name, length) == 0)
            return 0;
    }
    return length > 0 && strspn(name, allowed) >= length && strncmp(name, "SLURM_", 6) != 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether any of the patterns, texts whose end may be a star, fits `length` characters at name. */
static int is_wanted(const json_t *patterns, const char *name, size_t length)
{
    json_t *item;
    size_t i;

    json_array_foreach((json_t *)patterns, i, item)
    {
        const char *pattern = json_string_value(item);
        size_t plain = strcspn(pattern, "*");

        if (strncmp(pattern, name, plain) == 0 &&
            (pattern[plain] == '*' ? length >= plain : length == plain))
            return 1;
    }
    return 0;
}

/* The names with commas between them, or "NONE", with which sbatch exports nothing. */
static char *script_environment(const struct nuce_profile *profile)
{
    const char **variables = NULL;
    int64_t count = 0, capacity = 0;
    char *names = NULL;

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        size_t length = strcspn(*entry, "=");

        if (!is_plain(*entry, length) || !is_wanted(profile->environment, *entry, length))
            continue;
        nuce_allocate_more((void **)&variables, &capacity, count + 1, sizeof *variables);
        variables[count++] = *entry;
    }
    if (count > 0)
        qsort(variables, (size_t)count, sizeof *variables, by_text);
    for (int64_t i = 0; i < count; i++)
        nuce_text_append(&names, "%s%.*s", i > 0 ? "," : "", (int)strcspn(variables[i], "="),
                         variables[i]);
    free(variables);
    return names != NULL ? names : nuce_text_duplicate("NONE");
}

/* Users first, then nuce: of two options sbatch takes the later one. Nodes and tasks are as the
 * packing shaped the job; what is 0 Slurm chooses. Of an option that was given without a value only
 * sbatch knows whether it takes one, which would be the next word: behind the last of users' words
 * that is therefore one that comes again. --export comes always, also where no variable is wanted:
 * without it sbatch exports all of them. */
json_t *nuce_script_options(const struct nuce_script_input *input, struct nuce_error *error)
{
    struct script_words words = script_begin(error);
    const struct nuce_pack *pack = input->pack;
    const char *last;
    char *names;

    add_given(&words, input->profile);
    last = json_string_value(json_array_get(words.array, json_array_size(words.array) - 1));
    if (last != NULL && strchr(last, '=') == NULL && strcmp(last, "--exclusive") != 0)
        script_add(&words, OPEN_MODE);
    script_add_job(&words, input);
    if (words.status == NUCE_OK && input->profile->hosts != NULL) {
        script_add_placement(&words, input);
    } else {
        if (pack->nodes > 0)
            script_add(&words, "--nodes=%d", pack->nodes);
        script_add(&words, "--ntasks=%d", pack->ranks);
        if (pack->tasks_per_node > 0)
            script_add(&words, "--ntasks-per-node=%d", pack->tasks_per_node);
    }
    add_limits(&words, input);
    names = script_environment(input->profile);
    script_add(&words, "--export=%s", names);
    free(names);
    return script_end(&words);
}

json_t *nuce_script_argv(const struct nuce_script_input *input, struct nuce_error *error)
{
    json_t *options = nuce_script_options(input, error);
    struct script_words words;

    if (options == NULL)
        return NULL;
    words = script_begin(error);
    if (input->profile->via != NULL)
        script_add(&words, "%s", input->profile->via);
    script_add(&words, "sbatch");
    script_add(&words, "--parsable");
    script_add_all(&words, options);
    script_add(&words, "%s/jobs/%04d.sh", input->campaign, input->number);
    json_decref(options);
    return script_end(&words);
}

/* srun's words: size and placement are said again, so that they do not depend on which of the job's
 * variables a version of srun takes them from. --kill-on-bad-exit: ranks that wait for one that
 * died would wait until the time limit. Others take -n and -ppn as Hydra's mpiexec (MPICH, Intel
 * MPI) has them, which takes the nodes from Slurm's variables. */
json_t *nuce_script_launcher(const struct nuce_profile *profile, const struct nuce_pack *pack,
                             struct nuce_error *error)
{
    const char *cpus = json_string_value(json_object_get(profile->options, "cpus-per-task"));
    struct script_words words = script_begin(error);
    /* Then SLURM_HOSTFILE says it all, and srun allows no more. */
    int by_hand = profile->hosts != NULL;

    script_add(&words, "%s", profile->launcher);
    if (nuce_profile_takes_srun(profile->launcher) == 1) {
        if (profile->mpi != NULL)
            script_add(&words, "--mpi=%s", profile->mpi);
        if (!by_hand && pack->nodes > 0)
            script_add(&words, "--nodes=%d", pack->nodes);
        script_add(&words, "--ntasks=%d", pack->ranks);
        if (!by_hand && pack->tasks_per_node > 0)
            script_add(&words, "--ntasks-per-node=%d", pack->tasks_per_node);
        /* Since Slurm 22.05 srun does not take it from the job. */
        if (cpus != NULL)
            script_add(&words, "--cpus-per-task=%s", cpus);
        if (by_hand)
            script_add(&words, "--distribution=arbitrary");
        script_add(&words, "--kill-on-bad-exit=1");
        script_add(&words, "--export=ALL");
    } else if (by_hand) {
        words.status = nuce_error_set(error, NUCE_BAD_INPUT,
                                      "hostfile: '%s': only srun places ranks by it, and the "
                                      "launcher is '%s'",
                                      profile->hosts, profile->launcher);
    } else {
        script_add(&words, "-n");
        script_add(&words, "%d", pack->ranks);
        if (pack->tasks_per_node > 0) {
            script_add(&words, "-ppn");
            script_add(&words, "%d", pack->tasks_per_node);
        }
    }
    script_add_all(&words, profile->launcher_options);
    return script_end(&words);
}

/* The file that says where each rank runs: on line i, counted from 0, the host of rank i, as srun's
 * --distribution=arbitrary reads it (SLURM_HOSTFILE in srun(1)). Lines behind those of the ranks of
 * a job are not read, so one file serves jobs of several sizes. */

/* A name of Slurm's NodeName, or of DNS: letters, digits, dots, hyphens and underscores. Lists such
 * as n[0-3] are refused: srun reads a host a line. */
static int is_host(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";

    return *name != '\0' && *name != '-' && strspn(name, allowed) == strlen(name);
}

json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error)
{
    FILE *file = fopen(path, "re");
    json_t *hosts;
    size_t capacity = 0;
    char *line = NULL;
    int number = 0;

    if (file == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    hosts = json_array();
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && number < ranks && getline(&line, &capacity, file) > 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (is_host(line))
            json_array_append_new(hosts, json_string(line));
        else
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:1: '%s': expected the name of a host",
                           path, number, line);
    }
    if (error->status == NUCE_OK && number < ranks)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %d lines: expected the host of each of %d ranks",
                       path, number, ranks);
    free(line);
    fclose(file);
    if (error->status == NUCE_OK)
        return hosts;
    json_decref(hosts);
    return NULL;
}

json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error)
{
    json_t *all = nuce_script_rank_hosts(path, ranks, error), *host;
    json_t *seen, *hosts;
    size_t i;

    if (all == NULL)
        return NULL;
    seen = json_object();
    hosts = json_array();
    json_array_foreach(all, i, host)
    {
        if (json_object_get(seen, json_string_value(host)) != NULL)
            continue;
        json_object_set_new(seen, json_string_value(host), json_true());
        json_array_append(hosts, host);
    }
    json_decref(seen);
    json_decref(all);
    return hosts;
}

char *nuce_script_programs(const struct nuce_profile *profile, struct nuce_error *error)
{
    char *path, *slash;

    if (profile->programs != NULL)
        return nuce_text_duplicate(profile->programs);
    path = nuce_data_program_path("nuce-job", error);
    slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    return path;
}
