/* The parts of a report's page: text, tables and pictures. */
#include "results/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"

/* Escapes text, so that no content of a record or a file becomes markup, or a control character in
 * the reader's terminal. Bytes that are no UTF-8, and control characters, become question marks;
 * line ends and tabs stay, because queries and messages have them. Both quotes are escaped as well,
 * so that the text fits into an attribute. */
void nuce_html_text(FILE *file, const char *text)
{
    static const char marks[] = "<>&\"'";
    static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    char *copy = nuce_text_duplicate(text);

    for (char *part = copy; *part != '\0';) {
        size_t length = strcspn(part, "\n\t");
        char end = part[length];

        part[length] = '\0';
        nuce_printable_make(part);
        part[length] = end;
        part += length + (end != '\0');
    }
    for (const char *at = copy; *at != '\0'; at++) {
        const char *mark = strchr(marks, *at);

        if (mark != NULL)
            fputs(names[mark - marks], file);
        else
            fputc(*at, file);
    }
    free(copy);
}

void nuce_html_print(FILE *file, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            fputc(*at, file);
            continue;
        }
        at++;
        if (*at == 's')
            nuce_html_text(file, va_arg(arguments, const char *));
        else if (*at == 'd')
            fprintf(file, "%d", va_arg(arguments, int));
        else {
            NUCE_ASSERT(strncmp(at, "lld", 3) == 0);
            fprintf(file, "%lld", va_arg(arguments, long long));
            at += 2;
        }
    }
    va_end(arguments);
}

/* Matches a word and its continuation: "measured (us)" matches the kind, "measurements" does not.
 * "model" and "modelled" are one. */
const char *nuce_html_kind(const char *text)
{
    static const struct {
        const char *word, *kind;
    } words[] = {
        {"measured", "measured"}, {"emulated", "emulated"}, {"simulated", "simulated"},
        {"modelled", "modelled"}, {"model", "modelled"},    {"paper", "paper"},
    };
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");

    if (text[length] != '\0' && strchr(" (,:", text[length]) == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) == length && strncmp(words[i].word, text, length) == 0)
            return words[i].kind;
    }
    return NULL;
}

void nuce_html_line(FILE *file, const char *class, const char *text)
{
    if (text != NULL && *text != '\0')
        nuce_html_print(file, "<p class=\"%s\">%s</p>\n", class, text);
}

/* Longer tables scroll in a box no higher than the screen. */
enum { ROWS_AT_ONCE = 40 };

/* The kind of a row is in its column `source`, or else `kind`; a column whose name begins with a
 * kind has its colour. Numbers are aligned right, below the header of their column. Only numbers
 * link to their query, not texts. The tabulator key skips cells, because a table has hundreds; the
 * caption has the same link for keyboard users. plots/report/report.js sorts the table, which also
 * works without it. */
void nuce_html_table(FILE *file, const struct nuce_grid *grid, const char *caption,
                     const char *target)
{
    int kind_column = nuce_grid_column(grid, "source");
    char *right = nuce_allocate(grid->columns, 1);

    if (kind_column < 0)
        kind_column = nuce_grid_column(grid, "kind");
    nuce_html_print(file, "<div class=\"box%s\" tabindex=\"0\"><table>\n",
                    grid->rows > ROWS_AT_ONCE ? " long" : "");
    if (caption != NULL && target != NULL)
        nuce_html_print(file, "<caption><a href=\"#%s\">%s</a></caption>\n", target, caption);
    else if (caption != NULL)
        nuce_html_print(file, "<caption>%s</caption>\n", caption);
    fputs("<colgroup>", file);
    for (int i = 0; i < grid->columns; i++) {
        const char *kind = nuce_html_kind(grid->names[i]);

        if (kind == NULL)
            fputs("<col/>", file);
        else
            nuce_html_print(file, "<col class=\"%s\"/>", kind);
    }
    fputs("</colgroup>\n<thead><tr>", file);
    for (int i = 0; i < grid->columns; i++) {
        right[i] = (char)nuce_grid_is_right(grid, i);
        fputs(right[i] ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", file);
        nuce_html_print(file, "%s</th>", grid->names[i]);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (int64_t row = 0; row < grid->rows; row++) {
        const char *text = kind_column < 0 ? NULL : nuce_grid_cell(grid, row, kind_column)->text;
        const char *kind = text == NULL ? NULL : nuce_html_kind(text);

        if (kind == NULL)
            fputs("<tr>", file);
        else
            nuce_html_print(file, "<tr class=\"%s\">", kind);
        for (int i = 0; i < grid->columns; i++) {
            char buffer[32];

            text = nuce_cell_readable(nuce_grid_cell(grid, row, i), buffer);
            fputs(right[i] ? "<td class=\"n\">" : "<td>", file);
            if (right[i] && target != NULL && *text != '\0')
                nuce_html_print(file, "<a href=\"#%s\" tabindex=\"-1\">%s</a>", target, text);
            else
                nuce_html_text(file, text);
            fputs("</td>", file);
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
    free(right);
}

/* Share of a picture's height above its panels for the title and below for the footer. */
#define BANDS 0.14

/* gnuplot begins each curve like this. No part of an image refers to it, and an image shows no
 * title. */
static const char curve[] = "<g id=\"gnuplot_plot_";
static const char curve_title[] = "<title>gnuplot_plot_";
static const char title_end[] = "</title>";

/* Attributes of lines that each of gnuplot's groups repeats, and their default values (SVG 1.1,
 * 11.4). */
static const char usual_ends[] = " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"";

/* The length in bytes of an empty group at text, with the blanks after it; 0: none begins here. A
 * group with an id, other than those of curves, may be referred to, and does not count. Called at
 * every "<" or blank, so it must return 0 quickly. */
static size_t empty_group(const char *text)
{
    const char *end = strncmp(text, "<g ", 3) == 0 ? strchr(text, '>') : NULL, *id;

    if (end == NULL || end[-1] == '/')
        return 0;
    id = strstr(text, " id=");
    if (id != NULL && id < end && strncmp(text, curve, strlen(curve)) != 0)
        return 0;
    end++;
    end += strspn(end, "\t\n ");
    if (strncmp(end, "</g>", 4) != 0)
        return 0;
    end += 4;
    return (size_t)(end - text) + strspn(end, "\t\n");
}

/* The length of the title that gnuplot gives each curve, at text; 0: none begins here. */
static size_t title_of_curve(const char *text)
{
    const char *end =
        strncmp(text, curve_title, strlen(curve_title)) == 0 ? strstr(text, title_end) : NULL;

    return end == NULL ? 0 : (size_t)(end - text) + strlen(title_end);
}

/* The length of attributes at text that set the default for lines; 0: none. */
static size_t usual_line(const char *text)
{
    return strncmp(text, usual_ends, strlen(usual_ends)) == 0 ? strlen(usual_ends) : 0;
}

/* Removes from svg, in place, each text whose length skipped returns, and tabs in front of
 * lines. */
static void take_out(char *svg, size_t (*skipped)(const char *))
{
    char *to = svg;

    for (const char *from = svg; *from != '\0';) {
        size_t length = *from == '<' || *from == ' ' ? skipped(from) : 0;

        from += length;
        if (length > 0)
            continue;
        *to++ = *from;
        from += *from == '\n' ? 1 + strspn(from + 1, "\t\n") : 1;
    }
    *to = '\0';
}

static int64_t count_texts(const char *text, const char *wanted)
{
    int64_t count = 0;

    for (; (text = strstr(text, wanted)) != NULL; text += strlen(wanted))
        count++;
    return count;
}

/* Writes the picture as an image and not as elements of the page. A browser runs no script of an
 * image and loads nothing for it, so the SVG file may have any content. Its ids, which are the same
 * in all of gnuplot's pictures, do not clash. The page's policy (html_page.c) allows images only
 * from data:.
 *
 * Invisible parts are dropped: two thirds of gnuplot's output are groups that set colours for
 * nothing. Default attributes of lines are dropped only if no group sets another value; otherwise
 * one of them may cancel the value of a group around it. Quotes of attributes become ' if no value
 * has one. Characters allowed in a data: URL in double quotes stay, all others become %XX (RFC
 * 3986). A newline between two elements is dropped. */
void nuce_html_picture(FILE *file, const char *svg, int width, int height, const char *label)
{
    char *thin = nuce_text_duplicate(svg);
    int is_inside = 0; /* of a tag */

    if (count_texts(thin, " stroke-linecap=") == count_texts(thin, usual_ends) &&
        count_texts(thin, " stroke-linejoin=") == count_texts(thin, usual_ends))
        take_out(thin, usual_line);
    take_out(thin, title_of_curve);
    take_out(thin, empty_group);
    for (char *at = thin; *at != '\0'; at++) {
        char *end = *at == '"' && is_inside ? strchr(at + 1, '"') : NULL;

        if (*at == '<' || *at == '>')
            is_inside = *at == '<';
        if (end == NULL)
            continue;
        if (memchr(at, '\'', (size_t)(end - at)) == NULL)
            *at = *end = '\'';
        at = end;
    }
    nuce_html_print(file, "<img alt=\"%s\"", label);
    fprintf(file, " style=\"aspect-ratio: %d / %.0f\" src=\"data:image/svg+xml,", width,
            (1 - BANDS) * height);
    for (const char *at = thin; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;

        if (c == '\n' && at > thin && at[-1] == '>')
            continue;
        if (c < 0x20 || c >= 0x7f || strchr("\"#%&<\\^`{|}", c) != NULL)
            fprintf(file, "%%%02X", c);
        else
            fputc(c, file);
    }
    fputs("\"/>", file);
    free(thin);
}
