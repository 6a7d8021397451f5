/* Generators of patterns: rank count, density and random numbers in, a COM in units out. */
#ifndef NUCE_GENERATOR_H
#define NUCE_GENERATOR_H

#include "schedules/pattern.h"
#include "support/error.h"
#include "support/rng.h"

/* What a generator is told; the random numbers are the rest. */
struct nuce_generator_input {
    int ranks;
    int density; /* where uses_density is set: see the generator's summary */
};

/* A generator: one file, one row in generators.def. */
struct nuce_generator_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;
    int uses_density;
    int is_random; /* 0: the same whatever the numbers */
    /* NUCE_BAD_INPUT, naming the option ("density", "ranks"), unless the pattern exists. */
    nuce_status (*check)(const struct nuce_generator_input *input, struct nuce_error *error);
    /* input has passed check. Sizes are units of COM, at least 1. Freed with nuce_pattern_fini. */
    nuce_status (*generate)(const struct nuce_generator_input *input, struct nuce_rng *rng,
                            struct nuce_pattern *out, struct nuce_error *error);
};

/* Checks input and generates: ranks in 1 .. NUCE_PATTERN_MAX_RANKS, density at least 1 where it is
 * used, and what check says. */
nuce_status nuce_generators_draw(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error);

/* The checks alone. */
nuce_status nuce_generator_check(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input,
                                 struct nuce_error *error);

/* What generators share: a random size, uniform in 1 .. NUCE_GENERATOR_MOST_UNITS (Ranka, Wang and
 * Kumar, 7.2). */
#define NUCE_GENERATOR_MOST_UNITS 32
int64_t nuce_generator_units(struct nuce_rng *rng);

/* The rows of the process grid of all ranks that is as square as possible: the largest divisor of
 * ranks that is not above its square root. Rank i is in row i / columns, column i % columns. */
int nuce_generator_grid_rows(int ranks);

/* All generators in the order of generators.def, NULL-ended. */
extern const struct nuce_generator_ops *const nuce_generators[];
/* The generator called name, borrowed from the table; NULL: there is none. */
const struct nuce_generator_ops *nuce_generator_find(const char *name);

#endif
