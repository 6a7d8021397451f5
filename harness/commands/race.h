/* A race of two commands within another subcommand: nuce advise --check. */
#ifndef NUCE_RACE_TWO_H
#define NUCE_RACE_TWO_H

#include "base/anytime.h"
#include "base/error.h"

/* An option of nuce race; value NULL: not given. */
struct nuce_race_option {
    const char *name, *value;
};

struct nuce_race_verdict {
    char *campaign; /* its name, owned; NULL: nothing was measured */
    int ended;      /* the exit status of nuce race */
    int is_useless; /* the first command failed */
    int has_failed; /* the second one failed */
    enum nuce_known known;
    struct nuce_anytime ratios; /* of the second command to the first one */
};

/* NUCE_BAD_INPUT if nuce race would refuse one of the options. */
nuce_status nuce_race_check(const struct nuce_race_option *options, struct nuce_error *error);

/* Does what 'nuce race OPTIONS --shell -- COMMAND -- COMMAND' does, with its output. The last
 * option's name is NULL. */
nuce_status nuce_race_two(const struct nuce_race_option *options, char *const commands[2],
                          struct nuce_race_verdict *out, struct nuce_error *error);

#endif
