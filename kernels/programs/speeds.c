/* Speeds: every rank sweeps over its own cells, all at the same time, without messages. The
 * result is each rank's cells per second: the median over the samples with its 95 % interval. If
 * the point names a network, a new file gets that network with speeds relative to the fastest
 * rank. A decomposition for unequal processors takes its weights from that file.
 *
 * Cost: a plane of side^2 cells per rank. Limits: all ranks sweep at once, so ranks that share
 * memory bandwidth slow each other down, as in a run of the stencil. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "instances/field.h"
#include "instances/plane.h"
#include "instances/rate.h"
#include "points/stencil_instance.h"
#include "programs/calibrate.h"
#include "programs/links.h"
#include "run/shared_network.h"

/* Number of kept samples: the last ones, so that a long run needs no more memory. */
#define RATES_MOST 1000

/* Confidence of the interval of a rank's rate. */
#define CONFIDENCE 0.95

/* Sweeps of the check: enough for values to arrive from cells three away. */
#define CHECKED 3

struct speeds {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_field field;
    struct nuce_plane plane;
    struct nuce_scheduling scheduling;
    double extra;             /* extra work with each sweep, as a multiple of it; 0: full speed */
    double rates[RATES_MOST]; /* cells per second */
    int64_t taken;            /* since the first check */
    json_t *rows;             /* rank 0: the record's "speeds", once known */
    char *file;               /* rank 0: path of the written network file; NULL: none */
};

static void speeds_destroy(void *self)
{
    struct speeds *s = self;

    nuce_plane_fini(&s->plane);
    nuce_field_fini(&s->field);
    json_decref(s->rows);
    free(s->file);
}

/* Makes a square of cells on each rank, surrounded by cells that keep their values. Rank 0 also
 * checks that the network can be written at the end. The extra work is that of emulated speeds,
 * as in nuce-stencil: the fastest rank has none. */
static nuce_status speeds_build(void *self, void *session, const struct nuce_point *point,
                                struct nuce_counters *counters, struct nuce_run_info *info,
                                struct nuce_error *error)
{
    struct speeds *s = self;
    const struct nuce_speeds_params *params = point->params;
    const struct nuce_jacobi_ops *jacobi = nuce_jacobi_find(params->points, params->element);
    double *speeds, most = 0;
    nuce_status status = NUCE_OK;

    s->world = session;
    s->counters = counters;
    info->criterion = NUCE_PART_COMPUTATION;
    info->parts = 1U << NUCE_PART_COMPUTATION;
    info->per_rank = 1;
    s->scheduling = params->scheduling;
    if (s->world->rank == 0 && params->scheduling.network[0] != '\0')
        status = nuce_links_check_folder(s->world->networks, error);
    if (status == NUCE_OK && params->emulate_speeds[0] != '\0') {
        int ranks = s->world->size;

        speeds = nuce_allocate(ranks, sizeof *speeds);
        status =
            nuce_stencil_list_read("emulate-speeds", params->emulate_speeds, ranks, speeds, error);
        for (int i = 0; status == NUCE_OK && i < ranks; i++)
            most = fmax(most, speeds[i]);
        if (status == NUCE_OK)
            s->extra = most / speeds[s->world->rank] - 1;
        free(speeds);
    }
    if (status == NUCE_OK) {
        nuce_field_init(jacobi, params->side, params->side, 0, &s->field);
        status = nuce_plane_init(jacobi, params->side, params->side, 1, &s->plane, error);
    }
    return nuce_world_agree(s->world, status, error);
}

/* Sweeps as often as one rate needs; the computation is one sweep. */
static void speeds_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct speeds *s = self;
    double cells = (double)s->plane.rows * (double)s->plane.columns, begin = nuce_clock();
    int64_t sweeps;

    nuce_counters_begin(s->counters);
    sweeps = nuce_rate_sample(&s->plane, s->extra);
    nuce_counters_stamp(s->counters, NUCE_PART_COMPUTATION, begin, parts);
    parts[NUCE_PART_COMPUTATION] /= (double)sweeps;
    s->rates[s->taken++ % RATES_MOST] = cells / parts[NUCE_PART_COMPUTATION];
}

/* Sets every cell, and those around them, to a function of place and salt. Then compares a few
 * sweeps with a serial run. salt 1 is the check before the samples: earlier counts are dropped.
 * The check after the samples (another salt) keeps them. */
static nuce_status speeds_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct speeds *s = self;
    int64_t taken = s->taken;

    for (int64_t i = -1; i <= s->plane.rows; i++) {
        for (int64_t j = -1; j <= s->plane.columns; j++)
            nuce_plane_set_cell(&s->plane, i, j,
                                nuce_field_value(&s->field, NUCE_FIELD_MIXED, salt, i, j));
    }
    for (int i = 0; i < CHECKED; i++) {
        nuce_plane_sweep_slowly(&s->plane, nuce_plane_own(&s->plane), s->extra);
        nuce_plane_turn(&s->plane);
    }
    s->taken = salt == 1 ? 0 : taken;
    return nuce_field_check(&s->field, salt, &s->plane, nuce_plane_own(&s->plane), CHECKED, error);
}

/* Gathers the median rate of each rank and its interval on rank 0, for the record's "speeds",
 * [rank, median, low, high]. With few samples the interval is their range. If the point names a
 * network, writes it with the relative speeds, the fastest rank's 1, to a new file. Every pair
 * has its own numbers there, even if the network has one for all. Collective. */
static nuce_status speeds_conclude(void *self, struct nuce_error *error)
{
    struct speeds *s = self;
    struct nuce_network network = {0};
    char name[NUCE_PATH_BYTES];
    int ranks = s->world->size;
    int64_t count = s->taken < RATES_MOST ? s->taken : RATES_MOST;
    double mine[3], *all = nuce_allocate(3 * (int64_t)ranks, sizeof *all); /* by value, then rank */
    double most = 0;
    struct nuce_interval interval;
    nuce_status status;

    status = nuce_shared_network(s->world, &s->scheduling, &network, name, error);
    if (status == NUCE_OK) {
        nuce_statistics_sort(s->rates, count);
        interval = nuce_statistics_median_interval(s->rates, count, CONFIDENCE);
        mine[0] = nuce_statistics_median(s->rates, count);
        mine[1] = interval.low;
        mine[2] = interval.high;
        nuce_world_gather(s->world, mine, 3, s->world->rank == 0 ? all : NULL);
        if (s->world->rank == 0) {
            s->rows = json_array();
            for (int i = 0; i < ranks; i++)
                json_array_append_new(s->rows, json_pack("[i, f, f, f]", i, all[i], all[ranks + i],
                                                         all[2 * ranks + i]));
            for (int i = 0; i < ranks; i++)
                most = fmax(most, all[i]);
        }
        if (s->world->rank == 0 && network.ranks > 0) {
            int is_plain = network.pair_bandwidth == NULL;

            free(network.speed);
            network.speed = nuce_allocate(ranks, sizeof *network.speed);
            for (int i = 0; i < ranks; i++)
                network.speed[i] = all[i] / most;
            if (is_plain)
                status = nuce_network_allocate_pairs(&network, error);
            for (int64_t k = 0; is_plain && status == NUCE_OK && k < (int64_t)ranks * ranks; k++) {
                network.pair_startup[k] = network.startup;
                network.pair_bandwidth[k] = network.bandwidth;
            }
            nuce_record_time_now(network.measured);
            if (status == NUCE_OK)
                status = nuce_links_write(&network, s->world->networks, &s->file, error);
        }
        status = nuce_world_agree(s->world, status, error);
    }
    nuce_network_fini(&network);
    free(all);
    return status;
}

/* "speeds" of the record, and the file's name as a result. */
static void speeds_describe(const void *self, struct nuce_metrics *found, json_t *lists)
{
    const struct speeds *s = self;

    nuce_metrics_text(found, "network_file", s->file);
    json_object_set(lists, "speeds", s->rows); /* NULL if they are unknown: no list */
}

static double speeds_value_of(const json_t *speed, size_t index)
{
    return json_number_value(json_array_get(speed, index));
}

/* The slowest and the fastest rank, the precision of the least precise rate (half its interval,
 * as a fraction), and all rates relative to the fastest. */
static void speeds_summarise(const json_t *record, json_t *row)
{
    json_t *speeds = json_object_get(record, "speeds"), *speed;
    double least = INFINITY, most = 0, worst = 0;
    size_t index, length = 0, room = 24 * json_array_size(speeds) + 1;
    char *relative = nuce_allocate((int64_t)room, 1);

    json_array_foreach(speeds, index, speed)
    {
        double median = speeds_value_of(speed, 1);

        least = fmin(least, median);
        most = fmax(most, median);
        worst = fmax(worst, (speeds_value_of(speed, 3) - speeds_value_of(speed, 2)) / 2 / median);
    }
    json_array_foreach(speeds, index, speed)
    {
        length += (size_t)snprintf(relative + length, room - length, "%s%.3g", index > 0 ? "," : "",
                                   speeds_value_of(speed, 1) / most);
    }
    if (json_array_size(speeds) > 0) {
        json_object_set(row, "speeds", speeds);
        json_object_set_new(row, "cells_least", json_real(least));
        json_object_set_new(row, "cells_most", json_real(most));
        json_object_set_new(row, "cells_error", json_real(worst));
        json_object_set_new(row, "relative_speeds", json_string(relative));
    }
    free(relative);
}

const struct nuce_workload_run nuce_speeds_run = {
    .name = "speeds",
    .self_size = sizeof(struct speeds),
    .build = speeds_build,
    .step = speeds_step,
    .verify = speeds_verify,
    .conclude = speeds_conclude,
    .describe = speeds_describe,
    .destroy = speeds_destroy,
    .summarise = speeds_summarise,
};
