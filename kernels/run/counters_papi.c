/* Hardware counters by PAPI, around the parts of a step. Events that this processor cannot count
 * are reported once and skipped.
 *
 * Uses PAPI's low-level interface: PAPI_read of a running event set. Nothing is read if no event
 * is requested or countable. There is one set a rank, of the calling thread, which excludes
 * MPI's helper threads. Counts are of the user's code, PAPI's default domain. */
#include "run/counters.h"

#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

#define EVENTS 16

/* slot: its index in PAPI_read's values. */
struct event {
    char *name;
    int slot;  /* in the event set; -1: not countable here */
    int known; /* countable on every rank */
};

struct nuce_counters {
    int count;
    struct event events[EVENTS];
    int set;     /* PAPI_NULL: nothing is countable */
    int running; /* slots in set */
    long long begin[EVENTS];
    long long total[NUCE_SAMPLE_PARTS][EVENTS];
    int counted[NUCE_SAMPLE_PARTS];
    int64_t sum[NUCE_SAMPLE_PARTS][EVENTS]; /* over ranks, by event */
};

/* The environment's description and runs both use PAPI: the first caller initialises it. */
static int library_is_up(void)
{
    return PAPI_is_initialized() != PAPI_NOT_INITED ||
           PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT;
}

/* Appends: one note names all events that cannot be counted. */
static void note_problem(char *note, const char *event, int code)
{
    size_t used = strlen(note);

    snprintf(note + used, NUCE_MESSAGE_BYTES - used, "%s%s (%s)",
             used == 0 ? "PAPI cannot count here: " : ", ", event, PAPI_strerror(code));
}

/* Names are not checked before: PAPI reports each error. Blanks around names, empty names (",,")
 * and repeated ones are ignored. Countable events go into a set, which is started. */
nuce_status nuce_counters_create(const char *events, struct nuce_counters **out, char *note,
                                 struct nuce_error *error)
{
    struct nuce_counters *counters = nuce_allocate(1, sizeof *counters);
    char list[NUCE_MESSAGE_BYTES], *rest = list, *name;
    int code;

    *note = '\0';
    counters->set = PAPI_NULL;
    error->status = NUCE_OK;
    if (!nuce_text_copy(list, sizeof list, events))
        nuce_error_refuse(error, "papi", "too long");
    while (error->status == NUCE_OK && (name = strsep(&rest, ",")) != NULL) {
        int is_new;

        name += strspn(name, " \t");
        name[strcspn(name, " \t")] = '\0';
        is_new = *name != '\0';
        for (int i = 0; i < counters->count; i++)
            is_new = is_new && strcmp(counters->events[i].name, name) != 0;
        if (is_new && counters->count == EVENTS) {
            nuce_error_refuse(error, "papi", "more than %d events", EVENTS);
        } else if (is_new) {
            counters->events[counters->count].slot = -1;
            counters->events[counters->count++].name = nuce_text_duplicate(name);
        }
    }
    if (error->status != NUCE_OK) {
        nuce_counters_destroy(counters);
        return error->status;
    }
    *out = counters;
    if (counters->count == 0)
        return NUCE_OK;
    if (!library_is_up()) {
        snprintf(note, NUCE_MESSAGE_BYTES, "PAPI does not start: no event is counted");
        return NUCE_OK;
    }
    code = PAPI_create_eventset(&counters->set);
    for (int i = 0; i < counters->count; i++) {
        int added =
            code == PAPI_OK ? PAPI_add_named_event(counters->set, counters->events[i].name) : code;

        if (added == PAPI_OK)
            counters->events[i].slot = counters->running++;
        else
            note_problem(note, counters->events[i].name, added);
    }
    code = counters->running > 0 ? PAPI_start(counters->set) : PAPI_OK;
    for (int i = 0; code != PAPI_OK && i < counters->count; i++) {
        counters->events[i].slot = -1;
        note_problem(note, counters->events[i].name, code);
    }
    if (code != PAPI_OK)
        counters->running = 0;
    return NUCE_OK;
}

void nuce_counters_destroy(struct nuce_counters *counters)
{
    long long ignored[EVENTS];

    if (counters == NULL)
        return;
    if (counters->running > 0)
        PAPI_stop(counters->set, ignored);
    if (counters->set != PAPI_NULL) {
        PAPI_cleanup_eventset(counters->set);
        PAPI_destroy_eventset(&counters->set);
    }
    for (int i = 0; i < counters->count; i++)
        free(counters->events[i].name);
    free(counters);
}

int nuce_counters_is_counting(const struct nuce_counters *counters)
{
    return counters->running > 0;
}

void nuce_counters_begin(struct nuce_counters *counters)
{
    if (counters->running > 0)
        PAPI_read(counters->set, counters->begin);
}

/* This reading starts the next part: parts follow one another without a gap. */
void nuce_counters_end(struct nuce_counters *counters, enum nuce_sample_part part)
{
    long long now[EVENTS];

    if (counters->running == 0 || PAPI_read(counters->set, now) != PAPI_OK)
        return;
    for (int i = 0; i < counters->running; i++)
        counters->total[part][i] += now[i] - counters->begin[i];
    counters->counted[part] = 1;
    memcpy(counters->begin, now, sizeof now);
}

void nuce_counters_reset(struct nuce_counters *counters)
{
    memset(counters->total, 0, sizeof counters->total);
    memset(counters->counted, 0, sizeof counters->counted);
}

/* known is all or nothing: a sum without some rank would be a wrong number, not a part of one. */
void nuce_counters_sum(struct nuce_counters *counters, struct nuce_world *world)
{
    int64_t known[EVENTS] = {0}, counted[NUCE_SAMPLE_PARTS];
    int64_t totals[NUCE_SAMPLE_PARTS * EVENTS] = {0};

    if (counters->count == 0) /* no rank requested an event */
        return;
    for (int i = 0; i < counters->count; i++) {
        known[i] = counters->events[i].slot >= 0;
        for (int part = 0; known[i] && part < NUCE_SAMPLE_PARTS; part++)
            totals[part * EVENTS + i] = counters->total[part][counters->events[i].slot];
    }
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
        counted[part] = counters->counted[part];
    nuce_world_sum(world, known, EVENTS);
    nuce_world_sum(world, counted, NUCE_SAMPLE_PARTS);
    nuce_world_sum(world, totals, NUCE_SAMPLE_PARTS * EVENTS);
    for (int i = 0; i < counters->count; i++) {
        counters->events[i].known = known[i] == world->size;
        for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
            counters->sum[part][i] = totals[part * EVENTS + i];
    }
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
        counters->counted[part] = counted[part] > 0;
}

/* An event that cannot be counted is in the record once, as null, under the part that all
 * workloads have. */
json_t *nuce_counters_json(const struct nuce_counters *counters)
{
    json_t *all;

    if (counters->count == 0)
        return NULL;
    all = json_array();
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
        for (int i = 0; i < counters->count; i++) {
            int known = counters->events[i].known;
            json_t *value = NULL;

            if (known && !counters->counted[part])
                continue; /* this part did not occur */
            if (!known && part != NUCE_PART_COMMUNICATION)
                continue; /* unknown once is enough */
            value = known ? json_integer(counters->sum[part][i]) : json_null();
            json_array_append_new(all, json_pack("{s:s, s:s, s:o}", "part",
                                                 nuce_record_sample_parts[part], "event",
                                                 counters->events[i].name, "value", value));
        }
    }
    return all;
}

/* Component 0 is the processor's. If it has no counters (a virtual machine), no event counts,
 * whatever PAPI lists. */
json_t *nuce_counters_describe(void)
{
    json_t *events = json_array();
    int counters = 0, code = 0 | PAPI_PRESET_MASK;
    char version[32];

    snprintf(version, sizeof version, "%d.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
             PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION));
    if (library_is_up()) {
        char name[PAPI_MAX_STR_LEN];
        const PAPI_component_info_t *processor = PAPI_get_component_info(0);

        counters = processor == NULL || processor->disabled ? 0 : PAPI_num_cmp_hwctrs(0);
        if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) == PAPI_OK) {
            do {
                if (PAPI_query_event(code) == PAPI_OK &&
                    PAPI_event_code_to_name(code, name) == PAPI_OK)
                    json_array_append_new(events, json_string(name));
            } while (PAPI_enum_event(&code, PAPI_PRESET_ENUM_AVAIL) == PAPI_OK);
        }
    }
    return json_pack("{s:s, s:i, s:o}", "library", version, "counters", counters < 0 ? 0 : counters,
                     "events", events);
}
