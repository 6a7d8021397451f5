/* A subcommand of nuce-model that shows a workload's model.
 *
 * Steps: parse the options of the view; make a row for each combination of their comma lists,
 * and complete its point; model each row; show means as the view's columns define. All
 * contenders of an instance are modelled in sequence, so that shared data is made once and the
 * reference is available.
 *
 * Cost: that of the models, times rows and samples. Memory: a row has a mean for each result. */
#include "programs/model_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "points/point.h"

/* Rows of results in the columns of a view. Unknown values are null in JSON, a dash in text,
 * empty in CSV. A value comes from the point, from the instances' means, or from the kept lists;
 * the column decides. Counts stay integers if there is one instance: a mean of several is a
 * real. O(rows x columns). */

/* The column's value: a new reference; null if it is unknown. A number is scaled and typed by
 * the column's flags; 9e15 is below 2^53, up to which doubles are exact integers. */
static json_t *value_json(const struct nuce_model_column *column, const struct nuce_model_row *row)
{
    const struct nuce_point *point = &row->point;
    const struct nuce_model_mean *mean;
    double scale = column->scale > 0 ? column->scale : 1, value = NAN;
    int is_counted = column->flags & NUCE_COLUMN_COUNT && row->samples == 1;
    json_t *found;

    switch (column->from) {
    case NUCE_FROM_OPTION:
        return nuce_option_json(nuce_option_find(point->workload->options, column->of),
                                point->params);
    case NUCE_FROM_RANKS:
        return json_integer(point->ranks);
    case NUCE_FROM_SAMPLES:
        return json_integer((json_int_t)row->samples);
    case NUCE_FROM_TEXT:
    case NUCE_FROM_LIST:
        found = json_object_get(column->from == NUCE_FROM_TEXT ? row->means.last : row->kept,
                                column->of);
        return found == NULL ? json_null() : json_incref(found);
    case NUCE_FROM_MEAN:
    case NUCE_FROM_DEVIATION:
    case NUCE_FROM_LARGEST:
    case NUCE_FROM_LEAST:
        break;
    }
    found = json_object_get(row->means.last, column->of);
    if (is_counted && json_is_integer(found))
        return json_incref(found); /* beyond 2^53 too */
    mean = nuce_model_means_of(&row->means, column->of);
    if (mean->count > 0)
        value = column->from == NUCE_FROM_DEVIATION ? scale * nuce_model_mean_deviation(mean)
                : column->from == NUCE_FROM_LARGEST ? scale * mean->largest
                : column->from == NUCE_FROM_LEAST   ? scale * mean->least
                                                    : scale * mean->sum / (double)mean->count;
    if (!isfinite(value))
        return json_null();
    if (column->flags & NUCE_COLUMN_TRUTH)
        return json_boolean(value > 0);
    if ((column->flags & NUCE_COLUMN_WHOLE || is_counted) && floor(value) == value &&
        fabs(value) < 9e15)
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* True if the column's flags omit it from this row. Weights that are drawn have a ratio. */
static int is_left_out(const struct nuce_model_column *column, const struct nuce_model_row *row,
                       const json_t *value)
{
    const struct nuce_option *ratio = nuce_option_find(row->point.workload->options, "ratio");
    unsigned flags = column->flags;

    return (flags & NUCE_COLUMN_IF_KNOWN &&
            (json_is_null(value) || (json_is_number(value) && !(json_number_value(value) > 0)))) ||
           (flags & NUCE_COLUMN_IF_FOUND && json_is_null(value)) ||
           (flags & NUCE_COLUMN_IF_GIVEN && ratio != NULL &&
            nuce_option_is_set(ratio, row->point.params)) ||
           (flags & NUCE_COLUMN_IF_SEVERAL && row->samples == 1) ||
           (flags & NUCE_COLUMN_IF_SINGLE && row->samples > 1) ||
           (flags & NUCE_COLUMN_IF_BESIDE && !row->is_beside);
}

json_t *nuce_model_view_row(const struct nuce_model_view *view, const struct nuce_model_row *row)
{
    json_t *json = json_object();

    for (const struct nuce_model_column *column = view->columns; column->key != NULL; column++) {
        json_t *value = value_json(column, row), *object = json_object_get(json, column->key);

        if (is_left_out(column, row, value)) {
            json_decref(value);
        } else if (column->within == NULL) {
            json_object_set_new(json, column->key, value);
        } else if (object == NULL) {
            json_object_set_new(json, column->key, json_pack("{s:o}", column->within, value));
        } else {
            json_object_set_new(object, column->within, value);
        }
    }
    if (view->finish != NULL)
        view->finish(json, row);
    return json;
}

/* More columns than any view has; the longest header is KEY_WITHIN. */
#define COLUMNS_MOST 48
#define HEAD_BYTES 48

nuce_status nuce_model_view_print(const struct nuce_model_view *view, const json_t *rows,
                                  enum nuce_grid_format format, FILE *file,
                                  struct nuce_error *error)
{
    struct nuce_row_column columns[COLUMNS_MOST];
    char heads[COLUMNS_MOST][HEAD_BYTES];
    struct nuce_row_layout layout = {.columns = columns, .digits = view->digits};

    for (const struct nuce_model_column *column = view->columns; column->key != NULL; column++) {
        char *head = heads[layout.count];

        if (column->flags & NUCE_COLUMN_JSON)
            continue;
        NUCE_ASSERT(layout.count < COLUMNS_MOST);
        snprintf(head, HEAD_BYTES, "%s%s%s", column->key, column->within == NULL ? "" : "_",
                 column->within == NULL ? "" : column->within);
        columns[layout.count++] =
            (struct nuce_row_column){.key = column->key,
                                     .within = column->within,
                                     .head = head,
                                     .look = column->look,
                                     .is_wide = (column->flags & NUCE_COLUMN_WIDE) != 0};
    }
    return nuce_rows_print(rows, &layout, format, file, error);
}

/* More options than a workload has, and more tables of results. */
#define OPTIONS_MOST 64
#define TABLES_MOST 16
/* More instances are treated as a typing error. */
#define SAMPLES_MOST 1000000

/* One run of a subcommand. */
struct command {
    const struct nuce_model_view *view;
    struct nuce_model_wish wish;
    json_t *given;                 /* given options of the workload: name -> text */
    struct nuce_facts *facts;      /* files read for points, shared by all rows */
    struct nuce_given_lists lists; /* the combinations */
    enum nuce_execution execution;
    struct nuce_model_question question;
    const struct nuce_result *tables[TABLES_MOST]; /* possible results */
    struct nuce_model_row *rows;                   /* one a combination */
    size_t count;                                  /* of finished rows */
};

static const struct nuce_option output_options[] = {
    NUCE_OPTION(WORD, "format", offsetof(struct nuce_model_wish, format), "text", "FORMAT",
                "format of the results: text, json or csv", .choices = nuce_grid_format_name),
    {.name = NULL},
};

/* The result row of a column; NULL: the model finds no such number or word, or an earlier column
 * has it. */
static const struct nuce_result *column_result(const struct nuce_model_view *view,
                                               const struct nuce_model_column *column)
{
    const struct nuce_result *const own[] = {nuce_model_results, view->own_results, NULL};
    const struct nuce_result *found;

    if (column->of == NULL || column->from < NUCE_FROM_TEXT || column->from == NUCE_FROM_DEVIATION)
        return NULL;
    for (const struct nuce_model_column *before = view->columns; before != column; before++) {
        if (before->of != NULL && strcmp(before->of, column->of) == 0 &&
            before->from == column->from)
            return NULL;
    }
    found = nuce_result_find(view->workload->results, column->of);
    return found != NULL ? found : nuce_result_find(own, column->of);
}

/* Describes the columns with units, for the end of --help. A column with scaled values has the
 * unit in its name. A new string. */
static char *describe_columns(const struct nuce_model_view *view)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    fputs("Results (KEY_sd: their standard deviations over the instances):\n", stream);
    for (const struct nuce_model_column *column = view->columns; column->key != NULL; column++) {
        const struct nuce_result *result = column_result(view, column);
        int has_unit = result != NULL && column->scale == 0 && result->unit[0] != '\0';

        if (result != NULL)
            fprintf(stream, "  %s%s%s%s%s: %s%s\n", column->key, column->within != NULL ? "_" : "",
                    column->within != NULL ? column->within : "", has_unit ? ", " : "",
                    has_unit ? result->unit : "",
                    column->from == NUCE_FROM_LARGEST ? "the largest of: "
                    : column->from == NUCE_FROM_LEAST ? "the least of: "
                                                      : "",
                    result->meaning);
    }
    fclose(stream);
    return text;
}

/* Parses the command line into c->wish and c->given, and checks combinations of options; --help
 * ends the process here. The workload's options exclude those without meaning here. The compared
 * option takes a list, which defaults to the view's contenders. */
static nuce_status parse(struct command *c, int argc, char **argv, struct nuce_error *error)
{
    const struct nuce_model_view *view = c->view;
    const char *compared = nuce_option_compared(view->workload->options)->name;
    char *after = describe_columns(view);
    int count = 0;
    struct nuce_option options[OPTIONS_MOST];
    const struct nuce_option ranks[] = {
        NUCE_OPTION(COUNT, view->ranks, offsetof(struct nuce_model_wish, ranks), NULL, "N",
                    "number; default: that of a list or file", .minimum = 1),
        {.name = NULL}};
    struct nuce_command_line line = {
        .about = view->about,
        .after = after,
        .list = view->list,
        .examples = view->examples,
        .groups = {{.rows = options, .given = c->given},
                   {.rows = ranks, .params = &c->wish},
                   {.rows = output_options, .params = &c->wish},
                   {.rows = view->own, .params = &c->wish}},
    };

    for (const struct nuce_option *row = view->workload->options; row->name != NULL; row++) {
        if (row->flags & (view->hidden | NUCE_OPTION_RUN))
            continue;
        NUCE_ASSERT(count < OPTIONS_MOST - 1);
        options[count] = *row;
        if (strcmp(row->name, compared) == 0) {
            options[count].preset = view->contenders;
            options[count].argument = "NAME,...";
        }
        count++;
    }
    options[count] = (struct nuce_option){.name = NULL};
    nuce_command_line_parse(&line, argc, argv);
    free(after);
    if (json_object_get(c->given, compared) == NULL && view->contenders == NULL)
        return nuce_error_refuse(error, compared, "not given: expected names of 'nuce list %ss'",
                                 compared);
    if (json_object_get(c->given, compared) == NULL)
        json_object_set_new(c->given, compared, json_string(view->contenders));
    if (c->wish.ranks > view->most_ranks)
        return nuce_error_refuse(error, view->ranks, "'%lld': expected 1 to %d",
                                 (long long)c->wish.ranks, view->most_ranks);
    if (c->wish.emit && c->wish.format != NUCE_GRID_JSON)
        return nuce_error_refuse(error, "emit-schedule", "expected --format json");
    return view->arrange == NULL ? NUCE_OK : view->arrange(c->given, &c->wish, error);
}

/* The value of the option called name, as given for that row. */
static json_t *option_value(const struct nuce_model_row *row, const char *name)
{
    const struct nuce_option *option = nuce_option_find(row->point.workload->options, name);

    return option == NULL ? NULL : nuce_option_json(option, row->point.params);
}

/* Makes the row of the number-th combination. It counts in c->count once it has a point, so that
 * the end of the command frees it. Its number of ranks is as given, or from the workload's files
 * and lists; messages call the ranks as the option does. A model accepts any schedule, including
 * one that needs arrays of a machine. The point is therefore completed and checked with `ac`,
 * which runs on everything, and then gets its own schedule name back. */
static nuce_status make_row(struct command *c, size_t number, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = c->view->workload;
    const struct nuce_option *compared = nuce_option_compared(workload->options);
    struct nuce_model_row *row = &c->rows[number];
    struct nuce_point *point = &row->point;
    char *name, kept[NUCE_NAME_BYTES];
    json_t *samples;
    nuce_status status;

    nuce_point_init(workload, 1, point);

    c->count++;
    nuce_model_means_init(c->tables, &row->means);
    row->kept = json_object();
    if (nuce_given_lists_set(&c->lists, number, point, error) != NUCE_OK)
        return error->status;
    samples = option_value(row, "samples"); /* null for a workload that draws nothing */
    row->samples = (int64_t)json_integer_value(samples);
    json_decref(samples);
    if (row->samples > SAMPLES_MOST)
        return nuce_error_refuse(error, "samples", "'%lld': expected 1 to %d",
                                 (long long)row->samples, SAMPLES_MOST);
    point->ranks = (int)c->wish.ranks;
    if (point->ranks == 0 && workload->ranks != NULL &&
        workload->ranks(point->params, c->facts, &point->ranks, error) != NUCE_OK)
        return error->status;
    if (point->ranks <= 0)
        return nuce_error_refuse(error, c->view->ranks,
                                 "not given, and no other option implies it");
    name = (char *)point->params + compared->offset;
    memcpy(kept, name, sizeof kept);
    if (c->view->of_schedule)
        strcpy(name, "ac");
    status = nuce_point_complete(point, c->facts, error);
    if (c->view->of_schedule)
        memcpy(name, kept, sizeof kept);
    if (status != NUCE_OK && strcmp(error->subject, "ranks") == 0)
        snprintf(error->subject, sizeof error->subject, "%s", c->view->ranks);
    return status;
}

/* Makes the rows. Points that name no network use the CM-5 of Ranka, Wang and Kumar (its section
 * 3.2); a text table with this default gets a note. The workload's notes on the first row's
 * point go to standard error, for example that weights were drawn. */
static nuce_status make_rows(struct command *c, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = c->view->workload;
    const struct nuce_point *first;
    char remark[NUCE_MESSAGE_BYTES] = "";
    int count = 0; /* of tables */

    c->tables[count++] = nuce_model_results;
    if (c->view->own_results != NULL)
        c->tables[count++] = c->view->own_results;
    for (const struct nuce_result *const *table = workload->results; *table != NULL; table++) {
        NUCE_ASSERT(count < TABLES_MOST - 1);
        c->tables[count++] = *table;
    }
    c->question = (struct nuce_model_question){.network = "cm5",
                                               .of_schedule = c->view->of_schedule,
                                               .of_workload = c->view->of_workload,
                                               .is_emitted = c->wish.emit};
    if (c->wish.execution != NULL) {
        if (!nuce_execution_find(c->wish.execution, &c->execution))
            return nuce_error_refuse(error, "execution",
                                     "'%s': expected loose, ports, barrier, fifo or fluid",
                                     c->wish.execution);
        c->question.execution = &c->execution;
    }
    c->facts = nuce_facts_create();
    if (nuce_given_lists_init(workload, c->given, 0, &c->lists, error) != NUCE_OK)
        return error->status;
    c->rows = nuce_allocate((int64_t)c->lists.count, sizeof *c->rows);
    for (size_t i = 0; i < c->lists.count; i++) {
        if (make_row(c, i, error) != NUCE_OK)
            return error->status;
    }
    first = &c->rows[0].point;
    if (workload->remark != NULL)
        workload->remark(first->params, first->ranks, remark);
    if (remark[0] != '\0')
        fprintf(stderr, "nuce-model: note: %s\n", remark);
    nuce_facts_print_notes(c->facts, "nuce-model");
    if (c->view->of_schedule && c->wish.format == NUCE_GRID_TEXT &&
        json_object_get(c->given, "network") == NULL &&
        json_object_get(c->given, "bandwidth") == NULL)
        fprintf(stderr, "nuce-model: note: times are those of the CM-5 (--network cm5): name "
                        "your network, or give --bandwidth and --startup\n");
    return NUCE_OK;
}

/* Models all rows. Rows that differ only in the contender are adjacent, because the compared
 * option changes fastest. For each instance, all contenders are modelled. Each is then compared
 * with the reference, if there is one among them, and added to its row's means. An error without
 * a location names the contender. Lists are merged by the view, or the last instance's are kept. */
static nuce_status model_all(struct command *c, struct nuce_error *error)
{
    const struct nuce_model_view *view = c->view;
    const struct nuce_option *compared = nuce_option_compared(view->workload->options);
    size_t contenders = json_array_size(json_object_get(c->lists.lists, compared->name));
    struct nuce_metrics *found = nuce_allocate((int64_t)contenders, sizeof *found);
    nuce_status status = NUCE_OK;

    for (size_t first = 0; status == NUCE_OK && first < c->count; first += contenders) {
        for (int64_t k = 0; status == NUCE_OK && k < c->rows[first].samples; k++) {
            const struct nuce_metrics *reference = NULL;
            struct nuce_model_shared messages = {0};

            for (size_t i = 0; status == NUCE_OK && i < contenders; i++) {
                struct nuce_model_row *row = &c->rows[first + i];
                const char *contender = (const char *)row->point.params + compared->offset;
                json_t *lists = json_object();

                nuce_metrics_init(c->tables, &found[i]);
                status = nuce_model_sample(&row->point, k, &c->question, &messages, &found[i],
                                           lists, error);
                if (status != NUCE_OK && error->subject[0] == '\0' && error->path[0] == '\0')
                    nuce_error_prefix(error, "%s", contender);
                if (status == NUCE_OK && view->keep != NULL)
                    view->keep(row->kept, lists);
                else if (status == NUCE_OK)
                    json_object_update(row->kept, lists);
                json_decref(lists);
                if (view->reference != NULL && strcmp(contender, view->reference) == 0)
                    reference = &found[i];
            }
            for (size_t i = 0; status == NUCE_OK && i < contenders; i++) {
                c->rows[first + i].is_beside = reference != NULL;
                if (reference != NULL)
                    view->beside(&found[i], reference);
                status = nuce_model_means_add(&c->rows[first + i].means, &found[i], error);
            }
            for (size_t i = 0; i < contenders; i++)
                nuce_metrics_fini(&found[i]);
            nuce_model_shared_fini(&messages);
        }
    }
    free(found);
    return status;
}

/* Prints an object for each row, in order, with the options that were given as lists, which
 * identify the row. */
int nuce_model_run(const struct nuce_model_view *view, int argc, char **argv)
{
    struct command command = {.view = view, .given = json_object()};
    struct nuce_error error = {0};
    json_t *rows = json_array(), *values;
    const char *name;
    nuce_status status = parse(&command, argc, argv, &error);

    if (status == NUCE_OK)
        status = make_rows(&command, &error);
    if (status == NUCE_OK)
        status = model_all(&command, &error);
    for (size_t i = 0; status == NUCE_OK && i < command.count; i++) {
        json_t *row = nuce_model_view_row(view, &command.rows[i]);

        json_object_foreach(command.lists.lists, name, values)
        {
            if (json_array_size(values) > 1 && json_object_get(row, name) == NULL)
                json_object_set_new(row, name, option_value(&command.rows[i], name));
        }
        json_array_append_new(rows, row);
    }
    if (status == NUCE_OK)
        status = nuce_model_view_print(view, rows, (enum nuce_grid_format)command.wish.format,
                                       stdout, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    for (size_t i = 0; i < command.count; i++) {
        nuce_point_fini(&command.rows[i].point);
        nuce_model_means_fini(&command.rows[i].means);
        json_decref(command.rows[i].kept);
    }
    free(command.rows);
    json_decref(rows);
    nuce_given_lists_fini(&command.lists);
    nuce_facts_destroy(command.facts);
    json_decref(command.given);
    return nuce_error_exit_status(status);
}
