#include "bundle/contents.h"

#include <stdlib.h>
#include <string.h>

#include "bundle/bundle.h"
#include "launch/campaign.h"
#include "support/text.h"

#define CAMPAIGNS "campaigns/"
#define RECORDS "records/"

static const char *const needed[] = {"campaign.json", "plan.jsonl", "sweep.yaml"};
static const char *const possible[] = {NUCE_PLATFORM_FILE, NUCE_PLATFORM_HOSTS,
                                       NUCE_PLATFORM_FACTS};

static int is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return 1;
    }
    return 0;
}

/* Whether path, below a campaign's folder, is one that a bundle holds. */
static int is_of_campaign(const char *path)
{
    if (strncmp(path, RECORDS, strlen(RECORDS)) == 0)
        return nuce_campaign_is_record_file(path + strlen(RECORDS));
    return is_one_of(path, needed, sizeof needed / sizeof *needed) ||
           is_one_of(path, possible, sizeof possible / sizeof *possible);
}

int nuce_contents_campaign(const char *path, char *out)
{
    const char *name = path + strlen(CAMPAIGNS);
    size_t length;

    if (strncmp(path, CAMPAIGNS, strlen(CAMPAIGNS)) != 0)
        return 0;
    length = strcspn(name, "/");
    if (name[length] != '/' || length >= NUCE_CONTENTS_NAME_BYTES)
        return 0;
    memcpy(out, name, length);
    out[length] = '\0';
    return nuce_text_is_name(out);
}

int nuce_contents_is_path(const char *path)
{
    char name[NUCE_CONTENTS_NAME_BYTES];

    if (strcmp(path, NUCE_BUNDLE_SUMS) == 0 || strcmp(path, NUCE_BUNDLE_MANIFEST) == 0)
        return 1;
    return nuce_contents_campaign(path, name) &&
           is_of_campaign(path + strlen(CAMPAIGNS) + strlen(name) + 1);
}

/* Whether the entry belongs to the bundle. Files of records/ that are none of nuce's are refused
 * where collect would read them: the bundle would not give the same database. */
static nuce_status judge(const char *folder, const struct nuce_folder_entry *entry, int *is_taken,
                         struct nuce_error *error)
{
    const char *name =
        strncmp(entry->path, RECORDS, strlen(RECORDS)) == 0 ? entry->path + strlen(RECORDS) : NULL;
    const char *ending = name != NULL ? strrchr(name, '.') : NULL;

    *is_taken = is_of_campaign(entry->path);
    if (*is_taken && !entry->is_file)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s/%s: not a file but a link or such", folder,
                              entry->path);
    if (!*is_taken && name != NULL && name[0] != '.' && ending != NULL &&
        strcmp(ending, ".jsonl") == 0 && strchr(name, '/') == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s/%s: a bundle holds record files called by letters, digits, '.', "
                              "'_' and '-' only",
                              folder, entry->path);
    return NUCE_OK;
}

static nuce_status check_needed(const char *folder, const struct nuce_folder_list *list,
                                struct nuce_error *error)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        int found = 0;

        for (int64_t j = 0; j < list->count; j++)
            found |= strcmp(list->entries[j].path, needed[i]) == 0;
        if (!found)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s/%s: not there: not a whole campaign",
                                  folder, needed[i]);
    }
    return NUCE_OK;
}

nuce_status nuce_contents_read(const char *path, struct nuce_folder_list *out,
                               struct nuce_error *error)
{
    struct nuce_folder_list list = {0};
    int64_t kept = 0;
    nuce_status status = nuce_folder_read(path, &list, error);

    for (int64_t i = 0; status == NUCE_OK && i < list.count; i++) {
        struct nuce_folder_entry entry = list.entries[i];
        int is_taken = 0;

        status = judge(path, &entry, &is_taken, error);
        list.entries[i] = list.entries[kept]; /* swapped, so that each is freed once */
        list.entries[kept] = entry;
        kept += is_taken;
    }
    if (status == NUCE_OK) {
        for (int64_t i = kept; i < list.count; i++)
            free(list.entries[i].path);
        list.count = kept;
        status = check_needed(path, &list, error);
    }
    if (status != NUCE_OK) {
        nuce_folder_list_fini(&list);
        return status;
    }
    *out = list;
    return NUCE_OK;
}
