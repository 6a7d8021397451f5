/* Points by the first digits of their id, or of one of their runs: among the plans of the
 * campaigns' folder, and in the database for what has been collected from elsewhere or deleted
 * since. An id may be in several campaigns; where the folder has one, that is explained, since
 * there are its logs. */
#include "explanation/explain_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store.h"
#include "explanation/explain_run.h"
#include "launch/progress.h"
#include "support/allocate.h"
#include "support/folder.h"
#include "support/printable.h"
#include "support/text.h"

void nuce_explain_found_fini(struct nuce_found_list *list)
{
    free(list->found);
    *list = (struct nuce_found_list){0};
}

/* made: when the campaign's plan was written; NULL: found in the database. What is too long to be
 * an id or a name is passed over. */
static nuce_status found_add(struct nuce_found_list *list, const char *id, const char *campaign,
                             const struct timespec *made, struct nuce_error *error)
{
    struct nuce_explain_match found = {.in_folder = made != NULL};

    if (made != NULL)
        found.made = *made;
    if (!nuce_text_copy(found.id, sizeof found.id, id) ||
        !nuce_text_copy(found.campaign, sizeof found.campaign, campaign))
        return NUCE_OK;
    if (nuce_allocate_more((void **)&list->found, &list->capacity, list->count + 1,
                           sizeof *list->found, error) != NUCE_OK)
        return error->status;
    list->found[list->count++] = found;
    return NUCE_OK;
}

/* The lines of a plan are as nuce wrote them: what has other text in this place is no plan of its,
 * and opening the campaign says so. A plan is searched as text, not parsed: there may be many
 * campaigns with many points each. A plan that cannot be read has no points. */
static nuce_status search_plan(const char *path, const char *campaign, const char *digits,
                               struct nuce_found_list *list, struct nuce_error *error)
{
    static const char key[] = "\"point\":\"";
    FILE *file = fopen(path, "re");
    struct stat facts;
    size_t capacity = 0;
    char *line = NULL;

    error->status = NUCE_OK;
    if (file == NULL || fstat(fileno(file), &facts) != 0)
        facts.st_mtim = (struct timespec){0};
    while (file != NULL && error->status == NUCE_OK && getline(&line, &capacity, file) > 0) {
        char *id = strstr(line, key);

        if (id == NULL || strncmp(id + strlen(key), digits, strlen(digits)) != 0)
            continue;
        id += strlen(key);
        id[strcspn(id, "\"")] = '\0';
        error->status = found_add(list, id, campaign, &facts.st_mtim, error);
    }
    free(line);
    if (file != NULL)
        (void)fclose(file);
    return error->status;
}

/* A folder that is not there has no campaigns. */
static nuce_status search_folder(const char *folder, const char *digits,
                                 struct nuce_found_list *list, struct nuce_error *error)
{
    struct nuce_folder campaigns;

    error->status = nuce_folder_read(&campaigns, error, "%s", folder);
    for (int i = 0; i < campaigns.count && error->status == NUCE_OK; i++) {
        const char *name = campaigns.entries[i]->d_name;
        char *path;

        if (!nuce_text_is_name(name))
            continue;
        path = nuce_text_format(error, "%s/%s/plan.jsonl", folder, name);
        if (path != NULL)
            error->status = search_plan(path, name, digits, list, error);
        free(path);
    }
    nuce_folder_fini(&campaigns);
    return error->status;
}

/* Whether a campaign of the folder has been found for the id: then the database's is not told
 * of. */
static int is_in_folder(const struct nuce_found_list *list, const char *id)
{
    for (int64_t i = 0; i < list->count; i++) {
        if (list->found[i].in_folder && strcmp(list->found[i].id, id) == 0)
            return 1;
    }
    return 0;
}

/* Rows of id and campaign; points that the folder has are left out. What was found before a failure
 * stays in the list. */
static nuce_status search_store(struct nuce_store *store, const char *sql, const char *digits,
                                struct nuce_found_list *list, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = SQLITE_DONE;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return error->status;
    (void)sqlite3_bind_text(statement, 1, digits, -1, SQLITE_STATIC);
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(statement, 0);

        if (!is_in_folder(list, id))
            (void)found_add(list, id, (const char *)sqlite3_column_text(statement, 1), NULL, error);
    }
    if (error->status == NUCE_OK && code != SQLITE_DONE)
        (void)nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return error->status;
}

/* Ids are lower case hexadecimal: 'g' is behind all that begin with the digits. */
#define BEGINS(column) column " >= ?1 AND " column " < ?1 || 'g'"

/* *list has what the folder holds by now. Only if neither knows such a point can the digits be
 * those of a run. */
static nuce_status search_database(const char *folder, const char *database, const char *digits,
                                   struct nuce_found_list *list, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    int64_t before = list->count;

    if (access(database, F_OK) != 0)
        return NUCE_OK;
    if (nuce_store_open_reading(database, &store, error) == NUCE_OK)
        error->status = search_store(
            &store, "SELECT point, campaign FROM run WHERE " BEGINS("point") " GROUP BY 1, 2",
            digits, list, error);
    if (error->status == NUCE_OK && list->count == 0)
        error->status = search_store(
            &store, "SELECT point, campaign FROM run WHERE " BEGINS("hash") " GROUP BY 1, 2",
            digits, list, error);
    nuce_store_close(&store);
    /* A run was meant: its point may lie in the folder after all. */
    for (int64_t i = 0, count = list->count; error->status == NUCE_OK && before == 0 && i < count;
         i++) {
        char id[NUCE_HASH_BYTES];

        memcpy(id, list->found[i].id, sizeof id);
        if (!is_in_folder(list, id))
            error->status = search_folder(folder, id, list, error);
    }
    return error->status;
}

/* For each id the youngest campaign first, and of one campaign its folder before the database. */
static int by_id_then_age(const void *a, const void *b)
{
    const struct nuce_explain_match *first = a, *second = b;
    int order = strcmp(first->id, second->id);

    if (order != 0)
        return order;
    if (first->made.tv_sec != second->made.tv_sec)
        return first->made.tv_sec > second->made.tv_sec ? -1 : 1;
    if (first->made.tv_nsec != second->made.tv_nsec)
        return first->made.tv_nsec > second->made.tv_nsec ? -1 : 1;
    order = strverscmp(second->campaign, first->campaign);
    return order != 0 ? order : second->in_folder - first->in_folder;
}

/* A campaign that lies in the folder is not named for the database again. ids is counted here, as
 * the same ones are neighbours by now. */
static void found_sort(struct nuce_found_list *list)
{
    int64_t kept = 0;

    if (list->count > 0)
        qsort(list->found, (size_t)list->count, sizeof *list->found, by_id_then_age);
    for (int64_t i = 0; i < list->count; i++) {
        const struct nuce_explain_match *found = &list->found[i];

        if (!found->in_folder && is_in_folder(list, found->id))
            continue;
        list->ids += kept == 0 || strcmp(list->found[kept - 1].id, found->id) != 0;
        list->found[kept++] = *found;
    }
    list->count = kept;
}

nuce_status nuce_explain_find(const char *folder, const char *database, const char *digits,
                              struct nuce_found_list *out, struct nuce_error *error)
{
    *out = (struct nuce_found_list){0};
    if (search_folder(folder, digits, out, error) != NUCE_OK)
        return error->status;
    /* What the folder has is explained even where the database cannot be read. */
    if (search_database(folder, database, digits, out, error) != NUCE_OK && out->count == 0)
        return error->status;
    found_sort(out);
    return NUCE_OK;
}

/* As `nuce status` says points; a workload that this nuce does not know is printed as it is
 * stored. */
static void print_params(sqlite3_stmt *row)
{
    const char *workload = (const char *)sqlite3_column_text(row, 0);
    const char *params = (const char *)sqlite3_column_text(row, 2);
    struct nuce_campaign_point point = {.ranks = sqlite3_column_int(row, 1),
                                        .workload = nuce_workload_find(workload)};
    char *what = NULL;

    point.line = json_pack("{s:o}", "params", json_loads(params, 0, NULL));
    if (point.workload != NULL && point.line != NULL)
        what = nuce_progress_describe(&point);
    (void)fputs("             ", stdout);
    nuce_printable_put(what != NULL ? what : params, stdout);
    (void)putchar('\n');
    free(what);
    json_decref(point.line);
}

/* The database says less than the records: no log, no host of a rank. */
static void found_print_run(sqlite3_stmt *row)
{
    const char *message = (const char *)sqlite3_column_text(row, 4);

    (void)printf("run          %s, begun at ", sqlite3_column_text(row, 0));
    nuce_printable_put((const char *)sqlite3_column_text(row, 1), stdout);
    (void)printf(", %s, campaign %s\n", sqlite3_column_text(row, 2), sqlite3_column_text(row, 3));
    if (message == NULL)
        return;
    (void)fputs("   message   ", stdout);
    nuce_printable_put(message, stdout);
    (void)putchar('\n');
}

/* Prints each row of sql, whose parameter ?1 is id. */
static nuce_status found_print_rows(struct nuce_store *store, const char *sql, const char *id,
                                    void (*print)(sqlite3_stmt *), struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code;

    if (nuce_store_prepare(store, sql, &statement, error) != NUCE_OK)
        return error->status;
    (void)sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        print(statement);
    error->status = code == SQLITE_DONE ? NUCE_OK : nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return error->status;
}

nuce_status nuce_explain_database(const char *database, const char *id, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};

    if (nuce_store_open_reading(database, &store, error) != NUCE_OK)
        return error->status;
    (void)printf("point        %s\n", id);
    if (found_print_rows(&store, "SELECT workload, ranks, params FROM point WHERE id = ?1", id,
                         print_params, error) == NUCE_OK)
        (void)found_print_rows(&store,
                               "SELECT status, started, kind, campaign, message FROM run"
                               " WHERE point = ?1 ORDER BY started, id",
                               id, found_print_run, error);
    nuce_store_close(&store);
    return error->status;
}
