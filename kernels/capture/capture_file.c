/* A capture as a file: a line that names it, then lengths, the SHA-256 of what follows, and the
 * content, deflated (docs/capture.md, "The file"). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "capture/capture.h"
#include "capture/wire.h"
#include "support/allocate.h"
#include "support/hash.h"
#include "support/safe_file.h"
#include "support/text.h"
#include "support/text_file.h"

/* Versions 1 .. this one are read, this one is written. 2: with the origin, 3: with
 * arrivals that are kept. */
#define NEWEST "3"
static const char first_line[] = "nuce capture " NEWEST "\n";
#define FIRST_LINE_BYTES (sizeof first_line - 1)
#define VERSION_AT (FIRST_LINE_BYTES - 2)
#define DIGEST_BYTES (NUCE_HASH_BYTES - 1)
#define HEAD_BYTES (FIRST_LINE_BYTES + 16 + DIGEST_BYTES)

/* Deflate does not do better than 1032 to 1; a file that says so is damaged or hostile. */
#define MOST_RATIO 1040

/* A message longer than this is taken for damage: sums of several fit. */
#define MOST_BYTES ((int64_t)1 << 50)

static void put_times(struct nuce_wire *wire, const struct nuce_capture_times *times)
{
    int classes = 0, last = -1;

    nuce_wire_put(wire, times->count);
    if (times->count == 0)
        return;
    nuce_wire_put(wire, times->least);
    nuce_wire_put(wire, times->most);
    nuce_wire_put(wire, (int64_t)times->sum);
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++)
        classes += times->classes[i] > 0;
    nuce_wire_put(wire, classes);
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++) {
        if (times->classes[i] == 0)
            continue;
        nuce_wire_put(wire, i - last - 1);
        nuce_wire_put(wire, times->classes[i]);
        last = i;
    }
}

static void put_communicator(struct nuce_wire *wire,
                             const struct nuce_capture_communicator *communicator)
{
    nuce_wire_put(wire, communicator->size);
    nuce_wire_put(wire, communicator->ordinal);
    for (int i = 0; i < communicator->size; i++)
        nuce_wire_put_signed(wire,
                             communicator->members[i] - (i > 0 ? communicator->members[i - 1] : 0));
}

static void put_topology(struct nuce_wire *wire, const struct nuce_capture_topology *topology)
{
    nuce_wire_put(wire, topology->messages);
    for (int64_t i = 0; i < topology->messages; i++) {
        nuce_wire_put(wire, topology->source[i] - (i > 0 ? topology->source[i - 1] : 0));
        nuce_wire_put_signed(wire, topology->destination[i] - topology->source[i]);
    }
}

static void put_pattern(struct nuce_wire *wire, const struct nuce_capture *capture,
                        const struct nuce_capture_pattern *pattern)
{
    nuce_wire_put_text(wire, pattern->id);
    nuce_wire_put_text(wire, nuce_raw_kind_name(pattern->kind));
    nuce_wire_put(wire, pattern->quality);
    nuce_wire_put(wire, pattern->communicator);
    nuce_wire_put(wire, pattern->topology);
    nuce_wire_put(wire, pattern->moved);
    nuce_wire_put(wire, pattern->calls);
    nuce_wire_put(wire, (int64_t)pattern->rank_ns);
    for (int64_t i = 0; i < capture->topology[pattern->topology].messages; i++)
        nuce_wire_put_signed(wire, pattern->bytes[i] - (i > 0 ? pattern->bytes[i - 1] : 0));
    put_times(wire, &pattern->duration);
    put_times(wire, &pattern->skew);
    for (int i = 0; i < capture->communicator[pattern->communicator].size; i++)
        nuce_wire_put(wire, (int64_t)pattern->arrival_ns[i]);
    nuce_wire_put(wire, pattern->kept);
    for (int64_t i = 0;
         i < (int64_t)pattern->kept * capture->communicator[pattern->communicator].size; i++)
        nuce_wire_put(wire, pattern->kept_class[i]);
}

static void put_sequence(struct nuce_wire *wire, const struct nuce_capture_sequence *sequence)
{
    const int *pattern = sequence->pattern;

    nuce_wire_put(wire, sequence->count);
    nuce_wire_put(wire, sequence->runs);
    nuce_wire_put(wire, sequence->patterns);
    for (int64_t i = 0; i < sequence->runs; i++) {
        nuce_wire_put(wire, sequence->run[i].length);
        nuce_wire_put(wire, sequence->run[i].times);
        for (int64_t k = 0; k < sequence->run[i].length; k++)
            nuce_wire_put(wire, *pattern++);
    }
}

static void put_head(struct nuce_wire *wire, const struct nuce_capture *capture)
{
    nuce_wire_put_text(wire, capture->library);
    nuce_wire_put_text(wire, capture->program);
    nuce_wire_put_text(wire, capture->origin);
    nuce_wire_put(wire, capture->ranks);
    nuce_wire_put(wire, capture->found);
    for (int i = 0; i < 3; i++)
        nuce_wire_put(wire, capture->endings[i]);
    nuce_wire_put(wire, capture->hosts);
    for (int i = 0; i < capture->hosts; i++)
        nuce_wire_put_text(wire, capture->host[i]);
    for (int i = 0; i < capture->ranks; i++)
        nuce_wire_put(wire, capture->host_of[i] + 1);
    nuce_wire_put(wire, capture->clock_error_ns);
    nuce_wire_put(wire, capture->elapsed_ns);
    nuce_wire_put(wire, (int64_t)capture->all_ranks_ns);
    nuce_wire_put(wire, NUCE_RAW_COUNTERS);
    for (int i = 0; i < NUCE_RAW_COUNTERS; i++)
        nuce_wire_put(wire, capture->counters[i]);
    nuce_wire_put(wire, capture->unmatched);
    nuce_wire_put(wire, capture->cut_files);
}

static void put_capture(struct nuce_wire *wire, const struct nuce_capture *capture)
{
    put_head(wire, capture);
    nuce_wire_put(wire, capture->communicators);
    for (int i = 0; i < capture->communicators; i++)
        put_communicator(wire, &capture->communicator[i]);
    nuce_wire_put(wire, capture->topologies);
    for (int i = 0; i < capture->topologies; i++)
        put_topology(wire, &capture->topology[i]);
    nuce_wire_put(wire, capture->patterns);
    for (int i = 0; i < capture->patterns; i++)
        put_pattern(wire, capture, &capture->pattern[i]);
    for (int i = 0; i < capture->communicators; i++)
        put_sequence(wire, &capture->sequence[i]);
}

static void put_length(unsigned char *at, int64_t length)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)((uint64_t)length >> (8 * i));
}

static int64_t get_length(const unsigned char *at)
{
    uint64_t length = 0;

    for (int i = 0; i < 8; i++)
        length |= (uint64_t)at[i] << (8 * i);
    return length > INT64_MAX ? -1 : (int64_t)length;
}

/* The folder of path, "." where it names none, and its last name, which is borrowed; NULL. */
static char *capture_folder(const char *path, const char **name, struct nuce_error *error)
{
    const char *slash = strrchr(path, '/');

    *name = slash == NULL ? path : slash + 1;
    return slash == NULL   ? nuce_text_format(error, ".")
           : slash == path ? nuce_text_format(error, "/")
                           : nuce_text_format(error, "%.*s", (int)(slash - path), path);
}

static nuce_status pack(const struct nuce_wire *wire, const char *path, struct nuce_error *error)
{
    uLongf packed = compressBound((uLong)wire->length);
    unsigned char *file = nuce_allocate((int64_t)(HEAD_BYTES + packed), 1, error);
    char hex[NUCE_HASH_BYTES], *folder = NULL;
    const char *name;

    if (file == NULL)
        return error->status;
    error->status = NUCE_OK;
    if (compress2(file + HEAD_BYTES, &packed, wire->data, (uLong)wire->length,
                  Z_BEST_COMPRESSION) != Z_OK) {
        (void)nuce_error_set(error, NUCE_FAILED, "%s: cannot be compressed", path);
    } else if (nuce_hash(file + HEAD_BYTES, packed, hex, error) == NUCE_OK) {
        memcpy(file, first_line, FIRST_LINE_BYTES);
        put_length(file + FIRST_LINE_BYTES, wire->length);
        put_length(file + FIRST_LINE_BYTES + 8, (int64_t)packed);
        memcpy(file + FIRST_LINE_BYTES + 16, hex, DIGEST_BYTES);
        folder = capture_folder(path, &name, error);
        if (folder != NULL)
            error->status = nuce_safe_write(folder, name, file, HEAD_BYTES + packed, error);
    }
    free(folder);
    free(file);
    return error->status;
}

nuce_status nuce_capture_write(const struct nuce_capture *capture, const char *path,
                               struct nuce_error *error)
{
    struct nuce_wire wire = {0};
    nuce_status status;

    put_capture(&wire, capture);
    status = wire.is_bad ? nuce_error_set(error, NUCE_FAILED, "%s: out of memory", path)
                         : pack(&wire, path, error);
    free(wire.data);
    return status;
}

/* Reading. A reader that is_bad goes on with the least of everything, and is asked at the end. */

static nuce_status get_times(struct nuce_wire *wire, struct nuce_capture_times *times,
                             struct nuce_error *error)
{
    int64_t classes, at = -1;

    times->count = nuce_wire_get(wire, 0, INT64_MAX);
    if (times->count == 0)
        return NUCE_OK;
    times->least = nuce_wire_get(wire, 0, INT64_MAX);
    times->most = nuce_wire_get(wire, times->least, INT64_MAX);
    times->sum = (double)nuce_wire_get(wire, 0, INT64_MAX);
    times->classes = nuce_allocate(NUCE_CAPTURE_CLASSES, sizeof *times->classes, error);
    if (times->classes == NULL)
        return error->status;
    classes = nuce_wire_get(wire, 0, NUCE_CAPTURE_CLASSES);
    for (int64_t i = 0; i < classes && !wire->is_bad; i++) {
        at += 1 + nuce_wire_get(wire, 0, NUCE_CAPTURE_CLASSES);
        if (at >= NUCE_CAPTURE_CLASSES)
            wire->is_bad = 1;
        else
            times->classes[at] = nuce_wire_get(wire, 0, INT64_MAX);
    }
    return NUCE_OK;
}

/* A new array of count elements of the file, each of which takes a byte at least. */
static void *get_array(struct nuce_wire *wire, int64_t count, size_t size, struct nuce_error *error)
{
    if (count > wire->length - wire->at) {
        wire->is_bad = 1;
        count = 0;
    }
    return nuce_allocate(count, size, error);
}

static nuce_status get_head(struct nuce_wire *wire, char version, struct nuce_capture *capture,
                            struct nuce_error *error)
{
    nuce_wire_get_text(wire, capture->library, sizeof capture->library);
    nuce_wire_get_text(wire, capture->program, sizeof capture->program);
    if (version >= '2')
        nuce_wire_get_text(wire, capture->origin, sizeof capture->origin);
    capture->ranks = (int)nuce_wire_get(wire, 1, NUCE_RAW_MOST_RANKS);
    capture->found = (int)nuce_wire_get(wire, 0, capture->ranks);
    for (int i = 0; i < 3; i++)
        capture->endings[i] = (int)nuce_wire_get(wire, 0, capture->ranks);
    capture->hosts = (int)nuce_wire_get(wire, 0, capture->ranks);
    capture->host = get_array(wire, capture->hosts, sizeof *capture->host, error);
    capture->host_of = get_array(wire, capture->ranks, sizeof *capture->host_of, error);
    if (capture->host == NULL || capture->host_of == NULL)
        return error->status;
    for (int i = 0; i < capture->hosts && !wire->is_bad; i++)
        nuce_wire_get_text(wire, capture->host[i], sizeof capture->host[i]);
    for (int i = 0; i < capture->ranks && !wire->is_bad; i++)
        capture->host_of[i] = (int)nuce_wire_get(wire, 0, capture->hosts) - 1;
    capture->clock_error_ns = nuce_wire_get(wire, 0, INT64_MAX);
    capture->elapsed_ns = nuce_wire_get(wire, 0, INT64_MAX);
    capture->all_ranks_ns = (double)nuce_wire_get(wire, 0, INT64_MAX);
    (void)nuce_wire_get(wire, NUCE_RAW_COUNTERS, NUCE_RAW_COUNTERS);
    for (int i = 0; i < NUCE_RAW_COUNTERS; i++)
        capture->counters[i] = nuce_wire_get(wire, 0, INT64_MAX);
    capture->unmatched = nuce_wire_get(wire, 0, INT64_MAX);
    capture->cut_files = nuce_wire_get(wire, 0, INT64_MAX);
    return NUCE_OK;
}

/* A world rank, relative to another. */
static int get_rank(struct nuce_wire *wire, const struct nuce_capture *capture, int64_t before)
{
    int64_t difference = nuce_wire_get_signed(wire);

    if (difference < -before || difference >= capture->ranks - before) {
        wire->is_bad = 1;
        return 0;
    }
    return (int)(before + difference);
}

static nuce_status get_communicators(struct nuce_wire *wire, struct nuce_capture *capture,
                                     struct nuce_error *error)
{
    int64_t count = nuce_wire_get(wire, 0, INT_MAX);

    capture->communicator = get_array(wire, count, sizeof *capture->communicator, error);
    capture->sequence = get_array(wire, count, sizeof *capture->sequence, error);
    if (capture->communicator == NULL || capture->sequence == NULL)
        return error->status;
    while (capture->communicators < count && !wire->is_bad) {
        struct nuce_capture_communicator *each = &capture->communicator[capture->communicators++];

        each->size = (int)nuce_wire_get(wire, 1, capture->ranks);
        each->ordinal = (int)nuce_wire_get(wire, 0, INT_MAX);
        each->members = get_array(wire, each->size, sizeof *each->members, error);
        if (each->members == NULL)
            return error->status;
        for (int i = 0; i < each->size && !wire->is_bad; i++)
            each->members[i] = get_rank(wire, capture, i > 0 ? each->members[i - 1] : 0);
    }
    return NUCE_OK;
}

static nuce_status get_topologies(struct nuce_wire *wire, struct nuce_capture *capture,
                                  struct nuce_error *error)
{
    int64_t count = nuce_wire_get(wire, 0, INT_MAX);

    capture->topology = get_array(wire, count, sizeof *capture->topology, error);
    if (capture->topology == NULL)
        return error->status;
    while (capture->topologies < count && !wire->is_bad) {
        struct nuce_capture_topology *each = &capture->topology[capture->topologies++];

        each->messages = nuce_wire_get_count(wire);
        each->source = get_array(wire, each->messages, sizeof *each->source, error);
        each->destination = get_array(wire, each->messages, sizeof *each->destination, error);
        if (each->source == NULL || each->destination == NULL)
            return error->status;
        for (int64_t i = 0; i < each->messages && !wire->is_bad; i++) {
            int64_t before = i > 0 ? each->source[i - 1] : 0;

            each->source[i] = (int)(before + nuce_wire_get(wire, 0, capture->ranks - 1 - before));
            each->destination[i] = get_rank(wire, capture, each->source[i]);
        }
    }
    return NUCE_OK;
}

/* The kind of that name; 0, and is_bad: there is none. */
static int get_kind(struct nuce_wire *wire)
{
    char name[32];

    nuce_wire_get_text(wire, name, sizeof name);
    for (int kind = NUCE_RAW_NO_KIND + 1; kind < NUCE_RAW_KINDS_END; kind++) {
        if (strcmp(name, nuce_raw_kind_name(kind)) == 0)
            return kind;
    }
    wire->is_bad = 1;
    return NUCE_RAW_KIND_exchange;
}

/* Whether all ranks of the topology are members of the communicator. */
static int is_within(const struct nuce_capture *capture, const struct nuce_capture_pattern *pattern,
                     int *is_member)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];
    const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
    int good = 1;

    for (int i = 0; i < communicator->size; i++)
        is_member[communicator->members[i]] = 1;
    for (int64_t i = 0; i < topology->messages; i++)
        good &= is_member[topology->source[i]] && is_member[topology->destination[i]];
    for (int i = 0; i < communicator->size; i++)
        is_member[communicator->members[i]] = 0;
    return good;
}

static nuce_status get_kept(struct nuce_wire *wire, int size, struct nuce_capture_pattern *pattern,
                            struct nuce_error *error)
{
    int64_t count;

    pattern->kept = (int)nuce_wire_get(wire, 0, NUCE_CAPTURE_MOST_KEPT);
    count = (int64_t)pattern->kept * size;
    pattern->kept_class = get_array(wire, count, sizeof *pattern->kept_class, error);
    if (pattern->kept_class == NULL)
        return error->status;
    for (int64_t i = 0; i < count && !wire->is_bad; i++)
        pattern->kept_class[i] = (unsigned char)nuce_wire_get(wire, 0, NUCE_CAPTURE_CLASSES - 1);
    return NUCE_OK;
}

static nuce_status get_pattern(struct nuce_wire *wire, char version,
                               const struct nuce_capture *capture,
                               struct nuce_capture_pattern *pattern, struct nuce_error *error)
{
    int64_t messages;
    int size;

    nuce_wire_get_text(wire, pattern->id, sizeof pattern->id);
    wire->is_bad |= strspn(pattern->id, "0123456789abcdef") != NUCE_CAPTURE_ID - 1;
    pattern->kind = get_kind(wire);
    pattern->quality =
        (enum nuce_capture_quality)nuce_wire_get(wire, 0, NUCE_CAPTURE_QUALITIES - 1);
    pattern->communicator = (int)nuce_wire_get(wire, 0, capture->communicators - 1);
    pattern->topology = (int)nuce_wire_get(wire, 0, capture->topologies - 1);
    pattern->moved = nuce_wire_get(wire, 0, INT64_MAX);
    pattern->calls = nuce_wire_get(wire, 0, INT64_MAX);
    pattern->rank_ns = (double)nuce_wire_get(wire, 0, INT64_MAX);
    if (wire->is_bad)
        return NUCE_OK;
    messages = capture->topology[pattern->topology].messages;
    size = capture->communicator[pattern->communicator].size;
    pattern->bytes = get_array(wire, messages, sizeof *pattern->bytes, error);
    pattern->arrival_ns = get_array(wire, size, sizeof *pattern->arrival_ns, error);
    if (pattern->bytes == NULL || pattern->arrival_ns == NULL)
        return error->status;
    for (int64_t i = 0; i < messages && !wire->is_bad; i++) {
        int64_t before = i > 0 ? pattern->bytes[i - 1] : 0, difference = nuce_wire_get_signed(wire);

        if (difference < -before || difference > MOST_BYTES - before)
            wire->is_bad = 1;
        else
            pattern->bytes[i] = before + difference;
    }
    if (get_times(wire, &pattern->duration, error) != NUCE_OK ||
        get_times(wire, &pattern->skew, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < size && !wire->is_bad; i++)
        pattern->arrival_ns[i] = (double)nuce_wire_get(wire, 0, INT64_MAX);
    return version < '3' ? NUCE_OK : get_kept(wire, size, pattern, error);
}

static nuce_status get_patterns(struct nuce_wire *wire, char version, struct nuce_capture *capture,
                                struct nuce_error *error)
{
    int64_t count = nuce_wire_get(wire, 0, INT_MAX);
    int *is_member = nuce_allocate(capture->ranks, sizeof *is_member, error);

    capture->pattern = get_array(wire, count, sizeof *capture->pattern, error);
    if (capture->pattern == NULL || is_member == NULL) {
        free(is_member);
        return error->status;
    }
    error->status = NUCE_OK;
    while (capture->patterns < count && !wire->is_bad && error->status == NUCE_OK) {
        struct nuce_capture_pattern *pattern = &capture->pattern[capture->patterns++];

        error->status = get_pattern(wire, version, capture, pattern, error);
        if (error->status == NUCE_OK && !wire->is_bad)
            wire->is_bad |= !is_within(capture, pattern, is_member);
    }
    free(is_member);
    return error->status;
}

/* The runs must have all patterns and calls between them. */
static nuce_status get_sequence(struct nuce_wire *wire, const struct nuce_capture *capture,
                                struct nuce_capture_sequence *out, struct nuce_error *error)
{
    int64_t count = nuce_wire_get(wire, 0, INT64_MAX), runs = nuce_wire_get_count(wire);
    int64_t patterns = nuce_wire_get_count(wire);

    out->run = get_array(wire, runs, sizeof *out->run, error);
    out->pattern = get_array(wire, patterns, sizeof *out->pattern, error);
    if (out->run == NULL || out->pattern == NULL)
        return error->status;
    while (out->runs < runs && !wire->is_bad) {
        struct nuce_capture_run *run = &out->run[out->runs++];

        run->length = nuce_wire_get(wire, 1, patterns - out->patterns);
        run->times =
            nuce_wire_get(wire, 1, (count - out->count) / (run->length > 0 ? run->length : 1));
        out->count += run->length * run->times;
        for (int64_t k = 0; k < run->length && !wire->is_bad; k++)
            out->pattern[out->patterns++] = (int)nuce_wire_get(wire, 0, capture->patterns - 1);
    }
    wire->is_bad |= out->count != count || out->patterns != patterns;
    return NUCE_OK;
}

static nuce_status get_sequences(struct nuce_wire *wire, struct nuce_capture *capture,
                                 struct nuce_error *error)
{
    for (int i = 0; i < capture->communicators && !wire->is_bad; i++) {
        if (get_sequence(wire, capture, &capture->sequence[i], error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status get_capture(const char *name, char version, struct nuce_wire *wire,
                               struct nuce_capture *capture, struct nuce_error *error)
{
    if (get_head(wire, version, capture, error) != NUCE_OK ||
        get_communicators(wire, capture, error) != NUCE_OK ||
        get_topologies(wire, capture, error) != NUCE_OK ||
        get_patterns(wire, version, capture, error) != NUCE_OK ||
        get_sequences(wire, capture, error) != NUCE_OK)
        return error->status;
    if (wire->is_bad || wire->at != wire->length)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: its content is damaged", name);
    return NUCE_OK;
}

/* Checks what stands before the content; its lengths. */
static nuce_status check_head(const char *name, const unsigned char *data, size_t length,
                              int64_t *whole, struct nuce_error *error)
{
    char hex[NUCE_HASH_BYTES];
    int64_t packed;

    if (length < FIRST_LINE_BYTES || memcmp(data, "nuce capture ", 13) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a capture of nuce", name);
    if (data[VERSION_AT] < '1' || data[VERSION_AT] > NEWEST[0] ||
        data[FIRST_LINE_BYTES - 1] != '\n')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: of another version: expected 'nuce capture 1' to " NEWEST, name);
    if (length < HEAD_BYTES)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: cut short: it has %zu bytes", name,
                              length);
    *whole = get_length(data + FIRST_LINE_BYTES);
    packed = get_length(data + FIRST_LINE_BYTES + 8);
    if (packed != (int64_t)(length - HEAD_BYTES))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: cut short or longer: it has %zu bytes, expected %lld", name,
                              length, (long long)packed + (long long)HEAD_BYTES);
    if (nuce_hash(data + HEAD_BYTES, length - HEAD_BYTES, hex, error) != NUCE_OK)
        return error->status;
    if (memcmp(data + FIRST_LINE_BYTES + 16, hex, DIGEST_BYTES) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: its checksum does not fit",
                              name);
    if (*whole < 1 || *whole / MOST_RATIO > packed)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: its lengths do not fit", name);
    return NUCE_OK;
}

nuce_status nuce_capture_parse(const char *name, const void *data, size_t length,
                               struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_capture capture = {0};
    struct nuce_wire wire = {0};
    int64_t whole = 0;
    uLongf unpacked;

    if (check_head(name, data, length, &whole, error) != NUCE_OK)
        return error->status;
    wire.data = nuce_allocate(whole, 1, error);
    if (wire.data == NULL)
        return error->status;
    unpacked = (uLongf)whole;
    if (uncompress(wire.data, &unpacked, (const unsigned char *)data + HEAD_BYTES,
                   (uLong)(length - HEAD_BYTES)) != Z_OK ||
        (int64_t)unpacked != whole)
        error->status =
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: it cannot be unpacked", name);
    else {
        wire.length = whole;
        error->status = get_capture(name, ((const char *)data)[VERSION_AT], &wire, &capture, error);
    }
    free(wire.data);
    if (error->status == NUCE_OK)
        *out = capture;
    else
        nuce_capture_fini(&capture);
    return error->status;
}

nuce_status nuce_capture_read(const char *path, struct nuce_capture *out, struct nuce_error *error)
{
    char *text;
    size_t length;

    if (nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    error->status = nuce_capture_parse(path, text, length, out, error);
    free(text);
    return error->status;
}
