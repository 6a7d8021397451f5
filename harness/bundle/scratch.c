#include "bundle/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "bundle/folder.h"
#include "support/text.h"

static void name_signals(sigset_t *out)
{
    (void)sigemptyset(out);
    (void)sigaddset(out, SIGINT);
    (void)sigaddset(out, SIGTERM);
    (void)sigaddset(out, SIGHUP);
}

/* The lock of the folder at path, -1 if somebody else holds it. */
static int take_lock(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        (void)close(descriptor);
        return -1;
    }
    return descriptor;
}

static void remove_left(const char *parent, const char *prefix)
{
    DIR *directory = opendir(parent);
    struct dirent *entry;
    struct nuce_error ignored;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char *path;
        int lock;

        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        path = nuce_text_format(&ignored, "%s/%s", parent, entry->d_name);
        lock = path != NULL ? take_lock(path) : -1;
        if (lock >= 0) {
            nuce_folder_remove(path);
            (void)close(lock);
        }
        free(path);
    }
    if (directory != NULL)
        (void)closedir(directory);
}

nuce_status nuce_scratch_make(const char *parent, const char *prefix, struct nuce_scratch *out,
                              struct nuce_error *error)
{
    struct nuce_scratch scratch = {.lock = -1};
    sigset_t signals;

    remove_left(parent, prefix);
    scratch.path = nuce_text_format(error, "%s/%sXXXXXX", parent, prefix);
    if (scratch.path == NULL)
        return error->status;
    name_signals(&signals);
    (void)sigprocmask(SIG_BLOCK, &signals, &scratch.before);
    if (mkdtemp(scratch.path) == NULL) {
        (void)nuce_error_set(error, NUCE_FAILED, "%s: no folder can be made there: %s", parent,
                             strerror(errno));
        (void)sigprocmask(SIG_SETMASK, &scratch.before, NULL);
        free(scratch.path);
        return error->status;
    }
    scratch.lock = take_lock(scratch.path);
    *out = scratch;
    return NUCE_OK;
}

void nuce_scratch_remove(struct nuce_scratch *scratch)
{
    const struct timespec now = {0, 0};
    sigset_t signals;

    nuce_folder_remove(scratch->path);
    name_signals(&signals);
    while (sigtimedwait(&signals, NULL, &now) > 0)
        continue;
    (void)sigprocmask(SIG_SETMASK, &scratch->before, NULL);
    if (scratch->lock >= 0)
        (void)close(scratch->lock);
    free(scratch->path);
    *scratch = (struct nuce_scratch){.lock = -1};
}
