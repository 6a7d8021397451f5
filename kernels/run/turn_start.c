/* Windows: every turn has a given length from its start to the start of the next. All ranks thus
 * know the starts of many turns in advance, and need no message between them. Source: Hunold,
 * Carpen-Amarie: "Reproducible MPI benchmarking is still not as easy as you think", IEEE TPDS
 * 27(12), 2016, 4.2. A rank that is not ready in time invalidates the turn, and perhaps the next
 * ones. So the windows should fit nearly all turns, and be no longer. */
#include "run/turn_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "run/simulation.h"

/* The quantile of turns that fits a window, and the factor on top of that. A larger one would
 * lose fewer turns, but time in all others. */
#define WINDOW_QUANTILE 0.95
#define WINDOW_ROOM 1.2
/* Factor on the longest turn, if there are too few turns for that quantile. */
#define FEW_TURNS 20
#define FEW_ROOM 1.5
/* Factor on the last step of a warm-up, before anything else is known. */
#define FIRST_ROOM 2.0

/* Factor of a pause between two windows, relative to the requested one. */
#define PAUSE_ROOM 2.0

/* From rank 0's announcement to the first start, seconds: at first, and at least. */
#define LEAD_S 1e-3

int nuce_meeting_is_window(const char *policy)
{
    return strcmp(policy, "window") == 0 && !nuce_simulation_is_on();
}

void nuce_meeting_init(struct nuce_clock_sync *clocks, const char *policy, int count,
                       const double *step_s, struct nuce_meeting *out)
{
    *out = (struct nuce_meeting){.clocks = clocks,
                                 .is_window = nuce_meeting_is_window(policy),
                                 .count = count,
                                 .lead_s = LEAD_S};
    out->window_s = nuce_allocate(count, sizeof *out->window_s);
    for (int i = 0; i < count; i++)
        out->window_s[i] = FIRST_ROOM * step_s[i];
}

void nuce_meeting_fini(struct nuce_meeting *meeting)
{
    free(meeting->window_s);
    meeting->window_s = NULL;
}

void nuce_meeting_turns(struct nuce_meeting *meeting)
{
    if (!meeting->is_window)
        return;
    meeting->next_s = nuce_clock_sync_common(meeting->clocks, nuce_clock()) + meeting->lead_s;
    nuce_world_broadcast(meeting->clocks->world, &meeting->next_s, (int64_t)sizeof meeting->next_s);
}

struct nuce_begun nuce_meeting_wait(struct nuce_meeting *meeting, int number)
{
    const struct nuce_clock_sync *clocks = meeting->clocks;
    struct nuce_begun begun = {.given_s = NAN};
    double local_s, now;
    unsigned polls = 0;

    begun.arrived_s = nuce_clock_sync_common(clocks, nuce_clock());
    if (!meeting->is_window) {
        nuce_world_barrier(clocks->world);
        begun.begun_s = nuce_clock_sync_common(clocks, nuce_clock());
        return begun;
    }
    nuce_watch_set(clocks->world->watch, NUCE_ACTIVITY_BARRIER, -1, 0);
    begun.given_s = meeting->next_s;
    meeting->next_s += meeting->window_s[number];
    local_s = nuce_clock_sync_local(clocks, begun.given_s);
    while ((now = nuce_clock()) < local_s)
        nuce_wait_pause(&clocks->world->wait, &polls);
    begun.begun_s = nuce_clock_sync_common(clocks, now);
    return begun;
}

double nuce_meeting_pause(struct nuce_meeting *meeting, double seconds)
{
    double pause_s = meeting->is_window ? PAUSE_ROOM * seconds : 0;

    meeting->next_s += pause_s;
    return pause_s;
}

void nuce_meeting_adapt(struct nuce_meeting *meeting, const struct nuce_taken *taken, int64_t count,
                        double *scratch)
{
    if (!meeting->is_window || count == 0)
        return;
    meeting->lead_s = taken[0].arrived_s > taken[0].given_s ? 2 * meeting->lead_s
                                                            : fmax(meeting->lead_s / 1.2, LEAD_S);
    for (int number = 0; number < meeting->count; number++) {
        int64_t turns = 0;

        for (int64_t i = 0; i + 1 < count; i++) {
            const struct nuce_taken *turn = &taken[i];

            /* The window that the turn needed: from its start, or the last rank's arrival if
             * that was later, until all were ready for the next, minus the pause in between. */
            if (turn->number == number)
                scratch[turns++] = fmax(
                    turn[1].arrived_s - fmax(turn->given_s, turn->arrived_s) - turn->paused_s, 0);
        }
        if (turns == 0)
            continue;
        nuce_statistics_sort(scratch, turns);
        meeting->window_s[number] =
            turns < FEW_TURNS
                ? FEW_ROOM * scratch[turns - 1]
                : WINDOW_ROOM * nuce_statistics_quantile(scratch, turns, WINDOW_QUANTILE);
    }
}
