/* Reads a profile's YAML.
 *
 * Order: a line, a text, a list, a mapping of a member; keys of profile_keys.h; the whole document;
 * finding and reading the file. Each mistake is added to the problems and reading continues, so
 * that a user sees all mistakes at once. A profile with any mistake is not used. profile.h and the
 * docs describe the keys. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "campaigns/profile.h"
#include "campaigns/profile_keys.h"
#include "campaigns/yaml_file.h"

/* The state of reading one profile. problems is the caller's. */
struct parser {
    struct nuce_yaml yaml;
    struct nuce_problems *problems;
    char *folder; /* of the file */
};

/* The text at node, the value of member or one of its list, as a new string. NULL, and a problem,
 * if it is not a line or the file does not exist. This check covers only files relative to the
 * profile. An absolute path may exist on the nodes only, and is checked when a job starts. */
static char *profile_text_of(struct parser *parser, const struct nuce_profile_member *row,
                             const yaml_node_t *node)
{
    const char *text = nuce_yaml_text(node);
    struct nuce_error error = {.status = NUCE_OK};
    char *named = NULL;
    int is_word;

    if (text == NULL || *text == '\0' || nuce_yaml_is_null(node)) {
        nuce_yaml_complain(parser->problems, node, "%s: expected a single value, got %s", row->key,
                           nuce_yaml_kind(node));
        return NULL;
    }
    if (nuce_text_has_control(text)) {
        nuce_yaml_complain(parser->problems, node,
                           "%s: a control character in the value: expected one line", row->key);
        return NULL;
    }
    is_word = row->names == NUCE_PROFILE_WORD ||
              (row->names == NUCE_PROFILE_PROGRAM && strchr(text, '/') == NULL);
    if (row->check != NULL)
        error.status = row->check(text, &error);
    if (error.status == NUCE_OK)
        named = is_word ? nuce_text_duplicate(text) : nuce_profile_path(parser->folder, text);
    if (named != NULL && row->names == NUCE_PROFILE_FILES && *text != '/')
        error.status = nuce_data_check_file(named, "a file that describes the machine", &error);
    if (error.status == NUCE_OK)
        return named;
    nuce_yaml_complain(parser->problems, node, "%s: %s", row->key, nuce_error_flatten(&error));
    free(named);
    return NULL;
}

/* Replaces the list by the texts of that at node, or, for FILES, by the one text there. */
static void profile_parse_list(struct parser *parser, const struct nuce_profile_member *row,
                               const yaml_node_t *node, json_t **list)
{
    int is_list = nuce_yaml_is_list(node);
    int64_t count = is_list ? nuce_yaml_size(node) : row->names == NUCE_PROFILE_FILES;
    json_t *items = json_array();

    if (!is_list && count == 0)
        nuce_yaml_complain(parser->problems, node, "%s: expected a list, got %s", row->key,
                           nuce_yaml_kind(node));
    for (int64_t i = 0; i < count; i++) {
        const yaml_node_t *item = is_list ? nuce_yaml_item(&parser->yaml, node, i) : node;
        char *text = profile_text_of(parser, row, item);

        if (text != NULL && json_array_append_new(items, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, item, "%s: not valid UTF-8 text", row->key);
        free(text);
    }
    json_decref(*list);
    *list = items;
}

/* Variables for the jobs. */
static void profile_parse_object(struct parser *parser, const struct nuce_profile_member *row,
                                 const yaml_node_t *node, json_t *object)
{
    if (!nuce_yaml_is_mapping(node))
        nuce_yaml_complain(parser->problems, node,
                           "%s: expected a mapping of variables to texts, got %s", row->key,
                           nuce_yaml_kind(node));
    for (int64_t i = 0; nuce_yaml_is_mapping(node) && i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value);
        struct nuce_error error;

        if (name == NULL)
            continue; /* reported already */
        if (row->check(name, &error) != NUCE_OK)
            nuce_yaml_complain(parser->problems, key, "%s: %s", row->key,
                               nuce_error_flatten(&error));
        else if (text == NULL || nuce_yaml_is_null(value))
            nuce_yaml_complain(parser->problems, value, "%s: %s: expected a single value, got %s",
                               row->key, name, nuce_yaml_kind(value));
        else if (json_object_set_new(object, name, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, value, "%s: %s: not valid UTF-8 text", row->key,
                               name);
    }
}

/* Handles a key of profile_keys.h, or an unknown one. A typo in one of the keys above is reported
 * first: unknown keys are passed to sbatch, which would refuse them only after the campaign is
 * made. */
static void parse_other(struct parser *parser, const yaml_node_t *key, const yaml_node_t *value,
                        struct nuce_profile *out)
{
    const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value), *nearest;
    struct nuce_error error;
    const char *names[32];
    size_t count = 0;

    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        NUCE_ASSERT(count < sizeof names / sizeof *names);
        if (row->key != NULL)
            names[count++] = row->key;
    }
    nearest = nuce_text_nearest(name, names, count);
    if (nearest != NULL && nuce_slurm_key_find(name) == NULL && !nuce_slurm_is_lookalike(name))
        nuce_yaml_complain(parser->problems, key, "unknown key '%s' (did you mean '%s'?)", name,
                           nearest);
    else if (nuce_slurm_check_key(name, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, key, "%s", nuce_error_flatten(&error));
    else if (text == NULL || nuce_yaml_is_null(value))
        nuce_yaml_complain(parser->problems, value, "%s: expected a single value, got %s", name,
                           nuce_yaml_kind(value));
    else if (nuce_profile_set(out, name, text, parser->folder, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, value, "%s", nuce_error_flatten(&error));
}

/* Reads all keys, even after a mistake, so that all mistakes are reported at once. A wrong text
 * leaves NULL in its member, even in a required one: such a profile is discarded at the end. */
static void profile_parse_root(struct parser *parser, struct nuce_profile *out)
{
    const yaml_node_t *root = nuce_yaml_root(&parser->yaml), *mpi;

    if (root == NULL)
        return; /* an empty profile: the defaults */
    if (!nuce_yaml_expect(parser->problems, root, NUCE_YAML_MAPPING, 0,
                          "expected a mapping (launcher, partition ...)"))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(root); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, root, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, root, i);
        const char *name = nuce_yaml_text(key);
        const struct nuce_profile_member *row =
            name == NULL ? NULL : nuce_profile_member_find(name);
        void *at = row != NULL ? nuce_profile_at(row, out) : NULL;

        if (name == NULL)
            continue;
        if (row == NULL) {
            parse_other(parser, key, value, out);
        } else if (row->type == NUCE_PROFILE_LIST) {
            profile_parse_list(parser, row, value, at);
        } else if (row->type == NUCE_PROFILE_OBJECT) {
            profile_parse_object(parser, row, value, *(json_t **)at);
        } else {
            free(*(char **)at);
            *(char **)at = profile_text_of(parser, row, value);
        }
    }
    mpi = nuce_yaml_find(&parser->yaml, root, "mpi");
    if (mpi != NULL && out->launcher != NULL && nuce_profile_takes_srun(out->launcher) == 0)
        nuce_yaml_complain(parser->problems, mpi, "mpi: only srun takes it, and launcher is '%s'",
                           out->launcher);
}

/* Parses text as nuce_profile_parse does, over the defaults and over slurm, which may be NULL. The
 * profile's keys win here, unlike in nuce_profile_merge: a profile for an existing campaign
 * (`resume --profile`) must be able to change it. If the folder of the file cannot be found, the
 * current one is used: the file cannot be read then either, which is reported later. */
static void parse_over(const json_t *slurm, const char *text, size_t length,
                       struct nuce_profile *out, struct nuce_problems *problems)
{
    char *path = nuce_text_duplicate(problems->path);
    struct parser parser = {.problems = problems, .folder = realpath(dirname(path), NULL)};
    struct nuce_profile profile;
    struct nuce_error error;

    free(path);
    if (parser.folder == NULL)
        parser.folder = realpath(".", NULL);
    nuce_profile_init(&profile);
    if (parser.folder == NULL)
        nuce_problems_add(problems, 1, 1, "the current folder cannot be found");
    else if (nuce_profile_merge(&profile, slurm, &error) != NUCE_OK)
        nuce_problems_add(problems, 1, 1, "%s", nuce_error_flatten(&error));
    else
        nuce_yaml_parse(text, length, &parser.yaml, problems);
    if (nuce_problems_none(problems) || nuce_yaml_root(&parser.yaml) != NULL)
        profile_parse_root(&parser, &profile);
    nuce_yaml_fini(&parser.yaml);
    free(parser.folder);
    if (nuce_problems_none(problems))
        *out = profile;
    else
        nuce_profile_fini(&profile);
}

void nuce_profile_parse(const char *text, size_t length, struct nuce_profile *out,
                        struct nuce_problems *problems)
{
    parse_over(NULL, text, length, out, problems);
}

nuce_status nuce_profile_load(const char *name, struct nuce_profile *out,
                              struct nuce_problems *problems, struct nuce_error *error)
{
    return nuce_profile_load_over(name, NULL, out, problems, error);
}

nuce_status nuce_profile_load_over(const char *name, const json_t *slurm, struct nuce_profile *out,
                                   struct nuce_problems *problems, struct nuce_error *error)
{
    char *path = NULL, *text = NULL;
    nuce_status status;
    size_t length = 0;

    *out = (struct nuce_profile){0};
    nuce_problems_init(problems, NULL);
    if (name == NULL) {
        nuce_profile_init(out);
        return nuce_profile_merge(out, slurm, error);
    }
    status = nuce_shipped_locate(&nuce_profile_shipped, name, &path, error);
    if (status != NUCE_OK)
        return status;
    nuce_problems_init(problems, path);
    status = nuce_shipped_read(path, &text, &length, error);
    if (status == NUCE_OK)
        parse_over(slurm, text, length, out, problems);
    free(text);
    out->path = path;
    if (status == NUCE_OK && !nuce_problems_none(problems))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: nothing was submitted", path);
    return status;
}
