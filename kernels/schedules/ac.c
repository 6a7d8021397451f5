/* AC, asynchronous communication: no schedule at all, the baseline of the paper.
 *
 * Problem: deliver a pattern without computing anything.
 * Steps: each rank posts all its receives, starts all its sends in ascending order of the
 * destination, and waits for all.
 * Cost: to build, O(messages). To run, at best D tau + H phi, with D the most messages and H the
 * most bytes that one rank sends or receives. The other algorithms try to avoid contention at the
 * receivers; no model of phases gives its cost.
 * Limits: a rank with thousands of messages holds as many requests and as much unexpected data. A
 * rank's message to itself is one more send and receive.
 * Source: Ranka, Wang and Kumar, "Irregular personalized communication on distributed memory
 * machines", section 4, figure 6. */
#include "base/int.h"
#include "schedules/plain.h"

static void ac_fill(const struct nuce_schedule_input *input, struct nuce_schedule_builder *builder)
{
    if (input->tuning->in_flight > 0) {
        builder->discipline = NUCE_BLOCKING;
        builder->depth = nuce_int(input->tuning->in_flight);
    }
    nuce_schedule_all_at_once(input, builder);
}

const struct nuce_schedule_ops nuce_schedule_ac = {
    .name = "ac",
    .label = "post all",
    .summary = "post every receive and send at once, then wait",
    .source = "Ranka, Wang and Kumar, section 4",
    .discipline = NUCE_POST_ALL,
    .uses = NUCE_USES_IN_FLIGHT,
    .concern = NUCE_CONCERN_OWN,
    .fill = ac_fill,
};
