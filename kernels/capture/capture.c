/* What is asked of a capture: which pattern a user means, its messages as a COM, who came how late.
 * Nothing but nuce_capture_fini changes a capture. Cost: O(patterns log patterns) for the order by
 * time, which is made anew for each question; O(messages) for a COM where the communicator begins
 * as the world does, else up to its size for each. */
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

/* A pattern with its index and what it is sorted by. */
struct pattern_place {
    const struct nuce_capture_pattern *pattern;
    int index, has_messages;
};

/* Patterns with messages first, then by time, most first; equal ones stay in the order in which
 * they were found, so that places are the same on every machine. */
static int order_by_time(const void *a, const void *b)
{
    const struct pattern_place *x = a, *y = b;

    if (x->has_messages != y->has_messages)
        return y->has_messages - x->has_messages;
    if (x->pattern->rank_ns != y->pattern->rank_ns)
        return x->pattern->rank_ns > y->pattern->rank_ns ? -1 : 1;
    return x->index - y->index;
}

static int has_messages(const struct nuce_capture *capture, int pattern)
{
    return capture->topology[capture->pattern[pattern].topology].messages > 0;
}

int *nuce_capture_by_time(const struct nuce_capture *capture)
{
    struct pattern_place *places = nuce_allocate(capture->patterns, sizeof *places);
    int *order = nuce_allocate(capture->patterns, sizeof *order);

    for (int i = 0; i < capture->patterns; i++)
        places[i] = (struct pattern_place){&capture->pattern[i], i, has_messages(capture, i)};
    if (capture->patterns > 0)
        qsort(places, (size_t)capture->patterns, sizeof *places, order_by_time);
    for (int i = 0; i < capture->patterns; i++)
        order[i] = places[i].index;
    free(places);
    return order;
}

/* How many have messages: the first ones of that order by time. */
static int count_with_messages(const struct nuce_capture *capture, const int *order)
{
    int count = 0;

    while (count < capture->patterns && has_messages(capture, order[count]))
        count++;
    return count;
}

/* Those with messages and those without are two lists by time, one behind the other. They are
 * merged by time: where one has ended the other gives all the rest. */
struct nuce_capture_row *nuce_capture_rows(const struct nuce_capture *capture)
{
    int *order = nuce_capture_by_time(capture);
    struct nuce_capture_row *rows = nuce_allocate(capture->patterns, sizeof *rows);
    int count, with = 0, without;

    count = count_with_messages(capture, order);
    without = count;
    for (int i = 0; i < capture->patterns; i++) {
        int is_without = with == count ||
                         (without < capture->patterns && capture->pattern[order[without]].rank_ns >
                                                             capture->pattern[order[with]].rank_ns);

        rows[i] = is_without ? (struct nuce_capture_row){order[without], 0}
                             : (struct nuce_capture_row){order[with], with + 1};
        without += is_without;
        with += !is_without;
    }
    free(order);
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

static int sends_anything(const struct nuce_capture *capture,
                          const struct nuce_capture_pattern *pattern)
{
    int64_t messages = capture->topology[pattern->topology].messages;

    for (int64_t i = 0; i < messages; i++) {
        if (pattern->bytes[i] > 0)
            return 1;
    }
    return 0;
}

/* The result is the order itself, of which the first *count entries have become places. */
int *nuce_capture_places(const struct nuce_capture *capture, int ranks, int most, int *count)
{
    int *order = nuce_capture_by_time(capture);

    *count = 0;
    for (int i = 0; i < capture->patterns && *count < most; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[order[i]];

        if ((ranks == 0 || capture->communicator[pattern->communicator].size == ranks) &&
            sends_anything(capture, pattern))
            /* In place: what is written never stands behind what is read, as at most one is written
             * for each. */
            order[(*count)++] = i + 1;
    }
    return order;
}

/* The place-th by time, from 1 on; NULL with *error: there are fewer with messages. */
static const struct nuce_capture_pattern *pattern_at_place(const struct nuce_capture *capture,
                                                           long place, struct nuce_error *error)
{
    const struct nuce_capture_pattern *found = NULL;
    int *order = nuce_capture_by_time(capture);
    int count;

    count = count_with_messages(capture, order);
    if (place <= count)
        found = &capture->pattern[order[place - 1]];
    else
        nuce_error_refuse(error, "call",
                          "'%ld': expected at most %d, the patterns that have messages", place,
                          count);
    free(order);
    return found;
}

const struct nuce_capture_pattern *nuce_capture_find(const struct nuce_capture *capture,
                                                     const char *call, struct nuce_error *error)
{
    const struct nuce_capture_pattern *found = NULL;
    size_t length = strlen(call);
    char *end;
    long place = strtol(call, &end, 10);

    /* A place is short, an id is not; of four digits it may be either. */
    if (*end == '\0' && place > 0 && (length < 4 || (length == 4 && place <= capture->patterns)))
        return pattern_at_place(capture, place, error);
    for (int i = 0; i < capture->patterns && length >= 4; i++) {
        if (strncmp(capture->pattern[i].id, call, length) != 0)
            continue;
        if (found != NULL) {
            nuce_error_refuse(error, "call",
                              "'%s': several patterns begin so: expected more "
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

/* Where a world rank is in the communicator, -1: nowhere. Most communicators are the world or begin
 * like it, so that place is tried first. */
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

/* The pattern's messages on the ranks of its communicator, those of a pair side by side, as they
 * are in a topology: a new array, which the caller frees. */
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
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pattern %s: who came how late was not kept: of so many patterns and "
                              "ranks those that took most time have it; "
                              "expected one of them, as top-16 are",
                              pattern->id);
    if (pattern->skew.count == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pattern %s: nobody measured who came how late: %s", pattern->id,
                              capture->origin[0] != '\0' ? capture->origin : "it is of one rank");
    for (int i = 0; i < size; i++) {
        double ns =
            pattern->kept == 0
                ? pattern->arrival_ns[i]
                : nuce_capture_times_middle(pattern->kept_class[(int64_t)number * size + i]);

        late_s[i] = ns * 1e-9;
        least = fmin(least, late_s[i]);
    }
    /* Of means, nobody need be the first in each call. */
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
