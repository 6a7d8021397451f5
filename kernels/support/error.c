#include "support/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

nuce_status nuce_error_set(struct nuce_error *error, nuce_status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    nuce_text_make_printable(error->message);
    return status;
}

nuce_status nuce_error_prefix(struct nuce_error *error, const char *format, ...)
{
    char rest[NUCE_MESSAGE_BYTES];
    size_t length, kept;
    va_list arguments;

    memcpy(rest, error->message, sizeof rest);
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message - 2, format, arguments);
    va_end(arguments);
    length = strlen(error->message);
    memcpy(error->message + length, ": ", 2);
    length += 2;
    kept = strnlen(rest, sizeof error->message - length - 1);
    memcpy(error->message + length, rest, kept);
    error->message[length + kept] = '\0';
    nuce_text_make_printable(error->message);
    return error->status;
}

int nuce_exit_status(nuce_status status)
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

void nuce_assertion_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "nuce: bug: %s:%d: %s does not hold\n", file, line, condition);
    abort();
}
