/* Lists of numbers among the parameters of the workload `stencil`: weights, speeds. */
#ifndef NUCE_STENCIL_LISTS_H
#define NUCE_STENCIL_LISTS_H

#include "base/error.h"
#include "base/option.h"
#include "points/workload.h"

/* Reads a comma list of count numbers above 0, each finite, into numbers (NULL: only checks).
 * NUCE_BAD_INPUT names option, entry and value, or says that there are more or fewer. */
nuce_status nuce_stencil_list_read(const char *option, const char *list, int count, double *numbers,
                                   struct nuce_error *error);

/* Writes list, in room bytes (at most NUCE_WEIGHTS_BYTES), anew, each number as briefly as it can
 * be, so that the same numbers are the same point however they were written. */
nuce_status nuce_stencil_list_normalise(const char *option, char *list, size_t room,
                                        struct nuce_error *error);

#endif
