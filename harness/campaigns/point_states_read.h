/* What the record files of live parts tell of the points that are not done. */
#ifndef NUCE_POINT_STATES_READ_H
#define NUCE_POINT_STATES_READ_H

#include "campaigns/point_states.h"

enum {
    NUCE_MARK_TRIED = 1, /* has had its run in its live part: gets no second one there */
    NUCE_MARK_BEGUN = 2, /* runs now, by the last line of the newest file */
};

/* Whether a part, known to be live, is being run and does not just wait to be. */
int nuce_standing_is_running(const struct nuce_submission_part *part,
                             const struct nuce_standing_part *standing);

/* Sets marks (campaign->count) of points in live parts that are not void; standing has its parts
 * already. Files that cannot be read tell nothing. */
nuce_status nuce_standing_mark(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               const struct nuce_standing *standing, unsigned char *marks,
                               struct nuce_error *error);

#endif
