/* Bringing the campaigns of an open bundle to where campaigns are. Twice through: the first time
 * looks whether each has a place, the second moves them, so that a bundle of several is not taken
 * by half because of a name. Nothing that is there is written to or replaced. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/safe_file.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "results/bundle_files.h"
#include "results/parts.h"

/* One campaign: its files, where it was unpacked to, and where it goes. */
struct move {
    const char *name;
    json_t *files; /* a list of this campaign alone */
    char *fresh, *there;
};

struct differing {
    const char *there;
    struct nuce_error *error;
};

/* For nuce_bundle_compare: any difference makes it another campaign. */
static void name_difference(void *context, const char *path, const char *was, const char *is)
{
    const struct differing *at = context;

    (void)was;
    (void)is;
    nuce_error_set(at->error, NUCE_BAD_INPUT,
                   "%s: a campaign of this name is there and is another one: %s differs "
                   "(--campaigns: into another folder)",
                   at->there, path);
}

/* *was_there: the very same campaign is there; another one is an error. Compared file by file, by
 * checksums: files that no bundle has (logs, the mark of an import) do not count. */
static nuce_status check_place(const struct move *move, int *was_there, struct nuce_error *error)
{
    struct differing at = {move->there, error};
    json_t *is = json_object();
    struct stat there;

    error->status = NUCE_OK;
    *was_there = lstat(move->there, &there) == 0;
    if (*was_there && nuce_bundle_add_campaign(is, move->there, move->name, error) == NUCE_OK)
        nuce_bundle_compare(move->files, is, name_difference, &at);
    json_decref(is);
    return error->status;
}

/* Renames it to its place, marked: nothing that it names is started from here on. Somebody may have
 * been there first, with the same campaign. */
static nuce_status move_campaign(const struct move *move, int *was_there, struct nuce_error *error)
{
    if (nuce_safe_write(move->fresh, NUCE_CAMPAIGN_IMPORTED, "", 0, error) != NUCE_OK ||
        check_place(move, was_there, error) != NUCE_OK)
        return error->status;
    if (*was_there || rename(move->fresh, move->there) == 0)
        return NUCE_OK;
    if (errno == ENOTEMPTY || errno == EEXIST)
        return check_place(move, was_there, error);
    return nuce_error_set(error, NUCE_FAILED, "%s: %s", move->there, strerror(errno));
}

/* Goes through the campaigns, and moves them if each is not NULL: nothing is moved before all are
 * known to have a place. */
static nuce_status go_through(struct nuce_bundle *bundle, const char *folder,
                              void (*each)(void *context, const char *campaign, int was_there),
                              void *context, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    const char *name;
    json_t *files;

    json_object_foreach(bundle->files, name, files)
    {
        struct move move = {.name = name};
        int was_there = 0;

        if (status != NUCE_OK)
            break;
        move.files = json_pack("{s:O}", name, files);
        move.there = nuce_text_format("%s/%s", folder, name);
        move.fresh =
            nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/campaigns/%s", bundle->scratch.path, name);
        if (each == NULL)
            status = check_place(&move, &was_there, error);
        else
            status = move_campaign(&move, &was_there, error);
        if (status == NUCE_OK && each != NULL)
            each(context, name, was_there);
        json_decref(move.files);
        free(move.there);
        free(move.fresh);
    }
    return status;
}

nuce_status nuce_bundle_take(struct nuce_bundle *bundle, const char *folder,
                             void (*each)(void *context, const char *campaign, int was_there),
                             void *context, struct nuce_error *error)
{
    nuce_status status = go_through(bundle, folder, NULL, NULL, error);

    if (status != NUCE_OK)
        return status;
    /* A campaign that is there must be whole even if the power fails: all of it is on the disk
     * before it gets its name. */
    nuce_safe_synchronise(bundle->scratch.path, syncfs);
    status = go_through(bundle, folder, each, context, error);
    nuce_safe_synchronise(folder, syncfs);
    return status;
}
