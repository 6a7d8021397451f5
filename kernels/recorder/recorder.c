/* Rounds of messages and collective calls of one rank, as they happen. O(1) for each message but
 * for a round that was not seen before, which is sorted and written.
 *
 * Memory: 24 bytes and a mark for each message of the open rounds, at most NUCE_RECORDER_LONGEST a
 * communicator, some 80 bytes for each request under way, and the table of definitions. Times are
 * nanoseconds of the rank's own monotonic clock, as the caller gives them.
 *
 * An epoch is what the merge matches rounds of different ranks by: all members of a communicator
 * pass the collectives of its group in one order (MPI 4.1, 6.14), so rounds between the same two of
 * them belong together. */
#include "recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/definitions.h"
#include "recorder/request_table.h"

/* A receive from any source that so many collectives of its group did not see end is a listener's.
 */
#define LISTENS_AFTER 2

/* The messages of the round that is open; serial is its number, so that requests of earlier rounds
 * are known as such. */
struct open_round {
    struct nuce_raw_message *messages;
    int8_t *is_pending; /* of each message: NUCE_RAW_SEND + 1, NUCE_RAW_RECEIVE + 1, or 0 */
    int count, capacity, pending[2], any_pending;
    int epoch, has_ended; /* has_ended: some message of it was seen to */
    int64_t open_ns, serial;
};

struct recorded_communicator {
    struct open_round round;
    int group, is_dropped;
    int flagged, flags; /* the epoch that was flagged last, counted from 1, and what for */
};

/* Members in their order. Collectives of the world count for all. */
struct recorded_group {
    uint64_t hash;
    int size, members, collectives; /* members: communicators that had them */
};

struct nuce_recorder {
    struct nuce_raw_writer file;
    int64_t (*clock)(void);
    struct recorded_communicator *communicators;
    struct recorded_group *groups;
    int count, capacity, group_count, group_capacity;
    int listening; /* receives from any source under way */
    int wishes;    /* active requests that wish for something */
    int64_t serial;
    struct nuce_recorder_definitions definitions;
    struct nuce_request_table requests;
};

/* Only what creating the file may fail with is in errno; of the recorder itself, ENOMEM. */
struct nuce_recorder *nuce_recorder_create(const char *path, const struct nuce_raw_header *header,
                                           int64_t (*clock)(void))
{
    struct nuce_recorder *recorder = calloc(1, sizeof *recorder);

    if (recorder != NULL && nuce_raw_create(&recorder->file, path, header) != 0) {
        free(recorder);
        return NULL;
    }
    if (recorder != NULL)
        recorder->clock = clock;
    return recorder;
}

static int64_t recorder_time(const struct nuce_recorder *recorder, int64_t now_ns)
{
    return now_ns == NUCE_RECORDER_NOW ? recorder->clock() : now_ns;
}

struct nuce_raw_header *nuce_recorder_header(struct nuce_recorder *recorder)
{
    return recorder->file.header;
}

/* Into the mapped header: it is in the file even if the application is killed now. */
static void count_event(struct nuce_recorder *recorder, enum nuce_raw_counter counter)
{
    recorder->file.header->counters[counter]++;
}

/* Makes *data hold needed elements; 0, or -1, counted. data is the address of a pointer to any
 * type, hence the copies. */
static int hold(struct nuce_recorder *recorder, void *data, int *capacity, int needed, size_t size)
{
    int wanted = *capacity < 8 ? 8 : 2 * *capacity;
    void *more;

    if (needed <= *capacity)
        return 0;
    memcpy(&more, data, sizeof more);
    more = realloc(more, (size_t)wanted * size);
    if (more == NULL) {
        count_event(recorder, NUCE_RAW_FULL);
        return -1;
    }
    memcpy(data, &more, sizeof more);
    *capacity = wanted;
    return 0;
}

/* Epochs of a communicator: the collectives of its group and, if that is another one, of the world.
 * All of its members count the same. The world's collectives count for every communicator, as all
 * ranks take part in them. */
static int epoch_of(const struct nuce_recorder *recorder,
                    const struct recorded_communicator *communicator)
{
    int count = recorder->groups[communicator->group].collectives;

    return communicator->group == 0 ? count : count + recorder->groups[0].collectives;
}

static uint64_t hash_members(const int *members, int size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, by words */

    for (int i = 0; i < size; i++)
        hash = (hash ^ (uint32_t)members[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The number of the group, made where it is new; -1: no room. By hash and size: another group of
 * the same 64 bits is not thought of. O(groups), on making a communicator only. */
static int group_of(struct nuce_recorder *recorder, const int *members, int size)
{
    uint64_t hash = hash_members(members, size);

    for (int i = 0; i < recorder->group_count; i++) {
        if (recorder->groups[i].hash == hash && recorder->groups[i].size == size)
            return i;
    }
    if (hold(recorder, &recorder->groups, &recorder->group_capacity, recorder->group_count + 1,
             sizeof *recorder->groups) != 0)
        return -1;
    recorder->groups[recorder->group_count] = (struct recorded_group){.hash = hash, .size = size};
    return recorder->group_count++;
}

/* Members are written once, here; afterwards a communicator is its number. The ordinal tells apart
 * communicators of the same members: all members make them in the same order. */
int nuce_recorder_add(struct nuce_recorder *recorder, const int *members, int size, int own)
{
    struct nuce_raw_communicator *record;
    int group = group_of(recorder, members, size);

    if (group < 0 || hold(recorder, &recorder->communicators, &recorder->capacity,
                          recorder->count + 1, sizeof *recorder->communicators) != 0)
        return -1;
    record = nuce_raw_reserve(&recorder->file, NUCE_RAW_COMMUNICATOR,
                              (int64_t)sizeof *record + size * (int64_t)sizeof(int32_t));
    if (record == NULL)
        return -1;
    record->id = recorder->count;
    record->size = size;
    record->own = own;
    record->ordinal = recorder->groups[group].members++;
    memcpy(record + 1, members, (size_t)size * sizeof(int32_t));
    nuce_raw_commit(&recorder->file);
    recorder->communicators[recorder->count] = (struct recorded_communicator){.group = group};
    return recorder->count++;
}

/* Frees the buffers too, for a communicator that is no more. */
static void forget_round(struct open_round *round)
{
    free(round->messages);
    free(round->is_pending);
    *round = (struct open_round){0};
}

/* What is under way on it still ends: MPI frees a communicator when its messages are over
 * (MPI_COMM_FREE), so an open round stays until then. */
void nuce_recorder_drop(struct nuce_recorder *recorder, int communicator)
{
    struct recorded_communicator *dropped = &recorder->communicators[communicator];

    dropped->is_dropped = 1;
    if (dropped->round.count == 0)
        forget_round(&dropped->round);
}

/* duration_ns -1: the call has no end yet; start_collective keeps its place in the file for
 * that. */
static void write_call(struct nuce_recorder *recorder, int definition, int epoch, int64_t open_ns,
                       int64_t duration_ns)
{
    struct nuce_raw_call *call =
        definition == 0 ? NULL : nuce_raw_reserve(&recorder->file, NUCE_RAW_CALL, sizeof *call);

    if (call == NULL)
        return;
    call->definition = definition;
    call->epoch = epoch;
    call->open_ns = open_ns;
    call->duration_ns = duration_ns;
    nuce_raw_commit(&recorder->file);
    if (open_ns + duration_ns > recorder->file.header->end_ns)
        recorder->file.header->end_ns = open_ns + duration_ns;
}

/* Epochs first .. last of the communicator; a flag is a record of its own, as it may come long
 * after the round it is about was written. */
static void write_flags(struct nuce_recorder *recorder, int communicator, int first, int last,
                        enum nuce_raw_flag flag)
{
    struct nuce_raw_flags *record =
        nuce_raw_reserve(&recorder->file, NUCE_RAW_FLAGS, sizeof *record);

    if (record == NULL)
        return;
    record->communicator = communicator;
    record->first = first;
    record->last = last;
    record->flags = (int32_t)flag;
    nuce_raw_commit(&recorder->file);
}

/* An epoch is flagged for a reason once, however often the reason occurs: probes come in loops of
 * thousands. */
void nuce_recorder_flag(struct nuce_recorder *recorder, int communicator, enum nuce_raw_flag flag)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    int epoch = epoch_of(recorder, owner);

    if (owner->flagged == epoch + 1 && (owner->flags & (int)flag) != 0)
        return;
    owner->flags = (int)flag | (owner->flagged == epoch + 1 ? owner->flags : 0);
    owner->flagged = epoch + 1;
    write_flags(recorder, communicator, epoch, epoch, flag);
}

/* Takes receives that are under way out of the messages. */
static void take_out_receives(struct open_round *round)
{
    int kept = 0;

    for (int i = 0; i < round->count; i++) {
        if (round->is_pending[i] != NUCE_RAW_RECEIVE + 1)
            round->messages[kept++] = round->messages[i];
    }
    round->count = kept;
}

/* Writes it and empties it. What is under way is known by its serial to be of a round that is over:
 * a send has its place there, a receive is noted when it ends. */
static void close_round(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    struct open_round *round = &owner->round;
    struct nuce_recorder_sum sum = {0, 0};

    take_out_receives(round);
    for (int i = 0; i < round->count; i++)
        nuce_recorder_sum_add(&sum, &round->messages[i]);
    if (round->count > 0) {
        int definition =
            nuce_recorder_define(&recorder->definitions, &recorder->file, sum, communicator,
                                 NUCE_RAW_KIND_exchange, 0, round->messages, round->count);

        write_call(recorder, definition, round->epoch, round->open_ns,
                   recorder_time(recorder, now_ns) - round->open_ns);
    }
    recorder->listening -= round->any_pending;
    round->count = 0;
    round->pending[0] = round->pending[1] = round->any_pending = 0;
    round->has_ended = 0;
    round->serial = 0;
    if (owner->is_dropped)
        forget_round(round);
}

void nuce_recorder_destroy(struct nuce_recorder *recorder, enum nuce_raw_ending ending,
                           int64_t now_ns)
{
    if (recorder == NULL)
        return;
    for (int i = 0; i < recorder->count; i++) {
        struct open_round *round = &recorder->communicators[i].round;

        recorder->file.header->counters[NUCE_RAW_UNFINISHED] += round->pending[NUCE_RAW_RECEIVE];
        if (round->count > 0)
            close_round(recorder, i, now_ns);
        forget_round(round);
    }
    if (now_ns > recorder->file.header->end_ns)
        recorder->file.header->end_ns = now_ns;
    nuce_raw_close(&recorder->file, ending);
    free(recorder->communicators);
    free(recorder->groups);
    free(recorder->definitions.entries);
    nuce_request_table_fini(&recorder->requests);
    free(recorder);
}

/* Room for one message more in both arrays. Where only the first could grow, the capacity stays the
 * smaller one: the same realloc is asked for again next time. */
static int hold_round(struct nuce_recorder *recorder, struct open_round *round)
{
    int8_t *is_pending;
    int before = round->capacity;

    if (hold(recorder, &round->messages, &round->capacity, round->count + 1,
             sizeof *round->messages) != 0)
        return -1;
    if (round->capacity == before)
        return 0;
    is_pending = realloc(round->is_pending, (size_t)round->capacity);
    if (is_pending == NULL) {
        round->capacity = before;
        count_event(recorder, NUCE_RAW_FULL);
        return -1;
    }
    round->is_pending = is_pending;
    return 0;
}

/* Notes the message in the communicator's round; the place is of no round where there is no room.
 */
static struct nuce_recorder_place note(struct nuce_recorder *recorder,
                                       const struct nuce_recorder_message *message, int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[message->communicator];
    struct open_round *round = &owner->round;
    int epoch = epoch_of(recorder, owner);

    if (round->count >= NUCE_RECORDER_LONGEST) {
        count_event(recorder, NUCE_RAW_CUT);
        nuce_recorder_flag(recorder, message->communicator, NUCE_RAW_LISTENED);
        close_round(recorder, message->communicator, now_ns);
    }
    if (hold_round(recorder, round) != 0)
        return (struct nuce_recorder_place){.message = *message, .round = -1};
    if (round->count == 0) {
        round->open_ns = recorder_time(recorder, now_ns);
        round->epoch = epoch;
        round->serial = ++recorder->serial;
    }
    round->messages[round->count] = (struct nuce_raw_message){
        .peer = message->peer,
        .tag = message->tag,
        .bytes = message->direction == NUCE_RAW_SEND ? message->bytes : 0,
        .direction = message->direction,
        .epoch = epoch - round->epoch,
    };
    round->is_pending[round->count] = (int8_t)(message->direction + 1);
    round->pending[message->direction]++;
    if (message->peer == NUCE_RECORDER_ANY) {
        round->any_pending++;
        recorder->listening++;
    }
    return (struct nuce_recorder_place){
        .message = *message, .index = round->count++, .round = round->serial};
}

/* The message at place is over. A receive that outlived its round is noted now. */
static void settle(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                   int source, int tag, int64_t now_ns)
{
    int communicator = place->message.communicator;
    struct open_round *round = &recorder->communicators[communicator].round;
    struct nuce_recorder_place at = *place;
    struct nuce_raw_message *message;

    if (at.round != round->serial) {
        if (place->message.direction == NUCE_RAW_SEND || at.round < 0)
            return;
        at = note(recorder, &place->message, now_ns);
        if (at.round < 0)
            return;
    }
    message = &round->messages[at.index];
    if (message->peer == NUCE_RECORDER_ANY) {
        message->peer = source;
        round->any_pending--;
        recorder->listening--;
    }
    if (message->tag == NUCE_RECORDER_ANY)
        message->tag = tag;
    round->is_pending[at.index] = 0;
    round->pending[message->direction]--;
}

/* Sends count: a round is over when all of it is. */
static void close_if_over(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    struct open_round *round = &recorder->communicators[communicator].round;

    if (round->count > 0 && round->pending[0] + round->pending[1] == 0)
        close_round(recorder, communicator, now_ns);
}

/* Joins the round that is open, whatever has ended in it, or begins one. */
struct nuce_recorder_place nuce_recorder_begin(struct nuce_recorder *recorder,
                                               const struct nuce_recorder_message *message,
                                               int64_t now_ns)
{
    return note(recorder, message, now_ns);
}

/* MPI_Send may return as soon as the message is buffered (MPI 4.1, 3.4). */
void nuce_recorder_end(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                       int source, int tag, int64_t now_ns)
{
    struct open_round *round = &recorder->communicators[place->message.communicator].round;

    settle(recorder, place, source, tag, now_ns);
    /* That a blocking send is over says nothing of what else is under way. */
    if (place->message.direction == NUCE_RAW_RECEIVE)
        round->has_ended = 1;
    close_if_over(recorder, place->message.communicator, now_ns);
}

void nuce_recorder_undo(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                        int64_t now_ns)
{
    int communicator = place->message.communicator;
    struct open_round *round = &recorder->communicators[communicator].round;

    if (place->round != round->serial)
        return;
    /* As a receive under way it is left out of what is written. */
    if (round->messages[place->index].peer == NUCE_RECORDER_ANY) {
        round->any_pending--;
        recorder->listening--;
    }
    round->is_pending[place->index] = NUCE_RAW_RECEIVE + 1;
    round->pending[place->message.direction]--;
    close_if_over(recorder, communicator, now_ns);
}

/* Waiting posts begin no round; others do where the one before is over but for its sends. */
static struct nuce_recorder_place post(struct nuce_recorder *recorder,
                                       const struct nuce_recorder_message *message, int64_t now_ns)
{
    struct open_round *round = &recorder->communicators[message->communicator].round;

    if (round->has_ended && round->pending[NUCE_RAW_RECEIVE] == 0) {
        now_ns = recorder_time(recorder, now_ns); /* once for both */
        close_round(recorder, message->communicator, now_ns);
    }
    return note(recorder, message, now_ns);
}

/* The entry of a new request; NULL, counted: no memory. */
static struct nuce_request *add_request(struct nuce_recorder *recorder, uint64_t handle)
{
    struct nuce_request *request = nuce_request_table_add(&recorder->requests, handle);

    if (request == NULL)
        count_event(recorder, NUCE_RAW_FULL);
    return request;
}

/* place.message is what a start of a persistent request posts; place's round is set when it is
 * posted. */
static struct nuce_request *add_message(struct nuce_recorder *recorder, uint64_t handle,
                                        const struct nuce_recorder_message *message)
{
    struct nuce_request *request = add_request(recorder, handle);

    if (request == NULL)
        return NULL;
    request->place.message = *message;
    request->is_any = message->direction == NUCE_RAW_RECEIVE &&
                      (message->peer == NUCE_RECORDER_ANY || message->tag == NUCE_RECORDER_ANY);
    return request;
}

void nuce_recorder_post(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message, int64_t now_ns)
{
    struct nuce_request *entry = add_message(recorder, request, message);

    if (entry == NULL)
        return;
    entry->is_active = 1;
    recorder->wishes += entry->is_any;
    entry->place = post(recorder, message, now_ns);
}

/* Two entries of one handle, the receive's first: nuce_recorder_finish ends the second one with
 * it. */
void nuce_recorder_post_pair(struct nuce_recorder *recorder, uint64_t request,
                             const struct nuce_recorder_message *first,
                             const struct nuce_recorder_message *second, int64_t now_ns)
{
    struct nuce_request *entry = add_message(recorder, request, first);

    if (entry == NULL)
        return;
    entry->is_active = entry->is_paired = 1;
    recorder->wishes += entry->is_any;
    entry->place = post(recorder, first, now_ns);
    nuce_recorder_post(recorder, request, second, now_ns);
}

void nuce_recorder_make(struct nuce_recorder *recorder, uint64_t request,
                        const struct nuce_recorder_message *message)
{
    struct nuce_request *entry = add_message(recorder, request, message);

    if (entry != NULL)
        entry->is_persistent = 1;
}

/* Lets the caller pass MPI_STATUSES_IGNORE on as the application did, which is the usual case. */
int nuce_recorder_wishes_any(const struct nuce_recorder *recorder)
{
    return recorder->wishes > 0;
}

/* From whom an inactive request got something nobody asks. */
static int has_wish(const struct nuce_request *entry)
{
    return entry->is_active && (entry->is_any || entry->is_cancelled);
}

enum nuce_recorder_wish nuce_recorder_wishes(const struct nuce_recorder *recorder, uint64_t request)
{
    const struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    if (entry == NULL || !has_wish(entry))
        return NUCE_RECORDER_NOTHING;
    return entry->is_paired ? NUCE_RECORDER_PAIR : NUCE_RECORDER_SOURCE;
}

int nuce_recorder_request_size(const struct nuce_recorder *recorder, uint64_t request)
{
    const struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    return entry == NULL
               ? 0
               : recorder->groups[recorder->communicators[entry->place.message.communicator].group]
                     .size;
}

int nuce_recorder_is_testable(const struct nuce_recorder *recorder, uint64_t request)
{
    const struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    return entry != NULL && !(entry->is_persistent && entry->definition != 0);
}

/* The number of what the call is made of; 0: no room. */
static int define_collective(struct nuce_recorder *recorder,
                             const struct nuce_recorder_collective *collective)
{
    struct nuce_recorder_sum sum = {0, 0};

    for (int i = 0; i < collective->count; i++)
        nuce_recorder_sum_add(&sum, &collective->messages[i]);
    return nuce_recorder_define(&recorder->definitions, &recorder->file, sum,
                                collective->communicator, collective->kind, collective->bytes,
                                collective->messages, collective->count);
}

/* Receives from any source that outlast collectives make the epochs since then one of those where
 * rounds cannot be told apart. Such a receive is posted again and again by programs that serve
 * requests: it makes one endless round of everything. */
static void look_for_listeners(struct nuce_recorder *recorder, int group)
{
    for (int i = 0; i < recorder->count && recorder->listening > 0; i++) {
        struct recorded_communicator *each = &recorder->communicators[i];
        int epoch = epoch_of(recorder, each);

        if ((group != 0 && each->group != group) || each->round.any_pending == 0 ||
            epoch - each->round.epoch < LISTENS_AFTER)
            continue;
        /* From its beginning on, which the first one of these says. */
        write_flags(recorder, i,
                    epoch - each->round.epoch == LISTENS_AFTER ? each->round.epoch : epoch, epoch,
                    NUCE_RAW_LISTENED);
    }
}

/* Counts a collective call, which begins the next epoch. */
static int begin_epoch(struct nuce_recorder *recorder, int communicator)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    int epoch = epoch_of(recorder, owner);

    recorder->groups[owner->group].collectives++;
    if (recorder->listening > 0)
        look_for_listeners(recorder, owner->group);
    return epoch;
}

/* The epoch is that before the call: the call itself ends it. */
void nuce_recorder_collective(struct nuce_recorder *recorder,
                              const struct nuce_recorder_collective *collective, int64_t begin_ns,
                              int64_t end_ns)
{
    int definition = define_collective(recorder, collective);

    write_call(recorder, definition, begin_epoch(recorder, collective->communicator), begin_ns,
               end_ns - begin_ns);
}

/* Begins the collective call that the entry stands for. */
static void start_collective(struct nuce_recorder *recorder, struct nuce_request *entry,
                             int64_t now_ns)
{
    entry->call = nuce_raw_place(&recorder->file);
    entry->is_active = 1;
    write_call(recorder, entry->definition,
               begin_epoch(recorder, entry->place.message.communicator),
               recorder_time(recorder, now_ns), -1);
}

void nuce_recorder_make_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective)
{
    int definition = define_collective(recorder, collective);
    struct nuce_request *entry = definition == 0 ? NULL : add_request(recorder, request);

    if (entry == NULL)
        return;
    entry->definition = definition;
    entry->is_persistent = 1;
    entry->place.message.communicator = collective->communicator;
}

void nuce_recorder_post_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective,
                                   int64_t now_ns)
{
    int definition = define_collective(recorder, collective);
    struct nuce_request *entry = definition == 0 ? NULL : add_request(recorder, request);

    if (entry == NULL)
        return;
    entry->definition = definition;
    entry->place.message.communicator = collective->communicator;
    start_collective(recorder, entry, now_ns);
}

/* One that is active already, or that nobody saw being made, is passed over. */
void nuce_recorder_start(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    if (entry == NULL || !entry->is_persistent || entry->is_active)
        return;
    if (entry->definition != 0) {
        start_collective(recorder, entry, now_ns);
        return;
    }
    entry->place = post(recorder, &entry->place.message, now_ns);
    entry->is_active = 1;
    recorder->wishes += entry->is_any;
}

/* The request is no more under way. A persistent request stays in the table, inactive, until it is
 * freed. */
static void release(struct nuce_recorder *recorder, struct nuce_request *entry)
{
    recorder->wishes -= has_wish(entry);
    entry->is_active = entry->is_cancelled = 0;
    if (!entry->is_persistent)
        nuce_request_table_remove(&recorder->requests, entry);
}

/* A collective's record in the file gets its duration now, if that record is what it was: where
 * there was no room for it, another one lies at its place, or none. */
void nuce_recorder_finish(struct nuce_recorder *recorder, uint64_t request, int source, int tag,
                          int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);
    struct nuce_recorder_place place;
    int is_paired, is_unknown;

    if (entry == NULL || !entry->is_active)
        return;
    place = entry->place;
    is_paired = entry->is_paired;
    is_unknown = entry->is_any && source == NUCE_RECORDER_ANY;
    if (entry->definition != 0) {
        struct nuce_raw_call *call = nuce_raw_at(&recorder->file, entry->call);

        if (call->head.type == NUCE_RAW_CALL && call->definition == entry->definition)
            call->duration_ns = recorder_time(recorder, now_ns) - call->open_ns;
        release(recorder, entry);
        return;
    }
    release(recorder, entry);
    if (is_unknown)
        nuce_recorder_undo(recorder, &place, now_ns);
    else
        settle(recorder, &place, source, tag, now_ns);
    if (place.round == recorder->communicators[place.message.communicator].round.serial)
        recorder->communicators[place.message.communicator].round.has_ended = 1;
    if (is_paired)
        nuce_recorder_finish(recorder, request, 0, 0, now_ns);
    else
        close_if_over(recorder, place.message.communicator, now_ns);
}

/* From now on the end of the request is asked for: only its status tells whether the message was
 * cancelled or came all the same (MPI 4.1, 3.8.4). */
void nuce_recorder_cancel(struct nuce_recorder *recorder, uint64_t request)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    if (entry == NULL || !entry->is_active || entry->is_cancelled)
        return;
    recorder->wishes += !entry->is_any;
    entry->is_cancelled = 1;
}

void nuce_recorder_cancelled(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);
    struct nuce_recorder_place place;

    if (entry == NULL || !entry->is_active)
        return;
    count_event(recorder, NUCE_RAW_CANCELLED);
    place = entry->place;
    release(recorder, entry);
    nuce_recorder_undo(recorder, &place, now_ns);
}

/* What is freed under way ends unseen. A send that is freed goes on and will end (MPI 4.1, 3.7.3):
 * it counts as ended now. Of a receive from any source nobody will know the source: it is taken
 * out. */
void nuce_recorder_free(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);
    struct nuce_recorder_place place;
    int was_active, is_paired;

    if (entry == NULL)
        return;
    place = entry->place;
    was_active = entry->is_active && entry->definition == 0;
    is_paired = entry->is_paired;
    recorder->wishes -= has_wish(entry);
    nuce_request_table_remove(&recorder->requests, entry);
    if (is_paired)
        nuce_recorder_free(recorder, request, now_ns);
    if (!was_active)
        return;
    nuce_recorder_flag(recorder, place.message.communicator, NUCE_RAW_FREED);
    if (place.message.direction == NUCE_RAW_RECEIVE &&
        (place.message.peer == NUCE_RECORDER_ANY || place.message.tag == NUCE_RECORDER_ANY)) {
        count_event(recorder, NUCE_RAW_UNFINISHED);
        nuce_recorder_undo(recorder, &place, now_ns);
        return;
    }
    settle(recorder, &place, 0, 0, now_ns);
    close_if_over(recorder, place.message.communicator, now_ns);
}
