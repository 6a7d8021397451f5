/* The files that a bundle can have, and the difference of two lists of files. */
#include "../folder.h"

#include "base/text.h"
#include "results/bundle_parts.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_paths(void **state)
{
    char good[] =
        "SHA256SUMS|campaigns/a/plan.jsonl|campaigns/a-1.2/records/0001-1.jsonl|campaigns/a/"
        "campaign.json|campaigns/a/platform.xml|campaigns/a/jobs/0001-0-slurm-7-0.prologue";
    char bad[] =
        "|campaigns|campaigns/|campaigns/a|campaigns/a/|campaigns//plan.jsonl|campaigns/../"
        "plan.jsonl|campaigns/.a/plan.jsonl|campaigns/-a/plan.jsonl|campaigns/a/start.sh|campaigns/"
        "a/records/|campaigns/a/records/../plan.jsonl|campaigns/a/records/b/0001.jsonl|campaigns/a/"
        "records/.x.jsonl|campaigns/a/records/0001-0-slurm-7-0.prologue|campaigns/a/jobs/"
        "0001.sh|campaigns/a/jobs/.prologue|campaigns/a/jobs/b/c.prologue|campaigns/a "
        "b/plan.jsonl|/campaigns/a/plan.jsonl|SHA256SUMS/x|sha256sums|SHA256SUMS.sig|campaigns/a/"
        "records/.jsonl";
    char *rest = good, *one;
    char name[NUCE_BUNDLE_NAME_BYTES], path[2 * NUCE_BUNDLE_NAME_BYTES];

    while ((one = strsep(&rest, "|")) != NULL)
        assert_true(nuce_bundle_is_path(one, name));
    for (rest = bad; (one = strsep(&rest, "|")) != NULL;)
        assert_false(nuce_bundle_is_path(one, name));
    assert_true(nuce_bundle_is_path("campaigns/a-1.2/plan.jsonl", name));
    assert_string_equal(name, "a-1.2");
    assert_true(nuce_bundle_is_path("SHA256SUMS", name));
    assert_string_equal(name, "");
    for (int length = NUCE_BUNDLE_NAME_BYTES - 1; length <= NUCE_BUNDLE_NAME_BYTES; length++) {
        snprintf(path, sizeof path, "campaigns/%0*d/plan.jsonl", length, 0);
        assert_int_equal(nuce_bundle_is_path(path, name), length < NUCE_BUNDLE_NAME_BYTES);
    }
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

        file_write("SHA256SUMS", text);
        assert_int_equal(nuce_bundle_add_sums(files, "SHA256SUMS", &error), NUCE_BAD_INPUT);
        assert_says(&error, "SHA256SUMS:2:1: not a line");
        json_decref(files);
        free(text);
    }
}

/* An unpacked bundle is removed, whatever is in it, and so are the remains of a dead process. */
static void test_scratch(void **state)
{
    const char *parent = ((struct folder *)*state)->path;
    struct nuce_bundle_scratch first, second;
    char *path;

    assert_ok(nuce_bundle_scratch_make(parent, &first, ANY_ERROR));
    path = nuce_text_format("%s/file", first.path);
    file_write(path, "text");
    assert_ok(nuce_bundle_scratch_make(parent, &second, ANY_ERROR));
    assert_int_equal(access(path, F_OK), 0); /* its maker lives */
    assert_int_equal(close(first.lock), 0);  /* as when it is killed */
    first.lock = -1;
    nuce_bundle_scratch_remove(&second);
    assert_ok(nuce_bundle_scratch_make(parent, &second, ANY_ERROR));
    assert_int_not_equal(access(path, F_OK), 0);
    nuce_bundle_scratch_remove(&second);
    nuce_bundle_scratch_remove(&first);
    assert_int_equal(folder_count(*state), 0);
    free(path);
}

RUN_EACH(folder_setup, folder_teardown, test_paths, test_bad_sums, test_scratch)
