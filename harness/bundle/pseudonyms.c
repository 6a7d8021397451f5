/* Names and what stands for them.
 *
 * Names are found in a text by trying, at the beginning of each word, the longest name first
 * (name_at); paths by their form (path_length), as nobody can list them beforehand, and each gets
 * its pseudonym when it is met. Searching is quadratic in the length of names at worst, and texts
 * are short. */
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

/* Names are known in lower case, and found in any. A new string, NULL when out of memory. */
static char *lower_case(const char *text, size_t length)
{
    char *copy = strndup(text, length);

    for (char *c = copy; c != NULL && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

/* Names of one byte are all over any text. */
static int is_nameable(const char *name)
{
    return name[0] != '\0' && name[1] != '\0';
}

/* The same pseudonym for the host without its domain. A name that is known already keeps its
 * pseudonym. 0: out of memory. */
static int add_short_name(struct nuce_pseudonyms *pseudonyms, const char *name, const char *stands)
{
    char *label = strndup(name, strcspn(name, "."));
    int good = label != NULL &&
               (!is_nameable(label) || json_object_get(pseudonyms->names, label) != NULL ||
                json_object_set_new(pseudonyms->names, label, json_string(stands)) == 0);

    free(label);
    return good;
}

/* Gives name, which is not known, the next number of its kind. NULL: out of memory. */
static const char *add_new(struct nuce_pseudonyms *pseudonyms, json_t *all,
                           enum nuce_pseudonym_kind kind, const char *name)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%s%lld", prefixes[kind],
                   (long long)pseudonyms->count[kind] + 1);
    if (json_object_set_new(all, name, json_string(text)) != 0 ||
        (kind == NUCE_PSEUDONYM_HOST && !add_short_name(pseudonyms, name, text)))
        return NULL;
    pseudonyms->count[kind]++;
    if (kind != NUCE_PSEUDONYM_PATH && strlen(name) > pseudonyms->longest)
        pseudonyms->longest = strlen(name);
    return json_string_value(json_object_get(all, name));
}

/* Names are known by their lower case, paths as they are: the names of hosts are the same in
 * either, those of files are not. */
const char *nuce_pseudonyms_add(struct nuce_pseudonyms *pseudonyms, enum nuce_pseudonym_kind kind,
                                const char *name)
{
    json_t *all = kind == NUCE_PSEUDONYM_PATH ? pseudonyms->paths : pseudonyms->names;
    char *key = kind == NUCE_PSEUDONYM_PATH ? strdup(name) : lower_case(name, strlen(name));
    const char *known = key != NULL ? json_string_value(json_object_get(all, key)) : NULL;

    if (key == NULL)
        return NULL;
    if (known == NULL)
        known = is_nameable(name) ? add_new(pseudonyms, all, kind, key) : name;
    free(key);
    return known;
}

/* The longest name that begins at text and ends with a word, and its pseudonym in *stands; 0: none.
 *
 * text must begin a word. A name that is the beginning of a longer word is none: node1 in
 * node12. */
static size_t name_at(const struct nuce_pseudonyms *pseudonyms, const char *text, size_t length,
                      const char **stands)
{
    size_t most = length < pseudonyms->longest ? length : pseudonyms->longest;
    char *lower = most > 1 ? lower_case(text, most) : NULL;
    size_t found = 0;

    for (size_t end = lower != NULL ? strlen(lower) : 0; end > 1 && found == 0; end--) {
        if (end < length && isalnum((unsigned char)text[end]))
            continue;
        *stands = json_string_value(json_object_getn(pseudonyms->names, lower, end));
        found = *stands != NULL ? end : 0;
    }
    free(lower);
    return found;
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

/* What ends a path, and what may stand before one. */
static const char path_ends[] = " \t\r\n\"'`,;:()[]{}<>|=&";
static const char path_starts[] = " \t\r\n\"'`,;:()[]{}|=&";

/* Whether what stands before text[at] makes an address of what follows: http: or https:. */
static int is_address(const char *text, size_t at)
{
    return (at >= 5 && memcmp(text + at - 5, "http:", 5) == 0) ||
           (at >= 6 && memcmp(text + at - 6, "https:", 6) == 0);
}

/* Whether a path may begin at text[at]: at its beginning, behind one of path_starts, or behind the
 * option of a compiler, -I. So the slash in "bytes/s" or "and/or" begins none. */
static int may_begin_path(const char *text, size_t at)
{
    return at == 0 || (strchr(path_starts, text[at - 1]) != NULL && !is_address(text, at)) ||
           (at > 1 && text[at - 2] == '-' && strchr("ILR", text[at - 1]) != NULL);
}

/* How many bytes of an absolute path, /NAME/REST or ~NAME/REST, begin at text[at]. One component
 * alone, such as the "/s" of a rate, is none. */
static size_t path_length(const char *text, size_t length, size_t at)
{
    size_t end = at;
    int components = 0;

    if ((text[at] != '/' && text[at] != '~') || text[at] == '\0' || !may_begin_path(text, at))
        return 0;
    while (end < length && text[end] != '\0' && strchr(path_ends, text[end]) == NULL) {
        components += (end == at || text[end - 1] == '/') && text[end] != '/';
        end++;
    }
    components += text[at] == '~' && end > at + 1 && text[at + 1] != '/';
    return components > 1 && memchr(text + at, '/', end - at) != NULL ? end - at : 0;
}

/* What stands at text[at] that is to be replaced: its length and what stands for it (NULL: out of
 * memory); 0: nothing. */
static size_t match(struct nuce_pseudonyms *pseudonyms, const char *text, size_t length, size_t at,
                    int has_names, const char **stands)
{
    size_t name = has_names && (at == 0 || !isalnum((unsigned char)text[at - 1]))
                      ? name_at(pseudonyms, text + at, length - at, stands)
                      : 0;
    size_t path;
    char *copy;

    if (name > 0)
        return name + domain_length(text + at + name, length - at - name);
    path = path_length(text, length, at);
    if (path == 0)
        return 0;
    copy = strndup(text + at, path);
    *stands = copy != NULL ? nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_PATH, copy) : NULL;
    free(copy);
    return path;
}

/* has_names: names are replaced as well as paths. A new string; NULL when out of memory. Goes on by
 * at least one byte each time, and behind what was replaced: a pseudonym is not looked at again. */
static char *replace_all(struct nuce_pseudonyms *pseudonyms, const char *text, int has_names)
{
    size_t length = strlen(text), size = 0;
    char *changed = NULL;
    FILE *stream = open_memstream(&changed, &size);
    int good = stream != NULL;

    for (size_t at = 0; good && at < length;) {
        const char *stands = NULL;
        size_t matched = match(pseudonyms, text, length, at, has_names, &stands);

        good = matched == 0 ? fputc(text[at], stream) != EOF
                            : stands != NULL && fputs(stands, stream) != EOF;
        at += matched > 0 ? matched : 1;
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

int nuce_pseudonyms_names_are_absent(const struct nuce_pseudonyms *pseudonyms, const char *text,
                                     size_t length)
{
    for (size_t at = 0; at < length; at++) {
        const char *stands;

        if ((at == 0 || !isalnum((unsigned char)text[at - 1])) &&
            isalnum((unsigned char)text[at]) &&
            name_at(pseudonyms, text + at, length - at, &stands) > 0)
            return 0;
    }
    return 1;
}

int nuce_pseudonyms_are_absent(const struct nuce_pseudonyms *pseudonyms, const char *text,
                               size_t length)
{
    for (size_t at = 0; at < length; at++) {
        if (path_length(text, length, at) > 0)
            return 0;
    }
    return nuce_pseudonyms_names_are_absent(pseudonyms, text, length);
}

/* Keys stay as they are. */
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
