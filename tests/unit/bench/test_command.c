#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

static nuce_status run(const char *script, struct nuce_bench_samples *out, struct nuce_error *error)
{
    const char *argv[] = {"sh", "-c", script, NULL};

    return nuce_bench_run_command(argv, out, error);
}

static void test_samples(void **state)
{
    struct nuce_bench_samples samples;
    struct nuce_error error;

    (void)state;
    assert_int_equal(run("echo '{\"ours\":[1,2,4],\"reference\":[2,1e-3,8]}'", &samples, &error),
                     NUCE_OK);
    assert_int_equal(samples.count, 3);
    assert_true(fabs(samples.ours[2] - 4) < 1e-12 && fabs(samples.reference[1] - 1e-3) < 1e-12);
    nuce_bench_samples_fini(&samples);
    assert_null(samples.ours);
}

/* Medians of each and of the ratio turn by turn, and whether the budget is met. */
static void test_evaluate(void **state)
{
    struct nuce_bench bench = {.name = "x", .budget_s = 2.5};
    struct nuce_bench_samples samples;
    struct nuce_bench_result result;
    struct nuce_error error;

    (void)state;
    assert_int_equal(run("echo '{\"ours\":[1,2,4],\"reference\":[2,8,4]}'", &samples, &error),
                     NUCE_OK);
    for (int met = 1; met >= 0; met--) {
        assert_int_equal(nuce_bench_evaluate(&bench, &samples, &result, &error), NUCE_OK);
        assert_true(fabs(result.ours.median - 2) < 1e-12);
        assert_true(fabs(result.reference.median - 4) < 1e-12);
        assert_true(fabs(result.ratio.median - 0.5) < 1e-12);
        assert_true(fabs(result.ratio.low - 0.25) < 1e-12 && fabs(result.ratio.high - 1) < 1e-12);
        assert_int_equal(result.turns, 3);
        assert_int_equal(result.met, met);
        bench.budget_s = 1.5;
    }
    nuce_bench_samples_fini(&samples);
}

static void test_refused(void **state)
{
    static const struct {
        const char *script, *message;
    } bad[] = {
        {"echo '{\"ours\":[1],\"reference\":[1]}'; exit 3", "sh: ended with status 3"        },
        {"kill -9 $$",                                      "sh: ended with signal 9"        },
        {"echo hello",                                      "sh: printed no JSON"            },
        {"true",                                            "sh: printed no JSON"            },
        {"echo '{\"ours\":[1]}'",                           "sh: expected 'reference'"       },
        {"echo '{\"ours\":[],\"reference\":[]}'",           "sh: expected 'ours'"            },
        {"echo '{\"ours\":[1,0],\"reference\":[1,1]}'",     "sh: expected 'ours'"            },
        {"echo '{\"ours\":[1,2],\"reference\":[1]}'",       "sh: printed 2 times and 1 refer"},
    };
    const char *nobody[] = {"/nonexistent/program", NULL};
    struct nuce_bench_samples samples;
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(run(bad[i].script, &samples, &error), NUCE_FAILED);
        assert_memory_equal(error.message, bad[i].message, strlen(bad[i].message));
    }
    assert_int_equal(nuce_bench_run_command(nobody, &samples, &error), NUCE_FAILED);
    assert_string_equal(error.message, "/nonexistent/program: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
