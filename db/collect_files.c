/* The names in a folder, in the order of strcmp: a folder gives them in any, and what is collected
 * must not depend on it. */
#include "db/collect_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text.h"

static int compare_file_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether name ends as ending does; "" ends every name. */
static int ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

nuce_status nuce_collect_names_read(int folder, const char *path, const char *ending,
                                    struct nuce_file_names *out, struct nuce_error *error)
{
    struct nuce_file_names names = {0};
    /* closedir closes the descriptor that fdopendir was given, and the caller goes on using
     * folder. */
    int descriptor = dup(folder);
    DIR *stream = descriptor < 0 ? NULL : fdopendir(descriptor);
    int64_t capacity = 0;
    struct dirent *entry;

    if (stream == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return error->status;
    }
    while ((entry = readdir(stream)) != NULL) {
        void *data = names.names;

        if (entry->d_name[0] == '.' || !ends_in(entry->d_name, ending))
            continue;
        nuce_allocate_more(&data, &capacity, (int64_t)names.count + 1, sizeof *names.names);
        names.names = data;
        names.names[names.count++] = nuce_text_duplicate(entry->d_name);
    }
    closedir(stream);
    if (names.count > 0)
        qsort(names.names, names.count, sizeof *names.names, compare_file_names);
    *out = names;
    return NUCE_OK;
}

void nuce_file_names_fini(struct nuce_file_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct nuce_file_names){0};
}
