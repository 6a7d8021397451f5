/* The words for sbatch and for the launcher, the job script, and the line that runs a point again:
 * hostile texts in every field stay unchanged, for the shell and for sbatch. */
#include <ctype.h>

#include "../folder.h"
#include "base/data.h"
#include "base/text.h"
#include "campaigns/profile.h"
#include "campaigns/rerun.h"
#include "campaigns/script.h"
#include "make_campaign.h"

static const char *const hostile[] = {
    "plain",
    "a b",
    " a  b ",
    "it's",
    "say \"x\"",
    "'",
    "\"",
    "\\",
    "\\\\",
    "a\\ b\\",
    "$(touch canary)",
    "`touch canary`",
    "; touch canary ;",
    "a' ; touch canary ; '",
    "a\" ; touch canary ; \"",
    "${IFS}&&touch${IFS}canary",
    "# comment",
    "a#b",
    "#SBATCH --job-name=x",
    ":",
    ": a",
    "packjob",
    "a hetjob b",
    "PackJob HETJOB",
    "packjobpackjob",
    "--job-name=x",
    "-Jx",
    "~root",
    "*",
    "?[a]{b,c}",
    "A=b",
    "%j%x",
    "!!",
    "\xc3\xa4\xe2\x82\xac",
    "\xc2\xa0",
};

#define HOSTILE COUNT(hostile)

/* sbatch's reading of the words of a #SBATCH line (Slurm 24.11, src/sbatch/opt.c): the names of the
 * parts of a heterogeneous job are blanked out first, a backslash makes the next character plain,
 * in quotes too, and only quotes keep blanks. */
static char *read_directive(const char *line)
{
    static const char *const parts[] = {"packjob", "hetjob"};
    char *copy = strdup(line), *out = calloc(strlen(line) + 1, 1), *from, *found, quote = '\0';
    size_t length = 0;
    int plain = 0;

    for (int i = 0; i < 2; i++) {
        if ((found = strcasestr(copy, parts[i])) != NULL)
            memset(found, ' ', strlen(parts[i]));
    }
    for (from = copy; *from != '\0' && (quote != '\0' || !isspace((unsigned char)*from)); from++) {
        if (!plain && *from == '\\') {
            plain = 1;
        } else if (!plain && quote != '\0' && *from == quote) {
            quote = '\0';
        } else if (!plain && quote == '\0' && (*from == '"' || *from == '\'')) {
            quote = *from;
        } else {
            assert_true(plain || quote != '\0' || *from != '#');
            out[length++] = *from;
            plain = 0;
        }
    }
    assert_int_equal(quote, '\0');
    assert_int_equal(*from, '\0'); /* nothing is left for a second word */
    assert_true(line[0] != ':');
    free(copy);
    return out;
}

static void test_directives(void **state)
{
    static const char *const bad[] = {"a\nb", "a\rb", "\t", "a\x7f", "\x1b[0m"};
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_null(nuce_script_directive(bad[i], &error));
        assert_int_equal(error.status, NUCE_BAD_INPUT);
    }
    for (size_t i = 0; i < HOSTILE; i++) {
        char *word = nuce_script_directive(hostile[i], &error), *back = read_directive(word);

        assert_string_equal(back, hostile[i]);
        free(back);
        free(word);
    }
}

/* The output of a shell command, to be freed. */
static char *shell(const char *command)
{
    char *out = calloc(1 << 16, 1);
    FILE *pipe = popen(command, "r");

    assert_true(fread(out, 1, (1 << 16) - 1, pipe) < (1 << 16) - 1);
    assert_int_equal(pclose(pipe), 0);
    return out;
}

static void test_quote(void **state)
{
    for (size_t i = 0; i < HOSTILE + 2; i++) {
        const char *word = i < HOSTILE ? hostile[i] : i == HOSTILE ? "" : "two\nlines\n\n";
        char *quoted = nuce_script_quote(word), *command, *out, *expected;

        command = nuce_text_format("printf '<%%s>' %s", quoted);
        expected = nuce_text_format("<%s>", word);
        out = shell(command);
        assert_string_equal(out, expected);
        assert_int_not_equal(access("canary", F_OK), 0);
        free(expected);
        free(command);
        free(quoted);
        free(out);
    }
}

/* A profile, a pack of two parts and a submission of them, made by set_up. */
static struct fixture {
    struct nuce_profile profile;
    struct nuce_packing_part parts[2];
    struct nuce_pack pack;
    struct nuce_script_input input;
} fixture;

static void set_up(const char *yaml)
{
    struct nuce_problems problems;

    nuce_profile_fini(&fixture.profile);
    fixture = (struct fixture){.pack = {.ranks = 8, .time_s = 3600, .count = 1}};
    nuce_problems_init(&problems, "/etc/p.yaml");
    nuce_profile_parse(yaml, strlen(yaml), &fixture.profile, &problems);
    nuce_problems_print(&problems, stderr);
    assert_true(nuce_problems_none(&problems));
    nuce_problems_fini(&problems);
    fixture.pack.parts = fixture.parts;
    fixture.input = (struct nuce_script_input){.campaign = "/c/quick.1",
                                               .name = "nuce-quick.1-0003-0123abcd",
                                               .number = 3,
                                               .pack = &fixture.pack,
                                               .profile = &fixture.profile};
}

/* Texts with | between them. Takes over array. */
static char *joined(json_t *array)
{
    size_t size = 0, i;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    json_t *word;

    json_array_foreach(array, i, word)
    {
        fprintf(stream, "%s%s", i > 0 ? "|" : "", json_string_value(word));
    }
    fclose(stream);
    json_decref(array);
    return text;
}

static void check_argv(const char *expected)
{
    struct nuce_error error = {.message = ""};
    json_t *argv = nuce_script_argv(&fixture.input, &error);
    char *text;

    assert_string_equal(error.message, "");
    text = joined(argv);
    assert_string_equal(text, expected);
    free(text);
}

#define HEAD "sbatch|--parsable|--exclusive|" JOB

#define JOB                                                                                        \
    "--job-name=nuce-quick.1-0003-0123abcd|--chdir=/c/quick.1|"                                    \
    "--output=/c/quick.1/logs/0003-%j.out|--open-mode=append|"

/* Slurm's replacements in the name of the log: those of the folder's name are undone. */
static void test_log(void **state)
{
    static const char *const folders[][2] = {
        {"/c/a b", "--output=/c/a b/logs/0003-%j.out"},
        {"/c/20%/%x%%", "--output=/c/20%%/%%x%%%%/logs/0003-%j.out"},
        {"/c/a\\b%j\\", "--output=/c/a\\\\b%j\\\\/logs/0003.out"},
    };

    for (size_t i = 0; i < COUNT(folders); i++) {
        struct nuce_error error = {.message = ""};
        json_t *argv, *word;
        int found = 0;
        size_t k;

        set_up("{environment: []}");
        fixture.input.campaign = folders[i][0];
        argv = nuce_script_argv(&fixture.input, &error);
        assert_string_equal(error.message, "");
        json_array_foreach(argv, k, word)
        {
            found += strcmp(json_string_value(word), folders[i][1]) == 0;
        }
        assert_int_equal(found, 1);
        json_decref(argv);
    }
}

static void test_argv(void **state)
{
    static const char *const words[] = {"--nice=5", "--constraint=a|b", NULL}, *const none[] = {
                                                                                   NULL};

    set_up("environment: [NUCE_TEST_A, NUCE_TEST_B*]\n");
    setenv("NUCE_TEST_A", "1", 1);
    setenv("NUCE_TEST_AA", "1", 1);
    setenv("NUCE_TEST_B", "1", 1);
    setenv("NUCE_TEST_BC", "a,b\nc", 1);
    setenv("NUCE_TEST_B%%", "() { x; }", 1);
    check_argv(HEAD "--ntasks=8|--time=60|--signal=B:USR1@60|--no-requeue|--export=NUCE_"
                    "TEST_A,NUCE_TEST_B,NUCE_TEST_BC|/c/quick.1/jobs/0003.sh");

    set_up("{environment: [], via: ./cluster, requeue: true, exclusive: false, signal: "
           "9, concurrent: 1, partition: a b, contiguous: true, spread-job: false, "
           "sbatch: [--hold, --partition=c]}\n");
    fixture.pack.nodes = 4;
    fixture.pack.tasks_per_node = 2;
    fixture.pack.time_s = 90;
    fixture.pack.count = 2;
    assert_ok(nuce_profile_set_words(&fixture.profile, words, ANY_ERROR));
    check_argv("/etc/cluster|sbatch|--parsable|--partition=a "
               "b|--contiguous|--hold|--partition=c|--nice=5|--constraint=a|b|" JOB
               "--nodes=4|--ntasks=8|--ntasks-per-node=2|--time=2|--signal=B:USR1@9|--"
               "requeue|--array=0-1%1|--export=NONE|/c/quick.1/jobs/0003.sh");
    fixture.profile.concurrent = 0;
    assert_ok(nuce_profile_set_words(&fixture.profile, none, ANY_ERROR));
    /* A last word that may take the next one for its value gets one that comes again. */
    json_array_append_new(fixture.profile.sbatch, json_string("--account"));
    check_argv("/etc/cluster|sbatch|--parsable|--partition=a "
               "b|--contiguous|--hold|--partition=c|--account|--open-mode=append|" JOB
               "--nodes=4|--ntasks=8|--ntasks-per-node=2|--time=2|--signal=B:USR1@9|--"
               "requeue|--array=0-1|--export=NONE|/c/quick.1/jobs/0003.sh");
}

/* A variable that sbatch would take for a word of its own, or that Slurm sets, is never named. */
static void test_environment(void **state)
{

    set_up("environment: ['*']\n");
    assert_int_equal(clearenv(), 0);
    setenv("ALL", "1", 1);
    setenv("none", "1", 1);
    setenv("NIL", "1", 1);
    setenv("ALLES", "1", 1);
    setenv("SLURM_CONF", "1", 1);
    setenv("BASH_FUNC_x%%", "() { :; }", 1);
    setenv("A B", "1", 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    check_argv(HEAD "--ntasks=8|--time=60|--signal=B:USR1@60|--no-requeue|--export=ALLES,"
                    "PATH|/c/quick.1/jobs/0003.sh");
}

static void check_launcher(const char *expected)
{
    struct nuce_error error = {.message = ""};
    json_t *words = nuce_script_launcher(&fixture.profile, &fixture.pack, &error);
    char *text;

    assert_string_equal(error.message, "");
    text = joined(words);
    assert_string_equal(text, expected);
    free(text);
}

static void test_launcher(void **state)
{

    set_up("{}");
    check_launcher("srun|--ntasks=8|--kill-on-bad-exit=1|--export=ALL");

    set_up("{launcher: /a/srun, mpi: pmix_v4, cpus-per-task: 2, launcher-options: "
           "['--x=a b', $(touch canary)]}");
    fixture.pack.nodes = 4;
    fixture.pack.tasks_per_node = 2;
    check_launcher("/a/"
                   "srun|--mpi=pmix_v4|--nodes=4|--ntasks=8|--ntasks-per-node=2|--cpus-per-task=2|-"
                   "-kill-on-bad-exit=1|--export=ALL|--x=a b|$(touch canary)");

    set_up("{launcher: mpiexec.hydra, launcher-options: [-bind-to, core]}");
    check_launcher("mpiexec.hydra|-n|8|-bind-to|core");
    fixture.pack.tasks_per_node = 2;
    check_launcher("mpiexec.hydra|-n|8|-ppn|2|-bind-to|core");
}

static void test_hosts(void **state)
{

    set_up("{environment: [], ntasks-per-node: 3}");
    fixture.profile.hosts = strdup("test_script.hosts");
    fixture.pack.ranks = 4;
    fixture.pack.tasks_per_node = 3;
    file_write("test_script.hosts", "n2\nn0.a-b\nn2\r\nn1\nn9\n");
    check_argv(HEAD "--nodes=3|--nodelist=n2,n0.a-b,n1|--ntasks=4|--time=60|--signal=B:"
                    "USR1@60|--no-requeue|--export=NONE|/c/quick.1/jobs/0003.sh");
    check_launcher("srun|--ntasks=4|--distribution=arbitrary|--kill-on-bad-exit=1|--export=ALL");
}

static void check_refused(const char *said)
{
    struct nuce_error error;

    assert_null(nuce_script_argv(&fixture.input, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.message, said);
    assert_null(nuce_script_text(&fixture.input, &error));
}

static void test_bad_hosts(void **state)
{
    static const char *const cases[][2] = {
        {"n0\n", "test_script.hosts: 1 lines: expected the host of each of 2 ranks"},
        {"n0\nn1,n2\n", "test_script.hosts:2:1: 'n1,n2': expected the name of a host"},
        {"n0\n\nn1\n", "test_script.hosts:2:1: '': expected the name of a host"},
        {"-n0\nn1\n", "test_script.hosts:1:1: '-n0': expected the name of a host"},
        {"n0\nn1\n", "nodelist: 'hostfile' (test_script.hosts) says which nodes to use"},
    };
    struct nuce_error error;

    set_up("{environment: [], nodelist: x}");
    fixture.profile.hosts = strdup("test_script.hosts");
    fixture.pack.ranks = 2;
    check_refused("test_script.hosts: No such file or directory");
    for (size_t i = 0; i < COUNT(cases); i++) {
        file_write("test_script.hosts", cases[i][0]);
        check_refused(cases[i][1]);
    }
    free(fixture.profile.launcher);
    fixture.profile.launcher = strdup("mpiexec");
    assert_null(nuce_script_launcher(&fixture.profile, &fixture.pack, &error));
    assert_string_equal(error.message, "hostfile: 'test_script.hosts': only srun places ranks by "
                                       "it, and the launcher is 'mpiexec'");
}

/* The #SBATCH lines of text must give the options of argv; the rest must be the constant body below
 * the number. */
static void check_text(const char *text, const json_t *argv)
{
    struct nuce_error error;
    char *path = nuce_data_path("slurm/job.sh", &error), *command, *body;
    size_t option = 0, count = json_array_size(argv) - 1; /* without the script's path */

    while (strcmp(json_string_value(json_array_get(argv, option)), "--parsable") != 0)
        option++;
    assert_int_equal(strncmp(text, "#!/bin/sh\n", 10), 0);
    text += 10;
    while (strncmp(text, "#SBATCH ", 8) == 0) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text + 8, length - 8), *word = read_directive(line);

        assert_true(++option < count);
        assert_string_equal(word, json_string_value(json_array_get(argv, option)));
        text += length + 1;
        free(word);
        free(line);
    }
    assert_int_equal(option, count - 1);
    assert_int_equal(strncmp(text, "number=0003\n", 12), 0);
    command = nuce_text_format("tail -n +2 '%s'", path);
    body = shell(command);
    assert_string_equal(text + 12, body);
    free(body);
    free(command);
    free(path);
}

/* A shell finds nothing in the whole text but the body. */
static void check_shell(const char *text)
{
    char *out;

    file_write("test_script.sh", text);
    free(shell("sh -n test_script.sh"));
    out = shell("sh test_script.sh 2>/dev/null || echo refused $?");
    assert_string_equal(out, "refused 1\n");
    assert_int_not_equal(access("canary", F_OK), 0);
    free(out);
}

static void test_text(void **state)
{
    for (size_t i = 0; i < HOSTILE; i++) {
        struct nuce_error error;
        json_t *argv;
        char *text;

        set_up("{environment: [PATH]}");
        fixture.input.campaign = hostile[i];
        fixture.profile.via = strdup(hostile[i]);
        fixture.profile.programs = strdup(hostile[i]);
        fixture.profile.mpi = strdup(hostile[i]);
        json_object_set_new(fixture.profile.options, "account", json_string(hostile[i]));
        json_object_set_new(fixture.profile.set, "A", json_string(hostile[i]));
        json_array_append_new(fixture.profile.sbatch, json_string("--comment"));
        json_array_append_new(fixture.profile.sbatch, json_string(hostile[i]));
        json_array_append_new(fixture.profile.words, json_string("--comment"));
        json_array_append_new(fixture.profile.words, json_string(hostile[i]));
        json_array_append_new(fixture.profile.launcher_options, json_string(hostile[i]));
        argv = nuce_script_argv(&fixture.input, &error);
        text = nuce_script_text(&fixture.input, &error);
        assert_non_null(argv);
        assert_non_null(text);
        check_text(text, argv);
        check_shell(text);
        json_decref(argv);
        free(text);
    }
}

/* The body becomes nuce-job of the folder that jobs/programs names, whatever is in that name, with
 * the number alone. */
static void test_body(void **state)
{
    struct nuce_error error;
    char *out, *text;

    set_up("{environment: []}");
    text = nuce_script_text(&fixture.input, &error);
    file_write("0003.sh", text);
    out =
        shell("dir=$(printf 'a \\\\b $(touch canary)') && mkdir -p jobs \"$dir\" && printf '%s\\n' "
              "\"$PWD/$dir\" >jobs/programs && printf '#!/bin/sh\\necho \"$# $1\"\\nexit 75\\n' "
              ">\"$dir/nuce-job\" && chmod +x \"$dir/nuce-job\" && { sh 0003.sh; echo $?; }");
    assert_string_equal(out, "1 0003\n75\n");
    assert_int_not_equal(access("canary", F_OK), 0);
    free(out);
    free(text);
    /* A newline cannot be quoted for sbatch: it would begin a line of shell. */
    fixture.input.campaign = "/c\ntouch canary\n";
    assert_null(nuce_script_text(&fixture.input, &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
}

/* The line that runs a point again: a shell makes of it exactly the words that the job would use.
 */
#define EVIL "a'b \"c\" $(touch canary) `touch canary`;*\\ {ranks}\nz"

/* A stand-in for launchers: prints its arguments. */
static const char stand_in[] = "#!/bin/sh\n"
                               "printf '%s' \"${0##*/}:$VAR:$SLURM_HOSTFILE\"\n"
                               "printf '|%s' \"$@\"\n";

static int enter_one(void **state)
{
    struct scene *scene = scene_enter(state);

    folder_has_programs(&scene->folder);
    file_write_program("srun", stand_in);
    file_write_program("mpiexec", stand_in);
    file_write_program("via", stand_in);
    add_point(&scene->campaign, &(struct point_of){3, 0, "ac", 1, 60});
    return 0;
}

/* The point's params and measurement. */
static void set_line(struct scene *scene, const char *params, const char *measure)
{
    struct nuce_campaign_point *point = &scene->campaign.points[0];

    json_decref(point->line);
    point->line = json_pack("{s:o, s:o}", "measure", json_loads(measure, 0, NULL), "params",
                            json_loads(params, 0, NULL));
    assert_non_null(point->line);
}

/* Runs the point's line in a shell, and compares the launcher's arguments. */
static void check(struct scene *scene, int slurm, const char *wanted)
{
    char got[2048] = "", *line;
    struct nuce_error error;
    FILE *shell;

    line = nuce_rerun_line(slurm ? &scene->profile : NULL, &scene->campaign.points[0], &error);
    assert_non_null(line);
    shell = popen(line, "r");
    assert_non_null(shell);
    (void)!fread(got, 1, sizeof got - 1, shell);
    assert_int_equal(pclose(shell), 0);
    assert_string_equal(got, wanted);
    assert_int_equal(access("canary", F_OK), -1);
    free(line);
}

static void test_local(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;
    char *program = nuce_data_program_path("nuce-exchange", &error);
    char *wanted = nuce_text_format(
        "mpiexec::|-n|3|%s|--schedule|rs-n|--degree|0.25|--item-bytes|64|--ci|0.05|--max|200",
        program);

    set_line(scene, "{\"schedule\":\"rs-n\",\"degree\":0.25,\"mesh\":\"\",\"item-bytes\":64}",
             "{\"ci\":0.05,\"max\":200,\"per-rank\":false}");
    check(scene, 0, wanted);
    free(wanted);
    free(program);
}

static void test_hostile(void **state)
{
    struct scene *scene = *state;
    json_t *params = json_pack("{s:s}", "com", EVIL);
    char *text = json_dumps(params, 0);

    set_line(scene, text, "{}");
    free(text);
    json_decref(params);
    scene->profile.programs = strdup("/" EVIL);
    json_object_set_new(scene->profile.set, "VAR", json_string(EVIL));
    json_array_append_new(scene->profile.launcher_options, json_string(EVIL));
    json_array_append_new(scene->profile.launcher_options, json_string(""));
    check(scene, 1,
          "srun:" EVIL ":|--exclusive|--ntasks=3|--kill-on-bad-exit=1|--export=ALL|" EVIL "||/" EVIL
          "/nuce-exchange|--com|" EVIL);
}

/* Where ranks are placed by hand srun needs the file again. */
static void test_placed(void **state)
{
    struct scene *scene = *state;

    set_line(scene, "{}", "{\"max\":-5,\"per-rank\":true}");
    scene->profile.programs = strdup("/p");
    check(scene, 1,
          "srun::|--exclusive|--ntasks=3|--kill-on-bad-exit=1|--export=ALL|/p/"
          "nuce-exchange|--max|-5|--per-rank");
    set_line(scene, "{}", "{}");
    scene->profile.hosts = strdup("/some/where's hosts");
    scene->profile.via = strdup("via");
    check(scene, 1,
          "via::/some/where's "
          "hosts|srun|--exclusive|--ntasks=3|--distribution=arbitrary|--kill-on-bad-exit=1|--"
          "export=ALL|/p/nuce-exchange");
}

/* A variable that the point sets or unsets is not that of the profile, as in the job. */
static void test_factors(void **state)
{
    static const char *const factors[] = {"own", NULL}, *const says[] = {"own", ""};
    struct scene *scene = *state;

    scene->profile.programs = strdup("/p");
    json_object_set_new(scene->profile.set, "VAR", json_string("profile's"));
    for (int i = 0; i < 2; i++) {
        char wanted[128];

        set_line(scene, "{}", "{}");
        json_object_set_new(scene->campaign.points[0].line, "launch",
                            json_pack("{s:s?}", "VAR", factors[i]));
        snprintf(
            wanted, sizeof wanted,
            "srun:%s:|--exclusive|--ntasks=3|--kill-on-bad-exit=1|--export=ALL|/p/nuce-exchange",
            says[i]);
        check(scene, 1, wanted);
    }
}

/* Outside of a job srun asks for the same nodes as the job did. */
static void test_options(void **state)
{
    static const char *const words[] = {"-p", "--partition=no", "--contiguous", "--qos=q", NULL};
    struct scene *scene = *state;
    struct nuce_error error;

    set_line(scene, "{}", "{}");
    scene->profile.programs = strdup("/p");
    scene->profile.mpi = strdup("pmi2");
    scene->profile.tasks_per_node = 2;
    scene->profile.exclusive = 0;
    json_object_set_new(scene->profile.options, "partition", json_string("a b"));
    json_object_set_new(scene->profile.options, "comment", json_string("c"));
    json_object_set_new(scene->profile.options, "nodelist", json_string("n[1-2]"));
    json_object_set_new(scene->profile.options, "contiguous", json_string("false"));
    assert_int_equal(nuce_profile_set_words(&scene->profile, words, &error), NUCE_BAD_INPUT);
    assert_ok(nuce_profile_set_words(&scene->profile, words + 1, &error));
    check(scene, 1,
          "srun::|--partition=a "
          "b|--comment=c|--nodelist=n[1-2]|--partition=no|--contiguous|--qos=q|--mpi=pmi2|--nodes="
          "2|--ntasks=3|--ntasks-per-node=2|--kill-on-bad-exit=1|--export=ALL|/p/nuce-exchange");
    json_array_clear(scene->profile.words);
    json_array_append_new(scene->profile.sbatch, json_string("--partition=fast"));
    free(scene->profile.launcher);
    scene->profile.launcher = strdup("mpiexec");
    check(scene, 1, "mpiexec::|-n|3|-ppn|2|/p/nuce-exchange");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)
#define ONE(name) cmocka_unit_test_setup_teardown(name, enter_one, scene_leave)
RUN_CASES(TEST(test_directives), TEST(test_quote), TEST(test_log), TEST(test_argv),
          TEST(test_launcher), TEST(test_hosts), TEST(test_bad_hosts), TEST(test_text),
          TEST(test_body), TEST(test_environment), ONE(test_local), ONE(test_hostile),
          ONE(test_placed), ONE(test_factors), ONE(test_options))
