/* Answers questions about a capture: the pattern that a user names, its messages as a COM, the
 * lateness of each rank. Only nuce_capture_fini changes a capture. Cost: O(patterns log
 * patterns) for the order by time, which is computed for each question. A COM costs O(messages)
 * if the communicator begins as the world does; else each message costs up to the communicator's
 * size. */
#include "capture/capture.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

const char *nuce_capture_quality_name(enum nuce_capture_quality quality)
{
    static const char *const names[NUCE_CAPTURE_QUALITIES] = {"exact", "merged", "epoch"};

    return names[quality];
}

void nuce_capture_fini(struct nuce_capture *capture)
{
    for (int i = 0; i < capture->communicators; i++) {
        free(capture->communicator[i].members);
        nuce_capture_sequence_fini(&capture->sequence[i]);
    }
    for (int i = 0; i < capture->topologies; i++) {
        free(capture->topology[i].source);
        free(capture->topology[i].destination);
    }
    for (int i = 0; i < capture->patterns; i++) {
        free(capture->pattern[i].bytes);
        free(capture->pattern[i].duration.classes);
        free(capture->pattern[i].skew.classes);
        free(capture->pattern[i].arrival_ns);
        free(capture->pattern[i].kept_class);
    }
    free(capture->communicator);
    free(capture->topology);
    free(capture->pattern);
    free(capture->sequence);
    free(capture->host);
    free(capture->host_of);
    *capture = (struct nuce_capture){0};
}

/* Orders by time, longest first, with messages before those without (place is 1 here for
 * patterns with messages). Ties keep the order in which they were found, so places are the same
 * on every machine. */
static int order_of_rows(const void *a, const void *b, void *context)
{
    const struct nuce_capture *capture = context;
    const struct nuce_capture_row *x = a, *y = b;
    double left = capture->pattern[x->pattern].rank_ns,
           right = capture->pattern[y->pattern].rank_ns;

    if (left != right)
        return left > right ? -1 : 1;
    return x->place != y->place ? y->place - x->place : x->pattern - y->pattern;
}

struct nuce_capture_row *nuce_capture_rows(const struct nuce_capture *capture)
{
    struct nuce_capture_row *rows = nuce_allocate(capture->patterns, sizeof *rows);
    int place = 0;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        int64_t messages = capture->topology[pattern->topology].messages;

        rows[i] = (struct nuce_capture_row){.pattern = i, .place = messages > 0};
        for (int64_t k = 0; k < messages && !rows[i].has_bytes; k++)
            rows[i].has_bytes = pattern->bytes[k] > 0;
    }
    if (capture->patterns > 0)
        qsort_r(rows, (size_t)capture->patterns, sizeof *rows, order_of_rows, (void *)capture);
    for (int i = 0; i < capture->patterns; i++)
        rows[i].place = rows[i].place > 0 ? ++place : 0;
    return rows;
}

int nuce_capture_names_several(const char *call, int *most)
{
    long count = 0;
    char *end;

    *most = INT_MAX;
    if (strcmp(call, "all") == 0)
        return 1;
    if (strncmp(call, "top-", 4) != 0 || call[4] < '1' || call[4] > '9')
        return 0;
    count = strtol(call + 4, &end, 10);
    *most = count < INT_MAX ? (int)count : INT_MAX;
    return *end == '\0';
}

const struct nuce_capture_pattern *nuce_capture_find(const struct nuce_capture *capture,
                                                     const char *call, struct nuce_error *error)
{
    const struct nuce_capture_pattern *found = NULL;
    size_t length = strlen(call);
    char *end;
    long place = strtol(call, &end, 10);

    /* A place is short and an id is long; four digits may be either. */
    if (*end == '\0' && place > 0 && (length < 4 || (length == 4 && place <= capture->patterns))) {
        struct nuce_capture_row *rows = nuce_capture_rows(capture);
        int count = 0;

        for (int i = 0; i < capture->patterns; i++) {
            count += rows[i].place > 0;
            if (rows[i].place == place)
                found = &capture->pattern[rows[i].pattern];
        }
        if (count == 0)
            nuce_error_refuse(error, "call", "'%ld': no pattern of the capture has messages",
                              place);
        else if (found == NULL)
            nuce_error_refuse(error, "call",
                              "'%ld': expected at most %d, the patterns that have messages", place,
                              count);
        free(rows);
        return found;
    }
    for (int i = 0; i < capture->patterns && length >= 4; i++) {
        if (strncmp(capture->pattern[i].id, call, length) != 0)
            continue;
        if (found != NULL) {
            nuce_error_refuse(error, "call",
                              "'%s': several patterns begin with it: expected more "
                              "of the id",
                              call);
            return NULL;
        }
        found = &capture->pattern[i];
    }
    if (found == NULL)
        nuce_error_refuse(error, "call",
                          "'%s': expected the id of a pattern, at least 4 digits of it, or its "
                          "place by time (nuce show)",
                          call);
    else if (capture->topology[found->topology].messages == 0) {
        nuce_error_refuse(error, "call", "'%s': has no messages: a %s", call,
                          nuce_raw_kind_name(found->kind));
        return NULL;
    }
    return found;
}

/* The rank in the communicator of a world rank; -1: not a member. Most communicators are the
 * world or begin like it, so that place is tried first. */
static int own_rank(const struct nuce_capture_communicator *communicator, int world)
{
    if (world < communicator->size && communicator->members[world] == world)
        return world;
    for (int i = 0; i < communicator->size; i++) {
        if (communicator->members[i] == world)
            return i;
    }
    return -1;
}

/* The pattern's messages, on the ranks of its communicator. Messages of a pair are adjacent, as
 * in a topology. A new array, which the caller frees. */
static struct nuce_message *own_messages(const struct nuce_capture *capture,
                                         const struct nuce_capture_pattern *pattern)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];
    const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];
    struct nuce_message *messages = nuce_allocate(topology->messages, sizeof *messages);

    for (int64_t i = 0; i < topology->messages; i++)
        messages[i] = (struct nuce_message){own_rank(communicator, topology->source[i]),
                                            own_rank(communicator, topology->destination[i]),
                                            pattern->bytes[i]};
    return messages;
}

nuce_status nuce_capture_com(const struct nuce_capture *capture,
                             const struct nuce_capture_pattern *pattern, struct nuce_pattern *out,
                             struct nuce_error *error)
{
    struct nuce_message *messages = own_messages(capture, pattern);
    int64_t count = 0;
    nuce_status status;

    for (int64_t i = 0; i < capture->topology[pattern->topology].messages; i++) {
        if (count > 0 && messages[count - 1].source == messages[i].source &&
            messages[count - 1].destination == messages[i].destination)
            messages[count - 1].bytes += messages[i].bytes;
        else
            messages[count++] = messages[i];
    }
    status = nuce_pattern_init(capture->communicator[pattern->communicator].size, messages, count,
                               out, error);
    free(messages);
    return status;
}

void nuce_capture_splits(const struct nuce_capture *capture,
                         const struct nuce_capture_pattern *pattern, struct nuce_splits *out)
{
    struct nuce_message *messages = own_messages(capture, pattern);

    nuce_splits_init(messages, capture->topology[pattern->topology].messages, out);
    free(messages);
}

nuce_status nuce_capture_lateness(const struct nuce_capture *capture,
                                  const struct nuce_capture_pattern *pattern, int number,
                                  double *late_s, struct nuce_error *error)
{
    int size = capture->communicator[pattern->communicator].size;
    double least = INFINITY;

    if (pattern->skew.count > 0 && pattern->arrival_ns == NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "pattern %s: the arrival of its ranks was not kept, since the capture "
            "has too many patterns and ranks: expected one of those that took most "
            "time, such as top-16",
            pattern->id);
    if (pattern->skew.count == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pattern %s: no arrival times were measured: %s", pattern->id,
                              capture->origin[0] != '\0' ? capture->origin : "it is of one rank");
    for (int i = 0; i < size; i++) {
        double ns =
            pattern->kept == 0
                ? pattern->arrival_ns[i]
                : nuce_capture_times_middle(pattern->kept_class[(int64_t)number * size + i]);

        late_s[i] = ns * 1e-9;
        least = fmin(least, late_s[i]);
    }
    /* Means need not contain a first rank with lateness 0: no rank has to be first in each call. */
    for (int i = 0; i < size; i++)
        late_s[i] -= least;
    return NUCE_OK;
}

int nuce_capture_hosts_of(const struct nuce_capture *capture,
                          const struct nuce_capture_pattern *pattern, int *host)
{
    const struct nuce_capture_communicator *communicator =
        &capture->communicator[pattern->communicator];

    for (int i = 0; i < communicator->size; i++) {
        host[i] = capture->host_of[communicator->members[i]];
        if (host[i] < 0)
            return 0;
    }
    return 1;
}

void nuce_capture_count_hosts(const struct nuce_capture *capture,
                              const struct nuce_capture_pattern *pattern, int *hosts, int *most)
{
    int size = capture->communicator[pattern->communicator].size;
    int *host = nuce_allocate(size, sizeof *host);
    int *ranks = nuce_allocate(capture->hosts, sizeof *ranks);

    *hosts = *most = 0;
    if (nuce_capture_hosts_of(capture, pattern, host)) {
        for (int i = 0; i < size; i++) {
            *hosts += ranks[host[i]] == 0;
            ranks[host[i]]++;
            *most = ranks[host[i]] > *most ? ranks[host[i]] : *most;
        }
    }
    free(host);
    free(ranks);
}

/* Folds the order of calls. A program's loops repeat calls: a loop that repeats at once is
 * stored once, with its count. Loops of few calls are left to the packer, which also finds
 * near-repetitions. The search is greedy: at each call, only the distance to its pattern's next
 * occurrence is tried as a loop's length. Nested loops are not folded further.
 *
 * Cost: O(n) memory for n calls; O(n) time for loops that repeat, O(n l) at worst for loops of
 * length l that nearly do. */

/* Loops that cover fewer calls are not folded. Measured on ten captures: 64 to 1024 make no
 * difference; without this limit the order takes a third more bytes. */
#define LEAST_FOLDED 256

void nuce_capture_sequence_fini(struct nuce_capture_sequence *sequence)
{
    free(sequence->run);
    free(sequence->pattern);
    free(sequence->stamp);
    *sequence = (struct nuce_capture_sequence){0};
}

void nuce_capture_sequence_init(const int *pattern, int64_t count,
                                struct nuce_capture_sequence *out)
{
    struct nuce_capture_sequence sequence = {0};
    int64_t run_room = 0, pattern_room = 0;
    int64_t *next = nuce_allocate(count, sizeof *next), *last;
    int most = 0;

    /* For each call, the next occurrence of its pattern; count if there is none. */
    for (int64_t i = 0; i < count; i++)
        most = pattern[i] > most ? pattern[i] : most;
    last = nuce_allocate((int64_t)most + 1, sizeof *last);
    for (int i = 0; i <= most; i++)
        last[i] = count;
    for (int64_t i = count - 1; i >= 0; i--) {
        next[i] = last[pattern[i]];
        last[pattern[i]] = i;
    }
    for (int64_t at = 0; at < count;) {
        int64_t length = next[at] - at, same = 0, times;

        while (next[at] + same < count && pattern[at + same] == pattern[next[at] + same])
            same++;
        times = 1 + same / length;
        if (times == 1 || length * times < LEAST_FOLDED)
            length = times = 1;
        nuce_allocate_more((void **)&sequence.pattern, &pattern_room, sequence.patterns + length,
                           sizeof *sequence.pattern);
        memcpy(sequence.pattern + sequence.patterns, pattern + at,
               (size_t)length * sizeof *pattern);
        sequence.patterns += length;
        sequence.count += length * times;
        at += length * times;
        /* Adjacent runs that occur once are joined into one run. */
        if (times == 1 && sequence.runs > 0 && sequence.run[sequence.runs - 1].times == 1) {
            sequence.run[sequence.runs - 1].length += length;
            continue;
        }
        nuce_allocate_more((void **)&sequence.run, &run_room, sequence.runs + 1,
                           sizeof *sequence.run);
        sequence.run[sequence.runs++] = (struct nuce_capture_run){length, times};
    }
    free(last);
    free(next);
    *out = sequence;
}

int *nuce_capture_sequence_calls(const struct nuce_capture_sequence *sequence)
{
    int *calls = nuce_allocate(sequence->count, sizeof *calls);
    const int *pattern = sequence->pattern;
    int64_t at = 0;

    for (int64_t i = 0; i < sequence->runs; i++) {
        const struct nuce_capture_run *run = &sequence->run[i];

        for (int64_t time = 0; time < run->times; time++, at += run->length)
            memcpy(calls + at, pattern, (size_t)run->length * sizeof *calls);
        pattern += run->length;
    }
    return calls;
}

/* Statistics of durations: extremes, sum, and a histogram with four classes for each power of
 * two. In a file, extremes and mean are rounded. */

/* 0 .. 3 ns have classes of their own. The class of a larger time is the place of its highest
 * bit and the two bits after it, so a class spans at most 22 % of its middle. */
int nuce_capture_times_class(int64_t ns)
{
    int bit;

    if (ns < 4)
        return (int)ns;
    bit = 63 - __builtin_clzll((unsigned long long)ns);
    return 4 * (bit - 1) + (int)((ns >> (bit - 2)) & 3);
}

double nuce_capture_times_middle(int number)
{
    int bit = number / 4 + 1;

    if (number < 4)
        return number;
    return ldexp(4 + number % 4 + 0.5, bit - 2);
}

void nuce_capture_times_add(struct nuce_capture_times *times, int64_t ns)
{
    if (times->classes == NULL)
        times->classes = nuce_allocate(NUCE_CAPTURE_CLASSES, sizeof *times->classes);
    ns = ns < 0 ? 0 : ns;
    times->least = times->count == 0 || ns < times->least ? ns : times->least;
    times->most = ns > times->most ? ns : times->most;
    times->sum += (double)ns;
    times->count++;
    times->classes[nuce_capture_times_class(ns)]++;
}

double nuce_capture_times_mean(const struct nuce_capture_times *times)
{
    return times->count == 0 ? NAN : times->sum / (double)times->count;
}

/* One or two times are described by their extremes. For more times, the quantile is the middle
 * of the class that reaches this part of the count, limited to the extremes. */
double nuce_capture_times_quantile(const struct nuce_capture_times *times, double part)
{
    double wanted = part * (double)times->count;
    int64_t below = 0;

    if (times->count > 0 && times->count <= 2)
        return (double)(wanted <= 1 ? times->least : times->most);
    if (times->classes == NULL)
        return NAN;
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++) {
        below += times->classes[i];
        if ((double)below >= wanted && times->classes[i] > 0)
            return fmin(fmax(nuce_capture_times_middle(i), (double)times->least),
                        (double)times->most);
    }
    return (double)times->most;
}

/* 10, 100, ...: the first number that has more digits. */
static int64_t rounding_base(int digits)
{
    return digits == 0 ? 1 : 10 * rounding_base(digits - 1);
}

int64_t nuce_capture_rounded_code(double ns, int digits)
{
    int64_t base = rounding_base(digits), number;
    int tens = 0;

    for (ns = fmax(ns, 0); ns >= (double)base - 0.5; ns /= 10)
        tens++;
    number = llround(ns);
    return tens == 0 ? number : base + (tens - 1) * (base - base / 10) + number - base / 10;
}

double nuce_capture_rounded_time(int64_t code, int digits)
{
    int64_t base = rounding_base(digits), of_one_power = base - base / 10, above = code - base;

    if (code < base)
        return (double)code;
    return (double)(base / 10 + above % of_one_power) * pow(10, 1 + (double)(above / of_one_power));
}
