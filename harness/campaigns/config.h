/* Configurations: sweep files of the user, or those that nuce ships. */
#ifndef NUCE_CONFIG_H
#define NUCE_CONFIG_H

#include "campaigns/expand.h"
#include "campaigns/shipped.h"
#include "campaigns/sweep.h"

/* What a campaign keeps of a simulated machine: texts, owned. */
struct nuce_machine_files {
    char *platform; /* SimGrid's description */
    char *hosts;    /* that of each rank, a name a line */
    char *facts;    /* what its records tell of it, JSON */
};

void nuce_machine_files_fini(struct nuce_machine_files *files);

/* A configuration that has been read: its text and all that follows from it. Released with
 * nuce_config_fini. length: bytes of text. */
struct nuce_config {
    char *path; /* where it was found, owned */
    char *text; /* as it stands in the file, owned: campaigns keep a copy */
    size_t length;
    struct nuce_sweep sweep;
    struct nuce_plan plan;
    int is_modelled; /* its campaigns are of the kind "modelled"; 0 until the caller says so */
    const struct nuce_machine_files *simulated; /* borrowed: of the kind "simulated"; NULL until the
                                                   caller says so */
};

/* Reads and expands the configuration that the user calls name: a file, or NAME for a shipped
 * configs/NAME.yaml. If most_ranks > 0, more ranks than that are a problem, unless the sweep names
 * a platform. judge is nuce_sweep_parse's.
 *
 * NUCE_BAD_INPUT: there is no such file, or something is wrong with what it says; *problems then
 * has all of that (and notes on success), and *error says no more than that nothing was done.
 * problems borrows out->path. Whatever is returned, both are freed, with nuce_problems_fini and
 * nuce_config_fini. */
nuce_status nuce_config_load(const char *name, int64_t most_ranks,
                             const struct nuce_sweep_judge *judge, struct nuce_config *out,
                             struct nuce_problems *problems, struct nuce_error *error);
/* Accepts one that is all zero, and leaves it so. Its path must outlive the problems that name
 * it. */
void nuce_config_fini(struct nuce_config *config);

/* The configurations that nuce ships. */
extern const struct nuce_shipped nuce_config_shipped;

/* How long a campaign samples: what is said before it starts. */

#define NUCE_SAMPLING_BYTES 128

/* Whether points race, in several launches: a machine that is simulated has no noise. */
int nuce_config_is_raced(const struct nuce_config *config);

/* Seconds. A step's own time is not known before it is measured: about_s is for one of a
 * millisecond and all rounds, most_s for steps so slow that each point ends by its limit. Set-up
 * and the reference's twin are in neither. */
struct nuce_sampling_time {
    double about_s, most_s;
};

/* Adds the launches of a point that are left; line is that of its plan file. */
void nuce_sampling_time_add(struct nuce_sampling_time *time, const json_t *line, double launches);

/* "about 3m18s of sampling where a step takes 1ms, at most 5h30m"; of a simulated machine, whose
 * seconds are not ours, "at most 5h30m of sampling on the simulated machine". */
void nuce_sampling_time_say(const struct nuce_sampling_time *time, int is_simulated,
                            char text[NUCE_SAMPLING_BYTES]);

/* The same of all points of a sweep that a program can run. */
void nuce_sampling_time_estimate(const struct nuce_config *config, char text[NUCE_SAMPLING_BYTES]);

#endif
