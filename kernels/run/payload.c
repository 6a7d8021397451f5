/* Two buffers a rank, with messages in the order of the other ranks, and the start of each; or the
 * addresses of messages in an application's memory.
 * Cost: O(ranks log messages) to lay out, because a rank's column is looked up in every row;
 * memory for all sent and received bytes, and 12 bytes per message. The content of a message
 * follows from source, destination, place and salt, so a receiver can compute the expected bytes
 * by itself. */
#include "run/payload.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"

/* One buffer a use, made by its first user. */

/* The first request makes the buffer. A larger request later gets a buffer of its own, because
 * the shared one may be in use and must not move. */
unsigned char *nuce_buffers_take(struct nuce_buffers *shared, enum nuce_buffer_use use,
                                 int64_t bytes, int *is_shared, struct nuce_error *error)
{
    *is_shared = shared != NULL && (shared->data[use] == NULL || shared->bytes[use] >= bytes);
    if (!*is_shared)
        return nuce_allocate_buffer(bytes, error);
    if (shared->data[use] == NULL) {
        shared->data[use] = nuce_allocate_buffer(bytes, error);
        shared->bytes[use] = bytes;
    }
    return shared->data[use];
}

int64_t nuce_buffers_bytes(const struct nuce_buffers *shared)
{
    int64_t sum = 0;

    for (int use = 0; shared != NULL && use < NUCE_BUFFER_USES; use++)
        sum += shared->data[use] != NULL ? shared->bytes[use] : 0;
    return sum;
}

void nuce_buffers_fini(struct nuce_buffers *shared)
{
    for (int use = 0; use < NUCE_BUFFER_USES; use++)
        free(shared->data[use]);
    *shared = (struct nuce_buffers){.bytes = {0}};
}

/* The words of a message. */
#define WORD_BYTES ((int64_t)sizeof(uint64_t))

/* True if the message between the rank and peer, which exists, is in the buffers. */
static int is_buffered(const struct nuce_payload *payload, int peer)
{
    return peer != payload->rank || payload->own.copy == NULL;
}

/* The lists of messages and their places in buffers, which begin at 0: each message begins at the
 * end of the previous one. */
static struct nuce_payload payload_lists(const struct nuce_pattern *pattern, int rank,
                                         const struct nuce_own_copy *own)
{
    struct nuce_payload payload = {.rank = rank};
    int count = 0;

    if (own != NULL)
        payload.own = *own;
    for (int64_t k = pattern->row[rank]; k < pattern->row[rank + 1]; k++)
        payload.sends += is_buffered(&payload, pattern->destination[k]);
    for (int source = 0; source < pattern->ranks; source++)
        payload.receives +=
            nuce_pattern_find(pattern, source, rank) >= 0 && is_buffered(&payload, source);
    payload.destination = nuce_allocate(payload.sends, sizeof(int));
    payload.source = nuce_allocate(payload.receives, sizeof(int));
    payload.send_at = nuce_allocate((int64_t)payload.sends + 1, sizeof(int64_t));
    payload.receive_at = nuce_allocate((int64_t)payload.receives + 1, sizeof(int64_t));
    for (int64_t k = pattern->row[rank]; k < pattern->row[rank + 1]; k++) {
        if (!is_buffered(&payload, pattern->destination[k]))
            continue;
        payload.destination[count] = pattern->destination[k];
        payload.send_at[count + 1] = payload.send_at[count] + pattern->bytes[k];
        count++;
    }
    count = 0;
    for (int source = 0; source < pattern->ranks; source++) {
        int64_t entry = nuce_pattern_find(pattern, source, rank);

        if (entry < 0 || !is_buffered(&payload, source))
            continue;
        payload.source[count] = source;
        payload.receive_at[count + 1] = payload.receive_at[count] + pattern->bytes[entry];
        count++;
    }
    return payload;
}

nuce_status nuce_payload_init(const struct nuce_pattern *pattern, int rank,
                              const struct nuce_own_copy *own, struct nuce_buffers *shared,
                              struct nuce_payload *out, struct nuce_error *error)
{
    struct nuce_payload payload = payload_lists(pattern, rank, own);

    payload.send = nuce_buffers_take(shared, NUCE_BUFFER_SEND, payload.send_at[payload.sends],
                                     &payload.shares_send, error);
    payload.receive =
        nuce_buffers_take(shared, NUCE_BUFFER_RECEIVE, payload.receive_at[payload.receives],
                          &payload.shares_receive, error);
    if (payload.send == NULL || payload.receive == NULL) {
        nuce_payload_fini(&payload);
        return error->status;
    }
    *out = payload;
    return NUCE_OK;
}

void nuce_payload_init_at(const struct nuce_pattern *pattern, int rank, unsigned char *const *from,
                          unsigned char *const *to, struct nuce_payload *out)
{
    *out = payload_lists(pattern, rank, NULL);
    out->from = nuce_allocate(out->sends, sizeof *out->from);
    out->to = nuce_allocate(out->receives, sizeof *out->to);
    for (int k = 0; k < out->sends; k++)
        out->from[k] = from[out->destination[k]];
    for (int k = 0; k < out->receives; k++)
        out->to[k] = to[out->source[k]];
}

void nuce_payload_init_in(const struct nuce_pattern *pattern, int rank, unsigned char *send,
                          unsigned char *receive, struct nuce_payload *out)
{
    *out = payload_lists(pattern, rank, NULL);
    out->send = send;
    out->receive = receive;
    out->shares_send = out->shares_receive = 1;
}

struct nuce_payload nuce_payload_reverse(const struct nuce_payload *payload)
{
    return (struct nuce_payload){.rank = payload->rank,
                                 .sends = payload->receives,
                                 .receives = payload->sends,
                                 .destination = payload->source,
                                 .source = payload->destination,
                                 .send_at = payload->receive_at,
                                 .receive_at = payload->send_at,
                                 .send = payload->receive,
                                 .receive = payload->send};
}

void nuce_payload_fini(struct nuce_payload *payload)
{
    free(payload->destination);
    free(payload->source);
    free(payload->send_at);
    free(payload->receive_at);
    free(payload->from);
    free(payload->to);
    if (!payload->shares_send)
        free(payload->send);
    if (!payload->shares_receive)
        free(payload->receive);
    memset(payload, 0, sizeof *payload);
}

static int find_rank(const int *ranks, int count, int wanted)
{
    int low = 0, high = count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (ranks[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    NUCE_ASSERT(low < count && ranks[low] == wanted);
    return low;
}

unsigned char *nuce_payload_from(const struct nuce_payload *payload,
                                 const struct nuce_transfer *piece)
{
    int index;

    if (piece->bytes == 0)
        return payload->send;
    index = find_rank(payload->destination, payload->sends, piece->peer);
    if (payload->from != NULL)
        return payload->from[index] + piece->offset;
    return payload->send + payload->send_at[index] + piece->offset;
}

unsigned char *nuce_payload_to(const struct nuce_payload *payload,
                               const struct nuce_transfer *piece)
{
    int index;

    if (piece->bytes == 0)
        return payload->receive;
    index = find_rank(payload->source, payload->receives, piece->peer);
    if (payload->to != NULL)
        return payload->to[index] + piece->offset;
    return payload->receive + payload->receive_at[index] + piece->offset;
}

void nuce_payload_copy_own(const struct nuce_payload *payload)
{
    if (payload->own.copy != NULL)
        payload->own.copy(payload->own.context);
}

static uint64_t message_key(int source, int destination, uint64_t salt)
{
    return nuce_rng_mix(nuce_rng_mix(((uint64_t)(unsigned)source << 32) | (unsigned)destination) +
                        salt);
}

/* Byte k of a message is byte k mod 8, from the lowest, of the mixed word k / 8. This function
 * gives these eight bytes as they are in memory. */
static uint64_t word_of_message(int64_t index, uint64_t key)
{
    return htole64(nuce_rng_mix(key + (uint64_t)index));
}

static void fill_message(unsigned char *data, int64_t bytes, uint64_t key, uint64_t flip)
{
    int64_t whole = bytes - bytes % WORD_BYTES;
    uint64_t word;

    for (int64_t k = 0; k < whole; k += WORD_BYTES) {
        word = word_of_message(k / WORD_BYTES, key) ^ flip;
        memcpy(data + k, &word, WORD_BYTES);
    }
    word = word_of_message(whole / WORD_BYTES, key) ^ flip;
    memcpy(data + whole, &word, (size_t)(bytes - whole));
}

void nuce_payload_fill(struct nuce_payload *payload, uint64_t salt)
{
    for (int i = 0; i < payload->sends; i++)
        fill_message(payload->send + payload->send_at[i],
                     payload->send_at[i + 1] - payload->send_at[i],
                     message_key(payload->rank, payload->destination[i], salt), 0);
    for (int i = 0; i < payload->receives; i++)
        fill_message(payload->receive + payload->receive_at[i],
                     payload->receive_at[i + 1] - payload->receive_at[i],
                     message_key(payload->source[i], payload->rank, salt), UINT64_MAX);
}

struct payload_difference {
    int64_t wrong;  /* bytes */
    int64_t offset; /* of the first wrong byte, in its message */
    int message;    /* index of the first wrong message */
    unsigned char expected;
};

/* data: the bytes from offset to end of a message. Whole words are compared first: nearly all
 * are right. */
static void compare_message(const unsigned char *data, int64_t offset, int64_t end, uint64_t key,
                            int message, struct payload_difference *difference)
{
    for (int64_t k = offset - offset % WORD_BYTES; k < end; k += WORD_BYTES) {
        int64_t first = k > offset ? k : offset, last = k + WORD_BYTES < end ? k + WORD_BYTES : end;
        uint64_t word = word_of_message(k / WORD_BYTES, key);
        unsigned char expected[WORD_BYTES];

        if (last - first == WORD_BYTES && memcmp(data + (first - offset), &word, WORD_BYTES) == 0)
            continue;
        memcpy(expected, &word, sizeof expected);
        for (int64_t i = first; i < last; i++) {
            if (data[i - offset] == expected[i - k])
                continue;
            if (difference->wrong++ == 0) {
                difference->message = message;
                difference->offset = i;
                difference->expected = expected[i - k];
            }
        }
    }
}

int64_t nuce_payload_compare(const unsigned char *data, int64_t offset, int64_t bytes, int source,
                             int destination, uint64_t salt, int64_t *first)
{
    struct payload_difference difference = {0};

    compare_message(data, offset, offset + bytes, message_key(source, destination, salt), 0,
                    &difference);
    *first = difference.offset;
    return difference.wrong;
}

nuce_status nuce_payload_check(const struct nuce_payload *payload, uint64_t salt,
                               struct nuce_error *error)
{
    struct payload_difference difference = {0};
    int first;

    for (int i = 0; i < payload->receives; i++)
        compare_message(payload->receive + payload->receive_at[i], 0,
                        payload->receive_at[i + 1] - payload->receive_at[i],
                        message_key(payload->source[i], payload->rank, salt), i, &difference);
    if (difference.wrong == 0)
        return NUCE_OK;
    first = difference.message;
    return nuce_error_set(
        error, NUCE_CORRUPT,
        "%lld of %lld received bytes are wrong, the first is byte %lld of the message from rank %d "
        "to rank %d: 0x%02x, expected 0x%02x",
        (long long)difference.wrong, (long long)payload->receive_at[payload->receives],
        (long long)difference.offset, payload->source[first], payload->rank,
        payload->receive[payload->receive_at[first] + difference.offset], difference.expected);
}

#define LANES 4

/* Multiplication by an odd number and rotation are bijective, so a change of one word changes
 * its lane. The function that mixes the lanes into one is bijective in each. */
static uint64_t payload_mix(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return lane << 29 | lane >> 35;
}

uint64_t nuce_payload_hash(const unsigned char *data, int64_t bytes)
{
    uint64_t lane[LANES] = {1, 2, 3, 4}, words[LANES], hash = (uint64_t)bytes;
    int64_t k = 0;

    for (; k + (int64_t)sizeof words <= bytes; k += (int64_t)sizeof words) {
        memcpy(words, data + k, sizeof words);
        for (int i = 0; i < LANES; i++)
            lane[i] = payload_mix(lane[i], words[i]);
    }
    memset(words, 0, sizeof words);
    if (k < bytes)
        memcpy(words, data + k, (size_t)(bytes - k));
    for (int i = 0; i < LANES; i++)
        hash = payload_mix(hash, payload_mix(lane[i], words[i]));
    return hash;
}

static uint64_t message_hash(int source, int destination, const unsigned char *data, int64_t bytes)
{
    uint64_t way = (uint64_t)(uint32_t)source << 32 | (uint32_t)destination;

    return payload_mix(payload_mix(1, way), nuce_payload_hash(data, bytes));
}

uint64_t nuce_payload_sum_sent(const struct nuce_payload *payload)
{
    uint64_t sum = 0;

    for (int k = 0; k < payload->sends; k++)
        sum += message_hash(payload->rank, payload->destination[k],
                            payload->send + payload->send_at[k],
                            payload->send_at[k + 1] - payload->send_at[k]);
    return sum;
}

uint64_t nuce_payload_sum_received(const struct nuce_payload *payload)
{
    uint64_t sum = 0;

    for (int k = 0; k < payload->receives; k++)
        sum += message_hash(payload->source[k], payload->rank,
                            payload->receive + payload->receive_at[k],
                            payload->receive_at[k + 1] - payload->receive_at[k]);
    return sum;
}
