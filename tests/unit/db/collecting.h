/* The folder of campaigns and the databases that the tests of collecting share. */
#ifndef NUCE_TEST_COLLECTING_H
#define NUCE_TEST_COLLECTING_H

#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "records.h"

struct fixture {
    char folder[PATH_BYTES];
    char campaigns[PATH_BYTES + 16];
    char database[PATH_BYTES + 16];
    char other[PATH_BYTES + 16];
};

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    make_folder(f->folder);
    snprintf(f->campaigns, sizeof f->campaigns, "%s/", f->folder);
    snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    snprintf(f->other, sizeof f->other, "%s/other.db", f->folder);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    remove_folder(f->folder);
    free(f);
    return 0;
}

/* Two campaigns, three files, five runs. */
static inline void write_campaigns(const struct fixture *f)
{
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "lp", 16, 2));
    append_record(f->folder, "a", "2.jsonl", job_record("a", "j2", "cpu"));
    append_record(f->folder, "a", "2.jsonl", run_record("a", "j2", "ac", 16, 3));
    append_record(f->folder, "b", "1.jsonl", job_record("b", "j3", "other cpu"));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "j3", "ac", 16, 4));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "j3", "rs-n", 32, 5));
}

static inline struct nuce_collect_counts collect(const struct fixture *f, const char *database)
{
    struct nuce_collect_counts counts;
    struct nuce_error error = {0};

    assert_ok(collect_all(database, f->campaigns, &counts, NULL, &error));
    return counts;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
