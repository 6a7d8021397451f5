/* A capture as columns of numbers. Numbers are made small before they are written: differences to
 * what stands before, counts less what they are at least, and nothing that follows from the
 * rest.
 *
 * Each kind of number has a column of its own, of which a packer finds the repetitions
 * (capture_file.c). O(messages + calls + members) time; columns grow as they are written, and one
 * that could not is told of by the wire, which is asked at the end. Times of patterns are rounded
 * to NUCE_CONTENT_TIME_DIGITS digits, arrivals to NUCE_CONTENT_ARRIVAL_DIGITS; all other numbers
 * stand in full. */
#include "base/int.h"
#include "capture/content.h"

static int64_t code_of(double ns)
{
    return nuce_capture_rounded_code(ns, NUCE_CONTENT_TIME_DIGITS);
}

static int class_of(int64_t code)
{
    return nuce_capture_times_class(
        (int64_t)nuce_capture_rounded_time(code, NUCE_CONTENT_TIME_DIGITS));
}

/* The classes of all times but the least and the most, which follow. Rounding may have put an
 * extreme into the class beside its own: then what is beyond it is counted in its class. */
static void put_classes(struct nuce_wire column[6], const struct nuce_capture_times *times)
{
    int low = class_of(code_of((double)times->least)), last = low;
    int high = class_of(code_of((double)times->most));
    int64_t count = 0;

    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++) {
        count += times->classes[i] - (i == nuce_capture_times_class(times->least)) -
                 (i == nuce_capture_times_class(times->most));
        if (count == 0 || i < low || (i >= high && i < NUCE_CAPTURE_CLASSES - 1))
            continue;
        nuce_wire_put(&column[NUCE_TIMES_GAP], (i < high ? i : high) - last);
        nuce_wire_put(&column[NUCE_TIMES_OF_CLASS], count - 1);
        last = i < high ? i : high;
        count = 0;
    }
}

/* What follows from the number of times and their extremes is left out: the mean of one or two, and
 * their classes. */
static void put_times(struct nuce_wire column[6], const struct nuce_capture_times *times,
                      int64_t calls)
{
    int64_t least = code_of((double)times->least), most = code_of((double)times->most), mean;
    int is_without = times->count > 2 && times->classes == NULL;

    nuce_wire_put(&column[NUCE_TIMES_COUNT], 2 * (calls - times->count) + is_without);
    if (times->count == 0)
        return;
    nuce_wire_put(&column[NUCE_TIMES_LEAST], least);
    if (times->count > 1)
        nuce_wire_put(&column[NUCE_TIMES_MOST], most - least);
    if (times->count <= 2)
        return;
    mean = code_of(nuce_capture_times_mean(times)); /* the sum is a double, and is rounded too */
    nuce_wire_put(&column[NUCE_TIMES_MEAN], mean < least ? 0 : (mean > most ? most : mean) - least);
    if (!is_without)
        put_classes(column, times);
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

/* Mean arrivals, and those of the calls that are kept, of one member side by side. */
static void put_arrivals(struct nuce_wire column[NUCE_COLUMNS],
                         const struct nuce_capture_pattern *pattern, int size)
{
    int is_known = pattern->arrival_ns != NULL && pattern->skew.count > 0;

    for (int i = 0; is_known && i < size; i++)
        nuce_wire_put(
            &column[NUCE_COLUMN_ARRIVAL],
            nuce_capture_rounded_code(pattern->arrival_ns[i], NUCE_CONTENT_ARRIVAL_DIGITS));
    nuce_wire_put(&column[NUCE_COLUMN_KEPT], is_known ? 1 + pattern->kept : 0);
    for (int i = 0; i < size; i++) {
        for (int64_t call = 0; call < pattern->kept; call++)
            nuce_wire_put(&column[NUCE_COLUMN_KEPT_CLASS], pattern->kept_class[call * size + i]);
    }
}

/* Sizes are mostly multiples of a datatype's: in units of it they take one byte instead of two. */
static void put_bytes(struct nuce_wire column[NUCE_COLUMNS],
                      const struct nuce_capture_pattern *pattern, int64_t messages)
{
    int64_t unit = 0, before = 0;

    if (messages == 0)
        return;
    for (int64_t i = 0; i < messages; i++)
        unit = nuce_int_common_divisor(unit, pattern->bytes[i]);
    unit += unit == 0; /* all are 0 */
    nuce_wire_put(&column[NUCE_COLUMN_UNIT], unit);
    for (int64_t i = 0; i < messages; i++) {
        nuce_wire_put_signed(&column[NUCE_COLUMN_BYTES], pattern->bytes[i] / unit - before);
        before = pattern->bytes[i] / unit;
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
    put_bytes(column, pattern, capture->topology[pattern->topology].messages);
    put_times(&column[NUCE_COLUMN_DURATION], &pattern->duration, pattern->calls);
    put_times(&column[NUCE_COLUMN_SKEW], &pattern->skew, pattern->calls);
    nuce_wire_put(&column[NUCE_COLUMN_RANK_TIME], code_of(pattern->rank_ns));
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

/* The order is the file's format, and content_get.c reads in the same. */
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
    /* A host that is not known is -1, and becomes 0: numbers are not negative. */
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
