/* Files shipped with nuce that users call by a name (configurations, profiles, platforms), or
 * replace by a path. An existing path wins over a name. 'nuce list' shows the first sentence of a
 * file's comment. */
#include "campaigns/shipped.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/folder.h"
#include "base/text.h"
#include "campaigns/yaml_file.h"

void nuce_shipped_names_free(char **names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

nuce_status nuce_shipped_names(const struct nuce_shipped *shipped, char ***names, int64_t *count,
                               struct nuce_error *error)
{
    char *path = nuce_data_path(shipped->folder, error);
    struct nuce_folder folder;
    int64_t found = 0;
    char **list;

    if (path == NULL)
        return error->status;
    /* No folder, as for a program copied alone, means no names. */
    error->status = nuce_folder_read(&folder, error, "%s", path);
    free(path);
    list = nuce_allocate(folder.count, sizeof *list);
    for (int i = 0; i < folder.count && error->status == NUCE_OK; i++) {
        const char *name = folder.entries[i]->d_name;

        /* Skips hidden files of editors. */
        if (*name == '.' || !nuce_text_ends(name, shipped->ending))
            continue;
        list[found] = nuce_text_format("%.*s", (int)(strlen(name) - strlen(shipped->ending)), name);
        found += 1;
    }
    nuce_folder_fini(&folder);
    if (error->status != NUCE_OK) {
        nuce_shipped_names_free(list, found);
        return error->status;
    }
    *names = list;
    *count = found;
    return NUCE_OK;
}

/* Adds the nearest existing name to the message. */
static nuce_status shipped_unknown(const struct nuce_shipped *shipped, const char *name,
                                   struct nuce_error *error)
{
    const char *nearest;
    char **names = NULL;
    int64_t count = 0;

    if (nuce_shipped_names(shipped, &names, &count, error) != NUCE_OK)
        return error->status;
    nearest = nuce_text_nearest(name, (const char *const *)names, (size_t)count);
    nuce_error_set(error, NUCE_BAD_INPUT,
                   "no %s '%s'%s%s%s: expected a file, or a name of 'nuce list %s'", shipped->what,
                   name, nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?)" : "", shipped->list);
    nuce_shipped_names_free(names, count);
    return NUCE_BAD_INPUT;
}

char *nuce_shipped_path(const struct nuce_shipped *shipped, const char *name,
                        struct nuce_error *error)
{
    char *file = nuce_text_format("%s/%s%s", shipped->folder, name, shipped->ending);
    char *path = nuce_data_path(file, error);

    free(file);
    return path;
}

/* A name with a slash is always a path. */
nuce_status nuce_shipped_locate(const struct nuce_shipped *shipped, const char *name, char **out,
                                struct nuce_error *error)
{
    struct stat status;
    char *path;

    if (stat(name, &status) == 0) {
        *out = nuce_text_format("%s", name);
        return NUCE_OK;
    }
    if (!nuce_text_is_name(name))
        return shipped_unknown(shipped, name, error);
    path = nuce_shipped_path(shipped, name, error);
    if (path == NULL)
        return error->status;
    if (stat(path, &status) != 0) {
        free(path);
        return shipped_unknown(shipped, name, error);
    }
    *out = path;
    return NUCE_OK;
}

/* Reads one byte more than a file may have, so that the parser can recognise a file that is too
 * long. *text is freed by the caller, also on failure. */
nuce_status nuce_shipped_read(const char *path, char **text, size_t *length,
                              struct nuce_error *error)
{
    FILE *file = fopen(path, "rb");
    nuce_status status = NUCE_OK;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    *text = nuce_allocate(NUCE_YAML_LONGEST + 1, 1);
    *length = fread(*text, 1, NUCE_YAML_LONGEST + 1, file);
    if (ferror(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    fclose(file);
    return status;
}

/* In XML the summary is in the second comment, on a line of its own; the first is the command that
 * made the file. In YAML it is in the comment lines at the beginning of the file, joined with
 * blanks and read as prose. "" if the file cannot be read. A sentence ends with a full stop before
 * a blank or the end. */
char *nuce_shipped_summary(const char *path)
{
    int is_xml = nuce_text_ends(path, ".xml"), comments = 0;
    FILE *file = fopen(path, "re");
    size_t capacity = 0;
    char *line = NULL, *all = NULL, *stop;

    while (file != NULL && comments < 2 && getline(&line, &capacity, file) > (is_xml ? 0 : 2) &&
           (is_xml || line[0] == '#')) {
        if (is_xml) {
            comments += strncmp(line, "<!-- ", 5) == 0;
            if (comments == 2)
                nuce_text_append(&all, "%s", line + 5);
            continue;
        }
        line[strcspn(line, "\r\n")] = '\0';
        nuce_text_append(&all, "%s%s", all != NULL ? " " : "", line + 1 + strspn(line + 1, " "));
    }
    free(line);
    if (file != NULL)
        fclose(file);
    if (all == NULL)
        all = nuce_text_duplicate("");
    stop = strchr(all, '.');
    while (stop != NULL && stop[1] != ' ' && stop[1] != '\0')
        stop = strchr(stop + 1, '.');
    if (stop != NULL)
        stop[1] = '\0';
    return all;
}
