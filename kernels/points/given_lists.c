/* Comma lists of a command line, and their combinations. */
#include "points/given_lists.h"

#include <string.h>

/* "a,b" as an array of texts, one entry for what is a list by itself (NUCE_OPTION_LIST). New
 * reference. */
static json_t *split(const struct nuce_option *option, const char *text)
{
    json_t *values = json_array();

    if (option->type == NUCE_OPTION_LIST) {
        json_array_append_new(values, json_string(text));
        return values;
    }
    for (;;) {
        size_t length = strcspn(text, ",");

        json_array_append_new(values, json_stringn(text, length));
        if (text[length] == '\0')
            return values;
        text += length + 1;
    }
}

/* What option was given or, without it, stands for by hand; NULL: its preset. list is room for
 * it. */
static const char *given_text(const struct nuce_workload_ops *workload, const json_t *given,
                              const struct nuce_option *option, int ranks,
                              char list[NUCE_PATH_BYTES])
{
    const char *text = json_string_value(json_object_get(given, option->name));

    list[0] = '\0';
    if (text == NULL && ranks > 0 && workload->by_hand != NULL)
        workload->by_hand(option, ranks, list);
    return text == NULL && list[0] != '\0' ? list : text;
}

/* The options as lists, in the table's order but tuning behind the others, and what is compared
 * last: contenders of one instance follow one another. */
static json_t *list_options(const struct nuce_workload_ops *workload, const json_t *given,
                            int ranks)
{
    static const unsigned order[] = {0, NUCE_OPTION_TUNING, NUCE_OPTION_COMPARED};
    char list[NUCE_PATH_BYTES];
    json_t *lists = json_object();

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (const struct nuce_option *row = workload->options; row->name != NULL; row++) {
            const char *text = given_text(workload, given, row, ranks, list);
            unsigned kind = row->flags & (NUCE_OPTION_TUNING | NUCE_OPTION_COMPARED);

            if (text != NULL && kind == order[i])
                json_object_set_new(lists, row->name, split(row, text));
        }
    }
    return lists;
}

nuce_status nuce_given_lists_init(const struct nuce_workload_ops *workload, const json_t *given,
                                  int ranks, struct nuce_given_lists *out, struct nuce_error *error)
{
    struct nuce_given_lists lists = {.workload = workload, .count = 1};
    const char *key;
    json_t *values;

    lists.lists = list_options(workload, given, ranks);
    json_object_foreach(lists.lists, key, values)
    {
        if (lists.count <= NUCE_COMBINATIONS_MOST)
            lists.count *= json_array_size(values);
    }
    if (lists.count > NUCE_COMBINATIONS_MOST) {
        nuce_given_lists_fini(&lists);
        return nuce_error_set(error, NUCE_BAD_INPUT, "the lists make more than %d points",
                              NUCE_COMBINATIONS_MOST);
    }
    *out = lists;
    return NUCE_OK;
}

void nuce_given_lists_fini(struct nuce_given_lists *lists)
{
    json_decref(lists->lists);
    *lists = (struct nuce_given_lists){0};
}

/* A number in mixed radix, whose digits are places in the lists, the last running fastest. */
nuce_status nuce_given_lists_set(const struct nuce_given_lists *lists, size_t number,
                                 struct nuce_point *point, struct nuce_error *error)
{
    size_t total = lists->count;
    const char *key;
    json_t *values;

    json_object_foreach(lists->lists, key, values)
    {
        size_t count = json_array_size(values);

        total /= count;
        if (nuce_point_set(point, key, json_array_get(values, number / total), error) != NUCE_OK)
            return nuce_error_about(error, key);
        number %= total;
    }
    return NUCE_OK;
}
