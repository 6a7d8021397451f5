/* Errors: filled where they happen, completed by the callers, printed once.
 *
 * A message in *error is always fit for a terminal and for JSON. Texts quoted from files or command
 * lines are made printable when they enter, so callers need not think of it. All buffers are of
 * fixed size (error.h), because some errors report that memory ran out, and ranks send errors as
 * bytes. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

/* Cuts a message that is too long. A character that the cut splits becomes question marks. */
static void set_message(struct nuce_error *error, const char *format, va_list arguments)
{
    vsnprintf(error->message, sizeof error->message, format, arguments);
    nuce_printable_make(error->message);
}

/* Copies as much of text as there is room for. */
static void set_part(char *part, size_t size, const char *text)
{
    snprintf(part, size, "%s", text);
    nuce_printable_make_line(part);
}

/* A new error is not at the place of the one before it: *error is used again and again. */
static void forget_place(struct nuce_error *error)
{
    error->path[0] = '\0';
    error->line = error->column = 0;
}

nuce_status nuce_error_set(struct nuce_error *error, nuce_status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    error->subject[0] = '\0';
    forget_place(error);
    va_start(arguments, format);
    set_message(error, format, arguments);
    va_end(arguments);
    return status;
}

nuce_status nuce_error_refuse(struct nuce_error *error, const char *subject, const char *format,
                              ...)
{
    va_list arguments;

    error->status = NUCE_BAD_INPUT;
    set_part(error->subject, sizeof error->subject, subject);
    forget_place(error);
    va_start(arguments, format);
    set_message(error, format, arguments);
    va_end(arguments);
    return NUCE_BAD_INPUT;
}

/* "path:line:column: ", of which only the known parts; returns the length. */
static size_t print_place(const struct nuce_error *error, char *text, size_t size)
{
    int length = 0;

    if (error->path[0] == '\0')
        text[0] = '\0';
    else if (error->line <= 0)
        length = snprintf(text, size, "%s: ", error->path);
    else if (error->column <= 0)
        length = snprintf(text, size, "%s:%lld: ", error->path, (long long)error->line);
    else
        length = snprintf(text, size, "%s:%lld:%lld: ", error->path, (long long)error->line,
                          (long long)error->column);
    return (size_t)length;
}

const char *nuce_error_text(const struct nuce_error *error, enum nuce_error_style style,
                            char text[NUCE_ERROR_TEXT_BYTES])
{
    size_t length = print_place(error, text, NUCE_ERROR_TEXT_BYTES);
    int is_option = style == NUCE_ERROR_OPTIONS && error->path[0] == '\0';

    if (error->subject[0] != '\0')
        length += (size_t)snprintf(text + length, NUCE_ERROR_TEXT_BYTES - length,
                                   "%s%s: ", is_option ? "--" : "", error->subject);
    snprintf(text + length, NUCE_ERROR_TEXT_BYTES - length, "%s", error->message);
    return text;
}

/* Makes place and subject part of the message, after outer, which is already printable. */
static void error_fold(struct nuce_error *error, const char *outer)
{
    char text[NUCE_ERROR_TEXT_BYTES];
    int length;

    nuce_error_text(error, NUCE_ERROR_KEYS, text);
    length = snprintf(error->message, sizeof error->message, "%s%s", outer, text);
    /* The cut may have split a character. */
    if ((size_t)length >= sizeof error->message)
        nuce_printable_make(error->message);
    error->subject[0] = '\0';
    forget_place(error);
}

const char *nuce_error_flatten(struct nuce_error *error)
{
    error_fold(error, "");
    return error->message;
}

/* A caller may name the same option once more, which changes nothing. Another subject, or a place
 * in a file, would be lost, so it goes into the message first. */
nuce_status nuce_error_about(struct nuce_error *error, const char *subject)
{
    if (error->path[0] != '\0' || strcmp(error->subject, subject) != 0)
        error_fold(error, "");
    set_part(error->subject, sizeof error->subject, subject);
    return error->status;
}

nuce_status nuce_error_at(struct nuce_error *error, const char *path, int64_t line, int64_t column)
{
    if (error->path[0] != '\0')
        error_fold(error, "");
    set_part(error->path, sizeof error->path, path);
    error->line = line;
    error->column = column;
    return error->status;
}

nuce_status nuce_error_prefix(struct nuce_error *error, const char *format, ...)
{
    char outer[NUCE_MESSAGE_BYTES];
    va_list arguments;
    size_t length;

    va_start(arguments, format);
    vsnprintf(outer, sizeof outer - 2, format, arguments);
    va_end(arguments);
    nuce_printable_make_line(outer);
    length = strlen(outer);
    memcpy(outer + length, ": ", 3);
    error_fold(error, outer);
    return error->status;
}

void nuce_error_print(const struct nuce_error *error, const char *program)
{
    char text[NUCE_ERROR_TEXT_BYTES];

    fprintf(stderr, "%s: %s\n", program, nuce_error_text(error, NUCE_ERROR_OPTIONS, text));
}

/* GNU programs end with 2 on a wrong command line. 75 is EX_TEMPFAIL of sysexits.h, "try again
 * later": a script then knows that it can resume. A local campaign recognises an interrupted job by
 * it (harness/commands/run_local.c). */
int nuce_error_exit_status(nuce_status status)
{
    switch (status) {
    case NUCE_OK:
        return 0;
    case NUCE_BAD_INPUT:
        return 2;
    case NUCE_INTERRUPTED:
        return 75;
    case NUCE_FAILED:
    case NUCE_CORRUPT:
        break;
    }
    return 1;
}

/* On stderr and not in an error: the program's own state is wrong, and any further step, such as
 * finalising MPI, might wait for ever. */
void nuce_error_assertion_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "nuce: bug: %s:%d: %s does not hold\n", file, line, condition);
    abort();
}
