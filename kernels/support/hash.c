/* SHA-256 of memory and of files, as 64 hexadecimal digits that sha256sum gives as well. */
#include "support/hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

static void to_hex(const unsigned char *digest, char hex[NUCE_HASH_BYTES])
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < 32; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = '\0';
}

static nuce_status digest_failed(struct nuce_error *error)
{
    return nuce_error_set(error, NUCE_FAILED, "libcrypto cannot compute SHA-256");
}

nuce_status nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES],
                      struct nuce_error *error)
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    if (EVP_Digest(data, length, digest, NULL, EVP_sha256(), NULL) != 1)
        return digest_failed(error);
    to_hex(digest, hex);
    return NUCE_OK;
}

static nuce_status digest_stream(EVP_MD_CTX *context, FILE *file, const char *path,
                                 unsigned char *digest, struct nuce_error *error)
{
    unsigned char block[65536];
    size_t length;

    if (context == NULL || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
        return digest_failed(error);
    while ((length = fread(block, 1, sizeof block, file)) > 0) {
        if (EVP_DigestUpdate(context, block, length) != 1)
            return digest_failed(error);
    }
    if (ferror(file))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (EVP_DigestFinal_ex(context, digest, NULL) != 1)
        return digest_failed(error);
    return NUCE_OK;
}

nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context;
    FILE *file = fopen(path, "rb");
    nuce_status status;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    context = EVP_MD_CTX_new();
    status = digest_stream(context, file, path, digest, error);
    EVP_MD_CTX_free(context);
    (void)fclose(file);
    if (status == NUCE_OK)
        to_hex(digest, hex);
    return status;
}
