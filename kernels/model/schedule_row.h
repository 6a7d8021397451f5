/* What nuce-model schedule prints of a schedule: means over samples. */
#ifndef NUCE_SCHEDULE_ROW_H
#define NUCE_SCHEDULE_ROW_H

#include <jansson.h>
#include <stdio.h>

#include "model/schedule_model.h"
#include "support/error.h"
#include "tables/grid.h"

/* Sums over samples of one schedule; all zero at first but for the name. */
struct nuce_schedule_row {
    const char *name;
    int ranks;
    int64_t samples;
    int is_timed;
    enum nuce_execution execution; /* if is_timed */
    double messages, bytes, phases, pieces;
    double makespan, bound, port_bound; /* seconds */
    double ratio;                       /* of makespan and bound; 0 where nothing is sent */
    double worst_ratio;                 /* the largest of them, no sum */
    double seconds;                     /* computing the schedule */
    double heap_operations;
    json_t *candidates; /* array of {"name","phases","pieces","makespan","chosen"}, owned; sums */
    json_t *schedule;   /* the transfers of the last sample, owned, if they were asked for */
};

void nuce_schedule_row_fini(struct nuce_schedule_row *row);

/* Adds a sample. */
nuce_status nuce_schedule_row_add(struct nuce_schedule_row *row, const struct nuce_pattern *pattern,
                                  const struct nuce_model_schedule *model, int emit,
                                  struct nuce_error *error);

/* {"schedule","ranks","samples","execution","messages","bytes","phases","pieces","makespan",
 * "lower_bound","port_bound","ratio","worst_ratio","seconds"}, means but for worst_ratio, the
 * largest of any sample; execution, makespan and ratio null where
 * no model tells the time; "candidates" where the schedule was chosen of several. Where the
 * transfers were asked for, "schedule" is their array, and "name" what "schedule" is otherwise. New
 * reference, NULL with *error. */
json_t *nuce_schedule_row_json(const struct nuce_schedule_row *row, struct nuce_error *error);

/* Prints an array of those. */
nuce_status nuce_schedule_rows_print(const json_t *rows, enum nuce_grid_format format, FILE *file,
                                     struct nuce_error *error);

#endif
