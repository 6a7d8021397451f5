#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/raw_writer.h"

/* Calls of nuce_raw_reserve until there is no room. */
#define MANY 100000

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Beyond the limit of file sizes there is an error, and no signal that would end this. */
static void test_limit(void **state)
{
    char path[] = "/tmp/nuce-raw-XXXXXX";
    struct nuce_raw_header header = {.ranks = 1};
    struct nuce_raw_writer writer;
    int file = mkstemp(path), records = 0;

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    limit_files(1024);
    assert_int_equal(nuce_raw_create(&writer, path, &header), -1);
    assert_int_equal(errno, EFBIG);
    assert_int_equal(access(path, F_OK), -1);
    limit_files(1 << 17);
    assert_int_equal(nuce_raw_create(&writer, path, &header), 0);
    while (records < MANY && nuce_raw_reserve(&writer, NUCE_RAW_CALL,
                                              (int64_t)sizeof(struct nuce_raw_call)) != NULL) {
        nuce_raw_commit(&writer);
        records++;
    }
    assert_true(records > 1000 && records < MANY);
    assert_int_equal(writer.header->counters[NUCE_RAW_FULL], 1);
    /* Each record that is refused is counted, the room is not asked for each time, but again. */
    for (int i = 0; i < 1000; i++)
        assert_null(nuce_raw_reserve(&writer, NUCE_RAW_CALL, 32));
    assert_int_equal(writer.header->counters[NUCE_RAW_FULL], 1001);
    limit_files(RLIM_INFINITY);
    for (records = 0; nuce_raw_reserve(&writer, NUCE_RAW_CALL, 32) == NULL; records++)
        assert_true(records < 1001);
    assert_true(records > 0);
    assert_int_equal(writer.header->counters[NUCE_RAW_FULL], 1001 + records);
    nuce_raw_close(&writer, NUCE_RAW_FINALIZED);
    limit_files(RLIM_INFINITY);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
