/* What the network lost, as the kernel knows it. */
#ifndef NUCE_RESENT_H
#define NUCE_RESENT_H

#include <stdint.h>

#define NUCE_RESENT_COUNTERS "/proc/net/snmp"

/* TCP segments that this node has sent again since it was started: RetransSegs of the counters at
 * path, NUCE_RESENT_COUNTERS, which are those of the network namespace; -1: they do not tell. What
 * is sent in other ways than by the kernel's TCP is not among them. Source: RFC 4022, RFC 2011. */
int64_t nuce_resent_segments(const char *path);

#endif
