/* Folders: the order, what is left out, and one that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

static void test_names(void **state)
{
    static const char *const names[] = {".hidden", "B", "a", "b.10", "b.9"};
    static const int order[] = {4, 2, 0, 3, 1};
    char path[] = "folder_XXXXXX", file[64];
    struct nuce_folder folder;
    struct nuce_error error;

    (void)state;
    assert_non_null(mkdtemp(path));
    for (int i = 0; i < 5; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[order[i]]);
        assert_int_equal(mkdir(file, 0777), 0);
    }
    assert_int_equal(nuce_folder_read(&folder, &error, "./%s", path), NUCE_OK);
    assert_int_equal(folder.count, 5);
    assert_int_equal(folder.is_there, 1);
    assert_int_equal(strncmp(folder.path, "./", 2), 0);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(folder.entries[i]->d_name, names[i]);
        snprintf(file, sizeof file, "%s/%s", path, names[i]);
        assert_int_equal(rmdir(file), 0);
    }
    nuce_folder_fini(&folder);
    assert_int_equal(rmdir(path), 0);
}

static void test_none(void **state)
{
    struct nuce_folder folder;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_folder_read(&folder, &error, "no/such"), NUCE_OK);
    assert_int_equal(folder.count, 0);
    assert_int_equal(folder.is_there, 0);
    nuce_folder_fini(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
