/* What a run found: set by the names that tables declare, and by no others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/result.h"

/* clang-format off */
static const struct nuce_result of_one[] = {
    {"sorting_s", NUCE_REAL, NUCE_UNIT_SECONDS, "sorting", NULL, NUCE_RESULT_COMPUTATION},
    {"edges", NUCE_INTEGER, "edges", "edges between parts", "edges", 0},
    {.name = NULL},
};
static const struct nuce_result of_another[] = {
    {"choice", NUCE_TEXT, "", "what was chosen", NULL, 0},
    {"ratio", NUCE_REAL, NUCE_UNIT_RATIO, "worked out later", "ratio", NUCE_RESULT_DERIVED},
    {.name = NULL},
};
/* clang-format on */
static const struct nuce_result *const tables[] = {of_one, of_another, NULL};

static struct nuce_found init(void)
{
    struct nuce_found found;

    nuce_found_init(tables, &found);
    return found;
}

/* The values as compact text, keys ascending, are those expected. */
static void assert_values(const struct nuce_found *found, const char *expected)
{
    struct nuce_error error;
    json_t *values = nuce_found_values(found, &error);
    char *text = json_dumps(values, JSON_COMPACT | JSON_SORT_KEYS);

    assert_string_equal(text, expected);
    free(text);
    json_decref(values);
}

static void test_find(void **state)
{
    (void)state;
    assert_ptr_equal(nuce_result_find(tables, "edges"), &of_one[1]);
    assert_ptr_equal(nuce_result_find(tables, "choice"), &of_another[0]);
    assert_null(nuce_result_find(tables, "edge"));
}

static void test_set(void **state)
{
    struct nuce_found found = init();

    (void)state;
    assert_values(&found, "{}");
    nuce_found_integer(&found, "edges", 7);
    nuce_found_integer(&found, "edges", -1);
    nuce_found_real(&found, "sorting_s", 0.5);
    nuce_found_text(&found, "choice", "lp");
    assert_values(&found, "{\"choice\":\"lp\",\"edges\":-1,\"sorting_s\":0.5}");
    nuce_found_fini(&found);
    nuce_found_fini(&found);
}

/* What is unknown is not there, and does not undo what is known. */
static void test_unknown(void **state)
{
    struct nuce_found found = init();

    (void)state;
    nuce_found_real(&found, "sorting_s", NAN);
    nuce_found_real(&found, "sorting_s", INFINITY);
    nuce_found_text(&found, "choice", NULL);
    nuce_found_text(&found, "choice", "");
    assert_values(&found, "{}");
    nuce_found_real(&found, "sorting_s", 0);
    nuce_found_real(&found, "sorting_s", NAN);
    assert_values(&found, "{\"sorting_s\":0.0}");
    nuce_found_fini(&found);
}

static void test_forget(void **state)
{
    struct nuce_found found = init();

    (void)state;
    nuce_found_forget(&found, NUCE_RESULT_COMPUTATION);
    nuce_found_real(&found, "sorting_s", 1);
    nuce_found_integer(&found, "edges", 7);
    nuce_found_forget(&found, NUCE_RESULT_COMPUTATION);
    assert_values(&found, "{\"edges\":7}");
    nuce_found_fini(&found);
}

static void test_merge(void **state)
{
    struct nuce_found found = init();
    json_t *others = json_pack("{s:i}", "edges", 3);

    (void)state;
    nuce_found_text(&found, "choice", "lp");
    nuce_found_merge(&found, others);
    json_decref(others);
    assert_values(&found, "{\"choice\":\"lp\",\"edges\":3}");
    nuce_found_fini(&found);
}

/* A value that no table declares, or declares otherwise, is a bug: the process ends. */
static void test_undeclared(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        int status = 0;

        assert_true(child >= 0);
        if (child == 0) {
            struct nuce_found found = init();

            if (freopen("/dev/null", "w", stderr) == NULL)
                _exit(0);
            if (i == 0)
                nuce_found_integer(&found, "edge", 1);
            else if (i == 1)
                nuce_found_real(&found, "edges", 1);
            else if (i == 2)
                nuce_found_text(&found, "sorting_s", "1");
            else
                nuce_found_real(&found, "ratio", 1);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),    cmocka_unit_test(test_set),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_forget),
        cmocka_unit_test(test_merge),   cmocka_unit_test(test_undeclared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
