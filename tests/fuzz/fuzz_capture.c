/* The readers of nuce capture: whatever the bytes, a capture or a raw file that keeps the promises
 * of its header, or a message that names the file. The checksum is corrected, so that the content
 * is read too. The first byte chooses the reader, the rest is its file. */
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "capture/capture.h"
#include "capture/raw_read.h"
#include "fuzz.h"

static void check_capture(const struct nuce_capture *capture)
{
    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        struct nuce_pattern com;
        struct nuce_error error;

        NUCE_ASSERT(pattern->communicator >= 0 && pattern->communicator < capture->communicators);
        NUCE_ASSERT(pattern->topology >= 0 && pattern->topology < capture->topologies);
        if (nuce_capture_com(capture, pattern, &com, &error) == NUCE_OK)
            nuce_pattern_fini(&com);
    }
    for (int i = 0; i < capture->communicators; i++) {
        for (int64_t k = 0; k < capture->sequence[i].patterns; k++)
            NUCE_ASSERT(capture->sequence[i].pattern[k] >= 0 &&
                        capture->sequence[i].pattern[k] < capture->patterns);
    }
}

/* With a dictionary that costs little to set up. */
static lzma_ret pack(const uint8_t *data, size_t size, unsigned char *out, size_t *length,
                     size_t room)
{
    lzma_options_lzma options;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};

    NUCE_ASSERT(!lzma_lzma_preset(&options, 0));
    options.dict_size = LZMA_DICT_SIZE_MIN;
    return lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL, data, size, out, length, room);
}

/* As the content of a file of that version whose checksum fits. */
static void read_content(const char *line, const uint8_t *data, size_t size)
{
    size_t room = lzma_stream_buffer_bound(size), packed = 0, head = strlen(line) + 16 + 64;
    struct nuce_capture capture;
    struct nuce_error error;
    char hex[NUCE_HASH_BYTES];
    unsigned char *file = nuce_allocate((int64_t)(head + room), 1);

    NUCE_ASSERT(file != NULL);
    NUCE_ASSERT(pack(data, size, file + head, &packed, room) == LZMA_OK);
    memcpy(file, line, strlen(line));
    for (int i = 0; i < 8; i++) {
        file[strlen(line) + (size_t)i] = (unsigned char)(size >> (8 * i));
        file[strlen(line) + 8 + (size_t)i] = (unsigned char)(packed >> (8 * i));
    }
    nuce_hash(file + head, packed, hex);
    memcpy(file + strlen(line) + 16, hex, 64);
    if (nuce_capture_parse("fuzz", file, head + packed, &capture, &error) == NUCE_OK) {
        check_capture(&capture);
        nuce_capture_fini(&capture);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT || error.status == NUCE_FAILED);
    }
    free(file);
}

static void read_raw(const uint8_t *data, size_t size)
{
    struct nuce_raw_rank rank;
    struct nuce_error error;
    char *text = nuce_allocate((int64_t)size, 1);

    NUCE_ASSERT(text != NULL);
    memcpy(text, data, size);
    if (nuce_raw_parse("fuzz", text, size, &rank, &error) == NUCE_OK) {
        NUCE_ASSERT(rank.header->rank < rank.header->ranks);
        for (int64_t i = 0; i < rank.call_count; i++)
            NUCE_ASSERT(rank.calls[i]->definition <= rank.definition_count);
        nuce_raw_rank_fini(&rank);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_capture capture;
    struct nuce_error error;

    if (size < 2)
        return 0;
    if (data[0] == 'c')
        read_content("nuce capture 6\n", data + 1, size - 1);
    else if (data[0] == 'r')
        read_raw(data + 1, size - 1);
    else if (nuce_capture_parse("fuzz", data, size, &capture, &error) == NUCE_OK)
        nuce_capture_fini(&capture);
    return 0;
}
