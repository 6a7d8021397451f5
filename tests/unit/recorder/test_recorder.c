/* The recorder: its table of requests, and a raw file that has no room. */
#include "../test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/raw_writer.h"
#include "capture/request_table.h"

/* Calls of nuce_raw_reserve until there is no room. */
#define MOST_RECORDS 100000

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

    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    limit_files(1024);
    assert_int_equal(nuce_raw_create(&writer, path, &header), -1);
    assert_int_equal(errno, EFBIG);
    assert_int_equal(access(path, F_OK), -1);
    limit_files(1 << 17);
    assert_int_equal(nuce_raw_create(&writer, path, &header), 0);
    while (records < MOST_RECORDS &&
           nuce_raw_reserve(&writer, NUCE_RAW_CALL, (int64_t)sizeof(struct nuce_raw_call)) !=
               NULL) {
        nuce_raw_commit(&writer);
        records++;
    }
    assert_true(records > 1000 && records < MOST_RECORDS);
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

#define MANY 5000

/* More than the table begins with, removed in another order. */
static void test_many(void **state)
{
    OWNED(request_table) table = {0};

    for (int i = 0; i < MANY; i++)
        assert_non_null(nuce_request_table_add(&table, (uint64_t)i * 4096 + 7));
    for (int i = 0; i < MANY; i++) {
        uint64_t handle = (uint64_t)(i * 37 % MANY) * 4096 + 7;
        struct nuce_request *found = nuce_request_table_find(&table, handle);

        assert_non_null(found);
        assert_int_equal(found->handle, handle);
        nuce_request_table_remove(&table, found);
        assert_null(nuce_request_table_find(&table, handle));
    }
}

/* Entries that were removed are used again: the table does not grow with the calls. */
static void test_again(void **state)
{
    OWNED(request_table) table = {0};

    for (int i = 0; i < 100 * MANY; i++) {
        struct nuce_request *added = nuce_request_table_add(&table, (uint64_t)i);

        assert_non_null(added);
        nuce_request_table_remove(&table, added);
    }
    assert_true(table.capacity <= 256);
}

/* Several of one handle: the oldest active one is found, also after the table has grown. */
static void test_shared_handle(void **state)
{
    OWNED(request_table) table = {0};

    for (int i = 0; i < 3; i++) {
        struct nuce_request *added = nuce_request_table_add(&table, 42);

        added->definition = i + 1;
        added->is_active = 1;
    }
    for (int i = 0; i < MANY; i++)
        assert_non_null(nuce_request_table_add(&table, (uint64_t)i + 100));
    for (int i = 0; i < 3; i++) {
        struct nuce_request *found = nuce_request_table_find(&table, 42);

        assert_non_null(found);
        assert_int_equal(found->definition, i + 1);
        nuce_request_table_remove(&table, found);
    }
    assert_null(nuce_request_table_find(&table, 42));
}

static void test_inactive_last(void **state)
{
    OWNED(request_table) table = {0};
    struct nuce_request *added;

    added = nuce_request_table_add(&table, 5);
    added->definition = 1;
    added = nuce_request_table_add(&table, 5);
    added->definition = 2;
    added->is_active = 1;
    assert_int_equal(nuce_request_table_find(&table, 5)->definition, 2);
}

/* Each thread finds its own of several requests with one handle; one that has none finds the
 * oldest. */
static void test_threads(void **state)
{
    OWNED(request_table) table = {0};

    for (int i = 0; i < 3; i++) {
        struct nuce_request *added;

        table.thread = (uint64_t)i;
        added = nuce_request_table_add(&table, 5);
        added->definition = i + 1;
        added->is_active = 1;
    }
    for (int i = 2; i >= 0; i--) {
        table.thread = (uint64_t)i;
        assert_int_equal(nuce_request_table_find(&table, 5)->definition, i + 1);
    }
    table.thread = 9;
    assert_int_equal(nuce_request_table_find(&table, 5)->definition, 1);
}

RUN(test_limit, test_many, test_again, test_shared_handle, test_inactive_last, test_threads)
