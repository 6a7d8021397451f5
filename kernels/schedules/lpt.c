/* lpt: the longest message first, whenever a sender and a receiver are idle.
 *
 * Problem: end the whole exchange early if messages, and the costs of a byte, differ.
 * Steps: whenever a sender and a receiver that still have a message for each other are both idle,
 * start the longest such message. Messages to oneself need no wire and go first.
 * Cost: to build, that of list_schedule.h. To run, no port is idle while it could work, so at most
 * twice the single-port bound.
 * Limits: a port with many short messages is served late.
 * Source: list schedules of open shops; papers/ALGORITHMS.md, redistribution. */
#include "schedules/list_schedule.h"

static void lpt_fill(const struct nuce_schedule_input *input, struct nuce_schedule_builder *builder)
{
    nuce_list_schedule(input, NUCE_SHOP_LONGEST, builder);
}

const struct nuce_schedule_ops nuce_schedule_lpt = {
    .name = "lpt",
    .label = "longest message first",
    .summary = "whenever two ports are idle, the longest message between such",
    .source = "open-shop list schedule, longest processing time first",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .fill = lpt_fill,
};
