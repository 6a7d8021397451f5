/* List schedules of an open shop: no sender waits while a receiver that it has a message for is
 * idle. */
#ifndef NUCE_LIST_SCHEDULE_H
#define NUCE_LIST_SCHEDULE_H

#include "schedules/open_shop.h"

/* Whenever ports are idle their messages start in that order; messages to oneself first. Streams of
 * tuning->depth. */
void nuce_list_schedule(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                        struct nuce_schedule_builder *builder);

#endif
