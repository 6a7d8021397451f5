/* What the points of one launch share while they are run, heat by heat (run/heat.h). */
#ifndef NUCE_POINT_LOOP_H
#define NUCE_POINT_LOOP_H

#include <jansson.h>

#include "base/error.h"
#include "base/jsonl.h"
#include "run/clock_sync.h"
#include "run/environment.h"
#include "run/turn.h"
#include "run/watchdog.h"
#include "run/workload_run.h"
#include "run/world.h"

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
    /* Rank 0, on the watchdog's thread, before it ends a run by hand: prints the rows that are
     * there; NULL: the records have them. */
    void (*print)(void *printer, const json_t *rows);
    void *printer;
    int said_busy;                   /* whether others' work has been said */
    int said_many;                   /* whether heats of one instance have been said */
    int notes;                       /* whether what PAPI cannot count has been said */
    char remark[NUCE_MESSAGE_BYTES]; /* what was said last of a point; "": nothing */
};

/* What the points of loop->run share in world, which is loop->world or the same ranks in another
 * order: the session that the workload opens, else world itself. *session is closed with
 * nuce_point_loop_close, also after a failure (it is NULL on the ranks that failed). Collective
 * over loop->world; the same status on all ranks. */
nuce_status nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world,
                                 void **session, struct nuce_error *error);
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
