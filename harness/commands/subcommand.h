/* The subcommands of nuce: one file and one row of subcommands.def each. A file here holds what the
 * command says of itself, its options, the order of its steps and what it prints; what it does is
 * in the libraries of harness/, which print nothing and are tested without it. */
#ifndef NUCE_SUBCOMMAND_H
#define NUCE_SUBCOMMAND_H

/* One of them, constant. */
struct nuce_subcommand {
    const char *name;
    const char *summary; /* one line for nuce --help */
    /* argv[0] is "nuce NAME"; parses its own options with argp, prints results on stdout and all
     * else on stderr, returns the exit status (0, 1, 2 or 75). */
    int (*run)(int argc, char **argv);
};

/* In the order of subcommands.def, NULL-ended. */
extern const struct nuce_subcommand *const nuce_subcommands[];

#endif
