/* The executors that find their order while they run, and those that forward, on all ranks at once
 * (simulated.h): in any order of messages, every byte arrives, nothing is left, and no rank has
 * more in flight than allowed. */
#include "simulated.h"

#include "base/allocate.h"
#include "run/engine.h"
#include "run/nodes.h"
#include "schedules/schedule.h"

/* An exchange that all ranks are set up for. */
struct exchange_of_all {
    struct machine machine;
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    struct nuce_payload payload[SIMULATED_MOST];
    const struct nuce_executor_ops *ops;
    int node_of[SIMULATED_MOST];
    void *self[SIMULATED_MOST];
    int is_done[SIMULATED_MOST];
    int most_sends, most_receives; /* that a rank may have in flight; 0: as many as it likes */
};

static const struct nuce_executor_ops *executor_called(const char *name)
{
    int i = 0;

    while (strcmp(nuce_executors[i]->name, name) != 0)
        i++;
    return nuce_executors[i];
}

/* Two thirds of all pairs, ranks themselves too, up to 40 bytes. */
static void draw_messages(int ranks, uint64_t seed, struct nuce_pattern *out)
{
    struct nuce_message messages[SIMULATED_MOST * SIMULATED_MOST];
    struct nuce_rng rng = nuce_rng_create(seed, 5);
    int64_t count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (nuce_rng_below(&rng, 3) > 0)
            messages[count++] =
                (struct nuce_message){k / ranks, k % ranks, 1 + (int64_t)nuce_rng_below(&rng, 40)};
    }
    assert_ok(nuce_pattern_init(ranks, messages, count, out, ANY_ERROR));
}

/* Nodes of two ranks, of three in turn, of one and the rest, one for all, and one for each. */
static int node_of_rank(int shape, int i)
{
    const int nodes[] = {i / 2, i % 3, i > 0, 0, i};

    return nodes[shape];
}

#define SHAPES 5

static const char *executor_name(const struct nuce_schedule *schedule)
{
    return schedule->executor != NULL ? schedule->executor
                                      : nuce_discipline_name(schedule->discipline);
}

/* Sets all ranks of the machine up for the pattern; 0: the schedule is for other ones, or posts all
 * there, with requests that are not simulated. Freed with exchange_fini. */
static int exchange_set_up(const char *schedule, const struct nuce_tuning *tuning,
                           struct exchange_of_all *all)
{
    struct nuce_schedule_input input = {.pattern = &all->pattern,
                                        .tuning = tuning,
                                        .node_of = all->node_of,
                                        .rng = nuce_rng_create(1, 6)};
    struct nuce_error error = {0};

    if (nuce_schedule_create(nuce_schedule_find(schedule), &input, &all->schedule, &error) !=
        NUCE_OK)
        return 0;
    if (all->schedule.discipline == NUCE_POST_ALL) {
        nuce_schedule_fini(&all->schedule);
        return 0;
    }
    all->ops = executor_called(executor_name(&all->schedule));
    for (int i = 0; i < all->machine.ranks; i++) {
        struct nuce_engine_input engine = {.world = &all->machine.rank[i].world,
                                           .schedule = &all->schedule,
                                           .payload = &all->payload[i]};

        assert_ok(nuce_payload_init(&all->pattern, i, NULL, NULL, &all->payload[i], &error));
        all->self[i] = nuce_allocate(1, all->ops->self_size);
        assert_ok(all->ops->build(all->self[i], &engine, &error));
    }
    return 1;
}

static void exchange_fini(struct exchange_of_all *all)
{
    for (int i = 0; i < all->machine.ranks; i++) {
        all->ops->destroy(all->self[i]);
        free(all->self[i]);
        nuce_payload_fini(&all->payload[i]);
    }
    nuce_schedule_fini(&all->schedule);
    nuce_pattern_fini(&all->pattern);
    machine_fini(&all->machine);
}

/* The same of messages that are drawn, of up to 40 units of so many bytes, on nodes of that shape.
 */
static int exchange_init(const char *schedule, int ranks, int shape, int depth, int64_t unit,
                         uint64_t seed, struct exchange_of_all *out)
{
    struct nuce_tuning tuning = nuce_tuning_preset;

    memset(out, 0, sizeof *out);
    machine_init(ranks, seed, &out->machine);
    draw_messages(ranks, seed, &out->pattern);
    assert_ok(nuce_pattern_scale(&out->pattern, unit, ANY_ERROR));
    for (int i = 0; i < ranks; i++)
        out->node_of[i] = node_of_rank(shape, i);
    tuning.in_flight = depth;
    if (exchange_set_up(schedule, &tuning, out))
        return 1;
    nuce_pattern_fini(&out->pattern);
    return 0;
}

/* The same of a few messages, each rank on a node of its own. */
static void exchange_of(const char *schedule, int ranks, const struct nuce_message *messages,
                        int count, int64_t radix, struct exchange_of_all *out)
{
    struct nuce_tuning tuning = nuce_tuning_preset;

    memset(out, 0, sizeof *out);
    machine_init(ranks, 1, &out->machine);
    assert_ok(nuce_pattern_init(ranks, messages, count, &out->pattern, ANY_ERROR));
    for (int i = 0; i < ranks; i++)
        out->node_of[i] = i;
    tuning.radix = radix;
    assert_true(exchange_set_up(schedule, &tuning, out));
}

/* Messages with bytes of tag 0 that the rank has begun in that direction; peer -1: with anybody. */
static int in_flight(const struct simulated_rank *rank, enum nuce_direction direction, int peer)
{
    int count = 0;

    for (int i = 0; rank->set != NULL && i < rank->set->count; i++)
        count += rank->request[i].state == REQUEST_STARTED &&
                 rank->set->direction[i] == direction && rank->request[i].tag == 0 &&
                 rank->set->about[i].bytes > 0 && (peer < 0 || rank->set->about[i].peer == peer);
    return count;
}

/* Ranks and messages go on, one or the other as it is drawn, until nothing does; those that are
 * not started do not. Returns how many are done. */
static int exchange_go_on(struct exchange_of_all *all)
{
    int ranks = all->machine.ranks, done = 0, idle = 0;

    for (int i = 0; i < ranks; i++)
        done += all->is_done[i] == 1;
    while (done < ranks && idle < 40 * ranks) {
        int i = (int)nuce_rng_below(&all->machine.rng, (uint64_t)ranks);
        int64_t before = all->machine.clock;

        if (nuce_rng_below(&all->machine.rng, 2) == 0) {
            idle = machine_deliver(&all->machine) ? 0 : idle + 1;
            continue;
        }
        if (all->is_done[i] == 0 && all->ops->progress(all->self[i])) {
            all->is_done[i] = 1;
            done++;
        }
        idle = all->machine.clock > before ? 0 : idle + 1;
        if (all->most_sends > 0)
            assert_true(in_flight(&all->machine.rank[i], NUCE_SEND, -1) <= all->most_sends);
        if (all->most_receives > 0)
            assert_true(in_flight(&all->machine.rank[i], NUCE_RECEIVE, -1) <= all->most_receives);
    }
    return done;
}

/* One step of bytes of that salt: all come, and nothing is left under way. */
static void exchange_step(struct exchange_of_all *all, uint64_t salt, const char *what)
{
    int ranks = all->machine.ranks;
    struct nuce_error error = {0};

    all->machine.messages = 0;
    for (int i = 0; i < ranks; i++) {
        nuce_payload_fill(&all->payload[i], salt);
        all->is_done[i] = 0;
    }
    for (int i = 0; i < ranks; i++)
        all->ops->start(all->self[i]);
    if (exchange_go_on(all) < ranks)
        fail_msg("%s, %d ranks: some never end", what, ranks);
    for (int i = 0; i < ranks; i++) {
        assert_false(simulated_is_busy(&all->machine.rank[i]));
        if (nuce_payload_check(&all->payload[i], salt, &error) != NUCE_OK)
            fail_msg("%s, %d ranks: %s", what, ranks, error.message);
    }
}

/* Bytes of the pattern that leave their rank. */
static int64_t bytes_over_wires(const struct nuce_pattern *pattern)
{
    int64_t bytes = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            bytes += pattern->destination[k] != i ? pattern->bytes[k] : 0;
    }
    return bytes;
}

/* Two steps, as the requests are persistent. Returns the bytes that went over wires in one. */
static int64_t exchange_twice(struct exchange_of_all *all, const char *what)
{
    int64_t bytes = 0;

    exchange_step(all, 1, what);
    exchange_step(all, 2, what);
    for (int64_t k = 0; k < all->machine.messages; k++)
        bytes += all->machine.message[k].bytes;
    return bytes;
}

static const int rank_counts[] = {1, 2, 3, 5, 8, 13};

#define RANK_COUNTS COUNT(rank_counts)

/* Every schedule that forwards. The wires carry exactly its transfers, each once. */
static void test_forward(void **state)
{
    int tried = 0;

    for (int s = 0; nuce_schedules[s] != NULL; s++) {
        const struct nuce_schedule_ops *ops = nuce_schedules[s];

        for (size_t k = 0; ops->discipline == NUCE_FORWARD && k < RANK_COUNTS; k++) {
            struct exchange_of_all all;
            int64_t transfers = 0;

            if (!exchange_init(ops->name, rank_counts[k], (int)k % SHAPES, 1, 1, k, &all))
                continue;
            assert_true(exchange_twice(&all, ops->name) >= bytes_over_wires(&all.pattern));
            for (int i = 0; i < all.machine.ranks; i++) {
                for (int64_t t = all.schedule.send_start[i]; t < all.schedule.send_start[i + 1];
                     t++)
                    transfers += all.schedule.sends[t].peer != i;
            }
            assert_int_equal(all.machine.messages, transfers);
            exchange_fini(&all);
            tried++;
        }
    }
    assert_true(tried >= 20);
}

/* No rank has more in flight than depth says, in either direction; each message has one message
 * without bytes each way beside it. */
static void test_credits(void **state)
{
    for (size_t k = 0; k < RANK_COUNTS; k++) {
        for (int depth = 1; depth <= 3; depth++) {
            struct exchange_of_all all;
            int64_t with_bytes = 0;

            assert_true(exchange_init("credits", rank_counts[k], 0, depth, 1,
                                      10 * k + (uint64_t)depth, &all));
            all.most_sends = all.most_receives = depth;
            assert_int_equal(exchange_twice(&all, "credits"), bytes_over_wires(&all.pattern));
            for (int64_t m = 0; m < all.machine.messages; m++)
                with_bytes += all.machine.message[m].bytes > 0;
            assert_int_equal(all.machine.messages, 3 * with_bytes);
            exchange_fini(&all);
        }
    }
}

/* Messages of 1 to 10 pieces. Into no rank are more under way than four in each of its
 * turns, and no message comes uncut, nor twice announced. */
static void test_grants(void **state)
{
    for (size_t k = 0; k < RANK_COUNTS; k++) {
        for (int depth = 1; depth <= 3; depth++) {
            struct exchange_of_all all;
            int64_t longest = 0, numbers = 0;

            assert_true(exchange_init("grants", rank_counts[k], 0, depth, 8192,
                                      20 * k + (uint64_t)depth, &all));
            all.most_receives = 4 * depth;
            exchange_twice(&all, "grants");
            for (int64_t m = 0; m < all.machine.messages; m++) {
                if (all.machine.message[m].bytes > longest)
                    longest = all.machine.message[m].bytes;
                numbers += all.machine.message[m].bytes == 8;
            }
            assert_true(longest <= 32768);
            for (int i = 0; i < all.pattern.ranks; i++) {
                for (int64_t at = all.pattern.row[i]; at < all.pattern.row[i + 1]; at++)
                    numbers -= all.pattern.destination[at] != i;
            }
            assert_int_equal(numbers, 0);
            exchange_fini(&all);
        }
    }
}

/* Pieces that rank 0 has sent, or is sending, to the rank. */
static int sent_to(const struct exchange_of_all *all, int peer)
{
    int count = in_flight(&all->machine.rank[0], NUCE_SEND, peer);

    for (int64_t m = 0; m < all->machine.messages; m++)
        count += all->machine.message[m].source == 0 && all->machine.message[m].tag == 0 &&
                 all->machine.message[m].destination == peer;
    return count;
}

/* A sender that two receivers grant serves the one that has more to get, here in ten pieces, and
 * the other one not even while that one's next grant is on its way. */
static void test_grants_busiest(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 100000}, {0, 2, 300000}};
    struct exchange_of_all all;

    exchange_of("grants", 3, messages, 2, 0, &all);
    for (int i = 0; i < 3; i++) {
        nuce_payload_fill(&all.payload[i], 4);
        all.ops->start(all.self[i]);
    }
    while (sent_to(&all, 2) < 10) {
        while (machine_deliver(&all.machine)) {
            all.ops->progress(all.self[1]);
            all.ops->progress(all.self[2]);
        }
        assert_int_equal(sent_to(&all, 1), 0);
        all.ops->progress(all.self[0]);
    }
    assert_int_equal(sent_to(&all, 1), 4);
    assert_int_equal(exchange_go_on(&all), 3);
    for (int i = 0; i < 3; i++)
        assert_ok(nuce_payload_check(&all.payload[i], 4, ANY_ERROR));
    exchange_fini(&all);
}

/* Between two nodes goes one message with all that their ranks have for one another, from agent to
 * agent, or none. */
static void check_bundles(const struct exchange_of_all *all)
{
    const struct nuce_pattern *pattern = &all->pattern;
    int64_t bundle[SIMULATED_MOST][SIMULATED_MOST] = {{0}},
            wanted[SIMULATED_MOST][SIMULATED_MOST] = {{0}};

    for (int64_t m = 0; m < all->machine.messages; m++) {
        const struct simulated_message *message = &all->machine.message[m];
        int from = all->node_of[message->source], to = all->node_of[message->destination];

        assert_true(from == to || bundle[from][to] == 0);
        bundle[from][to] = from == to ? 0 : message->bytes;
    }
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int from = all->node_of[i], to = all->node_of[pattern->destination[k]];

            wanted[from][to] += from == to ? 0 : pattern->bytes[k];
        }
    }
    assert_memory_equal(bundle, wanted, sizeof wanted);
}

static void test_node_aware(void **state)
{
    int tried = 0;

    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t k = 0; k < RANK_COUNTS; k++) {
            struct exchange_of_all all;

            if (shape == 1 && rank_counts[k] < 3)
                continue; /* nodes without a rank */
            if (!exchange_init("node-aware", rank_counts[k], shape, 1, 1, (uint64_t)shape + 10 * k,
                               &all))
                continue;
            exchange_twice(&all, "node-aware");
            check_bundles(&all);
            exchange_fini(&all);
            tried++;
        }
    }
    assert_int_equal(tried, 11); /* of the others none forwards */
}

/* Data under way is waited for first: rank 1 has its place and does not send, rank 2 has not even
 * begun. */
static void test_diagnosis_of_data(void **state)
{
    static const struct nuce_message messages[] = {{1, 0, 5}, {2, 0, 5}};
    struct exchange_of_all all;
    int peer = -1, phase = -1;

    exchange_of("credits", 3, messages, 2, 0, &all);
    all.ops->start(all.self[0]);
    all.ops->diagnose(all.self[0], &peer, &phase);
    assert_int_equal(peer, 1); /* the first rank that is not ready */
    all.ops->start(all.self[1]);
    all.ops->progress(all.self[1]);
    while (machine_deliver(&all.machine))
        assert_false(all.ops->progress(all.self[0]));
    all.ops->diagnose(all.self[0], &peer, &phase);
    assert_int_equal(peer, 1);
    assert_int_equal(phase, 0);
    exchange_fini(&all);
}

/* Messages for others are checked as well, and the first that got it wrong tells its way: rank 0's
 * message to rank 3 goes by rank 1 in radix 2. */
static void test_check(void **state)
{
    static const struct nuce_message message = {0, 3, 9};
    struct exchange_of_all all;
    struct nuce_error error = {0};

    exchange_of("tuna", 4, &message, 1, 2, &all);
    exchange_step(&all, 8, "tuna");
    for (int i = 0; i < 4; i++) {
        assert_ok(all.ops->check(all.self[i], 8, &error));
        /* The receiver would report bytes of another salt. */
        assert_int_equal(all.ops->check(all.self[i], 9, &error),
                         i == 1 || i == 3 ? NUCE_CORRUPT : NUCE_OK);
        if (i == 1)
            assert_string_equal(error.message,
                                "byte 0 of the message from rank 0 to rank 3 is wrong at rank 1, "
                                "which had it from rank 0 in phase 0");
    }
    exchange_fini(&all);
}

/* MPI of this process alone: for datatypes. */
static int start_mpi(void **state)
{
    return MPI_Init(NULL, NULL);
}

static int end_mpi(void **state)
{
    return MPI_Finalize();
}

RUN_IN(start_mpi, end_mpi, test_forward, test_credits, test_grants, test_grants_busiest,
       test_node_aware, test_check, test_diagnosis_of_data)
