/* A schedule's transfers at the times that the cost model gives them, as JSON of the form that
 * traced steps have, so that one picture shows both. */
#include "run/planned_events.h"

#include "schedules/execution.h"

/* One end of a transfer: [rank, direction, peer, phase, bytes, start, end], seconds from the
 * start. */
static void add_transfer(json_t *events, int rank, const char *direction,
                         const struct nuce_transfer *transfer, int64_t bytes, double start,
                         double end)
{
    json_array_append_new(events,
                          json_pack("[i, s, i, i, I, f, f]", rank, direction, transfer->peer,
                                    transfer->phase, (json_int_t)bytes, start, end));
}

/* What of send k of the rank are parts of others' messages. */
static int64_t forwarded_bytes(const struct nuce_schedule *schedule, int rank, int64_t k)
{
    const struct nuce_load *load = schedule->loads != NULL ? &schedule->loads[k] : NULL;
    int64_t bytes = 0;

    for (int64_t i = 0; load != NULL && i < load->count; i++) {
        const struct nuce_parcel *parcel = &schedule->parcels[load->first + i];

        bytes += parcel->source != rank ? parcel->bytes : 0;
    }
    return bytes;
}

/* A send and a receive for each piece, and for each send that forwards what it does. */
static int64_t count_events(const struct nuce_schedule *schedule)
{
    int64_t count = 2 * schedule->pieces;

    for (int i = 0; schedule->loads != NULL && i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            count += forwarded_bytes(schedule, i, k) > 0;
    }
    return count;
}

/* Whether they are too many is known before the model runs. Each piece is there twice, as a send
 * and as a receive, since the two ends need not be busy at the same time; a send also with what it
 * forwards. */
json_t *nuce_planned_events(const struct nuce_schedule *schedule,
                            const struct nuce_network *network, int64_t most)
{
    enum nuce_execution execution = nuce_execution_of(schedule, network);
    struct nuce_timing timing;
    json_t *events;

    if (!nuce_execution_predicts(schedule, execution) ||
        !nuce_execution_is_modelled(schedule, network) || count_events(schedule) > most)
        return NULL;
    nuce_execution_run(schedule, network, execution, &timing);
    events = json_array();
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];
            int64_t forwarded = forwarded_bytes(schedule, i, k);

            add_transfer(events, i, "send", send, send->bytes, timing.send_start[k],
                         timing.send_end[k]);
            if (forwarded > 0)
                add_transfer(events, i, "forward", send, forwarded, timing.send_start[k],
                             timing.send_end[k]);
        }
        for (int64_t k = schedule->receive_start[i]; k < schedule->receive_start[i + 1]; k++)
            add_transfer(events, i, "receive", &schedule->receives[k], schedule->receives[k].bytes,
                         timing.receive_start[k], timing.receive_end[k]);
    }
    nuce_timing_fini(&timing);
    return events;
}
