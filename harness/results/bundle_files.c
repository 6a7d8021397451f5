/* The files of a bundle, and their checksums. One function defines them for both writing and
 * reading (is_of_campaign). Other files are neither bundled nor unpacked: a path in an archive is
 * never made safe, but is in this list or refused. */
#include "results/bundle_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/campaign.h"
#include "campaigns/inputs.h"
#include "db/collect.h"

/* All campaigns of a bundle are below this folder. */
#define CAMPAIGNS "campaigns/"
/* Folders of a campaign: records, and notes of jobs whose prologue failed (slurm/prologue.sh). */
#define RECORDS "records/"
#define NOTES "jobs/"
#define INPUTS NUCE_INPUTS_FOLDER "/"

/* True if path, in a campaign's folder, belongs into a bundle. */
static int is_of_campaign(const char *path)
{
    static const char *const names[] = {"campaign.json",     "plan.jsonl",
                                        "sweep.yaml",        NUCE_PLATFORM_FILE,
                                        NUCE_PLATFORM_HOSTS, NUCE_PLATFORM_FACTS};

    if (strncmp(path, RECORDS, strlen(RECORDS)) == 0)
        return nuce_campaign_is_record_file(path + strlen(RECORDS));
    if (strncmp(path, NOTES, strlen(NOTES)) == 0)
        return nuce_text_is_name(path + strlen(NOTES)) && nuce_text_ends(path, NUCE_NOTE_ENDING);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], path) == 0)
            return 1;
    }
    return nuce_inputs_is_name(path);
}

int nuce_bundle_is_path(const char *path, char *campaign)
{
    const char *name = path + strlen(CAMPAIGNS);
    size_t length;

    campaign[0] = '\0';
    if (strncmp(path, CAMPAIGNS, strlen(CAMPAIGNS)) != 0)
        return strcmp(path, NUCE_BUNDLE_SUMS) == 0;
    length = strcspn(name, "/");
    if (name[length] != '/' || length >= NUCE_BUNDLE_NAME_BYTES)
        return 0;
    memcpy(campaign, name, length);
    campaign[length] = '\0';
    return nuce_text_is_name(campaign) && is_of_campaign(name + length + 1);
}

/* path belongs to a campaign (nuce_bundle_is_path). */
static void files_put(json_t *files, const char *path, const char *sha256)
{
    char campaign[NUCE_BUNDLE_NAME_BYTES];

    if (!nuce_bundle_is_path(path, campaign) || campaign[0] == '\0')
        return;
    if (json_object_get(files, campaign) == NULL)
        json_object_set_new(files, campaign, json_object());
    json_object_set_new(json_object_get(files, campaign),
                        path + strlen(CAMPAIGNS) + strlen(campaign) + 1, json_string(sha256));
}

/* A link is refused, not followed: it could lead to any file of the user who makes the bundle. */
nuce_status nuce_bundle_add_file(json_t *files, const char *source, const char *path,
                                 struct nuce_error *error)
{
    char sha256[NUCE_HASH_BYTES];
    struct stat there;

    if (lstat(source, &there) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", source, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a regular file", source);
    if (nuce_hash_file(source, sha256, error) != NUCE_OK)
        return error->status;
    files_put(files, path, sha256);
    return NUCE_OK;
}

/* Adds the files of a bundle in PATH/below; below ends in a slash, or is "". The folder of an input
 * has its content's hash as its name (campaigns/inputs.h). */
static nuce_status add_folder(json_t *files, const char *path, const char *campaign,
                              const char *below, struct nuce_error *error)
{
    int holds_folders = strcmp(below, INPUTS) == 0;
    struct nuce_folder there;

    error->status = nuce_folder_read(&there, error, "%s/%s", path, below);
    for (int i = 0; i < there.count && error->status == NUCE_OK; i++) {
        char *name =
            nuce_text_format("%s%s%s", below, there.entries[i]->d_name, holds_folders ? "/" : "");
        char *source = nuce_text_format("%s/%s", path, name);
        char *target = nuce_text_format(CAMPAIGNS "%s/%s", campaign, name);

        if (holds_folders)
            error->status = add_folder(files, path, campaign, name, error);
        else if (is_of_campaign(name))
            error->status = nuce_bundle_add_file(files, source, target, error);
        free(name);
        free(source);
        free(target);
    }
    nuce_folder_fini(&there);
    return error->status;
}

nuce_status nuce_bundle_add_campaign(json_t *files, const char *path, const char *name,
                                     struct nuce_error *error)
{
    static const char *const folders[] = {"", INPUTS, NOTES, RECORDS};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (add_folder(files, path, name, folders[i], error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Reads up to the first empty line, which is the end of the file. The format is that of
 * sha256sum(1). */
nuce_status nuce_bundle_add_sums(json_t *files, const char *path, struct nuce_error *error)
{
    enum { DIGITS = NUCE_HASH_BYTES - 1 };
    char *text = NULL, *rest, *line, campaign[NUCE_BUNDLE_NAME_BYTES];
    int64_t number = 0;
    nuce_status status = nuce_text_read(path, &text, NULL, error);

    rest = text;
    while (status == NUCE_OK && (line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
        number++;
        if (strspn(line, "0123456789abcdef") == DIGITS && strncmp(line + DIGITS, "  ", 2) == 0 &&
            nuce_bundle_is_path(line + DIGITS + 2, campaign)) {
            line[DIGITS] = '\0';
            files_put(files, line + DIGITS + 2, line);
            continue;
        }
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                NUCE_BUNDLE_SUMS ":%lld:1: not a line 'SHA-256, two blanks, name "
                                                 "of a file of a bundle'",
                                (long long)number);
    }
    free(text);
    return status;
}

/* Visits the files of one list that differ from the other, or, with only_missing, that the other
 * lacks. */
static void compare_with(json_t *list, json_t *other, int only_missing,
                         void (*each)(void *context, const char *path, const char *was,
                                      const char *is),
                         void *context)
{
    const char *campaign, *name;
    json_t *of, *value;

    json_object_foreach(list, campaign, of)
    {
        json_object_foreach(of, name, value)
        {
            const char *sha256 = json_string_value(value);
            const char *there =
                json_string_value(json_object_get(json_object_get(other, campaign), name));
            char *path;

            if (there != NULL && (only_missing || strcmp(sha256, there) == 0))
                continue;
            path = nuce_text_format(CAMPAIGNS "%s/%s", campaign, name);
            each(context, path, only_missing ? NULL : sha256, only_missing ? sha256 : there);
            free(path);
        }
    }
}

void nuce_bundle_compare(json_t *was, json_t *is,
                         void (*each)(void *context, const char *path, const char *was,
                                      const char *is),
                         void *context)
{
    compare_with(was, is, 0, each, context);
    compare_with(is, was, 1, each, context);
}
