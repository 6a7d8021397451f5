/* The values of one option in a sweep: a single one, a list, or a range {from, to, times | step}.
 * The option's own reader reads each value into params, and writes it again as JSON. So a sweep
 * accepts the same values as a command line, with units, and every value carries its place in the
 * file for messages. Functions return 1 on success; on failure they have added problems to the
 * parser's. */
#include "campaigns/sweep_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/units.h"

/* Size of the list of names for a misspelt one: more than any workload has, plurals included.
 * Further names are not suggested. */
#define MOST_NAMES 72

void nuce_settings_fini(struct nuce_settings *settings)
{
    for (int64_t i = 0; i < settings->count; i++)
        json_decref(settings->list[i].value);
    free(settings->list);
    *settings = (struct nuce_settings){0};
}

/* Appends a setting, and counts it. If a file has millions of values, the first one beyond the
 * limit is reported, once, and the others are dropped. Takes over value, also on failure; NULL: the
 * text could not be made JSON. */
static int sweep_append_value(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                              json_t *value, const yaml_node_t *node, struct nuce_settings *out)
{
    if (value == NULL) {
        nuce_yaml_complain(parser->problems, node, "%s: not valid UTF-8 text", option->name);
        return 0;
    }
    if (parser->values >= NUCE_SWEEP_MOST_POINTS) {
        if (parser->values++ == NUCE_SWEEP_MOST_POINTS)
            nuce_yaml_complain(parser->problems, node, "more than %d values in one sweep",
                               NUCE_SWEEP_MOST_POINTS);
        json_decref(value);
        return 0;
    }
    parser->values++;
    nuce_allocate_more((void **)&out->list, &out->capacity, out->count + 1, sizeof *out->list);
    out->list[out->count++] =
        (struct nuce_setting){option, value, nuce_yaml_line(node), nuce_yaml_column(node)};
    return 1;
}

/* Paths in a sweep are relative to its folder, wherever nuce is started. A word without a slash
 * that is not a file there may be a name, for example of a mesh, and stays unchanged. */
char *nuce_sweep_anchored(const struct nuce_sweep_parser *parser, const char *text)
{
    char *path, *real;

    if (text[0] == '/')
        return nuce_text_duplicate(text);
    path = nuce_text_format("%s/%s", parser->folder, text);
    real = realpath(path, NULL);
    if (real == NULL && strchr(text, '/') != NULL)
        return path;
    free(path);
    return real != NULL ? real : nuce_text_duplicate(text);
}

/* Rows of the environment's variables differ from their pattern only by their name, so the member
 * identifies them. */
static int is_variable(const struct nuce_option *option)
{
    return option->flags & NUCE_OPTION_LAUNCH && option->offset == nuce_launch_variable.offset;
}

/* Sets one value. Files are anchored now and not when they are opened, because a campaign runs from
 * any folder. The judge checks the launch factor `mpi`, because only it knows the builds. A file
 * whose name a bundle could not hold is not copied into the campaign (campaigns/inputs.h); that
 * matters only when another user recomputes it. A variable to be unset is null in JSON, which no
 * text equals. */
int nuce_sweep_scalar(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out)
{
    const char *text = nuce_yaml_text(node), *path;
    int is_mpi = option->flags & NUCE_OPTION_LAUNCH &&
                 option->offset == offsetof(struct nuce_launch_factors, mpi);
    struct nuce_error error;
    char *anchored;

    if (text == NULL || *text == '\0' || (nuce_yaml_is_null(node) && !is_variable(option))) {
        nuce_yaml_complain(parser->problems, node, "%s: expected a single value, got %s",
                           option->name, nuce_yaml_kind(node));
        return 0;
    }
    /* Trial values go to memory that is never read: only the resulting JSON counts. Launch factors
     * have a struct of their own. */
    if (params == NULL)
        params = option->flags & NUCE_OPTION_LAUNCH ? (void *)&parser->launch : parser->scratch;
    path = (const char *)params + option->offset;
    anchored = option->type == NUCE_OPTION_FILE ? nuce_sweep_anchored(parser, text) : NULL;
    error.status = nuce_option_set(option, params, anchored != NULL ? anchored : text, &error);
    free(anchored);
    if (error.status == NUCE_OK && is_mpi)
        error.status = parser->judge->check_mpi(parser->judge->programs, text, &error);
    if (error.status != NUCE_OK) {
        nuce_yaml_complain(parser->problems, node, "%s", nuce_error_flatten(&error));
        return 0;
    }
    if (option->type == NUCE_OPTION_FILE && path[0] == '/' &&
        !nuce_text_is_name(strrchr(path, '/') + 1))
        nuce_problems_note(parser->problems, nuce_yaml_line(node), nuce_yaml_column(node),
                           "%s: '%s' is not copied into the campaign or a bundle: that needs a "
                           "name of letters, digits, - _ . alone",
                           option->name, strrchr(path, '/') + 1);
    if (out == NULL)
        return 1;
    return sweep_append_value(parser, option,
                              is_variable(option) && nuce_yaml_is_null(node)
                                  ? json_null()
                                  : nuce_option_json(option, params),
                              node, out);
}

/* True if the option's values are JSON integers, which a range rounds. */
static int is_whole(const struct nuce_option *option)
{
    return option->type == NUCE_OPTION_COUNT || option->type == NUCE_OPTION_BYTES;
}

/* A range as the file gives it, in the option's unit (bytes, seconds, or a mere number). */
struct range {
    double from, to;
    double times; /* 0: step is given */
    double step;
};

/* The number under key, in the option's format. It is read as one setting and then discarded, so
 * that it has the same units and messages as any value of the option. */
static int range_end(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                     void *params, const yaml_node_t *node, const char *key, double *out)
{
    const yaml_node_t *value = nuce_yaml_find(&parser->yaml, node, key);
    struct nuce_settings settings = {0};
    int good;

    if (value == NULL) {
        nuce_yaml_complain(parser->problems, node, "%s: a range without '%s'", option->name, key);
        return 0;
    }
    good = nuce_sweep_scalar(parser, option, params, value, &settings);
    if (good)
        *out = json_number_value(settings.list[0].value);
    nuce_settings_fini(&settings);
    return good;
}

/* Reads the keys of a range and reports each mistake separately; 1: *out is a valid range. Checks
 * for misspelt keys first: otherwise the message would be about the missing end. A factor has no
 * unit, whatever the option has, and must exceed 1, or the range would not end. The step has the
 * option's unit, but not its minimum. */
static int read_range(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct range *out)
{
    static const char *const keys[] = {"from", "to", "times", "step"};
    const yaml_node_t *times = nuce_yaml_find(&parser->yaml, node, "times");
    const yaml_node_t *step = nuce_yaml_find(&parser->yaml, node, "step");
    struct nuce_option row = *option;
    struct nuce_error error;
    int good = 1;

    *out = (struct range){0};
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const char *text = nuce_yaml_text(key);
        int known = 0;

        for (size_t k = 0; text != NULL && k < sizeof keys / sizeof *keys; k++)
            known |= strcmp(text, keys[k]) == 0;
        if (!known && text != NULL)
            nuce_sweep_unknown(parser, key, keys, sizeof keys / sizeof *keys);
        good &= known;
    }
    if ((times == NULL) == (step == NULL)) {
        nuce_yaml_complain(parser->problems, node,
                           "%s: a range has either 'times' or 'step': {from: 1, to: 8, times: 2}",
                           option->name);
        return 0;
    }
    good &= range_end(parser, option, params, node, "from", &out->from);
    good &= range_end(parser, option, params, node, "to", &out->to);
    if (times != NULL) {
        const char *text = nuce_yaml_text(times);

        if (text == NULL || nuce_units_parse_real(text, &out->times, &error) != NUCE_OK ||
            out->times <= 1) {
            nuce_yaml_complain(parser->problems, times,
                               "%s: times: '%s': expected a number greater than 1", option->name,
                               text != NULL ? text : nuce_yaml_kind(times));
            good = 0;
        }
    } else {
        row.minimum = 0;
        if (!range_end(parser, &row, params, node, "step", &out->step)) {
            good = 0;
        } else if (out->step <= 0) {
            nuce_yaml_complain(parser->problems, step, "%s: step: expected more than 0",
                               option->name);
            good = 0;
        }
    }
    if (good && out->to < out->from) {
        nuce_yaml_complain(
            parser->problems, node,
            "%s: a range that ends before it begins: 'to' is %.10g, expected 'from', "
            "%.10g, or more",
            option->name, out->to, out->from);
        return 0;
    }
    if (good && out->times > 0 && out->from <= 0) {
        nuce_yaml_complain(parser->problems, node, "%s: 'times' needs a 'from' above 0",
                           option->name);
        return 0;
    }
    return good;
}

/* {from: 1, to: 8, times: 2} is 1, 2, 4, 8; the end belongs to the range if a step hits it. The
 * k-th value is computed from the first, so that rounding errors do not add up. Whole numbers are
 * below 2^53 (units.h), so doubles hold them. Whole values are rounded, and repetitions are
 * dropped: {from: 1, to: 4, times: 1.2} has 1 once. The end is widened by 1e-9 of itself, because
 * 0.1 * 10^k in doubles may miss it in the last bit; values never exceed it. A range with a factor
 * above 1 or a step above 0 grows without end. If the step vanishes in the rounding of a large
 * `from`, it does not grow, and the limit of values ends it.
 *
 * 64kB is 64000 bytes: a user who multiplies up to it misses 65536, which was probably intended. So
 * a note reports a next value that exceeds the end by less than a quarter of a step, on the scale
 * of the factor; the range is valid. */
static int expand_range(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                        const struct range *range, const yaml_node_t *node,
                        struct nuce_settings *out)
{
    const yaml_node_t *to = nuce_yaml_find(&parser->yaml, node, "to");
    const double end = range->to * (1 + 1e-9);
    double value = range->from, last = -1;

    for (int64_t k = 0; value <= end;) {
        double kept = fmin(is_whole(option) ? nearbyint(value) : value, range->to);

        if (k == NUCE_SWEEP_MOST_POINTS) {
            nuce_yaml_complain(parser->problems, node, "%s: a range of more than %d values",
                               option->name, NUCE_SWEEP_MOST_POINTS);
            return 0;
        }
        if (k == 0 || kept > last) {
            last = kept;
            if (!sweep_append_value(
                    parser, option,
                    is_whole(option) ? json_integer((json_int_t)kept) : json_real(kept), node, out))
                return 0;
        }
        k++;
        value = range->times > 0 ? range->from * pow(range->times, (double)k)
                                 : range->from + range->step * (double)k;
    }
    if (range->times > 0 && last < range->to && value < range->to * pow(range->times, 0.25))
        nuce_problems_note(parser->problems, nuce_yaml_line(to), nuce_yaml_column(to),
                           "%s: the range ends at %.10g: the next value, %.10g, is above its "
                           "'to', %.10g",
                           option->name, last, value, range->to);
    return 1;
}

/* A mapping is a range. Two mistakes have messages of their own: a nested option of the workload,
 * and a mapping for an option without numbers. */
int nuce_sweep_values(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                      void *params, const yaml_node_t *node, struct nuce_settings *out)
{
    const char *inner;
    struct range range;
    int good = 1;

    if (nuce_yaml_is_mapping(node)) {
        inner =
            nuce_yaml_size(node) > 0 ? nuce_yaml_text(nuce_yaml_key(&parser->yaml, node, 0)) : NULL;
        if (inner != NULL && parser->workload != NULL &&
            nuce_option_find(parser->workload->options, inner) != NULL) {
            nuce_yaml_complain(
                parser->problems, node,
                "%s: expected a value or a list, got a mapping; '%s' is a key of its own",
                option->name, inner);
            return 0;
        }
        if (!is_whole(option) && option->type != NUCE_OPTION_REAL &&
            option->type != NUCE_OPTION_DURATION) {
            nuce_yaml_complain(
                parser->problems, node,
                "%s: expected a value or a list, got a mapping (a range needs numbers)",
                option->name);
            return 0;
        }
        return read_range(parser, option, params, node, &range) &&
               expand_range(parser, option, &range, node, out);
    }
    if (!nuce_yaml_is_list(node))
        return nuce_sweep_scalar(parser, option, params, node, out);
    if (nuce_yaml_size(node) == 0) {
        nuce_yaml_complain(parser->problems, node, "%s: an empty list", option->name);
        return 0;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++)
        good &=
            nuce_sweep_scalar(parser, option, params, nuce_yaml_item(&parser->yaml, node, i), out);
    return good;
}

/* `instances: 50` means 0 to 49 of `instance`: the plural of an option that is
 * NUCE_OPTION_COUNTED. */
int nuce_sweep_counted(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                       const yaml_node_t *node, struct nuce_settings *out)
{
    const char *text = nuce_yaml_text(node);
    struct nuce_error error;
    int64_t count;

    if (text == NULL || nuce_units_parse_count(text, &count, &error) != NUCE_OK || count < 1 ||
        count > NUCE_SWEEP_MOST_POINTS) {
        nuce_yaml_complain(parser->problems, node, "%ss: '%s': expected one number from 1 to %d",
                           option->name, text != NULL ? text : nuce_yaml_kind(node),
                           NUCE_SWEEP_MOST_POINTS);
        return 0;
    }
    for (int64_t k = 0; k < count; k++) {
        if (!sweep_append_value(parser, option, json_integer(k), node, out))
            return 0;
    }
    return 1;
}

/* In this order, from special to general: a former key of nuce, with its replacement; a key that
 * belongs elsewhere in the file, most often under `measure`; a typo; all valid keys. */
void nuce_sweep_unknown(struct nuce_sweep_parser *parser, const yaml_node_t *key,
                        const char *const *names, size_t count)
{
    const char *text = nuce_yaml_text(key);
    const char *nearest = nuce_text_nearest(text, names, count);
    struct nuce_error error;
    char *all = NULL;

    if (nuce_option_ended(text) != NULL) {
        nuce_yaml_complain(parser->problems, key, "%s: %s", text, nuce_option_ended(text));
    } else if (nuce_option_find(nuce_measure_options, text) != NULL) {
        nuce_yaml_complain(parser->problems, key, "'%s' belongs under 'measure'", text);
    } else if (parser->judge->place(text, &error) != NUCE_OK) {
        nuce_yaml_complain(parser->problems, key, "%s", error.message);
    } else if (nearest != NULL) {
        nuce_yaml_complain(parser->problems, key, "unknown key '%s' (did you mean '%s'?)", text,
                           nearest);
    } else {
        for (size_t i = 0; i < count; i++)
            nuce_text_append(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
        nuce_yaml_complain(parser->problems, key, "unknown key '%s': expected %s", text, all);
        free(all);
    }
}

/* Reports that no option has the name in key; names of counted options are also listed in their
 * plural. */
static void sweep_unknown_option(struct nuce_sweep_parser *parser, const yaml_node_t *key)
{
    char plurals[MOST_NAMES][NUCE_NAME_BYTES + 1];
    const char *names[MOST_NAMES];
    size_t count = 0;

    if (strcmp(nuce_yaml_text(key), "environment") == 0) {
        nuce_yaml_complain(parser->problems, key,
                           "'environment' belongs under 'sweep'; elsewhere expected the name of "
                           "one of its variables");
        return;
    }
    if (strcmp(nuce_yaml_text(key), "ranks") == 0) {
        nuce_yaml_complain(parser->problems, key,
                           "'ranks' belongs beside 'sweep', and takes a list; nodes follow from it "
                           "where 'ntasks-per-node' is set below 'sweep' or in the profile");
        return;
    }
    for (const struct nuce_option *row = parser->workload->options;
         row->name != NULL && count + 1 < MOST_NAMES; row++) {
        names[count++] = row->name;
        if (row->flags & NUCE_OPTION_COUNTED) {
            snprintf(plurals[count], sizeof plurals[count], "%ss", row->name);
            names[count] = plurals[count];
            count++;
        }
    }
    for (const struct nuce_option *row = nuce_launch_options;
         row->name != NULL && count + 1 < MOST_NAMES; row++)
        names[count++] = row->name;
    names[count++] = "environment";
    nuce_sweep_unknown(parser, key, names, count);
}

/* The environment variable called name, if the sweep has set it so far; else NULL. */
static const struct nuce_option *find_variable(const struct nuce_sweep *sweep, const char *name)
{
    for (int64_t i = 0; i < sweep->variables_count; i++) {
        if (strcmp(sweep->variables[i]->name, name) == 0)
            return sweep->variables[i];
    }
    return NULL;
}

const struct nuce_option *nuce_sweep_variable(struct nuce_sweep_parser *parser,
                                              const yaml_node_t *key)
{
    const char *text = nuce_yaml_text(key);
    struct nuce_sweep *sweep = parser->sweep;
    const struct nuce_option *row = text != NULL ? find_variable(sweep, text) : NULL;
    struct nuce_option *made;
    struct nuce_error error;

    if (text == NULL || row != NULL)
        return row;
    if (nuce_launch_check_variable(text, &error) != NUCE_OK) {
        nuce_yaml_complain(parser->problems, key, "%s", nuce_error_flatten(&error));
        return NULL;
    }
    /* Each row is allocated separately: settings point at it, and it must not move when the list
     * grows. */
    made = nuce_allocate(1, sizeof *made);
    *made = nuce_launch_variable;
    made->name = nuce_text_duplicate(text);
    nuce_allocate_more((void **)&sweep->variables, &sweep->variables_capacity,
                       sweep->variables_count + 1, sizeof(struct nuce_option *));
    sweep->variables[sweep->variables_count++] = made;
    return made;
}

/* Finds an option that is a launch factor, not one of the workload. */
static const struct nuce_option *find_launch(const struct nuce_sweep_parser *parser,
                                             const char *name)
{
    const struct nuce_option *row = nuce_option_find(nuce_launch_options, name);

    return row != NULL ? row : find_variable(parser->sweep, name);
}

int nuce_sweep_is_launch(const struct nuce_sweep_parser *parser, const char *name)
{
    return strcmp(name, "environment") == 0 || find_launch(parser, name) != NULL;
}

const struct nuce_option *nuce_sweep_option(struct nuce_sweep_parser *parser,
                                            const yaml_node_t *key, int *counted)
{
    const char *text = nuce_yaml_text(key);

    *counted = 0;
    if (text == NULL)
        return NULL;
    for (const struct nuce_option *row = parser->workload->options; row->name != NULL; row++) {
        size_t length = strlen(row->name);

        if (strcmp(row->name, text) == 0)
            return row;
        *counted = row->flags & NUCE_OPTION_COUNTED && strncmp(row->name, text, length) == 0 &&
                   strcmp(text + length, "s") == 0;
        if (*counted)
            return row;
    }
    if (find_launch(parser, text) == NULL)
        sweep_unknown_option(parser, key);
    return find_launch(parser, text);
}
