/* How often a race that ends when it is known errs, and how soon it ends, by simulation: the rule
 * of base/anytime.h on launches drawn at random, where the right answer is known. The times of a
 * contender, its reference and the duplicate have the same spread, 2 %, in logarithms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/anytime.h"
#include "base/rng.h"
#include "base/statistics.h"

#define SPREAD 0.02
#define RACES 10000
#define LAUNCHES 300
#define FIXED 12 /* launches of a race that does not end by its result */

enum { NORMAL, HEAVY, OUTLIERS, BIMODAL, ROUNDED, SHAPES };

static const char *const shapes[] = {"normal", "Student's t, 3 degrees", "5 % outliers, 10 times",
                                     "two modes, 3 spreads apart", "normal, rounded to 1 %"};

static double normal(struct nuce_rng *rng)
{
    double radius = sqrt(-2 * log(1 - nuce_rng_uniform(rng)));

    return radius * cos(2 * M_PI * nuce_rng_uniform(rng));
}

/* The logarithm of a time around 0. */
static double draw(struct nuce_rng *rng, int shape)
{
    double value = normal(rng), squares = 0;

    switch (shape) {
    case HEAVY:
        for (int i = 0; i < 3; i++) {
            double other = normal(rng);

            squares += other * other;
        }
        return SPREAD * value / sqrt(squares / 3);
    case OUTLIERS:
        return SPREAD * (value + (nuce_rng_uniform(rng) < 0.05 ? 10 : 0));
    case BIMODAL:
        return SPREAD * (0.2 * value + (nuce_rng_uniform(rng) < 0.3 ? 3 : 0));
    case ROUNDED:
        return round(SPREAD * value / 0.01) * 0.01;
    default:
        return SPREAD * value;
    }
}

struct ended {
    enum nuce_known known;
    int64_t launches;
};

static enum nuce_known known(const double *ratios, const double *noise, int64_t launches,
                             double margin, double least)
{
    struct nuce_anytime of_contender = nuce_anytime_of(ratios, launches);
    struct nuce_launches_mean of_duplicate = nuce_anytime_noise(noise, launches);

    return nuce_anytime_known(&of_contender, 1, fabs(of_duplicate.mean) + of_duplicate.reach,
                              margin, least);
}

/* One race, looked at after each launch; true_mean: of the logarithm of the contender's ratio. */
static struct ended race(struct nuce_rng *rng, int shape, double true_mean, double margin,
                         double least)
{
    double ratios[LAUNCHES], noise[LAUNCHES];
    struct ended ended = {.known = NUCE_KNOWN_NOTHING};

    while (ended.known == NUCE_KNOWN_NOTHING && ended.launches < LAUNCHES) {
        double reference = draw(rng, shape);

        ratios[ended.launches] = true_mean + draw(rng, shape) - reference;
        noise[ended.launches++] = draw(rng, shape) - reference;
        ended.known = known(ratios, noise, ended.launches, margin, least);
    }
    return ended;
}

/* Without a margin a race of the same only ends by a false alarm. */
static void print_alarms(struct nuce_rng *rng)
{
    printf("The same contender twice, looked at after each of %d launches, %d races:\n"
           "distribution of times          false alarms\n",
           LAUNCHES, RACES);
    for (int shape = 0; shape < SHAPES; shape++) {
        int alarms = 0;

        for (int i = 0; i < RACES; i++)
            alarms += race(rng, shape, 0, 0, 0).known != NUCE_KNOWN_NOTHING;
        printf("%-30s %.2f %%\n", shapes[shape], 100.0 * alarms / RACES);
    }
}

static void print_launches(struct nuce_rng *rng)
{
    static const double planted[] = {0.02, 0.05, 0.1, 0.5};

    printf("\nA planted difference, %d races, beside %d launches:\n"
           "planted  found   launches: median   95 %% quantile\n",
           RACES, FIXED);
    for (size_t k = 0; k < sizeof planted / sizeof *planted; k++) {
        static double launches[RACES];
        int found = 0;

        for (int i = 0; i < RACES; i++) {
            struct ended ended = race(rng, NORMAL, log1p(planted[k]), 0, 0);

            found += ended.known == NUCE_KNOWN_SLOWER;
            launches[i] = (double)ended.launches;
        }
        nuce_statistics_sort(launches, RACES);
        printf("%4.0f %%   %5.1f %%             %4.0f            %4.0f\n", 100 * planted[k],
               100.0 * found / RACES, nuce_statistics_median(launches, RACES),
               nuce_statistics_quantile(launches, RACES, 0.95));
    }
}

static void print_acceptance(struct nuce_rng *rng)
{
    static const double reached[] = {0.88, 0.9, 0.97, 1};

    printf("\nAt least 90 %% of the reference's speed, %d races:\n"
           "true speed   passes    fails   open\n",
           RACES);
    for (size_t k = 0; k < sizeof reached / sizeof *reached; k++) {
        int count[NUCE_KNOWN_FAILS + 1] = {0};

        for (int i = 0; i < RACES; i++)
            count[race(rng, NORMAL, -log(reached[k]), 0, 0.9).known]++;
        printf("%6.0f %%    %6.2f %% %6.2f %% %5.2f %%\n", 100 * reached[k],
               100.0 * count[NUCE_KNOWN_REACHES] / RACES, 100.0 * count[NUCE_KNOWN_FAILS] / RACES,
               100.0 * count[NUCE_KNOWN_NOTHING] / RACES);
    }
}

int main(void)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);

    print_alarms(&rng);
    print_launches(&rng);
    print_acceptance(&rng);
    return 0;
}
