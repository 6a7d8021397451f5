#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data.h"
#include "memory.h"
#include "text.h"
#include "yaml_file.h"

void nuce_config_fini(struct nuce_config *config)
{
    nuce_plan_fini(&config->plan);
    nuce_sweep_fini(&config->sweep);
    free(config->path);
    free(config->text);
    *config = (struct nuce_config){0};
}

void nuce_config_names_free(char **names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int is_config(const char *file)
{
    size_t length = strlen(file);

    return length > 5 && strcmp(file + length - 5, ".yaml") == 0 && file[0] != '.';
}

nuce_status nuce_config_names(char ***names, int64_t *count, struct nuce_error *error)
{
    char *folder = nuce_data_path("configs", error);
    int64_t capacity = 0, found = 0;
    char **list = NULL;
    struct dirent *entry;
    DIR *directory;

    if (folder == NULL)
        return error->status;
    directory = opendir(folder);
    free(folder);
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && directory != NULL && (entry = readdir(directory)) != NULL) {
        if (!is_config(entry->d_name) ||
            nuce_grow((void **)&list, &capacity, found + 1, sizeof *list, error) != NUCE_OK)
            continue;
        list[found] = strndup(entry->d_name, strlen(entry->d_name) - 5);
        if (list[found] == NULL)
            (void)(error->status = nuce_error_set(error, NUCE_FAILED, "out of memory"));
        else
            found++;
    }
    if (directory != NULL)
        (void)closedir(directory);
    if (error->status != NUCE_OK) {
        nuce_config_names_free(list, found);
        return error->status;
    }
    if (found > 0)
        qsort(list, (size_t)found, sizeof *list, by_name);
    *names = list;
    *count = found;
    return NUCE_OK;
}

static nuce_status unknown_config(const char *name, struct nuce_error *error)
{
    const char *nearest;
    char **names = NULL;
    int64_t count = 0;

    if (nuce_config_names(&names, &count, error) != NUCE_OK)
        return error->status;
    nearest = nuce_text_nearest(name, (const char *const *)names, (size_t)count);
    (void)nuce_error_set(error, NUCE_BAD_INPUT,
                         "no configuration '%s'%s%s%s: expected a file, or a name of 'nuce list "
                         "configs'",
                         name, nearest != NULL ? " (did you mean '" : "",
                         nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
    nuce_config_names_free(names, count);
    return NUCE_BAD_INPUT;
}

/* A file of that name wins over a shipped one. */
static nuce_status locate(const char *name, char **out, struct nuce_error *error)
{
    char *file, *path;
    struct stat status;

    if (stat(name, &status) == 0) {
        *out = nuce_text_format(error, "%s", name);
        return *out != NULL ? NUCE_OK : error->status;
    }
    if (!nuce_text_is_name(name))
        return unknown_config(name, error);
    file = nuce_text_format(error, "configs/%s.yaml", name);
    path = file != NULL ? nuce_data_path(file, error) : NULL;
    free(file);
    if (path == NULL)
        return error->status;
    if (stat(path, &status) != 0) {
        free(path);
        return unknown_config(name, error);
    }
    *out = path;
    return NUCE_OK;
}

/* At most one byte more than the longest: enough to tell that it is too long. */
static nuce_status read_text(struct nuce_config *config, struct nuce_error *error)
{
    FILE *file = fopen(config->path, "rb");
    nuce_status status = NUCE_OK;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", config->path, strerror(errno));
    config->text = nuce_allocate(NUCE_YAML_LONGEST + 1, 1, error);
    if (config->text == NULL)
        status = error->status;
    else
        config->length = fread(config->text, 1, NUCE_YAML_LONGEST + 1, file);
    if (status == NUCE_OK && ferror(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", config->path, strerror(errno));
    (void)fclose(file);
    return status;
}

static void check_ranks(const struct nuce_sweep *sweep, int64_t most,
                        struct nuce_problems *problems)
{
    for (int64_t i = 0; i < sweep->ranks_count; i++) {
        if (most > 0 && sweep->ranks[i].ranks > most)
            nuce_problems_add(problems, sweep->ranks[i].line, sweep->ranks[i].column,
                              "ranks: '%d': this launcher starts at most %lld (--max-ranks)",
                              sweep->ranks[i].ranks, (long long)most);
    }
}

static nuce_status parse_and_expand(struct nuce_config *config, int64_t most_ranks,
                                    struct nuce_problems *problems, struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create(error);

    if (facts == NULL)
        return error->status;
    nuce_sweep_parse(config->text, config->length, &config->sweep, problems);
    if (nuce_problems_none(problems)) {
        check_ranks(&config->sweep, most_ranks, problems);
        nuce_sweep_expand(&config->sweep, facts, &config->plan, problems);
    }
    nuce_facts_destroy(facts);
    if (!nuce_problems_none(problems))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: nothing was run or written",
                              config->path);
    return NUCE_OK;
}

nuce_status nuce_config_load(const char *name, int64_t most_ranks, struct nuce_config *out,
                             struct nuce_problems *problems, struct nuce_error *error)
{
    *out = (struct nuce_config){0};
    nuce_problems_init(problems, NULL);
    if (locate(name, &out->path, error) != NUCE_OK)
        return error->status;
    nuce_problems_init(problems, out->path);
    if (read_text(out, error) != NUCE_OK)
        return error->status;
    return parse_and_expand(out, most_ranks, problems, error);
}
