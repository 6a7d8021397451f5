/* nuce advise --check: the whole application with a tuning file and without. */
#ifndef NUCE_ADVISE_CHECK_H
#define NUCE_ADVISE_CHECK_H

#include "commands/race.h"

/* Races the words, NULL-ended, which start an application, against the same under the tuning file
 * at path. Unless it is shown to be faster, the rules that replaced its calls become comments of
 * the file, with the reason. options: of nuce race; the last one's name is NULL. *ended is the exit
 * status: 0 the rules hold, 1 they do not, or replace nothing, 3 the race is inconclusive, 75
 * interrupted. */
nuce_status nuce_advise_check(const char *path, char *const *words,
                              const struct nuce_race_option *options, int *ended,
                              struct nuce_error *error);

#endif
