/* Sizes of datatypes that calls of a trace make of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imports/dumpi_calls.h"
#include "imports/dumpi_types.h"

/* 24 is of 8 bytes, 25 of 12; what the call of these arguments makes of them, as number 30. */
static int64_t made(const char *call, const char *arguments)
{
    struct nuce_dumpi_types types = {.count = 0};
    struct nuce_dumpi_stream stream;
    struct nuce_dumpi_call one;
    struct nuce_error error;
    char text[1024];
    struct nuce_import_text file = {.name = "text", .text = text};
    int found;
    int64_t size;

    file.length = (size_t)snprintf(text, sizeof text,
                                   "%s entering at walltime 1.000000000, cputime\n%s"
                                   "MPI_Datatype newtype=30 (user-defined-datatype)\n"
                                   "%s returning at walltime 1.000000001, cputime\n",
                                   call, arguments, call);
    assert_int_equal(nuce_dumpi_note_size(&types, 24, 8, &error), NUCE_OK);
    assert_int_equal(nuce_dumpi_note_size(&types, 25, 12, &error), NUCE_OK);
    assert_int_equal(nuce_dumpi_open(&stream, &file, &error), NUCE_OK);
    assert_int_equal(nuce_dumpi_next(&stream, &one, &found, &error), NUCE_OK);
    assert_true(found);
    assert_int_equal(nuce_dumpi_note_made(&types, &stream, &one, &error), NUCE_OK);
    size = nuce_dumpi_size(&types, 30);
    free(types.sizes);
    return size;
}

#define OLD "MPI_Datatype oldtype=24 (MPI_LONG_INT)\n"

static void test_made_types(void **state)
{
    (void)state;
    assert_int_equal(made("MPI_Type_contiguous", "int count=5\n" OLD), 40);
    assert_int_equal(made("MPI_Type_vector", "int count=5\nint blocklength=2\nint stride=9\n" OLD),
                     80);
    assert_int_equal(
        made("MPI_Type_create_hvector", "int count=5\nint blocklength=2\nint stride=9\n" OLD), 80);
    assert_int_equal(made("MPI_Type_indexed", "int count=3\nint lengths[3]=[1, 2, 4]\n" OLD), 56);
    assert_int_equal(made("MPI_Type_create_hindexed", "int blocklengths[2]=[1, 2]\n" OLD), 24);
    assert_int_equal(made("MPI_Type_create_indexed_block", "int count=4\nint blocklength=3\n" OLD),
                     96);
    assert_int_equal(made("MPI_Type_create_subarray",
                          "int ndims=2\nint sizes[2]=[9, 9]\nint subsizes[2]=[3, 4]\n" OLD),
                     96);
    assert_int_equal(made("MPI_Type_create_resized", OLD "int lb=0\nint extent=64\n"), 8);
    assert_int_equal(made("MPI_Type_dup", OLD), 8);
    assert_int_equal(made("MPI_Type_create_struct", "int count=2\nint blocklengths[2]=[3, 1]\n"
                                                    "MPI_Datatype oldtypes[2]=[24, 25]\n"),
                     36);
}

static void test_unknown_types(void **state)
{
    (void)state;
    assert_int_equal(made("MPI_Type_commit", OLD), -1);
    assert_int_equal(made("MPI_Type_dup", "MPI_Datatype oldtype=29 (user-defined-datatype)\n"), -1);
    assert_int_equal(made("MPI_Type_contiguous", "int count=-5\n" OLD), -1);
    assert_int_equal(made("MPI_Type_contiguous", "int count=4611686018427387904\n" OLD), -1);
    assert_int_equal(made("MPI_Type_struct", "int lengths[2]=[3, 1]\n"
                                             "MPI_Datatype oldtypes[1]=[24]\n"),
                     -1);
    assert_int_equal(made("MPI_Type_struct", "int lengths[2]=[3, 1]\n"
                                             "MPI_Datatype oldtypes[2]=[24, 29]\n"),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_types),
        cmocka_unit_test(test_unknown_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
