#include "model/schedule_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/schedule_arguments.h"
#include "model/schedule_row.h"
#include "support/allocate.h"
#include "support/text.h"

struct run {
    struct nuce_schedule_arguments arguments;
    struct nuce_schedule_row *rows;
    int64_t count, capacity;
};

static void finish(struct run *run)
{
    for (int64_t i = 0; i < run->count; i++)
        nuce_schedule_row_fini(&run->rows[i]);
    free(run->rows);
    nuce_schedule_arguments_fini(&run->arguments);
}

/* A row for each name of the comma list. */
static nuce_status make_rows(struct run *run, struct nuce_error *error)
{
    const struct nuce_option *option = nuce_option_compared(run->arguments.workload->options);
    char *rest = run->arguments.schedules, *name;

    while ((name = strsep(&rest, ",")) != NULL) {
        if (nuce_option_set(option, run->arguments.params, name, error) != NUCE_OK)
            return error->status;
        if (nuce_allocate_more((void **)&run->rows, &run->capacity, run->count + 1,
                               sizeof *run->rows, error) != NUCE_OK)
            return error->status;
        run->rows[run->count++] =
            (struct nuce_schedule_row){.name = nuce_schedule_find(name)->name};
    }
    return NUCE_OK;
}

static nuce_status add_sample(const struct run *run, const struct nuce_model_instance *instance,
                              struct nuce_schedule_row *row, struct nuce_error *error)
{
    const struct nuce_schedule_arguments *arguments = &run->arguments;
    const struct nuce_option *option = nuce_option_compared(arguments->workload->options);
    struct nuce_model_schedule model;
    nuce_status status;

    if (nuce_option_set(option, arguments->params, row->name, error) != NUCE_OK)
        return error->status;
    if (nuce_model_schedule(arguments->workload, arguments->params, instance,
                            arguments->has_execution ? &arguments->execution : NULL, &model,
                            error) != NUCE_OK)
        return nuce_error_prefix(error, "%s", row->name);
    status = nuce_schedule_row_add(row, &instance->pattern, &model, arguments->emit, error);
    nuce_model_schedule_fini(&model);
    return status;
}

static nuce_status set_instance(const struct nuce_schedule_arguments *arguments, int64_t instance,
                                struct nuce_error *error)
{
    const struct nuce_option *option = nuce_option_find(arguments->workload->options, "instance");
    char text[32];

    (void)snprintf(text, sizeof text, "%lld", (long long)instance);
    return nuce_option_set(option, arguments->params, text, error);
}

static nuce_status run_sample(struct run *run, int64_t number, struct nuce_error *error)
{
    const struct nuce_schedule_arguments *arguments = &run->arguments;
    struct nuce_model_instance instance;
    nuce_status status = NUCE_OK;

    if (set_instance(arguments, number, error) != NUCE_OK ||
        nuce_model_instance(arguments->workload, arguments->params, arguments->ranks, "cm5",
                            &instance, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; status == NUCE_OK && i < run->count; i++)
        status = add_sample(run, &instance, &run->rows[i], error);
    nuce_model_instance_fini(&instance);
    return status;
}

static nuce_status run_samples(struct run *run, struct nuce_error *error)
{
    int64_t first = run->arguments.workload->scheduling(run->arguments.params)->instance;
    nuce_status status = NUCE_OK;

    for (int64_t k = 0; status == NUCE_OK && k < run->arguments.samples; k++)
        status = run_sample(run, first + k, error);
    return status;
}

static void print_remark(const struct nuce_schedule_arguments *arguments)
{
    char text[NUCE_MESSAGE_BYTES] = "";

    if (arguments->workload->remark != NULL)
        arguments->workload->remark(arguments->params, arguments->ranks, text);
    if (text[0] != '\0')
        (void)fprintf(stderr, "nuce-model: note: %s\n", text);
}

static nuce_status print(const struct run *run, struct nuce_error *error)
{
    json_t *rows = json_array();
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; status == NUCE_OK && i < run->count; i++) {
        json_t *row = nuce_schedule_row_json(&run->rows[i], error);

        if (row == NULL || json_array_append_new(rows, row) != 0)
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for the results");
    }
    if (status == NUCE_OK)
        status = nuce_schedule_rows_print(rows, run->arguments.format, stdout, error);
    json_decref(rows);
    return status;
}

int nuce_schedule_command(const struct nuce_workload_ops *workload, int argc, char **argv)
{
    struct run run = {0};
    struct nuce_error error = {0};
    nuce_status status =
        nuce_schedule_arguments_parse(workload, argc, argv, &run.arguments, &error);

    if (status == NUCE_OK)
        print_remark(&run.arguments);
    if (status == NUCE_OK)
        status = make_rows(&run, &error);
    if (status == NUCE_OK)
        status = run_samples(&run, &error);
    if (status == NUCE_OK)
        status = print(&run, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    finish(&run);
    return nuce_error_exit_status(status);
}
