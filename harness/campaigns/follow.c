/* A record file read while it grows: at each poll the whole lines that have come since. A line
 * without its end is left for the next poll. What cannot be read is taken for not yet there. */
#include "campaigns/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

void nuce_follow_init(struct nuce_follow *follow, const char *path)
{
    *follow = (struct nuce_follow){.in_flight = -1, .ended = json_object()};
    follow->path = nuce_text_format("%s", path);
}

void nuce_follow_fini(struct nuce_follow *follow)
{
    free(follow->path);
    free(follow->job);
    json_decref(follow->ended);
    *follow = (struct nuce_follow){.in_flight = -1};
}

/* The record of the job is kept as text, for the record of a run that is lost. A point that begins
 * without a time does so now; one that is not of the campaign leaves nobody in flight. A run that
 * is valid and of this plan ends the one in flight, whichever that was. */
static void follow_note(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                        const char *line, const json_t *record,
                        void (*each)(void *, int64_t, const json_t *), void *context)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *id = json_string_value(json_object_get(record, "point"));
    const char *started = json_string_value(json_object_get(record, "started"));
    int64_t point;

    if (kind == NULL)
        return;
    if (strcmp(kind, "job") == 0 && follow->job == NULL &&
        json_is_string(json_object_get(record, "job")))
        follow->job = nuce_text_duplicate(line);
    if (strcmp(kind, "begin") == 0) {
        follow->in_flight = id != NULL ? nuce_campaign_find(campaign, id) : -1;
        if (started == NULL || !nuce_text_copy(follow->started, sizeof follow->started, started))
            nuce_record_time_now(follow->started);
    }
    point = nuce_campaign_find_run(campaign, record);
    if (point < 0)
        return;
    follow->in_flight = -1;
    follow->runs++;
    json_object_set_new(follow->ended, campaign->points[point].id, json_true());
    if (each != NULL)
        each(context, point, record);
}

/* Opened anew at each poll, since it may not be there yet; offset says how far it has been read. A
 * file that is cut short or replaced meanwhile is not noticed: nobody does that to records. */
void nuce_follow_poll(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                      void (*each)(void *context, int64_t point, const json_t *record),
                      void *context)
{
    FILE *file = fopen(follow->path, "re");
    size_t capacity = 0;
    char *line = NULL;
    ssize_t length;

    if (file == NULL)
        return;
    if (fseeko(file, (off_t)follow->offset, SEEK_SET) == 0) {
        while ((length = getline(&line, &capacity, file)) > 0 && line[length - 1] == '\n') {
            json_t *record;

            follow->offset += length;
            line[length - 1] = '\0';
            record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
            follow_note(follow, campaign, line, record, each, context);
            json_decref(record);
        }
    }
    free(line);
    fclose(file);
}

/* The file holds the id of one point (run/turn.h). Kernels write it in the rounds of a heat,
 * where all contenders have begun and begin lines no longer tell whose turn it was. */
void nuce_follow_end(struct nuce_follow *follow, const struct nuce_campaign *campaign)
{
    char id[NUCE_HASH_BYTES] = "";
    char *path = nuce_text_format("%s.turn", follow->path);
    FILE *file = fopen(path, "re");
    int64_t point;

    if (file != NULL) {
        (void)!fread(id, 1, sizeof id - 1, file);
        fclose(file);
        unlink(path);
        point = nuce_campaign_find(campaign, id);
        if (point >= 0 && json_object_get(follow->ended, id) == NULL)
            follow->in_flight = point;
    }
    free(path);
}
