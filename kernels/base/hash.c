/* SHA-256 of memory and of files, as the 64 hexadecimal digits that sha256sum prints.
 *
 * It uses nettle, because each start of a program waits for its libraries: libcrypto takes 8 ms
 * longer until its first digest, where a program starts in 3 ms. A file is read in blocks of 64
 * KiB, so the memory does not grow with it. */
#include "base/hash.h"

#include <errno.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Wraps nettle's, so that callers need no header of it. */
struct nuce_hash_state {
    struct sha256_ctx context;
};

void nuce_hash_end(struct nuce_hash_state *state, char hex[NUCE_HASH_BYTES])
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(&state->context, sizeof digest, digest);
    base16_encode_update(hex, sizeof digest, digest);
    hex[NUCE_HASH_BYTES - 1] = '\0';
}

void nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES])
{
    struct nuce_hash_state state;

    sha256_init(&state.context);
    nuce_hash_add(&state, data, length);
    nuce_hash_end(&state, hex);
}

struct nuce_hash_state *nuce_hash_create(void)
{
    struct nuce_hash_state *state = nuce_allocate(1, sizeof *state);

    sha256_init(&state->context);
    return state;
}

void nuce_hash_add(struct nuce_hash_state *state, const void *data, size_t length)
{
    sha256_update(&state->context, length, data);
}

void nuce_hash_destroy(struct nuce_hash_state *state)
{
    free(state);
}

nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error)
{
    unsigned char block[65536];
    struct nuce_hash_state state;
    FILE *file = fopen(path, "rb");
    nuce_status status = NUCE_OK;
    size_t length;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    sha256_init(&state.context);
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        nuce_hash_add(&state, block, length);
    if (ferror(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    nuce_hash_end(&state, hex);
    fclose(file);
    return status;
}
