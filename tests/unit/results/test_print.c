/* HTML of texts, tables and pictures. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "results/html.h"

static void test_text(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"<script>alert(\"1\" & '2')</script>",
         "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;"},
        {"a\n\tb\x01\x7f", "a\n\tb??"},
        {"3 \xc2\xb5s, \xff", "3 \xc2\xb5s, ?"},
        {"&amp;", "&amp;amp;"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *page = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&page, &length);

        nuce_html_text(file, cases[i][0]);
        fclose(file);
        assert_string_equal(page, cases[i][1]);
        free(page);
    }
}

static void test_kinds(void **state)
{
    assert_string_equal(nuce_html_kind("measured"), "measured");
    assert_string_equal(nuce_html_kind("simulated: uneven-8.xml"), "simulated");
    assert_string_equal(nuce_html_kind("model"), "modelled");
    assert_string_equal(nuce_html_kind("paper (1996)"), "paper");
    assert_null(nuce_html_kind("papers"));
    assert_null(nuce_html_kind("rs-nh"));
    assert_null(nuce_html_kind(""));
}

static char *table_html(const char *caption, const char *target)
{
    static const char *const names[] = {"source", "a < b", "paper"};
    struct nuce_grid grid;
    struct nuce_cell *row;
    char *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&page, &length);

    nuce_grid_init(3, names, &grid);
    nuce_grid_add_row(&grid, &row);
    nuce_cell_copy(&row[0], NUCE_CELL_TEXT, "simulated");
    nuce_cell_copy(&row[1], NUCE_CELL_TEXT, "<b>\"");
    nuce_cell_copy(&row[2], NUCE_CELL_REAL, "0.1234567890123");
    nuce_grid_add_row(&grid, &row);
    nuce_html_table(file, &grid, caption, target);
    fclose(file);
    nuce_grid_fini(&grid);
    return page;
}

/* A number stands to the right and leads to its query; text does neither; NULL is empty. */
static void test_table(void **state)
{
    char *page = table_html("c & d", "sql-x");

    assert_string_equal(
        page, "<div class=\"box\" tabindex=\"0\"><table>\n"
              "<caption><a href=\"#sql-x\">c &amp; d</a></caption>\n"
              "<colgroup><col/><col/><col class=\"paper\"/></colgroup>\n"
              "<thead><tr><th scope=\"col\">source</th><th scope=\"col\">a &lt; b</th><th "
              "scope=\"col\" class=\"n\">paper</th></tr></thead>\n"
              "<tbody>\n<tr class=\"simulated\"><td>simulated</td><td>&lt;b&gt;&quot;</td><td "
              "class=\"n\"><a href=\"#sql-x\" tabindex=\"-1\">0.123457</a></td></tr>\n"
              "<tr><td></td><td></td><td class=\"n\"></td></tr>\n</tbody></table></div>\n");
    free(page);
    page = table_html(NULL, NULL);
    assert_null(strstr(page, "<caption>"));
    assert_null(strstr(page, "href"));
    free(page);
}

/* The picture is data, and its name is an attribute whatever is in it. */
static void test_picture(void **state)
{
    char *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&page, &length);

    nuce_html_picture(file, "<svg/>", 200, 100, "a \"label\"");
    assert_int_equal(fclose(file), 0);
    assert_string_equal(page, "<img alt=\"a &quot;label&quot;\" style=\"aspect-ratio: 200 / 86\" "
                              "src=\"data:image/svg+xml,%3Csvg/>\"/>");
    free(page);
    /* Parts of gnuplot's picture that do not show are left out: groups with nothing in them, titles
     * of curves. */
    file = open_memstream(&page, &length);
    nuce_html_picture(
        file,
        "<svg>\n<g fill=\"none\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n</g>\n"
        "\t<g id=\"gnuplot_plot_1\" ><title>gnuplot_plot_1</title>\n"
        "</g>\n<g id=\"kept\"></g><g fill=\"red\">\n\t<path d='M0'/>\n</g><text>50% "
        "\"x\"</text></svg>\n",
        200, 100, "x");
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(page, "svg+xml,%3Csvg>%3Cg id='kept'>%3C/g>%3Cg fill='red'>%3Cpath "
                                 "d='M0'/>%3C/g>%3Ctext>50%25 %22x%22%3C/text>%3C/svg>\"/>"));
    free(page);
}

RUN(test_text, test_kinds, test_table, test_picture)
