/* When sampling stops, and that all ranks leave it the same way. The workload's communication times
 * are made up, so nothing here depends on how fast the machine is. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "measure/sampling.h"
#include "world/check.h"

enum behaviour {
    STEADY,      /* every step takes the same */
    WILD,        /* every other step takes a hundred times as long */
    SLOW,        /* a step really takes 50 ms */
    CORRUPT,     /* the last rank sees a wrong payload in the second check */
    INTERRUPTED, /* wild, and the last rank gets a signal in its 20th step */
};

struct fake {
    struct nuce_world *world;
    enum behaviour behaviour;
    int steps;
    _Atomic int interrupted;
};

static void step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct fake *fake = self;
    int is_last = fake->world->rank == fake->world->size - 1;

    fake->steps++;
    /* Only the last rank is this slow: the maximum over ranks must show it. */
    parts[NUCE_PART_COMMUNICATION] = is_last ? 1e-3 : 1e-6;
    if ((fake->behaviour == WILD || fake->behaviour == INTERRUPTED) && fake->steps % 2 == 0)
        parts[NUCE_PART_COMMUNICATION] *= 100;
    if (fake->behaviour == SLOW)
        (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    if (fake->behaviour == INTERRUPTED && is_last && fake->steps == 20)
        atomic_store(&fake->interrupted, 1);
}

static nuce_status verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct fake *fake = self;

    if (fake->behaviour == CORRUPT && salt == 2 && fake->world->rank == fake->world->size - 1)
        return nuce_error_set(error, NUCE_CORRUPT, "a wrong byte");
    return NUCE_OK;
}

static const struct nuce_workload_run run = {.name = "fake", .step = step, .verify = verify};

struct expected {
    enum behaviour behaviour;
    struct nuce_measure measure;
    nuce_status status;
    const char *stopped;
    int64_t least, most; /* samples */
    const char *message;
};

static const struct expected cases[] = {
    {STEADY,
     {.warmup = 2, .min = 10, .max = 100, .ci = 0.05, .limit = 60},
     NUCE_OK,
     "ci",
     10,
     10,
     ""},
    {WILD,
     {.warmup = 2, .min = 10, .max = 100, .ci = 0.05, .limit = 60},
     NUCE_OK,
     "max",
     100,
     100,
     ""},
    {STEADY, {.warmup = 0, .min = 1, .max = 5, .ci = 0.05, .limit = 60}, NUCE_OK, "max", 5, 5, ""},
    {SLOW, {.warmup = 1, .min = 10, .max = 100, .ci = 0, .limit = 0.2}, NUCE_OK, "limit", 1, 9, ""},
    {CORRUPT,
     {.warmup = 1, .min = 10, .max = 10, .ci = 0.05, .limit = 60},
     NUCE_CORRUPT,
     "ci",
     10,
     10,
     "a wrong byte"},
    {INTERRUPTED,
     {.warmup = 1, .min = 10, .max = 1000000, .ci = 0, .limit = 60, .per_rank = 1},
     NUCE_INTERRUPTED,
     NULL,
     19,
     500,
     "interrupted by a signal"},
};

static int same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The slowest rank's time, not the own, whatever the rank. */
static int check_values(const struct nuce_samples *samples)
{
    for (int64_t i = 0; i < samples->count; i++) {
        double seconds = samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION];

        if (seconds < 0.9e-3)
            return 0;
    }
    return isfinite(samples->first_s) != 0;
}

static int run_case(struct nuce_world *world, const struct expected *expected)
{
    const struct nuce_run_info info = {.parts = 1U << NUCE_PART_COMMUNICATION,
                                       .criterion = NUCE_PART_COMMUNICATION};
    struct fake fake = {.world = world, .behaviour = expected->behaviour};
    struct nuce_samples samples = {0};
    struct nuce_counters *counters;
    struct nuce_error error = {0};
    char note[NUCE_MESSAGE_BYTES];
    nuce_status status;
    int right;

    NUCE_ASSERT(nuce_counters_create("", &counters, note, &error) == NUCE_OK);
    status = nuce_sampling_run(world, &run, &fake, &expected->measure, &info, counters,
                               &fake.interrupted, &samples, &error);
    right = status == expected->status && same_text(samples.stopped, expected->stopped) &&
            samples.count >= expected->least && samples.count <= expected->most &&
            check_values(&samples) && strstr(error.message, expected->message) != NULL;
    if (expected->measure.per_rank)
        right = right && (samples.of_rank != NULL) == (world->rank == 0);
    if (!right)
        (void)fprintf(stderr, "case %d, rank %d: status %d, stopped by %s, %lld samples: %s\n",
                      (int)(expected - cases), world->rank, (int)status,
                      samples.stopped == NULL ? "nothing" : samples.stopped,
                      (long long)samples.count, error.message);
    nuce_samples_fini(&samples);
    nuce_counters_destroy(counters);
    return !right;
}

/* The worst status wins, with the message of the lowest rank that has it. */
static int check_agree(struct nuce_world *world)
{
    struct nuce_error error = {0};
    nuce_status mine = NUCE_OK;
    char wanted[64];
    int last = world->size - 1;

    if (world->rank == last)
        mine = nuce_error_set(&error, NUCE_BAD_INPUT, "trouble of rank %d", last);
    (void)snprintf(wanted, sizeof wanted,
                   last == 0 ? "trouble of rank %d" : "rank %1$d: trouble of rank %1$d", last);
    return nuce_world_agree(world, mine, &error) != NUCE_BAD_INPUT ||
           strcmp(error.message, wanted) != 0;
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    int failed = 0;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        failed += run_case(&world, &cases[i]);
    failed += check_agree(&world);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return failed == 0 ? 0 : 1;
}
