/* What the points of one launch share while they are run, heat by heat (run/heat.h). */
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
    char *text; /* NUCE_HASH_BYTES, mapped: a store is all that a turn costs */
};

/* Makes the file beside the record file at path: PATH.turn. NUCE_FAILED: it cannot be made. Freed
 * with nuce_turn_close. Rank 0. */
nuce_status nuce_turn_open(const char *path, struct nuce_turn *out, struct nuce_error *error);

/* It is the turn of the point with that id. turn NULL or not open: nothing. */
void nuce_turn_set(struct nuce_turn *turn, const char *id);

/* Removes the file: nobody died. Accepts an all zero one. */
void nuce_turn_close(struct nuce_turn *turn);

/* Which point's turn it is, in a file that outlives the processes: when they die in the middle of a
 * heat, the harness blames the contender that was running, and not those that it ran with. */
/* What the points of one launch share. All is borrowed but rows and the writer, which program.c
 * ends. */
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
    struct nuce_turn *turn;          /* rank 0: tells the harness whose turn it is; NULL: nobody */
    json_t *rows;                    /* rank 0: what nuce_run_row makes of each run */
    enum nuce_grid_format format;    /* of the rows, which are printed where nothing is recorded */
    int said_busy;                   /* whether others' work has been said */
    int said_many;                   /* whether heats of one instance have been said */
    int notes;                       /* whether what PAPI cannot count has been said */
    char remark[NUCE_MESSAGE_BYTES]; /* what was said last of a point; "": nothing */
};

/* What the points of loop->run share in world, which is loop->world or the same ranks in another
 * order: the session that the workload opens, else world itself. Closed with
 * nuce_point_loop_close. Local. */
void *nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world);
void nuce_point_loop_close(const struct nuce_point_loop *loop, void *session);

/* Writes the job record, if there are records. Collective over loop->world. */
nuce_status nuce_point_loop_begin(struct nuce_point_loop *loop, struct nuce_error *error);

/* What was recorded so far is on the disk, should this machine die: once for all of a heat, since
 * it takes some milliseconds on a busy one. Collective. */
nuce_status nuce_point_loop_keep(struct nuce_point_loop *loop, struct nuce_error *error);

/* Says what is legal but odd about a point, to whoever asked for it by hand; once where the next
 * one, compared with it, is as odd. Rank 0; elsewhere nothing. */
void nuce_point_loop_remark(struct nuce_point_loop *loop, const struct nuce_point *point);

#endif
