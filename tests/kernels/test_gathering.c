/* From each rank's own row to the messages that it must know. All ranks know the pattern, so each
 * knows the expected result. Failures are counted on all ranks. */
#include "expect.h"

#include "base/rng.h"
#include "points/point.h"
#include "run/communication.h"
#include "run/gathering.h"
#include "run/nodes.h"
#include "schedules/schedule.h"

/* Each rank sends to some ranks, some of them to themselves, and the last one sends nothing. */
static struct nuce_pattern draw(int ranks)
{
    struct nuce_rng rng = nuce_rng_create(7, (uint64_t)ranks);
    struct nuce_message *messages = calloc((size_t)ranks * (size_t)ranks, sizeof *messages);
    struct nuce_pattern pattern = {0};
    struct nuce_error error = {0};
    int64_t count = 0;

    NUCE_ASSERT(messages != NULL);
    for (int i = 0; i < ranks - 1; i++) {
        for (int j = 0; j < ranks; j++) {
            if (nuce_rng_below(&rng, 3) > 0)
                messages[count++] =
                    (struct nuce_message){i, j, 1 + (int64_t)nuce_rng_below(&rng, 1000)};
        }
    }
    must(nuce_pattern_init(ranks, messages, count, &pattern, &error), &error);
    free(messages);
    return pattern;
}

static int same(const struct nuce_pattern *a, const struct nuce_pattern *b)
{
    return a->ranks == b->ranks && a->messages == b->messages &&
           memcmp(a->row, b->row, ((size_t)a->ranks + 1) * sizeof *a->row) == 0 &&
           memcmp(a->destination, b->destination, (size_t)a->messages * sizeof(int)) == 0 &&
           memcmp(a->bytes, b->bytes, (size_t)a->messages * sizeof *a->bytes) == 0;
}

static int is_source(const void *context, int source, int destination)
{
    (void)destination;
    return source == *(const int *)context;
}

static int is_end(const void *context, int source, int destination)
{
    return source == *(const int *)context || destination == *(const int *)context;
}

static struct nuce_pattern part_of(const struct nuce_pattern *pattern,
                                   int (*keeps)(const void *, int, int), int rank)
{
    struct nuce_pattern part = {0};
    struct nuce_error error = {0};

    must(nuce_pattern_filter(pattern, keeps, &rank, &part, &error), &error);
    return part;
}

/* The sends of this rank in both, and how many it has. */
static int same_sends(const struct nuce_world *world, const struct nuce_schedule *found,
                      const struct nuce_schedule *made)
{
    const int64_t *start = found->send_start + world->rank, *right = made->send_start + world->rank;
    int64_t sends = right[1] - right[0];

    return found->sends != NULL && start[1] - start[0] == sends &&
           memcmp(found->sends + start[0], made->sends + right[0],
                  (size_t)sends * sizeof *made->sends) == 0;
}

static void check_found(struct nuce_world *world, nuce_status status, struct nuce_pattern *found,
                        struct nuce_pattern *wanted, const char *what)
{
    expect(world, status == NUCE_OK && same(found, wanted), what);
    nuce_pattern_fini(found);
    nuce_pattern_fini(wanted);
}

/* Its own row and column, and the messages that pass it under store and forward. */
static void check_concern(struct nuce_world *world, const struct nuce_pattern *all,
                          const struct nuce_pattern *row)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {.pattern = all, .tuning = &tuning};
    struct nuce_pattern found = {0}, wanted = part_of(all, is_end, world->rank);
    struct nuce_error error = {0};

    check_found(world, nuce_gathering_concern(world, row, 0, &found, &error), &found, &wanted,
                "own messages");
    tuning.radix = 2;
    if (world->size < 2)
        return;
    must(nuce_schedule_concern(nuce_schedule_find("tuna"), &input, world->rank, &wanted, &error),
         &error);
    check_found(world, nuce_gathering_concern(world, row, 2, &found, &error), &found, &wanted,
                "messages that come by");
}

/* All of it, where it is asked for, and nothing elsewhere. */
static void check_whole(struct nuce_world *world, const struct nuce_pattern *all,
                        const struct nuce_pattern *row, enum nuce_gatherers gatherers)
{
    struct nuce_pattern found = {0};
    struct nuce_error error = {0};
    int is_asked = gatherers == NUCE_GATHER_FIRST ? world->rank == 0 : nuce_gathering_leads(world);

    expect(world, nuce_gathering_whole(world, row, gatherers, &found, &error) == NUCE_OK,
           "gathering all");

    expect(world, is_asked ? same(&found, all) : found.ranks == 0, "all messages");
    nuce_pattern_fini(&found);
}

/* The messages alone, from the leader. */
static void check_messages(struct nuce_world *world, const struct nuce_pattern *all)
{
    struct nuce_pattern found = {0}, wanted = part_of(all, is_end, world->rank);
    const struct nuce_pattern none = {0};
    struct nuce_error error = {0};

    check_found(world,
                nuce_gathering_hand_out(world, nuce_gathering_leads(world) ? all : &none, NULL,
                                        NULL, &found, NULL, &error),
                &found, &wanted, "messages alone handed out");
}

/* The share of a schedule that the leader made, and the messages. */
static void check_hand_out(struct nuce_world *world, const int *node_of,
                           const struct nuce_pattern *all, const char *name)
{
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);
    struct nuce_schedule_input input = {
        .pattern = all, .node_of = node_of, .rng = nuce_rng_create(1, 2)};
    struct nuce_pattern pattern = {0}, wanted = part_of(all, is_end, world->rank);
    const struct nuce_pattern none = {0};
    struct nuce_schedule schedule = {0}, made = {0}, nothing = {0};
    struct nuce_error error = {0};
    int rank = world->rank, leads = nuce_gathering_leads(world);
    int64_t receives;

    must(nuce_schedule_create(ops, &input, &made, &error), &error);
    expect(world,
           nuce_gathering_hand_out(world, leads ? all : &none, leads ? &made : &nothing, ops,
                                   &pattern, &schedule, &error) == NUCE_OK &&
               same(&pattern, &wanted),
           "messages handed out");
    receives = made.receive_start[rank + 1] - made.receive_start[rank];
    expect(world, same_sends(world, &schedule, &made), name);
    expect(world, schedule.receive_start[rank + 1] - schedule.receive_start[rank] == receives,
           name);
    expect(world, nuce_census_match(world, &schedule, &error) == NUCE_OK, "matching");
    expect(world, nuce_census_totals(world, &schedule).pieces == made.pieces, "pieces");
    nuce_schedule_fini(&made);
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&wanted);
}

/* The summary of all messages equals that of a rank that has them all, in each member: neither of
 * the two makers may omit what the other finds. All are int64_t, so there are no gaps. */
static void check_census(struct nuce_world *world, const struct nuce_pattern *all)
{
    struct nuce_pattern own = part_of(all, is_end, world->rank);
    struct nuce_pattern_summary wanted, found;
    char hash[NUCE_HASH_BYTES] = "", right[NUCE_HASH_BYTES];
    struct nuce_error error = {0};

    nuce_pattern_summarise(all, &wanted);
    nuce_pattern_hash(all, right);
    expect(world,
           nuce_census_summary(world, &own, &found, &error) == NUCE_OK &&
               memcmp(&found, &wanted, sizeof found) == 0,
           "summary");
    nuce_census_hash(world, &own, hash);
    expect(world, world->rank > 0 || strcmp(hash, right) == 0, "hash");
    nuce_pattern_fini(&own);
}

/* More bytes than an int64_t counts, from 3 ranks on, though those of each are not. */
static void check_too_many(struct nuce_world *world)
{
    const struct nuce_message message = {world->rank, (world->rank + 1) % world->size,
                                         INT64_MAX / 2};
    struct nuce_pattern own = {0};
    struct nuce_pattern_summary found;
    struct nuce_error error = {0};

    must(nuce_pattern_init(world->size, &message, 1, &own, &error), &error);
    expect(world,
           nuce_census_summary(world, &own, &found, &error) ==
               (world->size < 3 ? NUCE_OK : NUCE_BAD_INPUT),
           "too many bytes");
    nuce_pattern_fini(&own);
}

/* A rank whose plan is a byte off its peer's is found, by all. */
static void check_mismatch(struct nuce_world *world, const struct nuce_pattern *all)
{
    struct nuce_schedule_input input = {.pattern = all};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};
    int last = world->size - 2;

    if (last < 0 || all->row[last] == all->row[last + 1])
        return;
    must(nuce_schedule_create(nuce_schedule_find("lp"), &input, &schedule, &error), &error);
    expect(world, nuce_census_match(world, &schedule, &error) == NUCE_OK, "matching");
    if (world->rank == last)
        schedule.sends[schedule.send_start[last]].bytes++;
    expect(world, nuce_census_match(world, &schedule, &error) == NUCE_CORRUPT, "mismatch");
    nuce_schedule_fini(&schedule);
}

static void set(struct nuce_point *point, const char *key, json_t *value)
{
    struct nuce_error error = {0};

    must(nuce_point_set(point, key, value, &error), &error);
    json_decref(value);
}

/* A communication's plan, which the leader of each node makes for its node only, if the schedule
 * omits other nodes. This rank has the same pieces in it as in the whole schedule, and rank 0 has
 * the whole one. node_ranks 0: not given, all ranks are on this host. */
static void check_plan(struct nuce_world *world, const struct nuce_pattern *all,
                       const struct nuce_pattern *row, const char *name, int node_ranks)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = all, .tuning = &tuning, .rng = nuce_rng_create(1, 2)};
    struct nuce_pattern rows = *row;
    struct nuce_communication c = {0};
    struct nuce_schedule made;
    struct nuce_point point;
    struct nuce_error error = {0};
    struct nuce_metrics found;
    json_t *values;

    tuning.node_ranks = node_ranks > 0 ? node_ranks : world->size;
    nuce_point_init(&nuce_workload_exchange, world->size, &point);
    set(&point, "schedule", json_string(name));
    if (node_ranks > 0)
        set(&point, "node-ranks", json_integer(node_ranks));
    nuce_metrics_init(point.workload->results, &found);
    must(nuce_schedule_create(nuce_schedule_find(name), &input, &made, &error), &error);
    expect(world,
           nuce_communication_init(world, &point, &rows, NULL, &c, &found, &error) == NUCE_OK,
           nuce_error_flatten(&error));
    expect(world, same_sends(world, &c.plan.schedule, &made), name);
    values = nuce_metrics_values(&found, &error);
    expect(world,
           world->rank > 0 || json_integer_value(json_object_get(values, "phases")) == made.phases,
           "phases of all");
    json_decref(values);
    expect(world, nuce_communication_check(&c, 3, &error) == NUCE_OK, "bytes");
    nuce_communication_fini(&c);
    nuce_metrics_fini(&found);
    nuce_schedule_fini(&made);
    nuce_point_fini(&point);
}

/* Gathering and handing out by way of the nodes. node_of: of each rank, from 0. */
static void check_nodes(struct nuce_world *world, const int *node_of,
                        const struct nuce_pattern *all, const struct nuce_pattern *row)
{
    static const char *const names[] = {"rs-nh", "preemptive", "tuna", "node-aware"};

    check_whole(world, all, row, NUCE_GATHER_LEADERS);

    check_whole(world, all, row, NUCE_GATHER_FIRST);
    check_messages(world, all);
    for (size_t i = 0; i < COUNT(names); i++)
        check_hand_out(world, node_of, all, names[i]);
    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        const char *name = nuce_schedules[i]->name;

        if (nuce_schedules[i]->concern != NUCE_CONCERN_NODES)
            continue;
        check_plan(world, all, row, name, 0);
        check_plan(world, all, row, name, world->size < 2 ? 1 : 2);
    }
}

/* The same on synthetic nodes: blocks of two, in turn, one for the first rank only, and one for
 * each rank. */
static void check_made_up(struct nuce_world *world, const struct nuce_pattern *all,
                          const struct nuce_pattern *row)
{
    int *node_of = calloc((size_t)world->size, sizeof *node_of);

    NUCE_ASSERT(node_of != NULL);
    for (int shape = 0; shape < 4; shape++) {
        struct nuce_world divided = *world;

        for (int i = 0; i < world->size; i++) {
            const int nodes[] = {i / 2, i % 2, i > 0, i};

            node_of[i] = nodes[shape];
        }
        NUCE_MPI(MPI_Comm_split(world->control, node_of[world->rank], world->rank, &divided.node));
        NUCE_MPI(MPI_Comm_set_errhandler(divided.node, MPI_ERRORS_RETURN));
        nuce_world_split_leaders(&divided);
        expect(world,
               world->size < 3 ||
                   (divided.leaders != MPI_COMM_NULL) == nuce_gathering_leads(&divided),
               "leaders are the first of their nodes");
        check_nodes(&divided, node_of, all, row);
        if (divided.leaders != MPI_COMM_NULL)
            NUCE_MPI(MPI_Comm_free(&divided.leaders));
        NUCE_MPI(MPI_Comm_free(&divided.node));
    }
    free(node_of);
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    int *node_of = NULL;
    struct nuce_pattern all, row;

    ranks_begin(&argc, &argv, &world);
    all = draw(world.size);
    row = part_of(&all, is_source, world.rank);
    check_concern(&world, &all, &row);
    nuce_nodes_by_host(&world, &node_of);
    check_nodes(&world, node_of, &all, &row);
    free(node_of);
    check_made_up(&world, &all, &row);
    check_census(&world, &all);
    check_too_many(&world);
    check_mismatch(&world, &all);
    nuce_pattern_fini(&all);
    nuce_pattern_fini(&row);
    return ranks_end(&world);
}
