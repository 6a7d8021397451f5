/* Pieces of a schedule that are cut into the messages that an application sent: by hand, and under
 * every schedule on random messages. */
#include "cases.h"

#include "schedules/split.h"

#define RANKS 4
#define MOST_MESSAGES (CASE_RANKS * CASE_RANKS * 4)

static void split(struct nuce_schedule *schedule, const struct nuce_message *messages,
                  int64_t count)
{
    struct nuce_splits splits;

    nuce_splits_init(messages, count, &splits);
    nuce_schedule_split(schedule, &splits);
    nuce_splits_fini(&splits);
}

/* The schedule under ops of the sums of messages, those of a pair side by side. */
static void make_of_sums(const struct nuce_schedule_ops *ops, int ranks,
                         const struct nuce_message *messages, int64_t count,
                         struct nuce_schedule *out)
{
    struct nuce_message sums[MOST_MESSAGES];
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    struct nuce_error error = {0};
    int64_t pairs = 0;

    for (int64_t i = 0; i < count; i++) {
        if (pairs > 0 && sums[pairs - 1].source == messages[i].source &&
            sums[pairs - 1].destination == messages[i].destination)
            sums[pairs - 1].bytes += messages[i].bytes;
        else
            sums[pairs++] = messages[i];
    }
    make_pattern(ranks, sums, pairs, &pattern);
    assert_int_equal(nuce_schedule_create(ops, &input, out, &error), NUCE_OK);
    nuce_pattern_fini(&pattern);
}

static void check_transfer(const struct nuce_transfer *got, int peer, int phase, int64_t offset,
                           int64_t bytes)
{
    assert_int_equal(got->peer, peer);
    assert_int_equal(got->phase, phase);
    assert_int_equal(got->offset, offset);
    assert_int_equal(got->bytes, bytes);
}

/* Rank 0 sends 1 three messages, one of them empty, and 2 one; 3 sends 0 and 1 an empty one each,
 * and itself some bytes in two. Two phases of others, then those without bytes. */
static void test_by_hand(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 10}, {0, 1, 0}, {0, 1, 6}, {0, 2, 5},
                                                   {3, 0, 0},  {3, 1, 0}, {3, 3, 4}, {3, 3, 4}};
    struct nuce_schedule s;
    int phases;

    (void)state;
    make_of_sums(nuce_schedule_find("rs-n"), RANKS, messages, 8, &s);
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
    nuce_schedule_fini(&s);
}

/* Nothing is several, and one message is empty where all is posted at once. */
static void test_all_at_once(void **state)
{
    static const struct nuce_message plain[] = {{0, 1, 10}, {1, 0, 3}};
    static const struct nuce_message empty[] = {{0, 1, 0}};
    struct nuce_schedule s;
    const struct nuce_transfer *sends;

    (void)state;
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
    nuce_schedule_fini(&s);
}

/* Up to CASE_RANKS ranks; of every third pair up to four messages, at times all without bytes. */
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

/* What rank sends a peer is, one behind the other, the pair's messages from message *i on, which a
 * schedule may cut further; each end of a piece says the same. */
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

/* What every schedule makes of it comes to an end in the model that fits it. */
static void check_time(const struct nuce_schedule *s)
{
    struct nuce_network network;
    struct nuce_error error = {0};
    double makespan = -1;

    assert_int_equal(nuce_network_preset("cm5", s->ranks, &network, &error), NUCE_OK);
    assert_int_equal(
        nuce_execution_makespan(s, &network, nuce_execution_of(s, &network), &makespan, &error),
        NUCE_OK);
    assert_true(makespan >= 0 && makespan < 10);
    nuce_network_fini(&network);
}

static void test_every_schedule(void **state)
{
    struct nuce_message messages[MOST_MESSAGES];
    int ranks, cut = 0;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_every_schedule),
    };

    return cmocka_run_group_tests_name("schedules.split", tests, NULL, NULL);
}
