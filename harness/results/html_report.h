/* A report: one page of HTML that needs nothing else, with all tables and figures that a database
 * has rows for. What stands in it and where it comes from is data: plots/README.md. */
#ifndef NUCE_HTML_REPORT_H
#define NUCE_HTML_REPORT_H

#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"
#include "db/store.h"
#include "results/plot.h"

/* What a plot gives. */
struct nuce_report_part {
    const struct nuce_plot *plot; /* in the report's list */
    struct nuce_plot_data data;   /* data.grid without rows: nothing to show */
    struct nuce_grid table;       /* its rows as people read them */
    char *picture;                /* an svg element; NULL: a table only, or not drawn */
    char *undrawn;                /* why its rows make no figure; NULL: they do, or it has none */
    char *failure;                /* why there is no table or no picture; NULL: nothing failed */
};

/* A capture that points are of: a file and not in the database, so that who reads the report has
 * found it. */
struct nuce_report_capture {
    struct nuce_plot plot;
    struct nuce_report_part part; /* of plot */
};

/* A query of plots/report and what it gives. Its texts are owned. */
struct nuce_report_fact {
    char *title, *sql;
    struct nuce_grid grid;
};

/* Which fact; NUCE_REPORT_FACTS is their number. */
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

/* A page before it is written. Released with nuce_report_fini. From plots on all is its own. */
struct nuce_report {
    const char *database;               /* borrowed, as what follows */
    const char *campaign, *environment; /* NULL: all, the newest */
    const char *campaigns;              /* their folder, whose sweeps are shown; NULL: none */
    struct nuce_plot_list plots;
    struct nuce_report_part *parts; /* one for each plot, in the order of the page */
    struct nuce_grid papers;        /* plots/papers.tsv */
    struct nuce_report_capture *captures;
    int64_t capture_count, capture_capacity;
    struct nuce_report_fact facts[NUCE_REPORT_FACTS];
    /* How many parts have rows, how many of those leave some out, how many have a failure. */
    int shown, partial, failed;
};

/* Reads what the database at path has, of one campaign or (NULL) of all, and draws it: of the
 * environments whose id begins with environment, else (NULL) what each plot has of the newest; as
 * nuce_plot_find chooses. What fails for one plot alone, such as gnuplot, is its part's failure.
 * NUCE_BAD_INPUT: no such campaign or environment. The texts outlive *out, which is released with
 * nuce_report_fini. */
nuce_status nuce_report_read(const char *path, const char *campaign, const char *environment,
                             struct nuce_report *out, struct nuce_error *error);
void nuce_report_fini(struct nuce_report *report);

/* Adds a capture: its plot, the rows that it draws, and its table as people read it, all of which
 * are taken over (emptied), also on failure. What cannot be drawn is its part's failure. */
void nuce_report_add_capture(struct nuce_report *report, struct nuce_plot *plot,
                             struct nuce_plot_data *data, struct nuce_grid *table);

/* The row of papers that the plot belongs to: its name begins with the paper's key and a '-'. -1:
 * it is of none. */
int64_t nuce_report_paper(const struct nuce_report *report, const struct nuce_plot *plot);

/* The text in a column of papers, "" where there is none. */
const char *nuce_report_paper_text(const struct nuce_report *report, int64_t row, const char *name);

/* Writes the page; errors of the stream are the caller's to find. NUCE_BAD_INPUT, NUCE_FAILED: a
 * file that nuce ships cannot be read; a part of the page may have been written then. */
nuce_status nuce_report_write(const struct nuce_report *report, FILE *file,
                              struct nuce_error *error);

/* Inside the module. */

/* Writes a part that has rows, and after it its query. */
void nuce_html_part(FILE *file, const struct nuce_report *report,
                    const struct nuce_report_part *part);

/* Writes a capture: what is known of it, its picture and its table. */
void nuce_html_capture(FILE *file, const struct nuce_report_capture *capture);

/* Writes the picture of a part, or why its rows make none. */
void nuce_html_figure(FILE *file, const struct nuce_report_part *part);

/* Writes the tables of a part under their headings, and after them its query. */
nuce_status nuce_html_numbers(FILE *file, const struct nuce_report *report,
                              const struct nuce_report_part *part, struct nuce_error *error);

/* Whether a sentence is none of those that are said already (NULL: none are). */
int nuce_html_says(const struct nuce_grid *says, int64_t row, const struct nuce_grid *said);

/* Writes the sentences of a part as a list, but for those that are said already (NULL: none are);
 * link: each leads to the part. */
void nuce_html_sentences(FILE *file, const struct nuce_report_part *part,
                         const struct nuce_grid *said, int link);

/* The part that shows whatever raced; NULL: nothing did. */
const struct nuce_report_part *nuce_report_races(const struct nuce_report *report);

/* Writes the sweep of each campaign, folded away, where the report knows its folder. */
void nuce_html_sweeps(FILE *file, const struct nuce_report *report);

/* Writes the shared queries and the sweeps that the parts name. */
nuce_status nuce_html_sources(FILE *file, const struct nuce_report *report,
                              struct nuce_error *error);

#endif
