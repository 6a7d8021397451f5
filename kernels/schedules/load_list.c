/* load-list: the busiest pair first, whenever a sender and a receiver are idle.
 *
 * Problem: end the whole exchange early if messages, and the costs of a byte, differ.
 * Steps: whenever a sender and a receiver that still have a message for each other are both idle,
 * start the pair with the largest remaining load (row rest + column rest); of equal ones the longer
 * message. Messages to oneself need no wire and go first.
 * Cost: to build, that of list_schedule.h. To run, at most twice the single-port bound; within 1.03
 * of it on test sets 1 and 2 with large messages.
 * Limits: a startup counts only as part of a message's cost. With tiny messages the number of
 * phases matters, which colouring minimises.
 * Source: list schedules of open shops; papers/ALGORITHMS.md, redistribution ("load list"). */
#include "schedules/list_schedule.h"

static void load_list_fill(const struct nuce_schedule_input *input,
                           struct nuce_schedule_builder *builder)
{
    nuce_list_schedule(input, NUCE_SHOP_LOAD, builder);
}

const struct nuce_schedule_ops nuce_schedule_load_list = {
    .name = "load-list",
    .label = "largest load first",
    .summary = "whenever two ports are idle, the pair with the largest remaining load",
    .source = "open-shop list schedule, largest remaining load first",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .fill = load_list_fill,
};
