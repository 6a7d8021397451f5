/* Collecting: campaigns, their record files, and the lines of each.
 *
 * From the inside out, the functions take a line (collect_store_line, collect_take_line), the
 * lines of a file (take_lines), and a file with its savepoint (collect_read_file). Then come its
 * row in `record_file` (note_file), a campaign's folder, and all campaigns (nuce_collect).
 * collect_job.c and collect_run.c make the rows of a line; raced.sql and outcome.sql make the
 * derived tables.
 *
 * Invariant: the same records give the same rows, in any order and any number of collects. So a
 * run is identified by the hash of its line, never by the place or time of reading, and names in
 * folders are sorted. The only exception is two files that contradict each other on a job
 * (collect.h): the first one stays. Nothing is written to record files, and nothing is deleted. */
#include "db/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/option.h"
#include "base/record.h"
#include "base/seal.h"
#include "base/text.h"
#include "base/text_file.h"
#include "db/collect_rows.h"

/* One record file while it is read. Its counts are added to the collect's counts when the file
 * is done, because a file may be read twice (starts_over). */
struct file {
    struct nuce_collect *collect;
    struct nuce_rows *rows;
    const char *path; /* for messages */
    const char *name; /* CAMPAIGN/FILE: its name in the database */
    /* All of the file; length bytes and a NUL after them. */
    char *text;
    size_t length;
    char hash[NUCE_HASH_BYTES];
    int64_t records; /* lines that are records of any kind */
    /* Numbers of lines: runs; of those new, and known before; lines that could not be collected;
     * of these altered ones, by their checksum. */
    int64_t runs, added, known, bad, damaged;
    /* 1: there is text after the last newline. */
    int torn;
    int64_t *left_out; /* numbers of lines that were found bad too late to skip them at once */
    int64_t left_out_count, left_out_capacity;
    int64_t reported; /* the last line that was reported */
    int starts_over;  /* read the file again without the lines in left_out */
    int is_refused;   /* nothing of it may be stored: another version, runs without a race, or a
                       * job that another file describes */
};

/* Adds a run that was taken apart. */
static nuce_status add_run(struct file *file, const char *hash, struct nuce_error *error)
{
    if (nuce_rows_add_run(file->rows, hash, file->name, error) != NUCE_OK)
        return error->status;
    file->runs++;
    file->added++;
    return NUCE_OK;
}

/* Stores the line of that hash, which was taken apart. A line that begins a run adds nothing to
 * the line of its end. Only the driver reads it, to know the active point when a job died.
 *
 * A run without a race is from before contenders raced. Contenders were then measured
 * separately, so no ratio of two of them is fair. The whole file is refused, and stays in its
 * place. */
static nuce_status add_record(struct file *file, const char *hash, const json_t *record,
                              struct nuce_error *error)
{
    /* Counted before the version is checked: a file of another version is full of records, while
     * a foreign file has none. */
    const char *type = json_string_value(json_object_get(record, "record"));
    const char *kind = json_string_value(json_object_get(record, "kind"));

    if (type != NULL && json_is_integer(json_object_get(record, "version")))
        file->records++;
    if (nuce_record_check_version(record, error) != NUCE_OK) {
        /* A file has one version: all further lines would be refused. */
        file->is_refused = file->records > 0;
        return error->status;
    }
    if (strcmp(type, "job") == 0)
        return nuce_rows_add_job(file->rows, record, &file->is_refused, error);
    if (strcmp(type, "begin") == 0)
        return NUCE_OK;
    if (strcmp(type, "run") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown record '%s', expected job, begin or run", type);
    if (kind != NULL && strcmp(kind, "measured") == 0 &&
        !json_is_string(json_object_get(record, "race"))) {
        file->is_refused = 1;
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a run without a race, of an older nuce; to measure it again: nuce "
                              "run %s/%.*s/sweep.yaml",
                              file->collect->campaigns, (int)strcspn(file->name, "/"), file->name);
    }
    return nuce_record_check_run(record, error) == NUCE_OK ? add_run(file, hash, error)
                                                           : error->status;
}

/* Stores a line. A known line is not read: its hash suffices. The seal is checked before
 * anything of the line is trusted, including that it is JSON: one changed bit in a time still
 * gives JSON. A carriage return that a transfer added to a line does not belong to the record.
 * *column: place of the error. */
static nuce_status collect_store_line(struct file *file, const char *text, size_t length,
                                      int64_t *column, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];
    json_error_t problem;
    json_t *record;
    int found = 0;

    *column = 1;
    length -= length > 0 && text[length - 1] == '\r';
    nuce_hash(text, length, hash);
    if (nuce_rows_find_run(file->rows, hash, file->name, &found, error) != NUCE_OK)
        return error->status;
    if (found) {
        file->records++;
        file->runs++;
        file->known++;
        return NUCE_OK;
    }
    if (nuce_seal_check(text, length, error) != NUCE_OK) {
        file->damaged++;
        return error->status;
    }
    if (nuce_rows_take_apart(file->rows, text, length)) {
        file->records++;
        return add_run(file, hash, error);
    }
    record = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (record == NULL) {
        *column = problem.column > 0 ? problem.column : 1;
        return nuce_error_set(error, NUCE_BAD_INPUT, "not a JSON line: %s", problem.text);
    }
    error->status = add_record(file, hash, record, error);
    json_decref(record);
    return error->status;
}

/* Takes one line whole or not at all; a bad one is reported. Nearly every bad line is detected
 * before anything of it is stored. Otherwise the file is read again without that line. A
 * savepoint for each line would cost far more, because SQLite goes through its notes of the
 * file's own savepoint whenever an inner one ends. */
static nuce_status collect_take_line(struct file *file, int64_t line, const char *text,
                                     size_t length, struct nuce_error *error)
{
    sqlite3 *handle = file->collect->store->handle;
    int changes = sqlite3_total_changes(handle);
    int64_t column;
    nuce_status status;

    /* Few lines are skipped, so a list suffices. */
    for (int64_t i = 0; i < file->left_out_count; i++) {
        if (file->left_out[i] == line) {
            file->records++;
            file->bad++;
            return NUCE_OK;
        }
    }
    status = collect_store_line(file, text, length, &column, error);
    if (status != NUCE_BAD_INPUT)
        return status;
    file->bad++;
    /* Reported once per line, even if the file is read a second time. */
    if (line > file->reported) {
        nuce_text_report(file->collect->report, file->collect->context, "%s:%lld:%lld: %s",
                         file->path, (long long)line, (long long)column, error->message);
        file->reported = line;
    }
    /* A refused file is rolled back as a whole, and a line that changed no row has left nothing
     * behind. */
    if (file->is_refused || sqlite3_total_changes(handle) == changes)
        return NUCE_OK;
    nuce_allocate_more((void **)&file->left_out, &file->left_out_capacity, file->left_out_count + 1,
                       sizeof line);
    file->left_out[file->left_out_count++] = line;
    file->starts_over = 1;
    return NUCE_OK;
}

/* Takes the lines until one changes the meaning of the others: then the file is refused or read
 * again. Text after the last newline is torn: it was being written when a job died. */
static nuce_status take_lines(struct file *file, struct nuce_error *error)
{
    const char *at = file->text, *end = file->text + file->length, *newline;
    int64_t count = 0;

    while (!file->is_refused && !file->starts_over && at < end) {
        count++;
        newline = memchr(at, '\n', (size_t)(end - at));
        file->torn = newline == NULL;
        if (newline == NULL)
            break;
        if (collect_take_line(file, count, at, (size_t)(newline - at), error) != NUCE_OK)
            return error->status;
        at = newline + 1;
    }
    /* A file with only a torn line is of a job that died during its first record. Any other file
     * without a record is there by mistake. The user should know that before it is taken for
     * results. */
    if (count > file->torn && file->records == 0 && !file->starts_over)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not a record file: none of its %lld lines is a record",
                              file->path, (long long)count);
    return NUCE_OK;
}

/* Writes the file's row: before its runs, which refer to it, and after. */
static nuce_status note_file(struct file *file, struct nuce_error *error)
{
    return nuce_store_run(file->collect->store, error,
                          "INSERT INTO record_file (name, bytes, sha256, torn, runs, bad)"
                          " VALUES (%Q, %lld, %Q, %d, %lld, %lld) ON CONFLICT (name) DO UPDATE SET"
                          " bytes = excluded.bytes, sha256 = excluded.sha256,"
                          " torn = excluded.torn, runs = excluded.runs, bad = excluded.bad",
                          file->name, (long long)file->length, file->hash, file->torn,
                          (long long)file->runs, (long long)file->bad);
}

/* True if the file was read to its end before and is unchanged; then its counts are taken over.
 * A file with bad lines is read again each time, so that they are reported until they are mended
 * or removed. Most lines of a changed file are known. */
static nuce_status collect_is_known(struct file *file, int *known, struct nuce_error *error)
{
    char *said = nuce_store_text(file->collect->store, error,
                                 "SELECT torn || ' ' || runs FROM record_file WHERE name = %Q"
                                 " AND bytes = %lld AND sha256 = %Q AND bad = 0",
                                 file->name, (long long)file->length, file->hash);
    long long runs;
    int torn;

    *known = said != NULL && sscanf(said, "%d %lld", &torn, &runs) == 2;
    if (*known) {
        file->torn = torn;
        file->runs = runs;
    }
    free(said);
    return error->status;
}

/* Reads the lines. The file is stored whole except bad lines, or not at all. After a failure the
 * savepoint stays open: the caller gives up the whole transaction (collect.h). */
static nuce_status collect_read_file(struct file *file, struct nuce_error *error)
{
    struct nuce_store *store = file->collect->store;

    if (nuce_store_execute(store, "SAVEPOINT whole", error) != NUCE_OK)
        return error->status;
    /* Each turn drops the results of the previous one and skips at least one more line, so the
     * loop ends. The first turn has nothing to undo; the savepoint itself stays open. */
    do {
        file->records = file->runs = file->added = file->known = file->bad = file->damaged = 0;
        file->torn = file->starts_over = 0;
        if (nuce_store_execute(store, "ROLLBACK TO whole", error) != NUCE_OK ||
            note_file(file, error) != NUCE_OK || take_lines(file, error) != NUCE_OK)
            return error->status;
    } while (file->starts_over);
    if (note_file(file, error) != NUCE_OK)
        return error->status;
    /* The file's row goes as well: the next collect reads a refused file again. */
    if (file->is_refused) {
        file->added = file->known = 0;
        if (nuce_store_execute(store, "ROLLBACK TO whole", error) != NUCE_OK)
            return error->status;
    }
    return nuce_store_execute(store, "RELEASE whole", error);
}

/* Skips an unchanged file; else reads it, and counts the results. A refused file counts as seen,
 * with its bad lines and none of its runs. */
static nuce_status take_file(struct file *file, struct nuce_error *error)
{
    struct nuce_collect_counts *counts = &file->collect->counts;
    int known = 0;

    nuce_hash(file->text, file->length, file->hash);
    if (collect_is_known(file, &known, error) != NUCE_OK)
        return error->status;
    counts->files++;
    if (known) {
        counts->skipped++;
        file->known = file->runs;
    } else if (collect_read_file(file, error) != NUCE_OK) {
        return error->status;
    }
    counts->added += file->added;
    counts->known += file->known;
    if (file->torn)
        nuce_text_report(file->collect->report, file->collect->context,
                         "%s: torn: ends in the middle of a line, which is left out", file->path);
    counts->torn += file->torn;
    counts->bad += file->bad;
    counts->damaged += file->damaged;
    return NUCE_OK;
}

/* Opens the file without following a link, reads and takes it. Campaign folders come from other
 * users, so a link's target must not be read, and a file must not be replaced between a check
 * and the opening. Hence O_NOFOLLOW, and a name in an open folder instead of a path. O_NONBLOCK:
 * a pipe of that name would block; reading refuses it. */
static nuce_status open_file(struct nuce_collect *collect, struct nuce_rows *rows, int folder,
                             const char *campaign, const char *name, struct nuce_error *error)
{
    struct file file = {.collect = collect, .rows = rows};
    int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *path = nuce_text_format("%s/%s/records/%s", collect->campaigns, campaign, name);
    char *known_name = nuce_text_format("%s/%s", campaign, name);
    nuce_status status = NUCE_FAILED;

    file.path = path;
    file.name = known_name;
    if (descriptor < 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path,
                                errno == ELOOP ? "a link, which is not followed" : strerror(errno));
    else
        status = nuce_text_read_descriptor(descriptor, path, &file.text, &file.length, error);
    if (status == NUCE_OK)
        status = take_file(&file, error);
    free(file.left_out);
    free(file.text);
    free(known_name);
    free(path);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

/* Takes campaign.json, if it exists. A damaged one is reported: the records suffice. id is the
 * records' name of the campaign; its folder may be renamed. *is_other is set if the database has
 * another campaign of that name, with NUCE_BAD_INPUT. The file's values replace known ones,
 * because it may have been written after its first records were collected. A key that is missing
 * or of another type is NULL, which is unknown. */
static nuce_status take_campaign_facts(struct nuce_collect *collect, int folder,
                                       const char *campaign, char id[NUCE_NAME_BYTES],
                                       int *is_other, struct nuce_error *error)
{
    static const char sql[] =
        "INSERT INTO campaign (id, name, created, workload, sweep_sha256, points, launches)"
        " SELECT %Q, max(iif(key = 'name' AND type = 'text', value, NULL)),"
        " max(iif(key = 'created' AND type = 'text', value, NULL)),"
        " max(iif(key = 'workload' AND type = 'text', value, NULL)),"
        " max(iif(key = 'sweep_sha256' AND type = 'text', value, NULL)),"
        " max(iif(key = 'points' AND type = 'integer', value, NULL)),"
        " max(iif(key = 'launches' AND type = 'integer', value, NULL)) FROM json_each(%Q)"
        " WHERE true ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
        " created = excluded.created, workload = excluded.workload,"
        " sweep_sha256 = excluded.sweep_sha256, points = excluded.points,"
        " launches = excluded.launches";
    int descriptor = openat(folder, "campaign.json", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    json_error_t problem = {0};
    const char *said;
    json_t *facts;

    /* Records were copied from elsewhere without it. */
    if (descriptor < 0 && errno == ENOENT)
        return NUCE_OK;
    facts = descriptor < 0 ? NULL : json_loadfd(descriptor, JSON_REJECT_DUPLICATES, &problem);
    said = json_string_value(json_object_get(facts, "campaign"));
    error->status = NUCE_OK;
    if (said == NULL) {
        nuce_text_report(collect->report, collect->context, "%s/%s/campaign.json:%d:%d: %s",
                         collect->campaigns, campaign, problem.line, problem.column,
                         facts == NULL ? problem.text : "no 'campaign'");
        collect->counts.bad++;
    } else {
        char *text = json_dumps(facts, JSON_COMPACT);

        nuce_text_copy(id, NUCE_NAME_BYTES, said);
        error->status = nuce_store_check_campaign(
            collect->store, said, json_string_value(json_object_get(facts, "created")), error);
        *is_other = error->status == NUCE_BAD_INPUT;
        if (*is_other)
            nuce_error_prefix(error, "%s/%s", collect->campaigns, campaign);
        else if (error->status == NUCE_OK)
            error->status = nuce_store_run(collect->store, error, sql, said, text);
        free(text);
    }
    json_decref(facts);
    if (descriptor >= 0)
        close(descriptor);
    return error->status;
}

/* Takes one campaign's folder and all its record files, by name. The order does not matter for
 * runs of one hash, but messages should come in the same order in each collect. *missing if it
 * has no records folder, which is not an error here. A folder that cannot be opened counts as
 * missing. *is_other is take_campaign_facts'; nothing of such a campaign was taken. */
static nuce_status take_campaign(struct nuce_collect *collect, struct nuce_rows *rows, int parent,
                                 const char *campaign, int *missing, int *is_other,
                                 struct nuce_error *error)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(parent, campaign, flags);
    int records = folder < 0 ? -1 : openat(folder, "records", flags);
    int64_t added = collect->counts.added;
    struct nuce_folder files = {0};
    char id[NUCE_NAME_BYTES] = "";
    nuce_status status = NUCE_OK;

    *missing = records < 0;
    if (records >= 0) {
        /* Without campaign.json, a campaign has the name of its folder. */
        nuce_text_copy(id, sizeof id, campaign);
        status = take_campaign_facts(collect, folder, campaign, id, is_other, error);
        collect->counts.campaigns += !*is_other;
        if (status == NUCE_OK)
            status = nuce_folder_read_at(&files, records, campaign, error);
        for (int i = 0; status == NUCE_OK && i < files.count; i++) {
            const char *name = files.entries[i]->d_name;

            if (*name != '.' && nuce_text_ends(name, ".jsonl"))
                status = open_file(collect, rows, records, campaign, name, error);
        }
        nuce_folder_fini(&files);
        if (status == NUCE_OK)
            status = nuce_collect_notes(rows, folder, campaign, id, error);
        if (collect->counts.added > added &&
            nuce_text_copy(collect->newest, sizeof collect->newest, campaign))
            collect->renewed++;
        close(records);
    }
    if (folder >= 0)
        close(folder);
    return status;
}

/* Takes every folder with a campaign's name. One without records may be new, or not a campaign.
 * One that is another campaign than the database's keeps the others from nothing. */
static nuce_status take_all(struct nuce_collect *collect, struct nuce_rows *rows, int parent,
                            struct nuce_error *error)
{
    struct nuce_folder campaigns;
    nuce_status status = nuce_folder_read_at(&campaigns, parent, collect->campaigns, error);

    for (int i = 0; status == NUCE_OK && i < campaigns.count; i++) {
        const char *name = campaigns.entries[i]->d_name;
        int missing = 0, is_other = 0;

        if (nuce_text_is_name(name)) {
            status = take_campaign(collect, rows, parent, name, &missing, &is_other, error);
            if (is_other) {
                nuce_text_report(collect->report, collect->context, "%s", error->message);
                collect->counts.refused++;
                status = NUCE_OK;
            }
        } else if (*name != '.') {
            /* No campaign of nuce: such as lost+found, or a text of the user. No line is lost. */
            nuce_text_report(collect->report, collect->context,
                             "%s/%s: not collected: not a campaign's name", collect->campaigns,
                             name);
        }
    }
    nuce_folder_fini(&campaigns);
    return status;
}

/* A campaign that the user named must have records. After the records, the results of all of
 * them are computed. Indexes come first, because finding the runs of a point needs one. The
 * derived tables of the points in `touched` follow, raced before outcome, which empties that. */
nuce_status nuce_collect(struct nuce_collect *collect, const char *campaign,
                         struct nuce_error *error)
{
    static const char *const scripts[] = {"db/indexes.sql", "db/raced.sql", "db/outcome.sql"};
    int parent = open(collect->campaigns, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int missing = 0, is_other = 0;
    struct nuce_rows rows = {0};
    nuce_status status;

    if (parent < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s: expected a folder of campaigns",
                              collect->campaigns, strerror(errno));
    status = nuce_rows_init(collect->store, &rows, error);
    if (status == NUCE_OK && campaign == NULL)
        status = take_all(collect, &rows, parent, error);
    else if (status == NUCE_OK && !nuce_text_is_name(campaign))
        status =
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "campaign '%s': expected letters, digits, '.', '_' and '-'", campaign);
    else if (status == NUCE_OK)
        status = take_campaign(collect, &rows, parent, campaign, &missing, &is_other, error);
    if (status == NUCE_OK && missing)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "campaign '%s': no folder %s/%s/records",
                                campaign, collect->campaigns, campaign);
    for (size_t i = 0; status == NUCE_OK && i < sizeof scripts / sizeof *scripts; i++)
        status = nuce_store_run_shipped(collect->store, scripts[i], error);
    if (status == NUCE_OK)
        status = nuce_rows_finish(&rows, error);
    nuce_rows_fini(&rows);
    close(parent);
    return status;
}
