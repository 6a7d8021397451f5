/* The exact integer tiling. */
#include <math.h>

#include "arrays/array_lines.h"

/* Halves go up, and so does what is a half but for rounding: lines are near enough to a half in
 * equal parts often enough that the same side would now be longer, now shorter. */
#define NEARLY 1e-9

static double round_to_nearest(double at)
{
    return floor(at + 0.5 + NEARLY);
}

nuce_status nuce_decomposition_round(struct nuce_decomposition *decomposition, int allow_empty,
                                     struct nuce_error *error)
{
    struct nuce_array_lines rows = {0}, columns = {0};
    nuce_status status = nuce_array_lines_init(decomposition, 0, &rows, error);

    if (status == NUCE_OK)
        status = nuce_array_lines_init(decomposition, 1, &columns, error);
    for (int i = 0; status == NUCE_OK && i < decomposition->parts; i++) {
        struct nuce_span down = rows.spans[i], along = columns.spans[i];
        struct nuce_rectangle part = {.owner = i,
                                      .row = round_to_nearest(rows.at[down.low]),
                                      .column = round_to_nearest(columns.at[along.low])};

        part.rows = round_to_nearest(rows.at[down.high]) - part.row;
        part.columns = round_to_nearest(columns.at[along.high]) - part.column;
        if (!allow_empty && !(part.rows > 0 && part.columns > 0))
            status = nuce_error_set(
                error, NUCE_BAD_INPUT,
                "part %d of %d: gets no cell of %.17g x %.17g: its %.4g x %.4g cells round to "
                "%g x %g",
                i, decomposition->parts, decomposition->rows, decomposition->columns,
                decomposition->rectangles[i].rows, decomposition->rectangles[i].columns, part.rows,
                part.columns);
        decomposition->rectangles[i] = part;
    }
    nuce_array_lines_fini(&rows);
    nuce_array_lines_fini(&columns);
    return status;
}
