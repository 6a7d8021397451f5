/* The keys of a sweep file. Values are checked by the rows of the workload's option table, so the
 * file, the command line and --help always agree. */
#include "sweep.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sweep_values.h"
#include "text.h"
#include "yaml_file.h"

/* Campaign folders are NAME.K: room for the dot and six digits within a valid name. */
#define LONGEST_NAME 57

static const struct nuce_option ranks_option = {
    .name = "ranks", .type = NUCE_OPTION_COUNT, .argument = "N", .minimum = 1};
static const struct nuce_option seed_option = {
    .name = "seed", .type = NUCE_OPTION_COUNT, .argument = "N", .minimum = 0};

static int64_t line_of(const yaml_node_t *node)
{
    return (int64_t)node->start_mark.line + 1;
}

static int64_t column_of(const yaml_node_t *node)
{
    return (int64_t)node->start_mark.column + 1;
}

static void axis_fini(struct nuce_axis *axis)
{
    for (int64_t i = 0; i < axis->steps * axis->width; i++)
        json_decref(axis->settings[i].value);
    free(axis->settings);
}

static void product_fini(struct nuce_product *product)
{
    for (int64_t i = 0; i < product->count; i++)
        axis_fini(&product->axes[i]);
    free(product->axes);
}

void nuce_sweep_fini(struct nuce_sweep *sweep)
{
    for (int64_t i = 0; i < sweep->products_count; i++)
        product_fini(&sweep->products[i]);
    for (int64_t i = 0; i < sweep->exclusions_count; i++)
        axis_fini(&sweep->exclusions[i].settings);
    product_fini(&sweep->together);
    free(sweep->products);
    free(sweep->exclusions);
    free(sweep->ranks);
    json_decref(sweep->slurm);
    *sweep = (struct nuce_sweep){0};
}

/* Appends an axis that takes over settings. */
static void add_axis(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                     struct nuce_settings *settings, int64_t width, struct nuce_product *out)
{
    struct nuce_error error;

    if (settings->count == 0 || nuce_grow((void **)&out->axes, &out->capacity, out->count + 1,
                                          sizeof *out->axes, &error) != NUCE_OK) {
        if (settings->count > 0)
            nuce_yaml_complain(parser->problems, node, "%s", error.message);
        nuce_settings_fini(settings);
        return;
    }
    out->axes[out->count++] =
        (struct nuce_axis){settings->count / width, width, settings->list};
    *settings = (struct nuce_settings){0};
}

/* The setting of option in product, or NULL. */
static const struct nuce_setting *find_setting(const struct nuce_product *product,
                                               const struct nuce_option *option)
{
    for (int64_t i = 0; i < product->count; i++) {
        for (int64_t k = 0; k < product->axes[i].width; k++) {
            if (product->axes[i].settings[k].option == option)
                return &product->axes[i].settings[k];
        }
    }
    return NULL;
}

/* Says so if option is set in product already (instance beside instances, sweep beside together).
 */
static int is_set_twice(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const struct nuce_product *product, const struct nuce_option *option)
{
    const struct nuce_setting *other = find_setting(product, option);

    if (other == NULL)
        return 0;
    nuce_yaml_complain(parser->problems, key, "'%s' is set already, on line %lld",
                       nuce_yaml_text(key), (long long)other->line);
    return 1;
}

static void parse_product(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          const struct nuce_product *together, struct nuce_product *out)
{
    *out = (struct nuce_product){.line = line_of(node), .column = column_of(node)};
    if (!nuce_yaml_is_mapping(node)) {
        nuce_yaml_complain(parser->problems, node,
                           "sweep: expected a mapping of options to values, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        struct nuce_settings settings = {0};
        int counted;
        const struct nuce_option *option = nuce_sweep_option(parser, key, &counted);

        if (option == NULL || is_set_twice(parser, key, out, option) ||
            is_set_twice(parser, key, together, option))
            continue;
        if (counted)
            (void)nuce_sweep_counted(parser, option, value, &settings);
        else
            (void)nuce_sweep_values(parser, option, parser->scratch, value, &settings);
        add_axis(parser, value, &settings, 1, out);
    }
    if (nuce_yaml_size(node) == 0)
        nuce_yaml_complain(parser->problems, node, "sweep: empty: nothing to measure");
}

static void parse_products(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                           struct nuce_sweep *out)
{
    int64_t count = nuce_yaml_is_list(node) ? nuce_yaml_size(node) : 1;
    struct nuce_error error;

    if (count == 0) {
        nuce_yaml_complain(parser->problems, node, "sweep: empty: nothing to measure");
        return;
    }
    out->products = nuce_allocate(count, sizeof *out->products, &error);
    if (out->products == NULL) {
        nuce_yaml_complain(parser->problems, node, "%s", error.message);
        return;
    }
    out->products_count = count;
    for (int64_t i = 0; i < count; i++)
        parse_product(parser,
                      nuce_yaml_is_list(node) ? nuce_yaml_item(&parser->yaml, node, i) : node,
                      &out->together, &out->products[i]);
}

/* A column of a group of keys that vary in step: an option and one list of settings a step. */
struct column {
    const struct nuce_option *option;
    struct nuce_settings *steps;
};

static void columns_fini(struct column *columns, int64_t width, int64_t steps)
{
    for (int64_t i = 0; columns != NULL && i < width; i++) {
        for (int64_t k = 0; columns[i].steps != NULL && k < steps; k++)
            nuce_settings_fini(&columns[i].steps[k]);
        free(columns[i].steps);
    }
    free(columns);
}

/* Reads the list under key into one column. */
static int parse_column(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const yaml_node_t *list, int64_t steps, const struct nuce_product *together,
                        struct column *out)
{
    struct nuce_error error;
    int counted, good = 1;

    out->option = nuce_sweep_option(parser, key, &counted);
    if (out->option == NULL || is_set_twice(parser, key, together, out->option))
        return 0;
    out->steps = nuce_allocate(steps, sizeof *out->steps, &error);
    if (out->steps == NULL)
        return 0;
    for (int64_t k = 0; k < steps; k++) {
        const yaml_node_t *item = nuce_yaml_item(&parser->yaml, list, k);

        if (counted)
            good &= nuce_sweep_counted(parser, out->option, item, &out->steps[k]);
        else
            good &= nuce_sweep_scalar(parser, out->option, parser->scratch, item, &out->steps[k]);
    }
    return good;
}

/* Appends every combination of what the columns hold at step k: one, unless a column is counted. */
static int join_step(struct nuce_sweep_parser *parser, const struct column *columns, int64_t width,
                     int64_t k, struct nuce_settings *out)
{
    struct nuce_error error;
    int64_t rows = 1;

    for (int64_t i = 0; i < width; i++)
        rows *= columns[i].steps[k].count;
    parser->values += rows * width;
    if (parser->values > NUCE_SWEEP_MOST_POINTS ||
        nuce_grow((void **)&out->list, &out->capacity, out->count + rows * width,
                  sizeof *out->list, &error) != NUCE_OK)
        return 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t rest = row;

        for (int64_t i = 0; i < width; i++) {
            const struct nuce_settings *settings = &columns[i].steps[k];

            out->list[out->count] = settings->list[rest % settings->count];
            json_incref(out->list[out->count++].value);
            rest /= settings->count;
        }
    }
    return 1;
}

/* The number of steps of a group: the length of its lists, which must be one; 0 if they are not. */
static int64_t group_steps(struct nuce_sweep_parser *parser, const yaml_node_t *group)
{
    int64_t steps = 0;

    for (int64_t i = 0; i < nuce_yaml_size(group); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, group, i);
        const yaml_node_t *list = nuce_yaml_value(&parser->yaml, group, i);

        if (!nuce_yaml_is_list(list) || nuce_yaml_size(list) == 0) {
            nuce_yaml_complain(parser->problems, list, "together: expected a list, got %s",
                               nuce_yaml_is_list(list) ? "an empty one" : nuce_yaml_kind(list));
            return 0;
        }
        if (i > 0 && nuce_yaml_size(list) != steps) {
            nuce_yaml_complain(parser->problems, list,
                               "together: '%s' has %lld values, the keys before it %lld",
                               nuce_yaml_text(key) != NULL ? nuce_yaml_text(key) : "",
                               (long long)nuce_yaml_size(list), (long long)steps);
            return 0;
        }
        steps = nuce_yaml_size(list);
    }
    return steps;
}

static void parse_group(struct nuce_sweep_parser *parser, const yaml_node_t *group,
                        struct nuce_product *out)
{
    int64_t width = nuce_yaml_size(group), steps = group_steps(parser, group);
    struct nuce_error error;
    struct column *columns = nuce_allocate(width, sizeof *columns, &error);
    struct nuce_settings joined = {0};
    int good = columns != NULL && steps > 0;

    for (int64_t i = 0; good && i < width; i++) {
        good = parse_column(parser, nuce_yaml_key(&parser->yaml, group, i),
                            nuce_yaml_value(&parser->yaml, group, i), steps, out, &columns[i]);
        for (int64_t k = 0; good && k < i; k++) {
            if (columns[k].option == columns[i].option) {
                nuce_yaml_complain(parser->problems, nuce_yaml_key(&parser->yaml, group, i),
                                   "'%s' is set twice in one group", columns[i].option->name);
                good = 0;
            }
        }
    }
    for (int64_t k = 0; good && k < steps; k++) {
        good = join_step(parser, columns, width, k, &joined);
        if (!good)
            nuce_yaml_complain(parser->problems, group, "together: more than %d values in one sweep",
                               NUCE_SWEEP_MOST_POINTS);
    }
    if (good)
        add_axis(parser, group, &joined, width, out);
    nuce_settings_fini(&joined);
    columns_fini(columns, width, steps);
}

static void parse_together(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                           struct nuce_product *out)
{
    if (!nuce_yaml_is_list(node)) {
        nuce_yaml_complain(parser->problems, node, "together: expected a list of mappings, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *group = nuce_yaml_item(&parser->yaml, node, i);

        if (!nuce_yaml_is_mapping(group) || nuce_yaml_size(group) == 0)
            nuce_yaml_complain(parser->problems, group,
                               "together: expected a mapping of keys to lists, got %s",
                               nuce_yaml_is_mapping(group) ? "an empty one"
                                                           : nuce_yaml_kind(group));
        else
            parse_group(parser, group, out);
    }
}

/* Checked like any option of type COUNT, then against what an int of ranks may be. */
static int parse_rank_values(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                             struct nuce_settings *out)
{
    int64_t scratch = 0;
    int good = nuce_sweep_values(parser, &ranks_option, &scratch, node, out);

    for (int64_t i = 0; i < out->count; i++) {
        int64_t ranks = json_integer_value(out->list[i].value);

        if (ranks > NUCE_SWEEP_MOST_RANKS) {
            nuce_problems_add(parser->problems, out->list[i].line, out->list[i].column,
                              "ranks: '%lld': expected at most %d", (long long)ranks,
                              NUCE_SWEEP_MOST_RANKS);
            good = 0;
        }
    }
    return good;
}

static void parse_ranks(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out)
{
    struct nuce_settings settings = {0};
    struct nuce_error error;

    if (parse_rank_values(parser, node, &settings)) {
        out->ranks = nuce_allocate(settings.count, sizeof *out->ranks, &error);
        if (out->ranks == NULL)
            nuce_yaml_complain(parser->problems, node, "%s", error.message);
        for (int64_t i = 0; out->ranks != NULL && i < settings.count; i++)
            out->ranks[out->ranks_count++] = (struct nuce_sweep_ranks){
                (int)json_integer_value(settings.list[i].value), settings.list[i].line,
                settings.list[i].column};
    }
    nuce_settings_fini(&settings);
}

static void parse_exclusion(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                            struct nuce_exclusion *out)
{
    struct nuce_settings settings = {0};

    *out = (struct nuce_exclusion){.line = line_of(node), .column = column_of(node)};
    if (!nuce_yaml_is_mapping(node) || nuce_yaml_size(node) == 0) {
        nuce_yaml_complain(parser->problems, node,
                           "exclude: expected a mapping of keys to values, got %s",
                           nuce_yaml_is_mapping(node) ? "an empty one" : nuce_yaml_kind(node));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const struct nuce_option *option;
        struct nuce_settings ranks = {0};
        int counted;

        if (nuce_yaml_text(key) != NULL && strcmp(nuce_yaml_text(key), "ranks") == 0) {
            if (nuce_yaml_text(value) == NULL)
                nuce_yaml_complain(parser->problems, value,
                                   "ranks: expected a single value, got %s",
                                   nuce_yaml_kind(value));
            else if (parse_rank_values(parser, value, &ranks))
                out->ranks = (int)json_integer_value(ranks.list[0].value);
            nuce_settings_fini(&ranks);
            continue;
        }
        option = nuce_sweep_option(parser, key, &counted);
        if (option != NULL && counted)
            nuce_yaml_complain(parser->problems, key, "'%s' cannot be excluded; use '%s'",
                               nuce_yaml_text(key), option->name);
        else if (option != NULL)
            (void)nuce_sweep_scalar(parser, option, parser->scratch, value, &settings);
    }
    out->settings = (struct nuce_axis){1, settings.count, settings.list};
}

static void parse_exclude(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out)
{
    struct nuce_error error;

    if (!nuce_yaml_is_list(node)) {
        nuce_yaml_complain(parser->problems, node, "exclude: expected a list of mappings, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    out->exclusions = nuce_allocate(nuce_yaml_size(node), sizeof *out->exclusions, &error);
    if (out->exclusions == NULL) {
        nuce_yaml_complain(parser->problems, node, "%s", error.message);
        return;
    }
    out->exclusions_count = nuce_yaml_size(node);
    for (int64_t i = 0; i < out->exclusions_count; i++)
        parse_exclusion(parser, nuce_yaml_item(&parser->yaml, node, i), &out->exclusions[i]);
}

static void parse_measure(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out)
{
    const char *names[32];
    struct nuce_error error;
    size_t count = 0;

    if (!nuce_yaml_is_mapping(node)) {
        nuce_yaml_complain(parser->problems, node, "measure: expected a mapping, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    for (const struct nuce_option *row = nuce_measure_options; row->name != NULL; row++)
        names[count++] = row->name;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const char *text = nuce_yaml_text(key);
        const struct nuce_option *option =
            text != NULL ? nuce_option_find(nuce_measure_options, text) : NULL;
        struct nuce_settings ignored = {0};

        if (option != NULL)
            (void)nuce_sweep_scalar(parser, option, &out->measure,
                                    nuce_yaml_value(&parser->yaml, node, i), &ignored);
        else if (text != NULL)
            nuce_sweep_unknown(parser, key, names, count);
        nuce_settings_fini(&ignored);
    }
    if (nuce_measure_check(&out->measure, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, node, "measure: %s", error.message);
}

static void parse_slurm(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out)
{
    if (!nuce_yaml_is_mapping(node)) {
        nuce_yaml_complain(parser->problems, node, "slurm: expected a mapping, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value);

        if (name != NULL && !nuce_text_is_name(name))
            nuce_yaml_complain(parser->problems, key, "slurm: '%s' is no name of an option", name);
        else if (text == NULL)
            nuce_yaml_complain(parser->problems, value, "slurm: %s: expected a single value, got %s",
                               name != NULL ? name : "", nuce_yaml_kind(value));
        else if (name != NULL && json_object_set_new(out->slurm, name, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, value, "slurm: %s: not valid UTF-8 text", name);
    }
}

static void parse_seed(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                       struct nuce_sweep *out)
{
    struct nuce_settings ignored = {0};

    (void)nuce_sweep_scalar(parser, &seed_option, &out->seed, node, &ignored);
    nuce_settings_fini(&ignored);
}

static void parse_name(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                       struct nuce_sweep *out)
{
    const char *text = nuce_yaml_text(node);

    if (text == NULL || !nuce_text_is_name(text) || strlen(text) > LONGEST_NAME)
        nuce_yaml_complain(parser->problems, node,
                           "name: '%s': expected 1 to %d letters, digits, dots, dashes or "
                           "underscores, not beginning with a dot or dash",
                           text != NULL ? text : nuce_yaml_kind(node), LONGEST_NAME);
    else
        (void)nuce_text_copy(out->name, sizeof out->name, text);
}

static void parse_workload(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                           struct nuce_sweep *out)
{
    const char *text = nuce_yaml_text(node), *nearest = NULL;
    const char *names[32];
    struct nuce_error error;
    size_t count = 0;

    if (text == NULL) {
        nuce_yaml_complain(parser->problems, node, "workload: expected a name, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    out->workload = nuce_workload_find(text);
    for (int i = 0; nuce_workloads[i] != NULL; i++)
        names[count++] = nuce_workloads[i]->name;
    if (out->workload == NULL) {
        nearest = nuce_text_nearest(text, names, count);
        nuce_yaml_complain(parser->problems, node, "unknown workload '%s'%s%s%s (nuce list workloads)",
                           text, nearest != NULL ? " (did you mean '" : "",
                           nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
        return;
    }
    parser->workload = out->workload;
    parser->scratch = nuce_allocate(1, out->workload->params_size, &error);
    if (parser->scratch == NULL) {
        nuce_yaml_complain(parser->problems, node, "%s", error.message);
        parser->workload = NULL;
    }
}

struct key {
    const char *name;
    int required;
    int needs_workload; /* its options are those of the workload */
    void (*parse)(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                  struct nuce_sweep *out);
};

static void parse_together_key(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                               struct nuce_sweep *out)
{
    parse_together(parser, node, &out->together);
}

/* In the order in which they are parsed: products look at what is set together. */
static const struct key keys[] = {
    {"name",     1, 0, parse_name        },
    {"workload", 1, 0, parse_workload    },
    {"ranks",    1, 0, parse_ranks       },
    {"together", 0, 1, parse_together_key},
    {"sweep",    1, 1, parse_products    },
    {"exclude",  0, 1, parse_exclude     },
    {"measure",  0, 0, parse_measure     },
    {"slurm",    0, 0, parse_slurm       },
    {"seed",     0, 0, parse_seed        },
};

#define KEYS (sizeof keys / sizeof *keys)

static void check_keys(struct nuce_sweep_parser *parser, const yaml_node_t *root)
{
    const char *names[KEYS];

    for (size_t k = 0; k < KEYS; k++)
        names[k] = keys[k].name;
    for (int64_t i = 0; i < nuce_yaml_size(root); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, root, i);
        const char *text = nuce_yaml_text(key);
        size_t k = 0;

        while (text != NULL && k < KEYS && strcmp(text, names[k]) != 0)
            k++;
        if (text != NULL && k == KEYS)
            nuce_sweep_unknown(parser, key, names, KEYS);
    }
}

static void parse_root(struct nuce_sweep_parser *parser, struct nuce_sweep *out)
{
    const yaml_node_t *root = nuce_yaml_root(&parser->yaml);

    if (root == NULL) {
        nuce_problems_add(parser->problems, 1, 1, "empty: expected a sweep");
        return;
    }
    if (!nuce_yaml_is_mapping(root)) {
        nuce_yaml_complain(parser->problems, root, "expected a mapping (name, workload, ranks, "
                           "sweep ...), got %s", nuce_yaml_kind(root));
        return;
    }
    check_keys(parser, root);
    for (size_t k = 0; k < KEYS; k++) {
        const yaml_node_t *value = nuce_yaml_find(&parser->yaml, root, keys[k].name);

        if (value == NULL && keys[k].required)
            nuce_yaml_complain(parser->problems, root, "no '%s' given", keys[k].name);
        else if (value != NULL && (parser->workload != NULL || !keys[k].needs_workload))
            keys[k].parse(parser, value, out);
    }
}

static int set_up(struct nuce_sweep_parser *parser, const char *text, size_t length,
                  struct nuce_sweep *sweep)
{
    struct nuce_error error;
    char *path = strdup(parser->problems->path);

    nuce_option_presets(nuce_measure_options, &sweep->measure);
    sweep->slurm = json_object();
    sweep->seed = 1;
    if (path != NULL) {
        char *folder = realpath(dirname(path), NULL);

        parser->folder = folder != NULL ? folder : strdup(".");
    }
    free(path);
    if (parser->folder == NULL || sweep->slurm == NULL) {
        nuce_problems_add(parser->problems, 1, 1, "out of memory");
        return 0;
    }
    if (nuce_hash(text, length, sweep->sha256, &error) != NUCE_OK) {
        nuce_problems_add(parser->problems, 1, 1, "%s", error.message);
        return 0;
    }
    return 1;
}

void nuce_sweep_parse(const char *text, size_t length, struct nuce_sweep *out,
                      struct nuce_problems *problems)
{
    struct nuce_sweep_parser parser = {.problems = problems};
    struct nuce_sweep sweep = {0};

    if (set_up(&parser, text, length, &sweep)) {
        nuce_yaml_parse(text, length, &parser.yaml, problems);
        if (nuce_problems_none(problems) || nuce_yaml_root(&parser.yaml) != NULL)
            parse_root(&parser, &sweep);
    }
    nuce_yaml_fini(&parser.yaml);
    free(parser.scratch);
    free(parser.folder);
    if (nuce_problems_none(problems))
        *out = sweep;
    else
        nuce_sweep_fini(&sweep);
}
