/* The table of generators, made from generators.def, and what they share. */
#include <stddef.h>
#include <string.h>

#include "schedules/generator.h"

#define X(name) extern const struct nuce_generator_ops nuce_generator_##name;
#include "schedules/generators.def"
#undef X

#define X(name) &nuce_generator_##name,
const struct nuce_generator_ops *const nuce_generators[] = {
#include "schedules/generators.def"
    NULL,
};
#undef X

const struct nuce_generator_ops *nuce_generator_find(const char *name)
{
    for (size_t i = 0; nuce_generators[i] != NULL; i++) {
        if (strcmp(nuce_generators[i]->name, name) == 0)
            return nuce_generators[i];
    }
    return NULL;
}

nuce_status nuce_generator_check(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->ranks < 1 || input->ranks > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_refuse(error, "ranks", "'%d': expected 1 .. %d", input->ranks,
                                 NUCE_PATTERN_MAX_RANKS);
    if (ops->uses_density && input->density < 1)
        return nuce_error_refuse(error, "density", "'%d': expected at least 1", input->density);
    return ops->check(input, error);
}

nuce_status nuce_generators_draw(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error)
{
    if (nuce_generator_check(ops, input, error) != NUCE_OK)
        return error->status;
    return ops->generate(input, rng, out, error);
}

int64_t nuce_generator_units(struct nuce_rng *rng)
{
    return 1 + (int64_t)nuce_rng_below(rng, NUCE_GENERATOR_MOST_UNITS);
}

int nuce_generator_grid_rows(int ranks)
{
    int rows = 1;

    for (int divisor = 2; divisor <= ranks / divisor; divisor++) {
        if (ranks % divisor == 0)
            rows = divisor;
    }
    return rows;
}

nuce_status nuce_pattern_uniform(int ranks, int density, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_input input = {.ranks = ranks, .density = density};

    return nuce_generators_draw(&nuce_generator_pattern_uniform, &input, rng, out, error);
}

nuce_status nuce_pattern_skewed(int ranks, struct nuce_rng *rng, struct nuce_pattern *out,
                                struct nuce_error *error)
{
    struct nuce_generator_input input = {.ranks = ranks};

    return nuce_generators_draw(&nuce_generator_pattern_skewed, &input, rng, out, error);
}
