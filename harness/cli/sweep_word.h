/* A sweep file where a campaign, a table or a capture is expected. */
#ifndef NUCE_SWEEP_WORD_H
#define NUCE_SWEEP_WORD_H

#include "support/error.h"

/* Whether word is the path of a sweep file, NAME.yaml, which says what it is called: then *error
 * says by which name subcommand shows its newest campaign, with NUCE_BAD_INPUT. */
int nuce_cli_is_sweep(const char *word, const char *subcommand, struct nuce_error *error);

#endif
