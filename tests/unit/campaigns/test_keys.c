/* What users may say to Slurm, and what is refused, word by word. */
#include "../folder.h"
#include "../test.h"
#include "campaigns/profile_keys.h"

struct said {
    const char *key, *value;
    const char *said; /* NULL: good */
};

static void check_said(const struct said *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct nuce_error error;
        nuce_status status = nuce_slurm_check(cases[i].key, cases[i].value, &error);

        assert_int_equal(status, cases[i].said == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].said != NULL)
            assert_string_equal(error.message, cases[i].said);
    }
}

static void test_values(void **state)
{
    static const struct said cases[] = {
        {"nodes", "8", NULL},
        {"nodes", "0", "nodes: '0': expected a whole number from 1 to 16777216 (nodes of a job)"},
        {"nodes", "-1", "nodes: '-1': expected a whole number from 1 to 16777216 (nodes of a job)"},
        {"nodes", "2-4",
         "nodes: '2-4': expected a whole number from 1 to 16777216 (nodes of a job)"},
        {"nodes", "16777217",
         "nodes: '16777217': expected a whole number from 1 to 16777216 (nodes of a job)"},
        {"ntasks-per-node", "four",
         "ntasks-per-node: 'four': expected a whole number from 1 to 16777216 (ranks on each "
         "node)"},
        {"signal", "120", NULL},
        {"signal", "B:USR1@60",
         "signal: 'B:USR1@60': expected a whole number from 1 to 65535 (seconds before its time "
         "limit a job is told to stop (60))"},
        {"signal", "65536",
         "signal: '65536': expected a whole number from 1 to 65535 (seconds before its time limit "
         "a job is told to stop (60))"},
        {"time", "01:00:00", NULL},
        {"time", "1h",
         "time: '1h': expected a time limit: minutes, minutes:seconds, hours:minutes:seconds or "
         "days-hours[:minutes[:seconds]]"},
        {"exclusive", "yes", NULL},
        {"exclusive", "user", "exclusive: 'user': expected true or false"},
        {"requeue", "2", "requeue: '2': expected true or false"},
        {"contiguous", "true", NULL},
        {"partition", "a,b", NULL},
        {"partition", "", "partition: expected a value, got nothing"},
        {"comment", "$(rm -rf x)", NULL},
        {"comment", "\xc3\xa4", NULL},
        {"comment", "a\nb", "comment: a control character in the value: expected one line"},
        {"comment", "a\tb", "comment: a control character in the value: expected one line"},
        {"comment", "a\x7f", "comment: a control character in the value: expected one line"},
        {"frobnicate", "x", NULL},
        {"frobnicate", "x\n#SBATCH y",
         "frobnicate: a control character in the value: expected one line"},
        {"hostfile", "hosts.txt", NULL},
    };

    check_said(cases, COUNT(cases));
}

static void test_keys(void **state)
{
    static const struct said cases[] = {
        {"job-name", "x", "'job-name' is set by nuce"},
        {"array", "x", "'array' is set by nuce ('concurrent' limits the tasks at one time)"},
        {"ntasks", "8", "'ntasks' is set by nuce (from a sweep's 'ranks')"},
        {"wrap", "x", "'wrap' takes the place of the job script, which nuce writes"},
        {"uid", "x", "'uid' is refused: nuce only knows jobs of the user that calls it"},
        {"ndoes", "8", "unknown key 'ndoes' (did you mean 'nodes'?)"},
        {"particion", "x", "unknown key 'particion' (did you mean 'partition'?)"},
        {"constrain", "x", "unknown key 'constrain' (did you mean 'constraint'?)"},
        /* sbatch takes abbreviations: these would have become the job's name. */
        {"job", "x", "unknown key 'job' (did you mean 'job-name'?)"},
        {"jo", "x", "unknown key 'jo' (did you mean 'job-name'?)"},
        {"ou", "x", "unknown key 'ou' (did you mean 'output'?)"},
        {"", "x", "'' is no name of an option (small letters, digits and hyphens)"},
        {"a b", "x", "'a b' is no name of an option (small letters, digits and hyphens)"},
        {"comment=x", "x",
         "'comment=x' is no name of an option (small letters, digits and hyphens)"},
        {"Comment", "x", "'Comment' is no name of an option (small letters, digits and hyphens)"},
        {"-J", "x", "'-J' is no name of an option (small letters, digits and hyphens)"},
        {"--job-name", "x",
         "'--job-name' is no name of an option (small letters, digits and hyphens)"},
        {"$(touch c)", "x",
         "'$(touch c)' is no name of an option (small letters, digits and hyphens)"},
        {"x\n#SBATCH ", "x",
         "'x\n#SBATCH ' is no name of an option (small letters, digits and hyphens)"},
    };

    check_said(cases, COUNT(cases));
}

/* What nuce sets is refused as a key, as a word, and however it is abbreviated. */
static void test_refused(void **state)
{
    char names[] = "array chdir cluster cluster-constraint clusters distribution error export "
                   "export-file get-user-env gid help input job-name no-requeue ntasks open-mode "
                   "output parsable quiet script tasks tasks-per-node test-only uid usage verbose "
                   "version wait workdir wrap";

    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " ")) {
        struct nuce_error error;
        char word[64] = "--";

        assert_int_equal(nuce_slurm_check(name, "1", &error), NUCE_BAD_INPUT);
        for (size_t end = 1; end <= strlen(name); end++) {
            const char *words[] = {word};

            memcpy(word + 2, name, end);
            word[2 + end] = '\0';
            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_BAD_INPUT);
            if (nuce_slurm_key_find(word + 2) == NULL)
                assert_int_equal(nuce_slurm_check(word + 2, "1", &error), NUCE_BAD_INPUT);
            memcpy(word + 2 + end, "=x", 3);
            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_BAD_INPUT);
        }
    }
}

static void test_words(void **state)
{
    static const char own[] = " is more than a word for sbatch: set it in the sweep's slurm: or "
                              "the profile";
    static const char shape[] = ": expected an option of sbatch by its long name, as one word: "
                                "--name=value or --name";
    static const struct {
        const char *word;
        const char *said; /* NULL: good */
        const char *rest;
    } cases[] = {
        {"--account=x", NULL, NULL},
        {"--nice=10", NULL, NULL},
        {"--nice", NULL, NULL},
        {"--exclusive=user", NULL, NULL},
        {"--mem-per-c=1G", NULL, NULL},
        {"--comment=$(x) --job y", NULL, NULL},
        {"--comment=-J x", NULL, NULL},
        {"--comment=", NULL, NULL},
        {"--wait-all-nodes=1", NULL, NULL},
        {"--ntasks-per-core=1", NULL, NULL},
        {"--time-min=10", NULL, NULL},
        {"--new-key=x", NULL, NULL},
        {"--job-name=x", "'--job-name=x': 'job-name' is set by nuce", ""},
        {"--job=x", "'--job=x': 'job-name' is set by nuce", ""},
        {"--j", "'--j': 'job-name' is set by nuce", ""},
        {"--nodes=2", "'--nodes=2': 'nodes'", own},
        {"--node=2", "'--node=2': 'nodes'", own},
        {"--time", "'--time': 'time'", own},
        {"--t=5", "'--t=5': 'tasks' is set by nuce (from a sweep's 'ranks')", ""},
        {"--requeue", "'--requeue': 'requeue'", own},
        {"--signal=B:USR1@60", "'--signal=B:USR1@60': 'signal'", own},
        {"-Jx", "'-Jx'", shape},
        {"-p", "'-p'", shape},
        {"-H", "'-H'", shape},
        {"job.sh", "'job.sh'", shape},
        {"", "''", shape},
        {":", "':'", shape},
        {"-", "'-'", shape},
        {"--", "'--'", shape},
        {"---x", "'---x'", shape},
        {"--=", "'--='", shape},
        {"--Hold", "'--Hold'", shape},
        {"--comment x", "'--comment x'", shape},
        {"--comment=a\nb", "word 1 for sbatch: a control character: expected one line", ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error = {.message = ""};
        nuce_status status = nuce_slurm_check_words(&cases[i].word, 1, &error);
        size_t length = cases[i].said != NULL ? strlen(cases[i].said) : 0;

        assert_int_equal(status, cases[i].said == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i].said == NULL)
            continue;
        assert_int_equal(strncmp(error.message, cases[i].said, length), 0);
        assert_string_equal(error.message + length, cases[i].rest);
    }
}

static void test_time(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
    } good[] = {
        {"1", 60},          {"90", 5400},
        {"1:30", 90},       {"0:01", 1},
        {"01:30:00", 5400}, {"100:00:00", 360000},
        {"2-0", 172800},    {"2-00:00", 172800},
        {"1-01:01", 90060}, {"1-01:01:01", 90061},
        {"0-1", 3600},      {"2147483646", 2147483646ll * 60},
    };
    static const char *const bad[] = {"9999999999", "99999999999999",
                                      "",           "0",
                                      "00:00:00",   "-1",
                                      "1-",         "-",
                                      "1:",         ":1",
                                      "1:2:3:4",    "1-1:2:3:4",
                                      "1-1-1",      " 1",
                                      "1 ",         "1.5",
                                      "1e3",        "0x10",
                                      "INFINITE",   "UNLIMITED",
                                      "infinite",   "12345678901-1"};
    struct nuce_error error;
    int64_t seconds;

    for (size_t i = 0; i < COUNT(good); i++) {
        assert_ok(nuce_slurm_time(good[i].text, &seconds, &error));
        assert_int_equal(seconds, good[i].seconds);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(nuce_slurm_time(bad[i], &seconds, &error), NUCE_BAD_INPUT);
}

static void test_word(void **state)
{
    static const char *const cases[][3] = {
        {"partition", "a b", "--partition=a b"},
        {"contiguous", "true", "--contiguous"},
        {"contiguous", "false", ""},
        {"nice", "10", "--nice=10"},
        {"nice", "1", "--nice=1"},
        {"no-kill", "true", "--no-kill"},
        {"no-kill", "false", ""},
        {"no-kill", "off", "--no-kill=off"},
        {"frobnicate", "true", "--frobnicate"},
        {"comment", "true", "--comment=true"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *word = nuce_slurm_word(cases[i][0], cases[i][1]);

        assert_string_equal(word, cases[i][2]);
        free(word);
    }
}

/* The rows stand in the order of their names, and none is refused as a key. */
static void test_table(void **state)
{
    for (const struct nuce_slurm_key *row = nuce_slurm_keys; row[0].name != NULL; row++) {
        struct nuce_error error;

        assert_ptr_equal(nuce_slurm_key_find(row->name), row);
        assert_ok(nuce_slurm_check_key(row->name, &error));
        assert_true(row[1].name == NULL || strcmp(row[0].name, row[1].name) < 0);
    }
}

/* Where a key belongs that was found elsewhere in a sweep, and what belongs nowhere in it. */
static void test_judge(void **state)
{
    struct nuce_error error;

    assert_int_equal(nuce_slurm_judge.place("partition", &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "'partition' belongs under 'slurm'");
    assert_int_equal(nuce_slurm_judge.place("nodes", &error), NUCE_BAD_INPUT);
    assert_says(&error, "'slurm: {nodes: N}'");
    assert_ok(nuce_slurm_judge.place("pattern", &error));
    assert_int_equal(nuce_slurm_judge.check_key("launcher", &error), NUCE_BAD_INPUT);
    assert_says(&error, "stands in a profile");
    assert_ok(nuce_slurm_judge.check_key("mem", &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_keys),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_words),  cmocka_unit_test(test_time),  cmocka_unit_test(test_word),
        cmocka_unit_test(test_table),  cmocka_unit_test(test_judge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
