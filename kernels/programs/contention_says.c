/* What many transfers at once lose, in sentences: whether there is anything to win by a schedule.
 *
 * The gain of d partners (contention_rows.c) is what d at once carry over what one does. Where the
 * most partners carry less than some fewer do, posting all messages at once loses, and that is all
 * that a schedule which limits transfers to one node can win there. Ratios of gains are of the
 * worst ends of their intervals. */
#include <string.h>

#include "base/units.h"
#include "programs/calibrate.h"

/* No network gives more than a partner's bytes a partner, and a quarter for what scatters
 * (contention_rows.c). */
#define IMPOSSIBLE 1.25

/* Where all carry this part of what fewer do, nothing is lost that anybody would notice. */
#define NEARLY_ALL 0.95

/* What is looked at of the rows of one direction and size; NULL: there is no row. */
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

static int row_is_of(const json_t *row, const char *direction)
{
    const char *own = json_string_value(json_object_get(row, "direction"));

    return own != NULL && strcmp(own, direction) == 0;
}

/* Rows without a gain (failed, or alone) are passed over. */
static struct contention_curve find_curve(const json_t *rows, const char *direction, double size)
{
    struct contention_curve curve = {NULL, NULL};
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        if (!row_is_of(row, direction) || gain_of(row, "gain") <= 0 ||
            said_number(row, "size", 0) != size)
            continue;
        if (curve.best == NULL || gain_of(row, "gain") > gain_of(curve.best, "gain"))
            curve.best = row;
        if (curve.all == NULL ||
            said_number(row, "partners", 0) > said_number(curve.all, "partners", 0))
            curve.all = row;
    }
    return curve;
}

/* What all at once carry, of the most that fewer do, and the ends of that. */
struct carried {
    double part, low, high;
};

static struct carried carried_of(const struct contention_curve *curve)
{
    return (struct carried){gain_of(curve->all, "gain") / gain_of(curve->best, "gain"),
                            gain_of(curve->all, "gain_low") / gain_of(curve->best, "gain_high"),
                            gain_of(curve->all, "gain_high") / gain_of(curve->best, "gain_low")};
}

static int is_known(const struct contention_curve *curve)
{
    return curve->best != NULL && has_interval(curve->all) && has_interval(curve->best);
}

/* The largest size that was measured in a direction, or the smallest at which all at once are shown
 * to lose; 0: there is none. */
static double said_size(const json_t *rows, const char *direction, int that_loses)
{
    double found = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        double size = said_number(row, "size", 0);
        struct contention_curve curve = find_curve(rows, direction, size);

        if (!row_is_of(row, direction) || curve.best == NULL)
            continue;
        if (!that_loses)
            found = size > found ? size : found;
        else if (is_known(&curve) && carried_of(&curve).high < NEARLY_ALL &&
                 (found == 0 || size < found))
            found = size;
    }
    return found;
}

/* Who may win what is lost: a schedule that lets so many at a time into a rank, or out of one.
 * grants has two at least: what one sends stops while the receiver's answer is on its way. */
static void say_rival(const char *direction, long long fewer, FILE *file)
{
    int is_in = strcmp(direction, "to-one") == 0;

    fprintf(file,
            ", which fewer at a time can win: race %s with depth %lld against ac, from there "
            "on.\n",
            is_in ? "grants" : "preemptive", is_in && fewer < 2 ? 2 : fewer);
}

/* What is lost, from which size on, whether it is the network that drops, as where at least one
 * segment a sample was sent again, and who may win it. */
static void say_loss(const json_t *rows, const char *direction,
                     const struct contention_curve *curve, FILE *file)
{
    double size = said_size(rows, direction, 1);
    long long fewer = (long long)said_number(curve->best, "partners", 1);
    double resent = said_number(curve->all, "resent_segments", 0);
    int is_dropped = resent > 0 && resent >= said_number(curve->all, "samples", 0);
    char text[32];

    fprintf(file, "posting all loses %.0f %%", 100 * (1 - carried_of(curve).part));
    if (size < said_number(curve->all, "size", 0))
        fprintf(file, ", and some from %s on", nuce_units_format_bytes((int64_t)size, text));
    if (is_dropped)
        fprintf(file, ", as the network drops what comes at once (%.0f segments were sent again)",
                resent);
    if (!is_dropped && said_number(curve->all, "oversubscribed", 0) > 0)
        fputs(", which may be the doing of processors that ranks share.\n", file);
    else
        say_rival(direction, fewer, file);
}

/* The sentence of one direction; which: "into one rank". Nothing without several partners. */
static void say_direction(const json_t *rows, const char *direction, const char *which, FILE *file)
{
    struct contention_curve curve = find_curve(rows, direction, said_size(rows, direction, 0));
    long long all = (long long)said_number(curve.all, "partners", 0);
    struct carried carried;
    char size[32];

    if (all < 2)
        return;
    fprintf(file,
            "%s %s: ", nuce_units_format_bytes((int64_t)said_number(curve.all, "size", 0), size),
            which);
    if (gain_of(curve.best, "gain") > IMPOSSIBLE * said_number(curve.best, "partners", 1)) {
        fputs("the times are of other things than a network; a quieter machine can tell.\n", file);
        return;
    }
    if (curve.best == curve.all) {
        fprintf(file, "%lld at once carry more than fewer do: posting all loses nothing.\n", all);
        return;
    }
    if (!is_known(&curve)) {
        fputs("too few samples to tell (--min 20).\n", file);
        return;
    }
    carried = carried_of(&curve);
    fprintf(file, "%lld at once carry %.2f (%.2f .. %.2f) of what %lld %s: ", all, carried.part,
            carried.low, carried.high, (long long)said_number(curve.best, "partners", 0),
            said_number(curve.best, "partners", 0) == 1 ? "does" : "do");
    if (carried.low >= NEARLY_ALL)
        fprintf(file, "posting all loses at most %.0f %%, and no order of sending can win more.\n",
                100 * (1 - carried.low));
    else if (carried.high < NEARLY_ALL)
        say_loss(rows, direction, &curve, file);
    else
        fputs("this does not tell; more samples (--min 100), or a quieter machine, can.\n", file);
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
        fputs("Ranks share processors: it is how these are shared, where links are faster than "
              "they copy.\n",
              file);
}
