/* Launches of programs: every contender of a race runs once, in a new random order, the reference
 * twice. */
#ifndef NUCE_TURNS_H
#define NUCE_TURNS_H

#include "base/jsonl.h"
#include "campaigns/campaign.h"
#include "campaigns/process.h"
#include "campaigns/progress.h"

/* The launches of one session, which share a file of records. Callers set the members up to again;
 * all others are zero at first. Freed with nuce_turns_fini. */
struct nuce_turns {
    struct nuce_campaign *campaign;
    struct nuce_progress *progress;
    const struct nuce_signals *signals; /* of the caller, which is between prepare and restore */
    const char *label;                  /* of the file of records */
    const char *facts;                  /* file of the launcher's facts; NULL: none */
    struct nuce_jsonl_writer writer;
    json_t *described; /* the environment, owned; NULL: nothing was written yet */
    json_t *told;      /* the content of facts, owned */
    char environment[NUCE_HASH_BYTES];
    json_t *nulls; /* null commands (command.h), as text -> seconds; owned, NULL: none yet */
    json_t *warm;  /* launches that were not recorded, by the first point of their start; owned */
};

/* Runs one launch of the points of the campaign that belong in one start with the point first
 * (start.h), and records it. A contender that goes wrong is recorded once and gets no further run
 * (attempted). A start that takes a tenth of a command's time is said, once. Then ends the races
 * that are known (ending.h). The first launches, as many as `warmup` says, are not recorded.
 *
 * NUCE_INTERRUPTED: a signal came. Races that it did not stop are recorded, and of the one that it
 * stopped the run under way, which does not count. NUCE_FAILED: its records cannot be
 * written, or a command cannot be started. */
nuce_status nuce_turns_launch(struct nuce_turns *turns, int64_t first, struct nuce_error *error);
void nuce_turns_fini(struct nuce_turns *turns);

#endif
