/* A schedule without an order: what ac posts, and what stands for an exchange whose order the MPI
 * library or a protocol of ours finds while it runs. The pattern's own order has ascending phases,
 * so the lists are filled without being sorted. */
#include "schedules/all_at_once.h"

nuce_status nuce_schedule_all_at_once(const struct nuce_schedule_input *input,
                                      struct nuce_schedule_builder *builder,
                                      struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;

    (void)error;
    nuce_schedule_expect(builder, pattern);
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            nuce_schedule_add(builder, i, pattern->destination[k], 0, 0, pattern->bytes[k]);
    }
    return NUCE_OK;
}

nuce_status nuce_schedule_as_ac(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct nuce_schedule_input part = *input;
    struct nuce_pattern pattern;

    builder->discipline = NUCE_POST_ALL;
    if (input->wanted == NULL)
        return nuce_schedule_all_at_once(input, builder, error);
    if (nuce_schedule_wanted(input, &pattern, error) != NUCE_OK)
        return error->status;
    part.pattern = &pattern;
    nuce_schedule_all_at_once(&part, builder, error);
    nuce_pattern_fini(&pattern);
    return NUCE_OK;
}
