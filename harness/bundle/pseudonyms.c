/* Names and what stands for them. */
#include "bundle/pseudonyms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const prefixes[NUCE_PSEUDONYM_KINDS] = {
    [NUCE_PSEUDONYM_HOST] = "node",       [NUCE_PSEUDONYM_USER] = "user",
    [NUCE_PSEUDONYM_CLUSTER] = "cluster", [NUCE_PSEUDONYM_LINE] = "line",
    [NUCE_PSEUDONYM_PATH] = "/path",
};

nuce_status nuce_pseudonyms_init(struct nuce_pseudonyms *out, struct nuce_error *error)
{
    struct nuce_pseudonyms pseudonyms = {.names = json_object(), .paths = json_object()};

    if (pseudonyms.names == NULL || pseudonyms.paths == NULL) {
        nuce_pseudonyms_fini(&pseudonyms);
        return nuce_error_set(error, NUCE_FAILED, "out of memory for pseudonyms");
    }
    *out = pseudonyms;
    return NUCE_OK;
}

/* Names of one byte are all over any text. */
static int is_nameable(const char *name)
{
    return name[0] != '\0' && name[1] != '\0';
}

const char *nuce_pseudonyms_add(struct nuce_pseudonyms *pseudonyms, enum nuce_pseudonym_kind kind,
                                const char *name)
{
    json_t *all = kind == NUCE_PSEUDONYM_PATH ? pseudonyms->paths : pseudonyms->names;
    const char *known = json_string_value(json_object_get(all, name));
    char text[32];

    if (known != NULL || !is_nameable(name))
        return known != NULL ? known : name;
    (void)snprintf(text, sizeof text, "%s%lld", prefixes[kind],
                   (long long)pseudonyms->count[kind] + 1);
    if (json_object_set_new(all, name, json_string(text)) != 0)
        return NULL;
    pseudonyms->count[kind]++;
    if (kind != NUCE_PSEUDONYM_PATH && strlen(name) > pseudonyms->longest)
        pseudonyms->longest = strlen(name);
    return json_string_value(json_object_get(all, name));
}

/* The longest name that begins at text and ends with a word, and its pseudonym in *stands; 0: none.
 */
static size_t name_at(const struct nuce_pseudonyms *pseudonyms, const char *text, size_t length,
                      const char **stands)
{
    size_t most = length < pseudonyms->longest ? length : pseudonyms->longest;

    for (size_t end = most; end > 1; end--) {
        if (end < length && isalnum((unsigned char)text[end]))
            continue;
        *stands = json_string_value(json_object_getn(pseudonyms->names, text, end));
        if (*stands != NULL)
            return end;
    }
    return 0;
}

/* How many bytes of a domain follow a host's name: .cluster.example.org */
static size_t domain_length(const char *text, size_t length)
{
    size_t end = 0, at = 0;

    while (at + 1 < length && text[at] == '.' && isalnum((unsigned char)text[at + 1])) {
        at++;
        while (at < length && (isalnum((unsigned char)text[at]) || text[at] == '-'))
            at++;
        end = at;
    }
    return end;
}

/* How many bytes of an absolute path are at text, which stands behind before. */
static size_t path_length(const char *text, size_t length, char before)
{
    static const char ends[] = " \t\r\n\"'`,;:()[]{}<>|=&";
    size_t end = 1;

    if (text[0] != '/' || length < 2 || (before != '\0' && strchr(ends, before) == NULL) ||
        (!isalnum((unsigned char)text[1]) && strchr("._~", text[1]) == NULL))
        return 0;
    while (end < length && text[end] != '\0' && strchr(ends, text[end]) == NULL)
        end++;
    return end;
}

/* What text begins with that is to be replaced: its length and what stands for it (NULL: out of
 * memory); 0: nothing. */
static size_t match(struct nuce_pseudonyms *pseudonyms, const char *text, size_t length,
                    char before, int has_names, const char **stands)
{
    size_t path = path_length(text, length, before), name;
    char *copy;

    if (path > 0) {
        copy = strndup(text, path);
        *stands = copy != NULL ? nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_PATH, copy) : NULL;
        free(copy);
        return path;
    }
    if (!has_names || isalnum((unsigned char)before))
        return 0;
    name = name_at(pseudonyms, text, length, stands);
    return name == 0 ? 0 : name + domain_length(text + name, length - name);
}

static char *replace_all(struct nuce_pseudonyms *pseudonyms, const char *text, int has_names)
{
    size_t length = strlen(text), size = 0;
    char *changed = NULL, before = '\0';
    FILE *stream = open_memstream(&changed, &size);
    int good = stream != NULL;

    for (size_t at = 0; good && at < length;) {
        const char *stands = NULL;
        size_t matched = match(pseudonyms, text + at, length - at, before, has_names, &stands);

        good = matched == 0 ? fputc(text[at], stream) != EOF
                            : stands != NULL && fputs(stands, stream) != EOF;
        at += matched > 0 ? matched : 1;
        before = text[at - 1];
    }
    if (stream != NULL && fclose(stream) == 0 && good)
        return changed;
    free(changed);
    return NULL;
}

char *nuce_pseudonyms_text(struct nuce_pseudonyms *pseudonyms, const char *text)
{
    return replace_all(pseudonyms, text, 1);
}

char *nuce_pseudonyms_paths(struct nuce_pseudonyms *pseudonyms, const char *text)
{
    return replace_all(pseudonyms, text, 0);
}

int nuce_pseudonyms_are_absent(struct nuce_pseudonyms *pseudonyms, const char *text, size_t length)
{
    char before = '\0';

    for (size_t at = 0; at < length; at++) {
        const char *stands;

        if (path_length(text + at, length - at, before) > 0 ||
            (!isalnum((unsigned char)before) &&
             name_at(pseudonyms, text + at, length - at, &stands) > 0))
            return 0;
        before = text[at];
    }
    return 1;
}

static json_t *change_members(struct nuce_pseudonyms *pseudonyms, const json_t *value,
                              char *(*change)(struct nuce_pseudonyms *, const char *))
{
    json_t *changed = json_object(), *member;
    const char *key;

    json_object_foreach((json_t *)value, key, member)
    {
        if (json_object_set_new(changed, key, nuce_pseudonyms_json(pseudonyms, member, change)) !=
            0) {
            json_decref(changed);
            return NULL;
        }
    }
    return changed;
}

static json_t *change_items(struct nuce_pseudonyms *pseudonyms, const json_t *value,
                            char *(*change)(struct nuce_pseudonyms *, const char *))
{
    json_t *changed = json_array(), *item;
    size_t i;

    json_array_foreach(value, i, item)
    {
        if (json_array_append_new(changed, nuce_pseudonyms_json(pseudonyms, item, change)) != 0) {
            json_decref(changed);
            return NULL;
        }
    }
    return changed;
}

json_t *nuce_pseudonyms_json(struct nuce_pseudonyms *pseudonyms, const json_t *value,
                             char *(*change)(struct nuce_pseudonyms *pseudonyms, const char *text))
{
    json_t *changed;
    char *text;

    if (json_is_object(value))
        return change_members(pseudonyms, value, change);
    if (json_is_array(value))
        return change_items(pseudonyms, value, change);
    if (!json_is_string(value))
        return json_deep_copy(value);
    text = change(pseudonyms, json_string_value(value));
    changed = text != NULL ? json_string(text) : NULL;
    free(text);
    return changed;
}

void nuce_pseudonyms_fini(struct nuce_pseudonyms *pseudonyms)
{
    json_decref(pseudonyms->names);
    json_decref(pseudonyms->paths);
    *pseudonyms = (struct nuce_pseudonyms){0};
}
