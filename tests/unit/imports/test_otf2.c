/* What an archive's events become, whatever library reads them: here the test is the reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "imports/importer.h"
#include "imports/otf2_trace.h"
#include "support/allocate.h"

#define RANKS 3
#define MOST_EVENTS 16

extern const struct nuce_importer_ops nuce_importer_otf2;

/* The events of each rank, up to the first without an end. */
struct played {
    struct nuce_otf2_event events[RANKS][MOST_EVENTS];
    int counts[RANKS];
};

enum { WORLD, SELF, TURNED }; /* TURNED: ranks 2 and 0, events name world ranks */

static nuce_status make_comm(struct nuce_otf2_comm *comm, const int *members, int size,
                             struct nuce_error *error)
{
    *comm = (struct nuce_otf2_comm){.size = size, .is_used = 1};
    comm->members = nuce_allocate(size, sizeof *comm->members, error);
    if (comm->members == NULL)
        return error->status;
    memcpy(comm->members, members, (size_t)size * sizeof *members);
    return NUCE_OK;
}

/* The path is the address of what is played. */
nuce_status nuce_otf2_read(const char *path, struct nuce_otf2_trace *trace,
                           struct nuce_error *error)
{
    static const int world[RANKS] = {0, 1, 2}, turned[] = {2, 0};
    const struct played *played;

    memcpy(&played, path, sizeof played);
    trace->ranks = RANKS;
    trace->rank = nuce_allocate(RANKS, sizeof *trace->rank, error);
    trace->comms = nuce_allocate(3, sizeof *trace->comms, error);
    trace->comm_count = 3;
    trace->are_clocks_one = 1;
    assert_int_equal(make_comm(&trace->comms[WORLD], world, RANKS, error), NUCE_OK);
    trace->comms[SELF] = (struct nuce_otf2_comm){.is_self = 1, .is_used = 1};
    assert_int_equal(make_comm(&trace->comms[TURNED], turned, 2, error), NUCE_OK);
    trace->comms[TURNED].is_global = 1;
    for (int i = 0; i < RANKS; i++) {
        trace->rank[i].events = nuce_allocate(MOST_EVENTS, sizeof *trace->rank[i].events, error);
        memcpy(trace->rank[i].events, played->events[i], sizeof played->events[i]);
        trace->rank[i].count = played->counts[i];
        trace->rank[i].end_ns = 100000;
    }
    return NUCE_OK;
}

/* An event of the rank, a microsecond after the one before. */
static struct nuce_otf2_event *add(struct played *played, int rank, enum nuce_otf2_type type,
                                   int comm, int peer, int64_t bytes, uint64_t request)
{
    int64_t at = 1000 * ++played->counts[rank];
    struct nuce_otf2_event *event = &played->events[rank][played->counts[rank] - 1];

    *event = (struct nuce_otf2_event){.type = type,
                                      .comm = comm,
                                      .peer = peer,
                                      .bytes = bytes,
                                      .request = request,
                                      .begin_ns = at,
                                      .end_ns = at + 500};
    return event;
}

static void empty_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.')
            assert_int_equal(unlinkat(dirfd(directory), entry->d_name, 0), 0);
    }
    assert_int_equal(closedir(directory), 0);
    assert_int_equal(rmdir(folder), 0);
}

static nuce_status import(const struct played *played, struct nuce_capture *out,
                          struct nuce_error *error)
{
    char folder[] = "/tmp/nuce-otf2-XXXXXX", name[sizeof played + 1] = "";
    struct nuce_import_text file = {.name = name};
    struct nuce_import_input input = {.files = &file, .count = 1, .folder = folder};
    nuce_status status;

    memcpy(name, &played, sizeof played);
    assert_non_null(mkdtemp(folder));
    status = nuce_importer_otf2.import(&input, out, error);
    empty_folder(folder);
    return status;
}

/* The only pattern of that quality, whose messages are one from source to destination. */
static const struct nuce_capture_pattern *only(const struct nuce_capture *capture,
                                               enum nuce_capture_quality quality, int source,
                                               int destination, int64_t bytes)
{
    const struct nuce_capture_pattern *found = NULL;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];

        if (pattern->quality != quality || topology->messages != 1 ||
            topology->source[0] != source || topology->destination[0] != destination ||
            pattern->bytes[0] != bytes)
            continue;
        assert_null(found);
        found = pattern;
    }
    assert_non_null(found);
    return found;
}

/* A request's number is used again; what it received is said at its end alone. */
static void test_requests(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_capture capture;
    struct nuce_error error;

    (void)state;
    for (int i = 0; i < 3; i++) {
        add(&played, 0, NUCE_OTF2_SEND_POSTED, WORLD, 1, 10, 7);
        add(&played, 0, NUCE_OTF2_SEND_DONE, -1, 0, 0, 7);
        add(&played, 1, NUCE_OTF2_RECEIVE_POSTED, -1, 0, 0, 7);
        add(&played, 1, NUCE_OTF2_RECEIVE_DONE, WORLD, 0, 10, 7);
    }
    assert_int_equal(import(&played, &capture, &error), NUCE_OK);
    assert_int_equal(capture.patterns, 1);
    assert_int_equal(only(&capture, NUCE_CAPTURE_EXACT, 0, 1, 10)->calls, 3);
    assert_int_equal(capture.unmatched, 0);
    nuce_capture_fini(&capture);
}

/* Two receives that end in the other order are of the messages that they got. */
static void test_order(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_capture capture;
    struct nuce_error error;

    (void)state;
    add(&played, 0, NUCE_OTF2_SEND, WORLD, 1, 10, 0);
    add(&played, 2, NUCE_OTF2_SEND, WORLD, 1, 20, 0);
    add(&played, 1, NUCE_OTF2_RECEIVE_POSTED, -1, 0, 0, 1);
    add(&played, 1, NUCE_OTF2_RECEIVE_POSTED, -1, 0, 0, 2);
    add(&played, 1, NUCE_OTF2_RECEIVE_DONE, WORLD, 2, 20, 2);
    add(&played, 1, NUCE_OTF2_RECEIVE_DONE, WORLD, 0, 10, 1);
    assert_int_equal(import(&played, &capture, &error), NUCE_OK);
    assert_int_equal(capture.patterns, 1);
    assert_int_equal(capture.pattern[0].quality, NUCE_CAPTURE_EXACT);
    assert_int_equal(capture.topology[capture.pattern[0].topology].messages, 2);
    assert_int_equal(capture.unmatched, 0);
    nuce_capture_fini(&capture);
}

/* What never ends, and what is cancelled. */
static void test_ends(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_capture capture;
    struct nuce_error error;

    (void)state;
    add(&played, 0, NUCE_OTF2_SEND_POSTED, WORLD, 1, 10, 7); /* never seen to end: freed */
    add(&played, 1, NUCE_OTF2_RECEIVE, WORLD, 0, 10, 0);
    add(&played, 2, NUCE_OTF2_RECEIVE_POSTED, -1, 0, 0, 8);
    add(&played, 2, NUCE_OTF2_RECEIVE_POSTED, -1, 0, 0, 9);
    add(&played, 2, NUCE_OTF2_CANCELLED, -1, 0, 0, 9);
    add(&played, 2, NUCE_OTF2_COLLECTIVE_POSTED, -1, 0, 0, 10);
    add(&played, 2, NUCE_OTF2_SEND_DONE, -1, 0, 0, 11); /* of nothing that is known */
    assert_int_equal(import(&played, &capture, &error), NUCE_OK);
    (void)only(&capture, NUCE_CAPTURE_EPOCH, 0, 1, 10);
    assert_int_equal(capture.counters[NUCE_RAW_UNFINISHED], 1);
    assert_int_equal(capture.counters[NUCE_RAW_CANCELLED], 1);
    assert_int_equal(capture.counters[NUCE_RAW_OTHER], 1);
    nuce_capture_fini(&capture);
}

/* Communicators of each rank alone, and those where events name ranks of the world. */
static void test_communicators(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_capture capture;
    struct nuce_error error;

    (void)state;
    add(&played, 1, NUCE_OTF2_SEND, SELF, 0, 5, 0)->call = 1; /* both in one call */
    add(&played, 1, NUCE_OTF2_RECEIVE, SELF, 0, 5, 0)->call = 1;
    add(&played, 2, NUCE_OTF2_SEND, TURNED, 0, 6, 0);
    add(&played, 0, NUCE_OTF2_RECEIVE, TURNED, 2, 6, 0);
    assert_int_equal(import(&played, &capture, &error), NUCE_OK);
    (void)only(&capture, NUCE_CAPTURE_EXACT, 1, 1, 5);
    assert_int_equal(
        capture.communicator[only(&capture, NUCE_CAPTURE_EXACT, 2, 0, 6)->communicator].members[0],
        2);
    nuce_capture_fini(&capture);
}

/* Sums of a collective call are merged where messages would follow, and the id says so. */
static void test_collectives(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_capture capture;
    struct nuce_error error;
    int merged = 0, exact = 0;

    (void)state;
    for (int rank = 0; rank < RANKS; rank++) {
        add(&played, rank, NUCE_OTF2_COLLECTIVE, WORLD, 0, 10 + rank, 0)->kind =
            NUCE_RAW_KIND_alltoall;
        add(&played, rank, NUCE_OTF2_COLLECTIVE_POSTED, -1, 0, 0, 4);
        add(&played, rank, NUCE_OTF2_COLLECTIVE_DONE, WORLD, 0, 8, 4)->kind =
            NUCE_RAW_KIND_allreduce;
    }
    assert_int_equal(import(&played, &capture, &error), NUCE_OK);
    assert_int_equal(capture.patterns, 2);
    for (int i = 0; i < 2; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[i];

        merged += pattern->kind == NUCE_RAW_KIND_alltoall && pattern->moved == 33 &&
                  pattern->quality == NUCE_CAPTURE_MERGED;
        exact += pattern->kind == NUCE_RAW_KIND_allreduce && pattern->moved == 24 &&
                 pattern->quality == NUCE_CAPTURE_EXACT;
    }
    assert_int_equal(merged, 1);
    assert_int_equal(exact, 1);
    nuce_capture_fini(&capture);
}

static void refuse(const struct played *played, const char *message)
{
    struct nuce_capture capture;
    struct nuce_error error;

    assert_int_equal(import(played, &capture, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, message));
}

static void test_refused(void **state)
{
    struct played played = {.counts = {0}};
    struct nuce_otf2_event *event;

    (void)state;
    event = add(&played, 1, NUCE_OTF2_SEND, WORLD, 2, 8, 0);
    event->peer = RANKS;
    refuse(&played, "rank 1, its event 1 of messages: its other rank is none of the communicator");
    event->peer = -1;
    refuse(&played, "its other rank is none of the communicator");
    event->peer = 2;
    event->bytes = -1;
    refuse(&played, "it has more than 1024TiB");
    event->bytes = 8;
    event->comm = TURNED;
    refuse(&played, "it is on a communicator without this rank");
    event->type = NUCE_OTF2_COLLECTIVE;
    event->kind = NUCE_RAW_KIND_barrier;
    refuse(&played, "it is on a communicator without this rank");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_ends),        cmocka_unit_test(test_communicators),
        cmocka_unit_test(test_collectives), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
