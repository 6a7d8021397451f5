/* The checksum at the end of a record's line (seal.h describes it and its check by hand). The line
 * stays one JSON object: ,"sum":"..."} replaces the closing brace, and the sum is over all bytes
 * before that comma. Sealing costs one SHA-256 of the line and NUCE_SEAL_BYTES bytes. Checking
 * costs the same and parses no JSON. A reader that does not know sums sees one more member. */
#include "base/seal.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

/* Compact, as the writer's lines are: a line that a tool rewrote with blanks is damaged. */
static const char seal_key[] = ",\"sum\":\"";

void nuce_seal_add(char *text, size_t length)
{
    char hash[NUCE_HASH_BYTES];

    nuce_hash(text, length - 1, hash);
    sprintf(text + length - 1, "%s%.*s\"}", seal_key, NUCE_SEAL_DIGITS, hash);
}

/* An empty or short line gets the message of one without a sum. There are two messages, because
 * they need different actions. A line without a sum was written by an older nuce or cut off; a line
 * with a wrong sum was altered. */
nuce_status nuce_seal_check(const char *text, size_t length, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES], expected[NUCE_SEAL_BYTES + 2];
    size_t sealed;

    length -= length > 0 && text[length - 1] == '\r';
    sealed = length >= NUCE_SEAL_BYTES + 1 ? length - NUCE_SEAL_BYTES - 1 : 0;
    if (sealed == 0 || memcmp(text + sealed, seal_key, sizeof seal_key - 1) != 0)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "damaged, or of an older nuce: a record does not end in its checksum");
    nuce_hash(text, sealed, hash);
    snprintf(expected, sizeof expected, "%s%.*s\"}", seal_key, NUCE_SEAL_DIGITS, hash);
    if (memcmp(text + sealed, expected, NUCE_SEAL_BYTES + 1) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "damaged: the checksum at the end of a record does not fit it");
    return NUCE_OK;
}
