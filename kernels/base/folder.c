/* Lists a folder by scandirat(3). */
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* The entries of name, which may be relative to the open folder; path, taken over, for messages.
 * otherwise: the status if it cannot be read. alphasort is strcmp here, as nuce's programs never
 * call setlocale. */
static nuce_status list_entries(struct nuce_folder *out, int descriptor, const char *name,
                                char *path, nuce_status otherwise, struct nuce_error *error)
{
    *out = (struct nuce_folder){.path = path};
    out->count = scandirat(descriptor, name, &out->entries, is_entry, alphasort);
    out->is_there = out->count >= 0;
    if (out->is_there)
        return NUCE_OK;
    out->count = 0;
    if (errno == ENOENT || errno == ENOTDIR)
        return NUCE_OK;
    return nuce_error_set(error, otherwise, "%s: %s", out->path, strerror(errno));
}

nuce_status nuce_folder_read(struct nuce_folder *out, struct nuce_error *error, const char *format,
                             ...)
{
    va_list arguments;
    char *path;

    va_start(arguments, format);
    path = nuce_text_format_list(format, arguments);
    va_end(arguments);
    return list_entries(out, AT_FDCWD, path, path, NUCE_BAD_INPUT, error);
}

nuce_status nuce_folder_read_at(struct nuce_folder *out, int descriptor, const char *path,
                                struct nuce_error *error)
{
    return list_entries(out, descriptor, ".", nuce_text_duplicate(path), NUCE_FAILED, error);
}

void nuce_folder_fini(struct nuce_folder *folder)
{
    for (int i = 0; i < folder->count; i++)
        free(folder->entries[i]);
    free(folder->entries);
    free(folder->path);
    *folder = (struct nuce_folder){0};
}
