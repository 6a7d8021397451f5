#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "ranks.h"

static const struct nuce_capture_topology *topology_of(const struct nuce_capture *capture, int i)
{
    return &capture->topology[capture->pattern[i].topology];
}

/* Two kinds of rounds that take turns. */
static void test_rounds(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 300; i++)
        ring(&ranks, i, i % 2 ? 100 : 200);
    ranks_merge(&ranks, &capture);
    /* Tags are no part of a pattern. */
    assert_int_equal(capture.patterns, 2);
    assert_int_equal(capture.topologies, 1);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.sequence[0].count, 300);
    assert_int_equal(capture.sequence[0].runs, 1);
    assert_int_equal(capture.sequence[0].run[0].length, 2);
    assert_int_equal(capture.sequence[0].run[0].times, 150);
    for (int i = 0; i < 2; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[i];

        assert_int_equal(pattern->quality, NUCE_CAPTURE_EXACT);
        assert_int_equal(pattern->calls, 150);
        assert_int_equal(topology_of(&capture, i)->messages, RANKS);
        for (int k = 0; k < RANKS; k++) {
            assert_int_equal(topology_of(&capture, i)->source[k], k);
            assert_int_equal(topology_of(&capture, i)->destination[k], (k + 1) % RANKS);
            assert_int_equal(pattern->bytes[k], (i == 0 ? 200 : 100) + k);
        }
        assert_int_equal(capture.sequence[0].pattern[i], i);
        assert_int_equal(pattern->skew.count, 150);
        assert_true(pattern->skew.least == 6000);
        assert_true(pattern->arrival_ns[0] == 0 && pattern->arrival_ns[3] == 6000);
    }
    nuce_capture_fini(&capture);
}

/* Pairs that have nothing to do with each other, in the same place since the last collective, are
 * one call; behind the collective it is another one. */
static void test_apart(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    for (int round = 0; round < 3; round++) {
        for (int pair = 0; pair < RANKS; pair += 2) {
            uint64_t receive = receives(&ranks, pair + 1, pair, 0);
            uint64_t send = sends(&ranks, pair, pair + 1, 0, 8);

            ends(&ranks, pair + 1, receive, 0, 0);
            ends(&ranks, pair, send, 0, 0);
        }
        barrier(&ranks);
    }
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 2);
    assert_int_equal(capture.pattern[0].calls, 3);
    assert_int_equal(topology_of(&capture, 0)->messages, 2);
    assert_int_equal(capture.pattern[1].kind, NUCE_RAW_KIND_barrier);
    assert_int_equal(capture.pattern[1].calls, 3);
    nuce_capture_fini(&capture);
}

/* A fast rank is rounds ahead: the n-th message meets the n-th receive. */
static void test_ahead(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 5; i++)
        ends(&ranks, 0, sends(&ranks, 0, 1, 0, 10 + i), 0, 0);
    for (int i = 0; i < 5; i++)
        ends(&ranks, 1, receives(&ranks, 1, NUCE_RECORDER_ANY, NUCE_RECORDER_ANY), 0, 0);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(capture.pattern[i].quality, NUCE_CAPTURE_EXACT);
        assert_int_equal(capture.pattern[i].bytes[0], 10 + i);
    }
    nuce_capture_fini(&capture);
}

/* One round of rank 1 takes what are two of rank 0. Where it sends too, the order of what it sends
 * and these is lost, and it is said; else each is of its sender's round. */
static void test_merged(void **state)
{
    for (int with_send = 0; with_send < 2; with_send++) {
        struct nuce_capture capture;
        struct ranks ranks;
        uint64_t receive[2], send = 0, other = 0;

        (void)state;
        ranks_begin(&ranks);
        receive[0] = receives(&ranks, 1, 0, 0);
        receive[1] = receives(&ranks, 1, 0, 0);
        if (with_send) {
            other = receives(&ranks, 2, 1, 0);
            send = sends(&ranks, 1, 2, 0, 8);
        }
        for (int i = 0; i < 2; i++) {
            ends(&ranks, 0, sends(&ranks, 0, 1, 0, 8), 0, 0);
            ends(&ranks, 1, receive[i], 0, 0);
        }
        if (with_send) {
            ends(&ranks, 1, send, 0, 0);
            ends(&ranks, 2, other, 0, 0);
        }
        ranks_merge(&ranks, &capture);
        assert_int_equal(capture.patterns, 1);
        assert_int_equal(capture.pattern[0].quality,
                         with_send ? NUCE_CAPTURE_MERGED : NUCE_CAPTURE_EXACT);
        assert_int_equal(capture.pattern[0].calls, with_send ? 1 : 2);
        assert_int_equal(topology_of(&capture, 0)->messages, with_send ? 3 : 1);
        nuce_capture_fini(&capture);
    }
}

/* Receives that are posted rounds before theirs, all of them or one that is never matched, change
 * nothing; nor does a process that ends without a word, in the midst of a round. */
static void test_posted_ahead(void **state)
{
    (void)state;
    for (int ahead = 0; ahead <= 3; ahead++) {
        struct nuce_capture capture;
        struct nuce_error error;
        struct ranks ranks;
        uint64_t receive[RANKS][16], send[RANKS];

        ranks_begin(&ranks);
        for (int i = 0; i < RANKS && ahead == 3; i++)
            receives(&ranks, i, NUCE_RECORDER_ANY, 99);
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < RANKS; i++) {
                for (int r = round == 0 ? 0 : round + ahead; r <= round + ahead; r++)
                    receive[i][r] = receives(&ranks, i, (i + RANKS - 1) % RANKS, r);
                send[i] = sends(&ranks, i, (i + 1) % RANKS, round, 8);
            }
            for (int i = 0; i < RANKS && round < 11; i++) {
                ends(&ranks, i, receive[i][round], 0, 0);
                ends(&ranks, i, send[i], 0, 0);
            }
        }
        /* As it is on the disk now: of the last round no receive has ended. */
        assert_int_equal(
            nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
            NUCE_OK);
        assert_int_equal(capture.patterns, 1 + RANKS);
        for (int i = 0; i < capture.patterns; i++) {
            int is_exact = capture.pattern[i].quality == NUCE_CAPTURE_EXACT;

            assert_int_equal(capture.pattern[i].calls, is_exact ? 11 : 1);
            assert_int_equal(topology_of(&capture, i)->messages, is_exact ? RANKS : 1);
        }
        assert_int_equal(capture.unmatched, RANKS);
        nuce_capture_fini(&capture);
        ranks_end(&ranks);
        ranks_remove(&ranks);
    }
}

/* A receive that was passed over before a send, and came then: of which round it is depends on
 * time. One that comes before the next send does not. */
static void test_passed(void **state)
{
    (void)state;
    for (int is_late = 0; is_late < 2; is_late++) {
        struct nuce_capture capture;
        struct ranks ranks;
        uint64_t receive, send;

        ranks_begin(&ranks);
        receive = receives(&ranks, 0, 1, 0);
        nuce_recorder_pass(ranks.recorder[0], receive);
        send = sends(&ranks, 1, 0, 0, 8);
        ends(&ranks, 1, send, 0, 0);
        if (!is_late)
            ends(&ranks, 0, receive, 0, 0);
        send = sends(&ranks, 0, 2, 0, 8);
        ends(&ranks, 2, receives(&ranks, 2, 0, 0), 0, 0);
        if (is_late)
            ends(&ranks, 0, receive, 0, 0);
        ends(&ranks, 0, send, 0, 0);
        ranks_merge(&ranks, &capture);
        for (int i = 0; i < capture.patterns; i++)
            assert_int_equal(capture.pattern[i].quality,
                             is_late ? NUCE_CAPTURE_EPOCH : NUCE_CAPTURE_EXACT);
        nuce_capture_fini(&capture);
    }
}

/* Two messages from any source that came between what the rank sends might have come the other way
 * round, if they are of two ranks. */
static void test_swapped(void **state)
{
    (void)state;
    for (int sources = 1; sources <= 2; sources++) {
        struct nuce_capture capture;
        struct ranks ranks;

        ranks_begin(&ranks);
        for (int i = 0; i < 2; i++) {
            int source = 1 + i % sources;
            uint64_t receive = receives(&ranks, 0, NUCE_RECORDER_ANY, 0);

            ends(&ranks, source, sends(&ranks, source, 0, 0, 8), 0, 0);
            ends(&ranks, 0, receive, source, 0);
            receive = receives(&ranks, 3, 0, 0);
            ends(&ranks, 0, sends(&ranks, 0, 3, 0, 16), 0, 0);
            ends(&ranks, 3, receive, 0, 0);
        }
        ranks_merge(&ranks, &capture);
        for (int i = 0; i < capture.patterns; i++)
            assert_int_equal(capture.pattern[i].quality,
                             sources == 2 ? NUCE_CAPTURE_EPOCH : NUCE_CAPTURE_EXACT);
        nuce_capture_fini(&capture);
    }
}

/* The late send: it is still under way when the next round begins. */
static void test_late(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t before = 0;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 4; i++) {
        uint64_t receive = receives(&ranks, 1, 0, 0), own = receives(&ranks, 0, 1, 0);
        uint64_t send = sends(&ranks, 0, 1, 0, 8), other = sends(&ranks, 1, 0, 0, 8);

        ends(&ranks, 1, receive, 0, 0);
        ends(&ranks, 1, other, 0, 0);
        ends(&ranks, 0, own, 0, 0);
        if (before != 0)
            ends(&ranks, 0, before, 0, 0);
        before = send;
    }
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 1);
    assert_int_equal(capture.pattern[0].quality, NUCE_CAPTURE_EXACT);
    assert_int_equal(capture.pattern[0].calls, 4);
    nuce_capture_fini(&capture);
}

/* What is freed under way makes the epoch one where rounds cannot be told apart, and no other. */
static void test_epoch(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 3; i++) {
        uint64_t receive = receives(&ranks, 1, 0, 0), send = sends(&ranks, 0, 1, 0, 8);

        if (i == 1)
            nuce_recorder_free(ranks.recorder[0], send, ranks.now);
        else
            ends(&ranks, 0, send, 0, 0);
        ends(&ranks, 1, receive, 0, 0);
        barrier(&ranks);
    }
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 3); /* the exact one, that of the epoch, barriers */
    assert_int_equal(capture.pattern[0].quality, NUCE_CAPTURE_EXACT);
    assert_int_equal(capture.pattern[0].calls, 2);
    assert_int_equal(capture.pattern[2].quality, NUCE_CAPTURE_EPOCH);
    assert_int_equal(capture.pattern[2].calls, 1);
    nuce_capture_fini(&capture);
}

/* A receive from anybody that outlasts collectives is of the round in which it ends, here of the
 * last one with what rank 1 sent behind the last collective but one; the others are what they are.
 */
static void test_listener(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t listener;
    int64_t messages = 0, exact = 0;

    (void)state;
    ranks_begin(&ranks);
    listener = receives(&ranks, 1, NUCE_RECORDER_ANY, 9);
    for (int i = 0; i < 4; i++) {
        uint64_t receive = receives(&ranks, 0, 1, 0);

        ends(&ranks, 1, sends(&ranks, 1, 0, 0, 8), 0, 0);
        ends(&ranks, 0, receive, 0, 0);
        barrier(&ranks);
    }
    ends(&ranks, 0, sends(&ranks, 0, 1, 9, 16), 0, 0);
    ends(&ranks, 1, listener, 0, 9);
    ranks_merge(&ranks, &capture);
    for (int i = 0; i < capture.patterns; i++) {
        if (capture.pattern[i].kind != NUCE_RAW_KIND_exchange)
            continue;
        exact += capture.pattern[i].quality == NUCE_CAPTURE_EXACT ? capture.pattern[i].calls : 0;
        messages += capture.pattern[i].calls * topology_of(&capture, i)->messages;
    }
    assert_int_equal(exact, 3);
    assert_int_equal(messages, 5);
    assert_int_equal(capture.unmatched, 0);
    nuce_capture_fini(&capture);
}

/* A round that never ends is cut, and none of its messages is lost. */
static void test_cut(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t listener;
    int64_t messages = 0;

    (void)state;
    ranks_begin(&ranks);
    listener = receives(&ranks, 1, NUCE_RECORDER_ANY, 9);
    for (int i = 0; i < NUCE_RECORDER_LONGEST + 10; i++) {
        uint64_t receive = receives(&ranks, 0, 1, 0);

        ends(&ranks, 1, sends(&ranks, 1, 0, 0, 8), 0, 0);
        ends(&ranks, 0, receive, 0, 0);
    }
    ends(&ranks, 0, sends(&ranks, 0, 1, 9, 16), 0, 0);
    ends(&ranks, 1, listener, 0, 9);
    ranks_merge(&ranks, &capture);
    for (int i = 0; i < capture.patterns; i++) {
        assert_int_not_equal(capture.pattern[i].quality, NUCE_CAPTURE_EXACT);
        messages += capture.pattern[i].calls * topology_of(&capture, i)->messages;
    }
    assert_int_equal(messages, NUCE_RECORDER_LONGEST + 11);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.counters[NUCE_RAW_CUT], 1);
    nuce_capture_fini(&capture);
}

static void test_cancelled(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t request;

    (void)state;
    ranks_begin(&ranks);
    request = receives(&ranks, 1, NUCE_RECORDER_ANY, 9);
    nuce_recorder_cancel(ranks.recorder[1], request);
    assert_int_equal(nuce_recorder_wishes(ranks.recorder[1], request), NUCE_RECORDER_SOURCE);
    nuce_recorder_cancelled(ranks.recorder[1], request, ranks.now);
    assert_int_equal(nuce_recorder_wishes_any(ranks.recorder[1]), 0);
    ring(&ranks, 0, 8);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 1);
    assert_int_equal(capture.pattern[0].quality, NUCE_CAPTURE_EXACT);
    assert_int_equal(capture.counters[NUCE_RAW_CANCELLED], 1);
    nuce_capture_fini(&capture);
}

/* The same run twice is the same capture, ids and all, but for times. */
static void test_same(void **state)
{
    struct nuce_capture captures[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct ranks ranks;

        ranks_begin(&ranks);
        for (int i = 0; i < 5; i++)
            ring(&ranks, 0, 10 * i);
        barrier(&ranks);
        ranks_merge(&ranks, &captures[k]);
    }
    assert_int_equal(captures[0].patterns, captures[1].patterns);
    for (int i = 0; i < captures[0].patterns; i++) {
        assert_string_equal(captures[0].pattern[i].id, captures[1].pattern[i].id);
        assert_int_equal(captures[0].pattern[i].calls, captures[1].pattern[i].calls);
    }
    nuce_capture_fini(&captures[0]);
    nuce_capture_fini(&captures[1]);
}

/* A rank whose file is not there, and one that is cut short: the rest is whole, and is marked. */
static void test_missing(void **state)
{
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;
    struct stat file;
    char path[128];

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 10; i++)
        ring(&ranks, 0, 8);
    ranks_end(&ranks);
    snprintf(path, sizeof path, "%s/3.raw", ranks.folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/2.raw", ranks.folder);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size - 60), 0);
    assert_int_equal(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
        NUCE_OK);
    ranks_remove(&ranks);
    assert_int_equal(capture.found, 3);
    assert_int_equal(capture.cut_files, 1);
    assert_true(capture.unmatched > 0);
    for (int i = 0; i < capture.patterns; i++)
        assert_int_equal(capture.pattern[i].quality, NUCE_CAPTURE_MERGED);
    nuce_capture_fini(&capture);
}

static void test_damaged(void **state)
{
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;
    char path[128];
    FILE *file;

    (void)state;
    ranks_begin(&ranks);
    ring(&ranks, 0, 8);
    ranks_end(&ranks);
    snprintf(path, sizeof path, "%s/1.raw", ranks.folder);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, sizeof(struct nuce_raw_header) + 20, SEEK_SET), 0);
    assert_int_equal(fputc(255, file), 255);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
        NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "1.raw: damaged at byte"));
    ranks_remove(&ranks);
}

/* Files of two starts do not go together. */
static void test_two_starts(void **state)
{
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;

    (void)state;
    ranks_begin(&ranks);
    nuce_recorder_header(ranks.recorder[2])->run = 8;
    ranks_end(&ranks);
    assert_int_equal(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
        NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "several starts"));
    ranks_remove(&ranks);
}

/* Posts a send to the next rank and a receive from any source, both with that tag, as one request.
 */
static uint64_t posts_pair(struct ranks *ranks, int rank, int tag)
{
    struct nuce_recorder_message out = message_of(NUCE_RAW_SEND, (rank + 1) % RANKS, 4, 100 + rank);
    struct nuce_recorder_message in = message_of(NUCE_RAW_RECEIVE, NUCE_RECORDER_ANY, tag, 0);

    nuce_recorder_post_pair(ranks->recorder[rank], ++ranks->request, &in, &out, ranks->now += 1000);
    return ranks->request;
}

/* One request for a send and a receive from any source: its end is the end of both. */
static void test_pair(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t requests[RANKS];

    (void)state;
    ranks_begin(&ranks);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < RANKS; i++)
            requests[i] = posts_pair(&ranks, i, 4);
        for (int i = 0; i < RANKS; i++) {
            assert_int_equal(nuce_recorder_wishes(ranks.recorder[i], requests[i]),
                             NUCE_RECORDER_PAIR);
            ends(&ranks, i, requests[i], (i + RANKS - 1) % RANKS, 4);
            assert_false(nuce_recorder_wishes_any(ranks.recorder[i]));
        }
    }
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 1);
    assert_int_equal(capture.pattern[0].calls, 3);
    assert_int_equal(capture.pattern[0].quality, NUCE_CAPTURE_EXACT);
    assert_int_equal(capture.topology[capture.pattern[0].topology].messages, RANKS);
    assert_int_equal(capture.unmatched, 0);
    nuce_capture_fini(&capture);
}

/* Where nobody knows what such a request received, its message is the sender's alone, and others
 * are what they are. */
static void test_pair_untold(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;
    uint64_t requests[RANKS];
    int exact = 0;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++)
        requests[i] = posts_pair(&ranks, i, NUCE_RECORDER_ANY);
    for (int i = 0; i < RANKS; i++) {
        ends(&ranks, i, requests[i], NUCE_RECORDER_ANY, NUCE_RECORDER_ANY);
        assert_false(nuce_recorder_wishes_any(ranks.recorder[i]));
    }
    ring(&ranks, 0, 100);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.unmatched, RANKS);
    for (int i = 0; i < capture.patterns; i++)
        exact += capture.pattern[i].quality == NUCE_CAPTURE_EXACT &&
                 capture.topology[capture.pattern[i].topology].messages == RANKS;
    assert_int_equal(exact, 1);
    nuce_capture_fini(&capture);
}

/* Of many calls some are kept, of which each says who came how late in it; of one call none, since
 * it is its own mean. */
static void test_kept(void **state)
{
    static const struct {
        int calls, kept;
    } cases[] = {{1, 0}, {2, 2}, {8, 8}, {9, 5}, {64, 8}, {100, 7}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_capture capture;
        struct nuce_error error;
        double late_s[RANKS];
        struct ranks ranks;

        ranks_begin(&ranks);
        for (int k = 0; k < cases[i].calls; k++)
            ring(&ranks, 0, 100);
        ranks_merge(&ranks, &capture);
        assert_int_equal(capture.patterns, 1);
        assert_int_equal(capture.pattern[0].kept, cases[i].kept);
        for (int k = 0; k < cases[i].kept + (cases[i].kept == 0); k++) {
            assert_int_equal(
                nuce_capture_lateness(&capture, &capture.pattern[0], k, late_s, &error), NUCE_OK);
            assert_true(late_s[0] == 0);
            /* Each posts twice before the next does; classes are an eighth wide. */
            for (int rank = 1; rank < RANKS; rank++)
                assert_true(fabs(late_s[rank] - rank * 2e-6) <= rank * 2e-6 / 8);
        }
        nuce_capture_fini(&capture);
    }
}

/* Of more patterns than have room for their classes those that took most time have them. */
static void test_kept_classes(void **state)
{
    enum { PATTERNS = NUCE_CAPTURE_MOST_KEPT_CLASSES / 2 + 100 };
    struct nuce_capture_row *rows;
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;
    int64_t classes = 0;

    (void)state;
    ranks_begin(&ranks);
    for (int i = 0; i < 3 * PATTERNS; i++)
        ring(&ranks, 0, 10 * (i / 3));
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, PATTERNS);
    rows = nuce_capture_rows(&capture);
    assert_non_null(rows);
    for (int i = 0; i < PATTERNS; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[rows[i].pattern];
        int is_kept = pattern->duration.classes != NULL;
        double late_s[RANKS];

        /* All take as long, and a mean of each rank is kept of the first ones. */
        assert_int_equal(pattern->arrival_ns != NULL, i < NUCE_CAPTURE_MOST_KEPT_MEANS / RANKS);
        assert_int_equal(pattern->skew.count, 3);
        assert_int_equal(is_kept, i < NUCE_CAPTURE_MOST_KEPT_CLASSES / 2);
        if (pattern->arrival_ns == NULL) {
            assert_int_equal(nuce_capture_lateness(&capture, pattern, 0, late_s, &error),
                             NUCE_BAD_INPUT);
            assert_non_null(strstr(error.message, "was not kept"));
        }
        for (int k = 0; is_kept && k < NUCE_CAPTURE_CLASSES; k++)
            classes += (pattern->duration.classes[k] > 0) + (pattern->skew.classes[k] > 0);
    }
    assert_int_equal(classes, NUCE_CAPTURE_MOST_KEPT_CLASSES);
    free(rows);
    nuce_capture_fini(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),       cmocka_unit_test(test_apart),
        cmocka_unit_test(test_ahead),        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_late),         cmocka_unit_test(test_epoch),
        cmocka_unit_test(test_listener),     cmocka_unit_test(test_cut),
        cmocka_unit_test(test_cancelled),    cmocka_unit_test(test_same),
        cmocka_unit_test(test_missing),      cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_two_starts),   cmocka_unit_test(test_kept),
        cmocka_unit_test(test_pair),         cmocka_unit_test(test_pair_untold),
        cmocka_unit_test(test_kept_classes), cmocka_unit_test(test_posted_ahead),
        cmocka_unit_test(test_passed),       cmocka_unit_test(test_swapped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
