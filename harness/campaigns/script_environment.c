/* Which variables a job gets of its submitter's.
 *
 * The names go into one --export, with values taken by sbatch from its own environment, which is
 * nuce's; a value with a comma or a newline therefore does no harm. Sorted, so that the same
 * environment makes the same command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text_file.h"
#include "campaigns/script_parts.h"

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
char *nuce_script_environment(const struct nuce_profile *profile, struct nuce_error *error)
{
    const char **variables = NULL;
    int64_t count = 0, capacity = 0;
    struct nuce_text_print names;

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        size_t length = strcspn(*entry, "=");

        if (!is_plain(*entry, length) || !is_wanted(profile->environment, *entry, length))
            continue;
        nuce_allocate_more((void **)&variables, &capacity, count + 1, sizeof *variables);
        variables[count++] = *entry;
    }
    if (count > 0)
        qsort(variables, (size_t)count, sizeof *variables, by_text);
    nuce_text_print_begin(&names, error);
    for (int64_t i = 0; i < count; i++)
        fprintf(names.file, "%s%.*s", i > 0 ? "," : "", (int)strcspn(variables[i], "="),
                variables[i]);
    if (count == 0)
        fputs("NONE", names.file);
    nuce_text_print_end(&names, NUCE_OK, error);
    free(variables);
    return names.text;
}
