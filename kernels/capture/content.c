/* A capture as columns of numbers: one description serves both writing and reading. Numbers are
 * made small before they are written: they become differences to their predecessors, and counts
 * lose their minimum. Numbers that follow from others are not written. A number takes 7 bits of
 * each byte, least significant first; the 8th bit says that more follow, as in LEB128. Times of
 * patterns are rounded to NUCE_CAPTURE_TIME_DIGITS digits, arrivals to
 * NUCE_CAPTURE_ARRIVAL_DIGITS; all other numbers are exact.
 *
 * Columns that are read may be damaged or hostile. Three rules keep reading simple.
 * - A number is read with its minimum and maximum.
 * - A column with is_bad set yields minima from then on. The flag is checked after each pattern
 *   and at the end.
 * - No array is larger than the remaining bytes of its column could fill, except histograms,
 *   whose number is bounded.
 *
 * The result is therefore consistent. Reading costs O(file), plus O(its communicator) for each
 * pattern. */
#include "capture/content.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "capture/builder.h"

/* Times in a file are at most 73 years, so the sum of two is still an int64_t. Times summed over
 * all ranks may be longer. */
#define MOST_NS (INT64_MAX / 4)
#define MOST_CODE 30000 /* of three digits: 1e35 ns */

/* The product with all messages of a pattern still fits int64_t. */
#define MOST_CALLS ((int64_t)1 << 40)

/* Offsets within the columns of durations and skews, from NUCE_COLUMN_DURATION or
 * NUCE_COLUMN_SKEW. */
enum {
    TIMES_COUNT,
    TIMES_LEAST,
    TIMES_MOST,
    TIMES_MEAN,
    TIMES_GAP,
    TIMES_OF_CLASS,
};

static void put_byte(struct nuce_wire *wire, unsigned byte)
{
    nuce_allocate_more((void **)&wire->data, &wire->capacity, wire->length + 1, 1);
    wire->data[wire->length++] = (unsigned char)byte;
}

static void put_bits(struct nuce_wire *wire, uint64_t bits)
{
    for (; bits >= 128; bits >>= 7)
        put_byte(wire, (unsigned)(bits & 127) | 128);
    put_byte(wire, (unsigned)bits);
}

/* Reads at most 10 bytes; returns 0 and sets is_bad if the number does not end. */
static uint64_t get_bits(struct nuce_wire *wire)
{
    uint64_t bits = 0;

    for (int shift = 0; shift < 64 && wire->at < wire->length; shift += 7) {
        unsigned byte = wire->data[wire->at++];

        bits |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return bits;
    }
    wire->is_bad = 1;
    return 0;
}

void nuce_wire_number(struct nuce_wire *wire, int64_t *number, int64_t low, int64_t high)
{
    uint64_t bits;

    if (!wire->is_read) {
        NUCE_ASSERT(*number >= 0);
        put_bits(wire, (uint64_t)*number);
        return;
    }
    bits = get_bits(wire);
    if (bits > INT64_MAX || (int64_t)bits < low || (int64_t)bits > high)
        wire->is_bad = 1;
    *number = wire->is_bad ? low : (int64_t)bits;
}

void nuce_wire_count(struct nuce_wire *wire, int64_t *count)
{
    nuce_wire_number(wire, count, 0, wire->length - wire->at);
}

static void move_int(struct nuce_wire *wire, int *number, int64_t low, int64_t high)
{
    int64_t wide = *number;

    nuce_wire_number(wire, &wide, low, high);
    *number = (int)wide;
}

/* A number of 0 .. high as the difference to `before`, zigzag (0, -1, 1, -2, ...), so that small
 * differences of either sign are short; 0 if it is bad. */
static void move_difference(struct nuce_wire *wire, int64_t *number, int64_t before, int64_t high)
{
    int64_t difference = *number - before;
    uint64_t bits;

    if (!wire->is_read) {
        put_bits(wire, ((uint64_t)difference << 1) ^ (difference < 0 ? UINT64_MAX : 0));
        return;
    }
    bits = get_bits(wire);
    difference = (int64_t)((bits >> 1) ^ ((bits & 1) != 0 ? UINT64_MAX : 0));
    if (difference < -before || difference > high - before)
        wire->is_bad = 1;
    *number = wire->is_bad ? 0 : before + difference;
}

/* A world rank, near the previous one. */
static void move_rank(struct nuce_wire *wire, int *rank, int before, int ranks)
{
    int64_t wide = *rank;

    move_difference(wire, &wide, before, ranks - 1);
    *rank = (int)wide;
}

/* The text's length and its bytes; at most size - 1, zero-ended. */
static void move_text(struct nuce_wire *wire, char *text, size_t size)
{
    int64_t length = wire->is_read ? 0 : (int64_t)strlen(text);

    nuce_wire_number(wire, &length, 0, (int64_t)size - 1);
    for (int64_t i = 0; i < length && !wire->is_read; i++)
        put_byte(wire, (unsigned char)text[i]);
    if (!wire->is_read)
        return;
    if (length > wire->length - wire->at) {
        wire->is_bad = 1;
        length = 0;
    }
    memcpy(text, wire->data + wire->at, (size_t)length);
    text[length] = '\0';
    wire->at += length;
}

/* Returns the given array when writing, or a new one of count elements when reading. Each
 * element takes at least a byte of the column. If count exceeds the bytes left, the column is
 * bad and the array is empty. */
static void *move_array(struct nuce_wire *wire, void *array, int64_t count, size_t size)
{
    if (!wire->is_read)
        return array;
    if (count > wire->length - wire->at) {
        wire->is_bad = 1;
        count = 0;
    }
    return nuce_allocate(count, size);
}

static int64_t code_of(double ns)
{
    return nuce_capture_rounded_code(ns, NUCE_CAPTURE_TIME_DIGITS);
}

static double time_of(int64_t code)
{
    return nuce_capture_rounded_time(code, NUCE_CAPTURE_TIME_DIGITS);
}

/* Numbers that follow from the number of times and their extremes are not written: the mean of
 * one or two times, and their classes. With more times, the times between the first and the last
 * follow. Each class is written as its gap from the previous one and its count, within the
 * classes of the rounded extremes. Rounding may move an extreme into the adjacent class; times
 * beyond it are counted in that class. Each step of a reader consumes at least one time or makes
 * a column bad, so the loop ends. `calls` bounds the number of times, since some calls have
 * none. Classes take more memory than their bytes in the file. *histograms, the number so far,
 * is therefore bounded by the number that a writer keeps; each has at least one class. */
static void move_times(struct nuce_wire column[6], int64_t calls, struct nuce_capture_times *times,
                       int *histograms)
{
    int is_read = column->is_read, is_without = times->count > 2 && times->classes == NULL;
    int64_t code = 2 * (calls - times->count) + is_without, last = code_of((double)MOST_NS);
    int64_t count, least = code_of((double)times->least), more = 0, mean = 0, sum = 0, left;
    int at, high;

    more = code_of((double)times->most) - least;
    nuce_wire_number(&column[TIMES_COUNT], &code, 0, 2 * calls + 1);
    is_without = (int)(code % 2);
    count = calls - code / 2;
    column[TIMES_COUNT].is_bad |= is_without && count <= 2;
    if (is_read)
        times->count = count;
    if (count == 0)
        return;
    nuce_wire_number(&column[TIMES_LEAST], &least, 0, last);
    if (count > 1)
        nuce_wire_number(&column[TIMES_MOST], &more, 0, last - least);
    else
        more = 0;
    if (count > 2) {
        if (!is_read) { /* the sum is a double, and is rounded as well */
            mean = code_of(nuce_capture_times_mean(times)) - least;
            mean = mean < 0 ? 0 : mean > more ? more : mean;
        }
        nuce_wire_number(&column[TIMES_MEAN], &mean, 0, more);
    }
    if (is_read) {
        times->least = (int64_t)time_of(least);
        times->most = (int64_t)time_of(least + more);
        times->sum = count > 2 ? (double)count * time_of(least + mean)
                               : (double)times->least + (count > 1 ? (double)times->most : 0);
    }
    if (is_without || count <= 2)
        return;
    at = nuce_capture_times_class((int64_t)time_of(least));
    high = nuce_capture_times_class((int64_t)time_of(least + more));
    if (!is_read) {
        for (int i = 0, low = at; i < NUCE_CAPTURE_CLASSES; i++) {
            sum += times->classes[i] - (i == nuce_capture_times_class(times->least)) -
                   (i == nuce_capture_times_class(times->most));
            if (sum == 0 || i < low || (i >= high && i < NUCE_CAPTURE_CLASSES - 1))
                continue;
            put_bits(&column[TIMES_GAP], (uint64_t)((i < high ? i : high) - at));
            put_bits(&column[TIMES_OF_CLASS], (uint64_t)(sum - 1));
            at = i < high ? i : high;
            sum = 0;
        }
    } else if (++*histograms > NUCE_CAPTURE_MOST_KEPT_CLASSES) {
        column[TIMES_COUNT].is_bad = 1;
    } else {
        times->classes = nuce_allocate(NUCE_CAPTURE_CLASSES, sizeof *times->classes);
        times->classes[at]++;
        times->classes[high]++;
        left = count - 2;
        while (left > 0 && !column[TIMES_OF_CLASS].is_bad && !column[TIMES_GAP].is_bad) {
            int64_t gap, of_class;

            nuce_wire_number(&column[TIMES_GAP], &gap, 0, high - at);
            nuce_wire_number(&column[TIMES_OF_CLASS], &of_class, 0, left - 1);
            at += (int)gap;
            times->classes[at] += 1 + of_class;
            left -= 1 + of_class;
        }
    }
}

/* The facts of the whole run, communicators and topologies. Each element is counted before it is
 * read, so a partly read one is freed with the capture. Sources of topologies ascend;
 * destinations are relative to their source, because partners are often near. */
static void move_head(struct nuce_wire *head, struct nuce_capture *capture)
{
    /* A sum above 2^63 ns, as of 65536 ranks in 39 hours, becomes unknown, and so do shares of it.
     */
    int64_t all_ranks_ns = capture->all_ranks_ns < 0x1p63 ? (int64_t)capture->all_ranks_ns : 0;
    int64_t counters = NUCE_RAW_COUNTERS;
    int64_t communicators = capture->communicators, topologies = capture->topologies;

    move_text(head, capture->library, sizeof capture->library);
    move_text(head, capture->program, sizeof capture->program);
    move_text(head, capture->origin, sizeof capture->origin);
    move_int(head, &capture->ranks, 1, NUCE_RAW_MOST_RANKS);
    move_int(head, &capture->found, 0, capture->ranks);
    for (int i = 0; i < 3; i++)
        move_int(head, &capture->endings[i], 0, capture->ranks);
    move_int(head, &capture->hosts, 0, capture->ranks);
    capture->host = move_array(head, capture->host, capture->hosts, sizeof *capture->host);
    capture->host_of = move_array(head, capture->host_of, capture->ranks, sizeof(int));
    for (int i = 0; i < capture->hosts && !head->is_bad; i++)
        move_text(head, capture->host[i], sizeof capture->host[i]);
    /* An unknown host, -1, is written as 0: numbers are not negative. */
    for (int i = 0; i < capture->ranks && !head->is_bad; i++) {
        int code = capture->host_of[i] + 1;

        move_int(head, &code, 0, capture->hosts);
        capture->host_of[i] = code - 1;
    }
    nuce_wire_number(head, &capture->clock_error_ns, 0, INT64_MAX);
    nuce_wire_number(head, &capture->elapsed_ns, 0, INT64_MAX);
    nuce_wire_number(head, &all_ranks_ns, 0, INT64_MAX);
    capture->all_ranks_ns = (double)all_ranks_ns;
    nuce_wire_number(head, &counters, NUCE_RAW_COUNTERS, NUCE_RAW_COUNTERS);
    for (int i = 0; i < NUCE_RAW_COUNTERS; i++)
        nuce_wire_number(head, &capture->counters[i], 0, INT64_MAX);
    nuce_wire_number(head, &capture->unmatched, 0, INT64_MAX);
    nuce_wire_number(head, &capture->cut_files, 0, INT64_MAX);
    move_int(head, &capture->has_stamps, 0, 1);

    nuce_wire_number(head, &communicators, 0, INT_MAX);
    capture->communicator =
        move_array(head, capture->communicator, communicators, sizeof *capture->communicator);
    capture->sequence =
        move_array(head, capture->sequence, communicators, sizeof *capture->sequence);
    for (int i = 0; i < communicators && !head->is_bad; i++) {
        struct nuce_capture_communicator *each = &capture->communicator[i];

        capture->communicators = i + 1;
        move_int(head, &each->size, 1, capture->ranks);
        move_int(head, &each->ordinal, 0, INT_MAX);
        each->members = move_array(head, each->members, each->size, sizeof *each->members);
        for (int k = 0; k < each->size && !head->is_bad; k++)
            move_rank(head, &each->members[k], k > 0 ? each->members[k - 1] : 0, capture->ranks);
    }
    nuce_wire_number(head, &topologies, 0, INT_MAX);
    capture->topology = move_array(head, capture->topology, topologies, sizeof *capture->topology);
    for (int i = 0; i < topologies && !head->is_bad; i++) {
        struct nuce_capture_topology *each = &capture->topology[i];
        int64_t before = 0;

        capture->topologies = i + 1;
        nuce_wire_count(head, &each->messages);
        each->source = move_array(head, each->source, each->messages, sizeof *each->source);
        each->destination =
            move_array(head, each->destination, each->messages, sizeof *each->destination);
        for (int64_t k = 0; k < each->messages && !head->is_bad; k++) {
            int64_t step = each->source[k] - before;

            nuce_wire_number(head, &step, 0, capture->ranks - 1 - before);
            before += step;
            each->source[k] = (int)before;
            move_rank(head, &each->destination[k], each->source[k], capture->ranks);
        }
    }
}

/* The kinds present, in the order of their first patterns. Kinds are stored by name: their
 * numbers may change with versions of nuce. */
struct kinds {
    int kind[NUCE_RAW_KINDS_END], count;
};

/* The index of the kind; count if it is absent. */
static int place_of(const struct kinds *kinds, int kind)
{
    int i = 0;

    while (i < kinds->count && kinds->kind[i] != kind)
        i++;
    return i;
}

/* Mean arrivals of each member (ns), if kept, and the classes of calls with kept arrivals,
 * member by member. */
static void move_arrivals(struct nuce_wire column[NUCE_COLUMNS], int size,
                          struct nuce_capture_pattern *pattern)
{
    struct nuce_wire *means = &column[NUCE_COLUMN_ARRIVAL], *kept = &column[NUCE_COLUMN_KEPT_CLASS];
    int64_t last = nuce_capture_rounded_code((double)MOST_NS, NUCE_CAPTURE_ARRIVAL_DIGITS);
    int code = pattern->arrival_ns != NULL && pattern->skew.count > 0 ? 1 + pattern->kept : 0;

    move_int(&column[NUCE_COLUMN_KEPT], &code, 0, 1 + NUCE_CAPTURE_MOST_KEPT);
    if (code == 0)
        return;
    pattern->arrival_ns = move_array(means, pattern->arrival_ns, size, sizeof(double));
    for (int i = 0; i < size && !means->is_bad; i++) {
        int64_t mean =
            nuce_capture_rounded_code(pattern->arrival_ns[i], NUCE_CAPTURE_ARRIVAL_DIGITS);

        nuce_wire_number(means, &mean, 0, last);
        if (means->is_read)
            pattern->arrival_ns[i] = nuce_capture_rounded_time(mean, NUCE_CAPTURE_ARRIVAL_DIGITS);
    }
    pattern->kept = code - 1;
    pattern->kept_class = move_array(kept, pattern->kept_class, (int64_t)pattern->kept * size, 1);
    for (int i = 0; i < size && !kept->is_bad; i++) {
        for (int64_t call = 0; call < pattern->kept; call++) {
            int class = kept->is_read ? 0 : pattern->kept_class[call * size + i];

            move_int(kept, &class, 0, NUCE_CAPTURE_CLASSES - 1);
            if (kept->is_read && !kept->is_bad)
                pattern->kept_class[call * size + i] = (unsigned char)class;
        }
    }
}

static int is_any_bad(const struct nuce_wire column[NUCE_COLUMNS])
{
    int is_bad = 0;

    for (int i = 0; i < NUCE_COLUMNS; i++)
        is_bad |= column[i].is_bad;
    return is_bad;
}

/* A pattern. First come the numbers that the rest depends on; without them the pattern can only
 * be freed. Then come the bytes of each message, as differences and in units: most sizes are
 * multiples of a datatype's size and then take one byte instead of two. All ranks of the
 * topology must be members of the communicator. is_member has one entry a world rank, all 0
 * before and after. */
static void move_pattern(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture,
                         const struct kinds *kinds, struct nuce_capture_pattern *pattern,
                         int *is_member, int *histograms)
{
    int is_read = column->is_read, kind = place_of(kinds, pattern->kind);
    int quality = (int)pattern->quality;
    struct nuce_wire *wire = &column[NUCE_COLUMN_BYTES];
    int64_t code = code_of(pattern->rank_ns), unit = 0, before = 0;
    const struct nuce_capture_communicator *communicator;
    const struct nuce_capture_topology *topology;

    move_int(&column[NUCE_COLUMN_KIND], &kind, 0, kinds->count - 1);
    move_int(&column[NUCE_COLUMN_QUALITY], &quality, 0, NUCE_CAPTURE_QUALITIES - 1);
    move_int(&column[NUCE_COLUMN_COMMUNICATOR], &pattern->communicator, 0,
             capture->communicators - 1);
    move_int(&column[NUCE_COLUMN_TOPOLOGY], &pattern->topology, 0, capture->topologies - 1);
    nuce_wire_number(&column[NUCE_COLUMN_MOVED], &pattern->moved, 0, INT64_MAX);
    nuce_wire_number(&column[NUCE_COLUMN_CALLS], &pattern->calls, 0, MOST_CALLS);
    if (is_any_bad(column))
        return;
    pattern->kind = kinds->kind[kind];
    pattern->quality = (enum nuce_capture_quality)quality;
    communicator = &capture->communicator[pattern->communicator];
    topology = &capture->topology[pattern->topology];
    for (int i = 0; is_read && i < communicator->size; i++)
        is_member[communicator->members[i]] = 1;
    for (int64_t i = 0; is_read && i < topology->messages; i++)
        column[NUCE_COLUMN_HEAD].is_bad |=
            !is_member[topology->source[i]] || !is_member[topology->destination[i]];
    for (int i = 0; is_read && i < communicator->size; i++)
        is_member[communicator->members[i]] = 0;
    if (column[NUCE_COLUMN_HEAD].is_bad)
        return;
    pattern->bytes = move_array(wire, pattern->bytes, topology->messages, sizeof *pattern->bytes);
    for (int64_t i = 0; i < topology->messages && !is_read; i++)
        unit = nuce_int_common_divisor(unit, pattern->bytes[i]);
    unit += unit == 0; /* all are 0 */
    if (topology->messages > 0)
        nuce_wire_number(&column[NUCE_COLUMN_UNIT], &unit, 1, NUCE_CAPTURE_MOST_BYTES);
    for (int64_t i = 0; i < topology->messages && !wire->is_bad; i++) {
        int64_t scaled = is_read ? 0 : pattern->bytes[i] / unit;

        move_difference(wire, &scaled, before, NUCE_CAPTURE_MOST_BYTES / unit);
        before = scaled;
        if (is_read)
            pattern->bytes[i] = scaled * unit;
    }
    /* The id is derived and not in the file. */
    if (is_read && !is_any_bad(column)) {
        struct nuce_message *messages = nuce_allocate(topology->messages, sizeof *messages);

        for (int64_t i = 0; i < topology->messages; i++)
            messages[i] = (struct nuce_message){topology->source[i], topology->destination[i],
                                                pattern->bytes[i]};
        nuce_capture_builder_identify(capture, pattern, messages, topology->messages);
        free(messages);
    }
    move_times(&column[NUCE_COLUMN_DURATION], pattern->calls, &pattern->duration, histograms);
    move_times(&column[NUCE_COLUMN_SKEW], pattern->calls, &pattern->skew, histograms);
    nuce_wire_number(&column[NUCE_COLUMN_RANK_TIME], &code, 0, MOST_CODE);
    if (is_read)
        pattern->rank_ns = time_of(code);
    move_arrivals(column, communicator->size, pattern);
}

/* Lengths of runs, their repetitions, and the indices of their patterns. The product of runs and
 * repetitions may overflow in a damaged file: the column is then bad. */
static void move_sequence(struct nuce_wire column[NUCE_COLUMNS], const struct nuce_capture *capture,
                          struct nuce_capture_sequence *sequence)
{
    struct nuce_wire *run = &column[NUCE_COLUMN_RUN], *pattern = &column[NUCE_COLUMN_PATTERN];
    int64_t runs = sequence->runs, patterns = 0, count = 0;

    nuce_wire_count(run, &runs);
    sequence->run = move_array(run, sequence->run, runs, sizeof *sequence->run);
    for (int64_t i = 0; i < runs && !run->is_bad; i++) {
        struct nuce_capture_run *each = &sequence->run[i];
        int64_t again = each->times - 1, calls;

        nuce_wire_number(run, &each->length, 1, pattern->length);
        nuce_wire_number(&column[NUCE_COLUMN_TIMES], &again, 0, INT64_MAX - 1);
        each->times = again + 1;
        patterns += each->length;
        if (__builtin_mul_overflow(each->length, each->times, &calls) ||
            __builtin_add_overflow(count, calls, &count) ||
            (run->is_read && patterns > pattern->length))
            run->is_bad = 1;
    }
    sequence->runs = runs;
    sequence->count = count;
    sequence->patterns = run->is_bad ? 0 : patterns;
    sequence->pattern =
        move_array(pattern, sequence->pattern, sequence->patterns, sizeof *sequence->pattern);
    for (int64_t i = 0; i < sequence->patterns && !pattern->is_bad; i++)
        move_int(pattern, &sequence->pattern[i], 0, capture->patterns - 1);
}

/* The stamps of each member, member by member. A duration is written plus 2; 0: the member took
 * no part, and no start is written; 1: no end was seen. Each stamp takes at least a byte of the
 * durations, which bounds their number. */
static void move_stamps(struct nuce_wire column[NUCE_COLUMNS], int size,
                        struct nuce_capture_sequence *sequence)
{
    struct nuce_wire *start = &column[NUCE_COLUMN_STAMP_START];
    struct nuce_wire *duration = &column[NUCE_COLUMN_STAMP_DURATION];
    int64_t count;

    if (__builtin_mul_overflow(sequence->count, (int64_t)size, &count))
        count = INT64_MAX;
    sequence->stamp = move_array(duration, sequence->stamp, count, sizeof *sequence->stamp);
    for (int i = 0; i < size && sequence->stamp != NULL; i++) {
        int64_t before = 0;

        for (int64_t call = 0; call < sequence->count && !duration->is_bad && !start->is_bad;
             call++) {
            struct nuce_capture_stamp *stamp = &sequence->stamp[call * size + i];
            int64_t code = stamp->start_ns < 0 ? 0 : stamp->duration_ns + 2;
            int64_t start_ns = stamp->start_ns;

            nuce_wire_number(duration, &code, 0, MOST_NS);
            if (code == 0) {
                *stamp = (struct nuce_capture_stamp){-1, -1};
                continue;
            }
            move_difference(start, &start_ns, before, MOST_NS);
            before = start_ns;
            *stamp = (struct nuce_capture_stamp){start_ns, code - 2};
        }
    }
}

/* The order of the columns is the file's format. */
static void move_capture(struct nuce_wire column[NUCE_COLUMNS], struct nuce_capture *capture)
{
    struct nuce_wire *head = &column[NUCE_COLUMN_HEAD];
    int64_t patterns = capture->patterns;
    struct nuce_wire *names = &column[NUCE_COLUMN_KIND_NAME];
    struct kinds kinds = {.count = 0};
    int histograms = 0, *is_member;
    char name[32];

    move_head(head, capture);
    if (head->is_bad)
        return;
    for (int i = 0; !names->is_read && i < capture->patterns; i++) {
        int kind = capture->pattern[i].kind;

        if (place_of(&kinds, kind) < kinds.count)
            continue;
        kinds.kind[kinds.count++] = kind;
        snprintf(name, sizeof name, "%s", nuce_raw_kind_name(kind));
        move_text(names, name, sizeof name);
    }
    while (names->is_read && names->at < names->length && !names->is_bad) {
        int kind = NUCE_RAW_NO_KIND + 1;

        move_text(names, name, sizeof name);
        while (kind < NUCE_RAW_KINDS_END && strcmp(name, nuce_raw_kind_name(kind)) != 0)
            kind++;
        if (kind == NUCE_RAW_KINDS_END || kinds.count == NUCE_RAW_KINDS_END)
            names->is_bad = 1;
        else
            kinds.kind[kinds.count++] = kind;
    }
    is_member = nuce_allocate(capture->ranks, sizeof *is_member);
    nuce_wire_number(head, &patterns, 0, INT_MAX);
    capture->pattern =
        move_array(&column[NUCE_COLUMN_KIND], capture->pattern, patterns, sizeof *capture->pattern);
    for (int i = 0; i < patterns && !is_any_bad(column); i++) {
        capture->patterns = i + 1;
        move_pattern(column, capture, &kinds, &capture->pattern[i], is_member, &histograms);
    }
    free(is_member);
    if (is_any_bad(column))
        return;
    for (int i = 0; i < capture->communicators; i++)
        move_sequence(column, capture, &capture->sequence[i]);
    for (int i = 0; capture->has_stamps && i < capture->communicators; i++)
        move_stamps(column, capture->communicator[i].size, &capture->sequence[i]);
}

/* Works on a copy, because writing sets the capture's numbers to the same values. */
void nuce_capture_put(const struct nuce_capture *capture, struct nuce_wire column[NUCE_COLUMNS])
{
    struct nuce_capture copy = *capture;

    move_capture(column, &copy);
}

nuce_status nuce_capture_get(const char *name, struct nuce_wire column[NUCE_COLUMNS],
                             struct nuce_capture *out, struct nuce_error *error)
{
    move_capture(column, out);
    /* Bytes left over are damage, too. */
    for (int i = 0; i < NUCE_COLUMNS; i++) {
        if (column[i].is_bad || column[i].at != column[i].length)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: its content is damaged", name);
    }
    return NUCE_OK;
}
