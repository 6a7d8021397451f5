#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"

/* FIPS 180-4 and NIST's examples. */
static void test_known(void **state)
{
    static const struct {
        const char *text, *hash;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[NUCE_HASH_BYTES];
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(nuce_hash(known[i].text, strlen(known[i].text), hex, &error), NUCE_OK);
        assert_string_equal(hex, known[i].hash);
    }
}

/* Bytes that come bit by bit are the same text. */
static void test_parts(void **state)
{
    static const char text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char whole[NUCE_HASH_BYTES], parts[NUCE_HASH_BYTES];
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_hash(text, strlen(text), whole, &error), NUCE_OK);
    for (size_t cut = 0; cut <= strlen(text); cut++) {
        struct nuce_hash_state *hash = nuce_hash_create(&error);

        assert_non_null(hash);
        assert_int_equal(nuce_hash_add(hash, text, cut, &error), NUCE_OK);
        assert_int_equal(nuce_hash_add(hash, text + cut, strlen(text) - cut, &error), NUCE_OK);
        assert_int_equal(nuce_hash_end(hash, parts, &error), NUCE_OK);
        assert_string_equal(parts, whole);
        nuce_hash_destroy(hash);
    }
    nuce_hash_destroy(NULL);
}

/* A temporary file with length bytes that look random. Its path is freed by the caller. */
static char *random_file(size_t length)
{
    char *path = strdup("/tmp/nuce-hash-XXXXXX");
    struct nuce_rng rng = nuce_rng_create(length, 0);
    int descriptor;
    FILE *file;

    assert_non_null(path);
    descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    file = fdopen(descriptor, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < length; i++)
        assert_true(fputc((int)(nuce_rng_next(&rng) & 255), file) != EOF);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void sha256sum(const char *path, char hex[NUCE_HASH_BYTES])
{
    char command[128];
    FILE *output;

    snprintf(command, sizeof command, "sha256sum %s", path);
    output = popen(command, "r");
    assert_non_null(output);
    assert_int_equal(fread(hex, 1, NUCE_HASH_BYTES - 1, output), NUCE_HASH_BYTES - 1);
    hex[NUCE_HASH_BYTES - 1] = '\0';
    pclose(output);
}

/* Users check identities with sha256sum: sizes around SHA-256's and the reader's blocks. */
static void test_file(void **state)
{
    static const size_t lengths[] = {0, 1, 55, 56, 64, 65535, 65536, 65537, 200000};
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *path = random_file(lengths[i]);
        char ours[NUCE_HASH_BYTES], theirs[NUCE_HASH_BYTES];

        sha256sum(path, theirs);
        assert_int_equal(nuce_hash_file(path, ours, &error), NUCE_OK);
        assert_string_equal(ours, theirs);
        unlink(path);
        free(path);
    }
}

static void test_unreadable(void **state)
{
    char hex[NUCE_HASH_BYTES];
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_hash_file("/nonexistent/file", hex, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "/nonexistent/file: No such file or directory");
    assert_int_equal(nuce_hash_file("/tmp", hex, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "/tmp: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_unreadable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
