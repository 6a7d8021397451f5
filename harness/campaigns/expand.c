/* From a sweep to the points of its plan. For each rank count, every combination of the products'
 * axes becomes a point. Its workload completes and checks it, and it is kept unless excluded. The
 * order of the plan is random, but the same for the same seed. The keys are: rank count; then
 * options with a costly set-up (a mesh stays loaded); then instances. Compared points are
 * neighbours, so that drift of the machine affects them equally. The order follows from hashes of
 * names and values, so that a new value in a sweep leaves the order of the others. */
#include "campaigns/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "base/text.h"
#include "points/launch_factors.h"
#include "points/point.h"

/* A mesh that cannot be read fails every point that names it. After this many failures further ones
 * are no news, and each costs a read of a broken file. */
#define MOST_FAILURES 20

/* One call of nuce_sweep_expand; its pointers are borrowed. */
struct expansion {
    const struct nuce_sweep *sweep;
    struct nuce_facts *facts;
    struct nuce_plan *plan;
    struct nuce_problems *problems;
    json_t *ids;      /* of the plan's points, as keys */
    int failures;     /* combinations that could not run, over all ranks */
    char *is_matched; /* for each exclusion: nonzero if a combination matched */
};

static void planned_fini(struct nuce_planned *planned)
{
    json_decref(planned->line);
    json_decref(planned->canonical);
}

void nuce_plan_keep(struct nuce_plan *plan, const bool *is_kept)
{
    int64_t count = 0;

    for (int64_t i = 0; i < plan->count; i++) {
        if (is_kept[i])
            plan->points[count++] = plan->points[i];
        else
            planned_fini(&plan->points[i]);
    }
    plan->count = count;
}

void nuce_plan_fini(struct nuce_plan *plan)
{
    for (int64_t i = 0; i < plan->count; i++)
        planned_fini(&plan->points[i]);
    free(plan->points);
    *plan = (struct nuce_plan){0};
}

/* FNV-1a (Fowler, Noll, Vo) of NAME=VALUE, continued from hash; only the order of points depends on
 * it. The factor is its prime for 64 bits. The chain begins with the sweep's seed instead of the
 * offset basis. */
static uint64_t hash_value(uint64_t hash, const char *name, const json_t *value)
{
    char *dumped = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    char *text = nuce_text_format("%s=%s", name, dumped);

    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    free(text);
    free(dumped);
    return hash;
}

/* The sort keys that the seed decides: options with a costly set-up, then all that makes the
 * instance. Points of one race get the same two keys, because compared options are ignored unless
 * costly. Mixing after the hash spreads the bits: similar texts have similar FNV hashes. */
static void find_order(const struct nuce_sweep *sweep, const struct nuce_point *point,
                       uint64_t order[2])
{
    uint64_t seed = nuce_rng_mix((uint64_t)sweep->seed);
    uint64_t block = seed, instance = seed;

    for (const struct nuce_option *row = point->workload->options; row->name != NULL; row++) {
        const json_t *value = json_object_get(point->canonical, row->name);

        if (value != NULL && row->flags & NUCE_OPTION_COSTLY)
            block = hash_value(block, row->name, value);
        if (value != NULL && !nuce_option_is_compared(row, sweep->compare))
            instance = hash_value(instance, row->name, value);
    }
    if (point->launch != NULL) {
        block = hash_value(block, "launch", point->launch);
        instance = hash_value(instance, "launch", point->launch);
    }
    order[0] = nuce_rng_mix(block);
    order[1] = nuce_rng_mix(instance);
}

/* The order of a plan (expand.h). The combination's number is the last key: then no two points are
 * equal, and qsort, which is not stable, gives the same order everywhere. */
static int by_order(const void *a, const void *b)
{
    const struct nuce_planned *first = a, *second = b;

    if (first->ranks != second->ranks)
        return first->ranks < second->ranks ? -1 : 1;
    for (int i = 0; i < 2; i++) {
        if (first->order[i] != second->order[i])
            return first->order[i] < second->order[i] ? -1 : 1;
    }
    if (first->is_reference != second->is_reference)
        return first->is_reference ? -1 : 1;
    return (first->combination > second->combination) - (first->combination < second->combination);
}

/* True if the point matches a rule (an exclusion, a reference). Settings of one option are adjacent
 * in a rule: the point must have one of them. An empty rule fits every point. Values are compared
 * as JSON in their canonical forms: 64KiB and 65536 are one value. */
static int has_settings(const struct nuce_point *point, const struct nuce_axis *rule)
{
    int matches = 1;

    for (int64_t k = 0; matches && k < rule->width;) {
        const struct nuce_option *option = rule->settings[k].option;
        json_t *value = option->flags & NUCE_OPTION_LAUNCH
                            ? json_incref(json_object_get(point->launch, option->name))
                            : nuce_option_json(option, point->params);

        matches = 0;
        for (; k < rule->width && rule->settings[k].option == option; k++)
            matches |= value != NULL && json_equal(value, rule->settings[k].value);
        json_decref(value);
    }
    return matches;
}

/* Stores the data of a complete point that a plan needs. A point that the sweep names twice runs
 * once, at its first place. */
static nuce_status keep_point(struct expansion *e, const struct nuce_point *point,
                              struct nuce_error *error)
{
    struct nuce_planned planned = {.ranks = point->ranks,
                                   .limit_s = point->measure.time_limit,
                                   .combination = e->plan->combinations};

    if (json_object_get(e->ids, point->id) != NULL) {
        e->plan->repeated++;
        return NUCE_OK;
    }
    json_object_set_new(e->ids, point->id, json_true());
    memcpy(planned.id, point->id, sizeof planned.id);
    if (e->plan->count >= NUCE_SWEEP_MOST_POINTS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "expected at most %d points in a sweep",
                              NUCE_SWEEP_MOST_POINTS);
    nuce_allocate_more((void **)&e->plan->points, &e->plan->capacity, e->plan->count + 1,
                       sizeof *e->plan->points);
    planned.line = nuce_point_to_json(point, error);
    if (planned.line == NULL)
        return error->status;
    planned.canonical = json_incref(point->canonical);
    planned.is_computed =
        point->workload->program == NULL || nuce_workload_is_mean(point->workload, point->params);
    planned.is_reference =
        e->sweep->reference.width > 0 && has_settings(point, &e->sweep->reference);
    find_order(e->sweep, point, planned.order);
    e->plan->points[e->plan->count++] = planned;
    return NUCE_OK;
}

/* A rule without ranks holds for all of them. The point is checked as the sweep gives it, and again
 * when it is complete (try_point). Notes every rule that matches. */
static int is_excluded(const struct expansion *e, const struct nuce_point *point)
{
    int excluded = 0;

    for (int64_t i = 0; i < e->sweep->exclusions_count; i++) {
        const struct nuce_exclusion *rule = &e->sweep->exclusions[i];
        int has_ranks = rule->ranks_count == 0;

        for (int64_t k = 0; k < rule->ranks_count; k++)
            has_ranks |= rule->ranks[k] == point->ranks;
        if (!has_ranks || !has_settings(point, &rule->settings))
            continue;
        e->is_matched[i] = 1;
        excluded = 1;
    }
    return excluded;
}

/* One combination: its settings, and the place to show if it cannot run. It is an odometer: at
 * counts through the steps of the axes, the last one fastest. */
struct combination {
    const struct nuce_sweep_ranks *ranks; /* 0 ranks: the number that files give */
    const struct nuce_product *product;
    const struct nuce_axis **axes;
    int64_t *at; /* the step of each axis */
    int64_t count;
};

/* The combination's setting of an option; NULL: it has none. */
static const struct nuce_setting *setting_of(const struct combination *c, const char *option)
{
    const struct nuce_setting *found = NULL;

    for (int64_t i = 0; i < c->count; i++) {
        for (int64_t k = 0; k < c->axes[i]->width; k++) {
            const struct nuce_setting *setting =
                &c->axes[i]->settings[c->at[i] * c->axes[i]->width + k];

            if (strcmp(setting->option->name, option) == 0)
                found = setting;
        }
    }
    return found;
}

/* Shows the place of the wrong option (the error's subject) if possible, else that of the product.
 * The expansion ends after MOST_FAILURES. */
static void expand_complain(struct expansion *e, const struct combination *c,
                            struct nuce_error *error)
{
    const struct nuce_setting *setting = setting_of(c, error->subject);
    int64_t line = c->product->line, column = c->product->column;

    if (setting != NULL) {
        line = setting->line;
        column = setting->column;
    } else if (strcmp(error->subject, "ranks") == 0) {
        line = c->ranks->line;
        column = c->ranks->column;
    }
    nuce_problems_add(e->problems, line, column, "%s", nuce_error_flatten(error));
    if (++e->failures == MOST_FAILURES)
        e->problems->given_up = e->failures;
}

/* Gives the point the rank count of its files. If it sets no nodes, it gets those that the recorded
 * ranks used. A simulated machine has its own. */
static nuce_status take_told(const struct expansion *e, struct nuce_point *point,
                             struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    struct nuce_told_nodes told = {0};
    json_t *counts;
    int ranks = 0;

    if (workload->ranks != NULL &&
        workload->ranks(point->params, e->facts, &ranks, error) != NUCE_OK)
        return error->status;
    if (ranks == 0)
        return nuce_error_refuse(error, "ranks",
                                 "not given, and no file of this sweep has their number");
    point->ranks = ranks;
    if (workload->nodes == NULL || e->sweep->platform != NULL ||
        nuce_launch_count(point->launch, "nodes") > 0 ||
        nuce_launch_count(point->launch, "ntasks-per-node") > 0)
        return NUCE_OK;
    if (workload->nodes(point->params, e->facts, &told, error) != NUCE_OK)
        return error->status;
    if (told.nodes == 0)
        return NUCE_OK;
    counts = json_pack("[i, i]", told.nodes, told.most);
    nuce_point_set_launch(point, "nodes", json_array_get(counts, 0));
    nuce_point_set_launch(point, "ntasks-per-node", json_array_get(counts, 1));
    json_decref(counts);
    return NUCE_OK;
}

/* Makes and keeps the point of one combination. Excluded combinations are dropped before the check,
 * so that a sweep can exclude combinations that cannot run. Completing fills in options, so
 * exclusions are checked again after it. */
static nuce_status try_point(struct expansion *e, const struct nuce_sweep_ranks *ranks,
                             struct nuce_point *point, struct nuce_error *error)
{
    nuce_status status = ranks->ranks == 0 ? take_told(e, point, error) : NUCE_OK;
    int excluded = status == NUCE_OK && is_excluded(e, point);

    e->plan->combinations++;
    if (status == NUCE_OK && !excluded) {
        status = nuce_point_complete(point, e->facts, error);
        excluded = status == NUCE_OK && is_excluded(e, point);
    }
    e->plan->excluded += excluded;
    return status == NUCE_OK && !excluded ? keep_point(e, point, error) : status;
}

/* Makes a copy of the prototype, which has the presets, into the point of one combination. If the
 * workload expands one value into several, each of them becomes a point. */
static nuce_status try_combination(struct expansion *e, const struct combination *c,
                                   const struct nuce_point *prototype, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = prototype->workload;
    struct nuce_several several = {0};
    struct nuce_point point;
    nuce_status status = NUCE_OK;

    nuce_point_copy(prototype, &point);
    for (int64_t i = 0; i < c->count; i++) {
        for (int64_t k = 0; status == NUCE_OK && k < c->axes[i]->width; k++) {
            const struct nuce_setting *setting =
                &c->axes[i]->settings[c->at[i] * c->axes[i]->width + k];

            if (setting->option->flags & NUCE_OPTION_LAUNCH)
                nuce_point_set_launch(&point, setting->option->name, setting->value);
            else
                status = nuce_option_set_json(setting->option, point.params, setting->value, error);
        }
    }
    if (status == NUCE_OK && workload->several != NULL)
        status = workload->several(point.params, c->ranks->ranks, &several, error);
    /* The option has such a value only from the sweep: no preset stands for several. */
    if (several.note != NULL) {
        const struct nuce_setting *setting = setting_of(c, several.option->name);

        nuce_problems_note(e->problems, setting->line, setting->column, "%s: %s",
                           several.option->name, several.note);
    }
    if (status == NUCE_OK && several.count == 0)
        status = try_point(e, c->ranks, &point, error);
    for (int i = 0; status == NUCE_OK && i < several.count; i++) {
        struct nuce_point one;

        nuce_point_copy(&point, &one);
        status = nuce_option_set(several.option, one.params, several.values[i], error);
        if (status == NUCE_OK)
            status = try_point(e, c->ranks, &one, error);
        nuce_point_fini(&one);
    }
    free(several.values);
    free(several.note);
    nuce_point_fini(&point);
    return status;
}

/* Expands all products for one rank count, from one prototype with the presets and the sweep's
 * measure. A product's axes come first, then those of `zip`; the last axis varies fastest. */
static void expand_ranks(struct expansion *e, const struct nuce_sweep_ranks *ranks)
{
    const struct nuce_product *together = &e->sweep->together;
    struct nuce_point prototype;
    struct nuce_error error;

    nuce_point_init(e->sweep->workload, ranks->ranks > 0 ? ranks->ranks : 1, &prototype);
    prototype.measure = e->sweep->measure;
    prototype.compare = json_incref(e->sweep->compare);
    for (int64_t p = 0; p < e->sweep->products_count && e->failures < MOST_FAILURES; p++) {
        const struct nuce_product *product = &e->sweep->products[p];
        struct combination c = {
            .ranks = ranks, .product = product, .count = product->count + together->count};
        int64_t i;

        c.axes = nuce_allocate(c.count, sizeof *c.axes);
        c.at = nuce_allocate(c.count, sizeof *c.at);
        for (i = 0; i < c.count; i++)
            c.axes[i] =
                i < product->count ? &product->axes[i] : &together->axes[i - product->count];
        do {
            if (try_combination(e, &c, &prototype, &error) != NUCE_OK)
                expand_complain(e, &c, &error);
            for (i = c.count - 1; i >= 0 && ++c.at[i] == c.axes[i]->steps; i--)
                c.at[i] = 0;
        } while (e->failures < MOST_FAILURES && i >= 0);
        free(c.axes);
        free(c.at);
    }
    nuce_point_fini(&prototype);
}

/* Appends the value of an option as a sweep writes it. */
static void append_compared(char **text, const json_t *value)
{
    char *dumped = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);

    nuce_text_append(text, "%s", dumped != NULL ? dumped : json_string_value(value));
    free(dumped);
}

/* Explains why the reference is missing in the race first .. end - 1: its value, and those of the
 * contenders, as JSON, because 1 and "1" are two values. Freed by the caller. */
static char *describe_missing(const struct nuce_setting *setting, const struct nuce_plan *plan,
                              int64_t first, int64_t end)
{
    const char *name = setting->option->name;
    json_t *listed = json_array();
    char *why = nuce_text_duplicate("'");

    append_compared(&why, setting->value);
    nuce_text_append(&why, "' is not there: expected one that each has, of ");
    for (int64_t i = first; i < end; i++) {
        const json_t *value =
            json_object_get(json_object_get(plan->points[i].line, "params"), name);
        int is_listed = value == NULL;

        for (size_t k = 0; !is_listed && k < json_array_size(listed); k++)
            is_listed = json_equal(json_array_get(listed, k), value);
        if (is_listed)
            continue;
        nuce_text_append(&why, "%s", json_array_size(listed) == 0 ? "" : ", ");
        append_compared(&why, value);
        json_array_append(listed, (json_t *)value);
    }
    json_decref(listed);
    return why;
}

/* Each race with something to compare needs the reference; else one table would mix ratios to two
 * different references. Points of a race are neighbours by now and its reference is the first.
 * Races of one point have no ratios. */
static void check_reference(const struct nuce_sweep *sweep, const struct nuce_plan *plan,
                            struct nuce_problems *problems)
{
    const struct nuce_setting *setting = sweep->reference.settings;
    int64_t races = 0, without = 0, first = 0, last = 0;
    char *why = NULL;

    for (int64_t i = 0, end; i < plan->count; i = end) {
        for (end = i + 1; end < plan->count &&
                          nuce_point_is_of_race(plan->points[i].line, plan->points[end].line);)
            end++;
        races++;
        if (plan->points[i].is_reference || end == i + 1)
            continue;
        if (without++ == 0) {
            first = i;
            last = end;
        }
    }
    if (sweep->reference.width == 0 || without == 0)
        return;
    if (sweep->reference.width == 1)
        why = describe_missing(setting, plan, first, last);
    nuce_problems_add(problems, setting->line, setting->column,
                      "reference: not among the contenders of %lld of %lld races: %s",
                      (long long)without, (long long)races,
                      why != NULL ? why : "expected one that each has");
    free(why);
}

/* Adds notes about settings without effect, such as a radix for schedules that forward nothing: a
 * user would take the results for an answer about it. An option is used if the line of some point
 * has a value for it. This is a note, because exclusions may have removed the schedules that use
 * it. Options set together (is_joined) get no note. Unused parts of a file, such as the weights of
 * a mesh, are noted where the sweep names the file. */
static void note_unused(const struct nuce_product *product, int is_joined,
                        const struct nuce_plan *plan, const struct nuce_facts *facts,
                        struct nuce_problems *problems)
{
    for (int64_t i = 0; i < product->count; i++) {
        const struct nuce_axis *axis = &product->axes[i];

        for (int64_t k = 0; k < axis->steps * axis->width; k++) {
            const struct nuce_setting *setting = &axis->settings[k];
            const char *option = setting->option->name, *name, *note;
            int is_used =
                is_joined || k >= axis->width || (setting->option->flags & NUCE_OPTION_LAUNCH) != 0;
            int64_t at = 0;

            for (int64_t p = 0; !is_used && p < plan->count; p++)
                is_used = json_object_get(json_object_get(plan->points[p].line, "params"),
                                          option) != NULL;
            if (!is_used)
                nuce_problems_note(problems, setting->line, setting->column,
                                   "%s: has no effect on any of these points", option);
            while (json_is_string(setting->value) &&
                   (name = nuce_facts_next_note(facts, &at, &note)) != NULL) {
                if (strcmp(name, json_string_value(setting->value)) == 0)
                    nuce_problems_note(problems, setting->line, setting->column, "%s: %s", option,
                                       note);
            }
        }
    }
}

/* Counts the combinations before it makes any. The count is a double: exact where it matters, and
 * without overflow, because a product of a few long lists exceeds 64 bits. Writes *out only without
 * problems, because an incomplete plan could pass unnoticed. */
void nuce_sweep_expand(const struct nuce_sweep *sweep, struct nuce_facts *facts,
                       struct nuce_plan *out, struct nuce_problems *problems)
{
    struct nuce_plan plan = {0};
    struct expansion e = {.sweep = sweep, .facts = facts, .plan = &plan, .problems = problems};
    const struct nuce_sweep_ranks told = {.line = sweep->products[0].line,
                                          .column = sweep->products[0].column};
    double combinations = 0, joined = 1;

    for (int64_t i = 0; i < sweep->together.count; i++)
        joined *= (double)sweep->together.axes[i].steps;
    for (int64_t i = 0; i < sweep->products_count; i++) {
        double product = joined;

        for (int64_t k = 0; k < sweep->products[i].count; k++)
            product *= (double)sweep->products[i].axes[k].steps;
        combinations += product;
    }
    combinations *= (double)(sweep->ranks_count > 0 ? sweep->ranks_count : 1);
    if (combinations > NUCE_SWEEP_MOST_POINTS) {
        nuce_problems_add(problems, told.line, told.column,
                          "%.0f combinations: expected at most %d points in a sweep", combinations,
                          NUCE_SWEEP_MOST_POINTS);
        return;
    }
    e.ids = json_object();
    e.is_matched = nuce_allocate(sweep->exclusions_count, sizeof *e.is_matched);
    for (int64_t i = 0; i < sweep->ranks_count && e.failures < MOST_FAILURES; i++)
        expand_ranks(&e, &sweep->ranks[i]);
    if (sweep->ranks_count == 0)
        expand_ranks(&e, &told);
    if (nuce_problems_none(problems) && plan.count == 0)
        nuce_problems_add(problems, told.line, told.column,
                          "no points: all %lld combinations are excluded",
                          (long long)plan.excluded);
    if (nuce_problems_none(problems)) {
        qsort(plan.points, (size_t)plan.count, sizeof *plan.points, by_order);
        check_reference(sweep, &plan, problems);
        for (int64_t i = 0; i < sweep->products_count; i++)
            note_unused(&sweep->products[i], 0, &plan, facts, problems);
        note_unused(&sweep->together, 1, &plan, facts, problems);
        /* A typo in an exclude rule would silently measure what it meant to drop. */
        for (int64_t i = 0; i < sweep->exclusions_count; i++) {
            const struct nuce_exclusion *rule = &sweep->exclusions[i];

            if (!e.is_matched[i])
                nuce_problems_note(problems, rule->line, rule->column,
                                   "exclude: matches none of the combinations");
        }
    }
    json_decref(e.ids);
    free(e.is_matched);
    if (nuce_problems_none(problems))
        *out = plan;
    else
        nuce_plan_fini(&plan);
}
