/* Importing: unpacked to a hidden folder beside the campaigns, checked there, then renamed. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bundle/bundle.h"
#include "bundle/check.h"
#include "bundle/contents.h"
#include "bundle/folder.h"
#include "bundle/scratch.h"
#include "bundle/unpack.h"
#include "launch/campaign.h"
#include "support/hash.h"
#include "support/safe_file.h"
#include "support/text.h"

/* The folders that every campaign has, which a bundle does not hold when they are empty. */
static const char *const subfolders[] = {"records/", "launches/", "logs/"};

/* Whether the file of that name is the same in both folders. */
static nuce_status compare_file(const char *fresh, const char *there, const char *name, int *same,
                                struct nuce_error *error)
{
    char *a = nuce_text_format(error, "%s/%s", fresh, name);
    char *b = a != NULL ? nuce_text_format(error, "%s/%s", there, name) : NULL;
    char first[NUCE_HASH_BYTES], second[NUCE_HASH_BYTES];

    if (b != NULL && nuce_hash_file(a, first, error) == NUCE_OK &&
        nuce_hash_file(b, second, error) == NUCE_OK) {
        *same = strcmp(first, second) == 0;
        error->status = NUCE_OK;
    }
    free(a);
    free(b);
    return error->status;
}

/* The campaign at there must be the one at fresh, file by file. */
static nuce_status check_same(const char *fresh, const char *there, struct nuce_error *error)
{
    struct nuce_folder_list a = {0}, b = {0};
    nuce_status status = nuce_contents_read(fresh, &a, error);
    const char *different = NULL;

    if (status == NUCE_OK)
        status = nuce_contents_read(there, &b, error);
    for (int64_t i = 0; status == NUCE_OK && different == NULL && (i < a.count || i < b.count);
         i++) {
        const char *first = i < a.count ? a.entries[i].path : NULL;
        const char *second = i < b.count ? b.entries[i].path : NULL;
        int same = first != NULL && second != NULL && strcmp(first, second) == 0;

        if (same)
            status = compare_file(fresh, there, first, &same, error);
        if (!same)
            different =
                first == NULL || (second != NULL && strcmp(second, first) < 0) ? second : first;
    }
    if (status == NUCE_OK && different != NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: a campaign of this name is there and is another one: %s "
                                "differs (--campaigns: into another folder)",
                                there, different);
    nuce_folder_list_fini(&a);
    nuce_folder_list_fini(&b);
    return status;
}

/* Both paths of a campaign; freed by the caller. */
static nuce_status name_paths(const struct nuce_bundle_import *import, const char *unpacked,
                              const char *name, char **fresh, char **there,
                              struct nuce_error *error)
{
    *fresh = nuce_text_format(error, "%s/campaigns/%s", unpacked, name);
    *there = *fresh != NULL ? nuce_text_format(error, "%s/%s", import->folder, name) : NULL;
    return *there != NULL ? NUCE_OK : error->status;
}

/* Nothing is moved before all campaigns are known to have a place. */
static nuce_status check_place(const struct nuce_bundle_import *import, const char *unpacked,
                               const char *name, struct nuce_error *error)
{
    char *fresh = NULL, *there = NULL;
    struct stat status;

    error->status = name_paths(import, unpacked, name, &fresh, &there, error);
    if (error->status == NUCE_OK && lstat(there, &status) == 0)
        error->status = check_same(fresh, there, error);
    free(fresh);
    free(there);
    return error->status;
}

/* The plan is as old as the campaign says it is: "the newest" that other subcommands take where
 * none is named must not be one that was run long ago, elsewhere. What does not work is left. */
static void set_age(const char *folder)
{
    struct nuce_error ignored;
    char *path = nuce_text_format(&ignored, "%s/campaign.json", folder);
    char *plan = nuce_text_format(&ignored, "%s/plan.jsonl", folder);
    json_t *facts = path != NULL ? json_load_file(path, 0, NULL) : NULL;
    const char *created = json_string_value(json_object_get(facts, "created"));
    struct tm parts = {0};
    const char *rest = created != NULL ? strptime(created, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;

    if (plan != NULL && rest != NULL) {
        long milliseconds = rest[0] == '.' ? strtol(rest + 1, NULL, 10) % 1000 : 0;
        struct timespec times[2] = {
            {.tv_nsec = UTIME_OMIT                   },
            { .tv_sec = timegm(&parts), .tv_nsec = labs(milliseconds) * 1000000}
        };

        if (times[1].tv_sec <= time(NULL))
            (void)utimensat(AT_FDCWD, plan, times, AT_SYMLINK_NOFOLLOW);
    }
    json_decref(facts);
    free(plan);
    free(path);
}

/* Says that it is from elsewhere: nothing that it names is started from here on. */
static nuce_status mark(const char *folder, struct nuce_error *error)
{
    return nuce_safe_write(folder, NUCE_CAMPAIGN_IMPORTED, "", 0, error);
}

/* Renames it to its place. Somebody may have been there first, with the same campaign. */
static nuce_status move(const struct nuce_bundle_import *import, const char *unpacked,
                        const char *name, struct nuce_error *error)
{
    char *fresh = NULL, *there = NULL;
    struct stat status;
    int was_there = 0;

    error->status = name_paths(import, unpacked, name, &fresh, &there, error);
    for (size_t i = 0; error->status == NUCE_OK && i < sizeof subfolders / sizeof *subfolders; i++)
        error->status = nuce_folder_make_above(fresh, subfolders[i], error);
    if (error->status == NUCE_OK)
        error->status = mark(fresh, error);
    if (error->status == NUCE_OK) {
        set_age(fresh);
        was_there = lstat(there, &status) == 0;
    }
    if (error->status == NUCE_OK && !was_there && rename(fresh, there) != 0) {
        if (errno == ENOTEMPTY || errno == EEXIST)
            was_there = 1;
        else
            (void)nuce_error_set(error, NUCE_FAILED, "%s: %s", there, strerror(errno));
    }
    if (error->status == NUCE_OK && was_there)
        error->status = check_same(fresh, there, error);
    if (error->status == NUCE_OK)
        import->each(import->context, name, was_there);
    free(fresh);
    free(there);
    return error->status;
}

static nuce_status for_each_campaign(const struct nuce_bundle_import *import, const char *unpacked,
                                     nuce_status (*each)(const struct nuce_bundle_import *,
                                                         const char *, const char *,
                                                         struct nuce_error *),
                                     struct nuce_error *error)
{
    char last[NUCE_CONTENTS_NAME_BYTES] = "", name[NUCE_CONTENTS_NAME_BYTES];
    struct nuce_folder_list files = {0};
    nuce_status status = nuce_folder_read(unpacked, &files, error);

    for (int64_t i = 0; status == NUCE_OK && i < files.count; i++) {
        if (!nuce_contents_campaign(files.entries[i].path, name) || strcmp(name, last) == 0)
            continue;
        memcpy(last, name, sizeof last);
        status = each(import, unpacked, name, error);
    }
    nuce_folder_list_fini(&files);
    return status;
}

/* A campaign that is there must be whole even if the power fails: all of it is on the disk before
 * it gets its name. */
static void synchronise(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (descriptor < 0)
        return;
    (void)syncfs(descriptor);
    (void)close(descriptor);
}

static nuce_status take(const struct nuce_bundle_import *import, const char *scratch,
                        struct nuce_findings *findings, struct nuce_error *error)
{
    struct nuce_bundle_counts counts;
    char *unpacked = nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER, scratch);
    nuce_status status;

    if (unpacked == NULL)
        return error->status;
    status = nuce_unpack(import->path, scratch, &import->limits, findings, error);
    if (status == NUCE_OK)
        status = nuce_check_unpacked(unpacked, &counts, findings, error);
    if (status == NUCE_OK && nuce_findings_of(findings, NUCE_FINDING_ALTERED) > 0)
        status =
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: altered: nothing is imported", import->path);
    else if (status == NUCE_OK && findings->count > 0 && !import->invalid)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: intact, but not valid: nothing is imported (--invalid takes "
                                "it as it is)",
                                import->path);
    if (status == NUCE_OK)
        status = for_each_campaign(import, unpacked, check_place, error);
    if (status == NUCE_OK) {
        synchronise(scratch);
        status = for_each_campaign(import, unpacked, move, error);
        synchronise(import->folder);
    }
    free(unpacked);
    return status;
}

nuce_status nuce_bundle_import(const struct nuce_bundle_import *import,
                               struct nuce_findings *findings, struct nuce_error *error)
{
    struct nuce_scratch scratch;
    int made = mkdir(import->folder, 0777) == 0;
    nuce_status status;

    if (!made && errno != EEXIST)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", import->folder, strerror(errno));
    status = nuce_scratch_make(import->folder, ".import-", &scratch, error);
    if (status == NUCE_OK) {
        status = take(import, scratch.path, findings, error);
        nuce_scratch_remove(&scratch);
    }
    if (made && status != NUCE_OK)
        (void)rmdir(import->folder);
    return status;
}
