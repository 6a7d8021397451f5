#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../folder.h"
#include "schedules/network.h"

/* The pair i j has bandwidth 100 + 10 i + j. */
#define PAIRS                                                                                      \
    "0 1 0 101\n0 2 0 102\n0 3 0 103\n1 0 0 110\n1 2 0 112\n1 3 0 113\n"                           \
    "2 0 0 120\n2 1 0 121\n2 3 0 123\n3 0 0 130\n3 1 0 131\n3 2 0 132\n"

static const char four[] = "ranks 4\n" PAIRS "host 0 a\nhost 1 b\nhost 2 a\nhost 3 c\n"
                           "measured 2026-11-21T10:00:00.123Z\nport 2 7 8\nspeed 3 2\n"
                           "contention 1 1\ncontention 2 1.9\n";

static nuce_status find(const struct folder *folder, const char *const *hosts, int ranks,
                        struct nuce_network *out, char **path, struct nuce_error *error)
{
    return nuce_network_measured(folder->path, hosts, ranks, out, path, error);
}

static void assert_found(const struct folder *folder, const char *const *hosts, int ranks,
                         const char *name)
{
    struct nuce_network network;
    struct nuce_error error;
    char *path;

    if (find(folder, hosts, ranks, &network, &path, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_string_equal(strrchr(path, '/') + 1, name);
    nuce_network_fini(&network);
    free(path);
}

/* Fewer ranks in another order: c is 3, the ranks of a are 0, then 2. */
static void test_subset(void **state)
{
    static const char *const hosts[] = {"c", "a", "a"};
    struct folder folder = folder_make();
    struct nuce_network network;
    struct nuce_error error;
    char *path;

    (void)state;
    folder_add(&folder, "x.network", four);
    assert_int_equal(find(&folder, hosts, 3, &network, &path, &error), NUCE_OK);
    assert_int_equal(network.ranks, 3);
    assert_true(nuce_network_bandwidth(&network, 0, 1) == 130);
    assert_true(nuce_network_bandwidth(&network, 1, 2) == 102);
    assert_true(nuce_network_bandwidth(&network, 2, 0) == 123);
    assert_true(network.out[2] == 7 && network.in[2] == 8);
    assert_true(network.speed[0] == 2 && network.speed[1] == 1);
    assert_string_equal(network.host[0].name, "c");
    assert_string_equal(network.measured, "2026-11-21T10:00:00.123Z");
    assert_int_equal(nuce_network_depth(&network), 2);
    nuce_network_fini(&network);
    free(path);
    folder_remove(&folder);
}

/* The newest that covers the hosts, whatever its name; of equal times the last name. */
static void test_newest(void **state)
{
    static const char *const hosts[] = {"a", "b"};
    struct folder folder = folder_make();

    (void)state;
    folder_add(&folder, "m.network", four);
    folder_add(&folder, "a.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
               "measured 2026-11-21T10:00:00.124Z\n");
    folder_add(&folder, "z.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
               "measured 2025-12-31T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "a.network");
    /* Newer, but elsewhere, without a time, hidden, or not a network by name. */
    folder_add(&folder, "n.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 d\n"
               "measured 2027-01-01T00:00:00.000Z\n");
    folder_add(&folder, "o.network", "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n");
    folder_add(&folder, ".p.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
               "measured 2027-01-01T00:00:00.000Z\n");
    folder_add(&folder, "q.networks",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
               "measured 2027-01-01T00:00:00.000Z\n");
    assert_found(&folder, hosts, 2, "a.network");
    folder_add(&folder, "b.network",
               "ranks 2\n0 1 0 1\n1 0 0 1\nhost 1 a\nhost 0 b\n"
               "measured 2026-11-21T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "b.network");
    folder_remove(&folder);
}

/* Two ranks on a need two that were measured there. */
static void test_none(void **state)
{
    static const char *const hosts[] = {"b", "b", "x", "c"};
    struct folder folder = folder_make();
    struct nuce_network network;
    struct nuce_error error;
    char expected[400], *path;

    (void)state;
    assert_int_equal(find(&folder, hosts, 1, &network, &path, &error), NUCE_BAD_INPUT);
    folder_add(&folder, "x.network", four);
    assert_found(&folder, hosts, 1, "x.network");
    assert_int_equal(find(&folder, hosts, 4, &network, &path, &error), NUCE_BAD_INPUT);
    snprintf(expected, sizeof expected,
             "%s: no network was measured for 4 ranks on b,x,c: run 'nuce-calibrate links' "
             "there",
             folder.path);
    assert_string_equal(nuce_error_flatten(&error), expected);
    assert_int_equal(find(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "no network was measured for 2 ranks on b: "));
    folder_remove(&folder);
    assert_int_equal(find(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "No such file or directory: expected a folder"));
}

/* Whose origin cannot be read is passed over, and named where nothing else fits; the chosen one
 * must be right in all. */
static void test_malformed(void **state)
{
    static const char *const hosts[] = {"a", "b"};
    struct folder folder = folder_make();
    struct nuce_network network;
    struct nuce_error error;
    char *path;

    (void)state;
    folder_add(&folder, "bad.network", "ranks 2\nhost 9 a\n");
    assert_int_equal(find(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "there (cannot be read: 1, the first: "));
    assert_non_null(strstr(nuce_error_flatten(&error), "bad.network:2:6: 9 is out of range"));
    folder_add(&folder, "x.network", four);
    assert_found(&folder, hosts, 2, "x.network");
    folder_add(&folder, "old.network",
               "ranks 2\n0 1 0 0\nhost 1 a\nhost 0 b\n"
               "measured 2025-12-31T10:00:00.124Z\n");
    assert_found(&folder, hosts, 2, "x.network");
    folder_add(&folder, "new.network",
               "ranks 2\n0 1 0 0\nhost 1 a\nhost 0 b\n"
               "measured 2027-12-31T10:00:00.124Z\n");
    assert_int_equal(find(&folder, hosts, 2, &network, &path, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "new.network:2:7: '0': expected the bandwidth"));
    folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subset),
        cmocka_unit_test(test_newest),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_malformed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
