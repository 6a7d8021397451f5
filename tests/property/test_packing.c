/* Packing on random campaigns: every point once, instances together, no job too full, few jobs. */
#include "../unit/test.h"
#include "base/rng.h"
#include "campaigns/packing.h"
#include "make_campaign.h"

static const char *const algorithms[] = {"ac", "lp", "rs-n", "neighbor", "alltoallv"};

#define ALGORITHMS 5
#define ROUNDS 200

/* A random subset of rank counts, instances and algorithms, in random order. */
static void draw_campaign(struct nuce_rng *rng, int64_t points, struct nuce_campaign *out)
{
    double longest_s = pow(10, 3 * nuce_rng_uniform(rng));

    *out = (struct nuce_campaign){.lock = -1};
    for (int64_t i = 0; i < points; i++) {
        struct point_of point = {.ranks = 1 << nuce_rng_below(rng, 4),
                                 .instance = (int)nuce_rng_below(rng, 1 + (uint64_t)points / 6),
                                 .schedule = algorithms[nuce_rng_below(rng, ALGORITHMS)],
                                 .limit_s = longest_s * nuce_rng_uniform(rng),
                                 .timeout_s = 1e6};

        add_point(out, &point);
    }
}

/* Which job, counted over all packs, each point is in; -1: none. */
static int64_t *find_parts(const struct nuce_campaign *campaign, const struct nuce_packing *packing,
                           int64_t *jobs)
{
    int64_t *part_of = nuce_allocate(campaign->count, sizeof *part_of);

    assert_non_null(part_of);
    for (int64_t i = 0; i < campaign->count; i++)
        part_of[i] = -1;
    *jobs = 0;
    for (int64_t i = 0; i < packing->count; i++) {
        for (int64_t k = 0; k < packing->packs[i].count; k++, ++*jobs) {
            const struct nuce_packing_part *part = &packing->packs[i].parts[k];

            for (int64_t j = 0; j < part->count; j++) {
                assert_int_equal(part_of[part->points[j]], -1);
                assert_true(j == 0 || part->points[j] > part->points[j - 1]);
                assert_int_equal(campaign->points[part->points[j]].ranks, packing->packs[i].ranks);
                part_of[part->points[j]] = *jobs;
            }
        }
    }
    return part_of;
}

static int instance_of(const struct nuce_campaign_point *point)
{
    return (int)json_integer_value(
        json_object_get(json_object_get(point->line, "params"), "instance"));
}

static void check_together(const struct nuce_campaign *campaign, const int64_t *points,
                           int64_t count, const int64_t *part_of)
{
    for (int64_t i = 0; i < count; i++) {
        const struct nuce_campaign_point *a = &campaign->points[points[i]];

        for (int64_t j = 0; j < i; j++) {
            const struct nuce_campaign_point *b = &campaign->points[points[j]];

            if (a->ranks == b->ranks && instance_of(a) == instance_of(b))
                assert_int_equal(part_of[points[i]], part_of[points[j]]);
        }
    }
}

/* No job beyond its room unless one instance alone is; estimates add up; longest first. */
static void check_lengths(const struct nuce_campaign *campaign, const struct nuce_packing *packing,
                          double room_s)
{
    int64_t too_long = 0;

    for (int64_t i = 0; i < packing->count; i++) {
        const struct nuce_pack *pack = &packing->packs[i];

        assert_true(i == 0 ||
                    packing->packs[i - 1].parts[0].estimate_s >= pack->parts[0].estimate_s);
        for (int64_t k = 0; k < pack->count; k++) {
            const struct nuce_packing_part *part = &pack->parts[k];
            int instance = instance_of(&campaign->points[part->points[0]]);
            double sum_s = 0;

            assert_true(k == 0 || pack->parts[k - 1].estimate_s >= part->estimate_s);
            for (int64_t j = 0; j < part->count; j++)
                sum_s += nuce_packing_estimate(&campaign->points[part->points[j]]);
            assert_true(fabs(sum_s - part->estimate_s) <= 1e-6 * sum_s);
            if (part->estimate_s <= room_s * (1 + 1e-9))
                continue;
            too_long++;
            for (int64_t j = 0; j < part->count; j++)
                assert_int_equal(instance_of(&campaign->points[part->points[j]]), instance);
        }
    }
    assert_int_equal(too_long, packing->too_long);
}

/* First fit leaves at most one job of a shape half empty. */
static void check_few(const struct nuce_packing *packing, double room_s)
{
    for (int ranks = 1; ranks <= 8; ranks *= 2) {
        int half_empty = 0;

        for (int64_t i = 0; i < packing->count; i++) {
            for (int64_t k = 0; packing->packs[i].ranks == ranks && k < packing->packs[i].count;
                 k++)
                half_empty += packing->packs[i].parts[k].estimate_s < room_s / 2;
        }
        assert_true(half_empty <= 1);
    }
}

static void test_random(void **state)
{
    struct nuce_rng rng = nuce_rng_create(11, 3);

    for (int round = 0; round < ROUNDS; round++) {
        struct nuce_profile profile = {.time_s = 60 * (1 + (int64_t)nuce_rng_below(&rng, 120)),
                                       .warning_s = 60};
        double time_s = (double)profile.time_s, room_s = fmax(time_s / 2, time_s - 90);
        int64_t most_tasks = 1 + (int64_t)nuce_rng_below(&rng, 20), jobs, count = 0, *part_of;
        OWNED(campaign) campaign;
        OWNED(packing) packing;
        struct nuce_packing_wish wish;
        int64_t *points;

        draw_campaign(&rng, 1 + (int64_t)nuce_rng_below(&rng, 150), &campaign);
        points = all_points(&campaign);
        for (int64_t i = 0; i < campaign.count; i++) { /* some are done already */
            if (i == 0 || nuce_rng_below(&rng, 5) > 0)
                points[count++] = i;
        }
        wish = (struct nuce_packing_wish){.points = points, .count = count};
        assert_ok(nuce_packing_make(&campaign, &wish, &profile, most_tasks, &packing, ANY_ERROR));
        part_of = find_parts(&campaign, &packing, &jobs);
        for (int64_t i = 0, k = 0; i < campaign.count; i++) {
            int asked = k < count && points[k] == i;

            assert_int_equal(part_of[i] >= 0, asked);
            k += asked;
        }
        for (int64_t i = 0; i < packing.count; i++)
            assert_in_range(packing.packs[i].count, 1, most_tasks);
        check_together(&campaign, points, count, part_of);
        check_lengths(&campaign, &packing, room_s);
        check_few(&packing, room_s);
        free(part_of);
        free(points);
    }
}

RUN(test_random)
