#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/data.h"

/* The folder of this test program, by another way: realpath of the link. */
static char *own_folder(void)
{
    char *path = realpath("/proc/self/exe", NULL);

    assert_non_null(path);
    *strrchr(path, '/') = '\0';
    return path;
}

static void test_program_path(void **state)
{
    struct nuce_error error;
    char *path = nuce_data_program_path("test_unit_support_data", &error);
    char *folder = own_folder();

    (void)state;
    assert_non_null(path);
    assert_memory_equal(path, folder, strlen(folder));
    assert_string_equal(path + strlen(folder), "/test_unit_support_data");
    assert_int_equal(access(path, X_OK), 0);
    free(path);
    free(folder);
}

static void test_data_path(void **state)
{
    struct nuce_error error;
    char *file = nuce_data_path("configs/quick.yaml", &error);
    char *share = nuce_data_path("", &error);
    char *folder = own_folder();
    char expected[4096];

    (void)state;
    assert_non_null(file);
    assert_non_null(share);
    *strrchr(folder, '/') = '\0';
    snprintf(expected, sizeof expected, "%s/share/nuce", folder);
    assert_string_equal(share, expected);
    snprintf(expected, sizeof expected, "%s/share/nuce/configs/quick.yaml", folder);
    assert_string_equal(file, expected);
    free(file);
    free(share);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_path),
        cmocka_unit_test(test_data_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
