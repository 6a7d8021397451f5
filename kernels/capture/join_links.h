/* Inside join: links between nodes, and what becomes of the components. */
#ifndef NUCE_JOIN_LINKS_H
#define NUCE_JOIN_LINKS_H

#include "capture/join.h"

/* Unites what is one: sends with their receives, collective calls of all members. Sets
 * is_unmatched, is_mismatched and join->unmatched. */
void nuce_join_link(struct nuce_join *join);

/* Makes the parts of calls of the components, in any order. Parts of one call are then those of
 * which nuce_join_is_same says so. */
void nuce_join_divide(struct nuce_join *join, int epochs);

/* The root of the node's component, which is its first node. Shortens the way to it. */
int64_t nuce_join_root(struct nuce_join *join, int64_t node);

#endif
