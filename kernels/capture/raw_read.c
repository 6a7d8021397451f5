/* Reads and checks raw files. A file may come from a process that was killed at any moment, and
 * from any source. Each record is checked before anything points to it, so no reader checks
 * again. O(bytes) time; 8 bytes for each record besides the file. Format: capture/raw.h.
 *
 * Limits: a file must have this machine's byte order and this version of the format. A file that
 * was cut, as on a full disk, is read up to its last complete record. All other damage is
 * refused with the byte where it begins. */
#include "capture/raw_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/text_file.h"

/* More collective calls on a communicator are treated as damage, so sums of epochs fit int. */
#define MOST_EPOCHS (1 << 29)

void nuce_raw_rank_fini(struct nuce_raw_rank *rank)
{
    free(rank->text);
    free(rank->communicators);
    free(rank->definitions);
    free(rank->calls);
    free(rank->flags);
    free(rank->open);
    *rank = (struct nuce_raw_rank){0};
}

const int32_t *nuce_raw_members(const struct nuce_raw_communicator *communicator)
{
    return (const int32_t *)(communicator + 1);
}

const struct nuce_raw_message *nuce_raw_messages(const struct nuce_raw_definition *definition)
{
    return (const struct nuce_raw_message *)(definition + 1);
}

/* True if the complete record is a valid communicator: it has the next number, its members are
 * ranks, and this rank is at the given place. */
static int is_communicator(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head)
{
    const struct nuce_raw_communicator *record = (const void *)head;

    if (head->bytes < sizeof *record || record->id != rank->communicator_count ||
        record->size < 1 || record->size > rank->header->ranks ||
        head->bytes - sizeof *record < (uint32_t)record->size * sizeof(int32_t) ||
        record->own < 0 || record->own >= record->size || record->ordinal < 0)
        return 0;
    for (int i = 0; i < record->size; i++) {
        if (nuce_raw_members(record)[i] < 0 || nuce_raw_members(record)[i] >= rank->header->ranks)
            return 0;
    }
    return nuce_raw_members(record)[record->own] == rank->header->rank;
}

/* True if a definition with room for that many messages is valid: its communicator came before,
 * and its messages' peers are ranks of it. */
static int has_content(const struct nuce_raw_rank *rank, const struct nuce_raw_definition *record,
                       uint64_t room)
{
    int size;

    if (record->communicator < 0 || record->communicator >= rank->communicator_count ||
        nuce_raw_kind_name(record->kind) == NULL || record->count < 0 || record->bytes < 0 ||
        room / sizeof(struct nuce_raw_message) < (uint32_t)record->count)
        return 0;
    size = rank->communicators[record->communicator]->size;
    for (int i = 0; i < record->count; i++) {
        const struct nuce_raw_message *message = &nuce_raw_messages(record)[i];

        if (message->peer < 0 || message->peer >= size || message->bytes < 0 ||
            (message->direction != NUCE_RAW_SEND && message->direction != NUCE_RAW_RECEIVE) ||
            message->epoch < 0 || message->epoch > MOST_EPOCHS)
            return 0;
    }
    return 1;
}

static int is_definition(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head)
{
    const struct nuce_raw_definition *record = (const void *)head;

    return head->bytes >= sizeof *record && record->id == rank->definition_count + 1 &&
           has_content(rank, record, head->bytes - sizeof *record);
}

/* The content is checked at the end, because its communicator may come later. */
static int is_open(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head)
{
    (void)rank;
    return head->bytes >= sizeof(struct nuce_raw_open);
}

/* True if a call is valid: its definition came before. */
static int is_call(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head)
{
    const struct nuce_raw_call *record = (const void *)head;

    return head->bytes >= sizeof *record && record->definition >= 1 &&
           record->definition <= rank->definition_count && record->epoch >= 0 &&
           record->epoch <= MOST_EPOCHS;
}

static int is_flags(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head)
{
    const struct nuce_raw_flags *record = (const void *)head;

    return head->bytes >= sizeof *record && record->communicator >= 0 &&
           record->communicator < rank->communicator_count && record->first >= 0 &&
           record->last >= record->first && record->last <= MOST_EPOCHS &&
           record->last - record->first <= NUCE_RAW_MOST_FLAGGED;
}

/* Checks and destination of the records of each type. */
static const struct {
    int (*is_one)(const struct nuce_raw_rank *rank, const struct nuce_raw_head *head);
    size_t list, count; /* offsets of members */
} raw_types[] = {
    [NUCE_RAW_COMMUNICATOR] = {is_communicator, offsetof(struct nuce_raw_rank, communicators),
                               offsetof(struct nuce_raw_rank, communicator_count)},
    [NUCE_RAW_DEFINITION] = {is_definition, offsetof(struct nuce_raw_rank, definitions),
                             offsetof(struct nuce_raw_rank, definition_count)},
    [NUCE_RAW_CALL] = {is_call, offsetof(struct nuce_raw_rank, calls),
                       offsetof(struct nuce_raw_rank, call_count)},
    [NUCE_RAW_FLAGS] = {is_flags, offsetof(struct nuce_raw_rank, flags),
                        offsetof(struct nuce_raw_rank, flags_count)},
    [NUCE_RAW_OPEN] = {is_open, offsetof(struct nuce_raw_rank, open),
                       offsetof(struct nuce_raw_rank, open_count)},
};
#define RAW_TYPES (sizeof raw_types / sizeof *raw_types)

/* Adds the record to its list. The lists point to different types, all of which begin with a
 * struct nuce_raw_head, so a list is copied out and in as bytes. */
static void keep_record(struct nuce_raw_rank *rank, enum nuce_raw_type type,
                        const struct nuce_raw_head *head, int64_t capacities[RAW_TYPES])
{
    int64_t *count = (int64_t *)((char *)rank + raw_types[type].count);
    char *member = (char *)rank + raw_types[type].list;
    void *list;

    memcpy(&list, member, sizeof list);
    nuce_allocate_more(&list, &capacities[type], *count + 1, sizeof(void *));
    memcpy(member, &list, sizeof list);
    ((const struct nuce_raw_head **)list)[(*count)++] = head;
}

/* Turns open rounds into calls without an end. The last record of each communicator counts;
 * earlier ones were copied into it. A process that was killed while it wrote a communicator's
 * last call left the open round as well: that round is skipped. */
static nuce_status keep_open_rounds(const char *name, struct nuce_raw_rank *rank,
                                    int64_t capacities[RAW_TYPES], struct nuce_error *error)
{
    int64_t calls = rank->call_count;
    /* The start of each communicator's last call; INT64_MAX: a later record of it was seen. */
    int64_t *begun_ns = nuce_allocate(rank->communicator_count, sizeof *begun_ns);

    for (int64_t i = 0; i < rank->communicator_count; i++)
        begun_ns[i] = INT64_MIN;
    for (int64_t i = 0; i < calls; i++)
        begun_ns[rank->definitions[rank->calls[i]->definition - 1]->communicator] =
            rank->calls[i]->open_ns;
    error->status = NUCE_OK;
    for (int64_t i = rank->open_count - 1; i >= 0 && error->status == NUCE_OK; i--) {
        struct nuce_raw_open *record = rank->open[i];
        struct nuce_raw_message *messages = (struct nuce_raw_message *)(record + 1);
        struct nuce_raw_definition *definition = &record->definition;
        uint64_t room = record->head.bytes - sizeof *record;
        int64_t *begun;
        int kept = 0;

        if (definition->communicator < 0 || definition->communicator >= rank->communicator_count) {
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: an open round is damaged", name);
            break;
        }
        begun = &begun_ns[definition->communicator];
        if (definition->count != 0 && record->call.open_ns != *begun && *begun != INT64_MAX) {
            for (int k = 0; k < definition->count && (uint64_t)k < room / sizeof *messages; k++) {
                if (messages[k].direction != NUCE_RAW_UNDONE)
                    messages[kept++] = messages[k];
            }
            definition->count = definition->count < 0 ? -1 : kept;
            definition->id = record->call.definition = (int32_t)rank->definition_count + 1;
            if (!has_content(rank, definition, room) || record->call.epoch < 0 ||
                record->call.epoch > MOST_EPOCHS) {
                nuce_error_set(error, NUCE_BAD_INPUT, "%s: damaged at byte %zu", name,
                               (size_t)((char *)record - rank->text));
                break;
            }
            keep_record(rank, NUCE_RAW_DEFINITION, &definition->head, capacities);
            keep_record(rank, NUCE_RAW_CALL, &record->call.head, capacities);
        }
        *begun = INT64_MAX;
    }
    free(begun_ns);
    return error->status;
}

/* An incomplete record is damage within the part that the header calls complete; it is the end
 * of a file that was cut. The loop ends, because each record is at least a head long. Record
 * lengths are multiples of 8 bytes and the text is aligned, so numbers are read in place. */
nuce_status nuce_raw_parse(const char *name, char *text, size_t length, struct nuce_raw_rank *out,
                           struct nuce_error *error)
{
    struct nuce_raw_rank rank = {.text = text, .header = (const void *)text};
    const struct nuce_raw_header *header = rank.header;
    int64_t capacities[RAW_TYPES] = {0};
    size_t at = sizeof *header, end = length;

    error->status = NUCE_OK;
    if (length < sizeof *header ||
        memcmp(header->magic, NUCE_RAW_MAGIC, sizeof NUCE_RAW_MAGIC) != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a raw file of nuce capture", name);
    else if (header->version != NUCE_RAW_VERSION || header->header_bytes != sizeof *header)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: of version %u, expected %d: merge it with the nuce that wrote it", name,
                       header->version, NUCE_RAW_VERSION);
    else if (header->ranks < 1 || header->ranks > NUCE_RAW_MOST_RANKS || header->rank < 0 ||
             header->rank >= header->ranks || header->ending < NUCE_RAW_RUNNING ||
             header->ending > NUCE_RAW_FINALIZED || header->used < 0 ||
             memchr(header->host, '\0', sizeof header->host) == NULL ||
             memchr(header->library, '\0', sizeof header->library) == NULL ||
             memchr(header->program, '\0', sizeof header->program) == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: its header is damaged", name);
    else if ((uint64_t)header->used > length - at)
        rank.is_cut = 1;
    else
        end = at + (size_t)header->used;
    while (error->status == NUCE_OK && end - at >= sizeof(struct nuce_raw_head)) {
        const struct nuce_raw_head *head = (const void *)(text + at);
        int is_whole =
            head->bytes % 8 == 0 && head->bytes >= sizeof *head && head->bytes <= end - at;

        if (!is_whole && rank.is_cut)
            break;
        if (!is_whole || head->type == 0 || head->type >= RAW_TYPES ||
            !raw_types[head->type].is_one(&rank, head)) {
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: damaged at byte %zu", name, at);
            break;
        }
        keep_record(&rank, (enum nuce_raw_type)head->type, head, capacities);
        at += head->bytes;
    }
    if (error->status == NUCE_OK && rank.open_count > 0)
        keep_open_rounds(name, &rank, capacities, error);
    if (error->status == NUCE_OK)
        *out = rank;
    else
        nuce_raw_rank_fini(&rank);
    return error->status;
}

void nuce_raw_free_ranks(struct nuce_raw_rank *ranks, int count)
{
    for (int i = 0; i < count; i++)
        nuce_raw_rank_fini(&ranks[i]);
    free(ranks);
}

/* For qsort. */
static int rank_order(const void *a, const void *b)
{
    const struct nuce_raw_rank *x = a, *y = b;

    return (x->header->rank > y->header->rank) - (x->header->rank < y->header->rank);
}

/* Sorted by rank at the end: a folder lists its names in any order, and the result must not
 * depend on it. */
nuce_status nuce_raw_read_folder(const char *folder, struct nuce_raw_rank **out, int *count,
                                 struct nuce_error *error)
{
    DIR *directory = opendir(folder);
    struct nuce_raw_rank *ranks = NULL;
    int64_t capacity = 0;
    int found = 0;
    struct dirent *entry;
    size_t length;

    if (directory == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", folder, strerror(errno));
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && (entry = readdir(directory)) != NULL) {
        const char *ending = strrchr(entry->d_name, '.');
        char *path, *text;

        if (ending == NULL || ending == entry->d_name || strcmp(ending, NUCE_RAW_ENDING) != 0)
            continue;
        path = nuce_text_format("%s/%s", folder, entry->d_name);
        nuce_allocate_more((void **)&ranks, &capacity, found + 1, sizeof *ranks);
        error->status = nuce_text_read(path, &text, &length, error);
        if (error->status == NUCE_OK)
            nuce_raw_parse(path, text, length, &ranks[found], error);
        found += error->status == NUCE_OK;
        free(path);
    }
    closedir(directory);
    if (error->status == NUCE_OK && found == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: no rank left data: no process called MPI_Init",
                       folder);
    if (found > 0)
        qsort(ranks, (size_t)found, sizeof *ranks, rank_order);
    /* All files must be from one start of one program. */
    for (int i = 1; i < found && error->status == NUCE_OK; i++) {
        const struct nuce_raw_header *header = ranks[i].header, *first = ranks[0].header;

        if (header->run != first->run || header->ranks != first->ranks)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: has files of several starts of MPI programs (%s, %s): "
                           "expected one: capture them one by one",
                           folder, first->program, header->program);
        else if (header->rank == ranks[i - 1].header->rank)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: has two files of rank %d", folder,
                           header->rank);
    }
    if (error->status != NUCE_OK) {
        nuce_raw_free_ranks(ranks, found);
        return error->status;
    }
    *out = ranks;
    *count = found;
    return NUCE_OK;
}
