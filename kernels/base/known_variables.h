/* The environment variables that records keep: settings that are known to affect the measurement,
 * or to identify the job. Other variables with the same prefix may be credentials (SLURM_JWT logs
 * its owner in), so they are never stored. */
#ifndef NUCE_KNOWN_VARIABLES_H
#define NUCE_KNOWN_VARIABLES_H

#include <jansson.h>

/* True if the name is in the list and contains none of TOKEN, SECRET, KEY, PASS, JWT, AUTH and
 * CRED. */
int nuce_known_variables_has(const char *name);

/* Removes all other variables from an object of variables by name (NULL: nothing). Returns their
 * number. */
int nuce_known_variables_drop_others(json_t *variables);

#endif
