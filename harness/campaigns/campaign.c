/* Opens a campaign: finds its folder, takes its lock, reads its description, its plan and its
 * record files. No other file stores the state of a point: the records alone decide what was
 * measured. An imported campaign is read, never run or locked.
 *
 * Order: questions about points and runs; the lock; the plan; the records; finding the folder;
 * opening. The same code opens a whole campaign and one part of a job (jobs/PART.jsonl, run by
 * nuce-job); campaign->part distinguishes them. */
#include "campaigns/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/text.h"
#include "campaigns/ending.h"
#include "points/point.h"

/* Closing the descriptor releases the lock. The lock file stays. If it were removed, a nuce that
 * has it open and one that creates a new file would both believe they hold the lock. */
void nuce_campaign_fini(struct nuce_campaign *campaign)
{
    for (int64_t i = 0; i < campaign->count; i++) {
        json_decref(campaign->points[i].line);
        json_decref(campaign->points[i].launches);
        json_decref(campaign->points[i].costs);
        free(campaign->points[i].message);
    }
    free(campaign->points);
    json_decref(campaign->by_id);
    free(campaign->path);
    json_decref(campaign->description);
    if (campaign->lock >= 0)
        close(campaign->lock);
    *campaign = (struct nuce_campaign){.lock = -1};
}

int64_t nuce_campaign_find(const struct nuce_campaign *campaign, const char *id)
{
    const json_t *index = json_object_get(campaign->by_id, id);

    return index != NULL ? json_integer_value(index) : -1;
}

/* A record is a run of this campaign if it is complete by the rules of records (base/record.h) and
 * its point is in the plan. Files of a bundle or of another nuce may hold anything. */
int64_t nuce_campaign_find_run(const struct nuce_campaign *campaign, const json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    struct nuce_error ignored;

    if (kind == NULL || strcmp(kind, "run") != 0 ||
        nuce_record_check_run(record, &ignored) != NUCE_OK)
        return -1;
    return nuce_campaign_find(campaign, json_string_value(json_object_get(record, "point")));
}

/* Enough good runs make a point good, whatever other runs it has. Until then it has the status and
 * message of a run that went wrong; `nuce status` shows them. point->status is borrowed from the
 * table of statuses, because the record is freed earlier. launches holds the job id of each launch
 * with a good run: a run recorded twice, as in a copied file, counts once. point->wall_s is the
 * running mean over the good runs; a record without a time counts as 0 s. */
void nuce_campaign_note(struct nuce_campaign *campaign, int64_t index, const json_t *record)
{
    const char *status = json_string_value(json_object_get(record, "status"));
    const char *message = json_string_value(json_object_get(record, "message"));
    const char *job = json_string_value(json_object_get(record, "job"));
    double wall_s = json_number_value(json_object_get(record, "wall_s"));
    struct nuce_campaign_point *point = &campaign->points[index];

    point->runs++;
    point->lost +=
        strcmp(status, "interrupted") == 0 && !json_is_number(json_object_get(record, "wall_s"));
    if (strcmp(status, "ok") == 0) {
        if (point->launches == NULL)
            point->launches = json_object();
        if (json_object_get(point->launches, job) != NULL)
            return;
        json_object_set_new(point->launches, job, json_true());
        point->wall_s += (wall_s - point->wall_s) / (double)nuce_campaign_good(point);
        if (nuce_campaign_good(point) >= point->wanted)
            point->status = "ok";
        else if (nuce_ending_is_by_result(point))
            point->status = NULL; /* after a bad run it is in the race again */
        return;
    }
    if (point->launches != NULL && !nuce_campaign_is_missing(point))
        return;
    /* Files are read in no order: any other status is more useful than "interrupted". */
    if (point->status != NULL && strcmp(status, "interrupted") == 0)
        return;
    for (int i = 0; nuce_record_statuses[i] != NULL; i++) {
        if (strcmp(nuce_record_statuses[i], status) == 0)
            point->status = nuce_record_statuses[i];
    }
    point->is_refused = json_is_true(json_object_get(record, "refused"));
    free(point->message);
    point->message = message != NULL ? nuce_text_duplicate(message) : NULL;
}

json_t *nuce_campaign_instance(const struct nuce_campaign_point *point)
{
    return nuce_option_instance(point->workload->options, json_object_get(point->line, "params"),
                                json_object_get(point->line, "compare"));
}

/* Good runs beyond the wanted number do not count, so that had never exceeds wanted. */
struct nuce_campaign_runs nuce_campaign_runs(const struct nuce_campaign *campaign)
{
    struct nuce_campaign_runs runs = {0};

    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        int64_t lacks = nuce_campaign_lacks(point), had = point->wanted - lacks;

        /* Its race went on without it: only the run that went wrong is missing. */
        if (nuce_ending_is_left_out(point))
            lacks = 1;
        else
            runs.most = point->wanted > runs.most ? point->wanted : runs.most;
        runs.had += had;
        runs.wanted += had + lacks;
        runs.refused += point->is_refused ? lacks : 0;
        runs.is_open |= lacks > 1 && nuce_ending_is_by_result(point);
    }
    return runs;
}

int nuce_campaign_is_stopped(const struct nuce_campaign_point *point)
{
    return point->status != NULL && strcmp(point->status, "interrupted") == 0;
}

const char *nuce_campaign_stands(const struct nuce_campaign_point *point)
{
    if (point->status != NULL)
        return point->is_refused && nuce_campaign_is_missing(point) ? "refused" : point->status;
    return nuce_campaign_good(point) > 0 ? "too few launches" : "not run";
}

/* A key in the lines of a part; lines of a plan lack it. */
static const char wanted_key[] = "wanted";

json_t *nuce_campaign_part_line(const struct nuce_campaign_point *point, int64_t wanted)
{
    json_t *line = json_copy(point->line);

    json_object_set_new(line, wanted_key, json_integer(wanted));
    return line;
}

/* A computed point has no noise that another launch could show, so one run suffices. A line of a
 * part gives its own number of wanted runs. Points race only if they are measured. Contenders of
 * one race are neighbours in the plan, so comparing with the previous point suffices. The first
 * point of a race gives it its number. */
void nuce_campaign_number(struct nuce_campaign *campaign)
{
    int is_measured = nuce_campaign_is_measured(campaign);

    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];
        const json_t *wanted = json_object_get(point->line, wanted_key);

        if (!json_is_integer(wanted) && is_measured)
            wanted = json_object_get(json_object_get(point->line, "measure"), "launches");
        point->wanted = json_is_integer(wanted) ? json_integer_value(wanted) : 1;
        point->race = i;
        if (i > 0 && is_measured && nuce_point_is_of_race(point->line, point[-1].line))
            point->race = point[-1].race;
    }
}

const char *nuce_campaign_created(const struct nuce_campaign *campaign)
{
    return json_string_value(json_object_get(campaign->description, "created"));
}

int nuce_campaign_is_slurm(const struct nuce_campaign *campaign)
{
    return !campaign->imported && campaign->launcher == &nuce_launcher_slurm;
}

const char *nuce_campaign_kind(const struct nuce_campaign *campaign)
{
    return campaign->launcher != NULL ? campaign->launcher->kind : nuce_launcher_local.kind;
}

int nuce_campaign_is_measured(const struct nuce_campaign *campaign)
{
    return strcmp(nuce_campaign_kind(campaign), "measured") == 0;
}

char *nuce_campaign_file(const struct nuce_campaign *campaign, const char *folder, const char *name,
                         const char *ending)
{
    return nuce_text_format("%s/%s/%s%s", campaign->path, folder, name, ending);
}

/* Searches all three folders, because a launch that died early may have left only a list of points
 * or a log. Launches of a campaign share one sequence of numbers. Ignores 2^31 - 2 and above, which
 * nuce never makes. */
nuce_status nuce_campaign_next_launch(const struct nuce_campaign *campaign, int *out,
                                      struct nuce_error *error)
{
    static const char *const folders[] = {"launches", "records", "logs"};
    long last = 0;

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct nuce_folder folder;
        nuce_status status = nuce_folder_read(&folder, error, "%s/%s", campaign->path, folders[i]);

        for (int k = 0; k < folder.count; k++) {
            /* Labels begin with their number; those of jobs begin with the number of the
             * submission. */
            long number = strtol(folder.entries[k]->d_name, NULL, 10);

            last = number > last && number < INT32_MAX - 1 ? number : last;
        }
        nuce_folder_fini(&folder);
        if (status != NUCE_OK)
            return status;
    }
    *out = (int)last + 1;
    return NUCE_OK;
}

/* The lock belongs to the file's descriptor and ends with the process, so it never gets stale. A
 * part has a lock of its own, so that parts run at the same time while the campaign is not locked.
 * Only EWOULDBLOCK means "held". On a file system without locks the campaign runs unlocked, and
 * nothing prevents a second nuce. */
nuce_status nuce_campaign_lock(struct nuce_campaign *campaign, struct nuce_error *error)
{
    int is_part = campaign->part[0] != '\0';
    char *path = is_part ? nuce_campaign_file(campaign, "jobs", campaign->part, ".lock")
                         : nuce_text_format("%s/lock", campaign->path);
    nuce_status status = NUCE_OK;

    campaign->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (campaign->lock < 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    else if (flock(campaign->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = nuce_error_set(error, NUCE_FAILED, "%s: another %s: wait for it or stop it",
                                is_part ? path : campaign->path,
                                is_part ? "job is running these points"
                                        : "nuce is running or submitting this campaign");
    free(path);
    return status;
}

/* Takes a shared lock and releases it at once, so that two readers do not see each other. A nuce
 * that wants the lock at that moment is refused, and can be run again. */
int nuce_campaign_is_held(const struct nuce_campaign *campaign)
{
    char *path = nuce_text_format("%s/lock", campaign->path);
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int held = descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    if (descriptor >= 0)
        close(descriptor);
    free(path);
    return held;
}

/* Reading the plan. */

/* Makes a point of a line of the plan. Checks only what the harness itself needs: the program that
 * runs the point reads the whole line and checks its id. A repeated id is refused, because its runs
 * could not be distinguished. The point holds a reference to its line. nuce_campaign_number fills
 * in race and wanted after the last line. */
static nuce_status campaign_add_point(void *context, int64_t line, const char *text, size_t length,
                                      json_t *value, struct nuce_error *error)
{
    struct nuce_campaign *campaign = context;
    const char *id = json_string_value(json_object_get(value, "point"));
    const char *workload = json_string_value(json_object_get(value, "workload"));
    json_int_t ranks = json_integer_value(json_object_get(value, "ranks"));
    struct nuce_campaign_point point = {.ranks = (int)ranks};

    if (id == NULL || !nuce_text_copy(point.id, sizeof point.id, id) || workload == NULL ||
        nuce_workload_find(workload) == NULL || !json_is_object(json_object_get(value, "params")) ||
        ranks < 1 || ranks > NUCE_SWEEP_MOST_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s/plan.jsonl:%lld:1: not a line of a plan",
                              campaign->path, (long long)line);
    if (nuce_campaign_find(campaign, id) >= 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s/plan.jsonl: point %s is there twice",
                              campaign->path, id);
    json_object_set_new(campaign->by_id, id, json_integer((json_int_t)campaign->count));
    (void)text;
    (void)length;
    nuce_allocate_more((void **)&campaign->points, &campaign->capacity, campaign->count + 1,
                       sizeof *campaign->points);
    point.workload = nuce_workload_find(workload);
    point.line = json_incref(value);
    campaign->points[campaign->count++] = point;
    return NUCE_OK;
}

/* nuce_safe_write writes plans whole, so a torn or empty plan was damaged later; nuce rejects it
 * instead of using half a campaign. */
static nuce_status read_plan(struct nuce_campaign *campaign, struct nuce_error *error)
{
    char *path = campaign->part[0] != '\0'
                     ? nuce_campaign_file(campaign, "jobs", campaign->part, ".jsonl")
                     : nuce_text_format("%s/plan.jsonl", campaign->path);
    struct nuce_jsonl_counts counts = {0, 0};

    campaign->by_id = json_object();
    error->status = nuce_jsonl_read(path, campaign_add_point, campaign, &counts, error);
    if (error->status == NUCE_OK && (counts.torn > 0 || campaign->count == 0))
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: cut off: a plan ends with a whole line", path);
    free(path);
    if (error->status == NUCE_OK)
        nuce_campaign_number(campaign);
    return error->status;
}

/* Reading the records. */

/* A record file while it is read. */
struct record_reader {
    struct nuce_campaign *campaign;
    char part[NUCE_PART_BYTES]; /* its part; "": none */
    int is_own;                 /* of the part that is opened, or the whole campaign is */
    int has_lost_job;           /* its first line is damaged: the job that all its runs refer to */
    char environment[NUCE_HASH_BYTES]; /* of the last job in it; "": not known */
    char *launch;                      /* path of its launch's plan */
    double start_s;                    /* of its launch; NaN: not known yet */
    int64_t runs;                      /* good ones */
};

double nuce_campaign_start_s(const char *plan, const json_t *begin)
{
    int64_t begun_ms =
        nuce_record_parse_time_ms(json_string_value(json_object_get(begin, "started")));
    struct stat written;

    if (begun_ms == 0 || stat(plan, &written) != 0)
        return NAN;
    return fmax(1e-3 * (double)begun_ms - (double)written.st_mtim.tv_sec -
                    1e-9 * (double)written.st_mtim.tv_nsec,
                0);
}

/* "NNNN-K" for a record file NNNN-K-...jsonl, which a job wrote; "" for any other, such as
 * 0003.jsonl of a local launch. */
static void part_of_file(const char *path, char part[NUCE_PART_BYTES])
{
    const char *name = basename(path);
    int length = 0;

    sscanf(name, "%*[0-9]-%*[0-9]%n", &length);
    if (name[length] != '-' || length >= NUCE_PART_BYTES)
        length = 0;
    snprintf(part, NUCE_PART_BYTES, "%.*s", length, name);
}

/* Skips lines that are no runs of this plan: other kinds of records, and lines of a newer nuce. A
 * damaged line counts as never written, and so do the runs of a job whose line is damaged: they are
 * missing, as in `nuce collect`. Notes the part of each good run: with job-per-launch, a point is
 * in several parts at the same time, and each part must know its own runs. If one part is opened,
 * the runs of another only tell what is known about a race. */
static nuce_status note_line(void *context, int64_t line, const char *text, size_t length,
                             json_t *value, struct nuce_error *error)
{
    struct record_reader *reader = context;
    int64_t index = value != NULL ? nuce_campaign_find_run(reader->campaign, value) : -1;
    const char *job = json_string_value(json_object_get(value, "job"));
    const char *environment = json_string_value(json_object_get(value, "environment"));
    const char *kind = json_string_value(json_object_get(value, "record"));
    struct nuce_campaign_point *point;

    (void)text;
    (void)length;
    (void)error;
    if (environment != NULL)
        nuce_text_copy(reader->environment, sizeof reader->environment, environment);
    if (value == NULL) {
        reader->campaign->damaged_records += reader->is_own;
        reader->has_lost_job |= line == 1;
    }
    if (isnan(reader->start_s) && kind != NULL && strcmp(kind, "begin") == 0)
        reader->start_s = nuce_campaign_start_s(reader->launch, value);
    if (index < 0 || reader->has_lost_job)
        return NUCE_OK;
    point = &reader->campaign->points[index];
    nuce_ending_note(point, job, value, reader->environment);
    if (!reader->is_own)
        return NUCE_OK;
    nuce_campaign_note(reader->campaign, index, value);
    reader->runs += job != NULL && json_object_get(point->launches, job) != NULL;
    if (*reader->part != '\0' && job != NULL && json_object_get(point->launches, job) != NULL)
        json_object_set_new(point->launches, job, json_string(reader->part));
    return NUCE_OK;
}

/* Refuses a file that is still being written, if this campaign is to run here: its points would be
 * measured twice, and the two runs would disturb each other. The check does not apply to whole
 * Slurm campaigns, where such files are normal, but applies to their parts. Only races that end
 * when they are known need the times of runs. */
static nuce_status read_record_file(struct nuce_campaign *campaign, const char *path,
                                    enum nuce_campaign_use use, int needs_times,
                                    struct nuce_error *error)
{
    struct record_reader reader = {.campaign = campaign, .start_s = NAN};
    struct nuce_jsonl_counts counts = {0, 0};

    part_of_file(path, reader.part);
    reader.is_own = campaign->part[0] == '\0' || strcmp(campaign->part, reader.part) == 0;
    if (use == NUCE_CAMPAIGN_RUN && reader.is_own &&
        (campaign->part[0] != '\0' || !nuce_campaign_is_slurm(campaign)) &&
        nuce_jsonl_is_open(path))
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: a job is still writing records: wait for it or stop it", path);
    reader.launch = nuce_text_format("%s/launches/%s", campaign->path, basename(path));
    error->status = nuce_jsonl_read_sealed(path, needs_times ? NULL : nuce_record_read_brief,
                                           note_line, &reader, &counts, error);
    free(reader.launch);
    if (error->status != NUCE_OK)
        return error->status;
    campaign->torn_records += reader.is_own ? counts.torn : 0;
    if (isfinite(reader.start_s) && reader.runs > 0) {
        campaign->starts_s += reader.start_s;
        campaign->started_runs += reader.runs;
    }
    return NUCE_OK;
}

int nuce_campaign_is_record_file(const char *name)
{
    return nuce_text_is_name(name) && nuce_text_ends(name, ".jsonl");
}

/* Record files of a part begin with its name and a hyphen. A whole campaign reads all files, and so
 * does a part of races that end when they are known. Regular files only: reading a pipe would never
 * end. */
static nuce_status read_records(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                                struct nuce_error *error)
{
    size_t length = strlen(campaign->part);
    int needs_times = 0;
    struct nuce_folder records;
    nuce_status status = nuce_folder_read(&records, error, "%s/records", campaign->path);

    if (status == NUCE_OK && !records.is_there)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: no such folder", records.path);
    for (int64_t i = 0; i < campaign->count; i++)
        needs_times |= nuce_ending_is_by_result(&campaign->points[i]);
    for (int i = 0; i < records.count && status == NUCE_OK; i++) {
        const char *name = records.entries[i]->d_name;
        struct stat kind;
        char *path;

        if (!nuce_campaign_is_record_file(name) ||
            (length > 0 && !needs_times &&
             (strncmp(name, campaign->part, length) != 0 || name[length] != '-')))
            continue;
        path = nuce_text_format("%s/%s", records.path, name);
        if (lstat(path, &kind) == 0 && S_ISREG(kind.st_mode))
            status = read_record_file(campaign, path, use, needs_times, error);
        free(path);
    }
    nuce_folder_fini(&records);
    if (status == NUCE_OK)
        nuce_ending_apply(campaign->points, campaign->count);
    return status;
}

/* Finding the folder. */

/* The time when the plan was written; campaigns are ordered by it, because the folder's time
 * changes with each file. 0 if there is no plan. */
static int plan_time(const char *folder, const char *name, struct timespec *out)
{
    char *path = nuce_text_format("%s/%s/plan.jsonl", folder, name);
    struct stat status;
    int found = stat(path, &status) == 0;

    if (found)
        *out = status.st_mtim;
    free(path);
    return found;
}

/* The name of the newest campaign of sweep, SWEEP.K (NULL: of any sweep), by the time of its plan.
 * A new string; NULL: there is none. "quick" matches quick.1, but not quick-long.1 or quick.old.
 * Skips folders without a plan, which were never finished. File times are coarse: of two campaigns
 * made within one tick, the higher number is the newer. */
static char *find_newest(const char *folder, const char *sweep)
{
    size_t length = sweep != NULL ? strlen(sweep) : 0;
    struct timespec best = {0, 0}, time;
    struct nuce_folder campaigns;
    struct nuce_error ignored;
    char *newest = NULL;

    nuce_folder_read(&campaigns, &ignored, "%s", folder);
    for (int i = 0; i < campaigns.count; i++) {
        const char *name = campaigns.entries[i]->d_name, *number = name + length + 1;
        int64_t later;

        if (!nuce_text_is_name(name) || !plan_time(folder, name, &time) ||
            (sweep != NULL && (strncmp(name, sweep, length) != 0 || name[length] != '.' ||
                               *number == '\0' || number[strspn(number, "0123456789")] != '\0')))
            continue;
        later =
            time.tv_sec != best.tv_sec ? time.tv_sec - best.tv_sec : time.tv_nsec - best.tv_nsec;
        if (newest != NULL && (later < 0 || (later == 0 && strverscmp(name, newest) < 0)))
            continue;
        free(newest);
        newest = nuce_text_duplicate(name);
        best = time;
    }
    nuce_folder_fini(&campaigns);
    return newest;
}

/* Follows links: a folder of campaigns may be a link to another disk. */
static int is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A name with a slash is a path; slashes at its end are dropped. A name without a slash lies
 * directly below folder: a campaign, or a sweep for its newest campaign. NULL: the newest of all.
 * *out is a new string, NULL after a failure. */
nuce_status nuce_campaign_locate(const char *folder, const char *name, char **out,
                                 struct nuce_error *error)
{
    int is_path = name != NULL && strchr(name, '/') != NULL;
    char *path, *newest = NULL;

    if (name != NULL && !is_path && !nuce_text_is_name(name))
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': not the name of a campaign", name);
    path = is_path ? nuce_text_duplicate(name)
                   : nuce_text_format("%s/%s", folder, name != NULL ? name : "");
    while (is_path && strlen(path) > 1 && path[strlen(path) - 1] == '/')
        path[strlen(path) - 1] = '\0';
    if (name == NULL || (!is_path && !is_folder(path)))
        newest = find_newest(folder, name);
    if (newest != NULL) {
        free(path);
        path = nuce_text_format("%s/%s", folder, newest);
        free(newest);
    } else if (name == NULL) {
        free(path);
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no campaign found; create one with 'nuce run' or 'nuce "
                              "submit', or give --campaigns DIR",
                              folder);
    }
    if (is_folder(path)) {
        *out = path;
        return NUCE_OK;
    }
    nuce_error_set(error, NUCE_BAD_INPUT, "%s: no such campaign", path);
    free(path);
    return error->status;
}

/* Reads campaign.json. The launcher is NULL if this nuce does not know it: such a campaign can be
 * read, but not run. A file without a launcher dates from before there were several, and means
 * local. */
static nuce_status read_description(struct nuce_campaign *campaign, struct nuce_error *error)
{
    char *path = nuce_text_format("%s/campaign.json", campaign->path);
    json_error_t problem;
    const char *name;
    nuce_status status = NUCE_OK;

    campaign->description = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(campaign->description))
        status = nuce_error_set(
            error, NUCE_BAD_INPUT, "%s:%d:%d: not the description of a campaign%s%s", path,
            problem.line > 0 ? problem.line : 1, problem.column > 0 ? problem.column : 1,
            campaign->description == NULL ? ": " : "",
            campaign->description == NULL ? problem.text : "");
    name = json_string_value(json_object_get(campaign->description, "launcher"));
    campaign->launcher = name != NULL ? nuce_launchers_find(name) : &nuce_launcher_local;
    name = json_string_value(json_object_get(campaign->description, "campaign"));
    if (name == NULL || !nuce_text_is_name(name) ||
        !nuce_text_copy(campaign->id, sizeof campaign->id, name))
        memcpy(campaign->id, campaign->name, sizeof campaign->id);
    free(path);
    return status;
}

/* The order matters. The launcher, from the description, decides whether points are measured, and
 * so how many runs the plan wants. The records are looked up in the plan. */
nuce_status nuce_campaign_load(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                               struct nuce_error *error)
{
    if (read_description(campaign, error) != NUCE_OK || read_plan(campaign, error) != NUCE_OK ||
        read_records(campaign, use, error) != NUCE_OK)
        return error->status;
    return NUCE_OK;
}

/* Reads only the records again, because the plan of a campaign never changes. */
nuce_status nuce_campaign_refresh(struct nuce_campaign *campaign, struct nuce_error *error)
{
    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];

        json_decref(point->launches);
        json_decref(point->costs);
        point->launches = point->costs = NULL;
        free(point->message);
        point->message = NULL;
        point->status = NULL;
        point->runs = point->lost = 0;
        point->wall_s = 0;
    }
    campaign->torn_records = campaign->damaged_records = campaign->started_runs = 0;
    campaign->starts_s = 0;
    return read_records(campaign, NUCE_CAMPAIGN_READ, error);
}

/* The campaign's name is that of its folder, which may have been renamed (id). An imported campaign
 * could name any program as its launcher. A file in its folder marks an import, and only the
 * existence of that file counts. */
static nuce_status check_folder(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                                struct nuce_error *error)
{
    const char *base = basename(campaign->path);
    struct timespec ignored;
    struct stat mark;
    char *path;

    if (!nuce_text_is_name(base) || !nuce_text_copy(campaign->name, sizeof campaign->name, base))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s' is not the name of a campaign",
                              campaign->path, base);
    if (!plan_time(campaign->path, ".", &ignored))
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: no plan.jsonl: not a campaign, or one that was only partly created",
            campaign->path);
    path = nuce_text_format("%s/" NUCE_CAMPAIGN_IMPORTED, campaign->path);
    campaign->imported = lstat(path, &mark) == 0;
    error->status = NUCE_OK;
    if (campaign->imported && use != NUCE_CAMPAIGN_READ)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: was imported and is not run here; if you trust it, and its profile, "
                       "remove %s",
                       campaign->path, path);
    free(path);
    return error->status;
}

/* Takes over campaign: it becomes *out, or is freed. The lock comes before the records, so that no
 * process writes records while they are read. */
static nuce_status open_at(struct nuce_campaign *campaign, enum nuce_campaign_use use,
                           struct nuce_campaign *out, struct nuce_error *error)
{
    if (check_folder(campaign, use, error) != NUCE_OK ||
        (use != NUCE_CAMPAIGN_READ && nuce_campaign_lock(campaign, error) != NUCE_OK) ||
        nuce_campaign_load(campaign, use, error) != NUCE_OK) {
        nuce_campaign_fini(campaign);
        return error->status;
    }
    *out = *campaign;
    return NUCE_OK;
}

nuce_status nuce_campaign_open(const char *folder, const char *name, enum nuce_campaign_use use,
                               struct nuce_campaign *out, struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};

    if (nuce_campaign_locate(folder, name, &campaign.path, error) != NUCE_OK)
        return error->status;
    return open_at(&campaign, use, out, error);
}

/* path comes from the job's own folder, so there is no search below a folder of campaigns. */
nuce_status nuce_campaign_open_part(const char *path, const char *part, struct nuce_campaign *out,
                                    struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1, .path = nuce_text_duplicate(path)};

    NUCE_ASSERT(nuce_text_copy(campaign.part, sizeof campaign.part, part));
    return open_at(&campaign, NUCE_CAMPAIGN_RUN, out, error);
}
