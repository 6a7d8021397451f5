/* How long the jobs of a campaign will still measure. */
#ifndef NUCE_FORECAST_H
#define NUCE_FORECAST_H

#include "campaigns/point_states.h"

/* A guess for people, not a promise: all numbers are 0 where nothing is left to measure. */
struct nuce_forecast {
    int64_t running;             /* jobs and tasks that run and have points left */
    int64_t waiting;             /* that do not run yet */
    int64_t measured, estimated; /* points left: like others that were measured, or known by their
                                    limits alone */
    double busy_s; /* seconds of jobs that the points left take, one job after another */
    double left_s; /* until the last point, if as many jobs side by side as run now (at least
                      one); what waits in Slurm's queue waits besides */
};

/* From what points that differ in what is compared, instance and seed alone took in this campaign,
 * else from the estimates. Only parts that live count: where Slurm did not answer those whose lock
 * is held. */
void nuce_forecast_make(const struct nuce_campaign *campaign,
                        const struct nuce_submissions *submissions,
                        const struct nuce_standing *standing, struct nuce_forecast *out);

#endif
