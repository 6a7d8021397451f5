/* Small helpers on text: copies that fit, the nearest of known names by edit distance, words. */
#include "base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

bool nuce_text_copy(char *destination, size_t size, const char *text)
{
    size_t length = strlen(text);

    if (length >= size)
        return false;
    memcpy(destination, text, length + 1);
    return true;
}

/* Bytes of a name with its NUL. Longer texts are not typing errors of a name, and the table of the
 * distance stays on the stack (16 KiB). */
#define DISTANCE_LENGTH 64

/* The Damerau-Levenshtein distance (insertions, deletions, changes, swaps of neighbours), in the
 * variant "optimal string alignment". table[i][j] is the distance of the first i characters of a
 * and the first j of b. A swap of neighbours is one step, but swapped characters are not edited
 * again. O(length of a times length of b). */
static int text_distance(const char *a, const char *b)
{
    int table[DISTANCE_LENGTH][DISTANCE_LENGTH];
    size_t rows = strlen(a), columns = strlen(b);

    if (rows >= DISTANCE_LENGTH || columns >= DISTANCE_LENGTH)
        return INT_MAX;
    for (size_t i = 0; i <= rows; i++)
        table[i][0] = (int)i;
    for (size_t j = 0; j <= columns; j++)
        table[0][j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            table[i][j] = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < table[i][j])
                table[i][j] = table[i][j - 1] + 1;
            if (change < table[i][j])
                table[i][j] = change;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < table[i][j])
                table[i][j] = table[i - 2][j - 2] + 1;
        }
    }
    return table[rows][columns];
}

/* The first of equally near names. The limit is one typing error in three characters: with more,
 * any short name would be near any other. */
const char *nuce_text_nearest(const char *text, const char *const *names, size_t count)
{
    int limit = (int)(strlen(text) / 3 < 63 ? strlen(text) / 3 : 63);
    const char *nearest = NULL;
    int best = (limit > 1 ? limit : 1) + 1;

    for (size_t i = 0; i < count; i++) {
        int distance = text_distance(text, names[i]);

        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

const char *nuce_text_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

bool nuce_text_is_name(const char *text)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";
    size_t length = strlen(text);

    return length >= 1 && length <= 64 && strspn(text, allowed) == length && text[0] != '.' &&
           text[0] != '-';
}

bool nuce_text_word(const char **text, char *word, size_t size)
{
    size_t length;

    if (*text == NULL)
        return false;
    *text += strspn(*text, " ");
    length = strcspn(*text, " ");
    snprintf(word, size, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

bool nuce_text_has_control(const char *text)
{
    while ((unsigned char)*text >= 0x20 && *text != 0x7f)
        text++;
    return *text != '\0';
}

/* Removes length characters from the text at that place. */
static void text_cut_out(char *text, size_t length)
{
    memmove(text, text + length, strlen(text + length) + 1);
}

bool nuce_text_line(const char *text, const char *key, char *out, size_t size)
{
    const char *at = strstr(text, key);
    size_t length = 0;

    if (at == NULL)
        return false;
    at += strlen(key);
    at += strspn(at, " \t");
    for (; *at != '\0' && *at != '\n' && length + 1 < size; at++) {
        bool is_blank = *at == ' ' || *at == '\t';

        if (!is_blank || (length > 0 && out[length - 1] != ' '))
            out[length++] = is_blank ? ' ' : *at;
    }
    out[length] = '\0';
    return true;
}

/* Finds the two ends one after the other, the second in the text that the first left. */
const char *nuce_text_library(const char *version, char *out, size_t size)
{
    static const char *const ends[] = {". ", ", "}, word[] = " Version:";
    char *found;

    nuce_text_line(version, "", out, size);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        found = strstr(out, ends[i]);
        if (found != NULL)
            *found = '\0';
    }
    found = strstr(out, word);
    if (found != NULL)
        text_cut_out(found, sizeof word - 1);
    found = strstr(out, " v");
    if (found != NULL && found[2] >= '0' && found[2] <= '9')
        text_cut_out(found + 1, 1);
    return out;
}

char *nuce_text_format_list(const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        nuce_allocate_failed((int64_t)strlen(format), 1);
    return text;
}

char *nuce_text_format(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = nuce_text_format_list(format, arguments);
    va_end(arguments);
    return text;
}

void nuce_text_append(char **text, const char *format, ...)
{
    size_t length = *text == NULL ? 0 : strlen(*text);
    va_list arguments;
    char *more;

    va_start(arguments, format);
    more = nuce_text_format_list(format, arguments);
    va_end(arguments);
    *text = realloc(*text, length + strlen(more) + 1);
    if (*text == NULL)
        nuce_allocate_failed((int64_t)(length + strlen(more)) + 1, 1);
    strcpy(*text + length, more);
    free(more);
}

char *nuce_text_duplicate(const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        nuce_allocate_failed((int64_t)strlen(text) + 1, 1);
    return copy;
}

bool nuce_text_ends(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);

    return length > tail && strcmp(text + length - tail, ending) == 0;
}

void nuce_text_report(void (*report)(void *context, const char *line), void *context,
                      const char *format, ...)
{
    char line[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    report(context, line);
}
