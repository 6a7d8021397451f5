/* The reader of bundles: whatever the tar, nothing comes to lie outside the folder that it is
 * unpacked to, and it is found whole, or what is wrong is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bundle/check.h"
#include "bundle/folder.h"
#include "bundle/unpack.h"
#include "fuzz.h"
#include "support/error.h"

#define PATH_BYTES 256

/* Bytes of the tar are what matters: gzip's checksums would hide all of them. */
static void write_gzip(const char *path, const uint8_t *data, size_t size)
{
    gzFile file = gzopen(path, "wb1");

    NUCE_ASSERT(file != NULL);
    NUCE_ASSERT(size == 0 || gzwrite(file, data, (unsigned)size) == (int)size);
    NUCE_ASSERT(gzclose(file) == Z_OK);
}

/* What is there beside the archive lies below the bundle's folder, as plain files. */
static void check_files(const char *folder)
{
    struct nuce_folder_list list = {0};
    struct nuce_error error;

    NUCE_ASSERT(nuce_folder_read(folder, &list, &error) == NUCE_OK);
    for (int64_t i = 0; i < list.count; i++) {
        NUCE_ASSERT(list.entries[i].is_file);
        NUCE_ASSERT(strncmp(list.entries[i].path, NUCE_BUNDLE_FOLDER "/",
                            strlen(NUCE_BUNDLE_FOLDER "/")) == 0);
    }
    nuce_folder_list_fini(&list);
}

static void unpack(const char *archive, const char *folder)
{
    const struct nuce_bundle_limits limits = {1 << 20, 100};
    struct nuce_bundle_counts counts = {0};
    struct nuce_findings findings = {0};
    struct nuce_error error = {0};
    char below[PATH_BYTES + sizeof NUCE_BUNDLE_FOLDER];
    nuce_status status = nuce_unpack(archive, folder, &limits, &findings, &error);

    NUCE_ASSERT(status == NUCE_OK || error.message[0] != '\0');
    check_files(folder);
    (void)snprintf(below, sizeof below, "%s/" NUCE_BUNDLE_FOLDER, folder);
    if (status == NUCE_OK)
        status = nuce_check_unpacked(below, &counts, &findings, &error);
    NUCE_ASSERT(status == NUCE_OK || status == NUCE_BAD_INPUT || status == NUCE_FAILED);
    NUCE_ASSERT(status != NUCE_OK || findings.count > 0 || counts.campaigns > 0);
    nuce_findings_fini(&findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char root[] = "/tmp/nuce-fuzz-XXXXXX", archive[PATH_BYTES], folder[PATH_BYTES];

    NUCE_ASSERT(mkdtemp(root) != NULL);
    (void)snprintf(archive, sizeof archive, "%s/archive", root);
    (void)snprintf(folder, sizeof folder, "%s/folder", root);
    NUCE_ASSERT(mkdir(folder, 0777) == 0);
    write_gzip(archive, data, size);
    unpack(archive, folder);
    NUCE_ASSERT(unlink(archive) == 0);
    nuce_folder_remove(folder);
    NUCE_ASSERT(rmdir(root) == 0); /* nothing came to lie beside them */
    return 0;
}
