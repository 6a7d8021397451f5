/* Copies past the cache: each run where it belongs, and no byte beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "instances/stream.h"

enum {
    RUNS = 12,
    STRIDE = 700,
    ROOM = 64 + RUNS * STRIDE,
};

static void check(int64_t to_shift, int64_t from_shift, int64_t bytes, int64_t count)
{
    static const int64_t to_stride = STRIDE, from_stride = STRIDE - 37;
    unsigned char from[ROOM], to[ROOM], wanted[ROOM];

    for (int k = 0; k < ROOM; k++)
        from[k] = (unsigned char)(k * 7 + k / 256);
    memset(to, 0xaa, sizeof to);
    memset(wanted, 0xaa, sizeof wanted);
    for (int64_t i = 0; i < count; i++)
        memcpy(wanted + to_shift + i * to_stride, from + from_shift + i * from_stride,
               (size_t)bytes);
    nuce_stream_runs(to + to_shift, to_stride, from + from_shift, from_stride, bytes, count);
    assert_memory_equal(to, wanted, sizeof to);
}

static void test_alignments(void **state)
{
    (void)state;
    for (int64_t shift = 0; shift < 64; shift++) {
        for (int64_t bytes = NUCE_STREAM_LEAST_BYTES; bytes < 600; bytes += 29) {
            check(shift, 0, bytes, RUNS);
            check(shift, 63 - shift, bytes, RUNS);
            check(0, shift, bytes, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
