/* nuce-model arrays: decompositions of an array and their costs (Kaddoura, Ranka, Wang), for
 * given weights or as the mean over random ones. It shows the model of the workload stencil.
 * Options of stencil's exchange have no meaning here and are hidden. */
#include "instances/decomposition.h"
#include "programs/model_command.h"

static const struct nuce_option own_options[] = {
    NUCE_OPTION(FLAG, "naive-edges", offsetof(struct nuce_model_wish, naive_edges), NULL, NULL,
                "count of borders as with --edges naive: coinciding corners twice"),
    {.name = NULL},
};

static void list_decompositions(FILE *file)
{
    for (size_t i = 0; nuce_decompositions[i] != NULL; i++)
        fprintf(file, "  %-10s %s\n", nuce_decompositions[i]->name,
                nuce_decompositions[i]->summary);
}

/* clang-format off */
static const struct nuce_model_column columns[] = {
    {"decomposition", NULL, NUCE_FROM_OPTION, "decomposition", 0, 0, 0},
    {"array_rows", NULL, NUCE_FROM_OPTION, "rows", 0, 0, 0},
    {"array_columns", NULL, NUCE_FROM_OPTION, "columns", 0, 0, 0},
    {"processors", NULL, NUCE_FROM_RANKS, NULL, 0, 0, 0},
    {"latency", NULL, NUCE_FROM_OPTION, "latency", 0, 0, 0},
    {"samples", NULL, NUCE_FROM_SAMPLES, NULL, 0, 0, 0},
    {"acost", NULL, NUCE_FROM_MEAN, "acost", 0, 0, 0},
    {"bcost", NULL, NUCE_FROM_MEAN, "bcost", 0, 0, 0},
    {"internal_edges", NULL, NUCE_FROM_MEAN, "internal_edges", 0, NUCE_COLUMN_COUNT, 0},
    {"cost", NULL, NUCE_FROM_MEAN, "cost", 0, 0, 0},
    {"imbalance", NULL, NUCE_FROM_LARGEST, "imbalance", 0, 0, 0},
    {"seconds", NULL, NUCE_FROM_MEAN, "decompose_s", 0, 0, NUCE_LOOK_SECONDS},
    {"settled", NULL, NUCE_FROM_LEAST, "settled", 0, NUCE_COLUMN_TRUTH, 0},
    {"area_error", NULL, NUCE_FROM_LARGEST, "area_error", 0,
     NUCE_COLUMN_JSON | NUCE_COLUMN_IF_FOUND, 0},
    {"rectangles", NULL, NUCE_FROM_LIST, "rectangles", 0,
     NUCE_COLUMN_JSON | NUCE_COLUMN_IF_FOUND | NUCE_COLUMN_IF_GIVEN, 0},
    {.key = NULL},
};
/* clang-format on */

/* True if the option was on the command line. */
static int is_given(const json_t *given, const char *name)
{
    return json_object_get(given, name) != NULL;
}

/* Checks combinations of options, and that there is an array. Weights are drawn unless they are
 * given; without a ratio all of them are 1 (ratio 1). --naive-edges is another name of --edges
 * naive. */
static nuce_status arrange_arrays(json_t *given, const struct nuce_model_wish *wish,
                                  struct nuce_error *error)
{
    int has_weights = is_given(given, "weights");

    if (!is_given(given, "rows") || !is_given(given, "columns"))
        return nuce_error_refuse(error, is_given(given, "rows") ? "columns" : "rows", "not given");
    if (!has_weights && wish->ranks == 0)
        return nuce_error_refuse(error, "weights",
                                 "not given: expected weights, or --processors with --samples "
                                 "and --ratio");
    for (int i = 0; i < 2 && has_weights; i++) {
        const char *name = i == 0 ? "samples" : "ratio";

        if (is_given(given, name))
            return nuce_error_refuse(
                error, name, "'%s': expected only where weights are drawn, not with --weights",
                json_string_value(json_object_get(given, name)));
    }
    if (is_given(given, "allow-empty") && !is_given(given, "integer"))
        return nuce_error_refuse(error, "allow-empty", "expected --integer with it");
    if (!has_weights && !is_given(given, "ratio"))
        json_object_set_new(given, "ratio", json_string("1"));
    if (wish->naive_edges)
        json_object_set_new(given, "edges", json_string("naive"));
    return NUCE_OK;
}

/* Turns parts, which the workload lists as arrays (owner, row, column, rows, columns), into
 * objects with these keys. The numbers are integers if the array was cut into whole cells, else
 * real. */
static void finish_arrays(json_t *row, const struct nuce_model_row *of)
{
    const struct nuce_stencil_params *params = of->point.params;
    static const char *const keys[] = {"owner", "row", "column", "rows", "columns"};
    json_t *parts = json_array();
    const json_t *part;
    size_t index;

    json_array_foreach(json_object_get(row, "rectangles"), index, part)
    {
        json_t *object = json_object();

        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            double value = json_number_value(json_array_get(part, i));

            json_object_set_new(object, keys[i],
                                i == 0 || params->integer ? json_integer((json_int_t)value)
                                                          : json_real(value));
        }
        json_array_append_new(parts, object);
    }
    if (json_object_get(row, "rectangles") != NULL)
        json_object_set(row, "rectangles", parts);
    json_decref(parts);
}

/* Removes rounding errors of positions: 4500, not 4499.9999999999982. A double has 15.9 digits. */
#define DIGITS 15

static int run(int argc, char **argv)
{
    static const struct nuce_example examples[] = {
        {"nuce-model arrays --decomposition rb2,xy2 --rows 1K --columns 2K \\\n    --weights "
         "4,2,1,1",
         "cut an array for four processors of different speeds"},
        {"nuce-model arrays --decomposition rb2,tile --rows 1K --columns 1K \\\n    --processors "
         "20 --samples 2000",
         "print mean costs over random weights"},
        {NULL, NULL}};
    static const struct nuce_model_view view = {
        .about = "Cuts an array into a rectangle for each processor, as large as its weight, and "
                 "prints the cost: the length of inner borders (acost), the same where the "
                 "array wraps around (bcost), pairs of parts that share a border, and acost + "
                 "latency x pairs.",
        .list = list_decompositions,
        .examples = examples,
        .workload = &nuce_workload_stencil,
        .hidden =
            NUCE_OPTION_EXCHANGE | NUCE_OPTION_NETWORK | NUCE_OPTION_DRAWN | NUCE_OPTION_TUNING,
        .ranks = "processors",
        .most_ranks = NUCE_DECOMPOSITION_MAX_PARTS,
        .own = own_options,
        .of_workload = 1,
        .digits = DIGITS,
        .columns = columns,
        .arrange = arrange_arrays,
        .finish = finish_arrays,
    };

    return nuce_model_run(&view, argc, argv);
}

const struct nuce_model_command nuce_model_arrays_command = {
    .name = "arrays",
    .summary = "decompositions of an array among processors of different speeds",
    .run = run,
};
