/* AC with blocking sends: asynchronous communication as it was on a machine whose sends wait.
 *
 * Problem: deliver a pattern without computing anything, where a send returns when the receiver has
 * the message.
 * Steps: each rank posts all its receives. Then it sends its messages one at a time in ascending
 * order of the destination, each as a synchronous send that ends before the next begins.
 * Cost: to build, O(messages). To run, as the model `fifo`: each receiver takes its senders in the
 * order of their arrival. A sender whose receiver is busy waits, though others of its receivers may
 * be idle. The phases avoid that loss, not contention for bandwidth.
 * Limits: a contender that shows the origin of the papers' gain; programs today need not send so.
 * Source: Ranka, Wang and Kumar, section 4, figure 6, as their Tables 5 to 7 read on a CM-5: the
 * model has 87.6 ms for their 89.0 (32 nodes, d = 8, 1 KB), where nonblocking sends take half. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_ac_blocking = {
    .name = "ac-blocking",
    .label = "one send at a time",
    .summary = "post every receive, then send one message at a time and wait for each",
    .source = "Ranka, Wang and Kumar, section 4, with sends that block",
    .discipline = NUCE_BLOCKING,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_all_at_once,
};
