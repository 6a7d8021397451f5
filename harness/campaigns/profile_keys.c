/* The options that users may give to Slurm.
 *
 * sbatch has more than a hundred options, which differ between versions. nuce knows those that it
 * understands and those that it must set itself, and passes all others on. The options set by nuce
 * come after the user's (script.c) and so win; refusing them only informs the user in time.
 *
 * Order: the table of keys; values of count and flag; the table of refused options; the check of a
 * key, of a value, of a time limit; the words given by hand; the judge of a sweep. Names and
 * meanings are those of sbatch(1). A new key that nuce understands is a row of nuce_slurm_keys; a
 * new option that it sets is a row of `refused`. */
#include "campaigns/profile_keys.h"

#include <string.h>
#include <strings.h>

#include "base/data.h"
#include "base/option.h"
#include "base/text.h"
#include "campaigns/builds.h"
#include "campaigns/profile.h"

/* The maximum of nodes, tasks or jobs: a number above that of today's largest machine is a typing
 * error. */
#define MOST (1 << 24)

/* Slurm keeps the seconds of --signal in 16 bits. */
#define MOST_WARNING_S 65535

/* Slurm keeps minutes in 32 bits; the highest values mean no limit. */
#define MOST_MINUTES (INT32_MAX - 1)

#define COUNT NUCE_SLURM_COUNT
#define TIME NUCE_SLURM_TIME
#define FLAG NUCE_SLURM_FLAG
#define TEXT NUCE_SLURM_TEXT
#define HOSTS NUCE_SLURM_HOSTS
#define AT(member) offsetof(struct nuce_profile, member)

const struct nuce_slurm_key nuce_slurm_keys[] = {
    {"account", TEXT, 0, "account that pays", 0},
    {"comment", TEXT, 0, "any text, shown by Slurm", 0},
    {"concurrent", COUNT, MOST, "most jobs of one submission that run at once", AT(concurrent)},
    {"constraint", TEXT, 0, "features required of nodes", 0},
    {"exclusive", FLAG, 0, "whole nodes (default)", AT(exclusive)},
    {"hint", TEXT, 0, "compute_bound, memory_bound, nomultithread ...", 0},
    {"hostfile", HOSTS, 0, "file with the host of each rank, one line per rank", AT(hosts)},
    {"licenses", TEXT, 0, "licences that a job holds", 0},
    {"nodes", COUNT, MOST, "nodes per job", AT(nodes)},
    {"ntasks-per-node", COUNT, MOST, "ranks per node", AT(tasks_per_node)},
    {"partition", TEXT, 0, "partition (queue) of the jobs", 0},
    {"qos", TEXT, 0, "quality of service", 0},
    {"requeue", FLAG, 0, "automatic restart of a job that lost a node", AT(requeue)},
    {"reservation", TEXT, 0, "reservation of nodes", 0},
    {"signal", COUNT, MOST_WARNING_S,
     "seconds between the signal to stop and the time limit (default: 60)", AT(warning_s)},
    {"time", TIME, 0, "time limit of a job", AT(time_s)},
    {NULL, TEXT, 0, NULL, 0},
};

const struct nuce_slurm_key *nuce_slurm_key_find(const char *name)
{
    for (const struct nuce_slurm_key *row = nuce_slurm_keys; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

int64_t nuce_slurm_count(const char *text)
{
    static const struct nuce_option row = {.name = "", .type = NUCE_OPTION_COUNT};
    struct nuce_error ignored;
    int64_t value;

    return nuce_option_set(&row, &value, text, &ignored) == NUCE_OK ? value : -1;
}

int nuce_slurm_flag(const char *text)
{
    static const struct nuce_option row = {.name = "", .type = NUCE_OPTION_FLAG};
    struct nuce_error ignored;
    int value;

    return nuce_option_set(&row, &value, text, &ignored) == NUCE_OK ? value : -1;
}

char *nuce_slurm_word(const char *key, const char *value)
{
    if (nuce_slurm_key_find(key) == NULL && strcasecmp(value, "true") == 0)
        return nuce_text_format("--%s", key);
    if (nuce_slurm_key_find(key) == NULL && strcasecmp(value, "false") == 0)
        return nuce_text_format("%s", "");
    return nuce_text_format("--%s=%s", key, value);
}

/* The reasons for refusing an option. */
#define SET "is set by nuce"
#define SAYS "changes what sbatch prints, which nuce reads"
#define SHOWS "submits nothing; see 'man sbatch'"
#define USER "is refused: nuce only knows jobs of the user that calls it"
#define CLUSTER                                                                                    \
    "is refused: nuce asks one cluster about its jobs; choose it by the variable SLURM_CLUSTERS"
#define ENVIRONMENT SET " (from 'environment' of a profile)"

/* Options that nuce sets itself, or that change the action of sbatch. If sbatch printed more than
 * the id, or something else, nuce would take an accepted job for a rejected one. */
static const struct refused {
    const char *name, *why; /* follows the name in the message */
} refused[] = {
    {"array", SET " ('concurrent' limits the tasks at one time)"},
    {"chdir", SET},
    {"cluster", CLUSTER},
    {"cluster-constraint", CLUSTER},
    {"clusters", CLUSTER},
    {"distribution", SET " ('hostfile' says where each rank runs)"},
    {"error", SET},
    {"export", ENVIRONMENT},
    {"export-file", ENVIRONMENT},
    {"get-user-env", ENVIRONMENT},
    {"gid", USER},
    {"help", SHOWS},
    {"input", SET},
    {"job-name", SET},
    {"no-requeue", SET " ('requeue: false', which is the default)"},
    {"ntasks", SET " (from a sweep's 'ranks')"},
    {"open-mode", SET},
    {"output", SET},
    {"parsable", SET},
    {"quiet", SAYS},
    {"script", SET},
    {"tasks", SET " (from a sweep's 'ranks')"},
    {"tasks-per-node", SET " (by 'ntasks-per-node')"},
    {"test-only", "submits nothing; see 'nuce submit --dry-run'"},
    {"uid", USER},
    {"usage", SHOWS},
    {"verbose", SAYS},
    {"version", SHOWS},
    {"wait", "waits for the end of the job; see 'nuce status'"},
    {"workdir", SET},
    {"wrap", "takes the place of the job script, which nuce writes"},
};

#define REFUSED (sizeof refused / sizeof *refused)

/* The refused option whose name is, or begins with, the `length` characters at name: getopt takes
 * abbreviations. NULL: none. An exact name wins over longer ones ("clusters" and "cluster"). */
static const struct refused *find_refused(const char *name, size_t length)
{
    const struct refused *found = NULL;

    for (size_t i = 0; i < REFUSED; i++) {
        if (strncmp(refused[i].name, name, length) == 0 &&
            (found == NULL || refused[i].name[length] == '\0'))
            found = &refused[i];
    }
    return found;
}

/* Options of sbatch that look like typing errors of nuce's keys, NULL-ended. */
static const char *const lookalikes[] = {"batch",
                                         "gpus-per-node",
                                         "ntasks-per-core",
                                         "ntasks-per-gpu",
                                         "ntasks-per-socket",
                                         "sockets-per-node",
                                         NULL};

int nuce_slurm_is_lookalike(const char *name)
{
    int i = 0;

    while (lookalikes[i] != NULL && strcmp(lookalikes[i], name) != 0)
        i++;
    return lookalikes[i] != NULL;
}

/* Characters of an option's name. */
static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

/* Refuses a key that is similar to one of nuce's keys, or that sbatch would accept as an
 * abbreviation of one, even if sbatch may know it. A typo in 'nodes' passed on would run the
 * campaign on one node. Such an option is still possible after `--`. */
nuce_status nuce_slurm_check_key(const char *key, struct nuce_error *error)
{
    const struct refused *row = find_refused(key, strlen(key));
    const char *names[64], *nearest;
    size_t count = 0, length = strlen(key);

    if (*key == '\0' || *key == '-' || strspn(key, allowed) != length)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "'%s' is not the name of an option (small letters, digits and hyphens)", key);
    if (row != NULL && strcmp(row->name, key) == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s' %s", key, row->why);
    if (nuce_slurm_key_find(key) != NULL || nuce_slurm_is_lookalike(key))
        return NUCE_OK;
    for (const struct nuce_slurm_key *known = nuce_slurm_keys; known->name != NULL; known++)
        names[count++] = known->name;
    for (size_t i = 0; i < REFUSED; i++)
        names[count++] = refused[i].name;
    NUCE_ASSERT(count <= sizeof names / sizeof *names);
    nearest = nuce_text_nearest(key, names, count);
    for (size_t i = 0; nearest == NULL && i < count; i++) {
        if (strncmp(names[i], key, length) == 0)
            nearest = names[i];
    }
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "unknown key '%s' (did you mean '%s'?)", key,
                              nearest);
    return NUCE_OK;
}

nuce_status nuce_slurm_check(const char *key, const char *value, struct nuce_error *error)
{
    const struct nuce_slurm_key *row = nuce_slurm_key_find(key);
    int64_t seconds;

    if (nuce_slurm_check_key(key, error) != NUCE_OK)
        return error->status;
    if (*value == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a value, got nothing", key);
    if (nuce_text_has_control(value))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: a control character in the value: expected one line", key);
    if (row == NULL)
        return NUCE_OK;
    switch (row->type) {
    case NUCE_SLURM_COUNT:
        if (nuce_slurm_count(value) < 1 || nuce_slurm_count(value) > row->maximum)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: '%s': expected a whole number from 1 to %lld (%s)", key,
                                  value, (long long)row->maximum, row->help);
        return NUCE_OK;
    case NUCE_SLURM_FLAG:
        if (nuce_slurm_flag(value) < 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s': expected true or false", key,
                                  value);
        return NUCE_OK;
    case NUCE_SLURM_TIME:
        if (nuce_slurm_time(value, &seconds, error) != NUCE_OK)
            return nuce_error_prefix(error, "%s", key);
        return NUCE_OK;
    case NUCE_SLURM_HOSTS:
    case NUCE_SLURM_TEXT:
        break;
    }
    return NUCE_OK;
}

nuce_status nuce_slurm_check_hosts(const char *path, struct nuce_error *error)
{
    return nuce_data_check_file(path, "a file with one host per rank", error);
}

/* Reads whole numbers with colons between them, at most `most`. Returns their number, or 0 if text
 * has another form. */
static int read_numbers(const char *text, int most, int64_t *numbers)
{
    int count = 0;

    for (;;) {
        size_t digits = strspn(text, "0123456789");

        if (digits == 0 || digits > 10 || count == most)
            return 0;
        numbers[count] = 0;
        for (size_t i = 0; i < digits; i++)
            numbers[count] = numbers[count] * 10 + (text[i] - '0');
        count++;
        text += digits;
        if (*text == '\0')
            return count;
        if (*text++ != ':')
            return 0;
    }
}

/* Reads the formats of sbatch(1), --time: "minutes", "minutes:seconds", "hours:minutes:seconds",
 * "days-hours", "days-hours:minutes" and "days-hours:minutes:seconds". The first number of two is
 * minutes without days, hours with them. At most ten digits, so that no product overflows 64
 * bits. */
nuce_status nuce_slurm_time(const char *text, int64_t *seconds, struct nuce_error *error)
{
    int64_t days = 0, n[3] = {0}, value = -1;
    size_t before = strcspn(text, "-");
    int count;

    if (text[before] != '-') {
        count = read_numbers(text, 3, n);
        if (count > 0)
            value = count == 3 ? n[0] * 3600 + n[1] * 60 + n[2] : n[0] * 60 + n[1];
    } else if (before > 0 && before <= 10 && strspn(text, "0123456789") == before) {
        for (size_t i = 0; i < before; i++)
            days = days * 10 + (text[i] - '0');
        if (read_numbers(text + before + 1, 3, n) > 0)
            value = days * 86400 + n[0] * 3600 + n[1] * 60 + n[2];
    }
    if (value < 1 || value / 60 > MOST_MINUTES)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected a time limit: minutes, minutes:seconds, "
                              "hours:minutes:seconds or days-hours[:minutes[:seconds]]",
                              text);
    *seconds = value;
    return NUCE_OK;
}

/* Keys that are not allowed as words for sbatch, because the packing depends on them. After `--`
 * they would change the job without nuce's knowledge. */
static const char *const keys_only[] = {
    "concurrent", "hostfile", "nodes", "ntasks-per-node", "requeue", "signal", "time",
};

/* Words after `--`, one for each option. `name` has a length, because it may be an abbreviation:
 * getopt_long(3) takes "--job=x" for --job-name=x. */
nuce_status nuce_slurm_check_words(const char *const *words, size_t count, struct nuce_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i], *name = strncmp(word, "--", 2) == 0 ? word + 2 : "";
        size_t length = strspn(name, allowed);
        const struct refused *row = find_refused(name, length);

        if (nuce_text_has_control(word))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "word %zu for sbatch: a control character: expected one line",
                                  i + 1);
        if (length == 0 || *name == '-' || (name[length] != '\0' && name[length] != '='))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "'%s': expected an option of sbatch by its long name, as one "
                                  "word: --name=value or --name",
                                  word);
        if (row != NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': '%s' %s", word, row->name,
                                  row->why);
        for (size_t k = 0; k < sizeof keys_only / sizeof *keys_only; k++) {
            if (strncmp(keys_only[k], name, length) == 0)
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "'%s': '%s' concerns more than sbatch: set it in the "
                                      "sweep's slurm: or the profile",
                                      word, keys_only[k]);
        }
    }
    return NUCE_OK;
}

/* The options that a sweep passes on. */

/* A sweep defines the measurement and the requests of jobs, a profile how jobs start on one
 * cluster. A profile's key in a sweep would tie the sweep to that cluster. */
static nuce_status check_sweep_key(const char *key, struct nuce_error *error)
{
    if (nuce_profile_member_find(key) != NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "'%s' is not an option of sbatch: a profile sets how jobs and ranks start (--profile)",
            key);
    return nuce_slurm_check_key(key, error);
}

/* 'nodes' has a message of its own, because users try it first. Called for keys that the
 * sweep itself does not know, to name their right place; NUCE_OK: it is not a key of ours either.
 */
static nuce_status place_key(const char *key, struct nuce_error *error)
{
    if (strcmp(key, "nodes") == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown key 'nodes': 'ranks' sets the number of processes, 'slurm: "
                              "{nodes: N}' that of nodes");
    if (nuce_slurm_key_find(key) != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s' belongs under 'slurm'", key);
    return NUCE_OK;
}

/* In a sweep, whose files are relative to the current folder, the host file must exist. */
static nuce_status check_sweep_value(const char *key, const char *value, struct nuce_error *error)
{
    nuce_status status = nuce_slurm_check(key, value, error);

    if (status == NUCE_OK && strcmp(key, "hostfile") == 0)
        status = nuce_slurm_check_hosts(value, error);
    return status;
}

const struct nuce_sweep_judge nuce_slurm_judge = {.check_key = check_sweep_key,
                                                  .check = check_sweep_value,
                                                  .check_mpi = nuce_builds_check,
                                                  .place = place_key};
