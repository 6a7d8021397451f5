/* Which files a bundle can have, and what two lists of files differ in. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "results/bundle_parts.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_paths(void **state)
{
    static const char *const good[] = {"SHA256SUMS",
                                       "campaigns/a/plan.jsonl",
                                       "campaigns/a-1.2/records/0001-1.jsonl",
                                       "campaigns/a/campaign.json",
                                       "campaigns/a/platform.xml",
                                       "campaigns/a/jobs/0001-0-slurm-7-0.prologue"};
    static const char *const bad[] = {"",
                                      "campaigns",
                                      "campaigns/",
                                      "campaigns/a",
                                      "campaigns/a/",
                                      "campaigns//plan.jsonl",
                                      "campaigns/../plan.jsonl",
                                      "campaigns/.a/plan.jsonl",
                                      "campaigns/-a/plan.jsonl",
                                      "campaigns/a/start.sh",
                                      "campaigns/a/records/",
                                      "campaigns/a/records/../plan.jsonl",
                                      "campaigns/a/records/b/0001.jsonl",
                                      "campaigns/a/records/.x.jsonl",
                                      "campaigns/a/records/0001-0-slurm-7-0.prologue",
                                      "campaigns/a/jobs/0001.sh",
                                      "campaigns/a/jobs/.prologue",
                                      "campaigns/a/jobs/b/c.prologue",
                                      "campaigns/a b/plan.jsonl",
                                      "/campaigns/a/plan.jsonl",
                                      "SHA256SUMS/x",
                                      "sha256sums",
                                      "SHA256SUMS.sig",
                                      "campaigns/a/records/.jsonl"};
    char name[NUCE_BUNDLE_NAME_BYTES], path[2 * NUCE_BUNDLE_NAME_BYTES];

    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(nuce_bundle_is_path(good[i], name));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(nuce_bundle_is_path(bad[i], name));
    assert_true(nuce_bundle_is_path("campaigns/a-1.2/plan.jsonl", name));
    assert_string_equal(name, "a-1.2");
    assert_true(nuce_bundle_is_path("SHA256SUMS", name));
    assert_string_equal(name, "");
    for (int length = NUCE_BUNDLE_NAME_BYTES - 1; length <= NUCE_BUNDLE_NAME_BYTES; length++) {
        snprintf(path, sizeof path, "campaigns/%0*d/plan.jsonl", length, 0);
        assert_int_equal(nuce_bundle_is_path(path, name), length < NUCE_BUNDLE_NAME_BYTES);
    }
}

static void write_sums(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static nuce_status read_sums(const char *text, json_t *out, struct nuce_error *error)
{
    char path[] = "/tmp/nuce-test-XXXXXX";
    int descriptor = mkstemp(path);
    nuce_status status;

    assert_true(descriptor >= 0);
    assert_int_equal(close(descriptor), 0);
    write_sums(path, text);
    status = nuce_bundle_add_sums(out, path, error);
    assert_int_equal(unlink(path), 0);
    return status;
}

static void test_bad_sums(void **state)
{
    static const char *const texts[] = {
        "hello\n",
        EMPTY " campaigns/a/plan.jsonl\n",
        EMPTY "  ../plan.jsonl\n",
        EMPTY "0  campaigns/a/plan.jsonl\n",
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        json_t *files = json_object();
        struct nuce_error error;
        char *text = nuce_text_format(EMPTY "  SHA256SUMS\n%s", texts[i]);

        assert_int_equal(read_sums(text, files, &error), NUCE_BAD_INPUT);
        assert_says(&error, "SHA256SUMS:2:1: not a line");
        json_decref(files);
        free(text);
    }
}

/* What is unpacked goes, whatever is in it, and so does what a dead process has left. */
static void test_scratch(void **state)
{
    char parent[] = "/tmp/nuce-test-XXXXXX";
    struct nuce_bundle_scratch first, second;
    struct nuce_error error;
    char *path;

    assert_non_null(mkdtemp(parent));
    assert_ok(nuce_bundle_scratch_make(parent, &first, &error));
    path = nuce_text_format("%s/file", first.path);
    write_sums(path, "text");
    assert_ok(nuce_bundle_scratch_make(parent, &second, &error));
    assert_int_equal(access(path, F_OK), 0); /* its maker lives */
    assert_int_equal(close(first.lock), 0);  /* as when it is killed */
    first.lock = -1;
    nuce_bundle_scratch_remove(&second);
    assert_ok(nuce_bundle_scratch_make(parent, &second, &error));
    assert_int_not_equal(access(path, F_OK), 0);
    nuce_bundle_scratch_remove(&second);
    nuce_bundle_scratch_remove(&first);
    assert_int_equal(rmdir(parent), 0);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_bad_sums),
        cmocka_unit_test(test_scratch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
