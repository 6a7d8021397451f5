/* A contender's command: its words, its end, and the number that it printed. */
#include "../folder.h"

#include <signal.h>
#include <stdlib.h>

#include "campaigns/command.h"

/* As osu_latency 7.4 and osu_mbw_mr print, and IMB-MPI1 2021 PingPong. */
static const char osu[] = "# OSU MPI Latency Test v7.4\n"
                          "# Datatype: MPI_CHAR.\n"
                          "# Size       Avg Latency(us)\n"
                          "1                       1.09\n"
                          "2                       1.10\n"
                          "4096                    3.35\n"
                          "4194304               417.08\n";
static const char osu_rate[] = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
                               "# [ pairs: 1 ] [ window size: 64 ]\n"
                               "# Size                  MB/s        Messages/s\n"
                               "1                       5.94        5939061.26\n"
                               "2                      11.90        5951083.43\n";
static const char imb[] = "#----------------------------------------------------------------\n"
                          "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
                          "#----------------------------------------------------------------\n"
                          "# Minimum message length in bytes:   0\n"
                          "# Maximum message length in bytes:   4194304\n"
                          "# Benchmarking PingPong \n"
                          "# #processes = 2 \n"
                          "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                          "            0         1000         0.45         0.00\n"
                          "            1         1000         0.47         2.13\n"
                          "      4194304           10       398.12     10535.31\n"
                          "\n"
                          "# All processes entering MPI_Finalize\n";

/* The settings of a contender: each its name and its value, up to NULL. */
static struct nuce_program_params *params_of(const char *const *settings)
{
    const struct nuce_option *options = nuce_workload_program.options;
    struct nuce_program_params *params = calloc(1, sizeof *params);

    nuce_option_presets(options, params);
    for (; *settings != NULL; settings += 2)
        assert_ok(nuce_option_set(nuce_option_find(options, settings[0]), params, settings[1],
                                  ANY_ERROR));
    return params;
}

/* Room for three settings and the NULL. */
#define SETTINGS 7

static void test_metric(void **state)
{
    static const char json[] =
        "{\"a\": {\"b\": [1, 2.5e-3], \"c\": \"3\", \"d\": -1, \"e\": null}}";
    static const struct {
        const char *settings[SETTINGS];
        const char *out, *err;
        double value, cost;
        const char *says; /* NULL: it is found */
    } cases[] = {
        {{"metric", "wall"}, "7\n", "", 0.25, 0.25, NULL},
        {{"metric", "t: ([0-9.e+-]+)"}, "x\nt: 3.5\nt: 9\n", "", 3.5, 3.5, NULL},
        {{"metric", "t: ([0-9.e+-]+)"}, "", "t: 1e-3 s", 1e-3, 1e-3, NULL},
        {{"metric", "t: ([0-9.e+-]+)"}, "t: 1", "t: 2", 1, 1, NULL},
        {{"metric", "^([0-9]+)$"}, "1 2\n34\n", "", 34, 34, NULL},
        {{"metric", "t: ([0-9.]+)", "unit", "us"}, "t: 8", "", 8, 8e-6, NULL},
        {{"metric", "t: ([0-9.]+)", "unit", "min"}, "t: 2", "", 2, 120, NULL},
        {{"metric", "t: ([0-9.]+)", "unit", "cells"}, "t: 2", "", 2, 2, NULL},
        {{"metric", "r: ([0-9.]+)", "unit", "GB/s", "better", "higher"}, "r: 4", "", 4, 0.25, NULL},
        {{"metric", "t: (.*)"}, "t: fast\n", "", 0, 0, "'fast' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: 3.5 s\n", "", 0, 0, "'3.5 s' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: \n", "", 0, 0, "'' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: 0\n", "", 0, 0, "'0' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: -1\n", "", 0, 0, "'-1' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: nan\n", "", 0, 0, "'nan' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: inf\n", "", 0, 0, "'inf' is not a number above 0"},
        {{"metric", "t: (.*)"}, "t: 1e999\n", "", 0, 0, "'1e999' is not a number above 0"},
        {{"metric", "t: (.*)"},
         "a\nb\nc\nd\n\n",
         "",
         0,
         0,
         "metric: 't: (.*)' is not in its output, which ends: 'b|c|d'"},
        {{"metric", "t: (.*)"}, "", "\033[1mno\n", 0, 0, "which ends: '?[1mno'"},
        {{"metric", "t: (.*)"}, "", "", 0, 0, "which ends: ''"},
        {{"metric", "json:/a/b/1"}, json, "", 2.5e-3, 2.5e-3, NULL},
        {{"metric", "json:/a/b/0", "better", "higher"}, json, "", 1, 1, NULL},
        {{"metric", "json:/a/b/c"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a/b/"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a/b/2"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a/c"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a/d"}, json, "", 0, 0, "'-1' is not a number above 0"},
        {{"metric", "json:/a/e"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a/b"}, json, "", 0, 0, "is not in its output"},
        {{"metric", "json:/a"}, "{\"a\": ", "", 0, 0, "is not in its output"},
        {{"series", "2", "at", "4096", "unit", "us"}, osu, "", 3.35, 3.35e-6, NULL},
        {{"series", "2", "at", "1", "better", "higher"}, osu_rate, "", 5.94, 1 / 5.94, NULL},
        {{"series", "3", "at", "2", "better", "higher"},
         osu_rate,
         "",
         5951083.43,
         1 / 5951083.43,
         NULL},
        {{"series", "3", "at", "0", "unit", "us"}, imb, "", 0.45, 0.45e-6, NULL},
        {{"series", "4", "at", "4194304"}, imb, "", 10535.31, 10535.31, NULL},
        {{"series", "4", "at", "0"}, imb, "", 0, 0, "no number above 0 in column 4 of the row '0'"},
        {{"series", "2", "at", "3"},
         osu,
         "",
         0,
         0,
         "no number above 0 in column 2 of the row '3' of its output: '2 "},
        {{"series", "3", "at", "1"}, osu, "", 0, 0, "column 3 of the row '1'"},
        {{"series", "5", "at", "8"},
         "8 out-of-mem.; needed X=   1.501 GB; use flag\n",
         "",
         0,
         0,
         "column 5 of the row '8'"},
        {{"series", "3", "at", "8"}, "8,x,1\n8|x|2.5|\n9;3\r\n", "", 1, 1, NULL},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_program_params *params = params_of(cases[i].settings);
        struct nuce_command_end end = {
            .wall_s = 0.25, .out = (char *)cases[i].out, .err = (char *)cases[i].err};
        double value = 0, cost = 0;
        struct nuce_error error;
        nuce_status status = nuce_command_metric(params, &end, &value, &cost, &error);

        if (cases[i].says != NULL)
            assert_says(&error, cases[i].says);
        assert_int_equal(status, cases[i].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        assert_near(value, cases[i].value, 1e-12 * cases[i].value);
        assert_near(cost, cases[i].cost, 1e-12 * cases[i].cost);
        free(params);
    }
}

static void test_rows(void **state)
{
    static const struct {
        const char *output;
        int column;
        const char *rows; /* as JSON */
    } cases[] = {
        {osu, 2, "[\"1\",\"2\",\"4096\",\"4194304\"]"},
        {osu, 3, "[]"},
        {osu_rate, 3, "[\"1\",\"2\"]"},
        {imb, 4, "[\"0\",\"1\",\"4194304\"]"},
        {imb, 5, "[]"},
        {"", 2, "[]"},
        {"\n\n", 2, "[]"},
        {"1 2\nsize 3\n4 x\n5 6", 2, "[\"1\",\"5\"]"},
        {"1,2\r\n3|4\r\n| 5 | 6 |\n 7,8 \n9, 1\n", 2, "[\"1\",\"3\",\"5\",\"7\",\"9\"]"},
        {"512 1.5\n1,024 3.5\n2048 1,003.5\n4096 3,5\n", 2, "[\"512\"]"},
        {"16,3.5,Open MPI\n32,350,Open MPI\n64,1.5, all of it\n", 2, "[\"16\",\"32\",\"64\"]"},
        {"1e3 2\n1.5 inf\nnan 3\n", 2, "[\"1e3\"]"},
        {"1\n2\n", 2, "[]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *rows = nuce_command_rows(cases[i].output, cases[i].column);
        char *found = json_dumps(rows, JSON_COMPACT);

        assert_string_equal(found, cases[i].rows);
        free(found);
        json_decref(rows);
    }
}

/* env with the variables is first, and a shell gets its text as one word. */
static void test_words(void **state)
{
    static const struct {
        const char *settings[SETTINGS];
        const char *factors, *words; /* as JSON */
    } cases[] = {
        {{"command", "./a 'b c' {ranks}"}, "{}", "[\"./a\",\"b c\",\"4\"]"},
        {{"command", "./a {N}"}, "{\"N\":\"8\"}", "[\"env\",\"N=8\",\"./a\",\"8\"]"},
        {{"command", "./a"},
         "{\"N\":null,\"M\":\"$(id) '\"}",
         "[\"env\",\"--unset=N\",\"M=$(id) '\",\"./a\"]"},
        {{"command", "./a {nodes}"}, "{\"nodes\":2}", "[\"./a\",\"2\"]"},
        {{"command", "./a | wc {N}", "shell", "true"},
         "{}",
         "[\"/bin/sh\",\"-c\",\"./a | wc {N}\"]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_program_params *params = params_of(cases[i].settings);
        json_t *factors = json_loads(cases[i].factors, 0, NULL);
        json_t *words = nuce_command_words(params, factors, 4, ANY_ERROR);
        char *found = json_dumps(words, JSON_COMPACT);

        assert_string_equal(found, cases[i].words);
        free(found);
        json_decref(words);
        json_decref(factors);
        free(params);
    }
}

/* The end of a command says how it ended. A limit ends all its processes. */
static void test_run(void **state)
{
    static const struct {
        const char *settings[SETTINGS];
        const char *status, *message; /* NULL: none */
    } cases[] = {
        {{"command", "echo a; echo b >&2"}, "ok", NULL},
        {{"command", "echo a; exit 3"}, "failed", "it ended with status 3: a"},
        {{"command", "echo a; echo b >&2; exit 3"}, "failed", "it ended with status 3: b"},
        {{"command", "kill -9 $$"}, "failed", "it was killed by signal 9"},
        {{"command", "echo all is right", "expect", "all (is|was) right$"}, "ok", NULL},
        {{"command", "echo all is right >&2", "expect", "right"}, "ok", NULL},
        {{"command", "echo all is wrong", "expect", "right"},
         "failed",
         "its output does not match 'right': all is wrong"},
        {{"command", "pwd", "directory", "/usr", "expect", "^/usr$"}, "ok", NULL},
        {{"command", "(trap '' TERM; exec sleep 1000) & echo $! >child; exec sleep 1000"},
         "timeout",
         "it took longer than 1 s and was ended"},
    };
    struct nuce_signals signals;
    struct folder folder = folder_enter();
    FILE *file;
    int child;

    nuce_process_prepare(&signals);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_program_params *params = params_of(cases[i].settings);
        const int is_limited = strcmp(cases[i].status, "timeout") == 0;
        struct nuce_command_end end = {0};
        json_t *words;

        params->shell = 1;
        if (params->directory[0] == '\0')
            strcpy(params->directory, folder.path);
        words = nuce_command_words(params, NULL, 1, ANY_ERROR);
        nuce_command_run(params, words, is_limited ? 1 : 600, &signals, &end);
        assert_string_equal(end.status, cases[i].status);
        assert_true((end.message == NULL) == (cases[i].message == NULL));
        if (end.message != NULL)
            assert_string_equal(end.message, cases[i].message);
        nuce_command_end_fini(&end);
        json_decref(words);
        free(params);
    }
    nuce_process_restore(&signals);
    file = fopen("child", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &child), 1);
    fclose(file);
    assert_int_equal(kill(child, 0), -1);
    folder_leave(&folder);
}

/* One that is not there fails as any other. */
static void test_no_program(void **state)
{
    struct nuce_program_params *params =
        params_of((const char *const[]){"command", "./nosuch a", NULL});
    json_t *words = nuce_command_words(params, NULL, 1, ANY_ERROR);
    struct nuce_command_end end;
    struct nuce_signals signals;

    strcpy(params->directory, ".");
    nuce_process_prepare(&signals);
    nuce_command_run(params, words, 600, &signals, &end);
    nuce_process_restore(&signals);
    assert_string_equal(end.status, "failed");
    assert_string_equal(end.message, "cannot start ./nosuch: No such file or directory");
    nuce_command_end_fini(&end);
    json_decref(words);
    free(params);
}

RUN(test_metric, test_rows, test_words, test_run, test_no_program)
