/* Calls of a trace of sst-dumpi, whatever its form. What the forms have in common: which one a file
 * has, times that do not jump back, and how an argument that is missing or damaged is refused. */
#include "imports/dumpi_calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imports/dumpi_forms.h"
#include "support/allocate.h"

/* Seconds have 16 bits in a trace: a time that is so much earlier than the one before it is of the
 * next round. Calls are written as they return; threads may pass each other there by a little. */
#define ROUND_NS (65536 * INT64_C(1000000000))
#define PASSING_NS (60 * INT64_C(1000000000))

#define X(name) &nuce_##name,
/* Asked in this order; the first that recognises a file reads it. */
static const struct nuce_dumpi_form *const forms[] = {
#include "imports/dumpi_forms.def"
};
#undef X
enum { FORMS = sizeof forms / sizeof *forms };

/* The form of a file that begins so; NULL: no trace begins so. */
static const struct nuce_dumpi_form *dumpi_form_of(const char *text, size_t length)
{
    for (int i = 0; i < FORMS; i++) {
        if (forms[i]->recognises(text, length))
            return forms[i];
    }
    return NULL;
}

int nuce_dumpi_recognises(const char *text, size_t length)
{
    return dumpi_form_of(text, length) != NULL;
}

nuce_status nuce_dumpi_open(struct nuce_dumpi_stream *stream, const struct nuce_import_text *file,
                            struct nuce_error *error)
{
    *stream = (struct nuce_dumpi_stream){.form = dumpi_form_of(file->text, file->length)};
    /* dumpi2ascii prints other lines first when it is told to. */
    if (stream->form == NULL)
        stream->form = &nuce_dumpi_text;
    nuce_scanner_init(&stream->scanner, file->name, file->text, file->length);
    return stream->form->open == NULL ? NUCE_OK : stream->form->open(stream, error);
}

nuce_status nuce_dumpi_tell(struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    return stream->form->tell(stream, listener, error);
}

int nuce_dumpi_names_datatypes(const struct nuce_dumpi_stream *stream)
{
    return stream->form->names_datatypes;
}

/* The call's times become those of a clock that goes on. stream->added_ns is what was added so far,
 * a multiple of ROUND_NS; a return more than PASSING_NS before the latest one is one round later. A
 * call that began just before the round's end has its enter one round too late: it is put back.
 * NUCE_BAD_INPUT: even so it returns before it is entered. */
static nuce_status unwrap_times(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *call,
                                struct nuce_error *error)
{
    call->return_ns += stream->added_ns;
    call->enter_ns += stream->added_ns;
    if (call->return_ns < stream->last_ns - PASSING_NS &&
        stream->last_ns < INT64_MAX - 2 * ROUND_NS) {
        stream->added_ns += ROUND_NS;
        call->return_ns += ROUND_NS;
        call->enter_ns += ROUND_NS;
    }
    if (call->enter_ns > call->return_ns + ROUND_NS / 2 && call->enter_ns >= ROUND_NS)
        call->enter_ns -= ROUND_NS;
    if (call->return_ns < call->enter_ns)
        return nuce_dumpi_refuse(stream, call->place, error, "%s: it returns before it is entered",
                                 call->name);
    if (call->return_ns > stream->last_ns)
        stream->last_ns = call->return_ns;
    return NUCE_OK;
}

nuce_status nuce_dumpi_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                            int *found, struct nuce_error *error)
{
    struct nuce_dumpi_call call = {.count = 0};

    *found = 0;
    if (stream->form->next(stream, &call, found, error) != NUCE_OK)
        return error->status;
    if (*found && unwrap_times(stream, &call, error) != NUCE_OK)
        return error->status;
    *out = call;
    return NUCE_OK;
}

nuce_status nuce_dumpi_refuse(const struct nuce_dumpi_stream *stream, const char *where,
                              struct nuce_error *error, const char *format, ...)
{
    char message[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return stream->form->refuse(stream, where, message, error);
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

/* There is no such argument, or it is at fault: says which, quotes at most 40 bytes of it and names
 * what was expected. */
static nuce_status refuse_argument(const struct nuce_dumpi_stream *stream,
                                   const struct nuce_dumpi_call *call, const char *name,
                                   const struct nuce_dumpi_argument *argument, const char *expected,
                                   struct nuce_error *error)
{
    int length;

    if (argument == NULL)
        return nuce_dumpi_refuse(stream, call->place, error, "%s: has no '%s': expected %s",
                                 call->name, name, expected);
    length = argument->end - argument->value > 40 ? 40 : (int)(argument->end - argument->value);
    return nuce_dumpi_refuse(stream, argument->value, error, "'%.*s': expected %s of %s", length,
                             argument->value, expected, call->name);
}

nuce_status nuce_dumpi_integer(const struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_call *call, const char *name, int64_t *out,
                               struct nuce_error *error)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);

    if (argument != NULL && stream->form->number(argument, out))
        return NUCE_OK;
    return refuse_argument(stream, call, name, argument, "a whole number", error);
}

nuce_status nuce_dumpi_list(const struct nuce_dumpi_stream *stream,
                            const struct nuce_dumpi_call *call, const char *name, int64_t **out,
                            int64_t *count, struct nuce_error *error)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);
    int64_t most = argument == NULL ? 0 : stream->form->most_numbers(argument);
    int64_t *numbers;

    *out = NULL;
    *count = 0;
    if (most == 0)
        return NUCE_OK;
    numbers = nuce_allocate(most, sizeof *numbers, error);
    if (numbers == NULL)
        return error->status;
    if (!stream->form->numbers(argument, numbers, count)) {
        free(numbers);
        return refuse_argument(stream, call, name, argument, "whole numbers in [ ]", error);
    }
    *out = numbers;
    return NUCE_OK;
}

int nuce_dumpi_status(const struct nuce_dumpi_stream *stream, const struct nuce_dumpi_call *call,
                      const char *name, int64_t index, int64_t *source, int64_t *tag)
{
    const struct nuce_dumpi_argument *argument = nuce_dumpi_find(call, name);

    return argument != NULL && stream->form->status(argument, index, source, tag);
}
