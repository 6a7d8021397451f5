/* Ranks that are played: each a recorder, in a folder of its own, with a clock that ticks by 1 000
 * for each call. */
#ifndef NUCE_TEST_RANKS_H
#define NUCE_TEST_RANKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/recorder.h"

#ifndef RANKS
#define RANKS 4
#endif

struct ranks {
    char folder[64];
    struct nuce_recorder *recorder[RANKS];
    int64_t now;
    uint64_t request;
};

static inline void ranks_begin(struct ranks *ranks)
{
    int members[RANKS];

    for (int i = 0; i < RANKS; i++)
        members[i] = i;
    *ranks = (struct ranks){.folder = "/tmp/nuce-ranks-XXXXXX", .now = 1000};
    assert_non_null(mkdtemp(ranks->folder));
    for (int i = 0; i < RANKS; i++) {
        struct nuce_raw_header header = {.run = 7, .rank = i, .ranks = RANKS, .begin_ns = 1000};
        char path[128];

        snprintf(path, sizeof path, "%s/%d.raw", ranks->folder, i);
        ranks->recorder[i] = nuce_recorder_create(path, &header, NULL);
        assert_non_null(ranks->recorder[i]);
        assert_int_equal(nuce_recorder_add(ranks->recorder[i], members, RANKS, i), 0);
    }
}

static inline struct nuce_recorder_message message_of(int direction, int peer, int tag,
                                                      int64_t bytes)
{
    return (struct nuce_recorder_message){
        .direction = direction, .peer = peer, .tag = tag, .bytes = bytes};
}

/* Nonblocking ones; the request's number. */
static inline uint64_t sends(struct ranks *ranks, int rank, int peer, int tag, int64_t bytes)
{
    struct nuce_recorder_message message = message_of(NUCE_RAW_SEND, peer, tag, bytes);

    nuce_recorder_post(ranks->recorder[rank], ++ranks->request, &message, ranks->now += 1000);
    return ranks->request;
}

static inline uint64_t receives(struct ranks *ranks, int rank, int peer, int tag)
{
    struct nuce_recorder_message message = message_of(NUCE_RAW_RECEIVE, peer, tag, 0);

    nuce_recorder_post(ranks->recorder[rank], ++ranks->request, &message, ranks->now += 1000);
    return ranks->request;
}

static inline void ends(struct ranks *ranks, int rank, uint64_t request, int source, int tag)
{
    nuce_recorder_finish(ranks->recorder[rank], request, source, tag, ranks->now += 1000);
}

static inline void barrier(struct ranks *ranks)
{
    struct nuce_recorder_collective collective = {.kind = NUCE_RAW_KIND_barrier};

    for (int i = 0; i < RANKS; i++, ranks->now += 1000)
        nuce_recorder_collective(ranks->recorder[i], &collective, ranks->now, ranks->now + 500);
}

/* Every rank sends `bytes + rank` to the next, all at once. */
static inline void ring(struct ranks *ranks, int tag, int64_t bytes)
{
    uint64_t requests[RANKS][2];

    for (int i = 0; i < RANKS; i++) {
        requests[i][0] = receives(ranks, i, (i + RANKS - 1) % RANKS, tag);
        requests[i][1] = sends(ranks, i, (i + 1) % RANKS, tag, bytes + i);
    }
    for (int i = 0; i < RANKS; i++) {
        ends(ranks, i, requests[i][0], 0, 0);
        ends(ranks, i, requests[i][1], 0, 0);
    }
}

static inline void ranks_end(struct ranks *ranks)
{
    for (int i = 0; i < RANKS; i++) {
        nuce_recorder_destroy(ranks->recorder[i], NUCE_RAW_FINALIZED, ranks->now);
        ranks->recorder[i] = NULL;
    }
}

static inline void ranks_remove(struct ranks *ranks)
{
    char path[128];

    for (int i = 0; i < RANKS; i++) {
        snprintf(path, sizeof path, "%s/%d.raw", ranks->folder, i);
        unlink(path);
    }
    assert_int_equal(rmdir(ranks->folder), 0);
}

/* Ends them, and merges their files. */
static inline void ranks_merge(struct ranks *ranks, struct nuce_capture *out)
{
    ranks_end(ranks);
    assert_ok(nuce_capture_merge(ranks->folder, (struct nuce_capture_merging){0}, out, ANY_ERROR));
    ranks_remove(ranks);
}

#endif
