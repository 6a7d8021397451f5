/* Prepared statements, the rows of job records, and the notes of slurm/prologue.sh: a job whose
 * prologue failed has no ranks, and so no records.
 *
 * A job record is the first in each record file and describes the launch: environment and facts.
 * But files can be collected while jobs run, can be lost, or come in any order. So a run is
 * stored before its job is known, with the environment of unknown jobs (SHA-256 of "{}"). The
 * job's record fills that in later (NUCE_DESCRIBE_JOB). */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/printable.h"
#include "base/record.h"
#include "base/text.h"
#include "base/text_file.h"
#include "db/collect.h"
#include "db/collect_rows.h"

/* The texts that collect_run.c does not have. */
static const char *const sql[NUCE_TAKE_APART] = {
    [NUCE_INSERT_CAMPAIGN] = "INSERT INTO campaign (id) VALUES (?1) ON CONFLICT (id) DO NOTHING",
    [NUCE_INSERT_ENVIRONMENT] =
        "INSERT INTO environment (id, described) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING",
    [NUCE_FIND_JOB] = "SELECT 1 FROM job WHERE id = ?1 AND campaign = ?2",
    [NUCE_INSERT_JOB] =
        "INSERT INTO job (id, campaign, environment, facts) VALUES (?1, ?2, ?3, NULL)"
        " ON CONFLICT (campaign, id) DO NOTHING",
    [NUCE_DESCRIBE_JOB] =
        "INSERT INTO job (id, campaign, environment, facts) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (campaign, id) DO UPDATE SET environment = excluded.environment,"
        " facts = excluded.facts WHERE job.facts IS NULL",
    [NUCE_SAME_JOB] = "SELECT 1 FROM job WHERE id = ?1 AND campaign = ?2 AND environment = ?3"
                      " AND facts = ?4",
    [NUCE_TOUCH_JOB] = "INSERT OR IGNORE INTO temp.touched SELECT point FROM run"
                       " WHERE job = ?1 AND campaign = ?2",
    [NUCE_INSERT_POINT] = "INSERT INTO point (id, workload, ranks, params) VALUES (?1, ?2, ?3, ?4)"
                          " ON CONFLICT (id) DO NOTHING",
    [NUCE_INSERT_SAMPLES] = "INSERT INTO sampled (run, times, places) VALUES (?1, ?2, ?3)",
    [NUCE_INSERT_DUPLICATE] = "INSERT INTO duplicate (run, times, places) VALUES (?1, ?2, ?3)",
    [NUCE_FIND_REFERENCE] =
        "SELECT 1 FROM run JOIN duplicate ON duplicate.run = run.id WHERE campaign = ?1 AND job = "
        "?2"
        " AND race = ?3 AND criterion = ?4 AND order_seed = ?5 AND status = 'ok'",
    [NUCE_FIND_RUN] = "SELECT 1 FROM run WHERE id = ?1 AND hash = ?2",
    [NUCE_MOVE_RUN] = "UPDATE run SET file = ?2 WHERE id = ?1 AND file > ?2",
    [NUCE_TOUCH_POINT] = "INSERT OR IGNORE INTO temp.touched VALUES (?1)",
    [NUCE_DROP_UNKNOWN] = "DELETE FROM environment WHERE id = ?1"
                          " AND NOT EXISTS (SELECT 1 FROM job WHERE environment = ?1)",
};

/* Accepts a partly filled one: SQLite ignores NULL when finalising. */
void nuce_rows_fini(struct nuce_rows *rows)
{
    for (int i = 0; i < NUCE_INSERTS; i++)
        sqlite3_finalize(rows->statements[i]);
    json_decref(rows->head);
    nuce_times_fini(&rows->samples);
    nuce_times_fini(&rows->duplicate);
    *rows = (struct nuce_rows){0};
}

/* The statement is reset and its parameters are unbound even after a failure, so that the next
 * line begins with a clean one. */
nuce_status nuce_rows_run(struct nuce_rows *rows, enum nuce_insert which, int *rows_found,
                          struct nuce_error *error, const char *types, ...)
{
    sqlite3_stmt *statement = rows->statements[which];
    va_list values;
    int code;

    va_start(values, types);
    for (int i = 1; *types != '\0'; i++, types++) {
        if (*types == 'i')
            sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
        else
            sqlite3_bind_text(statement, i,
                              *types == 't' ? va_arg(values, const char *)
                                            : json_string_value(va_arg(values, const json_t *)),
                              -1, SQLITE_STATIC);
    }
    va_end(values);
    code = sqlite3_step(statement);
    if (rows_found != NULL)
        *rows_found = code == SQLITE_ROW;
    error->status = NUCE_OK;
    if (code == SQLITE_CONSTRAINT)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s", sqlite3_errmsg(rows->store->handle));
    else if (code != SQLITE_DONE && code != SQLITE_ROW)
        nuce_store_fail(rows->store, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return error->status;
}

nuce_status nuce_rows_init(struct nuce_store *store, struct nuce_rows *out,
                           struct nuce_error *error)
{
    *out = (struct nuce_rows){.store = store};
    nuce_hash("{}", 2, out->unknown);
    if (nuce_store_execute(store,
                           "CREATE TEMP TABLE IF NOT EXISTS touched"
                           " (point TEXT PRIMARY KEY) WITHOUT ROWID",
                           error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < NUCE_TAKE_APART; i++) {
        if (nuce_store_prepare(store, sql[i], &out->statements[i], error) != NUCE_OK)
            return error->status;
    }
    /* Jobs refer to it before they are known; nuce_rows_finish removes it. */
    if (nuce_rows_run(out, NUCE_INSERT_ENVIRONMENT, NULL, error, "tt", out->unknown, "{}") !=
        NUCE_OK)
        return error->status;
    return nuce_rows_init_run(out, error);
}

/* After a restart several files may describe a job, but always in the same way. So it is
 * described if it is not yet, and then compared with the stored description. Its earlier runs
 * had the environment of unknown jobs: their points are touched, to be summed up in the right
 * one. */
nuce_status nuce_rows_add_job(struct nuce_rows *rows, const json_t *record, int *conflict,
                              struct nuce_error *error)
{
    const json_t *job = json_object_get(record, "job");
    const json_t *campaign = json_object_get(record, "campaign");
    const json_t *environment = json_object_get(record, "environment");
    char *described = NULL, *facts = NULL;
    int found = 0;

    *conflict = 0;
    if (nuce_record_check_job(record, &described, &facts, error) == NUCE_OK &&
        nuce_rows_run(rows, NUCE_INSERT_CAMPAIGN, NULL, error, "j", campaign) == NUCE_OK &&
        nuce_rows_run(rows, NUCE_INSERT_ENVIRONMENT, NULL, error, "jt", environment, described) ==
            NUCE_OK &&
        nuce_rows_run(rows, NUCE_DESCRIBE_JOB, NULL, error, "jjjt", job, campaign, environment,
                      facts) == NUCE_OK &&
        nuce_rows_run(rows, NUCE_SAME_JOB, &found, error, "jjjt", job, campaign, environment,
                      facts) == NUCE_OK &&
        nuce_rows_run(rows, NUCE_TOUCH_JOB, NULL, error, "jj", job, campaign) == NUCE_OK) {
        *conflict = !found;
        if (*conflict)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "job '%s' of campaign '%s' is described differently in another file: "
                           "nothing of this file is stored",
                           json_string_value(job), json_string_value(campaign));
    }
    free(facts);
    free(described);
    return error->status;
}

/* Runs without a job record keep the environment of unknown jobs, and then it stays. */
nuce_status nuce_rows_finish(struct nuce_rows *rows, struct nuce_error *error)
{
    return nuce_rows_run(rows, NUCE_DROP_UNKNOWN, NULL, error, "t", rows->unknown);
}

/* slurm/prologue.sh also printed the note's line to the job's log, with its own name in front. */
static const char speaker[] = "nuce: ";

/* The first line of the file, without the prologue's name, made printable: it comes from the
 * user's own commands. A new string, or NULL if it cannot be read. */
static char *collect_note_line(int jobs, const char *name)
{
    int descriptor = openat(jobs, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct nuce_error ignored;
    char *text = NULL;

    if (descriptor < 0)
        return NULL;
    if (nuce_text_read_descriptor(descriptor, name, &text, NULL, &ignored) == NUCE_OK) {
        text[strcspn(text, "\n")] = '\0';
        nuce_printable_make(text);
        if (strncmp(text, speaker, sizeof speaker - 1) == 0)
            memmove(text, text + sizeof speaker - 1, strlen(text) - sizeof speaker + 2);
    }
    close(descriptor);
    return text;
}

/* Makes the row of a job that ended before a rank was started, from its note; none if the job
 * has a row already. NUCE_DESCRIBE_JOB changes no job that has facts. A job that was requeued
 * and began after all therefore keeps its own description. */
nuce_status nuce_collect_notes(struct nuce_rows *rows, int folder, const char *path,
                               const char *campaign, struct nuce_error *error)
{
    int jobs = openat(folder, "jobs", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct nuce_folder notes;
    nuce_status status;

    if (jobs < 0)
        return NUCE_OK; /* it ran without Slurm */
    status = nuce_folder_read_at(&notes, jobs, path, error);
    for (int i = 0; status == NUCE_OK && i < notes.count; i++) {
        /* The name is JOB and NUCE_NOTE_ENDING. JOB is the name that nuce-job would have given
         * its records (slurm/prologue.sh). */
        const char *name = notes.entries[i]->d_name;
        char *line, *job, *facts;
        json_t *said;

        if (*name == '.' || !nuce_text_ends(name, NUCE_NOTE_ENDING))
            continue;
        line = collect_note_line(jobs, name);
        job = nuce_text_format("%.*s", (int)(strlen(name) - strlen(NUCE_NOTE_ENDING)), name);
        said = json_pack("{s:s}", "failed", line != NULL ? line : "");
        facts = json_dumps(said, JSON_COMPACT);
        if (line != NULL)
            status = nuce_rows_run(rows, NUCE_INSERT_CAMPAIGN, NULL, error, "t", campaign);
        if (line != NULL && status == NUCE_OK)
            status = nuce_rows_run(rows, NUCE_DESCRIBE_JOB, NULL, error, "tttt", job, campaign,
                                   rows->unknown, facts);
        json_decref(said);
        free(facts);
        free(job);
        free(line);
    }
    nuce_folder_fini(&notes);
    close(jobs);
    return status;
}
