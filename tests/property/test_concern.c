/* A rank that knows only its own messages makes the lists that it has in the schedule of all
 * messages: every algorithm with NUCE_CONCERN_OWN, on the patterns of every generator, at every
 * rank count. So does a rank that gets its share of that schedule, under every algorithm. Its
 * memory for that stays small. */
#include "../unit/schedules/cases.h"
#include "schedules/schedule_results.h"
#include "schedules/share.h"

static struct nuce_schedule build_of(const struct nuce_schedule_ops *ops,
                                     const struct nuce_schedule_input *input)
{
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    if (nuce_schedule_create(ops, input, &schedule, &error) != NUCE_OK)
        fail_msg("%s: %s", ops->name, nuce_error_flatten(&error));
    if (nuce_schedule_validate(&schedule, input->pattern, &error) != NUCE_OK)
        fail_msg("%s: %s", ops->name, error.message);
    return schedule;
}

static void same_parcels(const struct nuce_schedule *a, int64_t ka, const struct nuce_schedule *b,
                         int64_t kb)
{
    const struct nuce_load *la = &a->loads[ka], *lb = &b->loads[kb];

    assert_int_equal(la->count, lb->count);
    assert_memory_equal(a->parcels + la->first, b->parcels + lb->first,
                        (size_t)la->count * sizeof *a->parcels);
}

/* The rank's lists in the part are those in the whole schedule. */
static void same_lists(const struct nuce_schedule *whole, const struct nuce_schedule *part,
                       int rank)
{
    int64_t sends = whole->send_start[rank + 1] - whole->send_start[rank];
    int64_t receives = whole->receive_start[rank + 1] - whole->receive_start[rank];

    assert_int_equal(part->discipline, whole->discipline);
    assert_int_equal(part->send_start[rank + 1] - part->send_start[rank], sends);
    assert_int_equal(part->receive_start[rank + 1] - part->receive_start[rank], receives);
    assert_memory_equal(part->sends + part->send_start[rank],
                        whole->sends + whole->send_start[rank],
                        (size_t)sends * sizeof *whole->sends);
    assert_memory_equal(part->receives + part->receive_start[rank],
                        whole->receives + whole->receive_start[rank],
                        (size_t)receives * sizeof *whole->receives);
    for (int64_t k = 0; whole->loads != NULL && k < sends; k++)
        same_parcels(whole, whole->send_start[rank] + k, part, part->send_start[rank] + k);
}

static void check_ranks(const struct nuce_schedule_ops *ops, const struct nuce_pattern *pattern,
                        int64_t radix)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};
    OWNED(schedule) whole;
    struct nuce_schedule part;

    tuning.radix = radix;
    tuning.group_ranks = (pattern->ranks + 2) / 3;
    whole = build_of(ops, &input);
    for (int rank = 0; rank < pattern->ranks; rank++) {
        struct nuce_schedule_input own = input;
        OWNED(pattern) concern;

        assert_ok(nuce_schedule_concern(ops, &input, rank, &concern, ANY_ERROR));
        own.pattern = &concern;
        part = build_of(ops, &own);
        same_lists(&whole, &part, rank);
        nuce_schedule_fini(&part);
    }
}

/* One rank's share, as it is handed out. */
static void check_share(const struct nuce_schedule_ops *ops, const struct nuce_schedule *whole,
                        const int64_t *send_of, int rank)
{
    struct nuce_shares share = {0};
    OWNED(schedule) part;
    int64_t least = whole->send_start[rank + 1] - whole->send_start[rank];

    nuce_share_add(whole, send_of, rank, &share);
    nuce_share_assemble(share.number, ops, whole->ranks, &part);
    assert_in_range(part.pieces, least,
                    least + whole->receive_start[rank + 1] - whole->receive_start[rank]);
    assert_int_equal(part.phases, whole->phases);
    assert_int_equal(part.depth, whole->depth);
    assert_ptr_equal(part.executor, whole->executor);
    same_lists(whole, &part, rank);
    free(share.number);
}

/* Under every algorithm that takes the pattern; returns how many did. */
static int check_shares(const struct nuce_pattern *pattern)
{
    int taken = 0;

    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {
            .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};
        struct nuce_schedule whole;
        struct nuce_error error = {0};
        int64_t *send_of;

        tuning.group_ranks = (pattern->ranks + 2) / 3;
        tuning.node_ranks = pattern->ranks < 3 ? pattern->ranks : 3;
        if (nuce_schedule_create(nuce_schedules[i], &input, &whole, &error) != NUCE_OK)
            continue;
        taken++;
        nuce_share_index(&whole, &send_of);
        for (int rank = 0; rank < pattern->ranks; rank++)
            check_share(nuce_schedules[i], &whole, send_of, rank);
        free(send_of);
        nuce_schedule_fini(&whole);
    }
    return taken;
}

/* Transfers of nodes without a wanted rank are left out; the wanted ranks, which are the first and
 * every third one, share that schedule out as if it was all. */
static void check_wanted(const struct nuce_schedule_ops *ops, struct nuce_schedule_input *input)
{
    char wanted[NODE_RANKS] = {0};
    OWNED(schedule) whole = build_of(ops, input), some;
    OWNED(pattern) pattern;
    int64_t *send_of;

    for (int rank = 0; rank < whole.ranks; rank += 3)
        wanted[rank] = 1;
    input->wanted = wanted;
    assert_ok(nuce_schedule_create(ops, input, &some, ANY_ERROR));
    assert_ok(nuce_schedule_wanted(input, &pattern, ANY_ERROR));
    assert_ok(nuce_schedule_validate(&some, &pattern, ANY_ERROR));
    nuce_share_index(&some, &send_of);
    for (int rank = 0; rank < whole.ranks; rank += 3) {
        struct nuce_shares share = {0};
        OWNED(schedule) part;

        same_lists(&whole, &some, rank);
        nuce_share_add(&some, send_of, rank, &share);
        nuce_share_assemble(share.number, ops, whole.ranks, &part);
        same_lists(&whole, &part, rank);
        free(share.number);
    }
    input->wanted = NULL;
    free(send_of);
}

/* On nodes of 1, 2, 5, .. ranks, which are all there are at last. */
static void check_nodes(const struct nuce_pattern *pattern)
{
    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {
            .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};

        if (nuce_schedules[i]->concern != NUCE_CONCERN_NODES)
            continue;
        for (int64_t ranks = 1; ranks <= pattern->ranks; ranks = ranks * 2 + (ranks > 1)) {
            tuning.node_ranks = ranks;
            check_wanted(nuce_schedules[i], &input);
        }
    }
}

static void check_concern(const struct nuce_pattern *pattern)
{
    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        if (nuce_schedules[i]->concern == NUCE_CONCERN_OWN)
            check_ranks(nuce_schedules[i], pattern, 0);
        if (nuce_schedules[i]->concern != NUCE_CONCERN_PASSING)
            continue;
        for (int64_t radix = 2; radix <= pattern->ranks; radix += 3)
            check_ranks(nuce_schedules[i], pattern, radix);
    }
}

static void test_nodes(void **state)
{
    on_all_generated(check_nodes);
}

static void test_lists(void **state)
{
    on_all_generated(check_concern);
}

/* All algorithms but two take any pattern. */
static void check_most_shares(const struct nuce_pattern *pattern)
{
    size_t all = 0;

    while (nuce_schedules[all] != NULL)
        all++;
    assert_in_range(check_shares(pattern), all - 2, all);
}

static void test_shares(void **state)
{
    on_all_generated(check_most_shares);
}

/* A schedule that needs all messages says so, and so does one that cannot know its radix. */
static void test_all(void **state)
{
    static const char *const names[] = {"rs-n", "preemptive", "tuna", "bruck-padded", "node-aware"};
    OWNED(pattern) pattern = pattern_of(3, "0>1:9");
    struct nuce_pattern concern;
    struct nuce_error error = {0};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};

    tuning.group_ranks = 1024;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_int_equal(
            nuce_schedule_concern(nuce_schedule_find(names[i]), &input, 1, &concern, &error),
            NUCE_BAD_INPUT);
        assert_says(&error, "depend on the messages of all");
    }
}

/* 65 536 ranks of 16 messages: at most 2 MB for pattern and schedule, where the schedule of all
 * takes more than 60. */
static void test_memory(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_pattern pattern, concern;
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(5, 0)};

    tuning.group_ranks = 1024;
    assert_ok(nuce_pattern_uniform(65536, 16, &rng, &pattern, ANY_ERROR));
    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        struct nuce_schedule_input own = input;
        struct nuce_schedule part;

        if (nuce_schedules[i]->concern != NUCE_CONCERN_OWN)
            continue;
        assert_ok(nuce_schedule_concern(nuce_schedules[i], &input, 4711, &concern, ANY_ERROR));
        own.pattern = &concern;
        assert_ok(nuce_schedule_create(nuce_schedules[i], &own, &part, ANY_ERROR));
        assert_true(nuce_pattern_memory(&concern) + nuce_schedule_memory(&part) <= 2000000);
        nuce_schedule_fini(&part);
        nuce_pattern_fini(&concern);
    }
    nuce_pattern_fini(&pattern);
}

RUN(test_lists, test_nodes, test_shares, test_all, test_memory)
