/* Which files a bundle has, and their checksums. Two tables say it, for making and for reading
 * alike: names in a campaign's folder (campaign_files), and folders in which names of a kind are
 * taken (campaign_folders). What is in neither is not bundled, and not unpacked either: no path of
 * an archive is ever made safe, it is one of these or refused.
 *
 * Order: which paths there are; collecting those of a campaign; reading the file of checksums;
 * sorting, comparing and going through lists of files. Lists are sorted by path before they are
 * compared, which makes the order of a bundle's entries, too. */
#include "bundle/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/bundle.h"
#include "bundle/patterns.h"
#include "db/collect.h"
#include "launch/campaign.h"
#include "launch/inputs.h"
#include "support/allocate.h"
#include "support/folder.h"
#include "support/text.h"
#include "support/text_file.h"

/* All campaigns of a bundle are below this folder. */
#define CAMPAIGNS "campaigns/"
/* Of a SHA-256 in hexadecimal. */
#define DIGITS (NUCE_HASH_BYTES - 1)

/* Those of a campaign in its own folder; any may be missing. */
static const char *const campaign_files[] = {
    "campaign.json",     "plan.jsonl",        "sweep.yaml",      NUCE_PLATFORM_FILE,
    NUCE_PLATFORM_HOSTS, NUCE_PLATFORM_FACTS, NUCE_PATTERNS_FILE};

enum { CAMPAIGN_FILES = sizeof campaign_files / sizeof *campaign_files };

/* What a job notes when its prologue failed (slurm/prologue.sh). */
static int is_note_file(const char *name)
{
    size_t length = strlen(name), ending = strlen(NUCE_NOTE_ENDING);

    return nuce_text_is_name(name) && length > ending &&
           strcmp(name + length - ending, NUCE_NOTE_ENDING) == 0;
}

/* And in folders of it: those that are called so. */
static const struct {
    const char *folder;
    int (*is_name)(const char *name);
} campaign_folders[] = {
    {NUCE_BUNDLE_RECORDS, nuce_campaign_is_record_file},
    {NUCE_BUNDLE_NOTES, is_note_file},
};

enum { CAMPAIGN_FOLDERS = sizeof campaign_folders / sizeof *campaign_folders };

/* Whether path, in a campaign's folder, is one of a bundle. */
static int is_of_campaign(const char *path)
{
    int i = 0;

    for (int k = 0; k < CAMPAIGN_FOLDERS; k++) {
        size_t length = strlen(campaign_folders[k].folder);

        if (strncmp(path, campaign_folders[k].folder, length) == 0)
            return campaign_folders[k].is_name(path + length);
    }
    while (i < CAMPAIGN_FILES && strcmp(campaign_files[i], path) != 0)
        i++;
    return i < CAMPAIGN_FILES || nuce_inputs_is_name(path);
}

int nuce_bundle_is_path(const char *path, char *campaign)
{
    const char *name = path + strlen(CAMPAIGNS);
    size_t length;

    campaign[0] = '\0';
    if (strncmp(path, CAMPAIGNS, strlen(CAMPAIGNS)) != 0)
        return strcmp(path, NUCE_BUNDLE_SUMS) == 0 || strcmp(path, NUCE_BUNDLE_SIGNATURE) == 0;
    length = strcspn(name, "/");
    if (name[length] != '/' || length >= NUCE_BUNDLE_NAME_BYTES)
        return 0;
    memcpy(campaign, name, length);
    campaign[length] = '\0';
    return nuce_text_is_name(campaign) && is_of_campaign(name + length + 1);
}

/* path is one of a campaign (nuce_bundle_is_path). */
const char *nuce_bundle_name_in_campaign(const char *path)
{
    return strchr(path + strlen(CAMPAIGNS), '/') + 1;
}

/* Adds a file with its checksum. Both are copied. */
static nuce_status sums_add_file(struct nuce_bundle_files *files, const char *path,
                                 const char *sha256, struct nuce_error *error)
{
    void *list = files->list;
    struct nuce_bundle_file file = {.path = nuce_text_format(error, "%s", path)};

    if (file.path == NULL)
        return error->status;
    (void)nuce_text_copy(file.sha256, sizeof file.sha256, sha256);
    if (nuce_allocate_more(&list, &files->capacity, files->count + 1, sizeof file, error) !=
        NUCE_OK) {
        free(file.path);
        return error->status;
    }
    files->list = list;
    files->list[files->count++] = file;
    return NUCE_OK;
}

/* A link is refused, not followed: it could lead anywhere on the machine of who makes the
 * bundle. */
nuce_status nuce_bundle_add_file(struct nuce_bundle_files *files, const char *source,
                                 const char *path, struct nuce_error *error)
{
    char sha256[NUCE_HASH_BYTES];
    struct stat there;

    if (lstat(source, &there) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", source, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a file but a link or such", source);
    if (nuce_hash_file(source, sha256, error) != NUCE_OK)
        return error->status;
    return sums_add_file(files, path, sha256, error);
}

/* Adds PATH/FOLDER+NAME as campaigns/CAMPAIGN/FOLDER+NAME, if it is there. folder ends in a slash,
 * or is "". */
static nuce_status add_if_there(struct nuce_bundle_files *files, const char *path,
                                const char *campaign, const char *folder, const char *name,
                                struct nuce_error *error)
{
    char *source = nuce_text_format(error, "%s/%s%s", path, folder, name);
    char *target = nuce_text_format(error, CAMPAIGNS "%s/%s%s", campaign, folder, name);
    nuce_status status = source != NULL && target != NULL ? NUCE_OK : error->status;
    struct stat there;

    if (status == NUCE_OK && lstat(source, &there) == 0)
        status = nuce_bundle_add_file(files, source, target, error);
    free(source);
    free(target);
    return status;
}

/* Those of PATH/inputs/HASH. An input lies in a folder that is called as its content's hash
 * (launch/inputs.h). */
static nuce_status add_hash(struct nuce_bundle_files *files, const char *path, const char *name,
                            const char *hash, struct nuce_error *error)
{
    struct nuce_folder inputs;
    nuce_status status =
        nuce_folder_read(&inputs, error, "%s/" NUCE_INPUTS_FOLDER "/%s", path, hash);

    for (int i = 0; i < inputs.count && status == NUCE_OK; i++) {
        char *input =
            nuce_text_format(error, NUCE_INPUTS_FOLDER "/%s/%s", hash, inputs.entries[i]->d_name);

        if (input == NULL)
            status = error->status;
        else if (nuce_inputs_is_name(input))
            status = add_if_there(files, path, name, "", input, error);
        free(input);
    }
    nuce_folder_fini(&inputs);
    return status;
}

/* The copies that the campaign keeps of its points' files. */
static nuce_status add_inputs(struct nuce_bundle_files *files, const char *path, const char *name,
                              struct nuce_error *error)
{
    struct nuce_folder hashes;
    nuce_status status = nuce_folder_read(&hashes, error, "%s/" NUCE_INPUTS_FOLDER, path);

    for (int i = 0; i < hashes.count && status == NUCE_OK; i++)
        status = add_hash(files, path, name, hashes.entries[i]->d_name, error);
    nuce_folder_fini(&hashes);
    return status;
}

/* Those of the folder, if it is there, that are called as is_name wants it. */
static nuce_status add_folder(struct nuce_bundle_files *files, const char *path, const char *name,
                              const char *folder, int (*is_name)(const char *name),
                              struct nuce_error *error)
{
    struct nuce_folder there;
    nuce_status status = nuce_folder_read(&there, error, "%s/%s", path, folder);

    for (int i = 0; i < there.count && status == NUCE_OK; i++) {
        if (is_name(there.entries[i]->d_name))
            status = add_if_there(files, path, name, folder, there.entries[i]->d_name, error);
    }
    nuce_folder_fini(&there);
    return status;
}

nuce_status nuce_bundle_add_campaign(struct nuce_bundle_files *files, const char *path,
                                     const char *name, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < CAMPAIGN_FILES; i++)
        status = add_if_there(files, path, name, "", campaign_files[i], error);
    if (status == NUCE_OK)
        status = add_inputs(files, path, name, error);
    for (int i = 0; status == NUCE_OK && i < CAMPAIGN_FOLDERS; i++)
        status = add_folder(files, path, name, campaign_folders[i].folder,
                            campaign_folders[i].is_name, error);
    return status;
}

/* Changes line, which it cuts in two. The format of sha256sum(1). */
static nuce_status sums_add_line(struct nuce_bundle_files *files, char *line,
                                 struct nuce_error *error)
{
    char campaign[NUCE_BUNDLE_NAME_BYTES];

    if (strspn(line, "0123456789abcdef") != DIGITS || strncmp(line + DIGITS, "  ", 2) != 0 ||
        !nuce_bundle_is_path(line + DIGITS + 2, campaign))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "not a line 'SHA-256, two blanks, name of a file of a bundle'");
    line[DIGITS] = '\0';
    return sums_add_file(files, line + DIGITS + 2, line, error);
}

nuce_status nuce_bundle_add_sums(struct nuce_bundle_files *files, const char *path,
                                 struct nuce_error *error)
{
    char *text = NULL, *rest, *line;
    int64_t number = 0;
    nuce_status status = nuce_text_read(path, &text, NULL, error);

    rest = text;
    /* Up to the first empty line, which is the end of the file. */
    while (status == NUCE_OK && (line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
        number++;
        status = sums_add_line(files, line, error);
        if (status == NUCE_BAD_INPUT)
            status = nuce_error_prefix(error, NUCE_BUNDLE_SUMS ":%lld:1", (long long)number);
    }
    free(text);
    return status;
}

/* By bytes, in any locale: the same files make the same bundle everywhere. */
static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct nuce_bundle_file *)a)->path,
                  ((const struct nuce_bundle_file *)b)->path);
}

void nuce_bundle_sort(struct nuce_bundle_files *files)
{
    if (files->count > 0)
        qsort(files->list, (size_t)files->count, sizeof *files->list, by_path);
}

nuce_status nuce_bundle_compare(
    const struct nuce_bundle_files *was, const struct nuce_bundle_files *is,
    nuce_status (*each)(void *context, const struct nuce_bundle_file *was,
                        const struct nuce_bundle_file *is, struct nuce_error *error),
    void *context, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int64_t i = 0, j = 0;

    while (status == NUCE_OK && (i < was->count || j < is->count)) {
        const struct nuce_bundle_file *a = i < was->count ? &was->list[i] : NULL;
        const struct nuce_bundle_file *b = j < is->count ? &is->list[j] : NULL;
        int order = a == NULL ? 1 : b == NULL ? -1 : by_path(a, b);

        i += order <= 0;
        j += order >= 0;
        if (order != 0)
            status = each(context, order < 0 ? a : NULL, order > 0 ? b : NULL, error);
        else if (strcmp(a->sha256, b->sha256) != 0)
            status = each(context, a, b, error);
    }
    return status;
}

/* Files are sorted by path, so those of a campaign are neighbours. Leaves *at behind them. */
int nuce_bundle_next_campaign(const struct nuce_bundle_files *files, int64_t *at, char *name)
{
    char other[NUCE_BUNDLE_NAME_BYTES];

    if (*at >= files->count)
        return 0;
    (void)nuce_bundle_is_path(files->list[*at].path, name);
    do {
        (*at)++;
    } while (*at < files->count && nuce_bundle_is_path(files->list[*at].path, other) &&
             strcmp(other, name) == 0);
    return 1;
}

void nuce_bundle_files_fini(struct nuce_bundle_files *files)
{
    for (int64_t i = 0; i < files->count; i++)
        free(files->list[i].path);
    free(files->list);
    *files = (struct nuce_bundle_files){0};
}
