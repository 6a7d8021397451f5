/* The times of earlier campaigns beside a new one, for estimates before it runs. */
#ifndef NUCE_EARLIER_H
#define NUCE_EARLIER_H

#include <jansson.h>

#include "campaigns/launchers.h"

/* Times by a key, each from the newest campaign that has any. */
struct nuce_earlier_times {
    json_t *by_key; /* key -> {"line", "from": path, "seconds": [...]}; without times only "line" */
    json_t *told;   /* paths of these campaigns, newest first */
};

struct nuce_earlier {
    struct nuce_earlier_times runs;   /* of a point in one launch; key: its id */
    struct nuce_earlier_times starts; /* of ranks, to their first point; key: nuce_earlier_way */
};

/* Looks for times of the plan's lines (array, borrowed) in the campaigns of folder. Those count
 * that launcher started on this installation's MPI library; modelled, simulated and imported ones
 * do not. What cannot be read tells nothing. Freed with nuce_earlier_fini. */
void nuce_earlier_read(const char *folder, const struct nuce_launcher_ops *launcher,
                       const json_t *lines, struct nuce_earlier *out);
void nuce_earlier_fini(struct nuce_earlier *earlier);

/* The rank count of a line of a plan and its way to start ranks, as text: points with the same
 * share a start. A new string. */
char *nuce_earlier_way(const json_t *line);

/* Median of the times of key, seconds; NaN: not known. */
double nuce_earlier_find(const struct nuce_earlier_times *times, const char *key);

/* "campaigns/quick.1" or "campaigns/quick.2 and 1 more": where the times are from. A new string. */
char *nuce_earlier_say(const struct nuce_earlier_times *times);

#endif
