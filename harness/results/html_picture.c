/* A picture of gnuplot's on a page.
 *
 * As an image and not as elements of the page: a browser runs no script of an image and loads
 * nothing for it, so that nobody has to know what an SVG file can hold; and pictures keep their
 * ids, which are the same in all of gnuplot's, to themselves. The page's policy (html_page.c)
 * allows images from data: alone. What does not show is left out: of a report with one campaign it
 * was two thirds of the bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/html.h"

/* What of the height a picture has above its panels for the title and below for the footer. */
#define BANDS 0.14

/* gnuplot begins each curve so; nothing of an image refers to it, and an image shows no title. */
static const char curve[] = "<g id=\"gnuplot_plot_";
static const char curve_title[] = "<title>gnuplot_plot_";
static const char title_end[] = "</title>";

/* What each of its groups says of lines, and what is so where nobody says it (SVG 1.1, 11.4). */
static const char usual_ends[] = " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"";

/* The bytes at text of a group without anything in it, and of the blanks behind it; 0: it begins
 * none. One that has an id, but as curves have, may be referred to. Called wherever a "<" or a
 * blank stands, so it must be quick to say 0. */
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

/* The bytes at text of the title that gnuplot gives each curve; 0: none begins here. */
static size_t title_of_curve(const char *text)
{
    const char *end =
        strncmp(text, curve_title, strlen(curve_title)) == 0 ? strstr(text, title_end) : NULL;

    return end == NULL ? 0 : (size_t)(end - text) + strlen(title_end);
}

/* The bytes at text that say of lines what is so anyway; 0: none do. */
static size_t usual_line(const char *text)
{
    return strncmp(text, usual_ends, strlen(usual_ends)) == 0 ? strlen(usual_ends) : 0;
}

/* Takes out of svg, in place, each text of which skipped says how long it is, and tabs in front of
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

/* Two thirds of what gnuplot writes are groups that set colours for nothing. What is usual of lines
 * is left out only where no group says anything else: else one of them may undo what another around
 * it says. */
static void make_thin(char *svg)
{
    if (count_texts(svg, " stroke-linecap=") == count_texts(svg, usual_ends) &&
        count_texts(svg, " stroke-linejoin=") == count_texts(svg, usual_ends))
        take_out(svg, usual_line);
    take_out(svg, title_of_curve);
    take_out(svg, empty_group);
}

/* Quotes of attributes as ', where no value has one. */
static void turn_quotes(char *svg)
{
    int is_inside = 0; /* of a tag */

    for (char *at = svg; *at != '\0'; at++) {
        char *end = *at == '"' && is_inside ? strchr(at + 1, '"') : NULL;

        if (*at == '<' || *at == '>')
            is_inside = *at == '<';
        if (end == NULL)
            continue;
        if (memchr(at, '\'', (size_t)(end - at)) == NULL)
            *at = *end = '\'';
        at = end;
    }
}

/* Writes what a data: URL in double quotes may hold as it is, and the rest as %XX (RFC 3986); a
 * line that ends between two elements is none. */
static void write_encoded(const char *text, FILE *file)
{
    const char *begin = text;

    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '\n' && text > begin && text[-1] == '>')
            continue;
        if (c < 0x20 || c >= 0x7f || strchr("\"#%&<\\^`{|}", c) != NULL)
            fprintf(file, "%%%02X", c);
        else
            fputc(c, file);
    }
}

void nuce_html_picture(FILE *file, const char *svg, int width, int height, const char *label)
{
    char *thin = nuce_text_duplicate(svg);

    make_thin(thin);
    turn_quotes(thin);
    fputs("<img alt=\"", file);
    nuce_html_text(file, label);
    fprintf(file, "\" style=\"aspect-ratio: %d / %.0f\" src=\"data:image/svg+xml,", width,
            (1 - BANDS) * height);
    write_encoded(thin, file);
    fputs("\"/>", file);
    free(thin);
}
