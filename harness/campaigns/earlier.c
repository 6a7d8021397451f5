/* Earlier times, from the files of campaigns: a plan is estimated where there is no database yet.
 *
 * Campaigns are read newest first, until every key has times. The records of a campaign are read
 * only if a key without times is in its plan or in its launches. */
#include "campaigns/earlier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/statistics.h"
#include "base/text.h"
#include "campaigns/builds.h"
#include "campaigns/campaign.h"

/* One reading of a folder. */
struct earlier_folder {
    struct nuce_earlier *out;
    const struct nuce_launcher_ops *launcher;
    char own[NUCE_NAME_BYTES]; /* MPI library of nuce's own build; "": not known */
    const char *path;          /* the campaign being read */
};

char *nuce_earlier_way(const json_t *line)
{
    json_t *way =
        json_pack("[O, O?]", json_object_get(line, "ranks"), json_object_get(line, "launch"));
    char *text = json_dumps(way, JSON_COMPACT | JSON_SORT_KEYS);

    json_decref(way);
    return text;
}

/* True if the key is asked for, and no newer campaign than path has told its times. */
static int is_open(const struct nuce_earlier_times *times, const char *key, const char *path)
{
    const json_t *entry = json_object_get(times->by_key, key);
    const char *from = json_string_value(json_object_get(entry, "from"));

    return entry != NULL && (from == NULL || strcmp(from, path) == 0);
}

static void add_time(struct nuce_earlier_times *times, const char *key, const char *path,
                     double seconds)
{
    json_t *entry = json_object_get(times->by_key, key);
    size_t told = json_array_size(times->told);
    const char *last = told > 0 ? json_string_value(json_array_get(times->told, told - 1)) : "";

    if (json_object_get(entry, "from") == NULL) {
        json_object_set_new(entry, "from", json_string(path));
        json_object_set_new(entry, "seconds", json_array());
    }
    if (strcmp(last, path) != 0)
        json_array_append_new(times->told, json_string(path));
    json_array_append_new(json_object_get(entry, "seconds"), json_real(seconds));
}

/* The time that the run takes again under the plan's line: with its set-up, its verification and
 * the reference's duplicate. If it had all its rounds, it has all of the plan's; otherwise its
 * interval or its time ended it, and does so again. NaN: not known. */
static double time_of_run(const json_t *run, const json_t *line)
{
    const char *stopped = json_string_value(json_object_get(run, "stopped"));
    double count =
        (double)json_array_size(json_object_get(json_object_get(run, "samples"), "step"));
    double wall_s = json_number_value(json_object_get(run, "wall_s"));

    if (stopped != NULL && strcmp(stopped, "max-samples") == 0)
        wall_s *=
            json_number_value(json_object_get(json_object_get(line, "measure"), "max-samples")) /
            count;
    return wall_s > 0 ? wall_s : NAN;
}

/* The first line of a file as JSON; NULL: there is none. */
static json_t *read_first_line(const char *path)
{
    FILE *file = fopen(path, "re");
    json_t *value = NULL;
    size_t capacity = 0;
    char *line = NULL;

    if (file == NULL)
        return NULL;
    if (getline(&line, &capacity, file) > 0)
        value = json_loads(line, 0, NULL);
    free(line);
    fclose(file);
    return value;
}

/* True unless the job's record names another MPI library than that of the way's build, or nuce's
 * own. */
static int is_of_library(const struct earlier_folder *reading, const json_t *job, const json_t *way)
{
    const char *build = json_string_value(json_object_get(json_object_get(way, "launch"), "mpi"));
    const json_t *mpi = json_object_get(json_object_get(job, "described"), "mpi");
    const char *library = json_string_value(json_object_get(mpi, "library"));
    const struct nuce_mpi_kind *kind = nuce_mpi_kind_named(build != NULL ? build : reading->own);

    return library == NULL || kind == NULL || strstr(library, kind->title) != NULL;
}

/* Reads a launch: `name` in launches/ is its part of the plan, written just before its ranks are
 * started, and in records/ what came of it. has_points: its campaign has points that are asked
 * for. */
static void read_launch(const struct earlier_folder *reading, const char *name, int has_points)
{
    char *plan = nuce_text_format("%s/launches/%s", reading->path, name);
    char *records = nuce_text_format("%s/records/%s", reading->path, name), *line = NULL;
    json_t *first = read_first_line(plan), *record = NULL;
    char *way = nuce_earlier_way(first);
    struct nuce_earlier *out = reading->out;
    int wants_start = way != NULL && is_open(&out->starts, way, reading->path), is_other = 0;
    FILE *file = has_points || wants_start ? fopen(records, "re") : NULL;
    size_t capacity = 0;

    while (file != NULL && !is_other && (has_points || wants_start) &&
           getline(&line, &capacity, file) > 0) {
        const char *kind, *point, *status;
        double time_s;

        json_decref(record);
        record = json_loads(line, 0, NULL);
        kind = json_string_value(json_object_get(record, "record"));
        point = json_string_value(json_object_get(record, "point"));
        status = json_string_value(json_object_get(record, "status"));
        if (kind == NULL)
            continue;
        if (strcmp(kind, "job") == 0) {
            is_other = !is_of_library(reading, record, first);
        } else if (strcmp(kind, "begin") == 0 && wants_start) {
            time_s = nuce_campaign_start_s(plan, record);
            if (isfinite(time_s))
                add_time(&out->starts, way, reading->path, time_s);
            wants_start = 0;
        } else if (point != NULL && status != NULL && strcmp(status, "ok") == 0 &&
                   is_open(&out->runs, point, reading->path)) {
            time_s = time_of_run(record,
                                 json_object_get(json_object_get(out->runs.by_key, point), "line"));
            if (isfinite(time_s))
                add_time(&out->runs, point, reading->path, time_s);
        }
    }
    if (file != NULL)
        fclose(file);
    json_decref(record);
    json_decref(first);
    free(way);
    free(line);
    free(records);
    free(plan);
}

/* True if the plan of the campaign has a point that is asked for. */
static int has_points(const struct earlier_folder *reading)
{
    char *path = nuce_text_format("%s/plan.jsonl", reading->path), *text = NULL;
    FILE *file = fopen(path, "re");
    size_t capacity = 0;
    int found = 0;

    while (file != NULL && !found && getline(&text, &capacity, file) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        const char *point = json_string_value(json_object_get(line, "point"));

        found = point != NULL && is_open(&reading->out->runs, point, reading->path);
        json_decref(line);
    }
    if (file != NULL)
        fclose(file);
    free(text);
    free(path);
    return found;
}

/* A campaign without a launcher dates from before there were several (campaign.c). */
static void read_campaign(const struct earlier_folder *reading)
{
    char *imported = nuce_text_format("%s/%s", reading->path, NUCE_CAMPAIGN_IMPORTED);
    char *path = nuce_text_format("%s/campaign.json", reading->path);
    json_t *description = json_load_file(path, 0, NULL);
    const char *launcher = json_string_value(json_object_get(description, "launcher"));

    if (access(imported, F_OK) != 0 && description != NULL &&
        strcmp(launcher != NULL ? launcher : nuce_launcher_local.name, reading->launcher->name) ==
            0) {
        struct nuce_folder launches;
        struct nuce_error ignored;
        int is_wanted = has_points(reading);

        nuce_folder_read(&launches, &ignored, "%s/launches", reading->path);
        for (int i = 0; i < launches.count; i++)
            read_launch(reading, launches.entries[i]->d_name, is_wanted);
        nuce_folder_fini(&launches);
    }
    json_decref(description);
    free(path);
    free(imported);
}

static int is_complete(const struct nuce_earlier_times *times)
{
    const char *key;
    json_t *entry;

    json_object_foreach(times->by_key, key, entry)
    {
        if (json_object_get(entry, "from") == NULL)
            return 0;
    }
    return 1;
}

struct found_campaign {
    char *path;
    struct timespec planned;
};

/* Newest first. */
static int by_age(const void *a, const void *b)
{
    const struct found_campaign *first = a, *second = b;

    if (first->planned.tv_sec != second->planned.tv_sec)
        return first->planned.tv_sec < second->planned.tv_sec ? 1 : -1;
    if (first->planned.tv_nsec != second->planned.tv_nsec)
        return first->planned.tv_nsec < second->planned.tv_nsec ? 1 : -1;
    return strverscmp(second->path, first->path);
}

void nuce_earlier_read(const char *folder, const struct nuce_launcher_ops *launcher,
                       const json_t *lines, struct nuce_earlier *out)
{
    struct earlier_folder reading = {.out = out, .launcher = launcher};
    struct nuce_folder entries;
    struct found_campaign *campaigns;
    struct nuce_build *builds;
    struct nuce_error ignored;
    int64_t built;
    int count = 0;
    size_t i;
    json_t *line;

    *out = (struct nuce_earlier){{json_object(), json_array()}, {json_object(), json_array()}};
    json_array_foreach(lines, i, line)
    {
        char *way = nuce_earlier_way(line);

        json_object_set_new(out->runs.by_key, json_string_value(json_object_get(line, "point")),
                            json_pack("{s:O}", "line", line));
        json_object_set_new(out->starts.by_key, way, json_pack("{s:O}", "line", line));
        free(way);
    }
    if (nuce_builds_list(NULL, &builds, &built, &ignored) == NUCE_OK) {
        nuce_text_copy(reading.own, sizeof reading.own, built > 0 ? builds[0].name : "");
        nuce_builds_free(builds, built);
    }
    nuce_folder_read(&entries, &ignored, "%s", folder);
    campaigns = nuce_allocate(entries.count + 1, sizeof *campaigns);
    for (int k = 0; k < entries.count; k++) {
        char *plan = nuce_text_format("%s/%s/plan.jsonl", folder, entries.entries[k]->d_name);
        struct stat status;

        if (stat(plan, &status) == 0)
            campaigns[count++] = (struct found_campaign){
                nuce_text_format("%s/%s", folder, entries.entries[k]->d_name), status.st_mtim};
        free(plan);
    }
    nuce_folder_fini(&entries);
    qsort(campaigns, (size_t)count, sizeof *campaigns, by_age);
    for (int k = 0; k < count; k++) {
        reading.path = campaigns[k].path;
        if (!is_complete(&out->runs) || !is_complete(&out->starts))
            read_campaign(&reading);
        free(campaigns[k].path);
    }
    free(campaigns);
}

void nuce_earlier_fini(struct nuce_earlier *earlier)
{
    json_decref(earlier->runs.by_key);
    json_decref(earlier->runs.told);
    json_decref(earlier->starts.by_key);
    json_decref(earlier->starts.told);
}

double nuce_earlier_find(const struct nuce_earlier_times *times, const char *key)
{
    const json_t *seconds = json_object_get(json_object_get(times->by_key, key), "seconds"), *time;
    size_t count = json_array_size(seconds), i;
    double *values, median;

    if (count == 0)
        return NAN;
    values = nuce_allocate((int64_t)count, sizeof *values);
    json_array_foreach(seconds, i, time) values[i] = json_number_value(time);
    nuce_statistics_sort(values, (int64_t)count);
    median = nuce_statistics_median(values, (int64_t)count);
    free(values);
    return median;
}

char *nuce_earlier_say(const struct nuce_earlier_times *times)
{
    size_t count = json_array_size(times->told);
    const char *newest = json_string_value(json_array_get(times->told, 0));

    return count > 1 ? nuce_text_format("%s and %zu more", newest, count - 1)
                     : nuce_text_duplicate(newest != NULL ? newest : "");
}
