/* A launcher that starts no rank is silent for ever: Slurm's srun, and mpiexec that calls it, waits
 * for processors that the step it was called from holds.
 *
 * A heat may take its contenders' timeouts together (kernels/run/heat.c), and between two heats
 * or before the first the program's own limits hold, which are no longer than one timeout. */
#include "campaigns/patience.h"

#include <math.h>

/* Of plans from before there was `start`, and of points without `timeout`. */
#define START_S 20
#define TIMEOUT_S 300

static double patience_of(const struct nuce_campaign_point *point, const char *key,
                          double otherwise)
{
    const json_t *value = json_object_get(json_object_get(point->line, "measure"), key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

double nuce_patience_s(const struct nuce_campaign *campaign, const struct nuce_start *start,
                       const struct nuce_follow *follow)
{
    double start_s = 0, longest_s = 0, heat_s = 0;

    for (int64_t i = 0; i < start->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[start->points[i]];
        double timeout_s = patience_of(point, "timeout", TIMEOUT_S);

        start_s = fmax(start_s, patience_of(point, "start", START_S));
        longest_s = fmax(longest_s, timeout_s);
        if (follow->in_flight >= 0 && point->heat == campaign->points[follow->in_flight].heat)
            heat_s += timeout_s;
    }
    return start_s + fmax(longest_s, heat_s);
}

const char *nuce_patience_advice(int in_step)
{
    return in_step
               ? "this shell is in a step of Slurm, which keeps its processors from the steps that "
                 "launchers start: start nuce in the batch script or by 'srun --overlap', or, "
                 "for MPICH on one node, set HYDRA_LAUNCHER=fork"
               : "";
}
