/* The models of one instance of a point: its schedule under the papers' cost model, and the
 * model of its workload. Cost: making the schedule, validating it and running it in the model
 * (schedules/execution.h). Pattern and network of an instance are made once and shared by its
 * contenders. Limits: no model has a time for a dynamic schedule; its bounds are given. */
#include "programs/point_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "schedules/bounds.h"
#include "schedules/schedule_results.h"

/* clang-format off */
const struct nuce_result nuce_model_results[] = {
    {"execution", NUCE_TEXT, "", "model of how ranks execute the schedule", NULL, 0},
    {"makespan_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time from start to end in the model called execution", NULL, 0},
    {"makespan_ratio", NUCE_REAL, "", "makespan / single-port lower bound; unknown without messages", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

void nuce_model_shared_fini(struct nuce_model_shared *messages)
{
    nuce_network_fini(&messages->network);
    nuce_pattern_fini(&messages->pattern);
    nuce_splits_fini(&messages->splits);
    free(messages->network_name);
    if (messages->memory.destroy != NULL)
        messages->memory.destroy(messages->memory.kept);
    *messages = (struct nuce_model_shared){0};
}

/* Makes the pattern and the network once. The network is that of scheduling, or else that of the
 * question. Network emulation changes both. */
static nuce_status make_messages(const struct nuce_workload_ops *workload, const void *params,
                                 int ranks, const struct nuce_model_question *question,
                                 struct nuce_model_shared *out, struct nuce_error *error)
{
    struct nuce_scheduling named = *workload->scheduling(params);

    if (out->is_made)
        return NUCE_OK;
    error->status = workload->pattern(params, ranks, &out->pattern, error);
    if (error->status == NUCE_OK && named.network[0] == '\0' &&
        !nuce_text_copy(named.network, sizeof named.network, question->network))
        nuce_error_refuse(error, "network", "longer than %zu bytes: '%.60s...'",
                          sizeof named.network - 1, question->network);
    if (error->status != NUCE_OK ||
        nuce_scheduling_network(&named, ranks, question->at, &out->network, &out->network_name,
                                error) != NUCE_OK ||
        nuce_scheduling_emulate(workload->scheduling(params), &out->pattern, &out->network,
                                error) != NUCE_OK ||
        (workload->splits != NULL && workload->splits(params, &out->splits, error) != NUCE_OK)) {
        nuce_model_shared_fini(out);
        return error->status;
    }
    out->is_made = 1;
    return NUCE_OK;
}

/* start and end are seconds from the beginning; offset and bytes are of the message. */
static json_t *transfer_json(int rank, const char *direction, const struct nuce_transfer *transfer,
                             double start, double end)
{
    return json_pack("{s:i, s:s, s:i, s:i, s:I, s:I, s:f, s:f}", "rank", rank, "direction",
                     direction, "peer", transfer->peer, "phase", transfer->phase, "offset",
                     (json_int_t)transfer->offset, "bytes", (json_int_t)transfer->bytes, "start",
                     start, "end", end);
}

/* Adds the parcels of a transfer ("parcels"), and the number of its bytes that the sender
 * forwards for others. */
static void add_parcels(const struct nuce_schedule *s, int64_t send, int sender, json_t *transfer)
{
    const struct nuce_load *load = &s->loads[send];
    json_t *parcels = json_array();
    int64_t forwarded = 0;

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &s->parcels[k];

        forwarded += parcel->source != sender ? parcel->bytes : 0;
        json_array_append_new(parcels, json_pack("{s:i, s:i, s:I, s:I}", "source", parcel->source,
                                                 "destination", parcel->destination, "offset",
                                                 (json_int_t)parcel->offset, "bytes",
                                                 (json_int_t)parcel->bytes));
    }
    json_object_set_new(transfer, "forwarded", json_integer((json_int_t)forwarded));
    json_object_set_new(transfer, "parcels", parcels);
}

/* The transfers in order: each rank's sends, then its receives; with the parcels if the schedule
 * forwards. */
static json_t *transfers_json(const struct nuce_schedule *s, const struct nuce_timing *timing)
{
    int64_t *send_of = NULL; /* of each receive; NULL: nothing is forwarded */
    json_t *all = json_array();

    if (s->discipline == NUCE_FORWARD) {
        send_of = nuce_allocate(s->pieces, sizeof *send_of);
        for (int64_t k = 0; k < s->pieces; k++)
            send_of[s->receive_of[k]] = k;
    }
    for (int i = 0; i < s->ranks; i++) {
        for (int64_t k = s->send_start[i]; k < s->send_start[i + 1]; k++) {
            json_t *send =
                transfer_json(i, "send", &s->sends[k], timing->send_start[k], timing->send_end[k]);

            if (send_of != NULL)
                add_parcels(s, k, i, send);
            json_array_append_new(all, send);
        }
        for (int64_t k = s->receive_start[i]; k < s->receive_start[i + 1]; k++) {
            json_t *receive = transfer_json(i, "receive", &s->receives[k], timing->receive_start[k],
                                            timing->receive_end[k]);

            if (send_of != NULL)
                add_parcels(s, send_of[k], s->receives[k].peer, receive);
            json_array_append_new(all, receive);
        }
    }
    free(send_of);
    return all;
}

/* The schedules that a choosing schedule (best) compared. Numbers are real, because they are
 * summed over instances. */
static json_t *candidates_json(const struct nuce_schedule *schedule)
{
    json_t *all = json_array();

    for (int i = 0; i < schedule->candidates; i++) {
        const struct nuce_candidate *candidate = &schedule->candidate[i];

        json_array_append_new(all, json_pack("{s:s, s:f, s:f, s:f, s:i}", "name", candidate->name,
                                             "phases", (double)candidate->phases, "pieces",
                                             (double)candidate->pieces, "makespan",
                                             candidate->makespan, "chosen", i == schedule->chosen));
    }
    return all;
}

/* Makes the schedule, validates it, computes bounds and time, and sets the results. Every
 * schedule is validated here: results for a schedule that loses bytes would be worthless. No
 * model has a time for dynamic schedules, for schedules with more transfers in flight than the
 * model has, or for ranks that start late. A record gets no processor times, because a modelled
 * run spends none. */
static nuce_status model_schedule(const struct nuce_workload_ops *workload, const void *params,
                                  const struct nuce_model_question *question,
                                  const struct nuce_model_shared *messages,
                                  struct nuce_metrics *found, json_t *lists,
                                  struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = workload->scheduling(params);
    const struct nuce_network *network = &messages->network;
    struct nuce_tuning tuning = workload->tuning(params);
    struct nuce_schedule_input input = {.pattern = &messages->pattern,
                                        .network = network,
                                        .tuning = &tuning,
                                        .rng = nuce_scheduling_rng(scheduling)};
    struct nuce_schedule schedule = {0};
    struct nuce_timing timing = {0};
    struct nuce_bounds bounds;
    struct nuce_pattern_summary summary;
    struct nuce_schedule_totals totals;
    enum nuce_execution execution = NUCE_LOOSE;
    double seconds = 0; /* processor time of computing the schedule, the median of up to 5 */
    int *group_of = NULL, is_timed = 0;
    nuce_status status =
        nuce_scheduling_groups(scheduling, messages->pattern.ranks, &group_of, error);

    input.group_of = group_of;
    if (status == NUCE_OK)
        status = nuce_schedule_create_timed(nuce_schedule_find(scheduling->schedule), &input,
                                            &schedule, &seconds, error);
    if (status == NUCE_OK)
        status = nuce_schedule_validate(&schedule, &messages->pattern, error);
    if (status == NUCE_OK) {
        if (nuce_splits_apply(&schedule))
            nuce_schedule_split(&schedule, &messages->splits);
        is_timed = (workload->is_late == NULL || !workload->is_late(params)) &&
                   nuce_execution_is_modelled(&schedule, network);
    }
    if (status == NUCE_OK && is_timed) {
        execution = question->execution != NULL ? *question->execution
                                                : nuce_execution_of(&schedule, network);
        nuce_execution_run(&schedule, network, execution, &timing);
    }
    if (status == NUCE_OK && question->is_recorded)
        nuce_pattern_describe_content(&messages->pattern, found);
    if (status == NUCE_OK) {
        nuce_bounds_compute(&messages->pattern, network, &bounds);
        nuce_pattern_summarise(&messages->pattern, &summary);
        nuce_pattern_describe(&summary, found);
        totals = nuce_schedule_total(&schedule, 0, schedule.ranks);
        nuce_schedule_describe(&schedule, &totals, found);
        nuce_metrics_text(found, "network_taken", messages->network_name);
        if (is_timed && nuce_execution_predicts(&schedule, execution))
            nuce_metrics_real(found, "predicted_s", timing.makespan);
        nuce_metrics_real(found, "lower_bound_s", nuce_bounds_of(&bounds, schedule.discipline));
        nuce_metrics_real(found, "single_port_lower_bound_s", bounds.single_port);
        if (question->is_recorded)
            nuce_metrics_forget(found, NUCE_RESULT_COMPUTATION);
        else
            nuce_metrics_real(found, "schedule_s", seconds);
        if (!question->is_recorded && is_timed) {
            nuce_metrics_text(found, "execution", nuce_execution_name(execution));
            nuce_metrics_real(found, "makespan_s", timing.makespan);
            if (bounds.single_port > 0)
                nuce_metrics_real(found, "makespan_ratio", timing.makespan / bounds.single_port);
        }
        if (question->is_emitted && is_timed)
            json_object_set_new(lists, "transfers", transfers_json(&schedule, &timing));
        if (!question->is_recorded && schedule.candidates > 0)
            json_object_set_new(lists, "candidates", candidates_json(&schedule));
    }
    nuce_timing_fini(&timing);
    nuce_schedule_fini(&schedule);
    free(group_of);
    return status;
}

nuce_status nuce_model_instance(const struct nuce_workload_ops *workload, const void *params,
                                int ranks, const struct nuce_model_question *question,
                                struct nuce_model_shared *messages, struct nuce_metrics *found,
                                json_t *lists, struct nuce_error *error)
{
    if (workload->pattern != NULL && question->of_schedule &&
        (make_messages(workload, params, ranks, question, messages, error) != NUCE_OK ||
         model_schedule(workload, params, question, messages, found, lists, error) != NUCE_OK))
        return error->status;
    return workload->model == NULL || !question->of_workload
               ? NUCE_OK
               : workload->model(params, ranks, &messages->memory, found, lists, error);
}

nuce_status nuce_model_sample(const struct nuce_point *point, int64_t k,
                              const struct nuce_model_question *question,
                              struct nuce_model_shared *messages, struct nuce_metrics *found,
                              json_t *lists, struct nuce_error *error)
{
    struct nuce_point one = {0};
    nuce_status status;

    nuce_point_copy(point, &one);
    nuce_workload_choose_sample(one.workload, one.params, k);
    status = nuce_model_instance(one.workload, one.params, one.ranks, question, messages, found,
                                 lists, error);
    nuce_point_fini(&one);
    return status;
}

/* Means of a model's results over instances. Each numeric result has its mean, deviation, least
 * and largest value, in one pass and without keeping the values. Texts are those of the last
 * instance. Names are looked up along the table, some tens of rows. */

/* Welford, Technometrics 4(3), 1962. The displayed mean is that of the plain sum, which is exact
 * for whole numbers. */
static void model_mean_add(struct nuce_model_mean *mean, double value)
{
    double before = value - mean->middle;

    mean->count++;
    mean->sum += value;
    mean->least = mean->count == 1 ? value : fmin(mean->least, value);
    mean->largest = mean->count == 1 ? value : fmax(mean->largest, value);
    mean->middle += before / (double)mean->count;
    mean->squares += before * (value - mean->middle);
}

double nuce_model_mean_deviation(const struct nuce_model_mean *mean)
{
    return mean->count < 2 ? NAN : sqrt(mean->squares / (double)(mean->count - 1));
}

void nuce_model_means_init(const struct nuce_result *const *tables, struct nuce_model_means *out)
{
    *out = (struct nuce_model_means){0};
    for (; *tables != NULL; tables++) {
        for (const struct nuce_result *row = *tables; row->name != NULL; row++) {
            NUCE_ASSERT(out->rows < NUCE_MEANS_MOST);
            out->row[out->rows++] = row;
        }
    }
}

void nuce_model_means_fini(struct nuce_model_means *means)
{
    json_decref(means->last);
    means->last = NULL;
}

nuce_status nuce_model_means_add(struct nuce_model_means *means, const struct nuce_metrics *found,
                                 struct nuce_error *error)
{
    json_t *values = nuce_metrics_values(found, error);

    if (values == NULL)
        return error->status;
    for (int i = 0; i < means->rows; i++) {
        const json_t *value = json_object_get(values, means->row[i]->name);

        if (json_is_number(value))
            model_mean_add(&means->mean[i], json_number_value(value));
    }
    json_decref(means->last);
    means->last = values;
    return NUCE_OK;
}

const struct nuce_model_mean *nuce_model_means_of(const struct nuce_model_means *means,
                                                  const char *name)
{
    for (int i = 0; i < means->rows; i++) {
        if (strcmp(means->row[i]->name, name) == 0)
            return &means->mean[i];
    }
    NUCE_ASSERT(!"no such result");
    return NULL;
}

/* An integer result is the least value, which holds for every instance. If all values are equal,
 * the last one is copied exactly, because a double is inexact beyond 2^53. */
void nuce_model_means_describe(const struct nuce_model_means *means, struct nuce_metrics *found)
{
    for (int i = 0; i < means->rows; i++) {
        const struct nuce_result *row = means->row[i];
        const struct nuce_model_mean *mean = &means->mean[i];
        const json_t *last = json_object_get(means->last, row->name);

        if (row->type == NUCE_TEXT)
            nuce_metrics_text(found, row->name, json_string_value(last));
        else if (mean->count > 0 && row->type == NUCE_REAL)
            nuce_metrics_real(found, row->name, mean->sum / (double)mean->count);
        else if (mean->count > 0 &&
                 (!(mean->least < mean->largest) || row->flags & NUCE_RESULT_EVERY))
            nuce_metrics_integer(found, row->name,
                                 mean->least < mean->largest || !json_is_integer(last)
                                     ? (int64_t)mean->least
                                     : json_integer_value(last));
    }
}
