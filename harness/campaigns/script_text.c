/* The job script, and words that are read back by a shell or by sbatch.
 *
 * A script is, from its first line: #!/bin/sh, the options as #SBATCH lines (sbatch stops looking
 * for them at the first command), modules and prologue of the profile between lines of
 * slurm/prologue.sh, number=NNNN, and the constant slurm/job.sh. Only the prologue is shell text
 * that a user wrote, since that is what it is for; all else is quoted or digits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/script_parts.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Characters that neither a shell nor sbatch takes for anything else, wherever they stand. */
#define SAFE LETTERS "0123456789_-./,+@%:"

/* An = is safe in an option; in front of a command NAME=VALUE is an assignment. sbatch stops at a
 * word of a line that begins with a colon. */
static int is_safe(const char *word)
{
    return *word != '\0' && *word != ':' &&
           strspn(word, *word == '-' ? SAFE "=" : SAFE) == strlen(word);
}

char *nuce_script_quote(const char *word, struct nuce_error *error)
{
    struct nuce_text_print quoted;

    if (is_safe(word))
        return nuce_text_format("%s", word);
    if (nuce_text_print_begin(&quoted, error) != NUCE_OK)
        return NULL;
    fputc('\'', quoted.file);
    for (; *word != '\0'; word++)
        (void)(*word == '\'' ? fputs("'\\''", quoted.file) : fputc(*word, quoted.file));
    fputc('\'', quoted.file);
    nuce_text_print_end(&quoted, NUCE_OK, error);
    return quoted.text;
}

/* Words that sbatch looks for anywhere in a #SBATCH line, also in quotes: they part the components
 * of a heterogeneous job, and are blanked out. */
static int begins_component(const char *text)
{
    return strncasecmp(text, "packjob", 7) == 0 || strncasecmp(text, "hetjob", 6) == 0;
}

/* Whether such a word stands anywhere in it. */
static int has_component(const char *word)
{
    while (*word != '\0' && !begins_component(word))
        word++;
    return *word != '\0';
}

/* In quotes of either kind a backslash makes the next character plain, whatever it is; without
 * quotes it does not for blanks. A backslash behind the first letter of packjob or hetjob hides it
 * from sbatch's search and is taken off when the quotes are. */
char *nuce_script_directive(const char *word, struct nuce_error *error)
{
    struct nuce_text_print quoted;

    if (nuce_text_has_control(word)) {
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s': a control character cannot stand in a job script", word);
        return NULL;
    }
    if (is_safe(word) && !has_component(word))
        return nuce_text_format("%s", word);
    if (nuce_text_print_begin(&quoted, error) != NUCE_OK)
        return NULL;
    fputc('"', quoted.file);
    for (; *word != '\0'; word++) {
        if (*word == '"' || *word == '\\')
            fputc('\\', quoted.file);
        fputc(*word, quoted.file);
        if (begins_component(word))
            fputc('\\', quoted.file);
    }
    fputc('"', quoted.file);
    nuce_text_print_end(&quoted, NUCE_OK, error);
    return quoted.text;
}

/* What the file of nuce's data called name says. A new string. */
static char *script_read(const char *name, struct nuce_error *error)
{
    char *path = nuce_data_path(name, error), *text = NULL;
    size_t length;

    if (path != NULL)
        nuce_text_read(path, &text, &length, error);
    free(path);
    return text;
}

/* What slurm/job.sh says behind its first line. A new string. */
static char *read_body(struct nuce_error *error)
{
    char *text = script_read("slurm/job.sh", error), *body = NULL;

    if (text != NULL)
        body = nuce_text_format("%s", text + strcspn(text, "\n") + 1);
    free(text);
    return body;
}

/* One line an option, in the order in which sbatch takes them: of two that say the same the later
 * holds. */
static nuce_status print_directives(FILE *stream, const json_t *options, struct nuce_error *error)
{
    json_t *option;
    size_t i;

    json_array_foreach((json_t *)options, i, option)
    {
        char *word = nuce_script_directive(json_string_value(option), error);

        if (word == NULL)
            return error->status;
        fprintf(stream, "#SBATCH %s\n", word);
        free(word);
    }
    return NUCE_OK;
}

/* A line of the user's, which says by its status whether the job goes on. */
static nuce_status script_print_line(FILE *stream, const char *begin, const char *line,
                                     struct nuce_error *error)
{
    char *whole = nuce_text_format("%s%s", begin, line);
    char *quoted = nuce_script_quote(whole, error);

    if (quoted != NULL)
        fprintf(stream, "prologue_next %s\n%s\nprologue_end $?\n", quoted, whole);
    error->status = quoted != NULL ? NUCE_OK : error->status;
    free(quoted);
    free(whole);
    return error->status;
}

/* Nothing where the profile has neither modules nor prologue. Else the functions of
 * slurm/prologue.sh, then every line between a call that notes it and one that ends the job if it
 * failed; then the trap is taken off, and the script goes back to the campaign's folder, which a
 * line may have left. */
static nuce_status print_prologue(FILE *stream, int number, const struct nuce_profile *profile,
                                  struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    char *begin;
    json_t *line;
    size_t i;

    if (json_array_size(profile->modules) + json_array_size(profile->prologue) == 0)
        return NUCE_OK;
    begin = script_read("slurm/prologue.sh", error);
    if (begin == NULL)
        return error->status;
    fprintf(stream, "prologue_job=%04d\n%s", number, begin);
    free(begin);
    json_array_foreach(profile->modules, i, line)
    {
        if (status == NUCE_OK)
            status = script_print_line(stream, "module load ", json_string_value(line), error);
    }
    json_array_foreach(profile->prologue, i, line)
    {
        if (status == NUCE_OK)
            status = script_print_line(stream, "", json_string_value(line), error);
    }
    fputs("trap - EXIT\ncd \"$prologue_folder\"\n\n", stream);
    return status;
}

/* The whole script. options and body were made before, so that what fails with a message of its own
 * fails before anything is written. A new string; NULL with *error. */
static char *script_print(const struct nuce_script_input *input, const json_t *options,
                          const char *body, struct nuce_error *error)
{
    struct nuce_text_print script;
    nuce_status status;

    if (nuce_text_print_begin(&script, error) != NUCE_OK)
        return NULL;
    fputs("#!/bin/sh\n", script.file);
    status = print_directives(script.file, options, error);
    if (status == NUCE_OK)
        status = print_prologue(script.file, input->number, input->profile, error);
    fprintf(script.file, "number=%04d\n%s", input->number, body);
    nuce_text_print_end(&script, status, error);
    return script.text;
}

char *nuce_script_text(const struct nuce_script_input *input, struct nuce_error *error)
{
    json_t *options = nuce_script_options(input, error);
    char *body = options != NULL ? read_body(error) : NULL, *text = NULL;

    if (body != NULL)
        text = script_print(input, options, body, error);
    free(body);
    json_decref(options);
    return text;
}
