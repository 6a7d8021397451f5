/* The readers of nuce capture import: whatever the text, a capture whose patterns are whole, or a
 * message that says where it is wrong. The first byte says which format; a form feed ends a file,
 * and begins that of the next rank. Where the first byte is a capital, four of them do: in binary
 * traces one stands for a call. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "imports/importer.h"

#define MOST_FILES 8

static void check_import(const struct nuce_capture *capture)
{
    NUCE_ASSERT(capture->ranks > 0 && capture->communicators > 0);
    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        struct nuce_pattern com;
        struct nuce_error error;

        NUCE_ASSERT(pattern->calls > 0);
        for (int64_t k = 0; k < capture->topology[pattern->topology].messages; k++)
            NUCE_ASSERT(pattern->bytes[k] >= 0);
        if (nuce_capture_com(capture, pattern, &com, &error) == NUCE_OK)
            nuce_pattern_fini(&com);
    }
}

static void empty_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.')
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL)
        (void)closedir(directory);
    NUCE_ASSERT(rmdir(folder) == 0);
}

/* That of files which a file names each is there, or it says which is not. */
static void check_named_files(const struct nuce_importer_ops *importer,
                              const struct nuce_import_text *first)
{
    struct nuce_error error = {.status = NUCE_OK};
    char **names = NULL;

    if (importer->named_files == NULL)
        return;
    if (importer->named_files(first, &names, &error) != NUCE_OK)
        NUCE_ASSERT(names == NULL && error.message[0] != '\0');
    for (char **name = names; name != NULL && *name != NULL; name++) {
        NUCE_ASSERT(access(*name, F_OK) == 0);
        free(*name);
    }
    free(names);
}

/* Bytes of what ends a file here; 0: nothing does. */
static size_t file_ends(const uint8_t *data, size_t size, size_t at)
{
    size_t feeds = isupper(data[0]) ? 4 : 1;

    for (size_t i = 0; i < feeds; i++) {
        if (at + i >= size || data[at + i] != '\f')
            return 0;
    }
    return feeds;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_import_text files[MOST_FILES];
    struct nuce_import_input input = {.files = files, .count = 1, .unit = 1};
    const struct nuce_importer_ops *importer = NULL;
    char folder[] = "/tmp/nuce-fuzz-XXXXXX";
    struct nuce_capture capture;
    struct nuce_error error;

    for (int i = 0; size > 0 && nuce_importers[i] != NULL; i++) {
        if (nuce_importers[i]->name[0] == tolower(data[0]))
            importer = nuce_importers[i];
    }
    if (importer == NULL)
        return 0;
    files[0] = (struct nuce_import_text){"fuzz", (const char *)data + 1, 0};
    for (size_t i = 1; i < size; i++) {
        size_t end = input.count < MOST_FILES ? file_ends(data, size, i) : 0;

        if (end > 0) {
            i += end - 1;
            files[input.count++] = (struct nuce_import_text){"fuzz", (const char *)data + i + 1, 0};
        } else {
            files[input.count - 1].length++;
        }
    }
    input.folder = mkdtemp(folder);
    NUCE_ASSERT(input.folder != NULL);
    (void)nuce_importer_recognise(files[0].text, files[0].length);
    check_named_files(importer, files);
    if (importer->import(&input, &capture, &error) == NUCE_OK) {
        check_import(&capture);
        nuce_capture_fini(&capture);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT || error.status == NUCE_FAILED);
        NUCE_ASSERT(error.message[0] != '\0');
    }
    empty_folder(folder);
    return 0;
}
