/* The network's losses, as the kernel counts them. */
#ifndef NUCE_RESENT_H
#define NUCE_RESENT_H

#include <stdint.h>

#define NUCE_RESENT_COUNTERS "/proc/net/snmp"

/* TCP segments that this node has retransmitted since it was started: RetransSegs of the
 * counters at path. NUCE_RESENT_COUNTERS has those of the network namespace. -1: the counters
 * lack it. Data sent by other means than the kernel's TCP is excluded. Source: RFC 4022, RFC
 * 2011. */
int64_t nuce_resent_segments(const char *path);

#endif
