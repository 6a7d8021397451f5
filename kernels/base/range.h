/* Ranges of quantities: "10e6..200e6". */
#ifndef NUCE_RANGE_H
#define NUCE_RANGE_H

#include "base/error.h"

struct nuce_range {
    double low, high; /* both are part of the range; low <= high */
};

/* A reader of one quantity: nuce_units_parse_real, nuce_units_parse_duration,
 * nuce_units_parse_bandwidth. */
typedef nuce_status nuce_quantity_read(const char *text, double *out, struct nuce_error *error);

/* Parses two quantities with ".." between them, each as read accepts it and with its own unit
 * ("10MB..200MB"), or a single one, which is both ends. NUCE_BAD_INPUT: read refuses one, or the
 * first is above the second. */
nuce_status nuce_range_parse(const char *text, nuce_quantity_read *read, struct nuce_range *out,
                             struct nuce_error *error);

#endif
