/* Folders and files for tests: made before one, and gone with all that is in them after it. */
#ifndef NUCE_TEST_FOLDER_H
#define NUCE_TEST_FOLDER_H

#include "test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char path[64];
};

static inline struct folder folder_make(void)
{
    struct folder folder = {"/tmp/nuce-test-XXXXXX"};

    assert_non_null(mkdtemp(folder.path));
    return folder;
}

/* Writes text to the file at path; the second one makes it executable. */
static inline void file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void file_write_program(const char *path, const char *text)
{
    file_write(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Writes text to name in the folder. */
static inline void folder_add(const struct folder *folder, const char *name, const char *text)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    file_write(path, text);
}

/* How many files are in it, hidden ones too. */
static inline int folder_count(const struct folder *folder)
{
    DIR *stream = opendir(folder->path);
    int count = 0;

    assert_non_null(stream);
    while (readdir(stream) != NULL)
        count++;
    assert_int_equal(closedir(stream), 0);
    return count - 2;
}

static inline int folder_unlink(const char *path, const struct stat *status, int type,
                                struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

/* With all that is in it. */
static inline void folder_remove(const struct folder *folder)
{
    assert_int_equal(nftw(folder->path, folder_unlink, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* A folder that is the current one until folder_leave; for the setup and teardown of tests. */
static inline struct folder folder_enter(void)
{
    struct folder folder = folder_make();

    assert_int_equal(chdir(folder.path), 0);
    return folder;
}

static inline void folder_leave(const struct folder *folder)
{
    assert_int_equal(chdir("/"), 0);
    folder_remove(folder);
}

/* Programs are looked for in the folder first. */
static inline void folder_has_programs(const struct folder *folder)
{
    char search[128];

    snprintf(search, sizeof search, "%s:/usr/bin:/bin", folder->path);
    assert_int_equal(setenv("PATH", search, 1), 0);
}

/* Setup and teardown of tests that need nothing but such a folder. */
static inline int folder_setup(void **state)
{
    struct folder *folder = malloc(sizeof *folder);

    assert_non_null(folder);
    *folder = folder_enter();
    *state = folder;
    return 0;
}

static inline int folder_teardown(void **state)
{
    folder_leave(*state);
    free(*state);
    return 0;
}

#endif
