/* The binary file of a rank that libdumpi writes: a magic number, the calls, a header, a footer,
 * the sizes of datatypes, names of counters and functions, and last an index of where these begin.
 * All numbers are big-endian. Every version that sst-dumpi itself reads is read, from 2009 on.
 * Source: sstsimulator/sst-dumpi, dumpi/common/io.c and iodefs.h, docs/traceformat.dox. */
#include <stdio.h>
#include <string.h>

#include "imports/dumpi_calls.h"
#include "imports/dumpi_forms.h"
#include "imports/dumpi_records.h"

/* The first word of the file, and the first of the index at its end. */
static const unsigned char head_magic[] = {0xff, 0xaa, 0xdd, 'D', 'U', 'M', 'P', 'I'};
/* The first word of the footer, which has how often each call occurs; it is not read further. */
#define FOOT_MAGIC INT64_C(0xf007fee7)

/* Sizes in bytes, except INDEX_LEAST and INDEX_MOST (words) and MASK (bits of a record's first
 * byte, dumpi/common/iodefs.h). */
enum {
    OFFSET_BYTES = 8,
    INDEX_LEAST = 5,     /* the magic number, and where header, calls, footer and key values are */
    INDEX_MOST = 8,      /* counters, functions and sizes came later, each before the others */
    MASK_STATUS = 3,     /* what a record has: statuses, */
    MASK_CPU = 4,        /* processor times, */
    MASK_WALL = 8,       /* times, */
    MASK_THREAD = 64,    /* a thread's number, */
    MASK_COUNTERS = 128, /* hardware counters */
    /* of the call's enter and return: twice 2 bytes of seconds, 4 of nanoseconds */
    TIMES_BYTES = 12,
    COUNTER_BYTES = 16,
    BILLION = 1000000000,
};

/* A number of width bytes: signed if it has 2, 4 or 8, which are datatypes, counts and offsets;
 * unsigned if it has 1, which are masks, versions and enumerations. */
static int64_t from_big_endian(const char *at, int width)
{
    uint64_t value = 0;

    for (int i = 0; i < width; i++)
        value = value << 8 | (unsigned char)at[i];
    if (width == 2)
        return (int16_t)value;
    return width == 4 ? (int32_t)value : (int64_t)value;
}

static nuce_status binary_refuse(const struct nuce_dumpi_stream *stream, const char *where,
                                 const char *message, struct nuce_error *error)
{
    (void)nuce_error_set(error, NUCE_BAD_INPUT, "byte %lld: %s",
                         (long long)(where - stream->scanner.text), message);
    return nuce_error_at(error, stream->scanner.path, 0, 0);
}

/* Takes the next so many bytes and returns where they begin; NULL with *error: there are fewer
 * before stream->limit. bytes is not negative. */
static const char *next_bytes(struct nuce_dumpi_stream *stream, int64_t bytes,
                              struct nuce_error *error)
{
    const char *at = stream->scanner.at;

    if (bytes > stream->limit - at) {
        (void)nuce_dumpi_refuse(stream, at, error,
                                "%lld bytes are expected here, of which %lld are left: the trace "
                                "is damaged, or of another kind",
                                (long long)bytes, (long long)(stream->limit - at));
        return NULL;
    }
    stream->scanner.at += bytes;
    return at;
}

/* Takes a number of width bytes. *out is 0 on failure. */
static nuce_status take_value(struct nuce_dumpi_stream *stream, int width, int64_t *out,
                              struct nuce_error *error)
{
    const char *at = next_bytes(stream, width, error);

    *out = 0;
    if (at == NULL)
        return error->status;
    *out = from_big_endian(at, width);
    return NUCE_OK;
}

/* Takes how many values of so many bytes each follow. NUCE_BAD_INPUT where so many cannot be there:
 * so what is allocated later is bounded by the file's size, however damaged the count. */
static nuce_status take_count(struct nuce_dumpi_stream *stream, int64_t bytes, int64_t *out,
                              struct nuce_error *error)
{
    const char *at = stream->scanner.at;

    if (take_value(stream, 4, out, error) != NUCE_OK)
        return error->status;
    if (*out < 0 || *out > (stream->limit - stream->scanner.at) / bytes)
        return nuce_dumpi_refuse(stream, at, error,
                                 "%lld values are said to follow, and %lld bytes are left: the "
                                 "trace is damaged, or of another kind",
                                 (long long)*out, (long long)(stream->limit - stream->scanner.at));
    return NUCE_OK;
}

/* Passes a number (depth 0), or a list of what is one less deep. Recursion ends at the layout's
 * depth, 3 at most. */
static nuce_status pass_numbers(struct nuce_dumpi_stream *stream, int width, int depth,
                                struct nuce_error *error)
{
    int64_t count = 1;

    if (depth > 0 && take_count(stream, depth == 1 ? width : 4, &count, error) != NUCE_OK)
        return error->status;
    if (depth <= 1)
        return next_bytes(stream, count * width, error) == NULL ? error->status : NUCE_OK;
    for (int64_t i = 0; i < count; i++) {
        if (pass_numbers(stream, width, depth - 1, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Bytes of a status: how many bytes came, 4; source, 4; whether cancelled, 1; error, 1; and since
 * 0.6.3 the tag, 4. */
static int status_bytes(const struct nuce_dumpi_stream *stream)
{
    return stream->version < NUCE_DUMPI_VERSION(0, 6, 3) ? 10 : 14;
}

/* Whether the rank of this record is the root, which a record of a rooted call has more of. Both
 * numbers stand before what depends on them in every layout. */
static int is_at_root(const struct nuce_dumpi_call *call)
{
    const struct nuce_dumpi_argument *root = nuce_dumpi_find(call, "root");
    const struct nuce_dumpi_argument *own = nuce_dumpi_find(call, "commrank");

    own = own == NULL ? nuce_dumpi_find(call, "oldcommrank") : own;
    return root != NULL && own != NULL && memcmp(root->value, own->value, 4) == 0;
}

/* Adds the argument that the word stands for to the call, if the record has it; its bytes are
 * passed in any case that it has. Arguments behind NUCE_DUMPI_MOST_ARGUMENTS are passed and not
 * kept. */
static nuce_status take_word(struct nuce_dumpi_stream *stream, const struct nuce_dumpi_word *word,
                             int has_status, struct nuce_dumpi_call *call, struct nuce_error *error)
{
    struct nuce_dumpi_argument argument = {.name = word->name,
                                           .name_length = word->name_length,
                                           .value = stream->scanner.at,
                                           .width = word->width};

    if ((word->is_status && !has_status) || (word->is_at_root && !is_at_root(call)))
        return NUCE_OK;
    if (word->is_status)
        argument.width = status_bytes(stream);
    if (pass_numbers(stream, argument.width, word->depth, error) != NUCE_OK)
        return error->status;
    argument.end = stream->scanner.at;
    if (call->count < NUCE_DUMPI_MOST_ARGUMENTS)
        call->arguments[call->count++] = argument;
    return NUCE_OK;
}

/* Two bytes of seconds and four of nanoseconds, behind the file's base. Seconds overflow after 18
 * hours; nuce_dumpi_next sees to that. */
static nuce_status take_time(struct nuce_dumpi_stream *stream, int64_t *out,
                             struct nuce_error *error)
{
    const char *at = next_bytes(stream, TIMES_BYTES / 2, error);
    int64_t nanoseconds;

    if (at == NULL)
        return error->status;
    nanoseconds = from_big_endian(at + 2, 4);
    if (nanoseconds < 0 || nanoseconds >= BILLION)
        return nuce_dumpi_refuse(stream, at, error,
                                 "a time of %lld ns past the second: the trace is damaged",
                                 (long long)nanoseconds);
    *out = stream->base_ns + (from_big_endian(at, 2) & UINT16_MAX) * BILLION + nanoseconds;
    return NUCE_OK;
}

/* What stands in every record before its arguments: the mask, and what it says there is. An unknown
 * bit is refused, for the length of what it stands for is not known, so that all behind it would be
 * misread. */
static nuce_status take_head(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *call,
                             int64_t *mask, struct nuce_error *error)
{
    const char *at = stream->scanner.at;
    int64_t counters = 0;

    if (take_value(stream, 1, mask, error) != NUCE_OK)
        return error->status;
    if (*mask & ~(MASK_STATUS | MASK_CPU | MASK_WALL | MASK_THREAD | MASK_COUNTERS))
        return nuce_dumpi_refuse(stream, at, error,
                                 "a record is said to have 0x%02x, which nobody knows of: the "
                                 "trace is damaged, or of another kind",
                                 (unsigned)*mask);
    if (next_bytes(stream, *mask & MASK_THREAD ? 2 : 0, error) == NULL ||
        next_bytes(stream, *mask & MASK_CPU ? TIMES_BYTES : 0, error) == NULL ||
        (*mask & MASK_WALL && (take_time(stream, &call->enter_ns, error) != NUCE_OK ||
                               take_time(stream, &call->return_ns, error) != NUCE_OK)) ||
        (*mask & MASK_COUNTERS && take_value(stream, 1, &counters, error) != NUCE_OK))
        return error->status;
    return next_bytes(stream, counters * COUNTER_BYTES, error) == NULL ? error->status : NUCE_OK;
}

/* The arguments of a record whose label has been taken, by the layout of the file's version. */
static nuce_status take_record(struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_record *record, struct nuce_dumpi_call *call,
                               struct nuce_error *error)
{
    const char *layout = stream->version < record->until ? record->earlier : record->layout;
    struct nuce_dumpi_word word;
    int64_t mask;

    (void)snprintf(call->name, sizeof call->name, "%s", record->name);
    if (take_head(stream, call, &mask, error) != NUCE_OK)
        return error->status;
    while (nuce_dumpi_next_word(&layout, &word)) {
        if (take_word(stream, &word, (mask & MASK_STATUS) != 0, call, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Takes records until one is a call of MPI. Labels end the calls where the footer or header begins;
 * some versions write an end label as well, which must then be the last. */
static nuce_status binary_next(struct nuce_dumpi_stream *stream, struct nuce_dumpi_call *out,
                               int *found, struct nuce_error *error)
{
    while (stream->scanner.at < stream->limit) {
        const struct nuce_dumpi_record *record;
        const char *place = stream->scanner.at;
        int64_t label;

        if (take_value(stream, 2, &label, error) != NUCE_OK)
            return error->status;
        if (nuce_dumpi_is_end(label)) {
            if (stream->scanner.at == stream->limit)
                return NUCE_OK;
            return nuce_dumpi_refuse(stream, place, error,
                                     "the calls end here: expected them to go on to byte %lld",
                                     (long long)(stream->limit - stream->scanner.text));
        }
        record = nuce_dumpi_record_of(label);
        if (record == NULL)
            return nuce_dumpi_refuse(stream, place, error,
                                     "label %lld: no call has it: the trace is damaged, or of "
                                     "another kind",
                                     (long long)label);
        *out = (struct nuce_dumpi_call){.place = place};
        if (take_record(stream, record, out, error) != NUCE_OK)
            return error->status;
        /* What an instrumented function does is none. */
        if (strncmp(record->name, "MPI", 3) == 0) {
            *found = 1;
            return NUCE_OK;
        }
    }
    return NUCE_OK;
}

/* Where the part begins that the word of the index at `at` points to; *out NULL: the word is 0,
 * there is none. A part cannot be behind the index. */
static nuce_status read_offset(const struct nuce_dumpi_stream *stream, const char *at,
                               const char *what, const char **out, struct nuce_error *error)
{
    const char *text = stream->scanner.text;
    int64_t offset = from_big_endian(at, OFFSET_BYTES), most = stream->limit - text;

    if (offset < 0 || offset > most)
        return nuce_dumpi_refuse(stream, at, error,
                                 "the %s is said to be at byte %lld: expected at most %lld, where "
                                 "the index is",
                                 what, (long long)offset, (long long)most);
    *out = offset == 0 ? NULL : text + offset;
    return NUCE_OK;
}

/* The first word of the index, and how many it has. It is at the end of the file and its length
 * depends on the version, so it is looked for by its magic number, the longest first: a shorter one
 * would be found inside a longer only if a word of that had the magic's value. NULL: there is
 * none. */
static const char *find_index(const struct nuce_dumpi_stream *stream, int *words)
{
    const char *end = stream->scanner.end;

    for (*words = INDEX_MOST; *words >= INDEX_LEAST; --*words) {
        int bytes = *words * OFFSET_BYTES;

        if (end - stream->scanner.text > bytes &&
            memcmp(end - bytes, head_magic, sizeof head_magic) == 0)
            return end - bytes;
    }
    return NULL;
}

/* Sets where the parts are, and stream->limit to the index, which nothing may reach. */
static nuce_status read_index(struct nuce_dumpi_stream *stream, const char **footer,
                              struct nuce_error *error)
{
    int words;
    const char *index = find_index(stream, &words), *last;

    if (index == NULL)
        return nuce_dumpi_refuse(stream, stream->scanner.end, error,
                                 "the file does not end in the index of a trace: it is cut short, "
                                 "or was never finished");
    stream->limit = index;
    last = stream->scanner.end - (INDEX_LEAST - 1) * OFFSET_BYTES;
    if ((words == INDEX_MOST && read_offset(stream, index + OFFSET_BYTES, "list of datatypes",
                                            &stream->sizes, error) != NUCE_OK) ||
        read_offset(stream, last, "header", &stream->header, error) != NUCE_OK ||
        read_offset(stream, last + OFFSET_BYTES, "first call", &stream->calls, error) != NUCE_OK ||
        read_offset(stream, last + 2 * OFFSET_BYTES, "footer", footer, error) != NUCE_OK)
        return error->status;
    if (stream->calls == NULL)
        return nuce_dumpi_refuse(stream, index, error, "the index does not say where calls begin");
    return NUCE_OK;
}

/* A footer that is not where the index says shows damage before the calls are misread. An old file
 * without one passes. */
static nuce_status check_footer(struct nuce_dumpi_stream *stream, const char *footer,
                                struct nuce_error *error)
{
    int64_t magic = FOOT_MAGIC;

    stream->scanner.at = footer;
    if (footer != NULL && take_value(stream, OFFSET_BYTES, &magic, error) != NUCE_OK)
        return error->status;
    if (magic != FOOT_MAGIC)
        return nuce_dumpi_refuse(stream, footer, error,
                                 "expected a footer, whose first 8 bytes are 0xf007fee7: the "
                                 "trace is damaged");
    return NUCE_OK;
}

/* Three bytes: major, minor, patch. A file without a header keeps version 0: the first ones had
 * none. */
static nuce_status read_version(struct nuce_dumpi_stream *stream, struct nuce_error *error)
{
    int64_t part;

    stream->scanner.at = stream->header;
    for (int i = 0; stream->header != NULL && i < 3; i++) {
        if (take_value(stream, 1, &part, error) != NUCE_OK)
            return error->status;
        stream->version = stream->version * 256 + part;
    }
    return NUCE_OK;
}

/* The calls end before that part, if it is behind them. Parts may come in any order, so each of
 * them is asked. */
static void end_before(struct nuce_dumpi_stream *stream, const char *part)
{
    if (part != NULL && part > stream->calls && part < stream->limit)
        stream->limit = part;
}

/* Leaves the stream at the first call. Calls begin with two words of 4 bytes: the processor and the
 * second of the start, of which all times are counted. */
static nuce_status binary_open(struct nuce_dumpi_stream *stream, struct nuce_error *error)
{
    const char *footer = NULL;
    int64_t processor, seconds;

    if (read_index(stream, &footer, error) != NUCE_OK ||
        check_footer(stream, footer, error) != NUCE_OK || read_version(stream, error) != NUCE_OK)
        return error->status;
    end_before(stream, stream->header);
    end_before(stream, footer);
    stream->scanner.at = stream->calls;
    if (take_value(stream, 4, &processor, error) != NUCE_OK ||
        take_value(stream, 4, &seconds, error) != NUCE_OK)
        return error->status;
    stream->calls = stream->scanner.at;
    stream->base_ns = seconds * BILLION;
    return NUCE_OK;
}

/* The header: version (3 bytes), start (8), then a length of 2 bytes and the host's name. */
static nuce_status tell_host(struct nuce_dumpi_stream *stream,
                             const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    const char *name;
    int64_t length;

    stream->scanner.at = stream->header;
    if (next_bytes(stream, 3 + 8, error) == NULL ||
        take_value(stream, 2, &length, error) != NUCE_OK)
        return error->status;
    name = next_bytes(stream, length & UINT16_MAX, error);
    if (name == NULL)
        return error->status;
    listener->host(listener->context, name, (size_t)(length & UINT16_MAX));
    return NUCE_OK;
}

/* A count, then the bytes of each datatype from number 0 on. */
static nuce_status tell_sizes(struct nuce_dumpi_stream *stream,
                              const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    int64_t count, size;

    stream->scanner.at = stream->sizes;
    if (take_count(stream, 4, &count, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count; i++) {
        if (take_value(stream, 4, &size, error) != NUCE_OK ||
            listener->size(listener->context, i, size, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* The header and the sizes are behind the calls, where limit would not let them be read; the stream
 * is put back to its first call afterwards. */
static nuce_status binary_tell(struct nuce_dumpi_stream *stream,
                               const struct nuce_dumpi_listener *listener, struct nuce_error *error)
{
    const char *limit = stream->limit;

    stream->limit = stream->scanner.end;
    if ((stream->header != NULL && tell_host(stream, listener, error) != NUCE_OK) ||
        (stream->sizes != NULL && tell_sizes(stream, listener, error) != NUCE_OK))
        return error->status;
    stream->limit = limit;
    stream->scanner.at = stream->calls;
    return NUCE_OK;
}

static int binary_recognises(const char *text, size_t length)
{
    return length >= sizeof head_magic && memcmp(text, head_magic, sizeof head_magic) == 0;
}

/* Only of a single number: the bytes of a list do not fit its width. */
static int binary_number(const struct nuce_dumpi_argument *argument, int64_t *out)
{
    *out = 0;
    if (argument->end - argument->value != argument->width)
        return 0;
    *out = from_big_endian(argument->value, argument->width);
    return 1;
}

/* How many numbers a list has: what is behind its count of 4 bytes. */
static int64_t binary_most_numbers(const struct nuce_dumpi_argument *argument)
{
    return (argument->end - argument->value - 4) / argument->width;
}

static int binary_numbers(const struct nuce_dumpi_argument *argument, int64_t *out, int64_t *count)
{
    *count = binary_most_numbers(argument);
    for (int64_t i = 0; i < *count; i++)
        out[i] = from_big_endian(argument->value + 4 + i * argument->width, argument->width);
    return 1;
}

/* The index-th of a list of statuses, laid out as status_bytes says. A trace without tags gives
 * NUCE_DUMPI_ANY. */
static int binary_status(const struct nuce_dumpi_argument *argument, int64_t index, int64_t *source,
                         int64_t *tag)
{
    const char *at = argument->value + 4 + index * argument->width;

    if (index < 0 || index >= binary_most_numbers(argument))
        return 0;
    *source = from_big_endian(at + 4, 4);
    *tag = argument->width > 10 ? from_big_endian(at + 10, 4) : NUCE_DUMPI_ANY;
    return 1;
}

const struct nuce_dumpi_form nuce_dumpi_binary = {
    .recognises = binary_recognises,
    .open = binary_open,
    .tell = binary_tell,
    .next = binary_next,
    .refuse = binary_refuse,
    .number = binary_number,
    .most_numbers = binary_most_numbers,
    .numbers = binary_numbers,
    .status = binary_status,
};
