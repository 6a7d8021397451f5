/* Calls under a tuning file against messages, byte for byte: test_apply [CALLS [SEED]].
 *
 * A few random calls (random_calls.h) are made again and again, with new data, in a random order.
 * In between one of them changes: its counts between two ranks, the datatypes and places of one
 * rank alone, the buffers of one rank, or all of it. Datatypes are freed then, so that handles
 * return as other datatypes. After each call all ranks compare what became of it: no rank may have
 * left to MPI what another one has replaced. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "library/apply.h"
#include "random_calls.h"
#include "schedules/pattern.h"

#define LIVE 5           /* calls that are made again */
#define CALLS_A_COMM 120 /* then all communicators are freed, with their plans */
#define THREADS 2
#define THREAD_CALLS 12

/* The fingerprint of the pattern in which each rank sends as many bytes to each rank. */
static uint64_t fingerprint_of_all(int ranks, int64_t bytes)
{
    uint64_t sum = 0;

    for (int i = 0; i < ranks * ranks; i++)
        sum += nuce_pattern_fingerprint_message(i / ranks, i % ranks, bytes);
    return sum;
}

/* Rules for all sizes of communicators: classes by bytes, one of them left to the MPI library, and
 * a gap without a rule. Only rank 0 reads the file. */
static struct nuce_apply *open_rules(void)
{
    static const struct {
        int low, high;
        const char *schedule;
    } classes[] = {{0, 60, "tuna radix=2"},  {61, 120, "ac"},       {121, 150, "library"},
                   {151, 300, "lp"},         {301, 600, "grants"},  {701, 2000, "credits"},
                   {2001, 9000, "neighbor"}, {9001, 99999, "rs-n"}, {100000, 1 << 30, "ac"}};
    static const char *const calls[] = {"alltoallv", "alltoallw", "neighbor_alltoallv",
                                        "neighbor_alltoallw"};
    char path[] = "/tmp/nuce-test-apply-XXXXXX";
    struct nuce_apply *apply;

    if (rank_of(MPI_COMM_WORLD) == 0) {
        FILE *file = fdopen(mkstemp(path), "w");

        fputs("nuce-tuning 1\n", file);
        for (int ranks = 1; ranks <= size_of(MPI_COMM_WORLD); ranks++) {
            for (size_t i = 0; i < COUNT(calls) * COUNT(classes); i++) {
                size_t class = i % COUNT(classes);

                fprintf(file, "%s ranks=%d bytes=%d..%d degree=0..99 schedule=%s\n",
                        calls[i / COUNT(classes)], ranks, classes[class].low, classes[class].high,
                        ranks == 1 && class == 0 ? "ac" : classes[class].schedule);
            }
        }
        fprintf(file, "alltoallv ranks=%d pattern=%016" PRIx64 " schedule=library\n",
                size_of(MPI_COMM_WORLD),
                fingerprint_of_all(size_of(MPI_COMM_WORLD), 3 * sizeof(int)));
        fclose(file);
    }
    apply = nuce_apply_open(path);
    if (rank_of(MPI_COMM_WORLD) == 0)
        unlink(path);
    if (apply == NULL)
        fail("tuning file", "refused");
    return apply;
}

static struct nuce_mpi_arguments side_arguments(const struct call *call, const struct side *side,
                                                const void *buffer)
{
    int has_places = call->is_neighbor && call->is_w;

    return (struct nuce_mpi_arguments){.buffer = buffer,
                                       .counts = side->count,
                                       .displacements = has_places ? NULL : side->place,
                                       .byte_places = has_places ? side->byte_place : NULL,
                                       .types = side->entries > 0 ? side->type : &call->base,
                                       .is_one_type = !call->is_w};
}

/* Returns 1 if the call was replaced, the same on all ranks. */
static int try_call(struct nuce_apply *apply, const struct call *call)
{
    struct nuce_mpi_arguments send =
        side_arguments(call, &call->send, call->is_in_place ? MPI_IN_PLACE : (void *)call->sent);
    struct nuce_mpi_arguments receive = side_arguments(call, &call->receive, call->received);
    int kind = 2 * call->is_neighbor + call->is_w, done, all[2];

    done = nuce_apply_exchange(apply, (enum nuce_apply_call)kind, &send, &receive, call->comm);
    all[0] = done;
    all[1] = -done;
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, call->comm);
    if (all[0] != done || all[1] != -done)
        fail("ranks", "some replaced the call and some did not");
    return done;
}

/* Makes the call with new data and compares. Returns 1 if it was replaced. */
static int run_call(struct nuce_apply *apply, struct call *call, uint64_t seed)
{
    seed += (uint64_t)rank_of(MPI_COMM_WORLD) * 1000003;
    fill(call->sent, call->send.bytes, seed);
    fill(call->received, call->receive.bytes, seed + 7);
    memcpy(call->expected, call->received, call->receive.bytes);
    expect(call);
    if (!try_call(apply, call))
        return 0;
    if (memcmp(call->received, call->expected, call->receive.bytes) != 0) {
        fprintf(stderr, "call %d%s%s%s, %d ranks, base of %d bytes\n", (int)call->number,
                call->is_neighbor ? " of neighbours" : "", call->is_w ? " w" : " v",
                call->is_in_place ? " in place" : "", size_of(call->comm), call->base_bytes);
        fail("the bytes of messages", "differ");
    }
    return 1;
}

/* Draws this rank's arguments; those of another `private` differ in datatypes and places. */
static void draw_arguments(struct call *call, uint64_t private)
{
    struct nuce_rng mine = nuce_rng_create(call->seed + private, (uint64_t)rank_of(MPI_COMM_WORLD));

    draw_side(call, 1, &mine, &call->send);
    draw_side(call, 0, &mine, &call->receive);
    call->sent = nuce_allocate((int64_t)call->send.bytes, 1);
    call->received = nuce_allocate((int64_t)call->receive.bytes, 1);
    call->expected = nuce_allocate((int64_t)call->receive.bytes, 1);
}

static void free_buffers(struct call *call)
{
    free(call->sent);
    free(call->received);
    free(call->expected);
}

static void free_arguments(struct call *call)
{
    free_types(call, &call->send);
    free_types(call, &call->receive);
    free_buffers(call);
}

static void draw_call(const MPI_Comm comms[COMMS], uint64_t number, struct nuce_rng *common,
                      struct call *call)
{
    static const MPI_Datatype bases[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_BYTE};
    static const int bytes[] = {sizeof(int), sizeof(double), sizeof(short), 1};
    int comm = (int)nuce_rng_below(common, COMMS), base = (int)nuce_rng_below(common, COUNT(bases));

    *call = (struct call){.comm = comms[comm],
                          .is_neighbor = comm >= GRAPH,
                          .is_w = nuce_rng_below(common, 2) > 0,
                          .number = number,
                          .base = bases[base],
                          .base_bytes = bytes[base],
                          .seed = nuce_rng_next(common)};
    call->is_in_place = !call->is_neighbor && nuce_rng_below(common, 6) == 0;
    draw_arguments(call, 0);
}

/* One of several changes, or none. All ranks draw the same; some concern one rank or two. */
static void change_call(const MPI_Comm comms[COMMS], uint64_t number, struct nuce_rng *common,
                        struct call *call)
{
    int change = (int)nuce_rng_below(common, 16), rank = rank_of(call->comm);
    /* Sizes of communicators differ between halves, draws must not. */
    int one = (int)nuce_rng_below(common, 120) % size_of(call->comm);
    int other = (int)nuce_rng_below(common, 120) % size_of(call->comm);

    if (change == 0) {
        free_arguments(call);
        draw_call(comms, number, common, call);
    } else if (change == 1) { /* the counts of one message: two ranks differ, or one */
        call->more_from = one;
        call->more_to = other;
        free_arguments(call);
        draw_arguments(call, 0);
    } else if (change == 2 && rank == one) {
        free_arguments(call);
        draw_arguments(call, number);
    } else if (change == 3 && rank == one) { /* other buffers for the same arguments */
        unsigned char *kept[] = {call->sent, call->received, call->expected};

        call->sent = nuce_allocate((int64_t)call->send.bytes, 1);
        call->received = nuce_allocate((int64_t)call->receive.bytes, 1);
        call->expected = nuce_allocate((int64_t)call->receive.bytes, 1);
        for (int i = 0; i < 3; i++)
            free(kept[i]);
    }
}

static void run_calls(struct nuce_apply *apply, uint64_t most, uint64_t seed)
{
    struct nuce_rng common = nuce_rng_create(seed, UINT64_MAX);
    uint64_t replaced = 0;

    for (uint64_t number = 0; number < most;) {
        MPI_Comm comms[COMMS];
        struct call calls[LIVE];

        make_comms(comms);
        for (int i = 0; i < LIVE; i++)
            draw_call(comms, number, &common, &calls[i]);
        for (int k = 0; k < CALLS_A_COMM && number < most; k++, number++) {
            struct call *call = &calls[nuce_rng_below(&common, LIVE)];

            change_call(comms, number + 1, &common, call);
            replaced += (uint64_t)run_call(apply, call, nuce_rng_next(&common));
        }
        for (int i = 0; i < LIVE; i++)
            free_arguments(&calls[i]);
        for (int i = 0; i < COMMS; i++)
            MPI_Comm_free(&comms[i]);
    }
    if (replaced < most / 4)
        fail("calls", "too few were replaced");
}

/* A call of two ints to each rank, with the datatype of all ranks, or that of the last one. */
struct plain {
    int counts[MOST_ENTRIES], places[MOST_ENTRIES], sent[4 * MOST_ENTRIES],
        received[4 * MOST_ENTRIES];
};

static void make_plain(int size, struct plain *plain)
{
    memset(plain, 0, sizeof *plain);
    for (int i = 0; i < size; i++) {
        plain->counts[i] = 1;
        plain->places[i] = i;
    }
    for (int i = 0; i < 4 * MOST_ENTRIES; i++)
        plain->sent[i] = i + 1;
}

static int run_plain(struct nuce_apply *apply, struct plain *plain, const int *sent_counts,
                     MPI_Datatype type, MPI_Comm comm)
{
    struct nuce_mpi_arguments send = {.buffer = plain->sent,
                                      .counts = sent_counts,
                                      .displacements = plain->places,
                                      .types = &type,
                                      .is_one_type = 1};
    struct nuce_mpi_arguments receive = send;

    receive.buffer = plain->received;
    receive.counts = plain->counts;
    memset(plain->received, 0, sizeof plain->received);
    return nuce_apply_exchange(apply, NUCE_APPLY_ALLTOALLV, &send, &receive, comm);
}

/* A freed datatype whose handle returns for another one of the same size, on one rank only. */
static void reuse_handle(struct nuce_apply *apply)
{
    int size = size_of(MPI_COMM_WORLD), is_last = rank_of(MPI_COMM_WORLD) == size - 1;
    struct plain plain;
    MPI_Datatype type, before;

    make_plain(size, &plain);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2; i++) {
        if (!run_plain(apply, &plain, plain.counts, type, MPI_COMM_WORLD))
            fail("datatype", "its call is not replaced");
    }
    before = type;
    if (is_last) {
        MPI_Type_free(&type);
        MPI_Type_vector(2, 1, 3, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    if (run_plain(apply, &plain, plain.counts, type, MPI_COMM_WORLD) && is_last &&
        (plain.received[1] != 0 || plain.received[2] != 0 || plain.received[3] == 0))
        fail("datatype", before == type ? "taken for a freed one with this handle" : "mixed up");
    MPI_Type_free(&type);
}

/* Arguments that one rank has wrong: all ranks leave the call, before and after it has a plan. */
static void leave_wrong(struct nuce_apply *apply)
{
    int size = size_of(MPI_COMM_WORLD), is_last = rank_of(MPI_COMM_WORLD) == size - 1;
    int wrong[MOST_ENTRIES];
    struct plain plain;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_plain(size, &plain);
    for (int step = 0; step < 2; step++) {
        memcpy(wrong, plain.counts, sizeof wrong);
        wrong[0] = is_last ? -1 : 1;
        if (run_plain(apply, &plain, wrong, MPI_INT, comm))
            fail("a negative count", "is replaced");
        wrong[0] = is_last ? 2 : 1;
        if (run_plain(apply, &plain, wrong, MPI_INT, comm))
            fail("more bytes than expected", "are replaced");
        if (run_plain(apply, &plain, plain.counts, is_last ? MPI_DATATYPE_NULL : MPI_INT, comm))
            fail("MPI_DATATYPE_NULL", "is replaced");
        if (run_plain(apply, &plain, is_last ? NULL : plain.counts, MPI_INT, comm))
            fail("missing counts", "are replaced");
        if (!run_plain(apply, &plain, plain.counts, MPI_INT, comm))
            fail("a right call", "is not replaced after wrong ones");
    }
    MPI_Comm_free(&comm);
}

/* New patterns in each call: votes on 8, then on each one behind 1, 2 and 4 rests. 2 of the next 8
 * rests are left when an old pattern is called again. */
static void rest(struct nuce_apply *apply)
{
    int size = size_of(MPI_COMM_WORLD), replaced = 0;
    MPI_Datatype types[26];
    struct plain plain;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_plain(size, &plain);
    for (int i = 0; i < 24; i++) {
        MPI_Type_dup(MPI_INT, &types[i]);
        replaced += run_plain(apply, &plain, plain.counts, types[i], comm);
    }
    if (replaced != 8 + 3)
        fail("new patterns", "get more votes than one for each rest");
    for (int i = 0; i < 64; i++)
        replaced += run_plain(apply, &plain, plain.counts, types[0], comm);
    if (replaced != 8 + 3 + 62)
        fail("an old pattern", "is not found again");
    for (int i = 24; i < 26; i++) {
        MPI_Type_dup(MPI_INT, &types[i]);
        if (!run_plain(apply, &plain, plain.counts, types[i], comm))
            fail("a new pattern", "gets no vote after old ones");
    }
    for (int i = 0; i < 26; i++)
        MPI_Type_free(&types[i]);
    MPI_Comm_free(&comm);
}

/* Messages of 32 KiB, which go from and to the caller's memory, in two pairs of buffers in turn. */
static void change_buffers(struct nuce_apply *apply)
{
    enum { INTS = 8192 };
    int size = size_of(MPI_COMM_WORLD), rank = rank_of(MPI_COMM_WORLD);
    int counts[MOST_ENTRIES], places[MOST_ENTRIES], *sent[2], *received[2];
    MPI_Datatype type = MPI_INT;

    for (int i = 0; i < size; i++) {
        counts[i] = INTS;
        places[i] = i * INTS;
    }
    for (int k = 0; k < 2; k++) {
        sent[k] = nuce_allocate((int64_t)size * INTS, sizeof(int));
        received[k] = nuce_allocate((int64_t)size * INTS, sizeof(int));
    }
    for (int call = 0; call < 8; call++) {
        int k = call / 2 % 2; /* the last rank always has the same */
        struct nuce_mpi_arguments send = {
            .counts = counts, .displacements = places, .types = &type, .is_one_type = 1};
        struct nuce_mpi_arguments receive = send;

        k = rank == size - 1 ? 0 : k;
        send.buffer = sent[k];
        receive.buffer = received[k];
        for (int i = 0; i < size * INTS; i++)
            sent[k][i] = 1000 * call + rank;
        if (!nuce_apply_exchange(apply, NUCE_APPLY_ALLTOALLV, &send, &receive, MPI_COMM_WORLD))
            fail("other buffers", "are not replaced");
        for (int i = 0; i < size * INTS; i++) {
            if (received[k][i] != 1000 * call + i / INTS)
                fail("other buffers", "are mixed up");
        }
    }
    for (int k = 0; k < 2; k++) {
        free(sent[k]);
        free(received[k]);
    }
}

/* The rule of a pattern wins over that of its class. */
static void follow_pattern(struct nuce_apply *apply)
{
    int size = size_of(MPI_COMM_WORLD);
    struct plain plain;

    make_plain(size, &plain);
    for (int i = 0; i < size; i++) {
        plain.counts[i] = 3;
        plain.places[i] = 3 * i;
    }
    if (run_plain(apply, &plain, plain.counts, MPI_INT, MPI_COMM_WORLD))
        fail("a pattern that is left by a rule", "is replaced");
}

/* Calls between two groups are left. */
static void leave_intercommunicator(struct nuce_apply *apply)
{
    int size = size_of(MPI_COMM_WORLD), half = rank_of(MPI_COMM_WORLD) % 2;
    MPI_Comm local, comm;
    struct plain plain;

    if (size < 2)
        return;
    make_plain(size, &plain);
    MPI_Comm_split(MPI_COMM_WORLD, half, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - half, 1, &comm);
    if (run_plain(apply, &plain, plain.counts, MPI_INT, comm))
        fail("an intercommunicator's call", "is replaced");
    MPI_Comm_free(&comm);
    MPI_Comm_free(&local);
}

/* Blocking reductions, which spin in the library. */
static atomic_int reductions;

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    atomic_fetch_add(&reductions, 1);
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

/* Ranks that share a processor do not block in the vote on a call that is known. */
static void share_processor(struct nuce_apply *apply)
{
    cpu_set_t before, one;
    struct plain plain;
    MPI_Comm comm;
    int blocked;

    sched_getaffinity(0, sizeof before, &before);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &before) && CPU_COUNT(&one) == 0)
            CPU_SET(i, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_plain(size_of(comm), &plain);
    run_plain(apply, &plain, plain.counts, MPI_INT, comm);
    blocked = atomic_load(&reductions);
    if (!run_plain(apply, &plain, plain.counts, MPI_INT, comm))
        fail("ranks that share a processor", "their call is not replaced");
    if (size_of(comm) > 1 && atomic_load(&reductions) > blocked)
        fail("ranks that share a processor", "block in the vote");
    MPI_Comm_free(&comm);
    sched_setaffinity(0, sizeof before, &before);
}

/* Threads on communicators of their own, with one datatype. */
struct thread {
    struct nuce_apply *apply;
    MPI_Comm comm;
    MPI_Datatype type;
    int replaced;
};

static void *run_thread(void *argument)
{
    struct thread *thread = argument;
    int size = size_of(thread->comm);
    struct plain plain;

    make_plain(size, &plain);
    for (int i = 0; i < THREAD_CALLS; i++) {
        MPI_Datatype type = i % 3 == 0 ? MPI_INT : thread->type;

        if (!run_plain(thread->apply, &plain, plain.counts, type, thread->comm))
            continue;
        thread->replaced++;
        for (int k = 0; k < size; k++) {
            if (plain.received[k] != rank_of(thread->comm) + 1)
                fail("threads", "mix up each other's messages");
        }
    }
    return NULL;
}

static void run_threads(struct nuce_apply *apply)
{
    struct thread threads[THREADS];
    pthread_t ids[THREADS];
    MPI_Datatype type;

    MPI_Type_dup(MPI_INT, &type);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.apply = apply, .type = type};
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&ids[i], NULL, run_thread, &threads[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        MPI_Comm_free(&threads[i].comm);
        if (threads[i].replaced == 0)
            fail("threads", "no call is replaced");
    }
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 240;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct nuce_apply *apply;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    apply = open_rules();
    reuse_handle(apply);
    /* A single rank cannot differ from others. */
    if (size_of(MPI_COMM_WORLD) > 1)
        leave_wrong(apply);
    rest(apply);
    change_buffers(apply);
    follow_pattern(apply);
    leave_intercommunicator(apply);
    share_processor(apply);
    if (provided == MPI_THREAD_MULTIPLE && size_of(MPI_COMM_WORLD) <= 3)
        run_threads(apply);
    run_calls(apply, calls, seed);
    nuce_apply_close(apply, NULL);
    MPI_Finalize();
    return 0;
}
