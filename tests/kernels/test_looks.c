/* Looks at the ranks' rates with a synthetic clock, so that the results can be computed by hand:
 * strips of 20 x 120 cells, cut for equal ranks, although rank i is i + 1 times as fast as rank 0.
 */
#include "expect.h"

#include <unistd.h>

#include "programs/rebalance.h"

enum { ROWS = 20, COLUMNS = 120, CELL_BYTES = 8, RANKS_MOST = 8, ITERATIONS = 24, LOOK = 4 };

#define SLOWEST 1000.0 /* cells per second of rank 0 */
#define SALT 9

/* The cost of messages where a network is known: seconds, and bytes per second. */
#define STARTUP_S 0.25
#define BANDWIDTH 1e5

struct looks {
    struct nuce_world *world;
    struct nuce_point point;
    struct nuce_field field;
    struct nuce_stage *home;
    struct nuce_rebalance rebalance;
    double computed_s;
};

/* network: a file; NULL: none is known. Collective. */
static void looks_init(struct nuce_world *world, const char *rebalance, const char *network,
                       struct looks *out)
{
    struct nuce_stencil_instance instance = {0};
    struct nuce_error error = {0};
    struct nuce_metrics found;
    char settings[512];

    memset(out, 0, sizeof *out);
    out->world = world;
    nuce_point_init(&nuce_workload_stencil, world->size, &out->point);
    snprintf(settings, sizeof settings,
             "rows=20 columns=120 decomposition=strips schedule=lp iterations=24 look-every=4 "
             "rebalance=%s%s%s",
             rebalance, network != NULL ? " network=" : "", network != NULL ? network : "");
    /* Speeds that change to the same values, after all looks of these tests. */
    for (int i = 0; strcmp(rebalance, NUCE_REBALANCE_AFTER_CHANGE) == 0 && i < world->size; i++)
        strcat(settings, i == 0 ? " speeds-after=15:1" : ",1");
    point_set(&out->point, settings);
    nuce_field_init(nuce_jacobi_find(5, "double"), ROWS, COLUMNS, 0, &out->field);
    must(nuce_stencil_instance_init(out->point.params, world->size, NULL, &instance, &error),
         &error);
    nuce_metrics_init(nuce_workload_stencil.results, &found);
    must(nuce_stage_create(world, &out->field, &out->point, &instance, NULL, &found, &out->home,
                           &error),
         &error);
    nuce_metrics_fini(&found);
    nuce_stencil_instance_fini(&instance);
    must(nuce_rebalance_init(world, &out->point, out->home, &out->rebalance, &error), &error);
    nuce_rebalance_return(&out->rebalance, SALT);
    nuce_rebalance_begin(&out->rebalance, 0);
}

/* Collective. */
static void looks_fini(struct looks *looks)
{
    nuce_rebalance_fini(&looks->rebalance);
    nuce_stage_destroy(looks->home);
    nuce_field_fini(&looks->field);
    nuce_point_fini(&looks->point);
}

/* Columns of a rank before, and after a cut by its rate: 120 (i + 1) of 1 + 2 + .. + ranks, which
 * is whole up to 5 ranks. */
static double columns_before(const struct looks *looks)
{
    return (double)COLUMNS / looks->world->size;
}

static double columns_after(const struct looks *looks, int rank)
{
    int ranks = looks->world->size;

    return COLUMNS * (rank + 1.0) / (ranks * (ranks + 1) / 2.0);
}

/* Cells of this rank now. */
static double cells_now(const struct looks *looks)
{
    return (double)nuce_region_cells(looks->rebalance.stage->part.region);
}

/* LOOK iterations in which this rank sweeps at its rate, up to number `done`, and the look. */
static void advance(struct looks *looks, int64_t done, double rate)
{
    double parts[NUCE_SAMPLE_PARTS] = {0};

    looks->computed_s += LOOK * cells_now(looks) / rate;
    nuce_rebalance_after(&looks->rebalance, done, looks->computed_s, parts);
    expect(looks->world, looks->rebalance.status == NUCE_OK, "a look fails");
    expect(looks->world, parts[NUCE_PART_REBALANCE] >= 0 && parts[NUCE_PART_MOVE] >= 0,
           "times below 0");
}

static double own_rate(const struct looks *looks)
{
    return SLOWEST * (looks->world->rank + 1);
}

/* The bytes that go from part to part, column by column. */
struct moved {
    double bytes[RANKS_MOST][RANKS_MOST];
    double all;
};

static int owner_of(const struct nuce_decomposition *tiling, int column)
{
    int i = 0;

    while (column < tiling->rectangles[i].column ||
           column >= tiling->rectangles[i].column + tiling->rectangles[i].columns)
        i++;
    return i;
}

/* Between the cut that all began with and the present one. */
static struct moved moved_by_hand(const struct looks *looks)
{
    struct moved moved = {0};

    for (int column = 0; column < COLUMNS; column++) {
        int from = owner_of(&looks->home->tiling, column);
        int to = owner_of(&looks->rebalance.stage->tiling, column);

        if (from != to) {
            moved.bytes[from][to] += ROWS * CELL_BYTES;
            moved.all += ROWS * CELL_BYTES;
        }
    }
    return moved;
}

/* Seconds of the port that is busy for longest. */
static double bound_by_hand(const struct moved *moved, int ranks)
{
    double most = 0;

    for (int i = 0; i < ranks; i++) {
        double out = 0, in = 0;

        for (int k = 0; k < ranks; k++) {
            out += moved->bytes[i][k] > 0 ? STARTUP_S + moved->bytes[i][k] / BANDWIDTH : 0;
            in += moved->bytes[k][i] > 0 ? STARTUP_S + moved->bytes[k][i] / BANDWIDTH : 0;
        }
        most = fmax(most, fmax(out, in));
    }
    return most;
}

/* The cut is the one by the rates, and every cell is where it belongs. Collective. */
static void expect_cut(struct looks *looks)
{
    const struct nuce_rebalance *r = &looks->rebalance;
    struct nuce_error error = {0};

    for (int i = 0; i < looks->world->size; i++) {
        expect(looks->world, is_near(r->rates[i], SLOWEST * (i + 1)), "rates");
        expect(looks->world,
               is_near(r->stage->tiling.rectangles[i].columns, columns_after(looks, i)),
               "columns of the new cut");
    }
    if (nuce_field_check(&looks->field, SALT, &r->stage->part.plane, r->stage->part.region, 0,
                         &error) != NUCE_OK)
        expect(looks->world, 0, error.message);
}

static void expect_home(struct looks *looks, const char *what)
{
    expect(looks->world, looks->rebalance.stage == looks->home && looks->rebalance.rebalances == 0,
           what);
}

/* Each look cuts by the rates since the look before, and moves the cells that change owners. The
 * second look, at the same rates, moves nothing; the third moves all back. A single rank moves
 * nothing. */
static void check_every_look(struct nuce_world *world)
{
    struct looks looks;
    struct nuce_rebalance *r = &looks.rebalance;
    struct nuce_error error = {0};
    int cuts = world->size > 1;

    looks_init(world, NUCE_REBALANCE_EVERY_LOOK, NULL, &looks);
    advance(&looks, LOOK, own_rate(&looks));
    expect(world, r->rebalances == cuts, "the first look cuts");
    expect(world, is_near((double)r->moved_bytes, moved_by_hand(&looks).all), "bytes moved");
    if (cuts)
        expect_cut(&looks);
    advance(&looks, 2 * LOOK, own_rate(&looks));
    expect(world, r->rebalances == cuts, "the second look has nothing to move");
    expect(world, r->predictions == 0, "nothing told what it would cost");
    if (nuce_rebalance_check(r, SALT, &error) != NUCE_OK)
        expect(world, 0, error.message);
    advance(&looks, 3 * LOOK, SLOWEST);
    expect(world, r->rebalances == 2 * cuts, "the third look cuts again");
    expect(world, is_near(cells_now(&looks), ROWS * columns_before(&looks)), "all as before");
    nuce_rebalance_end(r, ITERATIONS);
    nuce_rebalance_return(r, SALT + 1);
    expect(world, r->stage == looks.home, "the next sample begins at home");
    expect(world,
           nuce_field_check(&looks.field, SALT + 1, &looks.home->part.plane,
                            looks.home->part.region, 0, &error) == NUCE_OK,
           "with values of its own");
    looks_fini(&looks);
}

/* With a network, the model gives the time that a cut saves per iteration, and the time of the
 * move. */
static void check_predictions(struct nuce_world *world, const char *network)
{
    struct looks looks;
    struct nuce_rebalance *r = &looks.rebalance;
    double slowest_s, balanced_s;
    struct moved moved;
    struct nuce_metrics found;

    looks_init(world, NUCE_REBALANCE_EVERY_LOOK, network, &looks);
    slowest_s = ROWS * columns_before(&looks) / SLOWEST;
    balanced_s = ROWS * columns_after(&looks, 0) / SLOWEST;
    advance(&looks, LOOK, own_rate(&looks));
    moved = moved_by_hand(&looks);
    expect(world, moved.all > 0 || world->size == 1, "something was moved");
    expect(world, r->predictions == (world->size > 1), "the move was foretold");
    nuce_rebalance_end(r, ITERATIONS);
    nuce_rebalance_conclude(r);
    nuce_metrics_init(nuce_workload_stencil.results, &found);
    nuce_rebalance_describe(r, &found);
    if (world->size > 1) {
        json_t *values = found.values;

        /* Two borders as long as before: halos save nothing. */
        expect(world,
               is_near(json_number_value(json_object_get(values, "saving_predicted_s")),
                       slowest_s - balanced_s),
               "saving foretold");
        expect(world,
               is_near(json_number_value(json_object_get(values, "cut_predicted_s")),
                       bound_by_hand(&moved, world->size)),
               "cost foretold");
        expect(world, is_near(json_number_value(json_object_get(values, "moved_bytes")), moved.all),
               "bytes moved, of a sample");
        expect(world, is_near(json_number_value(json_object_get(values, "rebalances")), 1),
               "cuts of a sample");
    }
    expect(world, json_object_get(found.values, "iteration_changed_s") == NULL,
           "speeds did not change");
    nuce_metrics_fini(&found);
    looks_fini(&looks);
}

/* The cost of a move is weighed against the time that it can still save: 20 iterations after the
 * first look. */
static void check_when_it_pays(struct nuce_world *world, double share, int pays)
{
    struct looks looks;
    struct nuce_rebalance *r = &looks.rebalance;
    double saving_s;

    looks_init(world, NUCE_REBALANCE_WHEN_IT_PAYS, NULL, &looks);
    saving_s = ROWS * (columns_before(&looks) - columns_after(&looks, 0)) / SLOWEST;
    r->set_up_s = share * saving_s * (ITERATIONS - LOOK);
    r->byte_s = 0;
    advance(&looks, LOOK, own_rate(&looks));
    expect(world, r->rebalances == pays, pays ? "it pays" : "it does not pay");
    if (pays) {
        expect_cut(&looks);
        expect(world, is_near(r->saving_sum_s, saving_s), "saving of the cut");
    } else {
        expect_home(&looks, "nothing is cut");
        expect(world, is_near(r->saving_s, saving_s), "what it would have saved");
        expect(world, is_near(r->cost_s, share * saving_s * (ITERATIONS - LOOK)), "and cost");
    }
    looks_fini(&looks);
}

/* A rank whose clock stands still, and one so slow that it would get no cell. */
static void check_nothing_to_do(struct nuce_world *world)
{
    struct looks looks;

    looks_init(world, NUCE_REBALANCE_EVERY_LOOK, NULL, &looks);
    advance(&looks, LOOK, world->rank == 0 ? INFINITY : SLOWEST);
    expect_home(&looks, "a clock that stands still tells nothing");
    advance(&looks, 2 * LOOK, world->rank == 0 ? SLOWEST / 1e6 : SLOWEST);
    expect_home(&looks, "a part without cells is none");
    expect(world, looks.rebalance.looked_at == 2 * LOOK, "it has looked");
    looks_fini(&looks);
}

/* Where speeds never change, nothing is cut after a change. */
static void check_after_change(struct nuce_world *world)
{
    struct looks looks;
    struct nuce_rebalance *r = &looks.rebalance;

    looks_init(world, NUCE_REBALANCE_AFTER_CHANGE, NULL, &looks);
    advance(&looks, LOOK, own_rate(&looks));
    expect_home(&looks, "nothing has changed");
    /* A change within the stretch that a look is about: its rates are of neither speed. */
    r->is_due = 1;
    r->changed_at = LOOK + 1;
    advance(&looks, 2 * LOOK, own_rate(&looks));
    expect_home(&looks, "the look is of both speeds");
    advance(&looks, 3 * LOOK, own_rate(&looks));
    expect(world, r->rebalances == (world->size > 1), "a whole look lies behind the change");
    expect(world, world->size == 1 || !r->is_due, "it is done");
    looks_fini(&looks);
}

/* Rank 0 writes it for all. Collective. */
static void write_network(struct nuce_world *world, char path[64])
{
    snprintf(path, 64, "/tmp/nuce-looks-XXXXXX");
    if (world->rank == 0) {
        int file = mkstemp(path);
        FILE *stream = file < 0 ? NULL : fdopen(file, "w");

        if (stream == NULL ||
            fprintf(stream, "ranks any\nbetween %g %g\n", STARTUP_S, BANDWIDTH) < 0 ||
            fclose(stream) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    nuce_world_broadcast(world, path, 64);
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    char network[64];

    ranks_begin(&argc, &argv, &world);
    NUCE_ASSERT(world.size <= 5);
    write_network(&world, network);
    check_every_look(&world);
    check_predictions(&world, network);
    if (world.size > 1) {
        check_when_it_pays(&world, 0.9, 1);
        check_when_it_pays(&world, 1.1, 0);
        check_nothing_to_do(&world);
    }
    check_after_change(&world);
    if (world.rank == 0)
        unlink(network);
    return ranks_end(&world);
}
