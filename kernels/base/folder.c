/* Lists a folder by scandir(3). */
#include "base/folder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* alphasort is strcmp here, as nuce's programs never call setlocale. */
nuce_status nuce_folder_read(struct nuce_folder *out, struct nuce_error *error, const char *format,
                             ...)
{
    va_list arguments;

    *out = (struct nuce_folder){0};
    va_start(arguments, format);
    out->path = nuce_text_format_list(format, arguments);
    va_end(arguments);
    out->count = scandir(out->path, &out->entries, is_entry, alphasort);
    out->is_there = out->count >= 0;
    if (out->is_there)
        return NUCE_OK;
    out->count = 0;
    if (errno == ENOENT || errno == ENOTDIR)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", out->path, strerror(errno));
}

void nuce_folder_fini(struct nuce_folder *folder)
{
    for (int i = 0; i < folder->count; i++)
        free(folder->entries[i]);
    free(folder->entries);
    free(folder->path);
    *folder = (struct nuce_folder){0};
}
