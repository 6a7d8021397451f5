/* Simulated races, by the rules of real ones: pilot rounds say how many are wanted, fresh ones give
 * the launch's ratio, and the interval is over launches. Its coverage, and the effect of stopping
 * early on the ratio, for times with one mode and with two. */
#include "../test.h"

#include "base/race_ratio.h"
#include "base/rng.h"
#include "run/sampling.h"

enum { RACES = 2000, PILOT = 10, LEAST = 10, MOST = 200 };

/* Where times of a contender come from. */
struct times {
    const char *name;
    double noise;     /* standard deviation of a time's logarithm */
    double hump;      /* how many times as long a time in the second hump is */
    double share[2];  /* of times in it: the reference's, the contender's */
    double of_launch; /* standard deviation of the logarithm of a launch's own ratio */
    double ratio;     /* of the contender's times to the reference's, hump by hump */
};

static const struct times cases[] = {
    {"one hump", 0.05, 1, {0, 0}, 0.03, 1.1},
    {"one wide hump", 0.3, 1, {0, 0}, 0.03, 1},
    {"two humps, one time in two", 0.05, 1.5, {0.5, 0.5}, 0.03, 1},
    {"two humps, one time in ten", 0.05, 3, {0.1, 0.1}, 0.03, 1.2},
    {"two humps, narrow, launches alike", 0.01, 2, {0.5, 0.5}, 0.001, 1},
};

static double normal(struct nuce_rng *rng)
{
    return sqrt(-2 * log(1 - nuce_rng_uniform(rng))) * cos(2 * M_PI * nuce_rng_uniform(rng));
}

static double draw(const struct times *times, int who, struct nuce_rng *rng)
{
    double time = exp(times->noise * normal(rng));

    return nuce_rng_uniform(rng) < times->share[who] ? times->hump * time : time;
}

/* Rounds of both, as entrants have them after sampling. */
static void draw_rounds(const struct times *times, double factor, int64_t count,
                        struct nuce_entrant entrants[2], struct nuce_rng *rng)
{
    for (int who = 0; who < 2; who++) {
        entrants[who].samples.count = count;
        for (int64_t i = 0; i < count; i++)
            entrants[who].samples.seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP] =
                draw(times, who, rng) * (who == 1 ? factor : 1);
    }
}

/* The logarithm of one launch's ratio; rounds: 0 as many as its pilot wants. */
static double launch(const struct times *times, int64_t rounds, struct nuce_rng *rng)
{
    static double seconds[2][MOST * NUCE_SAMPLE_PARTS];
    static struct nuce_run_info info = {.criterion = NUCE_PART_STEP};
    struct nuce_entrant entrants[2] = {{.info = &info, .samples = {.seconds = seconds[0]}},
                                       {.info = &info, .samples = {.seconds = seconds[1]}}};
    double factor = times->ratio * exp(times->of_launch * normal(rng)), own[MOST], reference[MOST];

    if (rounds == 0) {
        draw_rounds(times, factor, PILOT, entrants, rng);
        rounds = nuce_sampling_rounds_wanted(entrants, 2, 0.05, own);
        rounds = rounds < LEAST ? LEAST : rounds > MOST ? MOST : rounds;
    }
    draw_rounds(times, factor, rounds, entrants, rng);
    for (int64_t i = 0; i < rounds; i++) {
        reference[i] = seconds[0][i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP];
        own[i] = seconds[1][i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP];
    }
    return log(nuce_race_ratio(own, reference, rounds).ratio);
}

/* Over all races: how many intervals have the ratio in them; the mean of the logarithms and its
 * standard error. */
static int covered_of(const struct times *times, int launches, int64_t rounds, double *mean,
                      double *error, struct nuce_rng *rng)
{
    double squares = 0;
    int covered = 0;

    *mean = 0;
    for (int race = 0; race < RACES; race++) {
        double logarithms[8];
        struct nuce_launches_mean found;

        for (int i = 0; i < launches; i++)
            logarithms[i] = launch(times, rounds, rng);
        found = nuce_race_over_launches(logarithms, launches);
        covered += fabs(found.mean - log(times->ratio)) <= found.reach;
        *mean += found.mean / RACES;
        squares += found.mean * found.mean / RACES;
    }
    *error = sqrt((squares - *mean * *mean) / RACES);
    return covered;
}

static void intervals_cover(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 1);

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int launches = 3; launches <= 5; launches += 2) {
            double mean, error;
            int covered = covered_of(&cases[i], launches, 0, &mean, &error, &rng);

            print_message("%s, %d launches: %.1f %% covered\n", cases[i].name, launches,
                          100.0 * covered / RACES);
            assert_in_range(covered, RACES * 92 / 100, RACES * 99 / 100);
        }
    }
}

/* The ratio itself: the mean of stopped races equals that of races with all rounds, within the
 * error of so many races. */
static void stopping_does_not_bias(void **state)
{
    struct nuce_rng rng = nuce_rng_create(2, 1);

    for (size_t i = 0; i < COUNT(cases); i++) {
        double stopped, whole, errors[2], error;

        covered_of(&cases[i], 5, 0, &stopped, &errors[0], &rng);
        covered_of(&cases[i], 5, MOST, &whole, &errors[1], &rng);
        error = hypot(errors[0], errors[1]);
        print_message("%s: %+.3f +- %.3f %% by stopping\n", cases[i].name,
                      100 * expm1(stopped - whole), 100 * error);
        assert_true(fabs(expm1(stopped - whole)) < 0.002 + 2 * error);
    }
}

RUN(intervals_cover, stopping_does_not_bias)
