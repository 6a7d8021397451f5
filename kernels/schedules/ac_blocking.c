/* AC with blocking sends: what asynchronous communication was on a machine whose sends wait.
 *
 * Problem: deliver a pattern without computing anything, where a send returns when the receiver has
 * the message.
 * Steps: each rank posts all its receives; then it sends its messages one at a time in ascending
 * order of the destination, each as a synchronous send that ends before the next begins.
 * Cost: to build, O(messages). To run, as the model `fifo`: each receiver takes its senders in the
 * order of their arrival, and a sender whose receiver is busy stands still, though others of its
 * receivers may be idle. That loss, not contention for bandwidth, is what phases avoid.
 * Limits: a contender that shows where the papers' gain came from; nobody has to send so today.
 * Source: Ranka, Wang and Kumar, section 4, figure 6, as their Tables 5 to 7 read on a CM-5: the
 * model has 87.6 ms for their 89.0 (32 nodes, d = 8, 1 KB), where nonblocking sends take half. */
#include <stddef.h>

#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_ac_blocking = {
    .name = "ac-blocking",
    .summary = "post every receive, then send one message at a time and wait for each",
    .source = "Ranka, Wang and Kumar, section 4, with sends that block",
    .discipline = NUCE_BLOCKING,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
