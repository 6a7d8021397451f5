/* Generators of patterns: rank count, degree and random numbers in, a COM in items out. */
#ifndef NUCE_GENERATOR_H
#define NUCE_GENERATOR_H

#include "base/error.h"
#include "base/option.h"
#include "base/rng.h"
#include "schedules/pattern.h"

/* The step of a three-dimensional FFT: the two kinds of pencils between which it moves its
 * points. */
enum nuce_generator_pencils { NUCE_PENCILS_XY, NUCE_PENCILS_YZ };

/* The input of a generator without the random numbers. Each reads the members that its `options`
 * name, and ranks. */
struct nuce_generator_input {
    int ranks;
    int degree;      /* see the generator's summary */
    int64_t grid[3]; /* fft_grid, read: points along x, y and z */
#define NUCE_GENERATOR_OPTION(type, member, ...) NUCE_OPTION_MEMBER_##type(member)
#include "schedules/generator_options.inc"
#undef NUCE_GENERATOR_OPTION
};

/* The messages found so far of one rank. All zero: none yet. The array is owned and freed with
 * nuce_generator_row_fini; `bytes` of its messages are items. */
struct nuce_generator_row {
    int64_t count, capacity;
    struct nuce_message *messages;
};

/* A generator: one file, one row in generators.def. */
struct nuce_generator_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;
    /* The options of the workload that it uses, "degree" and so on, NULL-ended; NULL: none. */
    const char *const *options;
    int is_random; /* 0: the random numbers have no effect */
    /* NUCE_BAD_INPUT, naming the option ("degree", "ranks"), unless the pattern exists. */
    nuce_status (*check)(const struct nuce_generator_input *input, struct nuce_error *error);
    /* input has passed check. Appends all messages, in any order; sizes are items of COM, at least
     * 1. NULL: all rows, one by one. */
    void (*generate)(const struct nuce_generator_input *input, struct nuce_rng *rng,
                     struct nuce_generator_row *out);
    /* Appends the messages of source alone, as generate makes them from the same numbers,
     * destinations ascending, in time and memory that do not grow with all ranks' messages. NULL:
     * they follow only from all. */
    void (*row)(const struct nuce_generator_input *input, const struct nuce_rng *rng, int source,
                struct nuce_generator_row *out);
};

/* True if ops uses the option called name; ops NULL: if any generator does. */
int nuce_generator_uses(const struct nuce_generator_ops *ops, const char *name);

/* Draws the row of source alone, if ops can. Freed with nuce_generator_row_fini. */
nuce_status nuce_generator_draw_row(const struct nuce_generator_ops *ops,
                                    const struct nuce_generator_input *input,
                                    const struct nuce_rng *rng, int source,
                                    struct nuce_generator_row *out, struct nuce_error *error);
void nuce_generator_row_fini(struct nuce_generator_row *row);

/* Appends a message of that many items. A rank's message to itself and an empty one are ignored. */
void nuce_generator_row_add(struct nuce_generator_row *row, int source, int destination,
                            int64_t items);

/* Merges row from message first on: messages of one pair become one, by source, then
 * destination. */
void nuce_generator_row_merge(struct nuce_generator_row *row, int64_t first);

/* Checks input and generates: ranks in 1 .. NUCE_PATTERN_MAX_RANKS, degree at least 1 if it is
 * used, and the generator's own check. */
nuce_status nuce_generators_draw(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error);

/* The checks alone. */
nuce_status nuce_generator_check(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input,
                                 struct nuce_error *error);

/* Largest random size, in items: generators draw uniformly in 1 .. NUCE_GENERATOR_MOST_UNITS
 * (Ranka, Wang and Kumar, 7.2). */
#define NUCE_GENERATOR_MOST_UNITS 32
int64_t nuce_generator_units(struct nuce_rng *rng);

/* The first place from low to high whose summed weights exceed wanted; high is the last. */
int64_t nuce_generator_lookup(const double *until, int64_t low, int64_t high, double wanted);

/* The options of a generator that uses only its degree. */
extern const char *const nuce_generator_degree[];

/* The number of rows of the process grid of all ranks that is as square as possible: the largest
 * divisor of ranks that is not above its square root. Rank i is in row i / columns, column i %
 * columns. */
int nuce_generator_grid_rows(int ranks);

/* All generators in the order of generators.def, NULL-ended. */
extern const struct nuce_generator_ops *const nuce_generators[];
/* The generator called name, borrowed from the table; NULL: there is none. */
const struct nuce_generator_ops *nuce_generator_find(const char *name);

#endif
