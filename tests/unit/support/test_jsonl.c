/* Lines of JSON in files that grow, the checksum of each, and hashes of texts and files. */
#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../folder.h"
#include "base/hash.h"
#include "base/jsonl.h"
#include "base/seal.h"

#define PATH "records.jsonl" /* in a folder of its own */

static off_t size_of(const char *path)
{
    struct stat facts;

    assert_int_equal(stat(path, &facts), 0);
    return facts.st_size;
}

static void append(struct nuce_jsonl_writer *writer, const char *text)
{
    json_t *value = json_loads(text, 0, NULL);

    assert_non_null(value);
    assert_ok(nuce_jsonl_append(writer, value, ANY_ERROR));
    json_decref(value);
}

/* In the place of the C library's: how often it was called, and whether it fails. */
static int syncs, sync_fails;

int fdatasync(int descriptor)
{
    syncs++;
    errno = EIO;
    return sync_fails ? -1 : 0;
}

/* The view of a reading callback: lines joined by |, and the line at which it is to give up. */
struct seen {
    char text[256];
    int64_t last, stop;
};

static nuce_status see(void *context, int64_t line, const char *text, size_t length, json_t *value,
                       struct nuce_error *error)
{
    struct seen *seen = context;

    assert_true(line == seen->last + 1);
    assert_true(json_is_object(value));
    seen->last = line;
    strncat(seen->text, text, length);
    strcat(seen->text, "|");
    if (line == seen->stop)
        return nuce_error_set(error, NUCE_CORRUPT, "stopped at %lld", (long long)line);
    return NUCE_OK;
}

static void test_round_trip(void **state)
{
    struct nuce_jsonl_counts counts = {-1, -1};
    struct nuce_jsonl_writer writer;
    struct seen seen = {.stop = 0};

    assert_ok(nuce_jsonl_create(PATH, &writer, ANY_ERROR));
    append(&writer, "{\"b\": 1, \"a\": [1.5, null]}");
    append(&writer, "{\"text\": \"line\\nbreak \\u00e4\"}");
    nuce_jsonl_close(&writer);
    nuce_jsonl_close(&writer);
    assert_ok(nuce_jsonl_read(PATH, see, &seen, &counts, ANY_ERROR));
    assert_string_equal(seen.text,
                        "{\"a\":[1.5,null],\"b\":1,\"sum\":\"89949dd1f69a1e2e\"}|"
                        "{\"text\":\"line\\nbreak \303\244\",\"sum\":\"e1a187b47f055b95\"}|");
    assert_int_equal(counts.lines, 2);
    assert_int_equal(counts.torn, 0);
}

/* The value NULL stands for a line that is not as it was written. */
static nuce_status count_damaged(void *context, int64_t line, const char *text, size_t length,
                                 json_t *value, struct nuce_error *error)
{
    int64_t *damaged = context;

    if (value == NULL)
        damaged[line]++;
    else
        assert_true(json_is_object(value));
    return NUCE_OK;
}

static void test_sealed(void **state)
{
    struct nuce_jsonl_counts counts = {-1, -1};
    int64_t damaged[4] = {0};
    struct nuce_error error;
    json_t *value = json_pack("{s:f}", "x", 0.25);
    char *line = nuce_jsonl_sealed(value, &error), *altered = strdup(line), *text = NULL;

    *strchr(altered, '2') = '3';
    assert_true(asprintf(&text, "%s\n%s\n{\"x\":0.25}\n%s", line, altered, line) > 0);
    file_write(PATH, text);
    assert_ok(nuce_jsonl_read_sealed(PATH, NULL, count_damaged, damaged, &counts, &error));
    assert_int_equal(counts.lines, 3);
    assert_int_equal(counts.torn, 1);
    assert_true(damaged[1] == 0 && damaged[2] == 1 && damaged[3] == 1);
    json_decref(value);
    free(text);
    free(altered);
    free(line);
}

/* Two jobs never share a record file; a missing folder is named. */
static void test_exclusive(void **state)
{
    struct nuce_jsonl_writer writer, second;
    struct nuce_error error;

    assert_ok(nuce_jsonl_create(PATH, &writer, &error));
    assert_int_equal(nuce_jsonl_create(PATH, &second, &error), NUCE_BAD_INPUT);
    assert_says(&error, PATH);
    assert_says(&error, strerror(EEXIST));
    nuce_jsonl_close(&writer);
    assert_int_equal(nuce_jsonl_create("/nonexistent/r.jsonl", &second, &error), NUCE_FAILED);
    assert_string_equal(nuce_error_flatten(&error),
                        "/nonexistent/r.jsonl: No such file or directory");
}

/* Cut off anywhere, a file gives its complete lines and counts the rest as torn. */
static void test_cut_anywhere(void **state)
{
    static const char whole[] = "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n";

    for (size_t length = 0; length < sizeof whole; length++) {
        char text[sizeof whole] = "";
        struct nuce_jsonl_counts counts;
        struct seen seen = {.stop = 0};

        memcpy(text, whole, length);
        file_write(PATH, text);
        assert_ok(nuce_jsonl_read(PATH, see, &seen, &counts, ANY_ERROR));
        assert_int_equal(counts.lines, length / 8);
        assert_int_equal(counts.torn, length % 8 != 0);
        assert_int_equal(seen.last, counts.lines);
    }
}

/* A damaged line that is not the last is an error with file, line and column. */
static void test_damaged(void **state)
{
    static const struct {
        const char *text, *where;
    } damaged[] = {
        {"{\"a\":1}\n{\"b\":}\n{\"c\":3}\n", ":2:6: not a JSON line"},
        {"{\"a\":1}\n\n{\"c\":3}\n", ":2:1: not a JSON line"},
        {"[1]\n", ":1:1: expected a JSON object"},
        {"{\"a\":1}\n{\"b\":2,\"b\":3}\n{}\n", ":2:"},
        {"{\"a\":1}\n{\"b\":2} {\"c\":3}\n{}\n", ":2:"},
        {"{\"a\":\"\377\"}\n{}\n", ":1:"},
    };
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(damaged); i++) {
        struct nuce_jsonl_counts counts = {-1, -1};
        struct seen seen = {.stop = 0};
        char where[256];

        file_write(PATH, damaged[i].text);
        assert_int_equal(nuce_jsonl_read(PATH, see, &seen, &counts, &error), NUCE_BAD_INPUT);
        snprintf(where, sizeof where, "%s%s", PATH, damaged[i].where);
        assert_memory_equal(nuce_error_flatten(&error), where, strlen(where));
        assert_int_equal(counts.lines, -1);
    }
}

/* Lines are there once they are written, and kept together; when that fails the file is cut back to
 * those that were. */
static void test_kept_together(void **state)
{
    struct nuce_jsonl_counts counts;
    struct nuce_jsonl_writer writer;
    struct seen seen = {.stop = 0};
    struct nuce_error error;
    json_t *value = json_pack("{s:i}", "number", 12345);

    syncs = sync_fails = 0;
    assert_ok(nuce_jsonl_create(PATH, &writer, &error));
    for (int round = 0; round < 2; round++) {
        assert_ok(nuce_jsonl_write(&writer, value, &error));
        assert_ok(nuce_jsonl_write(&writer, value, &error));
        assert_int_equal(size_of(PATH), (round + 1) * 84);
        assert_int_equal(syncs, round);
        assert_ok(nuce_jsonl_keep(&writer, &error));
    }
    sync_fails = 1;
    assert_ok(nuce_jsonl_write(&writer, value, &error));
    assert_int_equal(nuce_jsonl_keep(&writer, &error), NUCE_FAILED);
    assert_says(&error, strerror(EIO));
    assert_int_equal(nuce_jsonl_append(&writer, value, &error), NUCE_FAILED);
    sync_fails = 0;
    nuce_jsonl_close(&writer);
    json_decref(value);
    assert_ok(nuce_jsonl_read(PATH, see, &seen, &counts, &error));
    assert_int_equal(counts.lines, 4);
}

/* In a child, whose files may not grow beyond 50 bytes: 0 if the second record fails as it should,
 * the file is cut back to the first, and writing goes on when there is room again. */
static int fill_disk(const char *path)
{
    struct rlimit limit = {50, RLIM_INFINITY};
    json_t *value = json_pack("{s:i}", "number", 12345);
    struct nuce_jsonl_writer writer;
    struct nuce_error error;

    signal(SIGXFSZ, SIG_IGN);
    if (value == NULL || setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        nuce_jsonl_create(path, &writer, &error) != NUCE_OK)
        return 1;
    if (nuce_jsonl_append(&writer, value, &error) != NUCE_OK || size_of(path) != 42)
        return 2;
    if (nuce_jsonl_append(&writer, value, &error) != NUCE_FAILED ||
        strstr(nuce_error_flatten(&error), path) == NULL ||
        strstr(nuce_error_flatten(&error), strerror(ENOSPC)) == NULL)
        return 3;
    if (size_of(path) != 42)
        return 4;
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        nuce_jsonl_append(&writer, value, &error) != NUCE_OK || size_of(path) != 84)
        return 5;
    nuce_jsonl_close(&writer);
    json_decref(value);
    return 0;
}

static void test_full_disk(void **state)
{
    struct nuce_jsonl_counts counts;
    struct seen seen = {.stop = 0};
    pid_t child = fork();
    int status = -1;

    assert_true(child >= 0);
    if (child == 0)
        _exit(fill_disk(PATH));
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_ok(nuce_jsonl_read(PATH, see, &seen, &counts, ANY_ERROR));
    assert_int_equal(counts.lines, 2);
    assert_int_equal(counts.torn, 0);
}

/* Another process holds the file open until its pipe is closed: alive, then killed, then not. */
static void test_living_writer(void **state)
{
    int ready[2], status;
    char byte;
    pid_t child;

    assert_int_equal(nuce_jsonl_is_open(PATH), 0);
    assert_int_equal(pipe(ready), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct nuce_jsonl_writer writer;
        struct nuce_error error;

        if (nuce_jsonl_create(PATH, &writer, &error) != NUCE_OK || write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(nuce_jsonl_is_open(PATH), 1);
    assert_int_equal(nuce_jsonl_is_open(PATH), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(nuce_jsonl_is_open(PATH), 0);
    close(ready[0]);
    close(ready[1]);
}

#define SEALED_BYTES 64

static void seal_example(char line[SEALED_BYTES])
{
    strcpy(line, "{\"a\":1.25,\"b\":[]}");
    nuce_seal_add(line, strlen(line));
}

static void test_each_bit(void **state)
{
    char line[SEALED_BYTES];
    struct nuce_error error;
    size_t length;

    seal_example(line);
    length = strlen(line);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        line[bit / 8] = (char)(line[bit / 8] ^ (1 << bit % 8));
        assert_int_equal(nuce_seal_check(line, length, &error), NUCE_BAD_INPUT);
        assert_says(&error, "damaged");
        line[bit / 8] = (char)(line[bit / 8] ^ (1 << bit % 8));
    }
    assert_ok(nuce_seal_check(line, length, &error));
}

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

    for (size_t i = 0; i < COUNT(known); i++) {
        nuce_hash(known[i].text, strlen(known[i].text), hex);
        assert_string_equal(hex, known[i].hash);
    }
}

/* Users check identities with sha256sum: sizes around SHA-256's and the reader's blocks. */
static void test_hash_file(void **state)
{
    static const int lengths[] = {0, 1, 55, 56, 64, 65535, 65536, 65537, 200000};

    for (size_t i = 0; i < COUNT(lengths); i++) {
        char ours[NUCE_HASH_BYTES], theirs[NUCE_HASH_BYTES] = "", command[64];
        FILE *output;

        snprintf(command, sizeof command, "seq 99999 | head -c %d | tee x | sha256sum", lengths[i]);
        output = popen(command, "r");
        assert_non_null(output);
        assert_int_equal(fread(theirs, 1, sizeof theirs - 1, output), sizeof theirs - 1);
        pclose(output);
        assert_ok(nuce_hash_file("x", ours, ANY_ERROR));
        assert_string_equal(ours, theirs);
    }
}

static void test_unreadable(void **state)
{
    char hex[NUCE_HASH_BYTES];
    struct nuce_error error;

    assert_int_equal(nuce_hash_file("/nonexistent/file", hex, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "/nonexistent/file: No such file or directory");
    assert_int_equal(nuce_hash_file("/tmp", hex, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "/tmp: Is a directory");
}

RUN_EACH(folder_setup, folder_teardown, test_round_trip, test_sealed, test_exclusive,
         test_cut_anywhere, test_damaged, test_kept_together, test_full_disk, test_living_writer,
         test_each_bit, test_known, test_hash_file, test_unreadable)
