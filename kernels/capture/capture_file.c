/* A capture as a file: a line that names it, then lengths, the SHA-256 of the rest, and the
 * content as an .xz stream (FORMAT.md). Time and memory are O(content). A file
 * is at least about 1/MOST_RATIO of its unpacked content. A reader unpacks at most MOST_RATIO
 * times per file's own length, and allocates in proportion to that (content.c). */
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "capture/content.h"

/* The first line. The version rises with each change of the content; a file of an older version
 * is refused with its version. Raw files outlive a version. */
#define VERSION_LINE "nuce capture 6"
#define FAMILY_BYTES (sizeof VERSION_LINE - 2) /* without the version */
static const char first_line[] = VERSION_LINE "\n";
#define FIRST_LINE_BYTES (sizeof first_line - 1)
#define DIGEST_BYTES (NUCE_HASH_BYTES - 1)
#define HEAD_BYTES (FIRST_LINE_BYTES + 16 + DIGEST_BYTES)

/* LZMA packs at most about 7 000 to 1. A file that claims more is damaged or hostile, and would
 * cause a large allocation. */
#define MOST_RATIO 8192

/* How far back LZMA searches, in bytes. A writer needs about twelve times as much memory, a
 * reader as much. */
#define MOST_DICTIONARY (16 << 20)

/* Contents with stamps may be long. Beyond this size a lower compression level bounds the time. */
#define LARGE (4 << 20)
#define SMALL_PRESET (LZMA_PRESET_DEFAULT | LZMA_PRESET_EXTREME)
#define LARGE_PRESET 2

/* Writes 8 bytes, least significant first, on every machine. */
static void put_length(unsigned char *at, int64_t length)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)((uint64_t)length >> (8 * i));
}

/* Returns -1 if the number exceeds int64_t. */
static int64_t get_length(const unsigned char *at)
{
    uint64_t length = 0;

    for (int i = 0; i < 8; i++)
        length |= (uint64_t)at[i] << (8 * i);
    return length > INT64_MAX ? -1 : (int64_t)length;
}

/* Packs the lengths of the columns, then the columns, as an .xz stream. HEAD_BYTES are left free
 * before the packed bytes and filled when these are known. Numbers of one byte do not depend on
 * their position, so no context bits are spent on the position or the byte before (lc, lp, pb).
 * The file is written under a temporary name and renamed, so a reader never sees half a capture. */
nuce_status nuce_capture_write(const struct nuce_capture *capture, const char *path,
                               struct nuce_error *error)
{
    struct nuce_wire wires[NUCE_COLUMNS + 1] = {0};
    int64_t columns = NUCE_COLUMNS, whole = 0, packed, room;
    lzma_options_lzma options;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_stream stream = LZMA_STREAM_INIT;
    unsigned char *file;
    char hex[NUCE_HASH_BYTES];
    nuce_status status;
    int good;

    nuce_capture_put(capture, wires + 1);
    nuce_wire_number(&wires[0], &columns, NUCE_COLUMNS, NUCE_COLUMNS);
    for (int i = 1; i <= NUCE_COLUMNS; i++)
        nuce_wire_count(&wires[0], &wires[i].length);
    for (int i = 0; i <= NUCE_COLUMNS; i++)
        whole += wires[i].length;
    /* The bound holds for a single call; here there is one call a column. */
    room = (int64_t)lzma_stream_buffer_bound((size_t)whole) + whole / 1000 + 1024;
    file = nuce_allocate((int64_t)HEAD_BYTES + room, 1);
    good = !lzma_lzma_preset(&options, whole < LARGE ? SMALL_PRESET : LARGE_PRESET);
    options.dict_size = (uint32_t)(whole < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN
                                   : whole < MOST_DICTIONARY  ? whole
                                                              : MOST_DICTIONARY);
    options.lc = options.lp = options.pb = 0;
    good = good && lzma_stream_encoder(&stream, filters, LZMA_CHECK_NONE) == LZMA_OK;
    stream.next_out = file + HEAD_BYTES;
    stream.avail_out = (size_t)room;
    for (int i = 0; good && i <= NUCE_COLUMNS; i++) {
        stream.next_in = wires[i].data;
        stream.avail_in = (size_t)wires[i].length;
        good = stream.avail_in == 0 ||
               (lzma_code(&stream, LZMA_RUN) == LZMA_OK && stream.avail_in == 0);
    }
    good = good && lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END;
    packed = room - (int64_t)stream.avail_out;
    lzma_end(&stream);
    if (!good) {
        status = nuce_error_set(error, NUCE_FAILED, "%s: cannot be compressed", path);
    } else {
        const char *slash = strrchr(path, '/');
        char *folder = slash == NULL   ? nuce_text_format(".")
                       : slash == path ? nuce_text_format("/")
                                       : nuce_text_format("%.*s", (int)(slash - path), path);

        nuce_hash(file + HEAD_BYTES, (size_t)packed, hex);
        memcpy(file, first_line, FIRST_LINE_BYTES);
        put_length(file + FIRST_LINE_BYTES, whole);
        put_length(file + FIRST_LINE_BYTES + 8, packed);
        memcpy(file + FIRST_LINE_BYTES + 16, hex, DIGEST_BYTES);
        status = nuce_safe_write(folder, slash == NULL ? path : slash + 1, file,
                                 HEAD_BYTES + (size_t)packed, error);
        free(folder);
    }
    for (int i = 0; i <= NUCE_COLUMNS; i++)
        free(wires[i].data);
    free(file);
    return status;
}

/* Reads the head first: version, lengths, checksum. Another version is reported before damage,
 * so the order of checks matters. */
nuce_status nuce_capture_parse(const char *name, const void *data, size_t length,
                               struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_capture capture = {0};
    struct nuce_wire column[NUCE_COLUMNS], lengths = {.is_read = 1};
    uint64_t most_memory = MOST_DICTIONARY + (1 << 20);
    size_t in = HEAD_BYTES, out_at = 0;
    const unsigned char *head = data;
    unsigned char *content;
    int64_t whole, packed, columns, at;
    char hex[NUCE_HASH_BYTES];
    nuce_status status;

    if (length < FIRST_LINE_BYTES || memcmp(data, VERSION_LINE, FAMILY_BYTES) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a capture of nuce", name);
    if (memcmp(data, first_line, FIRST_LINE_BYTES) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: of another version: expected '" VERSION_LINE "'", name);
    if (length < HEAD_BYTES)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: cut short: it has %zu bytes", name,
                              length);
    whole = get_length(head + FIRST_LINE_BYTES);
    packed = get_length(head + FIRST_LINE_BYTES + 8);
    if (packed != (int64_t)(length - HEAD_BYTES))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: cut short or longer: it has %zu bytes, expected %lld", name,
                              length, (long long)packed + (long long)HEAD_BYTES);
    nuce_hash(head + HEAD_BYTES, length - HEAD_BYTES, hex);
    if (memcmp(head + FIRST_LINE_BYTES + 16, hex, DIGEST_BYTES) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: its checksum does not fit",
                              name);
    if (whole < 1 || whole / MOST_RATIO > packed)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: its lengths do not fit", name);
    if (nuce_allocate_check(whole, 1, error) != NUCE_OK)
        return error->status;
    content = nuce_allocate(whole, 1);
    if (lzma_stream_buffer_decode(&most_memory, 0, NULL, data, &in, length, content, &out_at,
                                  (size_t)whole) != LZMA_OK ||
        in != length || (int64_t)out_at != whole) {
        free(content);
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: it cannot be unpacked", name);
    }
    /* The columns borrow the content's bytes; their lengths add up to exactly the bytes present. */
    lengths.data = content;
    lengths.length = whole;
    nuce_wire_number(&lengths, &columns, NUCE_COLUMNS, NUCE_COLUMNS);
    for (int i = 0; i < NUCE_COLUMNS; i++) {
        column[i] = (struct nuce_wire){.is_read = 1};
        nuce_wire_count(&lengths, &column[i].length);
    }
    at = lengths.at;
    for (int i = 0; i < NUCE_COLUMNS && !lengths.is_bad; at += column[i++].length) {
        column[i].data = content + at;
        lengths.is_bad = column[i].length > whole - at;
    }
    status = lengths.is_bad || at != whole
                 ? nuce_error_set(error, NUCE_BAD_INPUT, "%s: its content is damaged", name)
                 : nuce_capture_get(name, column, &capture, error);
    free(content);
    if (status == NUCE_OK)
        *out = capture;
    else
        nuce_capture_fini(&capture);
    return status;
}

nuce_status nuce_capture_read(const char *path, struct nuce_capture *out, struct nuce_error *error)
{
    char *text;
    size_t length;
    nuce_status status;

    if (nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    status = nuce_capture_parse(path, text, length, out, error);
    free(text);
    return status;
}
