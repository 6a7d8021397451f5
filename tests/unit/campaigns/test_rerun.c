/* The line that runs a point again: a shell makes of it exactly the words that the job would use,
 * whatever they hold. */

#include "base/data.h"
#include "campaigns/profile.h"
#include "make_campaign.h"

#include "base/text.h"
#include "campaigns/rerun.h"

#define EVIL "a'b \"c\" $(touch canary) `touch canary`;*\\ {ranks}\nz"

/* A stand-in for launchers: says what it is called with. */
static const char stand_in[] = "#!/bin/sh\n"
                               "printf '%s' \"${0##*/}:$VAR:$SLURM_HOSTFILE\"\n"
                               "printf '|%s' \"$@\"\n";

static int enter(void **state)
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

/* Runs the point's line in a shell, and compares what the launcher got. */
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
        "mpiexec::|-n|3|%s|--schedule|rs-n|--density|0.25|--unit|64|--ci|0.05|--max|200", program);

    set_line(scene, "{\"schedule\":\"rs-n\",\"density\":0.25,\"mesh\":\"\",\"unit\":64}",
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, scene_leave)
RUN_TESTS(NULL, NULL, TEST(test_local), TEST(test_hostile), TEST(test_placed), TEST(test_factors),
          TEST(test_options))
