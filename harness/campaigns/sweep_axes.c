/* The keys `sweep` and `zip`: products of axes, and axes of several options in step.
 *
 * Each key below `sweep` makes an axis of one option. Each mapping below `zip` makes an axis
 * of several options, whose lists have the same length, and is joined to every product. An option
 * may be in one of the two; is_set_twice checks that (`zip` is parsed first). */
#include "campaigns/sweep_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

void nuce_axis_fini(struct nuce_axis *axis)
{
    for (int64_t i = 0; i < axis->steps * axis->width; i++)
        json_decref(axis->settings[i].value);
    free(axis->settings);
}

void nuce_product_fini(struct nuce_product *product)
{
    for (int64_t i = 0; i < product->count; i++)
        nuce_axis_fini(&product->axes[i]);
    free(product->axes);
}

/* Longer lists are not searched for repeated values. */
#define REPEATS_LOOKED_FOR 1000

/* Appends an axis that takes over settings, width of them a step. Empty settings mean a mistake
 * that was reported. A repeated value in a list is measured once; this is a note, because the sweep
 * is valid. */
static void add_axis(struct nuce_sweep_parser *parser, struct nuce_settings *settings,
                     int64_t width, struct nuce_product *out)
{
    const struct nuce_setting *list = settings->list;

    for (int64_t i = 1; width == 1 && i < settings->count && settings->count <= REPEATS_LOOKED_FOR;
         i++) {
        int64_t k = 0;

        while (k < i && !json_equal(list[i].value, list[k].value))
            k++;
        if (k < i)
            nuce_problems_note(parser->problems, list[i].line, list[i].column,
                               "%s: listed twice, measured once", list[i].option->name);
    }
    if (settings->count == 0) {
        nuce_settings_fini(settings);
        return;
    }
    nuce_allocate_more((void **)&out->axes, &out->capacity, out->count + 1, sizeof *out->axes);
    out->axes[out->count++] = (struct nuce_axis){settings->count / width, width, settings->list};
    *settings = (struct nuce_settings){0};
}

/* Returns 1 and adds a problem if option is set in product already (instance and instances, or
 * sweep and zip). */
static int is_set_twice(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const struct nuce_product *product, const struct nuce_option *option)
{
    for (int64_t i = 0; i < product->count; i++) {
        for (int64_t k = 0; k < product->axes[i].width; k++) {
            const struct nuce_setting *other = &product->axes[i].settings[k];

            if (other->option != option)
                continue;
            nuce_yaml_complain(parser->problems, key, "'%s' is set already, on line %lld",
                               nuce_yaml_text(key), (long long)other->line);
            return 1;
        }
    }
    return 0;
}

/* An axis for each variable of `environment: {UCX_TLS: [tcp, self]}`. */
static void parse_environment_axes(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                                   struct nuce_product *out)
{
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_MAPPING, 1,
                          "environment: expected a mapping of variables to values"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const struct nuce_option *option =
            nuce_sweep_variable(parser, nuce_yaml_key(&parser->yaml, node, i));
        struct nuce_settings settings = {0};

        if (option == NULL)
            continue;
        nuce_sweep_values(parser, option, NULL, value, &settings);
        add_axis(parser, &settings, 1, out);
    }
}

/* A mapping of keys to a value, a list or a range each; a wrong key makes no axis. */
static void parse_product(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          const struct nuce_product *together, struct nuce_product *out)
{
    *out = (struct nuce_product){.line = nuce_yaml_line(node), .column = nuce_yaml_column(node)};
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_MAPPING, 0,
                          "sweep: expected a mapping of options to values"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        struct nuce_settings settings = {0};
        const struct nuce_option *option;
        int counted;

        if (nuce_yaml_text(key) != NULL && strcmp(nuce_yaml_text(key), "environment") == 0) {
            parse_environment_axes(parser, value, out);
            continue;
        }
        option = nuce_sweep_option(parser, key, &counted);
        if (option == NULL || is_set_twice(parser, key, out, option) ||
            is_set_twice(parser, key, together, option))
            continue;
        if (counted)
            nuce_sweep_counted(parser, option, value, &settings);
        else
            nuce_sweep_values(parser, option, NULL, value, &settings);
        add_axis(parser, &settings, 1, out);
    }
    if (nuce_yaml_size(node) == 0)
        nuce_yaml_complain(parser->problems, node, "sweep: empty: nothing to measure");
}

void nuce_sweep_products(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                         struct nuce_sweep *out)
{
    int64_t count = nuce_yaml_is_list(node) ? nuce_yaml_size(node) : 1;

    if (count == 0) {
        nuce_yaml_complain(parser->problems, node, "sweep: empty: nothing to measure");
        return;
    }
    out->products = nuce_allocate(count, sizeof *out->products);
    out->products_count = count;
    for (int64_t i = 0; i < count; i++)
        parse_product(parser,
                      nuce_yaml_is_list(node) ? nuce_yaml_item(&parser->yaml, node, i) : node,
                      &out->together, &out->products[i]);
}

/* A column of a group of keys that vary in step: an option, and for each step a list of settings. A
 * list has one setting, or all of them if the option is counted (`instances: 10`). */
struct axis_column {
    const struct nuce_option *option;
    struct nuce_settings *steps;
};

/* Reads the list under key into one column. 0: it was wrong, and a problem was added. */
static int parse_column(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const yaml_node_t *list, int64_t steps, const struct nuce_product *together,
                        struct axis_column *out)
{
    int counted, good = 1;

    out->option = nuce_sweep_option(parser, key, &counted);
    if (out->option == NULL || is_set_twice(parser, key, together, out->option))
        return 0;
    out->steps = nuce_allocate(steps, sizeof *out->steps);
    for (int64_t k = 0; k < steps; k++) {
        const yaml_node_t *item = nuce_yaml_item(&parser->yaml, list, k);

        good &= counted ? nuce_sweep_counted(parser, out->option, item, &out->steps[k])
                        : nuce_sweep_scalar(parser, out->option, NULL, item, &out->steps[k]);
    }
    return good;
}

/* Appends every combination of the columns' settings at step k: one, unless a column is counted.
 * {degree: [8, 16], instances: [2, 1]} gives 8/0, 8/1, 16/0. 0: there would be too many. A
 * mixed-radix counter enumerates the rows, the first column's digit fastest. */
static int join_step(struct nuce_sweep_parser *parser, const struct axis_column *columns,
                     int64_t width, int64_t k, struct nuce_settings *out)
{
    int64_t rows = 1;

    for (int64_t i = 0; i < width; i++)
        rows = rows * columns[i].steps[k].count;
    parser->values += rows * width;
    if (parser->values > NUCE_SWEEP_MOST_POINTS)
        return 0;
    nuce_allocate_more((void **)&out->list, &out->capacity, out->count + rows * width,
                       sizeof *out->list);
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

/* One mapping below `zip` becomes one axis. Its lists, which must have the same length, are
 * read as columns and then joined row by row, because an axis holds its settings by step. */
static void parse_group(struct nuce_sweep_parser *parser, const yaml_node_t *group,
                        struct nuce_product *out)
{
    int64_t width = nuce_yaml_size(group), steps = 0;
    struct axis_column *columns = nuce_allocate(width, sizeof *columns);
    struct nuce_settings joined = {0};
    int good = 1;

    for (int64_t i = 0; good && i < width; i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, group, i);
        const yaml_node_t *list = nuce_yaml_value(&parser->yaml, group, i);
        const char *name = nuce_yaml_text(key);

        if (name != NULL && strcmp(name, "environment") == 0) {
            nuce_yaml_complain(
                parser->problems, key,
                "zip: variables cannot be zipped: expected 'environment' below sweep");
            good = 0;
            break;
        }
        good = nuce_yaml_expect(parser->problems, list, NUCE_YAML_LIST, 1, "zip: expected a list");
        if (good && i > 0 && nuce_yaml_size(list) != steps) {
            nuce_yaml_complain(
                parser->problems, list, "zip: '%s' has %lld values, the keys before it %lld",
                name != NULL ? name : "", (long long)nuce_yaml_size(list), (long long)steps);
            good = 0;
        }
        steps = good ? nuce_yaml_size(list) : 0;
    }
    for (int64_t i = 0; good && i < width; i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, group, i);

        good = parse_column(parser, key, nuce_yaml_value(&parser->yaml, group, i), steps, out,
                            &columns[i]);
        for (int64_t k = 0; good && k < i; k++) {
            if (columns[k].option == columns[i].option) {
                nuce_yaml_complain(parser->problems, key, "'%s' is set twice in one group",
                                   columns[i].option->name);
                good = 0;
            }
        }
    }
    for (int64_t k = 0; good && k < steps; k++) {
        good = join_step(parser, columns, width, k, &joined);
        if (!good)
            nuce_yaml_complain(parser->problems, group, "zip: more than %d values in one sweep",
                               NUCE_SWEEP_MOST_POINTS);
    }
    if (good)
        add_axis(parser, &joined, width, out);
    nuce_settings_fini(&joined);
    for (int64_t i = 0; i < width; i++) {
        for (int64_t k = 0; columns[i].steps != NULL && k < steps; k++)
            nuce_settings_fini(&columns[i].steps[k]);
        free(columns[i].steps);
    }
    free(columns);
}

void nuce_sweep_zip(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                    struct nuce_sweep *out)
{
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_LIST, 0,
                          "zip: expected a list of mappings"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *group = nuce_yaml_item(&parser->yaml, node, i);

        if (nuce_yaml_expect(parser->problems, group, NUCE_YAML_MAPPING, 1,
                             "zip: expected a mapping of keys to lists"))
            parse_group(parser, group, &out->together);
    }
}

/* The keys `compare` and `reference`: the options in which the contenders of a race differ, and the
 * contender that ratios refer to. Both name options of the workload that change how the work is
 * done, not its result (nuce_option_may_race). expand.c checks that each race has the reference,
 * once there are points (check_reference). */

/* Adds the option that node names to the list. The list holds names and not rows, because it
 * becomes a part of every point (struct nuce_point). */
static void compare_add(struct nuce_sweep_parser *parser, const yaml_node_t *node, json_t *list)
{
    const char *text = nuce_yaml_text(node);
    const struct nuce_option *option;
    char *raced = NULL;
    int counted;

    if (text == NULL || *text == '\0' || nuce_yaml_is_null(node)) {
        nuce_yaml_complain(parser->problems, node, "compare: expected names of options, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    if (nuce_sweep_is_launch(parser, text)) {
        nuce_yaml_complain(parser->problems, node,
                           "compare: '%s' is set when the processes start, and contenders of one "
                           "race share it: 'nuce compare %s=A %s=B' compares two settings",
                           text, strcmp(text, "environment") == 0 ? "VARIABLE" : text,
                           strcmp(text, "environment") == 0 ? "VARIABLE" : text);
        return;
    }
    option = nuce_sweep_option(parser, node, &counted);
    if (option == NULL)
        return;
    for (const struct nuce_option *row = parser->workload->options; row->name != NULL; row++) {
        if (nuce_option_may_race(row))
            nuce_text_append(&raced, "%s%s", raced != NULL ? ", " : "", row->name);
    }
    if (!nuce_option_may_race(option))
        nuce_yaml_complain(
            parser->problems, node,
            "compare: '%s' changes the instance, which all contenders of a race share: %s%s", text,
            raced != NULL ? "expected " : "this workload has no keys to compare",
            raced != NULL ? raced : "");
    else if (nuce_option_is_compared(option, list))
        nuce_yaml_complain(parser->problems, node, "compare: '%s' is listed twice", text);
    else
        json_array_append_new(list, json_string(option->name));
    free(raced);
}

/* Schedules are compared together with their tuning (radix, in-flight, ...), because the tuning of
 * one has no meaning for another. Otherwise a schedule with a radix would belong to another
 * instance than one without. A list that equals the workload's default counts as absent: the
 * points, and their lines, are then the same as without `compare`. */
void nuce_sweep_compare(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out)
{
    const struct nuce_option *options = parser->workload->options;
    int is_tuned = 0, is_usual = 1;
    json_t *list = json_array();

    if (nuce_yaml_is_list(node) && nuce_yaml_size(node) == 0)
        nuce_yaml_complain(parser->problems, node, "compare: an empty list");
    if (!nuce_yaml_is_list(node))
        compare_add(parser, node, list);
    for (int64_t i = 0; nuce_yaml_is_list(node) && i < nuce_yaml_size(node); i++)
        compare_add(parser, nuce_yaml_item(&parser->yaml, node, i), list);
    for (const struct nuce_option *row = options; row->name != NULL; row++)
        is_tuned |= row->flags & NUCE_OPTION_TUNED && nuce_option_is_compared(row, list);
    for (const struct nuce_option *row = options; is_tuned && row->name != NULL; row++) {
        if (row->flags & NUCE_OPTION_TUNING && !nuce_option_is_compared(row, list))
            json_array_append_new(list, json_string(row->name));
    }
    for (const struct nuce_option *row = options; row->name != NULL; row++)
        is_usual &= nuce_option_is_compared(row, list) == nuce_option_is_compared(row, NULL);
    if (is_usual) {
        json_decref(list);
        list = NULL;
    }
    out->compare = list;
}

/* A reference that is not a mapping is a value of the workload's main option if that is compared,
 * else of the first compared option. */
void nuce_sweep_reference(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out)
{
    const struct nuce_option *options = parser->workload->options;
    const struct nuce_option *option = nuce_option_compared(options);
    struct nuce_settings settings = {0};
    int counted;

    if (json_array_size(out->compare) > 0 &&
        (option == NULL || !nuce_option_is_compared(option, out->compare)))
        option = nuce_option_find(options, json_string_value(json_array_get(out->compare, 0)));
    if (!nuce_yaml_is_mapping(node)) {
        if (option == NULL)
            nuce_yaml_complain(parser->problems, node,
                               "reference: this workload has no keys to compare");
        else
            nuce_sweep_scalar(parser, option, NULL, node, &settings);
    } else if (nuce_yaml_size(node) == 0) {
        nuce_yaml_complain(parser->problems, node, "reference: an empty mapping");
    }
    for (int64_t i = 0; nuce_yaml_is_mapping(node) && i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);

        option = nuce_sweep_option(parser, key, &counted);
        if (option != NULL && !nuce_option_is_compared(option, out->compare))
            nuce_yaml_complain(parser->problems, key, "reference: '%s' is not compared",
                               nuce_yaml_text(key));
        else if (option != NULL)
            nuce_sweep_scalar(parser, option, NULL, nuce_yaml_value(&parser->yaml, node, i),
                              &settings);
    }
    out->reference = (struct nuce_axis){1, settings.count, settings.list};
}
