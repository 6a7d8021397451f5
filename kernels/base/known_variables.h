/* Which variables of the environment records keep: settings that are known to change what is
 * measured, or to say which job it was. Whatever else begins like them may be a credential
 * (SLURM_JWT logs its owner in) and is kept nowhere. */
#ifndef NUCE_KNOWN_VARIABLES_H
#define NUCE_KNOWN_VARIABLES_H

#include <jansson.h>

/* Whether a name is in the list, and none of TOKEN, SECRET, KEY, PASS, JWT, AUTH or CRED in it. */
int nuce_known_variables_has(const char *name);

/* Takes all others out of an object of variables by name (NULL: nothing); returns how many. */
int nuce_known_variables_drop_others(json_t *variables);

#endif
