/* What is remembered of files: read once, named by their content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../folder.h"
#include "points/facts.h"

#define TEXT "3\n0 1 100\n1 2 50\n"

struct scene {
    struct folder folder;
    struct nuce_facts *facts;
    char path[128];
};

static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    assert_non_null(scene);
    scene->folder = folder_make();
    scene->facts = nuce_facts_create();
    snprintf(scene->path, sizeof scene->path, "%s/file", scene->folder.path);
    *state = scene;
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    nuce_facts_destroy(scene->facts);
    folder_remove(&scene->folder);
    free(scene);
    return 0;
}

/* BASENAME@SHA-256, as sha256sum prints it. */
static void test_identity(void **state)
{
    struct scene *scene = *state;
    const char *identity = NULL;
    struct nuce_error error;

    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
}

/* A file that changes behind its back stays what it was: thousands of points see one content. */
static void test_read_once(void **state)
{
    struct scene *scene = *state;
    const char *first = NULL, *second = NULL;
    int ranks = 0;
    struct nuce_error error;

    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &first, &error), NUCE_OK);
    assert_int_equal(nuce_facts_com_ranks(scene->facts, scene->path, &ranks, &error), NUCE_OK);
    assert_int_equal(ranks, 3);
    folder_add(&scene->folder, "file", "5\n0 1 100\n");
    assert_int_equal(nuce_facts_file_identity(scene->facts, scene->path, &second, &error), NUCE_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(nuce_facts_com_ranks(scene->facts, scene->path, &ranks, &error), NUCE_OK);
    assert_int_equal(ranks, 3);
}

/* What fails is tried again, and nothing is written. */
static void test_failure(void **state)
{
    struct scene *scene = *state;
    const char *identity = "untouched";
    int ranks = -7;
    struct nuce_error error;

    assert_int_not_equal(nuce_facts_file_identity(scene->facts, scene->path, &identity, &error),
                         NUCE_OK);
    assert_string_equal(identity, "untouched");
    folder_add(&scene->folder, "file", "3\n0 3 100\n");
    assert_int_equal(nuce_facts_com_ranks(scene->facts, scene->path, &ranks, &error),
                     NUCE_BAD_INPUT);
    assert_int_equal(ranks, -7);
    assert_string_equal(error.path, scene->path);
    assert_int_equal(error.line, 2);
    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_com_ranks(scene->facts, scene->path, &ranks, &error), NUCE_OK);
    assert_int_equal(ranks, 3);
}

static void test_sizes(void **state)
{
    struct scene *scene = *state;
    bool has_coordinates = true;
    int64_t nodes = 0;
    int count = 0;
    struct nuce_error error;
    char path[160];

    folder_add(&scene->folder, "ring.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n");
    snprintf(path, sizeof path, "%s/ring.graph", scene->folder.path);
    assert_int_equal(nuce_facts_mesh_nodes(scene->facts, path, &nodes, &error), NUCE_OK);
    assert_int_equal(nodes, 4);
    assert_int_equal(nuce_facts_mesh_has_coordinates(scene->facts, path, &has_coordinates, &error),
                     NUCE_OK);
    assert_false(has_coordinates);
    assert_int_equal(
        nuce_facts_mesh_has_coordinates(scene->facts, "wing-2800", &has_coordinates, &error),
        NUCE_OK);
    assert_true(has_coordinates);
    folder_add(&scene->folder, "links.net",
               "ranks 3\n0 1 0 1e6\n0 2 0 1e6\n1 0 0 1e6\n"
               "1 2 0 1e6\n2 0 0 1e6\n2 1 0 1e6\n");
    snprintf(path, sizeof path, "%s/links.net", scene->folder.path);
    assert_int_equal(nuce_facts_network_ranks(scene->facts, path, &count, &error), NUCE_OK);
    assert_int_equal(count, 3);
    assert_int_equal(nuce_facts_network_ranks(scene->facts, "cm5", &count, &error), NUCE_OK);
    assert_int_equal(count, 0);
    folder_add(&scene->folder, "tree.conf", "switch a b\nnode n0 a\nnode n1 b\n");
    snprintf(path, sizeof path, "%s/tree.conf", scene->folder.path);
    assert_int_equal(nuce_facts_topology_nodes(scene->facts, path, &count, &error), NUCE_OK);
    assert_int_equal(count, 2);
}

/* What has a name of its own keeps it; any other is a file. */
static void test_names(void **state)
{
    struct scene *scene = *state;
    const char *identity = NULL;
    struct nuce_error error;

    assert_int_equal(nuce_facts_network_identity(scene->facts, "cm5", &identity, &error), NUCE_OK);
    assert_string_equal(identity, "cm5");
    assert_int_equal(nuce_facts_network_identity(scene->facts, "emulated", &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity, "emulated");
    assert_int_not_equal(nuce_facts_network_identity(scene->facts, "cm6", &identity, &error),
                         NUCE_OK);
    folder_add(&scene->folder, "file", TEXT);
    assert_int_equal(nuce_facts_network_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
    assert_int_equal(nuce_facts_mesh_identity(scene->facts, scene->path, &identity, &error),
                     NUCE_OK);
    assert_string_equal(identity,
                        "file@e3f972658b756e42e86749b821b12f099f7800560a792a013200358ffb0a3cb3");
}

/* More names than the memory begins with. */
static void test_many(void **state)
{
    struct scene *scene = *state;
    const char *first = NULL, *identity = NULL;
    char name[32], path[160];
    struct nuce_error error;

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "file%d", i);
            folder_add(&scene->folder, name, name);
            snprintf(path, sizeof path, "%s/%s", scene->folder.path, name);
            assert_int_equal(nuce_facts_file_identity(scene->facts, path, &identity, &error),
                             NUCE_OK);
            assert_memory_equal(identity, name, strlen(name));
            first = i == 0 && round == 0 ? identity : first;
            if (i == 0)
                assert_ptr_equal(identity, first);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identity, enter, leave),
        cmocka_unit_test_setup_teardown(test_read_once, enter, leave),
        cmocka_unit_test_setup_teardown(test_failure, enter, leave),
        cmocka_unit_test_setup_teardown(test_sizes, enter, leave),
        cmocka_unit_test_setup_teardown(test_names, enter, leave),
        cmocka_unit_test_setup_teardown(test_many, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
