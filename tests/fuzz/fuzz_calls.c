/* The reader of nuce capture import: whatever the text, a capture whose patterns are whole, or a
 * message that says where it is wrong. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/calls.h"
#include "fuzz.h"

static void check_calls(const struct nuce_capture *capture)
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
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL)
        closedir(directory);
    NUCE_ASSERT(rmdir(folder) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/nuce-fuzz-XXXXXX";
    struct nuce_calls_text input = {
        .name = "fuzz", .text = (const char *)data, .length = size, .folder = folder};
    struct nuce_capture capture;
    struct nuce_error error;

    NUCE_ASSERT(mkdtemp(folder) != NULL);
    if (nuce_calls_read(&input, &capture, &error) == NUCE_OK) {
        check_calls(&capture);
        nuce_capture_fini(&capture);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT || error.status == NUCE_FAILED);
        NUCE_ASSERT(error.message[0] != '\0');
        /* The lines were checked: a raw file that the reader wrote is never damaged. */
        NUCE_ASSERT(strstr(error.message, ": damaged at byte") == NULL);
    }
    empty_folder(folder);
    return 0;
}
