/* How the ranks begin a turn together: by a barrier, or at a time on the common clock. */
#ifndef NUCE_TURN_START_H
#define NUCE_TURN_START_H

#include "base/error.h"
#include "run/clock_sync.h"

struct nuce_meeting {
    struct nuce_clock_sync *clocks; /* borrowed */
    int is_window;                  /* 0: barriers */
    int count;                      /* of those who have turns */
    double *window_s; /* count: what each is given, from its start to that of the next */
    double next_s;    /* common: when the next turn begins */
    double lead_s;    /* from saying when the first begins until then */
};

/* One turn of this rank, common clock. */
struct nuce_begun {
    double given_s;   /* when it was to begin; NaN: when all had arrived */
    double arrived_s; /* when this rank was ready for it */
    double begun_s;   /* and when it began: its last look at the clock before */
};

/* policy: "window", else barriers; a simulated machine, where nobody can poll, has barriers alone.
 * step_s: what the steps of each of count take, barriers included, borrowed for the call. Freed
 * with nuce_meeting_fini, also on failure. Local. */
void nuce_meeting_init(struct nuce_clock_sync *clocks, const char *policy, int count,
                       const double *step_s, struct nuce_meeting *out);
void nuce_meeting_fini(struct nuce_meeting *meeting);

/* Whether that policy comes to windows here. */
int nuce_meeting_is_window(const char *policy);

/* Before some turns that are taken without a word between the ranks: rank 0 says when the first one
 * begins, far enough ahead. Collective. */
void nuce_meeting_turns(struct nuce_meeting *meeting);

/* Waits until it is time for the turn of that number of count. Collective. */
struct nuce_begun nuce_meeting_wait(struct nuce_meeting *meeting, int number);

/* After a turn that is looked at, which takes seconds: the next begins later by that, with room.
 * Returns by how much; 0 where turns begin by barriers. The same on all ranks if seconds is. Local.
 */
double nuce_meeting_pause(struct nuce_meeting *meeting, double seconds);

/* What a turn took, for nuce_meeting_adapt. */
struct nuce_taken {
    int number;       /* whose turn */
    double given_s;   /* when it was to begin */
    double arrived_s; /* when the last rank was ready for it */
    double paused_s;  /* nuce_meeting_pause after it */
};

/* After those turns, taken in that order: gives each window the length that nearly all of the turns
 * would have needed to have all ranks ready in time for the next. scratch: count values. The same
 * on all ranks if taken is. Local. */
void nuce_meeting_adapt(struct nuce_meeting *meeting, const struct nuce_taken *taken, int64_t count,
                        double *scratch);

#endif
