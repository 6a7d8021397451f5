/* The subcommands of nuce: one file and one row of subcommands.def each. A file here holds the
 * command's help text, its options, the order of its steps and its output. The work is done in the
 * libraries of harness/, which print nothing and are tested without it. */
#ifndef NUCE_SUBCOMMAND_H
#define NUCE_SUBCOMMAND_H

#include <stddef.h>

#include "base/command_line.h"

/* One call of a subcommand. */
struct nuce_subcommand_call {
    void *arguments; /* values of the options and operands */
    /* The words other than options, borrowed from argv. */
    char **texts; /* NULL-ended if there is no "--" */
    int count;
    int is_cut;    /* there is a "--" */
    char **behind; /* the words after it, NULL-ended, if the subcommand passes words on */
    int ended;     /* the exit status without an error, 0 at first (0, 1, 3 or 75) */
};

/* One subcommand, constant. */
struct nuce_subcommand {
    const char *name;
    const char *summary;       /* one line for nuce --help */
    const char *about, *after; /* in front of its own options in its --help, and behind them */
    const struct nuce_example *examples;      /* two or more, at the end of its --help */
    struct nuce_operands operands;            /* usage, how many, what is expected */
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
