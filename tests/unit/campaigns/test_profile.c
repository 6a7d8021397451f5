/* Keys and words for Slurm and in profiles, those that are refused, word by word; defaults, changes
 * by a sweep, and JSON. */
#include "../folder.h"
#include "base/text.h"
#include "campaigns/profile.h"
#include "campaigns/profile_keys.h"

/* Parses text as the file /etc/p.yaml. Returns its problems, one per line. */
static char *profile_of(const char *text, struct nuce_profile *out)
{
    struct nuce_problems problems;
    size_t size = 0;
    char *said = NULL;
    FILE *stream = open_memstream(&said, &size);

    *out = (struct nuce_profile){0};
    nuce_problems_init(&problems, "/etc/p.yaml");
    nuce_profile_parse(text, strlen(text), out, &problems);
    nuce_problems_print(&problems, stream);
    fclose(stream);
    nuce_problems_fini(&problems);
    return said;
}

static void test_bad(void **state)
{
    static const char *const cases[][2] = {
        {"- a\n", "1:1: expected a mapping (launcher, partition ...), got a list"},
        {"a\n", "1:1: expected a mapping (launcher, partition ...), got a single value"},
        {"mpi: pmi2\nmpi: pmix\n", "2:1: duplicate key 'mpi' (first on line 1)"},
        {"launchr: srun\n", "1:1: unknown key 'launchr' (did you mean 'launcher'?)"},
        {"parttition: x\n", "1:1: unknown key 'parttition' (did you mean 'partition'?)"},
        {"job-name: x\n", "1:1: 'job-name' is set by nuce"},
        {"launcher: [srun]\n", "1:11: launcher: expected a single value, got a list"},
        {"launcher:\n", "1:10: launcher: expected a single value, got nothing"},
        {"launcher: mpirun\n",
         "1:11: launcher: 'mpirun': expected srun, mpiexec or a name that begins so "
         "(mpiexec.hydra), or the path of one; for others a script mpiexec-NAME that takes -n "
         "RANKS [-ppn RANKS] PROGRAM ... (mpirun is mpiexec)"},
        {"launcher: /usr/bin/srun -n 2\n",
         "1:11: launcher: '/usr/bin/srun -n 2': expected srun, mpiexec or a name that begins so "
         "(mpiexec.hydra), or the path of one; for others a script mpiexec-NAME that takes -n "
         "RANKS [-ppn RANKS] PROGRAM ... (mpirun is mpiexec)"},
        {"mpi: 'pmi2 --chdir=/'\n",
         "1:6: mpi: 'pmi2 --chdir=/': expected a name of 'srun --mpi=list', such as pmi2 or pmix"},
        {"launcher: mpiexec\nmpi: pmi2\n",
         "2:6: mpi: only srun takes it, and launcher is 'mpiexec'"},
        {"via: [a, b]\n", "1:6: via: expected a single value, got a list"},
        {"via: \"a\\nb\"\n", "1:6: via: a control character in the value: expected one line"},
        {"launcher-options: --x\n", "1:19: launcher-options: expected a list, got a single value"},
        {"launcher-options: [a, [b]]\n",
         "1:23: launcher-options: expected a single value, got a list"},
        {"environment: PATH\n", "1:14: environment: expected a list, got a single value"},
        {"environment: {PATH: 1}\n", "1:14: environment: expected a list, got a mapping"},
        {"environment: [PATH=x]\n",
         "1:15: environment: 'PATH=x': expected the name of a variable, or its beginning and *"},
        {"environment: ['A*B']\n",
         "1:15: environment: 'A*B': expected the name of a variable, or its beginning and *"},
        {"environment: [1A]\n",
         "1:15: environment: '1A': expected the name of a variable, or its beginning and *"},
        {"environment: ['A,ALL']\n",
         "1:15: environment: 'A,ALL': expected the name of a variable, or its beginning and *"},
        {"environment: [SLURM_CONF]\n",
         "1:15: environment: 'SLURM_CONF': Slurm sets its own variables in each job"},
        {"modules: mpich\n", "1:10: modules: expected a list, got a single value"},
        {"modules: ['a; b']\n",
         "1:11: modules: 'a; b': expected the name of a module, as 'module avail' has it"},
        {"modules: [-f]\n",
         "1:11: modules: '-f': expected the name of a module, as 'module avail' has it"},
        {"prologue: echo\n", "1:11: prologue: expected a list, got a single value"},
        {"prologue: [\"a\\nb\"]\n",
         "1:12: prologue: a control character in the value: expected one line"},
        {"set: [A]\n", "1:6: set: expected a mapping of variables to texts, got a list"},
        {"set: {A: [b]}\n", "1:10: set: A: expected a single value, got a list"},
        {"set: {'': c}\n", "1:7: set: '': expected a name of letters, digits and underscores"},
        {"set: {1A: c}\n", "1:7: set: '1A': expected a name of letters, digits and underscores"},
        {"set: {'A=B': c}\n",
         "1:7: set: 'A=B': expected a name of letters, digits and underscores"},
        {"describe: [a.txt, {b: c}]\n",
         "1:12: describe: /etc/a.txt: No such file or directory; expected a file that describes "
         "the machine\n"
         "/etc/p.yaml:1:19: describe: expected a single value, got a mapping"},
        {"describe: .\n",
         "1:11: describe: /etc/.: Is a directory; expected a file that describes the machine"},
        {"set: {SLURM_HOSTFILE: c}\n",
         "1:7: set: 'SLURM_HOSTFILE': Slurm sets its own variables in each job"},
        {"sbatch: --nice\n", "1:9: sbatch: expected a list, got a single value"},
        {"partition: [a]\n", "1:12: partition: expected a single value, got a list"},
        {"partition:\n", "1:11: partition: expected a value, got nothing"},
        /* All at once, in the order of the file. */
        {"mpi: [a]\nnodes: x\nset: 1\nsbatch: [--job=x]\njob: 1\n",
         "1:6: mpi: expected a single value, got a list\n"
         "/etc/p.yaml:2:8: nodes: 'x': expected a whole number from 1 to 16777216 (nodes per "
         "job)\n"
         "/etc/p.yaml:3:6: set: expected a mapping of variables to texts, got a single value\n"
         "/etc/p.yaml:4:10: sbatch: '--job=x': 'job-name' is set by nuce\n"
         "/etc/p.yaml:5:1: unknown key 'job' (did you mean 'job-name'?)"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_profile profile;
        char *said = profile_of(cases[i][0], &profile);
        char *expected = nuce_text_format("/etc/p.yaml:%s\n", cases[i][1]);

        assert_string_equal(said, expected);
        assert_null(profile.launcher);
        free(said);
        free(expected);
    }
}

static const char full[] = "launcher: ../opt/mpich/bin/srun\n"
                           "mpi: pmi2\n"
                           "launcher-options: [--cpu-bind=cores, '$(touch x)']\n"
                           "via: ./../../virtual/cluster\n"
                           "programs: bin\n"
                           "environment: [PATH, UCX_*, '*']\n"
                           "set: {UCX_TLS: tcp, EMPTY: '', QUOTES: \"a 'b'\\n\"}\n"
                           "describe: [passwd, /node/own]\n"
                           "sbatch: [--nice=10, '--constraint=a&b']\n"
                           "nodes: 4\n"
                           "ntasks-per-node: 2\n"
                           "concurrent: 3\n"
                           "time: 01:00:00\n"
                           "signal: 120\n"
                           "exclusive: false\n"
                           "requeue: yes\n"
                           "hostfile: hosts\n"
                           "partition: a b\n"
                           "deadline: x\n"
                           "contiguous: true\n"
                           "frobnicate: 4\n";

static void test_paths(void **state)
{
    static const char *const cases[][3] = {
        {"via: cluster\n", "via", "cluster"},
        {"via: bin/cluster\n", "via", "/etc/bin/cluster"},
        {"via: /a/../cluster\n", "via", "/a/../cluster"},
        {"via: ../../../cluster\n", "via", "/cluster"},
        {"launcher: ./srun\n", "launcher", "/etc/srun"},
        {"launcher: mpiexec.hydra\n", "launcher", "mpiexec.hydra"},
        {"programs: .\n", "programs", "/etc/."},
        {"programs: ../a\n", "programs", "/a"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_profile profile;
        struct nuce_error error;
        char *said = profile_of(cases[i][0], &profile);
        json_t *object;

        assert_string_equal(said, "");
        object = nuce_profile_to_json(&profile, &error);
        assert_string_equal(json_string_value(json_object_get(object, cases[i][1])), cases[i][2]);
        json_decref(object);
        free(said);
        nuce_profile_fini(&profile);
    }
}

static void test_defaults(void **state)
{
    OWNED(problems) problems;
    struct nuce_profile profile, empty;
    struct nuce_error error;
    char *said = profile_of("# nothing\n", &empty);
    json_t *a, *b;

    assert_string_equal(said, "");
    assert_ok(nuce_profile_load(NULL, &profile, &problems, &error));
    assert_string_equal(profile.launcher, "srun");
    assert_int_equal(profile.warning_s, 60);
    assert_true(profile.exclusive);
    assert_false(profile.requeue);
    assert_null(profile.path);
    assert_null(profile.mpi);
    a = nuce_profile_to_json(&profile, &error);
    b = nuce_profile_to_json(&empty, &error);
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    free(said);
    nuce_profile_fini(&profile);
    nuce_profile_fini(&empty);
}

/* Those that come with nuce, each by its name and by its path. */
static void test_shipped(void **state)
{
    char **names = NULL;
    int64_t count = 0;

    assert_ok(nuce_shipped_names(&nuce_profile_shipped, &names, &count, ANY_ERROR));
    assert_true(count >= 5);
    for (int64_t i = 0; i < count; i++) {
        struct nuce_problems problems, again;
        struct nuce_profile profile, same;

        assert_ok(nuce_profile_load(names[i], &profile, &problems, ANY_ERROR));
        assert_ok(nuce_profile_load(profile.path, &same, &again, ANY_ERROR));
        assert_string_equal(profile.path, same.path);
        nuce_profile_fini(&profile);
        nuce_profile_fini(&same);
        nuce_problems_fini(&problems);
        nuce_problems_fini(&again);
    }
    nuce_shipped_names_free(names, count);
}

static void test_unknown(void **state)
{
    struct nuce_problems problems;
    struct nuce_profile profile;
    struct nuce_error error;

    assert_int_equal(nuce_profile_load("virtaul", &profile, &problems, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "no profile 'virtaul' (did you mean 'virtual'?): expected a "
                                       "file, or a name of 'nuce list profiles'");
    nuce_profile_fini(&profile);
    nuce_problems_fini(&problems);
    assert_int_equal(nuce_profile_load("/", &profile, &problems, &error), NUCE_BAD_INPUT);
    nuce_profile_fini(&profile);
    nuce_problems_fini(&problems);
}

static void test_merge(void **state)
{
    OWNED(profile) profile;
    struct nuce_error error;
    char *said = profile_of(full, &profile), *folder = getcwd(NULL, 0), *hosts;
    json_t *slurm = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "nodes", "7", "time", "30",
                              "partition", "fast", "qos", "high", "exclusive", "true", "contiguous",
                              "false", "hostfile", "test_profile.hosts");
    FILE *file = fopen("test_profile.hosts", "w");

    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    hosts = nuce_text_format("%s/test_profile.hosts", folder);
    assert_ok(nuce_profile_merge(&profile, slurm, &error));
    assert_int_equal(profile.nodes, 7);
    assert_int_equal(profile.tasks_per_node, 2);
    assert_int_equal(profile.time_s, 1800);
    assert_true(profile.exclusive);
    assert_string_equal(profile.hosts, hosts);
    assert_string_equal(json_string_value(json_object_get(profile.options, "partition")), "fast");
    assert_string_equal(json_string_value(json_object_get(profile.options, "qos")), "high");
    assert_string_equal(json_string_value(json_object_get(profile.options, "contiguous")), "false");
    json_object_set_new(slurm, "job-name", json_string("x"));
    assert_int_equal(nuce_profile_merge(&profile, slurm, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "'job-name' is set by nuce");
    assert_int_equal(unlink("test_profile.hosts"), 0);
    json_object_del(slurm, "job-name");
    assert_int_equal(nuce_profile_merge(&profile, slurm, &error), NUCE_BAD_INPUT);
    assert_says(&error, "/test_profile.hosts: No such file or directory");
    json_decref(slurm);
    free(hosts);
    free(folder);
    free(said);
}

static void test_json(void **state)
{
    static const char expected[] =
        "{\"concurrent\":3,\"describe\":[\"/etc/passwd\",\"/node/"
        "own\"],\"environment\":[\"PATH\",\"UCX_*\",\"*\"],\"exclusive\":false,\"hosts\":\"/etc/"
        "hosts\",\"launcher\":\"/opt/mpich/bin/"
        "srun\",\"launcher_options\":[\"--cpu-bind=cores\",\"$(touch "
        "x)\"],\"modules\":[],\"mpi\":\"pmi2\",\"nodes\":4,\"options\":{\"contiguous\":\"true\","
        "\"deadline\":\"x\",\"frobnicate\":\"4\",\"partition\":\"a "
        "b\"},\"path\":null,\"programs\":\"/etc/"
        "bin\",\"prologue\":[],\"requeue\":true,\"sbatch\":[\"--nice=10\",\"--constraint=a&b\"],"
        "\"set\":{\"EMPTY\":\"\",\"QUOTES\":\"a "
        "'b'\\n\",\"UCX_TLS\":\"tcp\"},\"tasks_per_node\":2,\"time_s\":3600,\"via\":\"/virtual/"
        "cluster\",\"warning_s\":120,\"words\":[]}";
    struct nuce_profile profile;
    struct nuce_error error;
    char *said = profile_of(full, &profile);

    assert_string_equal(said, "");
    free(said);
    for (int i = 0; i < 2; i++) { /* of the profile, and of the one read back */
        json_t *object = nuce_profile_to_json(&profile, &error);
        char *text = json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT);

        assert_string_equal(text, expected);
        nuce_profile_fini(&profile);
        assert_ok(nuce_profile_from_json(object, &profile, &error));
        json_decref(object);
        free(text);
    }
    nuce_profile_fini(&profile);
}

/* A campaign.json that somebody edited. */
static void test_bad_json(void **state)
{
    static const char *const members[][3] = {
        {"launcher", "null", "launcher: expected a text"},
        {"launcher", "\"sh\"", "launcher: expected srun or mpiexec"},
        {"via", "1", "via: expected a text"},
        {"hosts", "[]", "hosts: expected a text"},
        {"nodes", "-1", "nodes: expected a whole number"},
        {"nodes", "\"4\"", "nodes: expected a whole number"},
        {"time_s", "1.5", "time_s: expected a whole number"},
        {"exclusive", "1", "exclusive: expected true or false"},
        {"requeue", "null", "requeue: expected true or false"},
        {"environment", "{}", "environment: expected an array of texts"},
        {"environment", "[1]", "environment: expected an array of texts"},
        {"set", "[]", "set: expected an object of texts"},
        {"set", "{\"A\": 1}", "set: expected an object of texts"},
        {"options", "{\"a\": []}", "options: expected an object of texts"},
        {"sbatch", "null", "sbatch: expected an array of texts"},
        {"words", "[1]", "words: expected an array of texts"},
        {"launcher_options", "[null]", "launcher_options: expected an array of texts"},
    };
    struct nuce_profile profile, back;
    struct nuce_error error;
    char *said = profile_of(full, &profile);

    for (size_t i = 0; i < COUNT(members); i++) {
        json_t *object = nuce_profile_to_json(&profile, &error);

        json_object_set_new(object, members[i][0],
                            json_loads(members[i][1], JSON_DECODE_ANY, NULL));
        assert_int_equal(nuce_profile_from_json(object, &back, &error), NUCE_BAD_INPUT);
        assert_string_equal(error.message, members[i][2]);
        json_decref(object);
    }
    free(said);
    nuce_profile_fini(&profile);
}

static void test_keys(void **state)
{
#define NO_NAME(key)                                                                               \
    {                                                                                              \
        key, "x", "'" key "' is not the name of an option (small letters, digits and hyphens)"     \
    }
    static const char *const cases[][3] = {
        {"nodes", "8", NULL},
        {"nodes", "0", "nodes: '0': expected a whole number from 1 to 16777216 (nodes per job)"},
        {"nodes", "2-4",
         "nodes: '2-4': expected a whole number from 1 to 16777216 (nodes per job)"},
        {"nodes", "16777217",
         "nodes: '16777217': expected a whole number from 1 to 16777216 (nodes per job)"},
        {"ntasks-per-node", "four",
         "ntasks-per-node: 'four': expected a whole number from 1 to 16777216 (ranks per "
         "node)"},
        {"signal", "120", NULL},
        {"signal", "B:USR1@60",
         "signal: 'B:USR1@60': expected a whole number from 1 to 65535 (seconds between the "
         "signal to stop and the time limit (default: 60))"},
        {"signal", "65536",
         "signal: '65536': expected a whole number from 1 to 65535 (seconds between the "
         "signal to stop and the time limit (default: 60))"},
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
        {"comment", "a\x7f", "comment: a control character in the value: expected one line"},
        {"frobnicate", "x", NULL},
        {"frobnicate", "x\n#SBATCH y",
         "frobnicate: a control character in the value: expected one line"},
        {"hostfile", "hosts.txt", NULL},
        {"job-name", "x", "'job-name' is set by nuce"},
        {"array", "x", "'array' is set by nuce ('concurrent' limits the tasks at one time)"},
        {"ntasks", "8", "'ntasks' is set by nuce (from a sweep's 'ranks')"},
        {"wrap", "x", "'wrap' takes the place of the job script, which nuce writes"},
        {"uid", "x", "'uid' is refused: nuce only knows jobs of the user that calls it"},
        {"gpus-per-node", "2", NULL},
        {"ntasks-per-socket", "2", NULL},
        {"ndoes", "8", "unknown key 'ndoes' (did you mean 'nodes'?)"},
        {"particion", "x", "unknown key 'particion' (did you mean 'partition'?)"},
        {"constrain", "x", "unknown key 'constrain' (did you mean 'constraint'?)"},
        /* sbatch takes abbreviations: these would have become the job's name. */
        {"job", "x", "unknown key 'job' (did you mean 'job-name'?)"},
        {"jo", "x", "unknown key 'jo' (did you mean 'job-name'?)"},
        {"ou", "x", "unknown key 'ou' (did you mean 'output'?)"},
        NO_NAME(""),
        NO_NAME("a b"),
        NO_NAME("comment=x"),
        NO_NAME("Comment"),
        NO_NAME("-J"),
        NO_NAME("--job-name"),
        NO_NAME("$(touch c)"),
        NO_NAME("x\n#SBATCH "),
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error;

        assert_int_equal(nuce_slurm_check(cases[i][0], cases[i][1], &error),
                         cases[i][2] == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i][2] != NULL)
            assert_string_equal(error.message, cases[i][2]);
    }
}

/* An option that nuce sets is refused as a key, as a word, and however it is abbreviated. */
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
#define OWN(name) name " concerns more than sbatch: set it in the sweep's slurm: or the profile"
#define SHAPE(word)                                                                                \
    {                                                                                              \
        word, "'" word "': expected an option of sbatch by its long name, as one word: "           \
              "--name=value or --name"                                                             \
    }
    static const char *const cases[][2] = {
        /* NULL: good */
        {"--account=x", NULL},
        {"--nice=10", NULL},
        {"--nice", NULL},
        {"--exclusive=user", NULL},
        {"--mem-per-c=1G", NULL},
        {"--comment=$(x) --job y", NULL},
        {"--comment=-J x", NULL},
        {"--comment=", NULL},
        {"--wait-all-nodes=1", NULL},
        {"--ntasks-per-core=1", NULL},
        {"--time-min=10", NULL},
        {"--new-key=x", NULL},
        {"--job-name=x", "'--job-name=x': 'job-name' is set by nuce"},
        {"--job=x", "'--job=x': 'job-name' is set by nuce"},
        {"--j", "'--j': 'job-name' is set by nuce"},
        {"--nodes=2", OWN("'--nodes=2': 'nodes'")},
        {"--node=2", OWN("'--node=2': 'nodes'")},
        {"--time", OWN("'--time': 'time'")},
        {"--t=5", "'--t=5': 'tasks' is set by nuce (from a sweep's 'ranks')"},
        {"--requeue", OWN("'--requeue': 'requeue'")},
        {"--signal=B:USR1@60", OWN("'--signal=B:USR1@60': 'signal'")},
        {"--comment=a\nb", "word 1 for sbatch: a control character: expected one line"},
        SHAPE("-Jx"),
        SHAPE("-p"),
        SHAPE("-H"),
        SHAPE("job.sh"),
        SHAPE(""),
        SHAPE(":"),
        SHAPE("-"),
        SHAPE("--"),
        SHAPE("---x"),
        SHAPE("--="),
        SHAPE("--Hold"),
        SHAPE("--comment x")};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_error error;

        assert_int_equal(nuce_slurm_check_words(&cases[i][0], 1, &error),
                         cases[i][1] == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[i][1] != NULL)
            assert_string_equal(error.message, cases[i][1]);
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

        assert_ptr_equal(nuce_slurm_key_find(row->name), row);
        assert_ok(nuce_slurm_check_key(row->name, ANY_ERROR));
        assert_true(row[1].name == NULL || strcmp(row[0].name, row[1].name) < 0);
    }
}

/* The right place of a key that was found elsewhere in a sweep, and keys without one. */
static void test_judge(void **state)
{
    struct nuce_error error;

    assert_int_equal(nuce_slurm_judge.place("partition", &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "'partition' belongs under 'slurm'");
    assert_int_equal(nuce_slurm_judge.place("nodes", &error), NUCE_BAD_INPUT);
    assert_says(&error, "'slurm: {nodes: N}'");
    assert_ok(nuce_slurm_judge.place("pattern", &error));
    assert_int_equal(nuce_slurm_judge.check_key("launcher", &error), NUCE_BAD_INPUT);
    assert_says(&error, "a profile sets how");
    assert_ok(nuce_slurm_judge.check_key("mem", &error));
}

RUN(test_bad, test_paths, test_defaults, test_shipped, test_unknown, test_merge, test_json,
    test_bad_json, test_keys, test_refused, test_words, test_time, test_word, test_table,
    test_judge)
