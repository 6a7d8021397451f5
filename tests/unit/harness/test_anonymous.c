/* What tells who measured goes, and nothing else does. */
#include <stdlib.h>
#include <string.h>

#include "../folder.h"
#include "bundle/anonymous.h"
#include "support/jsonl.h"
#include "support/record.h"

static void assert_becomes(struct nuce_pseudonyms *pseudonyms, const char *text, const char *wanted)
{
    char *changed = nuce_pseudonyms_text(pseudonyms, text);

    assert_string_equal(changed, wanted);
    assert_int_equal(nuce_pseudonyms_are_absent(pseudonyms, text, strlen(text)),
                     strcmp(text, wanted) == 0);
    free(changed);
}

static void init_names(struct nuce_pseudonyms *pseudonyms)
{
    struct nuce_error error;

    assert_int_equal(nuce_pseudonyms_init(pseudonyms, &error), NUCE_OK);
    (void)nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_HOST, "n1");
    (void)nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_HOST, "n12");
    (void)nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_USER, "eve");
}

static void names_are_replaced_as_words(void **state)
{
    struct nuce_pseudonyms names;

    (void)state;
    init_names(&names);
    assert_becomes(&names, "local-n1-629-17", "local-node1-629-17");
    assert_becomes(&names, "n12 and n1: eve@n1.site.org, eve.",
                   "node2 and node1: user1@node1, user1.");
    assert_becomes(&names, "never on n123 or xn1", "never on n123 or xn1");
    assert_becomes(&names, "read /home/a b,/x:(/y/z.graph)", "read /path1 b,/x:(/path2)");
    assert_becomes(&names, "EVE on N12.Site.org: file:///usr/x -I/usr/y ~carl/z",
                   "user1 on node2: file:/path3 -I/path4 /path5");
    assert_becomes(&names, "3 bytes /s </platform>", "3 bytes /s </platform>");
    assert_becomes(&names, "see https://simgrid.org/a.dtd", "see https://simgrid.org/a.dtd");
    assert_becomes(&names, "again /home/a", "again /path1");
    assert_becomes(&names, "1.5 MB/s, and/or 1/2, a / b", "1.5 MB/s, and/or 1/2, a / b");
    assert_becomes(&names, "", "");
    assert_int_equal(names.count[NUCE_PSEUDONYM_PATH], 5);
    nuce_pseudonyms_fini(&names);
}

static void one_name_has_one_pseudonym(void **state)
{
    struct nuce_pseudonyms names;

    (void)state;
    init_names(&names);
    assert_string_equal(nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_HOST, "n1"), "node1");
    assert_string_equal(nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_USER, "n1"), "node1");
    assert_string_equal(nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_HOST, "x"), "x");
    assert_int_equal(names.count[NUCE_PSEUDONYM_HOST], 2);
    assert_string_equal(nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_HOST, "g7.site.org"), "node3");
    assert_string_equal(nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_HOST, "g7"), "node3");
    nuce_pseudonyms_fini(&names);
}

static const char job[] =
    "{'campaign':'c.1','record':'job','version':2,'job':'local-gate-1-2','sum':'00',"
    "'environment':'was','described':{'nuce':'0.1.0','variables':{'UCX_TLS':'tcp'},"
    "'cluster':{'name':'big','topology':'Nodes=n[1-4]','modules':['mpich/4.2'],"
    "'prologue':['source /home/eve/env']}},"
    "'facts':{'hosts':['n1','n2.site.org','n1'],'ranks':3,'load':0.5,'variables':{"
    "'SLURM_JOB_USER':'eve','SLURM_JOB_UID':'1000','SLURM_JOB_NUM_NODES':'2',"
    "'SLURM_TASKS_PER_NODE':'2(x2)','SLURM_JOB_NODELIST':'n[1-2]'}}}";

static json_t *record_of(const char *text)
{
    char *copy = strdup(text);
    json_t *record;

    for (char *c = copy; *c != '\0'; c++)
        *c = (char)(*c == '\'' ? '"' : *c);
    record = json_loads(copy, 0, NULL);
    assert_non_null(record);
    free(copy);
    return record;
}

/* The job above in a campaign's folder, whose names are found. */
static void find_names(struct nuce_pseudonyms *pseudonyms)
{
    struct folder folder = folder_make();
    struct nuce_campaign campaign = {.path = folder.path, .name = "c.1"};
    json_t *record = record_of(job);
    struct nuce_jsonl_writer writer;
    struct nuce_error error;
    char name[96];

    (void)snprintf(name, sizeof name, "%s/records", folder.path);
    assert_int_equal(mkdir(name, 0777), 0);
    (void)snprintf(name, sizeof name, "%s/records/0001.jsonl", folder.path);
    (void)json_object_del(record, "sum");
    assert_int_equal(nuce_jsonl_create(name, &writer, &error), NUCE_OK);
    assert_int_equal(nuce_jsonl_append(&writer, record, &error), NUCE_OK);
    nuce_jsonl_close(&writer);
    assert_int_equal(nuce_pseudonyms_init(pseudonyms, &error), NUCE_OK);
    assert_int_equal(nuce_anonymous_find(&campaign, pseudonyms, &error), NUCE_OK);
    json_decref(record);
    folder_remove(&folder);
}

static void job_record_names_nobody(void **state)
{
    static const char *const gone[] = {"n1", "site", "eve", "big", "gate", "home", "1000", "Nodes"};
    static const char *const kept[] = {"mpich/4.2", "\"2(x2)\"", "UCX_TLS", "\"node1\"", "0.1.0"};
    json_t *record = record_of(job), *changed;
    struct nuce_pseudonyms names;
    struct nuce_error error;
    char *text;

    (void)state;
    find_names(&names);
    changed = nuce_anonymous_record(record, &names, &error);
    assert_non_null(changed);
    assert_int_equal(nuce_record_check_job(changed, NULL, NULL, &error), NUCE_OK);
    text = json_dumps(changed, JSON_COMPACT);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_null(strstr(text, gone[i]));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_non_null(strstr(text, kept[i]));
    free(text);
    json_decref(changed);
    json_decref(record);
    nuce_pseudonyms_fini(&names);
}

/* A host may be called as a schedule is. */
static void what_was_measured_stays(void **state)
{
    json_t *record = record_of("{'record':'run','job':'local-ac-1-2','params':{'schedule':'ac',"
                               "'mesh':'ac@0123'},'message':'ac: /a/b','found':{'file':'/a/b'},"
                               "'samples':{'step':[0.1]}}");
    json_t *wanted = record_of("{'record':'run','job':'local-node1-1-2','params':{'schedule':'ac',"
                               "'mesh':'ac@0123'},'message':'node1: "
                               "/path1','found':{'file':'/path1'},'samples':{'step':[0.1]}}");
    struct nuce_pseudonyms names;
    struct nuce_error error;
    json_t *changed;

    (void)state;
    assert_int_equal(nuce_pseudonyms_init(&names, &error), NUCE_OK);
    (void)nuce_pseudonyms_add(&names, NUCE_PSEUDONYM_HOST, "ac");
    changed = nuce_anonymous_record(record, &names, &error);
    assert_true(json_equal(changed, wanted));
    json_decref(changed);
    json_decref(wanted);
    json_decref(record);
    nuce_pseudonyms_fini(&names);
}

static void sweep_has_no_comments(void **state)
{
    static const char text[] = "# by eve on n1\n"
                               "name: a # of mine\n"
                               "slurm:\n  account: secret\n  list: [a, {b: c}]\n"
                               "sweep: {mesh: /home/eve/x.graph, schedule: [ac, lp], slurm: [3]}\n"
                               "measure: {limit: 1s}\n";
    static const char wanted[] = "name: a\nslurm: {}\n"
                                 "sweep: {mesh: /path1, schedule: [ac, lp], slurm: [3]}\n"
                                 "measure: {limit: 1s}\n";
    struct nuce_pseudonyms names;
    struct nuce_error error;
    size_t length = 0;
    char *changed;

    (void)state;
    init_names(&names);
    changed = nuce_anonymous_sweep(text, strlen(text), &names, &length, &error);
    assert_non_null(changed);
    assert_string_equal(changed, wanted);
    assert_int_equal(length, strlen(wanted));
    free(changed);
    assert_null(nuce_anonymous_sweep("a: [", 4, &names, &length, &error));
    nuce_pseudonyms_fini(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_replaced_as_words), cmocka_unit_test(one_name_has_one_pseudonym),
        cmocka_unit_test(job_record_names_nobody),     cmocka_unit_test(what_was_measured_stays),
        cmocka_unit_test(sweep_has_no_comments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
