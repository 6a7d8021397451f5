/* What many transfers at once lose, in sentences: whether there is anything to win by a schedule.
 *
 * The gain of d partners (contention_rows.c) is what d at once carry over what one does. Where the
 * most partners carry less than some fewer do, posting all messages at once loses, and that is all
 * that a schedule which limits transfers to one node can win there. Ratios of gains are of the
 * worst ends of their intervals. */
#include <string.h>

#include "calibrate/calibrate.h"
#include "support/units.h"

/* No network gives more than a partner's bytes a partner, and a quarter for what scatters
 * (contention_rows.c). */
#define IMPOSSIBLE 1.25

/* Where all carry this part of what fewer do, nothing is lost that anybody would notice. */
#define NEARLY_ALL 0.95

/* What is looked at of the rows of one direction and the largest size; NULL: there is no row. */
struct contention_curve {
    const json_t *best; /* carries most */
    const json_t *all;  /* the most partners */
};

/* The row's number, or otherwise. */
static double said_number(const json_t *row, const char *key, double otherwise)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* Whether the interval of a gain is known: fewer than six samples have none. */
static int has_interval(const json_t *row)
{
    return said_number(row, "partners", 0) == 1 || json_is_number(json_object_get(row, "gain_low"));
}

/* The row's gain; of one partner it is 1 by what it means. */
static double gain_of(const json_t *row, const char *key)
{
    return said_number(row, key, said_number(row, "partners", 0) == 1 ? 1 : 0);
}

/* Rows without a gain (failed, or alone) are passed over. */
static struct contention_curve find_curve(const json_t *rows, const char *direction)
{
    struct contention_curve curve = {NULL, NULL};
    double largest = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const char *own = json_string_value(json_object_get(row, "direction"));
        double size = said_number(row, "size", 0);

        if (own == NULL || strcmp(own, direction) != 0 || gain_of(row, "gain") <= 0 ||
            size < largest)
            continue;
        if (size > largest)
            curve = (struct contention_curve){NULL, NULL};
        largest = size;
        if (curve.best == NULL || gain_of(row, "gain") > gain_of(curve.best, "gain"))
            curve.best = row;
        if (curve.all == NULL ||
            said_number(row, "partners", 0) > said_number(curve.all, "partners", 0))
            curve.all = row;
    }
    return curve;
}

/* The sentence of one direction; which: "into one rank". Nothing without several partners. */
static void say_direction(const json_t *rows, const char *direction, const char *which, FILE *file)
{
    struct contention_curve curve = find_curve(rows, direction);
    long long all = (long long)said_number(curve.all, "partners", 0);
    int shared = said_number(curve.all, "oversubscribed", 0) > 0;
    double part, low, high;
    char size[32];

    if (all < 2)
        return;
    (void)fprintf(file, "%s %s: ",
                  nuce_units_format_bytes((int64_t)said_number(curve.all, "size", 0), size), which);
    if (gain_of(curve.best, "gain") > IMPOSSIBLE * said_number(curve.best, "partners", 1)) {
        (void)fputs("the times are of other things than a network; a quieter machine can tell.\n",
                    file);
        return;
    }
    if (curve.best == curve.all) {
        (void)fprintf(file, "%lld at once carry more than fewer do: posting all loses nothing.\n",
                      all);
        return;
    }
    if (!has_interval(curve.all) || !has_interval(curve.best)) {
        (void)fputs("too few samples to tell (--min 20).\n", file);
        return;
    }
    part = gain_of(curve.all, "gain") / gain_of(curve.best, "gain");
    low = gain_of(curve.all, "gain_low") / gain_of(curve.best, "gain_high");
    high = gain_of(curve.all, "gain_high") / gain_of(curve.best, "gain_low");
    (void)fprintf(file, "%lld at once carry %.2f (%.2f .. %.2f) of what %lld %s: ", all, part, low,
                  high, (long long)said_number(curve.best, "partners", 0),
                  said_number(curve.best, "partners", 0) == 1 ? "does" : "do");
    if (low >= NEARLY_ALL)
        (void)fprintf(file, "posting all loses at most %.0f %%.\n", 100 * (1 - low));
    else if (high < NEARLY_ALL)
        (void)fprintf(file, "posting all loses %.0f %%, which %s.\n", 100 * (1 - part),
                      shared ? "may be the doing of processors that ranks share"
                             : "a schedule of fewer at a time can win");
    else
        (void)fputs("this does not tell; more samples (--min 100), or a quieter machine, can.\n",
                    file);
}

static int any_shared(const json_t *rows)
{
    const json_t *row;
    size_t i;
    int any = 0;

    json_array_foreach(rows, i, row) any |= said_number(row, "oversubscribed", 0) > 0;
    return any;
}

void nuce_contention_say(const json_t *rows, FILE *file)
{
    say_direction(rows, "to-one", "into one rank", file);
    say_direction(rows, "from-one", "out of one rank", file);
    if (any_shared(rows))
        (void)fputs(
            "Ranks share processors: it is how these are shared, where links are faster than "
            "they copy.\n",
            file);
}
