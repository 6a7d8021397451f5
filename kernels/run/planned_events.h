/* What the cost model says of each transfer of a schedule, as a record holds it. */
#ifndef NUCE_PLANNED_EVENTS_H
#define NUCE_PLANNED_EVENTS_H

#include <jansson.h>

#include "base/error.h"
#include "schedules/network.h"
#include "schedules/schedule.h"

/* The transfers on network as record.h says of "planned" (new reference); NULL where there is no
 * plan: what is posted all at once or decided while it runs was not planned, and more than `most`
 * events are not kept. Local; O(time of the model). */
json_t *nuce_planned_events(const struct nuce_schedule *schedule,
                            const struct nuce_network *network, int64_t most);

#endif
