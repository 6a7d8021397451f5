/* Communication patterns: the papers' COM, sparse. Entry (i, j) is the number of bytes that rank i
 * sends to rank j. Memory is proportional to ranks + messages, never to ranks x ranks. */
#ifndef NUCE_PATTERN_H
#define NUCE_PATTERN_H

#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"

/* A larger number of ranks is taken for a typing error, not for a machine. */
#define NUCE_PATTERN_MAX_RANKS (1 << 24)

/* A message of a pattern under construction. */
struct nuce_message {
    int source;
    int destination;
    int64_t bytes; /* >= 0 */
};

/* Rows by source: the messages of rank i are entries row[i] .. row[i + 1] - 1, destinations
 * ascending, each destination at most once. A rank may send to itself. All arrays are owned.
 * Schedules and models borrow a pattern and never change it. */
struct nuce_pattern {
    int ranks;
    int64_t messages;
    int64_t *row;     /* ranks + 1 */
    int *destination; /* messages */
    int64_t *bytes;   /* messages, each > 0; their sum fits in an int64_t */
};

/* Goes through the messages by source, then destination: message k of rank i. */
#define NUCE_EACH_MESSAGE(pattern, i, k)                                                           \
    for (int i = 0; i < (pattern)->ranks; i++)                                                     \
        for (int64_t k = (pattern)->row[i]; k < (pattern)->row[i + 1]; k++)

/* Builds *out from count messages in any order; those of 0 bytes are dropped. Two messages with the
 * same source and destination (of 0 bytes too), a rank out of range, negative bytes, a sum of bytes
 * beyond int64_t or a rank count outside 1 .. NUCE_PATTERN_MAX_RANKS are NUCE_BAD_INPUT.
 * O(ranks + count). Free with nuce_pattern_fini. */
nuce_status nuce_pattern_init(int ranks, const struct nuce_message *messages, int64_t count,
                              struct nuce_pattern *out, struct nuce_error *error);

/* Turns the counts of row i in start[i + 1] into the beginning of the row. Filling the row moves
 * that to its end, which is the beginning of row i + 1. */
void nuce_pattern_begin_rows(int64_t *start, int rows);

/* Frees the content of *pattern and empties it; accepts an empty (all zero) one. */
void nuce_pattern_fini(struct nuce_pattern *pattern);

/* The pattern as text of a COM file, in parts. The head is a line with the ranks, of at most
 * NUCE_PATTERN_HEAD_BYTES. The rest is the lines `source destination bytes` of the messages of each
 * source, in order: a new string of *length bytes. */
#define NUCE_PATTERN_HEAD_BYTES 16
void nuce_pattern_head(int ranks, char head[NUCE_PATTERN_HEAD_BYTES]);
char *nuce_pattern_row_text(const struct nuce_pattern *pattern, int source, size_t *length);

/* The SHA-256 of all parts, one after the other. */
void nuce_pattern_hash(const struct nuce_pattern *pattern, char hex[NUCE_HASH_BYTES]);

/* A number that ranks find together: the sum modulo 2^64, over all messages, of a mix of each one.
 * Each rank adds its own row, and one reduction adds the ranks. Equal patterns have equal
 * fingerprints; others almost certainly have others. */
uint64_t nuce_pattern_fingerprint_message(int source, int destination, int64_t bytes);
uint64_t nuce_pattern_fingerprint(const struct nuce_pattern *pattern);

/* *out = the transpose: row j lists the sources of messages to j, ascending (in `destination`).
 * O(ranks + messages). */
nuce_status nuce_pattern_transpose(const struct nuce_pattern *pattern, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* *out = a pattern of as many ranks with only the messages that keeps accepts. keeps returns 1 or
 * 0. It is called twice for each message, to count and to copy, and must return the same both
 * times. */
nuce_status nuce_pattern_filter(const struct nuce_pattern *pattern,
                                int (*keeps)(const void *context, int source, int destination),
                                const void *context, struct nuce_pattern *out,
                                struct nuce_error *error);

/* The entry of source -> destination, or -1: a binary search. */
int64_t nuce_pattern_find(const struct nuce_pattern *pattern, int source, int destination);

/* Multiplies every size by item_bytes; NUCE_BAD_INPUT on overflow, *pattern then unchanged. */
nuce_status nuce_pattern_scale(struct nuce_pattern *pattern, int64_t item_bytes,
                               struct nuce_error *error);

/* Reads a COM file: a line with the rank count, then lines `source destination bytes`. Blank lines
 * and text after a # are skipped. Errors name file, line and column. ranks > 0: the file must have
 * exactly that many. */
nuce_status nuce_pattern_read(const char *path, int ranks, struct nuce_pattern *out,
                              struct nuce_error *error);

/* The same from length bytes at text; name replaces the path in messages. */
nuce_status nuce_pattern_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error);

/* Test sets 1 (degree messages per rank, items of 1 .. 32) and 2 (skewed) of Ranka, Wang and
 * Kumar, 7.2, as the generators make them. Sizes are units; the caller scales them. Freed with
 * nuce_pattern_fini. */
nuce_status nuce_pattern_uniform(int ranks, int degree, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error);
nuce_status nuce_pattern_skewed(int ranks, struct nuce_rng *rng, struct nuce_pattern *out,
                                struct nuce_error *error);

/* Bytes that rank sends and receives; its message to itself counts once. O(messages). */
int64_t nuce_pattern_rank_bytes(const struct nuce_pattern *pattern, int rank);

/* Sums and maxima over a pattern; they include everything unless noted. All members are int64_t,
 * sums over the ranks first, from `largest` on maxima: nuce_census_summary reduces them by that,
 * without the whole pattern. */
struct nuce_pattern_summary {
    int64_t messages;
    int64_t bytes;         /* all messages */
    int64_t self_messages; /* messages of ranks to themselves */
    int64_t self_bytes;    /* bytes of these messages */
    int64_t fingerprint;   /* nuce_pattern_fingerprint, its 64 bits */
    int64_t largest;       /* largest message, bytes; 0 if none */
    int64_t busiest_port;  /* bytes: max over ranks of the row sum and the column sum without self
                              messages: the papers' lower bound in bytes (single port) */
    int64_t degree;        /* max over ranks of messages sent or received without self messages: a
                              lower bound for the phases of any schedule */
};

/* The sends, or the receives, of one rank without its message to itself. */
struct nuce_pattern_port {
    int64_t bytes, messages;
};

/* Adds a message, or a port. A summary of all zeros with all messages and ports is complete. */
void nuce_pattern_summary_message(struct nuce_pattern_summary *summary, int source, int destination,
                                  int64_t bytes);
void nuce_pattern_summary_port(struct nuce_pattern_summary *summary, struct nuce_pattern_port port);

/* O(ranks + messages). */
void nuce_pattern_summarise(const struct nuce_pattern *pattern, struct nuce_pattern_summary *out);

#endif
