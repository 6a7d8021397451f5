/* The model of the stencil beside an array whose cells are painted one by one with the part that
 * they are of: borders are counted where two neighbours differ. */
#include "instances.h"

#include "instances/decomposition.h"

enum { ROWS = 24, COLUMNS = 35, RANKS_MOST = 12 };

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

/* 6 x 60 cells in two parts of 1 and 2 by strips: 20 and 40 columns, so a border of 6 between them,
 * and another where the array wraps. */
static void test_by_hand(void **state)
{
    static const struct {
        const char *name;
        double value;
    } found[] = {{"acost", 6},
                 {"internal_edges", 1},
                 {"cost", 10},
                 /* Both ends touch; along the sides each part meets itself. */
                 {"bcost", 12},
                 {"imbalance", 1}};
    struct answer answer;
    json_t *rectangles;

    ask_alone(point_of("stencil 2 rows=6 columns=60 weights=1,2 decomposition=strips latency=4"),
              &of_array, &answer);
    for (size_t i = 0; i < COUNT(found); i++)
        assert_alike(answer_of(&answer, found[i].name), found[i].value);
    assert_false(answer_has(&answer, "area_error")); /* nothing was rounded */
    rectangles = json_object_get(answer.lists, "rectangles");
    assert_int_equal(json_array_size(rectangles), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *part = json_array_get(rectangles, i);

        assert_alike(json_number_value(json_array_get(part, 3)) *
                         json_number_value(json_array_get(part, 4)),
                     i == 0 ? 120. : 240);
    }
    answer_fini(&answer);
}

/* A part that gets no cell is refused unless it may be empty, and then counts for nothing. */
static void test_empty(void **state)
{
#define ONE_EMPTY "stencil 3 rows=2 columns=8 weights=100,1,100 decomposition=strips integer=true"
    struct nuce_point point = point_of(ONE_EMPTY);
    struct nuce_model_shared shared = {0};
    struct answer answer;

    ask_alone(point_of(ONE_EMPTY " allow-empty=true"), &of_array, &answer);
    assert_alike(answer_of(&answer, "acost"), 2);
    assert_int_equal(answer_of(&answer, "internal_edges"), 1);
    answer_fini(&answer);
    ask(&point, &of_array, &shared, &answer);
    assert_int_equal(answer.status, NUCE_BAD_INPUT);
    assert_string_equal(answer.error.subject, "integer");
    assert_says(&answer.error, "strips");
    answer_fini(&answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
}

/* Instances of drawn weights differ, and the same number is the same instance. */
static void test_drawn(void **state)
{
    double cost[3];

    for (int i = 0; i < 3; i++) {
        struct answer answer;

        ask_alone(
            point_of("stencil 5 rows=40 columns=40 ratio=9 decomposition=rb instance=%d", i == 1),
            &of_array, &answer);
        cost[i] = answer_of(&answer, "acost");
        answer_fini(&answer);
    }
    assert_true(cost[0] != cost[1]);
    assert_alike(cost[0], cost[2]);
}

RUN_TESTS(NULL, NULL, CASE(test_painted), CASE(test_by_hand), CASE(test_empty), CASE(test_drawn))
