/* The data that the points of one launch share during their runs, race by race (run/race.h). */
#ifndef NUCE_POINT_LOOP_H
#define NUCE_POINT_LOOP_H

#include <jansson.h>

#include "base/error.h"
#include "base/grid.h"
#include "base/jsonl.h"
#include "run/clock_sync.h"
#include "run/environment.h"
#include "run/watchdog.h"
#include "run/workload_run.h"
#include "run/world.h"

struct nuce_turn {
    char *path; /* NULL: not kept */
    char *text; /* NUCE_HASH_BYTES, mapped: a turn costs only a store */
};

/* Makes the file next to the record file at path: PATH.turn. NUCE_FAILED: it cannot be made.
 * Freed with nuce_turn_close. Rank 0. */
nuce_status nuce_turn_open(const char *path, struct nuce_turn *out, struct nuce_error *error);

/* Records the turn of the point with that id. Does nothing if turn is NULL or not open. */
void nuce_turn_set(struct nuce_turn *turn, const char *id);

/* Removes the file: no process died. Accepts an all-zero one. */
void nuce_turn_close(struct nuce_turn *turn);

/* The point that has the turn, in a file that outlives the processes. When they die during a
 * race, the harness thereby blames the contender that was running, and not the others. */
/* The data that the points of one launch share. All is borrowed except rows and the writer,
 * which program.c ends. */
struct nuce_point_loop {
    struct nuce_world *world;
    struct nuce_clock_sync *clocks; /* of world */
    struct nuce_watchdog *watchdog;
    const struct nuce_workload_run *run;
    void *session; /* of run */
    const struct nuce_environment *environment;
    struct nuce_facts *facts;        /* rank 0, which checks the points; NULL elsewhere */
    const char *campaign;            /* "" for a program run by hand */
    struct nuce_jsonl_writer writer; /* rank 0; not open: nothing is recorded */
    struct nuce_turn *turn;          /* rank 0: shows the harness the current turn; NULL: none */
    json_t *rows;                    /* rank 0: nuce_run_row of each run */
    enum nuce_grid_format format;    /* of the rows, which are printed if nothing is recorded */
    int said_busy;                   /* the load of other processes was reported */
    int said_many;                   /* several races of one instance were reported */
    int notes;                       /* uncountable PAPI events were reported */
    char remark[NUCE_MESSAGE_BYTES]; /* last remark on a point; "": none */
};

/* Opens the workload's session for points of loop->run in world, which is loop->world or the
 * same ranks in another order. Without sessions returns world itself. Closed with
 * nuce_point_loop_close. Local. */
void *nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world);
void nuce_point_loop_close(const struct nuce_point_loop *loop, void *session);

/* Writes the job record, if there are records. Collective over loop->world. */
nuce_status nuce_point_loop_begin(struct nuce_point_loop *loop, struct nuce_error *error);

/* Syncs the records so far to disk, in case this machine dies: once for all of a race, because
 * it takes some milliseconds on a busy machine. Collective. */
nuce_status nuce_point_loop_keep(struct nuce_point_loop *loop, struct nuce_error *error);

/* Prints a remark if a point is legal but unusual, for a run by hand; once if the next contender
 * has the same remark. Rank 0; elsewhere nothing. */
void nuce_point_loop_remark(struct nuce_point_loop *loop, const struct nuce_point *point);

#endif
