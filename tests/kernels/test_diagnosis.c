/* The rank that another one waits for, as reported to the watchdog: the last rank does not start
 * its second exchange, and the others continue as far as they can. Each unfinished rank then names
 * another unfinished rank. The exchange is complete once the last rank has started. */
#include "expect.h"

#include "base/rng.h"
#include "run/control.h"
#include "run/engine.h"
#include "run/payload.h"
#include "schedules/schedule.h"

#define RANKS_MOST 8

/* One way of exchanging, and the rank or call that it waits for. */
struct waiting {
    struct nuce_world *world;
    const char *name;
    struct nuce_schedule schedule;
    struct nuce_payload payload;
    struct nuce_engine engine;
    int is_late, is_done;
};

static void say(const struct waiting *waiting, int is_right, const char *what)
{
    if (!is_right)
        fprintf(stderr, "%s: ", waiting->name);
    expect(waiting->world, is_right, what);
}

/* All send to all but some, of up to 3000 bytes. */
static struct nuce_pattern draw(int ranks)
{
    struct nuce_message messages[RANKS_MOST * RANKS_MOST];
    struct nuce_rng rng = nuce_rng_create(12, (uint64_t)ranks);
    struct nuce_pattern pattern = {0};
    struct nuce_error error = {0};
    int count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        int to_next = k % ranks == (k / ranks + 1) % ranks;

        if (to_next || nuce_rng_below(&rng, 4) > 0)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks,
                                                      1 + (int64_t)nuce_rng_below(&rng, 3000)};
    }
    must(nuce_pattern_init(ranks, messages, count, &pattern, &error), &error);
    return pattern;
}

/* The first rank sends to the last one, while it gets something of the second, which then has
 * nothing more to do; or the other way round. */
static struct nuce_pattern draw_few(int ranks, int is_back)
{
    const struct nuce_message there[] = {{0, ranks - 1, 700}, {1, 0, 500}};
    const struct nuce_message back[] = {{ranks - 1, 0, 700}, {0, 1, 500}};
    struct nuce_pattern pattern = {0};
    struct nuce_error error = {0};

    must(nuce_pattern_init(ranks, is_back ? back : there, 2, &pattern, &error), &error);
    return pattern;
}

/* One exchange is over then. Collective. */
static void waiting_init(struct nuce_world *world, const char *name,
                         const struct nuce_pattern *pattern, struct waiting *out)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(1, 2)};
    struct nuce_engine_input engine = {
        .world = world, .schedule = &out->schedule, .payload = &out->payload};
    struct nuce_error error = {0};

    memset(out, 0, sizeof *out);
    out->world = world;
    out->name = name;
    out->is_late = world->rank == world->size - 1;
    must(nuce_schedule_create(nuce_schedule_find(name), &input, &out->schedule, &error), &error);
    must(nuce_payload_init(pattern, world->rank, NULL, NULL, &out->payload, &error), &error);
    must(nuce_engine_init(&engine, &out->engine, &error), &error);
    nuce_engine_run(&out->engine); /* its remains must not be taken for the next one */
    nuce_payload_fill(&out->payload, 3);
}

static void waiting_fini(struct waiting *waiting)
{
    nuce_engine_fini(&waiting->engine);
    nuce_payload_fini(&waiting->payload);
    nuce_schedule_fini(&waiting->schedule);
}

static void poll_some(struct waiting *waiting, int polls)
{
    for (int i = 0; i < polls && !waiting->is_done; i++)
        waiting->is_done = waiting->engine.ops->progress(waiting->engine.self);
}

/* Rounds of polling, all ranks together, until none has been done in many that was not before.
 * done[rank]: the rank is done. Collective. */
static void settle(struct waiting *waiting, int *done)
{
    int before = -1, quiet = 0;

    while (quiet < 10) {
        int total = 0;

        if (!waiting->is_late)
            poll_some(waiting, 50);
        nuce_control_allgather(waiting->world, &waiting->is_done, 1, MPI_INT, done,
                               waiting->world->control);
        for (int i = 0; i < waiting->world->size; i++)
            total += done[i];
        quiet = total == before ? quiet + 1 : 0;
        before = total;
    }
}

/* A rank that waits names another one that is not done; as all wait for the late one in the end,
 * somebody names that. */
static void check_named(struct waiting *waiting, const int *done)
{
    int ranks = waiting->world->size, peer = -1, phase = -1, names_late = 0, waits = 0;

    for (int i = 0; i < ranks - 1; i++)
        waits += !done[i];
    if (!waiting->is_late && !waiting->is_done) {
        waiting->engine.ops->diagnose(waiting->engine.self, &peer, &phase);
        say(waiting, peer >= 0 && peer < ranks && peer != waiting->world->rank,
            "waits for another rank");
        say(waiting, peer < 0 || peer >= ranks || !done[peer], "waits for one that is done");
        say(waiting, phase >= 0, "in a phase");
        names_late = peer == ranks - 1;
    }
    nuce_control_allreduce(waiting->world, &names_late, 1, MPI_INT, MPI_MAX,
                           waiting->world->control);
    say(waiting, waits == 0 || names_late, "somebody waits for the late one");
}

/* The late rank starts; all ranks end, none waits any more, and every byte is there. */
static void check_end(struct waiting *waiting)
{
    struct nuce_error error = {0};
    int peer = -1, phase = -1, all = 0;

    if (waiting->is_late)
        nuce_engine_start(&waiting->engine);
    waiting->is_late = 0;
    while (!all) {
        poll_some(waiting, 50);
        all = waiting->is_done;
        nuce_control_allreduce(waiting->world, &all, 1, MPI_INT, MPI_MIN, waiting->world->control);
    }
    waiting->engine.ops->diagnose(waiting->engine.self, &peer, &phase);
    say(waiting, peer == -1, "still waits for a rank");
    say(waiting, nuce_payload_check(&waiting->payload, 3, &error) == NUCE_OK, error.message);
}

static void check_way(struct nuce_world *world, const char *name,
                      const struct nuce_pattern *pattern)
{
    struct waiting waiting;
    int done[RANKS_MOST];

    waiting_init(world, name, pattern, &waiting);
    if (!waiting.is_late)
        nuce_engine_start(&waiting.engine);
    settle(&waiting, done);
    check_named(&waiting, done);
    check_end(&waiting);
    waiting_fini(&waiting);
}

int main(int argc, char **argv)
{
    /* Each discipline, and the executors of their own that know which rank they wait for and can be
     * asked without waiting (rma cannot). */
    static const char *const names[] = {"ac",        "lp",      "lp-cyclic",  "rs-n",
                                        "colouring", "greedy",  "preemptive", "ac-blocking",
                                        "tuna",      "credits", "grants",     "node-aware"};
    struct nuce_world world;
    struct nuce_pattern patterns[3];

    ranks_begin(&argc, &argv, &world);
    NUCE_ASSERT(world.size > 1 && world.size <= RANKS_MOST);
    patterns[0] = draw(world.size);
    patterns[1] = draw_few(world.size, 0);
    patterns[2] = draw_few(world.size, 1);
    for (int p = 0; p < 3; p++) {
        for (size_t i = 0; i < COUNT(names); i++)
            check_way(&world, names[i], &patterns[p]);
        nuce_pattern_fini(&patterns[p]);
    }
    return ranks_end(&world);
}
