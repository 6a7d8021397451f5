/* A point: a workload, a rank count, parameters and a measure. Its identity is the SHA-256 of its
 * canonical form, which omits options without effect and identifies files by their content. So two
 * spellings of the same point have the same identity, and different points never do. */
#include "points/point.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/record.h"
#include "points/launch_factors.h"

void nuce_point_init(const struct nuce_workload_ops *workload, int ranks, struct nuce_point *out)
{
    void *params = nuce_allocate(1, workload->params_size);

    NUCE_ASSERT(ranks >= 1);
    memset(out, 0, sizeof *out);
    out->workload = workload;
    out->ranks = ranks;
    out->params = params;
    nuce_option_presets(workload->options, params);
    nuce_option_presets(nuce_measure_options, &out->measure);
}

void nuce_point_fini(struct nuce_point *point)
{
    free(point->params);
    json_decref(point->canonical);
    json_decref(point->compare);
    json_decref(point->launch);
    memset(point, 0, sizeof *point);
}

void nuce_point_copy(const struct nuce_point *point, struct nuce_point *out)
{
    struct nuce_point copy = *point;

    copy.params = nuce_allocate(1, point->workload->params_size);
    memcpy(copy.params, point->params, point->workload->params_size);
    copy.canonical = json_incref(point->canonical);
    copy.compare = json_incref(point->compare);
    copy.launch = json_deep_copy(point->launch);
    *out = copy;
}

void nuce_point_set_launch(struct nuce_point *point, const char *name, json_t *value)
{
    if (point->launch == NULL)
        point->launch = json_object();
    json_object_set(point->launch, name, value);
}

/* NUCE_BAD_INPUT: the point has no option called key; for an ended option the message names its
 * replacement. */
static nuce_status point_unknown_option(const struct nuce_point *point, const char *key,
                                        struct nuce_error *error)
{
    if (nuce_option_ended(key) != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", key, nuce_option_ended(key));
    return nuce_error_set(error, NUCE_BAD_INPUT, "unknown option '%s' for workload %s", key,
                          point->workload->name);
}

nuce_status nuce_point_set(struct nuce_point *point, const char *key, const json_t *value,
                           struct nuce_error *error)
{
    const struct nuce_option *option = nuce_option_find(point->workload->options, key);

    if (option != NULL)
        return nuce_option_set_json(option, point->params, value, error);
    option = nuce_option_find(nuce_measure_options, key);
    if (option != NULL)
        return nuce_option_set_json(option, &point->measure, value, error);
    return point_unknown_option(point, key, error);
}

char *nuce_point_canonical_text(const struct nuce_workload_ops *workload, int ranks,
                                json_t *canonical, struct nuce_error *error)
{
    json_t *whole = json_pack("{s:s, s:i, s:O}", "workload", workload->name, "ranks", ranks,
                              "params", canonical);
    char *text = json_dumps(whole, JSON_COMPACT | JSON_SORT_KEYS);

    json_decref(whole);
    if (text == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "a parameter of the point is not valid UTF-8 text");
    return text;
}

nuce_status nuce_point_race(const struct nuce_point *point, char hex[NUCE_HASH_BYTES],
                            struct nuce_error *error)
{
    json_t *instance =
        nuce_option_instance(point->workload->options, point->canonical, point->compare);
    char *text = nuce_point_canonical_text(point->workload, point->ranks, instance, error);

    json_decref(instance);
    if (text == NULL)
        return error->status;
    nuce_hash(text, strlen(text), hex);
    free(text);
    return NUCE_OK;
}

json_t *nuce_point_begin_record(const struct nuce_point *point, const char *job,
                                const char *started, struct nuce_error *error)
{
    json_t *record = nuce_record_create("begin", job, error);

    if (record != NULL)
        json_object_update_new(record,
                               json_pack("{s:s, s:s}", "point", point->id, "started", started));
    return record;
}

json_t *nuce_point_run_record(const struct nuce_point *point, const char *job, const char *campaign,
                              const char *kind, const char *status, const char *started,
                              struct nuce_error *error)
{
    json_t *record = nuce_record_create("run", job, error);

    if (record != NULL)
        json_object_update_new(record, json_pack("{s:s, s:s, s:s, s:i, s:O, s:s, s:s, s:s}",
                                                 "point", point->id, "campaign", campaign,
                                                 "workload", point->workload->name, "ranks",
                                                 point->ranks, "params", point->canonical, "kind",
                                                 kind, "status", status, "started", started));
    return record;
}

/* The params of a plan's line that define its instance, which all contenders have in common.
 * New. */
static json_t *line_instance(const json_t *line)
{
    const char *workload = json_string_value(json_object_get(line, "workload"));

    return nuce_option_instance(nuce_workload_find(workload)->options,
                                json_object_get(line, "params"), json_object_get(line, "compare"));
}

int nuce_point_is_of_race(const json_t *line, const json_t *other)
{
    static const char *const same[] = {"workload", "ranks", "measure", "compare", "launch", NULL};
    json_t *instance, *others;
    int is_one;

    for (int i = 0; same[i] != NULL; i++) {
        const json_t *value = json_object_get(line, same[i]);
        const json_t *others_value = json_object_get(other, same[i]);

        if (value != others_value && !json_equal(value, others_value)) /* both may be missing */
            return 0;
    }
    /* PAPI runs one set of events per thread, and each contender of a race would have its own. */
    if (json_object_get(json_object_get(line, "measure"), "papi") != NULL)
        return 0;
    instance = line_instance(line);
    others = line_instance(other);
    is_one = json_equal(instance, others);
    json_decref(instance);
    json_decref(others);
    return is_one;
}

nuce_status nuce_point_complete(struct nuce_point *point, struct nuce_facts *facts,
                                struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    json_t *params;
    char *text;

    if (workload->complete(point->params, point->ranks, error) != NUCE_OK ||
        nuce_measure_settle(&point->measure, error) != NUCE_OK ||
        (workload->inspect != NULL &&
         workload->inspect(point->params, point->ranks, facts, error) != NUCE_OK))
        return error->status;
    if (strcmp(point->measure.until, NUCE_UNTIL_KNOWN) == 0 && !workload->is_command)
        return nuce_error_refuse(error, "until",
                                 "'known': expected launches: a race of %s has all of them",
                                 workload->name);
    if (workload->is_command &&
        nuce_program_check_values(point->params, point->launch, point->ranks, error) != NUCE_OK)
        return error->status;
    json_decref(point->canonical);
    point->canonical = NULL;
    params = json_object();
    /* The options with effect, files by their content: others would make two points of one. */
    for (const struct nuce_option *row = workload->options; row->name != NULL; row++) {
        const char *path = (const char *)point->params + row->offset, *identity = NULL;
        json_t *value;

        if (!nuce_workload_applies(workload, row, point->params))
            continue;
        error->status = NUCE_OK;
        if (row->type == NUCE_OPTION_FILE)
            error->status = (row->flags & NUCE_OPTION_MESH ? nuce_facts_mesh_identity
                             : row->flags & NUCE_OPTION_NETWORK
                                 ? nuce_facts_network_identity
                                 : nuce_facts_file_identity)(facts, path, &identity, error);
        value = row->type != NUCE_OPTION_FILE ? nuce_option_json(row, point->params)
                                              : json_string(identity); /* NULL for NULL */
        if (value == NULL) {
            json_decref(params);
            return error->status != NUCE_OK
                       ? error->status
                       : nuce_error_refuse(error, row->name, "not valid UTF-8 text");
        }
        json_object_set_new(params, row->name, value);
    }
    point->canonical = params;
    json_object_update(point->canonical, point->launch);
    text = nuce_point_canonical_text(workload, point->ranks, point->canonical, error);
    if (text == NULL)
        return error->status;
    nuce_hash(text, strlen(text), point->id);
    free(text);
    return NUCE_OK;
}

/* Adds the options of a table that have an effect to object. Presets are written out, so that a
 * plan means the same under a nuce with other presets. */
static nuce_status point_add_options(json_t *object, const struct nuce_option *table,
                                     const void *params, const struct nuce_point *point,
                                     struct nuce_error *error)
{
    for (const struct nuce_option *row = table; row->name != NULL; row++) {
        json_t *value;

        if (table == point->workload->options &&
            !nuce_workload_applies(point->workload, row, params))
            continue;
        if (row->preset == NULL && !nuce_option_is_set(row, params))
            continue;
        value = nuce_option_json(row, params);
        if (json_object_set_new(object, row->name, value) != 0)
            return nuce_error_refuse(error, row->name, "not valid UTF-8 text");
    }
    return NUCE_OK;
}

json_t *nuce_point_to_json(const struct nuce_point *point, struct nuce_error *error)
{
    json_t *params = json_object(), *measure = json_object();
    json_t *line = NULL;

    if (point_add_options(params, point->workload->options, point->params, point, error) ==
            NUCE_OK &&
        point_add_options(measure, nuce_measure_options, &point->measure, point, error) ==
            NUCE_OK) {
        line = json_pack("{s:s, s:s, s:i, s:O, s:O}", "point", point->id, "workload",
                         point->workload->name, "ranks", point->ranks, "params", params, "measure",
                         measure);
        json_object_set(line, "compare", point->compare);
        json_object_set(line, "launch", point->launch);
    }
    json_decref(params);
    json_decref(measure);
    return line;
}

/* Sets the options in object, each of which must be in the table. */
static nuce_status point_set_all(struct nuce_point *point, const struct nuce_option *table,
                                 void *params, json_t *object, struct nuce_error *error)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        const struct nuce_option *option = nuce_option_find(table, key);

        if (option == NULL)
            return point_unknown_option(point, key, error);
        if (nuce_option_set_json(option, params, value, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

nuce_status nuce_point_take_measured(struct nuce_point *point, const char *name, const char *value,
                                     struct nuce_error *error)
{
    const struct nuce_option *option = nuce_option_find(point->workload->options, name);
    json_t *planned;
    int is_measured;

    if (option == NULL)
        return point_unknown_option(point, name, error);
    planned = nuce_option_json(option, point->params);
    is_measured = json_is_string(planned) && strcmp(json_string_value(planned), "measured") == 0;
    json_decref(planned);
    if (!is_measured)
        return NUCE_OK;
    if (nuce_option_set(option, point->params, value, error) != NUCE_OK)
        return error->status;
    return point->workload->complete(point->params, point->ranks, error);
}

nuce_status nuce_point_from_json(const json_t *line, struct nuce_facts *facts,
                                 struct nuce_point *out, struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(line, "point"));
    const char *name = json_string_value(json_object_get(line, "workload"));
    const json_t *ranks = json_object_get(line, "ranks");
    json_t *launch = json_object_get(line, "launch"), *compare = json_object_get(line, "compare");
    struct nuce_point point;
    const json_t *compared;
    size_t i;

    if (id == NULL || name == NULL || !json_is_integer(ranks) || json_integer_value(ranks) < 1 ||
        json_integer_value(ranks) > INT32_MAX)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "not a line of a plan: expected point, workload and ranks");
    if (nuce_workload_find(name) == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "unknown workload '%s'", name);
    nuce_point_init(nuce_workload_find(name), (int)json_integer_value(ranks), &point);
    if (point_set_all(&point, point.workload->options, point.params,
                      json_object_get(line, "params"), error) != NUCE_OK ||
        point_set_all(&point, nuce_measure_options, &point.measure,
                      json_object_get(line, "measure"), error) != NUCE_OK)
        goto fail;
    /* Checked, because a line may come from any source. */
    if (compare != NULL && !json_is_array(compare)) {
        nuce_error_set(error, NUCE_BAD_INPUT, "compare: expected a list of options");
        goto fail;
    }
    json_array_foreach(compare, i, compared)
    {
        const char *text = json_is_string(compared) ? json_string_value(compared) : "";
        const struct nuce_option *option = nuce_option_find(point.workload->options, text);

        if (option == NULL || !nuce_option_may_race(option)) {
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "compare: '%.40s': no option that contenders may differ in", text);
            goto fail;
        }
    }
    point.compare = json_incref(compare);
    if (launch != NULL && nuce_launch_check(launch, error) != NUCE_OK)
        goto fail;
    point.launch = json_incref(launch);
    if ((facts != NULL ? nuce_point_complete(&point, facts, error)
                       : point.workload->complete(point.params, point.ranks, error)) != NUCE_OK)
        goto fail;
    /* With facts the computed id must be the line's. Otherwise the plan is of another version or a
     * file has changed. */
    if (facts != NULL && strcmp(point.id, id) != 0) {
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "point %s: this program and its files make it %s: the plan is from "
                       "another version, or a file has changed",
                       id, point.id);
        goto fail;
    }
    *out = point;
    return NUCE_OK;
fail:
    nuce_point_fini(&point);
    return error->status;
}

/* Comma lists of a command line, and their combinations. */

nuce_status nuce_given_lists_init(const struct nuce_workload_ops *workload, const json_t *given,
                                  int ranks, struct nuce_given_lists *out, struct nuce_error *error)
{
    /* In the table's order, but tuning after the others, and compared options last: contenders of
     * one instance follow one another. */
    static const unsigned order[] = {0, NUCE_OPTION_TUNING, NUCE_OPTION_COMPARED};
    struct nuce_given_lists lists = {.workload = workload, .lists = json_object(), .count = 1};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (const struct nuce_option *row = workload->options; row->name != NULL; row++) {
            const char *text = json_string_value(json_object_get(given, row->name));
            char by_hand[NUCE_PATH_BYTES] = "";
            json_t *values;

            if ((row->flags & (NUCE_OPTION_TUNING | NUCE_OPTION_COMPARED)) != order[i])
                continue;
            if (text == NULL && ranks > 0 && workload->by_hand != NULL)
                workload->by_hand(row, ranks, by_hand);
            if (text == NULL && by_hand[0] == '\0')
                continue;
            text = text != NULL ? text : by_hand;
            values = json_array();
            /* A value that is a list by itself is one entry. */
            for (size_t length = 0; text != NULL;
                 text = text[length] == '\0' ? NULL : text + length + 1) {
                length = row->type == NUCE_OPTION_LIST ? strlen(text) : strcspn(text, ",");
                json_array_append_new(values, json_stringn(text, length));
            }
            if (lists.count <= NUCE_COMBINATIONS_MOST)
                lists.count *= json_array_size(values);
            json_object_set_new(lists.lists, row->name, values);
        }
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

/* A number in mixed radix, whose digits are places in the lists; the last one changes fastest. */
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
