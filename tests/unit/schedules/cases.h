/* Shared by the tests of schedule algorithms: random instances, and how long their schedules take
 * in the model. */
#ifndef NUCE_TEST_CASES_H
#define NUCE_TEST_CASES_H

#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "schedules/bounds.h"
#include "schedules/execution.h"
#include "schedules/generator.h"
#include "schedules/schedule.h"

#define CASE_RANKS 24

static inline struct nuce_pattern make_pattern(int ranks, const struct nuce_message *messages,
                                               int64_t count)
{
    struct nuce_pattern made;

    assert_ok(nuce_pattern_init(ranks, messages, count, &made, ANY_ERROR));
    return made;
}

/* Adds the messages of the text: "0>1:60 2>3:5 | 0>1@60:40" is 60 bytes from 0 to 1 and 5 from 2 to
 * 3, and in phase 1 40 more from byte 60 on. */
static inline void add_moves(struct nuce_schedule_builder *builder, const char *text)
{
    for (int phase = 0; *text != '\0'; text += strcspn(text, " "), text += *text == ' ') {
        int source, destination;
        long offset = 0, bytes;

        if (*text == '|')
            phase++;
        else if (sscanf(text, "%d>%d:%ld", &source, &destination, &bytes) == 3 ||
                 sscanf(text, "%d>%d@%ld:%ld", &source, &destination, &offset, &bytes) == 4)
            nuce_schedule_add(builder, source, destination, phase, offset, bytes);
        else
            fail_msg("no move: '%s'", text);
    }
}

static inline struct nuce_schedule schedule_of(int ranks, enum nuce_discipline discipline,
                                               int depth, const char *moves)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    nuce_schedule_builder_init(&builder, ranks, discipline);
    builder.depth = depth;
    add_moves(&builder, moves);
    nuce_schedule_build_end(&builder, &schedule);
    return schedule;
}

/* The messages as one phase of such a text. */
static inline struct nuce_pattern pattern_of(int ranks, const char *text)
{
    struct nuce_message messages[64];
    int count = 0;

    for (; *text != '\0'; text += strcspn(text, " "), text += *text == ' ', count++) {
        struct nuce_message *m = &messages[count];
        long bytes;

        assert_int_equal(sscanf(text, "%d>%d:%ld", &m->source, &m->destination, &bytes), 3);
        m->bytes = bytes;
    }
    return make_pattern(ranks, messages, count);
}

/* Up to CASE_RANKS ranks, sparse to dense, messages to oneself too; sizes up to most bytes, at
 * times all alike. */
static inline struct nuce_pattern draw_pattern(uint64_t instance, int64_t most)
{
    struct nuce_message messages[CASE_RANKS * CASE_RANKS];
    struct nuce_rng rng = nuce_rng_create(2, instance);
    int ranks = 1 + (int)nuce_rng_below(&rng, CASE_RANKS);
    double share = nuce_rng_uniform(&rng);
    int alike = nuce_rng_below(&rng, 4) == 0;
    int64_t count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        int64_t bytes = 1 + (int64_t)nuce_rng_below(&rng, (uint64_t)most);

        if (nuce_rng_uniform(&rng) < share)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks, alike ? most : bytes};
    }
    return make_pattern(ranks, messages, count);
}

/* Every ordered pair of its own: up to 1 s of startup times `startup`, 10 .. 200 MB/s. */
static inline struct nuce_network draw_network(int ranks, uint64_t instance, double startup)
{
    struct nuce_rng rng = nuce_rng_create(3, instance);
    size_t pairs = (size_t)ranks * (size_t)ranks;
    struct nuce_network made;

    made = (struct nuce_network){.ranks = ranks};
    made.pair_startup = malloc(pairs * sizeof(double));
    made.pair_bandwidth = malloc(pairs * sizeof(double));
    assert_non_null(made.pair_startup);
    assert_non_null(made.pair_bandwidth);
    for (size_t k = 0; k < pairs; k++) {
        made.pair_startup[k] = startup * nuce_rng_uniform(&rng);
        made.pair_bandwidth[k] = 10e6 + 190e6 * nuce_rng_uniform(&rng);
    }
    return made;
}

/* Number 0 and 1: test set 1, 8 and 16 messages per rank; 2: test set 2; 32 ranks, in units. */
static inline struct nuce_pattern draw_set(int set, uint64_t instance, int64_t unit)
{
    struct nuce_rng rng = nuce_rng_create(1, instance);
    struct nuce_pattern made;

    if (set < 2)
        assert_ok(nuce_pattern_uniform(32, set == 0 ? 8 : 16, &rng, &made, ANY_ERROR));
    else
        assert_ok(nuce_pattern_skewed(32, &rng, &made, ANY_ERROR));
    assert_ok(nuce_pattern_scale(&made, unit, ANY_ERROR));
    return made;
}

/* The schedule of the input by the algorithm called name, which is valid. */
static inline struct nuce_schedule build(const char *name, const struct nuce_schedule_input *input)
{
    struct nuce_error error = {0};
    struct nuce_schedule made;

    assert_non_null(nuce_schedule_find(name));
    if (nuce_schedule_create(nuce_schedule_find(name), input, &made, &error) != NUCE_OK)
        fail_msg("%s: %s", name, nuce_error_flatten(&error));
    if (nuce_schedule_validate(&made, input->pattern, &error) != NUCE_OK)
        fail_msg("%s, %d ranks: %s", name, input->pattern->ranks, error.message);
    return made;
}

/* The same of a pattern under that tuning. */
static inline struct nuce_schedule build_tuned(const char *name, const struct nuce_pattern *pattern,
                                               const struct nuce_tuning *tuning)
{
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = tuning, .rng = nuce_rng_create(1, 0)};

    return build(name, &input);
}

/* The transfers, as add_moves takes them, in each phase by the ranks. */
static inline void assert_moves(const struct nuce_schedule *schedule, const char *expected)
{
    char text[1024] = "", *end = text;

    for (int phase = 0; phase < schedule->phases; phase++) {
        end += sprintf(end, "%s", phase > 0 ? " |" : "");
        for (int i = 0; i < schedule->ranks; i++) {
            for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
                if (schedule->sends[k].phase == phase)
                    end += sprintf(end, " %d>%d:%ld", i, schedule->sends[k].peer,
                                   (long)schedule->sends[k].bytes);
            }
        }
    }
    assert_string_equal(text + 1, expected);
}

/* It takes no such input, and says so. */
static inline void refuse(const char *name, const struct nuce_schedule_input *input,
                          const char *message)
{
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    assert_int_equal(nuce_schedule_create(nuce_schedule_find(name), input, &schedule, &error),
                     NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error.message);
}

/* network NULL: cm5. */
static inline struct nuce_schedule create_schedule(const char *name,
                                                   const struct nuce_pattern *pattern,
                                                   const struct nuce_network *network)
{
    struct nuce_schedule_input input = {
        .pattern = pattern, .network = network, .rng = nuce_rng_create(1, 1)};

    return build(name, &input);
}

static inline double makespan_of(const struct nuce_schedule *schedule,
                                 const struct nuce_network *network, enum nuce_execution execution)
{
    double seconds = -1;

    seconds = nuce_execution_makespan(schedule, network, execution);
    return seconds;
}

/* Its makespan in the execution of its discipline, in units of the single-port bound; 1 if that is
 * 0. */
static inline double ratio_to_bound(const struct nuce_schedule *schedule,
                                    const struct nuce_pattern *pattern,
                                    const struct nuce_network *network)
{
    double makespan = makespan_of(schedule, network, nuce_execution_of(schedule, network));
    struct nuce_bounds bounds;

    nuce_bounds_compute(pattern, network, &bounds);
    assert_true(makespan >= bounds.single_port * (1 - 1e-12));
    return bounds.single_port > 0 ? makespan / bounds.single_port : 1;
}

/* The mean of that ratio over 50 matrices of a set on the CM-5 of the paper. */
static inline double mean_ratio(const char *name, int set, int64_t unit)
{
    struct nuce_network network;
    double sum = 0;

    assert_ok(nuce_network_preset("cm5", 32, &network, ANY_ERROR));
    for (uint64_t instance = 0; instance < 50; instance++) {
        OWNED(pattern) pattern = draw_set(set, instance, unit);
        OWNED(schedule) schedule = create_schedule(name, &pattern, &network);

        sum += ratio_to_bound(&schedule, &pattern, &network);
    }
    return sum / 50;
}

#define NODE_RANKS 17

/* With messages of very unlike lengths between so many quarters of all pairs. */
static inline struct nuce_pattern draw_unlike(int quarters, int ranks)
{
    struct nuce_message messages[NODE_RANKS * NODE_RANKS];
    struct nuce_rng rng = nuce_rng_create(9, (uint64_t)ranks);
    int count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if ((int)nuce_rng_below(&rng, 4) < quarters)
            messages[count++] = (struct nuce_message){
                k / ranks, k % ranks, 1 + (int64_t)nuce_rng_below(&rng, 1U << (k % 20))};
    }
    return make_pattern(ranks, messages, count);
}

/* Calls check with such messages of 1 to NODE_RANKS ranks, on nodes (or groups) that are blocks of
 * two, in turn, of unlike sizes, one rank beside the rest, and one alone. */
static inline void on_all_nodes(void (*check)(const struct nuce_schedule_input *input))
{
    for (int ranks = 1; ranks <= NODE_RANKS; ranks++) {
        for (int shape = 0; shape < 5; shape++) {
            struct nuce_tuning tuning = nuce_tuning_preset;
            int node_of[NODE_RANKS];
            OWNED(pattern) pattern;
            struct nuce_schedule_input input = {.pattern = &pattern,
                                                .tuning = &tuning,
                                                .node_of = node_of,
                                                .group_of = node_of,
                                                .rng = nuce_rng_create(1, 0)};

            for (int i = 0; i < ranks; i++)
                node_of[i] = (const int[]){i / 2, i % (ranks < 3 ? ranks : 3),
                                           i < 2   ? 0
                                           : i < 7 ? 1
                                                   : 2,
                                           i > 0, 0}[shape];
            pattern = draw_unlike(1 + (ranks + shape) % 4, ranks);
            check(&input);
        }
    }
}

/* Calls check with the pattern of each generator that has one, at 1 to NODE_RANKS ranks; returns
 * how many there were. */
static inline int on_all_generated(void (*check)(const struct nuce_pattern *pattern))
{
    int drawn = 0;

    for (int ranks = 1; ranks <= NODE_RANKS; ranks++) {
        for (size_t g = 0; nuce_generators[g] != NULL; g++) {
            struct nuce_generator_input input = {.ranks = ranks,
                                                 .degree = 4,
                                                 .tokens = 40,
                                                 .top_k = 1,
                                                 .imbalance = ranks < 3 ? 1 : 3,
                                                 .grid = {9, 8, 7},
                                                 .pencils = NUCE_PENCILS_YZ,
                                                 .vertices = 16,
                                                 .refined = 0.25};
            struct nuce_rng rng = nuce_rng_create(8, (uint64_t)ranks);
            struct nuce_pattern pattern;

            if (nuce_generators_draw(nuce_generators[g], &input, &rng, &pattern, ANY_ERROR) !=
                NUCE_OK)
                continue;
            drawn++;
            check(&pattern);
            nuce_pattern_fini(&pattern);
        }
    }
    return drawn;
}

#endif
