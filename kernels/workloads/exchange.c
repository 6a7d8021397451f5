/* The workload `exchange`: a sweep over the edges of an unstructured mesh with an exchange of ghost
 * values before it (Ranka, Wang and Kumar, Figure 1), or the communication alone of a pattern that
 * is read or drawn at random (their 7.2). */
#include "workload.h"

#include <limits.h>
#include <string.h>

#include "exchange_instance.h"
#include "generator.h"
#include "partition.h"
#include "schedule.h"
#include "text.h"

#define AT(member) offsetof(struct nuce_exchange_params, member)

/* mesh, com, then the generators. */
static const char *pattern_name(size_t index)
{
    static const char *const read[] = {"mesh", "com"};
    size_t count = sizeof read / sizeof read[0];

    if (index < count)
        return read[index];
    return nuce_generators[index - count] == NULL ? NULL : nuce_generators[index - count]->name;
}

static const char *algorithm_name(size_t index)
{
    return nuce_schedules[index] == NULL ? NULL : nuce_schedules[index]->name;
}

static const char *partition_name(size_t index)
{
    return nuce_partitions[index] == NULL ? NULL : nuce_partitions[index]->name;
}

static const struct nuce_option options[] = {
    {.name = "algorithm",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(algorithm),
     .argument = "NAME",
     .help = "schedule algorithm (nuce list algorithms)",
     .choices = algorithm_name},
    {.name = "pattern",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(pattern),
     .argument = "NAME",
     .help = "who sends to whom: mesh, com (both follow from mesh and com if given) or a generator "
             "(nuce list patterns)", .choices = pattern_name},
    {.name = "mesh",
     .type = NUCE_OPTION_FILE,
     .offset = AT(mesh),
     .argument = "NAME",
     .help = "a mesh that nuce ships (wing-2800, wing-53961) or a file: METIS .graph, Gmsh .msh, "
             "Matrix Market .mtx, gzip'd or not", .flags = NUCE_OPTION_COSTLY | NUCE_OPTION_MESH},
    {.name = "partition",
     .type = NUCE_OPTION_CHOICE,
     .offset = AT(partition),
     .preset = "kway",
     .argument = "METHOD",
     .help = "how the mesh is cut: kway, kway-volume (METIS) or rcb (coordinates)",
     .flags = NUCE_OPTION_COSTLY,
     .choices = partition_name},
    {.name = "com",
     .type = NUCE_OPTION_FILE,
     .offset = AT(com),
     .argument = "FILE",
     .help = "COM file: the rank count, then lines 'source destination bytes'",
     .flags = NUCE_OPTION_COSTLY},
    {.name = "unit",
     .type = NUCE_OPTION_BYTES,
     .offset = AT(unit),
     .preset = "1KiB",
     .argument = "BYTES",
     .help = "bytes per unit of COM; on a mesh the state of a node",
     .minimum = 1},
    {.name = "density",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(density),
     .preset = "8",
     .argument = "D",
     .help = "messages of a rank, as the generator of the pattern says (nuce list patterns)",
     .minimum = 1},
    {.name = "instance",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(instance),
     .preset = "0",
     .argument = "K",
     .help = "which random pattern; in a sweep 'instances: N' stands for 0 .. N - 1",
     .flags = NUCE_OPTION_COUNTED,
     .minimum = 0},
    {.name = "seed",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(seed),
     .preset = "1",
     .argument = "N",
     .help = "of random patterns, partitions and schedules",
     .minimum = 0},
    {.name = "overlap",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(overlap),
     .preset = "false",
     .help = "compute the interior edges of the mesh while the exchange runs"},
    {.name = "network",
     .type = NUCE_OPTION_FILE,
     .offset = AT(network),
     .argument = "NAME",
     .help =
         "what messages cost, for predictions, bounds and algorithms that look at it: a NETWORK "
         "FILE or cm5", .flags = NUCE_OPTION_NETWORK},
    {.name = "tau",
     .type = NUCE_OPTION_DURATION,
     .offset = AT(tau),
     .argument = "TIME",
     .help = "startup latency that rs-nh weighs, with phi; left out: tau / phi of 32 units of COM",
     .flags = NUCE_OPTION_TUNING | NUCE_OPTION_POSITIVE,
     .minimum = 0},
    {.name = "phi",
     .type = NUCE_OPTION_REAL,
     .offset = AT(phi),
     .argument = "SECONDS",
     .help = "seconds per byte that rs-nh weighs, with tau",
     .flags = NUCE_OPTION_TUNING | NUCE_OPTION_POSITIVE,
     .minimum = 0},
    {.name = "lambda",
     .type = NUCE_OPTION_REAL,
     .offset = AT(lambda),
     .argument = "FRACTION",
     .help =
         "of the messages of a phase that are not split, in (0, 1]; left out: what rs-nh finds, "
         "and for rs-nh-fixed the best of five", .flags = NUCE_OPTION_TUNING | NUCE_OPTION_POSITIVE},
    {.name = "depth",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(depth),
     .preset = "1",
     .argument = "PIECES",
     .help = "sends, and receives, that a rank has in flight under a schedule of streams; the cost "
             "model knows 1 alone", .flags = NUCE_OPTION_TUNING,
     .minimum = 1},
    {.name = "choices",
     .type = NUCE_OPTION_LIST,
     .offset = AT(choices),
     .argument = "NAMES",
     .help = "comma list of the algorithms that best chooses from",
     .flags = NUCE_OPTION_TUNING},
    {.name = NULL                                                            },
};

static int is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (strcmp(name, *names) == 0)
            return 1;
    }
    return 0;
}

/* Of the tuning: whether the algorithm looks at it. */
static int is_used(const char *name, const struct nuce_exchange_params *p)
{
    const struct nuce_schedule_ops *algorithm = nuce_schedule_find(p->algorithm);
    unsigned uses = algorithm == NULL ? 0 : algorithm->uses;

    if (strcmp(name, "tau") == 0 || strcmp(name, "phi") == 0)
        return p->tau > 0 && (uses & NUCE_USES_STARTUP);
    if (strcmp(name, "lambda") == 0)
        return p->lambda > 0 && (uses & NUCE_USES_LAMBDA);
    if (strcmp(name, "choices") == 0)
        return p->choices[0] != '\0' && (uses & NUCE_USES_CHOICES);
    return (uses & NUCE_USES_DEPTH) != 0;
}

static int applies(const struct nuce_option *option, const void *params)
{
    static const char *const mesh_only[] = {"mesh", "partition", "overlap", NULL};
    const struct nuce_exchange_params *p = params;
    const struct nuce_generator_ops *generator = nuce_generator_find(p->pattern);

    if (option->flags & NUCE_OPTION_TUNING)
        return is_used(option->name, p);
    if (strcmp(option->name, "network") == 0)
        return p->network[0] != '\0';
    if (is_one_of(option->name, mesh_only))
        return strcmp(p->pattern, "mesh") == 0;
    if (strcmp(option->name, "com") == 0)
        return strcmp(p->pattern, "com") == 0;
    if (strcmp(option->name, "unit") == 0)
        return strcmp(p->pattern, "com") != 0;
    if (strcmp(option->name, "density") == 0)
        return generator != NULL && generator->uses_density;
    if (strcmp(option->name, "instance") == 0)
        return generator != NULL && generator->is_random;
    return 1;
}

static nuce_status choose_pattern(struct nuce_exchange_params *p, struct nuce_error *error)
{
    if (p->pattern[0] == '\0') {
        const char *name = p->com[0] != '\0' ? "com" : "mesh";

        if (p->com[0] == '\0' && p->mesh[0] == '\0')
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "pattern: not given: expected a mesh, a com file, or a pattern "
                                  "of 'nuce list patterns'");
        NUCE_ASSERT(nuce_text_copy(p->pattern, sizeof p->pattern, name));
    }
    if (strcmp(p->pattern, "mesh") == 0 && p->mesh[0] == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "mesh: not given: pattern mesh needs one");
    if (strcmp(p->pattern, "com") == 0 && p->com[0] == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "com: not given: pattern com needs a file");
    return NUCE_OK;
}

static nuce_status check_ranges(const struct nuce_exchange_params *p, int ranks,
                                struct nuce_error *error)
{
    const struct nuce_generator_ops *generator = nuce_generator_find(p->pattern);

    if (generator != NULL && nuce_exchange_check_pattern(p, ranks, error) != NUCE_OK)
        return error->status;
    if (strcmp(p->pattern, "mesh") == 0 && p->unit % (int64_t)sizeof(double) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unit: '%lldB': on a mesh expected a multiple of 8 bytes: the state "
                              "of a node is of doubles",
                              (long long)p->unit);
    return NUCE_OK;
}

static nuce_status check_tuning(const struct nuce_exchange_params *p, struct nuce_error *error)
{
    if (p->lambda < 0 || p->lambda > 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "lambda: '%g': expected more than 0 and at most 1", p->lambda);
    if ((p->tau > 0) != (p->phi > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: '0' or not given: tau and phi go together, both more than 0",
                              p->tau > 0 ? "phi" : "tau");
    if (p->choices[0] != '\0' && nuce_schedule_check_choices(p->choices, error) != NUCE_OK)
        return error->status;
    if (p->depth > INT_MAX)
        return nuce_error_set(error, NUCE_BAD_INPUT, "depth: '%lld': expected at most %d",
                              (long long)p->depth, INT_MAX);
    return NUCE_OK;
}

static nuce_status complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_exchange_params *p = params;

    if (p->algorithm[0] == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "algorithm: not given: expected one of 'nuce list algorithms'");
    if (choose_pattern(p, error) != NUCE_OK)
        return error->status;
    for (const struct nuce_option *row = options; row->name != NULL; row++) {
        if (!(row->flags & NUCE_OPTION_TUNING) && !applies(row, p) && nuce_option_is_set(row, p))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: means nothing for pattern %s: leave it out", row->name,
                                  p->pattern);
    }
    if (check_tuning(p, error) != NUCE_OK)
        return error->status;
    return check_ranges(p, ranks, error);
}

static nuce_status inspect_network(const struct nuce_exchange_params *p, int ranks,
                                   struct nuce_facts *facts, struct nuce_error *error)
{
    int network_ranks;

    if (nuce_facts_network_ranks(facts, p->network, &network_ranks, error) != NUCE_OK)
        return nuce_error_prefix(error, "network");
    if (network_ranks != 0 && network_ranks != ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "ranks: '%d': %s is for %d ranks, expected as many", ranks,
                              p->network, network_ranks);
    return NUCE_OK;
}

static nuce_status inspect(const void *params, int ranks, struct nuce_facts *facts,
                           struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;

    if (p->network[0] != '\0' && inspect_network(p, ranks, facts, error) != NUCE_OK)
        return error->status;
    if (strcmp(p->pattern, "mesh") == 0) {
        int64_t nodes;

        if (nuce_facts_mesh_nodes(facts, p->mesh, &nodes, error) != NUCE_OK)
            return nuce_error_prefix(error, "mesh");
        if (nodes < ranks)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "ranks: '%d': more than the %lld nodes of mesh %s", ranks,
                                  (long long)nodes, p->mesh);
    } else if (strcmp(p->pattern, "com") == 0) {
        int com_ranks;

        if (nuce_facts_com_ranks(facts, p->com, &com_ranks, error) != NUCE_OK)
            return nuce_error_prefix(error, "com");
        if (com_ranks != ranks)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "ranks: '%d': %s is for %d ranks, expected as many", ranks,
                                  p->com, com_ranks);
    }
    return NUCE_OK;
}

const struct nuce_workload_ops nuce_workload_exchange = {
    .name = "exchange",
    .summary = "edge sweep on an unstructured mesh with an exchange of ghost values",
    .source = "Ranka, Wang, Kumar: Irregular Personalized Communication, Figure 1 and 7.2",
    .program = "nuce-exchange",
    .options = options,
    .params_size = sizeof(struct nuce_exchange_params),
    .complete = complete,
    .applies = applies,
    .inspect = inspect,
};
