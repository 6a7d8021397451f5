/* The reader of bundles: whatever the tar, nothing is written outside the folder of unpacking, and
 * the bundle is valid or a message names the fault. */
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "fuzz.h"
#include "results/bundle.h"
#include "results/bundle_parts.h"

#define PATH_BYTES 256

/* The input is the tar itself: compressed bytes would hide most of its content. */
static void write_gzip(const char *path, const uint8_t *data, size_t size)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    NUCE_ASSERT(archive_write_add_filter_gzip(archive) == ARCHIVE_OK);
    NUCE_ASSERT(archive_write_set_format_raw(archive) == ARCHIVE_OK);
    NUCE_ASSERT(archive_write_set_options(archive, "gzip:compression-level=1") == ARCHIVE_OK);
    NUCE_ASSERT(archive_write_open_filename(archive, path) == ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    NUCE_ASSERT(archive_write_header(archive, entry) == ARCHIVE_OK);
    NUCE_ASSERT(archive_write_data(archive, data, size) == (la_ssize_t)size);
    NUCE_ASSERT(archive_write_free(archive) == ARCHIVE_OK);
    archive_entry_free(entry);
}

/* Every file below the bundle's folder is a plain one, with a name that a bundle can have. */
static void check_files(const char *folder, const char *below)
{
    char path[2 * PATH_BYTES], campaign[NUCE_BUNDLE_NAME_BYTES];
    DIR *directory;
    struct dirent *entry;
    struct stat facts;

    snprintf(path, sizeof path, "%s/%s", folder, below);
    directory = opendir(path);
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char name[PATH_BYTES];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        NUCE_ASSERT((size_t)snprintf(name, sizeof name, "%s%s%s", below,
                                     below[0] != '\0' ? "/" : "", entry->d_name) < sizeof name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        NUCE_ASSERT(lstat(path, &facts) == 0 && (S_ISDIR(facts.st_mode) || S_ISREG(facts.st_mode)));
        if (S_ISDIR(facts.st_mode))
            check_files(folder, name);
        else
            NUCE_ASSERT(nuce_bundle_is_path(name, campaign));
    }
    if (directory != NULL)
        closedir(directory);
}

/* The folder is checked as it is left: only the bundle's folder is in it. */
static void check_folder(const char *folder)
{
    char path[2 * PATH_BYTES];
    struct dirent *entry;
    DIR *directory = opendir(folder);

    NUCE_ASSERT(directory != NULL);
    while ((entry = readdir(directory)) != NULL)
        NUCE_ASSERT(entry->d_name[0] == '.' || strcmp(entry->d_name, NUCE_BUNDLE_FOLDER) == 0 ||
                    strncmp(entry->d_name, "check.db", strlen("check.db")) == 0);
    closedir(directory);
    snprintf(path, sizeof path, "%s/" NUCE_BUNDLE_FOLDER, folder);
    check_files(path, "");
}

static void count_problem(void *context, const char *kind, const char *problem)
{
    (void)kind;
    NUCE_ASSERT(problem[0] != '\0');
    ++*(int *)context;
}

static void open_bundle(const char *archive, const char *folder)
{
    const struct nuce_bundle_limits limits = {1 << 20, 100};
    int problems = 0;
    struct nuce_bundle_report report = {.tell = count_problem, .context = &problems};
    struct nuce_bundle bundle = {0};
    struct nuce_error error = {0};
    nuce_status status = nuce_bundle_open(archive, folder, &limits, &bundle, &report, &error);

    NUCE_ASSERT(status == NUCE_OK || status == NUCE_BAD_INPUT);
    NUCE_ASSERT(status == NUCE_OK || error.message[0] != '\0');
    NUCE_ASSERT(status != NUCE_OK || problems > 0 || bundle.campaigns > 0);
    NUCE_ASSERT(report.altered + report.invalid == problems);
    if (status == NUCE_OK)
        check_folder(bundle.scratch.path);
    nuce_bundle_close(&bundle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char root[] = "/tmp/nuce-fuzz-XXXXXX", archive[PATH_BYTES], folder[PATH_BYTES];

    NUCE_ASSERT(mkdtemp(root) != NULL);
    snprintf(archive, sizeof archive, "%s/archive", root);
    snprintf(folder, sizeof folder, "%s/folder", root);
    NUCE_ASSERT(mkdir(folder, 0777) == 0);
    write_gzip(archive, data, size);
    open_bundle(archive, folder);
    NUCE_ASSERT(unlink(archive) == 0);
    NUCE_ASSERT(rmdir(folder) == 0); /* nothing is left in it */
    NUCE_ASSERT(rmdir(root) == 0);   /* and nothing came to lie beside them */
    return 0;
}
