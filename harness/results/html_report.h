/* A report: one self-contained page of HTML, with all tables and figures for which a database has
 * rows. Its content and sources are data: plots/README.md. */
#ifndef NUCE_HTML_REPORT_H
#define NUCE_HTML_REPORT_H

#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "results/plot.h"

/* The result of a plot. */
struct nuce_report_part {
    const struct nuce_plot *plot; /* in the report's list */
    struct nuce_plot_data data;   /* data.grid without rows: nothing to show */
    struct nuce_grid table;       /* its rows, formatted for people */
    char *picture;                /* an svg element; NULL: a table only, or not drawn */
    char *undrawn;                /* why its rows make no figure; NULL: they do, or the plot has no
                                     figure */
    char *failure;                /* why there is no table or no picture; NULL: nothing failed */
};

/* A capture that points use: a file and not in the database, so the reader of the report looks it
 * up. */
struct nuce_report_capture {
    struct nuce_plot plot;
    struct nuce_report_part part; /* of plot */
};

/* A query of plots/report and its result. Its texts are owned. */
struct nuce_report_fact {
    char *title, *sql;
    struct nuce_grid grid;
};

/* The facts; NUCE_REPORT_FACTS is their number. */
enum nuce_report_facts {
    NUCE_REPORT_SUMMARY,
    NUCE_REPORT_CAMPAIGNS,
    NUCE_REPORT_ENVIRONMENTS,
    NUCE_REPORT_KEYS,
    NUCE_REPORT_FAILURES,
    NUCE_REPORT_UNKNOWN,
    NUCE_REPORT_FACTS,
};

/* The names of the queries, in that order. */
extern const char *const nuce_report_fact_names[NUCE_REPORT_FACTS];

/* A page before it is written. Released with nuce_report_fini. The members from plots on are
 * owned. */
struct nuce_report {
    const char *database;               /* borrowed, as the next members */
    const char *campaign, *environment; /* NULL: all, or the newest */
    const char *campaigns;              /* folder of the campaigns, whose sweeps are shown; NULL:
                                           none */
    struct nuce_plot_list plots;
    struct nuce_report_part *parts; /* one for each plot, in the order of the page */
    struct nuce_grid papers;        /* plots/papers.tsv */
    struct nuce_report_capture *captures;
    int64_t capture_count, capture_capacity;
    struct nuce_report_fact facts[NUCE_REPORT_FACTS];
    /* The number of parts with rows, of those that omit some, and of those with a failure. */
    int shown, partial, failed;
};

/* Reads the database at path, for one campaign or (NULL) for all, and draws it. Chooses the
 * environments whose id begins with environment, or (NULL) the newest of each plot, as
 * nuce_plot_find does. A failure in one plot, such as gnuplot's, is stored in its part.
 * NUCE_BAD_INPUT: no such campaign or environment. The strings outlive *out, which is released with
 * nuce_report_fini. */
nuce_status nuce_report_read(const char *path, const char *campaign, const char *environment,
                             struct nuce_report *out, struct nuce_error *error);
void nuce_report_fini(struct nuce_report *report);

/* Adds a capture: its plot, the rows that it draws, and its table for people. Takes them over
 * (empties them), also on failure. A picture that cannot be drawn is its part's failure. */
void nuce_report_add_capture(struct nuce_report *report, struct nuce_plot *plot,
                             struct nuce_plot_data *data, struct nuce_grid *table);

/* The row of the plot's paper in papers: the plot's name begins with the paper's key and a '-'. -1:
 * it has no paper. */
int64_t nuce_report_paper(const struct nuce_report *report, const struct nuce_plot *plot);

/* The text in a column of papers, "" without one. */
const char *nuce_report_paper_text(const struct nuce_report *report, int64_t row, const char *name);

/* Writes the page; the caller checks for errors of the stream. NUCE_BAD_INPUT, NUCE_FAILED: a
 * shipped file cannot be read; part of the page may have been written then. */
nuce_status nuce_report_write(const struct nuce_report *report, FILE *file,
                              struct nuce_error *error);

/* Inside the module. */

/* Writes a part that has rows, and after it its query. */
void nuce_html_part(FILE *file, const struct nuce_report *report,
                    const struct nuce_report_part *part);

/* Writes a capture: its description, its picture and its table. */
void nuce_html_capture(FILE *file, const struct nuce_report_capture *capture);

/* Writes the picture of a part, or why its rows make none. */
void nuce_html_figure(FILE *file, const struct nuce_report_part *part);

/* Writes the tables of a part under their headings, and after them its query. */
nuce_status nuce_html_numbers(FILE *file, const struct nuce_report *report,
                              const struct nuce_report_part *part, struct nuce_error *error);

/* True if the sentence is not in the list said (NULL: empty). */
int nuce_html_says(const struct nuce_grid *says, int64_t row, const struct nuce_grid *said);

/* Writes the sentences of a part as a list, without those in said (NULL: empty); link: each links
 * to the part. */
void nuce_html_sentences(FILE *file, const struct nuce_report_part *part,
                         const struct nuce_grid *said, int link);

/* The part that shows the races; NULL: there were none. */
const struct nuce_report_part *nuce_report_races(const struct nuce_report *report);

/* Writes the sweep of each campaign, folded, if the report knows its folder. */
void nuce_html_sweeps(FILE *file, const struct nuce_report *report);

/* Writes the shared queries and the sweeps that the parts name. */
nuce_status nuce_html_sources(FILE *file, const struct nuce_report *report,
                              struct nuce_error *error);

#endif
