/* The keys `compare` and `reference`: what the contenders of a heat differ in, and which of them
 * the ratios refer to. Both are names and values of the workload's options that say how and not
 * what is done (nuce_option_may_race); whether each heat has the reference is seen only when there
 * are points (check_reference in expand.c). */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/sweep_values.h"

/* For the names of a workload's options that may be compared, in a message; what does not fit is
 * left out. */
#define LIST_BYTES 512

/* Adds the option that node names to the list, which collects names and not rows as it becomes a
 * part of every point (struct nuce_point). */
static void compare_add(struct nuce_sweep_parser *parser, const yaml_node_t *node, json_t *list)
{
    const char *text = nuce_yaml_text(node);
    const struct nuce_option *option;
    char raced[LIST_BYTES] = "";
    size_t length = 0;
    int counted;

    if (text == NULL) {
        nuce_yaml_complain(parser->problems, node, "compare: expected names of options, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    option = nuce_sweep_option(parser, node, &counted);
    if (option == NULL)
        return;
    for (const struct nuce_option *row = parser->workload->options; row->name != NULL; row++) {
        if (nuce_option_may_race(row) && length + strlen(row->name) + 3 < LIST_BYTES)
            length += (size_t)snprintf(&raced[length], LIST_BYTES - length, "%s%s",
                                       length > 0 ? ", " : "", row->name);
    }
    if (!nuce_option_may_race(option))
        nuce_yaml_complain(parser->problems, node,
                           "compare: '%s' makes another instance, which contenders of one heat "
                           "cannot have: %s%s",
                           text, *raced != '\0' ? "expected " : "this workload compares nothing",
                           raced);
    else if (nuce_option_is_compared(option, list))
        nuce_yaml_complain(parser->problems, node, "compare: '%s' is listed twice", text);
    else
        json_array_append_new(list, json_string(option->name));
}

/* Schedules are compared with their tuning (radix, depth, ...): that of the one means nothing to
 * the other. Left out of what is compared, a schedule with a radix would be of another instance
 * than one without. A list that says what would be compared without it is none: then the points are
 * the same as of a sweep without `compare`, and so are their lines. */
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

/* A reference that is no mapping is of the workload's own key where that is compared, else of the
 * first that is. */
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
            nuce_yaml_complain(parser->problems, node, "reference: this workload compares nothing");
        else
            nuce_sweep_scalar(parser, option, nuce_sweep_scratch(parser, option), node, &settings);
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
            nuce_sweep_scalar(parser, option, nuce_sweep_scratch(parser, option),
                              nuce_yaml_value(&parser->yaml, node, i), &settings);
    }
    out->reference = (struct nuce_axis){1, settings.count, settings.list};
}
