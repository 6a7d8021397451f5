/* The files of a campaign, each without what tells who measured and where.
 *
 * What a point is stays as it is, with its identity: in params only paths are replaced, and there
 * the file's own name stays, since it is part of the identity.
 *
 * Every kind of file has its own way: lines of records and of the plan, campaign.json, the sweep, a
 * job's note; what is none of these is copied if no name is in it and left out otherwise, with a
 * word (copy_text). A kind that is added to bundles thus leaks nothing by being forgotten here.
 * Then: the copy of a campaign, and the bundle of the copies. */
#include "bundle/anonymous.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/bundle.h"
#include "bundle/files.h"
#include "bundle/gzip.h"
#include "bundle/patterns.h"
#include "support/jsonl.h"
#include "support/safe_file.h"
#include "support/text.h"
#include "support/text_file.h"

/* A campaign while it is copied. */
struct copying {
    const struct nuce_campaign *campaign;
    char *folder; /* of the copy */
    struct nuce_pseudonyms *pseudonyms;
    FILE *stream;                       /* of the file under way */
    int64_t damaged;                    /* lines of records, left out */
    void (*tell)(const char *sentence); /* of what is left out */
};

/* A line of a record file. One that is damaged may have a name in it that nobody can read: it goes,
 * and is counted. It is sealed anew, as its text is another one. */
static nuce_status copy_record(void *context, int64_t number, const char *text, size_t length,
                               json_t *record, struct nuce_error *error)
{
    struct copying *copying = context;
    json_t *changed;
    char *line;

    (void)number;
    (void)text;
    (void)length;
    copying->damaged += record == NULL;
    if (record == NULL)
        return NUCE_OK;
    changed = nuce_anonymous_record(record, copying->pseudonyms, error);
    line = changed != NULL ? nuce_jsonl_sealed(changed, error) : NULL;
    json_decref(changed);
    if (line != NULL)
        (void)fprintf(copying->stream, "%s\n", line);
    free(line);
    return line != NULL ? NUCE_OK : error->status;
}

/* A text, at any depth of value, that names somebody and stays; NULL: there is none. has_paths:
 * whether an absolute path counts. Keys are the program's own words, not looked at. */
static const char *find_naming(const struct nuce_pseudonyms *pseudonyms, const json_t *value,
                               int has_paths)
{
    const char *found = NULL, *text = json_string_value(value), *key;
    json_t *member;
    size_t i;

    if (text != NULL)
        return (has_paths ? nuce_pseudonyms_are_absent(pseudonyms, text, strlen(text))
                          : nuce_pseudonyms_names_are_absent(pseudonyms, text, strlen(text)))
                   ? NULL
                   : text;
    json_object_foreach((json_t *)value, key, member) found =
        found != NULL ? found : find_naming(pseudonyms, member, has_paths);
    json_array_foreach((json_t *)value, i, member) found =
        found != NULL ? found : find_naming(pseudonyms, member, has_paths);
    return found;
}

/* What makes a point the one that it is stays; so it must name nobody. Changing it would make
 * another point of it, with another id; leaving it would name somebody. */
static nuce_status check_point(const struct copying *copying, const json_t *line,
                               struct nuce_error *error)
{
    const char *naming = find_naming(copying->pseudonyms, json_object_get(line, "launch"), 1);

    if (naming == NULL)
        naming = find_naming(copying->pseudonyms, json_object_get(line, "params"), 0);
    if (naming == NULL)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: '%s' names a host, a user or a path and is part of what a point is "
                          "(a file's name, the environment): expected a campaign without it",
                          copying->campaign->name, naming);
}

/* A line of the plan: folders of paths in its params become pseudonyms, the files' own names stay,
 * and what is left must name nobody. */
static nuce_status copy_plan_line(void *context, int64_t number, const char *text, size_t length,
                                  json_t *line, struct nuce_error *error)
{
    struct copying *copying = context;
    json_t *params = json_object_get(line, "params"), *value, *changed;
    const char *key;
    void *next;

    (void)number;
    (void)text;
    (void)length;
    json_object_foreach_safe(params, next, key, value)
    {
        const char *path = json_string_value(value);
        const char *slash = path != NULL && path[0] == '/' ? strrchr(path, '/') : NULL;
        char *folder = slash != NULL ? strndup(path, (size_t)(slash - path)) : NULL;
        const char *stands =
            folder != NULL ? nuce_pseudonyms_add(copying->pseudonyms, NUCE_PSEUDONYM_PATH, folder)
                           : NULL;

        changed = stands != NULL ? json_sprintf("%s%s", stands, slash) : NULL;
        free(folder);
        if (slash != NULL && json_object_set_new(params, key, changed) != 0)
            return nuce_error_set(error, NUCE_FAILED, "out of memory for a plan");
    }
    if (check_point(copying, line, error) != NUCE_OK)
        return error->status;
    (void)nuce_jsonl_print(line, copying->stream);
    return NUCE_OK;
}

/* A file of JSON lines, records or the plan. A file that is still written to is refused: its copy
 * would be cut off anywhere. */
static nuce_status anonymous_lines(struct copying *copying, const char *path, int are_records,
                                   struct nuce_error *error)
{
    struct nuce_jsonl_counts counts;

    if (nuce_jsonl_is_open(path))
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: a job is still writing records: wait for it or stop it", path);
    return are_records ? nuce_jsonl_read_sealed(path, NULL, copy_record, copying, &counts, error)
                       : nuce_jsonl_read(path, copy_plan_line, copying, &counts, error);
}

/* The sweep's hash is of the file as it was: it names the same sweep. Who is to submit it, and how,
 * goes; the campaign's name stays. campaign.json is written anew, not copied. */
static nuce_status copy_description(struct copying *copying, struct nuce_error *error)
{
    json_t *changed = nuce_pseudonyms_json(copying->pseudonyms, copying->campaign->description,
                                           nuce_pseudonyms_text);
    int good = json_object_set_new(changed, "slurm", json_object()) == 0;

    for (size_t i = 0; i < 2; i++) {
        static const char *const kept[] = {"campaign", "name"};

        good =
            good && json_object_set(changed, kept[i],
                                    json_object_get(copying->campaign->description, kept[i])) == 0;
    }

    (void)json_object_del(changed, "profile");
    good = good && json_dumpf(changed, copying->stream, JSON_INDENT(2) | JSON_SORT_KEYS) == 0;
    json_decref(changed);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for a campaign");
}

/* Why a file is left out whole; NULL: nothing in it names anybody. Files that are compressed with
 * gzip are looked into. */
static const char *why_left_out(const struct copying *copying, const char *path)
{
    size_t length = 0;
    char *text = nuce_gzip_read(path, &length);
    const char *why = NULL;

    if (text == NULL)
        why = "cannot be read through";
    else if (memchr(text, '\0', length) != NULL)
        why = "no text, so who is named in it is not known";
    else if (!nuce_pseudonyms_are_absent(copying->pseudonyms, text, length))
        why = "a host, a user or a path is in it";
    free(text);
    return why;
}

/* One sentence; the rest of the campaign is copied all the same. */
static void tell_file_left_out(const struct copying *copying, const char *name, const char *why)
{
    char sentence[NUCE_MESSAGE_BYTES];

    (void)snprintf(sentence, sizeof sentence, "%s/%s: left out: %s", copying->campaign->name, name,
                   why);
    copying->tell(sentence);
}

/* A job's note "nuce: the profile's ..., line 4, failed with status 1: THE LINE", which may say
 * anything. THE LINE becomes a pseudonym as a whole, so that equal lines can still be told from
 * others. */
static nuce_status copy_note(struct copying *copying, const char *name, const char *path,
                             int *is_left_out, struct nuce_error *error)
{
    static const char separator[] = ": ";
    char *text = NULL, *line;
    const char *stands = NULL;

    if (nuce_text_read(path, &text, NULL, error) != NUCE_OK)
        return error->status;
    text[strcspn(text, "\n")] = '\0';
    line = strstr(text, separator);
    line = line != NULL ? strstr(line + strlen(separator), separator) : NULL;
    if (line != NULL) {
        *line = '\0';
        line += strlen(separator);
        stands = nuce_pseudonyms_add(copying->pseudonyms, NUCE_PSEUDONYM_LINE, line);
    }
    *is_left_out =
        stands == NULL || !nuce_pseudonyms_are_absent(copying->pseudonyms, text, strlen(text));
    if (*is_left_out)
        tell_file_left_out(copying, name, "not what a job notes of its prologue");
    else
        (void)fprintf(copying->stream, "%s%s%s\n", text, separator, stands);
    free(text);
    return NUCE_OK;
}

/* The sweep, changed; any other file as it is, or not at all (*is_left_out). */
static nuce_status copy_text(struct copying *copying, const char *name, const char *path,
                             int *is_left_out, struct nuce_error *error)
{
    char *text = NULL, *changed;
    int is_sweep = strcmp(name, "sweep.yaml") == 0;
    const char *why = is_sweep ? NULL : why_left_out(copying, path);
    size_t length = 0;

    *is_left_out = why != NULL;
    if (why != NULL) {
        tell_file_left_out(copying, name, why);
        return NUCE_OK;
    }
    if (nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    changed =
        is_sweep ? nuce_anonymous_sweep(text, length, copying->pseudonyms, &length, error) : text;
    if (changed != NULL)
        (void)fwrite(changed, 1, length, copying->stream);
    if (changed != text)
        free(changed);
    free(text);
    return changed != NULL ? NUCE_OK : error->status;
}

/* Writes the changed content of the file called name, at path, to copying->stream. */
static nuce_status anonymous_content(struct copying *copying, const char *name, const char *path,
                                     int *is_left_out, struct nuce_error *error)
{
    int are_records = strncmp(name, NUCE_BUNDLE_RECORDS, strlen(NUCE_BUNDLE_RECORDS)) == 0;

    if (are_records || strcmp(name, "plan.jsonl") == 0)
        return anonymous_lines(copying, path, are_records, error);
    if (strcmp(name, "campaign.json") == 0)
        return copy_description(copying, error);
    if (strncmp(name, NUCE_BUNDLE_NOTES, strlen(NUCE_BUNDLE_NOTES)) == 0)
        return copy_note(copying, name, path, is_left_out, error);
    return copy_text(copying, name, path, is_left_out, error);
}

/* Makes the folders of folder/name. */
static nuce_status make_folders(const char *folder, const char *name, struct nuce_error *error)
{
    const char *slash = name;

    while ((slash = strchr(slash, '/')) != NULL) {
        char *path = nuce_text_format(error, "%s/%.*s", folder, (int)(slash - name), name);
        int good = path != NULL && (mkdir(path, 0777) == 0 || errno == EEXIST);

        free(path);
        if (!good)
            return nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
        slash++;
    }
    return NUCE_OK;
}

/* The folders of name are there by now. */
static nuce_status anonymous_write(const struct copying *copying, const char *name,
                                   const char *data, size_t length, struct nuce_error *error)
{
    const char *slash = strrchr(name, '/');
    char *folder = nuce_text_format(error, "%s/%.*s", copying->folder,
                                    slash != NULL ? (int)(slash - name) : 0, name);
    nuce_status status = folder != NULL ? nuce_safe_write(folder, slash != NULL ? slash + 1 : name,
                                                          data, length, error)
                                        : error->status;

    free(folder);
    return status;
}

/* One file: its new content is made in memory and written whole. A file that is left out leaves an
 * empty folder at most. */
static nuce_status copy_file(struct copying *copying, const char *name, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s/%s", copying->campaign->path, name), *data = NULL;
    size_t length = 0;
    int is_left_out = 0;
    nuce_status status = path != NULL ? make_folders(copying->folder, name, error) : error->status;

    copying->stream = status == NUCE_OK ? open_memstream(&data, &length) : NULL;
    if (status == NUCE_OK && copying->stream == NULL)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for a copy");
    if (status == NUCE_OK)
        status = anonymous_content(copying, name, path, &is_left_out, error);
    if (copying->stream != NULL && fclose(copying->stream) != 0 && status == NUCE_OK)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for a copy");
    if (status == NUCE_OK && !is_left_out)
        status = anonymous_write(copying, name, data, length, error);
    free(data);
    free(path);
    return status;
}

/* How many lines are gone, so that fewer runs are no surprise. */
static void tell_damaged(const struct copying *copying)
{
    char sentence[NUCE_MESSAGE_BYTES];

    (void)snprintf(sentence, sizeof sentence, "%s: left out: %lld damaged line%s of records",
                   copying->campaign->name, (long long)copying->damaged,
                   nuce_text_plural(copying->damaged));
    copying->tell(sentence);
}

/* Patterns are written down first (nuce_patterns_keep), since those that see only the copy cannot
 * make them from files that are left out. */
nuce_status nuce_anonymous_copy(const struct nuce_campaign *campaign, const char *folder,
                                struct nuce_pseudonyms *pseudonyms,
                                void (*tell)(const char *sentence), struct nuce_error *error)
{
    struct copying copying = {.campaign = campaign, .pseudonyms = pseudonyms, .tell = tell};
    struct nuce_bundle_files files = {0};
    nuce_status status = NUCE_FAILED;

    copying.folder = nuce_text_format(error, "%s/%s", folder, campaign->name);
    if (copying.folder != NULL)
        status = mkdir(copying.folder, 0777) == 0
                     ? nuce_patterns_keep(campaign, error)
                     : nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
    if (status == NUCE_OK)
        status = nuce_bundle_add_campaign(&files, campaign->path, campaign->name, error);
    /* Where a campaign's records are, also when there are none yet. */
    if (status == NUCE_OK)
        status = make_folders(copying.folder, NUCE_BUNDLE_RECORDS, error);
    for (int64_t i = 0; status == NUCE_OK && i < files.count; i++)
        status = copy_file(&copying, nuce_bundle_name_in_campaign(files.list[i].path), error);
    if (status == NUCE_OK && copying.damaged > 0)
        tell_damaged(&copying);
    nuce_bundle_files_fini(&files);
    free(copying.folder);
    return status;
}

/* Copies all, after the names of all are known, and bundles the copies. Names of campaigns stay:
 * they are the user's words for what was measured. Two passes over the campaigns: a name that only
 * the last of them tells must be replaced in the first one as well. */
static nuce_status bundle_copies(const struct nuce_campaign *campaigns, const char *scratch,
                                 const struct nuce_bundle_request *request, struct nuce_bundle *out,
                                 struct nuce_bundle_report *report,
                                 struct nuce_pseudonyms *pseudonyms,
                                 void (*tell)(const char *sentence), struct nuce_error *error)
{
    int count = request->count;
    char **names = calloc((size_t)count, sizeof *names);
    struct nuce_bundle_request copies = {scratch, names, count, request->output, request->key};
    nuce_status status = names != NULL
                             ? nuce_pseudonyms_init(pseudonyms, error)
                             : nuce_error_set(error, NUCE_FAILED, "out of memory for a bundle");

    for (int i = 0; status == NUCE_OK && i < count; i++)
        status = nuce_anonymous_find(&campaigns[i], pseudonyms, error);
    for (int i = 0; status == NUCE_OK && i < count; i++) {
        names[i] = (char *)campaigns[i].name;
        status = nuce_anonymous_copy(&campaigns[i], scratch, pseudonyms, tell, error);
    }
    if (status == NUCE_OK)
        status = nuce_bundle_create(&copies, out, report, error);
    free(names);
    return status;
}

/* All campaigns are open at one time, as bundle_copies goes through them twice. Two of one name are
 * refused: their copies would be one folder. */
nuce_status nuce_bundle_create_anonymous(const struct nuce_bundle_request *request,
                                         struct nuce_bundle *out, struct nuce_bundle_report *report,
                                         struct nuce_pseudonyms *pseudonyms,
                                         void (*tell)(const char *sentence),
                                         struct nuce_error *error)
{
    struct nuce_campaign *campaigns = calloc((size_t)request->count, sizeof *campaigns);
    struct nuce_bundle_scratch scratch = {.lock = -1};
    nuce_status status = campaigns != NULL
                             ? NUCE_OK
                             : nuce_error_set(error, NUCE_FAILED, "out of memory for a bundle");
    int opened = 0;

    while (status == NUCE_OK && opened < request->count) {
        int before = 0;

        status = nuce_campaign_open(request->folder, request->names[opened], NUCE_CAMPAIGN_READ,
                                    &campaigns[opened], error);
        opened += status == NUCE_OK;
        while (before < opened - 1 &&
               strcmp(campaigns[before].name, campaigns[opened - 1].name) != 0)
            before++;
        if (status == NUCE_OK && before < opened - 1)
            status =
                nuce_error_set(error, NUCE_BAD_INPUT, "%s: named twice", campaigns[before].name);
    }
    if (status == NUCE_OK)
        status = nuce_bundle_scratch_make(NULL, &scratch, error);
    if (status == NUCE_OK)
        status =
            bundle_copies(campaigns, scratch.path, request, out, report, pseudonyms, tell, error);
    nuce_bundle_scratch_remove(&scratch);
    for (int i = 0; i < opened; i++)
        nuce_campaign_fini(&campaigns[i]);
    free(campaigns);
    return status;
}
