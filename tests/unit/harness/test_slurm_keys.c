/* What users may say to Slurm, and what is refused, word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweeps/sbatch_options.h"
#include "sweeps/slurm_keys.h"

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
        {"nodes",           "8",            NULL                                                                      },
        {"nodes",           "0",            "nodes: '0': expected a whole number from 1 to 16777216 (nodes of a job)" },
        {"nodes",           "-1",           "nodes: '-1': expected a whole number from 1 to 16777216 (nodes of a job)"},
        {"nodes",           "2-4",
         "nodes: '2-4': expected a whole number from 1 to 16777216 (nodes of a job)"                                  },
        {"nodes",           "16777217",
         "nodes: '16777217': expected a whole number from 1 to 16777216 (nodes of a job)"                             },
        {"ntasks-per-node", "four",
         "ntasks-per-node: 'four': expected a whole number from 1 to 16777216 (ranks on each "
         "node)"                                                                                                      },
        {"signal",          "120",          NULL                                                                      },
        {"signal",          "B:USR1@60",
         "signal: 'B:USR1@60': expected a whole number from 1 to 65535 (seconds before its time "
         "limit a job is told to stop (60))"                                                                          },
        {"signal",          "65536",
         "signal: '65536': expected a whole number from 1 to 65535 (seconds before its time limit "
         "a job is told to stop (60))"                                                                                },
        {"time",            "01:00:00",     NULL                                                                      },
        {"time",            "1h",
         "time: '1h': expected a time limit: minutes, minutes:seconds, hours:minutes:seconds or "
         "days-hours[:minutes[:seconds]]"                                                                             },
        {"exclusive",       "yes",          NULL                                                                      },
        {"exclusive",       "user",         "exclusive: 'user': expected true or false"                               },
        {"requeue",         "2",            "requeue: '2': expected true or false"                                    },
        {"contiguous",      "true",         NULL                                                                      },
        {"contiguous",      "perhaps",      "contiguous: 'perhaps': expected true or false"                           },
        {"partition",       "a,b",          NULL                                                                      },
        {"partition",       "",             "partition: expected a value, got nothing"                                },
        {"comment",         "$(rm -rf x)",  NULL                                                                      },
        {"comment",         "\xc3\xa4",     NULL                                                                      },
        {"comment",         "a\nb",         "comment: a control character in the value: expected one line"            },
        {"comment",         "a\tb",         "comment: a control character in the value: expected one line"            },
        {"comment",         "a\x7f",        "comment: a control character in the value: expected one line"            },
        {"frobnicate",      "x",            NULL                                                                      },
        {"frobnicate",      "x\n#SBATCH y",
         "frobnicate: a control character in the value: expected one line"                                            },
        {"hostfile",        "hosts.txt",    NULL                                                                      },
    };

    (void)state;
    check_said(cases, sizeof cases / sizeof *cases);
}

static void test_keys(void **state)
{
    static const struct said cases[] = {
        {"job-name",    "x", "'job-name' is set by nuce"                                            },
        {"array",       "x", "'array' is set by nuce ('concurrent' limits the tasks at one time)"   },
        {"ntasks",      "8", "'ntasks' is set by nuce (from a sweep's 'ranks')"                     },
        {"wrap",        "x", "'wrap' takes the place of the job script, which nuce writes"          },
        {"uid",         "x", "'uid' is refused: nuce only knows jobs of the user that calls it"     },
        {"ndoes",       "8", "unknown key 'ndoes' (did you mean 'nodes'?)"                          },
        {"particion",   "x", "unknown key 'particion' (did you mean 'partition'?)"                  },
        {"constrain",   "x", "unknown key 'constrain' (did you mean 'constraint'?)"                 },
 /* sbatch takes abbreviations: these would have become the job's name. */
        {"job",         "x", "unknown key 'job' (did you mean 'job-name'?)"                         },
        {"jo",          "x", "unknown key 'jo' (did you mean 'job-name'?)"                          },
        {"ou",          "x", "unknown key 'ou' (did you mean 'output'?)"                            },
        {"",            "x", "'' is no name of an option (small letters, digits and hyphens)"       },
        {"a b",         "x", "'a b' is no name of an option (small letters, digits and hyphens)"    },
        {"comment=x",   "x",
         "'comment=x' is no name of an option (small letters, digits and hyphens)"                  },
        {"Comment",     "x", "'Comment' is no name of an option (small letters, digits and hyphens)"},
        {"-J",          "x", "'-J' is no name of an option (small letters, digits and hyphens)"     },
        {"--job-name",  "x",
         "'--job-name' is no name of an option (small letters, digits and hyphens)"                 },
        {"$(touch c)",  "x",
         "'$(touch c)' is no name of an option (small letters, digits and hyphens)"                 },
        {"x\n#SBATCH ", "x",
         "'x\n#SBATCH ' is no name of an option (small letters, digits and hyphens)"                },
    };

    (void)state;
    check_said(cases, sizeof cases / sizeof *cases);
}

/* Every option that nuce sets is refused as a key, as a word, and however it is abbreviated. */
static void test_refused(void **state)
{
    (void)state;
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        size_t length = strlen(row->name);
        struct nuce_error error;
        char word[64] = "--";

        if (row->refused == NULL)
            continue;
        assert_int_equal(nuce_slurm_check(row->name, "1", &error), NUCE_BAD_INPUT);
        for (size_t end = 1; end <= length; end++) {
            const char *words[] = {word};

            memcpy(word + 2, row->name, end);
            word[2 + end] = '\0';
            if (end < length && nuce_sbatch_find(word + 2) != NULL)
                continue; /* another option, exactly */
            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_BAD_INPUT);
            if (nuce_slurm_key_find(word + 2) == NULL)
                assert_int_equal(nuce_slurm_check(word + 2, "1", &error), NUCE_BAD_INPUT);
            memcpy(word + 2 + end, "=x", 3);
            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_BAD_INPUT);
        }
        if (row->letter != '\0') {
            char letters[4] = {'-', row->letter, 'x', '\0'}, cluster[6] = {'-', 'H', 'O', 's'};
            const char *one[] = {letters}, *many[] = {cluster};

            cluster[4] = row->letter;
            assert_int_equal(nuce_slurm_check_words(one, 1, &error), NUCE_BAD_INPUT);
            assert_int_equal(nuce_slurm_check_words(many, 1, &error), NUCE_BAD_INPUT);
        }
    }
}

/* All that nuce passes on is taken, as key and as word. */
static void test_passed_on(void **state)
{
    (void)state;
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row->name != NULL; row++) {
        struct nuce_error error;
        char word[64];

        if (row->refused != NULL || nuce_slurm_key_find(row->name) != NULL)
            continue;
        (void)snprintf(word, sizeof word, "--%s", row->name);
        assert_int_equal(nuce_slurm_check(row->name, "1", &error), NUCE_OK);
        if (row->value == NUCE_SBATCH_REQUIRED) {
            const char *words[] = {word, "1"};

            assert_int_equal(nuce_slurm_check_words(words, 2, &error), NUCE_OK);
            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_BAD_INPUT);
        } else {
            const char *words[] = {word};

            assert_int_equal(nuce_slurm_check_words(words, 1, &error), NUCE_OK);
        }
    }
}

#define MOST_WORDS 4

struct line {
    const char *words[MOST_WORDS + 1];
    const char *said; /* NULL: good */
};

static void test_words(void **state)
{
    static const char own[] =
        " is more than a word for sbatch: set it in the sweep's slurm: or the "
        "profile";
    static const char script[] = ": sbatch would take the words from here on for the job script; "
                                 "expected options only, as in --name=value";
    static const struct line lines[] = {
        {{NULL},                            NULL                                                               },
        {{"--account=x", "--nice=10"},      NULL                                                               },
        {{"--account", "x"},                NULL                                                               },
        {{"-Ax", "-p", "batch", "-H"},      NULL                                                               },
        {{"-HOs", "-k", "-koff"},           NULL                                                               },
        {{"-HpJx"},                         NULL                                                               },
        {{"--exclusive"},                   NULL                                                               },
        {{"--exclusive=user"},              NULL                                                               },
        {{"--mem-per-c=1G"},                NULL                                                               },
        {{"--mem-per-c", "1G"},             NULL                                                               },
        {{"--comment", "$(touch x) --job"}, NULL                                                               },
        {{"--comment=-J x"},                NULL                                                               },
        {{"--new-flag", "--new-key=x"},     NULL                                                               },
        {{"--job-name=x"},                  "'--job-name=x': 'job-name' is set by nuce"                        },
        {{"--job=x"},                       "'--job=x': 'job-name' is set by nuce"                             },
        {{"--j", "x"},                      "'--j': 'job-name' is set by nuce"                                 },
        {{"-Jx"},                           "'-Jx': 'job-name' is set by nuce"                                 },
        {{"-J", "x"},                       "'-J': 'job-name' is set by nuce"                                  },
        {{"-HJx"},                          "'-HJx': 'job-name' is set by nuce"                                },
        {{"-HkJx"},                         NULL                                                               },
        {{"-HW"},
         "'-HW': 'wait' waits for the end of the job; see "
         "'nuce status'"                                                                                       },
        {{"-vH"},
         "'-vH': 'verbose' changes what sbatch prints, which "
         "nuce reads"                                                                                          },
        {{"--nodes=4"},                     "'--nodes=4': 'nodes'"                                             },
        {{"-N4"},                           "'-N4': 'nodes'"                                                   },
        {{"-HN", "4"},                      "'-HN': 'nodes'"                                                   },
        {{"--tim=1"},                       "'--tim=1': 'time'"                                                },
        {{"-t1"},                           "'-t1': 'time'"                                                    },
        {{"--sig=USR1"},                    "'--sig=USR1': 'signal'"                                           },
        {{"--requeue"},                     "'--requeue': 'requeue'"                                           },
        {{"--req"},                         "'--req': 'requeue'"                                               },
        {{"--hostfile=x"},                  "'--hostfile=x': 'hostfile'"                                       },
        {{"--ntasks-per-n=2"},              "'--ntasks-per-n=2': 'ntasks-per-node'"                            },
        {{"job.sh"},                        "'job.sh'"                                                         },
        {{""},                              "''"                                                               },
        {{"-"},                             "'-'"                                                              },
        {{"--"},                            "'--'"                                                             },
        {{"--", "job.sh"},                  "'--'"                                                             },
        {{"--hold", "job.sh"},              "'job.sh'"                                                         },
        {{"--hold", ":", "--hold"},         "':'"                                                              },
        {{"--nice", "10"},                  "'10'"                                                             },
        {{"--new-option", "x"},             "'x'"                                                              },
        {{"-k", "off"},                     "'off'"                                                            },
        {{"--="},                           "'--=': expected --name or --name=value"                           },
        {{"--account"},                     "'--account': no value: sbatch would take the job script for it"   },
        {{"-Hp"},
         "'-Hp': no value: sbatch would take the job script "
         "for it"                                                                                              },
        {{"--comment", "-Jx"},
         "'--comment': the value '-Jx' looks like something else: write --name=value"                          },
        {{"-p", ":"},                       "'-p': the value ':' looks like something else: write --name=value"},
        {{"-Z"},
         "'-Z': '-Z' is no option of sbatch that nuce knows: write its long name, as in "
         "--name=value"                                                                                        },
        {{"--comment=a\nb"},                "word 1 for sbatch: a control character: expected one line"        },
        {{"--comment", "a\nb"},             "word 2 for sbatch: a control character: expected one line"        },
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *said = lines[i].said;
        struct nuce_error error = {.message = ""};
        nuce_status status;
        size_t count = 0, length;

        while (lines[i].words[count] != NULL)
            count++;
        status = nuce_slurm_check_words(lines[i].words, count, &error);
        assert_int_equal(status, said == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (said == NULL)
            continue;
        length = strlen(said);
        assert_int_equal(strncmp(error.message, said, length), 0);
        if (error.message[length] == '\0')
            continue;
        /* The beginning was given; what follows is one of the usual ends. */
        if (strcmp(error.message + length, own) != 0)
            assert_string_equal(error.message + length, script);
    }
}

static void test_time(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds; /* 0: refused */
    } cases[] = {
        {"1",              60               },
        {"90",             5400             },
        {"1:30",           90               },
        {"0:01",           1                },
        {"01:30:00",       5400             },
        {"100:00:00",      360000           },
        {"2-0",            172800           },
        {"2-00:00",        172800           },
        {"1-01:01",        90060            },
        {"1-01:01:01",     90061            },
        {"0-1",            3600             },
        {"9999999999",     0                },
        {"99999999999999", 0                },
        {"2147483646",     2147483646ll * 60},
        {"",               0                },
        {"0",              0                },
        {"00:00:00",       0                },
        {"-1",             0                },
        {"1-",             0                },
        {"-",              0                },
        {"1:",             0                },
        {":1",             0                },
        {"1:2:3:4",        0                },
        {"1-1:2:3:4",      0                },
        {"1-1-1",          0                },
        {" 1",             0                },
        {"1 ",             0                },
        {"1.5",            0                },
        {"1e3",            0                },
        {"0x10",           0                },
        {"INFINITE",       0                },
        {"UNLIMITED",      0                },
        {"infinite",       0                },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_error error;
        int64_t seconds = 0;
        nuce_status status = nuce_slurm_time(cases[i].text, &seconds, &error);

        assert_int_equal(status, cases[i].seconds > 0 ? NUCE_OK : NUCE_BAD_INPUT);
        assert_int_equal(seconds, cases[i].seconds);
    }
}

static void test_word(void **state)
{
    static const char *const cases[][3] = {
        {"partition",  "a b",   "--partition=a b"  },
        {"contiguous", "true",  "--contiguous"     },
        {"contiguous", "yes",   "--contiguous"     },
        {"contiguous", "false", ""                 },
        {"nice",       "10",    "--nice=10"        },
        {"nice",       "1",     "--nice=1"         },
        {"no-kill",    "true",  "--no-kill"        },
        {"no-kill",    "false", ""                 },
        {"no-kill",    "off",   "--no-kill=off"    },
        {"frobnicate", "true",  "--frobnicate=true"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_error error;
        char *word = nuce_slurm_word(cases[i][0], cases[i][1], &error);

        assert_string_equal(word, cases[i][2]);
        free(word);
    }
}

/* The rows of both tables stand once, and a key that is sbatch's is not refused as one. */
static void test_tables(void **state)
{
    (void)state;
    for (const struct nuce_sbatch_option *row = nuce_sbatch_options; row[0].name != NULL; row++) {
        assert_ptr_equal(nuce_sbatch_find(row->name), row);
        if (row->letter != '\0')
            assert_ptr_equal(nuce_sbatch_find_letter(row->letter), row);
        assert_true(row[1].name == NULL || strcmp(row[0].name, row[1].name) < 0);
    }
    for (const struct nuce_slurm_key *row = nuce_slurm_keys; row[0].name != NULL; row++) {
        const struct nuce_sbatch_option *option = nuce_sbatch_find(row->name);

        assert_true(option == NULL || option->refused == NULL);
        assert_true(row[1].name == NULL || strcmp(row[0].name, row[1].name) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_keys),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_passed_on),
        cmocka_unit_test(test_words),   cmocka_unit_test(test_time),
        cmocka_unit_test(test_word),    cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
