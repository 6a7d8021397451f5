/* The job script, and the quoting of words for a shell or for sbatch.
 *
 * A script consists of these lines: #!/bin/sh; the options as #SBATCH lines (sbatch stops at the
 * first command); modules and prologue of the profile between lines of slurm/prologue.sh;
 * number=NNNN; the constant slurm/job.sh. Only the prologue is a user's shell text, which is its
 * purpose; all else is quoted or digits. */
#include "campaigns/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Characters without a special meaning for a shell or sbatch, at any place in a word. */
#define SAFE LETTERS "0123456789_-./,+@%:"

/* An = is safe in an option; in front of a command NAME=VALUE is an assignment. sbatch stops at a
 * word that begins with a colon. */
static int is_safe(const char *word)
{
    return *word != '\0' && *word != ':' &&
           strspn(word, *word == '-' ? SAFE "=" : SAFE) == strlen(word);
}

char *nuce_script_quote(const char *word)
{
    char *quoted;

    if (is_safe(word))
        return nuce_text_duplicate(word);
    quoted = nuce_text_duplicate("'");
    for (; *word != '\0'; word++)
        nuce_text_append(&quoted, *word == '\'' ? "'\\'%c" : "%c", *word);
    nuce_text_append(&quoted, "'");
    return quoted;
}

/* Words that sbatch searches for anywhere in a #SBATCH line, also in quotes: they separate the
 * components of a heterogeneous job, and sbatch blanks them out. */
static int begins_component(const char *text)
{
    return strncasecmp(text, "packjob", 7) == 0 || strncasecmp(text, "hetjob", 6) == 0;
}

/* In quotes of either kind a backslash makes any next character plain; without quotes it does not
 * for blanks. A backslash after the first letter of packjob or hetjob hides the word from sbatch's
 * search, and is removed together with the quotes. */
char *nuce_script_directive(const char *word, struct nuce_error *error)
{
    int is_plain = is_safe(word);
    char *quoted;

    if (nuce_text_has_control(word)) {
        nuce_error_set(error, NUCE_BAD_INPUT, "'%s': a job script cannot hold a control character",
                       word);
        return NULL;
    }
    for (const char *c = word; *c != '\0'; c++)
        is_plain &= !begins_component(c);
    if (is_plain)
        return nuce_text_duplicate(word);
    quoted = nuce_text_duplicate("\"");
    for (; *word != '\0'; word++)
        nuce_text_append(&quoted, "%s%c%s", *word == '"' || *word == '\\' ? "\\" : "", *word,
                         begins_component(word) ? "\\" : "");
    nuce_text_append(&quoted, "\"");
    return quoted;
}

/* The content of nuce's data file called name. A new string. */
static char *script_read(const char *name, struct nuce_error *error)
{
    char *path = nuce_data_path(name, error), *text = NULL;
    size_t length;

    if (path != NULL)
        nuce_text_read(path, &text, &length, error);
    free(path);
    return text;
}

/* Prints a line of the user, whose status decides if the job continues. */
static void script_print_line(FILE *stream, const char *begin, const char *line)
{
    char *whole = nuce_text_format("%s%s", begin, line);
    char *quoted = nuce_script_quote(whole);

    fprintf(stream, "prologue_next %s\n%s\nprologue_end $?\n", quoted, whole);
    free(quoted);
    free(whole);
}

/* Prints one option per line, in sbatch's order: of two equal options the later one wins. If the
 * profile has modules or a prologue, the functions of slurm/prologue.sh follow. Each line then
 * comes between a call that notes it and one that ends the job if it failed. After them the trap is
 * removed, and the script returns to the campaign's folder, which a line may have left. At the end
 * comes slurm/job.sh without its first line. */
char *nuce_script_text(const struct nuce_script_input *input, struct nuce_error *error)
{
    const struct nuce_profile *profile = input->profile;
    int has_prologue = json_array_size(profile->modules) + json_array_size(profile->prologue) > 0;
    json_t *options = nuce_script_options(input, error), *item;
    char *body = options != NULL ? script_read("slurm/job.sh", error) : NULL;
    char *begin = body != NULL && has_prologue ? script_read("slurm/prologue.sh", error) : NULL;
    struct nuce_text_print script = {0};
    size_t i;

    if (body == NULL || (has_prologue && begin == NULL))
        goto done;
    error->status = NUCE_OK;
    nuce_text_print_begin(&script);
    fputs("#!/bin/sh\n", script.file);
    json_array_foreach(options, i, item)
    {
        char *word =
            error->status == NUCE_OK ? nuce_script_directive(json_string_value(item), error) : NULL;

        if (word != NULL)
            fprintf(script.file, "#SBATCH %s\n", word);
        free(word);
    }
    if (has_prologue) {
        fprintf(script.file, "prologue_job=%04d\n%s", input->number, begin);
        json_array_foreach(profile->modules, i, item)
        {
            script_print_line(script.file, "module load ", json_string_value(item));
        }
        json_array_foreach(profile->prologue, i, item)
        {
            script_print_line(script.file, "", json_string_value(item));
        }
        fputs("trap - EXIT\ncd \"$prologue_folder\"\n\n", script.file);
    }
    fprintf(script.file, "number=%04d\n%s", input->number, body + strcspn(body, "\n") + 1);
    nuce_text_print_end(&script);
    if (error->status != NUCE_OK) {
        free(script.text);
        script.text = NULL;
    }
done:
    free(begin);
    free(body);
    json_decref(options);
    return script.text;
}

/* The next command for the user, which can be pasted into a shell.
 *
 * Every message that ends with "... : nuce resume PATH" takes the command from here. The path is
 * that of the campaign as it was opened. It is quoted, so that a folder with blanks or a quote in
 * its name is one word. It makes --campaigns unnecessary. */

char *nuce_script_advice(const struct nuce_campaign *campaign, const char *subcommand)
{
    /* nuce would read a path without a slash as a name below the default folder, and one that
     * begins with a hyphen as an option. */
    const char *here = strchr(campaign->path, '/') == NULL || *campaign->path == '-' ? "./" : "";
    char *path = nuce_text_format("%s%s", here, campaign->path);
    char *quoted = nuce_script_quote(path);
    char *line = nuce_text_format("nuce %s %s", subcommand, quoted);

    free(quoted);
    free(path);
    return line;
}
