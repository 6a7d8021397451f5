/* The text of a trace that dumpi2ascii prints: a line `NAME entering at walltime SECONDS, ...`,
 * lines `TYPE PARAMETER=VALUE`, a line `NAME returning at walltime SECONDS, ...`. Source:
 * sstsimulator/sst-dumpi, dumpi/bin/dumpi2ascii-defs.h. */
#include <string.h>

#include "imports/dumpi_calls.h"
#include "imports/dumpi_forms.h"

/* Takes the next line to stream->line, without its end (LF or CR LF); 0: the text is over. */
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

/* Moves *at past text if the line goes on so; 0: it does not, and *at stays. */
static int takes_text(const char **at, const char *end, const char *text)
{
    size_t length = strlen(text);

    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
        return 0;
    *at += length;
    return 1;
}

/* Moves *at past a whole number, perhaps with a minus. 0: there is none, or it is beyond what
 * int64_t holds; *at may then be anywhere in it. */
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

/* Seconds with a fraction, as nanoseconds; digits behind the ninth are dropped. 0: none, or more
 * seconds than fit. */
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

/* Whether the line is `NAME VERB at walltime TIME,...` of a call of MPI, whose time goes to
 * *time_ns. name NULL: of any name, which is written to found. */
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

/* Adds the line `TYPE PARAMETER=VALUE` or `TYPE PARAMETER[N]=VALUE` to the call. A line of another
 * kind is passed over, and so are arguments behind NUCE_DUMPI_MOST_ARGUMENTS. */
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

/* The first call, or with -H the header. */
static int text_recognises(const char *text, size_t length)
{
    static const char call[] = "MPI_", head[] = "version=";

    return (length >= sizeof call && memcmp(text, call, sizeof call - 1) == 0) ||
           (length >= sizeof head && memcmp(text, head, sizeof head - 1) == 0);
}

static nuce_status text_refuse(const struct nuce_dumpi_stream *stream, const char *where,
                               const char *message, struct nuce_error *error)
{
    return nuce_scanner_fail(&stream->scanner, where, error, "%s", message);
}

/* A call from its entering line to its returning one. dumpi2ascii prints them as wholes, so another
 * entering line in between says that the text is damaged. */
static nuce_status text_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                             int *found, struct nuce_error *error)
{
    do {
        if (!dumpi_next_line(stream))
            return NUCE_OK;
    } while (!is_stamp(stream, "entering", NULL, out->name, &out->enter_ns));
    out->place = stream->line;
    do {
        int64_t ignored;
        char name[NUCE_DUMPI_NAME_BYTES];

        if (!dumpi_next_line(stream))
            return nuce_dumpi_refuse(stream, out->place, error,
                                     "%s: the text ends before it returns", out->name);
        if (is_stamp(stream, "entering", NULL, name, &ignored))
            return nuce_dumpi_refuse(stream, out->place, error,
                                     "%s: another call begins before it returns", out->name);
        take_argument(stream, out);
    } while (!is_stamp(stream, "returning", out->name, NULL, &out->return_ns));
    *found = 1;
    return NUCE_OK;
}

/* Tells the listener of a line `28 (user-defined-datatype) has size 24`, of option -X; at is behind
 * its first word. What is not so is passed over. */
static nuce_status tell_size(const char *at, const char *end,
                             const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    static const char words[] = " has size ";
    int64_t datatype, bytes;
    const char *value;

    if (!takes_number(&at, end, &datatype))
        return NUCE_OK;
    value = memmem(at, (size_t)(end - at), words, sizeof words - 1);
    if (value == NULL)
        return NUCE_OK;
    value += sizeof words - 1;
    if (!takes_number(&value, end, &bytes) || value != end)
        return NUCE_OK;
    return listener->size(listener->context, datatype, bytes, error);
}

/* Goes over the whole text once, for the header and the list of sizes may be anywhere in it, and
 * back to where it was. */
static nuce_status text_tell(struct nuce_dumpi_stream *stream,
                             const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    const char *start = stream->scanner.at;

    while (dumpi_next_line(stream)) {
        const char *at = stream->line;

        if (takes_text(&at, stream->line_end, "hostname="))
            listener->host(listener->context, at, (size_t)(stream->line_end - at));
        else if (takes_text(&at, stream->line_end, "Datatype ") &&
                 tell_size(at, stream->line_end, listener, error) != NUCE_OK)
            return error->status;
    }
    stream->scanner.at = start;
    return NUCE_OK;
}

static int text_number(const struct nuce_dumpi_argument *argument, int64_t *out)
{
    const char *at = argument->value;

    /* A request is printed as a list of one. */
    (void)takes_text(&at, argument->end, "[");
    return takes_number(&at, argument->end, out);
}

/* Each takes two characters at least, as in [1, 2]; a list that was not recorded is printed as
 * <...>. */
static int64_t text_most_numbers(const struct nuce_dumpi_argument *argument)
{
    int is_recorded = argument->value < argument->end && *argument->value != '<';

    return is_recorded ? (argument->end - argument->value) / 2 + 1 : 0;
}

/* `[1, 2, 3]`. */
static int text_numbers(const struct nuce_dumpi_argument *argument, int64_t *out, int64_t *count)
{
    const char *at = argument->value;

    *count = 0;
    if (takes_text(&at, argument->end, "[")) {
        while (takes_number(&at, argument->end, &out[*count])) {
            ++*count;
            if (!takes_text(&at, argument->end, ", "))
                break;
        }
    }
    return takes_text(&at, argument->end, "]");
}

/* The number behind `key`, which begins somewhere from at on in the same status; 0: there is none
 * before the status ends. */
static int status_number(const char *at, const char *end, const char *key, int64_t *out)
{
    for (; at < end && *at != '}'; at++) {
        const char *value = at;

        if (takes_text(&value, end, key))
            return takes_number(&value, end, out);
    }
    return 0;
}

/* `{bytes=64, ..., source=1, tag=7}`: the index-th of these. */
static int text_status(const struct nuce_dumpi_argument *argument, int64_t index, int64_t *source,
                       int64_t *tag)
{
    for (const char *at = argument->value; at < argument->end; at++) {
        if (*at != '{' || index-- > 0)
            continue;
        return status_number(at, argument->end, " source=", source) &&
               status_number(at, argument->end, " tag=", tag);
    }
    return 0;
}

const struct nuce_dumpi_form nuce_dumpi_text = {
    .names_datatypes = 1,
    .recognises = text_recognises,
    .tell = text_tell,
    .next = text_next,
    .refuse = text_refuse,
    .number = text_number,
    .most_numbers = text_most_numbers,
    .numbers = text_numbers,
    .status = text_status,
};
