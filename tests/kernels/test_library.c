/* libnuce_mpi against messages, byte for byte: test_library [CALLS [SEED]].
 *
 * Calls are random (random_calls.h). Several requests are in flight at once, on the same and on
 * other communicators, and each is started several times with other data. */
#include <unistd.h>

#include "nuce_mpi.h"
#include "random_calls.h"
#include "schedules/schedule.h"

#define MOST_IN_FLIGHT 4
#define STEPS 2

static int init(struct call *c, MPI_Info info)
{
    const struct side *s = &c->send, *r = &c->receive;
    const void *sent = c->is_in_place ? MPI_IN_PLACE : c->sent;
    MPI_Datatype st = s->entries > 0 ? s->type[0] : c->base;
    MPI_Datatype rt = r->entries > 0 ? r->type[0] : c->base;

    if (c->is_neighbor && c->is_w)
        return nuce_neighbor_alltoallw_init(sent, s->count, s->byte_place, s->type, c->received,
                                            r->count, r->byte_place, r->type, c->comm, info,
                                            &c->request);
    if (c->is_neighbor)
        return nuce_neighbor_alltoallv_init(sent, s->count, s->place, st, c->received, r->count,
                                            r->place, rt, c->comm, info, &c->request);
    if (c->is_w)
        return nuce_alltoallw_init(sent, s->count, s->place, s->type, c->received, r->count,
                                   r->place, r->type, c->comm, info, &c->request);
    return nuce_alltoallv_init(sent, s->count, s->place, st, c->received, r->count, r->place, rt,
                               c->comm, info, &c->request);
}

/* The schedule's options that it uses, drawn by all ranks alike. */
static MPI_Info draw_info(const struct nuce_schedule_ops *ops, int size, struct nuce_rng *rng)
{
    const struct {
        unsigned uses;
        const char *key;
        int least, most;
    } options[] = {{NUCE_USES_RADIX, "nuce_radix", 2, ops->uses & NUCE_USES_NODES ? 0 : size},
                   {NUCE_USES_IN_FLIGHT, "nuce_in-flight", 1, 3},
                   {NUCE_USES_NODES, "nuce_node-ranks", 1, size},
                   {NUCE_USES_GROUP_RANKS, "nuce_group-ranks", 1, size}};
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_schedule", ops->name);
    MPI_Info_set(info, "somebody_elses", "hint");
    for (size_t k = 0; k < COUNT(options); k++) {
        int is_wanted = nuce_rng_below(rng, 2) > 0 || options[k].uses == NUCE_USES_GROUP_RANKS;
        char value[16];

        if (!is_wanted || !(ops->uses & options[k].uses) || options[k].most < options[k].least)
            continue;
        snprintf(value, sizeof value, "%d",
                 options[k].least +
                     (int)nuce_rng_below(rng, (uint64_t)(options[k].most - options[k].least + 1)));
        MPI_Info_set(info, options[k].key, value);
    }
    return info;
}

/* True if a library cannot run the schedule on any pattern: it may refuse it. */
static int may_refuse(const struct nuce_schedule_ops *ops)
{
    static const char *const calls[] = {"neighbor-persistent", "rma"};

    for (size_t k = 0; k < COUNT(calls); k++) {
        if (strcmp(ops->name, calls[k]) == 0)
            return 1;
    }
    return ops->needs == NUCE_NEEDS_ARRAYS || ops->needs == NUCE_NEEDS_REDISTRIBUTION;
}

static void free_call(struct call *call)
{
    if (nuce_request_free(&call->request) != MPI_SUCCESS || call->request != NUCE_REQUEST_NULL)
        fail("nuce_request_free", "refused");
    free(call->sent);
    free(call->received);
    free(call->expected);
}

/* Makes the call of that number under the next schedule. Returns 0 if the schedule refuses it. */
static int make_call(const MPI_Comm comms[COMMS], uint64_t number, uint64_t seed, struct call *call)
{
    static const MPI_Datatype bases[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_BYTE};
    static const int bytes[] = {sizeof(int), sizeof(double), sizeof(short), 1};
    struct nuce_rng common = nuce_rng_create(seed, number), mine;
    const struct nuce_schedule_ops *ops;
    MPI_Info info;
    int schedules = 0, class, comm, is_w, is_avoided,
        base = (int)nuce_rng_below(&common, COUNT(bases));

    while (nuce_schedules[schedules] != NULL)
        schedules++;
    ops = nuce_schedules[number % (uint64_t)schedules];
    comm = (int)nuce_rng_below(&common, COMMS);
    if (comm == HALF && may_refuse(ops))
        comm = WORLD; /* both halves have to answer alike */
    /* MPI's own nonblocking calls are passed on unchanged. Two of MPICH 4.0 are wrong:
     * MPI_Ialltoallw in place (its issue 6404), and that of neighbours. */
    is_w = nuce_rng_below(&common, 2) > 0;
    is_avoided = is_w && strcmp(ops->name, "alltoallv") == 0;
    if (is_avoided && comm >= GRAPH)
        comm = LINE;
    *call = (struct call){.comm = comms[comm],
                          .is_neighbor = comm >= GRAPH,
                          .is_w = is_w,
                          .number = number,
                          .schedule = ops->name,
                          .base = bases[base],
                          .base_bytes = bytes[base],
                          .seed = nuce_rng_next(&common)};
    call->is_in_place = !call->is_neighbor && !is_avoided && nuce_rng_below(&common, 6) == 0;
    mine = nuce_rng_create(call->seed, (uint64_t)rank_of(MPI_COMM_WORLD));
    draw_side(call, 1, &mine, &call->send);
    draw_side(call, 0, &mine, &call->receive);
    call->sent = nuce_allocate((int64_t)call->send.bytes, 1);
    call->received = nuce_allocate((int64_t)call->receive.bytes, 1);
    call->expected = nuce_allocate((int64_t)call->receive.bytes, 1);
    info = draw_info(ops, size_of(call->comm), &common);
    class = init(call, info);
    MPI_Info_free(&info);
    if (class == MPI_SUCCESS)
        return 1;
    if (class != MPI_ERR_ARG || !may_refuse(ops))
        fail(ops->name, nuce_request_error(call->request));
    free_types(call, &call->send);
    free_types(call, &call->receive);
    free_call(call);
    return 0;
}

/* Frees the types, and overwrites arrays that nuce must not need any more. */
static void forget_arguments(struct call *call)
{
    struct side *sides[] = {&call->send, &call->receive};

    for (int i = 0; i < 2; i++) {
        free_types(call, sides[i]);
        memset(sides[i]->count, -1, sizeof sides[i]->count);
        memset(sides[i]->place, -1, sizeof sides[i]->place);
        memset(sides[i]->byte_place, -1, sizeof sides[i]->byte_place);
        memset(sides[i]->type, -1, sizeof sides[i]->type);
    }
}

/* Starts all calls with new data, completes them in one of several ways, and compares. */
static void run_step(struct call *calls, int count, int is_last, struct nuce_rng *common)
{
    nuce_request requests[MOST_IN_FLIGHT];
    int way = (int)nuce_rng_below(common, 3), left = count, is_done[MOST_IN_FLIGHT] = {0};

    for (int i = 0; i < count; i++) {
        struct call *call = &calls[i];
        uint64_t seed = nuce_rng_next(common) + (uint64_t)rank_of(MPI_COMM_WORLD) * 1000003;

        fill(call->sent, call->send.bytes, seed);
        fill(call->received, call->receive.bytes, seed + 7);
        memcpy(call->expected, call->received, call->receive.bytes);
        expect(call);
        if (is_last)
            forget_arguments(call);
        requests[i] = call->request;
    }
    for (int i = 0; i < count; i++) {
        if (nuce_start(requests[i]) != MPI_SUCCESS || nuce_start(requests[i]) != MPI_ERR_REQUEST)
            fail("nuce_start", "starts an active request, or not an inactive one");
    }
    if (way == 0)
        nuce_waitall(count, requests);
    for (int i = 0; way == 1 && i < count; i++)
        nuce_wait(requests[i]);
    while (way == 2 && left > 0) {
        for (int i = count - 1; i >= 0; i--) {
            int before = is_done[i];

            nuce_test(requests[i], &is_done[i]);
            left -= is_done[i] && !before;
        }
    }
    for (int i = 0; i < count; i++) {
        const struct call *call = &calls[i];

        if (memcmp(call->received, call->expected, call->receive.bytes) != 0) {
            fprintf(stderr, "call %d%s%s%s under %s, %d ranks, base of %d bytes\n",
                    (int)call->number, call->is_neighbor ? " of neighbours" : "",
                    call->is_w ? " w" : " v", call->is_in_place ? " in place" : "", call->schedule,
                    size_of(call->comm), call->base_bytes);
            fail("the bytes of messages", "differ");
        }
    }
}

/* Requests in flight: their number, and the order of their ends, are drawn. */
static void run_calls(const MPI_Comm comms[COMMS], uint64_t most, uint64_t seed)
{
    struct nuce_rng common = nuce_rng_create(seed, UINT64_MAX);
    uint64_t number = 0, made = 0;

    while (number < most) {
        struct call calls[MOST_IN_FLIGHT];
        int count = 0, wanted = 1 + (int)nuce_rng_below(&common, MOST_IN_FLIGHT);
        int order[MOST_IN_FLIGHT];

        for (; count < wanted && number < most; number++)
            count += make_call(comms, number, seed, &calls[count]);
        for (int step = 0; step < STEPS; step++)
            run_step(calls, count, step == STEPS - 1, &common);
        for (int i = 0; i < count; i++)
            order[i] = i;
        nuce_rng_shuffle(&common, order, count);
        for (int i = 0; i < count; i++)
            free_call(&calls[order[i]]);
        made += (uint64_t)count;
    }
    if (made < most / 2)
        fail("calls", "too few were made");
}

/* Wrong arguments: all ranks get the class, and a text that has a word of it. */

static void refuse(int class, int expected, nuce_request *request, const char *word)
{
    if (class != expected || strstr(nuce_request_error(*request), word) == NULL) {
        fprintf(stderr, "class %d, expected %d with '%s'\n", class, expected, word);
        fail("refusal", nuce_request_error(*request));
    }
    if (nuce_start(*request) != MPI_ERR_REQUEST || nuce_request_free(request) != MPI_SUCCESS)
        fail("refusal", "a failed request starts, or cannot be freed");
}

/* All to all, with one wrong argument. */
static int wrong(int sent, int expected, MPI_Datatype type, const char *key, const char *value,
                 nuce_request *request)
{
    static const int zeros[MOST_ENTRIES];
    int counts[2][MOST_ENTRIES], size = size_of(MPI_COMM_WORLD), class;
    double data[2][8] = {{0}};
    MPI_Info info;

    for (int i = 0; i < size; i++)
        counts[0][i] = counts[1][i] = 1;
    counts[0][size - 1] = sent;
    if (rank_of(MPI_COMM_WORLD) == size - 1) {
        for (int i = 0; i < size; i++)
            counts[1][i] = expected;
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_schedule", "ac");
    MPI_Info_set(info, key, value);
    class = nuce_alltoallv_init(data[0], counts[0], zeros, type, data[1], counts[1], zeros, type,
                                MPI_COMM_WORLD, info, request);
    MPI_Info_free(&info);
    return class;
}

static void refuse_all(void)
{
    int last = rank_of(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1, class;
    MPI_Datatype vector;
    nuce_request r = NUCE_REQUEST_NULL;

#define WRONG(class_, word_, ...) refuse(wrong(__VA_ARGS__, &r), class_, &r, word_)
    WRONG(MPI_ERR_TRUNCATE, "sends 16 bytes", 2, 1, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_COUNT, "which expects 16", 1, 2, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_COUNT, "at least 0", last ? -1 : 1, 1, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_TYPE, "NULL", 1, 1, last ? MPI_DATATYPE_NULL : MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_ARG, "no-such", 1, 1, MPI_DOUBLE, "nuce_schedule", "no-such");
    WRONG(MPI_ERR_ARG, "rank 0", 1, 1, MPI_DOUBLE, "nuce_schedule", last ? "lp" : "ac");
    WRONG(MPI_ERR_ARG, "nuce_radius", 1, 1, MPI_DOUBLE, "nuce_radius", "2");
    WRONG(MPI_ERR_ARG, "does not use", 1, 1, MPI_DOUBLE, "nuce_radix", "2");
    WRONG(MPI_ERR_ARG, "MPI_Win_complete", 1, 1, MPI_DOUBLE, "nuce_schedule", "rma");
    WRONG(MPI_ERR_ARG, "arrays", 1, 1, MPI_DOUBLE, "nuce_schedule", "pdgemr2d");
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &vector);
    WRONG(MPI_ERR_TYPE, "committed", 1, 1, vector, "a", "b");
    MPI_Type_free(&vector);
#undef WRONG
    class = nuce_neighbor_alltoallv_init(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT,
                                         MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (class != MPI_ERR_TOPOLOGY || r != NUCE_REQUEST_NULL)
        fail("neighbours", "found where there are none");
    class = nuce_alltoallv_init(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, MPI_COMM_NULL,
                                MPI_INFO_NULL, &r);
    if (class != MPI_ERR_COMM || r != NUCE_REQUEST_NULL)
        fail("communicator", "null is one");
}

/* A tuning file, by info or by the environment of rank 0 alone, and the text of its request. */

static const struct {
    const char *head, *rule; /* with the number of ranks in between; NULL: there is no file */
    int class;
    const char *said; /* in the request's schedule, or its error */
} files[] = {
    {"", "bytes=8..8 degree=1..99 schedule=tuna radix=2", MPI_SUCCESS, "schedule=tuna radix=2"},
    {"", "bytes=9..9 degree=1..99 schedule=tuna", MPI_SUCCESS, "no rule for alltoallv ranks="},
    {"", "bytes=8..8 degree=1..99 schedule=library", MPI_SUCCESS, "schedule=library"},
    {"", "bytes=8..8 degree=1..99 schedule=neighbor", MPI_SUCCESS, "schedule=neighbor"},
    {"", "bytes=8..8 degree=1..99 schedule=rma", MPI_SUCCESS, "schedule=rma: not followed: "},
    {"mpi: Some MPI 1.0\n", "bytes=8..8 degree=1..99 schedule=ac", MPI_SUCCESS,
     ": is of Some MPI 1.0, this is "},
    {"machine: other\n", "bytes=8..8 degree=1..99 schedule=ac", MPI_SUCCESS,
     ": is of other, this is "},
    {"", "bytes=8..8 degree=1..99 schedule=tuna radix=99", MPI_ERR_ARG,
     "radix: '99': expected 2 to "},
    {"", "bytes=8..8 degree=1..99 schedule=to", MPI_ERR_ARG, ":2:52: 'to': expected a schedule"},
    {NULL, NULL, MPI_ERR_ARG, "test_library.tuning"},
};

/* Ranks send each other one number under the file that info or the environment names. */
static void follow(MPI_Info info, int class, const char *said)
{
    int counts[MOST_ENTRIES], places[MOST_ENTRIES], size = size_of(MPI_COMM_WORLD), made;
    double sent[MOST_ENTRIES], received[MOST_ENTRIES] = {0};
    nuce_request r;

    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
        sent[i] = 100 * rank_of(MPI_COMM_WORLD) + i;
    }
    made = nuce_alltoallv_init(sent, counts, places, MPI_DOUBLE, received, counts, places,
                               MPI_DOUBLE, MPI_COMM_WORLD, info, &r);
    if (made != class ||
        strstr(made == MPI_SUCCESS ? nuce_request_schedule(r) : nuce_request_error(r), said) ==
            NULL) {
        fprintf(stderr, "class %d, expected %d with '%s'\n", made, class, said);
        fail("tuning file", made == MPI_SUCCESS ? nuce_request_schedule(r) : nuce_request_error(r));
    }
    if (made == MPI_SUCCESS) {
        nuce_start(r);
        nuce_wait(r);
        for (int i = 0; i < size; i++) {
            if (received[i] < 100 * i + rank_of(MPI_COMM_WORLD) ||
                received[i] > 100 * i + rank_of(MPI_COMM_WORLD))
                fail("tuning file", "a number is wrong");
        }
    }
    nuce_request_free(&r);
}

static void follow_files(void)
{
    const char *folder = getenv("TMPDIR");
    int is_first = rank_of(MPI_COMM_WORLD) == 0;
    char path[4096];
    MPI_Info info;

    snprintf(path, sizeof path, "%s/test_library.tuning.%ld", folder == NULL ? "/tmp" : folder,
             (long)getpid()); /* rank 0's counts */
    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_tuning", path);
    for (size_t k = 0; k < COUNT(files); k++) {
        FILE *file = is_first && files[k].rule != NULL ? fopen(path, "w") : NULL;

        if (file != NULL) {
            fprintf(file, "nuce-tuning 1\n%salltoallv ranks=%d %s\n", files[k].head,
                    size_of(MPI_COMM_WORLD), files[k].rule);
            fclose(file);
        } else if (is_first) {
            unlink(path);
        }
        follow(info, files[k].class, files[k].said);
        if (is_first)
            setenv("NUCE_TUNING", path, 1);
        follow(MPI_INFO_NULL, files[k].class, files[k].said);
        unsetenv("NUCE_TUNING");
    }
    follow(MPI_INFO_NULL, MPI_SUCCESS, "alltoallv");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 120;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    MPI_Comm comms[COMMS];

    MPI_Init(&argc, &argv);
    make_comms(comms);
    /* A single rank cannot differ from others. */
    if (size_of(MPI_COMM_WORLD) > 1) {
        refuse_all();
        follow_files();
    }
    run_calls(comms, calls, seed);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
