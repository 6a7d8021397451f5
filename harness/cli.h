/* What the subcommands of nuce share: formats of results, messages, the version line. */
#ifndef NUCE_CLI_H
#define NUCE_CLI_H

#include <argp.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

enum nuce_format {
    NUCE_FORMAT_TEXT,
    NUCE_FORMAT_JSON, /* an object a line */
    NUCE_FORMAT_CSV,  /* RFC 4180 with a heading */
};

/* The value of --format; ends the program with a usage error if it is none (argp_error). */
enum nuce_format nuce_cli_format(const char *text, struct argp_state *state);

/* Writes the message as `nuce: message` to stderr; returns the exit status that stands for it. */
int nuce_cli_fail(const struct nuce_error *error);

/* Flushes stdout; returns status, or says what went wrong and returns 1: a full disk must not look
 * like success. */
int nuce_cli_finish(int status);

/* A table of results. */
struct nuce_column {
    const char *name;    /* JSON key and CSV heading */
    const char *heading; /* in text */
    int numeric;         /* cells are numbers: right-aligned, and unquoted in JSON */
};

struct nuce_table {
    const struct nuce_column *columns; /* borrowed */
    int width;
    char **cells; /* rows x width, owned; NULL: unknown */
    int64_t rows, capacity;
};

/* Adds a row of width texts, copied; NULL cells are null. */
nuce_status nuce_table_add(struct nuce_table *table, const char *const *cells,
                           struct nuce_error *error);
nuce_status nuce_table_print(const struct nuce_table *table, enum nuce_format format, FILE *out,
                             struct nuce_error *error);
void nuce_table_fini(struct nuce_table *table);

#endif
