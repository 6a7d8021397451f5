/* Temporary folders that are always removed. When the program ends by itself it removes them, and
 * signals that end it wait until then. Folders of killed programs are removed by the next one that
 * makes a folder in the same place. The process that made a folder holds a lock on it (flock) as
 * long as it lives, so a folder without a lock is unused. */
#include "results/bundle_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum { OPEN_FOLDERS = 8 }; /* folders that nftw holds open at the same time */

/* For nftw, which visits files before their folders (FTW_DEPTH) and does not follow links
 * (FTW_PHYS). */
static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

/* Silently leaves files that cannot be removed. */
static void remove_tree(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* The lock of the folder at path, -1 if another process holds it. Also -1 on a file system without
 * locks: old folders are not removed there. */
static int take_lock(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/* Removes the unlocked folders of the pattern. */
static void remove_left(const char *pattern)
{
    glob_t left;

    if (glob(pattern, GLOB_NOSORT, NULL, &left) != 0)
        return;
    for (size_t i = 0; i < left.gl_pathc; i++) {
        int lock = take_lock(left.gl_pathv[i]);

        if (lock < 0)
            continue;
        remove_tree(left.gl_pathv[i]);
        close(lock);
    }
    globfree(&left);
}

/* The signals with which users and systems end a program. */
static sigset_t scratch_interrupts(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    return signals;
}

nuce_status nuce_bundle_scratch_make(const char *parent, struct nuce_bundle_scratch *out,
                                     struct nuce_error *error)
{
    const char *temporary = getenv("TMPDIR");
    struct nuce_bundle_scratch scratch = {.lock = -1};
    sigset_t signals = scratch_interrupts();

    if (parent == NULL)
        parent = temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp";
    scratch.path = nuce_text_format("%s/.nuce-bundle-??????", parent);
    remove_left(scratch.path);
    memset(strchr(scratch.path, '\0') - 6, 'X', 6); /* restores the template for mkdtemp */
    sigprocmask(SIG_BLOCK, &signals, &scratch.before);
    if (mkdtemp(scratch.path) == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: no folder can be made there: %s", parent,
                       strerror(errno));
        sigprocmask(SIG_SETMASK, &scratch.before, NULL);
        free(scratch.path);
        return error->status;
    }
    scratch.lock = take_lock(scratch.path);
    *out = scratch;
    return NUCE_OK;
}

int nuce_bundle_is_interrupted(void)
{
    sigset_t signals = scratch_interrupts(), pending;

    sigpending(&pending);
    sigandset(&pending, &pending, &signals);
    return !sigisemptyset(&pending);
}

/* Takes and drops the signals that came, after the folder is removed. A caller that checked for
 * them has ended by then. */
void nuce_bundle_scratch_remove(struct nuce_bundle_scratch *scratch)
{
    const struct timespec now = {0, 0};
    sigset_t signals = scratch_interrupts();

    if (scratch->path == NULL)
        return;
    remove_tree(scratch->path);
    while (sigtimedwait(&signals, NULL, &now) > 0)
        continue;
    sigprocmask(SIG_SETMASK, &scratch->before, NULL);
    if (scratch->lock >= 0)
        close(scratch->lock);
    free(scratch->path);
    *scratch = (struct nuce_bundle_scratch){.lock = -1};
}
