/* COM, a row on each rank (Ranka, Wang and Kumar, section 5). */
#ifndef NUCE_COM_H
#define NUCE_COM_H

#include "programs/session.h"
#include "schedules/pattern.h"

/* *out: what this rank sends under params, in bytes: a pattern of all ranks that has at least its
 * row. What can only be drawn or read whole is so by one rank of each node, which hands out the
 * rows. Collective; all ranks return the same status. Freed with nuce_pattern_fini. */
nuce_status nuce_com_create(struct nuce_session *session, const struct nuce_exchange_params *params,
                            struct nuce_pattern *out, struct nuce_error *error);

#endif
