/* The reference is the heuristic as it is printed, O(P K^2): each choice of a sender and of a
 * receiver looks at all that there are. It finds the order alone and makes no schedule of it. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedule_case.h"
#include "schedules/network.h"

struct scan {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    double *sender, *receiver; /* ranks: when each is available */
    int64_t *left;             /* ranks: the messages of a row that are left are its first */
    int64_t *order;            /* messages: by row, those that are left first */
};

static void fini(struct scan *scan)
{
    free(scan->sender);
    free(scan->receiver);
    free(scan->left);
    free(scan->order);
}

static void init(struct scan *scan)
{
    const struct nuce_pattern *pattern = scan->pattern;

    scan->sender = nuce_allocate(pattern->ranks, sizeof *scan->sender);
    scan->receiver = nuce_allocate(pattern->ranks, sizeof *scan->receiver);
    scan->left = nuce_allocate(pattern->ranks, sizeof *scan->left);
    scan->order = nuce_allocate(pattern->messages, sizeof *scan->order);
    for (int i = 0; i < pattern->ranks; i++)
        scan->left[i] = pattern->row[i + 1] - pattern->row[i];
    for (int64_t k = 0; k < pattern->messages; k++)
        scan->order[k] = k;
}

/* The sender that is available first, or -1: all is sent. */
static int first_sender(const struct scan *scan)
{
    int best = -1;

    for (int i = 0; i < scan->pattern->ranks; i++) {
        if (scan->left[i] > 0 && (best < 0 || scan->sender[i] < scan->sender[best]))
            best = i;
    }
    return best;
}

/* Takes the message of sender i whose receiver is available first. */
static int64_t take_first(struct scan *scan, int i)
{
    int64_t *row = scan->order + scan->pattern->row[i], best = 0, taken;
    const int *destination = scan->pattern->destination;

    for (int64_t place = 1; place < scan->left[i]; place++) {
        int a = destination[row[place]], b = destination[row[best]];

        if (scan->receiver[a] < scan->receiver[b] ||
            (scan->receiver[a] <= scan->receiver[b] && a < b))
            best = place;
    }
    taken = row[best];
    row[best] = row[--scan->left[i]];
    return taken;
}

static nuce_status run_scan(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;
    struct nuce_network network;
    struct scan scan = {.pattern = &what->pattern, .network = &network};

    if (nuce_network_preset("cm5", what->pattern.ranks, &network, error) != NUCE_OK)
        return error->status;
    init(&scan);
    for (int i; (i = first_sender(&scan)) >= 0;) {
        int64_t k = take_first(&scan, i);
        int j = what->pattern.destination[k];
        double start = scan.receiver[j] > scan.sender[i] ? scan.receiver[j] : scan.sender[i];

        scan.sender[i] = scan.receiver[j] =
            start + nuce_network_seconds(&network, i, j, what->pattern.bytes[k]);
    }
    fini(&scan);
    return NUCE_OK;
}

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    return nuce_schedule_case_prepare("greedy", 1024, 1023, out, error);
}

const struct nuce_bench nuce_bench_greedy_scan = {
    .name = "greedy-scan",
    .summary = "schedule of greedy, 1024 ranks, d = 1023",
    .reference = "its order by plain scans, O(P K^2)",
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_schedule_case_ours,
    .run_reference = run_scan,
    .destroy = nuce_schedule_case_destroy,
};
