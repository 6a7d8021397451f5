/* Post-all: every receive, then every send, at once; wait for all (the papers' AC: Ranka, Wang
 * and Kumar, Figure 6). Nothing is ordered or bounded: all messages of the rank are active
 * together.
 *
 * Receives are tested after the sends: a message that arrives while sends are tested is found in
 * the same call (nuce_wait_pause). */
#include "run/requests.h"

struct post_all {
    struct nuce_engine_input input;
    struct nuce_request_set set; /* sends, then receives */
    int sends;
    int left; /* not complete yet */
};

static void post_all_destroy(void *self)
{
    nuce_request_set_fini(&((struct post_all *)self)->set);
}

static nuce_status post_all_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct post_all *post = self;

    (void)error;
    post->input = *input;
    nuce_request_set_init(input->world, nuce_requests_most(input), &post->set);
    nuce_requests_add_all(input, NUCE_SEND, &post->set);
    post->sends = post->set.count;
    nuce_requests_add_all(input, NUCE_RECEIVE, &post->set);
    return NUCE_OK;
}

static void post_all_start(void *self)
{
    struct post_all *post = self;

    post->left = post->set.count;
    nuce_request_set_start_some(&post->set, post->sends, post->set.count);
    nuce_request_set_start_some(&post->set, 0, post->sends);
    nuce_requests_copy_all(&post->input);
}

static int post_all_progress(void *self)
{
    struct post_all *post = self;

    if (post->left > 0)
        post->left -= nuce_request_set_test(&post->set);
    return post->left == 0;
}

/* Names a pending receive, if there is one, else a send. */
static void post_all_diagnose(void *self, int *peer, int *phase)
{
    const struct post_all *post = self;

    *phase = 0;
    if (!nuce_requests_wait_for(&post->set, post->sends, post->set.count, peer))
        nuce_requests_wait_for(&post->set, 0, post->sends, peer);
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
