/* The runs of nuce-bench, and commands in their place. */
#include "../test.h"

#include <stdlib.h>

#include "bench.h"

static nuce_status run(const char *script, struct nuce_bench_samples *out, struct nuce_error *error)
{
    const char *argv[] = {"sh", "-c", script, NULL};

    return nuce_bench_run_command(argv, out, error);
}

/* Medians of each and of the ratio turn by turn, and whether the budget is met. */
static void test_evaluate(void **state)
{
    struct nuce_bench bench = {.name = "x", .budget_s = 2.5};
    OWNED(bench_samples) samples;
    struct nuce_bench_result result;

    assert_ok(run("echo '{\"ours\":[1,2,4],\"reference\":[2,8,4]}'", &samples, ANY_ERROR));
    for (int met = 1; met >= 0; met--) {
        nuce_bench_evaluate(&bench, &samples, &result);
        assert_near(result.ours.median, 2, 1e-12);
        assert_near(result.reference.median, 4, 1e-12);
        assert_near(result.ratio.median, 0.5, 1e-12);
        assert_true(fabs(result.ratio.low - 0.25) < 1e-12 && fabs(result.ratio.high - 1) < 1e-12);
        assert_int_equal(result.turns, 3);
        assert_int_equal(result.met, met);
        bench.budget_s = 1.5;
    }
    bench.budget_s = 0;
    bench.budget_ratio = 0.5;
    nuce_bench_evaluate(&bench, &samples, &result);
    assert_true(result.met);
    bench.budget_ratio = 0.49;
    nuce_bench_evaluate(&bench, &samples, &result);
    assert_false(result.met);
}

static void test_refused(void **state)
{
    static const struct {
        const char *script, *message;
    } bad[] = {
        {"echo '{\"ours\":[1],\"reference\":[1]}'; exit 3", "sh: ended with status 3"},
        {"kill -9 $$", "sh: ended with signal 9"},
        {"echo hello", "sh: printed no JSON"},
        {"true", "sh: printed no JSON"},
        {"echo '{\"ours\":[1]}'", "sh: expected 'reference'"},
        {"echo '{\"ours\":[],\"reference\":[]}'", "sh: expected 'ours'"},
        {"echo '{\"ours\":[1,0],\"reference\":[1,1]}'", "sh: expected 'ours'"},
        {"echo '{\"ours\":[1,2],\"reference\":[1]}'", "sh: printed 2 times and 1 refer"},
    };
    const char *nobody[] = {"/nonexistent/program", NULL};
    struct nuce_bench_samples samples;
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(run(bad[i].script, &samples, &error), NUCE_FAILED);
        assert_memory_equal(error.message, bad[i].message, strlen(bad[i].message));
    }
    assert_int_equal(nuce_bench_run_command(nobody, &samples, &error), NUCE_FAILED);
    assert_string_equal(error.message, "/nonexistent/program: No such file or directory");
}

/* How often a bench ran ours and the reference, and what it says that ours holds. */
struct counts {
    int ours, reference;
    int64_t held_bytes;
};

static nuce_status create_counts(struct nuce_bench_case *out, struct nuce_error *error)
{
    static const int64_t reference_bytes = 9000;
    struct counts *counts = calloc(1, sizeof *counts);

    assert_non_null(counts);
    out->self = counts;
    out->reference_units = 0.5;
    out->held_bytes = &counts->held_bytes;
    out->reference_bytes = &reference_bytes;
    return NUCE_OK;
}

static nuce_status count_ours(void *self, struct nuce_error *error)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours++, counts->reference);
    counts->held_bytes = 2000;
    return NUCE_OK;
}

static nuce_status count_reference(void *self, struct nuce_error *error)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours, ++counts->reference);
    return NUCE_OK;
}

static void check_counts(void *self)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours, counts->reference);
    assert_true(counts->ours == 1 || counts->ours == 4);
    free(self);
}

/* In turns, after one that is not counted; a single one is neither warmed up nor repeated. */
static void test_turns(void **state)
{
    struct nuce_bench bench = {.name = "x",
                               .least_turns = 3,
                               .create = create_counts,
                               .run_ours = count_ours,
                               .run_reference = count_reference,
                               .destroy = check_counts};
    OWNED(bench_samples) samples;

    assert_ok(nuce_bench_measure(&bench, 0, &samples, ANY_ERROR));
    assert_int_equal(samples.count, 3);
    assert_int_equal(samples.peak_bytes, 2000);
    assert_int_equal(samples.reference_bytes, 9000);
    nuce_bench_samples_fini(&samples);
    bench.is_single = 1;
    assert_ok(nuce_bench_measure(&bench, 10, &samples, ANY_ERROR));
    assert_int_equal(samples.count, 1);
}

RUN(test_evaluate, test_refused, test_turns)
