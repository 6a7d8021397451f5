/* Built if PAPI is not found: every event is unknown.
 *
 * The functions are the same as in counters_papi.c, so callers need not know which is built.
 * Names of events are kept, because records list them as unknown. */
#include "run/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

/* events: the given comma list, length bytes and a NUL. */
struct nuce_counters {
    size_t length;
    char events[];
};

nuce_status nuce_counters_create(const char *events, struct nuce_counters **out, char *note,
                                 struct nuce_error *error)
{
    size_t length = strlen(events);
    struct nuce_counters *counters = nuce_allocate((int64_t)(sizeof *counters + length + 1), 1);

    (void)error;
    counters->length = length;
    memcpy(counters->events, events, length + 1);
    snprintf(note, NUCE_MESSAGE_BYTES, "%s",
             length == 0 ? "" : "built without PAPI: no event is counted");
    *out = counters;
    return NUCE_OK;
}

void nuce_counters_destroy(struct nuce_counters *counters)
{
    free(counters);
}

int nuce_counters_is_counting(const struct nuce_counters *counters)
{
    (void)counters;
    return 0;
}

void nuce_counters_begin(struct nuce_counters *counters)
{
    (void)counters;
}

void nuce_counters_end(struct nuce_counters *counters, enum nuce_sample_part part)
{
    (void)counters;
    (void)part;
}

void nuce_counters_reset(struct nuce_counters *counters)
{
    (void)counters;
}

void nuce_counters_sum(struct nuce_counters *counters, struct nuce_world *world)
{
    (void)counters;
    (void)world;
}

static int is_listed(const json_t *all, const char *name)
{
    size_t index;
    const json_t *one;

    json_array_foreach(all, index, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "event")), name) == 0)
            return 1;
    }
    return 0;
}

json_t *nuce_counters_json(const struct nuce_counters *counters)
{
    json_t *all = json_array();
    char *list = nuce_text_duplicate(counters->events), *rest = list, *name;

    while ((name = strsep(&rest, ",")) != NULL) {
        if (*name != '\0' && !is_listed(all, name))
            json_array_append_new(all, json_pack("{s:s, s:s, s:n}", "part",
                                                 nuce_record_sample_parts[NUCE_PART_COMMUNICATION],
                                                 "event", name, "value"));
    }
    free(list);
    if (json_array_size(all) > 0)
        return all;
    json_decref(all);
    return NULL;
}

json_t *nuce_counters_describe(void)
{
    return json_pack("{s:n, s:i, s:[]}", "library", "counters", 0, "events");
}
