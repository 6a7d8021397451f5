#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/grid.h"
#include "base/grid_fit.h"

/* Two columns whose cells hold what the formats must escape. */
static void make_grid(struct nuce_grid *grid)
{
    static const char *const names[] = {"time_s", "name"};
    static const char *const texts[] = {"plain", "a,\"b\" | c_d & <e>\n\x1b[31m", "100% \\ ~^#$\t"};
    static const char *const numbers[] = {"0.000123456789", "12", NULL};

    nuce_grid_init(2, names, grid);
    for (int i = 0; i < 3; i++) {
        struct nuce_cell *row = NULL;

        nuce_grid_add_row(grid, &row);
        nuce_cell_copy(&row[1], NUCE_CELL_TEXT, texts[i]);
        if (numbers[i] != NULL)
            nuce_cell_copy(&row[0], i == 0 ? NUCE_CELL_REAL : NUCE_CELL_INTEGER, numbers[i]);
    }
}

static void assert_prints(enum nuce_grid_format format, const char *expected)
{
    struct nuce_grid grid;
    struct nuce_error error;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    make_grid(&grid);
    assert_int_equal(nuce_grid_print(&grid, format, stream, &error), NUCE_OK);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    nuce_grid_fini(&grid);
}

static void test_text(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_TEXT, "     time_s name\n"
                                  "0.000123457 plain\n"
                                  "         12 a,\"b\" | c_d & <e>\\x0a\\x1b[31m\n"
                                  "            100% \\ ~^#$\\x09\n");
}

static void test_json(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_JSON,
                  "{\"time_s\":0.000123456789,\"name\":\"plain\"}\n"
                  "{\"time_s\":12,\"name\":\"a,\\\"b\\\" | c_d & <e>\\n\\u001B[31m\"}\n"
                  "{\"time_s\":null,\"name\":\"100% \\\\ ~^#$\\t\"}\n");
}

static void test_csv(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_CSV, "time_s,name\n"
                                 "0.000123456789,plain\n"
                                 "12,\"a,\"\"b\"\" | c_d & <e>\n\x1b[31m\"\n"
                                 ",100% \\ ~^#$\t\n");
}

static void test_markdown(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_MARKDOWN, "| time\\_s | name |\n"
                                      "| ---: | --- |\n"
                                      "| 0.000123457 | plain |\n"
                                      "| 12 | a,\"b\" \\| c\\_d &amp; &lt;e>  [31m |\n"
                                      "|  | 100% \\\\ ~^#$  |\n");
}

static void test_latex(void **state)
{
    (void)state;
    assert_prints(NUCE_GRID_LATEX,
                  "\\begin{tabular}{rl}\n\\hline\n"
                  "time\\_s & name \\\\\n\\hline\n"
                  "0.000123457 & plain \\\\\n"
                  "12 & a,\"b\" | c\\_d \\& <e>  [31m \\\\\n"
                  " & 100\\% \\textbackslash{} \\textasciitilde{}\\textasciicircum{}\\#\\$  \\\\\n"
                  "\\hline\n\\end{tabular}\n");
}

/* "a" and "d" are empty; "+12 %" and "-3 %" stand to the right. */
static void test_drop_empty(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const texts[2][2] = {{"+12 %", NULL}, {"-3 %", "x"}};
    struct nuce_grid grid;

    (void)state;
    nuce_grid_init(4, names, &grid);
    for (int i = 0; i < 2; i++) {
        struct nuce_cell *row = NULL;

        nuce_grid_add_row(&grid, &row);
        for (int j = 0; j < 2; j++) {
            if (texts[i][j] != NULL)
                nuce_cell_copy(&row[1 + j], NUCE_CELL_TEXT, texts[i][j]);
        }
    }
    nuce_grid_drop_empty(&grid, 0);
    assert_int_equal(grid.columns, 2);
    assert_int_equal(nuce_grid_column(&grid, "c"), 1);
    assert_string_equal(nuce_grid_text(&grid, 0, "b"), "+12 %");
    assert_string_equal(nuce_grid_text(&grid, 0, "c"), "");
    assert_string_equal(nuce_grid_text(&grid, 1, "c"), "x");
    assert_true(nuce_grid_is_right(&grid, 0));
    nuce_grid_fini(&grid);
}

/* What is printed of grid within so many columns; freed by the caller. */
static char *fitted(const struct nuce_grid *grid, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct nuce_error error;

    assert_non_null(stream);
    assert_int_equal(nuce_grid_print_within(grid, columns, stream, &error), NUCE_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* The same in all rows goes below, texts are broken, and what is left comes in blocks. */
static void test_within(void **state)
{
    static const char *const names[] = {"name", "kind", "summary", "first", "second"};
    static const char *const texts[2][5] = {
        {"a", "measured", "one word after another until there is no room", "1.25 ms", "2 s"},
        {"b", "measured", "short", "11.5 ms", "3 s"}};
    struct nuce_grid grid;
    char *text;

    (void)state;
    nuce_grid_init(5, names, &grid);
    for (int i = 0; i < 2; i++) {
        struct nuce_cell *row = NULL;

        nuce_grid_add_row(&grid, &row);
        for (int j = 0; j < 5; j++)
            nuce_cell_copy(&row[j], NUCE_CELL_TEXT, texts[i][j]);
    }
    text = fitted(&grid, 46);
    assert_string_equal(text, "name summary                  first second\n"
                              "a    one word after another 1.25 ms    2 s\n"
                              "     until there is no room         \n"
                              "b    short                  11.5 ms    3 s\n"
                              "\nIn all rows: kind measured\n");
    free(text);
    text = fitted(&grid, 30);
    assert_string_equal(text, "name summary\n"
                              "a    one word after another\n"
                              "     until there is no room\n"
                              "b    short\n"
                              "\n"
                              "name   first second\n"
                              "a    1.25 ms    2 s\n"
                              "b    11.5 ms    3 s\n"
                              "\nIn all rows: kind measured\n");
    free(text);
    nuce_grid_fini(&grid);
}

/* Numbers read back as what they were; what is no number is empty. */
static void test_numbers(void **state)
{
    struct nuce_cell cell = {.type = NUCE_CELL_NULL};

    (void)state;
    nuce_cell_set_integer(&cell, INT64_MIN);
    assert_string_equal(cell.text, "-9223372036854775808");
    assert_int_equal(cell.type, NUCE_CELL_INTEGER);
    nuce_cell_set_real(&cell, 0.1);
    assert_string_equal(cell.text, "0.1");
    nuce_cell_set_real(&cell, 0.1 + 0.2);
    assert_string_equal(cell.text, "0.30000000000000004");
    assert_int_equal(cell.type, NUCE_CELL_REAL);
    nuce_cell_set_real(&cell, INFINITY);
    assert_int_equal(cell.type, NUCE_CELL_NULL);
    assert_null(cell.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),    cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_latex),  cmocka_unit_test(test_drop_empty),
        cmocka_unit_test(test_within), cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
