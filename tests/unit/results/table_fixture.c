#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "table_fixture.h"

int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    make_folder(f->folder);
    snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    assert_non_null(getcwd(f->before, sizeof f->before));
    assert_int_equal(chdir(f->folder), 0);
    *state = f;
    return 0;
}

int set_up_job(void **state)
{
    const struct fixture *f;

    set_up(state);
    f = *state;
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    return 0;
}

int tear_down(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(chdir(f->before), 0);
    remove_folder(f->folder);
    free(f);
    return 0;
}

void collect(const struct fixture *f)
{
    char campaigns[PATH_BYTES + 16];
    struct nuce_error error;

    snprintf(campaigns, sizeof campaigns, "%s/", f->folder);
    assert_int_equal(collect_all(f->database, campaigns, NULL, NULL, &error), NUCE_OK);
}

nuce_status find_rows(const struct fixture *f, const char *name,
                      const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                      struct nuce_error *error)
{
    struct nuce_plot plot;
    struct nuce_store store;
    nuce_status status;

    assert_int_equal(nuce_plot_read(name, &plot, error), NUCE_OK);
    assert_int_equal(nuce_store_open_reading(f->database, &store, error), NUCE_OK);
    status = nuce_plot_query(&plot, &store, choice, data, error);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
    return status;
}

static char *print_table(const struct fixture *f, const char *name,
                         const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                         int with_footer)
{
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_grid table;
    struct nuce_error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    collect(f);
    if (find_rows(f, name, choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(nuce_plot_read(name, &plot, &error), NUCE_OK);
    assert_int_equal(nuce_plot_table(&plot, &data, format, &table, &error), NUCE_OK);
    assert_int_equal(nuce_grid_print(&table, format, stream, &error), NUCE_OK);
    if (with_footer)
        fprintf(stream, "%s\n%s\n%s\n%s\n", data.where, data.what, data.doubts, data.left_out);
    fclose(stream);
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return text;
}

char *table_text(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
                 enum nuce_grid_format format)
{
    return print_table(f, name, choice, format, 0);
}

char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format)
{
    return print_table(f, name, choice, format, 1);
}

void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in:\n%s", part, text);
}

void has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' in:\n%s", part, text);
}
