/* A scanner of lines and words for all text formats. It knows its place, so that each error names
 * file, line and column. An error quotes only text that is fit for a terminal.
 *
 * One pass over a text in memory; only numbers are copied: a word is a place and a length in the
 * text. Bytes are not decoded: columns count bytes, and blanks and line ends are those of ASCII. */
#include "base/scanner.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Longest quotation of a word in a message, in characters; longer words are cut. */
#define QUOTED_LENGTH 40

/* Windows' editors begin a text in UTF-8 with this mark. It is not a part of the first word, which
 * a message would show without it. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A longer word is not a number: 17 significant digits with sign and exponent need 24 characters.
 */
#define NUMBER_LENGTH 63

/* A blank within a line; isspace also accepts line ends. '\r' is a blank only before '\n'. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool nuce_scanner_at_end_of_line(const struct nuce_scanner *scanner, const char *at)
{
    return *at == '\n' || (*at == '\r' && (at + 1 == scanner->end || at[1] != '\n'));
}

void nuce_scanner_init(struct nuce_scanner *scanner, const char *path, const char *text,
                       size_t length)
{
    size_t marked = sizeof BYTE_ORDER_MARK - 1;

    if (length >= marked && memcmp(text, BYTE_ORDER_MARK, marked) == 0) {
        text += marked;
        length -= marked;
    }
    *scanner = (struct nuce_scanner){.path = path, .text = text, .end = text + length, .at = text};
}

int64_t nuce_scanner_left(const struct nuce_scanner *scanner)
{
    return scanner->end - scanner->at;
}

int64_t nuce_scanner_line(const struct nuce_scanner *scanner, const char *where, int64_t *column)
{
    const char *line_start = scanner->text;
    int64_t line = 1;

    for (const char *c = scanner->text; c < where; c++) {
        if (nuce_scanner_at_end_of_line(scanner, c)) {
            line++;
            line_start = c + 1;
        }
    }
    if (column != NULL)
        *column = where - line_start + 1;
    return line;
}

/* Windows' other byte order marks, for texts whose every second byte is zero: none can be read. */
static bool is_utf16(const struct nuce_scanner *scanner)
{
    return scanner->end - scanner->text >= 2 &&
           (memcmp(scanner->text, "\xff\xfe", 2) == 0 || memcmp(scanner->text, "\xfe\xff", 2) == 0);
}

nuce_status nuce_scanner_fail(const struct nuce_scanner *scanner, const char *where,
                              struct nuce_error *error, const char *format, ...)
{
    char message[NUCE_MESSAGE_BYTES];
    int64_t column, line;
    va_list arguments;

    if (is_utf16(scanner)) {
        where = scanner->text;
        format = "the text is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 FILE converts)";
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    nuce_error_set(error, NUCE_BAD_INPUT, "%s", message);
    line = nuce_scanner_line(scanner, where, &column);
    return nuce_error_at(error, scanner->path, line, column);
}

/* Also in the middle of a word: "3#left" is the word 3 and a comment. */
static bool begins_comment(const struct nuce_scanner *scanner)
{
    return scanner->comment != '\0' && *scanner->at == scanner->comment;
}

bool nuce_scanner_has_word(struct nuce_scanner *scanner)
{
    while (scanner->at < scanner->end &&
           (nuce_scanner_at_end_of_line(scanner, scanner->at) ? scanner->across_lines
                                                              : is_blank(*scanner->at)))
        scanner->at++;
    return scanner->at < scanner->end && !nuce_scanner_at_end_of_line(scanner, scanner->at) &&
           !begins_comment(scanner);
}

bool nuce_scanner_next_line(struct nuce_scanner *scanner)
{
    while (scanner->at < scanner->end && !nuce_scanner_at_end_of_line(scanner, scanner->at))
        scanner->at++;
    scanner->at += scanner->at < scanner->end;
    return scanner->at < scanner->end;
}

/* A comment here is a whole line, and the caller chooses its character. Formats that allow comments
 * after words set scanner->comment instead. */
bool nuce_scanner_skip_lines(struct nuce_scanner *scanner, char comment)
{
    while (!nuce_scanner_has_word(scanner) || *scanner->at == comment) {
        if (!nuce_scanner_next_line(scanner))
            return false;
    }
    return true;
}

bool nuce_word_is(struct nuce_word word, const char *text)
{
    return strlen(text) == (size_t)word.length && memcmp(word.text, text, strlen(text)) == 0;
}

bool nuce_word_is_nocase(struct nuce_word word, const char *text)
{
    return strlen(text) == (size_t)word.length &&
           strncasecmp(word.text, text, (size_t)word.length) == 0;
}

int nuce_word_quoted(struct nuce_word word)
{
    return word.length < QUOTED_LENGTH ? word.length : QUOTED_LENGTH;
}

nuce_status nuce_scanner_word(struct nuce_scanner *scanner, const char *what, struct nuce_word *out,
                              struct nuce_error *error)
{
    const char *start;

    if (!nuce_scanner_has_word(scanner))
        return nuce_scanner_fail(scanner, scanner->at, error, "the %s ends; expected %s",
                                 scanner->at == scanner->end ? "file" : "line", what);
    start = scanner->at;
    while (scanner->at < scanner->end && !is_blank(*scanner->at) && *scanner->at != '\n' &&
           !begins_comment(scanner))
        scanner->at++;
    out->text = start;
    out->length = scanner->at - start > INT_MAX ? INT_MAX : (int)(scanner->at - start);
    return NUCE_OK;
}

/* Copies word with a NUL at its end; false if it is too long for a number. False also if it
 * contains a NUL, because strtod would take that for the end. */
static bool number_text(struct nuce_word word, char buffer[NUMBER_LENGTH + 1])
{
    if (word.length > NUMBER_LENGTH)
        return false;
    memcpy(buffer, word.text, (size_t)word.length);
    buffer[word.length] = '\0';
    return strlen(buffer) == (size_t)word.length;
}

nuce_status nuce_scanner_integer(struct nuce_scanner *scanner, const char *what, int64_t low,
                                 int64_t high, int64_t *out, struct nuce_error *error)
{
    char buffer[NUMBER_LENGTH + 1];
    struct nuce_word word;
    char *rest = buffer;
    long long value = 0;
    nuce_status status = nuce_scanner_word(scanner, what, &word, error);

    if (status != NUCE_OK)
        return status;
    errno = 0;
    if (number_text(word, buffer))
        value = strtoll(buffer, &rest, 10);
    if (rest == buffer || *rest != '\0')
        return nuce_scanner_fail(
            scanner, word.text, error, "'%.*s' is not a whole number; expected %s, %lld to %lld",
            nuce_word_quoted(word), word.text, what, (long long)low, (long long)high);
    if (value < low || value > high || errno == ERANGE)
        return nuce_scanner_fail(
            scanner, word.text, error, "%.*s is out of range; expected %s, %lld to %lld",
            nuce_word_quoted(word), word.text, what, (long long)low, (long long)high);
    *out = value;
    return NUCE_OK;
}

nuce_status nuce_scanner_index(struct nuce_scanner *scanner, const char *what, int first,
                               int64_t count, int64_t *out, struct nuce_error *error)
{
    int64_t last = count - 1 + first, value;
    struct nuce_error ignored;
    const char *at;

    nuce_scanner_has_word(scanner);
    at = scanner->at;
    if (nuce_scanner_integer(scanner, what, first, last, out, error) == NUCE_OK)
        return NUCE_OK;
    scanner->at = at;
    if (nuce_scanner_integer(scanner, what, 0, INT64_MAX, &value, &ignored) == NUCE_OK &&
        value == (first == 0 ? count : 0))
        return nuce_scanner_fail(scanner, at, error,
                                 "%lld is out of range; expected %s, %d to %lld: this format "
                                 "counts from %d",
                                 (long long)value, what, first, (long long)last, first);
    return error->status;
}

nuce_status nuce_scanner_count(struct nuce_scanner *scanner, const char *things, int64_t low,
                               int64_t high, int64_t room, int64_t *out, struct nuce_error *error)
{
    char what[64];
    const char *at;
    int64_t count;

    snprintf(what, sizeof what, "the number of %s", things);
    nuce_scanner_has_word(scanner);
    at = scanner->at;
    if (nuce_scanner_integer(scanner, what, low, high, &count, error) != NUCE_OK)
        return error->status;
    if (count > room)
        return nuce_scanner_fail(scanner, at, error,
                                 "the file is too short for %lld %s; expected more of it: is it "
                                 "cut off?",
                                 (long long)count, things);
    *out = count;
    return NUCE_OK;
}

nuce_status nuce_scanner_real(struct nuce_scanner *scanner, const char *what, double *out,
                              struct nuce_error *error)
{
    char buffer[NUMBER_LENGTH + 1];
    struct nuce_word word;
    char *rest = buffer;
    double value = 0;
    nuce_status status = nuce_scanner_word(scanner, what, &word, error);

    if (status != NUCE_OK)
        return status;
    /* strtod would read 0x10 as 16; no other reader of nuce accepts hexadecimal. */
    if (number_text(word, buffer) && strpbrk(buffer, "xX") == NULL)
        value = strtod(buffer, &rest);
    if (rest == buffer || *rest != '\0' || !isfinite(value))
        return nuce_scanner_fail(scanner, word.text, error,
                                 "'%.*s' is not a finite number; expected %s",
                                 nuce_word_quoted(word), word.text, what);
    *out = value;
    return NUCE_OK;
}

nuce_status nuce_scanner_line_end(struct nuce_scanner *scanner, const char *after,
                                  struct nuce_error *error)
{
    struct nuce_word word;

    if (!nuce_scanner_has_word(scanner))
        return NUCE_OK;
    nuce_scanner_word(scanner, after, &word, error);
    return nuce_scanner_fail(scanner, word.text, error, "'%.*s' is too much; expected %s only",
                             nuce_word_quoted(word), word.text, after);
}
