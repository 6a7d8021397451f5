/* Words and numbers in a text that need not end in a NUL, with messages that name path, line and
 * column. The readers of all text formats share it. Lines end with LF, CR LF or CR alone. */
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
    bool across_lines; /* words may be on any later line; else only on this one */
    char comment;      /* text after it on a line is skipped; '\0': no comments */
};

/* One word: characters other than blanks and line ends. */
struct nuce_word {
    const char *text; /* not zero-ended */
    int length;       /* longer words are cut to INT_MAX */
};

/* Starts at the beginning of text (length bytes, borrowed as path is), or after its byte order mark
 * if it has one. Words are within a line, without comments. */
void nuce_scanner_init(struct nuce_scanner *scanner, const char *path, const char *text,
                       size_t length);

/* Bytes from the current place to the end: no valid count in the file can be larger. */
int64_t nuce_scanner_left(const struct nuce_scanner *scanner);

/* The line of where, and its column if column is not NULL, from 1. Found by a pass over the text:
 * nothing is counted unless there is an error. */
int64_t nuce_scanner_line(const struct nuce_scanner *scanner, const char *where, int64_t *column);

/* NUCE_BAD_INPUT with where's "path:line:column: " before the message. Lines and columns (bytes)
 * count from 1. */
nuce_status nuce_scanner_fail(const struct nuce_scanner *scanner, const char *where,
                              struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True if a word follows (on this line, unless across_lines); the place is then its first
 * character. */
bool nuce_scanner_has_word(struct nuce_scanner *scanner);

/* True if `at`, which is before scanner->end, is a line's end. The CR of CR LF is a blank. */
bool nuce_scanner_at_end_of_line(const struct nuce_scanner *scanner, const char *at);

/* Goes to the start of the next line; false if there is none. */
bool nuce_scanner_next_line(struct nuce_scanner *scanner);

/* Skips lines that are blank or begin with comment; false at the end of the text. */
bool nuce_scanner_skip_lines(struct nuce_scanner *scanner, char comment);

/* True if the word equals text, byte by byte. */
bool nuce_word_is(struct nuce_word word, const char *text);

/* The same, ignoring the case of ASCII letters. */
bool nuce_word_is_nocase(struct nuce_word word, const char *text);

/* The number of characters of word to show in a message, for %.*s. */
int nuce_word_quoted(struct nuce_word word);

/* Each reads the next word; what is its name in messages ("a node", "the edge count"). */

nuce_status nuce_scanner_word(struct nuce_scanner *scanner, const char *what, struct nuce_word *out,
                              struct nuce_error *error);
/* A whole number in low .. high. */
nuce_status nuce_scanner_integer(struct nuce_scanner *scanner, const char *what, int64_t low,
                                 int64_t high, int64_t *out, struct nuce_error *error);
/* An index of one of count things, a whole number from first (0 or 1) on. A number that is valid
 * only in a file that counts from the other of the two gets a message of its own. */
nuce_status nuce_scanner_index(struct nuce_scanner *scanner, const char *what, int first,
                               int64_t count, int64_t *out, struct nuce_error *error);
/* The number of things ("nodes") in the file, a whole number in low .. high. room is the largest
 * number for which the rest of the file has space: a file with a larger number was cut off. */
nuce_status nuce_scanner_count(struct nuce_scanner *scanner, const char *things, int64_t low,
                               int64_t high, int64_t room, int64_t *out, struct nuce_error *error);
/* A finite decimal number, as strtod reads it, without a unit. */
nuce_status nuce_scanner_real(struct nuce_scanner *scanner, const char *what, double *out,
                              struct nuce_error *error);

/* NUCE_BAD_INPUT if another word follows on this line; after names the line's content. */
nuce_status nuce_scanner_line_end(struct nuce_scanner *scanner, const char *after,
                                  struct nuce_error *error);

#endif
