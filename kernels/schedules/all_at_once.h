/* What algorithms have in common that leave the order to the machine or the library. */
#ifndef NUCE_ALL_AT_ONCE_H
#define NUCE_ALL_AT_ONCE_H

#include "schedules/schedule.h"

/* Every message whole, in one phase, in the order of the pattern: by source, then destination. */
nuce_status nuce_schedule_all_at_once(const struct nuce_schedule_input *input,
                                      struct nuce_schedule_builder *builder,
                                      struct nuce_error *error);

/* The same of what is wanted (schedule.h), posted as ac posts it: for an algorithm of another
 * discipline that finds nothing to do by it. */
nuce_status nuce_schedule_as_ac(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error);

#endif
