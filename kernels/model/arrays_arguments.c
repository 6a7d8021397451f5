#include "model/arrays_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/command_line.h"
#include "support/int.h"
#include "support/units.h"

#define MOST_SAMPLES 1000000

/* As given, before it is known what fits together. */
struct given {
    int64_t rows, columns, processors, samples, seed;
    double ratio, latency;
    int is_integer, allows_empty, is_naive;
    const char *decompositions, *weights;
    enum nuce_grid_format format;
};

#define AT(member) offsetof(struct given, member)

static const struct nuce_option rows[] = {
    {.name = "decomposition",
     .type = NUCE_OPTION_TEXT,
     .offset = AT(decompositions),
     .argument = "NAME,...",
     .help = "the decompositions below, or some of them"},
    {.name = "weights",
     .type = NUCE_OPTION_TEXT,
     .offset = AT(weights),
     .argument = "W,...",
     .help = "how fast the processors are, in any order"},
    {.name = "format",
     .type = NUCE_OPTION_WORD,
     .offset = AT(format),
     .preset = "text",
     .argument = "text|json|csv",
     .help = "of the results",
     .choices = nuce_grid_format_name},
    {.name = "rows",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(rows),
     .argument = "M",
     .help = "of the array",
     .minimum = 1},
    {.name = "columns",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(columns),
     .argument = "N",
     .help = "of the array",
     .minimum = 1},
    {.name = "latency",
     .type = NUCE_OPTION_REAL,
     .offset = AT(latency),
     .preset = "0",
     .argument = "L",
     .help = "what a border between two parts costs beside its length, in cells"},
    {.name = "samples",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(samples),
     .argument = "N",
     .help = "instead of --weights: the mean over so many drawn ones (1)",
     .minimum = 1},
    {.name = "ratio",
     .type = NUCE_OPTION_REAL,
     .offset = AT(ratio),
     .argument = "R",
     .help = "of drawn weights, each uniform in 1 .. R (1: equal)",
     .minimum = 1},
    {.name = "processors",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(processors),
     .argument = "P",
     .help = "parts; --weights tells itself",
     .minimum = 1},
    {.name = "seed",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(seed),
     .preset = "1",
     .argument = "N",
     .help = "of what is drawn"},
    {.name = "integer",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(is_integer),
     .help = "whole cells: every border rounded to the nearest"},
    {.name = "allow-empty",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(allows_empty),
     .help = "with --integer: parts may get no cell"},
    {.name = "naive-edges",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(is_naive),
     .help = "count corners that coincide twice"},
    {.name = NULL},
};

static int count_words(const char *list)
{
    int count = 1;

    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

static nuce_status find_decompositions(const struct given *given, struct nuce_arrays_arguments *out,
                                       struct nuce_error *error)
{
    char *copy, *rest, *name;
    nuce_status status = NUCE_OK;

    if (given->decompositions == NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "--decomposition: not given: expected some of those that --help lists");
    out->decompositions = nuce_allocate(count_words(given->decompositions),
                                        sizeof(struct nuce_decomposition_ops *), error);
    copy = strdup(given->decompositions);
    if (out->decompositions == NULL || copy == NULL) {
        free(copy);
        return nuce_error_set(error, NUCE_FAILED, "out of memory for the decompositions");
    }
    rest = copy;
    while (status == NUCE_OK && (name = strsep(&rest, ",")) != NULL)
        status =
            nuce_decomposition_find(name, &out->decompositions[out->decomposition_count++], error);
    free(copy);
    return status;
}

static nuce_status read_weights(const struct given *given, struct nuce_arrays_arguments *out,
                                struct nuce_error *error)
{
    int count = count_words(given->weights), i = 0;
    double *weights = nuce_allocate(count, sizeof *weights, error);
    char *copy = strdup(given->weights), *rest = copy, *word;
    nuce_status status = NUCE_OK;

    out->array.weights = weights;
    out->array.parts = count;
    if (weights == NULL || copy == NULL)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for the weights");
    while (status == NUCE_OK && (word = strsep(&rest, ",")) != NULL) {
        status = nuce_units_parse_real(word, &weights[i++], error);
        if (status != NUCE_OK)
            status = nuce_error_prefix(error, "--weights: weight %d of %d", i, count);
    }
    free(copy);
    return status;
}

/* What must not be given together, or must. */
static nuce_status check(const struct given *given, const struct nuce_arrays_arguments *arguments,
                         struct nuce_error *error)
{
    if (given->rows == 0 || given->columns == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: not given",
                              given->rows == 0 ? "rows" : "columns");
    if (given->weights == NULL && given->processors == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--weights: not given: expected weights, or --processors with "
                              "--samples and --ratio");
    if (given->weights != NULL && (given->samples > 0 || given->ratio > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--%s: '%g': expected only where weights are drawn, not with "
                              "--weights",
                              given->samples > 0 ? "samples" : "ratio",
                              given->samples > 0 ? (double)given->samples : given->ratio);
    if (given->weights != NULL && given->processors > 0 &&
        given->processors != arguments->array.parts)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--weights: %d weights: expected one for each of --processors %lld",
                              arguments->array.parts, (long long)given->processors);
    if (given->processors > NUCE_DECOMPOSITION_MAX_PARTS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--processors: '%lld': expected 1 to %d",
                              (long long)given->processors, NUCE_DECOMPOSITION_MAX_PARTS);
    if (given->samples > MOST_SAMPLES)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--samples: '%lld': expected 1 to %d",
                              (long long)given->samples, MOST_SAMPLES);
    if (given->allows_empty && !given->is_integer)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--allow-empty: expected --integer with it");
    return NUCE_OK;
}

/* The array with weights like those to come: the largest of what is drawn is within the ratio. */
static nuce_status check_array(const struct nuce_arrays_arguments *arguments,
                               struct nuce_error *error)
{
    struct nuce_array array = arguments->array;
    double *equal = NULL;
    nuce_status status;

    if (array.weights == NULL) {
        equal = nuce_allocate(array.parts, sizeof *equal, error);
        if (equal == NULL)
            return error->status;
        nuce_decomposition_draw_weights(&(struct nuce_rng){{1}}, 1, array.parts, equal);
        array.weights = equal;
    }
    status = nuce_array_check(&array, error);
    free(equal);
    if (status != NUCE_OK)
        return status;
    for (int i = 0; i < arguments->decomposition_count; i++) {
        const struct nuce_decomposition_ops *ops = arguments->decompositions[i];

        if (ops->most_parts > 0 && array.parts > ops->most_parts)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "--decomposition: '%s': %d processors: expected at most %d",
                                  ops->name, array.parts, ops->most_parts);
    }
    return NUCE_OK;
}

static nuce_status complete(const struct given *given, struct nuce_arrays_arguments *out,
                            struct nuce_error *error)
{
    if (find_decompositions(given, out, error) != NUCE_OK)
        return error->status;
    if (given->weights != NULL && read_weights(given, out, error) != NUCE_OK)
        return error->status;
    if (check(given, out, error) != NUCE_OK)
        return error->status;
    if (given->weights == NULL)
        out->array.parts = nuce_int(given->processors);
    out->array.rows = (double)given->rows;
    out->array.columns = (double)given->columns;
    out->array.latency = given->latency;
    out->array.edges = given->is_naive ? NUCE_EDGES_NAIVE : NUCE_EDGES_EXACT;
    out->samples = given->samples > 0 ? given->samples : 1;
    out->ratio = given->ratio > 0 ? given->ratio : 1;
    out->seed = given->seed;
    out->is_integer = given->is_integer;
    out->allows_empty = given->allows_empty;
    out->format = given->format;
    return check_array(out, error);
}

void nuce_arrays_arguments_fini(struct nuce_arrays_arguments *arguments)
{
    free(arguments->decompositions);
    free((void *)arguments->array.weights);
    memset(arguments, 0, sizeof *arguments);
}

static void list_decompositions(FILE *file)
{
    for (size_t i = 0; nuce_decompositions[i] != NULL; i++)
        (void)fprintf(file, "  %-10s %s\n", nuce_decompositions[i]->name,
                      nuce_decompositions[i]->summary);
}

nuce_status nuce_arrays_arguments_parse(int argc, char **argv, struct nuce_arrays_arguments *out,
                                        struct nuce_error *error)
{
    struct nuce_arrays_arguments arguments = {0};
    struct given given = {0};
    struct nuce_command_line line = {
        .about = "Cuts an array into a rectangle for each processor, as large as its weight, and "
                 "tells what that costs: the length of inner borders (acost), the same where the "
                 "array wraps around (bcost), pairs of parts that share a border, and acost + "
                 "latency x pairs.",
        .list = list_decompositions,
        .groups = {{.rows = rows, .params = &given}}};

    nuce_command_line_parse(&line, argc, argv);
    if (complete(&given, &arguments, error) != NUCE_OK) {
        nuce_arrays_arguments_fini(&arguments);
        return error->status;
    }
    *out = arguments;
    return NUCE_OK;
}
