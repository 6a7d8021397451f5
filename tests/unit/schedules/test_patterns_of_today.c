/* Mixtures of experts, FFTs, graphs and adaptive meshes: what their heads say of sums, neighbours
 * and imbalance holds at every rank count, each against a slow way to say it; what cannot be is
 * refused; and a row that is drawn alone is the row of the whole pattern. */
#include "cases.h"
#include "schedules/generator.h"

#define MOST_RANKS 17

static struct nuce_generator_input preset(int ranks)
{
    return (struct nuce_generator_input){.ranks = ranks,
                                         .density = 4,
                                         .tokens = 100,
                                         .top_k = 1,
                                         .imbalance = 1,
                                         .grid = {12, 10, 9},
                                         .pencils = NUCE_PENCILS_YZ,
                                         .vertices = 24,
                                         .refined = 0.3};
}

static struct nuce_pattern draw(const char *name, const struct nuce_generator_input *input,
                                uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    if (nuce_generators_draw(nuce_generator_find(name), input, &rng, &pattern, &error) != NUCE_OK)
        fail_msg("%s: %s", name, nuce_error_flatten(&error));
    return pattern;
}

static void refuse_input(const char *name, const struct nuce_generator_input *input,
                         const char *message)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    assert_int_equal(nuce_generators_draw(nuce_generator_find(name), input, &rng, &pattern, &error),
                     NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, nuce_error_flatten(&error));
}

static int64_t entry(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t k = nuce_pattern_find(pattern, source, destination);

    return k < 0 ? 0 : pattern->bytes[k];
}

static int64_t total(const struct nuce_pattern *pattern)
{
    int64_t sum = 0;

    for (int64_t k = 0; k < pattern->messages; k++)
        sum += pattern->bytes[k];
    return sum;
}

/* Every token has top_k copies, of which those for a rank's own experts are no messages: with as
 * many experts a rank as a token wants all ranks get all tokens. */
static void test_moe_conserves(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_generator_input input = preset(ranks);
        OWNED(pattern) pattern;

        input.top_k = ranks;
        pattern = draw("moe", &input, 3);
        assert_int_equal(pattern.messages, ranks * (ranks - 1));
        for (int64_t k = 0; k < pattern.messages; k++)
            assert_int_equal(pattern.bytes[k], input.tokens);
        nuce_pattern_fini(&pattern);
        input.top_k = 1;
        pattern = draw("moe", &input, 3);
        for (int i = 0; i < ranks; i++) {
            int64_t sum = 0;

            for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
                sum += pattern.bytes[k];
            assert_true(sum <= input.tokens);
            assert_int_equal(entry(&pattern, i, i), 0);
        }
    }
}

/* The tokens of the busiest of 16 ranks over the mean, of which a rank sends itself one in 16. */
static double busiest_of(const struct nuce_generator_input *input)
{
    struct nuce_pattern pattern = draw("moe", input, 11), columns;
    int64_t most = 0;

    assert_ok(nuce_pattern_transpose(&pattern, &columns, ANY_ERROR));
    for (int j = 0; j < 16; j++) {
        int64_t sum = 0;

        for (int64_t k = columns.row[j]; k < columns.row[j + 1]; k++)
            sum += columns.bytes[k];
        most = sum > most ? sum : most;
    }
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&columns);
    return (double)most / (15.0 / 16 * (double)(input->tokens * input->top_k));
}

static double busiest(double imbalance, int64_t top_k)
{
    struct nuce_generator_input input = preset(16);

    input.tokens = 4000;
    input.top_k = top_k;
    input.imbalance = imbalance;
    return busiest_of(&input);
}

/* 60 000 draws: the share of an expert is off by about 1 % of itself. */
static void test_moe_imbalance(void **state)
{
    static const double wanted[] = {1, 2, 3, 5, 7, 8};

    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_near(busiest(wanted[i], 1) / wanted[i], 1, 0.04);
        assert_near(busiest(wanted[i], 2) / wanted[i], 1, 0.04);
    }
    assert_near(busiest(16, 1), 16, 1e-9); /* all to one */
}

/* Nobody sends more than the capacity to an expert, and the way back is the transpose. */
static void test_moe_capacity_and_back(void **state)
{
    struct nuce_generator_input input = preset(8);
    OWNED(pattern) there, back;

    input.imbalance = 5;
    input.capacity = 1.5;
    there = draw("moe", &input, 5);
    for (int64_t k = 0; k < there.messages; k++)
        assert_in_range(there.bytes[k], 1, 19); /* ceil(1.5 100 / 8) */
    input.back = 1;
    back = draw("moe", &input, 5);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            assert_int_equal(entry(&there, i, j), entry(&back, j, i));
    }
}

static void test_moe_bad(void **state)
{
    struct nuce_generator_input input = preset(8);

    input.imbalance = 8.5;
    refuse_input("moe", &input, "imbalance: '8.5': a token is with an expert once");
    input.imbalance = 5;
    input.top_k = 2;
    refuse_input("moe", &input, "the busiest has 1 to 4 times the mean");
    input.imbalance = NAN;
    refuse_input("moe", &input, "imbalance: 'nan'");
    input = preset(8);
    input.top_k = 9;
    refuse_input("moe", &input, "top-k: '9': a token goes to different experts, expected 1 to");
    input = preset(8);
    input.tokens = 0;
    refuse_input("moe", &input, "tokens: '0': expected at least 1");
    input.tokens = INT64_MAX / 4;
    refuse_input("moe", &input, "expected fewer");
    input = preset(8);
    input.capacity = -1;
    refuse_input("moe", &input, "capacity: '-1'");
}

/* Point by point: who has it before, who after. */
static void check_fft(const struct nuce_generator_input *input)
{
    OWNED(pattern) pattern = draw("fft", input, 1);
    int ranks = input->ranks, rows = nuce_generator_grid_rows(ranks), columns = ranks / rows;
    int64_t wanted[MOST_RANKS][MOST_RANKS] = {{0}};

    for (int64_t x = 0; x < input->grid[0]; x++) {
        for (int64_t y = 0; y < input->grid[1]; y++) {
            for (int64_t z = 0; z < input->grid[2]; z++) {
                int before = -1, after = -1;

                for (int i = 0; i < ranks; i++) {
                    int r = i / columns, c = i % columns, is_xy = input->pencils == NUCE_PENCILS_XY;
                    int has_x =
                        x >= r * input->grid[0] / rows && x < (r + 1) * input->grid[0] / rows;
                    int has_y_row =
                        y >= r * input->grid[1] / rows && y < (r + 1) * input->grid[1] / rows;
                    int has_y_column =
                        y >= c * input->grid[1] / columns && y < (c + 1) * input->grid[1] / columns;
                    int has_z =
                        z >= c * input->grid[2] / columns && z < (c + 1) * input->grid[2] / columns;

                    if (is_xy ? has_y_row && has_z : has_x && has_z)
                        before = i;
                    if (is_xy ? has_x && has_z : has_x && has_y_column)
                        after = i;
                }
                wanted[before][after] += before != after;
            }
        }
    }
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++)
            assert_int_equal(entry(&pattern, i, j), wanted[i][j]);
    }
}

static void test_fft(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_generator_input input = preset(ranks);

        check_fft(&input);
        input.grid[0] = 3; /* fewer points than ranks: blocks are empty */
        input.grid[1] = 2;
        check_fft(&input);
        input.pencils = NUCE_PENCILS_XY;
        if (nuce_generator_grid_rows(ranks) > 1)
            check_fft(&input);
        else
            refuse_input("fft", &input, "where step xy moves nothing");
    }
}

static void test_fft_bad(void **state)
{
    struct nuce_generator_input input = preset(8);

    input.grid[1] = 0;
    refuse_input("fft", &input, "fft-grid: '12x0x9': expected three sides of at least 1 point");
    input.grid[1] = INT64_MAX / 12;
    refuse_input("fft", &input, "expected fewer points");
}

/* Who needs my vertices has vertices that I need: messages go both ways, none has more than there
 * are vertices, and rank 0, which has the hubs, sends and receives the most by far. */
static void test_graph(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_generator_input input = preset(ranks);
        OWNED(pattern) pattern = draw("graph", &input, 7);

        for (int i = 0; i < ranks; i++) {
            for (int j = 0; j < ranks; j++) {
                assert_in_range(entry(&pattern, i, j), 0, i == j ? 0 : input.vertices);
                assert_int_equal(entry(&pattern, i, j) > 0, entry(&pattern, j, i) > 0);
            }
        }
        if (ranks > 2) {
            int64_t first = 0, last = 0;

            for (int j = 0; j < ranks; j++) {
                first += entry(&pattern, 0, j);
                last += entry(&pattern, ranks - 1, j);
            }
            assert_true(first > last);
        }
    }
}

/* A vertex and a rank each: all edges are between the same few vertices, each sent once. */
static void test_graph_once(void **state)
{
    struct nuce_generator_input input = preset(2);
    struct nuce_pattern pattern;

    input.vertices = 1;
    input.density = 50;
    pattern = draw("graph", &input, 1);
    assert_int_equal(entry(&pattern, 0, 1), 1);
    assert_int_equal(entry(&pattern, 1, 0), 1);
    nuce_pattern_fini(&pattern);
    input.vertices = INT64_MAX / 8;
    refuse_input("graph", &input, "vertices: ");
}

/* Sides come in pairs, so what goes one way comes back, and halves of 16 cells. */
static void test_amr(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int tenths = 0; tenths <= 10; tenths += 5) {
            struct nuce_generator_input input = preset(ranks);
            OWNED(pattern) pattern;

            input.refined = tenths / 10.0;
            pattern = draw("amr", &input, 2);
            for (int i = 0; i < ranks; i++) {
                for (int j = 0; j < ranks; j++) {
                    assert_int_equal(entry(&pattern, i, j), entry(&pattern, j, i));
                    assert_int_equal(entry(&pattern, i, j) % 16, 0);
                }
                if (ranks > 1)
                    assert_true(pattern.row[i + 1] > pattern.row[i]);
            }
        }
    }
}

/* Of 4 ranks with a block each, 2 x 2 on a periodic square, each has two neighbours, twice over;
 * all refined they are 1 coarse block of 2 x 2 fine ones and look the same. On 2 x 2 coarse blocks
 * of which one is fine, 7 blocks on 7 ranks, a fine block has 32 cells for each fine neighbour,
 * twice 32 / 2 for a coarse one, once. */
static void test_amr_by_hand(void **state)
{
    struct nuce_generator_input input = preset(4);
    OWNED(pattern) pattern;

    input.density = 1;
    for (int all = 0; all <= 1; all++) {
        input.refined = all;
        pattern = draw("amr", &input, 1);
        assert_int_equal(pattern.messages, 8);
        for (int64_t k = 0; k < pattern.messages; k++)
            assert_int_equal(pattern.bytes[k], 64);
        nuce_pattern_fini(&pattern);
    }
    input.ranks = 7;
    input.refined = 0.25;
    pattern = draw("amr", &input, 1);
    assert_int_equal(total(&pattern), 2 * (4 * 32 + 8 * 16 + 8 * 16));
}

/* Element by element: from rank e mod P to rank e / K mod P. */
static void check_cyclic(int ranks, int factor, int64_t vertices)
{
    struct nuce_generator_input input = preset(ranks);
    int64_t counted[MOST_RANKS][MOST_RANKS] = {{0}};
    OWNED(pattern) pattern;

    input.density = factor;
    input.vertices = vertices;
    pattern = draw("cyclic", &input, 1);
    for (int64_t e = 0; e < ranks * vertices; e++)
        counted[e % ranks][e / factor % ranks]++;
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++)
            assert_int_equal(entry(&pattern, i, j), i == j ? 0 : counted[i][j]);
    }
}

static void test_cyclic(void **state)
{
    struct nuce_generator_input input = preset(4);

    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int factor = 2; factor <= 2 * MOST_RANKS; factor += 1 + factor / 4) {
            check_cyclic(ranks, factor, 1);
            check_cyclic(ranks, factor, 5);
            check_cyclic(ranks, factor, 120);
        }
    }
    input.density = 1;
    refuse_input("cyclic", &input, "density: '1': expected blocks at least twice as long");
    input.density = 2;
    input.vertices = INT64_MAX / 2;
    refuse_input("cyclic", &input, "vertices: ");
    input.vertices = 0;
    refuse_input("cyclic", &input, "vertices: '0'");
}

static void test_amr_bad(void **state)
{
    struct nuce_generator_input input = preset(4);

    input.refined = 1.25;
    refuse_input("amr", &input, "refined: '1.25': a share of the coarse blocks, expected 0 to 1");
    input.refined = NAN;
    refuse_input("amr", &input, "refined: 'nan'");
    input.refined = 0;
    input.density = NUCE_PATTERN_MAX_RANKS;
    refuse_input("amr", &input, "density: ");
}

/* A rank that draws its own row has what the whole pattern says. */
static void check_rows(const struct nuce_generator_ops *ops, int ranks)
{
    struct nuce_generator_input input = preset(ranks);
    struct nuce_rng rng = nuce_rng_create(9, 4);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    input.imbalance = ranks > 1 ? 1.5 : 1;
    if (nuce_generator_check(ops, &input, &error) != NUCE_OK)
        return;
    for (int i = 0; i < ranks; i++) {
        struct nuce_rng numbers = rng;
        OWNED(generator_row) row;

        assert_ok(nuce_generators_draw(ops, &input, &numbers, &pattern, &error));
        assert_ok(nuce_generator_draw_row(ops, &input, &rng, i, &row, &error));
        assert_int_equal(row.count, pattern.row[i + 1] - pattern.row[i]);
        for (int64_t k = 0; k < row.count; k++) {
            assert_int_equal(row.messages[k].source, i);
            assert_int_equal(row.messages[k].destination, pattern.destination[pattern.row[i] + k]);
            assert_int_equal(row.messages[k].bytes, pattern.bytes[pattern.row[i] + k]);
        }
        nuce_pattern_fini(&pattern);
    }
}

static void test_rows(void **state)
{
    int with_rows = 0;

    for (size_t i = 0; nuce_generators[i] != NULL; i++) {
        if (nuce_generators[i]->row == NULL)
            continue;
        with_rows++;
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
            check_rows(nuce_generators[i], ranks);
    }
    assert_true(with_rows >= 4);
}

RUN(test_moe_conserves, test_moe_imbalance, test_moe_capacity_and_back, test_moe_bad, test_fft,
    test_fft_bad, test_graph, test_graph_once, test_amr, test_amr_by_hand, test_amr_bad,
    test_cyclic, test_rows)
