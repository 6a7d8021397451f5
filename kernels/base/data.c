/* Finds files relative to the running program, in a build tree as in an installation.
 *
 * It reads /proc/self/exe, so that neither the current folder, PATH nor a symbolic link to the
 * program matters. A build tree has the same form as an installation: programs in one folder, and
 * share/nuce next to it. */
#include "base/data.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/text.h"

/* SimGrid's program, which loads one of nuce's programs as a library; and the path from the folder
 * of simulated programs, libexec/nuce/simulated, to that of the others. */
#define SIMULATOR "smpimain"
#define FROM_SIMULATED "../../../bin"

/* Cuts the last name off a path, with its slash. Returns that name. */
static const char *cut_name(char *path)
{
    char *slash = strrchr(path, '/');

    NUCE_ASSERT(slash != NULL);
    *slash = '\0';
    return slash + 1;
}

/* The folder of a simulated program, whose path is the first word after the simulator. */
static nuce_status simulated_folder(char folder[PATH_MAX], struct nuce_error *error)
{
    FILE *file = fopen("/proc/self/cmdline", "re");
    char *word = NULL;
    size_t capacity = 0;
    int words = 0, is_whole = 0;

    while (file != NULL && words < 2 && getdelim(&word, &capacity, '\0', file) > 0)
        words++;
    if (file != NULL)
        fclose(file);
    if (words == 2 && strchr(word, '/') != NULL) {
        cut_name(word);
        is_whole = snprintf(folder, PATH_MAX, "%s/" FROM_SIMULATED, word) < PATH_MAX;
    }
    free(word);
    return is_whole ? NUCE_OK
                    : nuce_error_set(error, NUCE_FAILED,
                                     "/proc/self/cmdline: expected " SIMULATOR
                                     ", then the path of a program");
}

/* The folder of the running program, without a slash at the end. */
static nuce_status program_folder(char folder[PATH_MAX], struct nuce_error *error)
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);

    if (length < 0)
        return nuce_error_set(error, NUCE_FAILED, "/proc/self/exe: %s", strerror(errno));
    folder[length] = '\0';
    return strcmp(cut_name(folder), SIMULATOR) == 0 ? simulated_folder(folder, error) : NUCE_OK;
}

/* A program in the root folder has no folder above it: the path then begins with /share. */
char *nuce_data_path(const char *name, struct nuce_error *error)
{
    char folder[PATH_MAX];
    char *slash;

    if (program_folder(folder, error) != NUCE_OK)
        return NULL;
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return nuce_text_format("%s/share/nuce%s%s", folder, *name != '\0' ? "/" : "", name);
}

char *nuce_data_program_path(const char *program, struct nuce_error *error)
{
    char folder[PATH_MAX];

    if (program_folder(folder, error) != NUCE_OK)
        return NULL;
    return nuce_text_format("%s/%s", folder, program);
}

nuce_status nuce_data_check_file(const char *path, const char *what, struct nuce_error *error)
{
    struct stat status;
    struct statfs system;

    if (stat(path, &status) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s; expected %s", path, strerror(errno),
                              what);
    if (S_ISDIR(status.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s; expected %s", path, strerror(EISDIR),
                              what);
    if (!S_ISREG(status.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a regular file; expected %s", path,
                              what);
    /* Files of /proc and /sys look regular, but reading some of them waits for ever. */
    if (statfs(path, &system) == 0 &&
        (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not a regular file but the kernel's; "
                              "expected %s",
                              path, what);
    return NUCE_OK;
}
