/* Rounds every line, not every rectangle: two parts that share a border share the line, hence its
 * rounded place, and no overlap or gap can arise (ALGORITHMS: "monotone, so it tiles exactly"). The
 * array's own borders are whole already and stay. */
#include <math.h>

#include "instances/array_lines.h"

/* Halves go up, and so does what is a half but for rounding: equal parts put lines on halves often
 * enough that without this one of two equal parts would get a row more by the last bit of a sum. */
#define NEARLY 1e-9

static double round_to_nearest(double at)
{
    return floor(at + 0.5 + NEARLY);
}

nuce_status nuce_decomposition_round(struct nuce_decomposition *decomposition, int allow_empty,
                                     struct nuce_error *error)
{
    struct nuce_array_lines rows = {0}, columns = {0};
    nuce_status status = NUCE_OK;

    nuce_array_lines_init(decomposition, 0, &rows);

    nuce_array_lines_init(decomposition, 1, &columns);
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
