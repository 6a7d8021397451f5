/* credits: receivers grant one sender at a time, in the order in which the senders are ready.
 *
 * Problem: avoid contention at the receiver without a schedule. Nothing is computed and no rank
 * needs the whole pattern.
 * Steps: a sender notifies all its receivers that it is ready. A receiver with a free place (it has
 * `depth` of them, 1 by default) posts the receive for the first ready sender and grants it. A
 * sender sends on a grant, up to `depth` messages at a time, in the order of the grants.
 * Cost: two messages without bytes for each message of the pattern. Each message waits for the
 * second: at depth 1 it costs at least 2 tau + m phi. No scheduling.
 * Limits: a granted sender that is still busy with another receiver keeps the receiver's place. A
 * receiver knows the sizes and could choose the longest first. On test set 2 with 8 ranks on 2
 * processors that showed no difference from first come, first served.
 * Source: credits as in flow control: Kung, Blackwell and Chapman, "Credit-based flow control for
 * ATM networks", SIGCOMM 1994; a receiver's credit here is a place for one message. */
#include "base/int.h"
#include "schedules/plain.h"

static void credits_fill(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder)
{
    builder->depth = nuce_int(input->tuning->in_flight);
    nuce_schedule_all_at_once(input, builder);
}

const struct nuce_schedule_ops nuce_schedule_credits = {
    .name = "credits",
    .label = "receiver credits",
    .summary = "no schedule: receivers grant in-flight senders at a time, first come first served",
    .source = "Kung, Blackwell and Chapman, SIGCOMM 1994: credit-based flow control",
    .executor = "credits",
    .discipline = NUCE_DYNAMIC,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .concern = NUCE_CONCERN_OWN,
    .fill = credits_fill,
};
