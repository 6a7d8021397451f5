/* A profile's YAML.
 *
 * Order: helpers that complain at the right line; a function a key; the table of keys; the whole
 * document; finding and reading the file. Whatever is wrong is added to the problems and reading
 * goes on, so that a user sees all mistakes at once; nothing is submitted with a profile that has
 * any. What a key means stands in profile.h, and for users in docs. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/keys.h"
#include "slurm/profile_parts.h"
#include "support/allocate.h"
#include "support/data.h"
#include "support/text.h"
#include "sweeps/yaml_file.h"

/* Characters of a variable's name in POSIX; digits, which may not be its first. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

/* One profile that is being read. problems is the caller's. */
struct parser {
    struct nuce_yaml yaml;
    struct nuce_problems *problems;
    char *folder; /* of the file */
};

/* The one line that node holds; NULL, and said, if it holds something else. */
static const char *profile_line_of(struct parser *parser, const char *key, const yaml_node_t *node)
{
    const char *text = nuce_yaml_text(node);

    if (text == NULL || *text == '\0')
        nuce_yaml_complain(parser->problems, node, "%s: expected a single value, got %s", key,
                           nuce_yaml_kind(node));
    else if (nuce_text_has_control(text))
        nuce_yaml_complain(parser->problems, node,
                           "%s: a control character in the value: expected one line", key);
    else
        return text;
    return NULL;
}

/* Takes over text, which is NULL with *error. */
static void profile_take(struct parser *parser, const yaml_node_t *node, char **member, char *text,
                         struct nuce_error *error)
{
    if (text == NULL)
        nuce_yaml_complain(parser->problems, node, "%s", nuce_error_flatten(error));
    free(*member);
    *member = text;
}

/* Programs without a slash are searched in PATH. */
static void take_program(struct parser *parser, const yaml_node_t *node, char **member,
                         const char *text)
{
    struct nuce_error error;
    char *path = strchr(text, '/') != NULL ? nuce_profile_path(parser->folder, text, &error)
                                           : nuce_text_format(&error, "%s", text);

    profile_take(parser, node, member, path, &error);
}

/* How a launcher is called follows from its name: srun takes options of its own, mpiexec's kin
 * takes -n. */
static void parse_launcher(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    const char *text = profile_line_of(parser, "launcher", node);

    if (text == NULL)
        return;
    if (nuce_profile_takes_srun(text) < 0)
        nuce_yaml_complain(parser->problems, node,
                           "launcher: '%s': expected srun, mpiexec or a name that begins so "
                           "(mpiexec.hydra), or the path of one; for others a script mpiexec-NAME "
                           "that takes -n RANKS [-ppn RANKS] PROGRAM ... (mpirun is mpiexec)",
                           text);
    else
        take_program(parser, node, &out->launcher, text);
}

/* mpi: how srun starts MPI programs. That only srun takes it is checked when all keys are read,
 * since the launcher may be named further down. */
static void parse_mpi(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    const char *text = profile_line_of(parser, "mpi", node);
    struct nuce_error error;

    if (text != NULL && !nuce_text_is_name(text))
        nuce_yaml_complain(parser->problems, node,
                           "mpi: '%s': expected a name of 'srun --mpi=list', such as pmi2 or pmix",
                           text);
    else if (text != NULL)
        profile_take(parser, node, &out->mpi, nuce_text_format(&error, "%s", text), &error);
}

/* via: a program that calls Slurm's programs for us, as on a cluster in containers. */
static void parse_via(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    const char *text = profile_line_of(parser, "via", node);

    if (text != NULL)
        take_program(parser, node, &out->via, text);
}

/* A folder, relative to that of the profile. */
static void parse_programs(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    const char *text = profile_line_of(parser, "programs", node);
    struct nuce_error error;

    if (text != NULL)
        profile_take(parser, node, &out->programs, nuce_profile_path(parser->folder, text, &error),
                     &error);
}

/* Replaces *list by the texts of the list at node; 0, and said, if something is wrong. check, which
 * may be NULL, says why an item may not be there, or NULL. */
static int parse_list(struct parser *parser, const char *key, const yaml_node_t *node,
                      const char *(*check)(const char *item), json_t **list)
{
    json_t *items = json_array();
    int good = items != NULL;

    if (!nuce_yaml_is_list(node)) {
        nuce_yaml_complain(parser->problems, node, "%s: expected a list, got %s", key,
                           nuce_yaml_kind(node));
        good = 0;
    }
    for (int64_t i = 0; nuce_yaml_is_list(node) && i < nuce_yaml_size(node); i++) {
        const yaml_node_t *item = nuce_yaml_item(&parser->yaml, node, i);
        const char *text = profile_line_of(parser, key, item);
        const char *expected = text != NULL && check != NULL ? check(text) : NULL;

        good &= text != NULL && expected == NULL;
        if (expected != NULL)
            nuce_yaml_complain(parser->problems, item, "%s: '%s': %s", key, text, expected);
        else if (text != NULL && json_array_append_new(items, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, item, "%s: not valid UTF-8 text", key);
    }
    json_decref(*list);
    *list = items;
    return good;
}

/* Taken as they are: nuce does not know the options of every launcher. */
static void parse_launcher_options(struct parser *parser, const yaml_node_t *node,
                                   struct nuce_profile *out)
{
    (void)parse_list(parser, "launcher-options", node, NULL, &out->launcher_options);
}

/* A file beside the profile can be seen from here; one with an absolute path may be the nodes' own,
 * and is looked for where a job starts. */
static void add_described(struct parser *parser, const yaml_node_t *node, const char *text,
                          struct nuce_profile *out)
{
    static const char what[] = "a file that says what the machine is";
    struct nuce_error error = {.status = NUCE_OK};
    char *path = nuce_profile_path(parser->folder, text, &error);

    if (path == NULL || (*text != '/' && nuce_data_check_file(path, what, &error) != NUCE_OK))
        nuce_yaml_complain(parser->problems, node, "describe: %s", nuce_error_flatten(&error));
    else if (json_array_append_new(out->describe, json_string(path)) != 0)
        nuce_yaml_complain(parser->problems, node, "describe: not valid UTF-8 text");
    free(path);
}

/* describe: one file or a list of files. */
static void parse_describe(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    int is_list = nuce_yaml_is_list(node);
    int64_t count = is_list ? nuce_yaml_size(node) : 1;

    for (int64_t i = 0; i < count; i++) {
        const yaml_node_t *item = is_list ? nuce_yaml_item(&parser->yaml, node, i) : node;
        const char *text = profile_line_of(parser, "describe", item);

        if (text != NULL)
            add_described(parser, item, text, out);
    }
}

/* Whether the variable is one of Slurm's own. */
static int is_slurms(const char *variable)
{
    return strncmp(variable, "SLURM_", strlen("SLURM_")) == 0;
}

/* "OMP_*" or "OMP_NUM_THREADS": no other pattern is needed, and none is then misread. */
static const char *check_pattern(const char *text)
{
    size_t length = strlen(text), plain = strspn(text, LETTERS DIGITS);

    if (is_slurms(text))
        return "Slurm sets its own variables in each job";
    if (strchr(DIGITS, *text) != NULL || plain + 1 < length ||
        (plain + 1 == length && text[plain] != '*'))
        return "expected the name of a variable, whose end may be *";
    return NULL;
}

/* A module's name is put into the job script as it is. */
static const char *check_module(const char *text)
{
    return *text != '-' && strspn(text, LETTERS DIGITS "/.+-") == strlen(text)
               ? NULL
               : "expected the name of a module, as 'module avail' has it";
}

/* modules: names for `module load`, in that order. prologue.sh looks for the command, since a batch
 * step is no login shell. */
static void parse_modules(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    (void)parse_list(parser, "modules", node, check_module, &out->modules);
}

/* The user's own shell text: it is not looked into. */
static void parse_prologue(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    (void)parse_list(parser, "prologue", node, NULL, &out->prologue);
}

/* environment: in place of the default names, not beside them. */
static void parse_environment(struct parser *parser, const yaml_node_t *node,
                              struct nuce_profile *out)
{
    (void)parse_list(parser, "environment", node, check_pattern, &out->environment);
}

/* Each word is checked by itself, so that the message can point at it. */
static void parse_sbatch(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    struct nuce_error error;

    if (!parse_list(parser, "sbatch", node, NULL, &out->sbatch))
        return;
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *item = nuce_yaml_item(&parser->yaml, node, i);
        const char *word = nuce_yaml_text(item);

        if (nuce_slurm_check_words(&word, 1, &error) != NUCE_OK)
            nuce_yaml_complain(parser->problems, item, "sbatch: %s", error.message);
    }
}

/* Variables for the jobs. Slurm's own are refused: programs under srun find their place by them. */
static void parse_set(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out)
{
    if (!nuce_yaml_is_mapping(node)) {
        nuce_yaml_complain(parser->problems, node,
                           "set: expected a mapping of variables to texts, got %s",
                           nuce_yaml_kind(node));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(node); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, node, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, node, i);
        const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value);

        if (name == NULL)
            continue; /* said already */
        if (*name == '\0' || strchr(DIGITS, *name) != NULL ||
            strspn(name, LETTERS DIGITS) != strlen(name))
            nuce_yaml_complain(parser->problems, key,
                               "set: '%s': expected a name of letters, digits and underscores",
                               name);
        else if (is_slurms(name))
            nuce_yaml_complain(parser->problems, key,
                               "set: '%s': Slurm sets its own variables in each job", name);
        else if (text == NULL)
            nuce_yaml_complain(parser->problems, value, "set: %s: expected a single value, got %s",
                               name, nuce_yaml_kind(value));
        else if (json_object_set_new(out->set, name, json_string(text)) != 0)
            nuce_yaml_complain(parser->problems, value, "set: %s: not valid UTF-8 text", name);
    }
}

/* A key and the function that reads its value into the profile, or complains. */
struct profile_key {
    const char *name;
    void (*parse)(struct parser *parser, const yaml_node_t *node, struct nuce_profile *out);
};

/* The keys that only a profile has. */
static const struct profile_key keys[] = {
    {"describe", parse_describe}, {"environment", parse_environment},
    {"launcher", parse_launcher}, {"launcher-options", parse_launcher_options},
    {"modules", parse_modules},   {"mpi", parse_mpi},
    {"programs", parse_programs}, {"prologue", parse_prologue},
    {"sbatch", parse_sbatch},     {"set", parse_set},
    {"via", parse_via},
};

#define KEYS (sizeof keys / sizeof *keys)

int nuce_profile_has_key(const char *name)
{
    size_t k = 0;

    while (k < KEYS && strcmp(name, keys[k].name) != 0)
        k++;
    return k < KEYS;
}

/* A key of keys.h, or one that nobody knows. A slip of one of the keys above is told first, since
 * keys that nuce does not know are else passed to sbatch, which would refuse them only when the
 * campaign is made. */
static void parse_other(struct parser *parser, const yaml_node_t *key, const yaml_node_t *value,
                        struct nuce_profile *out)
{
    const char *name = nuce_yaml_text(key), *text = nuce_yaml_text(value), *nearest;
    struct nuce_error error;
    const char *names[KEYS];

    for (size_t k = 0; k < KEYS; k++)
        names[k] = keys[k].name;
    nearest = nuce_text_nearest(name, names, KEYS);
    if (nearest != NULL && nuce_slurm_key_find(name) == NULL)
        nuce_yaml_complain(parser->problems, key, "unknown key '%s' (did you mean '%s'?)", name,
                           nearest);
    else if (nuce_slurm_check_key(name, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, key, "%s", nuce_error_flatten(&error));
    else if (text == NULL)
        nuce_yaml_complain(parser->problems, value, "%s: expected a single value, got %s", name,
                           nuce_yaml_kind(value));
    else if (nuce_profile_set(out, name, text, parser->folder, &error) != NUCE_OK)
        nuce_yaml_complain(parser->problems, value, "%s", nuce_error_flatten(&error));
}

/* All keys are read although one is wrong, so that all mistakes are told at once. */
static void profile_parse_root(struct parser *parser, struct nuce_profile *out)
{
    const yaml_node_t *root = nuce_yaml_root(&parser->yaml), *mpi;

    if (root == NULL)
        return; /* an empty profile: the defaults */
    if (!nuce_yaml_is_mapping(root)) {
        nuce_yaml_complain(parser->problems, root,
                           "expected a mapping (launcher, partition ...), got %s",
                           nuce_yaml_kind(root));
        return;
    }
    for (int64_t i = 0; i < nuce_yaml_size(root); i++) {
        const yaml_node_t *key = nuce_yaml_key(&parser->yaml, root, i);
        const yaml_node_t *value = nuce_yaml_value(&parser->yaml, root, i);
        const char *name = nuce_yaml_text(key);
        size_t k = 0;

        while (name != NULL && k < KEYS && strcmp(name, keys[k].name) != 0)
            k++;
        if (name != NULL && k < KEYS)
            keys[k].parse(parser, value, out);
        else if (name != NULL)
            parse_other(parser, key, value, out);
    }
    mpi = nuce_yaml_find(&parser->yaml, root, "mpi");
    if (mpi != NULL && nuce_profile_takes_srun(out->launcher) == 0)
        nuce_yaml_complain(parser->problems, mpi, "mpi: only srun takes it, and launcher is '%s'",
                           out->launcher);
}

/* The folder of the file, absolute. A new string, or NULL. The current folder where that of the
 * file cannot be found: then the file cannot be read either, which is said there. */
static char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy != NULL ? realpath(dirname(copy), NULL) : NULL;

    free(copy);
    return folder != NULL ? folder : realpath(".", NULL);
}

/* Parses text as nuce_profile_parse does, over the defaults and then over what slurm, which may be
 * NULL, says: the profile's keys win here, unlike in nuce_profile_merge, since a profile that is
 * given to a campaign that is there already (`resume --profile`) must be able to change it. */
static void parse_over(const json_t *slurm, const char *text, size_t length,
                       struct nuce_profile *out, struct nuce_problems *problems)
{
    struct parser parser = {.problems = problems, .folder = folder_of(problems->path)};
    struct nuce_profile profile = {0};
    struct nuce_error error;

    if (parser.folder == NULL)
        nuce_problems_add(problems, 1, 1, "out of memory");
    else if (nuce_profile_init(&profile, &error) != NUCE_OK ||
             nuce_profile_merge(&profile, slurm, &error) != NUCE_OK)
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
    if (name == NULL)
        return nuce_profile_init(out, error) == NUCE_OK ? nuce_profile_merge(out, slurm, error)
                                                        : error->status;
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
