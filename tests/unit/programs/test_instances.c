/* What the models say of points that are put together from settings, asked as nuce-model asks: of
 * an exchange, every transfer that they tell of against the COM and the clock; of a stencil, an
 * array whose cells are painted one by one with the part that they are of; of a mapping, networks
 * that are walked link by link. */
#include "../folder.h"
#include "../mapping/networks.h"
#include "../workloads/points.h"

#include "instances/decomposition.h"
#include "mapping/placement.h"
#include "programs/point_model.h"

/* More tables than any workload has, with that of the models and the end. */
#define TABLES_MOST 16

/* The answer to one question. */
struct answer {
    nuce_status status;
    struct nuce_error error;
    const struct nuce_result *tables[TABLES_MOST];
    struct nuce_found found;
    json_t *lists;
};

static void answer_fini(struct answer *answer)
{
    nuce_found_fini(&answer->found);
    json_decref(answer->lists);
}

/* Asks into *answer, where the tables then stay that its numbers are of. */
static void ask(const struct nuce_point *point, const struct nuce_model_question *question,
                struct nuce_model_shared *shared, struct answer *answer)
{
    int count = 0;

    memset(answer, 0, sizeof *answer);
    answer->tables[count++] = nuce_model_results;
    for (int i = 0; point->workload->results[i] != NULL; i++) {
        assert_true(count < TABLES_MOST - 1);
        answer->tables[count++] = point->workload->results[i];
    }
    answer->lists = json_object();
    nuce_found_init(answer->tables, &answer->found);
    answer->status = nuce_model_instance(point->workload, point->params, point->ranks, question,
                                         shared, &answer->found, answer->lists, &answer->error);
}

/* The same where nothing may be wrong and nothing is shared; the point is not needed any more. */
static void ask_alone(struct nuce_point point, const struct nuce_model_question *question,
                      struct answer *answer)
{
    struct nuce_model_shared shared = {0};

    ask(&point, question, &shared, answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
    if (answer->status != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&answer->error));
}

/* Whether it was found, and a number that was. */
static int answer_has(const struct answer *answer, const char *name)
{
    return json_object_get(answer->found.values, name) != NULL;
}

static double answer_of(const struct answer *answer, const char *name)
{
    if (!answer_has(answer, name))
        fail_msg("%s was not found", name);
    return json_number_value(json_object_get(answer->found.values, name));
}

/* That two numbers are the same but for rounding. */
#define assert_alike(a, b) assert_near(a, b, 1e-11 * fmax(fabs((double)(a)), fabs((double)(b))))

static const char *answer_text(const struct answer *answer, const char *name)
{
    return json_string_value(json_object_get(answer->found.values, name));
}

/* The folder of all tests; a message takes a second, and one more for each byte. */
static int files_setup(void **state)
{
    folder_setup(state);
    file_write("some.network", "ranks any\nbetween 1 1\n");
    file_write("pentagon", pentagon);
    return 0;
}

static const struct nuce_model_question everything = {
    .network = "some.network", .of_schedule = 1, .of_workload = 1, .is_emitted = 1};

/* 0 sends 4 bytes to 1 and 2 to 2, 1 sends 6 to 0; rank 3 has nothing, and 2 keeps its own. */
static const char four[] = "4\n0 1 4\n0 2 2\n1 0 6\n2 2 99\n";

/* One end of a transfer, as the models list it. */
struct told {
    int rank, peer, is_send;
    json_int_t phase, offset, bytes;
    double start, end;
};

static struct told told_of(const json_t *transfer)
{
    const char *direction;
    struct told told;

    assert_int_equal(json_unpack((json_t *)transfer, "{s:i, s:s, s:i, s:I, s:I, s:I, s:f, s:f}",
                                 "rank", &told.rank, "direction", &direction, "peer", &told.peer,
                                 "phase", &told.phase, "offset", &told.offset, "bytes", &told.bytes,
                                 "start", &told.start, "end", &told.end),
                     0);
    told.is_send = strcmp(direction, "send") == 0;
    return told;
}

/* Whether two ends are those of one transfer, at the same time. */
static int are_ends(const struct told *a, const struct told *b)
{
    return a->is_send != b->is_send && a->rank == b->peer && a->peer == b->rank &&
           a->phase == b->phase && a->offset == b->offset && a->bytes == b->bytes &&
           a->end == b->end;
}

/* Whether two transfers of one port are in it at once. */
static int share_a_port(const struct told *a, const struct told *b)
{
    return a->is_send == b->is_send && a->rank == b->rank && a->rank != a->peer &&
           b->rank != b->peer && fmin(a->end, b->end) - fmax(a->start, b->start) > 1e-9;
}

/* Every end has one other end; a transfer takes a second and its bytes; ports take one at a time
 * where single_port says so. Returns the seconds of all transfers over wires one after the other.
 */
static double check_transfers(const json_t *transfers, const char *schedule, int single_port)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(transfers); i++) {
        struct told a = told_of(json_array_get(transfers, i));
        int other_ends = 0;

        for (size_t k = 0; k < json_array_size(transfers); k++) {
            struct told b = told_of(json_array_get(transfers, k));

            other_ends += are_ends(&a, &b);
            if (single_port && k != i && share_a_port(&a, &b))
                fail_msg("%s: two transfers at once through a port of rank %d", schedule, a.rank);
        }
        if (other_ends != 1)
            fail_msg("%s: rank %d, peer %d: %d other ends", schedule, a.rank, a.peer, other_ends);
        if (a.rank != a.peer && a.end - a.start < 1 + (double)a.bytes - 1e-9)
            fail_msg("%s: %d bytes in %g s", schedule, (int)a.bytes, a.end - a.start);
        sum += a.is_send && a.rank != a.peer ? 1 + (double)a.bytes : 0;
    }
    return sum;
}

/* All bytes of the COM are sent once, by whom they are from to whom they are for. */
static void check_bytes(const json_t *transfers, const char *schedule, int ranks,
                        const json_int_t *com)
{
    json_int_t left[64];

    memcpy(left, com, (size_t)(ranks * ranks) * sizeof *com);
    for (size_t i = 0; i < json_array_size(transfers); i++) {
        struct told told = told_of(json_array_get(transfers, i));

        if (told.is_send)
            left[told.rank * ranks + told.peer] -= told.bytes;
    }
    for (int k = 0; k < ranks * ranks; k++) {
        if (left[k] != 0)
            fail_msg("%s: %d bytes are left from %d to %d", schedule, (int)left[k], k / ranks,
                     k % ranks);
    }
}

/* A third of the pairs exchange up to 9 bytes, ranks themselves too. */
static void draw_com(struct nuce_rng *rng, int ranks, json_int_t *com, char *text, size_t room)
{
    size_t at = (size_t)snprintf(text, room, "%d\n", ranks);

    for (int k = 0; k < ranks * ranks; k++) {
        com[k] = nuce_rng_below(rng, 3) == 0 ? 1 + (json_int_t)nuce_rng_below(rng, 9) : 0;
        if (com[k] > 0)
            at += (size_t)snprintf(text + at, room - at, "%d %d %d\n", k / ranks, k % ranks,
                                   (int)com[k]);
    }
}

/* One schedule of one COM. Returns 1 if it was modelled in time. */
static int check_schedule(const char *schedule, int ranks, const json_int_t *com)
{
    struct nuce_model_shared shared = {0};
    struct nuce_point point;
    struct nuce_error error = {0};
    struct answer answer;
    char text[128];
    int is_timed = 0;

    snprintf(text, sizeof text, "exchange %d schedule=%s com=some.com", ranks, schedule);
    if (point_make(text, &point, &error) != NUCE_OK) {
        nuce_point_fini(&point);
        return 0; /* only for arrays, or for a power of two */
    }
    ask(&point, &everything, &shared, &answer);
    if (answer.status == NUCE_OK && json_object_get(answer.lists, "transfers") != NULL) {
        const json_t *transfers = json_object_get(answer.lists, "transfers");
        int forwards = json_object_get(json_array_get(transfers, 0), "parcels") != NULL;
        int is_fluid = strcmp(answer_text(&answer, "execution"), "fluid") == 0;
        double sum = check_transfers(transfers, schedule, !is_fluid);
        double makespan = answer_of(&answer, "makespan_s");

        is_timed = 1;
        if (!forwards)
            check_bytes(transfers, schedule, ranks, com);
        if (makespan > sum + 1e-9 ||
            (!forwards && !is_fluid && makespan < answer_of(&answer, "single_port_bound_s") - 1e-9))
            fail_msg("%s: %g s, at least %g and at most %g", schedule, makespan,
                     answer_of(&answer, "single_port_bound_s"), sum);
    } else if (answer.status != NUCE_OK) {
        assert_int_equal(answer.status, NUCE_BAD_INPUT);
        assert_true(answer.error.message[0] != '\0');
    }
    answer_fini(&answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
    return is_timed;
}

/* Every schedule there is, for few ranks and primes. */
static void test_every_schedule(void **state)
{
    static const int ranks[] = {1, 2, 3, 5, 8};
    struct nuce_rng rng = nuce_rng_create(3, 0);
    int timed = 0;

    for (size_t i = 0; i < COUNT(ranks); i++) {
        json_int_t com[64];
        char text[1024];
        const char *name;

        draw_com(&rng, ranks[i], com, text, sizeof text);
        file_write("some.com", text);
        for (size_t k = 0; (name = nuce_schedule_name(k)) != NULL; k++)
            timed += check_schedule(name, ranks[i], com);
    }
    assert_true(timed >= 100); /* the others are dynamic, or not for such an exchange */
}

/* Contenders share what is read: the second one needs no file any more. */
static void test_shared(void **state)
{
    struct nuce_model_shared shared = {0};
    struct nuce_point first, second;
    struct answer alone, answer;

    file_write("some.com", four);
    first = point_of("exchange 4 schedule=lp com=some.com");
    second = point_of("exchange 4 schedule=greedy com=some.com");
    ask_alone(point_of("exchange 4 schedule=greedy com=some.com"), &everything, &alone);
    ask(&first, &everything, &shared, &answer);
    assert_ok(answer.status);
    answer_fini(&answer);
    assert_int_equal(unlink("some.com") | rename("some.network", "hidden"), 0);
    ask(&second, &everything, &shared, &answer);
    assert_ok(answer.status);
    assert_alike(answer_of(&answer, "makespan_s"), answer_of(&alone, "makespan_s"));
    assert_true(json_equal(answer.lists, alone.lists));
    answer_fini(&answer);
    answer_fini(&alone);
    nuce_model_shared_fini(&shared);
    nuce_model_shared_fini(&shared); /* it is empty now */
    ask(&second, &everything, &shared, &answer);
    assert_int_equal(answer.status, NUCE_BAD_INPUT);
    assert_int_equal(shared.is_made, 0);
    answer_fini(&answer);
    nuce_point_fini(&first);
    nuce_point_fini(&second);
    assert_int_equal(rename("hidden", "some.network"), 0);
}

/* A record has what a run has, so no time that the model took and none but the prediction. */
static void test_recorded(void **state)
{
    struct nuce_model_question question = everything;
    struct answer answer;

    file_write("some.com", four);
    question.is_recorded = 1;
    question.is_emitted = 0;
    ask_alone(point_of("exchange 4 schedule=best com=some.com"), &question, &answer);
    assert_true(answer_has(&answer, "predicted_s"));
    assert_false(answer_has(&answer, "schedule_s") || answer_has(&answer, "makespan_s") ||
                 answer_has(&answer, "execution"));
    assert_int_equal(json_object_size(answer.lists), 0);
    answer_fini(&answer);
    for (question.is_recorded = 0; question.is_recorded < 2; question.is_recorded++) {
        ask_alone(point_of("exchange 4 schedule=rs-nh com=some.com"), &question, &answer);
        assert_int_equal(answer_has(&answer, "heap_s"), !question.is_recorded);
        answer_fini(&answer);
    }
    question.of_schedule = 0;
    ask_alone(point_of("exchange 4 schedule=rs-nh com=some.com"), &question, &answer);
    assert_int_equal(json_object_size(answer.found.values), 0);
    answer_fini(&answer);
}

/* The execution that is asked for is taken, and to wait for all ranks' phase is never faster than
 * to wait for one's own. */
static void test_execution(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 1);
    struct nuce_model_question question = everything;

    for (int draw = 0; draw < 8; draw++) {
        double makespan_s[2];
        json_int_t com[64];
        char text[1024];

        draw_com(&rng, 7, com, text, sizeof text);
        file_write("some.com", text);
        for (int i = 0; i < 2; i++) {
            enum nuce_execution execution = i == 0 ? NUCE_LOOSE : NUCE_BARRIER;
            struct answer answer;

            question.execution = &execution;
            ask_alone(point_of("exchange 7 schedule=rs-n com=some.com"), &question, &answer);
            assert_string_equal(answer_text(&answer, "execution"), i == 0 ? "loose" : "barrier");
            makespan_s[i] = answer_of(&answer, "makespan_s");
            answer_fini(&answer);
        }
        assert_true(makespan_s[0] > 0 && makespan_s[0] <= makespan_s[1] + 1e-12);
    }
}

/* One of the candidates is chosen, none is faster, and each takes as long as it does alone. */
static void test_candidates(void **state)
{
    struct answer answer, alone;
    const json_t *candidate;
    size_t index;
    int chosen = 0;

    file_write("some.com", "5\n0 1 9\n0 2 1\n3 2 7\n4 2 2\n2 0 5\n1 3 8\n");
    ask_alone(point_of("exchange 5 schedule=best com=some.com choices=lp,greedy,rs-n,lpt"),
              &everything, &answer);
    assert_int_equal(json_array_size(json_object_get(answer.lists, "candidates")), 4);
    json_array_foreach(json_object_get(answer.lists, "candidates"), index, candidate)
    {
        double makespan = json_number_value(json_object_get(candidate, "makespan"));

        ask_alone(point_of("exchange 5 schedule=%s com=some.com",
                           json_string_value(json_object_get(candidate, "name"))),
                  &everything, &alone);
        assert_alike(makespan, answer_of(&alone, "makespan_s"));
        assert_true(makespan >= answer_of(&answer, "makespan_s"));
        if (json_integer_value(json_object_get(candidate, "chosen"))) {
            assert_alike(makespan, answer_of(&answer, "makespan_s"));
            chosen++;
        }
        answer_fini(&alone);
    }
    assert_int_equal(chosen, 1);
    answer_fini(&answer);
}

/* Borders are counted where two neighbours differ. */

enum { ROWS = 24, COLUMNS = 35, RANKS_MOST = 16, SWITCHES_MOST = 16 };

/* The part of each cell; -1: of none. */
struct painting {
    int part[ROWS][COLUMNS];
    int area[RANKS_MOST];
};

/* Paints the parts; fails where they lie over one another, or leave a cell. */
static void paint(const json_t *rectangles, struct painting *out)
{
    const json_t *rectangle;
    size_t index;

    memset(out->part, -1, sizeof out->part);
    memset(out->area, 0, sizeof out->area);
    json_array_foreach(rectangles, index, rectangle)
    {
        double side[5];

        for (size_t i = 0; i < 5; i++) {
            side[i] = json_number_value(json_array_get(rectangle, i));
            assert_alike(side[i], floor(side[i]));
        }
        for (int row = (int)side[1]; row < (int)(side[1] + side[3]); row++) {
            for (int column = (int)side[2]; column < (int)(side[2] + side[4]); column++) {
                assert_in_range(row, 0, ROWS - 1);
                assert_in_range(column, 0, COLUMNS - 1);
                assert_int_equal(out->part[row][column], -1);
                out->part[row][column] = (int)side[0];
                out->area[(int)side[0]]++;
            }
        }
    }
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++)
            assert_true(out->part[row][column] >= 0);
    }
}

/* What the painting has of borders. */
struct borders {
    int inner, wrapped; /* sides of cells between two parts: of the array, and where it wraps */
    int pairs;          /* of parts that have such a side in the array */
};

static void count_side(int a, int b, int is_inner, char *touch, struct borders *borders)
{
    if (a == b)
        return;
    borders->wrapped++;
    borders->inner += is_inner;
    if (is_inner)
        touch[(a < b ? a : b) * RANKS_MOST + (a < b ? b : a)] = 1;
}

static struct borders count_borders(const struct painting *painting)
{
    char touch[RANKS_MOST * RANKS_MOST] = "";
    struct borders borders = {0};

    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            int own = painting->part[row][column];

            count_side(own, painting->part[(row + 1) % ROWS][column], row + 1 < ROWS, touch,
                       &borders);
            count_side(own, painting->part[row][(column + 1) % COLUMNS], column + 1 < COLUMNS,
                       touch, &borders);
        }
    }
    for (int k = 0; k < RANKS_MOST * RANKS_MOST; k++)
        borders.pairs += touch[k];
    return borders;
}

/* The part that has most for its weight, beside what it should have. */
static double worst_share(const struct painting *painting, const double *weights, int ranks)
{
    double total = 0, worst = 0;

    for (int i = 0; i < ranks; i++)
        total += weights[i];
    for (int i = 0; i < ranks; i++)
        worst = fmax(worst, painting->area[i] * total / (weights[i] * ROWS * COLUMNS));
    return worst;
}

static const struct nuce_model_question of_array = {.network = "cm5", .of_workload = 1};

static void check_cut(const char *decomposition, int ranks, const char *list, const double *weights)
{
    struct painting painting;
    struct borders borders;
    struct answer answer;

    ask_alone(point_of("stencil %d rows=%d columns=%d weights=%s decomposition=%s latency=2.5 "
                       "integer=true allow-empty=true",
                       ranks, ROWS, COLUMNS, list, decomposition),
              &of_array, &answer);
    paint(json_object_get(answer.lists, "rectangles"), &painting);
    borders = count_borders(&painting);
    assert_int_equal(answer_of(&answer, "acost"), borders.inner);
    assert_int_equal(answer_of(&answer, "bcost"), borders.wrapped);
    assert_int_equal(answer_of(&answer, "internal_edges"), borders.pairs);
    assert_alike(answer_of(&answer, "cost"), borders.inner + 2.5 * borders.pairs);
    assert_alike(answer_of(&answer, "imbalance"), worst_share(&painting, weights, ranks));
    /* Rounding moves a border by half a cell at most. */
    assert_true(answer_of(&answer, "area_error") <= ROWS + COLUMNS + 1);
    assert_true(answer_of(&answer, "decompose_s") >= 0);
    answer_fini(&answer);
}

/* Every decomposition, equal parts and unlike ones. */
static void test_painted(void **state)
{
    static const int ranks[] = {1, 2, 3, 5, 7, 12};
    struct nuce_rng rng = nuce_rng_create(18, 0);

    for (size_t d = 0; nuce_decompositions[d] != NULL; d++) {
        const struct nuce_decomposition_ops *ops = nuce_decompositions[d];

        for (size_t i = 0; i < COUNT(ranks); i++) {
            double weights[RANKS_MOST];
            char list[256];
            size_t at = 0;

            if (ops->most_parts > 0 && ranks[i] > ops->most_parts)
                continue;
            for (int k = 0; k < ranks[i]; k++) {
                weights[k] = ops->is_uniform ? 1 : 1 + (double)nuce_rng_below(&rng, 5);
                at += (size_t)snprintf(list + at, sizeof list - at, "%s%g", k > 0 ? "," : "",
                                       weights[k]);
            }
            check_cut(ops->name, ranks[i], list, weights);
        }
    }
}

/* Links between any two switches, by the list of links and nothing else. */
struct walks {
    int switches, links;
    int hops[SWITCHES_MOST][SWITCHES_MOST];
};

static void walk_links(const json_t *links, int switches, struct walks *out)
{
    const json_t *link;
    size_t index;

    *out = (struct walks){.switches = switches};
    for (int a = 0; a < switches; a++) {
        for (int b = 0; b < switches; b++)
            out->hops[a][b] = a == b ? 0 : 1000;
    }
    json_array_foreach(links, index, link)
    {
        int a = (int)json_integer_value(json_array_get(link, 0));
        int b = (int)json_integer_value(json_array_get(link, 1));

        assert_true(a < b && b < switches && out->hops[a][b] != 1);
        out->hops[a][b] = out->hops[b][a] = 1;
        out->links++;
    }
    for (int k = 0; k < switches; k++) {
        for (int a = 0; a < switches; a++) {
            for (int b = 0; b < switches; b++) {
                if (out->hops[a][k] + out->hops[k][b] < out->hops[a][b])
                    out->hops[a][b] = out->hops[a][k] + out->hops[k][b];
            }
        }
    }
}

/* The tree of switches that routing goes by: one root, parents a level above and linked, and a walk
 * that is at each of them once. */
static void check_tree(const json_t *switches, const struct walks *walks)
{
    int level[SWITCHES_MOST], seen[SWITCHES_MOST] = {0}, roots = 0;
    const json_t *one;
    size_t index;

    assert_int_equal(json_array_size(switches), walks->switches);
    json_array_foreach(switches, index, one)
    {
        assert_int_equal(json_integer_value(json_array_get(one, 0)), index);
        level[index] = (int)json_integer_value(json_array_get(one, 1));
        seen[json_integer_value(json_array_get(one, 3))]++;
    }
    json_array_foreach(switches, index, one)
    {
        const json_t *parent = json_array_get(one, 2);

        assert_int_equal(seen[index], 1);
        if (json_is_null(parent)) {
            assert_int_equal(level[index], 0);
            roots++;
            continue;
        }
        assert_int_equal(level[json_integer_value(parent)], level[index] - 1);
        assert_int_equal(walks->hops[json_integer_value(parent)][index], 1);
    }
    assert_int_equal(roots, 1);
}

/* The switch of each rank; each must stand in its row and column of a mesh so wide. */
static void read_placed(const json_t *placed, int ranks, int wide, int *home)
{
    const json_t *one;
    size_t index;

    assert_int_equal(json_array_size(placed), ranks);
    json_array_foreach(placed, index, one)
    {
        assert_int_equal(json_integer_value(json_array_get(one, 0)), index);
        home[index] = (int)json_integer_value(json_array_get(one, 1));
        assert_int_equal(json_integer_value(json_array_get(one, 2)), (int)index / wide);
        assert_int_equal(json_integer_value(json_array_get(one, 3)), (int)index % wide);
    }
}

/* Nobody shares a node with more than there is room for. */
static void check_nodes(const json_t *nodes, int ranks, int per_node)
{
    assert_int_equal(json_array_size(nodes), ranks);
    for (int i = 0; i < ranks; i++) {
        int same = 0;

        for (int k = 0; k < ranks; k++)
            same += json_equal(json_array_get(nodes, (size_t)i), json_array_get(nodes, (size_t)k));
        assert_in_range(same, 1, per_node);
    }
}

/* Links that all edges of a mesh so wide cross where rank i is on switch home[i], and the mean over
 * the ranks of the mean time to those beside them. */
struct costs {
    double cardinality, latency_s;
};

static struct costs costs_of(const struct walks *walks, const int *home, int ranks, int wide)
{
    struct costs costs = {0};

    for (int i = 0; i < ranks; i++) {
        double seconds = 0;
        int partners = 0;

        for (int k = 0; k < ranks; k++) {
            int across = abs(i % wide - k % wide), down = abs(i / wide - k / wide);
            int hops = walks->hops[home[i]][home[k]];

            if (across + down != 1)
                continue;
            costs.cardinality += k > i ? hops : 0;
            /* A message goes through one switch more than links between switches, and through two
             * links more, to and from the nodes. */
            seconds += NUCE_DELAY_STARTUP_S + 2 * NUCE_DELAY_INTERFACE_S +
                       (hops + 1) * NUCE_DELAY_SWITCH_S + (hops + 2) * NUCE_DELAY_LINK_S;
            partners++;
        }
        costs.latency_s += partners > 0 ? seconds / partners / ranks : 0;
    }
    return costs;
}

static const struct nuce_model_question of_placement = {.network = "cm5", .of_workload = 1};

/* One placement on a drawn network by shortest ways. Returns its cardinality. */
static double check_placement(const char *placement, int seed, struct nuce_model_shared *shared)
{
    struct nuce_point point =
        point_of("mapping 12 placement=%s mesh=3x4 switches=9 ports=6 nodes=16 connectivity=0.6 "
                 "routing=shortest layout=true seed=%d",
                 placement, seed);
    struct answer answer;
    struct walks walks;
    struct costs costs;
    int home[RANKS_MOST];

    ask(&point, &of_placement, shared, &answer);
    assert_ok(answer.status);
    assert_int_equal(answer_of(&answer, "network_switches"), 9);
    assert_int_equal(answer_of(&answer, "network_nodes"), 16);
    walk_links(json_object_get(answer.lists, "switch_links"), 9, &walks);
    assert_int_equal(answer_of(&answer, "network_links"), walks.links);
    check_tree(json_object_get(answer.lists, "switches"), &walks);
    check_nodes(json_object_get(answer.lists, "processors"), 12, 1);
    read_placed(json_object_get(answer.lists, "placed"), 12, 4, home);
    costs = costs_of(&walks, home, 12, 4);
    assert_alike(answer_of(&answer, "cardinality"), costs.cardinality);
    assert_alike(answer_of(&answer, "latency_0_s"), costs.latency_s);
    assert_null(json_object_get(answer.lists, "node_names"));
    answer_fini(&answer);
    nuce_point_fini(&point);
    return costs.cardinality;
}

/* Every placement that is here, on networks that they share. */
static void test_walked(void **state)
{
    double best = INFINITY, worst = 0;

    for (int seed = 0; seed < 4; seed++) {
        struct nuce_model_shared shared = {0};

        for (size_t i = 0; nuce_placements[i] != NULL; i++) {
            double cardinality;

            if (strcmp(nuce_placements[i]->name, "scotch") == 0)
                continue; /* it may not be here */
            cardinality = check_placement(nuce_placements[i]->name, seed, &shared);
            best = fmin(best, cardinality);
            worst = fmax(worst, cardinality);
        }
        nuce_model_shared_fini(&shared);
    }
    assert_true(worst > 1.2 * best); /* else there was nothing to tell apart */
}

/* Five processes in a row on the network of the file pentagon. */
#define ON_FILE "mapping 5 placement=%s mesh=1x5 topology=pentagon routing=%s layout=true"

/* All 120 placements on the pentagon: a row of five along its circle crosses four links and no
 * placement does with less; bisection finds it. */
static void test_pentagon(void **state)
{
    int home[5], tried = 0;
    struct answer answer;
    struct walks walks;
    double least = INFINITY;

    ask_alone(point_of(ON_FILE, "bisection", "shortest"), &of_placement, &answer);
    walk_links(json_object_get(answer.lists, "switch_links"), 5, &walks);
    for (int code = 0; code < 3125; code++) {
        int used = 0;

        for (int i = 0, rest = code; i < 5; i++, rest /= 5) {
            home[i] = rest % 5;
            used |= 1 << home[i];
        }
        if (used != 31)
            continue;
        least = fmin(least, costs_of(&walks, home, 5, 5).cardinality);
        tried++;
    }
    assert_int_equal(tried, 120);
    assert_alike(least, 4.);
    assert_alike(answer_of(&answer, "cardinality"), 4);
    assert_int_equal(json_array_size(json_object_get(answer.lists, "node_names")), 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *names = json_object_get(answer.lists, "node_names");
        const json_t *nodes = json_object_get(answer.lists, "processors");
        const json_t *placed = json_array_get(json_object_get(answer.lists, "placed"), i);
        const char name[] = {(char)('a' + json_integer_value(json_array_get(nodes, i))), '\0'};

        assert_string_equal(json_string_value(json_array_get(names, i)), name);
        /* The k-th node is on the k-th switch. */
        assert_true(json_equal(json_array_get(nodes, i), json_array_get(placed, 1)));
    }
    answer_fini(&answer);
}

/* Puts into walks what is between switches by the tree alone: from each up to the root, and down to
 * the other from where both ways meet. */
static void walk_tree(const json_t *switches, struct walks *walks)
{
    for (int a = 0; a < walks->switches; a++) {
        int above[SWITCHES_MOST]; /* links from a up to there; -1: not above it */

        memset(above, -1, sizeof above);
        for (int s = a, up = 0; s >= 0; up++) {
            const json_t *parent = json_array_get(json_array_get(switches, (size_t)s), 2);

            above[s] = up;
            s = json_is_null(parent) ? -1 : (int)json_integer_value(parent);
        }
        for (int b = 0; b < walks->switches; b++) {
            int s = b, up = 0;

            for (; above[s] < 0; up++)
                s = (int)json_integer_value(json_array_get(json_array_get(switches, (size_t)s), 2));
            walks->hops[a][b] = up + above[s];
        }
    }
}

/* By the tree alone the ways go up and down again; what else there may be is not shorter than the
 * shortest, nor longer than the tree's. */
static void test_routings(void **state)
{
    static const char *const ways[] = {"shortest", "tree", "updown"};
    struct costs costs[3];

    for (int i = 0; i < 3; i++) {
        struct answer answer;
        struct walks walks;
        int home[RANKS_MOST];

        ask_alone(point_of(ON_FILE, "rm", ways[i]), &of_placement, &answer);
        walk_links(json_object_get(answer.lists, "switch_links"), 5, &walks);
        if (i == 1)
            walk_tree(json_object_get(answer.lists, "switches"), &walks);
        read_placed(json_object_get(answer.lists, "placed"), 5, 5, home);
        costs[i] =
            (struct costs){answer_of(&answer, "cardinality"), answer_of(&answer, "latency_0_s")};
        if (i < 2) {
            assert_alike(costs[i].cardinality, costs_of(&walks, home, 5, 5).cardinality);
            assert_alike(costs[i].latency_s, costs_of(&walks, home, 5, 5).latency_s);
        }
        if (i == 0) /* of all pairs of a pentagon half are one link apart and half two */
            assert_alike(answer_of(&answer, "latency_10_s"),
                         0.9 * costs[0].latency_s +
                             0.1 * (nuce_placement_delay(1) + nuce_placement_delay(2)) / 2);
        answer_fini(&answer);
    }
    assert_true(costs[0].cardinality <= costs[2].cardinality);
    assert_true(costs[2].cardinality <= costs[1].cardinality);
    assert_true(costs[0].cardinality < costs[1].cardinality);
}

/* Of a COM edges weigh what goes over them in both directions, and one rank that talks to nobody is
 * left out of the mean. */
static void test_com(void **state)
{
    int node[4], one, two;
    struct answer answer;

    file_write("some.com", "4\n0 1 10\n1 0 4\n0 2 100\n");
    ask_alone(point_of("mapping 4 placement=rm com=some.com topology=pentagon routing=shortest"),
              &of_placement, &answer);
    for (size_t i = 0; i < 4; i++)
        node[i] =
            (int)json_integer_value(json_array_get(json_object_get(answer.lists, "processors"), i));
    /* Nodes are in a circle of five, as the switches are: neighbours differ by 1 or 4. */
    one = abs(node[0] - node[1]) % 3 == 1 ? 1 : 2;
    two = abs(node[0] - node[2]) % 3 == 1 ? 1 : 2;
    assert_alike(answer_of(&answer, "cardinality"), 14. * one + 100 * two);
    assert_alike(answer_of(&answer, "latency_0_s"),
                 ((14 * nuce_placement_delay(one) + 100 * nuce_placement_delay(two)) / 114 +
                  nuce_placement_delay(one) + nuce_placement_delay(two)) /
                     3);
    answer_fini(&answer);
}

RUN_IN(files_setup, folder_teardown, test_every_schedule, test_shared, test_recorded,
       test_candidates, test_execution, test_painted, test_walked, test_pentagon, test_routings,
       test_com)
