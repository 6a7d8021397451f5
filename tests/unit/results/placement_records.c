#include "placement_records.h"

#include <math.h>
#include <stdio.h>

#include "heat_records.h"
#include "records.h"

json_t *placed_record(const struct placed *what)
{
    static const double parts[] = {-1, -0.5, 0, 0, 0.5, 1};
    json_t *params =
        json_pack("{s:s, s:i, s:i, s:s, s:i, s:s}", "decomposition", "grid", "rows", 100, "columns",
                  400, "schedule", "ac", "seed", what->seed, "placement", what->placement);
    json_t *step = json_array(), *communication = json_array(), *record;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        json_array_append_new(step, json_real(what->s + parts[i] * what->spread));
        json_array_append_new(communication, json_real(what->s + parts[i] * what->spread));
    }
    record = workload_record("stencil", 8, params,
                             json_pack("{s:o, s:o}", "step", step, "communication", communication),
                             NULL);
    json_object_update_new(record, json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:s}", "kind",
                                             what->kind, "bytes", 1000, "messages", 10,
                                             "placement_moved", 3, "placement_cardinality",
                                             what->cardinality, "placement_latency_s",
                                             what->latency_s, "topology_taken", "t@1"));
    return record;
}

void append_placements(const char *folder, int heat, const struct placed *all, int count)
{
    static const double percent[] = {-2, 1, 2, -1};

    for (int launch = 1; launch <= 4; launch++) {
        char file[16], job[16];

        snprintf(file, sizeof file, "p%d-%d.jsonl", heat, launch);
        snprintf(job, sizeof job, "j%d", launch);
        append_record(folder, "a", file, job_record("a", job, "cpu"));
        for (int i = 0; i < count; i++) {
            json_t *record = placed_record(&all[i]);

            enter_heat(record, heat, launch, exp(percent[(launch + i) % 4] / 100), i == 0);
            append_record(folder, "a", file, record);
        }
    }
}

void write_placements(const char *folder)
{
    static const struct placed measured[] = {
        {"measured", "rm", 1, 3e-3, 1e-4, 4000, 4e-6},
        {"measured", "sm", 1, 2e-3, 1e-4, 2000, 3.5e-6},
    };
    static const struct placed simulated[] = {
        {"simulated", "rm", 1, 3e-3, 0, 4000, 4e-6},
        {"simulated", "sm", 1, 2e-3, 0, 2000, 3.5e-6},
    };

    append_placements(folder, 1, measured, 2);
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++)
        append_record(folder, "a", "1.jsonl", placed_record(&simulated[i]));
}
