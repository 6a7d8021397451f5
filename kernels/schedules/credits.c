/* credits: receivers grant one sender at a time, in the order in which they are ready.
 *
 * Problem: contention at the receiver without a schedule: nothing is computed and nobody needs to
 * know the whole pattern.
 * Steps: a sender tells all its receivers that it is ready; a receiver with a free place (it has
 * `depth` of them, 1 unless told) posts the receive for whoever came first and grants it; a sender
 * sends on a grant, up to `depth` messages at a time, in the order of the grants.
 * Cost: two messages without bytes for each of the pattern's, of which the second is on the way of
 * every message: at depth 1 a message costs 2 tau + m phi at least. No scheduling.
 * Limits: a granted sender that is still busy with another receiver keeps the receiver's place.
 * The longest first, which a receiver could choose since it knows the sizes, was tried on test set
 * 2 with 8 ranks on 2 processors: no difference from first come, first served could be told there.
 * Source: credits as in flow control: Kung, Blackwell and Chapman, "Credit-based flow control for
 * ATM networks", SIGCOMM 1994; a receiver's credit here is a place for one message. */
#include <stddef.h>

#include "base/int.h"
#include "schedules/plain.h"

static void credits_fill(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder)
{
    builder->depth = nuce_int(input->tuning->depth);
    nuce_schedule_all_at_once(input, builder);
}

const struct nuce_schedule_ops nuce_schedule_credits = {
    .name = "credits",
    .summary =
        "no schedule: receivers grant up to depth senders at a time, first come first served",
    .source = "Kung, Blackwell and Chapman, SIGCOMM 1994: credit-based flow control",
    .executor = "credits",
    .discipline = NUCE_DYNAMIC,
    .uses = NUCE_USES_DEPTH,
    .concern = NUCE_CONCERN_OWN,
    .fill = credits_fill,
};
