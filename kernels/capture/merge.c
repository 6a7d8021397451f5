/* From the parts of calls to patterns: each content once, with how often and how long.
 *
 * Steps: for each call (parts that are one, side by side) a hash of what its parts are decides
 * whether the call's messages were seen before; only if not are they gathered, sorted and given to
 * the builder. So a loop of a million equal exchanges sorts its messages once. Durations, arrivals
 * and the order of calls are noted of each.
 *
 * Cost: O(parts + m log m) time for m messages of different calls; memory for the patterns, 4 bytes
 * a call of one communicator, and 16 bytes a call and member with stamps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "capture/builder.h"
#include "capture/capture.h"
#include "capture/content.h"
#include "capture/join.h"

/* A merge while it goes on. */
struct merge {
    const struct nuce_join *join;
    struct nuce_capture *capture;
    int clocks_differ; /* arrivals are not compared */
    /* sum_of the parts of a call -> pattern; -1: nothing was sent; -2: fresh */
    struct nuce_pair_map known;
    struct nuce_capture_builder builder;
    /* of each pattern: every so-manieth of its calls is kept, a power of two */
    int64_t *strides;
    int64_t stride_capacity, stride_count;
    int *calls; /* of the communicator at hand: indices of their patterns */
    int64_t call_count, call_capacity;
    int64_t begin_ns;                  /* of the first rank, by rank 0's clock */
    struct nuce_capture_stamp *stamps; /* of those calls each member's */
    int64_t stamp_count, stamp_capacity;
    struct nuce_message *messages; /* of one call, before they are a pattern's */
    int64_t message_capacity;
};

static const struct nuce_join_node *node_of(const struct merge *merge, int64_t part)
{
    return &merge->join->nodes[merge->join->parts[part].node];
}

/* 128 bits that stand for what a call is made of, in any order of its parts: which definitions of
 * which files, of which epochs, how good. Equal sums of different calls are as unlikely as those of
 * a hash. */
static void sum_of(const struct merge *merge, int64_t first, int64_t end, uint64_t sum[2])
{
    sum[0] = sum[1] = 0;
    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_part *part = &merge->join->parts[i];
        const struct nuce_join_node *node = node_of(merge, i);
        uint64_t mixed =
            nuce_rng_mix(((uint64_t)(uint32_t)node->file << 32) | (uint32_t)node->definition->id);

        mixed = nuce_rng_mix(mixed + ((uint64_t)(uint32_t)part->only_epoch << 2) +
                             (uint64_t)part->quality);
        sum[0] += mixed;
        sum[1] += nuce_rng_mix(mixed + 1);
    }
}

/* The worst of its parts. */
static enum nuce_capture_quality quality_of(const struct merge *merge, int64_t first, int64_t end)
{
    enum nuce_capture_quality worst = NUCE_CAPTURE_EXACT;

    for (int64_t i = first; i < end; i++) {
        if (merge->join->parts[i].quality > worst)
            worst = merge->join->parts[i].quality;
    }
    return worst;
}

/* What was sent in the call, world rank to world rank, sorted, to merge->messages; *moved are the
 * bytes of calls without messages. Receives say nothing that a send does not. */
static void messages_of(struct merge *merge, int64_t first, int64_t end, int64_t *count,
                        int64_t *moved)
{
    *count = *moved = 0;
    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_node *node = node_of(merge, i);
        const int32_t *members = merge->join->communicators[node->communicator].members;
        const struct nuce_raw_message *message = nuce_raw_messages(node->definition);
        void *list = merge->messages;

        nuce_allocate_more(&list, &merge->message_capacity, *count + node->definition->count,
                           sizeof *merge->messages);
        merge->messages = list;
        *moved += node->definition->bytes;
        for (int k = 0; k < node->definition->count; k++, message++) {
            int only = merge->join->parts[i].only_epoch;

            if (message->direction == NUCE_RAW_SEND && (only < 0 || only == message->epoch))
                merge->messages[(*count)++] =
                    (struct nuce_message){.source = members[node->own],
                                          .destination = members[message->peer],
                                          .bytes = message->bytes};
        }
    }
    if (*count > 0)
        qsort(merge->messages, (size_t)*count, sizeof *merge->messages, nuce_capture_builder_order);
}

/* The index of the pattern of the call of parts first .. end - 1; -1: it is none, for nothing was
 * sent; -2: *error. */
static int64_t pattern_of(struct merge *merge, int64_t first, int64_t end, struct nuce_error *error)
{
    const struct nuce_join_part *part = &merge->join->parts[first];
    struct nuce_capture_pattern pattern = {.kind = node_of(merge, first)->definition->kind,
                                           .quality = quality_of(merge, first, end),
                                           .communicator = part->communicator};
    int64_t count, *known, number;
    uint64_t sum[2];

    sum_of(merge, first, end, sum);
    known = nuce_pair_map_at(&merge->known, sum[0], sum[1], -2);
    if (*known != -2)
        return *known;
    messages_of(merge, first, end, &count, &pattern.moved);
    if (count == 0 && pattern.kind == NUCE_RAW_KIND_exchange) {
        *known = -1;
        return -1;
    }
    number = nuce_capture_builder_add(&merge->builder, &pattern, merge->messages, count, error);
    if (number < 0)
        return -2;
    *known = number;
    return number;
}

/* Marks members whose lateness is not known yet. No time is in this class: the last is 247. */
#define CLASS_UNSET 255

/* Every second call that was kept is not any more: those that stay are at multiples of twice the
 * stride. */
static void thin_kept(struct nuce_capture_pattern *pattern, int size)
{
    for (int i = 0; 2 * i < pattern->kept; i++)
        memmove(pattern->kept_class + (int64_t)i * size,
                pattern->kept_class + (int64_t)2 * i * size, (size_t)size);
    pattern->kept = (pattern->kept + 1) / 2;
}

/* Room for the arrivals of one more call, if it is one of those that are kept; *row NULL: it is
 * not. Every strides[index]-th call is; when NUCE_CAPTURE_MOST_KEPT are there, every second is
 * dropped and the stride doubled, so that what is kept is spread evenly over all calls without
 * knowing how many will come. */
static void next_kept(struct merge *merge, struct nuce_capture_pattern *pattern,
                      unsigned char **row)
{
    int64_t index = pattern - merge->capture->pattern;
    int size = merge->capture->communicator[pattern->communicator].size;
    void *list = merge->strides;

    *row = NULL;
    nuce_allocate_more(&list, &merge->stride_capacity, index + 1, sizeof *merge->strides);
    merge->strides = list;
    while (merge->stride_count <= index)
        merge->strides[merge->stride_count++] = 1;
    if (pattern->kept_class == NULL)
        pattern->kept_class = nuce_allocate((int64_t)NUCE_CAPTURE_MOST_KEPT * size, 1);
    if (pattern->skew.count % merge->strides[index] != 0)
        return;
    if (pattern->kept == NUCE_CAPTURE_MOST_KEPT) {
        thin_kept(pattern, size);
        merge->strides[index] *= 2;
        if (pattern->skew.count % merge->strides[index] != 0)
            return;
    }
    *row = pattern->kept_class + (int64_t)pattern->kept++ * size;
    memset(*row, CLASS_UNSET, (size_t)size);
}

/* When a part of a call began, in ns of rank 0's clock. */
static int64_t arrival_of(const struct merge *merge, int64_t part)
{
    const struct nuce_join_node *node = node_of(merge, part);

    return node->call->open_ns + merge->join->files[node->file].header->offset_ns;
}

/* How far each member came behind the first one. A member with several parts in a call counts with
 * the earliest of them in what is kept. */
static void note_arrivals(struct merge *merge, struct nuce_capture_pattern *pattern, int64_t first,
                          int64_t end)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
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
    if (merge->capture->topology[pattern->topology].messages > 0)
        next_kept(merge, pattern, &row);
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
    /* Who has no part in it is not waited for. */
    for (int i = 0; row != NULL && i < merge->capture->communicator[pattern->communicator].size;
         i++)
        row[i] = row[i] == CLASS_UNSET ? 0 : row[i];
    nuce_capture_times_add(&pattern->skew, most - least);
}

/* What is kept so far. */
struct kept {
    int64_t patterns, means, bytes, classes;
};

/* Lets go of the pattern's arrivals if with them there are too many. Of one that was called once
 * the means say the same as its call. */
static void limit_arrivals(struct nuce_capture_pattern *pattern, int size, struct kept *kept)
{
    if (pattern->arrival_ns != NULL) {
        kept->patterns++;
        kept->means += size;
    }
    if (kept->patterns > NUCE_CAPTURE_PATTERNS_WITH_MEANS &&
        kept->means > NUCE_CAPTURE_MOST_KEPT_MEANS) {
        free(pattern->arrival_ns);
        pattern->arrival_ns = NULL;
    }
    kept->bytes += pattern->kept > 1 ? (int64_t)pattern->kept * size : 0;
    if (pattern->arrival_ns != NULL && pattern->kept > 1 &&
        kept->bytes <= NUCE_CAPTURE_MOST_KEPT_BYTES)
        return;
    free(pattern->kept_class);
    pattern->kept_class = NULL;
    pattern->kept = 0;
}

/* The same of the classes of times. Those of one or two follow from the extremes. */
static void limit_classes(struct nuce_capture_times *times, struct kept *kept)
{
    if (times->count <= 2)
        return;
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++)
        kept->classes += times->classes[i] > 0;
    if (kept->classes <= NUCE_CAPTURE_MOST_KEPT_CLASSES)
        return;
    free(times->classes);
    times->classes = NULL;
}

/* Keeps arrivals and classes of the patterns that took most time, so that files stay small. */
static void limit_kept(struct nuce_capture *capture)
{
    struct nuce_capture_row *rows = nuce_capture_rows(capture);
    struct kept kept = {0};

    for (int i = 0; i < capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture->pattern[rows[i].pattern];

        limit_arrivals(pattern, capture->communicator[pattern->communicator].size, &kept);
        limit_classes(&pattern->duration, &kept);
        limit_classes(&pattern->skew, &kept);
    }
    free(rows);
}

/* One more call of the pattern: its duration is that of the rank that was longest in it. */
static void note_call(struct merge *merge, struct nuce_capture_pattern *pattern, int64_t first,
                      int64_t end)
{
    int64_t longest = -1;

    pattern->calls++;
    for (int64_t i = first; i < end; i++) {
        int64_t duration = node_of(merge, i)->call->duration_ns;

        if (!merge->join->parts[i].is_timed || duration < 0)
            continue;
        longest = duration > longest ? duration : longest;
        pattern->rank_ns += (double)duration;
    }
    if (longest >= 0)
        nuce_capture_times_add(&pattern->duration, longest);
    if (!merge->clocks_differ)
        note_arrivals(merge, pattern, first, end);
}

/* One more round of a member in a call in which it may have had another: the stamp spans both. */
static void extend_stamp(struct nuce_capture_stamp *stamp, int64_t start_ns, int64_t duration_ns)
{
    int64_t end_ns = stamp->duration_ns < 0 ? -1 : stamp->start_ns + stamp->duration_ns;

    if (duration_ns >= 0 && start_ns + duration_ns > end_ns)
        end_ns = start_ns + duration_ns;
    if (stamp->start_ns < 0 || start_ns < stamp->start_ns)
        stamp->start_ns = start_ns;
    stamp->duration_ns = end_ns < 0 ? -1 : end_ns - stamp->start_ns;
}

/* When each member was in the call, behind those of the calls before. */
static void add_stamps(struct merge *merge, int64_t first, int64_t end)
{
    int size = merge->join->communicators[merge->join->parts[first].communicator].size;
    struct nuce_capture_stamp *stamps;
    void *list = merge->stamps;

    nuce_allocate_more(&list, &merge->stamp_capacity, merge->stamp_count + size, sizeof *stamps);
    merge->stamps = list;
    stamps = merge->stamps + merge->stamp_count;
    merge->stamp_count += size;
    for (int i = 0; i < size; i++)
        stamps[i] = (struct nuce_capture_stamp){-1, -1};
    for (int64_t i = first; i < end; i++) {
        const struct nuce_join_node *node = node_of(merge, i);
        int64_t start_ns = arrival_of(merge, i) - merge->begin_ns;

        if (merge->join->parts[i].is_timed)
            extend_stamp(&stamps[node->own], start_ns < 0 ? 0 : start_ns, node->call->duration_ns);
    }
}

static void add_to_calls(struct merge *merge, int64_t pattern)
{
    void *list = merge->calls;

    nuce_allocate_more(&list, &merge->call_capacity, merge->call_count + 1, sizeof *merge->calls);
    merge->calls = list;
    merge->calls[merge->call_count++] = (int)pattern;
}

/* The calls of a communicator, which is over, become its sequence; it takes over the stamps. */
static void end_sequence(struct merge *merge, int communicator)
{
    if (merge->call_count > 0)
        nuce_capture_sequence_init(merge->calls, merge->call_count,
                                   &merge->capture->sequence[communicator]);
    merge->capture->sequence[communicator].stamp = merge->stamps;
    merge->stamps = NULL;
    merge->call_count = merge->stamp_count = merge->stamp_capacity = 0;
}

/* All calls, communicator by communicator; then sums of arrivals become means, and what is kept is
 * limited. */
static nuce_status merge_calls(struct merge *merge, struct nuce_error *error)
{
    const struct nuce_join *join = merge->join;

    for (int64_t first = 0, end; first < join->part_count; first = end) {
        int64_t pattern;

        for (end = first + 1;
             end < join->part_count && nuce_join_is_same(&join->parts[first], &join->parts[end]);)
            end++;
        pattern = pattern_of(merge, first, end, error);
        if (pattern == -2)
            return error->status;
        if (pattern >= 0) {
            note_call(merge, &merge->capture->pattern[pattern], first, end);
            add_to_calls(merge, pattern);
            if (merge->capture->has_stamps)
                add_stamps(merge, first, end);
        }
        if (end == join->part_count ||
            join->parts[end].communicator != join->parts[first].communicator)
            end_sequence(merge, join->parts[first].communicator);
    }
    for (int i = 0; i < merge->capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &merge->capture->pattern[i];

        for (int k = 0;
             pattern->arrival_ns != NULL && k < join->communicators[pattern->communicator].size;
             k++)
            pattern->arrival_ns[k] = round(pattern->arrival_ns[k] / (double)pattern->calls);
        /* As the file has it, so that places by time are those of the file. */
        pattern->rank_ns = nuce_capture_rounded_time(
            nuce_capture_rounded_code(pattern->rank_ns, NUCE_CONTENT_TIME_DIGITS),
            NUCE_CONTENT_TIME_DIGITS);
    }
    limit_kept(merge->capture);
    return NUCE_OK;
}

/* The join's members point into the raw files, which are freed. */
static void copy_communicators(struct merge *merge)
{
    const struct nuce_join *join = merge->join;
    struct nuce_capture *capture = merge->capture;

    capture->communicator = nuce_allocate(join->communicator_count, sizeof *capture->communicator);
    capture->sequence = nuce_allocate(join->communicator_count, sizeof *capture->sequence);
    for (int i = 0; i < join->communicator_count; i++) {
        struct nuce_capture_communicator *copy = &capture->communicator[i];

        capture->communicators++;
        copy->size = join->communicators[i].size;
        copy->ordinal = join->communicators[i].ordinal;
        copy->members = nuce_allocate(copy->size, sizeof *copy->members);
        memcpy(copy->members, join->communicators[i].members,
               (size_t)copy->size * sizeof *copy->members);
    }
}

/* Hosts in the order of their first ranks. Quadratic in hosts at worst: they are few. */
static void note_hosts(struct merge *merge)
{
    struct nuce_capture *capture = merge->capture;
    const struct nuce_join *join = merge->join;

    capture->host = nuce_allocate(join->file_count, sizeof *capture->host);
    capture->host_of = nuce_allocate(capture->ranks, sizeof *capture->host_of);
    for (int rank = 0; rank < capture->ranks; rank++)
        capture->host_of[rank] = -1;
    for (int i = 0; i < join->file_count; i++) {
        const struct nuce_raw_header *header = join->files[i].header;
        int host = 0;

        while (host < capture->hosts && strcmp(capture->host[host], header->host) != 0)
            host++;
        if (host == capture->hosts)
            memcpy(capture->host[capture->hosts++], header->host, sizeof *capture->host);
        capture->host_of[header->rank] = host;
    }
}

/* What the headers of the ranks' files say of the run. A process that was killed has no end: it
 * counts with no time. */
static void note_headers(struct merge *merge)
{
    struct nuce_capture *capture = merge->capture;

    merge->begin_ns = INT64_MAX;
    for (int i = 0; i < merge->join->file_count; i++) {
        const struct nuce_raw_header *header = merge->join->files[i].header;
        int64_t elapsed = header->end_ns - header->begin_ns;

        elapsed = elapsed < 0 ? 0 : elapsed;
        if (header->begin_ns + header->offset_ns < merge->begin_ns)
            merge->begin_ns = header->begin_ns + header->offset_ns;
        if (i == 0) {
            capture->ranks = header->ranks;
            memcpy(capture->library, header->library, sizeof capture->library);
            memcpy(capture->program, header->program, sizeof capture->program);
        }
        capture->found++;
        capture->endings[header->ending]++;
        capture->all_ranks_ns += (double)elapsed;
        capture->elapsed_ns = elapsed > capture->elapsed_ns ? elapsed : capture->elapsed_ns;
        if (header->offset_error_ns > capture->clock_error_ns)
            capture->clock_error_ns = header->offset_error_ns;
        for (int k = 0; k < NUCE_RAW_COUNTERS; k++)
            capture->counters[k] += header->counters[k] < 0 ? 0 : header->counters[k];
        capture->cut_files += merge->join->files[i].is_cut;
    }
    capture->unmatched = merge->join->unmatched;
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
    nuce_status status;

    if (nuce_raw_read_folder(folder, &files, &count, error) != NUCE_OK)
        return error->status;
    nuce_join_init(&join, files, count, merging.epochs);
    note_headers(&merge);
    note_hosts(&merge);
    copy_communicators(&merge);
    status = merge_calls(&merge, error);
    nuce_join_fini(&join);
    nuce_pair_map_fini(&merge.known);
    nuce_capture_builder_fini(&merge.builder);
    free(merge.messages);
    free(merge.calls);
    free(merge.stamps);
    free(merge.strides);
    if (status == NUCE_OK)
        *out = capture;
    else
        nuce_capture_fini(&capture);
    return status;
}
