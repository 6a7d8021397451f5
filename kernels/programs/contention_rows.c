/* What Table 2 says of a run, and of the machine.
 *
 * The gain of d partners is d T(1) / T(d), T the median time until the last rank is done: how many
 * times the bytes of one partner go through the node in the time of one. Its interval combines the
 * two medians' 95 % intervals at their worst ends. `growth` is what that says of one direction:
 *   serial       at most SERIAL: one transfer after another, or one partner alone fills the node
 *   independent  at least INDEPENDENT d: every partner has a path of its own
 *   limited      between: several partners do more than one, until the node's port is full
 *   unclear      the interval holds a limit, or there is none (fewer than 6 samples), or it is all
 *                above IMPOSSIBLE d: no network gives more than d, the times are of other things
 * `regime` puts both directions together: single-port (serial both ways: the papers' premise, and
 * their single-port bound is one), independent-paths (both ways), unclear (one is, or was not
 * measured), else NIC-limited. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "programs/calibrate.h"

/* Limits between the growths; the head says what they mean. They are ours, a
 * quarter on either side of one transfer and of d: the paper has none. */
#define SERIAL 1.25
#define INDEPENDENT 0.75
#define IMPOSSIBLE 1.25

/* What is kept of each sample. */
enum { ONE, MOST, LEAST, MEAN, KEPT };

static const char *const kept_keys[KEPT] = {"one_s", "partner_max_s", "partner_min_s",
                                            "partner_mean_s"};

/* What is kept of one sample: seconds[r] is the time of rank r. */
static void contention_rows_keep(const json_t *seconds, int64_t ranks, int64_t partners,
                                 double kept[KEPT])
{
    kept[ONE] = json_number_value(json_array_get(seconds, (size_t)ranks - 1));
    kept[MOST] = 0;
    kept[LEAST] = INFINITY;
    kept[MEAN] = 0;
    for (int64_t k = 0; k < partners; k++) {
        double value = json_number_value(json_array_get(seconds, (size_t)k));

        kept[MOST] = fmax(kept[MOST], value);
        kept[LEAST] = fmin(kept[LEAST], value);
        kept[MEAN] += value / (double)partners;
    }
}

/* values has a row of `count` samples for each quantity. A record without the times of each rank
 * adds nothing to the row. */
nuce_status nuce_contention_summarise(const json_t *record, json_t *row, struct nuce_error *error)
{
    const json_t *per_rank = json_object_get(record, "per_rank");
    int64_t count = (int64_t)json_array_size(per_rank);
    int64_t ranks = json_integer_value(json_object_get(record, "ranks"));
    int64_t partners = json_integer_value(json_object_get(row, "partners"));
    double *values = nuce_allocate(KEPT * count, sizeof *values);

    (void)error;
    for (int64_t i = 0; i < count; i++) {
        double kept[KEPT];

        contention_rows_keep(json_array_get(per_rank, (size_t)i), ranks, partners, kept);
        for (int k = 0; k < KEPT; k++)
            values[k * count + i] = kept[k];
    }
    for (int k = 0; count > 0 && k < KEPT; k++) {
        nuce_statistics_sort(values + k * count, count);
        json_object_set_new(row, kept_keys[k],
                            json_real(nuce_statistics_median(values + k * count, count)));
    }
    free(values);
    return NUCE_OK;
}

/* Whether two rows have the same value there. */
static int contention_rows_same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* Rows of runs that failed have no times. */
static int is_ok(const json_t *row)
{
    const char *status = json_string_value(json_object_get(row, "status"));

    return status != NULL && strcmp(status, "ok") == 0;
}

/* The row of one partner with the same direction and size; NULL: there is none. */
static const json_t *find_alone(const json_t *rows, const json_t *row)
{
    const json_t *other;
    size_t index;

    json_array_foreach(rows, index, other)
    {
        if (json_integer_value(json_object_get(other, "partners")) == 1 && is_ok(other) &&
            contention_rows_same(other, row, "direction") &&
            contention_rows_same(other, row, "size"))
            return other;
    }
    return NULL;
}

/* The row of the other direction with as many partners and the same size; NULL: there is none. */
static const json_t *find_reverse(const json_t *rows, const json_t *row)
{
    const json_t *other;
    size_t index;

    json_array_foreach(rows, index, other)
    {
        if (!contention_rows_same(other, row, "direction") &&
            contention_rows_same(other, row, "partners") &&
            contention_rows_same(other, row, "size"))
            return other;
    }
    return NULL;
}

/* NaN where the row has no such time. */
static double contention_rows_seconds(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A limit within the interval, or an end that is NaN, leaves it unclear: comparisons with NaN are
 * false. */
const char *nuce_contention_growth(double low, double high, double partners)
{
    if (high <= SERIAL)
        return "serial";
    if (low >= INDEPENDENT * partners)
        return low <= IMPOSSIBLE * partners ? "independent" : "unclear";
    return low > SERIAL && high < INDEPENDENT * partners ? "limited" : "unclear";
}

/* Sets "gain" and, where both intervals are known, "gain_low" and "gain_high", at the worst ends of
 * both; and "growth". */
static void add_growth(const json_t *rows, json_t *row)
{
    const json_t *alone = find_alone(rows, row);
    double partners = (double)json_integer_value(json_object_get(row, "partners"));
    double gain, low, high;

    if (partners < 2 || alone == NULL || !is_ok(row))
        return;
    gain = partners * contention_rows_seconds(alone, "communication_s") /
           contention_rows_seconds(row, "communication_s");
    low = partners * contention_rows_seconds(alone, "communication_low_s") /
          contention_rows_seconds(row, "communication_high_s");
    high = partners * contention_rows_seconds(alone, "communication_high_s") /
           contention_rows_seconds(row, "communication_low_s");
    if (isfinite(gain))
        json_object_set_new(row, "gain", json_real(gain));
    if (isfinite(low) && isfinite(high)) {
        json_object_set_new(row, "gain_low", json_real(low));
        json_object_set_new(row, "gain_high", json_real(high));
    }
    json_object_set_new(row, "growth", json_string(nuce_contention_growth(low, high, partners)));
}

const char *nuce_contention_regime(const char *one, const char *other)
{
    if (other == NULL || strcmp(one, "unclear") == 0 || strcmp(other, "unclear") == 0)
        return "unclear";
    if (strcmp(one, other) != 0)
        return "NIC-limited";
    if (strcmp(one, "serial") == 0)
        return "single-port";
    return strcmp(one, "independent") == 0 ? "independent-paths" : "NIC-limited";
}

void nuce_contention_compare(json_t *rows)
{
    json_t *row;
    size_t index;

    json_array_foreach(rows, index, row)
    {
        add_growth(rows, row);
    }
    json_array_foreach(rows, index, row)
    {
        const json_t *reverse = find_reverse(rows, row);
        const char *growth = json_string_value(json_object_get(row, "growth"));

        if (growth != NULL)
            json_object_set_new(
                row, "regime",
                json_string(nuce_contention_regime(
                    growth, json_string_value(json_object_get(reverse, "growth")))));
    }
}
