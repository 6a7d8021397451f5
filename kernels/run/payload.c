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

/* The entry of the message between the rank and peer, either way, if it is in the buffers; -1:
 * there is none. */
static int64_t find_entry(const struct nuce_pattern *pattern, const struct nuce_payload *payload,
                          int is_send, int peer)
{
    if (peer == payload->rank && payload->own.copy != NULL)
        return -1;
    return is_send ? nuce_pattern_find(pattern, payload->rank, peer)
                   : nuce_pattern_find(pattern, peer, payload->rank);
}

/* The messages of one way, and their places in its buffer: each begins at the end of the one before
 * it. */
static struct nuce_payload_side lay_out(const struct nuce_pattern *pattern,
                                        const struct nuce_payload *payload, int is_send)
{
    struct nuce_payload_side side = {0};
    int count = 0;

    for (int peer = 0; peer < pattern->ranks; peer++)
        side.count += find_entry(pattern, payload, is_send, peer) >= 0;
    side.peer = nuce_allocate(side.count, sizeof *side.peer);
    side.at = nuce_allocate((int64_t)side.count + 1, sizeof *side.at);
    for (int peer = 0; peer < pattern->ranks; peer++) {
        int64_t entry = find_entry(pattern, payload, is_send, peer);

        if (entry < 0)
            continue;
        side.peer[count] = peer;
        side.at[count + 1] = side.at[count] + pattern->bytes[entry];
        count++;
    }
    return side;
}

static struct nuce_payload payload_lists(const struct nuce_pattern *pattern, int rank,
                                         const struct nuce_own_copy *own)
{
    struct nuce_payload payload = {.rank = rank};

    if (own != NULL)
        payload.own = *own;
    payload.send = lay_out(pattern, &payload, 1);
    payload.receive = lay_out(pattern, &payload, 0);
    return payload;
}

nuce_status nuce_payload_init(const struct nuce_pattern *pattern, int rank,
                              const struct nuce_own_copy *own, struct nuce_buffers *shared,
                              struct nuce_payload *out, struct nuce_error *error)
{
    struct nuce_payload payload = payload_lists(pattern, rank, own);

    payload.send.data =
        nuce_buffers_take(shared, NUCE_BUFFER_SEND, nuce_payload_bytes(&payload.send),
                          &payload.send.is_shared, error);
    payload.receive.data =
        nuce_buffers_take(shared, NUCE_BUFFER_RECEIVE, nuce_payload_bytes(&payload.receive),
                          &payload.receive.is_shared, error);
    if (payload.send.data == NULL || payload.receive.data == NULL) {
        nuce_payload_fini(&payload);
        return error->status;
    }
    *out = payload;
    return NUCE_OK;
}

static void set_places(struct nuce_payload_side *side, unsigned char *const *of_rank)
{
    side->place = nuce_allocate(side->count, sizeof *side->place);
    for (int k = 0; k < side->count; k++)
        side->place[k] = of_rank[side->peer[k]];
}

void nuce_payload_init_at(const struct nuce_pattern *pattern, int rank, unsigned char *const *from,
                          unsigned char *const *to, struct nuce_payload *out)
{
    *out = payload_lists(pattern, rank, NULL);
    set_places(&out->send, from);
    set_places(&out->receive, to);
}

void nuce_payload_init_in(const struct nuce_pattern *pattern, int rank, unsigned char *send,
                          unsigned char *receive, struct nuce_payload *out)
{
    *out = payload_lists(pattern, rank, NULL);
    out->send.data = send;
    out->receive.data = receive;
    out->send.is_shared = out->receive.is_shared = 1;
}

struct nuce_payload nuce_payload_reverse(const struct nuce_payload *payload)
{
    return (struct nuce_payload){
        .rank = payload->rank, .send = payload->receive, .receive = payload->send};
}

static void side_fini(struct nuce_payload_side *side)
{
    free(side->peer);
    free(side->at);
    free(side->place);
    if (!side->is_shared)
        free(side->data);
}

void nuce_payload_fini(struct nuce_payload *payload)
{
    side_fini(&payload->send);
    side_fini(&payload->receive);
    memset(payload, 0, sizeof *payload);
}

int64_t nuce_payload_bytes(const struct nuce_payload_side *side)
{
    return side->at[side->count];
}

unsigned char *nuce_payload_at(const struct nuce_payload_side *side,
                               const struct nuce_transfer *piece)
{
    int low = 0, high = side->count;

    if (piece->bytes == 0)
        return side->data;
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (side->peer[middle] < piece->peer)
            low = middle + 1;
        else
            high = middle;
    }
    NUCE_ASSERT(low < side->count && side->peer[low] == piece->peer);
    return (side->place != NULL ? side->place[low] : side->data + side->at[low]) + piece->offset;
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

/* Fills the messages of one way, in its buffer. */
static void fill_side(const struct nuce_payload *payload, const struct nuce_payload_side *side,
                      uint64_t salt, uint64_t flip)
{
    for (int i = 0; i < side->count; i++) {
        int64_t bytes = side->at[i + 1] - side->at[i], whole = bytes - bytes % WORD_BYTES;
        uint64_t key = side == &payload->send ? message_key(payload->rank, side->peer[i], salt)
                                              : message_key(side->peer[i], payload->rank, salt);
        unsigned char *data = side->data + side->at[i];
        uint64_t word;

        for (int64_t k = 0; k < whole; k += WORD_BYTES) {
            word = word_of_message(k / WORD_BYTES, key) ^ flip;
            memcpy(data + k, &word, WORD_BYTES);
        }
        word = word_of_message(whole / WORD_BYTES, key) ^ flip;
        memcpy(data + whole, &word, (size_t)(bytes - whole));
    }
}

void nuce_payload_fill(struct nuce_payload *payload, uint64_t salt)
{
    fill_side(payload, &payload->send, salt, 0);
    fill_side(payload, &payload->receive, salt, UINT64_MAX);
}

void nuce_payload_spoil(struct nuce_payload *payload)
{
    const struct nuce_payload_side *side = &payload->receive;

    for (int k = 0; k < side->count; k++) {
        if (side->at[k + 1] > side->at[k])
            side->data[side->at[k]] ^= 0xff;
    }
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
    const struct nuce_payload_side *side = &payload->receive;
    struct payload_difference difference = {0};
    int first;

    for (int i = 0; i < side->count; i++)
        compare_message(side->data + side->at[i], 0, side->at[i + 1] - side->at[i],
                        message_key(side->peer[i], payload->rank, salt), i, &difference);
    if (difference.wrong == 0)
        return NUCE_OK;
    first = difference.message;
    return nuce_error_set(
        error, NUCE_CORRUPT,
        "%lld of %lld received bytes are wrong, the first is byte %lld of the message from rank %d "
        "to rank %d: 0x%02x, expected 0x%02x",
        (long long)difference.wrong, (long long)nuce_payload_bytes(side),
        (long long)difference.offset, side->peer[first], payload->rank,
        side->data[side->at[first] + difference.offset], difference.expected);
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

/* The sum over the messages of one way. */
static uint64_t sum_side(const struct nuce_payload *payload, const struct nuce_payload_side *side)
{
    uint64_t sum = 0, rank = (uint32_t)payload->rank;

    for (int k = 0; k < side->count; k++) {
        uint64_t peer = (uint32_t)side->peer[k];
        uint64_t way = side == &payload->send ? rank << 32 | peer : peer << 32 | rank;

        sum += payload_mix(payload_mix(1, way), nuce_payload_hash(side->data + side->at[k],
                                                                  side->at[k + 1] - side->at[k]));
    }
    return sum;
}

uint64_t nuce_payload_sum_sent(const struct nuce_payload *payload)
{
    return sum_side(payload, &payload->send);
}

uint64_t nuce_payload_sum_received(const struct nuce_payload *payload)
{
    return sum_side(payload, &payload->receive);
}
