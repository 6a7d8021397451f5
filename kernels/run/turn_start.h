/* How the ranks begin a turn together: by a barrier, or at a time on the common clock. */
#ifndef NUCE_TURN_START_H
#define NUCE_TURN_START_H

#include "base/error.h"
#include "run/clock_sync.h"

struct nuce_meeting {
    struct nuce_clock_sync *clocks; /* borrowed */
    int is_window;                  /* 0: barriers */
    int count;                      /* of entrants with turns */
    double *window_s;               /* count: window of each, from its start to that of the next */
    double next_s;                  /* common clock: start of the next turn */
    double lead_s;                  /* from the announcement of the first start to that start */
};

/* One turn of this rank, common clock. */
struct nuce_begun {
    double given_s;   /* given start; NaN: when all had arrived */
    double arrived_s; /* when this rank was ready for it */
    double begun_s;   /* actual start: its last reading of the clock before */
};

/* policy: "window", else barriers. A simulated machine, where ranks cannot poll, has only
 * barriers. step_s: the time of each of count entrants' steps, including barriers, borrowed for
 * the call. Freed with nuce_meeting_fini, also on failure. Local. */
void nuce_meeting_init(struct nuce_clock_sync *clocks, const char *policy, int count,
                       const double *step_s, struct nuce_meeting *out);
void nuce_meeting_fini(struct nuce_meeting *meeting);

/* True if that policy gives windows here. */
int nuce_meeting_is_window(const char *policy);

/* Called before a group of turns without communication between them: rank 0 announces the start
 * of the first, far enough ahead. Collective. */
void nuce_meeting_turns(struct nuce_meeting *meeting);

/* Waits for the start of the turn of entrant `number` of count. Collective. */
struct nuce_begun nuce_meeting_wait(struct nuce_meeting *meeting, int number);

/* Called after a turn with a look, which takes seconds: the next turn begins later by that, with
 * a margin. Returns the delay; 0 if turns begin by barriers. The same on all ranks if seconds
 * is. Local. */
double nuce_meeting_pause(struct nuce_meeting *meeting, double seconds);

/* The times of a turn, for nuce_meeting_adapt. */
struct nuce_taken {
    int number;       /* entrant of the turn */
    double given_s;   /* given start */
    double arrived_s; /* when the last rank was ready for it */
    double paused_s;  /* nuce_meeting_pause after it */
};

/* Called after those turns, taken in that order. Sets each window to the length with which all
 * ranks would have been ready in time for the next turn, for nearly all turns. scratch: count
 * values. The same on all ranks if taken is. Local. */
void nuce_meeting_adapt(struct nuce_meeting *meeting, const struct nuce_taken *taken, int64_t count,
                        double *scratch);

#endif
