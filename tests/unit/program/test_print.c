/* The table of a measuring program: what is said once, what varies, and what was found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "run/print.h"

/* What is printed of rows, JSON text. */
static char *printed(const struct nuce_workload_ops *workload, const char *text,
                     enum nuce_grid_format format)
{
    json_t *rows = json_loads(text, 0, NULL);
    struct nuce_error error = {0};
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);

    assert_non_null(rows);
    assert_non_null(file);
    assert_int_equal(nuce_print_rows(rows, workload, format, file, &error), NUCE_OK);
    assert_int_equal(fclose(file), 0);
    json_decref(rows);
    return written;
}

/* The words of line number index, from 0, one blank between two. */
static void check_line(const char *text, int index, const char *wanted)
{
    char found[1024] = "", copy[4096], *rest = copy, *line = NULL, *word;

    snprintf(copy, sizeof copy, "%s", text);
    for (int i = 0; i <= index; i++)
        line = strsep(&rest, "\n");
    assert_non_null(line);
    while ((word = strsep(&line, " ")) != NULL) {
        if (word[0] == '\0')
            continue;
        if (found[0] != '\0')
            strcat(found, " ");
        strcat(found, word);
    }
    assert_string_equal(found, wanted);
}

#define ROW(direction, size, time)                                                                 \
    "{\"workload\":\"contention\",\"ranks\":4,\"direction\":\"" direction "\",\"size\":" size      \
    ",\"partners\":3,\"wait\":\"spin\",\"oversubscribed\":0,\"messages\":3,\"bytes\":12288,"       \
    "\"port_bytes\":null,\"n\":7,\"stopped\":\"max\",\"status\":\"ok\",\"step_s\":" time           \
    ",\"step_low_s\":1e-3,\"step_high_s\":2e-3}"

/* What all rows share is above them; the column of a result that none has is not there. */
static void test_text(void **state)
{
    char *text = printed(&nuce_workload_contention,
                         "[" ROW("to-one", "4096", "0.0015") "," ROW("to-one", "8192", "0.25") "]",
                         NUCE_GRID_TEXT);

    (void)state;
    check_line(text, 0, "contention, ranks 4, direction to-one, partners 3, wait spin");
    check_line(text, 1, "size messages bytes step 95 % interval samples stopped by status");
    check_line(text, 2, "4KiB 3 12KiB 1.50ms 1.00ms .. 2.00ms 7 max ok");
    assert_null(strstr(text, "bound"));
    free(text);
}

static void test_varying(void **state)
{
    char *text = printed(&nuce_workload_contention,
                         "[" ROW("to-one", "4096", "1") "," ROW("from-one", "4096", "2") "]",
                         NUCE_GRID_TEXT);

    (void)state;
    check_line(text, 0, "contention, ranks 4, size 4KiB, partners 3, wait spin");
    assert_non_null(strstr(text, "direction"));
    assert_non_null(strstr(text, "from-one"));
    free(text);
}

/* What is compared stands in a column also where there is one of it alone. */
static void test_compared(void **state)
{
    char *text = printed(&nuce_workload_exchange,
                         "[{\"workload\":\"exchange\",\"ranks\":2,\"schedule\":\"lp\",\"pattern\":"
                         "\"skewed\",\"unit\":1024,\"wait\":\"yield\",\"oversubscribed\":1,"
                         "\"status\":\"ok\"}]",
                         NUCE_GRID_TEXT);

    (void)state;
    check_line(text, 0,
               "exchange, ranks 2, pattern skewed, unit 1KiB, schedule lp, wait yield, "
               "OVERSUBSCRIBED");
    check_line(text, 1, "schedule status");
    check_line(text, 2, "lp ok");
    free(text);
}

#define RACED(schedule, unit, ratio)                                                               \
    "{\"workload\":\"exchange\",\"ranks\":2,\"schedule\":\"" schedule "\",\"unit\":" unit          \
    ",\"wait\":\"spin\",\"oversubscribed\":0," ratio "}"
#define REFERENCE(unit, control) RACED("ac", unit, "\"ratio\":1,\"control\":" control)
#define OTHER(unit) RACED("lp", unit, "\"ratio\":1.5,\"ratio_low\":1.4,\"ratio_high\":1.6")

/* The reference is 1; what it came out as beside itself is said below, of one heat and of two. */
static void test_control(void **state)
{
    char *text = printed(
        &nuce_workload_exchange,
        "[" REFERENCE("8", "0.93,\"control_low\":0.86,\"control_high\":1.07") "," OTHER("8") "]",
        NUCE_GRID_TEXT);

    (void)state;
    check_line(text, 1, "schedule ratio");
    check_line(text, 2, "ac 1");
    check_line(text, 3, "lp 1.50 [1.40 1.60]");
    check_line(text, 4, "control 0.93 [0.86 1.07]: the reference against itself");
    free(text);
    text = printed(
        &nuce_workload_exchange,
        "[" REFERENCE("8", "0.93,\"control_low\":0.86,\"control_high\":1.07") "," OTHER(
            "8") "," REFERENCE("16",
                               "1.02,\"control_low\":0.99,\"control_high\":1.03") "," OTHER("16") "]",
        NUCE_GRID_TEXT);
    check_line(text, 6, "controls 0.93 to 1.02, within [0.86 1.07]: the reference against itself");
    free(text);
    text =
        printed(&nuce_workload_exchange,
                "[" REFERENCE("8", "0.93,\"control_low\":null") "," OTHER("8") "]", NUCE_GRID_TEXT);
    check_line(text, 4, "control 0.93: the reference against itself");
    free(text);
}

/* What was not as it is on this machine is said above. */
static void test_warnings(void **state)
{
    char *text = printed(&nuce_workload_exchange,
                         "[{\"workload\":\"exchange\",\"ranks\":2,\"network\":\"emulated\","
                         "\"emulate-speeds\":\"1,2\",\"wait\":\"spin\",\"oversubscribed\":0},"
                         " {\"workload\":\"exchange\",\"ranks\":2,\"network\":\"measured\","
                         "\"network_taken\":\"a.net@0123\",\"wait\":\"spin\"}]",
                         NUCE_GRID_TEXT);

    (void)state;
    assert_non_null(strstr(text, ", measured network: a.net, wait spin, EMULATED network"));
    assert_non_null(strstr(text, "EMULATED speeds: ranks do extra work"));
    assert_null(strstr(text, "0123, wait"));
    assert_null(strstr(text, "OVERSUBSCRIBED"));
    free(text);
}

/* A line a row, whole; and nothing of nothing. */
static void test_json(void **state)
{
    char *text =
        printed(&nuce_workload_contention, "[" ROW("to-one", "1", "1") "]", NUCE_GRID_JSON);
    json_t *found = json_loads(text, 0, NULL),
           *wanted = json_loads(ROW("to-one", "1", "1"), 0, NULL);

    (void)state;
    assert_true(json_equal(found, wanted));
    json_decref(found);
    json_decref(wanted);
    free(text);
    text = printed(&nuce_workload_contention, "[]", NUCE_GRID_TEXT);
    assert_string_equal(text, "");
    free(text);
    text = printed(&nuce_workload_contention, "[]", NUCE_GRID_JSON);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),     cmocka_unit_test(test_varying),
        cmocka_unit_test(test_compared), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_json),     cmocka_unit_test(test_control),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
