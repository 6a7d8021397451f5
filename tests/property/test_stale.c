/* Whatever becomes of the pattern, and under every algorithm: what a kept schedule has room for and
 * what goes behind it are together each byte of each message, once. The lists are followed byte by
 * byte here, by another way than the validator's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "schedules/schedule.h"
#include "schedules/sequence.h"

#define MOST_RANKS 9
#define STEPS 5
#define MOST_BYTES 24
#define SEQUENCES 40

/* Where each byte of each message is, and how often it came to where it is to go. */
struct follower {
    int ranks;
    unsigned char at[MOST_RANKS][MOST_RANKS][MOST_RANKS][MOST_BYTES]; /* rank, message, byte */
    unsigned char came[MOST_RANKS][MOST_RANKS][MOST_BYTES];
};

/* Each pair of ranks has a message now and then, a sequence of its own. */
static void draw(int ranks, struct nuce_rng *rng, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    struct nuce_error error = {0};
    int64_t count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (nuce_rng_below(rng, 3) > 0)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks,
                                                      1 + (int64_t)nuce_rng_below(rng, MOST_BYTES)};
    }
    assert_int_equal(nuce_pattern_init(ranks, messages, count, out, &error), NUCE_OK);
}

static void begin_following(const struct nuce_pattern *pattern, struct follower *f)
{
    memset(f, 0, sizeof *f);
    f->ranks = pattern->ranks;
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            memset(f->at[i][i][pattern->destination[k]], 1, (size_t)pattern->bytes[k]);
    }
}

/* Bytes of a message go from rank to rank. */
static void follow(struct follower *f, int from, int to, int source, int destination,
                   int64_t offset, int64_t bytes)
{
    assert_true(offset + bytes <= MOST_BYTES);
    for (int64_t b = offset; b < offset + bytes; b++) {
        assert_int_equal(f->at[from][source][destination][b], 1);
        f->at[to][source][destination][b] = 1;
        if (to == destination)
            f->came[source][destination][b]++;
    }
}

/* The send and its receive say the same, and what it carries is where it is sent from. */
static void follow_send(struct follower *f, const struct nuce_schedule *schedule, int rank,
                        int64_t send)
{
    const struct nuce_transfer *out = &schedule->sends[send];
    const struct nuce_transfer *in = &schedule->receives[schedule->receive_of[send]];

    assert_int_equal(in->peer, rank);
    assert_int_equal(in->phase, out->phase);
    assert_int_equal(in->offset, out->offset);
    assert_int_equal(in->bytes, out->bytes);
    assert_in_range(schedule->receive_of[send], schedule->receive_start[out->peer],
                    schedule->receive_start[out->peer + 1] - 1);
    if (schedule->loads == NULL) {
        follow(f, rank, out->peer, rank, out->peer, out->offset, out->bytes);
        return;
    }
    for (int64_t k = schedule->loads[send].first;
         k < schedule->loads[send].first + schedule->loads[send].count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];

        follow(f, rank, out->peer, parcel->source, parcel->destination, parcel->offset,
               parcel->bytes);
    }
}

static void follow_schedule(struct follower *f, const struct nuce_schedule *schedule)
{
    for (int phase = 0; phase < schedule->phases; phase++) {
        for (int i = 0; i < schedule->ranks; i++) {
            for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
                if (schedule->sends[k].phase == phase)
                    follow_send(f, schedule, i, k);
            }
        }
    }
}

static void check_step(const struct nuce_schedule_ops *ops, const struct nuce_sequence_step *step)
{
    struct follower f;

    begin_following(&step->pattern, &f);
    follow_schedule(&f, &step->planned);
    if (step->rest.pieces > 0)
        follow_schedule(&f, &step->rest);
    for (int i = 0; i < f.ranks; i++) {
        for (int j = 0; j < f.ranks; j++) {
            int64_t k = nuce_pattern_find(&step->pattern, i, j);

            for (int64_t b = 0; b < MOST_BYTES; b++) {
                int wanted = k >= 0 && b < step->pattern.bytes[k];

                if (f.came[i][j][b] != wanted)
                    fail_msg("%s: byte %d from %d to %d came %d times", ops->name, (int)b, i, j,
                             f.came[i][j][b]);
            }
        }
    }
}

/* Returns 0 where the algorithm does not take such patterns. */
static int take_step(const struct nuce_schedule_ops *ops, struct nuce_sequence *sequence,
                     int64_t step)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {.tuning = &tuning, .rng = nuce_rng_create(5, 0)};
    struct nuce_schedule schedule = {0};
    struct nuce_error error = {0};
    nuce_status status;

    tuning.group_ranks = tuning.node_ranks = (sequence->step[0].pattern.ranks + 2) / 3;
    assert_int_equal(nuce_sequence_want(sequence, step, &input.pattern, &error), NUCE_OK);
    if (input.pattern != NULL) {
        status = nuce_schedule_create(ops, &input, &schedule, &error);
        if (status == NUCE_BAD_INPUT && ops->needs == NUCE_NEEDS_REDISTRIBUTION)
            return 0;
        assert_int_equal(status, NUCE_OK);
    }
    if (nuce_sequence_take(sequence, step, input.pattern != NULL ? &schedule : NULL, 0, &error) !=
        NUCE_OK)
        fail_msg("%s, step %d: %s", ops->name, (int)step, nuce_error_flatten(&error));
    return 1;
}

static void check(const struct nuce_schedule_ops *ops, int number)
{
    struct nuce_rng rng = nuce_rng_create(77, (uint64_t)number);
    int ranks = 1 + (int)nuce_rng_below(&rng, MOST_RANKS);
    struct nuce_sequence_terms terms = {STEPS, 1 + number % STEPS, number / STEPS % 2};
    struct nuce_sequence sequence = {.step = NULL};
    struct nuce_error error = {0};

    /* As the workload has it: see check_sequence and sequence_is_kept in workloads/exchange.c. */
    if (ops->discipline == NUCE_DYNAMIC)
        terms.reuse = 1;
    if (strcmp(ops->name, "best") == 0)
        terms.repairs = 0;
    assert_int_equal(nuce_sequence_init(&terms, &sequence, &error), NUCE_OK);
    for (int64_t t = 0; t < STEPS; t++) {
        draw(ranks, &rng, &sequence.step[t].pattern);
        if (!take_step(ops, &sequence, t))
            break;
        check_step(ops, &sequence.step[t]);
        assert_true(terms.reuse > 1 || sequence.step[t].rest.pieces == 0);
        assert_true(!terms.repairs || sequence.step[t].rest.pieces == 0);
    }
    nuce_sequence_fini(&sequence);
}

static void test_every_algorithm(void **state)
{
    (void)state;
    for (int number = 0; number < SEQUENCES; number++) {
        for (size_t i = 0; nuce_schedules[i] != NULL; i++)
            check(nuce_schedules[i], number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_algorithm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
