/* The generators of the paper, and those beside them that are not of today: their stated degrees,
 * sums and sizes at every rank count. */
#include "cases.h"
#include "schedules/generator.h"

static const int rank_counts[] = {1, 2, 3, 4, 5, 7, 8, 16, 32, 33};

#define RANK_COUNTS (COUNT(rank_counts))

static int64_t length(const struct nuce_pattern *pattern, int row)
{
    return pattern->row[row + 1] - pattern->row[row];
}

/* Units of the message from source to destination; 0: none. */
static int64_t units(const struct nuce_pattern *pattern, int source, int destination)
{
    for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
        if (pattern->destination[k] == destination)
            return pattern->bytes[k];
    }
    return 0;
}

/* With the diagonal put back where it was, every row and column has density entries. */
static void check_uniform(int ranks, int density, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    OWNED(pattern) pattern, columns;

    assert_ok(nuce_pattern_uniform(ranks, density, &rng, &pattern, ANY_ERROR));
    assert_ok(nuce_pattern_transpose(&pattern, &columns, ANY_ERROR));
    for (int i = 0; i < ranks; i++) {
        assert_in_range(length(&pattern, i), density - 1, density);
        assert_int_equal(length(&pattern, i), length(&columns, i));
        assert_false(units(&pattern, i, i));
    }
    for (int64_t k = 0; k < pattern.messages; k++)
        assert_in_range(pattern.bytes[k], 1, 32);
}

static void test_uniform_degrees(void **state)
{
    for (size_t r = 0; r < RANK_COUNTS; r++) {
        for (int density = 1; density <= rank_counts[r]; density++)
            check_uniform(rank_counts[r], density, (uint64_t)density);
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
 * density/6 of the time; the bounds are about five standard deviations. */
static void check_fair(int density)
{
    struct nuce_rng rng = nuce_rng_create(3, (uint64_t)density);
    int entries[6][6] = {0}, sizes[33] = {0};
    int expected = 4000 * density / 6, messages = 0;

    for (int sample = 0; sample < 4000; sample++) {
        OWNED(pattern) pattern;

        assert_ok(nuce_pattern_uniform(6, density, &rng, &pattern, ANY_ERROR));
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
        assert_false(units(&pattern, i, i));
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
            assert_false(units(&pattern, i, i));
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

#define RANKS_MOST 40

struct made {
    struct nuce_pattern pattern, columns;
};

static nuce_status make(const char *name, int ranks, int density, uint64_t seed, struct made *out,
                        struct nuce_error *error)
{
    struct nuce_generator_input input = {.ranks = ranks,
                                         .density = density,
                                         .tokens = 64,
                                         .top_k = 2,
                                         .imbalance = 2,
                                         .grid = {16, 16, 16},
                                         .vertices = 32,
                                         .refined = 0.25};
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    nuce_status status =
        nuce_generators_draw(nuce_generator_find(name), &input, &rng, &out->pattern, error);

    if (status == NUCE_OK)
        assert_ok(nuce_pattern_transpose(&out->pattern, &out->columns, error));
    return status;
}

static void unmake(struct made *made)
{
    nuce_pattern_fini(&made->pattern);
    nuce_pattern_fini(&made->columns);
}

static int64_t row_sum(const struct nuce_pattern *pattern, int row)
{
    int64_t sum = 0;

    for (int64_t k = pattern->row[row]; k < pattern->row[row + 1]; k++)
        sum += pattern->bytes[k];
    return sum;
}

static void check_sizes(const struct nuce_pattern *pattern)
{
    for (int i = 0; i < pattern->ranks; i++)
        assert_int_equal(units(pattern, i, i), 0);
    for (int64_t k = 0; k < pattern->messages; k++)
        assert_in_range(pattern->bytes[k], 1, NUCE_GENERATOR_MOST_UNITS);
}

static void refuse_density(const char *name, int ranks, int density, const char *message)
{
    struct made made;
    struct nuce_error error = {0};

    assert_int_equal(make(name, ranks, density, 1, &made, &error), NUCE_BAD_INPUT);
    assert_says(&error, message);
}

/* Columns of density hot ranks are full, all others have one entry. */
static void check_hotspot(int ranks, int density, uint64_t seed)
{
    struct made made;
    int full = 0;

    assert_ok(make("hotspot", ranks, density, seed, &made, ANY_ERROR));
    check_sizes(&made.pattern);
    for (int j = 0; j < ranks; j++) {
        int is_full = length(&made.columns, j) == ranks - 1;

        full += is_full;
        if (!is_full)
            assert_int_equal(length(&made.columns, j), 1);
        assert_in_range(length(&made.pattern, j), density - 1, density + 1);
    }
    /* Of one or two ranks every column is full. */
    assert_int_equal(full, ranks <= 2 ? ranks : density);
    assert_int_equal(made.pattern.messages,
                     (int64_t)density * (ranks - 1) + (ranks > 1 ? ranks - density : 0));
    unmake(&made);
}

static void test_hotspot(void **state)
{
    for (int ranks = 1; ranks <= RANKS_MOST; ranks++) {
        for (int density = 1; density <= ranks; density++)
            check_hotspot(ranks, density, (uint64_t)ranks);
    }
    check_hotspot(1000, 3, 1);
    refuse_density("hotspot", 4, 5,
                   "density: '5': hot ranks, expected at most the number of ranks, 4");
    refuse_density("hotspot", 4, 0, "density: '0'");
}

static void check_power_law(int ranks, int density)
{
    struct made made;

    assert_ok(make("power-law", ranks, density, 1, &made, ANY_ERROR));
    check_sizes(&made.pattern);
    for (int i = 0; i < ranks; i++)
        assert_in_range(length(&made.pattern, i), 1, ranks - 1);
    unmake(&made);
}

/* 200 patterns of 64 ranks: the mean is the density, few ranks send much and many little. */
static void check_mean(int density, int64_t least, int64_t most)
{
    int64_t messages = 0, ones = 0, hubs = 0;

    for (uint64_t seed = 0; seed < 200; seed++) {
        struct made made;

        assert_ok(make("power-law", 64, density, seed, &made, ANY_ERROR));
        messages += made.pattern.messages;
        for (int i = 0; i < 64; i++) {
            ones += length(&made.pattern, i) == 1;
            hubs += length(&made.pattern, i) > 4 * density;
        }
        unmake(&made);
    }
    assert_in_range(messages, least, most);
    if (density > 1 && density < 16)
        assert_true(hubs > 200 && ones > 10 * hubs / density);
    if (density == 1)
        assert_int_equal(ones, 200 * 64);
}

/* Every receiver but the sender alike: 2 000 patterns of 5 ranks. */
static void check_receivers(void)
{
    int found[5][5] = {{0}}, messages = 0;

    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct made made;

        assert_ok(make("power-law", 5, 2, seed, &made, ANY_ERROR));
        messages += (int)made.pattern.messages;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++)
                found[i][j] += units(&made.pattern, i, j) > 0;
        }
        unmake(&made);
    }
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++)
            assert_in_range(found[i][j], i == j ? 0 : messages / 20 - 120,
                            i == j ? 0 : messages / 20 + 120);
    }
}

static void test_power_law(void **state)
{
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++) {
        for (int density = 1; density <= ranks / 2; density++)
            check_power_law(ranks, density);
    }
    check_mean(1, 12800, 12800);
    check_mean(8, 12800 * 8 - 6000, 12800 * 8 + 6000);
    check_mean(32, 12800 * 32 - 12000, 12800 * 32 + 12000);
    check_receivers();
    refuse_density("power-law", 1, 1,
                   "ranks: '1': every rank of a power-law pattern sends to another");
    refuse_density("power-law", 7, 4,
                   "density: '4': the mean of a power law of degrees up to 6, expected "
                   "at most half the number of ranks, 3");
}

/* What a rank sends is symmetric, and all that its neighbours on the grid get. */
static void check_nearest(int ranks, int density)
{
    struct made made;
    int rows = nuce_generator_grid_rows(ranks), columns = ranks / rows;
    /* Neighbours that are the rank itself: up and down in a single row, left and right in a single
     * column; all corners where both. */
    int64_t self = (rows == 1 ? 64 : 0) + (columns == 1 ? 64 : 0) + (ranks == 1 ? density - 4 : 0);

    assert_ok(make("nearest", ranks, density, 1, &made, ANY_ERROR));
    for (int i = 0; i < ranks; i++) {
        assert_int_equal(row_sum(&made.pattern, i), 128 + (density - 4) - self);
        assert_true(length(&made.pattern, i) <= density);
        for (int j = 0; j < ranks; j++)
            assert_int_equal(units(&made.pattern, i, j), units(&made.pattern, j, i));
        if (rows > 2)
            assert_int_equal(length(&made.pattern, i), density);
    }
    unmake(&made);
}

static void test_nearest(void **state)
{
    struct made made;

    for (int ranks = 1; ranks <= RANKS_MOST; ranks++) {
        check_nearest(ranks, 4);
        check_nearest(ranks, 8);
    }
    /* 3 x 4: rank 5 is in row 1, column 1; rank 0 is in a corner. */
    assert_ok(make("nearest", 12, 8, 1, &made, ANY_ERROR));
    assert_int_equal(units(&made.pattern, 5, 1), 32);
    assert_int_equal(units(&made.pattern, 5, 6), 32);
    assert_int_equal(units(&made.pattern, 5, 10), 1);
    assert_int_equal(units(&made.pattern, 0, 3), 32);
    assert_int_equal(units(&made.pattern, 0, 8), 32);
    assert_int_equal(units(&made.pattern, 0, 11), 1);
    unmake(&made);
    refuse_density("nearest", 9, 5,
                   "density: '5': expected 4 (the sides) or 8 (sides and corners)");
}

/* A permutation; on a square grid its own inverse. */
static void check_transpose(int ranks, int silent)
{
    struct made made;
    int rows = nuce_generator_grid_rows(ranks);

    assert_ok(make("transpose", ranks, 1, 1, &made, ANY_ERROR));
    for (int i = 0; i < ranks; i++) {
        assert_in_range(length(&made.pattern, i), 0, 1);
        assert_int_equal(length(&made.pattern, i), length(&made.columns, i));
        assert_int_equal(row_sum(&made.pattern, i), length(&made.pattern, i));
        if (rows * rows == ranks)
            assert_int_equal(units(&made.pattern, i, i % rows * rows + i / rows),
                             i % rows != i / rows);
    }
    if (silent > 0)
        assert_int_equal(made.pattern.messages, ranks - silent);
    assert_in_range(made.pattern.messages, 1, ranks - 2);
    unmake(&made);
}

static void test_transpose(void **state)
{
    static const int composite[] = {6,  8,  10, 12, 14, 15, 18, 20, 21, 22, 24,
                                    26, 27, 28, 30, 32, 33, 34, 35, 38, 39, 40};
    static const int prime[] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    struct made made;

    check_transpose(4, 2);
    check_transpose(9, 3);
    check_transpose(16, 4);
    check_transpose(25, 5);
    check_transpose(36, 6);
    for (size_t i = 0; i < COUNT(composite); i++)
        check_transpose(composite[i], 0);
    for (size_t i = 0; i < COUNT(prime); i++)
        refuse_density("transpose", prime[i], 1, "whose transpose moves nothing");
    /* 2 x 3 becomes 3 x 2: ranks 0 1 2 / 3 4 5 go to 0 2 4 / 1 3 5. */
    assert_ok(make("transpose", 6, 1, 1, &made, ANY_ERROR));
    assert_int_equal(units(&made.pattern, 1, 2), 1);
    assert_int_equal(units(&made.pattern, 2, 4), 1);
    assert_int_equal(units(&made.pattern, 3, 1), 1);
    assert_int_equal(units(&made.pattern, 4, 3), 1);
    assert_int_equal(made.pattern.messages, 4);
    unmake(&made);
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
        struct made made[3];

        for (int k = 0; k < 3; k++)
            assert_ok(make(nuce_generators[i]->name, 32, 8, k == 2 ? 7 : 5, &made[k], ANY_ERROR));
        assert_true(same(&made[0].pattern, &made[1].pattern));
        assert_int_equal(same(&made[0].pattern, &made[2].pattern), !nuce_generators[i]->is_random);
        for (int k = 0; k < 3; k++)
            unmake(&made[k]);
    }
}

RUN(test_uniform_degrees, test_uniform_bad, test_uniform_fair, test_skewed, test_skewed_few,
    test_skewed_bad, test_hotspot, test_power_law, test_nearest, test_transpose, test_seeded)
