/* Random numbers that are the same on every rank and machine. A generator has a stream number, so
 * that the draws of one part of a program do not affect another part.
 *
 * Constants: those of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014, with Stafford's mixer 13) and of xoshiro256** (base/rng.h names the
 * paper). A draw takes about ten integer operations. Not for secrets. */
#include "base/rng.h"

#include "base/error.h"

/* splitmix64: a counter that moves by the golden ratio of 2^64, mixed. seed and stream are combined
 * through the mixer, so that neighbouring streams do not have neighbouring counters. */
struct nuce_rng nuce_rng_create(uint64_t seed, uint64_t stream)
{
    struct nuce_rng rng;
    uint64_t counter = seed ^ nuce_rng_mix(stream);

    for (int i = 0; i < 4; i++) {
        counter += UINT64_C(0x9e3779b97f4a7c15);
        rng.state[i] = nuce_rng_mix(counter);
    }
    return rng;
}

static uint64_t rotate_left(uint64_t word, int bits)
{
    return (word << bits) | (word >> (64 - bits));
}

/* xoshiro256**: the shifts 17 and 45, and the scrambler times 5, rotated by 7, times 9. */
uint64_t nuce_rng_next(struct nuce_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* The high and low words of a 64 x 64 bit product, without relying on a 128-bit type. */
static uint64_t multiply_high(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
    uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t cross = a_high * b_low + ((a_low * b_low) >> 32);
    uint64_t middle = a_low * b_high + (cross & UINT32_MAX);

    *low = a * b;
    return a_high * b_high + (cross >> 32) + (middle >> 32);
}

/* Lemire: the high word of draw * bound is the result. Draws whose low word is below 2^64 mod bound
 * would make some results likelier and are drawn again. The division for that is needed only if the
 * low word is below bound, so nearly never. */
uint64_t nuce_rng_below(struct nuce_rng *rng, uint64_t bound)
{
    uint64_t low, high;

    NUCE_ASSERT(bound > 0);
    /* A state of zeros gives only zeros: nuce_rng_create did not make it. */
    NUCE_ASSERT((rng->state[0] | rng->state[1] | rng->state[2] | rng->state[3]) != 0);
    high = multiply_high(nuce_rng_next(rng), bound, &low);
    if (low < bound) {
        uint64_t threshold = (0 - bound) % bound;

        while (low < threshold)
            high = multiply_high(nuce_rng_next(rng), bound, &low);
    }
    return high;
}

/* The upper 53 bits, all that a double holds exactly, times 2^-53. */
double nuce_rng_uniform(struct nuce_rng *rng)
{
    return (double)(nuce_rng_next(rng) >> 11) * 0x1.0p-53;
}

/* From the end: values[k] changes places with one of the values up to and including itself. */
void nuce_rng_shuffle(struct nuce_rng *rng, int *values, int64_t count)
{
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = (int64_t)nuce_rng_below(rng, (uint64_t)k + 1);
        int value = values[k];

        values[k] = values[other];
        values[other] = value;
    }
}
