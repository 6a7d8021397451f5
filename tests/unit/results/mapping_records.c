#include "mapping_records.h"

#include <stdio.h>

#include "records.h"

static json_t *record_of(const char *placement, int side, int instance, int nodes,
                         double cardinality, double latency_us)
{
    char mesh[32];
    json_t *record;

    snprintf(mesh, sizeof mesh, "%dx%d", side, side);
    record = workload_record("mapping", side * side,
                             json_pack("{s:s, s:s, s:i, s:i, s:f, s:s, s:i, s:s, s:i, s:i, s:i}",
                                       "placement", placement, "mesh", mesh, "switches", 75,
                                       "ports", 8, "connectivity", 0.75, "connectivity-of", "free",
                                       "nodes", nodes, "routing", "updown", "per-node", 1,
                                       "instance", instance, "seed", 1),
                             json_pack("{s:[]}", "step"), NULL);
    json_object_update_new(
        record, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:i}", "kind", "modelled", "cardinality",
                          cardinality, "latency_0_s", 1e-6 * latency_us, "latency_10_s",
                          1e-6 * (latency_us + 0.1), "latency_20_s", 1e-6 * (latency_us + 0.2),
                          "place_s", 1e-5, "network_links", 129));
    return record;
}

json_t *modelled_mapping(const char *placement, int side, int instance, double cardinality,
                         double latency_us)
{
    return record_of(placement, side, instance, 256, cardinality, latency_us);
}

json_t *timed_mapping(const char *placement, int side, double place_s)
{
    json_t *record = record_of(placement, side, 0, side * side, 100, 4);

    json_object_set_new(record, "place_s", json_real(place_s));
    return record;
}

/* Two switches of two processes each. */
static json_t *drawn_mapping(void)
{
    json_t *record = record_of("bm", 2, 0, 4, 2, 3);

    json_object_update_new(
        record, json_pack("{s:[[i,i,n,i],[i,i,i,i]], s:[[i,i]], s:[[i,i,i,i],[i,i,i,i],[i,i,i,i],"
                          "[i,i,i,i]]}",
                          "switches", 0, 0, 0, 1, 1, 0, 1, "switch_links", 0, 1, "placed", 0, 0, 0,
                          0, 1, 0, 0, 1, 2, 1, 1, 0, 3, 1, 1, 1));
    set_param(record, "layout", json_true());
    return record;
}

void write_mappings(const char *folder)
{
    static const int sides[] = {4, 16};

    for (int k = 0; k < 2; k++) {
        for (int instance = 0; instance < 5; instance++) {
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("rm", sides[k], instance, 100 * sides[k], 4));
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("sm", sides[k], instance, 60, 3.5 - 0.01 * instance));
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("bm", sides[k], instance, 40, 3.2 - 0.01 * instance));
        }
    }
    append_record(folder, "a", "1.jsonl", record_of("curve", 4, 0, 16, 20, 3));
    append_record(folder, "a", "1.jsonl", drawn_mapping());
}
