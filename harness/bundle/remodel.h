/* The points of a campaign in a bundle by nuce-model, for who compares what their runs recorded. */
#ifndef NUCE_REMODEL_H
#define NUCE_REMODEL_H

#include <jansson.h>

#include "launch/campaign.h"
#include "support/error.h"

/* Released with nuce_remodel_fini. */
struct nuce_remodel {
    const struct nuce_campaign *campaign;
    const char *scratch; /* a folder for files of nuce-model's; the caller's */
    int starts;          /* of nuce-model: its files are numbered by them */
    json_t *jobs;        /* job -> names of its hosts by rank */
    json_t *modelled;    /* what a run's is found by -> the model's record */
};

/* Models all points of campaign whose files are in its folder; those on a measured network, or cut
 * by measured weights, once for each that their runs found, at the hosts of their jobs. campaign
 * and scratch are borrowed. Freed with nuce_remodel_fini, also on failure. NUCE_BAD_INPUT: a point,
 * or a file that it names, is not what the plan says. */
nuce_status nuce_remodel_init(const struct nuce_campaign *campaign, const char *scratch,
                              struct nuce_remodel *out, struct nuce_error *error);
void nuce_remodel_fini(struct nuce_remodel *remodel);

/* The model's record of what the run was of, borrowed; NULL: a file that it was run on is not in
 * the campaign's folder. */
const json_t *nuce_remodel_of(const struct nuce_remodel *remodel, const json_t *run);

/* Calls each with every line of the campaign's record files, in the order of their names; record,
 * made by parse (nuce_record_read_brief; NULL: the whole JSON), is NULL where it is none. */
nuce_status nuce_remodel_read(const struct nuce_campaign *campaign,
                              json_t *(*parse)(const char *text, size_t length),
                              nuce_status (*each)(void *context, const char *file, json_t *record,
                                                  struct nuce_error *error),
                              void *context, struct nuce_error *error);

#endif
