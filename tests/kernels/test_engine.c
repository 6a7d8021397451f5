/* Every executor delivers every byte: each algorithm of the registry on many patterns, streams of
 * several depths on schedules whose messages are cut into pieces, credits and grants of several
 * depths, and schedules that use nodes on synthetic ones. With the argument `generated`: each
 * algorithm, and these again, on a pattern of every generator. */
#include "expect.h"

#include "run/bytes_type.h"
#include "run/engine.h"
#include "run/watchdog.h"
#include "schedules/generator.h"

/* Generators that take any number of ranks: uniform, hotspot, nearest, moe, fft between y and z,
 * graph and amr. */
#define LEAST_GENERATED 7

/* Counts failures of any rank; returns nonzero if there was none. Collective. */
static int went_well(struct nuce_world *world, nuce_status status, const char *what,
                     struct nuce_error *error)
{
    if (nuce_world_agree(world, status, error) == NUCE_OK)
        return 1;
    failed++;
    if (world->rank == 0)
        fprintf(stderr, "%s: %s\n", what, error->message);
    return 0;
}

/* Nonzero if the MPI lacks a call that the engine needs, which it then says. */
static int is_missing(nuce_status status, const struct nuce_error *error)
{
    return status == NUCE_BAD_INPUT && strstr(error->message, "this MPI has no") != NULL;
}

/* Runs schedule three times with different payloads, once in its halves. */
static void run_schedule(struct nuce_world *world, const struct nuce_pattern *pattern,
                         const struct nuce_schedule *schedule, const char *what)
{
    struct nuce_error error = {0};
    struct nuce_payload payload;
    struct nuce_engine engine;
    struct nuce_engine_input input = {.world = world, .schedule = schedule, .payload = &payload};
    nuce_status status;

    if (!went_well(world, nuce_schedule_validate(schedule, pattern, &error), what, &error))
        return; /* executing it would only say the same again */
    must(nuce_payload_init(pattern, world->rank, NULL, NULL, &payload, &error), &error);
    status = nuce_engine_init(&input, &engine, &error);
    if (is_missing(status, &error)) {
        nuce_payload_fini(&payload);
        return;
    }
    NUCE_ASSERT(status == NUCE_OK);
    for (uint64_t salt = 0; salt < 3; salt++) {
        nuce_payload_fill(&payload, salt);
        nuce_world_barrier(world);
        if (salt == 1) {
            nuce_engine_start(&engine);
            nuce_engine_progress(&engine);
            nuce_engine_finish(&engine);
        } else {
            nuce_engine_run(&engine);
        }
        if (engine.ops->check != NULL)
            went_well(world, engine.ops->check(engine.self, salt, &error), what, &error);
        went_well(world, nuce_payload_check(&payload, salt, &error), what, &error);
    }
    nuce_engine_fini(&engine);
    nuce_payload_fini(&payload);
}

/* A schedule by name, tuned. */
static void run_tuned(struct nuce_world *world, const struct nuce_pattern *pattern,
                      const char *name, const struct nuce_tuning *tuning)
{
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = tuning, .rng = nuce_rng_create(5, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error;

    must(nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error), &error);
    run_schedule(world, pattern, &schedule, name);
    nuce_schedule_fini(&schedule);
}

/* Where receivers grant; every radix of both schedules that forward, so that messages pass any
 * number of ranks; and nodes of up to four ranks, the last of what is left, with every number of
 * leaders. */
static void run_all_tuned(struct nuce_world *world, const struct nuce_pattern *pattern)
{
    struct nuce_tuning credits = nuce_tuning_preset, grants = credits, radix = credits;
    struct nuce_tuning leaders = credits;

    credits.in_flight = 3;
    grants.in_flight = 2;
    run_tuned(world, pattern, "credits", &credits);
    run_tuned(world, pattern, "grants", &grants);
    for (radix.radix = 2; radix.radix <= world->size; radix.radix++) {
        run_tuned(world, pattern, "tuna", &radix);
        run_tuned(world, pattern, "bruck-padded", &radix);
    }
    leaders.node_ranks = world->size < 4 ? world->size : 4;
    for (leaders.leaders = 1; leaders.leaders <= leaders.node_ranks; leaders.leaders++)
        run_tuned(world, pattern, "multi-leader", &leaders);
}

/* Nodes of two ranks, of ranks in turn, of one rank each, and of one rank and the rest. */
static void run_nodes(struct nuce_world *world, const struct nuce_pattern *pattern)
{
    static const char *const schedules[] = {"node-aware", "tuna-nodes", "fast", "multi-leader",
                                            "two-level"};
    static const char *const names[] = {"nodes of two", "three in turn", "one each", "one, rest"};

    for (int shape = 0; shape < 4; shape++) {
        int node_of[8];

        for (int i = 0; i < world->size; i++) {
            const int shapes[] = {i / 2, i % (world->size < 3 ? world->size : 3), i, i > 0};

            node_of[i] = shapes[shape];
        }
        for (size_t k = 0; k < COUNT(schedules); k++) {
            struct nuce_schedule_input input = {
                .pattern = pattern, .node_of = node_of, .rng = nuce_rng_create(5, 0)};
            struct nuce_schedule schedule;
            struct nuce_error error;

            must(nuce_schedule_create(nuce_schedule_find(schedules[k]), &input, &schedule, &error),
                 &error);
            run_schedule(world, pattern, &schedule, names[shape]);
            nuce_schedule_fini(&schedule);
        }
    }
}

static void run_algorithms(struct nuce_world *world, const struct nuce_pattern *pattern)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};
    struct nuce_error error;

    tuning.group_ranks = (world->size + 1) / 2;
    tuning.in_flight = 2;
    for (int i = 0; nuce_schedules[i] != NULL; i++) {
        struct nuce_schedule schedule;
        nuce_status status;

        if (nuce_schedules[i]->needs == NUCE_NEEDS_ARRAYS)
            continue; /* kernels.redistribute runs these */
        status = nuce_schedule_create(nuce_schedules[i], &input, &schedule, &error);
        if (status == NUCE_BAD_INPUT && nuce_schedules[i]->needs == NUCE_NEEDS_REDISTRIBUTION)
            continue;
        if (status != NUCE_OK) {
            went_well(world, error.status, nuce_schedules[i]->name, &error);
            continue;
        }
        run_schedule(world, pattern, &schedule, nuce_schedules[i]->name);
        nuce_schedule_fini(&schedule);
    }
}

/* Each message in up to three pieces, piece k of all before piece k + 1 of any. */
static void run_pieces(struct nuce_world *world, const struct nuce_pattern *pattern,
                       enum nuce_discipline discipline, int depth)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    char what[64];

    nuce_schedule_builder_init(&builder, pattern->ranks, discipline);
    builder.depth = depth;
    for (int piece = 0; piece < 3; piece++) {
        for (int source = 0; source < pattern->ranks; source++) {
            for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
                int64_t third = pattern->bytes[k] / 3;
                int64_t bytes = piece < 2 ? third : pattern->bytes[k] - 2 * third;

                if (bytes > 0)
                    nuce_schedule_add(&builder, source, pattern->destination[k], piece,
                                      piece * third, bytes);
            }
        }
    }
    nuce_schedule_build_end(&builder, &schedule);
    snprintf(what, sizeof what, "pieces, %s, depth %d", nuce_discipline_name(discipline), depth);
    run_schedule(world, pattern, &schedule, what);
    nuce_schedule_fini(&schedule);
}

static void run_pattern(struct nuce_world *world, struct nuce_pattern *pattern, int64_t unit)
{
    static const struct {
        enum nuce_discipline discipline;
        int depth;
    } pieces[] = {{NUCE_POST_ALL, 1},   {NUCE_STREAMS, 1},  {NUCE_STREAMS, 2},
                  {NUCE_STREAMS, 1000}, {NUCE_BLOCKING, 1}, {NUCE_BLOCKING, 3}};
    struct nuce_error error;

    must(nuce_pattern_scale(pattern, unit, &error), &error);
    run_algorithms(world, pattern);
    run_nodes(world, pattern);
    run_all_tuned(world, pattern);
    for (size_t i = 0; i < COUNT(pieces); i++)
        run_pieces(world, pattern, pieces[i].discipline, pieces[i].depth);
    nuce_pattern_fini(pattern);
}

/* All to all with different sizes, messages to oneself included. */
static void make_dense(int ranks, struct nuce_pattern *pattern)
{
    struct nuce_message messages[64];
    struct nuce_error error;
    int count = 0;

    NUCE_ASSERT(ranks <= 8);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++)
            messages[count++] = (struct nuce_message){i, j, 1 + 7 * i + 3 * j};
    }
    must(nuce_pattern_init(ranks, messages, count, pattern, &error), &error);
}

static void run_all(struct nuce_world *world)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    struct nuce_pattern pattern;
    struct nuce_error error;

    must(nuce_pattern_init(world->size, NULL, 0, &pattern, &error), &error);
    run_pattern(world, &pattern, 1);
    make_dense(world->size, &pattern);
    run_pattern(world, &pattern, 1);
    make_dense(world->size, &pattern);
    run_pattern(world, &pattern, 9001); /* beyond the eager limit */
    /* With many ranks on few processors every other degree is enough. */
    for (int degree = 1; degree <= world->size; degree *= world->size > 5 ? 4 : 2) {
        must(nuce_pattern_uniform(world->size, degree, &rng, &pattern, &error), &error);
        run_pattern(world, &pattern, 5);
    }
}

/* A pattern of degree 4, or of 1 where that is refused. */
static nuce_status draw(const struct nuce_generator_ops *generator, int ranks,
                        struct nuce_pattern *pattern, struct nuce_error *error)
{
    static const int degrees[] = {4, 1};

    for (size_t k = 0; k < COUNT(degrees); k++) {
        struct nuce_rng rng = nuce_rng_create(7, (uint64_t)ranks);
        struct nuce_generator_input input = {.ranks = ranks,
                                             .degree = degrees[k],
                                             .tokens = 40,
                                             .top_k = 1,
                                             .imbalance = 1,
                                             .grid = {9, 8, 7},
                                             .pencils = NUCE_PENCILS_YZ,
                                             .vertices = 32,
                                             .refined = 0.25};

        if (nuce_generators_draw(generator, &input, &rng, pattern, error) == NUCE_OK)
            return NUCE_OK;
    }
    return error->status;
}

static void run_generated(struct nuce_world *world)
{
    int drawn = 0;

    for (size_t i = 0; nuce_generators[i] != NULL; i++) {
        struct nuce_pattern pattern;
        struct nuce_error error = {0};
        int64_t before = failed;

        if (draw(nuce_generators[i], world->size, &pattern, &error) != NUCE_OK)
            continue;
        drawn++;
        must(nuce_pattern_scale(&pattern, 100, &error), &error);
        run_algorithms(world, &pattern);
        run_nodes(world, &pattern);
        nuce_pattern_fini(&pattern);
        if (failed > before && world->rank == 0)
            fprintf(stderr, "so of the pattern %s\n", nuce_generators[i]->name);
    }
    if (drawn < LEAST_GENERATED && world->rank == 0)
        fprintf(stderr, "%d generators made a pattern, expected %d\n", drawn, LEAST_GENERATED);
    failed += drawn < LEAST_GENERATED;
}

/* A type of more bytes than an int counts has that size. */
static int check_large_type(void)
{
    int64_t bytes = (INT64_C(5) << 30) + 12345;
    MPI_Datatype type;
    MPI_Count size;
    int count;

    nuce_bytes_type(bytes, &type, &count);
    NUCE_MPI(MPI_Type_size_x(type, &size));
    nuce_bytes_type_free(&type);
    return count != 1 || (int64_t)size != bytes;
}

int main(int argc, char **argv)
{
    void (*run)(struct nuce_world *) =
        argc > 1 && strcmp(argv[1], "generated") == 0 ? run_generated : run_all;
    struct nuce_watchdog watchdog;
    struct nuce_world world;
    struct nuce_error error;
    int provided;

    must(nuce_watchdog_start(&watchdog, &error), &error);
    NUCE_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    nuce_world_init(&world);
    nuce_watchdog_look_at(&watchdog, world.watch, world.board.ranks, world.board.count);
    nuce_watchdog_arm(&watchdog, 240, NULL, NULL);
    run(&world);
    failed += check_large_type();
    if (!world.wait.yield) { /* more ranks than processors have yielded already */
        world.wait = nuce_wait_under(&world.machine, "yield");
        run(&world);
    }
    nuce_watchdog_disarm(&watchdog);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    nuce_watchdog_stop(&watchdog);
    return failed > 0;
}
