/* Launchers: the table, the words of each, and the loop over starts with the one that starts
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../folder.h"
#include "campaigns/config.h"
#include "campaigns/keys.h"
#include "campaigns/launcher.h"

#define SWEEP                                                                                      \
    "name: s\nworkload: exchange\nranks: [4, 2]\nsweep: {schedule: [ac, lp], pattern: uniform, "   \
    "density: 2}\n"

/* A folder with s.yaml in it, and a program that is only looked for, as the current one. */
static int enter(void **state)
{
    folder_setup(state);
    file_write("s.yaml", SWEEP);
    file_write_program("nuce-exchange", "#!/bin/false\n");
    return 0;
}

static void create(struct nuce_campaign *out)
{
    struct nuce_problems problems;
    struct nuce_config config;
    struct nuce_error error;

    assert_int_equal(nuce_config_load("s.yaml", 0, &nuce_slurm_judge, &config, &problems, &error),
                     NUCE_OK);
    assert_int_equal(nuce_campaign_create("c", &config, NULL, out, &error), NUCE_OK);
    nuce_config_fini(&config);
    nuce_problems_fini(&problems);
}

static void test_table(void **state)
{
    (void)state;
    for (int i = 0; nuce_launchers[i] != NULL; i++) {
        assert_ptr_equal(nuce_launchers_find(nuce_launchers[i]->name), nuce_launchers[i]);
        assert_non_null(nuce_launchers[i]->summary);
        assert_non_null(nuce_launchers[i]->kind);
        assert_non_null(nuce_launchers[i]->program);
        assert_non_null(nuce_launchers[i]->subcommand);
        assert_non_null(nuce_launchers[i]->open);
    }
    assert_null(nuce_launchers_find("nobody"));
    assert_null(nuce_launchers_find(NULL));
}

static void test_words(void **state)
{
    const char *const starter[] = {"/usr/bin/mpiexec", NULL};
    const char *const srun[] = {"srun", "-n", "{ranks}", "--exact", NULL};
    const struct nuce_workload_ops *workload = nuce_workload_find("exchange");
    struct nuce_launcher launcher;
    struct nuce_campaign campaign;
    struct nuce_error error;

    (void)state;
    create(&campaign);
    assert_ptr_equal(campaign.launcher, &nuce_launcher_local);
    assert_int_equal(nuce_launcher_init(&launcher, campaign.launcher, &campaign, starter, &error),
                     NUCE_OK);
    assert_string_equal(launcher.command[0], "/usr/bin/mpiexec");
    assert_string_equal(launcher.command[1], "-n");
    assert_string_equal(launcher.command[2], NUCE_LAUNCHER_RANKS);
    assert_null(launcher.command[3]);
    assert_string_equal(launcher.ops->program(workload), "nuce-exchange");
    nuce_launcher_fini(&launcher);
    assert_int_equal(nuce_launcher_init(&launcher, &nuce_launcher_slurm, &campaign, srun, &error),
                     NUCE_OK);
    assert_string_equal(launcher.command[3], "--exact");
    nuce_launcher_fini(&launcher);
    assert_int_equal(
        nuce_launcher_init(&launcher, &nuce_launcher_model, &campaign, starter, &error), NUCE_OK);
    assert_null(launcher.command[0]);
    assert_string_equal(launcher.ops->program(workload), "nuce-model");
    assert_string_equal(launcher.ops->subcommand(workload), "points");
    nuce_launcher_fini(&launcher);
    nuce_campaign_fini(&campaign);
}

/* Only what measures is started by an mpiexec: srun and what simulates have no words of its. */
static void test_mpiexec(void **state)
{
    const char *const starter[] = {"mpiexec", NULL}, *const srun[] = {"/usr/bin/srun", NULL};
    struct nuce_launcher_ops simulator = nuce_launcher_local;
    struct nuce_launcher launcher;
    struct nuce_campaign campaign;
    struct nuce_error error;

    (void)state;
    create(&campaign);
    simulator.kind = "simulated";
    assert_int_equal(nuce_launcher_init(&launcher, campaign.launcher, &campaign, starter, &error),
                     NUCE_OK);
    assert_int_equal(launcher.has_mpiexec, 1);
    nuce_launcher_fini(&launcher);
    assert_int_equal(nuce_launcher_init(&launcher, &simulator, &campaign, starter, &error),
                     NUCE_OK);
    assert_int_equal(launcher.has_mpiexec, 0);
    nuce_launcher_fini(&launcher);
    assert_int_equal(nuce_launcher_init(&launcher, &nuce_launcher_slurm, &campaign, srun, &error),
                     NUCE_OK);
    assert_int_equal(launcher.has_mpiexec, 0);
    nuce_launcher_fini(&launcher);
    nuce_campaign_fini(&campaign);
}

static void test_too_many_words(void **state)
{
    const char *words[NUCE_LAUNCHER_WORDS + 2];
    struct nuce_launcher launcher = {.ops = &nuce_launcher_slurm};
    struct nuce_error error;

    (void)state;
    for (int i = 0; i <= NUCE_LAUNCHER_WORDS; i++)
        words[i] = "-x";
    words[NUCE_LAUNCHER_WORDS + 1] = NULL;
    assert_int_equal(nuce_launcher_take(&launcher, words, &error), NUCE_BAD_INPUT);
}

/* A start takes all points of one rank count; each point has its turn once. */
static void test_null(void **state)
{
    const char *const starter[] = {"mpiexec", NULL};
    struct nuce_launcher launcher;
    struct nuce_campaign campaign;
    struct nuce_error error;

    create(&campaign);
    assert_int_equal(nuce_launcher_init(&launcher, &nuce_launcher_null, &campaign, starter, &error),
                     NUCE_OK);
    launcher.programs = *state;
    assert_int_equal(nuce_launcher_run(&launcher, &campaign, &error), NUCE_OK);
    for (int64_t i = 0; i < campaign.count; i++) {
        assert_int_equal(campaign.points[i].attempted, 1);
        assert_int_equal(campaign.points[i].runs, 0);
    }
    assert_int_equal(access("c/s.1/launches/0001.jsonl", F_OK), 0);
    assert_int_equal(access("c/s.1/launches/0002.jsonl", F_OK), 0);
    assert_int_not_equal(access("c/s.1/launches/0003.jsonl", F_OK), 0);
    assert_int_not_equal(access("c/s.1/records/0001.jsonl", F_OK), 0);
    launcher.programs = "/nowhere";
    campaign.points[0].attempted = 0;
    assert_int_equal(nuce_launcher_run(&launcher, &campaign, &error), NUCE_FAILED);
    nuce_launcher_fini(&launcher);
    nuce_campaign_fini(&campaign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test_setup_teardown(test_words, enter, folder_teardown),
        cmocka_unit_test_setup_teardown(test_mpiexec, enter, folder_teardown),
        cmocka_unit_test(test_too_many_words),
        cmocka_unit_test_setup_teardown(test_null, enter, folder_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
