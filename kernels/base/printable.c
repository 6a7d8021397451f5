/* Validity of UTF-8 (RFC 3629), and the characters that would control a terminal. */
#include "base/printable.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Width of text on a terminal: longer lines are hard to read. */
#define TERMINAL_COLUMNS 100

/* The length in bytes of the UTF-8 character at the start of text, 0 if there is none (RFC 3629;
 * the ends of ranges that it excludes, such as surrogates, are excluded too). */
static size_t character_length(const unsigned char *text)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (*text < 0x80)
        return 1;
    if (*text < 0xc2 || *text > 0xf4)
        return 0;
    length = *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (*text == 0xe0)
        low = 0xa0;
    else if (*text == 0xf0)
        low = 0x90;
    else if (*text == 0xed)
        high = 0x9f;
    else if (*text == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < low || text[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* U+0080 to U+009F control terminals too; U+2028 and U+2029 end lines. U+061C, U+200E, U+200F,
 * U+202A to U+202E and U+2066 to U+2069 change the direction of the text after them (Unicode, UAX
 * 9). */
static int printable_steers(const unsigned char *text)
{
    if ((*text < 0x20 && *text != '\n') || *text == 0x7f || (*text == 0xc2 && text[1] < 0xa0))
        return 1;
    if (*text == 0xd8)
        return text[1] == 0x9c;
    if (*text != 0xe2)
        return 0;
    return (text[1] == 0x80 &&
            (text[2] == 0x8e || text[2] == 0x8f || (text[2] >= 0xa8 && text[2] <= 0xae))) ||
           (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9);
}

/* The length of the character at the start of text; *is_harmless is true if it may be shown. */
static size_t printable_step(const char *text, int *is_harmless)
{
    size_t length = character_length((const unsigned char *)text);

    *is_harmless = length > 0 && !printable_steers((const unsigned char *)text);
    return length > 0 ? length : 1;
}

void nuce_printable_make(char *text)
{
    while (*text != '\0') {
        int is_harmless;
        size_t length = printable_step(text, &is_harmless);

        if (!is_harmless)
            memset(text, '?', length);
        text += length;
    }
}

void nuce_printable_make_line(char *text)
{
    nuce_printable_make(text);
    for (; (text = strchr(text, '\n')) != NULL; text++)
        *text = '?';
}

void nuce_printable_put(const char *text, FILE *file)
{
    if (text == NULL)
        text = "?";
    while (*text != '\0') {
        int is_harmless;
        size_t length = printable_step(text, &is_harmless);

        if (is_harmless)
            fwrite(text, 1, length, file);
        else
            fputc('?', file);
        if (*text == '\n' && text[1] != '\0')
            fputs("  ", file);
        text += length;
    }
}

/* Width in columns; 0 for the bytes of a character after its first. Wide characters (Chinese) count
 * as one, which only makes a table ragged. A control character counts four columns, as it is
 * written like \x1b. */
static int character_width(const char *text)
{
    unsigned char first = (unsigned char)*text;

    return first < 0x20 || first == 0x7f ? 4 : (first & 0xc0) != 0x80;
}

int nuce_printable_width(const char *text)
{
    int width = 0;

    for (; *text != '\0'; text++)
        width += character_width(text);
    return width;
}

/* Stops before the first byte beyond columns. The further bytes of a character take no columns, so
 * no character is cut in two. */
size_t nuce_printable_bytes(const char *text, int columns)
{
    size_t length = 0;

    while (text[length] != '\0' && character_width(text + length) <= columns)
        columns -= character_width(text + length++);
    return length;
}

int nuce_printable_columns(FILE *file)
{
    return isatty(fileno(file)) ? TERMINAL_COLUMNS : 0;
}

/* Ends a line and begins the next; returns its indent. */
static int begin_line(int indent, FILE *file)
{
    return fprintf(file, "\n%*s", indent, "") - 1;
}

/* The number of bytes of a word to put on a line if the word is longer than columns. It ends after
 * the last comma that fits, as in lists; without one it is the whole word. */
static size_t fold_length(const char *word, size_t length, int columns)
{
    for (size_t i = nuce_printable_bytes(word, columns); i > 1 && i < length; i--) {
        if (word[i - 1] == ',')
            return i;
    }
    return length;
}

/* Invariant: the line has `at` columns so far. Blanks between words stay except at a break, where
 * they are dropped. A newline in text breaks the line too, and a final one is dropped. */
void nuce_printable_fold(const char *text, int columns, int at, int indent, FILE *file)
{
    int is_first = 1; /* the first word of a line */

    while (*text != '\0') {
        size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " \n");
        int width = 0;

        for (size_t i = 0; i < blanks + length; i++)
            width += character_width(text + i);
        if (columns > 0 && !is_first && at + width > columns) {
            at = begin_line(indent, file);
            text += blanks;
            is_first = 1;
            continue;
        }
        if (columns > 0 && at + width > columns)
            length = fold_length(text + blanks, length, columns - at - (int)blanks);
        at += width;
        fwrite(text, 1, blanks + length, file);
        text += blanks + length;
        is_first = 0;
        if (*text == '\n' && *++text != '\0') {
            at = begin_line(indent, file);
            is_first = 1;
        }
    }
}
