/* The results of patterns and schedules: their rows, and the values.
 *
 * A new result is a row here and the call that sets it: records, the database, the programs' output
 * and --help use the tables (base/result.h). Names never change their meaning, because old records
 * use them. */
#include "schedules/schedule_results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* clang-format off */
const struct nuce_result nuce_pattern_results[] = {
    {"messages", NUCE_INTEGER, "", "messages of the pattern", "messages", 0},
    {"bytes", NUCE_INTEGER, NUCE_UNIT_BYTES, "bytes of all messages of the pattern", "bytes", 0},
    {"self_messages", NUCE_INTEGER, "", "messages of ranks to themselves", NULL, 0},
    {"self_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES, "bytes of messages of ranks to themselves", NULL, 0},
    {"longest_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES, "bytes of the longest message", NULL, 0},
    {"port_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES,
     "bytes through the busiest port: largest row or column sum", "bound: bytes", 0},
    {"pattern_sha256", NUCE_TEXT, "",
     "SHA-256 of the pattern as a COM file: the number of ranks, then lines 'source destination "
     "bytes'", NULL, 0},
    {"pattern_fingerprint", NUCE_TEXT, "",
     "fingerprint of the pattern, 16 hexadecimal digits, by which tuning files name it", NULL, 0},
    {"max_degree", NUCE_INTEGER, "", "most messages of a rank in one direction", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

/* clang-format off */
const struct nuce_result nuce_schedule_results[] = {
    {"phases", NUCE_INTEGER, "", "phases of the schedule", "phases", 0},
    {"pieces", NUCE_INTEGER, "", "pieces sent by all ranks in one step", NULL, 0},
    {"in_flight_taken", NUCE_INTEGER, "",
     "pieces that a rank has in flight in each direction; of a blocking schedule, those sent", NULL, 0},
    {"forwarded_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES,
     "bytes sent beyond those of the pattern, by forwarding and padding; absent if executed as ac",
     NULL, 0},
    {"choice", NUCE_TEXT, "", "candidate that the algorithm chose", NULL, 0},
    {"heap_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of building heaps, part of schedule_s", NULL, NUCE_RESULT_COMPUTATION},
    {"sort_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of sorting rows, part of schedule_s", NULL, NUCE_RESULT_COMPUTATION},
    {"heap_operations", NUCE_INTEGER, "", "insertions into and removals from heaps", NULL, 0},
    {"gather_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of distributing COM, once: all of it to one rank per node, or to each rank its own "
     "part if that suffices",
     NULL, 0},
    {"compress_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "processor time of making COM sparse, sequentially, if all of it is needed", NULL,
     NUCE_RESULT_COMPUTATION},
    {"hand_out_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of giving each rank its share of a schedule that one rank of its node made of all "
     "messages", NULL, 0},
    {"plan_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES,
     "memory for messages and schedule of a rank, largest over ranks", NULL, 0},
    {"whole_bytes", NUCE_INTEGER, NUCE_UNIT_BYTES,
     "memory for all messages and their schedule, or the node's part, once per node, during the "
     "distribution of shares",
     NULL, 0},
    {.name = NULL},
};
/* clang-format on */

void nuce_pattern_describe_content(const struct nuce_pattern *pattern, struct nuce_metrics *found)
{
    char hex[NUCE_HASH_BYTES];

    nuce_pattern_hash(pattern, hex);
    nuce_metrics_text(found, "pattern_sha256", hex);
}

void nuce_pattern_describe(const struct nuce_pattern_summary *summary, struct nuce_metrics *found)
{
    char fingerprint[17];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, (uint64_t)summary->fingerprint);
    nuce_metrics_text(found, "pattern_fingerprint", fingerprint);
    nuce_metrics_integer(found, "messages", summary->messages);
    nuce_metrics_integer(found, "bytes", summary->bytes);
    nuce_metrics_integer(found, "self_messages", summary->self_messages);
    nuce_metrics_integer(found, "self_bytes", summary->self_bytes);
    nuce_metrics_integer(found, "longest_bytes", summary->largest);
    nuce_metrics_integer(found, "port_bytes", summary->busiest_port);
    nuce_metrics_integer(found, "max_degree", summary->degree);
}

struct nuce_schedule_totals nuce_schedule_total(const struct nuce_schedule *schedule, int first,
                                                int end)
{
    struct nuce_schedule_totals totals = {.pieces = schedule->send_start[end] -
                                                    schedule->send_start[first]};

    /* A message's source sends each of its bytes once; the other sends are forwarded bytes. */
    for (int i = first; schedule->loads != NULL && i < end; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_load *load = &schedule->loads[k];

            totals.forwarded_bytes += schedule->sends[k].bytes;
            for (int64_t n = load->first; n < load->first + load->count; n++)
                totals.forwarded_bytes -=
                    schedule->parcels[n].source == i ? schedule->parcels[n].bytes : 0;
        }
    }
    return totals;
}

/* Results that the discipline does not have are not set, and NaN is not stored (base/result.h). */
void nuce_schedule_describe(const struct nuce_schedule *schedule,
                            const struct nuce_schedule_totals *totals, struct nuce_metrics *found)
{
    nuce_metrics_integer(found, "phases", schedule->phases);
    nuce_metrics_integer(found, "pieces", totals->pieces);
    if (schedule->discipline == NUCE_STREAMS || schedule->discipline == NUCE_BLOCKING)
        nuce_metrics_integer(found, "in_flight_taken", schedule->depth);
    if (schedule->discipline == NUCE_FORWARD)
        nuce_metrics_integer(found, "forwarded_bytes", totals->forwarded_bytes);
    if (schedule->candidates > 0)
        nuce_metrics_text(found, "choice", schedule->candidate[schedule->chosen].name);
    nuce_metrics_real(found, "heap_s", schedule->costs.heap_s);
    nuce_metrics_real(found, "sort_s", schedule->costs.sort_s);
    if (!isnan(schedule->costs.heap_s))
        nuce_metrics_integer(found, "heap_operations", schedule->costs.heap_operations);
}

int64_t nuce_pattern_memory(const struct nuce_pattern *pattern)
{
    if (pattern->row == NULL)
        return 0;
    return ((int64_t)pattern->ranks + 1) * (int64_t)sizeof *pattern->row +
           pattern->messages * (int64_t)(sizeof *pattern->destination + sizeof *pattern->bytes);
}

int64_t nuce_schedule_memory(const struct nuce_schedule *schedule)
{
    int64_t bytes;

    if (schedule->send_start == NULL)
        return 0;
    bytes =
        2 * ((int64_t)schedule->ranks + 1) * (int64_t)sizeof *schedule->send_start +
        schedule->pieces * (int64_t)(2 * sizeof *schedule->sends + sizeof *schedule->receive_of);
    if (schedule->loads == NULL)
        return bytes;
    bytes += schedule->pieces * (int64_t)sizeof *schedule->loads;
    for (int64_t k = 0; k < schedule->pieces; k++)
        bytes += schedule->loads[k].count * (int64_t)sizeof *schedule->parcels;
    return bytes;
}
