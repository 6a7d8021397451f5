/* Requests that are started one by one: which are under way, which have come, and that they can be
 * started again. Each rank sends to the next and receives from the one before. */
#include <stdio.h>
#include <string.h>

#include "run/check.h"
#include "run/request_set.h"

#define BYTES 5000

struct scene {
    struct nuce_world world;
    struct nuce_request_set set;
    unsigned char out[2][BYTES], in[2][BYTES];
    int send[2], receive[2]; /* requests, one for each tag */
};

static int expect(const struct scene *scene, int is_right, const char *what)
{
    if (!is_right)
        fprintf(stderr, "rank %d of %d: %s\n", scene->world.rank, scene->world.size, what);
    return !is_right;
}

static void fill(struct scene *scene, int round)
{
    for (int tag = 0; tag < 2; tag++) {
        for (int i = 0; i < BYTES; i++)
            scene->out[tag][i] = (unsigned char)(i + 3 * scene->world.rank + 5 * tag + round);
        memset(scene->in[tag], 0, BYTES);
    }
}

static int check_came(const struct scene *scene, int tag, int round)
{
    int before = (scene->world.rank + scene->world.size - 1) % scene->world.size, wrong = 0;

    for (int i = 0; i < BYTES; i++)
        wrong += scene->in[tag][i] != (unsigned char)(i + 3 * before + 5 * tag + round);
    return expect(scene, wrong == 0, "bytes that came");
}

/* Tests until all of count requests have completed, each of them once. */
static int finish(struct scene *scene, int count)
{
    int times[4] = {0}, failed = 0, done = 0;

    while (done < count) {
        int completed = nuce_request_set_test(&scene->set);

        for (int i = 0; i < completed; i++)
            times[scene->set.completed[i]]++;
        done += completed;
    }
    for (int i = 0; i < 4; i++)
        failed += expect(scene, times[i] <= 1, "a request completed twice");
    failed +=
        expect(scene, nuce_request_set_pending(&scene->set, 0, 4) == -1, "one is pending yet");
    return failed + expect(scene, nuce_request_set_test(&scene->set) == 0, "one completed later");
}

/* The second message goes and comes alone, then both in the order in which they were not added. */
static int run(struct scene *scene)
{
    int failed =
        expect(scene, nuce_request_set_test(&scene->set) == 0, "complete before any start");

    fill(scene, 1);
    nuce_request_set_start(&scene->set, scene->receive[1]);
    failed += expect(scene, nuce_request_set_pending(&scene->set, 0, 4) == scene->receive[1],
                     "the receive is not pending");
    failed += expect(scene, nuce_request_set_pending(&scene->set, 0, scene->receive[1]) == -1,
                     "another is pending");
    nuce_request_set_start(&scene->set, scene->send[1]);
    failed += finish(scene, 2);
    failed += check_came(scene, 1, 1);
    failed += expect(scene, scene->in[0][0] == 0 && scene->in[0][BYTES - 1] == 0,
                     "a message that was not sent");
    fill(scene, 2);
    nuce_request_set_start(&scene->set, scene->receive[1]);
    nuce_request_set_start(&scene->set, scene->receive[0]);
    nuce_request_set_start(&scene->set, scene->send[0]);
    nuce_request_set_start(&scene->set, scene->send[1]);
    failed += finish(scene, 4);
    failed += check_came(scene, 0, 2);
    return failed + check_came(scene, 1, 2);
}

static int make(struct scene *scene)
{
    struct nuce_world *world = &scene->world;
    struct nuce_transfer to = {.peer = (world->rank + 1) % world->size, .bytes = BYTES};
    struct nuce_transfer from = {.peer = (world->rank + world->size - 1) % world->size,
                                 .bytes = BYTES};
    int failed = expect(scene, 1, "no requests");

    nuce_request_set_init(world, 4, &scene->set);

    for (int tag = 0; tag < 2; tag++) {
        scene->receive[tag] =
            nuce_request_set_add_bytes(&scene->set, NUCE_RECEIVE, scene->in[tag], tag, &from);
        scene->send[tag] =
            nuce_request_set_add_bytes(&scene->set, NUCE_SEND, scene->out[tag], tag, &to);
    }
    return failed + expect(scene, scene->set.count == 4 && scene->send[1] == 3, "their indices");
}

int main(int argc, char **argv)
{
    struct scene scene = {0};
    int failed;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&scene.world);
    failed = make(&scene);
    failed += run(&scene);
    nuce_request_set_fini(&scene.set);
    nuce_world_fini(&scene.world);
    NUCE_MPI(MPI_Finalize());
    return failed == 0 ? 0 : 1;
}
