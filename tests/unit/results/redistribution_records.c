#include "redistribution_records.h"

#include <stdlib.h>
#include <string.h>

#include "records.h"

enum { RANKS = 4, STEPS = 3 };

static json_t *params_json(const struct redistribution *what)
{
    json_t *params = json_pack("{s:s, s:i, s:i, s:i, s:i}", "schedule", what->schedule, "block", 2,
                               "elements", 10000000, "factor", what->factor, "element-bytes", 8);

    if (what->network != NULL)
        json_object_set_new(params, "network", json_string(what->network));
    if (what->bandwidth != NULL)
        json_object_update_new(params, json_pack("{s:s, s:i, s:i}", "bandwidth", what->bandwidth,
                                                 "instance", 0, "seed", 1));
    if (what->depth != NULL)
        json_object_set_new(params, "depth",
                            strcmp(what->depth, "auto") == 0 ? json_string(what->depth)
                                                             : json_integer(atoi(what->depth)));
    return params;
}

static json_t *run_of(const struct redistribution *what, json_t *samples)
{
    json_t *record = workload_record("redistribute", what->ranks, params_json(what), samples, NULL);
    char started[] = "2026-11-21T10:00:00.000Z";

    started[20] = (char)('0' + what->number / 100);
    started[21] = (char)('0' + what->number / 10 % 10);
    started[22] = (char)('0' + what->number % 10);
    json_object_update_new(record, json_pack("{s:s, s:s, s:i, s:i, s:i}", "job", what->job,
                                             "started", started, "phases", what->factor, "messages",
                                             what->ranks * what->factor, "bytes", 80000000));
    if (what->network != NULL)
        json_object_set_new(record, "network_taken", json_string(what->network));
    return record;
}

json_t *measured_redistribution(const struct redistribution *what, double s)
{
    static const double parts[] = {1, 0.75, 1, 1, 1.25, 1};
    json_t *step = json_array(), *communication = json_array();

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        json_array_append_new(step, json_real(parts[i] * s));
        json_array_append_new(communication, json_real(parts[i] * s));
    }
    return run_of(what, json_pack("{s:o, s:o}", "step", step, "communication", communication));
}

json_t *modelled_redistribution(const struct redistribution *what, double s, double bound_s)
{
    json_t *record = run_of(what, json_pack("{s:[]}", "step"));

    json_object_update_new(record,
                           json_pack("{s:s, s:f, s:f, s:f}", "kind", "modelled", "predicted_s", s,
                                     "single_port_bound_s", bound_s, "bound_s", bound_s / 2));
    return record;
}

/* The transfers of direct, each duration seconds long. */
static json_t *direct_events(double duration)
{
    static const int receiver[STEPS][RANKS] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    json_t *events = json_array();

    for (int rank = 0; rank < RANKS; rank++) {
        for (int step = 0; step < STEPS; step++)
            json_array_append_new(events, json_pack("[i, s, i, i, i, f, f]", rank, "send",
                                                    receiver[step][rank], step, 8, step * duration,
                                                    (step + 1) * duration));
    }
    return events;
}

json_t *traced_redistribution(const struct redistribution *what)
{
    json_t *record = measured_redistribution(what, 0.5);

    json_object_update_new(
        record, json_pack("{s:o, s:i, s:f, s:o, s:s, s:f}", "events", direct_events(0.0005),
                          "events_lost", 0, "clock_error_s", 1e-6, "planned", direct_events(0.001),
                          "planned_network", "emulated", "single_port_bound_s", 0.002));
    return record;
}

void write_redistributions(const char *folder, const char *job)
{
    static const char range[] = "10000000..200000000";
    const struct redistribution direct = {job, "direct", 4, 3, "emulated", NULL, range, 100};
    const struct redistribution model = {job, "greedy", 64, 40, "random", "1", range, 101};
    const struct redistribution library = {job, "alltoallv", 8, 7, "measured", NULL, NULL, 102};
    const struct redistribution shallow = {job, "greedy", 8, 7, "measured", "1", NULL, 103};
    const struct redistribution deep = {job, "greedy", 8, 7, "measured", "2", NULL, 104};
    const struct redistribution blind = {job, "greedy", 8, 7, NULL, "1", NULL, 105};
    const struct redistribution fixed = {job, "direct", 8, 7, NULL, NULL, NULL, 106};
    const struct redistribution uneven = {job,  "greedy", 16, 5, "drawn-16.network@12",
                                          NULL, NULL,     107};
    struct redistribution longer = uneven, more = direct;
    json_t *record;

    longer.factor = 6;
    longer.number = 108;
    more.factor = 2;
    more.number = 109;

    append_record(folder, "a", "1.jsonl", measured_redistribution(&uneven, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&longer, 1.5));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&more, 1.5));
    append_record(folder, "a", "1.jsonl", traced_redistribution(&direct));
    append_record(folder, "a", "1.jsonl", modelled_redistribution(&model, 1.5, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&library, 0.5));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&shallow, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&deep, 0.75));
    record = measured_redistribution(&blind, 2);
    json_object_set_new(record, "schedule_s", json_real(1e-5));
    append_record(folder, "a", "1.jsonl", record);
    append_record(folder, "a", "1.jsonl", measured_redistribution(&fixed, 4));
}
