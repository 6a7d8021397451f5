#include "heat_records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "records.h"

/* Times of a contender that takes factor times as long as the reference in the middle round, a
 * little less or more in the others; the rounds themselves differ by far more. */
static json_t *times_json(double factor)
{
    json_t *step = json_array(), *communication = json_array();

    for (int i = 0; i < HEAT_ROUNDS; i++) {
        double slowed = (1 + i % 3) * factor * (1 + 0.001 * (i - HEAT_ROUNDS / 2) * (factor != 1));

        json_array_append_new(step, json_real(2 * slowed));
        json_array_append_new(communication, json_real(slowed));
    }
    return json_pack("{s:o, s:o}", "step", step, "communication", communication);
}

static json_t *places_json(int place)
{
    json_t *places = json_array();

    for (int i = 0; i < HEAT_ROUNDS; i++)
        json_array_append_new(places, json_integer((place + i) % 4));
    return places;
}

void append_entrant(const char *folder, int launch, int seed, const char *schedule, double factor,
                    double twin)
{
    char job[16], file[32], heat[65];
    json_t *record;

    snprintf(job, sizeof job, "%04d", launch);
    snprintf(file, sizeof file, "%04d.jsonl", launch);
    snprintf(heat, sizeof heat, "%064d", seed);
    record = run_record("a", job, schedule, 16, launch);
    if (seed != 1)
        set_param(record, "seed", json_integer(seed));
    json_object_set_new(record, "samples", times_json(factor));
    json_object_update_new(record,
                           json_pack("{s:s, s:i, s:s, s:o}", "heat", heat, "order_seed", launch,
                                     "criterion", "communication", "place", places_json(0)));
    if (twin > 0) {
        json_t *control = times_json(twin);

        json_object_set_new(control, "place", places_json(1));
        json_object_set_new(record, "twin", control);
    }
    append_record(folder, "a", file, record);
}

void append_heat(const char *folder, int launch, int seed, double twin, double lp, double rs_n)
{
    append_entrant(folder, launch, seed, "ac", 1, twin);
    append_entrant(folder, launch, seed, "lp", lp, 0);
    append_entrant(folder, launch, seed, "rs-n", rs_n, 0);
}

void append_launch(const char *folder, int launch, double twin, double lp, double rs_n)
{
    char job[16], file[32];

    snprintf(job, sizeof job, "%04d", launch);
    snprintf(file, sizeof file, "%04d.jsonl", launch);
    append_record(folder, "a", file, job_record("a", job, "cpu"));
    append_heat(folder, launch, 1, twin, lp, rs_n);
}

void enter_heat(json_t *record, int heat, int launch, double noise, int is_reference)
{
    json_t *samples = json_object_get(record, "samples"), *values, *value, *places = json_array();
    char id[65], job[16], started[32];
    const char *part;
    size_t i;

    json_object_foreach(samples, part, values)
    {
        json_array_foreach(values, i, value) json_real_set(value, noise * json_real_value(value));
    }
    for (i = 0; i < json_array_size(json_object_get(samples, "step")); i++)
        json_array_append_new(places, json_integer(0));
    snprintf(id, sizeof id, "%064d", heat);
    snprintf(job, sizeof job, "j%d", launch);
    snprintf(started, sizeof started, "2026-11-21T10:00:0%d.000Z", launch);
    json_object_update_new(record, json_pack("{s:s, s:s, s:s, s:i, s:s, s:O}", "job", job,
                                             "started", started, "heat", id, "order_seed", launch,
                                             "criterion", "step", "place", places));
    if (is_reference) {
        json_t *twin = json_deep_copy(samples);

        json_object_set_new(twin, "place", json_deep_copy(places));
        json_object_set_new(record, "twin", twin);
    }
    json_decref(places);
}
