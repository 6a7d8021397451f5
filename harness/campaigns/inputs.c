/* Keeps the files that points name with their campaign. Nodes may lack the path, a bundle is read
 * elsewhere, and an edited file must not change what a resume runs. */
#include "campaigns/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "points/workload.h"

/* Larger files stay in place: their SHA-256 is in the point's identity, so a run on other content
 * is refused. */
#define LARGEST_BYTES (INT64_C(256) << 20)

/* Digits of the SHA-256 in the name of a copy's folder. */
#define DIGITS 16

int nuce_inputs_is_name(const char *name)
{
    static const char folder[] = NUCE_INPUTS_FOLDER "/";
    size_t length = sizeof folder - 1;

    return strncmp(name, folder, length) == 0 &&
           strspn(name + length, "0123456789abcdef") == DIGITS && name[length + DIGITS] == '/' &&
           nuce_text_is_name(name + length + DIGITS + 1);
}

/* True if nuce keeps a copy of the file. Anchored paths begin with a slash; words such as the names
 * of shipped meshes do not. A file whose name has unusual characters is not kept, because it could
 * not be a member of a bundle. */
static int is_kept(const char *path)
{
    const char *name = strrchr(path, '/');
    struct stat file;

    return path[0] == '/' && nuce_text_is_name(name + 1) && stat(path, &file) == 0 &&
           S_ISREG(file.st_mode) && file.st_size <= LARGEST_BYTES;
}

/* Succeeds if the folder exists already. */
static nuce_status make_folder(const char *path, struct nuce_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? NUCE_OK
               : nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
}

/* Writes the copy of text, the content of source, below the campaign at path. *name (NULL before)
 * becomes a new string, its name in plans. Points that name the same content share a copy. */
static nuce_status write_copy(const char *path, const char *source, const char *text, size_t length,
                              char **name, struct nuce_error *error)
{
    char sha256[NUCE_HASH_BYTES], *inputs, *folder = NULL;

    nuce_hash(text, length, sha256);
    inputs = nuce_text_format("%s/" NUCE_INPUTS_FOLDER, path);
    folder = nuce_text_format("%s/%.*s", inputs, DIGITS, sha256);
    if (make_folder(inputs, error) == NUCE_OK && make_folder(folder, error) == NUCE_OK &&
        nuce_safe_write(folder, strrchr(source, '/') + 1, text, length, error) == NUCE_OK)
        *name =
            nuce_text_format(NUCE_INPUTS_FOLDER "/%.*s%s", DIGITS, sha256, strrchr(source, '/'));
    free(folder);
    free(inputs);
    return *name != NULL ? NUCE_OK : error->status;
}

char *nuce_inputs_name_of_taken(const char *taken)
{
    const char *at = strrchr(taken, '@');
    char *name;

    if (at == NULL || strlen(at + 1) < DIGITS)
        return NULL;
    name =
        nuce_text_format(NUCE_INPUTS_FOLDER "/%.*s/%.*s", DIGITS, at + 1, (int)(at - taken), taken);
    if (nuce_inputs_is_name(name))
        return name;
    free(name);
    return NULL;
}

/* Writes the copy if the source still has the content in name. Compares only as many characters of
 * the SHA-256 (DIGITS) as the copy's name has. */
nuce_status nuce_inputs_keep_taken(const char *path, const char *folder, const char *taken,
                                   struct nuce_error *error)
{
    char *name = nuce_inputs_name_of_taken(taken), *copy, *source, *text = NULL, *written = NULL;
    char sha256[NUCE_HASH_BYTES];
    size_t length;

    if (name == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected NAME@SHA-256", taken);
    copy = nuce_text_format("%s/%s", path, name);
    source = nuce_text_format("%s%s", folder, strrchr(name, '/'));
    error->status = NUCE_OK;
    if (access(copy, F_OK) != 0 && nuce_text_read(source, &text, &length, error) == NUCE_OK) {
        nuce_hash(text, length, sha256);
        if (strncmp(name + sizeof NUCE_INPUTS_FOLDER, sha256, DIGITS) != 0)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: has changed since it was used", source);
        else
            error->status = write_copy(path, source, text, length, &written, error);
    }
    free(written);
    free(text);
    free(source);
    free(copy);
    free(name);
    return error->status;
}

/* The options of the line's workload. */
static const struct nuce_option *line_options(const json_t *line)
{
    const char *name = json_string_value(json_object_get(line, "workload"));
    const struct nuce_workload_ops *workload = name != NULL ? nuce_workload_find(name) : NULL;

    return workload != NULL ? workload->options : NULL;
}

/* The path that the line sets for the option; NULL: the option names no file, or is not set. */
static const char *path_in(const json_t *line, const struct nuce_option *option)
{
    if (option->type != NUCE_OPTION_FILE)
        return NULL;
    return json_string_value(json_object_get(json_object_get(line, "params"), option->name));
}

/* Sets the option's path in *changed, which the first call copies from line, because lines are
 * shared. 0: the path is not valid UTF-8. */
static int set_path(json_t **changed, const json_t *line, const char *option, const char *path)
{
    if (*changed == NULL)
        *changed = json_deep_copy(line);
    return json_object_set_new(json_object_get(*changed, "params"), option, json_string(path)) == 0;
}

json_t *nuce_inputs_keep(const char *path, const json_t *line, json_t *kept,
                         struct nuce_error *error)
{
    json_t *changed = NULL;

    for (const struct nuce_option *row = line_options(line); row != NULL && row->name != NULL;
         row++) {
        const char *source = path_in(line, row);
        char *text = NULL, *name = NULL;
        size_t length;

        if (source == NULL || !is_kept(source))
            continue;
        if (json_object_get(kept, source) == NULL &&
            nuce_text_read(source, &text, &length, error) == NUCE_OK &&
            write_copy(path, source, text, length, &name, error) == NUCE_OK)
            json_object_set_new(kept, source, json_string(name));
        free(text);
        free(name);
        if (json_object_get(kept, source) == NULL) {
            json_decref(changed);
            return NULL;
        }
        set_path(&changed, line, row->name, json_string_value(json_object_get(kept, source)));
    }
    return changed != NULL ? changed : json_incref((json_t *)line);
}

json_t *nuce_inputs_resolve(const char *path, json_t *line)
{
    json_t *changed = NULL;

    for (const struct nuce_option *row = line_options(line); row != NULL && row->name != NULL;
         row++) {
        const char *name = path_in(line, row);
        char *whole;
        int good;

        if (name == NULL || !nuce_inputs_is_name(name))
            continue;
        whole = nuce_text_format("%s/%s", path, name);
        good = set_path(&changed, line, row->name, whole);
        free(whole);
        if (!good) {
            json_decref(changed);
            return NULL;
        }
    }
    return changed != NULL ? changed : json_incref(line);
}

/* Removes a file or an empty folder; its name is `length` bytes of name, below path. Leaves a
 * folder with files. */
static void remove_path(const char *path, const char *name, int length)
{
    char *whole = nuce_text_format("%s/%.*s", path, length, name);

    remove(whole);
    free(whole);
}

void nuce_inputs_remove(const char *path, const json_t *kept)
{
    const char *source;
    json_t *name;

    json_object_foreach((json_t *)kept, source, name)
    {
        const char *text = json_string_value(name);

        remove_path(path, text, (int)strlen(text));
        remove_path(path, text, (int)(strrchr(text, '/') - text));
    }
    remove_path(path, NUCE_INPUTS_FOLDER, (int)strlen(NUCE_INPUTS_FOLDER));
}
