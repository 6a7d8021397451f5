/* The patterns of a campaign's runs in one file, patterns.com.gz.
 *
 * Patterns are made anew, not copied from the run, which has them in the memory of its ranks: that
 * the SHA-256 is the recorded one says that they are the same. One that cannot be made again, as a
 * file is missing or the memory is short, is left out without a word: what a bundle holds can be
 * checked without it. Order: reading and checking a file; finding which patterns are wanted; making
 * and writing them. */
#include "bundle/patterns.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "bundle/gzip.h"
#include "bundle/remodel.h"
#include "launch/inputs.h"
#include "schedules/pattern.h"
#include "support/hash.h"
#include "support/record.h"
#include "support/safe_file.h"
#include "support/text.h"
#include "workloads/point.h"
#include "workloads/scheduling.h"

/* The word before each pattern's SHA-256. */
#define HEAD "pattern "

/* The text of the file; NULL with *error. */
static char *patterns_read(const char *path, size_t *length, struct nuce_error *error)
{
    char *text = nuce_gzip_read(path, length);

    if (text == NULL)
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "%s: damaged, or larger than any that nuce writes", path);
    return text;
}

/* Checks the pattern that begins at text, and adds its name to names: where the next one begins.
 * NULL with *error. */
static const char *patterns_take(const char *path, const char *text, json_t *names,
                                 struct nuce_error *error)
{
    const char *name = text + strlen(HEAD), *com = name + NUCE_HASH_BYTES, *end;
    char sha256[NUCE_HASH_BYTES], said[NUCE_HASH_BYTES];

    if (strncmp(text, HEAD, strlen(HEAD)) != 0 ||
        strspn(name, "0123456789abcdef") != NUCE_HASH_BYTES - 1 || com[-1] != '\n') {
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "%s: expected '" HEAD "SHA-256' instead of '%.40s'", path, text);
        return NULL;
    }
    memcpy(said, name, sizeof said - 1);
    said[sizeof said - 1] = '\0';
    end = strstr(com, "\n\n");
    if (end == NULL) {
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "%s: pattern %.12s has no end", path, said);
        return NULL;
    }
    if (nuce_hash(com, (size_t)(end + 1 - com), sha256, error) != NUCE_OK)
        return NULL;
    if (strcmp(sha256, said) != 0) {
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "%s: pattern %.12s is another one: its SHA-256 is %.12s", path, said,
                             sha256);
        return NULL;
    }
    (void)json_object_set_new(names, said, json_true());
    return end + 2;
}

/* Adds the names of all patterns in the file to names. */
static nuce_status patterns_names(const char *path, json_t *names, struct nuce_error *error)
{
    size_t length = 0;
    char *text = patterns_read(path, &length, error);
    const char *at = text;

    while (at != NULL && at < text + length)
        at = patterns_take(path, at, names, error);
    free(text);
    return at != NULL ? NUCE_OK : error->status;
}

static char *patterns_path(const char *folder, struct nuce_error *error)
{
    return nuce_text_format(error, "%s/" NUCE_PATTERNS_FILE, folder);
}

nuce_status nuce_patterns_check(const char *folder, struct nuce_error *error)
{
    char *path = patterns_path(folder, error);
    json_t *names = json_object();
    nuce_status status = path != NULL ? NUCE_OK : error->status;

    if (path != NULL && access(path, F_OK) == 0)
        status = patterns_names(path, names, error);
    json_decref(names);
    free(path);
    return status;
}

/* Good runs' patterns: SHA-256 -> "point", the index of one that is of it, and "weights", those
 * that were measured, or null. */
struct finding_patterns {
    const struct nuce_campaign *campaign;
    json_t *wanted;
};

/* Runs of one pattern are many, and one of them is enough. */
static nuce_status find_pattern(void *context, const char *file, json_t *record,
                                struct nuce_error *error)
{
    const struct finding_patterns *at = context;
    int64_t point = record != NULL ? nuce_campaign_find_run(at->campaign, record) : -1;
    json_t *found = json_object_get(record, "found");
    const char *sha256 = json_string_value(json_object_get(found, "pattern_sha256"));

    (void)file;
    if (point < 0 || sha256 == NULL || json_object_get(at->wanted, sha256) != NULL)
        return NUCE_OK;
    return json_object_set_new(at->wanted, sha256,
                               json_pack("{s:I, s:O?}", "point", (json_int_t)point, "weights",
                                         json_object_get(found, "weights_taken"))) == 0
               ? NUCE_OK
               : nuce_error_set(error, NUCE_FAILED, "out of memory for patterns");
}

/* The pattern of the point as it was sent. Where links are emulated by longer or shorter messages,
 * these are what was sent. */
static nuce_status pattern_as_sent(const struct nuce_point *point, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    const struct nuce_scheduling *scheduling = workload->scheduling(point->params);
    struct nuce_network network = {0};
    char *name = NULL;
    nuce_status status = workload->pattern(point->params, point->ranks, out, error);

    if (status != NUCE_OK || !nuce_scheduling_emulates(scheduling))
        return status;
    status = nuce_scheduling_network(scheduling, point->ranks, NULL, &network, &name, error);
    if (status == NUCE_OK)
        status = nuce_scheduling_emulate(scheduling, out, &network, error);
    free(name);
    nuce_network_fini(&network);
    return status;
}

/* The point of the plan that a pattern is wanted of, as it was run. */
static nuce_status point_as_run(const struct nuce_campaign *campaign, const json_t *of,
                                struct nuce_facts *facts, struct nuce_point *out,
                                struct nuce_error *error)
{
    json_int_t index = json_integer_value(json_object_get(of, "point"));
    const char *weights = json_string_value(json_object_get(of, "weights"));
    json_t *line = nuce_inputs_resolve(campaign->path, campaign->points[index].line);
    nuce_status status = line != NULL ? nuce_point_from_json(line, facts, out, error)
                                      : nuce_error_set(error, NUCE_FAILED, "out of memory");

    if (status == NUCE_OK && weights != NULL)
        status = nuce_point_take_measured(out, "weights", weights, error);
    json_decref(line);
    return status;
}

/* Writes the pattern of what is wanted to stream, if it is the one with that SHA-256. What cannot
 * be made, or is another one by now, is left out without a word. */
static void patterns_write(const struct nuce_campaign *campaign, const json_t *of,
                           const char *sha256, struct nuce_facts *facts, FILE *stream)
{
    struct nuce_point point = {0};
    struct nuce_pattern pattern = {0};
    struct nuce_error error = {0};
    char is[NUCE_HASH_BYTES], *com = NULL;
    size_t length = 0;

    if (point_as_run(campaign, of, facts, &point, &error) == NUCE_OK &&
        point.workload->pattern != NULL && pattern_as_sent(&point, &pattern, &error) == NUCE_OK &&
        pattern.row[pattern.ranks] <= NUCE_PATTERNS_MOST)
        com = nuce_pattern_text(&pattern, &length, &error);
    if (com != NULL && nuce_hash(com, length, is, &error) == NUCE_OK && strcmp(is, sha256) == 0 &&
        ftello(stream) + (int64_t)length < NUCE_GZIP_MOST_BYTES)
        (void)fprintf(stream, HEAD "%s\n%s\n", sha256, com);
    free(com);
    nuce_pattern_fini(&pattern);
    nuce_point_fini(&point);
}

/* gzip of text: a new array of *packed bytes, the same for the same text. NULL: out of memory.
 * MAX_WBITS + 16 asks zlib for gzip's header, which then has no time and no name. length is below
 * NUCE_GZIP_MOST_BYTES, and so fits zlib's counts. */
static unsigned char *patterns_pack(char *text, size_t length, size_t *packed)
{
    enum { GZIP = 16 };
    z_stream stream = {.next_in = (unsigned char *)text, .avail_in = (unsigned)length};
    unsigned char *out = NULL;
    size_t room;

    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    room = deflateBound(&stream, (unsigned long)length);
    out = malloc(room);
    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    if (out != NULL && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(out);
        out = NULL;
    }
    *packed = stream.total_out;
    (void)deflateEnd(&stream);
    return out;
}

/* What the campaign has kept already: its names go into names. A new string, empty where there is
 * no file, or a broken one, which is made anew. */
static char *patterns_kept(const char *path, json_t *names)
{
    struct nuce_error ignored = {0};
    size_t length = 0;
    char *text = access(path, F_OK) == 0 ? patterns_read(path, &length, &ignored) : NULL;

    if (text != NULL && patterns_names(path, names, &ignored) == NUCE_OK)
        return text;
    free(text);
    (void)json_object_clear(names);
    return strdup("");
}

/* kept, and behind it those of wanted that it has not: a new string of *length bytes. */
static char *patterns_add(const struct nuce_campaign *campaign, const char *kept, json_t *names,
                          json_t *wanted, size_t *length, struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create(error);
    char *text = NULL;
    FILE *stream = facts != NULL ? open_memstream(&text, length) : NULL;
    const char *sha256;
    json_t *of;

    if (stream != NULL)
        (void)fputs(kept, stream);
    json_object_foreach(wanted, sha256, of)
    {
        if (stream != NULL && json_object_get(names, sha256) == NULL)
            patterns_write(campaign, of, sha256, facts, stream);
    }
    nuce_facts_destroy(facts);
    if (stream != NULL && fclose(stream) == 0)
        return text;
    free(text);
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for patterns");
    return NULL;
}

/* Writes the file with what is wanted and not kept yet; with nothing new it is not touched. A
 * folder that cannot be written to has none; the plan makes them anew. */
static nuce_status patterns_make(const struct nuce_campaign *campaign, json_t *wanted,
                                 struct nuce_error *error)
{
    char *path = patterns_path(campaign->path, error), *kept = NULL, *text = NULL;
    json_t *names = json_object();
    struct nuce_error ignored;
    unsigned char *data = NULL;
    size_t length = 0, packed = 0;
    int good;

    if (path != NULL)
        kept = patterns_kept(path, names);
    if (kept != NULL)
        text = patterns_add(campaign, kept, names, wanted, &length, error);
    if (text != NULL && length > strlen(kept))
        data = patterns_pack(text, length, &packed);
    if (data != NULL)
        (void)nuce_safe_write(campaign->path, NUCE_PATTERNS_FILE, data, packed, &ignored);
    good = text != NULL;
    free(data);
    json_decref(names);
    free(kept);
    free(path);
    free(text);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for patterns");
}

nuce_status nuce_patterns_keep(const struct nuce_campaign *campaign, struct nuce_error *error)
{
    struct finding_patterns at = {campaign, json_object()};
    nuce_status status =
        nuce_remodel_read(campaign, nuce_record_read_brief, find_pattern, &at, error);

    if (status == NUCE_OK && json_object_size(at.wanted) > 0)
        status = patterns_make(campaign, at.wanted, error);
    json_decref(at.wanted);
    return status;
}
