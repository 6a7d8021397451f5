/* External libraries that make instances: another version may give another partition or
 * placement. */
#ifndef NUCE_LIBRARIES_H
#define NUCE_LIBRARIES_H

#include <jansson.h>

/* {"metis": "5.1.0", "scotch": "7.0.3"}, the versions that nuce was built with; null: without it. A
 * new reference. */
json_t *nuce_libraries_describe(void);

#endif
