/* The generators: those of the paper with their stated degrees, sums and sizes at every rank count;
 * mixtures of experts, FFTs, graphs and adaptive meshes, each against a slow form of its
 * definition; and refused input. */
#include "cases.h"
#include "schedules/generator.h"

#define MOST_RANKS 17

static struct nuce_generator_input preset(int ranks)
{
    return (struct nuce_generator_input){.ranks = ranks,
                                         .degree = 4,
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

static struct nuce_pattern draw_dense(const char *name, int ranks, int degree, uint64_t seed)
{
    struct nuce_generator_input input = preset(ranks);

    input.degree = degree;
    return draw(name, &input, seed);
}

static void refuse_degree(const char *name, int ranks, int degree, const char *message)
{
    struct nuce_generator_input input = preset(ranks);

    input.degree = degree;
    refuse_input(name, &input, message);
}

static int64_t length(const struct nuce_pattern *pattern, int row)
{
    return pattern->row[row + 1] - pattern->row[row];
}

static int64_t row_sum(const struct nuce_pattern *pattern, int row)
{
    int64_t sum = 0;

    for (int64_t k = pattern->row[row]; k < pattern->row[row + 1]; k++)
        sum += pattern->bytes[k];
    return sum;
}

/* With the diagonal put back where it was, every row and column has degree entries. */
static void check_uniform(int ranks, int degree, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    OWNED(pattern) pattern, columns;

    assert_ok(nuce_pattern_uniform(ranks, degree, &rng, &pattern, ANY_ERROR));
    assert_ok(nuce_pattern_transpose(&pattern, &columns, ANY_ERROR));
    for (int i = 0; i < ranks; i++) {
        assert_in_range(length(&pattern, i), degree - 1, degree);
        assert_int_equal(length(&pattern, i), length(&columns, i));
        assert_false(entry(&pattern, i, i));
    }
    for (int64_t k = 0; k < pattern.messages; k++)
        assert_in_range(pattern.bytes[k], 1, 32);
}

static void test_uniform_degrees(void **state)
{
    static const int rank_counts[] = {1, 2, 3, 4, 5, 7, 8, 16, 32, 33};

    for (size_t r = 0; r < COUNT(rank_counts); r++) {
        for (int degree = 1; degree <= rank_counts[r]; degree++)
            check_uniform(rank_counts[r], degree, (uint64_t)degree);
    }
    check_uniform(1000, 3, 1);
    check_uniform(257, 128, 1);
}

static void test_uniform_bad(void **state)
{
    static const int bad[][2] = {
        {0, 1}, {-1, 1}, {4, 0}, {4, 5}, {4, -1}, {NUCE_PATTERN_MAX_RANKS + 1, 1},
    };
    struct nuce_rng rng = nuce_rng_create(1, 0);

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_uniform(bad[i][0], bad[i][1], &rng, &pattern, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, "expected ");
    }
}

/* No entry and no size is preferred: 4 000 patterns of 6 ranks, every entry off the diagonal wanted
 * degree/6 of the time; the bounds are about five standard deviations. */
static void check_fair(int degree)
{
    struct nuce_rng rng = nuce_rng_create(3, (uint64_t)degree);
    int entries[6][6] = {0}, sizes[33] = {0};
    int expected = 4000 * degree / 6, messages = 0;

    for (int sample = 0; sample < 4000; sample++) {
        OWNED(pattern) pattern;

        assert_ok(nuce_pattern_uniform(6, degree, &rng, &pattern, ANY_ERROR));
        for (int i = 0; i < 6; i++) {
            for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++) {
                entries[i][pattern.destination[k]]++;
                sizes[pattern.bytes[k]]++;
                messages++;
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            assert_in_range(entries[i][j], i == j ? 0 : expected - 160,
                            i == j ? 0 : expected + 160);
    }
    for (int size = 1; size <= 32; size++)
        assert_in_range(sizes[size], messages / 32 - 250, messages / 32 + 250);
}

static void test_uniform_fair(void **state)
{
    check_fair(1);
    check_fair(2);
    check_fair(3);
    check_fair(5);
}

/* groups[g] rows have 2^g messages of 2^(4 - g) units. */
static void check_skewed(int ranks, const int groups[5])
{
    struct nuce_rng rng = nuce_rng_create((uint64_t)ranks, 0);
    OWNED(pattern) pattern;
    int found[5] = {0};

    assert_ok(nuce_pattern_skewed(ranks, &rng, &pattern, ANY_ERROR));
    for (int i = 0; i < ranks; i++) {
        int g = 0;

        while (length(&pattern, i) != 1 << g)
            assert_in_range(++g, 1, 4);
        found[g]++;
        assert_false(entry(&pattern, i, i));
        for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
            assert_int_equal(pattern.bytes[k], 16 >> g);
    }
    assert_memory_equal(found, groups, sizeof found);
}

static void test_skewed(void **state)
{
    static const int groups[][5] = {
        {1, 2, 4, 8, 17},
        {2, 4, 8, 16, 34},
        {1, 2, 4, 8, 26},
        {1, 1, 2, 4, 9},
    };

    check_skewed(32, groups[0]);
    check_skewed(64, groups[1]);
    check_skewed(41, groups[2]);
    check_skewed(17, groups[3]);
}

/* Fewer ranks than messages: a row sends to all others, and every class has a row. */
static void test_skewed_few(void **state)
{
    for (int ranks = 5; ranks < 17; ranks++) {
        struct nuce_rng rng = nuce_rng_create(1, 0);
        OWNED(pattern) pattern;
        int lengths[17] = {0};

        assert_ok(nuce_pattern_skewed(ranks, &rng, &pattern, ANY_ERROR));
        for (int i = 0; i < ranks; i++) {
            lengths[length(&pattern, i)]++;
            assert_false(entry(&pattern, i, i));
        }
        assert_int_equal(lengths[1], 1);
        for (int g = 1; g < 4 && 1 << g < ranks - 1; g++)
            assert_in_range(lengths[1 << g], 1, ranks);
        assert_in_range(lengths[ranks - 1 < 16 ? ranks - 1 : 16], 1, ranks);
    }
}

static void test_skewed_bad(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_skewed(4, &rng, &pattern, &error), NUCE_BAD_INPUT);
    assert_says(&error, "ranks: '4': a skewed pattern has 5 classes");
}

#define GRID_RANKS 40

static void check_sizes(const struct nuce_pattern *pattern)
{
    for (int i = 0; i < pattern->ranks; i++)
        assert_int_equal(entry(pattern, i, i), 0);
    for (int64_t k = 0; k < pattern->messages; k++)
        assert_in_range(pattern->bytes[k], 1, NUCE_GENERATOR_MOST_UNITS);
}

/* Columns of degree hot ranks are full, all others have one entry. */
static void check_hotspot(int ranks, int degree, uint64_t seed)
{
    OWNED(pattern) pattern = draw_dense("hotspot", ranks, degree, seed);
    int full = 0;

    check_sizes(&pattern);
    for (int j = 0; j < ranks; j++) {
        int senders = 0;

        for (int i = 0; i < ranks; i++)
            senders += entry(&pattern, i, j) > 0;
        full += senders == ranks - 1;
        assert_true(senders == ranks - 1 || senders == 1);
        assert_in_range(length(&pattern, j), degree - 1, degree + 1);
    }
    /* Every column of one or two ranks is full. */
    assert_int_equal(full, ranks <= 2 ? ranks : degree);
    assert_int_equal(pattern.messages,
                     (int64_t)degree * (ranks - 1) + (ranks > 1 ? ranks - degree : 0));
}

static void test_hotspot(void **state)
{
    for (int ranks = 1; ranks <= GRID_RANKS; ranks++) {
        for (int degree = 1; degree <= ranks; degree++)
            check_hotspot(ranks, degree, (uint64_t)ranks);
    }
    check_hotspot(1000, 3, 1);
    refuse_degree("hotspot", 4, 5,
                  "degree: '5': hot ranks, expected at most the number of ranks, 4");
    refuse_degree("hotspot", 4, 0, "degree: '0'");
}

/* 200 patterns of 64 ranks: the mean is the degree, few ranks send much and many little. */
static void check_mean(int degree, int64_t least, int64_t most)
{
    int64_t messages = 0, ones = 0, hubs = 0;

    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(pattern) pattern = draw_dense("power-law", 64, degree, seed);

        messages += pattern.messages;
        for (int i = 0; i < 64; i++) {
            ones += length(&pattern, i) == 1;
            hubs += length(&pattern, i) > 4 * degree;
        }
    }
    assert_in_range(messages, least, most);
    if (degree > 1 && degree < 16)
        assert_true(hubs > 200 && ones > 10 * hubs / degree);
    if (degree == 1)
        assert_int_equal(ones, 200 * 64);
}

static void test_power_law(void **state)
{
    int found[5][5] = {{0}}, messages = 0;

    for (int ranks = 2; ranks <= GRID_RANKS; ranks++) {
        for (int degree = 1; degree <= ranks / 2; degree++) {
            OWNED(pattern) pattern = draw_dense("power-law", ranks, degree, 1);

            check_sizes(&pattern);
            for (int i = 0; i < ranks; i++)
                assert_in_range(length(&pattern, i), 1, ranks - 1);
        }
    }
    check_mean(1, 12800, 12800);
    check_mean(8, 12800 * 8 - 6000, 12800 * 8 + 6000);
    check_mean(32, 12800 * 32 - 12000, 12800 * 32 + 12000);
    /* Every receiver but the sender alike: 2 000 patterns of 5 ranks. */
    for (uint64_t seed = 0; seed < 2000; seed++) {
        OWNED(pattern) pattern = draw_dense("power-law", 5, 2, seed);

        messages += (int)pattern.messages;
        for (int k = 0; k < 25; k++)
            found[k / 5][k % 5] += entry(&pattern, k / 5, k % 5) > 0;
    }
    for (int k = 0; k < 25; k++) {
        int expected = k / 5 == k % 5 ? 0 : messages / 20, off = k / 5 == k % 5 ? 0 : 120;

        assert_in_range(found[k / 5][k % 5], expected - off, expected + off);
    }
    refuse_degree("power-law", 1, 1,
                  "ranks: '1': every rank of a power-law pattern sends to another");
    refuse_degree("power-law", 7, 4,
                  "degree: '4': the mean of a power law of degrees up to 6, expected "
                  "at most half the number of ranks, 3");
}

/* Messages are symmetric, and as many bytes as there are sides and corners to neighbours. */
static void check_nearest(int ranks, int degree)
{
    OWNED(pattern) pattern = draw_dense("nearest", ranks, degree, 1);
    int rows = nuce_generator_grid_rows(ranks), columns = ranks / rows;
    /* Neighbours that are the rank itself: up and down in a single row, left and right in a single
     * column; all corners where both. */
    int64_t self = (rows == 1 ? 64 : 0) + (columns == 1 ? 64 : 0) + (ranks == 1 ? degree - 4 : 0);

    for (int i = 0; i < ranks; i++) {
        assert_int_equal(row_sum(&pattern, i), 128 + (degree - 4) - self);
        assert_true(length(&pattern, i) <= degree);
        for (int j = 0; j < ranks; j++)
            assert_int_equal(entry(&pattern, i, j), entry(&pattern, j, i));
        if (rows > 2)
            assert_int_equal(length(&pattern, i), degree);
    }
}

static void test_nearest(void **state)
{
    /* 3 x 4: rank 5 is in row 1, column 1; rank 0 is in a corner. */
    static const int units[][3] = {{5, 1, 32}, {5, 6, 32}, {5, 10, 1},
                                   {0, 3, 32}, {0, 8, 32}, {0, 11, 1}};
    OWNED(pattern) pattern = draw_dense("nearest", 12, 8, 1);

    for (int ranks = 1; ranks <= GRID_RANKS; ranks++) {
        check_nearest(ranks, 4);
        check_nearest(ranks, 8);
    }
    for (size_t k = 0; k < COUNT(units); k++)
        assert_int_equal(entry(&pattern, units[k][0], units[k][1]), units[k][2]);
    refuse_degree("nearest", 9, 5, "degree: '5': expected 4 (the sides) or 8 (sides and corners)");
}

/* A permutation; on a square grid its own inverse. */
static void test_transpose(void **state)
{
    OWNED(pattern) pattern = draw_dense("transpose", 6, 1, 1);

    for (int ranks = 1; ranks <= GRID_RANKS; ranks++) {
        int rows = nuce_generator_grid_rows(ranks);
        OWNED(pattern) transpose = {0};

        if (rows == 1) { /* a prime number of ranks */
            refuse_degree("transpose", ranks, 1, "whose transpose moves nothing");
            continue;
        }
        transpose = draw_dense("transpose", ranks, 1, 1);
        for (int i = 0; i < ranks; i++) {
            int64_t received = 0;

            for (int j = 0; j < ranks; j++)
                received += entry(&transpose, j, i);
            assert_in_range(length(&transpose, i), 0, 1);
            assert_int_equal(length(&transpose, i), received);
            assert_int_equal(row_sum(&transpose, i), received);
            if (rows * rows == ranks)
                assert_int_equal(entry(&transpose, i, i % rows * rows + i / rows),
                                 i % rows != i / rows);
        }
        if (rows * rows == ranks)
            assert_int_equal(transpose.messages, ranks - rows);
        assert_in_range(transpose.messages, 1, ranks - 2);
    }
    /* 2 x 3 becomes 3 x 2: ranks 0 1 2 / 3 4 5 go to 0 2 4 / 1 3 5. */
    assert_int_equal(entry(&pattern, 1, 2), 1);
    assert_int_equal(entry(&pattern, 2, 4), 1);
    assert_int_equal(entry(&pattern, 3, 1), 1);
    assert_int_equal(entry(&pattern, 4, 3), 1);
    assert_int_equal(pattern.messages, 4);
}

static int same(const struct nuce_pattern *a, const struct nuce_pattern *b)
{
    return a->messages == b->messages &&
           memcmp(a->destination, b->destination, (size_t)a->messages * sizeof(int)) == 0 &&
           memcmp(a->bytes, b->bytes, (size_t)a->messages * sizeof(int64_t)) == 0;
}

/* The same seed gives the same pattern; another one a different one exactly where the generator
 * says that it is random. */
static void test_seeded(void **state)
{
    for (int i = 0; nuce_generators[i] != NULL; i++) {
        const char *name = nuce_generators[i]->name;
        OWNED(pattern) one = draw_dense(name, 32, 8, 5);
        OWNED(pattern) again = draw_dense(name, 32, 8, 5);
        OWNED(pattern) other = draw_dense(name, 32, 8, 7);

        assert_true(same(&one, &again));
        assert_int_equal(same(&one, &other), !nuce_generators[i]->is_random);
    }
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

/* No rank sends more than the capacity to an expert, and the way back is the transpose. */
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

/* Point by point: its owners before and after. */
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

/* A rank that needs my vertices has vertices that I need: messages go both ways, none has more than
 * there are vertices, and rank 0, which has the hubs, sends and receives the most by far. */
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
    OWNED(pattern) pattern;

    input.vertices = 1;
    input.degree = 50;
    pattern = draw("graph", &input, 1);
    assert_int_equal(entry(&pattern, 0, 1), 1);
    assert_int_equal(entry(&pattern, 1, 0), 1);
}

/* Sides come in pairs, so each message has one in the other direction; and in halves of 16 cells.
 */
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

/* Each of 4 ranks with a block, 2 x 2 on a periodic square, has two neighbours, twice over; all
 * refined they are 1 coarse block of 2 x 2 fine ones and look the same. On 2 x 2 coarse blocks of
 * which one is fine, 7 blocks on 7 ranks, a fine block has 32 cells for each fine neighbour, twice
 * 32 / 2 for a coarse one, once. */
static void test_amr_by_hand(void **state)
{
    struct nuce_generator_input input = preset(4);
    OWNED(pattern) pattern;

    input.degree = 1;
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

    input.degree = factor;
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
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int factor = 2; factor <= 2 * MOST_RANKS; factor += 1 + factor / 4) {
            check_cyclic(ranks, factor, 1);
            check_cyclic(ranks, factor, 5);
            check_cyclic(ranks, factor, 120);
        }
    }
}

static void test_bad(void **state)
{
#define MOE(of, k, factor) .ranks = 8, .tokens = of, .top_k = k, .imbalance = factor
#define CYCLIC(factor, each) .ranks = 4, .degree = factor, .vertices = each
#define AMR(coarse, share) .ranks = 4, .degree = coarse, .refined = share
    static const struct {
        const char *name;
        struct nuce_generator_input input;
        const char *message;
    } rows[] = {
        {"moe",
         {MOE(100, 1, 8.5)},
         "imbalance: '8.5': expected 1 to 8: with top-k 1 of 8 experts the busiest expert receives "
         "at most 8 times the mean"},
        {"moe",
         {MOE(100, 2, 5)},
         "expected 1 to 4: with top-k 2 of 8 experts the busiest expert receives at most 4 times "
         "the mean"},
        {"moe", {MOE(100, 2, NAN)}, "imbalance: 'nan'"},
        {"moe", {MOE(100, 9, 1)}, "top-k: '9': a token goes to different experts, expected 1 to"},
        {"moe", {MOE(0, 1, 1)}, "tokens: '0': expected at least 1"},
        {"moe", {MOE(INT64_MAX / 4, 1, 1)}, "expected fewer"},
        {"moe", {MOE(100, 1, 1), .capacity = -1}, "capacity: '-1'"},
        {"fft",
         {.ranks = 8, .grid = {12, 0, 9}},
         "fft-grid: '12x0x9': expected three sides of at least 1 point"},
        {"fft", {.ranks = 8, .grid = {12, INT64_MAX / 12, 9}}, "expected fewer points"},
        {"graph", {.ranks = 2, .degree = 50, .vertices = INT64_MAX / 8}, "vertices: "},
        {"cyclic", {CYCLIC(1, 24)}, "degree: '1': expected blocks at least twice as long"},
        {"cyclic", {CYCLIC(2, INT64_MAX / 2)}, "vertices: "},
        {"cyclic", {CYCLIC(2, 0)}, "vertices: '0'"},
        {"amr", {AMR(4, 1.25)}, "refined: '1.25': a share of the coarse blocks, expected 0 to 1"},
        {"amr", {AMR(4, NAN)}, "refined: 'nan'"},
        {"amr", {AMR(NUCE_PATTERN_MAX_RANKS, 0)}, "degree: "},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        refuse_input(rows[i].name, &rows[i].input, rows[i].message);
}

RUN(test_uniform_degrees, test_uniform_bad, test_uniform_fair, test_skewed, test_skewed_few,
    test_skewed_bad, test_hotspot, test_power_law, test_nearest, test_transpose, test_seeded,
    test_moe_conserves, test_moe_imbalance, test_moe_capacity_and_back, test_fft, test_graph,
    test_graph_once, test_amr, test_amr_by_hand, test_bad, test_cyclic)
