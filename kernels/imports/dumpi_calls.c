/* Calls of a trace of sst-dumpi, as dumpi2ascii prints them. */
#include "imports/dumpi_calls.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

void nuce_dumpi_open(struct nuce_dumpi_stream *stream, const struct nuce_import_text *file)
{
    *stream = (struct nuce_dumpi_stream){.line = NULL};
    nuce_scanner_init(&stream->scanner, file->name, file->text, file->length);
}

/* 0: the text is over. */
static int dumpi_next_line(struct nuce_dumpi_stream *stream)
{
    struct nuce_scanner *scanner = &stream->scanner;
    const char *newline;

    if (scanner->at >= scanner->end)
        return 0;
    newline = memchr(scanner->at, '\n', (size_t)(scanner->end - scanner->at));
    stream->line = scanner->at;
    stream->line_end = newline == NULL ? scanner->end : newline;
    scanner->at = newline == NULL ? scanner->end : newline + 1;
    if (stream->line_end > stream->line && stream->line_end[-1] == '\r')
        stream->line_end--;
    return 1;
}

/* Past text, if the line goes on so; 0: it does not. */
static int takes_text(const char **at, const char *end, const char *text)
{
    size_t length = strlen(text);

    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
        return 0;
    *at += length;
    return 1;
}

/* Digits; 0: none, or too many. */
static int takes_number(const char **at, const char *end, int64_t *out)
{
    const char *start = *at;
    int is_negative = *at < end && **at == '-';

    *out = 0;
    *at += is_negative;
    while (*at < end && **at >= '0' && **at <= '9') {
        if (*out > INT64_MAX / 10 - 1)
            return 0;
        *out = 10 * *out + (*(*at)++ - '0');
    }
    if (*at == start + is_negative)
        return 0;
    *out = is_negative ? -*out : *out;
    return 1;
}

/* Seconds with a fraction, as nanoseconds. */
static int takes_time(const char **at, const char *end, int64_t *out)
{
    int64_t unit = 100000000;

    if (!takes_number(at, end, out) || *out < 0 || *out > INT64_MAX / 2000000000)
        return 0;
    *out *= 1000000000;
    if (!takes_text(at, end, "."))
        return 1;
    while (*at < end && **at >= '0' && **at <= '9') {
        *out += unit * (**at - '0');
        unit /= 10;
        (*at)++;
    }
    return 1;
}

/* Whether the line is `NAME VERB at walltime TIME,...`; name NULL: any, which is written to found.
 */
static int is_stamp(const struct nuce_dumpi_stream *stream, const char *verb, const char *name,
                    char found[NUCE_DUMPI_NAME_BYTES], int64_t *time_ns)
{
    const char *at = stream->line, *end = stream->line_end;
    size_t length = 0;

    while (at + length < end && at[length] != ' ')
        length++;
    if (length < 5 || length >= NUCE_DUMPI_NAME_BYTES || memcmp(at, "MPI", 3) != 0 ||
        (name != NULL && (strlen(name) != length || memcmp(at, name, length) != 0)))
        return 0;
    if (name == NULL) {
        memcpy(found, at, length);
        found[length] = '\0';
    }
    at += length;
    return takes_text(&at, end, " ") && takes_text(&at, end, verb) &&
           takes_text(&at, end, " at walltime ") && takes_time(&at, end, time_ns);
}

/* `TYPE PARAMETER=VALUE`, or `TYPE PARAMETER[N]=VALUE`. What is neither is passed over, and so is
 * what no call has so many of. */
static void take_argument(const struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *call)
{
    const char *equals = memchr(stream->line, '=', (size_t)(stream->line_end - stream->line));
    const char *name, *name_end;

    if (equals == NULL || call->count == NUCE_DUMPI_MOST_ARGUMENTS)
        return;
    name_end = memchr(stream->line, '[', (size_t)(equals - stream->line));
    name_end = name_end == NULL ? equals : name_end;
    for (name = name_end; name > stream->line && name[-1] != ' ';)
        name--;
    call->arguments[call->count++] = (struct nuce_dumpi_argument){
        .name = name,
        .name_length = (int)(name_end - name),
        .value = equals + 1,
        .end = stream->line_end,
    };
}

nuce_status nuce_dumpi_fail(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *what,
                            struct nuce_error *error)
{
    return nuce_scanner_fail(&stream->scanner, call->place, error, "%s: %s", call->name, what);
}

nuce_status nuce_dumpi_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                            int *found, void (*other)(void *, const char *, const char *),
                            void *context, struct nuce_error *error)
{
    struct nuce_dumpi_call call = {.count = 0};

    *found = 0;
    for (;;) {
        if (!dumpi_next_line(stream))
            return NUCE_OK;
        if (is_stamp(stream, "entering", NULL, call.name, &call.enter_ns))
            break;
        if (other != NULL)
            other(context, stream->line, stream->line_end);
    }
    call.place = stream->line;
    do {
        int64_t ignored;
        char name[NUCE_DUMPI_NAME_BYTES];

        if (!dumpi_next_line(stream))
            return nuce_dumpi_fail(stream, &call, "the text ends before it returns", error);
        if (is_stamp(stream, "entering", NULL, name, &ignored))
            return nuce_dumpi_fail(stream, &call, "another call begins before it returns", error);
        take_argument(stream, &call);
    } while (!is_stamp(stream, "returning", call.name, NULL, &call.return_ns));
    if (call.return_ns < call.enter_ns)
        return nuce_dumpi_fail(stream, &call, "it returns before it is entered", error);
    *out = call;
    *found = 1;
    return NUCE_OK;
}

const struct nuce_dumpi_argument *nuce_dumpi_find(const struct nuce_dumpi_call *call,
                                                  const char *name)
{
    size_t length = strlen(name);

    for (int i = 0; i < call->count; i++) {
        const struct nuce_dumpi_argument *argument = &call->arguments[i];

        if ((size_t)argument->name_length == length && memcmp(argument->name, name, length) == 0)
            return argument;
    }
    return NULL;
}

/* There is no such argument, or it is at fault. */
static nuce_status refuse_argument(const struct nuce_dumpi_stream *stream,
                                   const struct nuce_dumpi_call *call, const char *name,
                                   const struct nuce_dumpi_argument *argument, const char *expected,
                                   struct nuce_error *error)
{
    int length;

    if (argument == NULL)
        return nuce_scanner_fail(&stream->scanner, call->place, error,
                                 "%s: has no '%s': expected %s", call->name, name, expected);
    length = argument->end - argument->value > 40 ? 40 : (int)(argument->end - argument->value);
    return nuce_scanner_fail(&stream->scanner, argument->value, error, "'%.*s': expected %s of %s",
                             length, argument->value, expected, call->name);
}

nuce_status nuce_dumpi_integer(const struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_call *call, const char *name, int64_t *out,
                               struct nuce_error *error)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);
    const char *at;

    if (argument != NULL) {
        at = argument->value;
        /* A request is printed as a list of one. */
        (void)takes_text(&at, argument->end, "[");
        if (takes_number(&at, argument->end, out))
            return NUCE_OK;
    }
    return refuse_argument(stream, call, name, argument, "a whole number", error);
}

nuce_status nuce_dumpi_list(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *name, int64_t **out,
                            int64_t *count, struct nuce_error *error)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);
    int64_t *numbers, got = 0;
    const char *at;

    *out = NULL;
    *count = 0;
    if (argument == NULL || argument->value == argument->end || *argument->value == '<')
        return NUCE_OK;
    at = argument->value;
    /* Each takes two characters at least, [1, 2]. */
    numbers = nuce_allocate((argument->end - at) / 2 + 1, sizeof *numbers, error);
    if (numbers == NULL)
        return error->status;
    if (takes_text(&at, argument->end, "[")) {
        while (takes_number(&at, argument->end, &numbers[got])) {
            got++;
            if (!takes_text(&at, argument->end, ", "))
                break;
        }
    }
    if (!takes_text(&at, argument->end, "]")) {
        free(numbers);
        return refuse_argument(stream, call, name, argument, "whole numbers in [ ]", error);
    }
    *out = numbers;
    *count = got;
    return NUCE_OK;
}

/* The number behind `key` from at on, before the status ends. */
static int status_number(const char *at, const char *end, const char *key, int64_t *out)
{
    for (; at < end && *at != '}'; at++) {
        const char *value = at;

        if (takes_text(&value, end, key))
            return takes_number(&value, end, out);
    }
    return 0;
}

int nuce_dumpi_status(const struct nuce_dumpi_call *call, const char *name, int64_t index,
                      int64_t *source, int64_t *tag)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);
    const char *at;

    if (argument == NULL)
        return 0;
    for (at = argument->value; at < argument->end; at++) {
        if (*at != '{' || index-- > 0)
            continue;
        return status_number(at, argument->end, " source=", source) &&
               status_number(at, argument->end, " tag=", tag);
    }
    return 0;
}
