/* The keys of a sweep file. The rows of the workload's option table check values, so the file, the
 * command line and --help always agree.
 *
 * Every key is a row of `keys`: its help (from which docs/sweep.md is made), whether it is
 * required, and the function that parses it. Those functions return nothing: they add mistakes to
 * the parser's problems and parsing continues, so that a user sees all mistakes at once. An
 * incomplete sweep is discarded at the end (nuce_sweep_parse). sweep_values.c reads values of
 * single options, sweep_axes.c products and what is compared. */
#include "campaigns/sweep.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "campaigns/sweep_values.h"
#include "campaigns/yaml_file.h"

/* Campaign folders are NAME.K: room for the dot and six digits within a valid name. */
#define LONGEST_NAME 57

/* Rows for the file's own two numbers, so that they are read as workload options are, with all
 * spellings of a count. They have no offset: the caller's variable is the whole struct. */
static const struct nuce_option ranks_option = {
    .name = "ranks", .type = NUCE_OPTION_COUNT, .argument = "N", .minimum = 1};
static const struct nuce_option seed_option = {
    .name = "seed", .type = NUCE_OPTION_COUNT, .argument = "N", .minimum = 0};
static const struct nuce_option precision_option = {.name = "precision",
                                                    .type = NUCE_OPTION_DURATION,
                                                    .argument = "TIME",
                                                    .flags = NUCE_OPTION_POSITIVE};

/* The seed of a sweep that gives none, for the parser and the key's help. */
#define SEED "1"

void nuce_sweep_fini(struct nuce_sweep *sweep)
{
    for (int64_t i = 0; i < sweep->products_count; i++)
        nuce_product_fini(&sweep->products[i]);
    for (int64_t i = 0; i < sweep->exclusions_count; i++) {
        nuce_axis_fini(&sweep->exclusions[i].settings);
        free(sweep->exclusions[i].ranks);
    }
    nuce_product_fini(&sweep->together);
    nuce_axis_fini(&sweep->reference);
    json_decref(sweep->compare);
    free(sweep->products);
    free(sweep->exclusions);
    free(sweep->ranks);
    json_decref(sweep->slurm);
    free(sweep->platform);
    for (int64_t i = 0; i < sweep->variables_count; i++) {
        free((char *)sweep->variables[i]->name);
        free(sweep->variables[i]);
    }
    free(sweep->variables);
    *sweep = (struct nuce_sweep){0};
}

/* Checked like any option of type COUNT, then against the range of an int. 0: it was wrong, and a
 * problem was added. */
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

/* Each value with its place, for messages about points of that many ranks. */
static void parse_ranks(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out)
{
    struct nuce_settings settings = {0};

    if (parse_rank_values(parser, node, &settings)) {
        out->ranks = nuce_allocate(settings.count, sizeof *out->ranks);
        for (int64_t i = 0; i < settings.count; i++)
            out->ranks[out->ranks_count++] =
                (struct nuce_sweep_ranks){(int)json_integer_value(settings.list[i].value),
                                          settings.list[i].line, settings.list[i].column};
    }
    nuce_settings_fini(&settings);
}

/* One mapping below `exclude`. A key may have several values, of which a point needs one: settings
 * of an option are then adjacent (has_settings in expand.c). */
static void parse_exclusion(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                            struct nuce_exclusion *out)
{
    struct nuce_settings settings = {0};

    *out = (struct nuce_exclusion){.line = nuce_yaml_line(node), .column = nuce_yaml_column(node)};
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_MAPPING, 1,
                          "exclude: expected a mapping of keys to values"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const struct nuce_option *option;
        struct nuce_settings ranks = {0};
        int counted;

        if (nuce_yaml_text(key) != NULL && strcmp(nuce_yaml_text(key), "ranks") == 0) {
            if (parse_rank_values(parser, value, &ranks)) {
                out->ranks = nuce_allocate(ranks.count, sizeof *out->ranks);
                for (int64_t k = 0; k < ranks.count; k++)
                    out->ranks[out->ranks_count++] = (int)json_integer_value(ranks.list[k].value);
            }
            nuce_settings_fini(&ranks);
            continue;
        }
        option = nuce_sweep_option(parser, key, &counted);
        if (option != NULL && counted)
            nuce_yaml_complain(parser->problems, key, "'%s' cannot be excluded; use '%s'",
                               nuce_yaml_text(key), option->name);
        else if (option != NULL)
            nuce_sweep_values(parser, option, NULL, value, &settings);
    }
    out->settings = (struct nuce_axis){1, settings.count, settings.list};
}

/* `exclude`: a list of mappings that a point may match. A rule that matches no point is not a
 * mistake, but gets a note (expand.c). */
static void parse_exclude(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out)
{
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_LIST, 0,
                          "exclude: expected a list of mappings"))
        return;
    out->exclusions = nuce_allocate(nuce_yaml_size(node), sizeof *out->exclusions);
    out->exclusions_count = nuce_yaml_size(node);
    for (int64_t i = 0; i < out->exclusions_count; i++)
        parse_exclusion(parser, nuce_yaml_item(&parser->yaml, node, i), &out->exclusions[i]);
}

/* `papi: [A, B]` is `papi: "A,B"`. */
static void parse_events(struct nuce_sweep_parser *parser, const struct nuce_option *option,
                         const yaml_node_t *node, struct nuce_sweep *out)
{
    struct nuce_error error;
    char *list = nuce_text_duplicate("");

    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *item = nuce_yaml_item(&parser->yaml, node, i);

        if (nuce_yaml_text(item) == NULL)
            nuce_yaml_complain(parser->problems, item, "%s: expected a single value, got %s",
                               option->name, nuce_yaml_kind(item));
        else
            nuce_text_append(&list, "%s%s", i > 0 ? "," : "", nuce_yaml_text(item));
    }
    if (*list == '\0')
        nuce_yaml_complain(parser->problems, node, "%s: an empty list", option->name);
    else if (nuce_option_set(option, &out->measure, list, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, node, "%s", nuce_error_flatten(&error));
    free(list);
}

/* The options of `measure` are set in out->measure one by one, over the presets; only at the end
 * can their combination be checked. */
static void parse_measure(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                          struct nuce_sweep *out)
{
    const char *names[32];
    struct nuce_error error;
    size_t count = 0;

    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_MAPPING, 0,
                          "measure: expected a mapping"))
        return;
    for (const struct nuce_option *row = nuce_measure_options; row->name != NULL; row++)
        names[count++] = row->name;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const char *text = nuce_yaml_text(key);
        const struct nuce_option *option =
            text != NULL ? nuce_option_find(nuce_measure_options, text) : NULL;
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);

        if (option != NULL && option->type == NUCE_OPTION_LIST && value->type == YAML_SEQUENCE_NODE)
            parse_events(parser, option, value, out);
        else if (option != NULL)
            nuce_sweep_scalar(parser, option, &out->measure, value, NULL);
        else if (text != NULL)
            nuce_sweep_unknown(parser, key, names, count);
        if (option != NULL && option->type == NUCE_OPTION_LIST)
            nuce_problems_note(parser->problems, nuce_yaml_line(value), nuce_yaml_column(value),
                               "%s: a rank counts for one contender only: each contender runs by "
                               "itself, without a race",
                               option->name);
    }
    if (nuce_measure_settle(&out->measure, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, node, "measure: %s", nuce_error_flatten(&error));
}

/* Kept as strings, name -> value, after the judge has accepted them: `nodes: 8` and `nodes: "8"`
 * are the same to sbatch. */
static void parse_slurm(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                        struct nuce_sweep *out)
{
    if (!nuce_yaml_expect(parser->problems, node, NUCE_YAML_MAPPING, 0,
                          "slurm: expected a mapping"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value);
        struct nuce_error error;

        if (name == NULL)
            continue; /* reported already */
        if (parser->judge->check_key(name, &error) != NUCE_OK)
            nuce_yaml_complain(parser->problems, key, "slurm: %s", error.message);
        else if (text == NULL || nuce_yaml_is_null(value))
            nuce_yaml_complain(parser->problems, value,
                               "slurm: %s: expected a single value, got %s", name,
                               nuce_yaml_kind(value));
        else if (parser->judge->check(name, text, &error) != NUCE_OK)
            nuce_yaml_complain(parser->problems, value, "slurm: %s", nuce_error_flatten(&error));
        else if (json_object_set_new(out->slurm, name, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, value, "slurm: %s: not valid UTF-8 text", name);
    }
}

const struct nuce_shipped nuce_sweep_platforms = {"slurm/platforms", "platform", "platforms",
                                                  ".xml"};

/* `platform`: searched for now, so that a sweep of a missing machine is refused before anything is
 * planned. */
static void parse_platform(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                           struct nuce_sweep *out)
{
    const char *text = nuce_yaml_text(node);
    struct nuce_error error;
    char *name;

    if (text == NULL) {
        nuce_yaml_complain(parser->problems, node, "platform: expected a name or a file, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    name = nuce_sweep_anchored(parser, text);
    if (nuce_shipped_locate(&nuce_sweep_platforms, name, &out->platform, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, node, "%s", nuce_error_flatten(&error));
    free(name);
}

/* `precision`: for simulations, so it has no meaning without a platform. A wrong platform has been
 * reported already. */
static void parse_precision(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                            struct nuce_sweep *out)
{
    nuce_sweep_scalar(parser, &precision_option, &out->precision_s, node, NULL);
    if (out->platform == NULL && nuce_problems_none(parser->problems))
        nuce_yaml_complain(parser->problems, node,
                           "precision: expected a platform with it: nothing else is simulated");
}

/* `seed`: any count, including 0. */
static void parse_seed(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                       struct nuce_sweep *out)
{
    nuce_sweep_scalar(parser, &seed_option, &out->seed, node, NULL);
}

nuce_status nuce_sweep_check_name(const char *name, struct nuce_error *error)
{
    error->status = NUCE_OK;
    return nuce_text_is_name(name) && strlen(name) <= LONGEST_NAME
               ? NUCE_OK
               : nuce_error_set(error, NUCE_BAD_INPUT,
                                "'%s': expected 1 to %d letters, digits, dots, dashes or "
                                "underscores, not beginning with a dot or dash",
                                name, LONGEST_NAME);
}

static void parse_name(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                       struct nuce_sweep *out)
{
    const char *text = nuce_yaml_text(node);
    struct nuce_error error;

    if (text == NULL)
        nuce_yaml_complain(parser->problems, node, "name: expected a single value, got %s",
                           nuce_yaml_kind(node));
    else if (nuce_sweep_check_name(text, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, node, "name: %s", error.message);
    else
        nuce_text_copy(out->name, sizeof out->name, text);
}

/* Also makes the memory for trying values of its options. Without a workload the keys that need one
 * are skipped: each of their messages would report the same mistake. */
static void parse_workload(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                           struct nuce_sweep *out)
{
    const char *text = nuce_yaml_text(node), *nearest = NULL;
    const char *names[32];
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
        nuce_yaml_complain(parser->problems, node,
                           "unknown workload '%s'%s%s%s (nuce list workloads)", text,
                           nearest != NULL ? " (did you mean '" : "",
                           nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
        return;
    }
    parser->workload = out->workload;
    parser->scratch = nuce_allocate(1, out->workload->params_size);
}

/* A key of the file: its text for `nuce list keys`, and the parser of its value. */
struct sweep_key {
    struct nuce_sweep_key_help help;
    int required;
    int needs_workload; /* its options are those of the workload */
    void (*parse)(struct nuce_sweep_parser *parser, const yaml_node_t *node,
                  struct nuce_sweep *out);
};

/* In the order of parsing: products need the options of `zip`. */
static const struct sweep_key keys[] = {
    {{"name", "letters, digits, - _ .", NULL, "name of its campaigns: NAME.1, NAME.2, ..."},
     .required = 1,
     .parse = parse_name},
    {{"workload", "a name (nuce list workloads)", NULL, "workload that runs"},
     .required = 1,
     .parse = parse_workload},
    {{"ranks", "a number, a list or a range", "that of the capture, COM or network file",
      "number of processes"},
     .required = 1,
     .parse = parse_ranks},
    {{"zip", "a list of mappings", NULL,
      "keys that vary in step, combined with each product: [{degree: [8, 16], instances: [50, "
      "20]}]"},
     .needs_workload = 1,
     .parse = nuce_sweep_zip},
    {{"sweep", "a mapping of the workload's keys, or a list of them", NULL,
      "all combinations of the values; with several mappings, those of each"},
     .required = 1,
     .needs_workload = 1,
     .parse = nuce_sweep_products},
    {{"exclude", "a list of mappings", NULL,
      "points to drop: those that match all keys of a mapping; a list or range matches any of its "
      "values"},
     .needs_workload = 1,
     .parse = parse_exclude},
    {{"compare", "a list of keys", "the workload's own key, with its tuning",
      "keys in which the contenders of one race differ"},
     .needs_workload = 1,
     .parse = nuce_sweep_compare},
    {{"reference", "a value of that key, or a mapping", "the first as listed",
      "contender that ratios refer to; every instance needs it"},
     .needs_workload = 1,
     .parse = nuce_sweep_reference},
    {{"measure", "a mapping, below", NULL, "effort of the measurement"}, .parse = parse_measure},
    {{"slurm", "a mapping", NULL,
      "sbatch options of this sweep's jobs, which override the profile: {nodes: 8}"},
     .parse = parse_slurm},
    {{"platform", "a name (nuce list platforms), or a file", "this machine",
      "machine that SimGrid simulates for the points"},
     .parse = parse_platform},
    {{"precision", "a time", "1ns, from 256 ranks on 10ns",
      "precision of a simulation: messages that end within this time end together; larger is "
      "faster and less exact"},
     .parse = parse_precision},
    {{"seed", "a whole number", SEED, "seed of the order in which points run"},
     .parse = parse_seed},
};

#define KEYS (sizeof keys / sizeof *keys)

int nuce_sweep_key_help(size_t index, struct nuce_sweep_key_help *out)
{
    if (index >= KEYS)
        return 0;
    *out = keys[index].help;
    return 1;
}

/* Keys are parsed in the order of the table, not of the file: `zip` before `sweep`, `compare`
 * before `reference`. Unknown keys come first, each with the nearest known key. yaml_file.c has
 * reported duplicates, and keys that are no text. If the workload has files, they may give the
 * ranks. */
static void sweep_parse_root(struct nuce_sweep_parser *parser, const yaml_node_t *root,
                             struct nuce_sweep *out)
{
    const char *names[KEYS];

    if (!nuce_yaml_expect(parser->problems, root, NUCE_YAML_MAPPING, 0,
                          "expected a mapping (name, workload, ranks, sweep ...)"))
        return;
    for (size_t k = 0; k < KEYS; k++)
        names[k] = keys[k].help.name;
    for (int64_t i = 0; i < nuce_yaml_size(root); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, root, i);
        const char *text = nuce_yaml_text(key);
        size_t k = 0;

        while (text != NULL && k < KEYS && strcmp(text, names[k]) != 0)
            k++;
        if (text != NULL && k == KEYS)
            nuce_sweep_unknown(parser, key, names, KEYS);
    }
    for (size_t k = 0; k < KEYS; k++) {
        const yaml_node_t *value = nuce_yaml_find(&parser->yaml, root, names[k]);
        int may_be_told = keys[k].parse == parse_ranks && parser->workload != NULL &&
                          parser->workload->ranks != NULL;

        if (value == NULL && keys[k].required && !may_be_told)
            nuce_yaml_complain(parser->problems, root, "no '%s' given", names[k]);
        else if (value != NULL && (parser->workload != NULL || !keys[k].needs_workload))
            keys[k].parse(parser, value, out);
    }
}

/* Paths are relative to the file's folder. A folder that no longer exists becomes ".", because the
 * text has been read already. `measure: limit` in the file is used unchanged; else the limit is
 * shared out among the launches (nuce_measure_share_limit). */
void nuce_sweep_parse(const char *text, size_t length, const struct nuce_sweep_judge *judge,
                      struct nuce_sweep *out, struct nuce_problems *problems)
{
    struct nuce_sweep sweep = {.slurm = json_object()};
    struct nuce_sweep_parser parser = {.problems = problems, .judge = judge, .sweep = &sweep};
    char *path = nuce_text_duplicate(problems->path);
    const yaml_node_t *root = NULL, *measure;
    struct nuce_error error;

    nuce_option_presets(nuce_measure_options, &sweep.measure);
    nuce_option_set(&seed_option, &sweep.seed, SEED, &error);
    parser.folder = realpath(dirname(path), NULL);
    if (parser.folder == NULL)
        parser.folder = nuce_text_duplicate(".");
    free(path);
    nuce_hash(text, length, sweep.sha256);
    nuce_yaml_parse(text, length, &parser.yaml, problems);
    root = nuce_yaml_root(&parser.yaml);
    /* A text that libyaml could not load has been reported. */
    if (root != NULL)
        sweep_parse_root(&parser, root, &sweep);
    else if (nuce_problems_none(problems))
        nuce_problems_add(problems, 1, 1, "empty: expected a sweep");
    if (nuce_problems_none(problems) && sweep.platform == NULL) {
        measure = nuce_yaml_find(&parser.yaml, root, "measure");
        if (measure == NULL || nuce_yaml_find(&parser.yaml, measure, "time-limit") == NULL)
            nuce_measure_share_limit(&sweep.measure);
        /* Warm-up of programs is whole launches. */
        if (sweep.workload->is_command &&
            (measure == NULL || nuce_yaml_find(&parser.yaml, measure, "warmup") == NULL))
            sweep.measure.warmup = 1;
    }
    nuce_yaml_fini(&parser.yaml);
    free(parser.scratch);
    free(parser.folder);
    if (nuce_problems_none(problems))
        *out = sweep;
    else
        nuce_sweep_fini(&sweep);
}
