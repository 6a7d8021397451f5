#include "sweeps/slurm_keys.h"

#include <limits.h>
#include <string.h>

#include "support/option.h"
#include "support/text.h"
#include "sweeps/sbatch_options.h"

/* The most nodes, tasks or jobs: more than any machine has today is a slip of the keyboard. */
#define MOST (1 << 24)

/* Slurm keeps the seconds of --signal in 16 bits. */
#define MOST_WARNING_S 65535

/* Slurm keeps minutes in 32 bits, some of whose values mean no limit. */
#define MOST_MINUTES (INT32_MAX - 1)

#define COUNT NUCE_SLURM_COUNT
#define TIME NUCE_SLURM_TIME
#define FLAG NUCE_SLURM_FLAG
#define TEXT NUCE_SLURM_TEXT

const struct nuce_slurm_key nuce_slurm_keys[] = {
    {"account",         TEXT,  0,              "who pays"                                                },
    {"comment",         TEXT,  0,              "any text, shown by Slurm"                                },
    {"concurrent",      COUNT, MOST,           "jobs of one submission that run at one time"             },
    {"constraint",      TEXT,  0,              "features that nodes must have"                           },
    {"exclusive",       FLAG,  0,              "whole nodes (the default)"                               },
    {"hint",            TEXT,  0,              "compute_bound, memory_bound, nomultithread ..."          },
    {"hostfile",        TEXT,  0,              "a file with the host of each rank, a line a rank"        },
    {"licenses",        TEXT,  0,              "licences that a job holds"                               },
    {"nodes",           COUNT, MOST,           "nodes of a job"                                          },
    {"ntasks-per-node", COUNT, MOST,           "ranks on each node"                                      },
    {"partition",       TEXT,  0,              "where jobs queue"                                        },
    {"qos",             TEXT,  0,              "quality of service"                                      },
    {"requeue",         FLAG,  0,              "a job that lost a node starts again by itself"           },
    {"reservation",     TEXT,  0,              "nodes that were reserved"                                },
    {"signal",          COUNT, MOST_WARNING_S, "seconds before its time limit a job is told to stop (60)"},
    {"time",            TIME,  0,              "time limit of a job"                                     },
    {NULL,              TEXT,  0,              NULL                                                      },
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

char *nuce_slurm_word(const char *key, const char *value, struct nuce_error *error)
{
    const struct nuce_sbatch_option *row = nuce_sbatch_find(key);
    int flag = -1;

    if (row != NULL && row->value == NUCE_SBATCH_NONE)
        flag = nuce_slurm_flag(value);
    else if (row != NULL && row->value == NUCE_SBATCH_OPTIONAL &&
             (strcmp(value, "true") == 0 || strcmp(value, "false") == 0))
        flag = *value == 't';
    if (flag < 0)
        return nuce_text_format(error, "--%s=%s", key, value);
    return nuce_text_format(error, "%s%s", flag ? "--" : "", flag ? key : "");
}

/* The option or key that is nearest to key, or that sbatch would take it for, as an abbreviation;
 * NULL: none. */
static const char *nearest_key(const char *key)
{
    const char *names[256], *nearest;
    size_t count = 0, length = strlen(key);

    for (const struct nuce_slurm_key *row = nuce_slurm_keys; row->name != NULL; row++)
        names[count++] = row->name;
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        NUCE_ASSERT(count < sizeof names / sizeof *names);
        names[count++] = row->name;
    }
    nearest = nuce_text_nearest(key, names, count);
    for (size_t i = 0; nearest == NULL && i < count; i++) {
        if (strncmp(names[i], key, length) == 0)
            nearest = names[i];
    }
    return nearest;
}

nuce_status nuce_slurm_check_key(const char *key, struct nuce_error *error)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const struct nuce_sbatch_option *row = nuce_sbatch_find(key);
    const char *nearest;

    if (*key == '\0' || *key == '-' || strspn(key, allowed) != strlen(key))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s' is no name of an option (small letters, digits and hyphens)",
                              key);
    if (row != NULL && row->refused != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s' %s", key, row->refused);
    if (row != NULL || nuce_slurm_key_find(key) != NULL)
        return NUCE_OK;
    nearest = nearest_key(key);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "unknown key '%s' (did you mean '%s'?)", key,
                              nearest);
    return NUCE_OK;
}

static int is_flag(const char *key)
{
    const struct nuce_sbatch_option *row = nuce_sbatch_find(key);

    return row != NULL && row->value == NUCE_SBATCH_NONE;
}

static nuce_status check_count(const struct nuce_slurm_key *row, const char *value,
                               struct nuce_error *error)
{
    int64_t count = nuce_slurm_count(value);

    if (count < 1 || count > row->maximum)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: '%s': expected a whole number from 1 to %lld (%s)", row->name,
                              value, (long long)row->maximum, row->help);
    return NUCE_OK;
}

static nuce_status check_flag(const char *key, const char *value, struct nuce_error *error)
{
    if (nuce_slurm_flag(value) < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s': expected true or false", key,
                              value);
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
        return is_flag(key) ? check_flag(key, value, error) : NUCE_OK;
    switch (row->type) {
    case NUCE_SLURM_COUNT:
        return check_count(row, value, error);
    case NUCE_SLURM_FLAG:
        return check_flag(key, value, error);
    case NUCE_SLURM_TIME:
        if (nuce_slurm_time(value, &seconds, error) != NUCE_OK)
            return nuce_error_prefix(error, "%s", key);
        return NUCE_OK;
    case NUCE_SLURM_TEXT:
        break;
    }
    return NUCE_OK;
}

/* Whole numbers with colons between them, most of them `most`; how many there are, 0 if text is
 * something else. */
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

/* The formats of sbatch --time. */
static int64_t read_time(const char *text)
{
    int64_t days = 0, n[3] = {0};
    size_t before = strcspn(text, "-");
    int count;

    if (text[before] != '-') {
        count = read_numbers(text, 3, n);
        if (count == 3)
            return n[0] * 3600 + n[1] * 60 + n[2];
        return count == 0 ? -1 : n[0] * 60 + n[1];
    }
    for (size_t i = 0; i < before; i++) {
        if (text[i] < '0' || text[i] > '9' || i == 10)
            return -1;
        days = days * 10 + (text[i] - '0');
    }
    if (before == 0 || read_numbers(text + before + 1, 3, n) == 0)
        return -1;
    return days * 86400 + n[0] * 3600 + n[1] * 60 + n[2];
}

nuce_status nuce_slurm_time(const char *text, int64_t *seconds, struct nuce_error *error)
{
    int64_t value = read_time(text);

    if (value < 1 || value / 60 > MOST_MINUTES)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected a time limit: minutes, minutes:seconds, "
                              "hours:minutes:seconds or days-hours[:minutes[:seconds]]",
                              text);
    *seconds = value;
    return NUCE_OK;
}
