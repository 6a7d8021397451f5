#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "results/html.h"

static char *text_html(const char *text)
{
    char *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&page, &length);

    nuce_html_text(file, text);
    (void)fclose(file);
    return page;
}

static void check_text(const char *text, const char *wanted)
{
    char *page = text_html(text);

    assert_string_equal(page, wanted);
    free(page);
}

static void test_text(void **state)
{
    (void)state;
    check_text("", "");
    check_text("<script>alert(\"1\" & '2')</script>",
               "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
    check_text("a\n\tb\x01\x7f", "a\n\tb??");
    check_text("3 \xc2\xb5s, \xff", "3 \xc2\xb5s, ?");
    check_text("&amp;", "&amp;amp;");
}

static void test_kinds(void **state)
{
    (void)state;
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
    struct nuce_error error;
    struct nuce_grid grid;
    struct nuce_cell *row;
    char *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&page, &length);

    assert_int_equal(nuce_grid_init(3, names, &grid, &error), NUCE_OK);
    assert_int_equal(nuce_grid_add_row(&grid, &row, &error), NUCE_OK);
    assert_int_equal(nuce_cell_copy(&row[0], NUCE_CELL_TEXT, "simulated", &error), NUCE_OK);
    assert_int_equal(nuce_cell_copy(&row[1], NUCE_CELL_TEXT, "<b>\"", &error), NUCE_OK);
    assert_int_equal(nuce_cell_copy(&row[2], NUCE_CELL_REAL, "0.1234567890123", &error), NUCE_OK);
    assert_int_equal(nuce_grid_add_row(&grid, &row, &error), NUCE_OK);
    nuce_html_table(file, &grid, caption, target);
    (void)fclose(file);
    nuce_grid_fini(&grid);
    return page;
}

/* A number stands to the right and leads to its query; text does neither; NULL is empty. */
static void test_table(void **state)
{
    char *page = table_html("c & d", "sql-x");

    (void)state;
    assert_string_equal(
        page, "<div class=\"box\" tabindex=\"0\"><table>\n"
              "<caption><a href=\"#sql-x\">c &amp; d</a></caption>\n"
              "<colgroup><col/><col/><col class=\"paper\"/></colgroup>\n"
              "<thead><tr><th scope=\"col\">source</th><th scope=\"col\">a &lt; b</th>"
              "<th scope=\"col\" class=\"n\">paper</th></tr></thead>\n"
              "<tbody>\n<tr class=\"simulated\"><td>simulated</td><td>&lt;b&gt;&quot;</td>"
              "<td class=\"n\"><a href=\"#sql-x\" tabindex=\"-1\">0.123457</a></td></tr>\n"
              "<tr><td></td><td></td><td class=\"n\"></td></tr>\n</tbody></table></div>\n");
    free(page);
    page = table_html(NULL, NULL);
    assert_null(strstr(page, "<caption>"));
    assert_null(strstr(page, "href"));
    free(page);
}

static char *svg_html(const char *svg, nuce_status wanted)
{
    struct nuce_error error;
    char *page = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&page, &length);

    assert_int_equal(nuce_html_svg(file, svg, "svg-x", "a \"label\"", &error), wanted);
    (void)fclose(file);
    if (wanted != NUCE_OK)
        assert_int_equal(length, 0);
    return page;
}

/* Ids and what refers to them get the prefix; size, name and description of the whole go. */
static void test_svg(void **state)
{
    char *page = svg_html(
        "<?xml version=\"1.0\"?>\n<svg width=\"200\" height=\"100\" viewBox=\"0 0 200 100\""
        " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"x\"><title>Gnuplot</title>"
        "<desc>by</desc><!-- no --><defs><circle id='p' r='1'/></defs>"
        "<g id=\"g\" clip-path=\"url(#clip)\" fill='a\"b'><title>t &lt;</title>"
        "<use xlink:href='#p' /></g><text>id='p' url(#p)</text></svg>\n",
        NUCE_OK);

    (void)state;
    assert_string_equal(
        page, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
              " aria-labelledby=\"svg-x-title\" viewBox=\"0 5.5 200 86\">"
              "<title id=\"svg-x-title\">a &quot;label&quot;</title>"
              "<defs><circle id=\"svg-x-p\" r=\"1\"/></defs>"
              "<g id=\"svg-x-g\" clip-path=\"url(#svg-x-clip)\" fill=\"a&quot;b\">"
              "<title>t &lt;</title><use href=\"#svg-x-p\"/></g><text>id='p' url(#p)</text></svg>");
    free(page);
}

#define ROOT "<svg viewBox='0 0 1 1'>"

static void test_svg_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "<html></html>",
        "<svg",
        "<svg viewBox='0 0 1 1'",
        "<svg viewBox='0 0 1'></svg>",
        ROOT,
        ROOT "<g></g>",
        ROOT "<script>alert(1)</script></svg>",
        ROOT "<foreignObject/></svg>",
        ROOT "<image href='#a'/></svg>",
        ROOT "<g onload='alert(1)'/></svg>",
        ROOT "<use href='http://elsewhere/#a'/></svg>",
        ROOT "<use xlink:href=''/></svg>",
        ROOT "<rect fill='url(http://elsewhere)'/></svg>",
        ROOT "<rect fill='<'/></svg>",
        ROOT "<rect fill=1/></svg>",
        ROOT "<rect fill/></svg>",
        ROOT "<rect fill='1/></svg>",
        ROOT "<title>no end</svg>",
        ROOT "<!-- no end </svg>",
        ROOT "<![CDATA[x]]></svg>",
        ROOT "</g x></svg>",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        free(svg_html(bad[i], NUCE_BAD_INPUT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_svg),
        cmocka_unit_test(test_svg_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
