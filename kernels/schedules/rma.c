/* rma: MPI_Put into windows over the receive buffers, between post and wait.
 *
 * Problem: an exchange without matching: senders write the bytes to their final place.
 * Steps: once, the window, and the place of each message in the receiver's buffer, from the
 * pattern. Then each exchange: post to the sources, start to the destinations, a put for each
 * message, complete, wait (post-start-complete-wait: PSCW).
 * Cost: one put per message, and two notices between any two partners in place of the matching. A
 * fence, the alternative to PSCW, makes all ranks wait for all, and has no form that waits outside
 * the library.
 * Limits: all ranks make the window together. If ranks share processors, senders wait for their
 * receivers' post with a message of our own, because MPI_Win_start may block for it.
 * MPI_Win_complete blocks too, and has no other form: its time there is the scheduler's and not the
 * network's.
 * Source: MPI standard 3.1, section 11.5.2. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_rma = {
    .name = "rma",
    .label = "one-sided puts",
    .summary = "one-sided: MPI_Put between post, start, complete and wait; the library waits in "
               "complete: with more ranks than processors its times are the scheduler's",
    .source = "MPI standard 3.1, section 11.5.2",
    .executor = "rma",
    .discipline = NUCE_DYNAMIC,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
