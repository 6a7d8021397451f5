/* Mixture of experts: every rank sends its tokens to the ranks of the experts that a router chose.
 *
 * Every rank has `tokens` tokens, each of which goes to top_k different experts; expert e is on
 * rank floor(e ranks / experts). A copy goes to each expert, even to several of one rank; 1 item is
 * one token; tokens that stay on their rank are no message.
 *
 * The popularity of the experts is a Zipf law, weights i^-s in a random order. s is such that the
 * busiest expert is expected to get `imbalance` times the mean: 1 is an even router. A token goes
 * to an expert at most once, so the imbalance is at most experts / top_k. A token's experts are
 * drawn by systematic sampling (Madow, "On the theory of systematic sampling, II", Annals of
 * Mathematical Statistics 20, 1949): the numbers u + j, j = 0 .. top_k - 1, looked up among the
 * summed probabilities. So each expert has exactly its probability and none is taken twice.
 *
 * With a capacity c an expert takes at most ceil(c tokens top_k / experts) tokens from each rank,
 * the group of GShard, and the others are dropped. back is the way back of the results: the
 * transpose.
 *
 * Cost: O(60 experts + ranks tokens top_k log experts); for one row O(60 experts + tokens top_k log
 * experts), unless the way is back.
 * Source: Lepikhin et al., "GShard", ICLR 2021, 2.2 and algorithm 1 (dispatch, groups, capacity);
 * the range of imbalance is that of measured routers. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

#define MOST_EXPONENT 60.0 /* the second expert then has a weight below 1e-18 */
#define MOE_BISECTIONS 60  /* of 0 .. MOST_EXPONENT: down to the last bits of a double */

/* The common data of all rows. */
struct moe {
    int64_t experts;
    int64_t most;      /* most tokens that an expert takes from a rank */
    double *until;     /* experts: the summed probabilities of a token to go to each */
    int64_t *taken;    /* experts: scratch of a row */
    uint64_t row_seed; /* row i draws from stream i of it */
};

static void moe_fini(struct moe *moe)
{
    free(moe->until);
    free(moe->taken);
}

static int64_t moe_experts(const struct nuce_generator_input *input)
{
    return input->experts > 0 ? input->experts : input->ranks;
}

/* The sum of i^-exponent, i = 1 .. count. */
static double zipf_sum(double exponent, int64_t count)
{
    double sum = 0;

    for (int64_t i = 1; i <= count; i++)
        sum += pow((double)i, -exponent);
    return sum;
}

/* The exponent with which the first of count has imbalance times the mean. The sum falls with the
 * exponent. */
static double zipf_exponent(double imbalance, int64_t count)
{
    double low = 0, high = MOST_EXPONENT;

    for (int i = 0; i < MOE_BISECTIONS && imbalance > 1; i++) {
        double middle = (low + high) / 2;

        if (zipf_sum(middle, count) > (double)count / imbalance)
            low = middle;
        else
            high = middle;
    }
    return imbalance > 1 ? high : 0;
}

/* Freed with moe_fini, also after failure. */
static void moe_prepare(const struct nuce_generator_input *input, struct nuce_rng rng,
                        struct moe *out)
{
    int64_t experts = moe_experts(input);
    int *place = nuce_allocate(experts, sizeof *place);
    double exponent = zipf_exponent(input->imbalance, experts);
    double share = (double)input->top_k / zipf_sum(exponent, experts), sum = 0;

    *out = (struct moe){.experts = experts, .most = input->tokens};
    out->until = nuce_allocate(experts, sizeof *out->until);
    out->taken = nuce_allocate(experts, sizeof *out->taken);
    if (input->capacity > 0)
        out->most = (int64_t)fmin(
            ceil(input->capacity * (double)input->tokens * (double)input->top_k / (double)experts),
            (double)input->tokens);
    for (int64_t e = 0; e < experts; e++)
        place[e] = (int)e;
    nuce_rng_shuffle(&rng, place, experts);
    /* until: in a random order of popularity. No probability may exceed 1, so that rounding cannot
     * give a token one expert twice. */
    for (int64_t e = 0; e < experts; e++)
        out->until[e] = sum += fmin(share * pow(place[e] + 1, -exponent), 1);
    out->row_seed = nuce_rng_next(&rng);
    free(place);
}

/* Experts ascend with their ranks, so those of a rank make one message. */
static void moe_add_row(const struct nuce_generator_input *input, int source, struct moe *moe,
                        struct nuce_generator_row *row)
{
    int destination = 0;
    int64_t items = 0;
    struct nuce_rng rng = nuce_rng_create(moe->row_seed, (uint64_t)source);

    /* The number of tokens of source that each expert takes. */
    for (int64_t e = 0; e < moe->experts; e++)
        moe->taken[e] = 0;
    for (int64_t token = 0; token < input->tokens; token++) {
        double wanted = nuce_rng_uniform(&rng);
        int64_t expert = -1;

        for (int64_t k = 0; k < input->top_k && expert + 1 < moe->experts; k++) {
            int64_t *taken;

            /* The first expert, from there on, whose probability interval contains wanted. */
            expert =
                nuce_generator_lookup(moe->until, expert + 1, moe->experts - 1, wanted + (double)k);
            taken = &moe->taken[expert];
            *taken += *taken < moe->most;
        }
    }
    for (int64_t e = 0; e < moe->experts; e++) {
        int owner = (int)(e * input->ranks / moe->experts);

        if (owner != destination) {
            nuce_generator_row_add(row, source, destination, items);
            destination = owner;
            items = 0;
        }
        items += moe->taken[e];
    }
    nuce_generator_row_add(row, source, destination, items);
}

static nuce_status moe_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    int64_t experts = moe_experts(input), copies;
    double most;

    if (input->tokens < 1)
        return nuce_error_refuse(error, "tokens", "'%lld': expected at least 1",
                                 (long long)input->tokens);
    if (experts > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_refuse(error, "experts", "'%lld': expected at most %d",
                                 (long long)experts, NUCE_PATTERN_MAX_RANKS);
    if (input->top_k < 1 || input->top_k > experts)
        return nuce_error_refuse(error, "top-k",
                                 "'%lld': a token goes to different experts, expected 1 to their "
                                 "number, %lld",
                                 (long long)input->top_k, (long long)experts);
    if (!(input->capacity >= 0))
        return nuce_error_refuse(error, "capacity", "'%g': expected 0, no limit, or more",
                                 input->capacity);
    /* Experts and ranks are at most 2^24 each, so that the second factor fits. */
    if (__builtin_mul_overflow(input->tokens, input->top_k * input->ranks, &copies))
        return nuce_error_refuse(error, "tokens", "'%lld': expected fewer",
                                 (long long)input->tokens);
    most = (double)experts / (double)input->top_k;
    if (!(input->imbalance >= 1 && input->imbalance <= most))
        return nuce_error_refuse(error, "imbalance",
                                 "'%g': expected 1 to %g: with top-k %lld of %lld experts the "
                                 "busiest expert receives at most %g times the mean",
                                 input->imbalance, most, (long long)input->top_k,
                                 (long long)experts, most);
    return NUCE_OK;
}

/* Results return to the ranks of their tokens. */
static void moe_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                         struct nuce_generator_row *out)
{
    struct moe moe;

    moe_prepare(input, *rng, &moe);
    for (int i = 0; i < input->ranks; i++)
        moe_add_row(input, i, &moe, out);
    for (int64_t k = 0; input->back && k < out->count; k++) {
        struct nuce_message *message = &out->messages[k];

        *message = (struct nuce_message){message->destination, message->source, message->bytes};
    }
    moe_fini(&moe);
}

static void moe_row(const struct nuce_generator_input *input, const struct nuce_rng *rng,
                    int source, struct nuce_generator_row *out)
{
    struct moe moe;

    moe_prepare(input, *rng, &moe);
    moe_add_row(input, source, &moe, out);
    moe_fini(&moe);
}

static const char *const moe_options[] = {"tokens",   "experts", "top-k", "imbalance",
                                          "capacity", "back",    NULL};

const struct nuce_generator_ops nuce_generator_pattern_moe = {
    .name = "moe",
    .summary =
        "a mixture of experts: tokens, each to the ranks of top-k of the experts, the busiest "
        "of which gets imbalance times the mean; 1 item per token",
    .source = "Lepikhin et al.: GShard, ICLR 2021, 2.2",
    .options = moe_options,
    .is_random = 1,
    .check = moe_check,
    .generate = moe_generate,
    .row = moe_row,
};
