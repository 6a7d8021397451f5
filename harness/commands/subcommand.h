/* The subcommands of nuce: one file and one row of subcommands.def each. */
#ifndef NUCE_SUBCOMMAND_H
#define NUCE_SUBCOMMAND_H

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
