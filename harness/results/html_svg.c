/* A picture of gnuplot's as an element of a page: only what is known to be harmless passes, ids get
 * a prefix, since all pictures of gnuplot's have the same. */
#include <stdlib.h>
#include <string.h>

#include "results/html.h"
#include "support/text.h"

/* What of the height a picture has above and below its panels. */
#define BAND_ABOVE 0.055
#define BAND_BELOW 0.085

static const char *const elements[] = {
    "svg",     "g",       "defs",           "title",       "desc",    "rect",
    "circle",  "ellipse", "path",           "line",        "polygon", "polyline",
    "use",     "text",    "tspan",          "filter",      "feFlood", "clipPath",
    "pattern", "mask",    "linearGradient", "feComposite", "stop",
};

struct picture {
    const char *at; /* what is not read yet */
    FILE *file;
    const char *prefix, *label;
    int depth; /* how many elements are open */
    struct nuce_error *error;
};

static nuce_status refuse(const struct picture *picture, const char *what, const char *text,
                          size_t length)
{
    return nuce_error_set(picture->error, NUCE_BAD_INPUT, "a picture with %s '%.*s'", what,
                          (int)(length < 40 ? length : 40), text);
}

static int is_element(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (strlen(elements[i]) == length && strncmp(elements[i], name, length) == 0)
            return 1;
    }
    return 0;
}

static int is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

/* A value as it stands, in double quotes; a reference, url(#ID), leads to the id with its prefix.
 */
static nuce_status write_value(const struct picture *picture, const char *value, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (value[i] == '"')
            (void)fputs("&quot;", picture->file);
        else if (value[i] == '<')
            return refuse(picture, "the value", value, length);
        else
            (void)fputc(value[i], picture->file);
        if (length - i > 4 && strncmp(value + i, "url(", 4) == 0) {
            if (value[i + 4] != '#')
                return refuse(picture, "the value", value, length);
            (void)fprintf(picture->file, "rl(#%s-", picture->prefix);
            i += 4;
        }
    }
    return NUCE_OK;
}

/* The part of the height that is shown. */
static nuce_status write_view(const struct picture *picture, const char *value, size_t length)
{
    double left, top, width, height;

    if (sscanf(value, "%lf %lf %lf %lf", &left, &top, &width, &height) != 4)
        return refuse(picture, "the viewBox", value, length);
    (void)fprintf(picture->file, " viewBox=\"%g %g %g %g\"", left, top + BAND_ABOVE * height, width,
                  (1 - BAND_ABOVE - BAND_BELOW) * height);
    return NUCE_OK;
}

static nuce_status write_attribute(const struct picture *picture, const char *name, size_t length,
                                   const char *value, size_t bytes)
{
    if (length > 2 && strncmp(name, "on", 2) == 0)
        return refuse(picture, "the attribute", name, length);
    if (picture->depth == 0 && is_name(name, length, "viewBox"))
        return write_view(picture, value, bytes);
    if ((picture->depth == 0 &&
         (is_name(name, length, "width") || is_name(name, length, "height"))) ||
        (length >= 5 && strncmp(name, "xmlns", 5) == 0))
        return NUCE_OK;
    if (is_name(name, length, "href") || is_name(name, length, "xlink:href")) {
        if (bytes == 0 || *value != '#')
            return refuse(picture, "a link to", value, bytes);
        (void)fprintf(picture->file, " href=\"#%s-", picture->prefix);
        value++;
        bytes--;
    } else {
        (void)fprintf(picture->file, " %.*s=\"%s", (int)length, name,
                      is_name(name, length, "id") ? picture->prefix : "");
        if (is_name(name, length, "id"))
            (void)fputc('-', picture->file);
    }
    if (write_value(picture, value, bytes) != NUCE_OK)
        return picture->error->status;
    (void)fputc('"', picture->file);
    return NUCE_OK;
}

/* NAME = 'VALUE' or "VALUE", as often as there are. */
static nuce_status write_attributes(struct picture *picture)
{
    for (;;) {
        size_t length, bytes;
        const char *name, *value;

        picture->at += strspn(picture->at, " \t\r\n");
        if (*picture->at == '>' || *picture->at == '/')
            return NUCE_OK;
        name = picture->at;
        length = strcspn(name, " \t\r\n=<>/'\"");
        value = name + length + strspn(name + length, " \t\r\n");
        if (length == 0 || *value != '=')
            return refuse(picture, "an attribute", name, 40);
        value++;
        value += strspn(value, " \t\r\n");
        if (*value != '"' && *value != '\'')
            return refuse(picture, "an attribute", name, 40);
        bytes = strcspn(value + 1, *value == '"' ? "\"" : "'");
        if (value[bytes + 1] == '\0')
            return refuse(picture, "an attribute", name, 40);
        if (write_attribute(picture, name, length, value + 1, bytes) != NUCE_OK)
            return picture->error->status;
        picture->at = value + bytes + 2;
    }
}

/* gnuplot's own name and description of the whole are left out. */
static nuce_status skip_element(struct picture *picture, const char *end)
{
    const char *found = strstr(picture->at, end);

    if (found == NULL)
        return refuse(picture, "an element that does not end", picture->at, 40);
    picture->at = found + strlen(end);
    return NUCE_OK;
}

static nuce_status write_start(struct picture *picture, const char *name, size_t length)
{
    int is_root = picture->depth == 0, is_empty;

    if (picture->depth == 1 && is_name(name, length, "title"))
        return skip_element(picture, "</title>");
    if (picture->depth == 1 && is_name(name, length, "desc"))
        return skip_element(picture, "</desc>");
    (void)fprintf(picture->file, "<%.*s", (int)length, name);
    if (is_root)
        (void)fprintf(picture->file,
                      " xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
                      " aria-labelledby=\"%s-title\"",
                      picture->prefix);
    picture->at = name + length;
    if (write_attributes(picture) != NUCE_OK)
        return picture->error->status;
    is_empty = *picture->at == '/';
    (void)fputs(is_empty ? "/>" : ">", picture->file);
    picture->at += is_empty;
    if (*picture->at++ != '>')
        return refuse(picture, "an element", name, length);
    picture->depth += !is_empty;
    if (is_root) {
        (void)fprintf(picture->file, "<title id=\"%s-title\">", picture->prefix);
        nuce_html_text(picture->file, picture->label);
        (void)fputs("</title>", picture->file);
    }
    return NUCE_OK;
}

static nuce_status write_end(struct picture *picture, const char *name, size_t length)
{
    if (name[length] != '>')
        return refuse(picture, "an element", name, length);
    (void)fprintf(picture->file, "</%.*s>", (int)length, name);
    picture->at = name + length + 1;
    picture->depth--;
    return NUCE_OK;
}

/* A comment, or an element's start or end. */
static nuce_status write_markup(struct picture *picture)
{
    int is_end = picture->at[1] == '/';
    const char *name = picture->at + 1 + is_end;
    size_t length = strcspn(name, " \t\r\n<>/");

    if (strncmp(picture->at, "<!--", 4) == 0)
        return skip_element(picture, "-->");
    if (!is_element(name, length))
        return refuse(picture, "the element", name, length);
    return is_end ? write_end(picture, name, length) : write_start(picture, name, length);
}

static nuce_status write_picture(struct picture *picture)
{
    do {
        size_t length = strcspn(picture->at, "<");

        (void)fprintf(picture->file, "%.*s", (int)length, picture->at);
        picture->at += length;
        if (*picture->at == '\0')
            return refuse(picture, "no", "end", 3);
        if (write_markup(picture) != NUCE_OK)
            return picture->error->status;
    } while (picture->depth > 0);
    return NUCE_OK;
}

nuce_status nuce_html_svg(FILE *file, const char *svg, const char *prefix, const char *label,
                          struct nuce_error *error)
{
    struct picture picture = {.prefix = prefix, .label = label, .error = error};
    char *text = NULL;
    size_t length = 0;
    nuce_status status;

    NUCE_ASSERT(nuce_text_is_name(prefix));
    picture.at = strstr(svg, "<svg");
    if (picture.at == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "a picture without an svg element");
    picture.file = open_memstream(&text, &length);
    if (picture.file == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    status = write_picture(&picture);
    if (fclose(picture.file) != 0 && status == NUCE_OK)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory");
    if (status == NUCE_OK)
        (void)fwrite(text, 1, length, file);
    free(text);
    return status;
}
