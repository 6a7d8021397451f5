/* Where and when a network was measured, without the rest of its file. */
#ifndef NUCE_NETWORK_ORIGIN_H
#define NUCE_NETWORK_ORIGIN_H

#include "schedules/network.h"

/* As nuce_network_parse, but looks only at the lines `ranks`, `host` and `measured`: the network
 * has no pairs. */
nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error);

#endif
