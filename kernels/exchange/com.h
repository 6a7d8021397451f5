/* COM, known to all ranks: each rank makes its own row, then the rows are concatenated (Ranka, Wang
 * and Kumar, section 5). */
#ifndef NUCE_COM_H
#define NUCE_COM_H

#include "exchange/session.h"
#include "schedules/pattern.h"

/* The pattern of params in bytes. *gather_s gets the seconds that the concatenation took, maximum
 * over ranks. Collective; all ranks return the same status. Free with nuce_pattern_fini. */
nuce_status nuce_com_create(struct nuce_session *session, const struct nuce_exchange_params *params,
                            struct nuce_pattern *out, double *gather_s, struct nuce_error *error);

#endif
