#include "bundle/folder.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/text.h"

static int by_path(const void *a, const void *b)
{
    const struct nuce_folder_entry *first = a, *second = b;

    return strcmp(first->path, second->path);
}

static nuce_status add_entry(struct nuce_folder_list *list, const char *path, int is_file,
                             struct nuce_error *error)
{
    void *entries = list->entries;
    char *copy;

    if (nuce_grow(&entries, &list->capacity, list->count + 1, sizeof *list->entries, error) !=
        NUCE_OK)
        return error->status;
    list->entries = entries;
    copy = strdup(path);
    if (copy == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    list->entries[list->count++] = (struct nuce_folder_entry){copy, is_file};
    return NUCE_OK;
}

static FTS *open_folder(const char *path)
{
    char *const paths[] = {(char *)path, NULL};

    return fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
}

nuce_status nuce_folder_read(const char *path, struct nuce_folder_list *out,
                             struct nuce_error *error)
{
    struct nuce_folder_list list = {0};
    size_t above = strlen(path) + 1;
    FTS *folder = open_folder(path);
    nuce_status status = NUCE_OK;
    FTSENT *entry;

    if (folder == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    while (status == NUCE_OK && (entry = fts_read(folder)) != NULL) {
        if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS)
            status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", entry->fts_path,
                                    strerror(entry->fts_errno));
        else if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP)
            status = add_entry(&list, entry->fts_path + above, entry->fts_info == FTS_F, error);
    }
    (void)fts_close(folder);
    if (status != NUCE_OK) {
        nuce_folder_list_fini(&list);
        return status;
    }
    if (list.count > 0)
        qsort(list.entries, (size_t)list.count, sizeof *list.entries, by_path);
    *out = list;
    return NUCE_OK;
}

void nuce_folder_list_fini(struct nuce_folder_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        free(list->entries[i].path);
    free(list->entries);
    *list = (struct nuce_folder_list){0};
}

void nuce_folder_remove(const char *path)
{
    FTS *folder = open_folder(path);
    FTSENT *entry;

    if (folder == NULL)
        return;
    while ((entry = fts_read(folder)) != NULL) {
        if (entry->fts_info == FTS_DP)
            (void)rmdir(entry->fts_path);
        else if (entry->fts_info != FTS_D)
            (void)unlink(entry->fts_path);
    }
    (void)fts_close(folder);
}

nuce_status nuce_folder_make_above(const char *folder, const char *path, struct nuce_error *error)
{
    char *all = nuce_text_format(error, "%s/%s", folder, path);

    if (all == NULL)
        return error->status;
    error->status = NUCE_OK;
    for (char *slash = strchr(all + strlen(folder) + 1, '/');
         slash != NULL && error->status == NUCE_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(all, 0777) != 0 && errno != EEXIST)
            (void)nuce_error_set(error, NUCE_FAILED, "%s: %s", all, strerror(errno));
        *slash = '/';
    }
    free(all);
    return error->status;
}
