#include "hash.h"

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

nuce_status nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES],
                      struct nuce_error *error)
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    if (EVP_Digest(data, length, digest, NULL, EVP_sha256(), NULL) != 1)
        return nuce_error_set(error, NUCE_FAILED, "libcrypto cannot compute SHA-256");
    to_hex(digest, hex);
    return NUCE_OK;
}

/* Feeds the file to the context; 0 if libcrypto or the file fails. */
static int digest_stream(EVP_MD_CTX *context, FILE *file, unsigned char *digest)
{
    unsigned char block[65536];
    size_t length;

    if (EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
        return 0;
    while ((length = fread(block, 1, sizeof block, file)) > 0) {
        if (EVP_DigestUpdate(context, block, length) != 1)
            return 0;
    }
    return ferror(file) == 0 && EVP_DigestFinal_ex(context, digest, NULL) == 1;
}

nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = NULL;
    FILE *file = fopen(path, "rb");
    int done = 0;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    context = EVP_MD_CTX_new();
    if (context != NULL)
        done = digest_stream(context, file, digest);
    EVP_MD_CTX_free(context);
    (void)fclose(file);
    if (!done)
        return nuce_error_set(error, NUCE_FAILED, "%s: cannot compute its SHA-256", path);
    to_hex(digest, hex);
    return NUCE_OK;
}
