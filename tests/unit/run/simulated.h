/* All ranks of an exchange in one process: the request sets of their executors end here, in place
 * of run/request_set.c, and messages go from one to another in an order that is drawn. Only the
 * guarantees of MPI hold: messages of one tag between two ranks keep their order, and a send need
 * not end before its receive is there. */
#ifndef NUCE_TEST_SIMULATED_H
#define NUCE_TEST_SIMULATED_H
#include "../test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "run/request_set.h"

#define SIMULATED_MOST 13

enum request_state { REQUEST_IDLE, REQUEST_STARTED, REQUEST_ENDED };

struct simulated_request {
    void *data;
    int count, tag;
    MPI_Datatype type;
    enum request_state state;
    int64_t started; /* the how-many-th start of all */
};

/* One rank. The world is the first member, which is how request sets find the rest. */
struct simulated_rank {
    struct nuce_world world;
    struct nuce_watch watch;
    struct simulated_request *request;
    struct nuce_request_set *set; /* NULL until a request is started */
    int64_t *clock;               /* of the machine: starts so far */
};

/* A message that came. */
struct simulated_message {
    int source, destination, tag;
    int64_t bytes;
};

struct machine {
    int ranks;
    struct nuce_rng rng;
    int64_t clock;
    struct simulated_rank rank[SIMULATED_MOST];
    int64_t messages, capacity;
    struct simulated_message *message; /* in the order in which they came */
};

/* A machine of so many ranks, whose order is drawn by the seed. MPI has been started. */
static inline void machine_init(int ranks, uint64_t seed, struct machine *out)
{
    memset(out, 0, sizeof *out);
    out->ranks = ranks;
    out->rng = nuce_rng_create(seed, 77);
    for (int i = 0; i < ranks; i++) {
        struct simulated_rank *rank = &out->rank[i];

        rank->world = (struct nuce_world){.rank = i,
                                          .size = ranks,
                                          .comm = MPI_COMM_SELF,
                                          .control = MPI_COMM_SELF,
                                          .watch = &rank->watch};
        rank->clock = &out->clock;
    }
}

static inline void machine_fini(struct machine *machine)
{
    free(machine->message);
}

static inline int64_t simulated_bytes(const struct simulated_request *request)
{
    int size;

    assert_int_equal(MPI_Type_size(request->type, &size), MPI_SUCCESS);
    return (int64_t)request->count * size;
}

/* The request of that rank that is started and has been for longest, of those for peer and tag;
 * NULL: there is none. */
static inline struct simulated_request *
simulated_first(const struct simulated_rank *rank, enum nuce_direction direction, int peer, int tag)
{
    struct simulated_request *first = NULL;

    for (int i = 0; rank->set != NULL && i < rank->set->count; i++) {
        struct simulated_request *request = &rank->request[i];

        if (request->state == REQUEST_STARTED && rank->set->direction[i] == direction &&
            rank->set->about[i].peer == peer && request->tag == tag &&
            (first == NULL || request->started < first->started))
            first = request;
    }
    return first;
}

static inline void machine_note(struct machine *machine, int source, int destination, int tag,
                                int64_t bytes)
{
    if (machine->messages == machine->capacity) {
        machine->capacity = 2 * machine->capacity + 64;
        machine->message =
            realloc(machine->message, (size_t)machine->capacity * sizeof *machine->message);
        assert_non_null(machine->message);
    }
    machine->message[machine->messages++] =
        (struct simulated_message){source, destination, tag, bytes};
}

/* Moves the bytes from where the sender's type has them to where the receiver's has. */
static inline void machine_move(struct machine *machine, int source, int destination,
                                struct simulated_request *send, struct simulated_request *receive)
{
    int64_t bytes = simulated_bytes(send);

    assert_int_equal(bytes, simulated_bytes(receive));
    assert_int_equal(MPI_Sendrecv(send->data, send->count, send->type, 0, 0, receive->data,
                                  receive->count, receive->type, 0, 0, MPI_COMM_SELF,
                                  MPI_STATUS_IGNORE),
                     MPI_SUCCESS);
    send->state = receive->state = REQUEST_ENDED;
    machine_note(machine, source, destination, send->tag, bytes);
}

/* Lets one message through, from a rank that is drawn on; 0: none can go. */
static inline int machine_deliver(struct machine *machine)
{
    int first = (int)nuce_rng_below(&machine->rng, (uint64_t)machine->ranks);

    for (int k = 0; k < machine->ranks; k++) {
        int source = (first + k) % machine->ranks;
        struct simulated_rank *from = &machine->rank[source];
        int count = from->set == NULL ? 0 : from->set->count;
        int begin = count == 0 ? 0 : (int)nuce_rng_below(&machine->rng, (uint64_t)count);

        for (int i = 0; i < count; i++) {
            int index = (begin + i) % count, peer = from->set->about[index].peer;
            int tag = from->request[index].tag;
            struct simulated_request *send, *receive;

            if (from->set->direction[index] != NUCE_SEND)
                continue;
            send = simulated_first(from, NUCE_SEND, peer, tag);
            receive = simulated_first(&machine->rank[peer], NUCE_RECEIVE, source, tag);
            if (send != NULL && receive != NULL) {
                machine_move(machine, source, peer, send, receive);
                return 1;
            }
        }
    }
    return 0;
}

/* Nonzero if a request of the rank has been started and has not been seen to end. */
static inline int simulated_is_busy(const struct simulated_rank *rank)
{
    for (int i = 0; rank->set != NULL && i < rank->set->count; i++) {
        if (rank->request[i].state != REQUEST_IDLE)
            return 1;
    }
    return 0;
}

static inline struct simulated_rank *simulated_of(const struct nuce_request_set *set)
{
    return (struct simulated_rank *)(uintptr_t)set->world;
}

/* As request_set.h says. */

void nuce_request_set_init(const struct nuce_world *world, int64_t capacity,
                           struct nuce_request_set *out)
{
    struct nuce_request_set set = {.world = world, .capacity = (int)capacity};
    size_t room = (size_t)capacity + 1;

    set.about = calloc(room, sizeof *set.about);
    set.direction = calloc(room, 1);
    set.completed = calloc(room, sizeof *set.completed);
    simulated_of(&set)->request = calloc(room, sizeof(struct simulated_request));
    *out = set;
}

void nuce_request_set_fini(struct nuce_request_set *set)
{
    if (set->world == NULL)
        return;
    for (int i = 0; i < set->count; i++)
        MPI_Type_free(&simulated_of(set)->request[i].type);
    free(simulated_of(set)->request);
    simulated_of(set)->request = NULL;
    simulated_of(set)->set = NULL;
    free(set->about);
    free(set->direction);
    free(set->completed);
    memset(set, 0, sizeof *set);
}

int nuce_request_set_add(struct nuce_request_set *set, enum nuce_direction direction, void *data,
                         int count, MPI_Datatype type, int tag, const struct nuce_transfer *about)
{
    struct simulated_request *request = &simulated_of(set)->request[set->count];

    assert_true(set->count < set->capacity);
    assert_true(about->peer >= 0 && about->peer < set->world->size);
    assert_int_not_equal(about->peer, set->world->rank);
    *request = (struct simulated_request){.data = data, .count = count, .tag = tag};
    MPI_Type_dup(type, &request->type);
    set->direction[set->count] = (unsigned char)direction;
    set->about[set->count] = *about;
    return set->count++;
}

int nuce_request_set_add_bytes(struct nuce_request_set *set, enum nuce_direction direction,
                               void *data, int tag, const struct nuce_transfer *about)
{
    return nuce_request_set_add(set, direction, data, (int)about->bytes, MPI_BYTE, tag, about);
}

void nuce_request_set_start(struct nuce_request_set *set, int index)
{
    struct simulated_rank *rank = simulated_of(set);

    assert_int_equal(rank->request[index].state, REQUEST_IDLE);
    rank->set = set;
    rank->request[index].state = REQUEST_STARTED;
    rank->request[index].started = ++*rank->clock;
}

void nuce_request_set_start_some(struct nuce_request_set *set, int first, int end)
{
    for (int i = first; i < end; i++)
        nuce_request_set_start(set, i);
}

int nuce_request_set_test_some(struct nuce_request_set *set, int first, int end)
{
    struct simulated_rank *rank = simulated_of(set);
    int completed = 0;

    for (int i = first; i < end; i++) {
        if (rank->request[i].state != REQUEST_ENDED)
            continue;
        rank->request[i].state = REQUEST_IDLE;
        set->completed[completed++] = i;
    }
    return completed;
}

int nuce_request_set_test(struct nuce_request_set *set)
{
    return nuce_request_set_test_some(set, 0, set->count);
}

int nuce_request_set_pending(const struct nuce_request_set *set, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (simulated_of(set)->request[i].state != REQUEST_IDLE)
            return i;
    }
    return -1;
}

#endif
