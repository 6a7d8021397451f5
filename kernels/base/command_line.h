/* Command lines from tables of options: the one adapter to argp. It declares, parses, sets, and
 * words help and errors in one way for every program. */
#ifndef NUCE_COMMAND_LINE_H
#define NUCE_COMMAND_LINE_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/option.h"

/* Options that --help shows together. */
struct nuce_command_group {
    const char *heading;            /* NULL: none */
    const struct nuce_option *rows; /* NULL: no such group */
    void *params;    /* what the rows are of: all zero, their presets are set first */
    unsigned hidden; /* rows with any of these flags are no options here */
    json_t *given;   /* if not NULL, texts go here by name, and not into params */
};

/* What stands on the line beside options. */
struct nuce_operands {
    const char *usage;    /* as --help names them, "CONFIG"; NULL: there are none */
    int least, most;      /* how many; most < 0: any number */
    const char *expected; /* what they are, said where there are too few or too many */
    const char **into;    /* room for `most`, filled from the first on; NULL: not wanted */
    char **texts;         /* all, in argv; set by parsing */
    int count;            /* of them; set by parsing */
};

#define NUCE_COMMAND_GROUPS 5

struct nuce_command_line {
    const char *about;        /* what the program does */
    const char *after;        /* a text behind the options; NULL: none */
    void (*list)(FILE *file); /* writes more behind it, laid out as it is; NULL: nothing */
    struct nuce_operands operands;
    struct nuce_command_group groups[NUCE_COMMAND_GROUPS];
};

/* Parses argv, whose [0] is what messages call the program. --help, -h, --usage and --version print
 * and exit. Prints nothing else. NUCE_BAD_INPUT names the option and the value, and the nearest
 * option where there is none of that name. Every program begins with it, so from here on JSON that
 * needs memory which is not there ends the program, as base/allocate.h does: no value and no text
 * is NULL but a string that is not UTF-8 and a real that is no number. */
nuce_status nuce_command_line_read(struct nuce_command_line *line, int argc, char **argv,
                                   struct nuce_error *error);

/* The same for a program that does nothing without it: a usage error is printed, and ends it with
 * the exit status of NUCE_BAD_INPUT. */
void nuce_command_line_parse(struct nuce_command_line *line, int argc, char **argv);

#endif
