/* pdgemr2d: ScaLAPACK's redistribution, which dense linear algebra calls today.
 *
 * Problem: redistribute one block-cyclic array to another layout, on any two grids.
 * Steps: (Prylli and Tourancheau) each rank visits the others in an order in which pairs meet. For
 * each it packs the data, sends it by the BLACS, receives and unpacks; one message at a time.
 * Cost: the library's. Every call computes the messages, allocates its buffers and agrees on
 * parameters. All of it is timed as communication, since the steps inside the call cannot be timed
 * separately.
 * Limits: elements of 4, 8 or 16 bytes; counts that fit an int; the steps inside the call are not
 * visible, so the schedule has a single phase.
 * Source: Prylli and Tourancheau, "Fast Runtime Block Cyclic Data Redistribution on
 * Multiprocessors", Journal of Parallel and Distributed Computing 45, 1997; ScaLAPACK's
 * REDIST/SRC. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_pdgemr2d = {
    .name = "pdgemr2d",
    .summary = "ScaLAPACK's PDGEMR2D, timed as a whole: index sets, packing, messages, unpacking",
    .source = "Prylli and Tourancheau, JPDC 45, 1997",
    .executor = "pdgemr2d",
    .discipline = NUCE_DYNAMIC,
    .needs = NUCE_NEEDS_ARRAYS,
    .fill = nuce_schedule_all_at_once,
};
