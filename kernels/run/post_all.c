/* Post-all: every receive, then every send, at once; wait for all (the papers' AC: Ranka, Wang and
 * Kumar, Figure 6). Nothing is ordered, so nothing is bounded: as many messages are under way as
 * the rank has. Memory: three arrays of one entry a message beside the requests.
 *
 * Receives are tested behind the sends: what comes in while these are tested is seen in the same
 * call (nuce_wait_pause). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/requests.h"

struct post_all {
    struct nuce_requests requests;
    MPI_Request *all; /* sends, then receives: handles of `requests` */
    int count;
    int left;                /* not complete yet */
    unsigned char *complete; /* each of all: 1 if it is */
    int *indices;            /* scratch of MPI_Testsome */
};

static void post_all_destroy(void *self)
{
    struct post_all *post = self;

    nuce_requests_fini(&post->requests);
    free(post->all);
    free(post->complete);
    free(post->indices);
}

/* The handles are copied, sends first: `all` and the two lists of `requests` name the same
 * requests, which only the latter own. */
static nuce_status post_all_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct post_all *post = self;
    struct nuce_requests *requests = &post->requests;

    (void)error;
    nuce_requests_init(input, requests);
    post->count = requests->receives + requests->sends;
    post->all = nuce_allocate(post->count, sizeof(MPI_Request));
    post->complete = nuce_allocate(post->count, sizeof *post->complete);
    post->indices = nuce_allocate(post->count, sizeof *post->indices);
    memcpy(post->all, requests->send, (size_t)requests->sends * sizeof(MPI_Request));
    memcpy(post->all + requests->sends, requests->receive,
           (size_t)requests->receives * sizeof(MPI_Request));
    return NUCE_OK;
}

static void post_all_start(void *self)
{
    struct post_all *post = self;
    int next = 0, is_traced = post->requests.world->trace != NULL;

    for (int i = 0; is_traced && i < post->requests.receives; i++)
        nuce_requests_note_receive(&post->requests, i);
    for (int i = 0; is_traced && i < post->requests.sends; i++)
        nuce_requests_note_send(&post->requests, i);
    post->left = post->count;
    memset(post->complete, 0, (size_t)post->count);
    NUCE_MPI(MPI_Startall(post->requests.receives, post->all + post->requests.sends));
    NUCE_MPI(MPI_Startall(post->requests.sends, post->all));
    nuce_requests_copy(&post->requests, INT_MAX, &next);
}

static int post_all_progress(void *self)
{
    struct post_all *post = self;
    const struct nuce_world *world = post->requests.world;
    int completed;

    if (post->left == 0)
        return 1;
    completed = nuce_wait_some(&world->wait, post->count, post->all, post->indices);
    for (int i = 0; i < completed; i++) {
        nuce_trace_end(world->trace, post->all[post->indices[i]]);
        post->complete[post->indices[i]] = 1;
    }
    post->left -= completed;
    return post->left == 0;
}

/* Receives stand last: of those that wait the last receive is named, if there is one. */
static void post_all_diagnose(void *self, int *peer, int *phase)
{
    const struct post_all *post = self;
    const struct nuce_requests *requests = &post->requests;

    *phase = 0;
    for (int i = post->count - 1; i >= 0; i--) {
        if (post->complete[i])
            continue;
        *peer = i < requests->sends ? requests->send_piece[i]->peer
                                    : requests->receive_piece[i - requests->sends]->peer;
        return;
    }
}

const struct nuce_executor_ops nuce_executor_post_all = {
    .name = "post-all",
    .traces = 1,
    .self_size = sizeof(struct post_all),
    .build = post_all_build,
    .start = post_all_start,
    .progress = post_all_progress,
    .diagnose = post_all_diagnose,
    .destroy = post_all_destroy,
};
