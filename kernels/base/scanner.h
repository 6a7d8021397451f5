/* Words and numbers in a text that need not end in a zero byte, with messages that name path, line
 * and column. Shared by the readers of all text formats. Lines end with LF, CR LF or CR alone. */
#ifndef NUCE_SCANNER_H
#define NUCE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct nuce_scanner {
    const char *path;  /* for messages */
    const char *text;  /* borrowed */
    const char *end;   /* text + length */
    const char *at;    /* next character */
    bool across_lines; /* words may stand on any later line; else only on this one */
    char comment;      /* what follows it on a line is passed over; '\0': nothing is */
};

/* One word: characters other than blanks and line ends. */
struct nuce_word {
    const char *text; /* not zero-ended */
    int length;       /* longer words are cut to INT_MAX */
};

/* From the start of text, length bytes, which is borrowed with path, or behind its byte order mark
 * where it begins with one; words within a line, no comments. */
void nuce_scanner_init(struct nuce_scanner *scanner, const char *path, const char *text,
                       size_t length);

/* Bytes from the current place to the end: no count in the file can honestly be larger. */
int64_t nuce_scanner_left(const struct nuce_scanner *scanner);

/* The line of where, and its column if column is not NULL, from 1. By going through the text up to
 * there: nothing is counted while all is well. */
int64_t nuce_scanner_line(const struct nuce_scanner *scanner, const char *where, int64_t *column);

/* NUCE_BAD_INPUT with "path:line:column: " of where before the message. Lines and columns (bytes)
 * count from 1. */
nuce_status nuce_scanner_fail(const struct nuce_scanner *scanner, const char *where,
                              struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a word follows (on this line, unless across_lines); the place is then its first
 * character. */
bool nuce_scanner_has_word(struct nuce_scanner *scanner);

/* Whether a line's end is at `at`, which is before scanner->end. The CR of CR LF is a blank. */
bool nuce_scanner_at_end_of_line(const struct nuce_scanner *scanner, const char *at);

/* Goes to the start of the next line; false if there is none. */
bool nuce_scanner_next_line(struct nuce_scanner *scanner);

/* Skips lines that are blank or begin with comment; false at the end of the text. */
bool nuce_scanner_skip_lines(struct nuce_scanner *scanner, char comment);

/* Whether the word is text, to the byte. */
bool nuce_word_is(struct nuce_word word, const char *text);

/* The same, whatever the case of ASCII letters. */
bool nuce_word_is_nocase(struct nuce_word word, const char *text);

/* How many characters of word a message should show, for %.*s. */
int nuce_word_quoted(struct nuce_word word);

/* Each reads the next word, which messages call what ("a node", "the edge count"). */

nuce_status nuce_scanner_word(struct nuce_scanner *scanner, const char *what, struct nuce_word *out,
                              struct nuce_error *error);
/* A whole number in low .. high. */
nuce_status nuce_scanner_integer(struct nuce_scanner *scanner, const char *what, int64_t low,
                                 int64_t high, int64_t *out, struct nuce_error *error);
/* Which one of count things, a whole number from first (0 or 1) on. The number that only a file
 * which counts from the other of the two can have is told as that. */
nuce_status nuce_scanner_index(struct nuce_scanner *scanner, const char *what, int first,
                               int64_t count, int64_t *out, struct nuce_error *error);
/* The number of things ("nodes") that the file has, a whole number in low .. high; room: of how
 * many there can be one in what is left. A file with more of them was cut off. */
nuce_status nuce_scanner_count(struct nuce_scanner *scanner, const char *things, int64_t low,
                               int64_t high, int64_t room, int64_t *out, struct nuce_error *error);
/* A finite number. Decimal, as strtod has it, without a unit. */
nuce_status nuce_scanner_real(struct nuce_scanner *scanner, const char *what, double *out,
                              struct nuce_error *error);

/* NUCE_BAD_INPUT if another word stands on this line; after names what the line holds. */
nuce_status nuce_scanner_line_end(struct nuce_scanner *scanner, const char *after,
                                  struct nuce_error *error);

#endif
