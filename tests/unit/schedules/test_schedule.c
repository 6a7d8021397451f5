/* Lists of pieces: their order by a builder, the refusals of the validator, and their cut into the
 * messages that an application sent. */
#include "cases.h"
#include "schedules/split.h"

static void check_transfer(const struct nuce_transfer *got, int peer, int phase, int64_t offset,
                           int64_t bytes)
{
    assert_int_equal(got->peer, peer);
    assert_int_equal(got->phase, phase);
    assert_int_equal(got->offset, offset);
    assert_int_equal(got->bytes, bytes);
}

/* Pieces come out by phase, within a phase in the order in which they were added. */
static void test_order(void **state)
{
    static const int64_t send_start[] = {0, 3, 4, 4}, receive_start[] = {0, 1, 2, 4};
    static const struct nuce_transfer sends[] = {
        {1, 2, 7, 10}, {2, 2, 3, 10}, {2, 5, 0, 10}, {0, 0, 0, 10}};
    static const struct nuce_transfer receives[] = {
        {1, 0, 0, 10}, {0, 2, 7, 10}, {0, 2, 3, 10}, {0, 5, 0, 10}};
    struct nuce_schedule_builder builder;
    OWNED(schedule) schedule;

    nuce_schedule_builder_init(&builder, 3, NUCE_POST_ALL);
    nuce_schedule_add(&builder, 0, 2, 5, 0, 10);
    add_moves(&builder, "| | 0>1@7:10 0>2@3:10");
    add_moves(&builder, "1>0:10");
    nuce_schedule_build_end(&builder, &schedule);
    assert_null(builder.pieces);
    assert_int_equal(schedule.ranks, 3);
    assert_int_equal(schedule.phases, 6);
    assert_int_equal(schedule.pieces, 4);
    assert_int_equal(schedule.discipline, NUCE_POST_ALL);
    assert_memory_equal(schedule.send_start, send_start, sizeof send_start);
    assert_memory_equal(schedule.receive_start, receive_start, sizeof receive_start);
    assert_memory_equal(schedule.sends, sends, sizeof sends);
    assert_memory_equal(schedule.receives, receives, sizeof receives);
    nuce_schedule_fini(&schedule);
    assert_null(schedule.sends);
}

/* Phase numbers of every size, sorted stably whatever the number of digits. */
static void test_large_phases(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_builder builder;
    OWNED(schedule) schedule;

    nuce_schedule_builder_init(&builder, 1, NUCE_POST_ALL);
    for (int k = 0; k < 20000; k++)
        nuce_schedule_add(&builder, 0, 0,
                          (int)(nuce_rng_next(&rng) >> (34 + nuce_rng_below(&rng, 30))), k, 10);
    assert_true(builder.phases > 1 << 22);
    nuce_schedule_build_end(&builder, &schedule);
    for (int k = 1; k < 20000; k++) {
        const struct nuce_transfer *a = &schedule.sends[k - 1], *b = &schedule.sends[k];

        assert_true(a->phase < b->phase || (a->phase == b->phase && a->offset < b->offset));
    }
}

/* The message from 0 to 1 is in two pieces; rank 3 has a message to itself. Sends are 0: 0->1, 1:
 * 0->1, 2: 1->2, 3: 2->0, 4: 3->3; receives 0: 2->0, 1: 0->1, 2: 0->1, 3: 1->2, 4: 3->3. That which
 * forwards: in phase 0 rank 0 sends its 8 bytes for rank 2 to rank 1, which in phase 1 sends them
 * on with 4 of its own. */
static struct nuce_schedule make(enum nuce_discipline discipline, struct nuce_pattern *pattern)
{
    static const struct nuce_parcel there[] = {{0, 2, 8, 0}, {1, 2, 4, 0}};
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    if (discipline != NUCE_FORWARD) {
        *pattern = pattern_of(4, "0>1:100 1>2:50 2>0:30 3>3:5");
        return schedule_of(4, discipline, 1, "0>1:60 1>2:50 2>0:30 | 0>1@60:40 | 3>3:5");
    }
    *pattern = pattern_of(3, "0>2:8 1>2:4");
    nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
    nuce_schedule_add_load(&builder, 0, 1, 0, 8, there, 1);
    nuce_schedule_add_load(&builder, 1, 2, 1, 12, there, 2);
    nuce_schedule_build_end(&builder, &schedule);
    return schedule;
}

static void test_good(void **state)
{
    for (int discipline = NUCE_POST_ALL; discipline <= NUCE_DYNAMIC; discipline++) {
        OWNED(pattern) pattern;
        OWNED(schedule) schedule = make((enum nuce_discipline)discipline, &pattern);

        assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
    }
}

static void refuse_broken(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern,
                          const char *message)
{
    struct nuce_error error = {0};

    assert_int_equal(nuce_schedule_validate(schedule, pattern, &error), NUCE_CORRUPT);
    assert_int_equal(error.status, NUCE_CORRUPT);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error.message);
}

/* Refused with that message, s being a good schedule whose members these statements change. */
#define BROKEN(discipline, message, ...)                                                           \
    do {                                                                                           \
        OWNED(pattern) pattern;                                                                    \
        OWNED(schedule) s = make(discipline, &pattern);                                            \
                                                                                                   \
        __VA_ARGS__;                                                                               \
        refuse_broken(&s, &pattern, message);                                                      \
    } while (0)

static void test_broken_lists(void **state)
{
    BROKEN(NUCE_POST_ALL, "a schedule of 3 ranks for a pattern of 4", s.ranks = 3);
    BROKEN(NUCE_STREAMS, "streams with 0 in flight", s.depth = 0);
    BROKEN(NUCE_POST_ALL, "the lists of sends hold 0 .. 4, not 0 .. 5", s.send_start[4] = 4);
    BROKEN(NUCE_POST_ALL, "the lists of receives hold 1 .. 5, not 0 .. 5", s.receive_start[0] = 1);
    BROKEN(NUCE_POST_ALL, "the list of sends of rank 1 ends before", s.send_start[1] = 4);
    BROKEN(NUCE_POST_ALL, "rank 1 sends to rank 4, which is not one of 4", s.sends[2].peer = 4);
    BROKEN(NUCE_POST_ALL, "rank 2 receives from rank -1, which is not one of 4",
           s.receives[3].peer = -1);
    BROKEN(NUCE_POST_ALL, "rank 1 sends to rank 2 0 bytes from 0 on",
           s.sends[2].bytes = s.receives[3].bytes = 0);
    BROKEN(NUCE_POST_ALL, "rank 1 sends to rank 2 50 bytes from -1 on",
           s.sends[2].offset = s.receives[3].offset = -1);
    BROKEN(NUCE_POST_ALL, "rank 3 sends to rank 3 in phase 2, outside 0 .. 1", s.phases = 2);
    BROKEN(NUCE_POST_ALL, "rank 0 sends to rank 1 in phase -1, outside 0 .. 2",
           s.sends[0].phase = s.receives[1].phase = -1);
    BROKEN(NUCE_POST_ALL, "rank 0 sends to rank 1 in phase 1, after phase 2", s.sends[0].phase = 2);
    BROKEN(NUCE_POST_ALL, "rank 1 receives from rank 0 in phase 1, after phase 2",
           s.receives[1].phase = 2);
    BROKEN(NUCE_LOCKSTEP, "lockstep: rank 0 sends to both rank 1 and rank 1 in phase 1",
           s.sends[0].phase = 1);
    BROKEN(NUCE_LOCKSTEP, "lockstep: rank 1 receives from both rank 0 and rank 0",
           s.receives[2].phase = 0);
    BROKEN(NUCE_POST_ALL, "rank 1 to rank 2, phase 0, 50 bytes from 0 on: there is no receive",
           s.receives[3].peer = 3);
    BROKEN(NUCE_POST_ALL, "rank 1 to rank 2, phase 0, 50 bytes from 0 on: there is no send",
           s.sends[2].peer = 3);
    BROKEN(NUCE_POST_ALL, "there is no receive of this send", s.receives[3].phase = 1);
    BROKEN(NUCE_POST_ALL, "49 bytes from 0 on: there is no send of this receive",
           s.receives[3].bytes = 49);
    BROKEN(NUCE_POST_ALL, "there is no receive of this send", s.receives[3].offset = 1);
}

static void test_broken_messages(void **state)
{
    BROKEN(NUCE_POST_ALL, "rank 0 to rank 1: 40 bytes from 59 on are sent twice",
           s.sends[1].offset = s.receives[2].offset = 59);
    BROKEN(NUCE_POST_ALL, "41 bytes from 60 on are sent twice or are not in the me",
           s.sends[1].bytes = s.receives[2].bytes = 41);
    BROKEN(NUCE_POST_ALL, "rank 0 to rank 1: byte 60 of 100 is never sent",
           s.sends[1].offset = s.receives[2].offset = 61;
           s.sends[1].bytes = s.receives[2].bytes = 39);
    BROKEN(NUCE_POST_ALL, "rank 1 to rank 2: byte 0 of 50 is never sent",
           s.sends[2].offset = s.receives[3].offset = 1;
           s.sends[2].bytes = s.receives[3].bytes = 49);
    BROKEN(NUCE_POST_ALL, "rank 1 to rank 2: byte 49 of 50 is never sent",
           s.sends[2].bytes = s.receives[3].bytes = 49);
    BROKEN(NUCE_POST_ALL, "rank 2 to rank 3, phase 2, 5 bytes from 0 on: there is no such message",
           s.send_start[3] = 5;
           s.receives[4].peer = 2);
    BROKEN(NUCE_POST_ALL, "rank 3 to rank 3, phase 2, 5 bytes from 0 on: there is no such message",
           pattern.messages = pattern.row[4] = 3);
    BROKEN(NUCE_POST_ALL, "rank 3 to rank 3: byte 0 of 5 is never sent",
           s.pieces = s.send_start[4] = s.receive_start[4] = 4);
}

static void test_broken_forwards(void **state)
{
    BROKEN(NUCE_FORWARD,
           "in phase 1 8 bytes of the message from rank 0 to rank 2, which came to it as 7",
           s.parcels[0].bytes = 7);
    BROKEN(NUCE_FORWARD, "in phase 0 9 bytes from rank 0 for rank 2: there is no such message",
           s.parcels[0].bytes = 9);
    BROKEN(NUCE_FORWARD, "a part of the message begins with byte 1: expected 0",
           s.parcels[0].offset = s.parcels[1].offset = 1;
           s.parcels[0].bytes = s.parcels[1].bytes = 7);
    BROKEN(NUCE_FORWARD, "rank 0 to rank 2: the parts of the message end with byte 7: expected 8",
           s.parcels[0].bytes = s.parcels[1].bytes = 7);
    BROKEN(NUCE_FORWARD, "8 bytes from rank 0 for rank 1: there is no such message",
           s.parcels[0].destination = 1);
    BROKEN(NUCE_FORWARD, "8 bytes from rank -1 for rank 2: there is no such message",
           s.parcels[0].source = -1);
    BROKEN(NUCE_FORWARD, "from rank 0 to rank 2, which is with rank 1 since phase 0",
           s.sends[1].phase = s.receives[1].phase = 0);
    BROKEN(NUCE_FORWARD, "rank 1 sends rank 2 in phase 1 11 bytes: its parcels are more",
           s.sends[1].bytes = s.receives[1].bytes = 11);
    BROKEN(NUCE_FORWARD, "rank 1 to rank 2: the message ends at rank 1, which never sends it",
           s.loads[1].count = 1);
    BROKEN(NUCE_FORWARD, "rank 0 to rank 2: the message ends at rank 1",
           s.loads[1] = (struct nuce_load){2, 1});
    BROKEN(NUCE_FORWARD, "from rank 0 to rank 2, which is with rank 0 since phase -1",
           s.loads[0].first = 2);
}

/* In lockstep two pieces of a rank may not share a phase, though both are messages of their own. */
static void test_lockstep_peers(void **state)
{
    OWNED(pattern) pattern = pattern_of(3, "0>1:1 0>2:1");
    OWNED(schedule) schedule = schedule_of(3, NUCE_LOCKSTEP, 1, "0>1:1 0>2:1");

    refuse_broken(&schedule, &pattern,
                  "lockstep: rank 0 sends to both rank 1 and rank 2 in phase 0");
    schedule.discipline = NUCE_POST_ALL;
    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
}

static void swap_receives(struct nuce_schedule *schedule, int rank)
{
    struct nuce_transfer *first = &schedule->receives[schedule->receive_start[rank]];
    struct nuce_transfer kept = first[0];

    first[0] = first[1];
    first[1] = kept;
}

/* Ranks 0 and 3 send to 1 and 2 in opposite orders. With the receivers waiting for the second
 * message first, nothing moves at depth 1; at depth 2 all is in flight. */
static void test_streams(void **state)
{
    OWNED(pattern) pattern = pattern_of(4, "0>1:1 0>2:2 3>2:3 3>1:4");
    OWNED(schedule) schedule = schedule_of(4, NUCE_STREAMS, 1, "0>1:1 3>2:3 0>2:2 3>1:4");

    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
    swap_receives(&schedule, 1);
    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
    swap_receives(&schedule, 2);
    refuse_broken(
        &schedule, &pattern,
        "streams with 1 in flight: 4 of 4 pieces are never done; rank 0 waits with 1 sends and "
        "0 receives in flight");
    schedule.depth = 2;
    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
    schedule.depth = 1;
    schedule.discipline = NUCE_POST_ALL;
    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
}

/* Ranks 0 and 1 may send both others in one phase, but neither twice. A message of 8 bytes goes in
 * two parts, one of them by way of rank 1. */
static void test_parts(void **state)
{
    const struct nuce_parcel first = {0, 2, 3, 0}, second = {0, 2, 5, 3};
    const struct nuce_parcel later[] = {{1, 2, 4, 0}, {0, 2, 3, 0}};
    struct nuce_schedule_builder builder;
    OWNED(pattern) pattern = pattern_of(3, "0>2:8 1>2:4");
    OWNED(schedule) schedule;

    nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
    nuce_schedule_add_load(&builder, 0, 1, 0, 3, &first, 1);
    nuce_schedule_add_load(&builder, 0, 2, 0, 5, &second, 1);
    nuce_schedule_add_load(&builder, 1, 2, 1, 7, later, 2);
    nuce_schedule_build_end(&builder, &schedule);
    assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
    schedule.sends[1].peer = 1; /* in phase 0, as the first */
    schedule.sends[1].phase = 0;
    refuse_broken(&schedule, &pattern, "forward: rank 0 sends to rank 1 twice in phase 0");
}

#define MOST_MESSAGES (CASE_RANKS * CASE_RANKS * 4)

static void split(struct nuce_schedule *schedule, const struct nuce_message *messages,
                  int64_t count)
{
    OWNED(splits) splits;

    nuce_splits_init(messages, count, &splits);
    nuce_schedule_split(schedule, &splits);
}

/* The schedule under ops of the sums of messages, those of a pair side by side. */
static void make_of_sums(const struct nuce_schedule_ops *ops, int ranks,
                         const struct nuce_message *messages, int64_t count,
                         struct nuce_schedule *out)
{
    struct nuce_message sums[MOST_MESSAGES];
    OWNED(pattern) pattern;
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    int64_t pairs = 0;

    for (int64_t i = 0; i < count; i++) {
        if (pairs > 0 && sums[pairs - 1].source == messages[i].source &&
            sums[pairs - 1].destination == messages[i].destination)
            sums[pairs - 1].bytes += messages[i].bytes;
        else
            sums[pairs++] = messages[i];
    }
    pattern = make_pattern(ranks, sums, pairs);
    assert_ok(nuce_schedule_create(ops, &input, out, ANY_ERROR));
}

/* Rank 0 sends 1 three messages, one of them empty, and 2 one; 3 sends 0 and 1 an empty one each,
 * and itself some bytes in two. Two phases of others, then those without bytes. */
static void test_split_by_hand(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 10}, {0, 1, 0}, {0, 1, 6}, {0, 2, 5},
                                                   {3, 0, 0},  {3, 1, 0}, {3, 3, 4}, {3, 3, 4}};
    OWNED(schedule) s;
    int phases;

    make_of_sums(nuce_schedule_find("rs-n"), 4, messages, 8, &s);
    phases = s.phases;
    assert_int_equal(phases, 2);
    split(&s, messages, 8);
    assert_int_equal(s.pieces, 7);
    assert_int_equal(s.phases, 4);
    assert_int_equal(s.send_start[1], 4);
    for (int64_t k = 0, part = 0; k < 4; k++) {
        static const struct nuce_transfer wanted[] = {{1, 0, 0, 10}, {1, 0, 10, 0}, {1, 0, 10, 6}};
        const struct nuce_transfer *of = s.sends[k].peer == 1 ? &wanted[part++] : NULL;

        if (of != NULL)
            check_transfer(&s.sends[k], 1, s.sends[k].phase, of->offset, of->bytes);
        else
            check_transfer(&s.sends[k], 2, s.sends[k].phase, 0, 5);
    }
    check_transfer(&s.sends[4], 3, 0, 0, 8); /* whole: no wire */
    check_transfer(&s.sends[5], 0, 2, 0, 0);
    check_transfer(&s.sends[6], 1, 3, 0, 0);
    check_transfer(&s.receives[s.receive_start[0]], 3, 2, 0, 0);
    check_transfer(&s.receives[s.receive_start[2] - 1], 3, 3, 0, 0);
}

/* Nothing is several, and one message is empty where all is posted at once. */
static void test_split_all_at_once(void **state)
{
    static const struct nuce_message plain[] = {{0, 1, 10}, {1, 0, 3}};
    static const struct nuce_message empty[] = {{0, 1, 0}};
    OWNED(schedule) s;
    const struct nuce_transfer *sends;

    make_of_sums(nuce_schedule_find("ac"), 2, plain, 2, &s);
    sends = s.sends;
    split(&s, plain, 2);
    assert_ptr_equal(s.sends, sends);
    nuce_schedule_fini(&s);
    make_of_sums(nuce_schedule_find("ac"), 2, empty, 1, &s);
    assert_int_equal(s.pieces, 0);
    split(&s, empty, 1);
    assert_int_equal(s.pieces, 1);
    assert_int_equal(s.phases, 1);
    check_transfer(s.sends, 1, 0, 0, 0);
}

/* Up to CASE_RANKS ranks; every third pair has up to four messages, sometimes all without bytes. */
static int64_t draw_messages(uint64_t instance, int *ranks, struct nuce_message *messages)
{
    struct nuce_rng rng = nuce_rng_create(9, instance);
    int64_t count = 0;

    *ranks = 2 + (int)nuce_rng_below(&rng, CASE_RANKS - 1);
    for (int pair = 0; pair < *ranks * *ranks; pair++) {
        int several = nuce_rng_below(&rng, 3) == 0 ? (int)nuce_rng_below(&rng, 5) : 0;
        int has_bytes = nuce_rng_below(&rng, 4) > 0;

        for (int i = 0; i < several; i++)
            messages[count++] =
                (struct nuce_message){pair / *ranks, pair % *ranks,
                                      has_bytes ? (int64_t)nuce_rng_below(&rng, 3) * 50 : 0};
    }
    return count;
}

/* The pieces that rank sends a peer are, one behind the other, the pair's messages from message *i
 * on, which a schedule may cut further; each end of a piece says the same. */
static void check_pair(const struct nuce_schedule *s, int rank, int peer,
                       const struct nuce_message *messages, int64_t count)
{
    int64_t i = 0, left = 0, covered = 0;

    for (int64_t k = s->send_start[rank]; k < s->send_start[rank + 1]; k++) {
        const struct nuce_transfer *send = &s->sends[k];
        const struct nuce_transfer *receive = &s->receives[s->receive_of[k]];

        if (send->peer != peer)
            continue;
        check_transfer(receive, rank, send->phase, send->offset, send->bytes);
        assert_true(s->receive_of[k] >= s->receive_start[peer] &&
                    s->receive_of[k] < s->receive_start[peer + 1]);
        if (rank == peer)
            continue;
        if (left == 0) {
            assert_true(i < count);
            left = messages[i++].bytes;
            assert_true(left > 0 || send->bytes == 0);
        }
        assert_true(send->offset == covered && send->bytes <= left);
        covered += send->bytes;
        left -= send->bytes;
    }
    assert_true(rank == peer || (i == count && left == 0));
}

/* A rank's phases ascend, and in lockstep each is of one partner. */
static void check_phases(const struct nuce_schedule *s, const int64_t *start,
                         const struct nuce_transfer *list)
{
    for (int rank = 0; rank < s->ranks; rank++) {
        const struct nuce_transfer *before = NULL;

        for (int64_t k = start[rank]; k < start[rank + 1]; k++) {
            assert_true(list[k].phase >= 0 && list[k].phase < s->phases);
            if (before != NULL)
                assert_true(list[k].phase >= before->phase);
            if (list[k].peer == rank)
                continue;
            if (before != NULL && s->discipline == NUCE_LOCKSTEP)
                assert_true(list[k].phase > before->phase || list[k].peer == before->peer);
            before = &list[k];
        }
    }
}

/* Every schedule of it comes to an end in the model that fits it. */
static void check_time(const struct nuce_schedule *s)
{
    OWNED(network) network;
    double makespan = -1;

    assert_ok(nuce_network_preset("cm5", s->ranks, &network, ANY_ERROR));
    makespan = nuce_execution_makespan(s, &network, nuce_execution_of(s, &network));
    assert_true(makespan >= 0 && makespan < 10);
}

static void test_split_every_schedule(void **state)
{
    struct nuce_message messages[MOST_MESSAGES];
    int ranks, cut = 0;

    for (uint64_t instance = 0; instance < 40; instance++) {
        int64_t count = draw_messages(instance, &ranks, messages);

        for (int k = 0; nuce_schedules[k] != NULL; k++) {
            struct nuce_schedule s;

            if (nuce_schedules[k]->needs != NUCE_NEEDS_PATTERN)
                continue;
            make_of_sums(nuce_schedules[k], ranks, messages, count, &s);
            if (nuce_splits_apply(&s)) {
                split(&s, messages, count);
                check_phases(&s, s.send_start, s.sends);
                check_phases(&s, s.receive_start, s.receives);
                for (int64_t first = 0, end; first < count; first = end, cut++) {
                    for (end = first + 1; end < count &&
                                          messages[end].source == messages[first].source &&
                                          messages[end].destination == messages[first].destination;)
                        end++;
                    check_pair(&s, messages[first].source, messages[first].destination,
                               &messages[first], end - first);
                }
                check_time(&s);
            }
            nuce_schedule_fini(&s);
        }
    }
    assert_true(cut > 10000);
}

RUN(test_order, test_large_phases, test_good, test_broken_lists, test_broken_messages,
    test_broken_forwards, test_lockstep_peers, test_streams, test_parts, test_split_by_hand,
    test_split_all_at_once, test_split_every_schedule)
