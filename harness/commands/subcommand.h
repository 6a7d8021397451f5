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
    const char *summary;                      /* one line for nuce --help */
    const char *about, *after;                /* in its --help, before and after its own options */
    struct nuce_operands operands;            /* usage, number, expected kind */
    const struct nuce_option *options, *more; /* more: of a struct at the beginning of the
                                                 arguments */
    size_t arguments_bytes; /* size of the struct that holds options and operands */
    size_t operand; /* offset in that struct of a string, or an array of them, for the operands;
                       unused if their number is unlimited */
    int passes;     /* the words after "--" are another program's */
    int fails_as;   /* exit status of every failure; 0: by the error */
    /* Prints results on stdout and all else on stderr; main prints the returned error. */
    nuce_status (*run)(struct nuce_subcommand_call *call, struct nuce_error *error);
};

/* In the order of subcommands.def, NULL-ended. */
extern const struct nuce_subcommand *const nuce_subcommands[];

#endif
