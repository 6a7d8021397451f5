/* Grids of cells and rows of results as text, JSON lines, CSV, Markdown and LaTeX. */
#include "../test.h"

#include <stdlib.h>

#include "base/grid.h"
#include "base/grid_fit.h"
#include "base/rows.h"

/* Two columns with characters that the formats must escape. */
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

static void test_formats(void **state)
{
    static const struct {
        enum nuce_grid_format format;
        const char *expected;
    } cases[] = {
        {NUCE_GRID_TEXT, "     time_s name\n"
                         "0.000123457 plain\n"
                         "         12 a,\"b\" | c_d & <e>\\x0a\\x1b[31m\n"
                         "            100% \\ ~^#$\\x09\n"},
        {NUCE_GRID_JSON, "{\"time_s\":0.000123456789,\"name\":\"plain\"}\n"
                         "{\"time_s\":12,\"name\":\"a,\\\"b\\\" | c_d & <e>\\n\\u001B[31m\"}\n"
                         "{\"time_s\":null,\"name\":\"100% \\\\ ~^#$\\t\"}\n"},
        {NUCE_GRID_CSV, "time_s,name\n"
                        "0.000123456789,plain\n"
                        "12,\"a,\"\"b\"\" | c_d & <e>\n\x1b[31m\"\n"
                        ",100% \\ ~^#$\t\n"},
        {NUCE_GRID_MARKDOWN, "| time\\_s | name |\n"
                             "| ---: | --- |\n"
                             "| 0.000123457 | plain |\n"
                             "| 12 | a,\"b\" \\| c\\_d &amp; &lt;e>  [31m |\n"
                             "|  | 100% \\\\ ~^#$  |\n"},
        {NUCE_GRID_LATEX,
         "\\begin{tabular}{rl}\n\\hline\n"
         "time\\_s & name \\\\\n\\hline\n"
         "0.000123457 & plain \\\\\n"
         "12 & a,\"b\" | c\\_d \\& <e>  [31m \\\\\n"
         " & 100\\% \\textbackslash{} \\textasciitilde{}\\textasciicircum{}\\#\\$  \\\\\n"
         "\\hline\n\\end{tabular}\n"},
    };
    OWNED(grid) grid;

    make_grid(&grid);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);

        assert_ok(nuce_grid_print(&grid, cases[i].format, stream, ANY_ERROR));
        fclose(stream);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

/* "a" and "d" are empty; "+12 %" and "-3 %" stand to the right. */
static void test_drop_empty(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const texts[2][2] = {{"+12 %", NULL}, {"-3 %", "x"}};
    OWNED(grid) grid;

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
}

/* The printed text of grid within so many columns; freed by the caller. */
static char *fitted(const struct nuce_grid *grid, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_ok(nuce_grid_print_within(grid, columns, stream, ANY_ERROR));
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Values equal in all rows go below, texts are broken, and the remaining columns come in blocks. */
static void test_within(void **state)
{
    static const char *const names[] = {"name", "kind", "summary", "first", "second"};
    static const char *const texts[2][5] = {
        {"a", "measured", "one word after another until there is no room", "1.25 ms", "2 s"},
        {"b", "measured", "short", "11.5 ms", "3 s"}};
    OWNED(grid) grid;
    char *text;

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
}

/* Numbers are read back unchanged; a value that is not a number is an empty field. */
static void test_numbers(void **state)
{
    struct nuce_cell cell = {.type = NUCE_CELL_NULL};

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

static const struct nuce_row_column columns[] = {
    {"name", NULL, "name", NUCE_LOOK_PLAIN, 0},
    {"time", NULL, "time", NUCE_LOOK_SECONDS, 0},
    {"step_s", NULL, "95 % interval", NUCE_LOOK_INTERVAL, 0},
    {"bytes", NULL, "bytes", NUCE_LOOK_BYTES, 0},
    {"gain", NULL, "gain", NUCE_LOOK_RATIO, 0},
    {"rate", NULL, "rate", NUCE_LOOK_RATE, 0},
    {"cases", "10", "case_10", NUCE_LOOK_PLAIN, 0},
    {"cases", "20", "case_20", NUCE_LOOK_PLAIN, 1},
    {"none", NULL, "none", NUCE_LOOK_PLAIN, 0},
};

static const char lines[] =
    "[{\"name\":\"a,\\\"b\\\"\",\"time\":0.0015,\"step_low_s\":0.001,\"step_high_s\":0.002,"
    "\"bytes\":2048,\"gain\":1.5,\"gain_low\":1.25,\"gain_high\":1.75,\"rate\":2e9,"
    "\"cases\":{\"10\":10.5,\"20\":20},\"none\":null},"
    "{\"name\":\"c\",\"time\":0.1,\"gain\":2.0,\"rate\":5e6,\"list\":[1,2],\"good\":true},"
    "{\"name\":\"d\",\"gain\":1}]";

static void test_rows(void **state)
{
    static const struct {
        enum nuce_grid_format format;
        int csv_has_all, digits;
        const char *expected;
    } cases[] = {
        /* Units for people, a dash for a missing value, and no column that is empty or wide. */
        {NUCE_GRID_TEXT, 0, 0,
         "name    time    95 % interval bytes              gain   rate case_10\n"
         "a,\"b\" 1.50ms 1.00ms .. 2.00ms  2KiB 1.50 [1.25, 1.75] 2 GB/s    10.5\n"
         "c      100ms                -     -              2.00 5 MB/s       -\n"
         "d          -                -     -                 1      -       -\n"},
        /* The columns, in full, quoted as RFC 4180 has it. */
        {NUCE_GRID_CSV, 0, 0,
         "name,time,95 % interval,bytes,gain,rate,case_10,case_20,none\n"
         "\"a,\"\"b\"\"\",0.0015,,2048,1.5,2000000000,10.5,20,\n"
         "c,0.1,,,2,5000000,,,\n"
         "d,,,,1,,,,\n"},
        /* Every key of any row; lists as JSON. */
        {NUCE_GRID_CSV, 1, 0,
         "name,time,step_low_s,step_high_s,bytes,gain,gain_low,gain_high,rate,cases,none,"
         "list,good\n"
         "\"a,\"\"b\"\"\",0.0015,0.001,0.002,2048,1.5,1.25,1.75,2000000000,"
         "\"{\"\"10\"\":10.5,\"\"20\"\":20}\",,,\n"
         "c,0.1,,,,2,,,5000000,,,\"[1,2]\",true\n"
         "d,,,,,1,,,,,,,\n"},

        {NUCE_GRID_JSON, 0, 15,
         "{\"name\":\"a,\\\"b\\\"\",\"time\":0.0015,\"step_low_s\":0.001,"
         "\"step_high_s\":0.002,\"bytes\":2048,\"gain\":1.5,\"gain_low\":1.25,"
         "\"gain_high\":1.75,\"rate\":2000000000.0,\"cases\":{\"10\":10.5,\"20\":20},"
         "\"none\":null}\n"
         "{\"name\":\"c\",\"time\":0.1,\"gain\":2.0,\"rate\":5000000.0,\"list\":[1,2],"
         "\"good\":true}\n"
         "{\"name\":\"d\",\"gain\":1}\n"},
    };
    json_t *rows = json_loads(lines, 0, NULL);

    assert_non_null(rows);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nuce_row_layout layout = {.columns = columns,
                                               .count = COUNT(columns),
                                               .csv_has_all = cases[i].csv_has_all,
                                               .digits = cases[i].digits};
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);

        assert_ok(nuce_rows_print(rows, &layout, cases[i].format, stream, ANY_ERROR));
        fclose(stream);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
    json_decref(rows);
}

RUN(test_formats, test_drop_empty, test_within, test_numbers, test_rows)
