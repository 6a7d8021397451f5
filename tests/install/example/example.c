/* Prints the phases of an rs-n schedule of a random pattern, and checks the schedule. */
#include <stdio.h>

#include <schedules/schedule.h>

int main(void)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_input input = {.rng = nuce_rng_create(2, 0)};
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    struct nuce_error error;

    if (nuce_pattern_uniform(32, 8, &rng, &pattern, &error) != NUCE_OK)
        goto fail;
    input.pattern = &pattern;
    if (nuce_schedule_create(nuce_schedule_find("rs-n"), &input, &schedule, &error) != NUCE_OK)
        goto fail;
    if (nuce_schedule_validate(&schedule, &pattern, &error) != NUCE_OK)
        goto fail;
    printf("%lld messages in %d phases\n", (long long)pattern.messages, schedule.phases);
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
    return 0;

fail:
    fprintf(stderr, "%s\n", error.message);
    return nuce_error_exit_status(error.status);
}
