/* Tables and figures: each is files below plots/, described in plots/README.md; no C.
 *
 * A plot is read (its head), finds its rows in the database (nuce_plot_find), and then is printed
 * as a table or drawn by gnuplot. Finding makes temporary tables and ends in a store that can only
 * select, so a store serves one plot. */
#ifndef NUCE_PLOT_H
#define NUCE_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "db/store.h"

/* Words that start gnuplot (by env) without a user's settings, so that figures come out the same:
 * -d leaves start-up files out. A GNUTERM that this gnuplot does not have would end its first
 * script; the locale decides how months and numbers are written. */
#define NUCE_PLOT_GNUPLOT                                                                          \
    "env", "-u", "GNUPLOT_LIB", "-u", "GNUPLOT_FONTPATH", "-u", "GNUPLOT_DEFAULT_GDFONT", "-u",    \
        "FIT_LOG", "-u", "FIT_SCRIPT", "-u", "PAGER", "-u", "LINES", "-u", "COLUMNS", "-u",        \
        "LANGUAGE", "LC_ALL=C.UTF-8", "GNUTERM=dumb", "gnuplot", "-d"

/* What the head of NAME.sql says; all strings are owned, NULL where not given. */
struct nuce_plot {
    char *name;
    char *path;   /* of NAME.sql */
    char *script; /* path of NAME.gp; NULL: a table only */
    char *sql;    /* the query: its own, or the one that it shares */
    /* The directives, in the order of the table in plot.c. */
    char *options; /* of 'nuce run SWEEP' that gives rows: --modelled, or --platform FILE */
    char *title, *sweep, *rows, *paper, *table, *pivot, *cells, *data, *panel, *series, *style,
        *size;
    char *wide;         /* columns for people who ask for a wide table */
    char *heading;      /* the column whose values stand above tables of their own, as text; then
                           those that stand for it elsewhere */
    char *drawn;        /* the directive script: NAME of the .gp, if it is not its own */
    char *environments; /* "all": of every environment, told apart by the query */
    char *apart;        /* columns of `result`: each group that is alike in them has its own */
    char *verdict;      /* heading under which a report begins with what `says` says */
    char *query;        /* NAME of the query in plots/queries, where several plots share one */
    char *words;        /* what that query tells them apart by, in its table `word` */
    char *says;         /* NAME of the query in plots/says that puts the rows into sentences */
};

/* "nuce run SWEEP OPTIONS", which gives the plot rows; sweep is one of the plot's. A new string;
 * NULL: *error stands. */
char *nuce_plot_command(const struct nuce_plot *plot, const char *sweep);

/* Reads plots/NAME.sql. NUCE_BAD_INPUT: no such plot (with the nearest one), or a bad head (with
 * file and line). Released with nuce_plot_fini. */
nuce_status nuce_plot_read(const char *name, struct nuce_plot *out, struct nuce_error *error);
void nuce_plot_fini(struct nuce_plot *plot);

struct nuce_plot_list {
    struct nuce_plot *plots; /* by name */
    int count;
};

/* All plots below plots/; one with a bad head fails all. Released with nuce_plot_list_fini. */
nuce_status nuce_plot_list_read(struct nuce_plot_list *out, struct nuce_error *error);
void nuce_plot_list_fini(struct nuce_plot_list *list);

/* The rows that a plot draws or prints, and where they come from. */
struct nuce_plot_data {
    struct nuce_grid grid; /* what the SQL gives */
    struct nuce_grid says; /* what the query of the directive says gives; else without columns */
    char *where;           /* machine, library, environment */
    char *what;            /* kind, ranks, samples, campaigns */
    char *doubts;          /* what a reader must know before believing it; may be "" */
    int is_wide;           /* people get the columns of the directive wide too */
    int is_busy;           /* a launch that it pools began on a machine with other work */
    char *left_out;        /* what other environments have of it and is not in it; may be "" */
};

/* Which of what was measured; NULL: the newest. */
struct nuce_plot_choice {
    const char *environment; /* the beginning of its id */
    const char *run;         /* the beginning of its hash: that run's point, and `shown` is it */
    const char *campaign;    /* as if the database held no other */
    int is_wide;             /* printed with the columns of the directive wide */
};

/* Runs the plot's SQL on store (open for reading; restricted afterwards: only SELECT passes, and no
 * second plot can be found with it). choice NULL: the newest of all. Without rows to show out->grid
 * has none, and all else may be NULL. NUCE_BAD_INPUT: no such campaign, environment or run, or a
 * fault in the plot's files, which are then named. Released with nuce_plot_data_fini; on failure
 * *out stays as it was. */
nuce_status nuce_plot_find(const struct nuce_plot *plot, struct nuce_store *store,
                           const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                           struct nuce_error *error);

/* The same, but NUCE_FAILED if there are no rows: the message says which sweep gives them. */
nuce_status nuce_plot_query(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, struct nuce_plot_data *out,
                            struct nuce_error *error);
void nuce_plot_data_fini(struct nuce_plot_data *data);

/* The grid as a table of format: people (text, Markdown, LaTeX) get the pivot, programs the plain
 * rows. Columns without any value are left out. Released with nuce_grid_fini. NUCE_BAD_INPUT: two
 * rows of the query belong in one cell, or a directive names no column. */
nuce_status nuce_plot_table(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                            enum nuce_grid_format format, struct nuce_grid *out,
                            struct nuce_error *error);

/* Makes the next of the tables under the values of the plot's heading, in the order in which they
 * first appear, as people read them; of a plot without a heading the whole as one under "". *at is
 * 0 at first, heading is borrowed from data, *table is released with nuce_grid_fini. Returns 0 at
 * the end, and where that fails: error->status says which. */
int nuce_plot_next_section(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           int64_t *at, const char **heading, struct nuce_grid *table,
                           struct nuce_error *error);

/* Prints the table on standard output, for people with its title, what it says and where it comes
 * from. */
nuce_status nuce_plot_print(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                            struct nuce_error *error);

/* The same of rows that were found; what is printed of their texts is made harmless in them. */
nuce_status nuce_plot_print_found(const struct nuce_plot *plot, struct nuce_plot_data *data,
                                  enum nuce_grid_format format, struct nuce_error *error);

/* Prints the sentences of rows that were found on file, as nuce_plot_say does. */
void nuce_plot_say_found(struct nuce_plot_data *data, int64_t most, FILE *file);

/* Prints the sentences alone, a line each and at most `most` of them; *count is how many there are.
 * Nothing where there are none, or no rows. */
nuce_status nuce_plot_say(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, int64_t most, int64_t *count,
                          struct nuce_error *error);

/* The size of a figure of the plot, in 96ths of an inch. NUCE_BAD_INPUT: its `size` is none. */
nuce_status nuce_plot_size(const struct nuce_plot *plot, int *width, int *height,
                           struct nuce_error *error);

/* The formats of figures, NULL-ended: png, svg, pdf. */
extern const char *const nuce_plot_formats[];

/* Draws folder/NAME.FORMAT with gnuplot, over one that is there. The folder exists, and
 * plot->script is set. On failure nothing is left there, and a figure of before stays; NUCE_FAILED
 * says what gnuplot said. The same where the rows make no figure, as one dot on an axis: then
 * *reason, a new string, says what is missing; else it is NULL. */
nuce_status nuce_plot_try_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                               const char *folder, const char *format, char **reason,
                               struct nuce_error *error);

/* The same, where no figure is a failure. */
nuce_status nuce_plot_draw(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           const char *folder, const char *format, struct nuce_error *error);

/* What a paper states, judged, in words: by yes, partly or no in the column "holds", whether a
 * statement holds, or in "printed", whether a printed number comes out; static strings, NULL of
 * anything else: not judged. */
const char *nuce_plot_claim(const struct nuce_grid *says, int64_t row, const char *column);

/* Loads the TSV at path into the temporary table `paper`, which is made if there is none and else
 * must have its columns: lines that begin with # are comments, the first other line names the
 * columns; numbers become numbers, empty fields NULL. NUCE_BAD_INPUT names file and line; rows
 * before it are in the table then. */
nuce_status nuce_paper_load(struct nuce_store *store, const char *path, struct nuce_error *error);

/* Sweeps, their campaigns and the plots that show them. */

/* Room for a sweep's name. */
#define NUCE_SWEEP_BYTES 65

/* The most that nuce_plot_nearness gives: the plot has the sweep's name. */
#define NUCE_PLOT_NEAREST 4
/* How near the plot is to what a sweep measures, for choosing what to show of its campaigns.
 * NUCE_PLOT_NEAREST: it has its name; 3: its directive `sweep` names it; 2: its name is the
 * beginning of the sweep's, as exchange-table5 of exchange-table5-cm5; 1: quick, which shows most;
 * 0: not at all. */
int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep);

/* Writes the name of the sweep that campaign (NAME.K) is of; returns 0, having written all of
 * campaign, if it is no name of a campaign. */
int nuce_plot_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES]);

/* Whether name, which is none of a plot, is one of a campaign or of a sweep that nuce ships or that
 * has a campaign below the folder campaigns: then *error says so and which table to ask for, with
 * NUCE_BAD_INPUT. */
int nuce_plot_taken_for_sweep(const char *name, struct nuce_error *error);

/* Reads quick, which shows whatever raced, under the name of campaign: its title says so. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error);

/* Reads the plot called name, as nuce_plot_read does. Where there is none, and the database at that
 * path has a campaign or a sweep of that name, nuce_plot_read_for_campaign, and choice->campaign
 * is it. */
nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error);

/* Inside the module: whether a list of a directive, words with blanks between them or NULL, has
 * that one; and a step from a plot to its rows. */
bool nuce_plot_lists(const char *list, const char *wanted);

/* The table `chosen`: what was measured, simulated and modelled (its column kind) that meets the
 * plot's condition, of the environments that are asked for, else the newest; and what of a row was
 * timed or, of a model's, predicted, as time_s. `left_out` has what was measured or simulated
 * elsewhere and is not shown for that. `shown` is the run of choice, or the newest traced one.
 * columns are those of it that something reads, with commas between; NULL: all, but no row.
 * *is_answered: 0 if an environment is asked for that none of the rows is of. NUCE_BAD_INPUT: no
 * such run, or no id. */
nuce_status nuce_plot_choose(const struct nuce_plot *plot, struct nuce_store *store,
                             const struct nuce_plot_choice *choice, const char *columns,
                             int *is_answered, struct nuce_error *error);

#endif
