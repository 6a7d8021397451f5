/* What a sweep may say of how processes are started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "points/launch_factors.h"

/* Names of variables, and whether a sweep may set them. */
static void test_variables(void **state)
{
    static const struct {
        const char *name;
        int is_good;
    } cases[] = {
        {"UCX_TLS", 1},      {"A", 1},      {"_own", 1},
        {"Mixed_Case9", 1},  {"SLURM", 1},  {"SLURMX", 1},
        {"SLURM_NTASKS", 0}, {"SLURM_", 0}, {"ranks", 0},
        {"9LIVES", 0},       {"", 0},       {"A B", 0},
        {"A=B", 0},          {"A-B", 0},    {"\xc3\x84", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check_variable(cases[i].name, &error);

        if ((status == NUCE_OK) != cases[i].is_good)
            fail_msg("'%s': %s", cases[i].name, error.message);
        if (!cases[i].is_good)
            assert_non_null(strstr(error.message, cases[i].name));
    }
}

/* 64 letters are a name, 65 are not. */
static void test_long(void **state)
{
    char name[NUCE_NAME_BYTES + 1];
    struct nuce_error error;

    (void)state;
    memset(name, 'X', sizeof name);
    name[NUCE_NAME_BYTES] = '\0';
    assert_int_equal(nuce_launch_check_variable(name, &error), NUCE_BAD_INPUT);
    name[NUCE_NAME_BYTES - 1] = '\0';
    assert_int_equal(nuce_launch_check_variable(name, &error), NUCE_OK);
}

/* Factors as a line of a plan has them; NULL: they are good, else a part of what is said. */
static void test_factors(void **state)
{
    static const struct {
        const char *factors, *says;
    } cases[] = {
        {"{}", NULL},
        {"{\"nodes\":2,\"ntasks-per-node\":64,\"mpi\":\"openmpi\",\"UCX_TLS\":\"sm\"}", NULL},
        {"{\"UCX_TLS\":null}", NULL},
        {"[]", "launch: expected an object"},
        {"{\"nodes\":0}", "launch: nodes: expected a whole number of at least 1"},
        {"{\"nodes\":-3}", "launch: nodes"},
        {"{\"nodes\":1.5}", "launch: nodes"},
        {"{\"nodes\":\"2\"}", "launch: nodes"},
        {"{\"nodes\":null}", "launch: nodes"},
        {"{\"ntasks-per-node\":0}", "launch: ntasks-per-node: expected a whole number"},
        {"{\"mpi\":1}", "launch: mpi: expected a text"},
        {"{\"mpi\":null}", "launch: mpi: expected a text"}, /* only variables may be unset */
        {"{\"UCX_TLS\":1}", "launch: UCX_TLS: expected a text"},
        {"{\"ucx\":\"x\"}", "environment: 'ucx'"},
        {"{\"SLURM_X\":\"x\"}", "Slurm sets its own"},
        {"{\"nodes\":1,\"mpi\":\"mpich\",\"UCX_TLS\":[]}", "launch: UCX_TLS"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *factors = json_loads(cases[i].factors, 0, NULL);
        struct nuce_error error = {0};
        nuce_status status = nuce_launch_check(factors, &error);

        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].says != NULL && strstr(error.message, cases[i].says) == NULL)
            fail_msg("%s: '%s' does not say '%s'", cases[i].factors, error.message, cases[i].says);
        json_decref(factors);
    }
}

/* Counts that are not said are 0; what is said in another order is the same; nothing is not an
 * empty object. */
static void test_same(void **state)
{
    json_t *one = json_loads("{\"nodes\":2,\"A\":null}", 0, NULL);
    json_t *other = json_loads("{\"A\":null,\"nodes\":2}", 0, NULL);
    json_t *less = json_loads("{\"nodes\":2}", 0, NULL);
    json_t *empty = json_object();

    (void)state;
    assert_int_equal(nuce_launch_count(one, "nodes"), 2);
    assert_int_equal(nuce_launch_count(one, "ntasks-per-node"), 0);
    assert_int_equal(nuce_launch_count(NULL, "nodes"), 0);
    assert_true(nuce_launch_is_same(one, other));
    assert_true(nuce_launch_is_same(NULL, NULL));
    assert_false(nuce_launch_is_same(one, less)); /* unset is not what it was before */
    assert_false(nuce_launch_is_same(NULL, empty));
    assert_false(nuce_launch_is_same(empty, NULL));
    json_decref(one);
    json_decref(other);
    json_decref(less);
    json_decref(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
