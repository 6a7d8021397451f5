/* Text in the report: nothing that comes from a record or a file can become markup, or a control
 * character in the reader's terminal. */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"
#include "results/html.h"

/* Line ends and tabs are kept: queries and messages have them. */
static void html_text_make_printable(char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n\t");
        char end = text[length];

        text[length] = '\0';
        nuce_printable_make(text);
        text[length] = end;
        text += length + (end != '\0');
    }
}

/* Both quotes are escaped as well, so that it can stand in an attribute. Bytes that are no UTF-8
 * have become question marks before. */
void nuce_html_text(FILE *file, const char *text)
{
    char *copy = nuce_text_duplicate(text);

    html_text_make_printable(copy);
    for (const char *at = copy; *at != '\0'; at++) {
        switch (*at) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        default:
            fputc(*at, file);
        }
    }
    free(copy);
}

/* A word and what may follow it: "measured (us)" is of the kind, "measurements" is of none. "model"
 * and "modelled" are one. */
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
    if (text == NULL || *text == '\0')
        return;
    fprintf(file, "<p class=\"%s\">", class);
    nuce_html_text(file, text);
    fputs("</p>\n", file);
}
