/* What a launcher tells a measuring program, and what it has it check: files beside the plan. */
#ifndef NUCE_LAUNCH_H
#define NUCE_LAUNCH_H

#include <jansson.h>

#include "base/error.h"

/* Files of the launcher; NULL: not given. */
struct nuce_launch {
    const char *facts; /* for nuce_launch_read_facts; borrowed, as the next */
    const char *hosts; /* for nuce_launch_check_hosts */
};

/* Reads {"cluster": OBJECT, "launch": OBJECT}, both optional: what holds for the machine and may
 * change results, and what holds for this launch only. Reals come out as a record gives them
 * back, so that its readers compute the same hash of them. New reference; NULL with *error,
 * NUCE_BAD_INPUT naming file and key. Local. */
json_t *nuce_launch_read_facts(const char *path, struct nuce_error *error);

/* Compares hosts (array of names by rank) with the file's lines: line k + 1 is where rank k must
 * run. A short name stands for a full one that begins with it. NUCE_FAILED if a rank runs elsewhere
 * or there are fewer or more lines than ranks; NUCE_BAD_INPUT if the file cannot be read, or a line
 * other than the last ones is empty or no name. Local. */
nuce_status nuce_launch_check_hosts(const char *path, const json_t *hosts,
                                    struct nuce_error *error);

#endif
