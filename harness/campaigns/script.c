/* The words for sbatch and for the launcher.
 *
 * Order: lists of words that remember the first failure; the options of a job, the users' first,
 * then nuce's; the whole command; the launcher's words. sbatch's argv and the #SBATCH lines of the
 * script (script_text.c) have the same options, so both come from nuce_script_options. Every option
 * is one word, --name=value: a value that begins with a hyphen is then no option, and no word is
 * read as the value of another. Names and meanings are those of sbatch(1) and srun(1). */
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

/* A restarted job appends to its log. */
#define OPEN_MODE "--open-mode=append"

/* A list under construction. After a failure adding does nothing, so one check at the end
 * (script_end) suffices. */
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

/* Adds the strings of list, each unchanged. */
static void script_add_all(struct script_words *words, const json_t *list)
{
    json_t *word;
    size_t i;

    json_array_foreach((json_t *)list, i, word)
    {
        script_add(words, "%s", json_string_value(word));
    }
}

/* Name, folder and log. %j is the id of the job or task itself, so that no two jobs write one log.
 * Slurm expands %-signs in the whole path, also if the name is relative to --chdir, and %% to one;
 * it takes --chdir as it is. In a path with a backslash Slurm expands no % and removes the first of
 * two backslashes, so jobs of one submission share a log. Seen with Slurm 24.11. */
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

/* If the user places the ranks, the allocation consists of those nodes. NUCE_BAD_INPUT if users
 * also give --nodelist: the two lists of nodes would have to agree. */
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

/* The time limit, in Slurm's minutes, the warning before it, and the array. "%" in --array limits
 * the tasks that run at the same time. A single job has no such limit, because each is submitted
 * separately. */
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

/* The user's options. nuce's default comes before them, so that --exclusive=user can override
 * it. */
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

/* The submitter's variables that a job gets.
 *
 * The names go into one --export. sbatch takes the values from its own environment, which is
 * nuce's, so a value with a comma or a newline does no harm. They are sorted, so that the same
 * environment makes the same command. */

/* True if the `length` characters at name are a variable that --export can name. Exported functions
 * of bash are not, nor words with another meaning for sbatch, nor variables that sbatch sets
 * itself. */
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

/* True if any of the patterns, strings that may end with a star, matches the `length` characters at
 * name. */
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

/* The names with commas between them, or "NONE": sbatch then exports nothing. */
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

/* The user's options first, then nuce's: of two equal options sbatch takes the later one. Nodes and
 * tasks are those of the packing; for 0 Slurm chooses. If the user's last option has no value, only
 * sbatch knows if it takes the next word as one. A word that is repeated later follows it then.
 * --export is always present, even without any variable: without it sbatch exports all of them. */
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

/* srun's words repeat size and placement, so that they do not depend on which of the job's
 * variables a version of srun reads. --kill-on-bad-exit: without it, ranks that wait for a dead one
 * would wait until the time limit. Other launchers get -n and -ppn as in Hydra's mpiexec (MPICH,
 * Intel MPI), which takes the nodes from Slurm's variables. */
json_t *nuce_script_launcher(const struct nuce_profile *profile, const struct nuce_pack *pack,
                             struct nuce_error *error)
{
    const char *cpus = json_string_value(json_object_get(profile->options, "cpus-per-task"));
    struct script_words words = script_begin(error);
    /* SLURM_HOSTFILE then defines all, and srun allows no other option. */
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
        /* Since Slurm 22.05 srun does not take the value from the job. */
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

/* The file with the host of each rank: line i, counted from 0, names the host of rank i, as srun's
 * --distribution=arbitrary reads it (SLURM_HOSTFILE in srun(1)). Further lines are not read, so one
 * file serves jobs of several sizes. */

/* A name of Slurm's NodeName, or of DNS: letters, digits, dots, hyphens and underscores. Lists such
 * as n[0-3] are refused: srun reads one host per line. */
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
