/* Random numbers: xoshiro256** 1.0 (Blackman, Vigna: "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47(4), 2021), its state filled by splitmix64 as its authors advise.
 * Portable: the same seed gives the same stream on every machine and compiler. */
#ifndef NUCE_RNG_H
#define NUCE_RNG_H

#include <stdint.h>

#define NUCE_RNG_NAME "xoshiro256**"

struct nuce_rng {
    uint64_t state[4];
};

/* A generator for stream number stream of seed; different pairs give unrelated streams. */
struct nuce_rng nuce_rng_create(uint64_t seed, uint64_t stream);

/* 64 random bits. */
uint64_t nuce_rng_next(struct nuce_rng *rng);

/* Uniform in 0 .. bound - 1, without bias (Lemire: "Fast random integer generation in an interval",
 * ACM TOMACS 29(1), 2019). bound > 0. */
uint64_t nuce_rng_below(struct nuce_rng *rng, uint64_t bound);

/* Uniform in [0, 1), 53 random bits. */
double nuce_rng_uniform(struct nuce_rng *rng);

/* Puts count values into a random order; all orders are equally likely (Fisher and Yates). */
void nuce_rng_shuffle(struct nuce_rng *rng, int *values, int64_t count);

/* The splitmix64 finaliser: a mixing function of one word, also used for payload bytes. */
static inline uint64_t nuce_rng_mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

#endif
