/* Requests that live long, and calls that are made in other ways: what a capture has of them is
 * what it has of the same messages in plain nonblocking calls, ids and all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ranks.h"

#define TIMES 5

/* What plain rings of those bytes are, so many times. */
static void play_rings(int64_t bytes, int times, struct nuce_capture *out)
{
    struct ranks ranks;

    ranks_begin(&ranks);
    for (int i = 0; i < times; i++)
        ring(&ranks, 0, bytes);
    ranks_merge(&ranks, out);
}

/* That both have the same patterns as often, of the same quality. */
static void same_patterns(struct nuce_capture *found, struct nuce_capture *wanted)
{
    assert_int_equal(found->patterns, wanted->patterns);
    assert_int_equal(found->unmatched, wanted->unmatched);
    for (int i = 0; i < wanted->patterns; i++) {
        assert_string_equal(found->pattern[i].id, wanted->pattern[i].id);
        assert_int_equal(found->pattern[i].calls, wanted->pattern[i].calls);
        assert_int_equal(found->pattern[i].quality, wanted->pattern[i].quality);
    }
    nuce_capture_fini(found);
    nuce_capture_fini(wanted);
}

static uint64_t makes(struct ranks *ranks, int rank, int direction, int peer, int64_t bytes)
{
    struct nuce_recorder_message message = message_of(direction, peer, 0, bytes);

    nuce_recorder_make(ranks->recorder[rank], ++ranks->request, &message);
    return ranks->request;
}

static void starts(struct ranks *ranks, int rank, uint64_t request)
{
    nuce_recorder_start(ranks->recorder[rank], request, ranks->now += 1000);
}

/* A ring of persistent requests, started again and again. What is not under way does not end, what
 * is under way is not started twice, and what nobody made is passed over. */
static void test_persistent(void **state)
{
    struct nuce_capture found, wanted;
    struct ranks ranks;
    uint64_t receive[RANKS], send[RANKS];

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++) {
        receive[i] = makes(&ranks, i, NUCE_RAW_RECEIVE, (i + RANKS - 1) % RANKS, 0);
        send[i] = makes(&ranks, i, NUCE_RAW_SEND, (i + 1) % RANKS, 100 + i);
    }
    ends(&ranks, 0, send[0], 0, 0);
    starts(&ranks, 0, 999);
    for (int round = 0; round < TIMES; round++) {
        for (int i = 0; i < RANKS; i++) {
            starts(&ranks, i, receive[i]);
            starts(&ranks, i, send[i]);
            starts(&ranks, i, send[i]);
        }
        for (int i = 0; i < RANKS; i++) {
            ends(&ranks, i, receive[i], 0, 0);
            ends(&ranks, i, send[i], 0, 0);
            ends(&ranks, i, send[i], 0, 0);
        }
    }
    for (int i = 0; i < RANKS; i++) {
        nuce_recorder_free(ranks.recorder[i], receive[i], ranks.now);
        nuce_recorder_free(ranks.recorder[i], send[i], ranks.now);
        starts(&ranks, i, send[i]); /* it is no more */
    }
    ranks_merge(&ranks, &found);
    play_rings(100, TIMES, &wanted);
    same_patterns(&found, &wanted);
}

/* A receive from any source wishes for its status while it is under way, and each time it is what
 * it got. */
static void test_persistent_any(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t receive;

    (void)state;
    ranks_begin(&ranks);
    receive = makes(&ranks, 0, NUCE_RAW_RECEIVE, NUCE_RECORDER_ANY, 0);
    assert_int_equal(nuce_recorder_wishes_any(ranks.recorder[0]), 0);
    assert_int_equal(nuce_recorder_wishes(ranks.recorder[0], receive), NUCE_RECORDER_NOTHING);
    for (int from = 1; from < RANKS; from++) {
        uint64_t send;

        starts(&ranks, 0, receive);
        assert_int_equal(nuce_recorder_wishes_any(ranks.recorder[0]), 1);
        assert_int_equal(nuce_recorder_wishes(ranks.recorder[0], receive), NUCE_RECORDER_SOURCE);
        send = sends(&ranks, from, 0, 0, 10 * from);
        ends(&ranks, 0, receive, from, 0);
        ends(&ranks, from, send, 0, 0);
        assert_int_equal(nuce_recorder_wishes_any(ranks.recorder[0]), 0);
        barrier(&ranks);
    }
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.patterns, RANKS); /* one from each, and the barrier */
    for (int i = 0, from = 1; i < capture.patterns; i++) {
        const struct nuce_capture_topology *topology =
            &capture.topology[capture.pattern[i].topology];

        if (capture.pattern[i].kind == NUCE_RAW_KIND_barrier)
            continue;
        assert_int_equal(topology->messages, 1);
        assert_int_equal(topology->source[0], from);
        assert_int_equal(topology->destination[0], 0);
        assert_int_equal(capture.pattern[i].bytes[0], 10 * from);
        assert_int_equal(capture.pattern[i].quality, NUCE_CAPTURE_EXACT);
        from++;
    }
    nuce_capture_fini(&capture);
}

/* Collective calls that are posted, and that are made once and started often, are those that block;
 * they take from their start to their end. */
static void test_collectives(void **state)
{
    const struct nuce_recorder_collective collective = {.kind = NUCE_RAW_KIND_barrier};
    const struct nuce_recorder_collective other = {.kind = NUCE_RAW_KIND_allreduce, .bytes = 24};
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t made[RANKS], posted[RANKS];

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++) {
        made[i] = ++ranks.request;
        nuce_recorder_make_collective(ranks.recorder[i], made[i], &collective);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], made[i]), 0);
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < RANKS; i++)
            starts(&ranks, i, made[i]);
        for (int i = 0; i < RANKS; i++)
            ends(&ranks, i, made[i], 0, 0);
    }
    for (int i = 0; i < RANKS; i++) {
        posted[i] = ++ranks.request;
        nuce_recorder_post_collective(ranks.recorder[i], posted[i], &other, ranks.now += 1000);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], posted[i]), 1);
    }
    for (int i = 0; i < RANKS; i++) {
        ends(&ranks, i, posted[i], 0, 0);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], posted[i]), 0);
    }
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 2);
    for (int i = 0; i < 2; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[i];
        int is_barrier = pattern->kind == NUCE_RAW_KIND_barrier;

        /* Each rank waits for as many calls of the clock as there are ranks; the blocking one takes
         * 500 ns. */
        assert_int_equal(pattern->calls, is_barrier ? 3 : 1);
        assert_int_equal(pattern->duration.most, 1000 * RANKS);
        assert_int_equal(pattern->duration.least, is_barrier ? 500 : 1000 * RANKS);
        if (is_barrier)
            continue;
        assert_int_equal(pattern->kind, NUCE_RAW_KIND_allreduce);
        assert_int_equal(pattern->moved, 24 * RANKS);
    }
    nuce_capture_fini(&capture);
}

/* Blocking sends with receives that are posted before. */
static void test_blocking(void **state)
{
    struct nuce_capture found, wanted;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    for (int round = 0; round < TIMES; round++) {
        uint64_t receive[RANKS];

        for (int i = 0; i < RANKS; i++)
            receive[i] = receives(&ranks, i, (i + RANKS - 1) % RANKS, 0);
        for (int i = 0; i < RANKS; i++) {
            struct nuce_recorder_message message =
                message_of(NUCE_RAW_SEND, (i + 1) % RANKS, 0, 100 + i);
            struct nuce_recorder_place place =
                nuce_recorder_begin(ranks.recorder[i], &message, ranks.now += 1000);

            nuce_recorder_end(ranks.recorder[i], &place, 0, 0, ranks.now += 1000);
        }
        for (int i = 0; i < RANKS; i++)
            ends(&ranks, i, receive[i], 0, 0);
    }
    ranks_merge(&ranks, &found);
    play_rings(100, TIMES, &wanted);
    same_patterns(&found, &wanted);
}

/* A blocking call that came to nothing leaves no message. */
static void test_undone(void **state)
{
    struct nuce_capture found, wanted;
    struct nuce_recorder_message message = message_of(NUCE_RAW_SEND, 1, 0, 77);
    struct nuce_recorder_place place;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    place = nuce_recorder_begin(ranks.recorder[0], &message, ranks.now += 1000);
    nuce_recorder_undo(ranks.recorder[0], &place, ranks.now += 1000);
    ring(&ranks, 0, 100);
    ranks_merge(&ranks, &found);
    play_rings(100, 1, &wanted);
    same_patterns(&found, &wanted);
}

/* A send that is freed under way ends all the same; a receive from a source that is known too. What
 * came after what is lost, the messages are not. */
static void test_freed(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    int64_t bytes = 0, messages = 0;
    uint64_t receive, send;

    (void)state;
    ranks_begin(&ranks);
    receive = receives(&ranks, 1, 0, 0);
    send = sends(&ranks, 0, 1, 0, 64);
    nuce_recorder_free(ranks.recorder[0], send, ranks.now += 1000);
    nuce_recorder_free(ranks.recorder[1], receive, ranks.now += 1000);
    receive = receives(&ranks, 1, NUCE_RECORDER_ANY, 3);
    nuce_recorder_free(ranks.recorder[1], receive, ranks.now += 1000);
    assert_int_equal(nuce_recorder_wishes_any(ranks.recorder[1]), 0);
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    for (int i = 0; i < capture.patterns; i++) {
        for (int64_t k = 0; k < capture.topology[capture.pattern[i].topology].messages; k++) {
            bytes += capture.pattern[i].bytes[k] * capture.pattern[i].calls;
            messages += capture.pattern[i].calls;
        }
    }
    assert_int_equal(messages, 1);
    assert_int_equal(bytes, 64);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.counters[NUCE_RAW_UNFINISHED], 1); /* nobody knows of whom */
    nuce_capture_fini(&capture);
}

/* Messages of a duplicate of the world are its own, also where it has been freed and another one
 * made: they are known by their members and by which one of these they are. */
static void test_dropped(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    int members[RANKS], with_calls = 0;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++)
        members[i] = i;
    for (int duplicate = 1; duplicate <= 2; duplicate++) {
        uint64_t receive, send;

        for (int i = 0; i < RANKS; i++)
            assert_int_equal(nuce_recorder_add(ranks.recorder[i], members, RANKS, i), duplicate);
        for (int i = 0; i < 2; i++) {
            struct nuce_recorder_message message =
                message_of(i == 0 ? NUCE_RAW_RECEIVE : NUCE_RAW_SEND, 1 - i, 0, 10 * duplicate);

            message.communicator = duplicate;
            nuce_recorder_post(ranks.recorder[i], ++ranks.request, &message, ranks.now += 1000);
        }
        receive = ranks.request - 1;
        send = ranks.request;
        if (duplicate == 1) { /* freed while a message is under way, which ends all the same */
            nuce_recorder_drop(ranks.recorder[0], duplicate);
            nuce_recorder_drop(ranks.recorder[1], duplicate);
        }
        ends(&ranks, 0, receive, 1, 0);
        ends(&ranks, 1, send, 0, 0);
        if (duplicate == 2)
            nuce_recorder_drop(ranks.recorder[0], duplicate);
    }
    ring(&ranks, 0, 100);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 3);
    assert_int_equal(capture.unmatched, 0);
    for (int c = 0; c < capture.communicators; c++) {
        if (capture.sequence[c].count == 0)
            continue;
        assert_int_equal(capture.communicator[c].ordinal, with_calls);
        assert_int_equal(capture.communicator[c].size, RANKS);
        assert_int_equal(capture.sequence[c].count, 1);
        with_calls++;
    }
    assert_int_equal(with_calls, 3);
    nuce_capture_fini(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_persistent),  cmocka_unit_test(test_persistent_any),
        cmocka_unit_test(test_collectives), cmocka_unit_test(test_blocking),
        cmocka_unit_test(test_undone),      cmocka_unit_test(test_freed),
        cmocka_unit_test(test_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
