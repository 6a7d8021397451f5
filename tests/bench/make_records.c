/* Makes synthetic record files of any number of runs, to measure collect, table and figure, and to
 * try plots. Times follow startup + bytes / bandwidth with noise; seeded, so that the same
 * arguments give the same bytes.
 *
 *   nuce-bench-records FOLDER RUNS [SAMPLES [RUNS-A-POINT]]
 *
 * writes campaigns made-0, made-1, ... below FOLDER, 10 000 runs each in files of 1 000. Seed 1 of
 * the points is the sweep of exchange-table7; further seeds make up the number. */
#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/units.h"

enum {
    RANKS = 32,
    FILE_RUNS = 1000,
    CAMPAIGN_RUNS = 10000,
};

struct algorithm {
    const char *name;
    double startup_s, byte_s, schedule_s;
    int phases;
};

static const struct algorithm algorithms[] = {
    {"ac", 90e-6, 1.9e-9, 0, 0},
    {"lp", 310e-6, 1.7e-9, 2.1e-6, 31},
    {"lp-xor", 300e-6, 1.7e-9, 1.9e-6, 31},
    {"lp-cyclic", 320e-6, 1.7e-9, 2e-6, 31},
    {"rs-n", 160e-6, 1.4e-9, 38e-6, 15},
    {"alltoallv", 140e-6, 1.8e-9, 0, 0},
    {"neighbor", 100e-6, 1.8e-9, 0, 0},
};
static const struct {
    const char *name;
    int64_t units; /* of COM, over all pairs */
} meshes[] = {
    {"wing-2800", 4200},
    {"wing-53961", 21000},
};
enum {
    ALGORITHMS = sizeof algorithms / sizeof *algorithms,
    MESHES = sizeof meshes / sizeof *meshes,
    UNITS = 9, /* 16 B to 4 KiB */
};

static void check(nuce_status status, const struct nuce_error *error)
{
    if (status == NUCE_OK)
        return;
    fprintf(stderr, "nuce-bench-records: %s\n", error->message);
    exit(nuce_error_exit_status(status));
}

static json_t *params_of(int64_t point)
{
    int64_t rest = point / ALGORITHMS;
    json_int_t unit = (json_int_t)16 << (rest % UNITS);

    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:b}", "schedule",
                     algorithms[point % ALGORITHMS].name, "pattern", "mesh", "mesh",
                     meshes[rest / UNITS % MESHES].name, "partition", "rcb", "item-bytes", unit,
                     "seed", (json_int_t)(1 + rest / UNITS / MESHES), "overlap", 0);
}

static json_t *samples_of(int64_t point, int64_t samples, int64_t bytes, struct nuce_rng *rng)
{
    const struct algorithm *algorithm = &algorithms[point % ALGORITHMS];
    double base = algorithm->startup_s + algorithm->byte_s * (double)bytes;
    json_t *step = json_array(), *communication = json_array(), *computation = json_array();

    for (int64_t i = 0; i < samples; i++) {
        double noise = nuce_rng_uniform(rng);
        double moved = base * (1 + 0.3 * noise * noise * noise);
        double computed = 400e-6 * (1 + 0.05 * nuce_rng_uniform(rng));

        json_array_append_new(communication, json_real(moved));
        json_array_append_new(computation, json_real(computed));
        json_array_append_new(step, json_real(moved + computed));
    }
    return json_pack("{s:o, s:o, s:o}", "step", step, "communication", communication, "computation",
                     computation);
}

static json_t *run_of(int64_t run, int64_t runs_a_point, int64_t samples, const char *campaign,
                      const char *job, struct nuce_error *error)
{
    int64_t point = run / runs_a_point, rest = point / ALGORITHMS;
    const struct algorithm *algorithm = &algorithms[point % ALGORITHMS];
    int64_t bytes = meshes[rest / UNITS % MESHES].units * (16 << (rest % UNITS));
    struct nuce_rng rng = nuce_rng_create(1, (uint64_t)run);
    json_t *record = nuce_record_create("run", job, error);
    json_t *canonical = json_pack("{s:s, s:i, s:o}", "workload", "exchange", "ranks", RANKS,
                                  "params", params_of(point));
    char *text = json_dumps(canonical, JSON_COMPACT | JSON_SORT_KEYS);
    json_t *found;
    char id[NUCE_HASH_BYTES];
    char started[NUCE_TIME_BYTES];

    nuce_hash(text, strlen(text), id);
    snprintf(started, sizeof started, "2026-11-21T%02d:%02d:%02d.%03dZ", (int)(run / 3600000 % 24),
             (int)(run / 60000 % 60), (int)(run / 1000 % 60), (int)(run % 1000));
    json_object_update(record, canonical);
    json_object_update_new(record, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "race", id,
                                             "point", id, "campaign", campaign, "kind", "measured",
                                             "status", "ok", "started", started, "stopped",
                                             "max-samples", "wait", "yield"));
    found = json_pack("{s:i, s:I, s:I, s:f, s:f}", "messages", 140, "bytes", (json_int_t)bytes,
                      "port_bytes", (json_int_t)(bytes / 8), "first_s", 2e-3, "lower_bound_s",
                      1e-9 * (double)bytes);
    if (algorithm->phases > 0)
        json_object_update_new(
            found, json_pack("{s:i, s:f}", "phases", algorithm->phases, "schedule_s",
                             algorithm->schedule_s * (1 + 0.1 * nuce_rng_uniform(&rng))));
    json_object_set_new(record, "oversubscribed", json_integer(1));
    json_object_set_new(record, "metrics", found);
    json_object_set_new(record, "samples", samples_of(point, samples, bytes, &rng));
    json_decref(canonical);
    free(text);
    return record;
}

static json_t *job_of(const char *campaign, const char *job, struct nuce_error *error)
{
    json_t *record = nuce_record_create("job", job, error);
    json_t *described = json_pack("{s:{s:s}, s:s, s:s}", "mpi", "library", "MPICH Version: 4.0.2",
                                  "processor", "Made-up Processor 9000", "compiler", "gcc 12.2.0");
    char *text = json_dumps(described, JSON_COMPACT | JSON_SORT_KEYS);
    char id[NUCE_HASH_BYTES];

    nuce_hash(text, strlen(text), id);
    json_object_update_new(record, json_pack("{s:s, s:s, s:o, s:{s:[s]}}", "campaign", campaign,
                                             "environment", id, "described", described, "facts",
                                             "hosts", "made-up-host"));
    free(text);
    return record;
}

static void write_line(FILE *file, json_t *record)
{
    struct nuce_error error;
    char *line = nuce_jsonl_sealed(record, &error);

    if (line == NULL || fprintf(file, "%s\n", line) < 0) {
        perror("nuce-bench-records");
        exit(1);
    }
    free(line);
    json_decref(record);
}

static FILE *open_file(const char *folder, const char *campaign, int64_t number)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, campaign);
    mkdir(folder, 0777);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/records", folder, campaign);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/records/%04lld.jsonl", folder, campaign, (long long)number);
    file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "nuce-bench-records: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

int main(int argc, char **argv)
{
    struct nuce_error error = {0};
    int64_t runs = 0, samples = 20, runs_a_point = 10;

    if (argc < 3 || argc > 5) {
        fprintf(stderr, "usage: nuce-bench-records FOLDER RUNS [SAMPLES [RUNS-A-POINT]]\n");
        return 2;
    }
    check(nuce_units_parse_count(argv[2], &runs, &error), &error);
    if (argc > 3)
        check(nuce_units_parse_count(argv[3], &samples, &error), &error);
    if (argc > 4)
        check(nuce_units_parse_count(argv[4], &runs_a_point, &error), &error);
    for (int64_t first = 0; first < runs; first += FILE_RUNS) {
        char campaign[32], job[64];
        FILE *file;

        snprintf(campaign, sizeof campaign, "made-%lld", (long long)(first / CAMPAIGN_RUNS));
        snprintf(job, sizeof job, "%s.%lld", campaign, (long long)(first / FILE_RUNS));
        file = open_file(argv[1], campaign, first / FILE_RUNS);
        write_line(file, job_of(campaign, job, &error));
        for (int64_t run = first; run < runs && run < first + FILE_RUNS; run++)
            write_line(file, run_of(run, runs_a_point, samples, campaign, job, &error));
        if (fclose(file) != 0) {
            perror("nuce-bench-records");
            return 1;
        }
    }
    return 0;
}
