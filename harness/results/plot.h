/* Tables and figures: each consists of files below plots/, described in plots/README.md; no C.
 *
 * A plot is read (its head), finds its rows in the database (nuce_plot_find), and then is printed
 * as a table or drawn by gnuplot. Finding makes temporary tables and leaves a store that can only
 * select, so a store serves one plot. */
#ifndef NUCE_PLOT_H
#define NUCE_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "db/store.h"

/* Words that start gnuplot (by env) without a user's settings, so that figures are the same
 * everywhere. -d skips start-up files. A GNUTERM unknown to this gnuplot would end its first
 * script; the locale decides how months and numbers are written. */
#define NUCE_PLOT_GNUPLOT                                                                          \
    "env", "-u", "GNUPLOT_LIB", "-u", "GNUPLOT_FONTPATH", "-u", "GNUPLOT_DEFAULT_GDFONT", "-u",    \
        "FIT_LOG", "-u", "FIT_SCRIPT", "-u", "PAGER", "-u", "LINES", "-u", "COLUMNS", "-u",        \
        "LANGUAGE", "LC_ALL=C.UTF-8", "GNUTERM=dumb", "gnuplot", "-d"

/* The head of NAME.sql; all strings are owned, NULL if not given. */
struct nuce_plot {
    char *name;
    char *path;      /* of NAME.sql */
    char *script;    /* path of NAME.gp; NULL: a table only */
    char *sql;       /* the query: its own, or the one that it shares */
    char *sentences; /* the query behind the line "-- says", its own or another plot's; or NULL */
    /* The directives, in the order of the table in plot.c. */
    char *options; /* options of 'nuce run SWEEP' that gives rows: --modelled, or --platform FILE */
    char *title, *sweep, *rows, *paper, *table, *pivot, *cells, *data, *panel, *series, *style,
        *size;
    char *wide;         /* columns for people who ask for a wide table */
    char *heading;      /* the column with one table per value in text output; then the columns that
                           replace it in other formats */
    char *heads;        /* "COLUMN HEAD, ...": what stands above columns where people read them */
    char *aside;        /* the column that is 1 in rows that programs do not get */
    char *drawn;        /* the directive script: NAME of the .gp, if it is not its own */
    char *environments; /* "all": of every environment, kept apart by the query */
    char *apart;        /* columns of `result`: each group that is alike in them has its own */
    char *verdict;      /* heading under which a report begins with what `says` says */
    char *query;        /* NAME of the query in plots/queries, where several plots share one */
    char *words;        /* what that query tells them apart by, in its table `word` */
    char *says;         /* NAME of the plot whose sentences it has, if not its own */
};

/* "nuce run SWEEP OPTIONS", which gives the plot rows; sweep is one of the plot's. A new string;
 * NULL with *error. */
char *nuce_plot_command(const struct nuce_plot *plot, const char *sweep);

/* Reads plots/NAME.sql. NUCE_BAD_INPUT: no such plot (with the nearest one), or a bad head (with
 * file and line). Released with nuce_plot_fini. */
nuce_status nuce_plot_read(const char *name, struct nuce_plot *out, struct nuce_error *error);
/* The same from a folder of the user's, FOLDER/NAME.sql and FOLDER/NAME.gp. */
nuce_status nuce_plot_read_in(const char *folder, const char *name, struct nuce_plot *out,
                              struct nuce_error *error);
void nuce_plot_fini(struct nuce_plot *plot);

struct nuce_plot_list {
    struct nuce_plot *plots; /* by name */
    int count;
};

/* All plots below plots/; one bad head makes the call fail. Released with nuce_plot_list_fini. */
nuce_status nuce_plot_list_read(struct nuce_plot_list *out, struct nuce_error *error);
void nuce_plot_list_fini(struct nuce_plot_list *list);

/* The rows that a plot draws or prints, and their origin. */
struct nuce_plot_data {
    struct nuce_grid grid; /* result of the SQL */
    struct nuce_grid says; /* result of the plot's `sentences`; else without columns */
    char *where;           /* machine, library, environment */
    char *what;            /* kind, ranks, samples, campaigns */
    char *doubts;          /* caveats for the reader; may be "" */
    int is_wide;           /* people also get the columns of the directive `wide` */
    int is_busy;           /* a pooled launch began on a machine with other work */
    char *left_out;        /* results of other environments that are omitted; may be "" */
};

/* The choice among the results; NULL: the newest. */
struct nuce_plot_choice {
    const char *environment; /* the beginning of its id */
    const char *run;         /* the beginning of its hash: that run's point, and `shown` is it */
    const char *campaign;    /* as if the database held no other */
    const char *contenders;  /* only these, with commas between */
    int is_wide;             /* printed with the columns of the directive wide */
};

/* Runs the plot's SQL on store, which is open for reading. The store is restricted afterwards: it
 * accepts only SELECT, and cannot find a second plot. choice NULL: the newest of all. Without rows
 * to show out->grid has none, and all else may be NULL. NUCE_BAD_INPUT: no such campaign,
 * environment or run, or a fault in one of the plot's files, which is named. Released with
 * nuce_plot_data_fini; on failure *out stays unchanged. */
nuce_status nuce_plot_find(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                           struct nuce_error *error);

/* The same, but NUCE_FAILED without rows: the message names the sweep that gives them. */
nuce_status nuce_plot_query(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                            struct nuce_error *error);
void nuce_plot_data_fini(struct nuce_plot_data *data);

/* The grid as a table of format: people (text, Markdown, LaTeX) get the pivot, programs the plain
 * rows. Omits columns without any value. Released with nuce_grid_fini. NUCE_BAD_INPUT: two rows of
 * the query belong in one cell, or a directive names no column. */
nuce_status nuce_plot_table(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                            enum nuce_grid_format format, struct nuce_grid *out,
                            struct nuce_error *error);

/* Makes the next of the tables under the values of the plot's heading, in the order of their first
 * rows, formatted for people. A plot without a heading has one table, under "". *at is 0 at first,
 * heading is borrowed from data, *table is released with nuce_grid_fini. Returns 0 at the end, and
 * on failure: error->status distinguishes them. */
int nuce_plot_next_section(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           int64_t *at, const char **heading, struct nuce_grid *table,
                           struct nuce_error *error);

/* Prints the table on standard output; for people with its title, its sentences and its origin. */
nuce_status nuce_plot_print(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                            struct nuce_error *error);

/* The same for rows already found; control characters in their printed texts are replaced in
 * place. */
nuce_status nuce_plot_print_found(const struct nuce_plot *plot, struct nuce_plot_data *data,
                                  enum nuce_grid_format format, struct nuce_error *error);

/* Prints the sentences of found rows on file, as nuce_plot_say does. */
void nuce_plot_say_found(struct nuce_plot_data *data, int64_t most, FILE *file);

/* Prints the sentences alone, a line each and at most `most` of them; *count is their total number.
 * Prints nothing without sentences or rows. */
nuce_status nuce_plot_say(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, int64_t most, int64_t *count,
                          struct nuce_error *error);

/* The size of the plot's figure, in 96ths of an inch. NUCE_BAD_INPUT: its `size` is invalid. */
nuce_status nuce_plot_size(const struct nuce_plot *plot, int *width, int *height,
                           struct nuce_error *error);

/* The formats of figures, NULL-ended: png, svg, pdf. */
extern const char *const nuce_plot_formats[];

/* Draws folder/NAME.FORMAT with gnuplot, and replaces an existing one. The folder exists, and
 * plot->script is set. On failure no new file is left, and an older figure stays; NUCE_FAILED has
 * gnuplot's message. The same if the rows make no figure, such as one dot on an axis: *reason, a
 * new string, then explains it; otherwise it is NULL. */
nuce_status nuce_plot_try_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                               const char *folder, const char *format, char **reason,
                               struct nuce_error *error);

/* The same, but rows that make no figure are a failure. */
nuce_status nuce_plot_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           const char *folder, const char *format, struct nuce_error *error);

/* The judgement of a paper's statement or number, in words, by yes, partly or no in the column.
 * "holds": whether a statement holds; "printed": whether a printed number is reproduced. Static
 * strings; NULL for any other value: not judged. */
const char *nuce_plot_claim(const struct nuce_grid *says, int64_t row, const char *column);

/* Loads the TSV at path into the temporary table `paper`, which is made if it does not exist and
 * else must have the same columns. Lines that begin with # are comments; the first other line names
 * the columns. Numbers become numbers, empty fields NULL. NUCE_BAD_INPUT names file and line; rows
 * before it are then in the table. */
nuce_status nuce_paper_load(struct nuce_store *store, const char *path, struct nuce_error *error);

/* Sweeps, their campaigns and the plots that show them. */

/* Bytes for a sweep's name. */
#define NUCE_SWEEP_BYTES 65

/* The maximum of nuce_plot_nearness: the plot has the sweep's name. */
#define NUCE_PLOT_NEAREST 4
/* The relevance of the plot for a sweep, to choose the plots of its campaigns. NUCE_PLOT_NEAREST:
 * it has the sweep's name. 3: its directive `sweep` names the sweep. 2: its name is the beginning
 * of the sweep's, as exchange-table5 for exchange-table5-cm5. 1: quick, which shows most sweeps. 0:
 * none. */
int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep);

/* Writes the name of the sweep of campaign (NAME.K). If campaign has another form, writes all of it
 * and returns 0. */
int nuce_plot_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES]);

/* Reads quick, which shows any race, under the name of campaign, which begins its title. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error);

/* True if name is a campaign or a sweep in the database at that path, without rows in plot (NULL:
 * any campaign or sweep). */
bool nuce_plot_is_campaign(const struct nuce_plot *plot, const char *name, const char *database);

/* Reads the plot called name, as nuce_plot_read does. Where there is none, or it has no rows of a
 * campaign or a sweep of that name in the database at that path, nuce_plot_read_for_campaign, and
 * choice->campaign is it. NUCE_BAD_INPUT also for a campaign that is not in the database. */
nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error);
/* A note that a campaign was taken, as choice says, although there is a plot called name, and the
 * command that gives that plot rows. A new string; NULL: nothing to say. */
char *nuce_plot_note(const char *name, const struct nuce_plot_choice *choice);

/* Inside the module: true if a directive's list, words with blanks between them or NULL, contains
 * the word; and a step from a plot to its rows. */
bool nuce_plot_lists(const char *list, const char *wanted);

/* Makes the table `chosen`: measured, simulated and modelled rows (column kind) that meet the
 * plot's condition. They are of the requested environments, else of the newest. The column time_s
 * is the timed value of a row, or the predicted one for a model. `left_out` has the rows measured
 * or simulated elsewhere, which are therefore not shown. `shown` is the run of choice, or the
 * newest traced one. columns are the used columns of it, with commas between; NULL: all columns,
 * but no row. *is_answered: 0 if an environment is requested that no row has. NUCE_BAD_INPUT: no
 * such run, or no id. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             int *is_answered, struct nuce_error *error);

#endif
