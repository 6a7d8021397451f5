/* Inside join: links between nodes, and what becomes of the components. */
#ifndef NUCE_JOIN_LINKS_H
#define NUCE_JOIN_LINKS_H

#include "capture/join.h"

/* Puts together what is one: sends with their receives, collective calls of all members. */
nuce_status nuce_join_link(struct nuce_join *join, struct nuce_error *error);

/* Makes the parts of calls of the components. */
nuce_status nuce_join_divide(struct nuce_join *join, int epochs, struct nuce_error *error);

/* The first node of the component. */
int64_t nuce_join_root(struct nuce_join *join, int64_t node);

#endif
