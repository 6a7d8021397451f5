/* What Figures 4 and 5 and Table 3 say of permutations. The paper's `ave` is the mean. */
#include <math.h>
#include <string.h>

#include "programs/calibrate.h"

/* The paper's distance from the mean (section 3.2: "within +-10 % of average cost"). */
#define TENTH 0.1

/* Of the times of all samples; the plan has a sample for each permutation. */
static void add_distribution(const json_t *samples, json_t *row)
{
    double count = (double)json_array_size(samples);
    double mean = 0, least = INFINITY, most = 0, within = 0;
    const json_t *value;
    size_t index;

    json_array_foreach(samples, index, value)
    {
        mean += json_number_value(value) / count;
        least = fmin(least, json_number_value(value));
        most = fmax(most, json_number_value(value));
    }
    json_array_foreach(samples, index, value)
    {
        within += fabs(json_number_value(value) - mean) <= TENTH * mean;
    }
    json_object_set_new(row, "mean_s", json_real(mean));
    json_object_set_new(row, "least_s", json_real(least));
    json_object_set_new(row, "most_s", json_real(most));
    json_object_set_new(row, "within_tenth", json_real(within / count));
}

nuce_status nuce_permutations_summarise(const json_t *record, json_t *row, struct nuce_error *error)
{
    const json_t *samples = json_object_get(json_object_get(record, "samples"), "communication");
    const char *name = json_string_value(json_object_get(row, "permutation"));
    struct nuce_permutations_params params = {.permutation = ""};
    int distance;

    (void)error;
    strncpy(params.permutation, name, sizeof params.permutation - 1);
    distance = nuce_permutations_distance(&params);
    json_object_set_new(row, "distance", distance > 0 ? json_integer(distance) : json_null());
    if (json_array_size(samples) > 0)
        add_distribution(samples, row);
    return NUCE_OK;
}

static int permutations_rows_is_random(const json_t *row)
{
    return json_is_null(json_object_get(row, "distance"));
}

/* O(rows^2): some dozens of rows. */
void nuce_permutations_compare(json_t *rows)
{
    json_t *row;
    const json_t *other;
    size_t index, j;

    json_array_foreach(rows, index, row)
    {
        double mean = json_number_value(json_object_get(row, "mean_s"));

        json_array_foreach(rows, j, other)
        {
            double random = json_number_value(json_object_get(other, "mean_s"));

            if (permutations_rows_is_random(row) || !permutations_rows_is_random(other) ||
                mean <= 0 || random <= 0 ||
                !json_equal(json_object_get(row, "size"), json_object_get(other, "size")))
                continue;
            json_object_set_new(row, "random_mean_s", json_real(random));
            json_object_set_new(row, "against_random", json_real(mean / random));
        }
    }
}
