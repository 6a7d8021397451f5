/* A folder with records, their database, and what the plots make of it. Every function fails the
 * running test if it cannot do its work. */
#ifndef NUCE_TEST_TABLE_FIXTURE_H
#define NUCE_TEST_TABLE_FIXTURE_H

#include "records.h"
#include "results/plot.h"

struct fixture {
    char folder[PATH_BYTES];
    char database[PATH_BYTES + 16];
    char before[PATH_BYTES]; /* where the test ran: it works in its own folder */
    int number;              /* of records so far, where a test counts them */
};

/* For cmocka; the state is the fixture. */
int set_up(void **state);
int tear_down(void **state);

/* The same, with the record of job j1 of campaign a. */
int set_up_job(void **state);

/* Collects the folder's records into its database. */
void collect(const struct fixture *f);

/* What the plot of that name gives; choice NULL: the newest. *data is released with
 * nuce_plot_data_fini. */
nuce_status find_rows(const struct fixture *f, const char *name,
                      const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                      struct nuce_error *error);

/* Its table, after collecting; freed by the caller. */
char *table_text(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
                 enum nuce_grid_format format);

/* The same with the footer's lines at the end. */
char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format);

/* Whether the text has the part. */
void has(const char *text, const char *part);
void has_not(const char *text, const char *part);

#endif
