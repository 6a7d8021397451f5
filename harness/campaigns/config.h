/* Configurations: sweep files of the user, or those that nuce ships. */
#ifndef NUCE_CONFIG_H
#define NUCE_CONFIG_H

#include "campaigns/expand.h"
#include "campaigns/shipped.h"
#include "campaigns/sweep.h"

/* The files of a simulated machine that a campaign keeps: texts, owned. */
struct nuce_machine_files {
    char *platform; /* SimGrid's description */
    char *hosts;    /* the host of each rank, a name per line */
    char *facts;    /* facts for its records, JSON */
};

void nuce_machine_files_fini(struct nuce_machine_files *files);

/* A configuration after reading: its text, its sweep and its plan. Released with nuce_config_fini.
 * length: bytes of text. */
struct nuce_config {
    char *path; /* path of the file found, owned */
    char *text; /* the file's content, owned: campaigns keep a copy */
    size_t length;
    struct nuce_sweep sweep;
    struct nuce_plan plan;
    int64_t taken;   /* campaigns get greater numbers: the database has these; 0 until the caller
                        says so */
    int is_modelled; /* its campaigns are of the kind "modelled"; 0 until the caller says so */
    const struct nuce_machine_files *simulated; /* borrowed, for the kind "simulated"; NULL until
                                                   the caller sets it */
};

/* Reads and expands the configuration that the user calls name: a file, or NAME for a shipped
 * configs/NAME.yaml. If most_ranks > 0, more ranks than that are a problem, unless the sweep names
 * a platform. judge is nuce_sweep_parse's.
 *
 * NUCE_BAD_INPUT: the file does not exist or has mistakes. *problems then lists the mistakes (on
 * success, notes), and *error says only that nothing was done. problems borrows out->path. The
 * caller always frees both, with nuce_problems_fini and nuce_config_fini. */
nuce_status nuce_config_load(const char *name, int64_t most_ranks,
                             const struct nuce_sweep_judge *judge, struct nuce_config *out,
                             struct nuce_problems *problems, struct nuce_error *error);

/* The same for a text: out->path, text and length are set by the caller, the rest is zero. path is
 * what messages call the text. */
nuce_status nuce_config_parse(int64_t most_ranks, const struct nuce_sweep_judge *judge,
                              struct nuce_config *out, struct nuce_problems *problems,
                              struct nuce_error *error);

/* Accepts an all zero struct, and leaves one. Its path must outlive the problems that name it. */
void nuce_config_fini(struct nuce_config *config);

/* The configurations that nuce ships. */
extern const struct nuce_shipped nuce_config_shipped;

/* NUCE_BAD_INPUT where it is to be modelled, and its workload has no model, or is to be run, and no
 * program runs it. */
nuce_status nuce_config_check_modelled(const struct nuce_config *config, struct nuce_error *error);

/* True if points race, in several launches: a machine that is simulated has no noise. */
int nuce_config_is_raced(const struct nuce_config *config);

/* How long a campaign runs, for the message before it starts, in seconds. about_s has the time of
 * an earlier campaign for `known` of the points, with set-up. The length of a step of the others is
 * unknown. about_s has them with steps of a millisecond and all rounds, most_s with steps so slow
 * that each point ends by its limit, both without set-up and the reference's duplicate. */
struct nuce_sampling_time {
    double about_s, most_s;
    int64_t points, known;
};

/* Adds the remaining launches of a point; line is its line in the plan file. earlier_s: time of a
 * launch by an earlier campaign (campaigns/earlier.h); NaN: not known. */
void nuce_sampling_time_add(struct nuce_sampling_time *time, const json_t *line, double launches,
                            double earlier_s);

/* "about 198s of sampling where a step takes 1ms, at most 5h30m". With known points "about 198s
 * with set-up, as in campaigns/quick.1", where as_in is the path. A new string. */
char *nuce_sampling_time_say(const struct nuce_sampling_time *time, const char *as_in);

/* The same for all points of a sweep that a program can run, without earlier campaigns. For a
 * simulated machine, whose seconds are simulated, "at most 5h30m of sampling on the simulated
 * machine". A new string. */
char *nuce_sampling_time_estimate(const struct nuce_config *config);

#endif
