/* Records the rounds of messages and the collective calls of one rank as they happen. O(1) for
 * each message; a new round is sorted and written.
 *
 * Memory: about 100 bytes for each active request, and the table of definitions. The messages of
 * an open round are in the file, 24 bytes each, in a record that is changed in place and reused
 * (raw.h). Times are nanoseconds of the rank's own monotonic clock; the caller supplies them.
 *
 * The merge matches rounds of different ranks by epoch. All members of a communicator pass the
 * collectives of its group in one order (MPI 4.1, 6.14), so rounds between two collectives
 * belong together. */
#include "capture/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "capture/definitions.h"

/* Messages that fit a communicator's first record of an open round. */
#define LEAST_MESSAGES 8

/* serial is the round's number, which identifies sends of earlier rounds; 0: no round is open. */
struct open_round {
    int64_t place; /* of its record in the file; 0: none yet */
    int count, capacity;
    int pending[2]; /* sends of this round; receives of the communicator, also of later rounds */
    int epoch, last_epoch;             /* epoch of its start, and of its last message */
    int has_ended, has_received;       /* a message of it ended; a message was received */
    int64_t open_ns, ended_ns, serial; /* ended_ns: when the last message other than a send ended */
    uint64_t thread;                   /* of its first message */
};

struct recorded_communicator {
    struct open_round round;
    int group, is_dropped;
    int flagged, flags;   /* last flagged epoch, counted from 1, and its flags */
    int64_t sent, joined; /* sends so far; joined: those that began no round */
    /* Probes for one source that found nothing, by probe_handle, until such a message is found or
     * received. */
    struct nuce_request_table missed;
    int missed_count;
};

/* Members in order. The world's collectives count for all groups. */
struct recorded_group {
    uint64_t hash;
    int size, members, collectives; /* members: communicators with this group */
};

struct nuce_recorder {
    struct nuce_raw_writer file;
    int64_t (*clock)(void);
    struct recorded_communicator *communicators;
    struct recorded_group *groups;
    int count, capacity, group_count, group_capacity;
    int wishes; /* active requests that need a status */
    int64_t serial;
    int64_t asked_ns; /* clock reading since nuce_recorder_enter; 0: not read yet */
    int64_t spare;    /* place in the file of an unused open round's record; 0: none */
    int spare_capacity;
    struct nuce_recorder_definitions definitions;
    struct nuce_request_table requests;
};

/* errno is that of creating the file, or ENOMEM for the recorder itself. */
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

void nuce_recorder_enter(struct nuce_recorder *recorder, uint64_t thread)
{
    recorder->asked_ns = 0;
    recorder->requests.thread = thread;
}

static int64_t recorder_time(struct nuce_recorder *recorder, int64_t now_ns)
{
    if (now_ns != NUCE_RECORDER_NOW)
        return now_ns;
    if (recorder->asked_ns == 0)
        recorder->asked_ns = recorder->clock();
    return recorder->asked_ns;
}

struct nuce_raw_header *nuce_recorder_header(struct nuce_recorder *recorder)
{
    return recorder->file.header;
}

/* Counts in the mapped header, so the count is in the file even if the application is killed
 * now. */
static void count_event(struct nuce_recorder *recorder, enum nuce_raw_counter counter)
{
    recorder->file.header->counters[counter]++;
}

/* Makes *data hold `needed` elements. Returns 0, or -1, and counts the failure. data is the
 * address of a pointer to any type, hence the copies. */
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

/* Epochs of a communicator: the collectives of its group and, if that is another group, of the
 * world. All members count the same. All ranks take part in the world's collectives, which
 * therefore count for every communicator. */
static int epoch_of(const struct nuce_recorder *recorder,
                    const struct recorded_communicator *communicator)
{
    int count = recorder->groups[communicator->group].collectives;

    return communicator->group == 0 ? count : count + recorder->groups[0].collectives;
}

/* Members are written once, here; after that the communicator's number suffices. The ordinal
 * distinguishes communicators of the same members, because all members make them in the same
 * order. */
int nuce_recorder_add(struct nuce_recorder *recorder, const int *members, int size, int own)
{
    struct nuce_raw_communicator *record;
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, by words */
    int group = 0;

    /* Finds the group by hash and size, or adds it. Collisions of the 64-bit hash are ignored.
     * O(groups), only when a communicator is made. */
    for (int i = 0; i < size; i++)
        hash = (hash ^ (uint32_t)members[i]) * UINT64_C(0x100000001b3);
    while (group < recorder->group_count &&
           (recorder->groups[group].hash != hash || recorder->groups[group].size != size))
        group++;
    if (group == recorder->group_count) {
        if (hold(recorder, &recorder->groups, &recorder->group_capacity, group + 1,
                 sizeof *recorder->groups) != 0)
            return -1;
        recorder->groups[recorder->group_count++] =
            (struct recorded_group){.hash = hash, .size = size};
    }
    if (hold(recorder, &recorder->communicators, &recorder->capacity, recorder->count + 1,
             sizeof *recorder->communicators) != 0)
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

/* Nothing is pending and nothing will be posted: the next communicator may reuse the record. */
static void forget_round(struct nuce_recorder *recorder, struct open_round *round)
{
    if (round->capacity > recorder->spare_capacity) {
        recorder->spare = round->place;
        recorder->spare_capacity = round->capacity;
    }
    *round = (struct open_round){0};
}

/* Pending messages still end: MPI frees a communicator when its messages are over
 * (MPI_COMM_FREE), so an open round stays until then. */
void nuce_recorder_drop(struct nuce_recorder *recorder, int communicator)
{
    struct recorded_communicator *dropped = &recorder->communicators[communicator];

    dropped->is_dropped = 1;
    if (dropped->round.serial == 0)
        forget_round(recorder, &dropped->round);
}

/* duration_ns -1: the call has no end yet; start_collective remembers its place in the file for
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

/* Flags epochs first .. last of the communicator. A flag is a record of its own, because it may
 * come long after its round was written. */
static void write_flags(struct nuce_recorder *recorder, int communicator, int first, int last,
                        enum nuce_raw_flag flag)
{
    for (; first <= last; first += NUCE_RAW_MOST_FLAGGED) {
        struct nuce_raw_flags *record =
            nuce_raw_reserve(&recorder->file, NUCE_RAW_FLAGS, sizeof *record);

        if (record == NULL)
            return;
        record->communicator = communicator;
        record->first = first;
        record->last =
            last - first < NUCE_RAW_MOST_FLAGGED ? last : first + NUCE_RAW_MOST_FLAGGED - 1;
        record->flags = (int32_t)flag;
        nuce_raw_commit(&recorder->file);
    }
}

/* An epoch is flagged once for each reason, however often the reason occurs: probes come in
 * loops of thousands. */
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

/* The record of the round; valid until the next write. */
static struct nuce_raw_open *open_record(const struct nuce_recorder *recorder,
                                         const struct open_round *round)
{
    return nuce_raw_at(&recorder->file, round->place);
}

static struct nuce_raw_message *open_messages(const struct nuce_recorder *recorder,
                                              const struct open_round *round)
{
    return (struct nuce_raw_message *)(open_record(recorder, round) + 1);
}

/* Sets the number of messages, after the messages themselves, for a reader of a killed process's
 * file. */
static void set_count(struct nuce_recorder *recorder, struct open_round *round, int count)
{
    round->count = count;
    if (round->place != 0)
        __atomic_store_n(&open_record(recorder, round)->definition.count, count, __ATOMIC_RELEASE);
}

/* Writes the round without undone messages, and empties it. The serial shows that its pending
 * sends are of a past round; pending receives will be of a later one. */
static void close_round(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    struct open_round *round = &owner->round;
    struct nuce_raw_message *messages = round->count > 0 ? open_messages(recorder, round) : NULL;
    struct nuce_recorder_sum sum = {0, 0};
    int kept = 0, definition;

    for (int i = 0; i < round->count; i++) {
        if (messages[i].direction == NUCE_RAW_UNDONE)
            continue;
        nuce_recorder_sum_add(&sum, &messages[i]);
        messages[kept++] = messages[i];
    }
    if (kept < round->count)
        set_count(recorder, round, kept);
    if (kept > 0) {
        definition = nuce_recorder_define(
            &recorder->definitions, &recorder->file, sum, communicator, NUCE_RAW_KIND_exchange, 0,
            NULL, round->place + (int64_t)sizeof(struct nuce_raw_open), round->count);
        write_call(recorder, definition, round->epoch, round->open_ns,
                   recorder_time(recorder, now_ns) - round->open_ns);
    }
    set_count(recorder, round, 0);
    round->pending[NUCE_RAW_SEND] = round->has_ended = round->has_received = 0;
    round->serial = 0;
    if (owner->is_dropped && round->pending[NUCE_RAW_RECEIVE] == 0)
        forget_round(recorder, round);
}

/* Ends the round before the next post. Its end is the last message end that was seen, unless
 * sends of it are pending. */
static void close_before(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    const struct open_round *round = &recorder->communicators[communicator].round;

    close_round(recorder, communicator,
                round->pending[NUCE_RAW_SEND] == 0 && round->ended_ns > round->open_ns
                    ? round->ended_ns
                    : now_ns);
}

void nuce_recorder_destroy(struct nuce_recorder *recorder, enum nuce_raw_ending ending,
                           int64_t now_ns)
{
    if (recorder == NULL)
        return;
    for (int i = 0; i < recorder->count; i++) {
        struct open_round *round = &recorder->communicators[i].round;

        recorder->file.header->counters[NUCE_RAW_UNFINISHED] += round->pending[NUCE_RAW_RECEIVE];
        close_before(recorder, i, now_ns);
        nuce_request_table_fini(&recorder->communicators[i].missed);
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

/* Makes room for one more message in a record of twice the size, which replaces the old record
 * as soon as it is written. Returns 0, or -1, and counts the failure. */
static int hold_round(struct nuce_recorder *recorder, int communicator)
{
    struct open_round *round = &recorder->communicators[communicator].round;
    int wanted = round->capacity < LEAST_MESSAGES ? LEAST_MESSAGES : 2 * round->capacity;
    int64_t place = nuce_raw_place(&recorder->file);
    struct nuce_raw_open *record;

    if (round->count < round->capacity)
        return 0;
    if (round->place == 0 && recorder->spare != 0) {
        round->place = recorder->spare;
        round->capacity = recorder->spare_capacity;
        recorder->spare = recorder->spare_capacity = 0;
        open_record(recorder, round)->definition.communicator = communicator;
        return 0;
    }
    record = nuce_raw_reserve(&recorder->file, NUCE_RAW_OPEN,
                              (int64_t)sizeof *record +
                                  wanted * (int64_t)sizeof(struct nuce_raw_message));
    if (record == NULL)
        return -1;
    record->call.duration_ns = -1;
    record->definition.communicator = communicator;
    record->definition.kind = NUCE_RAW_KIND_exchange;
    if (round->place != 0) {
        const struct nuce_raw_open *before = open_record(recorder, round);

        record->call = before->call;
        record->definition = before->definition;
        memcpy(record + 1, before + 1, (size_t)round->count * sizeof(struct nuce_raw_message));
    }
    nuce_raw_commit(&recorder->file);
    if (round->place != 0)
        open_record(recorder, round)->definition.count = 0;
    round->place = place;
    round->capacity = wanted;
    return 0;
}

/* Begins a round if none is open. */
static void open_round(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];

    if (owner->round.serial != 0)
        return;
    owner->round.open_ns = owner->round.ended_ns = recorder_time(recorder, now_ns);
    owner->round.epoch = epoch_of(recorder, owner);
    owner->round.serial = ++recorder->serial;
}

/* Notes a message in the communicator's round. Returns its index there, or -1 if there is no
 * room. */
static int note(struct nuce_recorder *recorder, int communicator, struct nuce_raw_message message,
                int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    struct open_round *round = &owner->round;

    if (round->count >= NUCE_RECORDER_LONGEST) {
        count_event(recorder, NUCE_RAW_CUT);
        nuce_recorder_flag(recorder, communicator, NUCE_RAW_CUT_OFF);
        close_round(recorder, communicator, now_ns);
    }
    /* Without messages yet, the round begins in the present epoch: a receive posted before
     * collective calls does not date it back. */
    if (round->count == 0 && round->epoch != epoch_of(recorder, owner))
        round->serial = 0;
    open_round(recorder, communicator, now_ns);
    if (hold_round(recorder, communicator) != 0)
        return -1;
    if (round->count == 0) {
        struct nuce_raw_open *record = open_record(recorder, round);

        round->thread = recorder->requests.thread;
        record->call.epoch = round->epoch;
        record->call.open_ns = round->open_ns;
    } else if (round->thread != recorder->requests.thread) {
        nuce_recorder_flag(recorder, communicator, NUCE_RAW_THREADS);
    }
    round->last_epoch = epoch_of(recorder, owner);
    message.epoch = round->last_epoch - round->epoch;
    open_messages(recorder, round)[round->count] = message;
    set_count(recorder, round, round->count + 1);
    return round->count - 1;
}

/* Begins a message. A send is noted now; a receive will be noted when it ends. */
static struct nuce_recorder_place begin(struct nuce_recorder *recorder,
                                        const struct nuce_recorder_message *message, int64_t now_ns)
{
    struct recorded_communicator *owner = &recorder->communicators[message->communicator];
    struct nuce_recorder_place place = {.message = *message};

    if (message->direction == NUCE_RAW_RECEIVE) {
        open_round(recorder, message->communicator, now_ns);
        owner->round.pending[NUCE_RAW_RECEIVE]++;
        return place;
    }
    if (owner->missed_count > 0)
        nuce_recorder_flag(recorder, message->communicator, NUCE_RAW_PROBED);
    owner->sent++;
    owner->joined += owner->round.count > 0;
    place.index = note(recorder, message->communicator,
                       (struct nuce_raw_message){.peer = message->peer,
                                                 .tag = message->tag,
                                                 .bytes = message->bytes,
                                                 .direction = NUCE_RAW_SEND},
                       now_ns);
    place.round = place.index < 0 ? -1 : owner->round.serial;
    owner->round.pending[NUCE_RAW_SEND] += place.index >= 0;
    return place;
}

static uint64_t probe_handle(int peer, int tag)
{
    return (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag;
}

/* A message that these probes missed has come. */
static void meet(struct recorded_communicator *owner, int peer, int tag)
{
    const int tags[] = {tag, NUCE_RECORDER_ANY};

    for (int i = 0; i < 2 && owner->missed_count > 0; i++) {
        struct nuce_request *missed =
            nuce_request_table_find(&owner->missed, probe_handle(peer, tags[i]));

        if (missed == NULL)
            continue;
        nuce_request_table_remove(&owner->missed, missed);
        owner->missed_count--;
    }
}

/* The message at place is over. */
static void settle(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                   int source, int tag, int64_t now_ns)
{
    const struct nuce_recorder_message *message = &place->message;
    struct recorded_communicator *owner = &recorder->communicators[message->communicator];
    struct open_round *round = &owner->round;

    if (message->direction == NUCE_RAW_SEND) {
        if (place->round != round->serial)
            return;
        round->pending[NUCE_RAW_SEND]--;
    } else {
        source = message->peer == NUCE_RECORDER_ANY ? source : message->peer;
        tag = message->tag == NUCE_RECORDER_ANY ? tag : message->tag;
        meet(owner, source, tag);
        round->pending[NUCE_RAW_RECEIVE]--;
        note(recorder, message->communicator,
             (struct nuce_raw_message){
                 .peer = source,
                 .tag = tag,
                 .bytes = message->peer != NUCE_RECORDER_ANY  ? message->openness
                          : message->tag == NUCE_RECORDER_ANY ? NUCE_RAW_ANY
                                                              : NUCE_RAW_ANY_SOURCE,
                 .direction = NUCE_RAW_RECEIVE},
             now_ns);
        round->has_received = 1;
    }
}

/* Ends the round if nothing is pending. If only receives are pending, they may be of later
 * rounds, and this round may have ended now. */
static void close_if_over(struct nuce_recorder *recorder, int communicator, int64_t now_ns)
{
    struct open_round *round = &recorder->communicators[communicator].round;

    if (round->serial == 0 || round->pending[NUCE_RAW_SEND] > 0)
        return;
    if (round->pending[NUCE_RAW_RECEIVE] == 0)
        close_round(recorder, communicator, now_ns);
    else if (round->has_received)
        round->ended_ns = recorder_time(recorder, now_ns);
}

/* Returns true if a send that is posted now belongs to a new round. */
static int sends_anew(const struct nuce_recorder *recorder, int communicator)
{
    const struct recorded_communicator *owner = &recorder->communicators[communicator];
    const struct open_round *round = &owner->round;

    return round->has_received || (round->count > 0 && round->pending[NUCE_RAW_SEND] == 0 &&
                                   round->last_epoch != epoch_of(recorder, owner));
}

struct nuce_recorder_place nuce_recorder_begin(struct nuce_recorder *recorder,
                                               const struct nuce_recorder_message *message,
                                               int64_t now_ns)
{
    if (message->direction == NUCE_RAW_SEND && sends_anew(recorder, message->communicator))
        close_before(recorder, message->communicator, now_ns);
    return begin(recorder, message, now_ns);
}

/* MPI_Send may return as soon as the message is buffered (MPI 4.1, 3.4). */
void nuce_recorder_end(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                       int source, int tag, int64_t now_ns)
{
    struct open_round *round = &recorder->communicators[place->message.communicator].round;

    settle(recorder, place, source, tag, now_ns);
    /* The end of a blocking send does not say that other messages ended. */
    if (place->message.direction == NUCE_RAW_RECEIVE)
        round->has_ended = 1;
    close_if_over(recorder, place->message.communicator, now_ns);
}

void nuce_recorder_undo(struct nuce_recorder *recorder, const struct nuce_recorder_place *place,
                        int64_t now_ns)
{
    int communicator = place->message.communicator;
    struct open_round *round = &recorder->communicators[communicator].round;

    if (place->message.direction == NUCE_RAW_RECEIVE) {
        round->pending[NUCE_RAW_RECEIVE]--;
    } else {
        if (place->round != round->serial)
            return;
        open_messages(recorder, round)[place->index].direction = NUCE_RAW_UNDONE;
        round->pending[NUCE_RAW_SEND]--;
    }
    close_if_over(recorder, communicator, now_ns);
}

/* Posts a non-blocking message. */
static struct nuce_recorder_place post(struct nuce_recorder *recorder,
                                       const struct nuce_recorder_message *message, int64_t now_ns)
{
    const struct open_round *round = &recorder->communicators[message->communicator].round;

    if ((message->direction == NUCE_RAW_SEND && sends_anew(recorder, message->communicator)) ||
        (round->has_ended && round->pending[NUCE_RAW_RECEIVE] == 0)) {
        now_ns = recorder_time(recorder, now_ns); /* one reading for both */
        close_before(recorder, message->communicator, now_ns);
    }
    return begin(recorder, message, now_ns);
}

/* Returns the entry of a new request; NULL, and counts it, if memory runs out. */
static struct nuce_request *add_request(struct nuce_recorder *recorder, uint64_t handle)
{
    struct nuce_request *request = nuce_request_table_add(&recorder->requests, handle);

    if (request == NULL)
        count_event(recorder, NUCE_RAW_FULL);
    return request;
}

/* The start of a persistent request posts place.message; place's round is set at that time. */
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

/* Two entries have one handle, the receive's first: nuce_recorder_finish ends the second one
 * with it. */
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

/* Lets the caller pass on the application's MPI_STATUSES_IGNORE, which is the usual case. */
int nuce_recorder_wishes_any(const struct nuce_recorder *recorder)
{
    return recorder->wishes > 0;
}

/* The source of an inactive request is not needed. */
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

/* Returns the number of the call's definition; 0: no room. */
static int define_collective(struct nuce_recorder *recorder,
                             const struct nuce_recorder_collective *collective)
{
    struct nuce_recorder_sum sum = {0, 0};

    for (int i = 0; i < collective->count; i++)
        nuce_recorder_sum_add(&sum, &collective->messages[i]);
    return nuce_recorder_define(&recorder->definitions, &recorder->file, sum,
                                collective->communicator, collective->kind, collective->bytes,
                                collective->messages, 0, collective->count);
}

/* Counts a collective call, which begins the next epoch. */
static int begin_epoch(struct nuce_recorder *recorder, int communicator)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    int epoch = epoch_of(recorder, owner);

    recorder->groups[owner->group].collectives++;
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

/* Begins the collective call of the entry. */
static void start_collective(struct nuce_recorder *recorder, struct nuce_request *entry,
                             int64_t now_ns)
{
    entry->call = nuce_raw_place(&recorder->file);
    entry->is_active = 1;
    write_call(recorder, entry->definition,
               begin_epoch(recorder, entry->place.message.communicator),
               recorder_time(recorder, now_ns), -1);
}

/* Returns the entry of a new request for the collective call; NULL, and counts it, if memory
 * runs out. */
static struct nuce_request *add_collective(struct nuce_recorder *recorder, uint64_t request,
                                           const struct nuce_recorder_collective *collective)
{
    int definition = define_collective(recorder, collective);
    struct nuce_request *entry = definition == 0 ? NULL : add_request(recorder, request);

    if (entry != NULL) {
        entry->definition = definition;
        entry->place.message.communicator = collective->communicator;
    }
    return entry;
}

void nuce_recorder_make_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective)
{
    struct nuce_request *entry = add_collective(recorder, request, collective);

    if (entry != NULL)
        entry->is_persistent = 1;
}

void nuce_recorder_post_collective(struct nuce_recorder *recorder, uint64_t request,
                                   const struct nuce_recorder_collective *collective,
                                   int64_t now_ns)
{
    struct nuce_request *entry = add_collective(recorder, request, collective);

    if (entry != NULL)
        start_collective(recorder, entry, now_ns);
}

/* A request that is active already, or unknown, is ignored. */
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
    entry->passed = 0;
    recorder->wishes += entry->is_any;
}

/* Number of messages that depend on the time at which the request's end was seen. For a receive
 * they are all sends. For a send they are the sends that began no round, because they would have
 * begun one if nothing had been pending. */
static int64_t passed_by(const struct nuce_recorder *recorder, const struct nuce_request *entry)
{
    const struct recorded_communicator *owner =
        &recorder->communicators[entry->place.message.communicator];

    return entry->place.message.direction == NUCE_RAW_RECEIVE ? owner->sent : owner->joined;
}

void nuce_recorder_pass(struct nuce_recorder *recorder, uint64_t request)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);

    if (entry == NULL || !entry->is_active || entry->definition != 0 || entry->passed != 0)
        return;
    entry->passed = 1 + passed_by(recorder, entry);
    entry->passed_epoch =
        epoch_of(recorder, &recorder->communicators[entry->place.message.communicator]);
}

void nuce_recorder_probe(struct nuce_recorder *recorder, int communicator, int peer, int tag,
                         int has_found)
{
    struct recorded_communicator *owner = &recorder->communicators[communicator];
    uint64_t handle = probe_handle(peer, tag);

    if (has_found)
        meet(owner, peer, tag);
    else if (nuce_request_table_find(&owner->missed, handle) != NULL)
        return;
    else if (nuce_request_table_add(&owner->missed, handle) == NULL)
        count_event(recorder, NUCE_RAW_FULL);
    else
        owner->missed_count++;
}

/* The request is no longer active. A persistent request stays in the table, inactive, until it
 * is freed. */
static void release(struct nuce_recorder *recorder, struct nuce_request *entry)
{
    recorder->wishes -= has_wish(entry);
    entry->is_active = entry->is_cancelled = 0;
    if (!entry->is_persistent)
        nuce_request_table_remove(&recorder->requests, entry);
}

/* A collective's record in the file gets its duration now, if it is still that record. If there
 * was no room for it, its place has another record, or none. */
void nuce_recorder_finish(struct nuce_recorder *recorder, uint64_t request, int source, int tag,
                          int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);
    struct nuce_recorder_place place;
    struct open_round *round;
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
    /* Flags the epochs since a test passed the request over, if that matters. */
    if (entry->passed != 0 && entry->passed != 1 + passed_by(recorder, entry)) {
        int communicator = place.message.communicator;
        int epoch = epoch_of(recorder, &recorder->communicators[communicator]);

        if (entry->passed_epoch < epoch)
            write_flags(recorder, communicator, entry->passed_epoch, epoch - 1, NUCE_RAW_POLLED);
        nuce_recorder_flag(recorder, communicator, NUCE_RAW_POLLED);
    }
    release(recorder, entry);
    round = &recorder->communicators[place.message.communicator].round;
    round->has_ended |= place.message.direction == NUCE_RAW_RECEIVE || place.round == round->serial;
    if (is_unknown) {
        round->has_received = 1;
        nuce_recorder_undo(recorder, &place, now_ns);
    } else {
        settle(recorder, &place, source, tag, now_ns);
    }
    if (is_paired)
        nuce_recorder_finish(recorder, request, 0, 0, now_ns);
    else
        close_if_over(recorder, place.message.communicator, now_ns);
}

/* From now on the request's status is needed: only the status shows if the message was cancelled
 * or came nevertheless (MPI 4.1, 3.8.4). */
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

/* A request that is freed while active ends unseen. A freed send continues and will end (MPI
 * 4.1, 3.7.3), so it counts as ended now. A freed receive from any source never gets a known
 * source, so it is removed; so is a cancelled one, which most probably got no message. */
void nuce_recorder_free(struct nuce_recorder *recorder, uint64_t request, int64_t now_ns)
{
    struct nuce_request *entry = nuce_request_table_find(&recorder->requests, request);
    struct nuce_recorder_place place;
    int was_active, was_cancelled, is_paired;

    if (entry == NULL)
        return;
    place = entry->place;
    was_active = entry->is_active && entry->definition == 0;
    was_cancelled = entry->is_cancelled && place.message.direction == NUCE_RAW_RECEIVE;
    is_paired = entry->is_paired;
    recorder->wishes -= has_wish(entry);
    nuce_request_table_remove(&recorder->requests, entry);
    if (is_paired)
        nuce_recorder_free(recorder, request, now_ns);
    if (!was_active)
        return;
    if (!was_cancelled)
        nuce_recorder_flag(recorder, place.message.communicator, NUCE_RAW_FREED);
    if (was_cancelled ||
        (place.message.direction == NUCE_RAW_RECEIVE &&
         (place.message.peer == NUCE_RECORDER_ANY || place.message.tag == NUCE_RECORDER_ANY))) {
        count_event(recorder, was_cancelled ? NUCE_RAW_CANCELLED : NUCE_RAW_UNFINISHED);
        nuce_recorder_undo(recorder, &place, now_ns);
        return;
    }
    settle(recorder, &place, 0, 0, now_ns);
    close_if_over(recorder, place.message.communicator, now_ns);
}
