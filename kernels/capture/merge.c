/* From the parts of calls to patterns, each content once, with number of calls and durations.
 *
 * Steps: for each call (adjacent parts that are one call), a hash of its parts decides if the
 * call's messages are known. Only new messages are gathered, sorted and given to the builder, so
 * a loop of a million equal exchanges sorts its messages once. Each call's duration, arrivals
 * and position are noted.
 *
 * Cost: O(parts + m log m) time for m messages of different calls; memory for the patterns, 4
 * bytes a call of one communicator, and 16 bytes per call and member with stamps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "capture/builder.h"
#include "capture/capture.h"
#include "capture/join.h"

/* A merge in progress. */
struct merge {
    const struct nuce_join *join;
    struct nuce_capture *capture;
    int clocks_differ; /* arrivals are not compared */
    /* hash of the parts of a call -> pattern; -1: nothing was sent; -2: new */
    struct nuce_pair_map known;
    struct nuce_capture_builder builder;
    /* of each pattern: every n-th of its calls is kept; n is a power of two */
    int64_t *strides;
    int64_t stride_capacity, stride_count;
    int *calls; /* of the current communicator: indices of their patterns */
    int64_t call_count, call_capacity;
    int64_t begin_ns;                  /* of the first rank, by rank 0's clock */
    struct nuce_capture_stamp *stamps; /* of each member in those calls */
    int64_t stamp_count, stamp_capacity;
    struct nuce_message *messages; /* of one call, before a pattern takes them */
    int64_t message_capacity;
};

static const struct nuce_join_node *node_of(const struct merge *merge, int64_t part)
{
    return &merge->join->nodes[merge->join->parts[part].node];
}

/* Returns the index of the pattern of the call with parts first .. end - 1; -1: nothing was
 * sent, so there is none. A call is identified by 128 bits, for any order of its
 * parts: their definitions, files, epochs and qualities. Two different calls with equal sums are
 * as unlikely as a hash collision. A call has the quality of its worst part. */
static int64_t pattern_of(struct merge *merge, int64_t first, int64_t end)
{
    const struct nuce_join_part *parts = merge->join->parts;
    struct nuce_capture_pattern pattern = {.kind = node_of(merge, first)->definition->kind,
                                           .communicator = parts[first].communicator};
    int64_t count = 0, *known;
    uint64_t sum[2] = {0, 0};

    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_node *node = node_of(merge, i);
        uint64_t mixed =
            nuce_rng_mix(((uint64_t)(uint32_t)node->file << 32) | (uint32_t)node->definition->id);

        mixed = nuce_rng_mix(mixed + ((uint64_t)(uint32_t)parts[i].only_epoch << 2) +
                             (uint64_t)parts[i].quality);
        sum[0] += mixed;
        sum[1] += nuce_rng_mix(mixed + 1);
        if (parts[i].quality > pattern.quality)
            pattern.quality = parts[i].quality;
    }
    known = nuce_pair_map_at(&merge->known, sum[0], sum[1], -2);
    if (*known != -2)
        return *known;
    /* The messages of the call between world ranks, sorted; moved is the bytes of calls without
     * messages. Receives are skipped: the sends have the same facts. */
    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_node *node = node_of(merge, i);
        const int32_t *members = merge->join->communicators[node->communicator].members;
        const struct nuce_raw_message *message = nuce_raw_messages(node->definition);

        nuce_allocate_more((void **)&merge->messages, &merge->message_capacity,
                           count + node->definition->count, sizeof *merge->messages);
        pattern.moved += node->definition->bytes;
        for (int k = 0; k < node->definition->count; k++, message++) {
            if (message->direction == NUCE_RAW_SEND &&
                (parts[i].only_epoch < 0 || parts[i].only_epoch == message->epoch))
                merge->messages[count++] =
                    (struct nuce_message){.source = members[node->own],
                                          .destination = members[message->peer],
                                          .bytes = message->bytes};
        }
    }
    if (count > 0)
        qsort(merge->messages, (size_t)count, sizeof *merge->messages, nuce_capture_builder_order);
    *known = count == 0 && pattern.kind == NUCE_RAW_KIND_exchange
                 ? -1
                 : nuce_capture_builder_add(&merge->builder, &pattern, merge->messages, count);
    return *known;
}

/* Marks members without a known lateness. No time is in this class: the last is 247. */
#define CLASS_UNSET 255

/* The start of a part of a call, in ns of rank 0's clock. */
static int64_t arrival_of(const struct merge *merge, int64_t part)
{
    const struct nuce_join_node *node = node_of(merge, part);

    return node->call->open_ns + merge->join->files[node->file].header->offset_ns;
}

/* Notes the lateness of each member behind the first. A kept call uses the earliest part of a
 * member that has several. Every strides[index]-th call is kept. When NUCE_CAPTURE_MOST_KEPT are
 * kept, every second one is dropped and the stride doubles. The kept calls are then spread
 * evenly, although the number of calls is not known beforehand. */
static void note_arrivals(struct merge *merge, struct nuce_capture_pattern *pattern, int64_t first,
                          int64_t end)
{
    int64_t least = INT64_MAX, most = INT64_MIN, index = pattern - merge->capture->pattern;
    int64_t size = merge->capture->communicator[pattern->communicator].size, *stride;
    unsigned char *row = NULL;

    for (int64_t i = first; i < end; i++) {
        int64_t at = arrival_of(merge, i);

        if (!merge->join->parts[i].is_timed)
            continue;
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    if (least == INT64_MAX)
        return;
    nuce_allocate_more((void **)&merge->strides, &merge->stride_capacity, index + 1,
                       sizeof *merge->strides);
    while (merge->stride_count <= index)
        merge->strides[merge->stride_count++] = 1;
    stride = &merge->strides[index];
    if (merge->capture->topology[pattern->topology].messages > 0) {
        if (pattern->kept_class == NULL)
            pattern->kept_class = nuce_allocate(NUCE_CAPTURE_MOST_KEPT * size, 1);
        if (pattern->skew.count % *stride == 0 && pattern->kept == NUCE_CAPTURE_MOST_KEPT) {
            for (int i = 0; 2 * i < pattern->kept; i++)
                memmove(pattern->kept_class + i * size, pattern->kept_class + 2 * i * size,
                        (size_t)size);
            pattern->kept = (pattern->kept + 1) / 2;
            *stride *= 2;
        }
        if (pattern->skew.count % *stride == 0) {
            row = pattern->kept_class + pattern->kept++ * size;
            memset(row, CLASS_UNSET, (size_t)size);
        }
    }
    for (int64_t i = first; i < end; i++) {
        int own = node_of(merge, i)->own,
            class = nuce_capture_times_class(arrival_of(merge, i) - least);

        if (!merge->join->parts[i].is_timed)
            continue;
        if (pattern->arrival_ns != NULL)
            pattern->arrival_ns[own] += (double)(arrival_of(merge, i) - least);
        if (row != NULL && class < row[own])
            row[own] = (unsigned char)class;
    }
    /* Members without a part are not waited for. */
    for (int i = 0; row != NULL && i < size; i++)
        row[i] = row[i] == CLASS_UNSET ? 0 : row[i];
    nuce_capture_times_add(&pattern->skew, most - least);
}

/* Drops classes beyond the limit of a capture; *classes is the number so far. The classes of one
 * or two times follow from the extremes. */
static void limit_classes(struct nuce_capture_times *times, int64_t *classes)
{
    if (times->count <= 2)
        return;
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++)
        *classes += times->classes[i] > 0;
    if (*classes <= NUCE_CAPTURE_MOST_KEPT_CLASSES)
        return;
    free(times->classes);
    times->classes = NULL;
}

/* Appends the stamps of each member in the call. The stamp of a member with several rounds spans
 * all of them. */
static void add_stamps(struct merge *merge, int64_t first, int64_t end)
{
    int size = merge->join->communicators[merge->join->parts[first].communicator].size;
    struct nuce_capture_stamp *stamps;

    nuce_allocate_more((void **)&merge->stamps, &merge->stamp_capacity, merge->stamp_count + size,
                       sizeof *stamps);
    stamps = merge->stamps + merge->stamp_count;
    merge->stamp_count += size;
    for (int i = 0; i < size; i++)
        stamps[i] = (struct nuce_capture_stamp){-1, -1};
    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_node *node = node_of(merge, i);
        int64_t start_ns = arrival_of(merge, i) - merge->begin_ns;
        struct nuce_capture_stamp *stamp = &stamps[node->own];
        int64_t end_ns = stamp->duration_ns < 0 ? -1 : stamp->start_ns + stamp->duration_ns;

        if (!merge->join->parts[i].is_timed)
            continue;
        start_ns = start_ns < 0 ? 0 : start_ns;
        if (node->call->duration_ns >= 0 && start_ns + node->call->duration_ns > end_ns)
            end_ns = start_ns + node->call->duration_ns;
        if (stamp->start_ns < 0 || start_ns < stamp->start_ns)
            stamp->start_ns = start_ns;
        stamp->duration_ns = end_ns < 0 ? -1 : end_ns - stamp->start_ns;
    }
}

/* Processes all calls, communicator by communicator. The calls become the communicator's
 * sequence, which takes over the stamps. Then sums of arrivals become means. Arrivals and
 * classes are kept only for the patterns that took most time, so that files stay small. The
 * duration of a call is that of its slowest rank. */
static void merge_calls(struct merge *merge)
{
    const struct nuce_join *join = merge->join;
    struct nuce_capture *capture = merge->capture;
    int64_t patterns = 0, means = 0, bytes = 0, classes = 0;
    struct nuce_capture_row *rows;

    for (int64_t first = 0, end; first < join->part_count; first = end) {
        int communicator = join->parts[first].communicator;
        int64_t number, longest = -1;

        for (end = first + 1;
             end < join->part_count && nuce_join_is_same(&join->parts[first], &join->parts[end]);)
            end++;
        number = pattern_of(merge, first, end);
        if (number >= 0) {
            struct nuce_capture_pattern *pattern = &capture->pattern[number];

            pattern->calls++;
            for (int64_t i = first; i < end; i++) {
                int64_t duration = node_of(merge, i)->call->duration_ns;

                if (!join->parts[i].is_timed || duration < 0)
                    continue;
                longest = duration > longest ? duration : longest;
                pattern->rank_ns += (double)duration;
            }
            if (longest >= 0)
                nuce_capture_times_add(&pattern->duration, longest);
            if (!merge->clocks_differ)
                note_arrivals(merge, pattern, first, end);
            nuce_allocate_more((void **)&merge->calls, &merge->call_capacity, merge->call_count + 1,
                               sizeof *merge->calls);
            merge->calls[merge->call_count++] = (int)number;
        }
        if (number >= 0 && capture->has_stamps)
            add_stamps(merge, first, end);
        if (end < join->part_count && join->parts[end].communicator == communicator)
            continue;
        if (merge->call_count > 0)
            nuce_capture_sequence_init(merge->calls, merge->call_count,
                                       &capture->sequence[communicator]);
        capture->sequence[communicator].stamp = merge->stamps;
        merge->stamps = NULL;
        merge->call_count = merge->stamp_count = merge->stamp_capacity = 0;
    }
    for (int i = 0; i < capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture->pattern[i];

        for (int k = 0;
             pattern->arrival_ns != NULL && k < join->communicators[pattern->communicator].size;
             k++)
            pattern->arrival_ns[k] = round(pattern->arrival_ns[k] / (double)pattern->calls);
        /* Rounded as in the file, so that places by time agree with the file. */
        pattern->rank_ns = nuce_capture_rounded_time(
            nuce_capture_rounded_code(pattern->rank_ns, NUCE_CAPTURE_TIME_DIGITS),
            NUCE_CAPTURE_TIME_DIGITS);
    }
    rows = nuce_capture_rows(capture);
    for (int i = 0; i < capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture->pattern[rows[i].pattern];
        int64_t size = capture->communicator[pattern->communicator].size;

        patterns += pattern->arrival_ns != NULL;
        means += pattern->arrival_ns != NULL ? size : 0;
        if (patterns > NUCE_CAPTURE_PATTERNS_WITH_MEANS && means > NUCE_CAPTURE_MOST_KEPT_MEANS) {
            free(pattern->arrival_ns);
            pattern->arrival_ns = NULL;
        }
        /* A pattern that was called once needs no kept call: its means are the same. */
        bytes += pattern->kept > 1 ? pattern->kept * size : 0;
        if (pattern->arrival_ns == NULL || pattern->kept <= 1 ||
            bytes > NUCE_CAPTURE_MOST_KEPT_BYTES) {
            free(pattern->kept_class);
            pattern->kept_class = NULL;
            pattern->kept = 0;
        }
        limit_classes(&pattern->duration, &classes);
        limit_classes(&pattern->skew, &classes);
    }
    free(rows);
}

nuce_status nuce_capture_merge(const char *folder, struct nuce_capture_merging merging,
                               struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_capture capture = {.has_stamps = merging.stamps};
    struct nuce_join join = {0};
    struct merge merge = {.join = &join,
                          .capture = &capture,
                          .clocks_differ = merging.clocks_differ,
                          .builder = {.capture = &capture}};
    struct nuce_raw_rank *files;
    int count;

    if (nuce_raw_read_folder(folder, &files, &count, error) != NUCE_OK)
        return error->status;
    nuce_join_init(&join, files, count, merging.epochs);
    /* The facts of the run in the headers of the ranks' files. A process that was killed has no
     * end and counts with no time. Hosts are in the order of their first ranks. The search is
     * linear, because hosts are few. */
    merge.begin_ns = INT64_MAX;
    capture.ranks = files[0].header->ranks;
    capture.found = count;
    capture.unmatched = join.unmatched;
    memcpy(capture.library, files[0].header->library, sizeof capture.library);
    memcpy(capture.program, files[0].header->program, sizeof capture.program);
    capture.host = nuce_allocate(count, sizeof *capture.host);
    capture.host_of = nuce_allocate(capture.ranks, sizeof *capture.host_of);
    for (int rank = 0; rank < capture.ranks; rank++)
        capture.host_of[rank] = -1;
    for (int i = 0; i < count; i++) {
        const struct nuce_raw_header *header = files[i].header;
        int64_t elapsed = header->end_ns - header->begin_ns;
        int host = 0;

        elapsed = elapsed < 0 ? 0 : elapsed;
        if (header->begin_ns + header->offset_ns < merge.begin_ns)
            merge.begin_ns = header->begin_ns + header->offset_ns;
        capture.endings[header->ending]++;
        capture.all_ranks_ns += (double)elapsed;
        capture.elapsed_ns = elapsed > capture.elapsed_ns ? elapsed : capture.elapsed_ns;
        if (header->offset_error_ns > capture.clock_error_ns)
            capture.clock_error_ns = header->offset_error_ns;
        for (int k = 0; k < NUCE_RAW_COUNTERS; k++)
            capture.counters[k] += header->counters[k] < 0 ? 0 : header->counters[k];
        capture.cut_files += files[i].is_cut;
        while (host < capture.hosts && strcmp(capture.host[host], header->host) != 0)
            host++;
        if (host == capture.hosts)
            memcpy(capture.host[capture.hosts++], header->host, sizeof *capture.host);
        capture.host_of[header->rank] = host;
    }
    /* The join's members point into the raw files, which are freed. */
    capture.communicators = join.communicator_count;
    capture.communicator = nuce_allocate(join.communicator_count, sizeof *capture.communicator);
    capture.sequence = nuce_allocate(join.communicator_count, sizeof *capture.sequence);
    for (int i = 0; i < join.communicator_count; i++) {
        struct nuce_capture_communicator *copy = &capture.communicator[i];

        copy->size = join.communicators[i].size;
        copy->ordinal = join.communicators[i].ordinal;
        copy->members = nuce_allocate(copy->size, sizeof *copy->members);
        memcpy(copy->members, join.communicators[i].members,
               (size_t)copy->size * sizeof *copy->members);
    }
    merge_calls(&merge);
    nuce_join_fini(&join);
    nuce_pair_map_fini(&merge.known);
    nuce_capture_builder_fini(&merge.builder);
    free(merge.messages);
    free(merge.calls);
    free(merge.stamps);
    free(merge.strides);
    *out = capture;
    return NUCE_OK;
}
