/* Invariants of every algorithm on every pattern: the test loops over the registry, so a new
 * algorithm is tested as soon as it has its row. */
#include "../unit/schedules/cases.h"

#define MOST_RANKS 40
#define PATTERNS 12

/* Number 0 is empty, 1 has every message; then come random ones, sparse to dense, with messages to
 * oneself and now and then a huge one; then the generators'. */
static void draw_random(int ranks, int number, struct nuce_rng *rng, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    double share = number == 1 ? 1.0 : nuce_rng_uniform(rng);
    int64_t count = 0;

    for (int k = 0; number > 0 && k < ranks * ranks; k++) {
        int64_t most = nuce_rng_below(rng, 8) == 0 ? INT64_C(1) << 40 : 100;

        if (nuce_rng_uniform(rng) < share)
            messages[count++] = (struct nuce_message){
                k / ranks, k % ranks, 1 + (int64_t)nuce_rng_below(rng, (uint64_t)most)};
    }
    assert_ok(nuce_pattern_init(ranks, messages, count, out, ANY_ERROR));
}

static void draw(int ranks, int number, struct nuce_pattern *out)
{
    struct nuce_rng rng = nuce_rng_create((uint64_t)ranks, (uint64_t)number);
    int degree = 1 + (int)nuce_rng_below(&rng, (uint64_t)ranks);

    if (number < PATTERNS - 4)
        draw_random(ranks, number, &rng, out);
    else if (number < PATTERNS - 2 || ranks < 5)
        assert_ok(nuce_pattern_uniform(ranks, degree, &rng, out, ANY_ERROR));
    else
        assert_ok(nuce_pattern_skewed(ranks, &rng, out, ANY_ERROR));
}

/* Bytes from rank to rank by the lists, without the validator's way of sorting. */
static void add_up(const struct nuce_schedule *schedule, int64_t *sent, int64_t *received)
{
    int n = schedule->ranks;

    for (int i = 0; i < n; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            sent[i * n + schedule->sends[k].peer] += schedule->sends[k].bytes;
        for (int64_t k = schedule->receive_start[i]; k < schedule->receive_start[i + 1]; k++)
            received[schedule->receives[k].peer * n + i] += schedule->receives[k].bytes;
    }
}

static void check_sums(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern)
{
    size_t entries = (size_t)pattern->ranks * (size_t)pattern->ranks;
    int64_t wanted[MOST_RANKS * MOST_RANKS] = {0};
    int64_t sent[MOST_RANKS * MOST_RANKS] = {0}, received[MOST_RANKS * MOST_RANKS] = {0};

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            wanted[i * pattern->ranks + pattern->destination[k]] = pattern->bytes[k];
    }
    if (schedule->discipline == NUCE_FORWARD) /* of which validate follows each message */
        return;
    add_up(schedule, sent, received);
    assert_memory_equal(sent, wanted, entries * sizeof *sent);
    assert_memory_equal(received, wanted, entries * sizeof *received);
}

static void check_same(const struct nuce_schedule *a, const struct nuce_schedule *b)
{
    assert_int_equal(a->phases, b->phases);
    assert_int_equal(a->pieces, b->pieces);
    assert_memory_equal(a->send_start, b->send_start,
                        ((size_t)a->ranks + 1) * sizeof *a->send_start);
    assert_memory_equal(a->sends, b->sends, (size_t)a->pieces * sizeof *a->sends);
    assert_memory_equal(a->receives, b->receives, (size_t)a->pieces * sizeof *a->receives);
    if (a->discipline == NUCE_FORWARD)
        assert_memory_equal(a->loads, b->loads, (size_t)a->pieces * sizeof *a->loads);
}

/* Two names of one thing have one schedule. */
static void check_is_ac(const struct nuce_schedule *schedule,
                        const struct nuce_schedule_input *input)
{
    OWNED(schedule) ac;

    assert_ok(nuce_schedule_create(nuce_schedule_find("ac"), input, &ac, ANY_ERROR));
    check_same(schedule, &ac);
}

/* Nonzero if each of its phases is a maximal matching of whole messages that are left. */
static int fills_phases(const char *name)
{
    return strcmp(name, "rs-n") == 0 || strcmp(name, "rs-n-sort") == 0 ||
           strcmp(name, "rs-nh-lambda1") == 0;
}

static void check(const struct nuce_schedule_ops *ops, const struct nuce_pattern *pattern)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};
    struct nuce_pattern_summary summary;
    struct nuce_schedule schedule, again;
    struct nuce_error error;
    nuce_status status;

    tuning.group_ranks = (pattern->ranks + 2) / 3;
    /* Callers need not clear it: a function that returns its status must have set it. */
    memset(&error, 0xa5, sizeof error);
    nuce_pattern_summarise(pattern, &summary);
    status = nuce_schedule_create(ops, &input, &schedule, &error);
    if (status == NUCE_BAD_INPUT && ops->needs == NUCE_NEEDS_REDISTRIBUTION)
        return;
    assert_ok(status);
    assert_ok(nuce_schedule_create(ops, &input, &again, &error));
    assert_int_equal(schedule.ranks, pattern->ranks);
    /* best has the discipline of its choice; a forwarding schedule without anything to forward has
     * that of ac. */
    if (ops->discipline == NUCE_FORWARD && schedule.discipline == NUCE_POST_ALL)
        check_is_ac(&schedule, &input);
    else if (strcmp(ops->name, "best") != 0)
        assert_int_equal(schedule.discipline, ops->discipline);
    if (nuce_schedule_validate(&schedule, pattern, &error) != NUCE_OK)
        fail_msg("%s, %d ranks: %s", ops->name, pattern->ranks, error.message);
    check_sums(&schedule, pattern);
    check_same(&schedule, &again);
    if (schedule.discipline == NUCE_LOCKSTEP)
        assert_true(schedule.phases >= summary.degree);
    /* A message then waits only while its sender or its receiver is busy with one of their at most
     * D - 1 others. */
    if (fills_phases(ops->name) && summary.degree > 0)
        assert_true(schedule.phases <= 2 * summary.degree - 1);
    /* Messages to oneself are none of the phases'. */
    if (strcmp(ops->name, "colouring") == 0 && summary.degree > 0)
        assert_int_equal(schedule.phases, summary.degree);
    nuce_schedule_fini(&schedule);
    nuce_schedule_fini(&again);
}

static void check_all(const struct nuce_pattern *pattern)
{
    for (size_t i = 0; nuce_schedules[i] != NULL; i++)
        check(nuce_schedules[i], pattern);
}

/* Every algorithm on the patterns of every generator that has one at that many ranks. */
static void test_every_generator(void **state)
{
    assert_true(on_all_generated(check_all) > 9 * NODE_RANKS / 2);
}

/* At 1 to 16 ranks, and at 23, 30 and 37. */
static void test_every_algorithm(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks += ranks < 16 ? 1 : 7) {
        for (int number = 0; number < PATTERNS; number++) {
            OWNED(pattern) pattern;

            draw(ranks, number, &pattern);
            check_all(&pattern);
        }
    }
}

RUN(test_every_algorithm, test_every_generator)
