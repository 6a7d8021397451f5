/* The rules of schedules that forward (nuce_schedule_validate). */
#ifndef NUCE_VALIDATE_FORWARD_H
#define NUCE_VALIDATE_FORWARD_H

#include "schedules/schedule.h"

/* Follows every message of pattern from rank to rank; its lists have been checked. NUCE_CORRUPT:
 * one is sent from where it is not, or in the phase in which it came there, changes its length,
 * ends elsewhere than at its destination, or is none of pattern; or parcels are longer than what
 * carries them. O(pieces + parcels log messages). */
nuce_status nuce_validate_forwarding(const struct nuce_schedule *schedule,
                                     const struct nuce_pattern *pattern, struct nuce_error *error);

#endif
