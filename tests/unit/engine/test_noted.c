/* What is noted of the transfers of one step. No MPI is started: requests are only compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "run/trace.h"

/* A handle unlike those of other bytes; whatever type handles have in this library. */
static MPI_Request handle(int byte)
{
    MPI_Request request;

    memset(&request, byte, sizeof request);
    return request;
}

static struct nuce_trace trace_of(int rank, int64_t capacity)
{
    struct nuce_trace trace;

    nuce_trace_init(rank, capacity, &trace);
    return trace;
}

/* Transfers end in another order than they began, each at its own time. */
static void test_order(void **state)
{
    struct nuce_trace trace = trace_of(3, 4);
    struct nuce_transfer first = {.peer = 1, .phase = 2, .bytes = 30};
    struct nuce_transfer second = {.peer = 5, .phase = 0, .bytes = 7};
    double begin = nuce_clock(), between;

    (void)state;
    nuce_trace_start(&trace, NUCE_SEND, &first, handle(1));
    nuce_trace_start(&trace, NUCE_RECEIVE, &second, handle(2));
    assert_int_equal(trace.pending, 2);
    nuce_trace_end(&trace, handle(2));
    between = nuce_clock();
    nuce_trace_end(&trace, handle(7)); /* whose start was not noted */
    assert_int_equal(trace.pending, 1);
    nuce_trace_end(&trace, handle(1));
    nuce_trace_end(&trace, handle(1));
    assert_int_equal(trace.pending, 0);
    assert_int_equal(trace.count, 2);
    assert_int_equal(trace.events[0].peer, 1);
    assert_int_equal(trace.events[0].phase, 2);
    assert_int_equal(trace.events[0].bytes, 30);
    assert_int_equal(trace.events[0].direction, NUCE_SEND);
    assert_int_equal(trace.events[0].rank, 3);
    assert_int_equal(trace.events[1].peer, 5);
    assert_int_equal(trace.events[1].direction, NUCE_RECEIVE);
    assert_true(begin <= trace.events[0].start_s);
    assert_true(trace.events[0].start_s <= trace.events[1].start_s);
    assert_true(trace.events[1].start_s <= trace.events[1].end_s);
    assert_true(trace.events[1].end_s <= between);
    assert_true(between <= trace.events[0].end_s);
    nuce_trace_fini(&trace);
    nuce_trace_fini(&trace);
}

/* What has no room is counted, and its end is nobody's. */
static void test_lost(void **state)
{
    struct nuce_trace trace = trace_of(0, 2);
    struct nuce_transfer transfer = {.peer = 1, .bytes = 1};

    (void)state;
    for (int i = 1; i <= 5; i++)
        nuce_trace_start(&trace, NUCE_SEND, &transfer, handle(i));
    assert_int_equal(trace.count, 2);
    assert_int_equal(trace.lost, 3);
    for (int i = 5; i >= 1; i--)
        nuce_trace_end(&trace, handle(i));
    assert_int_equal(trace.pending, 0);
    nuce_trace_note_copy(&trace, 0, 8, 0);
    assert_int_equal(trace.lost, 5);
    nuce_trace_fini(&trace);
}

/* A copy is a send and a receive of the same span, with oneself. */
static void test_copy(void **state)
{
    struct nuce_trace trace = trace_of(4, 3);
    double begin = nuce_clock();

    (void)state;
    nuce_trace_note_copy(&trace, 6, 12, begin);
    assert_int_equal(trace.count, 2);
    assert_int_equal(trace.pending, 0);
    for (int direction = NUCE_SEND; direction <= NUCE_RECEIVE; direction++) {
        const struct nuce_trace_event *event = &trace.events[direction];

        assert_int_equal(event->direction, direction);
        assert_int_equal(event->peer, 4);
        assert_int_equal(event->rank, 4);
        assert_int_equal(event->phase, 6);
        assert_int_equal(event->bytes, 12);
        assert_true(event->start_s >= begin && event->start_s <= begin);
        assert_true(event->end_s >= begin);
    }
    assert_true(trace.events[0].end_s >= trace.events[1].end_s &&
                trace.events[0].end_s <= trace.events[1].end_s);
    nuce_trace_note_copy(&trace, 6, 12, begin); /* room for half of it */
    assert_int_equal(trace.count, 3);
    assert_int_equal(trace.lost, 1);
    nuce_trace_fini(&trace);
}

/* Nobody traces. */
static void test_none(void **state)
{
    struct nuce_transfer transfer = {.peer = 1, .bytes = 1};

    (void)state;
    nuce_trace_start(NULL, NUCE_SEND, &transfer, handle(1));
    nuce_trace_end(NULL, handle(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
