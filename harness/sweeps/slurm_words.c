/* Words for sbatch that a user gives by hand, read as getopt_long will read them in sbatch. */
#include <string.h>

#include "support/text.h"
#include "sweeps/sbatch_options.h"
#include "sweeps/slurm_keys.h"

/* Keys that nuce must know itself: how points are packed depends on them. */
static const char *const keys_only[] = {
    "concurrent", "hostfile", "nodes", "ntasks-per-node", "requeue", "signal", "time", NULL,
};

/* Why the option or key is refused here; NULL: it is not. */
static const char *why_refused(const char *name)
{
    const struct nuce_sbatch_option *row = nuce_sbatch_find(name);

    for (int i = 0; keys_only[i] != NULL; i++) {
        if (strcmp(keys_only[i], name) == 0)
            return "is more than a word for sbatch: set it in the sweep's slurm: or the profile";
    }
    return row != NULL ? row->refused : NULL;
}

static nuce_status refuse(const char *word, const char *name, struct nuce_error *error)
{
    return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': '%s' %s", word, name, why_refused(name));
}

/* Whether `length` characters at text begin name; getopt takes them for it then. */
static int begins(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0;
}

/* A refused option or key that the `length` characters at text may mean; NULL: none. */
static const char *find_refused(const char *text, size_t length)
{
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        if (begins(row->name, text, length) && why_refused(row->name) != NULL)
            return row->name;
    }
    for (int i = 0; keys_only[i] != NULL; i++) {
        if (begins(keys_only[i], text, length))
            return keys_only[i];
    }
    return NULL;
}

/* The option of exactly that name. */
static const struct nuce_sbatch_option *find_exactly(const char *text, size_t length)
{
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        if (begins(row->name, text, length) && row->name[length] == '\0')
            return row;
    }
    return NULL;
}

/* Whether any option that the text may mean wants a value. */
static int wants_value(const char *text, size_t length)
{
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        if (begins(row->name, text, length) && row->value == NUCE_SBATCH_REQUIRED)
            return 1;
    }
    return 0;
}

/* *takes_next: whether the value of the option is the next word. */
static nuce_status check_long(const char *word, int *takes_next, struct nuce_error *error)
{
    const char *text = word + 2;
    size_t length = strcspn(text, "=");
    const struct nuce_sbatch_option *exact = find_exactly(text, length);
    const char *refused = exact == NULL ? find_refused(text, length) : exact->name;

    if (length == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected --name or --name=value", word);
    if (refused != NULL && why_refused(refused) != NULL)
        return refuse(word, refused, error);
    *takes_next = text[length] != '=' && (exact != NULL ? exact->value == NUCE_SBATCH_REQUIRED
                                                        : wants_value(text, length));
    return NUCE_OK;
}

/* -H, -HOs, -pbatch, -HpBATCH, -p and the next word. */
static nuce_status check_letters(const char *word, int *takes_next, struct nuce_error *error)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct nuce_sbatch_option *row = nuce_sbatch_find_letter(*letter);

        if (row == NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "'%s': '-%c' is no option of sbatch that nuce knows: write its "
                                  "long name, as in --name=value",
                                  word, *letter);
        if (why_refused(row->name) != NULL)
            return refuse(word, row->name, error);
        if (row->value != NUCE_SBATCH_NONE) {
            *takes_next = row->value == NUCE_SBATCH_REQUIRED && letter[1] == '\0';
            return NUCE_OK;
        }
    }
    return NUCE_OK;
}

static nuce_status check_value(const char *word, const char *value, struct nuce_error *error)
{
    if (value == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': no value: sbatch would take the job script for it", word);
    /* The same word is an option where a version of sbatch has a flag of this name; and sbatch
     * drops each ":". */
    if (*value == '-' || strcmp(value, ":") == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': the value '%s' looks like something else: write --name=value",
                              word, value);
    return NUCE_OK;
}

static nuce_status check_word(const char *word, int *takes_next, struct nuce_error *error)
{
    if (word[0] == '-' && word[1] == '-' && word[2] != '\0')
        return check_long(word, takes_next, error);
    if (word[0] == '-' && word[1] != '-' && word[1] != '\0')
        return check_letters(word, takes_next, error);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': sbatch would take the words from here on for the job script; "
                          "expected options only, as in --name=value",
                          word);
}

nuce_status nuce_slurm_check_words(const char *const *words, size_t count, struct nuce_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (nuce_text_has_control(words[i]))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "word %zu for sbatch: a control character: expected one line",
                                  i + 1);
    }
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i];
        int takes_next = 0;

        if (check_word(word, &takes_next, error) != NUCE_OK)
            return error->status;
        if (takes_next && check_value(word, ++i < count ? words[i] : NULL, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}
