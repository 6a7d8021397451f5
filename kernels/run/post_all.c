/* Post-all: every receive, then every send, at once; wait for all (the papers' AC: Ranka, Wang and
 * Kumar, Figure 6). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "requests.h"

struct post_all {
    struct nuce_requests requests;
    MPI_Request *all; /* receives, then sends: handles of `requests` */
    int count;
};

static void destroy(void *self)
{
    struct post_all *post = self;

    if (post == NULL)
        return;
    nuce_requests_fini(&post->requests);
    free(post->all);
    free(post);
}

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    struct post_all *post = nuce_allocate(1, sizeof *post, error);
    struct nuce_requests *requests;

    if (post == NULL)
        return error->status;
    requests = &post->requests;
    if (nuce_requests_init(input, requests, error) != NUCE_OK)
        goto fail;
    post->count = requests->receives + requests->sends;
    post->all = nuce_allocate(post->count, sizeof(MPI_Request), error);
    if (post->all == NULL)
        goto fail;
    memcpy(post->all, requests->receive, (size_t)requests->receives * sizeof(MPI_Request));
    memcpy(post->all + requests->receives, requests->send,
           (size_t)requests->sends * sizeof(MPI_Request));
    *self = post;
    return NUCE_OK;
fail:
    destroy(post);
    return error->status;
}

static void note_starts(const struct nuce_requests *requests)
{
    for (int i = 0; i < requests->receives; i++)
        nuce_requests_note_receive(requests, i);
    for (int i = 0; i < requests->sends; i++)
        nuce_requests_note_send(requests, i);
}

static void start(void *self)
{
    struct post_all *post = self;
    int next = 0;

    if (post->requests.world->trace != NULL)
        note_starts(&post->requests);
    NUCE_MPI(MPI_Startall(post->count, post->all));
    nuce_requests_copy(&post->requests, INT_MAX, &next);
}

static int progress(void *self)
{
    struct post_all *post = self;
    int done = 0;

    NUCE_MPI(MPI_Testall(post->count, post->all, &done, MPI_STATUSES_IGNORE));
    return done;
}

static void diagnose(void *self, int *peer, int *phase)
{
    const struct post_all *post = self;
    const struct nuce_requests *requests = &post->requests;

    *phase = 0;
    for (int i = 0; i < post->count; i++) {
        if (!nuce_request_is_pending(post->all[i]))
            continue;
        *peer = i < requests->receives ? requests->receive_piece[i]->peer
                                       : requests->send_piece[i - requests->receives]->peer;
        return;
    }
}

const struct nuce_executor_ops nuce_executor_post_all = {
    .name = "post-all",
    .traces = 1,
    .create = create,
    .start = start,
    .progress = progress,
    .diagnose = diagnose,
    .destroy = destroy,
};
