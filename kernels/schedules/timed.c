/* How long an algorithm takes.
 *
 * Processor time of the calling thread: what a program would pay for the schedule on each rank,
 * whoever else runs on the machine. */
#include "base/clock.h"
#include "base/statistics.h"
#include "schedules/schedule.h"

/* Most schedules take microseconds: timed again while that is cheap, the median kept. */
#define REPEATS 5
#define REPEAT_S 0.02

/* The last one made is kept: all are the same, as the input has the random numbers by value. */
nuce_status nuce_schedule_create_timed(const struct nuce_schedule_ops *ops,
                                       const struct nuce_schedule_input *input,
                                       struct nuce_schedule *out, double *seconds,
                                       struct nuce_error *error)
{
    struct nuce_schedule schedule = {0};
    double times[REPEATS], total = 0;
    int count = 0;

    while (count < REPEATS && total < REPEAT_S) {
        double begin = nuce_processor_clock();

        nuce_schedule_fini(&schedule);
        if (nuce_schedule_create(ops, input, &schedule, error) != NUCE_OK)
            return error->status;
        times[count] = nuce_processor_clock() - begin;
        total += times[count++];
    }
    nuce_statistics_sort(times, count);
    *seconds = nuce_statistics_median(times, count);
    *out = schedule;
    return NUCE_OK;
}
