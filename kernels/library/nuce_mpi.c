/* A request is made in the order of a communication (run/communication.c): the messages, a plan,
 * their places and the engine. The difference: arguments and info are the user's and may be wrong,
 * so all ranks agree on an error class before each step that needs them to be consistent.
 *
 * The schedule alltoallv is the MPI library's own call with the caller's arguments, and nothing
 * else in between. Every request has a communicator of its own, so that messages of several in
 * flight never match each other. */
#include "library/nuce_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "library/exchange.h"
#include "library/mpi_tuning.h"
#include "run/check.h"
#include "run/control.h"

#define LIBRARY "alltoallv" /* the schedule that is the MPI library's own call */
#define KEY_PREFIX "nuce_"

/* In the order of nuce_tuning_calls. */
enum request_call { ALLTOALLV, ALLTOALLW, NEIGHBOR_ALLTOALLV, NEIGHBOR_ALLTOALLW };

struct nuce_mpi_request {
    enum request_call call;
    int class;     /* of the last agreement */
    char *failure; /* NULL: it can be started */
    int is_active;
    struct nuce_world world;
    const void *send_buffer;
    void *receive_buffer;
    const struct nuce_schedule_ops *ops;
    struct nuce_tuning tuning;
    char *said; /* schedule and options, or what the tuning file says */
    int is_library;
    MPI_Request library; /* of its own call */
    struct nuce_mpi_exchange exchange;
};

/* The value of the key nuce_NAME, freed by the caller; NULL: info does not have it. */
static char *value_of(MPI_Info info, const char *name)
{
    char key[MPI_MAX_INFO_KEY + 1], *value;
    int length, is_there;

    snprintf(key, sizeof key, KEY_PREFIX "%s", name);
    NUCE_MPI(MPI_Info_get_valuelen(info, key, &length, &is_there));
    if (!is_there)
        return NULL;
    value = nuce_allocate((int64_t)length + 1, 1);
    NUCE_MPI(MPI_Info_get(info, key, length, value, &is_there));
    return value;
}

/* NUCE_BAD_INPUT: a key of ours that is neither nuce_schedule, nuce_tuning nor an option. Those of
 * others are hints for the MPI library. */
static nuce_status check_keys(MPI_Info info, struct nuce_error *error)
{
    int keys;

    NUCE_MPI(MPI_Info_get_nkeys(info, &keys));
    for (int i = 0; i < keys; i++) {
        char key[MPI_MAX_INFO_KEY + 1];
        const char *name = key + strlen(KEY_PREFIX);

        NUCE_MPI(MPI_Info_get_nthkey(info, i, key));
        if (strncmp(key, KEY_PREFIX, strlen(KEY_PREFIX)) == 0 && strcmp(name, "schedule") != 0 &&
            strcmp(name, "tuning") != 0 && nuce_option_find(nuce_tuning_options, name) == NULL)
            return nuce_error_refuse(error, key,
                                     "expected nuce_schedule, nuce_tuning, or nuce_ and an option");
    }
    return NUCE_OK;
}

/* Sets the tuning by the options in info, which the schedule must use, and adds them to
 * request->said. Local. */
static nuce_status read_options(struct nuce_mpi_request *request, MPI_Info info,
                                struct nuce_error *error)
{
    for (const struct nuce_option *option = nuce_tuning_options; option->name != NULL; option++) {
        char *value = value_of(info, option->name), *longer;
        nuce_status status;

        if (value == NULL)
            continue;
        status = nuce_option_set(option, &request->tuning, value, error);
        if (status == NUCE_OK && (request->ops->uses & option->uses) == 0)
            status = nuce_error_refuse(error, option->name, "'%.60s': %s does not use it", value,
                                       request->ops->name);
        longer = nuce_text_format("%s %s=%s", request->said, option->name, value);
        free(value);
        free(request->said);
        request->said = longer;
        if (status != NUCE_OK)
            return status;
    }
    return NUCE_OK;
}

/* Finds schedule and tuning. *path: the tuning file that decides, freed by the caller; NULL: the
 * one of the environment does. *is_named: the schedule has been named. Local. */
static nuce_status read_info(struct nuce_mpi_request *request, MPI_Info info, int *is_named,
                             char **path, struct nuce_error *error)
{
    int is_info = info != MPI_INFO_NULL;
    char *name = is_info ? value_of(info, "schedule") : NULL;

    *path = is_info ? value_of(info, "tuning") : NULL;
    *is_named = name != NULL;
    request->said = name != NULL ? name : nuce_text_duplicate(LIBRARY);
    request->tuning = nuce_tuning_preset;
    request->ops = nuce_schedule_find(request->said);
    if (request->ops == NULL)
        return nuce_error_refuse(error, "nuce_schedule",
                                 "'%.60s': expected one of 'nuce list schedules'", request->said);
    if (is_info &&
        (check_keys(info, error) != NUCE_OK || read_options(request, info, error) != NUCE_OK))
        return error->status;
    return nuce_mpi_exchange_check(request->ops, &request->tuning, request->world.size, error);
}

/* The class that the subject of an error of this rank names; else MPI_ERR_ARG. */
static int class_of(const struct nuce_error *error)
{
    static const struct {
        const char *name;
        int class;
    } classes[] = {{"MPI_ERR_COUNT", MPI_ERR_COUNT},
                   {"MPI_ERR_TRUNCATE", MPI_ERR_TRUNCATE},
                   {"MPI_ERR_TYPE", MPI_ERR_TYPE}};

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(error->subject, classes[i].name) == 0)
            return classes[i].class;
    }
    return MPI_ERR_ARG;
}

/* As nuce_world_agree, and on one class. Collective. */
static nuce_status agree(struct nuce_mpi_request *request, nuce_status mine,
                         struct nuce_error *error)
{
    struct nuce_world *world = &request->world;

    request->class = mine == NUCE_OK ? MPI_SUCCESS : class_of(error);
    nuce_control_allreduce(world, &request->class, 1, MPI_INT, MPI_MAX, world->control);
    return nuce_world_agree(world, mine, error);
}

/* NUCE_BAD_INPUT, on all ranks, if calls, schedules or options differ. Collective. */
static nuce_status agree_on_choice(struct nuce_mpi_request *request, int is_named,
                                   struct nuce_error *error)
{
    const unsigned char *text = (const unsigned char *)request->said;
    uint64_t mine = nuce_payload_hash(text, (int64_t)strlen(request->said)) +
                    (uint64_t)request->call * 2 + (uint64_t)is_named;
    uint64_t first = mine;
    nuce_status status = NUCE_OK;

    nuce_world_broadcast(&request->world, &first, (int64_t)sizeof first);
    if (mine != first)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "call, schedule or options differ from those of rank 0: '%s'",
                                request->said);
    return agree(request, status, error);
}

/* Each rank tells the others how many bytes it sends them, and in which entries. NUCE_BAD_INPUT, on
 * all ranks, if some rank expects others. Collective. */
static nuce_status agree_on_messages(struct nuce_mpi_request *request, struct nuce_error *error)
{
    enum { BYTES, SHAPE, WORDS };
    struct nuce_world *world = &request->world;
    int64_t(*mine)[WORDS] = nuce_allocate(world->size, sizeof *mine);
    int64_t(*theirs)[WORDS] = nuce_allocate(world->size, sizeof *theirs);
    MPI_Datatype words;
    nuce_status status = NUCE_OK;

    for (int i = 0; i < world->size; i++) {
        mine[i][BYTES] = request->exchange.send.bytes[i];
        mine[i][SHAPE] = (int64_t)request->exchange.send.shape[i];
    }
    NUCE_MPI(MPI_Type_contiguous(WORDS, MPI_INT64_T, &words));
    NUCE_MPI(MPI_Type_commit(&words));
    nuce_control_alltoall(world, mine, words, theirs);
    NUCE_MPI(MPI_Type_free(&words));
    for (int i = 0; i < world->size && status == NUCE_OK; i++) {
        long long sent = theirs[i][BYTES], expected = request->exchange.receive.bytes[i];

        if (sent != expected)
            status =
                nuce_error_refuse(error, sent > expected ? "MPI_ERR_TRUNCATE" : "MPI_ERR_COUNT",
                                  "rank %d sends %lld bytes to rank %d, which expects %lld", i,
                                  sent, world->rank, expected);
        else if (theirs[i][SHAPE] != (int64_t)request->exchange.receive.shape[i])
            status = nuce_error_refuse(
                error, "MPI_ERR_COUNT",
                "rank %d sends %lld bytes to rank %d in other parts than that expects", i, sent,
                world->rank);
    }
    free(mine);
    free(theirs);
    return agree(request, status, error);
}

/* Takes schedule and tuning by the rule of the tuning file, which is rank 0's: path, or NULL for
 * that of the environment. Without a rule they stay. Collective; the same status on all ranks. */
static nuce_status follow_tuning_file(struct nuce_mpi_request *request, const char *path,
                                      struct nuce_error *error)
{
    struct nuce_world *world = &request->world;
    const struct nuce_tuning_rule *rule;
    struct nuce_mpi_tuning tuning;
    struct nuce_tuning_call call;
    uint64_t sums[NUCE_MPI_TUNING_SUMS] = {0};
    nuce_status status =
        nuce_mpi_tuning_read(world, path != NULL ? path : getenv("NUCE_TUNING"), &tuning, error);

    if (status != NUCE_OK || tuning.path == NULL)
        return status;
    nuce_mpi_tuning_add(world->rank, world->size, request->exchange.send.bytes,
                        request->send_buffer == MPI_IN_PLACE, sums);
    nuce_control_allreduce(world, sums, NUCE_MPI_TUNING_SUMS, MPI_UINT64_T, MPI_SUM,
                           world->control);
    call = nuce_mpi_tuning_call(nuce_tuning_calls[request->call], world->size, sums);
    free(request->said);
    rule = nuce_mpi_tuning_find(&tuning, &call, &request->said);
    if (rule != NULL && rule->schedule != NULL) {
        request->ops = rule->schedule;
        request->tuning = rule->tuning;
        status =
            nuce_mpi_exchange_check(request->ops, &request->tuning, request->world.size, error);
    }
    nuce_mpi_tuning_fini(&tuning);
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", request->said);
}

/* Engine or library. A rule of a tuning file that cannot be followed here, such as one for another
 * MPI call, leaves the exchange to the library. Collective; the same status on all ranks. */
static nuce_status prepare_schedule(struct nuce_mpi_request *request, int is_named,
                                    struct nuce_error *error)
{
    char text[NUCE_ERROR_TEXT_BYTES], *longer;
    nuce_status status;

    request->is_library = strcmp(request->ops->name, LIBRARY) == 0;
    if (request->is_library)
        return NUCE_OK;
    status =
        nuce_mpi_exchange_init(&request->world, request->ops, &request->tuning,
                               request->send_buffer == MPI_IN_PLACE, 0, &request->exchange, error);
    if (status != NUCE_BAD_INPUT || is_named)
        return status;
    request->is_library = 1;
    longer = nuce_text_format("%s: not followed: %s", request->said,
                              nuce_error_text(error, NUCE_ERROR_KEYS, text));
    free(request->said);
    request->said = longer;
    return NUCE_OK;
}

/* All steps of a request, on the world that it has. Collective; the same status on all ranks. */
static nuce_status prepare(struct nuce_mpi_request *request, const struct nuce_mpi_arguments *send,
                           const struct nuce_mpi_arguments *receive, MPI_Info info,
                           struct nuce_error *error)
{
    struct nuce_world *world = &request->world;
    const struct nuce_mpi_arguments *sent = send->buffer == MPI_IN_PLACE ? receive : send;
    char *path = NULL;
    int is_named;
    nuce_status status = read_info(request, info, &is_named, &path, error);

    if (status == NUCE_OK && sent == receive && request->call >= NEIGHBOR_ALLTOALLV)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "MPI_IN_PLACE: expected a send buffer");
    if (status == NUCE_OK)
        status = nuce_mpi_side_init(sent, world->size, world->comm, &request->exchange.send, error);
    if (status == NUCE_OK)
        status = nuce_mpi_side_init(receive, world->size, world->comm, &request->exchange.receive,
                                    error);
    status = agree(request, status, error);
    if (status == NUCE_OK)
        status = agree_on_choice(request, is_named, error);
    if (status == NUCE_OK)
        status = agree_on_messages(request, error);
    if (status == NUCE_OK && !is_named)
        status = follow_tuning_file(request, path, error);
    if (status == NUCE_OK)
        status = prepare_schedule(request, is_named, error);
    free(path);
    return status;
}

/* Frees all but the texts. Accepts what prepare left half-made. Collective. */
static void request_clear(struct nuce_mpi_request *request)
{
    nuce_mpi_exchange_fini(&request->exchange);
    nuce_world_fini(&request->world);
}

/* Makes *request. Returns an error class. Collective over comm. */
static int make_request(enum request_call call, const struct nuce_mpi_arguments *send,
                        const struct nuce_mpi_arguments *receive, MPI_Comm comm, MPI_Info info,
                        nuce_request *request)
{
    struct nuce_mpi_request *made = nuce_allocate(1, sizeof *made);
    char text[NUCE_ERROR_TEXT_BYTES];
    struct nuce_error error;

    made->call = call;
    made->send_buffer = send->buffer;
    made->receive_buffer = (void *)receive->buffer;
    made->library = MPI_REQUEST_NULL;
    nuce_world_init_on(comm, &made->world);
    *request = made;
    if (prepare(made, send, receive, info, &error) == NUCE_OK) {
        nuce_world_end_control(&made->world);
        return MPI_SUCCESS;
    }
    made->failure = nuce_text_format("%s", nuce_error_text(&error, NUCE_ERROR_KEYS, text));
    request_clear(made);
    if (made->class != MPI_SUCCESS)
        return made->class;
    return error.status == NUCE_BAD_INPUT ? MPI_ERR_ARG : MPI_ERR_OTHER;
}

/* MPI_SUCCESS for an intracommunicator; *request is then to be made. Local. */
static int check_comm(MPI_Comm comm, nuce_request *request)
{
    int is_inter;

    if (request == NULL)
        return MPI_ERR_ARG;
    *request = NUCE_REQUEST_NULL;
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    NUCE_MPI(MPI_Comm_test_inter(comm, &is_inter));
    return is_inter ? MPI_ERR_COMM : MPI_SUCCESS;
}

/* The arguments of one side, of calls with one datatype and of those with many. */
static struct nuce_mpi_arguments of_one_type(const void *buffer, const int *counts,
                                             const int *displacements, const MPI_Datatype *type)
{
    return (struct nuce_mpi_arguments){.buffer = buffer,
                                       .counts = counts,
                                       .displacements = displacements,
                                       .types = type,
                                       .is_one_type = 1};
}

static struct nuce_mpi_arguments of_types(const void *buffer, const int *counts,
                                          const int *displacements, const MPI_Aint *byte_places,
                                          const MPI_Datatype *types)
{
    return (struct nuce_mpi_arguments){.buffer = buffer,
                                       .counts = counts,
                                       .displacements = displacements,
                                       .byte_places = byte_places,
                                       .types = types};
}

/* A request of all ranks of comm. */
static int make_full_request(enum request_call call, struct nuce_mpi_arguments send,
                             struct nuce_mpi_arguments receive, MPI_Comm comm, MPI_Info info,
                             nuce_request *request)
{
    int class = check_comm(comm, request);

    if (class != MPI_SUCCESS)
        return class;
    NUCE_MPI(MPI_Comm_size(comm, &send.entries));
    receive.entries = send.entries;
    return make_request(call, &send, &receive, comm, info, request);
}

int nuce_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        nuce_request *request)
{
    return make_full_request(ALLTOALLV, of_one_type(sendbuf, sendcounts, sdispls, &sendtype),
                             of_one_type(recvbuf, recvcounts, rdispls, &recvtype), comm, info,
                             request);
}

int nuce_alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Info info, nuce_request *request)
{
    return make_full_request(ALLTOALLW, of_types(sendbuf, sendcounts, sdispls, NULL, sendtypes),
                             of_types(recvbuf, recvcounts, rdispls, NULL, recvtypes), comm, info,
                             request);
}

/* A request of the neighbours in comm. */
static int make_neighbor_request(enum request_call call, struct nuce_mpi_arguments send,
                                 struct nuce_mpi_arguments receive, MPI_Comm comm, MPI_Info info,
                                 nuce_request *request)
{
    struct nuce_mpi_neighbors neighbors = {0};
    int class = check_comm(comm, request);

    if (class == MPI_SUCCESS)
        class = nuce_mpi_neighbors_find(comm, &neighbors);
    if (class != MPI_SUCCESS)
        return class;
    receive.entries = neighbors.sources;
    receive.peers = neighbors.of;
    send.entries = neighbors.destinations;
    send.peers = neighbors.of + neighbors.sources;
    class = make_request(call, &send, &receive, comm, info, request);
    free(neighbors.of);
    return class;
}

int nuce_neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, nuce_request *request)
{
    return make_neighbor_request(
        NEIGHBOR_ALLTOALLV, of_one_type(sendbuf, sendcounts, sdispls, &sendtype),
        of_one_type(recvbuf, recvcounts, rdispls, &recvtype), comm, info, request);
}

int nuce_neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 nuce_request *request)
{
    return make_neighbor_request(
        NEIGHBOR_ALLTOALLW, of_types(sendbuf, sendcounts, NULL, sdispls, sendtypes),
        of_types(recvbuf, recvcounts, NULL, rdispls, recvtypes), comm, info, request);
}

/* The MPI library's own call, with the caller's arguments. */
static void start_library(struct nuce_mpi_request *r)
{
    const struct nuce_mpi_side *s = &r->exchange.send, *t = &r->exchange.receive;
    MPI_Comm comm = r->world.comm;

    switch (r->call) {
    case ALLTOALLV:
        NUCE_MPI(MPI_Ialltoallv(r->send_buffer, s->count, s->displacement, s->type[0],
                                r->receive_buffer, t->count, t->displacement, t->type[0], comm,
                                &r->library));
        return;
    case ALLTOALLW:
        NUCE_MPI(MPI_Ialltoallw(r->send_buffer, s->count, s->displacement, s->type,
                                r->receive_buffer, t->count, t->displacement, t->type, comm,
                                &r->library));
        return;
    case NEIGHBOR_ALLTOALLV:
        NUCE_MPI(MPI_Ineighbor_alltoallv(r->send_buffer, s->count, s->displacement, s->type[0],
                                         r->receive_buffer, t->count, t->displacement, t->type[0],
                                         comm, &r->library));
        return;
    case NEIGHBOR_ALLTOALLW:
        NUCE_MPI(MPI_Ineighbor_alltoallw(r->send_buffer, s->count, s->byte_place, s->type,
                                         r->receive_buffer, t->count, t->byte_place, t->type, comm,
                                         &r->library));
        return;
    }
}

int nuce_start(nuce_request request)
{
    if (request == NUCE_REQUEST_NULL || request->failure != NULL || request->is_active)
        return MPI_ERR_REQUEST;
    request->is_active = 1;
    if (request->is_library) {
        start_library(request);
        return MPI_SUCCESS;
    }
    nuce_mpi_side_pack(&request->exchange.send, request->world.comm);
    nuce_engine_start(&request->exchange.engine);
    return MPI_SUCCESS;
}

int nuce_test(nuce_request request, int *flag)
{
    if (request == NUCE_REQUEST_NULL || request->failure != NULL)
        return MPI_ERR_REQUEST;
    *flag = !request->is_active;
    if (*flag)
        return MPI_SUCCESS;
    *flag = request->is_library ? nuce_wait_one(&request->world.wait, &request->library)
                                : nuce_engine_progress(&request->exchange.engine);
    if (!*flag)
        return MPI_SUCCESS;
    if (!request->is_library)
        nuce_mpi_side_unpack(&request->exchange.receive, request->world.comm);
    request->is_active = 0;
    return MPI_SUCCESS;
}

int nuce_wait(nuce_request request)
{
    return nuce_waitall(1, &request);
}

int nuce_waitall(int count, const nuce_request requests[])
{
    unsigned polls = 0;
    int left = count;

    while (left > 0) {
        left = 0;
        for (int i = 0; i < count; i++) {
            int flag = 0, class = nuce_test(requests[i], &flag);

            if (class != MPI_SUCCESS)
                return class;
            left += !flag;
        }
        if (left > 0)
            nuce_wait_pause(&requests[0]->world.wait, &polls);
    }
    return MPI_SUCCESS;
}

int nuce_request_free(nuce_request *request)
{
    struct nuce_mpi_request *freed = request == NULL ? NUCE_REQUEST_NULL : *request;

    if (freed == NUCE_REQUEST_NULL || freed->is_active)
        return MPI_ERR_REQUEST;
    if (freed->failure == NULL)
        request_clear(freed);
    free(freed->failure);
    free(freed->said);
    free(freed);
    *request = NUCE_REQUEST_NULL;
    return MPI_SUCCESS;
}

const char *nuce_request_error(nuce_request request)
{
    return request == NUCE_REQUEST_NULL || request->failure == NULL ? "" : request->failure;
}

const char *nuce_request_schedule(nuce_request request)
{
    return request == NUCE_REQUEST_NULL || request->failure != NULL ? "" : request->said;
}
