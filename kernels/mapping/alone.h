/* Nodes that are alone on their leaf: a node that is far from all others may be far, or slow. */
#ifndef NUCE_ALONE_H
#define NUCE_ALONE_H

/* Distances within a factor of this are alike. */
#define NUCE_ALONE_GAP 1.15

/* is_alone[i] becomes whether no other node is in the cluster of node i, cluster[i] being one of
 * its nodes, the same for all of them; returns how many there are. O(nodes). */
int nuce_alone_mark(const int *cluster, int nodes, unsigned char *is_alone);

/* Whether all nodes that are alone are far and not slow, by distance[], nodes x nodes
 * and symmetric, whose diagonal doesn't count.
 *   By startups: those of a slow node are longer to everyone, by what it is slow. Those of a far
 * one are, to whoever is farther than its nearest, as long as its nearest's. By bytes (is_byte): a
 * slow port can't be told from a slow link of its switch, but where links between other switches
 * are known and are as slow. is_alone as nuce_alone_mark has it. O(nodes^2). */
int nuce_alone_all_far(const double *distance, const int *cluster, const unsigned char *is_alone,
                       int nodes, int is_byte);

#endif
