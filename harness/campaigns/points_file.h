/* The file of points that a program is started with. */
#ifndef NUCE_POINTS_FILE_H
#define NUCE_POINTS_FILE_H

#include "campaigns/campaign.h"

/* Writes count lines of the campaign's plan (points: their indices) to the
 * file name in folder, as they were read but for the paths of files (campaigns/inputs.h): the
 * program reads a point from the same text as the harness. Whole or not at all. */
nuce_status nuce_points_file_write(const struct nuce_campaign *campaign, const int64_t *points,
                                   int64_t count, const char *folder, const char *name,
                                   struct nuce_error *error);

#endif
