/* Makes the folder of a campaign. The plan is written last. Without it a folder is not a campaign,
 * so an interruption leaves nothing that looks like one. Also makes campaigns in memory only, for
 * `nuce plan` and dry runs, which put the same questions to their points.
 *
 * Order of making: the folder, by the next free number; its lock; subfolders; the sweep as read; a
 * simulated machine; campaign.json; copies of input files, and the plan. On failure all of it is
 * removed again, so that a sweep that cannot run uses up no number. Later nuce writes only records,
 * logs, and files for Slurm's jobs. */
#include <errno.h>
#include <libgen.h>
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

/* Folders in a new campaign, removed if making it fails. */
static const char *const subfolders[] = {"records", "launches", "logs"};
static const char *const files[] = {
    "sweep.yaml",       "campaign.json",     "plan.jsonl",       "lock",
    NUCE_PLATFORM_FILE, NUCE_PLATFORM_HOSTS, NUCE_PLATFORM_FACTS};

/* The largest K of the existing folders NAME.K and of those taken elsewhere; 0: there is none. A
 * number may be used again only if no higher one exists. */
static int64_t last_number(const char *folder, const struct nuce_config *config)
{
    const char *name = config->sweep.name;
    size_t length = strlen(name);
    struct nuce_folder campaigns;
    struct nuce_error ignored;
    int64_t last = config->taken;

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

/* Nothing is made, so that a command that is refused later leaves no folder. */
nuce_status nuce_campaign_check_folder(const char *folder, struct nuce_error *error)
{
    char *inside = nuce_text_format("%s/.", folder), *copy = nuce_text_duplicate(folder);
    char *above = nuce_text_format("%s/.", dirname(copy));

    error->status = NUCE_OK;
    if (access(inside, W_OK | X_OK) != 0 && (errno != ENOENT || access(above, W_OK | X_OK) != 0))
        nuce_error_set(error, NUCE_BAD_INPUT, "--campaigns: %s: %s", folder, strerror(errno));
    free(above);
    free(copy);
    free(inside);
    return error->status;
}

/* mkdir either makes the folder or fails because it exists, so no two campaigns share one. The
 * number is only a start: numbers that another process takes meanwhile are skipped. */
static nuce_status campaign_make_folder(const char *folder, const struct nuce_config *config,
                                        struct nuce_campaign *out, struct nuce_error *error)
{
    if (nuce_campaign_check_folder(folder, error) != NUCE_OK)
        return error->status;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
    for (int64_t number = last_number(folder, config) + 1; number <= MOST_CAMPAIGNS; number++) {
        out->path = nuce_text_format("%s/%s.%lld", folder, config->sweep.name, (long long)number);
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
                          MOST_CAMPAIGNS, config->sweep.name);
}

char *nuce_campaign_next_path(const char *folder, const struct nuce_config *config)
{
    return nuce_text_format("%s/%s.%lld", folder, config->sweep.name,
                            (long long)last_number(folder, config) + 1);
}

/* Undoes the creation. Removes only names that nuce makes, so no other file is lost. kept: the
 * copies of input files (nuce_inputs_keep). A folder without a plan is not a campaign, so a
 * remaining folder does no harm. Folders come last: rmdir removes only empty ones, so files of
 * others stay. */
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

/* Writes campaign.json: the facts about the campaign other than its points, and how to run it, from
 * the caller's configuration. The file is frozen: `resume` uses it without asking again. "profile"
 * is absent if it is NULL, on this machine. */
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

/* Writes the plan. Each line names the copies of its files. All lines are printed before the file
 * is written, so that a file that cannot be copied leaves no plan. kept collects the copies, also
 * on failure. */
static nuce_status write_plan(const struct nuce_campaign *campaign, const struct nuce_plan *plan,
                              json_t *kept, struct nuce_error *error)
{
    struct nuce_text_print lines;
    nuce_status status = NUCE_OK;

    nuce_text_print_begin(&lines);
    for (int64_t i = 0; status == NUCE_OK && i < plan->count; i++) {
        json_t *own = nuce_inputs_keep(campaign->path, plan->points[i].line, kept, error);

        status = own != NULL ? NUCE_OK : error->status;
        nuce_jsonl_print(own, lines.file);
        json_decref(own);
    }
    nuce_text_print_end(&lines);
    if (status == NUCE_OK)
        status = nuce_safe_write(campaign->path, "plan.jsonl", lines.text, lines.length, error);
    free(lines.text);
    return status;
}

/* Makes the subfolders at once, so that readers of a campaign need no check for them. Copies a
 * simulated machine, so that a resume simulates the same one. At the end the usual code reads the
 * campaign back. It is then the same in memory whether it runs now or is resumed. */
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

    if (campaign_make_folder(folder, config, &campaign, error) != NUCE_OK)
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

/* Makes points as in the plan, with one more reference to each line; copies no files. Reads, makes
 * and locks nothing. There are no records, so each point lacks all its launches; there is no by_id,
 * so points cannot be found by their id. */
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
    memcpy(out->id, out->name, sizeof out->id);
}
