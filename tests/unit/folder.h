/* A folder of its own for a test, with files of given content. */
#ifndef NUCE_TEST_FOLDER_H
#define NUCE_TEST_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Writes text to name in the folder. */
static inline void folder_add(const struct folder *folder, const char *name, const char *text)
{
    char path[400];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
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

static inline void folder_remove(const struct folder *folder)
{
    DIR *stream = opendir(folder->path);
    const struct dirent *entry;

    assert_non_null(stream);
    while ((entry = readdir(stream)) != NULL)
        (void)unlinkat(dirfd(stream), entry->d_name, 0);
    assert_int_equal(closedir(stream), 0);
    assert_int_equal(rmdir(folder->path), 0);
}

#endif
