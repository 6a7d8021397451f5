/* A capture as columns of numbers. Numbers are made small before they are written: differences to
 * what stands before, counts less what they are at least, and nothing that follows from the
 * rest. */
#include "capture/content.h"

/* What follows from the number of times and their extremes is left out: of two times the sum is
 * that of least and most; of more, the sum of the others is written above (count - 2) times the
 * least. Classes are written as gaps, without those of the two extremes. */
static void put_times(struct nuce_wire column[6], const struct nuce_capture_times *times,
                      int64_t calls)
{
    int64_t others = times->count - 2, sum;
    int low, high, last;

    nuce_wire_put(&column[NUCE_TIMES_COUNT], calls - times->count);
    if (times->count == 0)
        return;
    nuce_wire_put(&column[NUCE_TIMES_LEAST], times->least);
    if (others < 0)
        return;
    nuce_wire_put(&column[NUCE_TIMES_SPAN], times->most - times->least);
    if (others == 0)
        return;
    sum = (int64_t)times->sum - times->most - (1 + others) * times->least;
    nuce_wire_put(&column[NUCE_TIMES_SUM], sum < 0 ? 0 : sum); /* a double's rounding */
    low = last = nuce_capture_times_class(times->least);
    high = nuce_capture_times_class(times->most);
    for (int i = low; i <= high; i++) {
        int64_t count = times->classes[i] - (i == low) - (i == high);

        if (count == 0)
            continue;
        nuce_wire_put(&column[NUCE_TIMES_GAP], i - last);
        nuce_wire_put(&column[NUCE_TIMES_OF_CLASS], count - 1);
        last = i;
    }
}

static void put_communicator(struct nuce_wire *head,
                             const struct nuce_capture_communicator *communicator)
{
    nuce_wire_put(head, communicator->size);
    nuce_wire_put(head, communicator->ordinal);
    for (int i = 0; i < communicator->size; i++)
        nuce_wire_put_signed(head,
                             communicator->members[i] - (i > 0 ? communicator->members[i - 1] : 0));
}

static void put_topology(struct nuce_wire *head, const struct nuce_capture_topology *topology)
{
    nuce_wire_put(head, topology->messages);
    for (int64_t i = 0; i < topology->messages; i++) {
        nuce_wire_put(head, topology->source[i] - (i > 0 ? topology->source[i - 1] : 0));
        nuce_wire_put_signed(head, topology->destination[i] - topology->source[i]);
    }
}

/* Arrivals of the calls that are kept, those of one member side by side. */
static void put_arrivals(struct nuce_wire column[NUCE_COLUMNS],
                         const struct nuce_capture_pattern *pattern, int size)
{
    for (int i = 0; i < size; i++)
        nuce_wire_put(&column[NUCE_COLUMN_ARRIVAL], (int64_t)pattern->arrival_ns[i]);
    nuce_wire_put(&column[NUCE_COLUMN_KEPT], pattern->kept);
    for (int i = 0; i < size; i++) {
        for (int64_t call = 0; call < pattern->kept; call++)
            nuce_wire_put(&column[NUCE_COLUMN_KEPT_CLASS], pattern->kept_class[call * size + i]);
    }
}

static void put_pattern(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture,
                        const struct nuce_capture_pattern *pattern)
{
    nuce_wire_put(&column[NUCE_COLUMN_QUALITY], pattern->quality);
    nuce_wire_put(&column[NUCE_COLUMN_COMMUNICATOR], pattern->communicator);
    nuce_wire_put(&column[NUCE_COLUMN_TOPOLOGY], pattern->topology);
    nuce_wire_put(&column[NUCE_COLUMN_MOVED], pattern->moved);
    nuce_wire_put(&column[NUCE_COLUMN_CALLS], pattern->calls);
    for (int64_t i = 0; i < capture->topology[pattern->topology].messages; i++)
        nuce_wire_put_signed(&column[NUCE_COLUMN_BYTES],
                             pattern->bytes[i] - (i > 0 ? pattern->bytes[i - 1] : 0));
    put_times(&column[NUCE_COLUMN_DURATION], &pattern->duration, pattern->calls);
    put_times(&column[NUCE_COLUMN_SKEW], &pattern->skew, pattern->calls);
    nuce_wire_put_signed(&column[NUCE_COLUMN_RANK_TIME],
                         (int64_t)pattern->rank_ns - (int64_t)pattern->duration.sum);
    put_arrivals(column, pattern, capture->communicator[pattern->communicator].size);
}

static void put_sequence(struct nuce_wire column[NUCE_COLUMNS],
                         const struct nuce_capture_sequence *sequence)
{
    nuce_wire_put(&column[NUCE_COLUMN_RUN], sequence->runs);
    for (int64_t i = 0; i < sequence->runs; i++) {
        nuce_wire_put(&column[NUCE_COLUMN_RUN], sequence->run[i].length);
        nuce_wire_put(&column[NUCE_COLUMN_TIMES], sequence->run[i].times - 1);
    }
    for (int64_t i = 0; i < sequence->patterns; i++)
        nuce_wire_put(&column[NUCE_COLUMN_PATTERN], sequence->pattern[i]);
}

/* Stamps of a sequence of `size` members, one member after the other. A duration is written plus 2;
 * 0: the member had no part in the call, and no start is written; 1: it was not seen to end. */
static void put_stamps(struct nuce_wire column[NUCE_COLUMNS],
                       const struct nuce_capture_sequence *sequence, int size)
{
    for (int i = 0; sequence->stamp != NULL && i < size; i++) {
        int64_t before = 0;

        for (int64_t call = 0; call < sequence->count; call++) {
            const struct nuce_capture_stamp *stamp = &sequence->stamp[call * size + i];

            nuce_wire_put(&column[NUCE_COLUMN_STAMP_DURATION],
                          stamp->start_ns < 0 ? 0 : stamp->duration_ns + 2);
            if (stamp->start_ns < 0)
                continue;
            nuce_wire_put_signed(&column[NUCE_COLUMN_STAMP_START], stamp->start_ns - before);
            before = stamp->start_ns;
        }
    }
}

/* The names of the kinds that there are, in the order in which patterns have them, and of each
 * pattern the place of its kind's name: numbers may be others in a later nuce. */
static void put_kinds(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture)
{
    int place[NUCE_RAW_KINDS_END] = {0}, count = 0;

    for (int i = 0; i < capture->patterns; i++) {
        int kind = capture->pattern[i].kind;

        if (place[kind] == 0) {
            nuce_wire_put_text(&column[NUCE_COLUMN_KIND_NAME], nuce_raw_kind_name(kind));
            place[kind] = ++count;
        }
        nuce_wire_put(&column[NUCE_COLUMN_KIND], place[kind] - 1);
    }
}

static void put_head(struct nuce_wire *head, const struct nuce_capture *capture)
{
    nuce_wire_put_text(head, capture->library);
    nuce_wire_put_text(head, capture->program);
    nuce_wire_put_text(head, capture->origin);
    nuce_wire_put(head, capture->ranks);
    nuce_wire_put(head, capture->found);
    for (int i = 0; i < 3; i++)
        nuce_wire_put(head, capture->endings[i]);
    nuce_wire_put(head, capture->hosts);
    for (int i = 0; i < capture->hosts; i++)
        nuce_wire_put_text(head, capture->host[i]);
    for (int i = 0; i < capture->ranks; i++)
        nuce_wire_put(head, capture->host_of[i] + 1);
    nuce_wire_put(head, capture->clock_error_ns);
    nuce_wire_put(head, capture->elapsed_ns);
    nuce_wire_put(head, (int64_t)capture->all_ranks_ns);
    nuce_wire_put(head, NUCE_RAW_COUNTERS);
    for (int i = 0; i < NUCE_RAW_COUNTERS; i++)
        nuce_wire_put(head, capture->counters[i]);
    nuce_wire_put(head, capture->unmatched);
    nuce_wire_put(head, capture->cut_files);
    nuce_wire_put(head, capture->has_stamps);
}

void nuce_capture_put(const struct nuce_capture *capture, struct nuce_wire column[NUCE_COLUMNS])
{
    struct nuce_wire *head = &column[NUCE_COLUMN_HEAD];

    put_head(head, capture);
    nuce_wire_put(head, capture->communicators);
    for (int i = 0; i < capture->communicators; i++)
        put_communicator(head, &capture->communicator[i]);
    nuce_wire_put(head, capture->topologies);
    for (int i = 0; i < capture->topologies; i++)
        put_topology(head, &capture->topology[i]);
    nuce_wire_put(head, capture->patterns);
    put_kinds(column, capture);
    for (int i = 0; i < capture->patterns; i++)
        put_pattern(column, capture, &capture->pattern[i]);
    for (int i = 0; i < capture->communicators; i++)
        put_sequence(column, &capture->sequence[i]);
    for (int i = 0; i < capture->communicators; i++)
        put_stamps(column, &capture->sequence[i], capture->communicator[i].size);
}
