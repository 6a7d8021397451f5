/* RS_NH, random scheduling with heaps, with the threshold of each phase chosen by its gain.
 *
 * Problem: cover the pattern by partial permutations whose messages are of similar size, and weigh
 * the startups of splitting against the time that it saves.
 * Steps: those of rs_phases.c. The threshold of a phase on n ranks is the size M(k) that lambda(k)
 * = 3/4 + k/n of its senders do not exceed, idle ones counting as 0, for the k in 0 .. n/4 with the
 * largest sum of gains. The gain of a step from k to k + 1 is the saved startups less the added
 * length of the phase: (1/n) / lambda(k) tau/phi - (M(k+1) - M(k)), in items of COM. A given lambda
 * replaces all this.
 * Cost, limits: see rs_phases.c. The gain depends on the unit of sizes and on tau/phi in that unit;
 * the paper has one tau/phi for all units.
 * Source: Ranka, Wang and Kumar, sections 5.2, 6.3 and 7.1, algorithm 4, where "0 <= k <= 0.25"
 * must be 0.25 n. */
#include "schedules/rs_phases.h"

/* Decide_Size with gains: the index of the largest size to send. The sum of gains up to k is,
 * except for a constant, the startups saved so far less M(k); the least k wins ties. startup_units
 * is tau / phi. */
static int gain_most(const struct nuce_rs_rule *rule, const struct nuce_rs_sizes *sizes)
{
    double saved = 0, best = 0;
    int chosen = sizes->least;

    for (int i = sizes->least; i < sizes->count; i++) {
        double sum = saved - (double)sizes->bytes[i] / rule->unit;

        if (i == sizes->least || sum > best) {
            best = sum;
            chosen = i;
        }
        saved += rule->startup_units / (rule->lambda * sizes->ranks + (i - sizes->least));
    }
    return chosen;
}

static void rs_nh_fill(const struct nuce_schedule_input *input,
                       struct nuce_schedule_builder *builder)
{
    const struct nuce_tuning *tuning = input->tuning;
    struct nuce_rs_rule rule = {.lambda = 0.75,
                                .choose = gain_most,
                                .unit = tuning->unit,
                                .startup_units = tuning->startup_units};

    if (tuning->lambda > 0)
        rule = (struct nuce_rs_rule){.lambda = tuning->lambda};
    nuce_rs_heaps_build(input, &rule, builder);
}

const struct nuce_schedule_ops nuce_schedule_rs_nh = {
    .name = "rs-nh",
    .label = "random phases, split",
    .summary = "random scheduling, largest first, messages split where that pays",
    .source = "Ranka, Wang and Kumar, sections 5.2 and 6.3",
    .discipline = NUCE_LOCKSTEP,
    .uses = NUCE_USES_STARTUP | NUCE_USES_LAMBDA,
    .fill = rs_nh_fill,
};
