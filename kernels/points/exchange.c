/* The workload `exchange`: a sweep over the edges of an unstructured mesh with an exchange of ghost
 * values before it (Ranka, Wang and Kumar, Figure 1). Or only the communication of a pattern that
 * is read or drawn at random (their 7.2). Instances differ if a generator draws the pattern or the
 * network is drawn; files give one instance each. */
#include "points/workload.h"

#include <string.h>

#include "base/int.h"
#include "base/text.h"
#include "instances/partition.h"
#include "points/exchange_instance.h"
#include "points/results.h"
#include "points/scheduling.h"
#include "schedules/generator.h"
#include "schedules/schedule_results.h"

#define AT(member) offsetof(struct nuce_exchange_params, member)

/* The values of `pattern`: mesh, com, capture, then the generators. */
static const char *pattern_name(size_t index)
{
    static const char *const read[] = {"mesh", "com", "capture"};
    size_t count = sizeof read / sizeof read[0];

    if (index < count)
        return read[index];
    return nuce_generators[index - count] == NULL ? NULL : nuce_generators[index - count]->name;
}

static const char *partition_name(size_t index)
{
    return nuce_partitions[index] == NULL ? NULL : nuce_partitions[index]->name;
}

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "pattern", AT(pattern), NULL, "NAME",
                "communication pattern: mesh, com or capture (default: the one whose file is "
                "given) or a generator (nuce list patterns)",
                .choices = pattern_name),
    NUCE_OPTION(
        FILE, "mesh", AT(mesh), NULL, "NAME",
        "unstructured mesh: a shipped name (wing-2800, wing-53961) or a file: METIS .graph, Gmsh "
        ".msh, Matrix Market .mtx, also gzipped",
        .flags = NUCE_OPTION_COSTLY | NUCE_OPTION_MESH, .of = "mesh"),
    NUCE_OPTION(WORD, "graph", AT(graph), "nodal", "KIND",
                "graph of a .msh: nodal (its nodes, joined by the edges of elements) or dual (its "
                "cells, joined by common faces)",
                .flags = NUCE_OPTION_COSTLY | NUCE_OPTION_IF_SET, .of = "mesh",
                .words = (const char *const[]){"nodal", "dual", NULL}),
    NUCE_OPTION(CHOICE, "partition", AT(partition), "kway", "METHOD",
                "method that partitions the mesh: kway, kway-volume (METIS) or rcb (coordinates)",
                .flags = NUCE_OPTION_COSTLY, .of = "mesh", .choices = partition_name),
    NUCE_OPTION(FILE, "partition-file", AT(partition_file), NULL, "FILE",
                "the part of each node or cell of the mesh, one number per line, as METIS writes "
                "it (GRAPH.part.N); replaces partition",
                .flags = NUCE_OPTION_COSTLY | NUCE_OPTION_IF_SET, .of = "mesh"),
    NUCE_OPTION(FILE, "com", AT(com), NULL, "FILE",
                "COM file: the number of ranks, then lines 'source destination bytes'",
                .flags = NUCE_OPTION_COSTLY, .of = "com"),
    NUCE_OPTION(FILE, "capture", AT(capture), NULL, "FILE",
                "capture of an application, a file of 'nuce capture'; 'call' selects one of its "
                "patterns",
                .flags = NUCE_OPTION_COSTLY, .of = "capture"),
    NUCE_OPTION(
        CHOICE, "call", AT(call), "1", "ID",
        "pattern of the capture: id, or position by time (1: longest); in a sweep also all or "
        "top-N, of those with bytes and the sweep's ranks",
        .flags = NUCE_OPTION_COSTLY, .of = "capture"),
    NUCE_OPTION(
        WORD, "arrival", AT(arrival), "together", "WHEN",
        "start of an exchange: together (all ranks at once) or captured (each rank's delay in "
        "the application, of a random call per round)",
        .flags = NUCE_OPTION_RUN | NUCE_OPTION_IF_SET, .of = "capture",
        .words = (const char *const[]){"together", "captured", NULL}),
    NUCE_OPTION(BYTES, "item-bytes", AT(item_bytes), "1KiB", "BYTES",
                "bytes per item: the state of a node or cell on a mesh, otherwise one item of COM",
                .minimum = 1),
    NUCE_OPTION(COUNT, "degree", AT(degree), "8", "D",
                "messages per rank, as defined by the generator of the pattern (nuce list "
                "patterns)",
                .flags = NUCE_OPTION_GENERATOR, .minimum = 1),
#define NUCE_GENERATOR_OPTION(type_, member_, name_, preset_, argument_, help_, flags_, ...)       \
    NUCE_OPTION(type_, name_, AT(generator.member_), preset_, argument_, help_,                    \
                .flags = NUCE_OPTION_GENERATOR | (flags_), __VA_ARGS__),
#include "schedules/generator_options.inc"
#undef NUCE_GENERATOR_OPTION
    NUCE_OPTION(FLAG, "overlap", AT(overlap), "false", NULL,
                "computation of the mesh's interior edges during the exchange",
                .flags = NUCE_OPTION_RUN | NUCE_OPTION_RACED, .of = "mesh"),
#define NUCE_SCHEDULING_AT(member) AT(scheduling.member)
#include "points/scheduling_options.inc"
#undef NUCE_SCHEDULING_AT
#define NUCE_PLACING_AT(member) AT(placing.member)
#include "points/placing_options.inc"
#undef NUCE_PLACING_AT
    {.name = NULL},
};

static int exchange_is_late(const void *params)
{
    const struct nuce_exchange_params *p = params;

    return p->arrival == NUCE_ARRIVAL_CAPTURED;
}

/* True if instances differ: with a random generator, or with a network that is drawn. */
static int exchange_is_random(const void *params)
{
    const struct nuce_exchange_params *p = params;
    const struct nuce_generator_ops *generator = nuce_generator_find(p->pattern);

    return (generator != NULL && generator->is_random) || nuce_scheduling_draws(&p->scheduling);
}

static int exchange_applies(const struct nuce_option *option, const void *params)
{
    const struct nuce_exchange_params *p = params;
    const struct nuce_generator_ops *generator = nuce_generator_find(p->pattern);

    if (option->of != NULL && strcmp(option->of, p->pattern) != 0)
        return 0;
    if (option->flags & NUCE_OPTION_GENERATOR)
        return generator != NULL && nuce_generator_uses(generator, option->name);
    if (strcmp(option->name, "partition") == 0)
        return p->partition_file[0] == '\0';
    if (strcmp(option->name, "item-bytes") == 0)
        return !nuce_exchange_is_read(p);
    return strcmp(option->name, "instance") != 0 || exchange_is_random(p);
}

/* Options without effect on the pattern are refused if they are set. The exception is tuning,
 * because sweeps over schedules set the same for all of them. */
static nuce_status exchange_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_exchange_params *p = params;
    int is_mesh;

    if (nuce_scheduling_complete(&p->scheduling, 0, error) != NUCE_OK ||
        nuce_placing_complete(&p->placing, p->scheduling.network, error) != NUCE_OK)
        return error->status;
    /* The pattern follows from the files if it is not given. Its own files must be given. */
    if (p->pattern[0] == '\0') {
        const char *name = p->com[0] != '\0' ? "com" : p->capture[0] != '\0' ? "capture" : "mesh";

        if (p->com[0] == '\0' && p->capture[0] == '\0' && p->mesh[0] == '\0')
            return nuce_error_refuse(error, "pattern",
                                     "not given: expected a mesh, a com file, or a pattern "
                                     "of 'nuce list patterns'");
        NUCE_ASSERT(nuce_text_copy(p->pattern, sizeof p->pattern, name));
    }
    is_mesh = strcmp(p->pattern, "mesh") == 0;
    if (is_mesh && p->mesh[0] == '\0')
        return nuce_error_refuse(error, "mesh", "not given: pattern mesh needs one");
    if (is_mesh && nuce_scheduling_emulates(&p->scheduling))
        return nuce_error_refuse(error, "network",
                                 "'emulated': changes the messages, and those of a mesh are "
                                 "the states of its nodes: expected another network or pattern");
    if (strcmp(p->pattern, "com") == 0 && p->com[0] == '\0')
        return nuce_error_refuse(error, "com", "not given: pattern com needs a file");
    if (strcmp(p->pattern, "capture") == 0 && p->capture[0] == '\0')
        return nuce_error_refuse(error, "capture", "not given: pattern capture needs a file");
    for (const struct nuce_option *row = options; row->name != NULL; row++) {
        if (!(row->flags & NUCE_OPTION_TUNING) && nuce_option_is_set(row, p) &&
            !nuce_workload_applies(&nuce_workload_exchange, row, p))
            return nuce_error_refuse(error, row->name, "has no effect on pattern %s: leave it out",
                                     p->pattern);
    }
    if (nuce_scheduling_check_samples(&p->scheduling, exchange_is_random(p), error) != NUCE_OK ||
        (nuce_generator_find(p->pattern) != NULL &&
         nuce_exchange_check_pattern(p, ranks, error) != NUCE_OK))
        return error->status;
    if (is_mesh && p->item_bytes % (int64_t)sizeof(double) != 0)
        return nuce_error_refuse(error, "item-bytes",
                                 "'%lldB': on a mesh expected a multiple of 8 bytes: the state of "
                                 "a node consists of doubles",
                                 (long long)p->item_bytes);
    return NUCE_OK;
}

/* As many ranks as in its COM file, its capture's pattern or else its network; without these files
 * there is no answer. */
static nuce_status exchange_ranks(const void *params, struct nuce_facts *facts, int *out,
                                  struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;

    const struct nuce_fact *fact;

    if (p->com[0] == '\0' && p->capture[0] == '\0')
        return nuce_scheduling_ranks(&p->scheduling, facts, out, error);
    fact = p->com[0] != '\0' ? nuce_facts_com(facts, p->com, error)
                             : nuce_facts_capture(facts, p->capture, p->call, error);
    if (fact == NULL)
        return error->status;
    *out = nuce_int(fact->size);
    return NUCE_OK;
}

/* For a capture, the nodes of the application. */
static nuce_status exchange_nodes(const void *params, struct nuce_facts *facts,
                                  struct nuce_told_nodes *out, struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;

    const struct nuce_fact *fact;

    if (p->capture[0] == '\0')
        return NUCE_OK;
    fact = nuce_facts_capture(facts, p->capture, p->call, error);
    if (fact == NULL)
        return error->status;
    *out = fact->nodes;
    return NUCE_OK;
}

/* All patterns of a capture, or the first. */
static nuce_status exchange_several(const void *params, int ranks, struct nuce_several *out,
                                    struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;

    out->option = nuce_option_find(options, "call");
    return p->capture[0] == '\0' ? NUCE_OK : nuce_exchange_several_calls(p, ranks, out, error);
}

static nuce_status exchange_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                    struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;
    int is_com = strcmp(p->pattern, "com") == 0;
    const char *path = is_com ? p->com : p->capture;
    int is_dual = p->graph == NUCE_MESH_DUAL;
    struct nuce_exchange_lateness lateness;
    const struct nuce_fact *fact;
    int64_t nodes;

    if (nuce_scheduling_inspect(&p->scheduling, ranks, facts, error) != NUCE_OK ||
        nuce_placing_inspect(&p->placing, ranks, facts, error) != NUCE_OK)
        return error->status;
    /* A mesh must have a node for each rank, and the data that its partition needs. */
    if (strcmp(p->pattern, "mesh") == 0) {
        fact = nuce_facts_mesh(facts, p->mesh, is_dual, error);
        if (fact == NULL)
            return nuce_error_about(error, "mesh");
        nodes = is_dual ? fact->cells : fact->size;
        if (nodes < ranks)
            return nuce_error_refuse(error, "ranks", "'%d': more than the %lld %s of mesh %s",
                                     ranks, (long long)nodes, is_dual ? "cells" : "nodes", p->mesh);
        if (p->partition_file[0] != '\0')
            return nuce_partition_read_parts(p->partition_file, nodes, ranks, NULL, error) ==
                           NUCE_OK
                       ? NUCE_OK
                       : nuce_error_about(error, "partition-file");
        return nuce_partition_check(nuce_partition_find(p->partition), fact->has_coordinates,
                                    error);
    }
    if (!nuce_exchange_is_read(p))
        return NUCE_OK;
    /* A file of messages is for exactly the given number of ranks; arrivals must be in the
     * capture. */
    fact = is_com ? nuce_facts_com(facts, path, error)
                  : nuce_facts_capture(facts, path, p->call, error);
    if (fact == NULL)
        return nuce_error_about(error, p->pattern);
    if (fact->size != ranks)
        return nuce_error_refuse(error, "ranks", "'%d': %s is for %d ranks, expected as many",
                                 ranks, path, nuce_int(fact->size));
    if (is_com || p->arrival != NUCE_ARRIVAL_CAPTURED)
        return NUCE_OK;
    if (nuce_exchange_lateness_init(p, 0, &lateness, error) != NUCE_OK)
        return nuce_error_about(error, "arrival");
    nuce_exchange_lateness_fini(&lateness);
    return NUCE_OK;
}

static const struct nuce_placing *exchange_placing(const void *params)
{
    return &((const struct nuce_exchange_params *)params)->placing;
}

static const struct nuce_scheduling *exchange_scheduling(const void *params)
{
    return &((const struct nuce_exchange_params *)params)->scheduling;
}

/* The item of COM: bytes for COM files and captures, which are in bytes. */
static struct nuce_tuning exchange_tuning(const void *params)
{
    const struct nuce_exchange_params *p = params;

    return nuce_scheduling_tuning(&p->scheduling,
                                  nuce_exchange_is_read(p) ? 1 : (double)p->item_bytes);
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"edge_cut", NUCE_INTEGER, "edges", "mesh edges between parts", NULL, 0},
    {"arrival_skew_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time from the first to the last rank's arrival (arrival: captured), mean of the calls "
     "drawn from", "arrival skew", 0},
    {"arrival_calls", NUCE_INTEGER, "calls",
     "calls of the capture that arrivals are drawn from; 1: a single call with their mean", NULL, 0},
    {"captured_calls", NUCE_INTEGER, "calls", "calls of the pattern in the application", NULL, 0},
    {"captured_kind", NUCE_TEXT, "", "call of the application: exchange, or a collective's name", NULL,
     0},
    {"captured_call_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "median time of a call of the pattern in the application, of the rank that took longest", NULL, 0},
    {"captured_elapsed_s", NUCE_REAL, NUCE_UNIT_SECONDS, "time of the application", NULL, 0},
    {"captured_messages", NUCE_INTEGER, "messages",
     "messages of one call, including empty ones and several of one pair", NULL, 0},
    {"captured_quality", NUCE_TEXT, "",
     "quality of the pattern: exact; merged (several rounds, their order lost); epoch "
     "(everything between two collective calls)", NULL, 0},
    {"captured_library", NUCE_TEXT, "", "MPI library of the application", NULL, 0},
    {"nodes_as_captured", NUCE_INTEGER, "",
     "1: ranks share nodes as they did in the application; 0: other ranks do", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_schedule_results, nuce_pattern_results,    nuce_results_placing, own_results,
    nuce_results_part,     nuce_results_scheduling, nuce_results_run,     NULL,
};

/* Sets the results of a capture, which are the same for a modelled and for a run pattern. */
static nuce_status exchange_model(const void *params, int ranks, struct nuce_model_memory *memory,
                                  struct nuce_metrics *found, json_t *lists,
                                  struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;
    struct nuce_exchange_captured captured;
    nuce_status status;

    (void)ranks;
    (void)memory;
    (void)lists;
    if (p->capture[0] == '\0')
        return NUCE_OK;
    status = nuce_exchange_captured_init(p, &captured, error);
    if (status == NUCE_OK)
        nuce_exchange_captured_note(&captured, found);
    nuce_exchange_captured_fini(&captured);
    return status;
}

const struct nuce_workload_ops nuce_workload_exchange = {
    .name = "exchange",
    .summary = "edge sweep on an unstructured mesh with an exchange of ghost values",
    .source = "Ranka, Wang, Kumar: Irregular Personalized Communication, Figure 1 and 7.2",
    .program = "nuce-exchange",
    .model_command = "schedule",
    .examples =
        NUCE_EXAMPLES({"mpiexec -n 8 nuce-exchange --mesh wing-2800 --schedule ac,lp,alltoallv",
                       "race three schedules on a partitioned mesh"},
                      {"mpiexec -n 8 nuce-exchange --pattern uniform --degree 4 --schedule ac,lp",
                       "race two on a random pattern of 4 messages per rank"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_exchange_params),
    .complete = exchange_complete,
    .applies = exchange_applies,
    .inspect = exchange_inspect,
    .scheduling = exchange_scheduling,
    .tuning = exchange_tuning,
    .pattern = nuce_exchange_whole_pattern,
    .splits = nuce_exchange_splits,
    .is_random = exchange_is_random,
    .is_late = exchange_is_late,
    .several = exchange_several,
    .ranks = exchange_ranks,
    .nodes = exchange_nodes,
    .placing = exchange_placing,
    .model = exchange_model,
};
