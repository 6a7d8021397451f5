/* Segments that TCP sent again, from counters as Linux prints them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/resent.h"

static int64_t resent_of(const char *text)
{
    char path[] = "/tmp/nuce-resent-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    int64_t found;

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    found = nuce_resent_segments(path);
    assert_int_equal(unlink(path), 0);
    return found;
}

#define IP "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
#define NAMES "Tcp: RtoAlgorithm MaxConn OutSegs RetransSegs InErrs\n"

/* By the name of the column, wherever it stands; behind other protocols. */
static void test_found(void **state)
{
    (void)state;
    assert_int_equal(resent_of(IP NAMES "Tcp: 1 -1 900 17 3\nUdp: InDatagrams\nUdp: 5\n"), 17);
    assert_int_equal(resent_of("Tcp: RetransSegs OutSegs\nTcp: 4000000000 2\n"), 4000000000);
    assert_int_equal(resent_of("Tcp: OutSegs RetransSegs\nTcp: 2 0"), 0);
}

/* Whatever else is not a count. */
static void test_unknown(void **state)
{
    static const char *const texts[] = {
        "",
        IP,
        IP NAMES,
        NAMES "Tcp: 1 -1 900\n",
        NAMES "Tcp: 1 -1 900 -17 3\n",
        NAMES "Tcp: 1 -1 900 many 3\n",
        NAMES "Tcp: 1 -1 900 99999999999999999999 3\n",
        "Tcp: OutSegs\nTcp: 900\n",
        "TcpExt: RetransSegs\nTcpExt: 5\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(resent_of(texts[i]), -1);
    assert_int_equal(nuce_resent_segments("/nonexistent/snmp"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
