#include "slurm/rerun_options.h"

#include <stdlib.h>
#include <string.h>

#include "support/text.h"
#include "sweeps/sbatch_options.h"
#include "sweeps/slurm_keys.h"

/* Options that sbatch and srun both take, and that say who asks for which nodes. */
static const char *const shared[] = {
    "account",       "cluster-constraint",
    "constraint",    "contiguous",
    "core-spec",     "cpu-freq",
    "exclude",       "gpus",
    "gpus-per-node", "gpus-per-task",
    "gres",          "hint",
    "licenses",      "mem",
    "mem-per-cpu",   "mem-per-gpu",
    "network",       "nodelist",
    "nodefile",      "partition",
    "qos",           "reservation",
    "switches",      "threads-per-core",
};

static int is_shared(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (strncmp(shared[i], name, length) == 0 && shared[i][length] == '\0')
            return 1;
    }
    return 0;
}

/* Takes over word, which may be NULL: out of memory. */
static int add(json_t *words, char *word)
{
    int good = word != NULL && json_array_append_new(words, json_string(word)) == 0;

    free(word);
    return good;
}

static int add_keys(json_t *words, const json_t *options, struct nuce_error *error)
{
    const char *key;
    json_t *value;
    int good = 1;

    json_object_foreach((json_t *)options, key, value)
    {
        char *word = is_shared(key, strlen(key))
                         ? nuce_slurm_word(key, json_string_value(value), error)
                         : NULL;

        if (word != NULL && *word == '\0')
            free(word);
        else if (is_shared(key, strlen(key)))
            good = add(words, word) && good;
    }
    return good;
}

/* The row of the option that word, of nuce_slurm_check_words, begins, or NULL; *value: what stands
 * in the word itself, NULL: nothing. */
static const struct nuce_sbatch_option *read_word(const char *word, const char **value)
{
    size_t length = strcspn(word + 1, "=");
    const struct nuce_sbatch_option *row;
    struct nuce_error ignored;
    char *name;

    if (word[1] != '-') {
        row = nuce_sbatch_find_letter(word[1]);
        *value = word[2] != '\0' ? word + 2 : NULL;
        return row;
    }
    name = nuce_text_format(&ignored, "%.*s", (int)length - 1, word + 2);
    row = name != NULL ? nuce_sbatch_find(name) : NULL;
    free(name);
    *value = word[1 + length] == '=' ? word + 2 + length : NULL;
    return row;
}

/* Words as sbatch gets them: abbreviations and clusters of letters, which are no account and no
 * partition, are left out. */
static int add_words(json_t *words, const json_t *given, struct nuce_error *error)
{
    size_t count = json_array_size(given);
    int good = 1;

    for (size_t i = 0; i < count; i++) {
        const char *value, *word = json_string_value(json_array_get(given, i));
        const struct nuce_sbatch_option *row = *word == '-' ? read_word(word, &value) : NULL;

        if (row == NULL)
            continue;
        if (row->value == NUCE_SBATCH_REQUIRED && value == NULL && i + 1 < count)
            value = json_string_value(json_array_get(given, ++i));
        if (!is_shared(row->name, strlen(row->name)))
            continue;
        good = add(words, nuce_text_format(error, "--%s%s%s", row->name, value != NULL ? "=" : "",
                                           value != NULL ? value : "")) &&
               good;
    }
    return good;
}

json_t *nuce_rerun_options(const struct nuce_profile *profile, struct nuce_error *error)
{
    json_t *words = json_array();

    if (words != NULL && add_keys(words, profile->options, error) &&
        add_words(words, profile->sbatch, error) && add_words(words, profile->words, error) &&
        (!profile->exclusive || json_array_append_new(words, json_string("--exclusive")) == 0))
        return words;
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a command");
    json_decref(words);
    return NULL;
}
