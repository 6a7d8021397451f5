/* Making the folder of a campaign. The plan is written last: without it there is no campaign, so
 * whatever cuts this off leaves a folder that nothing takes for one. Also campaigns that are only
 * imagined, for `nuce plan` and dry runs, whose points are asked the same questions.
 *
 * Order of making: the folder, by the next free number; its lock; subfolders; the sweep as it was
 * read; a simulated machine; campaign.json; copies of input files, and the plan. On failure all of
 * it is removed again, so that a sweep that cannot be run leaves no number behind. Nothing of a
 * campaign that is made is written again but records, logs, and what Slurm's jobs need. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/campaign.h"
#include "campaigns/inputs.h"

/* Six digits: NAME.K with them is still a valid name (LONGEST_NAME in campaigns/sweep.c). */
#define MOST_CAMPAIGNS 999999

/* What may be in a new folder, and so is removed when making it fails. */
static const char *const subfolders[] = {"records", "launches", "logs"};
static const char *const files[] = {
    "sweep.yaml",       "campaign.json",     "plan.jsonl",       "lock",
    NUCE_PLATFORM_FILE, NUCE_PLATFORM_HOSTS, NUCE_PLATFORM_FACTS};

/* The largest K of the folders NAME.K there are. 0: there is none. Numbers are not used again as
 * long as a higher one is there. */
static long last_number(const char *folder, const char *name)
{
    size_t length = strlen(name);
    struct nuce_folder campaigns;
    struct nuce_error ignored;
    long last = 0;

    nuce_folder_read(&campaigns, &ignored, "%s", folder);
    for (int i = 0; i < campaigns.count; i++) {
        const char *other = campaigns.entries[i]->d_name;
        char *end;
        long number;

        if (strncmp(other, name, length) != 0 || other[length] != '.')
            continue;
        number = strtol(other + length + 1, &end, 10);
        if (*end == '\0' && number > last && number <= MOST_CAMPAIGNS)
            last = number;
    }
    nuce_folder_fini(&campaigns);
    return last;
}

/* mkdir either makes the folder or says that somebody else has: no two campaigns share one. The
 * number is only where to begin: one that somebody takes meanwhile is passed over. */
static nuce_status campaign_make_folder(const char *folder, const char *name,
                                        struct nuce_campaign *out, struct nuce_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
    for (long number = last_number(folder, name) + 1; number <= MOST_CAMPAIGNS; number++) {
        out->path = nuce_text_format("%s/%s.%ld", folder, name, number);
        if (mkdir(out->path, 0777) == 0) {
            /* A sweep's name leaves room for the number. */
            NUCE_ASSERT(nuce_text_copy(out->name, sizeof out->name, strrchr(out->path, '/') + 1));
            return NUCE_OK;
        }
        error->status = NUCE_OK;
        if (errno != EEXIST)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", out->path, strerror(errno));
        free(out->path);
        out->path = NULL;
        if (error->status != NUCE_OK)
            return error->status;
    }
    return nuce_error_set(error, NUCE_FAILED, "%s: more than %d campaigns called %s", folder,
                          MOST_CAMPAIGNS, name);
}

char *nuce_campaign_next_path(const char *folder, const char *name)
{
    return nuce_text_format("%s/%s.%ld", folder, name, last_number(folder, name) + 1);
}

/* Undoes what was made; only names of ours, so nothing else can be lost. kept: the copies of input
 * files (nuce_inputs_keep). What cannot be removed stays: a folder without a plan is no campaign.
 * Folders come last: rmdir takes only empty ones, so what somebody else has put there stays. */
static void remove_folder(const struct nuce_campaign *campaign, const json_t *kept)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = nuce_text_format("%s/%s", campaign->path, files[i]);

        unlink(path);
        free(path);
    }
    nuce_inputs_remove(campaign->path, kept);
    for (size_t i = 0; i < sizeof subfolders / sizeof *subfolders; i++) {
        char *path = nuce_text_format("%s/%s", campaign->path, subfolders[i]);

        rmdir(path);
        free(path);
    }
    rmdir(campaign->path);
}

/* campaign.json: what is known of the campaign beside its points, and how it is run, from what the
 * caller has set in the configuration: that is frozen here, and `resume` does not ask again.
 * "profile" is left out where it is NULL, on this machine. */
static nuce_status write_description(const struct nuce_campaign *campaign,
                                     const struct nuce_config *config, json_t *profile,
                                     struct nuce_error *error)
{
    const struct nuce_launcher_ops *launcher = profile != NULL             ? &nuce_launcher_slurm
                                               : config->simulated != NULL ? &nuce_launcher_smpi
                                               : config->is_modelled       ? &nuce_launcher_model
                                                                           : &nuce_launcher_local;
    char now[NUCE_TIME_BYTES];
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:O, s:s, s:O*}", "campaign", campaign->name,
        "name", config->sweep.name, "created", nuce_record_time_now(now), "workload",
        config->sweep.workload->name, "sweep_sha256", config->sweep.sha256, "points",
        (json_int_t)config->plan.count, "launches", (json_int_t)config->sweep.measure.launches,
        "seed", (json_int_t)config->sweep.seed, "slurm", config->sweep.slurm, "launcher",
        launcher->name, "profile", profile);
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_SORT_KEYS);
    nuce_status status =
        nuce_safe_write(campaign->path, "campaign.json", text, strlen(text), error);

    json_decref(object);
    free(text);
    return status;
}

/* Each line has the names of the copies that are kept of its files. All lines are printed before
 * the file is written, so that a file that cannot be copied leaves no plan. kept collects the
 * copies, also on failure. */
static nuce_status write_plan(const struct nuce_campaign *campaign, const struct nuce_plan *plan,
                              json_t *kept, struct nuce_error *error)
{
    struct nuce_text_print lines;
    nuce_status status = nuce_text_print_begin(&lines, error);

    for (int64_t i = 0; status == NUCE_OK && i < plan->count; i++) {
        json_t *own = nuce_inputs_keep(campaign->path, plan->points[i].line, kept, error);

        status = own != NULL ? NUCE_OK : error->status;
        nuce_jsonl_print(own, lines.file);
        json_decref(own);
    }
    status = nuce_text_print_end(&lines, status, error);
    if (status == NUCE_OK)
        status = nuce_safe_write(campaign->path, "plan.jsonl", lines.text, lines.length, error);
    free(lines.text);
    return status;
}

/* Subfolders are made at once, so that what reads a campaign need not ask whether they are there. A
 * simulated machine is a copy, so that a resume simulates the same one. What was written is read
 * back at the end by the code that opens any campaign, so that a campaign that is run at once and
 * one that is resumed are the same in memory. */
nuce_status nuce_campaign_create(const char *folder, const struct nuce_config *config,
                                 json_t *profile, struct nuce_campaign *out,
                                 struct nuce_error *error)
{
    const struct nuce_machine_files none = {NULL}, *machine = config->simulated != NULL
                                                                  ? config->simulated
                                                                  : &none;
    const struct {
        const char *name, *text;
    } texts[] = {{NUCE_PLATFORM_FILE, machine->platform},
                 {NUCE_PLATFORM_HOSTS, machine->hosts},
                 {NUCE_PLATFORM_FACTS, machine->facts}};
    struct nuce_campaign campaign = {.lock = -1};
    json_t *kept;

    if (campaign_make_folder(folder, config->sweep.name, &campaign, error) != NUCE_OK)
        return error->status;
    kept = json_object();
    error->status = nuce_campaign_lock(&campaign, error);
    for (size_t i = 0; error->status == NUCE_OK && i < sizeof subfolders / sizeof *subfolders;
         i++) {
        char *path = nuce_text_format("%s/%s", campaign.path, subfolders[i]);

        if (mkdir(path, 0777) != 0)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        free(path);
    }
    if (error->status == NUCE_OK)
        error->status =
            nuce_safe_write(campaign.path, "sweep.yaml", config->text, config->length, error);
    for (size_t i = 0; error->status == NUCE_OK && i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text != NULL)
            error->status = nuce_safe_write(campaign.path, texts[i].name, texts[i].text,
                                            strlen(texts[i].text), error);
    }
    if (error->status != NUCE_OK ||
        write_description(&campaign, config, profile, error) != NUCE_OK ||
        write_plan(&campaign, &config->plan, kept, error) != NUCE_OK ||
        nuce_campaign_load(&campaign, NUCE_CAMPAIGN_RUN, error) != NUCE_OK) {
        remove_folder(&campaign, kept);
        nuce_campaign_fini(&campaign);
        json_decref(kept);
        return error->status;
    }
    json_decref(kept);
    *out = campaign;
    return NUCE_OK;
}

/* Points as the plan has them, with their lines borrowed by a reference more; files that they name
 * are not copied. Nothing is read, made or locked: no records, so every point lacks all its
 * launches; no by_id, so points cannot be found by their id. */
void nuce_campaign_imagine(const char *path, const struct nuce_config *config,
                           struct nuce_campaign *out)
{
    const struct nuce_plan *plan = &config->plan;
    const char *name = strrchr(path, '/');

    *out = (struct nuce_campaign){.lock = -1, .path = nuce_text_duplicate(path)};
    out->points = nuce_allocate(plan->count, sizeof *out->points);
    for (; out->count < plan->count; out->count++) {
        const struct nuce_planned *planned = &plan->points[out->count];
        struct nuce_campaign_point *point = &out->points[out->count];

        memcpy(point->id, planned->id, sizeof point->id);
        point->ranks = planned->ranks;
        point->workload = config->sweep.workload;
        point->line = json_incref(planned->line);
    }
    nuce_campaign_number(out);
    nuce_text_copy(out->name, sizeof out->name, name != NULL ? name + 1 : path);
}
