/* Command lines from tables of options: the one adapter to argp. It declares and parses options,
 * sets their values, and words help and errors in one way for every program. */
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
    void *params;                   /* the struct of the rows, all zero; presets are set first */
    unsigned hidden;                /* rows with any of these flags are no options here */
    json_t *given; /* if not NULL, texts are stored here by name instead of in params */
};

/* The words of the line that are not options. */
struct nuce_operands {
    const char *usage;    /* their name in --help, "SWEEP"; NULL: there are none */
    int least, most;      /* number of words; most < 0: no limit */
    const char *expected; /* their description, for the message about too few or too many */
    const char **into;    /* room for `most`, filled from the first on; NULL: not wanted */
    char **texts;         /* all of them, in argv; set by parsing */
    int count;            /* number of texts; set by parsing */
};

#define NUCE_COMMAND_GROUPS 5

/* A command that --help shows at its end. Tables end with a row whose command is NULL. */
struct nuce_example {
    const char *command; /* lines of 76 characters at most; further ones begin with four blanks */
    const char *purpose; /* what it does */
};

/* The table of one program's examples. */
#define NUCE_EXAMPLES(...) ((const struct nuce_example[]){__VA_ARGS__, {NULL, NULL}})

struct nuce_command_line {
    const char *about;        /* what the program does */
    const char *after;        /* a text behind the options; NULL: none */
    void (*list)(FILE *file); /* writes more behind it, laid out as it is; NULL: nothing */
    const struct nuce_example *examples; /* NULL: none */
    struct nuce_operands operands;
    struct nuce_command_group groups[NUCE_COMMAND_GROUPS];
};

/* Writes them as --help has them; nothing where examples is NULL. */
void nuce_command_line_print_examples(const struct nuce_example *examples, FILE *file);

/* Parses argv, whose [0] is what messages call the program. --help, -h, --usage and --version print
 * and exit. Prints nothing else. NUCE_BAD_INPUT names the option and the value, and the nearest
 * option if there is none of that name. Every program begins with this call. From here on JSON that
 * runs out of memory ends the program, as base/allocate.h does. So a value or text is NULL only for
 * a string that is not UTF-8 and for a real that is NaN or infinite. */
nuce_status nuce_command_line_read(struct nuce_command_line *line, int argc, char **argv,
                                   struct nuce_error *error);

/* The same for a program that needs nothing else first: prints a usage error and ends the program
 * with the exit status of NUCE_BAD_INPUT. */
void nuce_command_line_parse(struct nuce_command_line *line, int argc, char **argv);

#endif
