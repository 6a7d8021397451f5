#include "model/schedule_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/rows.h"

void nuce_schedule_row_fini(struct nuce_schedule_row *row)
{
    json_decref(row->candidates);
    json_decref(row->schedule);
    memset(row, 0, sizeof *row);
}

static void add_number(json_t *object, const char *key, double value)
{
    json_t *old = json_object_get(object, key);

    (void)json_object_set_new(object, key, json_real(json_number_value(old) + value));
}

/* Candidates come in the same order at every sample. */
static void add_candidates(struct nuce_schedule_row *row, const struct nuce_schedule *schedule)
{
    if (row->candidates == NULL && schedule->candidates > 0)
        row->candidates = json_array();
    for (int i = 0; i < schedule->candidates; i++) {
        const struct nuce_candidate *candidate = &schedule->candidate[i];
        json_t *sums = json_array_get(row->candidates, (size_t)i);

        if (sums == NULL) {
            sums = json_pack("{s:s}", "name", candidate->name);
            (void)json_array_append_new(row->candidates, sums);
        }
        add_number(sums, "phases", candidate->phases);
        add_number(sums, "pieces", (double)candidate->pieces);
        add_number(sums, "makespan", candidate->makespan);
        add_number(sums, "chosen", i == schedule->chosen);
    }
}

static json_t *transfer_json(int rank, const char *direction, const struct nuce_transfer *transfer,
                             double start, double end)
{
    return json_pack("{s:i, s:s, s:i, s:i, s:I, s:I, s:f, s:f}", "rank", rank, "direction",
                     direction, "peer", transfer->peer, "phase", transfer->phase, "offset",
                     (json_int_t)transfer->offset, "bytes", (json_int_t)transfer->bytes, "start",
                     start, "end", end);
}

static json_t *schedule_json(const struct nuce_schedule *s, const struct nuce_timing *timing)
{
    json_t *all = json_array();

    for (int i = 0; i < s->ranks; i++) {
        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++)
            (void)json_array_append_new(
                all,
                transfer_json(i, "send", &s->sends[k], timing->send_start[k], timing->send_end[k]));
        for (int64_t k = s->receive_start[i]; k < s->receive_start[i + 1]; k++)
            (void)json_array_append_new(all, transfer_json(i, "receive", &s->receives[k],
                                                           timing->receive_start[k],
                                                           timing->receive_end[k]));
    }
    return all;
}

nuce_status nuce_schedule_row_add(struct nuce_schedule_row *row, const struct nuce_pattern *pattern,
                                  const struct nuce_model_schedule *model, int emit,
                                  struct nuce_error *error)
{
    struct nuce_pattern_summary summary;

    if (nuce_pattern_summarise(pattern, &summary, error) != NUCE_OK)
        return error->status;
    row->ranks = pattern->ranks;
    row->samples++;
    row->is_timed = model->is_timed;
    row->execution = model->execution;
    row->messages += (double)summary.messages;
    row->bytes += (double)summary.bytes;
    row->phases += model->schedule.phases;
    row->pieces += (double)model->schedule.pieces;
    row->makespan += model->timing.makespan;
    row->bound += model->bounds.single_port;
    row->port_bound += model->bounds.port;
    if (model->bounds.single_port > 0) {
        double ratio = model->timing.makespan / model->bounds.single_port;

        row->ratio += ratio;
        row->worst_ratio = fmax(row->worst_ratio, ratio);
    }
    row->seconds += model->seconds;
    row->heap_operations += (double)model->schedule.costs.heap_operations;
    add_candidates(row, &model->schedule);
    if (emit && model->is_timed) {
        json_decref(row->schedule);
        row->schedule = schedule_json(&model->schedule, &model->timing);
    }
    return NUCE_OK;
}

/* A mean, as a whole number where it is one that counts things. */
static json_t *mean_json(double sum, int64_t samples)
{
    if (samples == 1)
        return json_integer((json_int_t)sum);
    return json_real(sum / (double)samples);
}

static json_t *timed_json(const struct nuce_schedule_row *row, double sum)
{
    return row->is_timed ? json_real(sum / (double)row->samples) : json_null();
}

static json_t *candidates_json(const struct nuce_schedule_row *row)
{
    json_t *all = json_array();
    size_t index;
    json_t *sums;

    json_array_foreach(row->candidates, index, sums)
    {
        double n = (double)row->samples;

        (void)json_array_append_new(
            all,
            json_pack("{s:O, s:f, s:f, s:f, s:I}", "name", json_object_get(sums, "name"), "phases",
                      json_number_value(json_object_get(sums, "phases")) / n, "pieces",
                      json_number_value(json_object_get(sums, "pieces")) / n, "makespan",
                      json_number_value(json_object_get(sums, "makespan")) / n, "chosen",
                      (json_int_t)json_number_value(json_object_get(sums, "chosen"))));
    }
    return all;
}

json_t *nuce_schedule_row_json(const struct nuce_schedule_row *row, struct nuce_error *error)
{
    double n = (double)row->samples;
    json_t *json = json_pack(
        "{s:s, s:i, s:I, s:s?, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:f}", "schedule",
        row->name, "ranks", row->ranks, "samples", (json_int_t)row->samples, "execution",
        row->is_timed ? nuce_execution_name(row->execution) : NULL, "messages",
        mean_json(row->messages, row->samples), "bytes", mean_json(row->bytes, row->samples),
        "phases", mean_json(row->phases, row->samples), "pieces",
        mean_json(row->pieces, row->samples), "makespan", timed_json(row, row->makespan),
        "lower_bound", row->bound / n, "port_bound", row->port_bound / n, "ratio",
        timed_json(row, row->ratio), "worst_ratio",
        row->is_timed ? json_real(row->worst_ratio) : json_null(), "seconds", row->seconds / n);

    if (json != NULL && row->heap_operations > 0)
        (void)json_object_set_new(json, "heap_operations",
                                  mean_json(row->heap_operations, row->samples));
    if (json != NULL && row->candidates != NULL)
        (void)json_object_set_new(json, "candidates", candidates_json(row));
    if (json != NULL && row->schedule != NULL) {
        (void)json_object_set_new(json, "name", json_string(row->name));
        (void)json_object_set(json, "schedule", row->schedule);
    }
    if (json == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a result");
    return json;
}

/* The columns of text and CSV, in their order. */
static const struct nuce_row_column columns[] = {
    {"schedule", NULL, "schedule", NUCE_LOOK_PLAIN, 0},
    {"ranks", NULL, "ranks", NUCE_LOOK_PLAIN, 0},
    {"samples", NULL, "samples", NUCE_LOOK_PLAIN, 0},
    {"execution", NULL, "execution", NUCE_LOOK_PLAIN, 0},
    {"messages", NULL, "messages", NUCE_LOOK_PLAIN, 0},
    {"bytes", NULL, "bytes", NUCE_LOOK_PLAIN, 0},
    {"phases", NULL, "phases", NUCE_LOOK_PLAIN, 0},
    {"pieces", NULL, "pieces", NUCE_LOOK_PLAIN, 0},
    {"makespan", NULL, "makespan", NUCE_LOOK_SECONDS, 0},
    {"lower_bound", NULL, "lower_bound", NUCE_LOOK_SECONDS, 0},
    {"port_bound", NULL, "port_bound", NUCE_LOOK_SECONDS, 0},
    {"ratio", NULL, "ratio", NUCE_LOOK_PLAIN, 0},
    {"worst_ratio", NULL, "worst_ratio", NUCE_LOOK_PLAIN, 0},
    {"seconds", NULL, "seconds", NUCE_LOOK_SECONDS, 0},
};

nuce_status nuce_schedule_rows_print(const json_t *rows, enum nuce_grid_format format, FILE *file,
                                     struct nuce_error *error)
{
    const struct nuce_row_layout layout = {.columns = columns,
                                           .count = sizeof columns / sizeof *columns};

    return nuce_rows_print(rows, &layout, format, file, error);
}
