/* SHA-256 of memory and of files, as the 64 hexadecimal digits that sha256sum prints.
 *
 * It uses libcrypto's EVP interface, which uses the processor's SHA instructions if it has them. A
 * file is read in blocks of 64 KiB, so the memory does not grow with it. A library without SHA-256
 * is not a libcrypto that nuce can run with. */
#include "base/hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* 32 bytes as 64 digits, the more significant half of a byte first, and a NUL. */
static void to_hex(const unsigned char *digest, char hex[NUCE_HASH_BYTES])
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < 32; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = '\0';
}

void nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES])
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    NUCE_ASSERT(EVP_Digest(data, length, digest, NULL, EVP_sha256(), NULL) == 1);
    to_hex(digest, hex);
}

/* Wraps an EVP_MD_CTX, so that callers need no header of OpenSSL. */
struct nuce_hash_state {
    EVP_MD_CTX *context;
};

struct nuce_hash_state *nuce_hash_create(void)
{
    struct nuce_hash_state *state = nuce_allocate(1, sizeof *state);

    state->context = EVP_MD_CTX_new();
    if (state->context == NULL)
        nuce_allocate_failed(1, 1);
    NUCE_ASSERT(EVP_DigestInit_ex(state->context, EVP_sha256(), NULL) == 1);
    return state;
}

void nuce_hash_add(struct nuce_hash_state *state, const void *data, size_t length)
{
    NUCE_ASSERT(EVP_DigestUpdate(state->context, data, length) == 1);
}

void nuce_hash_end(struct nuce_hash_state *state, char hex[NUCE_HASH_BYTES])
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    NUCE_ASSERT(EVP_DigestFinal_ex(state->context, digest, NULL) == 1);
    to_hex(digest, hex);
}

void nuce_hash_destroy(struct nuce_hash_state *state)
{
    if (state != NULL)
        EVP_MD_CTX_free(state->context);
    free(state);
}

nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error)
{
    unsigned char block[65536];
    struct nuce_hash_state *state;
    FILE *file = fopen(path, "rb");
    nuce_status status = NUCE_OK;
    size_t length;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    state = nuce_hash_create();
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        nuce_hash_add(state, block, length);
    if (ferror(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    nuce_hash_end(state, hex);
    nuce_hash_destroy(state);
    fclose(file);
    return status;
}
