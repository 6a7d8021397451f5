/* pdgemr2d: ScaLAPACK's redistribution, what dense linear algebra calls today.
 *
 * Problem: one block-cyclic array goes into another layout, on any two grids.
 * Steps (Prylli and Tourancheau): each rank walks the others in an order in which pairs meet, and
 * for each packs what goes there, sends it by the BLACS, receives and unpacks; one message at a
 * time.
 * Cost: the library's. It searches what goes where, allocates its buffers and agrees on parameters
 * in every call: all of it is timed as communication, since what it does inside cannot be told
 * apart.
 * Limits: elements of 4, 8 or 16 bytes; what an int counts; what happens in the call cannot be
 * seen: one phase stands for it.
 * Source: Prylli and Tourancheau, "Fast Runtime Block Cyclic Data Redistribution on
 * Multiprocessors", Journal of Parallel and Distributed Computing 45, 1997; ScaLAPACK's
 * REDIST/SRC. */
#include <stddef.h>

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
