/* Networks that the tests of mapping share. */
#ifndef NUCE_TEST_NETWORKS_H
#define NUCE_TEST_NETWORKS_H

#include <string.h>

#include "base/error.h"
#include "mapping/topology.h"

static inline struct nuce_topology parse_topology(const char *text)
{
    struct nuce_topology topology;
    struct nuce_error error;

    NUCE_ASSERT(nuce_topology_parse("test", text, strlen(text), &topology, &error) == NUCE_OK);
    return topology;
}

/* As in Figures 2 and 3 of the mapping paper: two switches that are linked, s2 and s3, at the same
 * level below different parents:
 *
 *       s0
 *      /  \
 *     s1   s4
 *     |    |
 *     s2 - s3
 *
 * From s0, s1 and s4 every switch is within two links, from s2 and s3 too: s0 is the root. */
static const char pentagon[] = "switch s0 s1\nswitch s1 s2\nswitch s2 s3\nswitch s3 s4\n"
                               "switch s4 s0\n"
                               "node a s0\nnode b s1\nnode c s2\nnode d s3\nnode e s4\n";

#endif
