/* The job script, and words that are read back by a shell or by sbatch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "slurm/script_parts.h"
#include "support/data.h"
#include "support/text.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Characters that neither a shell nor sbatch takes for anything else, wherever they stand. */
#define SAFE LETTERS "0123456789_-./,+@%:"

static char *out_of_memory(struct nuce_error *error)
{
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a job script");
    return NULL;
}

/* An = is safe in an option; in front of a command NAME=VALUE is an assignment. sbatch stops at a
 * word of a line that begins with a colon. */
static int is_safe(const char *word)
{
    return *word != '\0' && *word != ':' &&
           strspn(word, *word == '-' ? SAFE "=" : SAFE) == strlen(word);
}

char *nuce_script_quote(const char *word, struct nuce_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream;

    if (is_safe(word))
        return nuce_text_format(error, "%s", word);
    stream = open_memstream(&text, &size);
    if (stream == NULL)
        return out_of_memory(error);
    (void)fputc('\'', stream);
    for (; *word != '\0'; word++)
        (void)(*word == '\'' ? fputs("'\\''", stream) : fputc(*word, stream));
    (void)fputc('\'', stream);
    if (fclose(stream) != 0) {
        free(text);
        return out_of_memory(error);
    }
    return text;
}

/* Words that sbatch looks for anywhere in a #SBATCH line, also in quotes: they part the components
 * of a heterogeneous job, and are blanked out. */
static int begins_component(const char *text)
{
    return strncasecmp(text, "packjob", 7) == 0 || strncasecmp(text, "hetjob", 6) == 0;
}

static int has_component(const char *word)
{
    while (*word != '\0' && !begins_component(word))
        word++;
    return *word != '\0';
}

/* In quotes of either kind a backslash makes the next character plain, whatever it is; without
 * quotes it does not for blanks. */
char *nuce_script_directive(const char *word, struct nuce_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream;

    if (nuce_text_has_control(word)) {
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "'%s': a control character cannot stand in a job script", word);
        return NULL;
    }
    if (is_safe(word) && !has_component(word))
        return nuce_text_format(error, "%s", word);
    stream = open_memstream(&text, &size);
    if (stream == NULL)
        return out_of_memory(error);
    (void)fputc('"', stream);
    for (; *word != '\0'; word++) {
        if (*word == '"' || *word == '\\')
            (void)fputc('\\', stream);
        (void)fputc(*word, stream);
        if (begins_component(word))
            (void)fputc('\\', stream);
    }
    (void)fputc('"', stream);
    if (fclose(stream) != 0) {
        free(text);
        return out_of_memory(error);
    }
    return text;
}

/* What slurm/job.sh says behind its first line. A new string. */
static char *read_body(struct nuce_error *error)
{
    char *path = nuce_data_path("slurm/job.sh", error), *text = NULL;
    size_t capacity = 0;
    FILE *file;

    if (path == NULL)
        return NULL;
    file = fopen(path, "re");
    if (file == NULL || getline(&text, &capacity, file) < 0 ||
        getdelim(&text, &capacity, '\0', file) < 0) {
        (void)nuce_error_set(error, NUCE_FAILED, "%s: %s", path,
                             file != NULL && ferror(file) == 0 ? "empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (file != NULL)
        (void)fclose(file);
    free(path);
    return text;
}

static nuce_status print_directives(FILE *stream, const json_t *options, struct nuce_error *error)
{
    json_t *option;
    size_t i;

    json_array_foreach((json_t *)options, i, option)
    {
        char *word = nuce_script_directive(json_string_value(option), error);

        if (word == NULL)
            return error->status;
        (void)fprintf(stream, "#SBATCH %s\n", word);
        free(word);
    }
    return NUCE_OK;
}

static char *script_print(const struct nuce_script_input *input, const json_t *options,
                          const char *body, struct nuce_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    nuce_status status;

    if (stream == NULL)
        return out_of_memory(error);
    (void)fputs("#!/bin/sh\n", stream);
    status = print_directives(stream, options, error);
    (void)fprintf(stream, "number=%04d\n%s", input->number, body);
    if (fclose(stream) == 0 && status == NUCE_OK)
        return text;
    free(text);
    return status == NUCE_OK ? out_of_memory(error) : NULL;
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
