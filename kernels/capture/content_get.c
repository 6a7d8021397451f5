/* A capture from columns of numbers, any of which may be damaged or hostile. Three rules keep that
 * simple: a number is read with the least and the most that it can be; a column that is_bad goes on
 * with the least of everything and is asked after each pattern and at the end; and no array is made
 * larger than the bytes that are left in its column could fill, but for histograms, whose number is
 * bounded. So what is handed out is consistent, and reading is O(file), and of each pattern O(its
 * communicator). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "capture/builder.h"
#include "capture/content.h"

/* A message longer than 16 TiB is taken for damage: sums of half a million of them fit into
 * int64_t. */
#define MOST_BYTES ((int64_t)1 << 44)

/* Times of a file are at most 73 years, so that the sum of two of them is still an int64_t; those
 * of all ranks together may be longer. */
#define MOST_NS (INT64_MAX / 4)
#define MOST_CODE 30000 /* of three digits: 1e35 ns */

/* So that times all messages of a pattern they are still an int64_t. */
#define MOST_CALLS ((int64_t)1 << 40)

/* The classes of the times between the first and the last one. Each step takes at least one of them
 * or makes a column bad, so this ends. */
static void get_classes(struct nuce_wire column[6], struct nuce_capture_times *times)
{
    int at = nuce_capture_times_class(times->least), high = nuce_capture_times_class(times->most);
    int64_t left = times->count - 2;

    times->classes[at]++;
    times->classes[high]++;
    while (left > 0 && !column[NUCE_TIMES_OF_CLASS].is_bad && !column[NUCE_TIMES_GAP].is_bad) {
        int64_t count;

        at += (int)nuce_wire_get(&column[NUCE_TIMES_GAP], 0, high - at);
        count = 1 + nuce_wire_get(&column[NUCE_TIMES_OF_CLASS], 0, left - 1);
        times->classes[at] += count;
        left -= count;
    }
}

static double time_of(int64_t code)
{
    return nuce_capture_rounded_time(code, NUCE_CONTENT_TIME_DIGITS);
}

/* Their extremes and their sum, of at least one time. */
static void get_extremes(struct nuce_wire column[6], struct nuce_capture_times *times)
{
    int64_t last = nuce_capture_rounded_code((double)MOST_NS, NUCE_CONTENT_TIME_DIGITS);
    int64_t least = nuce_wire_get(&column[NUCE_TIMES_LEAST], 0, last), most = least, mean;

    if (times->count > 1)
        most += nuce_wire_get(&column[NUCE_TIMES_MOST], 0, last - least);
    times->least = (int64_t)time_of(least);
    times->most = (int64_t)time_of(most);
    times->sum = (double)times->least + (times->count > 1 ? (double)times->most : 0);
    if (times->count > 2) {
        mean = least + nuce_wire_get(&column[NUCE_TIMES_MEAN], 0, most - least);
        times->sum = (double)times->count * time_of(mean);
    }
}

/* Times as put_times writes them. `calls` bounds their number: some calls have no time. Classes
 * take more memory than their bytes in the file, so *histograms, how many there have been, is
 * bounded by what a writer keeps: each has a class at least. */
static void get_times(struct nuce_wire column[6], int64_t calls, struct nuce_capture_times *times,
                      int *histograms)
{
    int64_t code = nuce_wire_get(&column[NUCE_TIMES_COUNT], 0, 2 * calls + 1);
    int is_without = (int)(code % 2);

    times->count = calls - code / 2;
    column[NUCE_TIMES_COUNT].is_bad |= is_without && times->count <= 2;
    if (times->count == 0)
        return;
    get_extremes(column, times);
    if (is_without || times->count <= 2)
        return;
    if (++*histograms > NUCE_CAPTURE_MOST_KEPT_CLASSES) {
        column[NUCE_TIMES_COUNT].is_bad = 1;
        return;
    }
    times->classes = nuce_allocate(NUCE_CAPTURE_CLASSES, sizeof *times->classes);
    get_classes(column, times);
}

/* A new array of count elements, each of which takes a byte of the column at least; with more than
 * are left, the column is bad and the array is empty. */
static void *get_array(struct nuce_wire *wire, int64_t count, size_t size)
{
    if (count > wire->length - wire->at) {
        wire->is_bad = 1;
        count = 0;
    }
    return nuce_allocate(count, size);
}

/* What is known of the whole run. */
static void get_head(struct nuce_wire *head, struct nuce_capture *capture)
{
    nuce_wire_get_text(head, capture->library, sizeof capture->library);
    nuce_wire_get_text(head, capture->program, sizeof capture->program);
    nuce_wire_get_text(head, capture->origin, sizeof capture->origin);
    capture->ranks = (int)nuce_wire_get(head, 1, NUCE_RAW_MOST_RANKS);
    capture->found = (int)nuce_wire_get(head, 0, capture->ranks);
    for (int i = 0; i < 3; i++)
        capture->endings[i] = (int)nuce_wire_get(head, 0, capture->ranks);
    capture->hosts = (int)nuce_wire_get(head, 0, capture->ranks);
    capture->host = get_array(head, capture->hosts, sizeof *capture->host);
    capture->host_of = get_array(head, capture->ranks, sizeof *capture->host_of);
    for (int i = 0; i < capture->hosts && !head->is_bad; i++)
        nuce_wire_get_text(head, capture->host[i], sizeof capture->host[i]);
    for (int i = 0; i < capture->ranks && !head->is_bad; i++)
        capture->host_of[i] = (int)nuce_wire_get(head, 0, capture->hosts) - 1;
    capture->clock_error_ns = nuce_wire_get(head, 0, INT64_MAX);
    capture->elapsed_ns = nuce_wire_get(head, 0, INT64_MAX);
    capture->all_ranks_ns = (double)nuce_wire_get(head, 0, INT64_MAX);
    nuce_wire_get(head, NUCE_RAW_COUNTERS, NUCE_RAW_COUNTERS);
    for (int i = 0; i < NUCE_RAW_COUNTERS; i++)
        capture->counters[i] = nuce_wire_get(head, 0, INT64_MAX);
    capture->unmatched = nuce_wire_get(head, 0, INT64_MAX);
    capture->cut_files = nuce_wire_get(head, 0, INT64_MAX);
    capture->has_stamps = (int)nuce_wire_get(head, 0, 1);
}

/* A world rank, written as the difference to `before`. */
static int get_rank(struct nuce_wire *head, const struct nuce_capture *capture, int64_t before)
{
    int64_t difference = nuce_wire_get_signed(head);

    if (difference < -before || difference >= capture->ranks - before) {
        head->is_bad = 1;
        return 0;
    }
    return (int)(before + difference);
}

/* Each communicator is counted before its members are read: what is read by halves is freed with
 * the capture. */
static void get_communicators(struct nuce_wire *head, struct nuce_capture *capture)
{
    int64_t count = nuce_wire_get(head, 0, INT_MAX);

    capture->communicator = get_array(head, count, sizeof *capture->communicator);
    capture->sequence = get_array(head, count, sizeof *capture->sequence);
    while (capture->communicators < count && !head->is_bad) {
        struct nuce_capture_communicator *each = &capture->communicator[capture->communicators++];

        each->size = (int)nuce_wire_get(head, 1, capture->ranks);
        each->ordinal = (int)nuce_wire_get(head, 0, INT_MAX);
        each->members = get_array(head, each->size, sizeof *each->members);
        for (int i = 0; i < each->size && !head->is_bad; i++)
            each->members[i] = get_rank(head, capture, i > 0 ? each->members[i - 1] : 0);
    }
}

/* Sources ascend; destinations are relative to their source, for neighbours are near. */
static void get_topologies(struct nuce_wire *head, struct nuce_capture *capture)
{
    int64_t count = nuce_wire_get(head, 0, INT_MAX);

    capture->topology = get_array(head, count, sizeof *capture->topology);
    while (capture->topologies < count && !head->is_bad) {
        struct nuce_capture_topology *each = &capture->topology[capture->topologies++];

        each->messages = nuce_wire_get_count(head);
        each->source = get_array(head, each->messages, sizeof *each->source);
        each->destination = get_array(head, each->messages, sizeof *each->destination);
        for (int64_t i = 0; i < each->messages && !head->is_bad; i++) {
            int64_t before = i > 0 ? each->source[i - 1] : 0;

            each->source[i] = (int)(before + nuce_wire_get(head, 0, capture->ranks - 1 - before));
            each->destination[i] = get_rank(head, capture, each->source[i]);
        }
    }
}

/* The kind of that name in this nuce; NUCE_RAW_NO_KIND: it knows none. */
static int kind_called(const char *name)
{
    for (int kind = NUCE_RAW_NO_KIND + 1; kind < NUCE_RAW_KINDS_END; kind++) {
        if (strcmp(name, nuce_raw_kind_name(kind)) == 0)
            return kind;
    }
    return NUCE_RAW_NO_KIND;
}

/* The kinds that the file names, by their place in it; returns how many. The numbers of kinds may
 * change with versions of nuce, their names do not. */
static int get_kinds(struct nuce_wire *names, int kinds[NUCE_RAW_KINDS_END])
{
    int count = 0;

    while (names->at < names->length && !names->is_bad) {
        char name[32];

        nuce_wire_get_text(names, name, sizeof name);
        if (count == NUCE_RAW_KINDS_END || kind_called(name) == NUCE_RAW_NO_KIND)
            names->is_bad = 1;
        else
            kinds[count++] = kind_called(name);
    }
    return count;
}

/* Whether all ranks of the pattern's topology are members of its communicator. is_member: one a
 * world rank, all 0 before and after. */
static int is_within(const struct nuce_capture *capture, const struct nuce_capture_pattern *pattern,
                     int *is_member)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];
    const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
    int good = 1;

    for (int i = 0; i < communicator->size; i++)
        is_member[communicator->members[i]] = 1;
    for (int64_t i = 0; i < topology->messages; i++)
        good &= is_member[topology->source[i]] && is_member[topology->destination[i]];
    for (int i = 0; i < communicator->size; i++)
        is_member[communicator->members[i]] = 0;
    return good;
}

static void get_means(struct nuce_wire *wire, int size, struct nuce_capture_pattern *pattern)
{
    int64_t last = nuce_capture_rounded_code((double)MOST_NS, NUCE_CONTENT_ARRIVAL_DIGITS);

    pattern->arrival_ns = get_array(wire, size, sizeof *pattern->arrival_ns);
    for (int i = 0; i < size && !wire->is_bad; i++)
        pattern->arrival_ns[i] =
            nuce_capture_rounded_time(nuce_wire_get(wire, 0, last), NUCE_CONTENT_ARRIVAL_DIGITS);
}

/* Mean arrivals of each member (ns) where they are kept, and the classes of those calls whose
 * arrivals are. */
static void get_arrivals(struct nuce_wire column[NUCE_COLUMNS], int size,
                         struct nuce_capture_pattern *pattern)
{
    struct nuce_wire *kept = &column[NUCE_COLUMN_KEPT_CLASS];
    int code = (int)nuce_wire_get(&column[NUCE_COLUMN_KEPT], 0, 1 + NUCE_CAPTURE_MOST_KEPT);

    if (code == 0)
        return;
    get_means(&column[NUCE_COLUMN_ARRIVAL], size, pattern);
    pattern->kept = code - 1;
    pattern->kept_class = get_array(kept, (int64_t)pattern->kept * size, 1);
    for (int i = 0; i < size && !kept->is_bad; i++) {
        for (int64_t call = 0; call < pattern->kept; call++)
            pattern->kept_class[call * size + i] =
                (unsigned char)nuce_wire_get(kept, 0, NUCE_CAPTURE_CLASSES - 1);
    }
}

/* The bytes of each message, in units and as differences. */
static void get_sizes(struct nuce_wire column[NUCE_COLUMNS], int64_t messages,
                      struct nuce_capture_pattern *pattern)
{
    struct nuce_wire *wire = &column[NUCE_COLUMN_BYTES];
    int64_t unit = messages > 0 ? nuce_wire_get(&column[NUCE_COLUMN_UNIT], 1, MOST_BYTES) : 1;
    int64_t most = MOST_BYTES / unit, before = 0;

    pattern->bytes = get_array(wire, messages, sizeof *pattern->bytes);
    for (int64_t i = 0; i < messages && !wire->is_bad; i++) {
        int64_t difference = nuce_wire_get_signed(wire);

        wire->is_bad |= difference < -before || difference > most - before;
        before += wire->is_bad ? 0 : difference;
        pattern->bytes[i] = before * unit;
    }
}

/* Sizes, and the id, which is not in the file, for it follows. */
static nuce_status get_bytes(struct nuce_wire column[NUCE_COLUMNS],
                             const struct nuce_capture *capture,
                             struct nuce_capture_pattern *pattern, struct nuce_error *error)
{
    const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
    struct nuce_message *messages;

    get_sizes(column, topology->messages, pattern);
    if (column[NUCE_COLUMN_UNIT].is_bad || column[NUCE_COLUMN_BYTES].is_bad)
        return NUCE_OK;
    messages = nuce_allocate(topology->messages, sizeof *messages);
    for (int64_t i = 0; i < topology->messages; i++)
        messages[i] =
            (struct nuce_message){topology->source[i], topology->destination[i], pattern->bytes[i]};
    error->status =
        nuce_capture_builder_identify(capture, pattern, messages, topology->messages, error);
    free(messages);
    return error->status;
}

/* What a pattern is: the numbers that the rest depends on. 0: they are damaged, and the pattern can
 * only be freed. */
static int get_nature(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture,
                      const int *kinds, int kind_count, struct nuce_capture_pattern *pattern)
{
    int64_t kind = nuce_wire_get(&column[NUCE_COLUMN_KIND], 0, kind_count - 1);

    pattern->quality = (enum nuce_capture_quality)nuce_wire_get(&column[NUCE_COLUMN_QUALITY], 0,
                                                                NUCE_CAPTURE_QUALITIES - 1);
    pattern->communicator =
        (int)nuce_wire_get(&column[NUCE_COLUMN_COMMUNICATOR], 0, capture->communicators - 1);
    pattern->topology =
        (int)nuce_wire_get(&column[NUCE_COLUMN_TOPOLOGY], 0, capture->topologies - 1);
    pattern->moved = nuce_wire_get(&column[NUCE_COLUMN_MOVED], 0, INT64_MAX);
    pattern->calls = nuce_wire_get(&column[NUCE_COLUMN_CALLS], 0, MOST_CALLS);
    for (int i = NUCE_COLUMN_KIND; i <= NUCE_COLUMN_CALLS; i++) {
        if (column[i].is_bad)
            return 0;
    }
    pattern->kind = kinds[kind];
    return 1;
}

static int is_any_bad(const struct nuce_wire column[NUCE_COLUMNS])
{
    int is_bad = 0;

    for (int i = 0; i < NUCE_COLUMNS; i++)
        is_bad |= column[i].is_bad;
    return is_bad;
}

/* All else of a pattern: sizes, times, arrivals. */
static nuce_status get_pattern(struct nuce_wire column[NUCE_COLUMNS],
                               const struct nuce_capture *capture,
                               struct nuce_capture_pattern *pattern, int *histograms,
                               struct nuce_error *error)
{
    if (get_bytes(column, capture, pattern, error) != NUCE_OK)
        return error->status;
    get_times(&column[NUCE_COLUMN_DURATION], pattern->calls, &pattern->duration, histograms);
    get_times(&column[NUCE_COLUMN_SKEW], pattern->calls, &pattern->skew, histograms);
    pattern->rank_ns = time_of(nuce_wire_get(&column[NUCE_COLUMN_RANK_TIME], 0, MOST_CODE));
    get_arrivals(column, capture->communicator[pattern->communicator].size, pattern);
    return NUCE_OK;
}

/* A pattern's place in the list counts before it is filled, so that what it holds is freed whatever
 * comes. */
static nuce_status get_patterns(struct nuce_wire column[NUCE_COLUMNS], struct nuce_capture *capture,
                                struct nuce_error *error)
{
    int64_t count = nuce_wire_get(&column[NUCE_COLUMN_HEAD], 0, INT_MAX);
    int kinds[NUCE_RAW_KINDS_END], kind_count = get_kinds(&column[NUCE_COLUMN_KIND_NAME], kinds);
    int *is_member = nuce_allocate(capture->ranks, sizeof *is_member);
    int is_good = 1, histograms = 0;

    capture->pattern = get_array(&column[NUCE_COLUMN_KIND], count, sizeof *capture->pattern);
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && is_good && capture->patterns < count) {
        struct nuce_capture_pattern *pattern = &capture->pattern[capture->patterns++];

        is_good = get_nature(column, capture, kinds, kind_count, pattern) &&
                  is_within(capture, pattern, is_member);
        if (is_good)
            error->status = get_pattern(column, capture, pattern, &histograms, error);
        is_good = is_good && !is_any_bad(column);
    }
    free(is_member);
    column[NUCE_COLUMN_HEAD].is_bad |= !is_good;
    return error->status;
}

/* How long runs are, how often they were made, and the indices of their patterns. Runs times
 * repeats may overflow in a damaged file: then the column is bad. */
static void get_sequence(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture,
                         struct nuce_capture_sequence *out)
{
    struct nuce_wire *run = &column[NUCE_COLUMN_RUN], *pattern = &column[NUCE_COLUMN_PATTERN];
    int64_t runs = nuce_wire_get_count(run);

    out->run = get_array(run, runs, sizeof *out->run);
    while (out->runs < runs && !run->is_bad) {
        struct nuce_capture_run *each = &out->run[out->runs++];
        int64_t calls;

        each->length = nuce_wire_get(run, 1, pattern->length);
        each->times = nuce_wire_get(&column[NUCE_COLUMN_TIMES], 0, INT64_MAX - 1) + 1;
        out->patterns += each->length;
        if (__builtin_mul_overflow(each->length, each->times, &calls) ||
            __builtin_add_overflow(out->count, calls, &out->count) ||
            out->patterns > pattern->length)
            run->is_bad = 1;
    }
    out->pattern = get_array(pattern, run->is_bad ? 0 : out->patterns, sizeof *out->pattern);
    for (int64_t i = 0; i < out->patterns && !run->is_bad && !pattern->is_bad; i++)
        out->pattern[i] = (int)nuce_wire_get(pattern, 0, capture->patterns - 1);
}

/* When each member was in each call. Each takes a byte of durations at least, which bounds how many
 * there can be. */
static void get_stamps(struct nuce_wire column[NUCE_COLUMNS], int size,
                       struct nuce_capture_sequence *sequence)
{
    struct nuce_wire *start = &column[NUCE_COLUMN_STAMP_START];
    struct nuce_wire *duration = &column[NUCE_COLUMN_STAMP_DURATION];
    int64_t count;

    if (__builtin_mul_overflow(sequence->count, (int64_t)size, &count))
        count = INT64_MAX;
    sequence->stamp = get_array(duration, count, sizeof *sequence->stamp);
    for (int i = 0; i < size; i++) {
        int64_t before = 0;

        for (int64_t call = 0; call < sequence->count && !duration->is_bad && !start->is_bad;
             call++) {
            struct nuce_capture_stamp *stamp = &sequence->stamp[call * size + i];
            int64_t code = nuce_wire_get(duration, 0, MOST_NS), difference;

            *stamp = (struct nuce_capture_stamp){-1, -1};
            if (code == 0)
                continue;
            difference = nuce_wire_get_signed(start);
            start->is_bad |= difference < -before || difference > MOST_NS - before;
            before = start->is_bad ? 0 : before + difference;
            *stamp = (struct nuce_capture_stamp){before, code - 2};
        }
    }
}

static void get_sequences(struct nuce_wire column[NUCE_COLUMNS], struct nuce_capture *capture)
{
    for (int i = 0; i < capture->communicators; i++)
        get_sequence(column, capture, &capture->sequence[i]);
    for (int i = 0; capture->has_stamps && i < capture->communicators; i++)
        get_stamps(column, capture->communicator[i].size, &capture->sequence[i]);
}

/* Whether all columns were read to their last byte, and none was bad: what is left over is damage,
 * too. */
static int are_read(const struct nuce_wire column[NUCE_COLUMNS])
{
    for (int i = 0; i < NUCE_COLUMNS; i++) {
        if (column[i].is_bad || column[i].at != column[i].length)
            return 0;
    }
    return 1;
}

nuce_status nuce_capture_get(const char *name, struct nuce_wire column[NUCE_COLUMNS],
                             struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_wire *head = &column[NUCE_COLUMN_HEAD];

    get_head(head, out);
    get_communicators(head, out);
    get_topologies(head, out);
    if (!head->is_bad && get_patterns(column, out, error) != NUCE_OK)
        return error->status;
    if (!head->is_bad)
        get_sequences(column, out);
    if (!are_read(column))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: its content is damaged", name);
    return NUCE_OK;
}
