/* The subcommands of nuce: one file and one row of subcommands.def each. A file here holds what the
 * command says of itself, its options, the order of its steps and what it prints; what it does is
 * in the libraries of harness/, which print nothing and are tested without it. */
#ifndef NUCE_SUBCOMMAND_H
#define NUCE_SUBCOMMAND_H

#include <stddef.h>

#include "base/command_line.h"

/* One call of a subcommand. */
struct nuce_subcommand_call {
    void *arguments; /* what the options and operands of the line say */
    /* The words beside options, borrowed from argv. */
    char **texts; /* NULL-ended where there is no "--" */
    int count;
    int is_cut;    /* there is a "--" */
    char **behind; /* it, NULL-ended, of a subcommand that passes words on */
    int ended;     /* the exit status where there is no error, 0 at first (0, 1, 3 or 75) */
};

/* One of them, constant. */
struct nuce_subcommand {
    const char *name;
    const char *summary;           /* one line for nuce --help */
    const char *about, *after;     /* in front of its own options in its --help, and behind them */
    struct nuce_operands operands; /* usage, how many, what is expected */
    const struct nuce_option *options, *more; /* more: of a struct that the arguments begin with */
    size_t arguments_bytes; /* of the struct that options and operands are members of, with: */
    size_t operand; /* offset of a text, or an array of them: where operands go if their most is not
                       open */
    int passes;     /* what stands behind "--" is another program's */
    int fails_as;   /* exit status of whatever goes wrong; 0: as the error says */
    /* Prints results on stdout and all else on stderr; the error that it returns main says. */
    nuce_status (*run)(struct nuce_subcommand_call *call, struct nuce_error *error);
};

/* In the order of subcommands.def, NULL-ended. */
extern const struct nuce_subcommand *const nuce_subcommands[];

#endif
