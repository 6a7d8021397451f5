/* The libraries of others that make instances: a partition or a placement of another version may be
 * another one. */
#ifndef NUCE_LIBRARIES_H
#define NUCE_LIBRARIES_H

#include <jansson.h>

/* {"metis": "5.1.0", "scotch": "7.0.3"}, as nuce was built with; null: without it. A new
 * reference. */
json_t *nuce_libraries_describe(void);

#endif
