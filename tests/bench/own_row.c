/* What one rank makes of its own messages, where the others' are not needed. */
#include <stdlib.h>

#include "schedule_case.h"
#include "schedules/schedule.h"
#include "support/allocate.h"

#define OWN_RANK 4711

/* The whole pattern, for the reference, and the messages that the rank sends or receives. */
struct own_row {
    struct nuce_schedule_case *whole;
    struct nuce_message *messages;
    int64_t count;
};

static void own_row_destroy(void *self)
{
    struct own_row *own = self;

    if (own == NULL)
        return;
    nuce_schedule_case_destroy(own->whole);
    free(own->messages);
    free(own);
}

static nuce_status own_row_collect(struct own_row *own, struct nuce_error *error)
{
    struct nuce_schedule_input input = {.pattern = &own->whole->pattern};
    struct nuce_pattern concern;

    if (nuce_schedule_concern(nuce_schedule_find("ac"), &input, OWN_RANK, &concern, error) !=
        NUCE_OK)
        return error->status;
    own->messages = nuce_allocate(concern.messages, sizeof *own->messages, error);
    for (int i = 0; own->messages != NULL && i < concern.ranks; i++) {
        for (int64_t k = concern.row[i]; k < concern.row[i + 1]; k++)
            own->messages[own->count++] =
                (struct nuce_message){i, concern.destination[k], concern.bytes[k]};
    }
    nuce_pattern_fini(&concern);
    return own->messages == NULL ? error->status : NUCE_OK;
}

static nuce_status own_row_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct own_row *own = nuce_allocate(1, sizeof *own, error);

    if (own == NULL)
        return error->status;
    own->whole = nuce_schedule_case_create(65536, 0, 16, error);
    if (own->whole == NULL || own_row_collect(own, error) != NUCE_OK) {
        own_row_destroy(own);
        return error->status;
    }
    out->self = own;
    return NUCE_OK;
}

/* From the messages to the schedule: all that a rank does before it makes its requests. */
static nuce_status own_row_run(void *self, struct nuce_error *error)
{
    const struct own_row *own = self;
    struct nuce_pattern pattern;
    nuce_status status = nuce_pattern_init(65536, own->messages, own->count, &pattern, error);

    if (status != NUCE_OK)
        return status;
    status = nuce_schedule_case_build(&pattern, "ac", error);
    nuce_pattern_fini(&pattern);
    return status;
}

static nuce_status own_row_run_whole(void *self, struct nuce_error *error)
{
    const struct own_row *own = self;

    return nuce_schedule_case_build(&own->whole->pattern, "ac", error);
}

const struct nuce_bench nuce_bench_own_row = {
    .name = "own-row-65536",
    .summary = "pattern and schedule of ac from a rank's own messages, 65536 ranks, d = 16",
    .reference = "the schedule of ac of all messages",
    .budget_s = 1e-3,
    .create = own_row_create,
    .run_ours = own_row_run,
    .run_reference = own_row_run_whole,
    .destroy = own_row_destroy,
};
